//! Archives: a snapshot as bytes, to be kept in a file and read by another process.
//!
//! An archive holds what a snapshot has beyond a base: the state its filesystem began with, which its reader has too
//! (the programs and libraries of a sandbox, its mounts). Equal states give equal bytes.
//!
//! An archive may come from an attacker. It can name no place of the host's: mounts and everything else that
//! was given are the base's. Names and paths are checked as a guest's are, the quota of bytes and files holds while it is
//! read, no length is believed before the bytes are there, and what was read is checked as a whole before it is handed out:
//! every directory has one place, every file as many links as names, every overlay shows each directory of its host once.
//!
//! Layout, all numbers little-endian, a text being its length (2 bytes) and its bytes:
//! magic; the mounts (count: 4; each its guest path and access); the digest of the base's shape (32); the next number (8);
//! the files by number, each: type (1), number (8), flags (1), mode (4), atime, mtime, ctime (8 each), for a file copied up
//! from below an overlay its path there and its number there (8), unless the body is the base's: its body; then a 0.
//! The body of a regular file: length (8), pieces (count of bytes: 4, offset: 8, the bytes), a count of 0. Of a directory:
//! entries (name, flags: 1, number: 8), an empty name. Of a symbolic link: its target. Of a device: which (1).

mod export;
mod graph;
mod import;

use std::io::{self, Read, Write};

use super::inode::{Inode, Kind};
use super::mount::MountRow;
use super::tree::Tree;
use super::{Device, FsError, Quota, Snapshot};

const MAGIC: &[u8; 8] = b"wispfs 1";

/// Types of files; 0 ends the list of them.
const FILE: u8 = 1;
const DIRECTORY: u8 = 2;
const SYMLINK: u8 = 3;
const DEVICE: u8 = 4;
/// The place of a mount that is a single file; only the base has one.
const MOUNTED: u8 = 5;
/// Files of /proc and links there, whose contents the host computes; only the base has them.
const COMPUTED: u8 = 6;
const COMPUTED_LINK: u8 = 7;

/// Flags of a file: it belongs to root; it was copied up; its body is that of the base.
const ROOTS: u8 = 1;
const COPIED: u8 = 2;
const AS_IN_BASE: u8 = 4;

/// Flags of an entry: nothing is there, whatever the host below has; the host below has the name.
const WHITEOUT: u8 = 1;
const COVERS: u8 = 2;

/// The devices that an archive can hold, by number.
const DEVICES: [Device; 6] = [Device::Null, Device::Zero, Device::Full, Device::Random, Device::Urandom, Device::Tty];

/// Why a snapshot cannot be written as an archive, or an archive not be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// What it is written to or read from fails.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as one.
    #[error("this is no archive of a filesystem")]
    NotArchive,
    /// It ends before its end.
    #[error("the archive of the filesystem is cut off")]
    Truncated,
    /// Its base is not this one.
    #[error("the archive is of a filesystem that began with other files")]
    OtherBase,
    /// Its mounts are not those of this base.
    #[error("the archive is of a filesystem with other mounts: it has {found}, and here is {expected}")]
    OtherMounts {
        /// What it has.
        found: String,
        /// What the base has.
        expected: String,
    },
    /// It holds more than the quota.
    #[error("the archive holds more {what} than the quota allows ({limit})")]
    Quota {
        /// `bytes` or `files`.
        what: &'static str,
        /// The quota.
        limit: u64,
    },
    /// It says what no filesystem can be.
    #[error("the archive describes no filesystem: {0}")]
    Malformed(&'static str),
    /// The snapshot has something that only its own process can have.
    #[error("an archive cannot hold {0}")]
    Unsupported(&'static str),
}

impl From<FsError> for ArchiveError {
    fn from(_: FsError) -> Self {
        ArchiveError::Malformed("a name leads to no file")
    }
}

impl Snapshot {
    /// Writes what this state has beyond `base`, the state its filesystem began with. In small pieces: give it a buffer.
    ///
    /// Files without a name are left out, as in a fork. What a host program laid over the base later is
    /// written like the user's files, and counts in the reader's quota.
    ///
    /// # Errors
    /// When `to` fails, something was mounted since `base`, or it is not what this state comes from.
    pub fn export(&self, base: &Snapshot, to: &mut dyn Write) -> Result<(), ArchiveError> {
        export::write(&self.tree, &base.tree, to)
    }

    /// Reads what [`Snapshot::export`] wrote, over the same base, as long as the quota allows it. In small pieces: give it
    /// a buffer. Nothing after the archive's end is read.
    ///
    /// # Errors
    /// When `from` fails or holds no archive over this base. Whatever it holds, nothing else happens.
    pub fn import(base: &Snapshot, quota: Quota, from: &mut dyn Read) -> Result<Snapshot, ArchiveError> {
        import::read(&base.tree, quota, from).map(|tree| Snapshot { tree })
    }
}

/// A digest of what a base looks like, by which its numbers for files are known to be the same: everything but times.
fn shape(base: &Tree) -> Result<[u8; 32], ArchiveError> {
    let mut hasher = blake3::Hasher::new();
    for ino in graph::reachable(base)? {
        let inode = base.inode(ino)?;
        hasher.update(&[ino.to_le_bytes(), u64::from(inode.mode).to_le_bytes(), u64::from(inode.uid).to_le_bytes()].concat());
        match &inode.kind {
            Kind::File(contents) => hasher.update(&[&[FILE], &contents.len().to_le_bytes()[..]].concat()),
            Kind::Symlink(target) => hasher.update(&[SYMLINK]).update(blake3::hash(target.as_bytes()).as_bytes()),
            Kind::Device(device) => hasher.update(&[DEVICE]).update(format!("{device:?};").as_bytes()),
            Kind::Mounted(mount) => hasher.update(&[MOUNTED]).update(&mount.to_le_bytes()),
            Kind::Computed(name) => hasher.update(&[COMPUTED]).update(blake3::hash(name.as_bytes()).as_bytes()),
            Kind::ComputedLink(name) => hasher.update(&[COMPUTED_LINK]).update(blake3::hash(name.as_bytes()).as_bytes()),
            Kind::Directory(directory) => {
                hasher.update(&[DIRECTORY]).update(&directory.entries.size().to_le_bytes());
                for (name, entry) in &directory.entries {
                    hasher.update(blake3::hash(name.as_bytes()).as_bytes());
                    hasher.update(&entry.ino.unwrap_or_default().to_le_bytes());
                }
                &mut hasher
            }
        };
    }
    Ok(*hasher.finalize().as_bytes())
}

/// Maximum characters of a mount's path in a message. Attack: an archive that sends what it likes to a log or a terminal.
const MAX_SHOWN: usize = 100;

/// The mounts in words, for a message. An archive's may say anything.
fn in_words(rows: impl Iterator<Item = (String, &'static str)>) -> String {
    let shown = |guest: &str| guest.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>();
    let rows: Vec<String> = rows.map(|(guest, access)| format!("{} ({access})", shown(&guest))).collect();
    if rows.is_empty() { "none".to_owned() } else { rows.join(", ") }
}

fn words_of(mounts: &[MountRow]) -> String {
    in_words(mounts.iter().map(|row| (row.guest.clone(), row.access.name())))
}

/// Whether it is the same file, of the base.
fn is_same(one: &Inode, base: Option<&Inode>) -> bool {
    base.is_some_and(|base| base.birth == one.birth)
}
