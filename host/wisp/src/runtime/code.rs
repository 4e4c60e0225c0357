//! From components to machine code and images of memory, through the cache.

#![expect(clippy::disallowed_methods, reason = "whether /proc is there to open a checked file by")]

use std::fs::File;
use std::io::{self, Read, Seek};
use std::ops::Range;
use std::os::fd::AsRawFd;
use std::os::unix::fs::FileExt;
use std::path::Path;

use wasmtime::component::Component;

use super::cache::{CodeCache, Kept, Place, key};
use super::data_image::{Extracted, extract};
use super::fault::{FailPoint, HostFault};
use super::memory::{MemoryShape, sealed};
use super::{Memory, Runtime};

/// Raised when the layout of machine code in the cache changes, or the way a component is changed before it is
/// compiled.
const CODE: &str = "wisp-code-3";

/// Raised when the layout of an image in the cache changes, or what `cost.rs` counts: the cost is kept with the image.
const IMAGE: &str = "wisp-image-5";

/// Bytes of the trailer of an image file, which describes it; the preceding bytes are the image, in whole pages.
const TRAILER: usize = 4096;

/// Origin of machine code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum CodeOrigin {
    /// The cache.
    Cached,
    /// The folder of shipped code.
    Shipped,
    /// It was compiled just now.
    Compiled,
}

/// A component ready to be linked.
pub(crate) struct Code {
    /// Its machine code.
    pub component: Component,
    /// The initial contents of its memory, if the memory is made of slots and the component has data to extract.
    pub image: Option<ImageFile>,
    /// Whether instantiating it is known to run none of its code.
    pub inert: bool,
    /// Whether its state can be its memory alone ([`Extracted::whole`]).
    pub whole: bool,
    /// Maximum host memory of an instance without its memories, in bytes; 0 if the pool bounds it.
    pub cost: u64,
    /// The words of its memory by which its program notices signals, as address and bits; none if the memory is not made of slots.
    pub signal_words: Vec<(u32, u32)>,
    /// Its origin.
    pub origin: CodeOrigin,
}

/// An image in a file.
pub(crate) struct ImageFile {
    pub shape: MemoryShape,
    pub file: File,
    pub len: usize,
}

/// A component to compile.
pub(crate) struct Uncompiled {
    pub bytes: Vec<u8>,
    /// Where in it the program is: what is around it was composed with it.
    pub program: Range<usize>,
}

impl From<Vec<u8>> for Uncompiled {
    /// Returns a component that is the program as a whole.
    fn from(bytes: Vec<u8>) -> Self {
        let program = 0..bytes.len();
        Self { bytes, program }
    }
}

/// The contents of the trailer.
#[derive(serde::Serialize, serde::Deserialize)]
struct Trailer {
    image: Option<(MemoryShape, usize)>,
    inert: bool,
    whole: bool,
    cost: u64,
    signal_words: Vec<(u32, u32)>,
}

/// What is known of a component apart from its machine code.
#[derive(Default)]
struct Known {
    image: Option<ImageFile>,
    inert: bool,
    whole: bool,
    cost: u64,
    signal_words: Vec<(u32, u32)>,
}

impl Known {
    /// Returns the code of `component`, of which this is known.
    fn code(self, component: Component, origin: CodeOrigin) -> Code {
        let Self { image, inert, whole, cost, signal_words } = self;
        Code { component, image, inert, whole, cost, signal_words, origin }
    }
}

impl From<Place> for CodeOrigin {
    fn from(place: Place) -> Self {
        match place {
            Place::Private => Self::Cached,
            Place::Shipped => Self::Shipped,
        }
    }
}

impl CodeCache {
    /// Returns where machine code for this component is (its contents are not checked); `None` if it must be compiled.
    pub(crate) fn has(&self, runtime: &Runtime, component: &str) -> Option<CodeOrigin> {
        self.place(&code_key(runtime, component)).map(CodeOrigin::from)
    }

    /// Returns the component's machine code: from the cache, from the shipped folder, or compiled from `bytes` and kept.
    /// `component` identifies what is compiled (its digest). Blocks for seconds when it compiles; `waits` is called
    /// before that.
    ///
    /// # Errors
    /// When wasmtime refuses the component. An unusable cache is not an error here.
    pub(crate) fn load<U: Into<Uncompiled>>(
        &self,
        runtime: &Runtime,
        component: &str,
        waits: impl FnOnce(),
        bytes: impl FnOnce() -> U,
    ) -> wasmtime::Result<Code> {
        let slots = matches!(runtime.memory(), Memory::Slots(_));
        if let Some(code) = self.kept(runtime, component, slots) {
            return Ok(code);
        }
        waits();
        // Held until the code is kept.
        let _turn = self.turn(&code_key(runtime, component));
        // The previous holder of the turn may have made it.
        if let Some(code) = self.kept(runtime, component, slots) {
            return Ok(code);
        }
        let Uncompiled { bytes, program } = bytes().into();
        let extracted = if slots { Some(extract(&bytes, &program)?) } else { None };
        self.fail.check(FailPoint::Compile)?;
        let code = runtime.engine().precompile_component(extracted.as_ref().map_or(&bytes, |extracted| &extracted.component))?;
        let kept = self.keep(&code_key(runtime, component), &code);
        let known = match &extracted {
            Some(extracted) => self.keep_known(component, extracted)?,
            None => Known::default(),
        };
        if let Err(error) = kept {
            self.not_kept(&error);
        }
        let mapped = self.fail.check(FailPoint::Code);
        mapped.map_err(|error| HostFault::memory("machine code cannot be mapped", error))?;
        // SAFETY: `code` was made by this engine just now, from bytes that wasmtime validated.
        let component = unsafe { Component::deserialize(runtime.engine(), &code)? };
        Ok(known.code(component, CodeOrigin::Compiled))
    }

    /// Returns the component's machine code, if it exists with everything that belongs to it.
    fn kept(&self, runtime: &Runtime, component: &str, slots: bool) -> Option<Code> {
        let (found, origin) = self.map(runtime, component)?;
        let known = if slots { self.known(component)? } else { Known::default() };
        Some(known.code(found, origin))
    }

    fn map(&self, runtime: &Runtime, component: &str) -> Option<(Component, CodeOrigin)> {
        let mut kept = self.file(&code_key(runtime, component))?;
        // SAFETY: by their digest, the contents are what this program wrote for this key, which covers wasmtime's
        // version and configuration; and only this user, or the owner of the program, can change the file.
        match unsafe { mapped(runtime.engine(), &mut kept) } {
            Ok(component) => Some((component, kept.place.into())),
            Err(error) => {
                self.unusable(kept.place, &kept.name, &format!("{error:#}"));
                None
            }
        }
    }

    /// Returns what is kept about this component.
    fn known(&self, component: &str) -> Option<Known> {
        let kept = self.file(&image_key(component))?;
        read_known(kept.file).ok()
    }

    /// Keeps what was extracted from a component, and returns it as a file.
    fn keep_known(&self, component: &str, extracted: &Extracted) -> wasmtime::Result<Known> {
        let bytes = with_trailer(extracted)?;
        let key = image_key(component);
        match self.keep(&key, &bytes) {
            Ok(()) if self.directory().is_some() => {
                if let Some(kept) = self.file(&key) {
                    return Ok(read_known(kept.file)?);
                }
            }
            Ok(()) => {}
            Err(error) => self.not_kept(&error),
        }
        Ok(read_known(sealed(|file| file.write_all_at(&bytes, 0))?)?)
    }

    /// Returns the bytes that `make` makes once and that are then kept, for reading: unpacked archives. Without a cache they are
    /// in memory.
    ///
    /// # Errors
    /// The errors of `make`.
    pub(crate) fn unpacked<E>(&self, format: &str, about: &str, make: impl FnOnce() -> Result<Vec<u8>, E>) -> Result<bytes::Bytes, E> {
        let key = key(format, about);
        let kept = || super::memory::view(self.file(&key)?.file).ok();
        if let Some(bytes) = kept() {
            return Ok(bytes);
        }
        let _turn = self.turn(&key);
        if let Some(bytes) = kept() {
            return Ok(bytes);
        }
        let bytes = make()?;
        if let Err(error) = self.keep(&key, &bytes) {
            self.not_kept(&error);
        }
        Ok(kept().unwrap_or_else(|| bytes.into()))
    }
}

/// Returns the code in a file, mapped.
///
/// # Safety
/// The file must contain what this engine compiled, and must not change while the component lives.
unsafe fn mapped(engine: &wasmtime::Engine, kept: &mut Kept) -> wasmtime::Result<Component> {
    // wasmtime 48 opens the files of components only by path: this path refers to the very file that was checked.
    let path = format!("/proc/self/fd/{}", kept.file.as_raw_fd());
    if Path::new(&path).exists() {
        // SAFETY: the caller's promise.
        return unsafe { Component::deserialize_file(engine, path) };
    }
    let mut code = Vec::new();
    kept.file.rewind()?;
    kept.file.read_to_end(&mut code)?;
    // SAFETY: the caller's promise.
    unsafe { Component::deserialize(engine, code) }
}

fn with_trailer(extracted: &Extracted) -> io::Result<Vec<u8>> {
    let Extracted { contents, inert, whole, cost, signal_words, .. } = extracted;
    let contents = contents.as_ref();
    let mut bytes = contents.map(|contents| contents.data.clone()).unwrap_or_default();
    let image = contents.map(|contents| (contents.shape, bytes.len()));
    let trailer = Trailer { image, inert: *inert, whole: *whole, cost: *cost, signal_words: signal_words.clone() };
    bytes.resize(bytes.len().next_multiple_of(rustix::param::page_size()), 0);
    let start = bytes.len();
    bytes.extend(serde_json::to_vec(&trailer)?);
    bytes.resize(start + TRAILER, b'\n');
    Ok(bytes)
}

fn read_known(file: File) -> io::Result<Known> {
    let size = file.metadata()?.len();
    let start = size.checked_sub(TRAILER as u64).ok_or(io::ErrorKind::UnexpectedEof)?;
    let mut trailer = [0; TRAILER];
    file.read_exact_at(&mut trailer, start)?;
    let trailer: Trailer = serde_json::from_slice(&trailer)?;
    let image = trailer.image.map(|(shape, len)| ImageFile { shape, file, len });
    if image.as_ref().is_some_and(|image| image.len as u64 > start) {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Known { image, inert: trailer.inert, whole: trailer.whole, cost: trailer.cost, signal_words: trailer.signal_words })
}

/// Returns the key of what is extracted from a component. An image consists of whole pages of this machine.
fn image_key(component: &str) -> String {
    key(&format!("{IMAGE} {}", rustix::param::page_size()), component)
}

fn code_key(runtime: &Runtime, component: &str) -> String {
    use std::hash::Hash;
    /// Feeds wasmtime's compatibility information to a cryptographic hash.
    struct Blake(blake3::Hasher);
    impl std::hash::Hasher for Blake {
        fn finish(&self) -> u64 {
            0
        }
        fn write(&mut self, bytes: &[u8]) {
            self.0.update(bytes);
        }
    }
    let mut hasher = Blake(blake3::Hasher::new());
    hasher.0.update(CODE.as_bytes());
    hasher.0.update(&rustix::param::page_size().to_le_bytes());
    hasher.0.update(runtime.memory().name().as_bytes());
    runtime.engine().precompile_compatibility_hash().hash(&mut hasher);
    hasher.0.update(component.as_bytes());
    hasher.0.finalize().to_hex()[..32].to_owned()
}

#[cfg(test)]
#[path = "code_tests.rs"]
mod tests;
