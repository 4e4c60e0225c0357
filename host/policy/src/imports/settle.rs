//! From the merged layers to the components of a policy in front of imports.

use std::collections::BTreeMap;
use std::path::Path;

use super::ImportComponent;
use crate::finding::{Findings, quote};
use crate::layer::Layer;
use crate::limits;
use crate::mounts::look_up;
use crate::parts::Tools;
use crate::source::Source;
use crate::spelling::nearest;

/// Returns the checked components by interface: every file exists, and every tool that is named is one of the session's.
pub(crate) fn settle(
    layer: &mut Layer,
    tools: &Tools,
    complete: bool,
    source: &dyn Source,
    findings: &mut Findings,
) -> BTreeMap<String, ImportComponent> {
    let mut imports = BTreeMap::new();
    if let Some(import) = layer.imports.values().nth(limits::IMPORTS) {
        let message = format!("there are {} components for imports, more than the {}", layer.imports.len(), limits::IMPORTS);
        findings.push(import.rule.finding(message).help("combine several in one component that exports all their interfaces"));
        return imports;
    }
    for (interface, import) in &mut layer.imports {
        for tool in import.tools.iter().flat_map(|tools| &tools.value).filter(|tool| complete && !tools.contains(&tool.value)) {
            let mut known: Vec<&str> = tools.allow.iter().map(String::as_str).collect();
            known.extend(tools.custom.keys().map(String::as_str));
            let help = match nearest(&tool.value, known.iter().copied()) {
                Some(nearest) => format!("did you mean `{nearest}`?"),
                None => {
                    "name tools of `tools.allow` and `[tools.custom.NAME]`, or leave `tools` out: then it is for all of them".to_owned()
                }
            };
            findings.push(tool.rule.finding(format!("the session has no tool {}", quote(&tool.value))).help(help));
        }
        if let Some(none) = import.tools.as_ref().filter(|tools| tools.value.is_empty()) {
            findings.push(none.rule.finding("this component is for no tool").help("leave `tools` out: then it is for all of them"));
        }
        let Some(path) = &mut import.component else { continue };
        let found = |path: &Path| {
            layer.links.extend(source.links(path));
            source.file(path)
        };
        let Some(path) = look_up(path, "component", found, findings) else { continue };
        let (sha256, sha256_rule) = import.sha256.clone().map(|set| (set.value, set.rule)).unzip();
        let tools = import.tools.as_ref().map(|tools| tools.value.iter().map(|tool| tool.value.clone()).collect());
        imports.insert(interface.clone(), ImportComponent { path, sha256, tools, rule: import.rule.clone(), sha256_rule });
    }
    imports
}
