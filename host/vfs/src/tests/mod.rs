//! Behaviour of the filesystem, seen from outside. `fuzz/` compares sequences of operations with a model.

mod archive;
mod copies;
mod differences;
mod fifos;
mod files;
mod known_empty;
mod layers;
mod limits;
mod names;
mod open_files;
mod paths;
mod permissions;
mod quotas;
mod snapshots;
mod sums;
mod watches;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;

use super::*;

/// A clock that advances by one with every reading.
pub(super) struct Ticks(AtomicU64);

impl Clock for Ticks {
    fn now(&self) -> u64 {
        self.0.fetch_add(1, Ordering::Relaxed)
    }
}

/// Returns the viewer's name in its contents.
pub(super) struct Who(pub(super) &'static str);

impl Viewer for Who {
    fn text(&self, name: &str, process: Option<u32>) -> Result<Bytes, FsError> {
        let of = process.map(|id| format!(" of {id}")).unwrap_or_default();
        if name == "closed" { Err(FsError::OutOfMemory) } else { Ok(format!("{name}{of} for {}", self.0).into()) }
    }

    fn link(&self, name: &str, process: Option<u32>) -> Result<String, FsError> {
        let of = process.map(|id| format!("{id}-")).unwrap_or_default();
        Ok(format!("/{of}{}-{name}", self.0))
    }

    fn processes(&self) -> Vec<u32> {
        vec![7, 12]
    }

    fn has_process(&self, id: u32) -> bool {
        [7, 12].contains(&id)
    }
}

pub(super) const READ: OpenHow =
    OpenHow { read: true, write: false, create: false, exclusive: false, truncate: false, directory: false, follow: true, mode: 0o644 };
pub(super) const WRITE: OpenHow = OpenHow { write: true, ..READ };
pub(super) const CREATE: OpenHow = OpenHow { create: true, ..WRITE };

pub(super) fn with_quota(max_bytes: u64, max_files: u64) -> (Fs, Node) {
    let fs = Fs::new(Quota { max_bytes, max_files }, Arc::new(Ticks(AtomicU64::new(1))));
    let root = fs.root();
    (fs, root)
}

pub(super) fn fresh() -> (Fs, Node) {
    with_quota(1 << 30, 200_000)
}

pub(super) fn put(fs: &Fs, path: &str, bytes: impl AsRef<[u8]>) -> Node {
    let node = fs.open(&fs.root(), path, OpenHow { truncate: true, ..CREATE }).unwrap();
    assert_eq!(node.write_at(0, bytes.as_ref()), Ok(bytes.as_ref().len()));
    node
}

pub(super) fn all(node: &Node) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let bytes = node.read_at(all.len() as u64, 100_000).unwrap();
        if bytes.is_empty() {
            return all;
        }
        all.extend_from_slice(&bytes);
    }
}

pub(super) fn get(fs: &Fs, path: &str) -> Result<Vec<u8>, FsError> {
    fs.open(&fs.root(), path, READ).map(|node| all(&node))
}

pub(super) fn list(fs: &Fs, path: &str) -> Vec<String> {
    let node = fs.open(&fs.root(), path, OpenHow { directory: true, ..READ }).unwrap();
    node.read_dir().unwrap().into_iter().map(|entry| entry.name).collect()
}

pub(super) fn base_dir(fs: &Fs, path: &str, mode: u32, user_owned: bool) {
    fs.add_base(path, BaseEntry::Dir { mode, user_owned }).unwrap();
}

pub(super) fn base_file(fs: &Fs, path: &str, text: &'static str, mode: u32) {
    fs.add_base(path, BaseEntry::File { data: text.into(), mode }).unwrap();
}
