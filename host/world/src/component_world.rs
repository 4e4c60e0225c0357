//! A component, and the decision about each of its imports.

use super::adapter::{Adapter, AdapterWorld, Adapters};
use super::deny;
use super::error::WorldError;
use super::grants::Grants;
use super::import::{Import, REPORT};
use super::imports::Imports;
use super::row::ImportRow;
use std::collections::BTreeSet;
use wisp_policy::capability::{Decision, Interface};
use wisp_policy::digest::sha256;
use wisp_policy::lookup::track;

/// A component and the decision about each of its imports.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct ComponentWorld {
    pub(super) name: String,
    pub(super) digest: String,
    pub(super) world_digest: String,
    pub(super) imports: Vec<ImportRow>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) adapters: Vec<AdapterWorld>,
    #[serde(skip)]
    pub(super) exports: Vec<String>,
}

/// Decides about every import of a component that has nothing in front of it. Reports all refused imports at once.
///
/// To decide more than once, read the component once with [`Imports::read`].
///
/// # Errors
/// If it is no component, or imports something that is refused.
pub fn resolve(name: &str, component: &[u8], grants: &Grants) -> Result<ComponentWorld, WorldError> {
    Imports::read(name, component)?.resolve(name, grants, &[])
}

impl Imports {
    /// Decides about every import, with `adapters` in front of those that they are for. Reports all refused imports at once.
    ///
    /// # Errors
    /// If an import is refused, of the component or of one in front of it.
    pub fn resolve(&self, name: &str, grants: &Grants, adapters: &[Adapter<'_>]) -> Result<ComponentWorld, WorldError> {
        let world = self.decide(name, grants, adapters);
        let fronts = world.adapters.iter().map(|adapter| (&adapter.name, &adapter.imports));
        for (name, rows) in std::iter::once((&world.name, &world.imports)).chain(fronts) {
            let refused: Vec<ImportRow> = rows.iter().filter(|row| row.decision == Decision::Refused).cloned().collect();
            if !refused.is_empty() {
                return Err(WorldError::Refused { name: name.clone(), refused });
            }
        }
        Ok(world)
    }

    /// Decides as [`Imports::resolve`] does, but keeps refused imports as rows, for `wisp explain`.
    ///
    /// What a component in front imports is decided by the same grants, so it has nothing that the component behind it could not have.
    pub fn decide(&self, name: &str, grants: &Grants, adapters: &[Adapter<'_>]) -> ComponentWorld {
        let mut fronts = Adapters::new(adapters);
        let imports = self.rows(grants, |import| fronts.row(import));
        // Threads are the program's: the host relies on what switches between them.
        let grants = grants.clone().without_threads();
        let adapters = fronts.decided(|imports| imports.rows(&grants, |_| None));
        ComponentWorld {
            name: name.to_owned(),
            digest: self.digest.clone(),
            world_digest: world_digest(&self.digest, &imports, &adapters),
            imports,
            adapters,
            exports: self.outline.exports.clone(),
        }
    }

    /// Decides about each import: by what `front` says, if it says something.
    fn rows(&self, grants: &Grants, mut front: impl FnMut(&Import) -> Option<ImportRow>) -> Vec<ImportRow> {
        let decided = |import| {
            if let Some(row) = front(import) {
                return row;
            }
            let mut row = ImportRow::decide(import, grants);
            let obstacle = self.undeniable.iter().find(|(interface, _)| *interface == row.interface);
            if let Some((_, reason)) = obstacle
                && row.decision == Decision::Denied
            {
                row.refuse(reason.clone());
            }
            row
        };
        let mut rows: Vec<ImportRow> = self.outline.imports.iter().map(decided).collect();
        if denied(&rows).next().is_some() {
            rows.push(ImportRow::report());
        }
        rows
    }
}

impl ComponentWorld {
    /// Returns the name given to the component.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the SHA-256 of the component, in lower-case hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// Returns the digest of the component and of every decision about it, whichever rules made them.
    pub fn world_digest(&self) -> &str {
        &self.world_digest
    }

    /// Returns the digest that identifies the result of [`compose`](crate::compose): it depends on what was denied and on what stands in
    /// front, not on what is host or virtual. It is the key for caches of composed components and their machine code.
    pub fn composition_digest(&self) -> String {
        if self.adapters.is_empty() && denied(&self.imports).next().is_none() {
            return self.digest.clone();
        }
        let sorted = |rows| {
            let mut names: Vec<&str> = denied(rows).collect();
            names.sort_unstable();
            names.join("\n")
        };
        let mut text = format!("{}\n{}\n{}\n", deny::FORMAT, self.digest, sorted(&self.imports));
        text.extend(self.adapters.iter().map(|adapter| format!("{}\n{}\n", adapter.identity(), sorted(&adapter.imports))));
        sha256(text.as_bytes())
    }

    /// Returns every import, in the component's order.
    pub fn imports(&self) -> &[ImportRow] {
        &self.imports
    }

    /// Returns the components in front of its imports, in the order of the imports.
    pub fn adapters(&self) -> &[AdapterWorld] {
        &self.adapters
    }

    /// Returns every row: those of the component, then those of the components in front of it.
    pub fn rows(&self) -> impl Iterator<Item = &ImportRow> {
        self.imports.iter().chain(self.adapters.iter().flat_map(|adapter| &adapter.imports))
    }

    /// Refuses every import that a component stands in front of, because they do not fit.
    pub fn refuse_adapters(&mut self, reason: &str) {
        self.imports.iter_mut().filter(|row| row.decision == Decision::Component).for_each(|row| row.refuse(reason.to_owned()));
    }

    /// Returns the names of what the component exports.
    pub fn exports(&self) -> &[String] {
        &self.exports
    }

    /// Returns the interfaces that the linker must provide, and no others: those decided as host or virtual.
    pub fn host_interfaces(&self) -> BTreeSet<Interface> {
        self.linked().filter_map(|row| row.known).collect()
    }

    /// Returns the instance that the deny provider calls, if anything is denied: `denied: func(u32)`.
    pub fn report(&self) -> Option<&'static str> {
        self.rows().any(|row| row.interface == REPORT).then_some(REPORT)
    }

    /// Returns the decision about `interface`, if the component imports it.
    pub fn decision(&self, interface: Interface) -> Option<Decision> {
        self.imports.iter().find(|row| row.known == Some(interface)).map(|row| row.decision)
    }

    /// Returns the export that runs the program, `wasi:cli/run` of WASI 0.2.
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

    pub(super) fn linked(&self) -> impl Iterator<Item = &ImportRow> {
        self.rows().filter(|row| matches!(row.decision, Decision::Host | Decision::Virtual))
    }
}

/// Returns the imports that the deny provider satisfies.
pub(super) fn denied(rows: &[ImportRow]) -> impl Iterator<Item = &str> {
    rows.iter().filter(|row| row.decision == Decision::Denied).map(|row| row.interface.as_str())
}

fn world_digest(component: &str, rows: &[ImportRow], adapters: &[AdapterWorld]) -> String {
    let mut text = format!("world 1\n{component}\n");
    let lines = |rows: &[ImportRow]| {
        let mut lines: Vec<String> = rows.iter().map(|row| format!("{} {}\n", row.decision, row.interface)).collect();
        lines.sort_unstable();
        lines.concat()
    };
    text.push_str(&lines(rows));
    if rows.iter().chain(adapters.iter().flat_map(|adapter| &adapter.imports)).any(|row| row.decision == Decision::Denied) {
        text.push_str(&format!("{}\n", deny::FORMAT));
    }
    for adapter in adapters {
        text.push_str(&format!("{}\n{}", adapter.identity(), lines(&adapter.imports)));
    }
    sha256(text.as_bytes())
}
