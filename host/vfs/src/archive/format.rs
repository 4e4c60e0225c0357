//! The numbers of an archive's layout, and the way to write and to read its parts.

use std::io::{ErrorKind, Read, Write};
use std::sync::Arc;

use super::error::ArchiveError;
use crate::path::{MAX_PATH, is_too_long};
use crate::{Device, Quota};

pub(super) const MAGIC: &[u8; 8] = b"wispfs 1";

/// Types of files. 0 ends the list of files.
pub(super) const FILE: u8 = 1;
pub(super) const DIRECTORY: u8 = 2;
pub(super) const SYMLINK: u8 = 3;
pub(super) const DEVICE: u8 = 4;
/// The place of a mount that is a single file. Only the base has one.
pub(super) const MOUNTED: u8 = 5;
/// Computed files and links of /proc. Only the base has them.
pub(super) const COMPUTED: u8 = 6;
pub(super) const COMPUTED_LINK: u8 = 7;
/// A named pipe. Builds without named pipes reject it as a file of unknown type, so the magic number stays.
pub(super) const FIFO: u8 = 8;
/// The name of a socket; it has no body.
pub(super) const SOCKET: u8 = 9;

/// Not a file: what the session saw of one on the host. Earlier builds reject it as a file of unknown type.
pub(super) const SEEN: u8 = 10;

/// Forms of what was seen.
pub(super) const SEEN_NOTHING: u8 = 0;
pub(super) const SEEN_DIRECTORY: u8 = 1;
pub(super) const SEEN_FILE: u8 = 2;
pub(super) const SEEN_LINK: u8 = 3;
pub(super) const SEEN_FACTS: u8 = 4;

/// Flags of a file: it belongs to root; it was copied up; its body is the base's.
pub(super) const ROOTS: u8 = 1;
pub(super) const COPIED: u8 = 2;
pub(super) const AS_IN_BASE: u8 = 4;

/// Flags of an entry: the name is hidden, whatever the host below has; the host below has the name.
pub(super) const WHITEOUT: u8 = 1;
pub(super) const COVERS: u8 = 2;

/// The devices that an archive can hold, by number.
pub(super) const DEVICES: [Device; 6] = [Device::Null, Device::Zero, Device::Full, Device::Random, Device::Urandom, Device::Tty];

/// Maximum bytes of all paths that files were copied up from: 400,000 paths of ordinary length. The quota does not
/// count them.
pub(super) const MAX_COPIED_TEXT: usize = 32 << 20;

/// The same for the notes about the host.
pub(super) const MAX_NOTED_TEXT: usize = MAX_COPIED_TEXT;

/// How much may still be taken.
pub(super) struct Room {
    pub(super) quota: Quota,
    pub(super) files: u64,
    pub(super) bytes: u64,
    /// Entries of directories: each belongs to a file, a further link or a whiteout.
    pub(super) names: u64,
    pub(super) copied: usize,
    pub(super) noted: usize,
    /// The mounts that are overlays: a single file can only have been copied up from one of these.
    pub(super) overlays: Vec<u32>,
}

pub(super) fn text(to: &mut dyn Write, text: &str) -> Result<(), ArchiveError> {
    let len = u16::try_from(text.len()).map_err(|_| ArchiveError::Unsupported("a name of 64 KiB"))?;
    to.write_all(&len.to_le_bytes())?;
    Ok(to.write_all(text.as_bytes())?)
}

pub(super) fn over(what: &'static str, limit: u64) -> ArchiveError {
    ArchiveError::Quota { what, limit }
}

pub(super) fn path_on_host(from: &mut Source<'_>, left: &mut usize) -> Result<Arc<str>, ArchiveError> {
    let path = from.text(MAX_PATH)?;
    *left = left.checked_sub(path.len()).ok_or(over("bytes of paths", MAX_COPIED_TEXT as u64))?;
    if !path.split('/').all(is_name) {
        return Err(ArchiveError::Malformed("a path that no mount has"));
    }
    Ok(path.into())
}

pub(super) fn is_name(name: &str) -> bool {
    !name.is_empty() && !is_too_long(name) && name != "." && name != ".." && !name.contains(['/', '\0']) && wisp_spelling::is_spelling(name)
}

/// The source of the bytes.
pub(super) struct Source<'s>(pub(super) &'s mut dyn Read);

impl Source<'_> {
    pub(super) fn fill(&mut self, buffer: &mut [u8]) -> Result<(), ArchiveError> {
        self.0.read_exact(buffer).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => ArchiveError::Truncated,
            _ => ArchiveError::Io(error),
        })
    }

    pub(super) fn bytes<const N: usize>(&mut self) -> Result<[u8; N], ArchiveError> {
        let mut bytes = [0; N];
        self.fill(&mut bytes)?;
        Ok(bytes)
    }

    pub(super) fn u8(&mut self) -> Result<u8, ArchiveError> {
        self.bytes::<1>().map(|[byte]| byte)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ArchiveError> {
        self.bytes().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ArchiveError> {
        self.bytes().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self, most: usize) -> Result<String, ArchiveError> {
        let len = usize::from(u16::from_le_bytes(self.bytes()?));
        if len > most {
            return Err(ArchiveError::Malformed("a name or path that is too long"));
        }
        let mut bytes = vec![0; len];
        self.fill(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| ArchiveError::Malformed("a name that is not UTF-8"))
    }
}
