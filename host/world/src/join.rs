//! Several components in one: each instantiated once, imports satisfied by exports, the rest imported from outside. `wac-graph` does it.

use super::deny::Denial;
use super::error::DenyError;
use std::collections::BTreeMap;
use std::error::Error;
use wac_graph::types::Package;
use wac_graph::{CompositionGraph, EncodeOptions, InstantiationArgumentError, NodeId};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// A component to put inside.
pub(super) struct Part<'a> {
    pub bytes: &'a [u8],
    /// The imports that are denied.
    pub denied: Vec<&'a str>,
    /// The provider of them, if any are.
    pub provider: Option<Vec<u8>>,
}

impl<'a> Part<'a> {
    /// Makes the provider for what is denied.
    pub(super) fn new(bytes: &'a [u8], denied: Vec<&'a str>) -> std::result::Result<Self, DenyError> {
        let provider = if denied.is_empty() { None } else { Some(Denial::read(bytes, &denied).and_then(Denial::provider)?) };
        Ok(Self { bytes, denied, provider })
    }
}

/// The composition in the making.
#[derive(Default)]
pub(super) struct Joined {
    graph: CompositionGraph,
    /// How many components are inside, for names.
    count: usize,
}

impl Joined {
    /// Puts a component inside and satisfies its imports: by `given`, by its provider of denials, and otherwise from outside. Returns its
    /// instance.
    pub(super) fn add(&mut self, part: &Part<'_>, given: &BTreeMap<&str, NodeId>) -> Result<NodeId> {
        let instance = self.instantiate(part.bytes)?;
        for (import, node) in given {
            self.graph.set_instantiation_argument(instance, import, *node)?;
        }
        if let Some(provider) = &part.provider {
            let provider = self.instantiate(provider)?;
            // A denied interface may use types of one that a component satisfies.
            for (import, node) in given {
                match self.graph.set_instantiation_argument(provider, import, *node) {
                    Ok(()) | Err(InstantiationArgumentError::InvalidArgumentName { .. }) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            for name in &part.denied {
                let denial = self.graph.alias_instance_export(provider, name)?;
                self.graph.set_instantiation_argument(instance, name, denial)?;
            }
        }
        Ok(instance)
    }

    /// Returns what an instance exports under this name.
    pub(super) fn export_of(&mut self, instance: NodeId, name: &str) -> Result<NodeId> {
        Ok(self.graph.alias_instance_export(instance, name)?)
    }

    /// Exports from the whole what `instance` exports under these names, and returns the whole.
    pub(super) fn finish<'n>(mut self, instance: NodeId, exports: impl Iterator<Item = &'n str>) -> Result<Vec<u8>> {
        for name in exports {
            let export = self.graph.alias_instance_export(instance, name)?;
            self.graph.export(export, name)?;
        }
        // What is made is validated when it is attested.
        Ok(self.graph.encode(EncodeOptions { validate: false, ..EncodeOptions::default() })?)
    }

    fn instantiate(&mut self, bytes: &[u8]) -> Result<NodeId> {
        let name = format!("wisp:part{}", self.count);
        self.count += 1;
        let package = Package::from_bytes(&name, None, bytes, self.graph.types_mut()).map_err(<Box<dyn Error + Send + Sync>>::from)?;
        let package = self.graph.register_package(package)?;
        Ok(self.graph.instantiate(package))
    }
}
