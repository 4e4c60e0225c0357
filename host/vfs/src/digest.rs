//! Digests of trees. The digest of a directory covers those of its files, so a change concerns only the directories above
//! it. What was computed is kept beside the table of inodes, in a persistent map: snapshots and forks have it too.
//!
//! The rule that makes it right: a directory has a digest here only if every file below it has one. So when a file
//! changes, its digest is removed, and those above it, up to the first directory that has none. If no digest was ever
//! computed, the map is empty, and a change costs a comparison.
//!
//! A digest is computed from a snapshot, without the lock. What changes meanwhile is noted, and loses its digest when the
//! new ones are taken over.

use rpds::HashTrieMapSync;

use super::contents::Contents;
use super::inode::{Backing, Directory, Ino, Inode, Kind};
use super::place::{Place, settle};
use super::seals::Seal;
use super::tree::Tree;
use super::walk::{Last, Target, Walked};
use super::{Fs, FsError, Node};

impl Fs {
    /// Returns the BLAKE3 digest of the file at `path`, or of the tree below it. A symbolic link is followed. Equal names, types,
    /// permission bits, contents and link targets give equal digests; times, owners and numbers are not covered. Of a
    /// mount, only the access is covered, of an overlay also what was changed in it.
    ///
    /// # Errors
    /// `Unsupported` if the file is in a mount, where the host may change it at any time.
    pub fn digest(&self, at: &Node, path: &str) -> Result<[u8; 32], FsError> {
        let _one_at_a_time = self.digesting();
        let (ino, mut tree) = {
            let Walked { mut live, last, .. } = self.walk(at, path, true)?;
            let Target::Memory(ino) = last.target(&mut live)? else { return Err(FsError::Unsupported) };
            if let Some(digest) = live.tree.seals.digest(ino) {
                return Ok(digest);
            }
            let tree = live.tree.clone();
            live.tree.seals.changed = Some(HashTrieMapSync::new_sync());
            (ino, tree)
        };
        let digest = compute(&mut tree, ino);
        let old = {
            let mut live = self.lock();
            // Without the note, the state was replaced in the meantime (a restore): it has its own digests.
            let Some(changed) = live.tree.seals.changed.take() else { return digest };
            digest?;
            let old = std::mem::replace(&mut live.tree.seals.known, tree.seals.known.clone());
            for ino in changed.keys() {
                live.tree.seals.remove(*ino);
            }
            old
        };
        // Dropped without the lock.
        drop(old);
        digest
    }

    /// Returns whether the digest of this path is known, so that [`Fs::digest`] takes constant time. Does not access the host.
    pub fn has_digest(&self, at: &Node, path: &str) -> bool {
        let Ok(Walked { live, last, .. }) = self.walk_until(at, path, true, false) else { return false };
        let place = match last {
            Last::Directory(place) => place,
            Last::Name { found: Some(Target::Memory(ino)), .. } => Place::Memory(ino),
            Last::Name { .. } => return false,
        };
        matches!(settle(&live.tree, place), Ok(Place::Memory(ino)) if live.tree.seals.digest(ino).is_some())
    }
}

/// A directory whose files are being visited.
struct Open {
    ino: Ino,
    /// Its files, in reverse order.
    left: Vec<Ino>,
}

/// Computes and notes the digests of `top` and of everything below it that has none.
fn compute(tree: &mut Tree, top: Ino) -> Result<[u8; 32], FsError> {
    let mut stack = vec![open(tree, top)?];
    // Not recursive: a guest can nest a hundred thousand directories.
    while let Some(mut here) = stack.pop() {
        match here.left.pop() {
            Some(child) => {
                let parent = here.ino;
                stack.push(here);
                if tree.seals.digest(child).is_none() {
                    stack.push(open(tree, child)?);
                }
                // Noted before it has a digest if it is a directory: the entry is made when it is sealed.
                note_above(tree, child, parent);
            }
            None => {
                let digest = digest_of(tree, here.ino)?;
                let above = stack.last().map(|above| above.ino).into_iter().collect();
                tree.seals.known.insert_mut(here.ino, Seal { digest, above });
            }
        }
    }
    tree.seals.digest(top).ok_or(FsError::Io)
}

/// Notes for a file with a digest that this directory has it.
fn note_above(tree: &mut Tree, child: Ino, parent: Ino) {
    let known = tree.seals.known.get(&child).is_some_and(|seal| !seal.above.contains(&parent));
    if known && let Some(seal) = tree.seals.known.get_mut(&child) {
        seal.above.push(parent);
    }
}

fn open(tree: &Tree, ino: Ino) -> Result<Open, FsError> {
    let left = match &tree.inode(ino)?.kind {
        Kind::Directory(directory) => {
            let mut left: Vec<Ino> = directory.entries.values().filter_map(|entry| entry.ino).collect();
            left.reverse();
            left
        }
        _ => Vec::new(),
    };
    Ok(Open { ino, left })
}

/// Returns the digest of a file; those in a directory have theirs.
fn digest_of(tree: &Tree, ino: Ino) -> Result<[u8; 32], FsError> {
    let inode: &Inode = tree.inode(ino)?;
    let mut hasher = blake3::Hasher::new();
    let mut field = |bytes: &[u8]| {
        hasher.update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    };
    field(&inode.mode.to_le_bytes());
    match &inode.kind {
        Kind::File(contents) => {
            field(b"file");
            field(&digest_of_contents(contents));
        }
        Kind::Symlink(target) => {
            field(b"link");
            field(target.as_bytes());
        }
        Kind::Device(device) => {
            field(b"device");
            field(format!("{device:?}").as_bytes());
        }
        Kind::Fifo => field(b"pipe"),
        Kind::Socket => field(b"socket"),
        Kind::Computed(name) => {
            field(b"computed");
            field(name.as_bytes());
        }
        Kind::ComputedLink(name) => {
            field(b"computed link");
            field(name.as_bytes());
        }
        Kind::Mounted(mount) => {
            field(b"mounted file");
            field(access(tree, *mount).as_bytes());
        }
        Kind::Directory(Directory { entries, backing, .. }) => {
            match backing {
                // What the viewer names beside the entries is no part of the state.
                Backing::Memory | Backing::Processes => field(b"directory"),
                Backing::Descriptors => field(b"descriptors"),
                Backing::Host(mount) | Backing::Overlay { mount, .. } => {
                    field(b"mount");
                    field(access(tree, *mount).as_bytes());
                }
            }
            for (name, entry) in entries {
                field(name.as_bytes());
                match entry.ino {
                    Some(ino) => field(&tree.seals.digest(ino).ok_or(FsError::Io)?),
                    None => field(b"hidden"),
                }
            }
        }
    }
    Ok(*hasher.finalize().as_bytes())
}

fn access(tree: &Tree, mount: u32) -> &'static str {
    tree.mounts.get(mount as usize).map_or("", |row| row.access.name())
}

/// Returns a digest of contents that does not depend on how they are stored: zeros count as little as a hole does. So a sparse
/// file of 8 EiB costs nothing.
fn digest_of_contents(contents: &Contents) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&contents.len().to_le_bytes());
    // Each piece lies in one chunk, so what is left of it without the zeros around it is the same however it was written.
    for (offset, bytes) in contents.pieces() {
        let Some(first) = bytes.iter().position(|byte| *byte != 0) else { continue };
        let last = bytes.iter().rposition(|byte| *byte != 0).unwrap_or(first);
        let bytes = &bytes[first..=last];
        hasher.update(&(offset + first as u64).to_le_bytes()).update(&(bytes.len() as u64).to_le_bytes()).update(bytes);
    }
    *hasher.finalize().as_bytes()
}
