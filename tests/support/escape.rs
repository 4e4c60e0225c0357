//! An attack and its allowed twin: `tests/escape/NAME.toml`.
//!
//! Both halves run through `wisp run --json`. The attack must end as written, and its output must contain nothing of
//! the host; the twin does the closest permitted thing and must work, so that refusing everything cannot pass.
//! `README.md` of the folder describes every key.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use tempfile::TempDir;

use crate::wisp::{self, Ran, SECRET};

/// One file: the promise, the attack, and its twin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// One sentence: the promise that the attack tries to break.
    pub promise: String,
    /// What must not work.
    pub attack: Half,
    /// The closest thing that must work.
    pub allowed: Half,
}

/// One run.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Half {
    /// The policy's text; absent: the built-in default. `{host}` is the folder of the host files.
    pub policy: Option<String>,
    /// Host files, relative to a new folder. They are not mounted unless the policy mounts them.
    #[serde(default)]
    pub host: BTreeMap<String, HostFile>,
    /// More arguments of `wisp run`, before the command. `{host}` is the folder of the host files.
    #[serde(default)]
    pub args: Vec<String>,
    /// The command.
    pub command: Vec<String>,
    /// Standard input.
    #[serde(default)]
    pub stdin: String,
    /// How it must end.
    pub expect: Expect,
}

/// A file of the host: its text, or another kind of file.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum HostFile {
    /// A regular file; `{secret}` in it is the text that no guest may see.
    Text(String),
    /// Anything else.
    Other {
        /// A symlink to this target; `{host}` is the folder of the host files.
        symlink: Option<String>,
        /// An empty folder.
        #[serde(default)]
        folder: bool,
        /// A copy of this file of the repository, cut to `bytes` if given.
        copy: Option<String>,
        /// See `copy`.
        bytes: Option<usize>,
    },
}

/// Expectations; an absent one is not checked, except the exit status.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The exit status, or several acceptable ones.
    pub code: Codes,
    /// Standard output, byte for byte.
    pub stdout: Option<String>,
    /// Parts of standard output.
    #[serde(default)]
    pub stdout_has: Vec<String>,
    /// What standard output must not contain.
    #[serde(default)]
    pub stdout_lacks: Vec<String>,
    /// Parts of standard error (the guest's, or wisp's own if it refused to start).
    #[serde(default)]
    pub stderr_has: Vec<String>,
    /// What standard error must not contain.
    #[serde(default)]
    pub stderr_lacks: Vec<String>,
    /// The limit that ended it.
    pub limit: Option<String>,
    /// No limit was reached.
    #[serde(default)]
    pub no_limit: bool,
    /// Receipts of refusals, each written `WHAT SUBJECT by RULE x COUNT`, with `*` for any text; empty: there are none.
    pub denied: Option<Vec<String>>,
    /// Paths of the files in /output, all of them.
    pub files: Option<Vec<String>>,
    /// Host files afterwards: the text, or `false` for absent.
    #[serde(default)]
    pub host: BTreeMap<String, After>,
}

/// Exit statuses.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum Codes {
    /// Exactly this one.
    One(i32),
    /// Any of these.
    Any(Vec<i32>),
}

/// The required state of a host file after the run.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum After {
    /// This text.
    Text(String),
    /// `false`: absent; `true`: present.
    There(bool),
}

/// The checked part of the JSON document.
#[derive(Debug, Deserialize)]
struct Document {
    exit_code: i32,
    #[serde(default)]
    stdout: Option<String>,
    #[serde(default)]
    stderr: Option<String>,
    #[serde(default)]
    limit: serde_json::Value,
    #[serde(default)]
    files: Vec<DocumentFile>,
    #[serde(default)]
    receipts: Vec<DocumentReceipt>,
}

#[derive(Debug, Deserialize)]
struct DocumentReceipt {
    kind: String,
    subject: String,
    verdict: String,
    rule: String,
    count: u64,
}

#[derive(Debug, Deserialize)]
struct DocumentFile {
    path: String,
}

/// Every case of a folder, sorted.
pub fn discover(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut found: Vec<PathBuf> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).collect();
    found.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    found.sort();
    found
}

/// Reads a case.
///
/// # Errors
/// When the file is not valid.
pub fn read(path: &Path) -> Result<Case, String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    toml::from_str(&text).map_err(|error| error.to_string())
}

/// Runs one half and compares.
///
/// # Errors
/// The differences.
pub fn check(half: &Half) -> Result<(), String> {
    let place = TempDir::new().map_err(|error| error.to_string())?;
    let host = place.path().join("host");
    fs::create_dir(&host).map_err(|error| error.to_string())?;
    fs::write(place.path().join("secret.txt"), SECRET).map_err(|error| error.to_string())?;
    for (name, file) in &half.host {
        create(&host, name, file).map_err(|error| format!("cannot make the host file `{name}`: {error}"))?;
    }
    let args = arguments(half, place.path(), &host)?;
    let ran = wisp::run(&args, half.stdin.as_bytes(), place.path())?;
    let wrong = compare(&half.expect, &ran, &host);
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\nexit status {:?}\nstandard output:\n{}\nstandard error:\n{}", wrong.join("\n"), ran.code, ran.out(), ran.err()))
}

fn arguments(half: &Half, place: &Path, host: &Path) -> Result<Vec<OsString>, String> {
    let host = host.to_str().ok_or("the temporary folder is not UTF-8")?;
    let mut args: Vec<OsString> = vec!["run".into(), "--json".into()];
    if let Some(policy) = &half.policy {
        let path = place.join("policy.toml");
        fs::write(&path, policy.replace("{host}", host)).map_err(|error| error.to_string())?;
        args.extend(["--policy".into(), path.into()]);
    }
    args.extend(half.args.iter().map(|arg| arg.replace("{host}", host).into()));
    args.push("--".into());
    args.extend(half.command.iter().map(OsString::from));
    Ok(args)
}

fn create(host: &Path, name: &str, file: &HostFile) -> std::io::Result<()> {
    let path = host.join(name);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match file {
        HostFile::Text(text) => fs::write(path, text.replace("{secret}", SECRET)),
        HostFile::Other { symlink: Some(target), .. } => {
            std::os::unix::fs::symlink(target.replace("{host}", &host.to_string_lossy()), path)
        }
        HostFile::Other { copy: Some(source), bytes, .. } => {
            let component = Path::new(source).strip_prefix(wisp_built::PLACE);
            let content = fs::read(component.map_or_else(|_| wisp::root().join(source), |name| wisp_built::folder().join(name)))?;
            fs::write(path, &content[..bytes.unwrap_or(content.len()).min(content.len())])
        }
        HostFile::Other { folder: true, .. } => fs::create_dir_all(path),
        HostFile::Other { .. } => Err(std::io::Error::other("say `symlink`, `folder` or `copy`")),
    }
}

/// Whether `text` is `pattern`, where `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((start, rest)) => text.strip_prefix(start).is_some_and(|after| {
            let mut ends = after.char_indices().map(|(at, _)| at).chain([after.len()]);
            ends.any(|at| matches(rest, &after[at..]))
        }),
    }
}

fn refusals(expected: &[String], document: Option<&Document>) -> Option<String> {
    let receipts = document.iter().flat_map(|document| &document.receipts).filter(|receipt| receipt.verdict == "denied");
    let shown = |receipt: &DocumentReceipt| format!("{} {} by {} x {}", receipt.kind, receipt.subject, receipt.rule, receipt.count);
    let found: Vec<String> = receipts.map(shown).collect();
    let has = |pattern: &String| found.iter().any(|receipt| matches(pattern, receipt));
    let fits = if expected.is_empty() { found.is_empty() } else { expected.iter().all(has) };
    (!fits || document.is_none()).then(|| format!("refused was {found:#?}, expected {expected:#?}"))
}

fn compare(expect: &Expect, ran: &Ran, host: &Path) -> Vec<String> {
    let mut wrong = Vec::new();
    let document: Option<Document> = serde_json::from_slice(&ran.stdout).ok();
    let (stdout, stderr) = match &document {
        Some(document) => (document.stdout.clone().unwrap_or_default(), document.stderr.clone().unwrap_or_default() + &ran.err()),
        None => (ran.out(), ran.err()),
    };
    let code_fits = |code: Option<i32>| match &expect.code {
        Codes::One(one) => code == Some(*one),
        Codes::Any(any) => code.is_some_and(|code| any.contains(&code)),
    };
    // 125 is wisp's own: the document describes the command, the status says that its results could not be written.
    let same = |document: &Document| Some(document.exit_code) == ran.code || ran.code == Some(125);
    if !code_fits(ran.code) || !document.as_ref().is_none_or(same) {
        wrong.push(format!("exit status {:?}, expected {:?} (and the same in the document)", ran.code, expect.code));
    }
    if expect.stdout.as_ref().is_some_and(|expected| *expected != stdout) {
        wrong.push(format!("standard output is not {:?}", expect.stdout.as_deref().unwrap_or_default()));
    }
    wrong.extend(expect.stdout_has.iter().filter(|part| !stdout.contains(*part)).map(|part| format!("standard output lacks `{part}`")));
    wrong.extend(expect.stdout_lacks.iter().filter(|part| stdout.contains(*part)).map(|part| format!("standard output has `{part}`")));
    wrong.extend(expect.stderr_has.iter().filter(|part| !stderr.contains(*part)).map(|part| format!("standard error lacks `{part}`")));
    wrong.extend(expect.stderr_lacks.iter().filter(|part| stderr.contains(*part)).map(|part| format!("standard error has `{part}`")));
    if let Some(limit) = &expect.limit {
        let found = document.as_ref().map_or(String::new(), |document| document.limit.to_string());
        if !found.contains(&format!("\"{limit}\"")) {
            wrong.push(format!("limit is {found}, expected `{limit}`"));
        }
    }
    if expect.no_limit && document.as_ref().is_none_or(|document| !document.limit.is_null()) {
        wrong.push("a limit was reached".to_owned());
    }
    if let Some(denied) = &expect.denied {
        wrong.extend(refusals(denied, document.as_ref()));
    }
    if let Some(files) = &expect.files {
        let mut found: Vec<_> = document.iter().flat_map(|document| document.files.iter().map(|file| file.path.clone())).collect();
        found.sort();
        if found != *files {
            wrong.push(format!("files {found:?}, expected {files:?}"));
        }
    }
    for (name, after) in &expect.host {
        let found = fs::read_to_string(host.join(name)).ok();
        let fits = match after {
            After::Text(text) => found.as_ref() == Some(text),
            After::There(there) => host.join(name).symlink_metadata().is_ok() == *there,
        };
        if !fits {
            wrong.push(format!("host file `{name}` is {found:?}, expected {after:?}"));
        }
    }
    if ran.out().contains(SECRET) || ran.err().contains(SECRET) {
        wrong.push("the host's secret leaked".to_owned());
    }
    wrong
}
