//! The locks of a database.
//!
//! SQLite locks bytes of the database; a session has locks of whole files that belong to an open file and end with its process. So each
//! lock is on a file of its own without contents, `/tmp/.sqlite-HASH-LETTER`, where the hash is that of the database's path. It says
//! nothing by being there, so that what a killed process leaves is harmless. The last connection removes it: another may have it
//! open by then, so who takes a lock looks whether the path still leads to its file. The database itself stays unlocked, for programs with
//! `flock`; and it may lie where nothing can be written.

use core::ffi::CStr;

use libsqlite3_sys::{
    SQLITE_BUSY, SQLITE_IOERR_LOCK, SQLITE_LOCK_EXCLUSIVE, SQLITE_LOCK_NONE, SQLITE_LOCK_PENDING, SQLITE_LOCK_RESERVED, SQLITE_LOCK_SHARED,
    SQLITE_OK,
};

use crate::files::{self, Identity, Kind, OpenFile, Refusal};
use crate::libc;

/// How often a lock is tried: a look at a lock of another (`is_held`) and its removal take one for an instant.
const TRIES: u32 = 8;

/// How often, and each time 100 µs, one waits for what takes another an instant.
const PATIENCE: u32 = 10_000;

const PREFIX: &[u8; 13] = b"/tmp/.sqlite-";
const NAME: usize = PREFIX.len() + 32 + 2;

/// What a database is known by among the files of `/tmp`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Hash([u8; 32]);

impl Hash {
    /// Returns the hash of a path: two of FNV-1a, in hexadecimal digits.
    pub(crate) fn of(path: &CStr) -> Self {
        let fnv = |seed: u64| path.to_bytes().iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
        let (one, other) = (fnv(0xcbf2_9ce4_8422_2325), fnv(0x6c62_272e_07bb_0142));
        let mut digits = [0; 32];
        for (place, digit) in digits.iter_mut().enumerate() {
            let half = if place < 16 { one } else { other };
            *digit = b"0123456789abcdef"[(half >> (4 * (place % 16)) & 15) as usize];
        }
        Self(digits)
    }
}

/// The path of a file that belongs to a database, with a NUL at its end.
#[derive(Clone, Copy)]
pub(crate) struct Name([u8; NAME + 1]);

impl Name {
    /// Returns the name of the file of a database that has this letter.
    pub(crate) fn new(hash: Hash, letter: u8) -> Self {
        let mut name = [0; NAME + 1];
        name[..PREFIX.len()].copy_from_slice(PREFIX);
        name[PREFIX.len()..NAME - 2].copy_from_slice(&hash.0);
        name[NAME - 2] = b'-';
        name[NAME - 1] = letter;
        Self(name)
    }

    /// Returns the name as C has it.
    pub(crate) fn text(&self) -> &CStr {
        CStr::from_bytes_until_nul(&self.0).unwrap_or_default()
    }

    fn is_there(&self) -> bool {
        files::stat(self.text()).is_some()
    }

    /// Removes the file.
    pub(crate) fn remove(&self) {
        libc::remove(self.text());
    }
}

/// One lock, held or not.
pub(crate) struct Lock {
    name: Name,
    file: Option<(OpenFile, Identity)>,
    held: bool,
}

impl Lock {
    /// Returns the lock of a database that has this letter. Nothing is opened before it is taken.
    pub(crate) fn new(hash: Hash, letter: u8) -> Self {
        Self { name: Name::new(hash, letter), file: None, held: false }
    }

    /// Takes the lock, or converts it. If it cannot be converted, it is lost.
    pub(crate) fn take(&mut self, kind: Kind) -> Result<(), Refusal> {
        let mut refusal = Refusal::Failed;
        for _ in 0..TRIES {
            let (file, identity) = match self.file.take() {
                Some(open) => open,
                None => {
                    let file = OpenFile::create(self.name.text()).ok_or(Refusal::Failed)?;
                    let identity = file.identity().ok_or(Refusal::Failed)?;
                    (file, identity)
                }
            };
            let converted = core::mem::take(&mut self.held);
            let done = file.try_lock(kind);
            if done == Err(Refusal::Failed) {
                return done;
            }
            if converted || files::stat(self.name.text()).is_some_and(|stat| stat.identity == identity) {
                self.held = done.is_ok();
                self.file = Some((file, identity));
                if self.held || converted {
                    return done;
                }
            }
            refusal = Refusal::Busy;
        }
        Err(refusal)
    }

    /// Releases the lock if it is held.
    pub(crate) fn release(&mut self) {
        if let (Some((file, _)), true) = (&self.file, self.held) {
            file.unlock();
        }
        self.held = false;
    }

    /// Releases the lock, and keeps nothing open for the next time.
    pub(crate) fn let_go(&mut self) {
        self.release();
        self.file = None;
    }

    /// Returns whether another holds an exclusive lock.
    pub(crate) fn is_held(&mut self) -> Result<bool, Refusal> {
        if self.held || !self.name.is_there() {
            return Ok(false);
        }
        match self.take(Kind::Shared) {
            Ok(()) => {
                self.let_go();
                Ok(false)
            }
            Err(Refusal::Busy) => Ok(true),
            Err(Refusal::Failed) => Err(Refusal::Failed),
        }
    }

    /// Removes the file, of which nobody else may hold the lock.
    pub(crate) fn remove(&mut self) {
        self.name.remove();
        self.held = false;
        self.file = None;
    }
}

/// The locks of a connection to a database with a rollback journal: SQLite's five states.
pub(crate) struct Locks {
    level: i32,
    /// Shared by all who read; exclusive for who writes into the database.
    readers: Lock,
    /// Exclusive for who prepares to write.
    writer: Lock,
    /// Exclusive for who waits for the readers to end, shared for an instant by who begins to read.
    gate: Lock,
}

impl Locks {
    /// Returns the locks of a database, none of them held.
    pub(crate) fn new(hash: Hash) -> Self {
        Self { level: SQLITE_LOCK_NONE, readers: Lock::new(hash, b's'), writer: Lock::new(hash, b'r'), gate: Lock::new(hash, b'p') }
    }

    /// Returns SQLite's number for what is held.
    pub(crate) fn level(&self) -> i32 {
        self.level
    }

    /// Implements `xLock`; returns SQLite's result.
    pub(crate) fn raise(&mut self, level: i32) -> i32 {
        if self.level >= level {
            return SQLITE_OK;
        }
        let done = match level {
            SQLITE_LOCK_SHARED => self.share(),
            SQLITE_LOCK_RESERVED => self.writer.take(Kind::Exclusive),
            _ => self.exclude(),
        };
        match done {
            Ok(()) => {
                self.level = level;
                SQLITE_OK
            }
            Err(Refusal::Busy) => SQLITE_BUSY,
            Err(Refusal::Failed) => SQLITE_IOERR_LOCK,
        }
    }

    fn share(&mut self) -> Result<(), Refusal> {
        if self.gate.is_held()? { Err(Refusal::Busy) } else { self.readers.take(Kind::Shared) }
    }

    fn exclude(&mut self) -> Result<(), Refusal> {
        if self.level < SQLITE_LOCK_PENDING {
            self.gate.take(Kind::Exclusive)?;
            self.level = SQLITE_LOCK_PENDING;
        }
        let done = self.readers.take(Kind::Exclusive);
        if done.is_err() {
            self.share_again()?;
        }
        done
    }

    /// Takes the readers' lock once more after it could not become exclusive. Who writes holds the gate, which is ours, so only a look of
    /// one who closes the database can be in the way.
    fn share_again(&mut self) -> Result<(), Refusal> {
        for _ in 0..PATIENCE {
            match self.readers.take(Kind::Shared) {
                Err(Refusal::Busy) => libc::sleep(100),
                done => return done,
            }
        }
        Err(Refusal::Failed)
    }

    /// Implements `xUnlock`.
    pub(crate) fn lower(&mut self, level: i32) -> i32 {
        if self.level <= level {
            return SQLITE_OK;
        }
        let mut result = SQLITE_OK;
        if level == SQLITE_LOCK_NONE {
            self.readers.release();
        } else if self.level == SQLITE_LOCK_EXCLUSIVE && self.readers.take(Kind::Shared).is_err() {
            result = SQLITE_IOERR_LOCK;
        }
        self.gate.let_go();
        self.writer.let_go();
        self.level = level;
        result
    }

    /// Implements `xCheckReservedLock`: returns whether anybody is about to write; an error as SQLite has it.
    pub(crate) fn is_reserved(&mut self) -> Result<bool, i32> {
        if self.level >= SQLITE_LOCK_RESERVED {
            return Ok(true);
        }
        self.writer.is_held().map_err(|_| SQLITE_IOERR_LOCK)
    }

    /// Releases everything, and removes the files if no other connection is reading.
    pub(crate) fn close(&mut self) {
        self.lower(SQLITE_LOCK_NONE);
        if self.readers.file.is_none() || self.readers.take(Kind::Exclusive).is_err() {
            return;
        }
        // One whose lock could not become exclusive is without it for an instant, but has the gate.
        if self.gate.is_held() == Ok(false) {
            self.writer.remove();
            self.gate.remove();
            self.readers.remove();
        }
    }
}
