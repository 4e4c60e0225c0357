//! The memory of a snapshot: what differs from the component's own image, which is not in the file.

use std::io::{self, Read, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;

use serde::{Deserialize, Serialize};

use super::error::SnapshotFileError;
use crate::runtime::memory::{Image, MemoryShape, sealed};

/// Bytes transferred at a time.
const PIECE: usize = 256 << 10;

/// The size of the blocks that are checked for zeros; blocks of zeros are not written.
const BLOCK: usize = 4096;

static ZEROS: [u8; BLOCK] = [0; BLOCK];

/// Maximum ranges of memory; [`crate::runtime::memory::Image`] makes fewer.
const MAX_RANGES: usize = 256;

/// What the file says about the memory.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Memory {
    pub(super) shape: MemoryShape,
    /// The digest of the component's own image.
    pub(super) base: String,
    pub(super) size: u64,
    /// Where it differs from that image: start and end.
    pub(super) changed: Vec<(u64, u64)>,
}

impl Memory {
    /// Returns the ranges that the file holds, and the size, if they are valid.
    pub(crate) fn ranges(&self) -> Result<(Vec<Range<usize>>, usize), SnapshotFileError> {
        let wrong = || SnapshotFileError::malformed("its ranges of memory are not in order");
        let size = usize::try_from(self.size).map_err(|_| wrong())?;
        if self.changed.len() > MAX_RANGES {
            return Err(wrong());
        }
        let (page, mut last, mut ranges) = (rustix::param::page_size(), 0, Vec::new());
        for (start, end) in &self.changed {
            let range = usize::try_from(*start).map_err(|_| wrong())?..usize::try_from(*end).map_err(|_| wrong())?;
            let aligned = range.start.is_multiple_of(page) && range.end.is_multiple_of(page);
            if range.start < last || range.is_empty() || range.end > size || !aligned {
                return Err(wrong());
            }
            last = range.end;
            ranges.push(range);
        }
        Ok((ranges, size))
    }
}

/// Writes the bytes of the ranges that [`Facts`](super::Facts) lists, one after the other.
pub(crate) fn write(image: &Image, to: &mut dyn Write) -> io::Result<()> {
    image.changed().into_iter().flat_map(pieces).try_for_each(|piece| to.write_all(&image.bytes(piece)))
}

/// Reads an image over the component's own. The caller has checked that the ranges are in order, and below the limit of
/// memory.
pub(crate) fn read(base: &Image, facts: &Memory, from: &mut dyn Read) -> Result<Image, SnapshotFileError> {
    let (ranges, size) = facts.ranges()?;
    let file = sealed(|file| {
        let mut at = 0;
        file.set_len(ranges.iter().map(|range| range.len() as u64).sum())?;
        let mut buffer = vec![0; PIECE];
        for piece in ranges.iter().cloned().flat_map(pieces) {
            let buffer = &mut buffer[..piece.len()];
            from.read_exact(buffer)?;
            for run in runs(buffer) {
                file.write_all_at(&buffer[run.clone()], at + run.start as u64)?;
            }
            at += buffer.len() as u64;
        }
        Ok(())
    });
    let file = file.map_err(SnapshotFileError::of_part)?;
    Ok(base.with_file(file, &ranges, size)?)
}

/// Returns the digest that identifies the component's own image.
pub(crate) fn digest(base: &Image) -> String {
    let mut hasher = blake3::Hasher::new();
    for piece in pieces(0..base.size()) {
        hasher.update(&base.bytes(piece));
    }
    hasher.finalize().to_hex().to_string()
}

fn pieces(range: Range<usize>) -> impl Iterator<Item = Range<usize>> {
    let end = range.end;
    range.step_by(PIECE).map(move |start| start..end.min(start + PIECE))
}

/// Returns the ranges of `bytes` that are not zero, in whole blocks.
fn runs(bytes: &[u8]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (number, block) in bytes.chunks(BLOCK).enumerate() {
        if *block == ZEROS[..block.len()] {
            continue;
        }
        let start = number * BLOCK;
        match runs.last_mut() {
            Some(last) if last.end == start => last.end += block.len(),
            _ => runs.push(start..start + block.len()),
        }
    }
    runs
}
