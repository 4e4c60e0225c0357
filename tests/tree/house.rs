//! Rules that a compiler cannot check: directions between the modules of the library (the compiler checks those
//! between crates), purity of the crates below it, length of files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use wisp::ErrorCode;

use crate::rules::{ABOVE, CRATES, DIRECTIONS, LEAVES, PURE, SURFACE, THROUGH, WITHOUT_CODE};
use crate::source::{code, files, root, source, sources};

/// Longest file without a reason.
const LONGEST: usize = 500;

/// The modules that follow `prefix` (`crate::`): one name, or the first names of a braced list.
fn named(code: &str, prefix: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (start, _) in code.match_indices(prefix) {
        let before = code[..start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == ':') {
            continue;
        }
        let rest = &code[start + prefix.len()..];
        if rest.starts_with('{') {
            found.extend(first_names(rest));
        } else {
            found.push(word(rest));
        }
    }
    found.retain(|name| name.starts_with(|c: char| c.is_ascii_lowercase()));
    found
}

fn word(text: &str) -> String {
    text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect()
}

/// The first name of every entry of a braced list, without nested braces.
fn first_names(list: &str) -> Vec<String> {
    let (mut depth, mut fresh, mut found) = (0, false, Vec::new());
    for (at, c) in list.char_indices() {
        match c {
            '{' => {
                depth += 1;
                fresh = depth == 1;
            }
            '}' if depth == 1 => break,
            '}' => depth -= 1,
            ',' if depth == 1 => fresh = true,
            c if fresh && !c.is_whitespace() => {
                found.push(word(&list[at..]));
                fresh = false;
            }
            _ => {}
        }
    }
    found
}

/// The modules of the library: file → module.
fn modules() -> BTreeMap<PathBuf, String> {
    let module = |(path, name): (PathBuf, String)| {
        let inner = name.strip_prefix("wisp/")?;
        let first = inner.split('/').next().unwrap_or_default();
        let module = first.strip_suffix(".rs").unwrap_or(first).to_owned();
        (module != "lib").then_some((path, module))
    };
    files().into_iter().filter_map(module).collect()
}

/// The files that read responses from the network, and pass on `unmasked`, so that nothing shows it unmasked; and the one that serves.
const WIRE: &[&str] = &["net/wire.rs", "net/tls.rs", "mcp/http.rs"];

#[test]
fn what_the_network_says_is_read_in_two_files() {
    for (path, name) in files() {
        let allowed = WIRE.contains(&name.as_str());
        let code = code(&path);
        for reader in ["hyper::", "hyper_util::", "rustls::Error", "rustls::{"] {
            assert!(allowed || !code.contains(reader), "host/{name}: `{reader}` belongs in one of {WIRE:?}");
        }
    }
}

#[test]
fn modules_name_only_what_lies_below_them() {
    let mut wrong = Vec::new();
    for (path, module) in modules() {
        let Some((_, allowed)) = DIRECTIONS.iter().find(|(name, _)| *name == module) else {
            wrong.push(format!("{}: module `{module}` is not in DIRECTIONS", path.display()));
            continue;
        };
        let code = code(&path);
        for name in named(&code, "crate::") {
            let known = DIRECTIONS.iter().any(|(module, _)| *module == name);
            if known && name != module && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{}: `{module}` may not name `crate::{name}`", path.display()));
            }
        }
        for name in CRATES.iter().filter(|name| !allowed.contains(name) && code.contains(&format!("wisp_{name}::"))) {
            wrong.push(format!("{}: `{module}` may not name the crate `wisp_{name}`", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The errors of a list of public items that have no `code`, and how many have one.
fn without_code(api: &str) -> (Vec<&str>, usize) {
    fn error(line: &str) -> Option<&str> {
        let implements = line.strip_prefix("impl core::error::Error for ");
        let called_so = line.split_once("pub enum ").map(|(_, name)| name).filter(|name| name.ends_with("Error"));
        implements.or(called_so)
    }
    let has_code = |name: &str| {
        let start = format!("pub fn {name}::code(");
        api.lines().any(|line| line.starts_with(&start) && line.ends_with(" -> wisp::ErrorCode"))
    };
    let errors: BTreeSet<&str> = api.lines().filter_map(error).collect();
    let (with, without): (Vec<_>, Vec<_>) = errors.into_iter().partition(|name| has_code(name));
    (without, with.len())
}

/// A surface has a code to pass on for whatever fails.
#[test]
fn every_public_error_has_a_code() {
    let api = fs::read_to_string(root().join("host/wisp/api.txt")).expect("host/wisp/api.txt");
    let (without, with) = without_code(&api);
    assert_eq!(without, WITHOUT_CODE.iter().map(|(name, _)| *name).collect::<Vec<_>>(), "give the error a `code`, or say here why not");
    assert!(with >= 18, "only {with} errors found");
    let text = "#[non_exhaustive] pub enum wisp::AError\nimpl core::error::Error for wisp::B\nimpl core::error::Error for wisp::C\n\
                impl core::convert::From<std::io::error::Error> for wisp::C\npub fn wisp::AError::code(&self) -> u8\n\
                pub fn wisp::C::code(&self) -> wisp::ErrorCode\npub struct wisp::D";
    assert_eq!(without_code(text), (vec!["wisp::AError", "wisp::B"], 1));
}

/// A surface passes on an error as data without knowing its type.
#[test]
fn every_error_with_a_code_is_a_wisp_error() {
    let (mut with_code, mut found) = (BTreeSet::new(), BTreeSet::new());
    for (path, _) in files() {
        let code = code(&path);
        for (at, _) in code.match_indices("pub fn code(&self) -> ErrorCode") {
            with_code.extend(code[..at].rsplit("\nimpl ").next().map(word));
        }
        found.extend(code.split("impl WispError for ").skip(1).map(word));
        let lists = code.split("wisp_error!(").skip(1).filter_map(|rest| rest.split(')').next());
        found.extend(lists.flat_map(|list| list.split(',').map(|name| word(name.trim()))));
    }
    assert_eq!(with_code, found, "list the error in `wisp_error!`, or implement `WispError`");
    assert!(found.len() >= 19, "only {} errors found", found.len());
}

/// A code that no error has would promise what never happens.
#[test]
fn every_error_code_is_some_errors() {
    let codes = |(path, name): &(PathBuf, String)| (name != "api/code.rs").then(|| code(path)).filter(|code| code.contains("ErrorCode"));
    let used: BTreeSet<String> = files().iter().filter_map(codes).flat_map(|code| named_codes(&code)).collect();
    let all: BTreeSet<String> = ErrorCode::ALL.iter().map(|code| format!("{code:?}")).collect();
    assert_eq!(all.difference(&used).collect::<Vec<_>>(), Vec::<&String>::new(), "no error has these codes");
}

/// The codes that stand in a file.
fn named_codes(code: &str) -> Vec<String> {
    code.split("ErrorCode::").skip(1).map(word).collect()
}

/// The names of a crate's dependencies.
fn dependencies(folder: &str) -> Vec<String> {
    let manifest = fs::read_to_string(root().join("host").join(folder).join("Cargo.toml")).expect("a crate has a manifest");
    let (_, rest) = manifest.split_once("\n[dependencies]\n").expect("each has dependencies");
    let names = rest.lines().take_while(|line| !line.starts_with('[')).filter(|line| line.starts_with(|c: char| c.is_ascii_lowercase()));
    names.map(|line| line.chars().take_while(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect()).collect()
}

#[test]
fn what_is_above_the_library_stands_on_the_service() {
    for (folder, allowed) in ABOVE {
        let all = dependencies(folder);
        let ours: Vec<_> = all.iter().filter(|name| *name == "wisp" || name.starts_with("wisp-")).collect();
        assert_eq!(ours, *allowed, "host/{folder}");
    }
    let all = dependencies("service");
    assert!(all.iter().any(|name| name == "tokio"), "{all:?}");
    let surface: Vec<_> = all.iter().filter(|name| SURFACE.contains(&name.as_str())).collect();
    assert_eq!(surface, Vec::<&String>::new(), "what knows a protocol or a command line is a surface of its own");
    // The command has both, so that they would be found.
    assert!(dependencies("cli").iter().any(|name| SURFACE.contains(&name.as_str())));
}

/// What they need, every program can have.
#[test]
fn what_is_above_the_library_uses_what_a_library_user_can() {
    let above = |name: &str| ABOVE.iter().any(|(folder, _)| name.starts_with(&format!("{folder}/")));
    let wrong = files().into_iter().filter(|(path, name)| above(name) && code(path).contains("wisp::internal"));
    assert_eq!(wrong.map(|(_, name)| name).collect::<Vec<_>>(), Vec::<String>::new(), "export it in host/wisp/src/lib.rs");
    // The tests use it, so that it would be found.
    assert!(code(&root().join("tests/net/kit.rs")).contains("wisp::internal"));
}

/// The library's list of public items has these for the library; the service is read in its source.
#[test]
fn every_error_of_the_service_has_a_code() {
    let with_errors = |(path, name): &(PathBuf, String)| name.starts_with("service/").then(|| (name.clone(), code(path)));
    let errors = files().iter().filter_map(with_errors).filter(|(_, code)| code.contains("thiserror::Error")).collect::<Vec<_>>();
    assert!(errors.len() >= 2, "{errors:?}");
    for (name, code) in errors {
        let (errors, codes) = (code.matches("thiserror::Error").count(), code.matches("pub fn code(&self) -> ErrorCode {").count());
        assert_eq!(errors, codes, "host/{name}: each error has a `code`");
    }
}

/// The folders of this repository that a manifest names, as paths from its root.
fn folders_named(manifest: &Path, text: &str) -> Vec<PathBuf> {
    let resolved = |path: &str| {
        let mut at = manifest.parent().unwrap_or(manifest).to_owned();
        for part in Path::new(path).components() {
            match part {
                std::path::Component::ParentDir => drop(at.pop()),
                part => at.push(part),
            }
        }
        at.strip_prefix(root()).map_or(at.clone(), Path::to_owned)
    };
    text.split("path = \"").skip(1).filter_map(|rest| rest.split('"').next()).map(resolved).collect()
}

/// A guest is built of what is below `components/`, and of leaves that are named: no change elsewhere in the host makes a guest anew.
#[test]
fn guests_depend_on_nothing_of_the_host_but_its_leaves() {
    let components = root().join("components");
    let mut manifests = Vec::new();
    sources(&components, &["Cargo.toml"], &mut manifests);
    assert!(manifests.len() > 10, "{manifests:?}");
    let named = manifests.iter().flat_map(|path| folders_named(path, &fs::read_to_string(path).unwrap_or_default()));
    let outside: BTreeSet<PathBuf> = named.filter(|path| !path.starts_with("components")).collect();
    assert_eq!(outside, LEAVES.iter().map(PathBuf::from).collect(), "a guest may depend on a crate in LEAVES only");
    for leaf in LEAVES {
        let all = dependencies(leaf.trim_start_matches("host/"));
        assert!(!all.iter().any(|name| name.starts_with("wisp")), "{leaf} is no leaf: {all:?}");
    }
    let seen = folders_named(&components.join("x/Cargo.toml"), "a = { path = \"../tool\" }\nb = { path = \"../../host/vfs\" }");
    assert_eq!(seen, [Path::new("components/tool"), Path::new("host/vfs")]);
}

/// A changed guest must compile again only what ships it.
#[test]
fn only_programs_that_ship_hold_the_components() {
    let mut manifests = Vec::new();
    for folder in ["host", "tests", "toolchain"] {
        sources(&root().join(folder), &["Cargo.toml"], &mut manifests);
    }
    let holds = |path: &PathBuf| fs::read_to_string(path).is_ok_and(|text| text.lines().any(|line| line.starts_with("wisp-embedded")));
    let found: Vec<_> = manifests.iter().filter(|path| holds(path)).filter_map(|path| path.strip_prefix(root()).ok()).collect();
    let ship = [Path::new("host/cli/Cargo.toml"), Path::new("host/python/Cargo.toml")];
    assert_eq!(found, ship, "take the components from `wisp_built`, or name a folder");
}

/// clippy refuses calls that reach for the machine (`host/clippy.toml`), and a file says why it may make them. A pure
/// crate has no such file, and no dependency that reaches for the machine.
#[test]
fn pure_crates_do_not_touch_the_outside() {
    let mut wrong = Vec::new();
    for (path, name) in files() {
        let pure = PURE.contains(&name.split('/').next().unwrap_or_default());
        let text = fs::read_to_string(&path).unwrap_or_default();
        if pure && text.lines().any(|line| line.contains("clippy::disallowed") && !line.contains("cfg_attr(test")) {
            wrong.push(format!("{name} takes leave to reach for the machine, but its crate is pure"));
        }
    }
    for name in PURE {
        let manifest = fs::read_to_string(root().join("host").join(name).join("Cargo.toml")).expect("a crate has a manifest");
        let (_, dependencies) = manifest.split_once("[dependencies]").expect("each has dependencies");
        let dependencies = dependencies.split("[dev-dependencies]").next().unwrap_or_default();
        for outside in ["cap-std", "getrandom", "libc", "rustix", "wasmtime"] {
            if dependencies.lines().any(|line| line.starts_with(outside)) {
                wrong.push(format!("host/{name} depends on `{outside}`, but is pure"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_charged_goes_through_the_one_place() {
    let mut wrong = Vec::new();
    for (path, name) in files() {
        let code = code(&path);
        for (word, allowed, reason) in THROUGH {
            if code.contains(word) && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{name} names `{word}`: {reason}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    for (word, allowed, _) in THROUGH {
        for name in *allowed {
            assert!(code(&source(name)).contains(word), "{name} does not name `{word}` any more: take it out of THROUGH");
        }
    }
}

#[test]
fn the_library_does_not_print() {
    let mut wrong = Vec::new();
    for (path, name) in files() {
        let code = code(&path);
        let prints: &[&str] = if name.starts_with("cli/") { &["eprint", "dbg!"] } else { &["println!", "print!", "dbg!"] };
        if prints.iter().any(|print| code.contains(print)) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "only host/cli prints, to standard error only through `messages`:\n{}", wrong.join("\n"));
}

#[test]
fn long_files_have_a_reason() {
    let reasons = fs::read_to_string(root().join("tests/long-files.txt")).expect("tests/long-files.txt");
    let mut found = Vec::new();
    for folder in ["host", "components", "tests", "toolchain", "wit"] {
        sources(&root().join(folder), &[".rs", ".py", ".wit"], &mut found);
    }
    let mut wrong = Vec::new();
    for path in found {
        let lines = fs::read_to_string(&path).unwrap_or_default().lines().count();
        let name = path.strip_prefix(root()).unwrap_or(&path).display().to_string();
        let reason = reasons.lines().any(|line| line.split_once(": ").is_some_and(|(path, reason)| path == name && !reason.is_empty()));
        if lines > LONGEST && !reason {
            wrong.push(format!("{name}: {lines} lines; split it, or give the reason in tests/long-files.txt"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The crates of a lock file whose contents are not in the record of audits.
fn without_record(lock: &str, record: &str) -> Vec<String> {
    let field = |package: &str, name: &str| {
        let start = format!("{name} = \"");
        package.lines().find_map(|line| line.strip_prefix(&start)?.strip_suffix('"').map(str::to_owned))
    };
    let missing = |package: &str| {
        let (name, version) = (field(package, "name")?, field(package, "version")?);
        // Ours have no checksum.
        let start = format!("\n\"{name} {version}\" = {{ sha256 = \"{}\"", field(package, "checksum")?);
        (!record.contains(&start)).then(|| format!("{name} {version}"))
    };
    lock.split("[[package]]").filter_map(missing).collect()
}

#[test]
fn every_dependency_is_in_the_record_of_audits() {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let record = read("toolchain/audits.toml");
    for path in ["Cargo.lock", "components/Cargo.lock", "toolchain/public-items/Cargo.lock"] {
        let lock = read(path);
        let missing = without_record(&lock, &record);
        assert!(missing.is_empty(), "{path}: no record in toolchain/audits.toml of {missing:?}; run `toolchain/check-deps --record`");
        // Another version is found, and so are other contents of the same version.
        assert!(lock.contains("\nname = \"serde\"\nversion = \"1."));
        assert_eq!(without_record(&lock, &record.replace("\n\"serde 1.", "\n\"serde 0.")).len(), 1);
        let all = lock.matches("\nchecksum = ").count();
        assert_eq!(without_record(&lock, &record.replace("sha256 = \"", "sha256 = \"0")).len(), all);
    }
}

#[test]
fn the_scan_sees_what_it_must() {
    assert_eq!(named("use crate::vfs::Fs;", "crate::"), ["vfs"]);
    assert_eq!(named("use crate::{policy::{a, b}, wasi, Engine};", "crate::"), ["policy", "wasi"]);
    assert_eq!(named("let x = crate::session::State::new();", "crate::"), ["session"]);
    assert_eq!(named("mycrate::vfs", "crate::"), Vec::<String>::new());
}
