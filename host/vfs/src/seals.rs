//! The digests of a tree that are known, beside its table of inodes. `digest` computes them, and says what makes them right.

use rpds::HashTrieMapSync;

use super::inode::Ino;

/// A digest, and the directories that were seen to have the file.
#[derive(Debug, Clone)]
pub(super) struct Seal {
    pub(super) digest: [u8; 32],
    pub(super) above: Vec<Ino>,
}

/// The digests of a tree that are known.
#[derive(Clone)]
pub(super) struct Seals {
    pub(super) known: HashTrieMapSync<Ino, Seal>,
    /// What changed since a computation began, while there is one.
    pub(super) changed: Option<HashTrieMapSync<Ino, ()>>,
}

impl Seals {
    pub(super) fn new() -> Self {
        Self { known: HashTrieMapSync::new_sync(), changed: None }
    }

    /// Forgets the digests that a change breaks. Must be called for every file that changes: its contents, its mode, its entries, its place
    /// in the table.
    pub(super) fn broken(&mut self, ino: Ino) {
        if let Some(changed) = &mut self.changed {
            changed.insert_mut(ino, ());
        }
        if !self.known.is_empty() {
            self.remove(ino);
        }
    }

    /// Ends the note of a computation that this tree is not the subject of.
    pub(super) fn forget_changes(&mut self) {
        self.changed = None;
    }

    pub(super) fn remove(&mut self, ino: Ino) {
        let mut pending = vec![ino];
        while let Some(ino) = pending.pop() {
            let Some(seal) = self.known.get(&ino) else { continue };
            pending.extend_from_slice(&seal.above);
            self.known.remove_mut(&ino);
        }
    }

    pub(super) fn digest(&self, ino: Ino) -> Option<[u8; 32]> {
        self.known.get(&ino).map(|seal| seal.digest)
    }
}
