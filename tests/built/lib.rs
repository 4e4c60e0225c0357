//! The components that this tree has built, for its tests, benches and fuzz targets: none of them holds any, so that a changed
//! guest compiles none of them again. A crate of its own, because the tests inside the library need it too.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use wisp_components::{ComponentError, Components};

/// Where `toolchain/build-components` puts them.
fn folder() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")); // `tests/built`
    here.ancestors().nth(2).unwrap_or(here).join("target/components")
}

/// Returns the components of the folder that `WISP_COMPONENTS` names, otherwise those of `target/components`. They are read once
/// in a process.
///
/// # Panics
/// If there are none: the message says how to build them.
pub fn components() -> Components {
    static BUILT: LazyLock<Result<Components, ComponentError>> = LazyLock::new(|| match Components::from_env()? {
        Some(components) => Ok(components),
        None => Components::from_folder(folder()),
    });
    match &*BUILT {
        Ok(components) => components.clone(),
        Err(error) => panic!("{error}"),
    }
}
