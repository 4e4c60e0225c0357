//! The shell's descriptors: numbers, and the open-file descriptions that they refer to.

use crate::sys::{self, Errno, Handle, Kind, Whence};
use std::cell::{Cell, RefCell};
use std::rc::Rc;

/// An open-file description. More may be read from a regular file than was asked for; `sync` gives the rest back before
/// another process uses the description.
pub struct OpenFile {
    handle: Handle,
    ahead: RefCell<(Vec<u8>, usize)>,
    seekable: Cell<Option<bool>>,
}

/// How much is read from a regular file at once.
const BLOCK: usize = 8192;

impl OpenFile {
    /// Wraps a handle.
    pub fn new(handle: Handle) -> Rc<Self> {
        Rc::new(Self { handle, ahead: RefCell::default(), seekable: Cell::new(None) })
    }
    fn seekable(&self) -> bool {
        if self.seekable.get().is_none() {
            let regular = self.handle.stat().is_ok_and(|stat| stat.kind == Kind::Regular);
            self.seekable.set(Some(regular));
        }
        self.seekable.get() == Some(true)
    }
    /// Reads the next byte; reads no further ahead from a pipe.
    pub fn read_byte(&self) -> sys::Result<Option<u8>> {
        {
            let mut ahead = self.ahead.borrow_mut();
            if let Some(byte) = ahead.0.get(ahead.1).copied() {
                ahead.1 += 1;
                return Ok(Some(byte));
            }
        }
        if self.seekable() {
            let block = self.handle.read(BLOCK)?;
            let first = block.first().copied();
            *self.ahead.borrow_mut() = (block, 1);
            return Ok(first);
        }
        Ok(self.handle.read(1)?.first().copied())
    }
    /// Waits until a read would not wait, or a signal arrives: then returns false.
    pub fn readable_or_signal(&self) -> bool {
        let ahead = self.ahead.borrow();
        ahead.1 < ahead.0.len() || self.handle.readable_or_signal()
    }
    /// Returns whether a read would not wait, now or within this time.
    pub fn readable_within(&self, time: std::time::Duration) -> bool {
        let ahead = self.ahead.borrow();
        ahead.1 < ahead.0.len() || self.handle.readable_within(time)
    }
    /// Reads everything up to the end.
    pub fn read_all(&self) -> sys::Result<Vec<u8>> {
        let mut all = {
            let mut ahead = self.ahead.borrow_mut();
            let rest = ahead.0.get(ahead.1..).unwrap_or_default().to_vec();
            *ahead = (Vec::new(), 0);
            rest
        };
        loop {
            let block = self.handle.read(1 << 18)?;
            if block.is_empty() {
                return Ok(all);
            }
            all.extend_from_slice(&block);
        }
    }
    /// Moves the offset to where the reader of this shell is.
    pub fn sync(&self) {
        let mut ahead = self.ahead.borrow_mut();
        let unread = ahead.0.len().saturating_sub(ahead.1);
        if unread > 0 {
            // Only regular files are read ahead, and those can seek.
            let _ = self.handle.seek(Whence::Current, -(unread as i64));
        }
        *ahead = (Vec::new(), 0);
    }
    /// Writes all bytes.
    pub fn write(&self, bytes: &[u8]) -> sys::Result<()> {
        if !self.ahead.borrow().0.is_empty() {
            self.sync();
        }
        self.handle.write(bytes)
    }
    /// Returns the platform's handle, in step with the reader of this shell.
    pub fn handle(&self) -> &Handle {
        self.sync();
        &self.handle
    }
}

/// The destination of a command substitution's output: memory, until a program needs a real file.
#[derive(Default)]
pub struct Capture {
    bytes: RefCell<Vec<u8>>,
    file: RefCell<Option<Rc<OpenFile>>>,
}

impl Capture {
    /// Adds output.
    pub fn write(&self, bytes: &[u8]) -> sys::Result<()> {
        match &*self.file.borrow() {
            Some(file) => file.write(bytes),
            None => {
                self.bytes.borrow_mut().extend_from_slice(bytes);
                Ok(())
            }
        }
    }
    /// Returns whether it is in a file yet.
    pub fn is_file(&self) -> bool {
        self.file.borrow().is_some()
    }
    /// Returns a file that programs can write to, with the output so far.
    pub fn file(&self) -> sys::Result<Rc<OpenFile>> {
        if let Some(file) = &*self.file.borrow() {
            return Ok(file.clone());
        }
        let file = OpenFile::new(sys::anonymous()?);
        file.write(&self.bytes.take())?;
        *self.file.borrow_mut() = Some(file.clone());
        Ok(file)
    }
    /// Takes all output.
    pub fn take(&self) -> sys::Result<Vec<u8>> {
        match self.file.take() {
            None => Ok(self.bytes.take()),
            Some(file) => {
                file.handle().seek(Whence::Start, 0)?;
                file.read_all()
            }
        }
    }
}

/// What a descriptor refers to.
#[derive(Clone)]
pub enum Fd {
    /// An open file.
    File(Rc<OpenFile>),
    /// The output of a command substitution.
    Capture(Rc<Capture>),
}

impl Fd {
    /// Writes all bytes.
    pub fn write(&self, bytes: &[u8]) -> sys::Result<()> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Capture(capture) => capture.write(bytes),
        }
    }
    /// Returns its file, made if necessary.
    pub fn file(&self) -> sys::Result<Rc<OpenFile>> {
        match self {
            Self::File(file) => Ok(file.clone()),
            Self::Capture(capture) => capture.file(),
        }
    }
}

/// Highest descriptor number, like a usual `ulimit -n`.
pub const MAX_FD: u32 = 1023;

/// Descriptors by number.
#[derive(Clone, Default)]
pub struct FdTable {
    entries: Vec<(u32, Fd)>,
}

impl FdTable {
    /// Returns what a number refers to.
    pub fn get(&self, number: u32) -> Option<&Fd> {
        self.entries.iter().find(|(n, _)| *n == number).map(|(_, fd)| fd)
    }
    /// Assigns a description to a number.
    pub fn set(&mut self, number: u32, fd: Fd) -> sys::Result<()> {
        if number > MAX_FD {
            return Err(Errno::BadDescriptor);
        }
        match self.entries.iter_mut().find(|(n, _)| *n == number) {
            Some(entry) => entry.1 = fd,
            None => {
                let at = self.entries.partition_point(|(n, _)| *n < number);
                self.entries.insert(at, (number, fd));
            }
        }
        Ok(())
    }
    /// Closes a number.
    pub fn remove(&mut self, number: u32) {
        self.entries.retain(|(n, _)| *n != number);
    }
    /// Returns the first free number from `from`.
    pub fn free(&self, from: u32) -> u32 {
        (from..=MAX_FD).find(|n| self.get(*n).is_none()).unwrap_or(MAX_FD + 1)
    }
    /// Returns the highest free number up to 63, for process substitutions.
    pub fn free_high(&self) -> u32 {
        (10..=63).rev().find(|n| self.get(*n).is_none()).unwrap_or_else(|| self.free(64))
    }
    /// Returns all of them.
    pub fn iter(&self) -> impl Iterator<Item = &(u32, Fd)> {
        self.entries.iter()
    }
    /// Applies the differences between `before` and `now`, except for numbers in which `saved` differs from `before`.
    pub fn keep_changes(&mut self, saved: &Self, before: &Self, now: &Self) {
        for (number, fd) in &now.entries {
            if !same(before.get(*number), Some(fd)) && same(saved.get(*number), before.get(*number)) {
                // The number is in a table already.
                let _ = self.set(*number, fd.clone());
            }
        }
        for (number, fd) in &before.entries {
            if now.get(*number).is_none() && same(saved.get(*number), Some(fd)) {
                self.remove(*number);
            }
        }
    }
    /// Gives back what was read ahead on any of them.
    pub fn sync(&self) {
        for (_, fd) in &self.entries {
            if let Fd::File(file) = fd {
                file.sync();
            }
        }
    }
}

/// Returns whether two numbers refer to the same description, or both to none.
fn same(left: Option<&Fd>, right: Option<&Fd>) -> bool {
    match (left, right) {
        (None, None) => true,
        (Some(Fd::File(left)), Some(Fd::File(right))) => Rc::ptr_eq(left, right),
        (Some(Fd::Capture(left)), Some(Fd::Capture(right))) => Rc::ptr_eq(left, right),
        _ => false,
    }
}
