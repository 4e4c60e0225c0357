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

mod export;
mod graph;
mod import;
mod seen;

use std::io::{self, Read, Write};

use wisp_api::ErrorCode;

use super::inode::{Inode, Kind};
use super::mount::MountRow;
use super::tree::Tree;
use super::{Device, FsError, Quota, Snapshot};

const MAGIC: &[u8; 8] = b"wispfs 1";

/// Types of files. 0 ends the list of files.
const FILE: u8 = 1;
const DIRECTORY: u8 = 2;
const SYMLINK: u8 = 3;
const DEVICE: u8 = 4;
/// The place of a mount that is a single file. Only the base has one.
const MOUNTED: u8 = 5;
/// Computed files and links of /proc. Only the base has them.
const COMPUTED: u8 = 6;
const COMPUTED_LINK: u8 = 7;
/// A named pipe. Builds without named pipes reject it as a file of unknown type, so the magic number stays.
const FIFO: u8 = 8;
/// The name of a socket; it has no body.
const SOCKET: u8 = 9;

/// Not a file: what the session saw of one on the host. Earlier builds reject it as a file of unknown type.
const SEEN: u8 = 10;

/// Forms of what was seen.
const SEEN_NOTHING: u8 = 0;
const SEEN_DIRECTORY: u8 = 1;
const SEEN_FILE: u8 = 2;
const SEEN_LINK: u8 = 3;
const SEEN_FACTS: u8 = 4;

/// Flags of a file: it belongs to root; it was copied up; its body is the base's.
const ROOTS: u8 = 1;
const COPIED: u8 = 2;
const AS_IN_BASE: u8 = 4;

/// Flags of an entry: the name is hidden, whatever the host below has; the host below has the name.
const WHITEOUT: u8 = 1;
const COVERS: u8 = 2;

/// The devices that an archive can hold, by number.
const DEVICES: [Device; 6] = [Device::Null, Device::Zero, Device::Full, Device::Random, Device::Urandom, Device::Tty];

/// Why a snapshot cannot be written as an archive, or an archive cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// Reading or writing the bytes failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes do not begin with the magic number.
    #[error("this is not an archive of a filesystem")]
    NotArchive,
    /// The bytes end in the middle of the archive.
    #[error("the archive of the filesystem is cut off")]
    Truncated,
    /// The archive was written over another base.
    #[error("the archive was written for a filesystem that began with other files")]
    OtherBase,
    /// Its mounts are not those of the reader's base.
    #[error("the archive was written with other mounts: it has {found}, this session has {expected}")]
    OtherMounts {
        /// The archive's mounts.
        found: String,
        /// The base's mounts.
        expected: String,
    },
    /// The archive holds more than the quota allows.
    #[error("the archive holds more {what} than the quota allows ({limit})")]
    Quota {
        /// `bytes` or `files`.
        what: &'static str,
        /// The quota.
        limit: u64,
    },
    /// The content contradicts itself.
    #[error("the archive is malformed: {0}")]
    Malformed(&'static str),
    /// The snapshot holds something that exists only in its own process.
    #[error("an archive cannot hold {0}")]
    Unsupported(&'static str),
}

impl ArchiveError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Io(_) => ErrorCode::IoError,
            Self::NotArchive | Self::Truncated | Self::Malformed(_) => ErrorCode::InvalidData,
            Self::OtherBase | Self::OtherMounts { .. } => ErrorCode::SnapshotMismatch,
            Self::Quota { .. } => ErrorCode::FilesystemLimit,
            Self::Unsupported(_) => ErrorCode::SnapshotRefused,
        }
    }
}

wisp_api::wisp_error!(ArchiveError);

impl From<FsError> for ArchiveError {
    fn from(_: FsError) -> Self {
        Self::Malformed("a name without a file")
    }
}

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

/// A digest of the base, without its times. Equal digests mean that equal numbers name equal files.
fn shape(base: &Tree) -> Result<[u8; 32], ArchiveError> {
    let mut hasher = blake3::Hasher::new();
    for ino in graph::reachable(base)? {
        let inode = base.inode(ino)?;
        hasher.update(&[ino.to_le_bytes(), u64::from(inode.mode).to_le_bytes(), u64::from(inode.uid).to_le_bytes()].concat());
        match &inode.kind {
            Kind::File(contents) => hasher.update(&[&[FILE], &contents.len().to_le_bytes()[..]].concat()),
            Kind::Symlink(target) => hasher.update(&[SYMLINK]).update(blake3::hash(target.as_bytes()).as_bytes()),
            Kind::Device(device) => hasher.update(&[DEVICE]).update(format!("{device:?};").as_bytes()),
            Kind::Fifo => hasher.update(&[FIFO]),
            Kind::Socket => hasher.update(&[SOCKET]),
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

/// Maximum characters of a mount's path in a message. Attack: an archive that writes to a log or terminal through its
/// paths.
const MAX_SHOWN: usize = 100;

/// The mounts in words, for a message. Those of an archive are untrusted.
fn in_words(rows: impl Iterator<Item = (String, &'static str)>) -> String {
    let shown = |guest: &str| guest.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>();
    let rows: Vec<String> = rows.map(|(guest, access)| format!("{} ({access})", shown(&guest))).collect();
    if rows.is_empty() { "none".to_owned() } else { rows.join(", ") }
}

fn words_of(mounts: &[MountRow]) -> String {
    in_words(mounts.iter().map(|row| (row.guest.clone(), row.access.name())))
}

/// Whether both are the same file of the base.
fn is_same(one: &Inode, base: Option<&Inode>) -> bool {
    base.is_some_and(|base| base.birth == one.birth)
}
