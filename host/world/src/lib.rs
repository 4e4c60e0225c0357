//! From policy to world: decides about each import of a component, and composes the component accordingly.
//!
//! [`resolve`] decides, [`compose`] puts the deny provider in the place of denied imports, and
//! [`ComponentWorld::host_interfaces`] lists what the linker has to add. Nothing else is linked.

#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests lay out folders of their own"))]

mod compose;
mod deny;
mod error;
mod grants;
mod imports;
mod items;
mod known;
mod outer;
pub mod report;
mod row;

pub use compose::compose;
pub use deny::{DenyError, is_denial};
pub use error::WorldError;
pub use grants::Grants;
pub use imports::{Imports, NotAComponent};
pub use known::denied_function;
pub use row::{ImportRow, NO_THREADS};

use std::collections::BTreeSet;
use wisp_policy::capability::{Decision, Interface, track};
use wisp_policy::digest::sha256;

/// A component and the decision about each of its imports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ComponentWorld {
    name: String,
    digest: String,
    world_digest: String,
    imports: Vec<ImportRow>,
    #[serde(skip)]
    exports: Vec<String>,
}

/// Decides about every import of a component. Reports all refused imports at once.
///
/// To decide more than once, read the component once with [`Imports::read`].
pub fn resolve(name: &str, component: &[u8], grants: &Grants) -> Result<ComponentWorld, WorldError> {
    Imports::read(name, component)?.resolve(name, grants)
}

impl Imports {
    /// Decides about every import. Reports all refused imports at once.
    pub fn resolve(&self, name: &str, grants: &Grants) -> Result<ComponentWorld, WorldError> {
        let world = self.decide(name, grants);
        let refused: Vec<ImportRow> = world.imports.iter().filter(|row| row.decision == Decision::Refused).cloned().collect();
        if refused.is_empty() { Ok(world) } else { Err(WorldError::Refused { name: name.to_owned(), refused }) }
    }

    /// Decides as [`Imports::resolve`] does, but keeps refused imports as rows, for `wisp explain`.
    pub fn decide(&self, name: &str, grants: &Grants) -> ComponentWorld {
        let decided = |import| {
            let mut row = ImportRow::decide(import, grants);
            let obstacle = self.undeniable.iter().find(|(interface, _)| *interface == row.interface);
            if let Some((_, reason)) = obstacle
                && row.decision == Decision::Denied
            {
                row.refuse(reason.clone());
            }
            row
        };
        let mut imports: Vec<ImportRow> = self.outline.imports.iter().map(decided).collect();
        if denied(&imports).next().is_some() {
            imports.push(ImportRow::report());
        }
        ComponentWorld {
            name: name.to_owned(),
            digest: self.digest.clone(),
            world_digest: world_digest(&self.digest, &imports),
            imports,
            exports: self.outline.exports.clone(),
        }
    }
}

impl ComponentWorld {
    /// The name given to the component.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The SHA-256 of the component, in lower-case hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The digest of the component and of every decision about it, whichever rules made them.
    pub fn world_digest(&self) -> &str {
        &self.world_digest
    }

    /// The digest that identifies the result of [`compose`]: it depends on what was denied, not on what is host or
    /// virtual. It is the key for caches of composed components and their machine code.
    pub fn composition_digest(&self) -> String {
        let mut denied: Vec<&str> = denied(&self.imports).collect();
        if denied.is_empty() {
            return self.digest.clone();
        }
        denied.sort_unstable();
        sha256(format!("{}\n{}\n{}\n", deny::FORMAT, self.digest, denied.join("\n")).as_bytes())
    }

    /// Every import, in the component's order.
    pub fn imports(&self) -> &[ImportRow] {
        &self.imports
    }

    /// The names of what the component exports.
    pub fn exports(&self) -> &[String] {
        &self.exports
    }

    /// The interfaces that the linker must provide, and no others: those decided as host or virtual.
    pub fn host_interfaces(&self) -> BTreeSet<Interface> {
        self.linked().filter_map(|row| row.known).collect()
    }

    /// The instance that the deny provider calls, if anything is denied: `denied: func(u32)`.
    pub fn report(&self) -> Option<&'static str> {
        self.imports.iter().any(|row| row.interface == deny::REPORT).then_some(deny::REPORT)
    }

    /// The decision about `interface`, if the component imports it.
    pub fn decision(&self, interface: Interface) -> Option<Decision> {
        self.imports.iter().find(|row| row.known == Some(interface)).map(|row| row.decision)
    }

    /// The export that runs the program, `wasi:cli/run` of WASI 0.2.
    pub fn program(&self) -> Result<&str, WorldError> {
        let run = |export: &&String| {
            export.split_once('@').is_some_and(|(name, version)| {
                name == Interface::CliRun.name() && track(version).as_deref() == Some(Interface::CliRun.track())
            })
        };
        self.exports
            .iter()
            .find(run)
            .map(String::as_str)
            .ok_or_else(|| WorldError::NotAProgram { name: self.name.clone(), exports: self.exports.clone() })
    }

    fn linked(&self) -> impl Iterator<Item = &ImportRow> {
        self.imports.iter().filter(|row| matches!(row.decision, Decision::Host | Decision::Virtual))
    }
}

/// The imports that the deny provider satisfies.
fn denied(rows: &[ImportRow]) -> impl Iterator<Item = &str> {
    rows.iter().filter(|row| row.decision == Decision::Denied).map(|row| row.interface.as_str())
}

fn world_digest(component: &str, rows: &[ImportRow]) -> String {
    let mut text = format!("world 1\n{component}\n");
    let mut lines: Vec<String> = rows.iter().map(|row| format!("{} {}\n", row.decision, row.interface)).collect();
    lines.sort_unstable();
    if rows.iter().any(|row| row.decision == Decision::Denied) {
        lines.push(format!("{}\n", deny::FORMAT));
    }
    text.extend(lines);
    sha256(text.as_bytes())
}

#[cfg(test)]
mod tests;
