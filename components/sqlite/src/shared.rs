//! The index of a write-ahead log, which SQLite wants in memory that all processes share.
//!
//! Processes of a session share no memory. Each has a copy; what one changes goes into a file, `/tmp/.sqlite-HASH-m`, before it releases a
//! lock and at SQLite's barriers, and what others changed comes from there when it takes one and at its barriers. SQLite's own protocol does
//! the rest: it reads the index's head twice with a barrier between, and again under a lock if both differ. All connections
//! of a process have one copy.

use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use core::cell::UnsafeCell;

use crate::files::{Kind, Refusal};
use crate::libc::{CREATE, File, READ_WRITE};
use crate::locks::{Hash, Lock, Name};

/// Bytes of a part of the index, as SQLite asks for them.
pub(crate) const PART: usize = 32 << 10;

/// Bytes at the beginning that several change at a time, each under a lock of its own, in words.
const HEAD: usize = 136;
const WORD: usize = 4;

/// Bytes of the rest that are written together: only who has the writer's lock changes them.
const CHUNK: usize = 4 << 10;

/// Letters of the eight locks of the index.
const LOCKS: &[u8; 8] = b"01234567";

/// A part of the copy, which SQLite reads and writes at any time, and what is known to be in the file.
struct Part {
    copy: *mut u8,
    known: Box<[u8]>,
}

impl Part {
    fn new() -> Self {
        let copy = Box::leak(vec![0; PART].into_boxed_slice()).as_mut_ptr();
        Self { copy, known: vec![0; PART].into_boxed_slice() }
    }

    fn copy(&mut self) -> &mut [u8] {
        // SAFETY: `new` made that many bytes. SQLite, which has the pointer, does not run before this returns to it.
        unsafe { core::slice::from_raw_parts_mut(self.copy, PART) }
    }

    /// Writes what is not in the file yet of one range, in steps.
    fn push(&mut self, file: &File, at: i64, range: core::ops::Range<usize>, step: usize) -> bool {
        let mut next = range.start;
        while next < range.end {
            let piece = next..range.end.min((next / step + 1) * step);
            let new: &[u8] = &self.copy()[piece.clone()];
            // SAFETY: the copy does not move while `known` changes.
            let new = unsafe { core::slice::from_raw_parts(new.as_ptr(), new.len()) };
            if new != &self.known[piece.clone()] {
                if !file.write(new, at + piece.start as i64) {
                    return false;
                }
                self.known[piece.clone()].copy_from_slice(new);
            }
            next = piece.end;
        }
        true
    }

    fn pull(&mut self, file: &File, at: i64) -> bool {
        let Some(count) = file.read(&mut self.known, at) else { return false };
        self.known[count..].fill(0);
        // SAFETY: as in `copy`; the two do not overlap.
        unsafe { self.copy.copy_from_nonoverlapping(self.known.as_ptr(), PART) };
        true
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // SAFETY: `new` leaked such a box, and SQLite forgets the pointer before it is dropped.
        drop(unsafe { Box::from_raw(core::ptr::slice_from_raw_parts_mut(self.copy, PART)) });
    }
}

/// This process's copy of the index of a database.
struct Mirror {
    hash: Hash,
    users: usize,
    file: File,
    /// Shared as long as the copy exists. Who gets it exclusively is alone.
    alive: Lock,
    parts: Vec<Part>,
}

/// The copies of this process. Each stays where it is: those who share it have its address.
#[expect(clippy::vec_box, reason = "the list grows while others have the addresses of what is in it")]
struct Mirrors(UnsafeCell<Vec<Box<Mirror>>>);

// SAFETY: one thread runs at a time, and none switches in here.
unsafe impl Sync for Mirrors {}

static MIRRORS: Mirrors = Mirrors(UnsafeCell::new(Vec::new()));

impl Mirror {
    /// Opens the file. Who is the first empties it.
    fn open(hash: Hash) -> Result<Self, Refusal> {
        let mut alive = Lock::new(hash, b'd');
        let first = alive.take(Kind::Exclusive).is_ok();
        let name = Name::new(hash, b'm');
        let file = File::open(name.text(), READ_WRITE | CREATE).ok_or(Refusal::Failed)?;
        if first && !file.set_size(0) {
            return Err(Refusal::Failed);
        }
        alive.take(Kind::Shared)?;
        Ok(Self { hash, users: 0, file, alive, parts: Vec::new() })
    }

    /// Writes what this process changed, then reads what others did: if the head of the index is another, or `all`.
    fn exchange(&mut self, all: bool) -> bool {
        for (number, part) in self.parts.iter_mut().enumerate().rev() {
            let start = if number == 0 { HEAD } else { 0 };
            if !part.push(&self.file, (number * PART) as i64, start..PART, CHUNK) {
                return false;
            }
        }
        let Some(first) = self.parts.first_mut() else { return true };
        let mut head = [0; HEAD];
        if !first.push(&self.file, 0, 0..HEAD, WORD) || self.file.read(&mut head, 0).is_none() {
            return false;
        }
        if !all && head[..] == first.known[..HEAD] {
            return true;
        }
        self.parts.iter_mut().enumerate().all(|(number, part)| part.pull(&self.file, (number * PART) as i64))
    }

    /// Returns the address of a part; null if the index has no such part and `extend` is not set.
    fn part(&mut self, number: usize, extend: bool) -> Option<*mut u8> {
        let end = ((number + 1) * PART) as i64;
        if self.file.size()? < end {
            if !extend {
                return Some(core::ptr::null_mut());
            }
            if !self.file.set_size(end) {
                return None;
            }
        }
        while self.parts.len() <= number {
            let mut part = Part::new();
            if !part.pull(&self.file, (self.parts.len() * PART) as i64) {
                return None;
            }
            self.parts.push(part);
        }
        Some(self.parts[number].copy)
    }

    /// Removes the files if no other process has a copy.
    fn close(&mut self) {
        if self.alive.take(Kind::Exclusive).is_ok() {
            Name::new(self.hash, b'm').remove();
            for letter in LOCKS {
                Name::new(self.hash, *letter).remove();
            }
            self.alive.remove();
        }
    }
}

/// A connection's share in the index, with its locks.
pub(crate) struct Index {
    copy: *mut Mirror,
    locks: [Lock; 8],
}

impl Index {
    /// Begins to share the index of a database.
    pub(crate) fn open(hash: Hash) -> Result<Self, Refusal> {
        // SAFETY: nothing else has the list: see `Sync`.
        let mirrors = unsafe { &mut *MIRRORS.0.get() };
        let place = match mirrors.iter().position(|copy| copy.hash == hash) {
            Some(place) => place,
            None => {
                mirrors.push(Box::new(Mirror::open(hash)?));
                mirrors.len() - 1
            }
        };
        mirrors[place].users += 1;
        Ok(Self { copy: &raw mut *mirrors[place], locks: LOCKS.map(|letter| Lock::new(hash, letter)) })
    }

    fn copy(&mut self) -> &mut Mirror {
        // SAFETY: it stays in its box as long as it has users, and nothing else refers to it: see `Sync`.
        unsafe { &mut *self.copy }
    }

    /// Returns the address of a part; null if there is none and `extend` is not set; `None` if that fails.
    pub(crate) fn part(&mut self, number: usize, extend: bool) -> Option<*mut u8> {
        self.copy().part(number, extend)
    }

    /// Takes locks `first` to `first + count - 1`, all or none.
    pub(crate) fn lock(&mut self, first: usize, count: usize, kind: Kind) -> Result<(), Refusal> {
        for number in first..first + count {
            if let Err(refusal) = self.locks[number].take(kind) {
                for lock in &mut self.locks[first..number] {
                    lock.release();
                }
                return Err(refusal);
            }
        }
        // The locks 0 to 2 are for those who change more than the head.
        let all = kind == Kind::Exclusive && first < 3;
        if self.copy().exchange(all) { Ok(()) } else { Err(Refusal::Failed) }
    }

    /// Releases locks.
    pub(crate) fn unlock(&mut self, first: usize, count: usize) -> bool {
        let done = self.copy().exchange(false);
        for lock in &mut self.locks[first..first + count] {
            lock.release();
        }
        done
    }

    /// Implements SQLite's barrier.
    pub(crate) fn barrier(&mut self) {
        // A failure shows at the next lock.
        self.copy().exchange(false);
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        for lock in &mut self.locks {
            lock.release();
        }
        self.copy().users -= 1;
        if self.copy().users == 0 {
            self.copy().close();
            // SAFETY: see `open`.
            let mirrors = unsafe { &mut *MIRRORS.0.get() };
            mirrors.retain(|copy| copy.users > 0);
        }
    }
}
