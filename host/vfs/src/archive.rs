//! Archives: a snapshot as bytes, to be kept in a file and read by another process.
//!
//! An archive holds what a snapshot has beyond a base. The base is the state that its filesystem began with, and the
//! reader has it too (the programs and libraries of a sandbox, its mounts). Equal states give equal bytes.
//!
//! An archive may come from an attacker. It cannot name a place on the host: mounts and everything else that was
//! given belong to the base. Names and paths are checked as a guest's are. The quota of bytes and files applies while
//! the archive is read, and no length is trusted before its bytes have arrived. The whole is checked before it is
//! used: every directory has one place, every file as many links as names, every overlay shows each directory of its
//! host once.
//!
//! Layout (all numbers are little-endian; a text is its length in 2 bytes and its bytes): magic; the mounts (count:
//! 4; each its guest path and access); the digest of the base's shape (32); the next number (8); the files by number,
//! then a 0. Each file: type (1), number (8), flags (1), mode (4), atime, mtime, ctime (8 each); if it was copied up
//! from below an overlay, its path and its number there (8); its body, unless that is the base's.
//! The body of a regular file: length (8), pieces (count of bytes: 4, offset: 8, the bytes), a count of 0. Of a
//! directory: entries (name, flags: 1, number: 8), an empty name. Of a symbolic link: its target. Of a device: which
//! one (1). Of a named pipe: nothing; what was written to it and not yet read belongs to its open ends.
//!
//! Before that 0 come, by mount and path, what the session saw of the host's files that it changed in overlays: a 10, the mount
//! (4), the path, the form (1) and what that form has. An archive of an earlier wisp has none of them: nobody knows then what
//! the host had, which [`Snapshot::since`] says.

mod base;
mod error;
mod export;
mod format;
mod graph;
mod import;
mod seen;

use std::io::{Read, Write};

use super::{Quota, Snapshot};

pub use error::ArchiveError;

impl Snapshot {
    /// Writes what this state has beyond `base`, the state its filesystem began with. Writes small pieces: pass a
    /// buffered writer.
    ///
    /// Files without a name are left out, as in a fork. What a host program later laid over the base is written like
    /// the user's files, and counts in the reader's quota.
    ///
    /// # Errors
    /// When `to` fails, when something was mounted since `base`, or when this state does not come from `base`.
    pub fn export(&self, base: &Self, to: &mut dyn Write) -> Result<(), ArchiveError> {
        export::write(&self.tree, &base.tree, to)
    }

    /// Reads what [`Snapshot::export`] wrote, over the same base, as far as the quota allows. Reads small pieces:
    /// pass a buffered reader. Nothing after the archive's end is read.
    ///
    /// # Errors
    /// When `from` fails or does not hold an archive over this base. An error has no other effect.
    pub fn import(base: &Self, quota: Quota, from: &mut dyn Read) -> Result<Self, ArchiveError> {
        import::read(&base.tree, quota, from).map(|tree| Self { tree })
    }
}
