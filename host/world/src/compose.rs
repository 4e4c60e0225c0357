//! Component + deny provider → one component that no longer has the denied imports.

use super::deny::Denial;
use super::error::chain;
use super::outer::Outer;
use super::{ComponentWorld, WorldError, denied, imports, sha256};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::error::Error;

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
    let composed = join(component, &provider, &denied).map_err(|error| failed(chain(&*error)))?;
    attest(&composed, world).map_err(failed)?;
    Ok(Cow::Owned(composed))
}

/// Puts both into one component: the provider gives the component what is denied, and what stays open is imported.
pub(super) fn join(component: &[u8], provider: &[u8], denied: &[&str]) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
    let mut outer = Outer::default();
    outer.import(component, denied)?;
    let deny = outer.instantiate(provider)?;
    for name in denied {
        outer.provide(deny, name);
    }
    let program = outer.instantiate(component)?;
    outer.export(component, program)
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
    match linked.difference(&left).next() {
        Some(lost) => Err(format!("it would lose its import `{lost}`")),
        None => Ok(()),
    }
}
