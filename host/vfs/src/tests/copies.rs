//! Copying up, seen from the mount.

use std::sync::atomic::AtomicUsize;

use bytes::Bytes;

use super::*;

/// A host directory in which every name is a file; it counts concurrent readers.
#[derive(Default)]
struct Readers {
    now: AtomicUsize,
    most: AtomicUsize,
}

struct Large(Arc<Readers>);

/// Counted from the opening on.
struct Reading(Arc<Readers>);

const SIZE: u64 = 1 << 20;

fn facts(path: &str) -> HostStat {
    let (kind, ino) = if path.is_empty() { (FileType::Directory, 1) } else { (FileType::Regular, 2 + path.len() as u64) };
    HostStat { kind, mode: 0o755, nlink: 1, size: SIZE, blocks: 0, atime: 0, mtime: 0, ctime: 0, ino }
}

impl Mount for Large {
    fn stat(&self, path: &str) -> Result<HostStat, FsError> {
        Ok(facts(path))
    }
    fn read_link(&self, _: &str) -> Result<String, FsError> {
        Err(FsError::Invalid)
    }
    fn read_dir(&self, _: &str) -> Result<Vec<DirEntry>, FsError> {
        Ok(Vec::new())
    }
    fn open(&self, _: &str, _: HostOpen) -> Result<Arc<dyn HostFile>, FsError> {
        let now = self.0.now.fetch_add(1, Ordering::SeqCst) + 1;
        self.0.most.fetch_max(now, Ordering::SeqCst);
        Ok(Arc::new(Reading(self.0.clone())))
    }
    fn mkdir(&self, _: &str, _: HostMode) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn rmdir(&self, _: &str) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn unlink(&self, _: &str) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn symlink(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn link(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn rename(&self, _: &str, _: &str) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn set_mode(&self, _: &str, _: HostMode) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn set_times(&self, _: &str, _: SetTime, _: SetTime) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
}

#[test]
fn a_mount_is_never_known_to_be_empty() {
    for access in [MountAccess::Read, MountAccess::Write, MountAccess::Overlay] {
        let (fs, root) = fresh();
        fs.mkdir(&root, "/output", 0o755).unwrap();
        assert!(fs.is_known_empty("/output"));
        fs.mount("/output", Arc::new(Large(Arc::default())), access).unwrap();
        // Its `read_dir` has no names, but only the host knows.
        assert!(!fs.is_known_empty("/output") && !fs.is_known_empty("/output/below"), "{access:?}");
    }
}

impl HostFile for Reading {
    fn stat(&self) -> Result<HostStat, FsError> {
        Ok(facts("file"))
    }
    fn read_at(&self, offset: u64, len: usize) -> Result<Bytes, FsError> {
        // Let the others come.
        std::thread::yield_now();
        Ok(vec![7; len.min(SIZE.saturating_sub(offset) as usize)].into())
    }
    fn write_at(&self, _: u64, _: &[u8]) -> Result<usize, FsError> {
        Err(FsError::ReadOnly)
    }
    fn append(&self, _: &[u8]) -> Result<u64, FsError> {
        Err(FsError::ReadOnly)
    }
    fn set_len(&self, _: u64) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn set_mode(&self, _: HostMode) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
    fn set_times(&self, _: SetTime, _: SetTime) -> Result<(), FsError> {
        Err(FsError::ReadOnly)
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        self.0.now.fetch_sub(1, Ordering::SeqCst);
    }
}

/// Otherwise a guest with many processes and an overlay of large files would hold many times the quota.
#[test]
fn files_are_copied_up_one_at_a_time_and_within_the_quota() {
    let (fs, _) = with_quota(3 * SIZE + SIZE / 2, 100);
    let readers = Arc::new(Readers::default());
    fs.mount("/mnt", Arc::new(Large(readers.clone())), MountAccess::Overlay).unwrap();
    let opened = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for name in ["a", "bb", "ccc", "dddd", "eeeee", "ffffff"] {
            let (fs, opened) = (&fs, &opened);
            scope.spawn(move || {
                let how = OpenHow { write: true, ..OpenHow::default() };
                match fs.open(&fs.root(), &format!("/mnt/{name}"), how) {
                    Ok(_) => opened.fetch_add(1, Ordering::SeqCst),
                    Err(error) => {
                        assert_eq!(error, FsError::NoSpace);
                        0
                    }
                };
            });
        }
    });
    assert_eq!(opened.into_inner(), 3);
    assert_eq!(readers.most.load(Ordering::SeqCst), 1);
    assert_eq!(fs.usage().bytes, 3 * SIZE);
}
