//! The available tools, and the names that custom tools may have.

use std::collections::BTreeMap;
use std::path::Path;

use super::finding::{Findings, quote};
use super::layer::{CustomLayer, Layer};
use super::limits;
use super::mounts::look_up;
use super::parts::{CustomTool, Tools};
use super::read::{Reader, Set};
use super::source::Source;
use super::spelling::{list, nearest};

/// The shipped tools, each with its other names.
pub(super) const SHIPPED: &[(&str, &[&str])] = &[
    ("sh", &["bash"]),
    ("coreutils", &[]),
    ("text", &[]),
    ("data", &[]),
    ("archive", &[]),
    ("images", &[]),
    ("rg", &[]),
    ("curl", &["wget"]),
    ("python3", &["python"]),
];

/// Tools with a second component: programs that are rarely started are not compiled with those that start first.
const PARTS: &[(&str, &str)] = &[("coreutils", "uutils")];

/// The components of a shipped tool: that of its name, and its second one.
pub fn components_of(tool: &str) -> impl Iterator<Item = &str> {
    std::iter::once(tool).chain(PARTS.iter().filter(move |(whole, _)| *whole == tool).map(|(_, part)| *part))
}

/// The shipped tool that a component belongs to.
pub fn tool_of(component: &str) -> &str {
    PARTS.iter().find(|(_, part)| *part == component).map_or(component, |(tool, _)| tool)
}

pub(super) fn shipped_names() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Every name that a tool of the user's may not have.
pub(super) fn taken_names() -> impl Iterator<Item = &'static str> {
    let aliases = SHIPPED.iter().flat_map(|(_, aliases)| aliases.iter().copied());
    shipped_names().chain(aliases).chain(PARTS.iter().map(|(_, part)| *part))
}

/// The shipped tool that has `name` as another name, or as the name of its second component.
fn alias_of(name: &str) -> Option<&'static str> {
    let alias = SHIPPED.iter().find(|(_, aliases)| aliases.contains(&name));
    alias.map(|(tool, _)| *tool).or_else(|| PARTS.iter().find(|(_, part)| *part == name).map(|(tool, _)| *tool))
}

/// Checks the name of a custom tool: a file name that needs no quoting, and not a shipped tool's name.
pub(super) fn check_name(reader: &Reader, name: &Set<String>) -> bool {
    let text = name.value.as_str();
    let of = |char: char| char.is_ascii_alphanumeric() || "._+-".contains(char);
    let refuse = |message: String, help: &str| {
        reader.find(name.rule.finding(message).help(help));
        false
    };
    if let Some(tool) = shipped_names().find(|tool| *tool == text).or_else(|| alias_of(text)) {
        let message = format!("a tool of your own cannot be called {}: it would hide the shipped tool `{tool}`", quote(text));
        return refuse(message, "give it another name");
    }
    if text.is_empty()
        || text.len() > limits::TOOL_NAME_BYTES
        || !text.chars().all(of)
        || !text.starts_with(|char: char| char.is_ascii_alphanumeric())
    {
        let help = "use letters, digits, `.`, `_`, `+` and `-`, at most 64, a letter or digit first";
        return refuse(format!("a tool cannot be called {}", quote(text)), help);
    }
    true
}

/// The images that `python3` may be.
pub(super) const IMAGES: &[&str] = &["data"];

/// The name of an image.
pub(super) fn check_image(reader: &Reader, image: Set<String>) -> Option<Set<String>> {
    if IMAGES.contains(&image.value.as_str()) {
        return Some(image);
    }
    let message = format!("unknown image of `python3`: {}", quote(&image.value));
    reader.find(image.rule.finding(message).help("write `python = \"data\"`, or leave it out for the shipped `python3`"));
    None
}

/// 64 hexadecimal digits, in lower case.
pub(super) fn check_sha256(reader: &Reader, text: Set<String>) -> Option<Set<String>> {
    let digits = text.value.len();
    let problem = if let Some(strange) = text.value.chars().find(|char| !char.is_ascii_hexdigit()) {
        format!("{} is not a hexadecimal digit", quote(&strange.to_string()))
    } else if digits != 64 {
        format!("this has {digits} digits, not 64")
    } else {
        return Some(Set { value: text.value.to_ascii_lowercase(), rule: text.rule });
    };
    let help = "write the 64 hexadecimal digits that `sha256sum` prints for the component, without a prefix";
    reader.find(text.rule.finding("`sha256` is not a SHA-256 digest").label(problem).help(help));
    None
}

/// The checked tools: every name is known, every component is resolved, and no tool has more than its session. If the
/// layers are not `complete`, an unknown name may be defined in the missing one.
pub(super) fn settle(layer: &mut Layer, session_network: bool, complete: bool, source: &dyn Source, findings: &mut Findings) -> Tools {
    let mut allow: Vec<String> = Vec::new();
    if let Some(written) = &layer.allow {
        let mut seen: BTreeMap<&str, &Set<String>> = BTreeMap::new();
        for tool in &written.value {
            if let Some(first) = seen.insert(&tool.value, tool) {
                let finding = tool.rule.finding(format!("the tool {} is listed twice", quote(&tool.value)));
                findings.push(finding.help("remove one of the two").note_rule(&first.rule, "first here"));
            }
            let known = layer.custom.contains_key(&tool.value) || shipped_names().any(|name| name == tool.value);
            if !known && (complete || alias_of(&tool.value).is_some()) {
                findings.push(tool.rule.finding(format!("unknown tool {}", quote(&tool.value))).help(advice(&tool.value, &layer.custom)));
            }
        }
        allow.extend(shipped_names().filter(|name| seen.contains_key(name)).map(str::to_owned));
    }
    if let Some(tool) = layer.custom.values().nth(limits::CUSTOM_TOOLS) {
        let message =
            format!("there are {} tools of your own, more than the {} a session may have", layer.custom.len(), limits::CUSTOM_TOOLS);
        findings.push(tool.rule.finding(message).help("combine several in one component that selects by its first argument"));
        return Tools { allow, python: None, custom: BTreeMap::new() };
    }
    let mut custom = BTreeMap::new();
    for (name, tool) in &mut layer.custom {
        if let Some(network) = tool.network.as_ref().filter(|network| network.value && complete && !session_network) {
            let message = format!("the tool {} asks for the network, but its session has none", quote(name));
            findings.push(network.rule.finding(message).help("write `network = false`: a tool cannot have more than its session"));
        }
        if let Some(host) = tool.host.as_ref().filter(|host| host.value && complete && layer.host.rule.is_none()) {
            let message = format!("the tool {} asks for functions of the host, but its session has none", quote(name));
            findings.push(host.rule.finding(message).help("write `host = false`: a tool cannot have more than its session"));
        }
        let Some(path) = &mut tool.path else { continue };
        let found = |path: &Path| {
            layer.links.extend(source.links(path));
            source.file(path)
        };
        let Some(path) = look_up(path, "component", found, findings) else { continue };
        let (network, network_rule) = tool.network.clone().map(|set| (set.value, set.rule)).unzip();
        let (sha256, sha256_rule) = tool.sha256.clone().map(|set| (set.value, set.rule)).unzip();
        let (host, host_rule) = tool.host.clone().map(|set| (set.value, set.rule)).unzip();
        let (network, host, rule) = (network == Some(true), host == Some(true), tool.rule.clone());
        custom.insert(name.clone(), CustomTool { path, sha256, network, host, rule, host_rule, network_rule, sha256_rule });
    }
    if let Some(image) = layer.image.as_ref().filter(|_| complete && !allow.iter().any(|tool| tool == "python3")) {
        let finding = image.rule.finding("`tools.python` chooses an image, but the session has no `python3`");
        findings.push(finding.help("add `python3` to `tools.allow`, or remove this line"));
    }
    Tools { allow, python: layer.image.as_ref().map(|image| image.value.clone()), custom }
}

fn advice(name: &str, custom: &BTreeMap<String, CustomLayer>) -> String {
    if let Some(tool) = alias_of(name) {
        return match PARTS.contains(&(tool, name)) {
            true => format!("`{name}` is a part of `{tool}`: write `{tool}`"),
            false => format!("`{name}` is another name of `{tool}`: write `{tool}`"),
        };
    }
    let mut known: Vec<&str> = shipped_names().collect();
    known.extend(custom.keys().map(String::as_str));
    match nearest(name, known.iter().copied()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None => format!(
            "the tools are {}; programs such as `ls` and `grep` come with `coreutils`, and a component of yours needs `[tools.custom.NAME]`",
            list(known)
        ),
    }
}
