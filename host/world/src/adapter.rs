//! Components of the user in front of imports: which imports of a component they satisfy, and what they import themselves.

use super::import::{Import, Kind};
use super::imports::Imports;
use super::row::ImportRow;
use std::collections::BTreeSet;
use wisp_policy::capability::Decision;
use wisp_policy::lookup::track;

/// A component that a policy puts in front of an interface.
#[derive(Debug, Clone, Copy)]
pub struct Adapter<'a> {
    /// The interface without its version: `wasi:http/outgoing-handler`.
    pub interface: &'a str,
    /// The component's name for people, such as its file name.
    pub name: &'a str,
    /// The rule that put it there.
    pub rule: &'a str,
    /// What it imports and exports.
    pub imports: &'a Imports,
}

/// A component in front of imports of another, and the decision about each import of its own. It has one instance in each process, for
/// all interfaces that it satisfies there.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct AdapterWorld {
    /// Its name for people.
    pub name: String,
    /// The SHA-256 of the component, in lower-case hexadecimal.
    pub digest: String,
    /// What it satisfies.
    pub provides: Vec<Provided>,
    /// The decisions about its own imports.
    pub imports: Vec<ImportRow>,
}

/// An import that a component of the user satisfies.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Provided {
    /// The import, as the component behind it names it: `wasi:http/outgoing-handler@0.2.9`.
    pub import: String,
    /// The export that satisfies it, as the component in front names it.
    pub export: String,
}

/// The components in front of the imports of one component, in the making.
pub(super) struct Adapters<'a> {
    offered: &'a [Adapter<'a>],
    /// Those in use, each with the offer it came from.
    used: Vec<(AdapterWorld, &'a Imports)>,
}

impl<'a> Adapters<'a> {
    pub(super) fn new(offered: &'a [Adapter<'a>]) -> Self {
        Self { offered, used: Vec::new() }
    }

    /// Returns the row of an import that one of these components is put in front of; `None` if none is.
    pub(super) fn row(&mut self, import: &Import) -> Option<ImportRow> {
        let adapter = self.offered.iter().find(|adapter| adapter.interface == unversioned(&import.name))?;
        let row = |decision, reason| ImportRow::made(import, decision, adapter.rule, reason);
        if import.kind != Kind::Instance {
            return Some(row(Decision::Refused, format!("{} stands in front of it, and this import is no interface", adapter.name)));
        }
        let exports = &adapter.imports.outline.exports;
        let Some(export) = exports.iter().find(|export| satisfies(export, &import.name)) else {
            let all = if exports.is_empty() { "nothing".to_owned() } else { format!("`{}`", exports.join("`, `")) };
            let reason = format!("{} is to stand in front of it, and does not export it: it exports {all}", adapter.name);
            return Some(row(Decision::Refused, reason));
        };
        let provided = Provided { import: import.name.clone(), export: export.clone() };
        match self.used.iter_mut().find(|(used, _)| used.digest == adapter.imports.digest) {
            Some((used, _)) => used.provides.push(provided),
            None => {
                let (name, digest) = (adapter.name.to_owned(), adapter.imports.digest.clone());
                self.used.push((AdapterWorld { name, digest, provides: vec![provided], imports: Vec::new() }, adapter.imports));
            }
        }
        let reason = format!("{} (sha256 {}) stands in front of it; its own imports are below", adapter.name, adapter.imports.digest);
        Some(row(Decision::Component, reason))
    }

    /// Returns those in use, with the decisions that `decide` makes about what they import.
    pub(super) fn decided(self, mut decide: impl FnMut(&Imports) -> Vec<ImportRow>) -> Vec<AdapterWorld> {
        self.used.into_iter().map(|(used, imports)| AdapterWorld { imports: decide(imports), ..used }).collect()
    }
}

impl AdapterWorld {
    /// Returns the line that stands for it in digests: what it is, and what it satisfies.
    pub(super) fn identity(&self) -> String {
        let provides: BTreeSet<String> = self.provides.iter().map(|provided| format!("{}={}", provided.import, provided.export)).collect();
        format!("component {} {}", self.digest, provides.into_iter().collect::<Vec<_>>().join(" "))
    }
}

/// Returns the name of an import or export without its version: `wasi:io/poll` for `wasi:io/poll@0.2.9`.
pub fn unversioned(name: &str) -> &str {
    name.split_once('@').map_or(name, |(interface, _)| interface)
}

/// Returns whether an export has the name that an import asks for, in a version that is compatible.
fn satisfies(export: &str, import: &str) -> bool {
    compatible(export) == compatible(import)
}

/// Returns a name with the track of its version in place of the version: names that are equal then belong together.
pub(super) fn compatible(name: &str) -> String {
    match name.split_once('@') {
        Some((interface, version)) => format!("{interface}@{}", track(version).unwrap_or_else(|| version.to_owned())),
        None => name.to_owned(),
    }
}
