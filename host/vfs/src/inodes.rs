//! The table of inodes: those of layers, which are made from the layer's index when they are first needed, and all
//! others. A change to a file of a layer puts a copy of its inode among the others.

use std::sync::{Arc, OnceLock};

use rpds::{HashTrieMapSync, RedBlackTreeMapSync};

use super::contents::Contents;
use super::inode::{Backing, Directory, Entry, Ino, Inode, Kind};
use super::layer::{Body, Layer};

/// Inodes of a layer that are made room for at a time. A directory's files follow each other.
const BLOCK: u32 = 32;

/// A persistent table: a clone costs a few pointers.
#[derive(Clone)]
pub(super) struct Inodes {
    others: HashTrieMapSync<Ino, Inode>,
    layers: Arc<[Arc<Laid>]>,
    /// Files of layers that were removed.
    removed: RedBlackTreeMapSync<Ino, ()>,
}

/// A layer in its place in the table.
struct Laid {
    layer: Layer,
    /// The number of the layer's root; the others follow it.
    first: Ino,
    /// The time of every file.
    time: u64,
    blocks: Box<[OnceLock<Block>]>,
}

type Block = Box<[OnceLock<Inode>]>;

impl Laid {
    fn number(&self, ino: Ino) -> Option<u32> {
        let number = u32::try_from(ino.checked_sub(self.first)?).ok()?;
        (number < self.layer.len()).then_some(number)
    }

    fn get(&self, ino: Ino) -> Option<&Inode> {
        let number = self.number(ino)?;
        let block = self.blocks.get((number / BLOCK) as usize)?;
        let block = block.get_or_init(|| (0..BLOCK).map(|_| OnceLock::new()).collect());
        Some(block.get((number % BLOCK) as usize)?.get_or_init(|| self.make(number)))
    }

    fn make(&self, number: u32) -> Inode {
        let record = self.layer.record(number);
        let mut directories = 0;
        let kind = match record.body {
            Body::File(bytes) => Kind::File(Contents::shared(bytes)),
            Body::Symlink(target) => Kind::Symlink(target.into()),
            Body::Directory(files) => {
                let mut directory = Directory::new(self.first + u64::from(record.parent), Backing::Memory);
                for file in files {
                    let record = self.layer.record(file);
                    directories += u64::from(matches!(record.body, Body::Directory(_)));
                    let entry = Entry { ino: Some(self.first + u64::from(file)), covers: false };
                    directory.entries.insert_mut(record.name.into(), entry);
                }
                Kind::Directory(directory)
            }
        };
        let mut inode = Inode::base(kind, record.mode, self.time);
        inode.nlink += directories;
        inode
    }
}

impl Inodes {
    pub(super) fn new() -> Self {
        Self { others: HashTrieMapSync::new_sync(), layers: Arc::new([]), removed: RedBlackTreeMapSync::new_sync() }
    }

    /// Adds the files of a layer, from the number `first` on, which no file has, with this time.
    pub(super) fn lay(&mut self, layer: Layer, first: Ino, time: u64) {
        let blocks = (0..layer.len().div_ceil(BLOCK)).map(|_| OnceLock::new()).collect();
        let laid = Laid { layer, first, time, blocks };
        self.layers = self.layers.iter().cloned().chain([Arc::new(laid)]).collect();
    }

    fn of_layer(&self, ino: Ino) -> Option<&Inode> {
        let inode = self.layers.iter().find_map(|laid| laid.get(ino))?;
        (!self.removed.contains_key(&ino)).then_some(inode)
    }

    pub(super) fn get(&self, ino: Ino) -> Option<&Inode> {
        self.others.get(&ino).or_else(|| self.of_layer(ino))
    }

    pub(super) fn get_mut(&mut self, ino: Ino) -> Option<&mut Inode> {
        if !self.layers.is_empty()
            && !self.others.contains_key(&ino)
            && let Some(inode) = self.of_layer(ino).cloned()
        {
            self.others.insert_mut(ino, inode);
        }
        self.others.get_mut(&ino)
    }

    pub(super) fn contains(&self, ino: Ino) -> bool {
        let laid = || self.layers.iter().any(|laid| laid.number(ino).is_some()) && !self.removed.contains_key(&ino);
        self.others.contains_key(&ino) || laid()
    }

    pub(super) fn insert(&mut self, ino: Ino, inode: Inode) {
        self.others.insert_mut(ino, inode);
    }

    pub(super) fn remove(&mut self, ino: Ino) {
        self.others.remove_mut(&ino);
        if self.layers.iter().any(|laid| laid.number(ino).is_some()) {
            self.removed.insert_mut(ino, ());
        }
    }

    /// Returns at least the number of inodes.
    pub(super) fn bound(&self) -> u64 {
        self.others.size() as u64 + self.layers.iter().map(|laid| u64::from(laid.layer.len())).sum::<u64>()
    }

    /// Returns the numbers of all inodes, in no particular order.
    pub(super) fn numbers(&self) -> impl Iterator<Item = Ino> {
        let laid = self.layers.iter().flat_map(|laid| laid.first..laid.first + u64::from(laid.layer.len()));
        let laid = laid.filter(|ino| !self.others.contains_key(ino) && !self.removed.contains_key(ino));
        self.others.keys().copied().chain(laid)
    }
}
