//! Components that a program holds: the table that the build script of `wisp-embedded` writes, and the source made of it.

use std::fmt;

use crate::{ComponentError, Components, Entry, Place, Stored};

/// Bytes that a program holds: compressed with zstd, with what they must unpack to.
pub struct Packed {
    /// The compressed bytes.
    pub zstd: &'static [u8],
    /// The SHA-256 of the unpacked bytes, in lower-case hexadecimal.
    pub sha256: &'static str,
    /// The number of the unpacked bytes.
    pub size: u64,
}

/// A component that a program holds.
#[derive(Debug)]
pub struct PackedComponent {
    /// Its name on the sandbox's PATH.
    pub name: &'static str,
    /// Its other names.
    pub applets: &'static [&'static str],
    /// The component itself.
    pub wasm: Packed,
    /// The archive (tar) of files that it needs in the sandbox.
    pub base: Option<Packed>,
}

/// Makes a source of these components. None of them is unpacked yet. `place` says what holds them, for messages.
///
/// # Errors
/// `Empty` if the table is.
pub fn components(place: &str, table: &[PackedComponent]) -> Result<Components, ComponentError> {
    let entries = table.iter().map(|packed| Entry {
        name: packed.name.to_owned(),
        applets: packed.applets.iter().map(|&name| name.to_owned()).collect(),
        wasm: stored(&packed.wasm),
        base: packed.base.as_ref().map(stored),
        exceptions: false,
    });
    Components::new(place.to_owned(), None, entries)
}

fn stored(packed: &Packed) -> Stored {
    Stored { sha256: packed.sha256.to_owned(), size: packed.size, place: Place::Packed(packed.zstd) }
}

impl fmt::Debug for Packed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Packed").field("sha256", &self.sha256).field("size", &self.size).finish_non_exhaustive()
    }
}
