//! The memory at the start: all data segments laid over each other, and cut again into segments.

use wasmparser::DataKind;

use crate::Error;
use crate::component::Kind;
use crate::globals::PAGE;
use crate::link::Linked;
use crate::scan::outside;
use crate::value::Value;

/// Zeros between two pieces of data that are worth a segment of their own: its header costs up to a dozen bytes.
const GAP: usize = 64;

/// Engines refuse modules with more data segments.
const SEGMENTS: usize = 100_000;

/// Below this, `ob_refcnt` counts references; from here on CPython 3.14 takes an object for immortal (32-bit builds).
const IMMORTAL_FROM: u32 = 1 << 30;

/// What CPython 3.14 gives objects that are immortal from the start (32-bit builds).
const IMMORTAL: u32 = 5 << 28;

#[derive(Default)]
pub(crate) struct Image {
    bytes: Vec<u8>,
}

impl Image {
    pub(crate) fn new(linked: &Linked<'_, '_>) -> Result<Self, Error> {
        let mut image = Self::default();
        let Some((_, memory)) = linked.memory else { return Ok(image) };
        for part in &linked.parts {
            for data in &part.module.data {
                let DataKind::Active { memory_index, offset_expr } = &data.kind else { continue };
                part.map(Kind::Memory, *memory_index)?;
                let at = Value::of(offset_expr, |index| linked.value(part, index), |index| part.func(index))?.offset()? as usize;
                if (at + data.data.len()) as u64 > memory.initial.saturating_mul(PAGE) {
                    return Err(outside(&part.name, "a data", "memory"));
                }
                image.put(at, data.data);
            }
        }
        Ok(image)
    }

    pub(crate) fn put(&mut self, at: usize, data: &[u8]) {
        let end = at + data.len();
        if self.bytes.len() < end {
            self.bytes.resize(end, 0);
        }
        self.bytes[at..end].copy_from_slice(data);
    }

    /// Makes the CPython objects at these addresses immortal; answers how many were not yet.
    pub(crate) fn immortal(&mut self, addresses: &[u32]) -> Result<usize, Error> {
        let mut changed = 0;
        for address in addresses {
            let at = *address as usize;
            let word = self.bytes.get_mut(at..at + 4).filter(|_| at.is_multiple_of(4)).ok_or_else(|| {
                Error::new(
                    format!("{address} is no address of an object"),
                    "it lies outside of the data of the component, or is not a multiple of four",
                    "list the addresses (`id(object)`) of the very component that is fused",
                )
            })?;
            let word: &mut [u8; 4] = word.try_into().map_err(|_| Error::broken("a word has four bytes"))?;
            if u32::from_le_bytes(*word) < IMMORTAL_FROM {
                *word = IMMORTAL.to_le_bytes();
                changed += 1;
            }
        }
        Ok(changed)
    }

    /// The pieces between long runs of zeros, with their addresses.
    pub(crate) fn segments(&self) -> Vec<(u32, &[u8])> {
        let mut gap = GAP;
        loop {
            let segments = self.split(gap);
            if segments.len() <= SEGMENTS {
                return segments;
            }
            gap *= 2;
        }
    }

    fn split(&self, gap: usize) -> Vec<(u32, &[u8])> {
        let mut segments = Vec::new();
        let (mut start, mut end) = (0, 0);
        // words first: most of an image is either dense or empty
        for (index, chunk) in self.bytes.chunks(8).enumerate() {
            if chunk.iter().all(|byte| *byte == 0) {
                continue;
            }
            for (inner, _) in chunk.iter().enumerate().filter(|(_, byte)| **byte != 0) {
                let at = index * 8 + inner;
                if end > start && at - end >= gap {
                    segments.push((start as u32, &self.bytes[start..end]));
                    start = at;
                } else if end == start {
                    start = at;
                }
                end = at + 1;
            }
        }
        if end > start {
            segments.push((start as u32, &self.bytes[start..end]));
        }
        segments
    }

    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

#[cfg(test)]
#[path = "image_tests.rs"]
mod tests;
