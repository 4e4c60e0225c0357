//! Images: the contents of a memory when an instance starts. Slots are mapped over them, copy on write.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::os::fd::AsFd;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

use rustix::fs::{MemfdFlags, SealFlags, fcntl_add_seals, memfd_create};

use super::sys::{Pagemap, Region, page};

/// Maximum files of one image, including those of the image it was derived from: each is a map in every slot, and a
/// process can have 65,530 maps.
const MAX_PARTS: usize = 24;

/// A part of an image: a file mapped at an offset. The rest is zero.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// Its range in memory, in whole pages.
    pub at: Range<usize>,
    file: Arc<File>,
    offset: u64,
    /// Whether it is from the component itself, not from a snapshot.
    pub base: bool,
}

/// The initial contents of a memory.
#[derive(Debug)]
pub(crate) struct Image {
    parts: Vec<Part>,
    /// The same mapped for reading, to copy from.
    view: Option<Region>,
    /// Bytes that are accessible at the start; the image may be shorter.
    size: usize,
}

/// Returns bytes as a sealed anonymous file.
///
/// # Errors
/// The system's: `memfd_create` may be denied, or memory may be short.
pub(crate) fn sealed(write: impl FnOnce(&File) -> io::Result<()>) -> io::Result<File> {
    let file = File::from(memfd_create("wisp-image", MemfdFlags::CLOEXEC | MemfdFlags::ALLOW_SEALING)?);
    write(&file)?;
    fcntl_add_seals(&file, SealFlags::SHRINK | SealFlags::GROW | SealFlags::WRITE | SealFlags::SEAL)?;
    Ok(file)
}

/// Returns whether anonymous files can be made here at all.
pub(crate) fn can_make_files() -> bool {
    memfd_create("wisp-probe", MemfdFlags::CLOEXEC).is_ok()
}

impl Image {
    /// Returns an image of zeros only.
    pub(crate) fn zero(size: usize) -> Self {
        Self { parts: Vec::new(), view: None, size }
    }

    /// Creates the image of the first `len` bytes of `file`, which must not change or be truncated while the image lives; then zeros up to
    /// `size`.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn of_file(file: File, len: usize, size: usize) -> io::Result<Self> {
        let mapped = len.next_multiple_of(page());
        if mapped > size {
            return Err(io::Error::other(format!("an image of {len} bytes for a memory of {size}")));
        }
        let parts = if len == 0 { Vec::new() } else { vec![Part { at: 0..mapped, file: Arc::new(file), offset: 0, base: true }] };
        Self::of_parts(parts, size)
    }

    /// Creates the image of these parts.
    ///
    /// # Errors
    /// The system's.
    fn of_parts(parts: Vec<Part>, size: usize) -> io::Result<Self> {
        let len = parts.iter().map(|part| part.at.end).max().unwrap_or(0);
        let view = if len == 0 {
            None
        } else {
            let view = Region::reserve(len)?;
            // Between the parts are readable zeros.
            view.allow(0..len, true)?;
            for part in &parts {
                // SAFETY: the reservation was made just now, and its address is not shared.
                unsafe { view.map_file(part.at.clone(), part.file.as_fd(), part.offset, false)? };
            }
            Some(view)
        };
        Ok(Self { parts, view, size })
    }

    /// Returns the number of bytes that are accessible at the start.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// Maps it into the start of a slot, for private writing.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// The slot must not be accessed at the same time, and its previous contents are lost.
    pub(super) unsafe fn map_into(&self, slot: &Region) -> io::Result<()> {
        for part in &self.parts {
            // SAFETY: the caller's promise; the files are sealed, or private to this user and never truncated (see `of_file`).
            unsafe { slot.map_file(part.at.clone(), part.file.as_fd(), part.offset, true)? };
        }
        slot.allow(0..self.size, true)
    }

    /// Writes the image's bytes in `range` to `target`, which has the same length.
    pub(super) fn copy_to(&self, range: Range<usize>, target: &mut [u8]) {
        let Some(view) = &self.view else { return target.fill(0) };
        let inside = range.start.min(view.len())..range.end.min(view.len());
        let split = inside.len();
        if split > 0 {
            // SAFETY: the view is readable everywhere, and never written: its files are sealed or never change.
            target[..split].copy_from_slice(unsafe { view.bytes(inside) });
        }
        // Never with nothing to fill: glibc's memset then stores nothing, by a mask, at the address after the target, and where that
        // page was not written yet, the processor takes thirty times as long for it.
        if split < target.len() {
            target[split..].fill(0);
        }
    }

    /// Returns whether it holds these bytes at `at`; at most one page.
    pub(super) fn holds(&self, bytes: &[u8], at: usize) -> bool {
        let view = self.view.as_ref().filter(|view| at < view.len());
        let Some(view) = view else { return bytes.iter().all(|byte| *byte == 0) };
        // SAFETY: as in `copy_to`; a view is whole pages long.
        bytes == unsafe { view.bytes(at..at + bytes.len()) }
    }

    /// Creates the image of the present contents of a slot over this image: `size` bytes of it.
    ///
    /// Only written pages are copied, to a sealed file; the rest is shared with this image.
    ///
    /// # Errors
    /// The system's.
    ///
    /// # Safety
    /// The slot must not be written to at the same time.
    pub(super) unsafe fn derive(&self, slot: &Region, size: usize, pagemap: &Pagemap) -> io::Result<Self> {
        let mut written: Vec<Range<usize>> = Vec::new();
        pagemap.written(slot, 0..size, |range| written.push(range))?;
        let ranges = joined(written, MAX_PARTS / 2);
        let file = sealed(|file| {
            let mut offset = 0;
            for range in &ranges {
                // SAFETY: below `size`, so accessible; not written by the caller's promise.
                file.write_all_at(unsafe { slot.bytes(range.clone()) }, offset)?;
                offset += range.len() as u64;
            }
            Ok(())
        })?;
        self.with_file(file, &ranges, size)
    }

    /// Returns this image with the contents of `file`, one range after the other, replacing its own.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn with_file(&self, file: File, ranges: &[Range<usize>], size: usize) -> io::Result<Self> {
        let file = Arc::new(file);
        let mut parts: Vec<Part> = self.parts.clone();
        let mut offset = 0;
        for range in ranges {
            parts = parts.iter().flat_map(|part| part.without(range)).collect();
            parts.push(Part { at: range.clone(), file: file.clone(), offset, base: false });
            offset += range.len() as u64;
        }
        parts.sort_by_key(|part| part.at.start);
        let image = Self::of_parts(parts, size)?;
        if image.parts.len() <= 2 * MAX_PARTS { Ok(image) } else { image.flattened() }
    }

    /// Returns the same with everything that came from snapshots in a single file, in fewer parts.
    fn flattened(&self) -> io::Result<Self> {
        let own: Vec<Range<usize>> = self.parts.iter().filter(|part| !part.base).map(|part| part.at.clone()).collect();
        let ranges = joined(own, MAX_PARTS / 2);
        let file = self.sealed_copy(&ranges)?;
        let mut base: Vec<Part> = self.parts.iter().filter(|part| part.base).cloned().collect();
        base.sort_by_key(|part| part.at.start);
        Self { parts: base, view: None, size: self.size }.with_file(file, &ranges, self.size)
    }

    /// Returns the image's bytes in these ranges, one after the other, in a sealed file.
    fn sealed_copy(&self, ranges: &[Range<usize>]) -> io::Result<File> {
        sealed(|file| {
            let mut offset = 0;
            for range in ranges {
                file.write_all_at(&self.bytes(range.clone()), offset)?;
                offset += range.len() as u64;
            }
            Ok(())
        })
    }

    /// Returns a copy of its bytes in a range.
    pub(crate) fn bytes(&self, range: Range<usize>) -> Vec<u8> {
        let mut bytes = vec![0; range.len()];
        self.copy_to(range, &mut bytes);
        bytes
    }

    /// Returns where it differs from the component's own image, as far as known.
    pub(crate) fn changed(&self) -> Vec<Range<usize>> {
        self.parts.iter().filter(|part| !part.base).map(|part| part.at.clone()).collect()
    }
}

impl Part {
    /// Returns what is left of it when `range` is removed.
    fn without(&self, range: &Range<usize>) -> Vec<Self> {
        let before = self.at.start..self.at.end.min(range.start).max(self.at.start);
        let after = self.at.start.max(range.end).min(self.at.end)..self.at.end;
        [before, after]
            .into_iter()
            .filter(|rest| !rest.is_empty())
            .map(|rest| Self {
                offset: self.offset + (rest.start - self.at.start) as u64,
                at: rest,
                file: self.file.clone(),
                base: self.base,
            })
            .collect()
    }
}

/// Joins ascending ranges, those with the smallest gaps first, until at most `most` are left.
fn joined(ranges: Vec<Range<usize>>, most: usize) -> Vec<Range<usize>> {
    if ranges.len() <= most {
        return ranges;
    }
    let mut gaps: Vec<usize> = ranges.windows(2).map(|pair| pair[1].start - pair[0].end).collect();
    gaps.sort_unstable();
    // As many gaps are closed as there are excess ranges; equal gaps close together.
    let widest = gaps[ranges.len() - most - 1];
    let mut result: Vec<Range<usize>> = Vec::with_capacity(most);
    for range in ranges {
        match result.last_mut() {
            Some(last) if range.start - last.end <= widest => last.end = range.end,
            _ => result.push(range),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smallest_gaps_are_closed_first() {
        let ranges = vec![0..1, 2..3, 10..11, 12..13, 40..41];
        assert_eq!(joined(ranges.clone(), 5), ranges);
        assert_eq!(joined(ranges.clone(), 3), [0..3, 10..13, 40..41]);
        assert_eq!(joined(ranges.clone(), 2), [0..13, 40..41]);
        assert_eq!(joined(ranges, 1), std::slice::from_ref(&(0..41)));
    }
}
