//! `[imports]`: components of the user in front of the imports of tools.

pub(super) mod settle;

use std::collections::BTreeMap;
use std::path::PathBuf;

use super::finding::quote;
use super::host_path::{HostPath, host_path};
use super::limits;
use super::read::{Reader, Set};
use super::rule::Rule;
use super::schema::Key;
use super::section::Section;
use super::spelling::nearest;
use super::tools;

/// `[imports."INTERFACE"]`: a component of the user that satisfies an import of tools, in front of what the policy grants.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ImportComponent {
    /// The component's file, absolute.
    pub path: PathBuf,
    /// The SHA-256 it must have, 64 lower-case hexadecimal digits.
    pub sha256: Option<String>,
    /// The tools that it is for; `None` for every tool with this import.
    pub tools: Option<Vec<String>>,
    /// The rule that put it there.
    pub rule: Rule,
    /// The rule that set `sha256`: the place of a finding about a wrong digest.
    pub sha256_rule: Option<Rule>,
}

impl ImportComponent {
    /// Returns whether it is for the tool of this name. That a tool has no such import is another matter.
    pub fn is_for(&self, tool: &str) -> bool {
        self.tools.as_ref().is_none_or(|tools| tools.iter().any(|name| name == tool))
    }

    /// Returns its name for people: that of its file.
    pub fn name(&self) -> String {
        self.path.file_name().unwrap_or(self.path.as_os_str()).to_string_lossy().into_owned()
    }
}

/// `[imports."INTERFACE"]` as written.
#[derive(Debug, Clone)]
pub(super) struct ImportLayer {
    pub(super) rule: Rule,
    /// `None` only after a finding.
    pub(super) component: Option<Set<HostPath>>,
    pub(super) sha256: Option<Set<String>>,
    pub(super) tools: Option<Set<Vec<Set<String>>>>,
}

/// Reads `[imports]` below the root.
pub(super) fn read(reader: &Reader, root: &mut Section<'_, '_>, base: &std::path::Path) -> BTreeMap<String, ImportLayer> {
    let mut imports = BTreeMap::new();
    for (name, mut section) in root.named("imports") {
        section.require(Key::ImportComponent);
        let component = section.text(Key::ImportComponent).and_then(|path| host_path(reader, Key::ImportComponent, path, base));
        let sha256 = section.text(Key::ImportSha256).and_then(|sha256| tools::check_sha256(reader, sha256));
        let tools = section.texts(Key::ImportTools);
        let rule = section.rule();
        section.finish();
        if check_interface(reader, &name) {
            imports.insert(name.value, ImportLayer { rule, component, sha256, tools });
        }
    }
    imports
}

/// What no component may stand in front of.
const NEVER: &[(&str, &str)] = &[
    ("wisp:sandbox/threads", "the host relies on what switches between the threads of python3"),
    ("wisp:deny/report", "it is how denied calls are reported"),
];

/// Checks the name of an interface: `namespace:package/interface`, without a version.
fn check_interface(reader: &Reader, name: &Set<String>) -> bool {
    let text = name.value.as_str();
    let refuse = |message: String, help: String| {
        reader.find(name.rule.finding(message).help(help));
        false
    };
    if let Some((interface, _)) = text.split_once('@') {
        let help = format!("write {} without a version: any that is compatible is meant", quote(interface));
        return refuse(format!("an import is named without its version, not {}", quote(text)), help);
    }
    let word = |word: &str| {
        word.starts_with(|char: char| char.is_ascii_alphabetic())
            && word.chars().all(|char| char.is_ascii_alphanumeric() || char == '-')
            && !word.ends_with('-')
    };
    let known = text.len() <= limits::NAME_BYTES
        && text
            .split_once(':')
            .and_then(|(namespace, rest)| Some((namespace, rest.split_once('/')?)))
            .is_some_and(|(namespace, (package, interface))| word(namespace) && word(package) && word(interface));
    if !known {
        let names = super::capability::Interface::ALL.iter().map(|interface| interface.name());
        let help = match nearest(text, names) {
            Some(nearest) => format!("did you mean `{nearest}`?"),
            None => "write namespace, package and interface in quotes: `[imports.\"wasi:http/outgoing-handler\"]`".to_owned(),
        };
        return refuse(format!("{} is not the name of an interface", quote(text)), help);
    }
    match NEVER.iter().find(|(never, _)| *never == text) {
        Some((never, why)) => refuse(format!("no component can stand in front of `{never}`: {why}"), "remove this table".to_owned()),
        None => true,
    }
}
