//! A case that is a script: `NAME.sh` or `NAME.py`, with its expected output beside it.
//!
//! | file | meaning |
//! | --- | --- |
//! | `NAME.out` | standard output, byte for byte (required) |
//! | `NAME.code` | the exit status (absent: 0) |
//! | `NAME.err` | every line of it must be part of a line of standard error (absent: not looked at) |
//! | `NAME.stdin` | standard input (absent: empty) |
//! | `NAME.policy.toml` | the policy (absent: the built-in default) |
//!
//! The folder of the case is mounted read-only at `/mnt/cases`; the script runs as `sh /mnt/cases/NAME.sh` or
//! `python3 /mnt/cases/NAME.py`. With `WISP_BLESS=1` the run writes `.out` and `.code` in place of comparing, unless the cases
//! are of another policy than the default: what those expect, a native program has printed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::wisp::{self, Ran, SECRET};

/// Where a script finds the files of its folder.
const CASES: &str = "/mnt/cases";

/// Every script below a folder, sorted.
pub fn discover(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let Ok(entries) = fs::read_dir(folder) else { return found };
    for path in entries.filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            found.append(&mut discover(&path));
        } else if interpreter(&path).is_some() {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn interpreter(path: &Path) -> Option<&'static str> {
    match path.extension()?.to_str()? {
        "sh" => Some("sh"),
        "py" => Some("python3"),
        _ => None,
    }
}

/// Runs one script and compares. `default` is the policy of the scripts that have none of their own, in place of the built-in
/// default.
///
/// # Errors
/// The differences.
pub fn check(script: &Path, default: Option<&str>) -> Result<(), String> {
    let folder = script.parent().ok_or("a script without a folder")?;
    let name = script.file_name().and_then(|name| name.to_str()).ok_or("a script whose name is not UTF-8")?;
    let interpreter = interpreter(script).ok_or("neither .sh nor .py")?;
    let mut args: Vec<OsString> = vec!["run".into()];
    let policy = script.with_extension("policy.toml");
    if policy.is_file() {
        args.extend(["--policy".into(), policy.into()]);
    } else if let Some(default) = default {
        args.extend(["--policy".into(), default.into()]);
    }
    let results = tempfile::tempdir().map_err(|error| format!("no temporary directory: {error}"))?;
    // What a script leaves in `/output` is not to be lost, which is an error.
    args.extend(["--output".into(), results.path().into()]);
    let mut mount = folder.as_os_str().to_owned();
    mount.push(format!(":{CASES}:read"));
    args.extend(["--mount".into(), mount, "--".into(), interpreter.into(), format!("{CASES}/{name}").into()]);
    let stdin = fs::read(script.with_extension("stdin")).unwrap_or_default();
    let ran = wisp::run(&args, &stdin, folder)?;
    if default.is_none() && std::env::var_os("WISP_BLESS").is_some() {
        return bless(script, &ran);
    }
    compare(script, &ran)
}

fn bless(script: &Path, ran: &Ran) -> Result<(), String> {
    let write = |ending: &str, content: &[u8]| {
        fs::write(script.with_extension(ending), content).map_err(|error| format!("cannot write .{ending}: {error}"))
    };
    write("out", &ran.stdout)?;
    match ran.code {
        Some(0) => match fs::remove_file(script.with_extension("code")) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(format!("cannot remove .code: {error}")),
            _ => Ok(()),
        },
        Some(code) => write("code", format!("{code}\n").as_bytes()),
        None => Err("a signal ended wisp".to_owned()),
    }
}

fn compare(script: &Path, ran: &Ran) -> Result<(), String> {
    let expected = fs::read(script.with_extension("out"))
        .map_err(|_| format!("no .out beside the script; `just bless` writes it. It printed:\n{}", ran.out()))?;
    let code = match fs::read_to_string(script.with_extension("code")) {
        Ok(text) => text.trim().parse().map_err(|error| format!(".code is not a number: {error}"))?,
        Err(_) => 0,
    };
    let mut wrong = Vec::new();
    if ran.code != Some(code) {
        wrong.push(format!("exit status {:?}, expected {code}", ran.code));
    }
    if ran.stdout != expected {
        wrong.push(first_difference(&String::from_utf8_lossy(&expected), &ran.out()));
    }
    for line in fs::read_to_string(script.with_extension("err")).unwrap_or_default().lines() {
        if !ran.err().lines().any(|seen| seen.contains(line)) {
            wrong.push(format!("standard error lacks `{line}`"));
        }
    }
    if ran.out().contains(SECRET) || ran.err().contains(SECRET) {
        wrong.push("the host's environment leaked".to_owned());
    }
    if wrong.is_empty() {
        return Ok(());
    }
    Err(format!("{}\nstandard error:\n{}", wrong.join("\n"), ran.err()))
}

/// The first line that differs, for a message.
pub fn first_difference(expected: &str, found: &str) -> String {
    let (mut left, mut right) = (expected.lines(), found.lines());
    let mut number = 1;
    loop {
        match (left.next(), right.next()) {
            (None, None) => return "standard output differs in its line endings".to_owned(),
            (one, other) if one == other => number += 1,
            (one, other) => {
                let show = |line: Option<&str>| line.map_or("(end)".to_owned(), |line| format!("`{line}`"));
                return format!("standard output, line {number}:\n  expected {}\n  found    {}", show(one), show(other));
            }
        }
    }
}
