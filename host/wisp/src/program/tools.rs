//! A session's tools: their components, and the world each runs in.

#![expect(clippy::disallowed_methods, reason = "reads the components of custom tools that the policy names")]

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::policy::digest::sha256;
use crate::policy::{Policy, tool_of as whole};
use crate::process::Rights;
use crate::program::error::SessionError;
use crate::program::rootfs::programs;
use crate::program::tool::{Tool, ToolBytes};
use crate::program::workshop::Workshop;
use crate::runtime::{Metering, check_cost};
use crate::world::{Grants, resolve};

/// Maximum bytes of a custom tool's file (256 MiB): Python with pandas is 82 MB.
const MAX_TOOL_FILE: u64 = 256 << 20;

/// The components of the policy's tools.
pub(crate) fn tool_bytes(workshop: &Workshop, policy: &Policy) -> Result<BTreeMap<String, ToolBytes>, SessionError> {
    let bytes = policy.tools().components().map(|name| {
        let bytes = match policy.tools().custom.get(name) {
            Some(custom) => ToolBytes::Custom(read_tool(name, custom)?),
            None => ToolBytes::Shipped(workshop.components().lookup(name)?.clone()),
        };
        Ok((name.to_owned(), bytes))
    });
    bytes.collect()
}

/// Every tool of the policy, resolved in its world. That which has a program called `first` comes first, and its machine code is
/// mapped or compiled meanwhile; an error in that is reported to the first process that needs it.
pub(crate) fn tools(
    workshop: &Arc<Workshop>,
    policy: &Policy,
    all: &BTreeMap<String, ToolBytes>,
    first: Option<&str>,
) -> Result<BTreeMap<String, Arc<Tool>>, SessionError> {
    // Where turns are counted in instructions, they are counted.
    let counted = policy.limits().instructions > 0 || policy.determinism().is_some();
    let metering = if counted { Metering::Fuel } else { Metering::Epochs };
    let grants = Grants::of(policy);
    let mut tools = BTreeMap::new();
    let is_first = |(name, bytes): &(&String, &ToolBytes)| first.is_some_and(|first| has(name, bytes, first));
    let (begin, others): (Vec<_>, Vec<_>) = all.iter().partition(is_first);
    let begins = begin.len();
    for (number, (name, bytes)) in begin.into_iter().chain(others).enumerate() {
        let custom = policy.tools().custom.get(name);
        let own = custom.map(|custom| grants.of_custom(custom));
        let grants = own.as_ref().unwrap_or(&grants);
        let world = match bytes {
            ToolBytes::Shipped(component) => workshop.imports(component)?.resolve(name, grants)?,
            ToolBytes::Custom(bytes) => {
                // Before anything is compiled: instances of it may cost too much.
                check_cost(bytes).map_err(|reason| SessionError::Compile { tool: name.clone(), reason })?;
                resolve(name, bytes, grants)?
            }
        };
        let rule =
            custom.map_or_else(|| policy.rule(&format!("tools.allow.{}", whole(name))).to_string(), |custom| custom.rule.to_string());
        world.program()?;
        let rights = match custom {
            Some(custom) if !custom.network && policy.network().is_some() => {
                Rights::without_network(name, &custom.network_rule().to_string())
            }
            _ => Rights::all(),
        };
        let tool = Arc::new(Tool::new(workshop, world, rule, rights, metering, bytes.clone()));
        if number < begins {
            let (tool, workshop) = (tool.clone(), workshop.clone());
            tokio::spawn(async move { tool.program(&workshop).await.map(drop) });
        }
        tools.insert(name.clone(), tool);
    }
    Ok(tools)
}

/// The tool that has a program called `program`, which may be a path.
pub(crate) fn tool_of<'t>(tools: &'t BTreeMap<String, Arc<Tool>>, program: &str) -> Option<&'t Arc<Tool>> {
    tools.values().find(|tool| has(&tool.name, tool.bytes(), program))
}

fn has(tool: &str, bytes: &ToolBytes, program: &str) -> bool {
    let name = program.rsplit('/').next().unwrap_or(program);
    programs(tool, bytes).any(|other| other == name)
}

pub(crate) fn read_tool(name: &str, tool: &crate::policy::CustomTool) -> Result<Arc<[u8]>, SessionError> {
    use std::io::Read;
    let fail = |error| SessionError::ToolFile { tool: name.to_owned(), path: tool.path.clone(), error, rule: tool.rule.to_string() };
    let file = std::fs::File::open(&tool.path).map_err(fail)?;
    let mut bytes = Vec::new();
    file.take(MAX_TOOL_FILE + 1).read_to_end(&mut bytes).map_err(fail)?;
    if bytes.len() as u64 > MAX_TOOL_FILE {
        return Err(fail(std::io::Error::other(format!("it is larger than {MAX_TOOL_FILE} bytes"))));
    }
    if let Some(expected) = &tool.sha256 {
        let found = sha256(&bytes);
        if found != *expected {
            return Err(SessionError::ToolDigest {
                tool: name.to_owned(),
                path: tool.path.clone(),
                found,
                expected: expected.clone(),
                rule: tool.sha256_rule.as_ref().unwrap_or(&tool.rule).to_string(),
            });
        }
    }
    Ok(bytes.into())
}
