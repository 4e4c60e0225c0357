//! bzip2, through libbz2-rs-sys.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::{c_char, c_int, c_uint};

use libbz2_rs_sys::{
    BZ_DATA_ERROR, BZ_DATA_ERROR_MAGIC, BZ_FINISH, BZ_FINISH_OK, BZ_MEM_ERROR, BZ_OK, BZ_PARAM_ERROR, BZ_RUN, BZ_RUN_OK, BZ_STREAM_END,
    BZ2_bzCompress, BZ2_bzCompressEnd, BZ2_bzCompressInit, BZ2_bzDecompress, BZ2_bzDecompressEnd, BZ2_bzDecompressInit, bz_stream,
};

use crate::{CHUNK, Codec, Failure, Flush, NO_MEMORY, Step, append};

/// Inputs are passed in pieces of this size: the library counts in 32 bits.
const PIECE: usize = 1 << 30;

pub(crate) struct Compressor(Box<bz_stream>);

pub(crate) struct Decompressor(Box<bz_stream>);

fn new_stream() -> Box<bz_stream> {
    // SAFETY: the struct has numbers, pointers and optional functions; all of them may be zero, which is how C begins it.
    Box::new(unsafe { core::mem::zeroed() })
}

impl Compressor {
    /// Opens a compressor; `parameters`: the level, 1 to 9.
    pub(crate) fn open(parameters: &[u32]) -> Result<Box<dyn Codec>, Failure> {
        let level = parameters.first().map_or(9, |level| *level as c_int);
        let mut stream = new_stream();
        // SAFETY: the stream is zeroed; it stays where it is, in its box.
        check(unsafe { BZ2_bzCompressInit(&raw mut *stream, level, 0, 0) })?;
        Ok(Box::new(Self(stream)))
    }
}

impl Decompressor {
    pub(crate) fn open() -> Result<Box<dyn Codec>, Failure> {
        let mut stream = new_stream();
        // SAFETY: as above.
        check(unsafe { BZ2_bzDecompressInit(&raw mut *stream, 0, 0) })?;
        Ok(Box::new(Self(stream)))
    }
}

impl Drop for Compressor {
    fn drop(&mut self) {
        // SAFETY: `open` has initialised it.
        unsafe { BZ2_bzCompressEnd(&raw mut *self.0) };
    }
}

impl Drop for Decompressor {
    fn drop(&mut self) {
        // SAFETY: `open` has initialised it.
        unsafe { BZ2_bzDecompressEnd(&raw mut *self.0) };
    }
}

fn check(status: c_int) -> Result<c_int, Failure> {
    match status {
        BZ_OK | BZ_RUN_OK | BZ_FINISH_OK | BZ_STREAM_END => Ok(status),
        BZ_MEM_ERROR => Err(NO_MEMORY),
        BZ_PARAM_ERROR => Err("compresslevel must be between 1 and 9"),
        BZ_DATA_ERROR | BZ_DATA_ERROR_MAGIC => Err("Invalid data stream"),
        _ => Err("Unrecognized error from libbzip2"),
    }
}

/// Calls the library once; returns what it took, what it wrote, and its status.
fn call(
    stream: &mut bz_stream,
    input: &[u8],
    out: &mut Vec<u8>,
    limit: usize,
    work: impl FnOnce(*mut bz_stream) -> c_int,
) -> Result<(usize, usize, c_int), Failure> {
    let piece = &input[..input.len().min(PIECE)];
    stream.next_in = piece.as_ptr().cast::<c_char>();
    stream.avail_in = piece.len() as c_uint;
    let (made, (left, status)) = append(out, limit, |space| {
        stream.next_out = space.as_mut_ptr().cast::<c_char>();
        stream.avail_out = space.len() as c_uint;
        let status = check(work(&raw mut *stream))?;
        Ok((space.len() - stream.avail_out as usize, (stream.avail_in as usize, status)))
    })?;
    Ok((piece.len() - left, made, status))
}

impl Codec for Compressor {
    fn step(&mut self, input: &[u8], flush: Flush, _room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        let mut consumed = 0;
        while consumed < input.len() {
            // SAFETY: `call` has set the buffers, which live until it returns.
            consumed += call(&mut self.0, &input[consumed..], out, CHUNK, |stream| unsafe { BZ2_bzCompress(stream, BZ_RUN) })?.0;
        }
        let mut ended = false;
        while flush == Flush::End && !ended {
            // SAFETY: as above.
            ended = call(&mut self.0, &[], out, CHUNK, |stream| unsafe { BZ2_bzCompress(stream, BZ_FINISH) })?.2 == BZ_STREAM_END;
        }
        Ok(Step { consumed, ended, ..Step::default() })
    }
}

impl Codec for Decompressor {
    fn step(&mut self, input: &[u8], _flush: Flush, room: usize, out: &mut Vec<u8>) -> Result<Step, Failure> {
        let (mut consumed, mut produced, mut ended) = (0, 0, false);
        while produced < room && !ended {
            let limit = CHUNK.min(room - produced);
            // SAFETY: `call` has set the buffers, which live until it returns.
            let (took, made, status) = call(&mut self.0, &input[consumed..], out, limit, |stream| unsafe { BZ2_bzDecompress(stream) })?;
            (consumed, produced, ended) = (consumed + took, produced + made, status == BZ_STREAM_END);
            if (took == 0 && made == 0) || (consumed == input.len() && made < limit) {
                break;
            }
        }
        Ok(Step { consumed, ended, ..Step::default() })
    }
}
