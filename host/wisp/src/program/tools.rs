//! A session's tools: their components, and the world that each runs in.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use crate::program::adapters::Adapters;
use crate::program::error::SessionError;
use crate::program::linked::Own;
use crate::program::rootfs::programs;
use crate::program::tool::Tool;
use crate::program::tool_bytes::ToolBytes;
use crate::program::tool_file::ToolFiles;
use crate::program::workshop::Workshop;
use crate::runtime::{Metering, check_cost};
use wisp_components::Component;
use wisp_policy::schema::Key;
use wisp_policy::{CustomTool, Findings, Policy, tool_of as whole};
use wisp_process::Rights;
use wisp_world::Grants;

/// Returns the components of the policy's tools.
pub(crate) fn tool_bytes(workshop: &Workshop, policy: &Policy, files: &mut ToolFiles) -> Result<BTreeMap<String, ToolBytes>, SessionError> {
    let bytes = policy.tools().components().map(|name| {
        let bytes = match policy.tools().custom.get(name) {
            Some(custom) => ToolBytes::Custom(files.of(name, custom)?),
            None => ToolBytes::Shipped(shipped(workshop, policy, name)?),
        };
        Ok((name.to_owned(), bytes))
    });
    bytes.collect()
}

/// Returns a shipped component, or the image that the policy has in its place.
fn shipped(workshop: &Workshop, policy: &Policy, name: &str) -> Result<Component, SessionError> {
    match &policy.tools().python {
        Some(image) if name == "python3" => Ok(Component::of_image(workshop.images().unwrap_or(Path::new("")), image)?),
        _ => Ok(workshop.components().lookup(name)?.clone()),
    }
}

/// Resolves every tool of the policy in its world. The tool that contains the program `first` comes first, and its
/// machine code is mapped or compiled in the meantime; an error in that is reported to the first process that needs it.
pub(crate) fn tools(
    workshop: &Arc<Workshop>,
    policy: &Policy,
    all: &BTreeMap<String, ToolBytes>,
    files: &mut ToolFiles,
    first: Option<&str>,
) -> Result<BTreeMap<String, Arc<Tool>>, SessionError> {
    // Instructions are also counted where they decide about turns.
    let counted = policy.limits().instructions > 0 || policy.determinism().is_some();
    let metering = if counted { Metering::Fuel } else { Metering::Epochs };
    let grants = Grants::of(policy);
    let adapters = Adapters::read(policy, files)?;
    let mut findings = Findings::default();
    let mut tools = BTreeMap::new();
    let is_first = |(name, bytes): &(&String, &ToolBytes)| first.is_some_and(|first| has(name, bytes, first));
    let (begin, others): (Vec<_>, Vec<_>) = all.iter().partition(is_first);
    let begins = begin.len();
    for (number, (name, bytes)) in begin.into_iter().chain(others).enumerate() {
        let custom = policy.tools().custom.get(name);
        let own = match custom {
            Some(custom) => Some(grants.of_custom(custom)),
            None => (bytes.own() == Own::Python).then(|| grants.clone().with_threads()),
        };
        let grants = own.as_ref().unwrap_or(&grants);
        let offered = adapters.of(name);
        let world = match bytes {
            ToolBytes::Shipped(component) => workshop.imports(component)?.resolve(name, grants, &offered)?,
            ToolBytes::Custom(file) => {
                // Checked before anything is compiled: its instances may cost too much.
                check_cost(&file.bytes).map_err(|why| SessionError::Compile { tool: name.clone(), source: why.into() })?;
                file.imports.resolve(name, grants, &offered)?
            }
        };
        let rule = match custom {
            Some(custom) => custom.rule.clone(),
            None if bytes.exceptions() => policy.rule(Key::Python),
            None => policy.rule_of(Key::Allow, whole(name)),
        };
        world.program()?;
        let rights = custom.map_or_else(Rights::all, |custom| rights(policy, name, custom));
        let fronts = adapters.files(&world);
        for front in &fronts {
            check_cost(&front.bytes).map_err(|why| SessionError::Compile { tool: name.clone(), source: why.into() })?;
        }
        if let Some(finding) = adapters.misfit(&world, bytes, workshop.cache())? {
            findings.push(finding);
            continue;
        }
        let tool = Arc::new(Tool::new(workshop, world, rule.to_string(), rights, metering, bytes.clone(), fronts));
        if number < begins {
            let (tool, workshop) = (tool.clone(), workshop.clone());
            #[expect(clippy::disallowed_methods, reason = "the engine's: machine code is for all sessions")]
            tokio::spawn(async move { tool.program(&workshop).await.map(drop) });
        }
        tools.insert(name.clone(), tool);
    }
    findings.decide(())?;
    adapters.unused(tools.values().map(|tool: &Arc<Tool>| &tool.world)).decide(tools).map_err(SessionError::from)
}

/// Returns the rights of a custom tool: those of its session, without what its own table does not grant.
fn rights(policy: &Policy, name: &str, custom: &CustomTool) -> Rights {
    let mut rights = Rights::all();
    if !custom.network && policy.network().is_some() {
        rights = rights.and(&Rights::without_network(name, &custom.network_rule().to_string()));
    }
    if !custom.host && policy.host().is_some() {
        rights = rights.and(&Rights::without_functions(name, &custom.host_rule().to_string()));
    }
    rights
}

/// Returns the tool that contains `program`, which may be a path.
pub(crate) fn tool_of<'t>(tools: &'t BTreeMap<String, Arc<Tool>>, program: &str) -> Option<&'t Arc<Tool>> {
    tools.values().find(|tool| has(&tool.name, tool.bytes(), program))
}

fn has(tool: &str, bytes: &ToolBytes, program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    programs(tool, bytes).any(|other| other == name)
}
