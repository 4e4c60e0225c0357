//! Tells the program which wasmtime it is built with, for `wisp doctor`, and the date of its sources, for `wisp --version`. Only the lock file
//! knows the whole version of wasmtime.

#![allow(clippy::disallowed_methods, reason = "a build script reads files and asks git")]

use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    let root = fs::canonicalize(PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("../.."))?;
    let lock = root.join("Cargo.lock");
    println!("cargo::rerun-if-changed={}", lock.display());
    let text = fs::read_to_string(&lock).map_err(|error| format!("{}: {error}", lock.display()))?;
    let version = text.split("[[package]]\nname = \"wasmtime\"\nversion = \"").nth(1).and_then(|rest| rest.split('"').next());
    println!("cargo::rustc-env=WASMTIME_VERSION={}", version.ok_or("Cargo.lock has no wasmtime")?);
    println!("cargo::rustc-env=WISP_DATE={}", date(&root)?);
    Ok(())
}

/// Returns the date of the sources: that of `SOURCE_DATE_EPOCH`, or else of the last commit; empty if neither is known. Never that of the clock:
/// the same sources make the same program. A commit alone does not run this again, because a release sets the variable.
fn date(root: &Path) -> Result<String, Box<dyn Error>> {
    const VARIABLE: &str = "SOURCE_DATE_EPOCH";
    println!("cargo::rerun-if-env-changed={VARIABLE}");
    if let Some(text) = env::var(VARIABLE).ok().filter(|text| !text.is_empty()) {
        return Ok(day(text.trim().parse::<u64>().map_err(|error| format!("{VARIABLE}={text}: {error}"))?));
    }
    // Without git, or outside a checkout of this repository, there is no commit. One that lies around it is not meant.
    let mut git = Command::new("git");
    git.arg("-C").arg(root).args(["log", "-1", "--format=%ct"]);
    let asked = git.env("GIT_CEILING_DIRECTORIES", root.parent().unwrap_or(root)).output();
    let said = asked.ok().filter(|asked| asked.status.success()).and_then(|asked| String::from_utf8(asked.stdout).ok());
    Ok(said.and_then(|text| text.trim().parse::<u64>().ok()).map(day).unwrap_or_default())
}

/// Returns the day of a time in seconds since 1970, in UTC: `2026-11-28`.
fn day(seconds: u64) -> String {
    // Counted from 1 March of the year 0, so that a leap day is the last day of its year; 400 years have 146,097 days.
    let days = seconds / 86_400 + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{date:02}", era * 400 + year + next)
}
