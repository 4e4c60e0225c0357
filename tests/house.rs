//! The house rules that a machine can check: directions between modules, purity of the leaves, length of files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Which modules of the library a module may name. A module that is not here is an error: say where it belongs.
const DIRECTIONS: &[(&str, &[&str])] = &[
    ("policy", &[]),
    ("policy_files", &["policy", "mount"]),
    ("vfs", &[]),
    ("process", &[]),
    ("components", &[]),
    ("confine", &["policy"]),
    ("meter", &[]),
    ("engine", &["meter"]),
    ("mount", &["vfs"]),
    ("net", &["policy"]),
    ("wasi", &["meter", "net", "vfs", "process"]),
    ("world", &["policy", "wasi", "engine", "components"]),
    ("session", &["policy", "policy_files", "vfs", "process", "components", "meter", "engine", "mount", "net", "wasi", "world"]),
    ("bin", &["confine", "session", "policy", "policy_files", "components", "vfs", "world"]),
];

/// What the pure modules never name: the outside world is handed to them.
const OUTSIDE: &[&str] = &["wasmtime", "std::fs", "std::net", "std::env", "std::process", "std::os", "tokio::fs", "tokio::net", "cap_std"];

/// Modules that are pure, with what they may name all the same.
const PURE: &[(&str, &[&str])] = &[("policy", &[]), ("vfs", &[]), ("process", &[])];

/// Who may reach for the outside world by itself, for what, and why. Everybody else is handed what they need.
const AMBIENT: &[(&str, &str, &str)] = &[
    ("bin/", "std::fs std::env std::process std::net", "a command line is ambient"),
    ("confine/", "std::fs", "counts the process's threads and asks what the kernel offers, in /proc"),
    ("components.rs", "std::fs std::env", "the folder that WISP_COMPONENTS names"),
    ("engine/cache.rs", "std::fs", "the cache of machine code"),
    ("engine/folder.rs", "std::fs", "types; files are opened by the handle of a folder that was checked"),
    ("engine/ship.rs", "std::fs", "writes the folder of machine code that a host program names"),
    ("mount/", "std::fs", "types of metadata; files are opened through cap-std"),
    ("policy_files.rs", "std::fs", "reads policies from disk"),
    ("session/tools.rs", "std::fs", "reads the components of custom tools that the policy names"),
    ("engine/code.rs", "std::fs", "the type of the cache's files, which the cache opens"),
    ("engine/memory/", "std::fs", "the type of files that memories are mapped from"),
    ("confine/calls.rs", "std::env", "the name of this processor's architecture"),
    ("session/snapshot_file.rs", "std::fs", "snapshots in files that the host program names"),
    ("session/check.rs", "std::env", "the program that runs, which no mount may hold"),
    ("session/network.rs", "std::fs std::env", "the certificates and secrets that the policy names"),
    ("session/engine.rs", "std::env", "where the cache is, when the host program does not say"),
];

/// What only some files may name, because everybody else has to go through them.
const THROUGH: &[(&str, &[&str], &str)] = &[
    (
        "tokio::time",
        &["bin/wisp/run.rs", "session/run.rs", "session/code.rs", "session/terminal.rs"],
        "a runtime's timers are late while guests compute; `engine::Ticker` has the limits on time, guests' timers and time-outs of requests",
    ),
    ("spawn_blocking", &["meter.rs"], "`meter::blocking` charges the work to its process's `limits.cpu`"),
    (
        "ResourceTable",
        &["wasi/handles.rs", "wasi/context.rs", "wasi/link.rs", "wasi/filesystem/handle.rs", "session/state.rs"],
        "`wasi::Handles` charges what is put there to `limits.memory`; beside it, only wasmtime's own `wasi:io` has the bare table",
    ),
];

/// Longest file without a reason.
const LONGEST: usize = 500;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the tests are a folder of the repository").to_owned()
}

fn sources(folder: &Path, endings: &[&str], found: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            if !["target", "deps", "__pycache__"].contains(&name.as_str()) {
                sources(&path, endings, found);
            }
        } else if endings.iter().any(|ending| name.ends_with(ending)) {
            found.push(path);
        }
    }
    found.sort();
}

/// A module's code without comments and without its tests (they may name anything).
fn code(path: &Path) -> String {
    let text = fs::read_to_string(path).unwrap_or_default();
    let text = text.split("#[cfg(test)]").next().unwrap_or_default();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

fn is_test(path: &Path) -> bool {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    name == "tests" || name.ends_with("_tests") || path.components().any(|part| part.as_os_str() == "tests")
}

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

/// The first name of every entry of a braced list, nested braces skipped.
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

/// file → module, for the library and the binary.
fn modules() -> BTreeMap<PathBuf, String> {
    let src = root().join("host/src");
    let mut found = Vec::new();
    sources(&src, &[".rs"], &mut found);
    found
        .into_iter()
        .filter(|path| !is_test(path) && *path != src.join("lib.rs"))
        .map(|path| {
            let inner = path.strip_prefix(&src).unwrap_or(&path);
            let first = inner.iter().next().unwrap_or_default().to_string_lossy();
            let module = first.strip_suffix(".rs").unwrap_or(&first).to_owned();
            (path, module)
        })
        .collect()
}

/// Which files read answers from the network. What they hand on is `net::unmasked`, so that nothing shows it unmasked.
const WIRE: &[&str] = &["wire.rs", "tls.rs"];

#[test]
fn what_the_network_says_is_read_in_two_files() {
    let mut found = Vec::new();
    sources(&root().join("host/src"), &[".rs"], &mut found);
    assert!(found.len() > 100);
    for path in found {
        let allowed = path.parent().is_some_and(|folder| folder.ends_with("net")) && WIRE.iter().any(|name| path.ends_with(name));
        let code = code(&path);
        for reader in ["hyper::", "hyper_util::", "rustls::Error", "rustls::{"] {
            assert!(allowed || !code.contains(reader), "{}: `{reader}` belongs in `net/wire.rs` or `net/tls.rs`", path.display());
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
        let prefix = if module == "bin" { "wisp::" } else { "crate::" };
        for name in named(&code(&path), prefix) {
            let known = DIRECTIONS.iter().any(|(module, _)| *module == name);
            if known && name != module && !allowed.contains(&name.as_str()) {
                wrong.push(format!("{}: `{module}` may not name `{prefix}{name}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn pure_modules_do_not_touch_the_outside() {
    let mut wrong = Vec::new();
    for (path, module) in modules() {
        let Some((_, allowed)) = PURE.iter().find(|(name, _)| *name == module) else { continue };
        let code = code(&path);
        for outside in OUTSIDE.iter().filter(|outside| !allowed.contains(outside)) {
            if code.match_indices(outside).any(|(at, _)| !code[at + outside.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_'))
            {
                wrong.push(format!("{}: `{module}` is pure, but names `{outside}`", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_some_files_reach_for_the_outside() {
    let src = root().join("host/src");
    let mut wrong = Vec::new();
    for path in modules().into_keys() {
        let name = path.strip_prefix(&src).unwrap_or(&path).display().to_string();
        let code = code(&path);
        for ambient in ["std::fs", "std::net", "std::env", "std::process"] {
            let allowed = AMBIENT.iter().any(|(place, what, _)| name.starts_with(place) && what.split(' ').any(|one| one == ambient));
            let named = code.match_indices(ambient).any(|(at, _)| {
                !code[..at].ends_with("cap_") && !code[at + ambient.len()..].starts_with(|c: char| c.is_alphanumeric() || c == '_')
            });
            if named && !allowed {
                wrong.push(format!("{name} names `{ambient}`; take it as an argument, or say in AMBIENT why it must"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_is_charged_goes_through_the_one_place() {
    let src = root().join("host/src");
    let mut wrong = Vec::new();
    for path in modules().into_keys() {
        let name = path.strip_prefix(&src).unwrap_or(&path).display().to_string();
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
            assert!(code(&src.join(name)).contains(word), "{name} does not name `{word}` any more: take it out of THROUGH");
        }
    }
}

#[test]
fn the_library_does_not_print() {
    let mut wrong = Vec::new();
    for (path, module) in modules() {
        let code = code(&path);
        if module != "bin" && ["println!", "eprintln!", "dbg!"].iter().any(|print| code.contains(print)) {
            wrong.push(path.display().to_string());
        }
    }
    assert!(wrong.is_empty(), "only src/bin prints:\n{}", wrong.join("\n"));
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

/// The crates of a lock file that the record of audits does not have with the same contents.
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
    for path in ["Cargo.lock", "components/Cargo.lock"] {
        let lock = read(path);
        let missing = without_record(&lock, &record);
        assert!(missing.is_empty(), "{path}: no record in toolchain/audits.toml of {missing:?}; run `toolchain/check-deps --record`");
        // Another version, and other contents of the same version, are found.
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
