//! The suites, read from their authors' files.

pub mod awk;
pub mod bashkit;
pub mod brush;
pub mod jq;
pub mod own;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::case::Case;

/// The names of the suites on the command line.
pub const NAMES: [&str; 5] = ["bashkit", "brush", "awk", "jq", "own"];

/// Every case of a suite.
///
/// # Errors
/// When its files are missing.
pub fn load(name: &str) -> Result<Vec<Case>, String> {
    let place = crate::place().join("suites").join(name);
    if name != "own" && !place.is_dir() {
        return Err(format!("the suite `{name}` is not there; `toolchain/suites` fetches it"));
    }
    let mut cases = match name {
        "bashkit" => bashkit::cases(&place),
        "brush" => brush::cases(&place),
        "awk" => awk::cases(&place),
        "jq" => jq::cases(&place),
        "own" => own::cases(crate::root()),
        _ => Err(format!("there is no suite `{name}`; there are {}", NAMES.join(", "))),
    }?;
    let mut seen = BTreeMap::new();
    for case in &mut cases {
        let times = seen.entry(case.id.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            case.id = format!("{}#{times}", case.id);
        }
    }
    Ok(cases)
}

/// The files below a folder whose names have this ending, sorted.
fn files(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in fs::read_dir(folder).into_iter().flatten().filter_map(|entry| entry.ok().map(|entry| entry.path())) {
        if path.is_dir() {
            found.extend(files(&path, ending));
        } else if path.to_string_lossy().ends_with(ending) {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// A file as text.
fn text(path: &Path) -> Result<String, String> {
    let bytes = fs::read(path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
