//! What a policy allows the components of a session, without starting one.

use crate::program::adapters::Adapters;
use crate::program::error::SessionError;
use crate::program::tool_bytes::{ShippedImports, ToolBytes};
use crate::program::tool_file::ToolFiles;
use crate::runtime::CodeCache;
use wisp_components::Components;
use wisp_policy::capability::Decision;
use wisp_policy::{Findings, Policy, PolicyErrors, quote};
use wisp_world::report::Explanation;
use wisp_world::{ComponentWorld, Grants, ImportRow, unversioned};

/// Explains a policy: what a session may do, its limits, and every import of every tool that it names, including custom ones, with the
/// decision about it.
///
/// Compiles and runs nothing; components in front of imports are composed with their tools, to see whether they fit. The imports of shipped components are looked up in `cache`, and kept there. Refused
/// imports are rows of the explanation; see [`Explanation::refuses`].
///
/// # Errors
/// All tools and components in front of imports that cannot be read, have another digest, or are not components, and those that stand in
/// front of nothing.
pub fn explain(components: &Components, cache: &CodeCache, policy: &Policy) -> Result<Explanation, Vec<SessionError>> {
    let (worlds, errors) = worlds(components, cache, policy);
    if errors.is_empty() { Ok(Explanation::new(policy, worlds)) } else { Err(errors) }
}

/// Checks a policy's components in front of imports with the tools behind them: that each exports what it is to satisfy, imports nothing
/// that is refused, fits, and stands in front of something. A policy without any costs nothing.
///
/// # Errors
/// All findings, each at the line of the component.
pub fn check_imports(components: &Components, cache: &CodeCache, policy: &Policy) -> Result<(), PolicyErrors> {
    let mut findings = Findings::default();
    let Some(first) = policy.imports().values().next() else { return Ok(()) };
    let (worlds, errors) = worlds(components, cache, policy);
    for error in errors {
        match error {
            SessionError::Policy(errors) => errors.findings().iter().for_each(|finding| findings.push(finding.clone())),
            other => findings.push(first.rule.finding(other.to_string())),
        }
    }
    for world in &worlds {
        let refused = |row: &&ImportRow| row.decision == Decision::Refused;
        for row in world.imports().iter().filter(refused) {
            // Other imports are no matter of these components.
            if let Some(import) = policy.imports().get(unversioned(&row.interface)) {
                findings.push(import.rule.finding(format!("{} of {}: {}", quote(&row.interface), quote(world.name()), row.reason)));
            }
        }
        for adapter in world.adapters() {
            let import = adapter.provides.iter().find_map(|provided| policy.imports().get(unversioned(&provided.import)));
            for row in adapter.imports.iter().filter(refused) {
                let message = format!("{} imports {}, which is refused", quote(&adapter.name), quote(&row.interface));
                findings.push(import.unwrap_or(first).rule.finding(message).help(row.reason.as_str()));
            }
        }
    }
    findings.decide(())
}

/// Decides about every import of every tool, and collects what stands in the way.
fn worlds(components: &Components, cache: &CodeCache, policy: &Policy) -> (Vec<ComponentWorld>, Vec<SessionError>) {
    let (mut files, shipped) = (ToolFiles::default(), ShippedImports::default());
    let mut errors = Vec::new();
    let adapters = Adapters::read(policy, &mut files).unwrap_or_else(|error| {
        errors.push(error);
        Adapters::default()
    });
    let grants = Grants::of(policy);
    let mut world = |name: &str| -> Result<_, SessionError> {
        let offered = adapters.of(name);
        let (mut world, bytes) = match policy.tools().custom.get(name) {
            Some(custom) => {
                let file = files.of(name, custom)?;
                (file.imports.decide(name, &grants.of_custom(custom), &offered), ToolBytes::Custom(file))
            }
            None => {
                let component = components.lookup(name)?;
                let imports = shipped.of(component, cache)?;
                (imports.decide(name, &grants.clone().with_threads(), &offered), ToolBytes::Shipped(component.clone()))
            }
        };
        let refused = world.rows().any(|row| row.decision == Decision::Refused);
        if !refused && let Some(finding) = adapters.misfit(&world, &bytes, cache)? {
            world.refuse_adapters(finding.message());
        }
        Ok(world)
    };
    let mut worlds = Vec::new();
    for name in policy.tools().components() {
        match world(name) {
            Ok(world) => worlds.push(world),
            Err(error) => errors.push(error),
        }
    }
    if let Err(unused) = adapters.unused(worlds.iter()).decide(()) {
        errors.push(unused.into());
    }
    (worlds, errors)
}
