//! The oracle's verdicts, stored in the tree: `verdicts/SUITE.txt`, a line for each case that needs one.
//!
//! `STATUS HASH<tab>ID` is the real program's result; `skip<tab>ID<tab>REASON` means that the case does not count. A
//! case without a line is judged by its suite.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

/// The oracle's verdict on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// The real program's result: [`crate::case::fingerprint`].
    Did(String),
    /// Why the case does not count.
    Skip(String),
}

/// The verdicts of all suites, by the id of the case.
#[derive(Debug, Default)]
pub struct Verdicts(pub BTreeMap<String, Verdict>);

fn path(suite: &str) -> PathBuf {
    crate::root().join("tests/conformance/verdicts").join(format!("{suite}.txt"))
}

impl Verdicts {
    /// Reads the verdicts of these suites; a suite without a file has none.
    pub fn read(suites: &[&str]) -> Self {
        let mut all = BTreeMap::new();
        for suite in suites {
            for line in fs::read_to_string(path(suite)).unwrap_or_default().lines() {
                let parts: Vec<&str> = line.split('\t').collect();
                match parts[..] {
                    ["skip", id, reason] => all.insert(id.to_owned(), Verdict::Skip(reason.to_owned())),
                    [did, id] => all.insert(id.to_owned(), Verdict::Did(did.to_owned())),
                    _ => None,
                };
            }
        }
        Self(all)
    }

    /// Writes the verdicts of a suite.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn write(&self, suite: &str) -> Result<(), String> {
        let mut text = String::new();
        for (id, verdict) in self.0.iter().filter(|(id, _)| id.split('/').next() == Some(suite)) {
            let line = match verdict {
                Verdict::Did(did) => format!("{did}\t{id}"),
                Verdict::Skip(reason) => format!("skip\t{id}\t{reason}"),
            };
            writeln!(text, "{line}").map_err(|error| error.to_string())?;
        }
        let path = path(suite);
        let folder = path.parent().unwrap_or(&path);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&path, text))
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))
    }

    /// The real program's result.
    pub fn recorded(&self, id: &str) -> Option<&str> {
        match self.0.get(id) {
            Some(Verdict::Did(did)) => Some(did),
            _ => None,
        }
    }

    /// Why a case does not count, according to the oracle.
    pub fn skip(&self, id: &str) -> Option<&str> {
        match self.0.get(id) {
            Some(Verdict::Skip(reason)) => Some(reason),
            _ => None,
        }
    }
}
