//! `[host]`: the functions of the host program that code in the sandbox may call.

use std::collections::BTreeMap;
use std::time::Duration;

use super::finding::{Findings, quote};
use super::limits;
use super::read::{Reader, Set, number_text};
use super::rule::{Origin, Rule};
use super::schema::Key;
use super::section::Section;

/// `[host]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct HostGrant {
    /// The table, or the option that added it.
    pub rule: Rule,
    /// The functions that may be called, by name.
    pub allow: Vec<String>,
    /// Those among them that forks of a session may call.
    pub forks: Vec<String>,
    /// Maximum calls of a session.
    pub max_calls: u64,
    /// Maximum concurrent calls of a session.
    pub max_concurrent: u32,
    /// Maximum bytes of the arguments of one call.
    pub max_arguments: u64,
    /// Maximum bytes of the result of one call.
    pub max_result: u64,
    /// Maximum bytes of the arguments and results of all calls of a session together.
    pub max_bytes: u64,
    /// Maximum time of a call.
    pub timeout: Duration,
}

impl HostGrant {
    /// The totals of a session, in the policy's words.
    pub fn limits(&self) -> String {
        let limits = [(Key::MaxCalls, self.max_calls), (Key::MaxCallBytes, self.max_bytes)];
        limits.map(|(key, value)| format!("{} = {}", key.word(), number_text(&key.row().shape, value))).join(", ")
    }
}

/// The part of one text about functions.
#[derive(Debug, Clone, Default)]
pub(crate) struct HostLayer {
    /// The table, even if it is empty.
    pub(crate) rule: Option<Rule>,
    pub(crate) allow: Option<Set<Vec<Set<String>>>>,
    pub(crate) forks: Option<Set<Vec<Set<String>>>>,
    /// What options allow in addition.
    pub(crate) added: Vec<Set<String>>,
}

impl HostLayer {
    /// Merges this layer over a parent: a list replaces the parent's, and what options allow is added.
    pub(crate) fn over(mut self, parent: Self) -> Self {
        let mut added = parent.added;
        added.append(&mut self.added);
        let rule = match self.rule {
            Some(own) if own.origin() == Origin::File => Some(own),
            own => parent.rule.or(own),
        };
        Self { rule, allow: self.allow.or(parent.allow), forks: self.forks.or(parent.forks), added }
    }
}

/// Reads the table, except its numbers.
pub(crate) fn read(reader: &Reader, section: &mut Section<'_, '_>) -> HostLayer {
    let names = |list: Set<Vec<Set<String>>>| Set {
        value: list.value.into_iter().filter(|name| check_name(reader, name)).collect(),
        rule: list.rule,
    };
    let rule = Some(section.rule());
    let allow = section.texts(Key::HostAllow).map(names);
    let forks = section.texts(Key::HostForks).map(names);
    HostLayer { rule, allow, forks, added: Vec::new() }
}

/// Checks the name of a function: an identifier, so that Python and the shell can write it.
pub(crate) fn check_name(reader: &Reader, name: &Set<String>) -> bool {
    let text = name.value.as_str();
    let sound = text.len() <= limits::FUNCTION_NAME_BYTES
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_')
        && text.starts_with(|char: char| char.is_ascii_alphabetic() || char == '_');
    if !sound {
        let help = "use letters, digits and `_`, at most 64, no digit first; each function is listed by its whole name";
        reader.find(name.rule.finding(format!("a function of the host cannot be called {}", quote(text))).help(help));
    }
    sound
}

/// The merged part about functions, if any layer has one. `numbers` has the values of its keys with numbers. If the
/// layers are not `complete`, `allow` may be in the missing one.
pub(crate) fn settle(layer: &HostLayer, numbers: HostGrant, complete: bool, findings: &mut Findings) -> Option<HostGrant> {
    let rule = layer.rule.clone()?;
    let mut allow = once(layer.allow.as_ref(), findings);
    for name in &layer.added {
        if !allow.contains(&name.value) {
            allow.push(name.value.clone());
        }
    }
    let forks = once(layer.forks.as_ref(), findings);
    for name in layer.forks.iter().flat_map(|list| &list.value) {
        if complete && !allow.contains(&name.value) {
            let message = format!("`host.forks` lists {}, which `host.allow` does not", quote(&name.value));
            findings
                .push(name.rule.finding(message).help("a fork cannot have more than its session: add it to `allow`, or remove it here"));
        }
    }
    if allow.len() > limits::HOST_FUNCTIONS {
        let message = format!("`host.allow` lists {} functions, more than {}", allow.len(), limits::HOST_FUNCTIONS);
        findings.push(rule.finding(message).help("make one function of several that differ in an argument"));
    }
    Some(HostGrant { rule, allow, forks, ..numbers })
}

/// The names of a list, in its order; a name that is there twice is a finding.
fn once(list: Option<&Set<Vec<Set<String>>>>, findings: &mut Findings) -> Vec<String> {
    let mut seen: BTreeMap<&str, &Rule> = BTreeMap::new();
    let mut names = Vec::new();
    for name in list.iter().flat_map(|list| &list.value) {
        match seen.insert(&name.value, &name.rule) {
            None => names.push(name.value.clone()),
            Some(first) => {
                let message = format!("the function {} is listed twice", quote(&name.value));
                let mut finding = name.rule.finding(message).help("remove one of the two");
                if let Some(place) = first.place() {
                    finding = finding.note(place, "first here");
                }
                findings.push(finding);
            }
        }
    }
    names
}
