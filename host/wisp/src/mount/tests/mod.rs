//! Mounts of real directories. Each attack has a permitted twin.

mod escape;
mod links;
mod modes;
mod overlay;
mod place;
mod plain;
mod refusals;
mod seen;
mod single;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tempfile::TempDir;

use super::HostDir;
use wisp_vfs::{Clock, Fs, FsError, MountAccess, Node, OpenHow, Quota};

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        1_000_000_000
    }
}

const READ: OpenHow =
    OpenHow { read: true, write: false, create: false, exclusive: false, truncate: false, directory: false, follow: true, mode: 0o644 };
const WRITE: OpenHow = OpenHow { write: true, ..READ };
const CREATE: OpenHow = OpenHow { create: true, ..WRITE };

/// A directory of the host, mounted at /mnt; beside it on the host is a secret.
struct Host {
    top: TempDir,
    fs: Fs,
    root: Node,
}

impl Host {
    fn new(access: MountAccess) -> Self {
        Self::with_quota(access, 1 << 20)
    }

    fn with_quota(access: MountAccess, max_bytes: u64) -> Self {
        let top = tempfile::tempdir().unwrap();
        std::fs::create_dir(top.path().join("data")).unwrap();
        std::fs::write(top.path().join("secret"), "secret").unwrap();
        let host = Self::over(top, max_bytes);
        host.write("file", "text");
        std::fs::create_dir_all(host.path("dir/sub")).unwrap();
        host.write("dir/inner", "inner");
        host.mount("/mnt", access);
        host
    }

    fn over(top: TempDir, max_bytes: u64) -> Self {
        let fs = Fs::new(Quota { max_bytes, max_files: 100 }, Arc::new(Still));
        let root = fs.root();
        Self { top, fs, root }
    }

    fn mount(&self, guest: &str, access: MountAccess) {
        self.fs.mount(guest, Arc::new(HostDir::open(&self.path("")).unwrap()), access).unwrap();
    }

    fn path(&self, name: &str) -> PathBuf {
        self.top.path().join("data").join(name)
    }

    fn write(&self, name: &str, text: &str) {
        std::fs::write(self.path(name), text).unwrap();
    }

    /// What the file contains on the host.
    fn read(&self, name: &str) -> Option<String> {
        std::fs::read_to_string(self.path(name)).ok()
    }

    fn link(&self, target: impl AsRef<Path>, name: &str) {
        std::os::unix::fs::symlink(target, self.path(name)).unwrap();
    }

    /// What the guest reads.
    fn get(&self, path: &str) -> Result<String, FsError> {
        let node = self.fs.open(&self.root, path, READ)?;
        let mut all = Vec::new();
        loop {
            let bytes = node.read_at(all.len() as u64, 100)?;
            if bytes.is_empty() {
                return Ok(String::from_utf8(all).unwrap());
            }
            all.extend_from_slice(&bytes);
        }
    }

    fn put(&self, path: &str, text: &str) -> Result<Node, FsError> {
        let node = self.fs.open(&self.root, path, OpenHow { truncate: true, ..CREATE })?;
        assert_eq!(node.write_at(0, text.as_bytes())?, text.len());
        Ok(node)
    }

    fn list(&self, path: &str) -> Vec<String> {
        let node = self.fs.open(&self.root, path, READ).unwrap();
        node.read_dir().unwrap().into_iter().map(|entry| entry.name).collect()
    }

    fn stat(&self, path: &str) -> wisp_vfs::Stat {
        self.fs.stat(&self.root, path, false).unwrap()
    }
}
