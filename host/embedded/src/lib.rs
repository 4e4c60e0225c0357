//! The components of wisp inside a program: the shell, the tools and Python, compressed.
//!
//! ```toml
//! wisp = { path = "../wisp/host/wisp" }
//! wisp-embedded = { path = "../wisp/host/embedded" }
//! ```
//!
//! `wisp::Engine::new(wisp_embedded::components()?)` then needs no file beside the program. The components are those of
//! `target/components` in the clone of wisp, or of the folder that the variable `WISP_COMPONENTS_DIR` names when this crate
//! is built: `toolchain/build-components` makes them first. Only programs depend on this crate, because each
//! change of a component compiles it again.

use wisp_components::{ComponentError, Components};

static TABLE: &[wisp_components::packed::PackedComponent] = include!(concat!(env!("OUT_DIR"), "/components.rs"));

/// Returns the components that this program holds. None of them is unpacked yet.
///
/// # Errors
/// [`ComponentError::Empty`] if there were none to put in when it was built.
pub fn components() -> Result<Components, ComponentError> {
    wisp_components::packed::components("this build of wisp", TABLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_component_unpacks_to_its_digest() {
        for component in components().expect("`toolchain/just build` builds them").list() {
            let bytes = component.bytes().unwrap_or_else(|error| panic!("{}: {error}", component.name()));
            assert_eq!(bytes.len() as u64, component.size(), "{}", component.name());
            let base = component.base().unwrap_or_else(|error| panic!("{}: {error}", component.name()));
            assert_eq!(base.is_some(), component.base_digest().is_some(), "{}", component.name());
        }
    }
}
