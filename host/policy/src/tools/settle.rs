//! From the merged layers to the tools of a policy.

use std::collections::BTreeMap;
use std::path::Path;

use super::CustomLayer;
use crate::finding::{Findings, quote};
use crate::layer::Layer;
use crate::limits;
use crate::mounts::look_up;
use crate::parts::{CustomTool, Tools};
use crate::read::Set;
use crate::shipped_tools::{PARTS, alias_of, shipped_names};
use crate::source::Source;
use crate::spelling::{list, nearest};

/// Returns the checked tools: every name is known, every component is resolved, and no tool has more than its session. If the
/// layers are not `complete`, an unknown name may be defined in the missing one.
pub(crate) fn settle(layer: &mut Layer, session_network: bool, complete: bool, source: &dyn Source, findings: &mut Findings) -> Tools {
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
