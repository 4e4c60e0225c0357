//! How a server is reached: a program that is started, or a URL.

use std::fmt;
use std::path::PathBuf;

use crate::finding::quote;
use crate::hosts::{Host, HostPattern};
use crate::limits;
use crate::network::{AllowRule, Network, SecretPlace, SecretRule};
use crate::read::{Reader, Set, checked};
use crate::rule::Rule;
use crate::schema::Key;
use crate::section::Section;
use crate::url::{Scheme, Target, UrlPattern};

/// How a server is reached. Prints as messages show it: the command as a person would type it, or the URL without its query.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum McpTransport {
    /// A program that is started outside the sandbox, and speaks the protocol over its standard input and output.
    Command(McpCommand),
    /// A server that is not started here, and speaks the protocol over HTTP.
    Http(McpHttp),
}

/// A server that is a program.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct McpCommand {
    /// The program and its arguments.
    pub words: Vec<String>,
    /// The variables of the host's environment that it gets, beside those that every server gets.
    pub from_env: Vec<String>,
}

/// A server at a URL.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct McpHttp {
    /// Its URL: `https`, or `http` on this machine.
    pub url: Target,
    /// The variable of the host's environment with the token that requests carry.
    pub bearer_env: Option<String>,
    /// A file of certificates that are trusted in addition to the usual ones: that of `network.ca`.
    pub ca: Option<PathBuf>,
}

impl McpHttp {
    /// Returns what its client may send: requests to its URL, wherever that leads. The token is a secret, so that what comes back is
    /// searched for it. All limits are 0: they are the client's to set.
    pub fn requests(&self, rule: &Rule) -> Network {
        let Target { scheme, host, port, path, .. } = self.url.clone();
        let secret = |variable: &String| SecretRule {
            host: host.clone(),
            place: SecretPlace::Header("authorization".to_owned()),
            variable: variable.clone(),
            format: "Bearer {}".to_owned(),
            forks: false,
            rule: rule.clone(),
        };
        let secrets = self.bearer_env.iter().map(secret).collect();
        let url = UrlPattern { scheme, host: HostPattern::Exact(host), port, path };
        let methods = ["POST", "GET", "DELETE"].map(str::to_owned).into();
        let allow = AllowRule { url, methods, allow_private: true, addresses: Vec::new(), written: false, rule: rule.clone() };
        Network { rule: rule.clone(), allow: vec![allow], secrets, ..Network::default() }
    }
}

impl fmt::Display for McpTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = |word: &str| !word.is_empty() && word.chars().all(|char| char.is_ascii_alphanumeric() || "@%+=:,./_-".contains(char));
        let quoted = |word: &String| if plain(word) { word.clone() } else { format!("{word:?}") };
        match self {
            Self::Command(command) => f.write_str(&command.words.iter().map(quoted).collect::<Vec<_>>().join(" ")),
            Self::Http(http) => f.write_str(&http.url.without_query()),
        }
    }
}

/// Reads `command` or `url`, and what belongs to each; `None` after a finding.
pub(super) fn read(reader: &Reader, server: &mut Section<'_, '_>) -> Option<McpTransport> {
    let (has_command, has_url) = (server.has(Key::McpCommand), server.has(Key::McpUrl));
    if !has_command && !has_url {
        let (command, url) = (Key::McpCommand.row().example, Key::McpUrl.row().example);
        let help = format!("add `command = {command}` for a program that wisp starts, or `url = {url}` for a server elsewhere");
        reader.find(server.rule().finding("this `[[host.mcp]]` has neither `command` nor `url`").help(help));
    }
    let command = server.texts(Key::McpCommand);
    let url = server.text(Key::McpUrl);
    if let (Some(command), Some(url)) = (&command, &url) {
        let finding = url.rule.finding("`command` and `url` exclude each other").label("a server is a program, or it is elsewhere");
        reader.find(finding.help("remove one of the two").note_rule(&command.rule, "here it is a program"));
    }
    let from_env = server.texts(Key::McpFromEnv);
    if let Some(variables) = from_env.as_ref().filter(|_| has_url && !has_command) {
        let finding = variables.rule.finding("`from_env` is for a program that `command` starts");
        reader.find(finding.help(format!("a server at a URL gets a token: `bearer_env = {}`", Key::McpBearerEnv.row().example)));
    }
    let bearer_env = server.text(Key::McpBearerEnv);
    if let Some(variable) = bearer_env.as_ref().filter(|_| has_command && !has_url) {
        let finding = variable.rule.finding("`bearer_env` is for a server at a `url`");
        reader.find(finding.help(format!("a program gets variables: `from_env = {}`", Key::McpFromEnv.row().example)));
    }
    let bearer_env = bearer_env.filter(|name| check_variable(reader, Key::McpBearerEnv, name)).map(|name| name.value);
    let from_env = from_env.map(|list| list.value).unwrap_or_default();
    let from_env = from_env.into_iter().filter(|name| check_variable(reader, Key::McpFromEnv, name)).map(|name| name.value).collect();
    let words = command.and_then(|command| check_command(reader, command));
    let url = url.and_then(|url| checked(reader, Key::McpUrl, &url, check_url(&url.value)));
    match (words, url) {
        (Some(words), None) if !has_url => Some(McpTransport::Command(McpCommand { words, from_env })),
        (None, Some(url)) if !has_command => Some(McpTransport::Http(McpHttp { url, bearer_env, ca: None })),
        _ => None,
    }
}

/// Returns a program that does not depend on the folder in which wisp runs, and its arguments.
fn check_command(reader: &Reader, command: Set<Vec<Set<String>>>) -> Option<Vec<String>> {
    let refused = |rule: &Rule, label: &str| {
        reader.find(rule.finding(format!("`{}` is not valid", Key::McpCommand.path())).label(label).help(reader.example(Key::McpCommand)));
        None
    };
    let Some(program) = command.value.first() else {
        return refused(&command.rule, "there is no program in it");
    };
    if program.value.is_empty() {
        return refused(&program.rule, "a program has a name");
    }
    if program.value.contains('/') && !program.value.starts_with('/') {
        return refused(&program.rule, "this program depends on a folder: write its whole path, or a name that is found on PATH");
    }
    let bytes: usize = command.value.iter().map(|word| word.value.len() + 1).sum();
    if bytes > limits::MCP_COMMAND_BYTES {
        return refused(&command.rule, "this is longer than 64 KiB");
    }
    if let Some(word) = command.value.iter().find(|word| word.value.contains('\0')) {
        return refused(&word.rule, "an argument has no NUL");
    }
    Some(command.value.into_iter().map(|word| word.value).collect())
}

/// Returns the target of a URL, if requests to it are encrypted or stay on this machine.
fn check_url(url: &str) -> Result<Target, &'static str> {
    if url.len() > limits::MCP_URL_BYTES {
        return Err("this is longer than 4 KiB");
    }
    let target = Target::parse(url)?;
    let here = match &target.host {
        Host::Name(name) => name == "localhost",
        Host::V4(address) => address.is_loopback(),
        Host::V6(address) => address.is_loopback(),
    };
    if target.scheme == Scheme::Http && !here {
        return Err("`http` is for this machine (127.0.0.0/8, `[::1]`, `localhost`): elsewhere others could read it on the way");
    }
    Ok(target)
}

fn check_variable(reader: &Reader, key: Key, name: &Set<String>) -> bool {
    let sound = !name.value.is_empty() && !name.value.contains('=') && !name.value.contains(char::is_control);
    if !sound {
        let finding = name.rule.finding(format!("{} is not the name of a variable", quote(&name.value)));
        reader.find(finding.label("a value does not belong here").help(reader.example(key)));
    }
    sound
}
