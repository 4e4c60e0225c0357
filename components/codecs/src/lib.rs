//! Compression and scrypt for CPython's modules `bz2`, `lzma`, `compression.zstd` and `hashlib`.
//!
//! The extension module `_wisp_codecs` (`module.rs`) is linked into the component like CPython's own modules: it lives in the
//! interpreter's memory, under the process's limits, and belongs to its snapshots. It has only streams of bytes; their
//! classes are Python (`components/python/lib/_bz2.py`, `_lzma.py`, `_zstd.py`).

#![cfg_attr(target_family = "wasm", no_std)]

extern crate alloc;

mod bzip2;
mod lzma;
#[cfg(target_family = "wasm")]
mod module;
mod scrypt;
mod zstd;

use alloc::boxed::Box;
use alloc::vec::Vec;

pub use scrypt::mix;

/// Why a codec stopped: a text for the exception. [`NO_MEMORY`] is a `MemoryError`.
pub type Failure = &'static str;

/// The failure of an allocation.
pub const NO_MEMORY: Failure = "memory";

/// What one step did.
#[derive(Debug, Default)]
pub struct Step {
    /// Bytes taken from the input.
    pub consumed: usize,
    /// Whether the compressed stream is complete.
    pub ended: bool,
    /// Bytes that earlier steps took from the input and that lie behind the end of the stream.
    pub behind: Vec<u8>,
}

/// What a compressor does after it has taken its input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flush {
    /// Keep what it likes to keep.
    No,
    /// Write all that it has taken (zstd only).
    Block,
    /// Complete the stream.
    End,
}

/// A stream being compressed or decompressed.
pub trait Codec {
    /// Takes input and appends output to `out`. A compressor takes all of it. A decompressor stops after `room` bytes of
    /// output, at the end of the stream, or when the input is used up.
    ///
    /// # Errors
    /// When the data are not what the format requires, or there is no memory. The stream is of no use then.
    fn step(&mut self, input: &[u8], flush: Flush, room: usize, out: &mut Vec<u8>) -> Result<Step, Failure>;
}

/// Begins a stream. `kind` names the codec; `parameters` are numbers whose meaning it knows.
///
/// # Errors
/// When there is no such codec, or it does not accept the parameters.
pub fn open(kind: u32, parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
    match kind {
        0 => bzip2::Compressor::open(parameters),
        1 => bzip2::Decompressor::open(),
        2 => lzma::compressor(parameters),
        3 => lzma::decompressor(parameters),
        4 => zstd::Compressor::open(parameters),
        5 => zstd::Decompressor::open(parameters),
        _ => Err("no such codec"),
    }
}

/// Bytes of output that a codec makes at a time.
const CHUNK: usize = 64 << 10;

/// Lets `write` fill up to `limit` bytes behind the end of `out`; it returns how many it wrote.
fn append<R>(out: &mut Vec<u8>, limit: usize, write: impl FnOnce(&mut [u8]) -> Result<(usize, R), Failure>) -> Result<(usize, R), Failure> {
    let begin = out.len();
    out.try_reserve(limit).map_err(|_| NO_MEMORY)?;
    out.resize(begin + limit, 0);
    let done = write(&mut out[begin..]);
    out.truncate(begin + done.as_ref().map_or(0, |(count, _)| *count));
    done
}

#[cfg(test)]
mod tests;
