//! The base of an archive: whether two have the same files and mounts.

use super::error::ArchiveError;
use super::format::{COMPUTED, COMPUTED_LINK, DEVICE, DIRECTORY, FIFO, FILE, MOUNTED, SOCKET, SYMLINK};
use super::graph;
use crate::inode::{Inode, Kind};
use crate::mount::MountRow;
use crate::tree::Tree;

/// Returns a digest of the base, without its times. Equal digests mean that equal numbers name equal files.
pub(super) fn shape(base: &Tree) -> Result<[u8; 32], ArchiveError> {
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

/// Returns the mounts in words, for a message. Those of an archive are untrusted.
pub(super) fn in_words(rows: impl Iterator<Item = (String, &'static str)>) -> String {
    let shown = |guest: &str| guest.chars().take(MAX_SHOWN).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect::<String>();
    let rows: Vec<String> = rows.map(|(guest, access)| format!("{} ({access})", shown(&guest))).collect();
    if rows.is_empty() { "none".to_owned() } else { rows.join(", ") }
}

pub(super) fn words_of(mounts: &[MountRow]) -> String {
    in_words(mounts.iter().map(|row| (row.guest.clone(), row.access.name())))
}

/// Returns whether both are the same file of the base.
pub(super) fn is_same(one: &Inode, base: Option<&Inode>) -> bool {
    base.is_some_and(|base| base.birth == one.birth)
}
