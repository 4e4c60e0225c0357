//! `[host]`: the functions outside the sandbox that code in it may call: those of the host program, and tools of other servers.

use std::collections::BTreeMap;
use std::time::Duration;

use super::finding::{Findings, quote};
use super::limits;
use super::mcp::{self, McpServer};
use super::network::Network;
use super::read::{Reader, Set, number_text};
use super::rule::{Origin, Rule};
use super::schema::Key;
use super::section::Section;
use super::source::Source;

/// `[host]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct HostGrant {
    /// The table, or the option that added it.
    pub rule: Rule,
    /// The functions of the host program that may be called, by name.
    pub allow: Vec<String>,
    /// The servers whose tools may be called as functions.
    pub mcp: Vec<McpServer>,
    /// Those among all of them that forks of a session may call.
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
    /// Returns the names of all functions that may be called: those of the host program, then the tools of servers. The rule of each is
    /// that of `host.allow.NAME`.
    pub fn functions(&self) -> impl Iterator<Item = &str> {
        let tools = self.mcp.iter().flat_map(|server| &server.tools);
        self.allow.iter().map(String::as_str).chain(tools.map(|tool| tool.function.as_str()))
    }

    /// Returns the server to which a function of this name would belong, whether it is allowed or not.
    pub fn server_of(&self, function: &str) -> Option<&McpServer> {
        self.mcp.iter().find(|server| function.strip_prefix(&server.name).is_some_and(|rest| rest.starts_with('_')))
    }

    /// Returns the totals of a session, in the policy's words.
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
    pub(crate) mcp: Vec<McpServer>,
    /// What options allow in addition.
    pub(crate) added: Vec<Set<String>>,
    /// What options allow forks in addition.
    pub(crate) added_forks: Vec<Set<String>>,
}

impl HostLayer {
    /// Merges this layer over a parent: a list replaces the parent's, a server replaces the parent's of the same name, and what options
    /// allow is added.
    pub(crate) fn over(mut self, parent: Self) -> Self {
        let (mut added, mut added_forks) = (parent.added, parent.added_forks);
        added.append(&mut self.added);
        added_forks.append(&mut self.added_forks);
        let mut mcp = parent.mcp;
        mcp.retain(|server| !self.mcp.iter().any(|own| own.name == server.name));
        mcp.append(&mut self.mcp);
        let rule = match self.rule {
            Some(own) if own.origin() == Origin::File => Some(own),
            own => parent.rule.or(own),
        };
        Self { rule, allow: self.allow.or(parent.allow), forks: self.forks.or(parent.forks), mcp, added, added_forks }
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
    let mcp = section.tables("mcp").into_iter().filter_map(|server| mcp::read(reader, server)).collect();
    HostLayer { rule, allow, forks, mcp, added: Vec::new(), added_forks: Vec::new() }
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

/// Returns the merged part about functions, if any layer has one, beside this `network`. `numbers` has the values of its keys with numbers.
/// If the layers are not `complete`, `allow` may be in the missing one.
pub(crate) fn settle(
    layer: &HostLayer,
    numbers: HostGrant,
    complete: bool,
    network: Option<&Network>,
    source: &dyn Source,
    findings: &mut Findings,
) -> Option<HostGrant> {
    let rule = layer.rule.clone()?;
    let allow = with_added(once(layer.allow.as_ref(), findings), &layer.added);
    let ca = network.and_then(|network| network.ca.as_ref()).map(|(path, _)| path.as_path());
    let named = layer.allow.iter().flat_map(|list| &list.value).chain(&layer.added);
    let mcp = mcp::settle(&layer.mcp, named, ca, source, findings);
    let tools: usize = mcp.iter().map(|server| server.tools.len()).sum();
    let is_tool = |name: &str| mcp.iter().flat_map(|server| &server.tools).any(|tool| tool.function == name);
    let forks = with_added(once(layer.forks.as_ref(), findings), &layer.added_forks);
    for name in layer.forks.iter().flat_map(|list| &list.value).chain(&layer.added_forks) {
        if complete && !allow.contains(&name.value) && !is_tool(&name.value) {
            let message = format!("`host.forks` lists {}, which `host.allow` does not", quote(&name.value));
            findings
                .push(name.rule.finding(message).help("a fork cannot have more than its session: add it to `allow`, or remove it here"));
        }
    }
    let count = allow.len() + tools;
    if count > limits::HOST_FUNCTIONS {
        let message = format!("`[host]` allows {count} functions, more than {}", limits::HOST_FUNCTIONS);
        findings.push(rule.finding(message).help("make one function of several that differ in an argument"));
    }
    Some(HostGrant { rule, allow, mcp, forks, ..numbers })
}

/// Returns the names, and those that options added.
fn with_added(mut names: Vec<String>, added: &[Set<String>]) -> Vec<String> {
    for name in added {
        if !names.contains(&name.value) {
            names.push(name.value.clone());
        }
    }
    names
}

/// Returns the names of a list, in its order; a name that is there twice is a finding.
fn once(list: Option<&Set<Vec<Set<String>>>>, findings: &mut Findings) -> Vec<String> {
    let mut seen: BTreeMap<&str, &Rule> = BTreeMap::new();
    let mut names = Vec::new();
    for name in list.iter().flat_map(|list| &list.value) {
        match seen.insert(&name.value, &name.rule) {
            None => names.push(name.value.clone()),
            Some(first) => {
                let message = format!("the function {} is listed twice", quote(&name.value));
                findings.push(name.rule.finding(message).help("remove one of the two").note_rule(first, "first here"));
            }
        }
    }
    names
}
