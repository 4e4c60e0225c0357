//! Writing an archive.

use std::collections::HashMap;
use std::io::Write;
use std::sync::Arc;

use super::base::{is_same, shape, words_of};
use super::error::ArchiveError;
use super::format::{
    AS_IN_BASE, COMPUTED, COMPUTED_LINK, COPIED, COVERS, DEVICE, DEVICES, DIRECTORY, FIFO, FILE, MAGIC, MOUNTED, ROOTS, SOCKET, SYMLINK,
    WHITEOUT, text,
};
use super::{graph, seen};
use crate::inode::{Backing, Directory, Ino, Inode, Kind};
use crate::mount::MountRow;
use crate::stat::USER;
use crate::tree::Tree;

pub(super) fn write(tree: &Tree, base: &Tree, to: &mut dyn Write) -> Result<(), ArchiveError> {
    let same = |(one, other): (&MountRow, &MountRow)| one.guest == other.guest && one.access == other.access && one.root == other.root;
    if tree.mounts.len() != base.mounts.len() || !tree.mounts.iter().zip(base.mounts.iter()).all(same) {
        return Err(ArchiveError::OtherMounts { found: words_of(&tree.mounts), expected: words_of(&base.mounts) });
    }
    to.write_all(MAGIC)?;
    to.write_all(&u32::try_from(base.mounts.len()).unwrap_or(u32::MAX).to_le_bytes())?;
    for row in base.mounts.iter() {
        text(to, &row.guest)?;
        text(to, row.access.name())?;
    }
    to.write_all(&shape(base)?)?;
    to.write_all(&tree.next.to_le_bytes())?;
    let copied: HashMap<Ino, &Arc<str>> = tree.origins.iter().map(|((_, path), ino)| (*ino, path)).collect();
    for ino in graph::reachable(tree)? {
        let inode = tree.inode(ino)?;
        let below = base.inodes.get(ino);
        if below.is_some() && !is_same(inode, below) {
            return Err(ArchiveError::Unsupported("a state that does not come from its base"));
        }
        let as_in_base = below.is_some_and(|below| same_body(&inode.kind, &below.kind));
        if as_in_base && below.is_some_and(|below| same_attributes(inode, below)) {
            continue;
        }
        let copied = if below.is_some() { None } else { copied.get(&ino).copied() };
        head(to, ino, inode, as_in_base, copied)?;
        if !as_in_base {
            body(to, &inode.kind, below.is_none() && copied.is_none())?;
        }
    }
    seen::write(tree, to)?;
    to.write_all(&[0])?;
    Ok(())
}

fn head(to: &mut dyn Write, ino: Ino, inode: &Inode, as_in_base: bool, copied: Option<&Arc<str>>) -> Result<(), ArchiveError> {
    let kind = match &inode.kind {
        Kind::File(_) => FILE,
        Kind::Directory(_) => DIRECTORY,
        Kind::Symlink(_) => SYMLINK,
        Kind::Device(_) => DEVICE,
        Kind::Fifo => FIFO,
        Kind::Socket => SOCKET,
        Kind::Mounted(_) => MOUNTED,
        Kind::Computed(_) => COMPUTED,
        Kind::ComputedLink(_) => COMPUTED_LINK,
    };
    let flag = |set, bit| if set { bit } else { 0 };
    let flags = flag(inode.uid != USER, ROOTS) | flag(copied.is_some(), COPIED) | flag(as_in_base, AS_IN_BASE);
    to.write_all(&[kind])?;
    to.write_all(&ino.to_le_bytes())?;
    to.write_all(&[flags])?;
    to.write_all(&inode.mode.to_le_bytes())?;
    for time in [inode.atime, inode.mtime, inode.ctime] {
        to.write_all(&time.to_le_bytes())?;
    }
    if let Some(path) = copied {
        text(to, path)?;
        to.write_all(&inode.origin.unwrap_or_default().to_le_bytes())?;
    }
    Ok(())
}

/// Writes the contents of a file. With `plain`, a directory must show only its entries, or a reader could not tell what else it shows.
fn body(to: &mut dyn Write, kind: &Kind, plain: bool) -> Result<(), ArchiveError> {
    match kind {
        Kind::File(contents) => {
            to.write_all(&contents.len().to_le_bytes())?;
            for (offset, bytes) in contents.pieces() {
                to.write_all(&u32::try_from(bytes.len()).unwrap_or(u32::MAX).to_le_bytes())?;
                to.write_all(&offset.to_le_bytes())?;
                to.write_all(&bytes)?;
            }
            to.write_all(&0_u32.to_le_bytes())?;
        }
        Kind::Directory(directory) => {
            if plain && !matches!(directory.backing, Backing::Memory) {
                return Err(ArchiveError::Unsupported("a directory of the host's that is not in the base"));
            }
            for (name, entry) in &directory.entries {
                text(to, name)?;
                let flags = if entry.ino.is_none() { WHITEOUT } else { 0 } | if entry.covers { COVERS } else { 0 };
                to.write_all(&[flags])?;
                to.write_all(&entry.ino.unwrap_or_default().to_le_bytes())?;
            }
            text(to, "")?;
        }
        Kind::Symlink(target) => text(to, target)?,
        Kind::Device(device) => {
            let number = DEVICES.iter().position(|known| known == device);
            let number = number.ok_or(ArchiveError::Unsupported("a descriptor of a process as a file"))?;
            to.write_all(&[u8::try_from(number).unwrap_or(u8::MAX)])?;
        }
        Kind::Fifo | Kind::Socket => {}
        Kind::Mounted(_) => return Err(ArchiveError::Unsupported("a file of the host's that is not in the base")),
        // The base's own, which cannot change.
        Kind::Computed(_) | Kind::ComputedLink(_) => return Err(ArchiveError::Unsupported("a computed file that is not the base's")),
    }
    Ok(())
}

fn same_attributes(one: &Inode, other: &Inode) -> bool {
    let attributes = |inode: &Inode| (inode.mode, inode.atime, inode.mtime, inode.ctime);
    attributes(one) == attributes(other)
}

fn same_body(one: &Kind, other: &Kind) -> bool {
    match (one, other) {
        (Kind::File(one), Kind::File(other)) => one.is_same(other),
        (Kind::Directory(one), Kind::Directory(other)) => same_entries(one, other),
        (Kind::Symlink(one), Kind::Symlink(other)) => one == other,
        (Kind::Device(one), Kind::Device(other)) => one == other,
        (Kind::Fifo, Kind::Fifo) | (Kind::Socket, Kind::Socket) => true,
        (Kind::Mounted(one), Kind::Mounted(other)) => one == other,
        (Kind::Computed(one), Kind::Computed(other)) | (Kind::ComputedLink(one), Kind::ComputedLink(other)) => one == other,
        _ => false,
    }
}

fn same_entries(one: &Directory, other: &Directory) -> bool {
    let same = one
        .entries
        .iter()
        .zip(&other.entries)
        .all(|((name, one), (other_name, other))| name == other_name && one.ino == other.ino && one.covers == other.covers);
    same && one.entries.size() == other.entries.size()
}
