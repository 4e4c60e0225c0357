//! Reads an archive. Nothing in it is trusted.

use std::io::Read;
use std::sync::Arc;

use super::base::{in_words, shape, words_of};
use super::error::ArchiveError;
use super::format::{
    AS_IN_BASE, COMPUTED, COMPUTED_LINK, COPIED, COVERS, DEVICE, DEVICES, DIRECTORY, FIFO, FILE, MAGIC, MAX_COPIED_TEXT, MAX_NOTED_TEXT,
    MOUNTED, ROOTS, Room, SEEN, SOCKET, SYMLINK, Source, WHITEOUT, is_name, over, path_on_host,
};
use super::{graph, seen};
use crate::Quota;
use crate::chunk::CHUNK;
use crate::contents::{Contents, MAX_SIZE};
use crate::inode::{Backing, Directory, Entry, Ino, Inode, Kind, ROOT_INO};
use crate::mount::MountAccess;
use crate::path::{self, MAX_PATH, MAX_SPELLING};
use crate::seals::Seals;
use crate::stat::{MODE_BITS, ROOT, USER};
use crate::tree::Tree;

/// Maximum number of a file. Above are the numbers of overlays and descriptors; this many files are out of reach.
const MAX_NUMBER: Ino = 1 << 60;

pub(super) fn read(base: &Tree, quota: Quota, from: &mut dyn Read) -> Result<Tree, ArchiveError> {
    let mut from = Source(from);
    if from.bytes::<8>()? != *MAGIC {
        return Err(ArchiveError::NotArchive);
    }
    mounts(&mut from, base)?;
    if from.bytes::<32>()? != shape(base)? {
        return Err(ArchiveError::OtherBase);
    }
    let mut tree = base.clone();
    // What is read below does not go through the operations of a tree.
    tree.seals = Seals::new();
    tree.drop_orphans(|_| false);
    tree.next = from.u64()?;
    if tree.next < base.next || tree.next > MAX_NUMBER {
        return Err(ArchiveError::Malformed("a number of a file is out of range"));
    }
    let names = quota.max_files.saturating_add(base.inodes.bound());
    let overlays = (0..).zip(base.mounts.iter()).filter(|(_, row)| row.access == MountAccess::Overlay).map(|(number, _)| number).collect();
    let (files, bytes) = (quota.max_files, quota.max_bytes);
    let mut room = Room { quota, files, bytes, names, copied: MAX_COPIED_TEXT, noted: MAX_NOTED_TEXT, overlays };
    let (mut last, mut copied) = (0, Vec::new());
    let mut kind = from.u8()?;
    while kind != 0 && kind != SEEN {
        let ino = from.u64()?;
        if ino <= last || ino < ROOT_INO || ino >= tree.next {
            return Err(ArchiveError::Malformed("the numbers of files are not in order"));
        }
        last = ino;
        let (inode, path) = file(&mut from, kind, base.inodes.get(ino), &mut room)?;
        tree.inodes.insert(ino, inode);
        copied.extend(path.map(|path| (ino, path)));
        kind = from.u8()?;
    }
    seen::read(&mut from, kind, &mut tree, &mut room)?;
    graph::settle(&mut tree, base, quota, copied)?;
    Ok(tree)
}

fn mounts(from: &mut Source<'_>, base: &Tree) -> Result<(), ArchiveError> {
    let count = from.u32()? as usize;
    let mut rows = Vec::new();
    // One more than exist is enough to see that they differ.
    for _ in 0..count.min(base.mounts.len() + 1) {
        let (guest, access) = (from.text(MAX_PATH)?, from.text(MAX_SPELLING)?);
        let access = ["read", "write", "overlay"].into_iter().find(|known| *known == access);
        rows.push((guest, access.ok_or(ArchiveError::Malformed("a mount of unknown kind"))?));
    }
    let same = count == base.mounts.len()
        && rows.iter().zip(base.mounts.iter()).all(|((guest, access), row)| *guest == row.guest && *access == row.access.name());
    if same {
        return Ok(());
    }
    Err(ArchiveError::OtherMounts { found: in_words(rows.into_iter()), expected: words_of(&base.mounts) })
}

/// Reads one inode and the path it was copied up from. Links and parents are filled in later.
fn file(from: &mut Source<'_>, kind: u8, below: Option<&Inode>, room: &mut Room) -> Result<(Inode, Option<Arc<str>>), ArchiveError> {
    let flags = from.u8()?;
    let mode = from.u32()?;
    if mode > MODE_BITS || flags & !(ROOTS | COPIED | AS_IN_BASE) != 0 {
        return Err(ArchiveError::Malformed("a mode or a flag that no file has"));
    }
    let (atime, mtime, ctime) = (from.u64()?, from.u64()?, from.u64()?);
    let uid = if flags & ROOTS == 0 { USER } else { ROOT };
    let mut origin = None;
    let mut path = None;
    if flags & COPIED != 0 {
        path = Some(path_on_host(from, &mut room.copied)?);
        origin = Some(from.u64()?);
    }
    if below.is_some_and(|below| below.uid != uid || path.is_some()) || (below.is_none() && flags & AS_IN_BASE != 0) {
        return Err(ArchiveError::Malformed("a file of the base that is not the base's"));
    }
    let mounted = below.and_then(|below| if let Kind::Mounted(mount) = below.kind { Some(mount) } else { None });
    if flags & AS_IN_BASE == 0 && mounted.is_some_and(|mount| kind != FILE || !room.overlays.contains(&mount)) {
        return Err(ArchiveError::Malformed("other contents in the place of a file of the host's"));
    }
    let body = match (below, flags & AS_IN_BASE != 0) {
        (Some(below), true) => below.kind.clone(),
        (_, _) => body(from, kind, below, room)?,
    };
    let known = matches!(
        (&body, kind),
        (Kind::File(_), FILE)
            | (Kind::Directory(_), DIRECTORY)
            | (Kind::Symlink(_), SYMLINK)
            | (Kind::Device(_), DEVICE)
            | (Kind::Fifo, FIFO)
            | (Kind::Socket, SOCKET)
            | (Kind::Mounted(_), MOUNTED)
            | (Kind::Computed(_), COMPUTED)
            | (Kind::ComputedLink(_), COMPUTED_LINK)
    );
    if !known {
        return Err(ArchiveError::Malformed("a file of the base of another type"));
    }
    let mut inode = match below {
        Some(below) => Inode { kind: body, ..below.clone() },
        None => {
            room.files = room.files.checked_sub(1).ok_or(over("files", room.quota.max_files))?;
            // Counted whatever its owner: only files of the base are free.
            Inode { uid, origin, ..Inode::new(body, mode, USER, mtime) }
        }
    };
    (inode.mode, inode.atime, inode.mtime, inode.ctime) = (mode, atime, mtime, ctime);
    if matches!(inode.kind, Kind::File(_) | Kind::Symlink(_)) {
        room.bytes = room.bytes.checked_sub(inode.charge()).ok_or(over("bytes", room.quota.max_bytes))?;
    }
    Ok((inode, path))
}

fn body(from: &mut Source<'_>, kind: u8, below: Option<&Inode>, room: &mut Room) -> Result<Kind, ArchiveError> {
    match kind {
        FILE => contents(from, room).map(Kind::File),
        DIRECTORY => {
            let backing = match below.map(|below| &below.kind) {
                Some(Kind::Directory(below)) => below.backing.clone(),
                _ => Backing::Memory,
            };
            let mut directory = Directory::new(ROOT_INO, backing);
            entries(from, &mut directory, room)?;
            Ok(Kind::Directory(directory))
        }
        SYMLINK => {
            let target = from.text(MAX_PATH)?;
            path::check(&target).map_err(|_| ArchiveError::Malformed("a symbolic link without a valid target"))?;
            Ok(Kind::Symlink(target.into()))
        }
        DEVICE => {
            let device = DEVICES.get(usize::from(from.u8()?));
            device.copied().map(Kind::Device).ok_or(ArchiveError::Malformed("a device that does not exist"))
        }
        FIFO => Ok(Kind::Fifo),
        SOCKET => Ok(Kind::Socket),
        _ => Err(ArchiveError::Malformed("a file of unknown type")),
    }
}

fn contents(from: &mut Source<'_>, room: &Room) -> Result<Contents, ArchiveError> {
    let len = from.u64()?;
    if len > MAX_SIZE {
        return Err(ArchiveError::Malformed("a file longer than files can be"));
    }
    let mut contents = Contents::empty();
    let mut buffer = vec![];
    loop {
        let count = from.u32()? as usize;
        if count == 0 {
            break;
        }
        let offset = from.u64()?;
        let end = offset.checked_add(count as u64);
        if count > CHUNK || offset < contents.len() || end.is_none_or(|end| end > len) {
            return Err(ArchiveError::Malformed("a piece of a file in the wrong place"));
        }
        buffer.resize(count, 0);
        from.fill(&mut buffer)?;
        let room_left = room.bytes.saturating_sub(contents.charge());
        contents.write(offset, &buffer, room_left, true).map_err(|_| over("bytes", room.quota.max_bytes))?;
    }
    if len > contents.len() {
        contents.set_len(len, room.bytes).map_err(|_| over("bytes", room.quota.max_bytes))?;
    }
    Ok(contents)
}

fn entries(from: &mut Source<'_>, directory: &mut Directory, room: &mut Room) -> Result<(), ArchiveError> {
    let mut last = String::new();
    loop {
        let name = from.text(MAX_SPELLING)?;
        if name.is_empty() {
            return Ok(());
        }
        if !is_name(&name) || name <= last {
            return Err(ArchiveError::Malformed("a name that no file has"));
        }
        let (flags, ino) = (from.u8()?, from.u64()?);
        if flags & !(WHITEOUT | COVERS) != 0 {
            return Err(ArchiveError::Malformed("a flag that no name has"));
        }
        room.names = room.names.checked_sub(1).ok_or(over("files", room.quota.max_files))?;
        let ino = (flags & WHITEOUT == 0).then_some(ino);
        directory.entries.insert_mut(name.as_str().into(), Entry { ino, covers: flags & COVERS != 0 });
        last = name;
    }
}
