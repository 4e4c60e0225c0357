//! The components that this tree has built, for its tests, benches and fuzz targets: none of them holds any, so that a changed
//! guest compiles none of them again. A crate of its own, because the tests inside the library need it too.

use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use wisp_components::{COMPONENTS_VARIABLE, ComponentError, Components};

/// Where `toolchain/build-components` puts those for development, in the repository. Documents, examples and cases name this place; a
/// test that runs them has the components of [`folder`] there.
pub const PLACE: &str = "target/components";

/// Returns the folder of the components: the one that `WISP_COMPONENTS` names; or the one from which `wisp-embedded` takes its
/// components, which is what `WISP_COMPONENTS_DIR` names (`toolchain/just` does under `WISP_GUESTS=optimised`), or `target/components`.
pub fn folder() -> PathBuf {
    let mut named = [COMPONENTS_VARIABLE, "WISP_COMPONENTS_DIR"].into_iter().filter_map(std::env::var_os);
    let here = Path::new(env!("CARGO_MANIFEST_DIR")); // `tests/built`
    let built = || here.ancestors().nth(2).unwrap_or(here).join(PLACE);
    named.find(|folder| !folder.is_empty()).map_or_else(built, PathBuf::from)
}

/// Whether these are the components as they are shipped, not as they are built for development.
pub fn optimised() -> bool {
    folder().ends_with("components-optimised")
}

/// Returns the components of [`folder`]. They are read once in a process.
///
/// # Panics
/// If there are none: the message says how to build them.
pub fn components() -> Components {
    static BUILT: LazyLock<Result<Components, ComponentError>> = LazyLock::new(|| Components::from_folder(folder()));
    match &*BUILT {
        Ok(components) => components.clone(),
        Err(error) => panic!("{error}"),
    }
}
