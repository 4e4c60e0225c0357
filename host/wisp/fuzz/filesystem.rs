//! Target: a sequence of operations on the filesystem and on the model, whose results and trees must be equal: in
//! memory, and in an overlay over a directory that must not change.

use std::collections::BTreeMap;
use std::sync::Arc;

use bytes::Bytes;
use wisp_vfs::{
    BaseEntry, Clock, DirEntry, FileType, Fs, FsError, HostFile, HostMode, HostOpen, HostStat, Mount, MountAccess, Node, OpenHow, Quota,
    SetTime, Snapshot, Stat,
};

use crate::input::Input;
use crate::model::{Body, End, Id, Model, ROOT};

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        7
    }
}

const QUOTA: Quota = Quota { max_bytes: 1 << 30, max_files: 100_000 };

/// The filesystem and the model, side by side.
struct Pair {
    fs: Fs,
    /// The inode of the model's root.
    at: Node,
    model: Model,
    handles: Vec<(Node, Id)>,
}

pub(crate) fn memory(bytes: &[u8]) {
    let fs = Fs::new(QUOTA, Arc::new(Still));
    let at = fs.root();
    let mut pair = Pair { fs, at, model: Model::new(), handles: Vec::new() };
    let mut input = Input::new(bytes);
    let mut saved: Option<(Snapshot, Model)> = None;
    let mut left_behind = Vec::new();
    let base = pair.fs.snapshot();
    while !input.is_empty() {
        match input.byte() % 64 {
            3 => pair.archive(&base, "/"),
            0 => saved = Some((pair.fs.snapshot(), pair.model.clone())),
            1 => {
                if let Some((snapshot, model)) = &saved {
                    pair.handles.clear();
                    pair.fs.restore(snapshot);
                    pair.model = model.clone();
                }
            }
            2 => {
                let fork = pair.fs.fork();
                let at = fork.root();
                let next = Pair { fs: fork, at, model: pair.model.clone(), handles: Vec::new() };
                left_behind.push(std::mem::replace(&mut pair, next));
            }
            _ => pair.step(&mut input, true),
        }
    }
    left_behind.push(pair);
    for mut pair in left_behind {
        pair.compare();
        pair.handles.clear();
        pair.remove_all();
        let usage = pair.fs.usage();
        assert_eq!((usage.bytes, usage.files), (0, 0), "something is still charged for");
    }
}

pub(crate) fn overlay(bytes: &[u8]) {
    let lower = Fs::new(QUOTA, Arc::new(Still));
    let host = Pair { at: lower.root(), fs: lower, model: Model::new(), handles: Vec::new() };
    let mut host = host;
    let mut input = Input::new(bytes);
    for _ in 0..12 {
        // No hard links: copying one up separates it from the other.
        host.make(&mut input);
    }
    host.handles.clear();
    let fs = Fs::new(QUOTA, Arc::new(Still));
    let source = Arc::new(Below { fs: host.fs.clone(), at: host.at.clone() });
    fs.mount("/mnt", source, MountAccess::Overlay).expect("nothing else is mounted");
    let base = fs.snapshot();
    let at = fs.open(&fs.root(), "/mnt", OpenHow::default()).expect("it is mounted");
    let mut pair = Pair { fs, at, model: host.model.clone(), handles: Vec::new() };
    while !input.is_empty() {
        if input.once_in(64) {
            pair.archive(&base, "/mnt");
        }
        pair.step(&mut input, false);
    }
    pair.archive(&base, "/mnt");
    pair.compare();
    host.compare();
}

impl Pair {
    /// Continues in a filesystem that was read from an archive of this one.
    fn archive(&mut self, base: &Snapshot, at: &str) {
        let read = crate::archive::round_trip(&self.fs, base).to_fs(&self.fs);
        self.handles.clear();
        assert_eq!(read.usage(), self.fs.usage(), "an archive has other books");
        (self.at, self.fs) = (read.open(&read.root(), at, OpenHow::default()).expect("it was there"), read);
        self.compare();
    }

    fn path(input: &mut Input<'_>, dots: bool) -> String {
        let mut path = String::new();
        if dots && input.once_in(6) {
            path.push('/');
        }
        let depth = 1 + input.byte() % 3;
        for index in 0..depth {
            if index > 0 {
                path.push('/');
            }
            path.push_str(input.pick(if dots {
                &["a", "b", "c", "d", "a", "b", "..", "."]
            } else {
                &["a", "b", "c", "d", "a", "b", "c", "d"]
            }));
        }
        if input.once_in(10) {
            path.push('/');
        }
        path
    }

    fn data(input: &mut Input<'_>) -> Vec<u8> {
        let len = input.pick(&[0, 1, 3, 100, 100, 65_536, 70_000]);
        let seed = input.byte();
        (0..len).map(|index: usize| seed.wrapping_add(index as u8) | 1).collect()
    }

    fn offset(input: &mut Input<'_>) -> u64 {
        input.pick(&[0, 0, 1, 50, 65_535, 65_536, 70_000, 200_000])
    }

    /// Adds something to a directory that will be the host's.
    fn make(&mut self, input: &mut Input<'_>) {
        let path = Self::path(input, false);
        match input.byte() % 4 {
            0 | 1 => {
                assert_eq!(self.fs.mkdir(&self.at, &path, 0o755), self.model.mkdir(&path));
            }
            2 => self.create(input, &path),
            _ => {
                let target = Self::path(input, false);
                assert_eq!(self.fs.symlink(&self.at, &path, &target), self.model.symlink(&path, &target));
            }
        }
    }

    fn create(&mut self, input: &mut Input<'_>, path: &str) {
        let flags = input.byte();
        let how = OpenHow {
            read: true,
            write: flags & 1 == 0,
            create: flags & 2 == 0,
            exclusive: flags & 0x1c == 0x1c,
            truncate: flags & 0x60 == 0x60,
            follow: flags & 0x80 == 0 || flags & 1 == 1,
            ..OpenHow::default()
        };
        let real = self.fs.open(&self.at, path, how);
        let model = self.model.open(path, how);
        match (real, model) {
            (Ok(node), Ok(id)) => {
                if how.write {
                    self.write(input, &node, id);
                }
                self.handles.push((node, id));
                if self.handles.len() > 4 {
                    self.handles.remove(0);
                }
            }
            (Err(real), Err(model)) => assert_eq!(real, model, "open {path:?} {how:?}"),
            (real, model) => panic!("open {path:?} {how:?}: {:?}, the model says {model:?}", real.err()),
        }
    }

    fn write(&mut self, input: &mut Input<'_>, node: &Node, id: Id) {
        let (data, offset) = (Self::data(input), Self::offset(input));
        let Body::File(bytes) = &mut self.model.files[id].0 else { return };
        match input.byte() % 8 {
            0 => {
                node.set_len(offset).expect("open for writing");
                bytes.resize(offset as usize, 0);
            }
            1 | 2 => {
                let end = node.append(&data).expect("open for writing");
                bytes.extend_from_slice(&data);
                assert_eq!(end, bytes.len() as u64);
            }
            _ => {
                assert_eq!(node.write_at(offset, &data), Ok(data.len()));
                let (from, to) = (offset as usize, offset as usize + data.len());
                if !data.is_empty() {
                    if bytes.len() < to {
                        bytes.resize(to, 0);
                    }
                    bytes[from..to].copy_from_slice(&data);
                }
            }
        }
    }

    fn step(&mut self, input: &mut Input<'_>, dots: bool) {
        let path = Self::path(input, dots);
        let (fs, at) = (&self.fs, &self.at);
        match input.byte() % 16 {
            0 | 1 => assert_eq!(fs.mkdir(at, &path, 0o755), self.model.mkdir(&path), "mkdir {path:?}"),
            2 => assert_eq!(fs.rmdir(at, &path), self.model.remove(&path, true), "rmdir {path:?}"),
            3 | 4 => assert_eq!(fs.unlink(at, &path), self.model.remove(&path, false), "unlink {path:?}"),
            5..=7 => {
                let new = Self::path(input, dots);
                assert_eq!(fs.rename(at, &path, at, &new), self.model.rename(&path, &new), "rename {path:?} {new:?}");
            }
            8 => {
                let (new, follow) = (Self::path(input, dots), input.once_in(2));
                assert_eq!(fs.link(at, &path, follow, at, &new), self.model.link(&path, follow, &new), "link {path:?} {new:?}");
            }
            9 => {
                let target = Self::path(input, dots);
                assert_eq!(fs.symlink(at, &path, &target), self.model.symlink(&path, &target), "symlink {path:?} {target:?}");
            }
            10 => {
                if let Some((node, id)) = self.handles.last().cloned()
                    && node.writable()
                {
                    self.write(input, &node, id);
                }
            }
            11 => drop(self.handles.pop()),
            12 => {
                if let Some((node, id)) = self.handles.first() {
                    self.same_contents(node, *id);
                }
            }
            _ => self.create(input, &path),
        }
        if input.once_in(8) {
            self.compare();
        }
    }

    fn same_contents(&self, node: &Node, id: Id) {
        if let Body::File(bytes) = self.model.body(id)
            && node.readable()
        {
            assert!(read_all(node) == *bytes, "the contents differ");
            assert_eq!(node.stat().map(|stat| stat.size), Ok(bytes.len() as u64));
        }
    }

    /// Compares every name, type, link count and byte.
    fn compare(&self) {
        let mut left = vec![(self.at.clone(), ROOT)];
        let mut numbers: BTreeMap<u64, Id> = BTreeMap::new();
        while let Some((node, id)) = left.pop() {
            let real: Vec<DirEntry> = node.read_dir().expect("a directory");
            let names = self.model.names(id).expect("a directory");
            assert_eq!(real.iter().map(|entry| &entry.name).collect::<Vec<_>>(), names.keys().collect::<Vec<_>>());
            for (entry, (name, child)) in real.iter().zip(names) {
                let stat = self.fs.stat(&node, name, false).expect("it was listed");
                assert_eq!((entry.kind, entry.ino), (stat.kind, stat.ino), "{name:?}");
                assert_eq!(*numbers.entry(stat.ino).or_insert(*child), *child, "two files with one number");
                match self.model.body(*child) {
                    Body::File(_) => {
                        assert_eq!((stat.kind, stat.nlink), (FileType::Regular, self.model.links(*child)), "{name:?}");
                        let open = OpenHow { read: true, ..OpenHow::default() };
                        self.same_contents(&self.fs.open(&node, name, open).expect("it was listed"), *child);
                    }
                    Body::Link(target) => assert_eq!(self.fs.readlink(&node, name).as_ref(), Ok(target)),
                    Body::Dir { .. } => left.push((self.fs.open(&node, name, OpenHow::default()).expect("it was listed"), *child)),
                }
            }
        }
    }

    fn remove_all(&mut self) {
        let mut left = vec![String::new()];
        let mut directories = Vec::new();
        while let Some(path) = left.pop() {
            let Ok((End::Dir(id) | End::Name { found: Some(id), .. }, _)) = self.model.walk(&format!("/{path}"), false) else { continue };
            for (name, child) in self.model.names(id).expect("a directory") {
                let path = format!("{path}/{name}");
                if self.model.is_dir(*child) {
                    left.push(path.clone());
                    directories.push(path);
                } else {
                    self.fs.unlink(&self.at, &path).expect("it is there");
                }
            }
        }
        for path in directories.iter().rev() {
            self.fs.rmdir(&self.at, path).expect("it is empty");
        }
    }
}

fn read_all(node: &Node) -> Vec<u8> {
    let mut all = Vec::new();
    loop {
        let bytes = node.read_at(all.len() as u64, 50_000).expect("open for reading");
        if bytes.is_empty() {
            return all;
        }
        all.extend_from_slice(&bytes);
    }
}

/// A filesystem in memory that plays a host directory. It is only read.
pub(crate) struct Below {
    pub(crate) fs: Fs,
    pub(crate) at: Node,
}

fn host_stat(stat: Stat) -> HostStat {
    let Stat { kind, mode, nlink, size, blocks, atime, mtime, ctime, ino, .. } = stat;
    HostStat { kind, mode, nlink, size, blocks, atime, mtime, ctime, ino }
}

struct BelowFile(Node);

impl Mount for Below {
    fn stat(&self, path: &str) -> Result<HostStat, FsError> {
        if path.is_empty() { self.at.stat() } else { self.fs.stat(&self.at, path, false) }.map(host_stat)
    }
    fn read_link(&self, path: &str) -> Result<String, FsError> {
        self.fs.readlink(&self.at, path)
    }
    fn read_dir(&self, path: &str) -> Result<Vec<DirEntry>, FsError> {
        let how = OpenHow { follow: false, ..OpenHow::default() };
        self.fs.open(&self.at, if path.is_empty() { "." } else { path }, how)?.read_dir()
    }
    fn open(&self, path: &str, how: HostOpen) -> Result<Arc<dyn HostFile>, FsError> {
        assert!(!how.write && !how.create && !how.truncate, "an overlay only reads");
        let how = OpenHow { read: true, follow: false, ..OpenHow::default() };
        Ok(Arc::new(BelowFile(self.fs.open(&self.at, path, how)?)))
    }
    fn mkdir(&self, _: &str, _: HostMode) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn rmdir(&self, _: &str) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn unlink(&self, _: &str) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn symlink(&self, _: &str, _: &str) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn link(&self, _: &str, _: &str) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn rename(&self, _: &str, _: &str) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn set_mode(&self, _: &str, _: HostMode) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn set_times(&self, _: &str, _: SetTime, _: SetTime) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
}

impl HostFile for BelowFile {
    fn stat(&self) -> Result<HostStat, FsError> {
        self.0.stat().map(host_stat)
    }
    fn read_at(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        self.0.read_at(offset, len)
    }
    fn write_at(&self, _: u64, _: &[u8]) -> Result<usize, FsError> {
        panic!("an overlay only reads")
    }
    fn append(&self, _: &[u8]) -> Result<u64, FsError> {
        panic!("an overlay only reads")
    }
    fn set_len(&self, _: u64) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn set_mode(&self, _: HostMode) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
    fn set_times(&self, _: SetTime, _: SetTime) -> Result<(), FsError> {
        panic!("an overlay only reads")
    }
}

/// Includes the base layer: its files are shared until they are written to.
#[test]
fn base_files_stay_shared() {
    let fs = Fs::new(QUOTA, Arc::new(Still));
    let data = Bytes::from(vec![5; 200_000]);
    fs.add_base("/f", BaseEntry::File { data: data.clone(), mode: 0o666 }).expect("a plain path");
    let how = OpenHow { read: true, write: true, ..OpenHow::default() };
    let node = fs.open(&fs.root(), "/f", how).expect("writable by all");
    assert_eq!(node.read_at(0, usize::MAX).map(|bytes| bytes.as_ptr()), Ok(data.as_ptr()));
    node.write_at(70_000, b"x").expect("within the quota");
    assert_eq!(node.read_at(0, 65_536).map(|bytes| bytes.as_ptr()), Ok(data.as_ptr()));
    assert_eq!((data[70_000], fs.usage().bytes), (5, 200_000));
}
