//! The components of a policy in front of imports (`[imports]`): which tools they are for, and whether they fit.

use std::sync::Arc;

use crate::program::error::SessionError;
use crate::program::tool_bytes::ToolBytes;
use crate::program::tool_file::{ToolFile, ToolFiles};
use crate::runtime::CodeCache;
use wisp_policy::{Finding, Findings, ImportComponent, Policy, quote, tool_of};
use wisp_world::{Adapter, ComponentWorld, WorldError, unversioned};

/// The note that a composition fits: made once for each, because it takes as long as composing.
const FITS: &str = concat!("fits-", env!("CARGO_PKG_VERSION"));

/// The components of one policy in front of imports, read.
#[derive(Default)]
pub(crate) struct Adapters<'p>(Vec<Read<'p>>);

struct Read<'p> {
    interface: &'p str,
    component: &'p ImportComponent,
    name: String,
    rule: String,
    file: Arc<ToolFile>,
}

impl<'p> Adapters<'p> {
    /// Reads those of a policy.
    ///
    /// # Errors
    /// If a file cannot be read, has another digest than the policy says, or is not a component.
    pub(crate) fn read(policy: &'p Policy, files: &mut ToolFiles) -> Result<Self, SessionError> {
        let read = policy.imports().iter().map(|(interface, component)| {
            let file = files.of(&subject(interface), component)?;
            Ok(Read { interface, component, name: component.name(), rule: component.rule.to_string(), file })
        });
        read.collect::<Result<_, SessionError>>().map(Self)
    }

    /// Returns those that are for a component of a tool.
    pub(crate) fn of(&self, component: &str) -> Vec<Adapter<'_>> {
        let tool = tool_of(component);
        let those = self.0.iter().filter(|read| read.component.is_for(tool));
        let adapter = |read| {
            let Read { interface, name, rule, file, .. }: &Read<'_> = read;
            Adapter { interface, name, rule, imports: &file.imports }
        };
        those.map(adapter).collect()
    }

    /// Returns the files of those that stand in front of imports of this world, in its order.
    pub(crate) fn files(&self, world: &ComponentWorld) -> Vec<Arc<ToolFile>> {
        let file = |digest: &str| self.0.iter().find(|read| read.file.imports.digest() == digest);
        world.adapters().iter().filter_map(|adapter| file(&adapter.digest)).map(|read| read.file.clone()).collect()
    }

    /// Finds those that are in front of nothing: a tool that they are for has no such import.
    pub(crate) fn unused<'w>(&self, worlds: impl Iterator<Item = &'w ComponentWorld> + Clone) -> Findings {
        let mut findings = Findings::default();
        let has = |world: &ComponentWorld, interface: &str| {
            let provided = world.adapters().iter().flat_map(|adapter| &adapter.provides);
            provided.into_iter().any(|provided| unversioned(&provided.import) == interface)
        };
        for read in &self.0 {
            let without = |tool: &&String| !worlds.clone().any(|world| tool_of(world.name()) == **tool && has(world, read.interface));
            let who = match &read.component.tools {
                Some(tools) => tools.iter().find(without).map(|tool| format!("the tool {} does", quote(tool))),
                None => (!worlds.clone().any(|world| has(world, read.interface))).then(|| "none of the session's tools does".to_owned()),
            };
            if let Some(who) = who {
                let message = format!("the component is to stand in front of {}, but {who} not import it", quote(read.interface));
                findings.push(read.component.rule.finding(message).help("`wisp explain` lists the imports of each tool"));
            }
        }
        findings
    }

    /// Finds whether a tool and those in front of its imports cannot be composed: at the line of one of them, if the types do not fit.
    /// `bytes` are the tool's, which are unpacked only where this is not known yet.
    ///
    /// # Errors
    /// Those of the tool's bytes.
    pub(crate) fn misfit(&self, world: &ComponentWorld, bytes: &ToolBytes, cache: &CodeCache) -> Result<Option<Finding>, SessionError> {
        if world.adapters().is_empty() {
            return Ok(None);
        }
        let digest = world.composition_digest();
        if cache.note(FITS, &digest).is_some() {
            return Ok(None);
        }
        let files = self.files(world);
        let fronts: Vec<&[u8]> = files.iter().map(|file| &*file.bytes).collect();
        let Err(error) = wisp_world::compose(&bytes.get()?, &fronts, world) else {
            cache.keep_note(FITS, &digest, b"");
            return Ok(None);
        };
        let why = match error {
            WorldError::Compose { why, .. } => why,
            other => other.to_string(),
        };
        let names: Vec<String> = world.adapters().iter().map(|adapter| quote(&adapter.name)).collect();
        let message = format!("{} and {} do not fit: {why}", names.join(", "), quote(world.name()));
        let first = self.0.iter().find(|read| world.adapters().iter().any(|adapter| adapter.digest == read.file.imports.digest()));
        let rule = first.map_or_else(Default::default, |read| read.component.rule.clone());
        let help = "build it against the WIT of the interface in a version that is compatible (`wit/deps` has wisp's)";
        Ok(Some(rule.finding(message).help(help)))
    }
}

/// Returns how messages name the component in front of an interface.
pub(crate) fn subject(interface: &str) -> String {
    format!("imports.{interface}")
}
