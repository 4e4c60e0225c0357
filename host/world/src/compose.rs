//! Component + deny provider → one component that no longer has the denied imports.

use super::deny::Denial;
use super::error::chain;
use super::{ComponentWorld, WorldError, denied, imports, sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::error::Error;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions};
use wisp_policy::capability::lookup;

/// Composes a component with the deny provider for what `world` denies. If nothing is denied, the component stays as
/// it is.
///
/// The result exports what the component exports, and imports exactly what was decided as host or virtual. This is
/// checked before it is returned.
pub fn compose<'a>(component: &'a [u8], world: &ComponentWorld) -> Result<Cow<'a, [u8]>, WorldError> {
    let found = sha256(component);
    if found != world.digest {
        return Err(WorldError::Changed { name: world.name.clone(), expected: world.digest.clone(), found });
    }
    let denied: Vec<&str> = denied(&world.imports).collect();
    if denied.is_empty() {
        return Ok(Cow::Borrowed(component));
    }
    let provider = Denial::read(component, &denied)
        .and_then(Denial::provider)
        .map_err(|source| WorldError::Deny { name: world.name.clone(), source })?;
    let failed = |why: String| WorldError::Compose { name: world.name.clone(), why };
    let composed = join(component, provider, &denied).map_err(|error| failed(chain(&*error)))?;
    attest(&composed, world).map_err(failed)?;
    Ok(Cow::Owned(composed))
}

pub(super) fn join(component: &[u8], provider: Vec<u8>, denied: &[&str]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let mut graph = CompositionGraph::new();
    let provider = Package::from_bytes("wisp:deny", None, provider, graph.types_mut())?;
    let provider = graph.register_package(provider)?;
    let component = Package::from_bytes("wisp:component", None, component.to_vec(), graph.types_mut())?;
    let component = graph.register_package(component)?;
    let deny = graph.instantiate(provider);
    let program = graph.instantiate(component);
    for name in denied {
        let export = graph.alias_instance_export(deny, name)?;
        graph.set_instantiation_argument(program, name, export)?;
    }
    let exports: Vec<String> = graph.types()[graph[component].ty()].exports.keys().cloned().collect();
    for name in exports {
        let export = graph.alias_instance_export(program, &name)?;
        graph.export(export, name)?;
    }
    // `attest` reads the result and compiling validates it: a third pass would only cost time.
    Ok(graph.encode(EncodeOptions { validate: false, ..EncodeOptions::default() })?)
}

/// Checks that the composed component matches the decisions.
fn attest(composed: &[u8], world: &ComponentWorld) -> Result<(), String> {
    let outline = imports::outline(composed).map_err(|error| error.to_string())?;
    if outline.exports != world.exports {
        return Err(format!("its exports would change to `{}`", outline.exports.join("`, `")));
    }
    let linked: BTreeSet<&str> = world.linked().map(|row| row.interface.as_str()).collect();
    let left: BTreeSet<&str> = outline.imports.iter().map(|import| import.name.as_str()).collect();
    if let Some(extra) = left.difference(&linked).next() {
        return Err(format!("it would still import `{extra}`"));
    }
    // Compatible versions of one interface may have become one import, under the newest of their names.
    let met = |name: &str| left.iter().any(|other| lookup(other).ok() == lookup(name).ok());
    match linked.iter().find(|name| !left.contains(*name) && !met(name)) {
        Some(lost) => Err(format!("it would lose its import `{lost}`")),
        None => Ok(()),
    }
}
