//! Python's own tests of the parts of python3 that need no host: `components/python/tests/test_NAME.py`, run by the
//! guest's CPython. The machine's Python cannot run them, because those parts follow the bytecode of the built-in
//! version.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use crate::wisp;

/// Where the tests find the component's sources.
const SOURCES: &str = "/mnt/python";

/// Every file of tests below the component's folder, sorted.
///
/// # Panics
/// When there is none: without this error, the missing tests would not be noticed.
pub fn discover(component: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(component.join("tests")).into_iter().flatten();
    let is_test = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with("test_") && name.ends_with(".py"))
    };
    let mut found: Vec<_> = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).filter(is_test).collect();
    assert!(!found.is_empty(), "no test_NAME.py in {}/tests", component.display());
    found.sort();
    found
}

/// Runs one file: all its tests must pass, and there must be at least one.
///
/// # Errors
/// The report of unittest.
pub fn check(component: &Path, file: &Path) -> Result<(), String> {
    let name = file.file_name().and_then(|name| name.to_str()).ok_or("a file whose name is not UTF-8")?;
    let mut mount = component.as_os_str().to_owned();
    mount.push(format!(":{SOURCES}:read"));
    let script = format!("{SOURCES}/tests/{name}");
    let words: [OsString; 7] = ["run".into(), "--mount".into(), mount, "--".into(), "python3".into(), "-B".into(), script.into()];
    let ran = wisp::run(&words, b"", component)?;
    let report = ran.err();
    let last = report.lines().last().unwrap_or_default();
    // A skipped or expected failure would be printed after the OK; a file without tests ends with status 5.
    if ran.code == Some(0) && last == "OK" { Ok(()) } else { Err(format!("exit status {:?}\n{report}", ran.code)) }
}
