//! Policies that are files: `policy/ok/NAME.toml` resolves to `NAME.expected`, `policy/fail/NAME.toml` gives the
//! findings in `NAME.stderr`. A new file is a new test; `WISP_BLESS=1` writes the expected files, for review by `git
//! diff`.
//!
//! Comments at the head of a fixture can change how it is loaded: `# options: --mount ../files/data:/mnt/x --env A=b`
//! (split at spaces), `# set: KEY=VALUE` (as `--set`, one on each line) and `# policy: NAME` (load that name instead
//! of the file).
//!
//! Fixtures extend texts in `parts/`, and name directories and components in `files/`. Paths in messages are relative
//! to `tests/policy`, so that they are the same on every machine.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use wisp::policy::HostFiles;
use wisp_policy::{
    NoFiles, Overrides, Palette, Policy, PolicyErrors, PolicyText, SHIPPED_POLICIES, Source, SourceError, reference, render,
};

mod schema;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("policy").canonicalize().expect("tests/policy exists")
}

pub(crate) fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("policy/readme", check_readme),
        Trial::test("policy/shipped", check_shipped),
        Trial::test("policy/host-files", check_host_files),
    ];
    trials.extend(schema::trials());
    for (folder, check) in [("ok", check_ok as fn(&str) -> Result<(), Failed>), ("fail", check_fail)] {
        let found = fs::read_dir(root().join(folder)).expect("tests/policy has both folders");
        let mut names: Vec<String> =
            found.filter_map(|entry| entry.ok()?.file_name().into_string().ok()).filter(|name| name.ends_with(".toml")).collect();
        names.sort();
        for name in names {
            let file = format!("{folder}/{name}");
            trials.push(Trial::test(format!("policy/{folder}/{}", name.trim_end_matches(".toml")), move || check(&file)));
        }
    }
    trials
}

/// The files below `tests/policy`, under names relative to it.
struct Fixtures;

impl Fixtures {
    fn named(found: Result<PathBuf, SourceError>) -> Result<PathBuf, SourceError> {
        found.map(|path| path.strip_prefix(root()).map(Path::to_owned).unwrap_or(path))
    }
}

impl Source for Fixtures {
    fn read(&self, path: &Path) -> Result<PolicyText, SourceError> {
        let PolicyText { identity, text } = HostFiles.read(&root().join(path))?;
        Self::named(Ok(identity)).map(|identity| PolicyText { identity, text })
    }

    fn mountable(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Self::named(HostFiles.mountable(&root().join(path)))
    }

    fn holds(&self, holder: &Path, path: &Path) -> bool {
        HostFiles.holds(&root().join(holder), &root().join(path))
    }

    fn file(&self, path: &Path) -> Result<PathBuf, SourceError> {
        Self::named(HostFiles.file(&root().join(path)))
    }
}

/// Loads a fixture according to the comments at its head.
fn load(file: &str) -> Result<Policy, PolicyErrors> {
    let text = fs::read(root().join(file)).unwrap_or_default();
    let text = String::from_utf8_lossy(&text);
    let (mut overrides, mut name, mut settings) = (Overrides::command_line(), file, Vec::new());
    for line in text.lines().map_while(|line| line.strip_prefix("# ")) {
        if let Some(policy) = line.strip_prefix("policy: ") {
            name = policy;
        }
        // `--set` takes the rest of its line: its values may have spaces.
        if let Some(setting) = line.strip_prefix("set: ") {
            settings.push(setting.to_owned());
        }
        let words: Vec<&str> = line.strip_prefix("options: ").unwrap_or_default().split(' ').filter(|word| !word.is_empty()).collect();
        for option in words.chunks(2) {
            overrides = match option {
                ["--mount", value] => overrides.mount(value),
                ["--env", value] => overrides.env(value),
                // Words end at a space, so `~` stands for one.
                ["--allow", value] => overrides.allow(&value.replace('~', " ")),
                ["--index", value] => overrides.index(value),
                ["--tool", value] => overrides.tool(value),
                ["--timeout", value] => overrides.timeout(value),
                [key, value] => overrides.value(key, value),
                other => panic!("{file}: an option without a value: {other:?}"),
            };
        }
    }
    Policy::load_with(&Fixtures, name, &overrides.set(&settings))
}

fn check_ok(file: &str) -> Result<(), Failed> {
    let policy = load(file).map_err(|errors| render(&errors, Palette::Plain))?;
    let canonical = policy.canonical();
    let again = Policy::parse(&Fixtures, "canonical.toml", &canonical)
        .map_err(|errors| format!("its canonical form is refused:\n{}", render(&errors, Palette::Plain)))?;
    if again.digest() != policy.digest() {
        return Err(format!("its canonical form has another digest:\n{canonical}\n{}", again.canonical()).into());
    }
    let mut text = canonical;
    text.push_str("\n# rules\n");
    for (key, rule) in policy.rules() {
        text.push_str(&format!("# {key}: {rule}\n"));
    }
    compare(file, "expected", &text)
}

fn check_fail(file: &str) -> Result<(), Failed> {
    match load(file) {
        Ok(policy) => Err(format!("it is accepted:\n{}", policy.canonical()).into()),
        Err(errors) => compare(file, "stderr", &render(&errors, Palette::Plain)),
    }
}

/// Compares with the file beside the fixture, or writes it.
fn compare(file: &str, ending: &str, text: &str) -> Result<(), Failed> {
    let path = root().join(file).with_extension(ending);
    same(&path, &fs::read_to_string(&path).unwrap_or_default(), text)
}

fn same(path: &Path, expected: &str, text: &str) -> Result<(), Failed> {
    if expected == text {
        return Ok(());
    }
    if std::env::var_os("WISP_BLESS").is_some() {
        return Ok(fs::write(path, text)?);
    }
    let line = expected.lines().zip(text.lines()).take_while(|(a, b)| a == b).count();
    let at = |text: &str| text.lines().nth(line).unwrap_or("(end)").to_owned();
    let (want, have) = (at(expected), at(text));
    Err(format!(
        "{} differs at line {}:\n  expected: {want}\n  now:      {have}\nwhole text now:\n{text}\n(`just bless` writes it)",
        path.display(),
        line + 1
    )
    .into())
}

/// The reference in `policies/README.md` is made from the schema.
fn check_readme() -> Result<(), Failed> {
    const MARKS: (&str, &str) = ("<!-- made from the schema; `just bless` writes it -->\n", "<!-- end -->\n");
    let path = root().join("../../policies/README.md");
    let text = fs::read_to_string(&path)?;
    let (head, rest) = text.split_once(MARKS.0).ok_or("policies/README.md has no mark before the reference")?;
    let (_, tail) = rest.split_once(MARKS.1).ok_or("policies/README.md has no mark after the reference")?;
    same(&path, &text, &format!("{head}{}{}{}{tail}", MARKS.0, reference::markdown(), MARKS.1))
}

/// Shipped policies need no files, state their purpose, and are all in the README.
fn check_shipped() -> Result<(), Failed> {
    let readme = fs::read_to_string(root().join("../../policies/README.md"))?;
    for shipped in SHIPPED_POLICIES {
        let policy = Policy::load(&NoFiles, shipped.name).map_err(|errors| render(&errors, Palette::Plain))?;
        if policy.name() != shipped.name || shipped.description().len() < 20 || !readme.contains(&format!("`{}`", shipped.name)) {
            return Err(format!("{}: name, description or README entry is missing", shipped.path).into());
        }
        if fs::read_to_string(root().join("../..").join(shipped.path))? != shipped.text {
            return Err(format!("{} is not the text in the program", shipped.path).into());
        }
    }
    Ok(())
}

/// The real filesystem: absolute names, cycles through symbolic links, files that are too large or not text.
fn check_host_files() -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let at = |name: &str| folder.path().join(name);
    let load = |name: &str| {
        Policy::load(&HostFiles, at(name).to_str().ok_or("the temporary directory is not UTF-8")?).map_err(|errors| errors.to_string())
    };
    fs::create_dir(at("data"))?;
    fs::write(at("good.toml"), "[[filesystem.mount]]\nhost = \"./data/../data\"\nguest = \"/mnt/x\"\n")?;
    let mounted = load("good.toml")?.filesystem().mounts[0].host.clone();
    if mounted != at("data").canonicalize()? {
        return Err(format!("mounted {}", mounted.display()).into());
    }
    fs::write(at("a.toml"), "extends = \"./b.toml\"\n")?;
    fs::write(at("large.toml"), " ".repeat(2 << 20))?;
    fs::write(at("binary.toml"), [0xff, 0xfe])?;
    #[cfg(unix)]
    std::os::unix::fs::symlink(at("a.toml"), at("b.toml"))?;
    for (name, expected) in [
        ("a.toml", "forms a cycle"),
        ("large.toml", "is larger than"),
        ("binary.toml", "is not UTF-8"),
        ("data/", "is not a file"),
        ("none.toml", "does not exist"),
    ] {
        match load(name) {
            Err(message) if message.contains(expected) => {}
            other => return Err(format!("{name}: {other:?}").into()),
        }
    }
    Ok(())
}
