//! The deny provider: a component that exports the denied interfaces of another component and grants nothing.
//!
//! It is made from the component's own imports, so it fits any version and any subset of an interface. A function
//! whose error type has a case for denial returns that case. A function that only creates a resource of the denied
//! package returns an empty handle, so that programs reach the call that can be denied. Anything else traps, in a
//! core function whose name says what was denied. The provider has one page of memory, no data, no state.
//!
//! A denied call is first reported by number: the provider's one import takes the number and returns nothing.

mod answer;
mod module;

pub use module::is_denial;

use super::error::{DenyError, chain};
use answer::Answer;
use std::error::Error;
use wit_component::{ComponentEncoder, DecodedWasm, StringEncoding, embed_component_metadata};
use wit_parser::{InterfaceId, Resolve, WorldItem, WorldKey};

/// Raised when the provider's code or the composition changes, so that composed components in caches are not reused.
pub(super) const FORMAT: &str = "deny 6";

/// The digest of the numbers that functions are reported by, for the test that says when to raise [`FORMAT`].
#[cfg(test)]
pub(super) const NUMBERS: &str = "6c11e18d9347b158e9f710fe5f76999ae27a8aa286474d3928a34cac4bb02ee4";

/// The denied imports of one component.
pub(super) struct Denial {
    resolve: Resolve,
    denied: Vec<(String, InterfaceId)>,
}

impl Denial {
    /// Reads the imports called `names` from a component.
    pub(super) fn read(component: &[u8], names: &[&str]) -> Result<Self, DenyError> {
        let decoded = wit_component::decode(component).map_err(|error| DenyError::Imports(format!("{error:#}")))?;
        let DecodedWasm::Component(resolve, world) = decoded else {
            return Err(DenyError::Imports("this is a WIT package, not a program".to_owned()));
        };
        let mut denied = Vec::new();
        for name in names {
            let found = resolve.worlds[world].imports.iter().find_map(|(key, item)| match (key, item) {
                (WorldKey::Interface(_), WorldItem::Interface { id, .. }) if resolve.name_world_key(key) == *name => Some(*id),
                _ => None,
            });
            let id = found.ok_or_else(|| DenyError::NotImported((*name).to_owned()))?;
            denied.push(((*name).to_owned(), id));
        }
        Ok(Self { resolve, denied })
    }

    /// Returns the interfaces that cannot be denied, each with the reason. They must be refused.
    pub(super) fn obstacles(&self) -> Vec<(String, String)> {
        let mut obstacles = Vec::new();
        for (name, id) in &self.denied {
            let interface = &self.resolve.interfaces[*id];
            let answers: Vec<_> =
                interface.functions.iter().map(|(function, of)| (function, answer::answer(&self.resolve, &self.denied, of))).collect();
            let asynchronous = interface
                .functions
                .values()
                .find(|function| function.kind.is_async() || !function.find_futures_and_streams(&self.resolve).is_empty());
            if let Some(function) = asynchronous {
                obstacles.push((name.clone(), format!("`{}` is asynchronous, which wisp does not run", function.name)));
                continue;
            }
            let answered = answers.iter().any(|(_, answer)| matches!(answer, Answer::Denial { .. } | Answer::Inert(_)));
            let stub = answers.iter().find(|(_, answer)| matches!(answer, Answer::Trap));
            if let Some((function, _)) = stub
                && !answered
                && !interface.types.values().any(|ty| answer::denial_case(&self.resolve, *ty).is_some())
            {
                let reason = format!("it cannot report a denial: `{function}` has no such error");
                obstacles.push((name.clone(), reason));
            }
        }
        obstacles
    }

    /// Returns the provider, a component that exports every denied interface.
    pub(super) fn provider(self) -> Result<Vec<u8>, DenyError> {
        self.encode().map_err(|error| DenyError::Encoding(chain(&*error)))
    }

    fn encode(mut self) -> Result<Vec<u8>, Box<dyn Error + Send + Sync>> {
        let mut text = String::from("package wisp:deny@0.1.0;\ninterface report { denied: func(function: u32); }\n");
        text.push_str("world deny {\n  import report;\n");
        for (name, _) in &self.denied {
            text.push_str(&format!("  export {name};\n"));
        }
        text.push_str("}\n");
        let package = self.resolve.push_source("deny.wit", &text)?;
        let world = self.resolve.select_world(&[package], Some("deny"))?;
        let mut module = module::core(&self.resolve, &self.denied);
        embed_component_metadata(&mut module, &self.resolve, world, StringEncoding::UTF8)?;
        // Its imports are found by the names that the component has for them, whatever versions they are.
        Ok(ComponentEncoder::default().merge_imports_based_on_semver(false).module(&module)?.encode()?)
    }
}
