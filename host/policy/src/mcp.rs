//! `[[host.mcp]]`: servers of the Model Context Protocol, outside the sandbox, whose tools are functions of the host.

mod transport;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::finding::{Findings, is_invisible, quote};
use super::limits;
use super::read::{Reader, Set};
use super::rule::Rule;
use super::schema::Key;
use super::section::Section;
use super::source::Source;

pub use transport::{McpCommand, McpHttp, McpTransport};

/// `[[host.mcp]]`: a server outside the sandbox, and those of its tools that code in the sandbox may call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpServer {
    /// Its name, with which the names of its functions begin.
    pub name: String,
    /// How it is reached.
    pub transport: McpTransport,
    /// The tools that may be called.
    pub tools: Vec<McpTool>,
    /// The rule that added it.
    pub rule: Rule,
    /// The files of the host that its command names, and the links to what it names.
    pub(crate) files: Vec<PathBuf>,
    /// The folders.
    pub(crate) folders: Vec<PathBuf>,
}

/// A tool of a server.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct McpTool {
    /// Its name, as the server has it.
    pub name: String,
    /// The function of the host that calls it.
    pub function: String,
    /// The rule that allows it.
    pub rule: Rule,
}

/// Returns the name of the function that calls this tool of this server. A character that a name of a function cannot have is `_`.
fn function_name(server: &str, tool: &str) -> String {
    let tool = tool.chars().map(|char| if char.is_ascii_alphanumeric() { char } else { '_' });
    format!("{server}_{}", tool.collect::<String>())
}

/// Reads one `[[host.mcp]]`; `None` after a finding.
pub(crate) fn read(reader: &Reader, mut server: Section<'_, '_>) -> Option<McpServer> {
    let transport = transport::read(reader, &mut server);
    server.require(Key::McpName);
    server.require(Key::McpAllow);
    let name = server.text(Key::McpName).filter(|name| check_name(reader, name));
    let tools = server.texts(Key::McpAllow).map(|tools| tools.value);
    let rule = server.rule();
    server.finish();
    let checked = |name: &Set<String>, tools: Vec<Set<String>>| {
        tools.into_iter().filter_map(|tool| check_tool(reader, &name.value, tool)).collect::<Vec<_>>()
    };
    let tools = name.as_ref().zip(tools).map(|(name, tools)| checked(name, tools));
    Some(McpServer { name: name?.value, transport: transport?, tools: tools?, rule, files: Vec::new(), folders: Vec::new() })
}

/// Returns whether a name is an identifier that leaves room for the tool's name.
fn check_name(reader: &Reader, name: &Set<String>) -> bool {
    let text = name.value.as_str();
    let sound = text.len() <= limits::MCP_NAME_BYTES
        && text.starts_with(|char: char| char.is_ascii_alphabetic())
        && text.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
    if !sound {
        let help = "use letters, digits and `_`, at most 32, a letter first: the names of its functions begin with it";
        reader.find(name.rule.finding(format!("a server cannot be called {}", quote(text))).help(help));
    }
    sound
}

fn check_tool(reader: &Reader, server: &str, tool: Set<String>) -> Option<McpTool> {
    let text = tool.value.as_str();
    let refused = |message: String, help: &str| {
        reader.find(tool.rule.finding(message).help(help));
        None
    };
    if text.contains('*') {
        return refused(
            format!("{} is not the name of a tool", quote(text)),
            "list each tool by its whole name; there is no pattern for all",
        );
    }
    if text.is_empty() || text.len() > limits::MCP_TOOL_BYTES || text.chars().any(|char| char.is_control() || is_invisible(char)) {
        return refused(format!("a tool cannot be called {}", quote(text)), "a name has 1 to 128 bytes, and no control characters");
    }
    let function = function_name(server, text);
    if function.len() > limits::FUNCTION_NAME_BYTES {
        let message = format!("the tool {} would be the function {}, which has more than 64 characters", quote(text), quote(&function));
        return refused(message, "give the server a shorter `name`");
    }
    Some(McpTool { name: tool.value, function, rule: tool.rule })
}

/// Returns the servers of the merged layers, checked together: each has a name of its own, and each tool a function of its own, none of
/// which is one of `functions`, those of the host program. `ca` is what `network.ca` names.
pub(crate) fn settle<'l>(
    layer: &'l [McpServer],
    functions: impl Iterator<Item = &'l Set<String>>,
    ca: Option<&Path>,
    source: &dyn Source,
    findings: &mut Findings,
) -> Vec<McpServer> {
    let mut servers = layer.to_vec();
    if let Some(server) = servers.get(limits::MCP_SERVERS) {
        let message = format!("there are {} servers in `[[host.mcp]]`, more than {}", servers.len(), limits::MCP_SERVERS);
        findings.push(server.rule.finding(message).help("each runs beside the sandbox for as long as wisp does: remove some"));
    }
    let mut taken: BTreeMap<&str, (String, &Rule)> = BTreeMap::new();
    for name in functions {
        taken.insert(&name.value, ("`host.allow` lists it".to_owned(), &name.rule));
    }
    let mut seen: BTreeMap<&str, &Rule> = BTreeMap::new();
    for server in layer {
        if let Some(first) = seen.insert(&server.name, &server.rule) {
            let finding = server.rule.finding(format!("two servers are called {}", quote(&server.name))).help("give each its own `name`");
            findings.push(finding.note_rule(first, "first here"));
        }
        for tool in &server.tools {
            let what = format!("the tool {} of {}", quote(&tool.name), quote(&server.name));
            if let Some((other, first)) = taken.insert(&tool.function, (what.clone(), &tool.rule)) {
                let message = format!("{what} would be the function {}, and so would another: {other}", quote(&tool.function));
                let help = "remove one of the two, or give the server another `name`";
                findings.push(tool.rule.finding(message).help(help).note_rule(first, "first here"));
            }
        }
    }
    for server in &mut servers {
        match &mut server.transport {
            McpTransport::Command(command) => (server.files, server.folders) = places(&command.words, source),
            McpTransport::Http(http) => http.ca = ca.map(Path::to_owned),
        }
    }
    servers
}

/// Returns what of the host a command names by its whole path, also after `=`: files with the links to them, and folders. A guest that may
/// write it could decide what runs outside the sandbox: the program, a script, the configuration of a repository.
fn places(command: &[String], source: &dyn Source) -> (Vec<PathBuf>, Vec<PathBuf>) {
    let (mut files, mut folders) = (Vec::new(), Vec::new());
    for (index, word) in command.iter().enumerate() {
        let path = Path::new(word.split_once('=').map_or(word.as_str(), |(_, value)| value));
        if !path.is_absolute() {
            continue;
        }
        if let Ok(file) = source.file(path) {
            files.push(file);
        } else if let Ok(folder) = source.mountable(path) {
            folders.push(folder);
        } else if index == 0 {
            // A program that is not there yet could be put there.
            files.push(path.to_owned());
        } else {
            continue;
        }
        files.extend(source.links(path));
    }
    (files, folders)
}
