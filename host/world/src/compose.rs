//! Component + components in front of its imports + deny providers → one component that imports exactly what was decided.

use super::adapter::compatible;
use super::component_world::{ComponentWorld, denied};
use super::error::{NotAComponent, WorldError, chain};
use super::imports;
use super::join::{Joined, Part};
use super::row::ImportRow;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::ops::Range;
use wasmparser::{Parser, Payload};
use wisp_policy::digest::sha256;

/// A component as a world has it.
#[derive(Debug)]
#[non_exhaustive]
pub struct Composed<'a> {
    /// The component.
    pub bytes: Cow<'a, [u8]>,
    /// Where in it the component is that was composed with others: what is around it belongs to others.
    pub program: Range<usize>,
}

/// Composes a component with those in front of its imports ([`ComponentWorld::adapters`], whose bytes are `adapters` in the same order)
/// and with the deny provider for what `world` denies. If nothing is denied and nothing stands in front, the component stays as it is.
///
/// The result exports what the component exports, and imports exactly what was decided as host or virtual. This is
/// checked before it is returned.
///
/// # Errors
/// If these are not the bytes that were decided about, if the types of an import and of what stands in front of it do not fit, or if the
/// result does not match the decisions.
pub fn compose<'a>(component: &'a [u8], adapters: &[&'a [u8]], world: &ComponentWorld) -> Result<Composed<'a>, WorldError> {
    unchanged(&world.name, component, &world.digest)?;
    let failed = |why: String| WorldError::Compose { name: world.name.clone(), why };
    if adapters.len() != world.adapters.len() {
        return Err(failed(format!("{} components are to stand in front of it, and {} are given", world.adapters.len(), adapters.len())));
    }
    for (bytes, adapter) in adapters.iter().zip(&world.adapters) {
        unchanged(&adapter.name, bytes, &adapter.digest)?;
    }
    let rows = std::iter::once(&world.imports).chain(world.adapters.iter().map(|adapter| &adapter.imports));
    let mut parts = Vec::with_capacity(1 + adapters.len());
    for (bytes, rows) in std::iter::once(component).chain(adapters.iter().copied()).zip(rows) {
        let part = Part::new(bytes, denied(rows).collect());
        parts.push(part.map_err(|source| WorldError::Deny { name: world.name.clone(), source })?);
    }
    if let [alone] = &parts[..]
        && alone.provider.is_none()
    {
        return Ok(Composed { bytes: Cow::Borrowed(component), program: 0..component.len() });
    }
    let composed = join(world, &parts).map_err(|error| failed(chain(&*error)))?;
    attest(&composed, world).map_err(failed)?;
    let program = place(&composed, component).ok_or_else(|| failed("it is not in the composed component".to_owned()))?;
    Ok(Composed { bytes: Cow::Owned(composed), program })
}

fn unchanged(name: &str, bytes: &[u8], expected: &str) -> Result<(), WorldError> {
    let found = sha256(bytes);
    if found == expected {
        return Ok(());
    }
    Err(WorldError::Changed { name: name.to_owned(), expected: expected.to_owned(), found })
}

/// Puts all parts into one component: the first is the program, the others stand in front of its imports.
fn join(world: &ComponentWorld, parts: &[Part<'_>]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let (program, adapters) = parts.split_first().ok_or("there is no program")?;
    let (mut joined, mut given) = (Joined::default(), BTreeMap::new());
    for (part, adapter) in adapters.iter().zip(&world.adapters) {
        let instance = joined.add(part, &BTreeMap::new())?;
        for provided in &adapter.provides {
            given.insert(provided.import.as_str(), joined.export_of(instance, &provided.export)?);
        }
    }
    let instance = joined.add(program, &given)?;
    joined.finish(instance, world.exports.iter().map(String::as_str))
}

/// Checks that the composed component matches the decisions. Versions of one interface that are compatible are one import of it.
fn attest(composed: &[u8], world: &ComponentWorld) -> Result<(), String> {
    let outline = imports::outline(composed).map_err(|error| match error {
        // One line for each step into the type; in brackets is what only the validator knows its way by.
        NotAComponent::Damaged(why) => {
            let steps: Vec<&str> = why.lines().map(|step| step.split_once(" (").map_or(step, |(text, _)| text)).collect();
            format!("the types do not fit together: {}", steps.join(": "))
        }
        other => other.to_string(),
    })?;
    if outline.exports != world.exports {
        return Err(format!("its exports would change to `{}`", outline.exports.join("`, `")));
    }
    let linked: BTreeSet<String> = world.linked().map(|row: &ImportRow| compatible(&row.interface)).collect();
    let left: BTreeSet<String> = outline.imports.iter().map(|import| compatible(&import.name)).collect();
    if let Some(extra) = left.difference(&linked).next() {
        return Err(format!("it would still import `{extra}`"));
    }
    match linked.difference(&left).next() {
        Some(lost) => Err(format!("it would lose its import `{lost}`")),
        None => Ok(()),
    }
}

/// Returns where `component` is among those of the composition.
fn place(composed: &[u8], component: &[u8]) -> Option<Range<usize>> {
    let mut payloads = Parser::new(0).parse_all(composed).filter_map(|payload| match payload {
        Ok(Payload::ComponentSection { unchecked_range, .. }) => Some(unchecked_range),
        _ => None,
    });
    payloads.find(|range| composed.get(range.clone()) == Some(component))
}
