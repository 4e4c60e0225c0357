//! The witness of the handle that asked receives what the rules of a mount refuse, with the mount and the path. Other
//! failures are not reported.

use parking_lot::Mutex;

use super::*;
use wisp_vfs::{Refused, SetTime, Witness};

#[derive(Default)]
struct Seen(Mutex<Vec<(usize, String, Refused)>>);

impl Witness for Seen {
    fn refused(&self, mount: usize, path: &str, why: Refused) {
        self.0.lock().push((mount, path.to_owned(), why));
    }
}

fn watched(access: MountAccess) -> (Host, Fs, Arc<Seen>) {
    let (host, seen) = (Host::new(access), Arc::new(Seen::default()));
    let fs = host.fs.witnessed(seen.clone());
    (host, fs, seen)
}

impl Seen {
    fn take(&self) -> Vec<(usize, String, Refused)> {
        std::mem::take(&mut self.0.lock())
    }
}

fn one(path: &str, why: Refused) -> Vec<(usize, String, Refused)> {
    vec![(0, path.to_owned(), why)]
}

#[test]
fn changes_in_a_read_mount() {
    let (_host, fs, seen) = watched(MountAccess::Read);
    let root = fs.root();
    let refused = |path: &str| assert_eq!(seen.take(), one(path, Refused::ReadOnly), "{path}");
    assert_eq!(fs.open(&root, "mnt/file", WRITE).err(), Some(FsError::ReadOnly));
    refused("/mnt/file");
    assert_eq!(fs.open(&root, "/mnt/dir/new", CREATE).err(), Some(FsError::ReadOnly));
    refused("/mnt/dir/new");
    assert_eq!(fs.mkdir(&root, "/mnt/new", 0o755), Err(FsError::ReadOnly));
    refused("/mnt/new");
    assert_eq!(fs.unlink(&root, "/mnt/file"), Err(FsError::ReadOnly));
    refused("/mnt/file");
    assert_eq!(fs.rename(&root, "/mnt/file", &root, "/mnt/dir/other"), Err(FsError::ReadOnly));
    refused("/mnt/dir/other");
    assert_eq!(fs.set_mode(&root, "/mnt/file", true, 0o777), Err(FsError::ReadOnly));
    refused("/mnt/file");
    let node = fs.open(&root, "/mnt/file", READ).unwrap();
    assert_eq!(node.set_times(SetTime::At(1), SetTime::At(1)), Err(FsError::ReadOnly));
    refused("/mnt/file");
    let directory = fs.open(&root, "/mnt/dir", READ).unwrap();
    assert_eq!(fs.unlink(&directory, "inner"), Err(FsError::ReadOnly));
    refused("/mnt/dir/inner");
}

#[test]
fn ways_out() {
    for access in [MountAccess::Read, MountAccess::Write, MountAccess::Overlay] {
        let (host, fs, seen) = watched(access);
        host.link("/etc/passwd", "out");
        host.link("../secret", "up");
        let root = fs.root();
        for path in ["/mnt/out", "/mnt/up"] {
            assert_eq!(fs.open(&root, path, READ).err(), Some(FsError::NotPermitted), "{path} {access:?}");
            assert_eq!(seen.take(), one(path, Refused::Outside), "{access:?}");
            // Reading the link itself is not refused, and neither is the query whether the host would be accessed.
            assert!(fs.stat(&root, path, false).is_ok() && !fs.is_host(&root, "/nothing"));
            assert_eq!(seen.take(), [], "{access:?}");
        }
    }
}

#[test]
fn traps_and_special_files() {
    let (host, fs, seen) = watched(MountAccess::Write);
    let root = fs.root();
    assert_eq!(fs.symlink(&root, "/mnt/trap", "/etc/passwd"), Err(FsError::NotPermitted));
    assert_eq!(seen.take(), one("/mnt/trap", Refused::Trap));
    let _listener = std::os::unix::net::UnixListener::bind(host.path("socket")).unwrap();
    assert_eq!(fs.open(&root, "/mnt/socket", READ).err(), Some(FsError::NotPermitted));
    assert_eq!(seen.take(), one("/mnt/socket", Refused::Special));
}

#[test]
fn what_fails_for_another_reason_is_not_refused() {
    let (_host, fs, seen) = watched(MountAccess::Read);
    let root = fs.root();
    assert_eq!(fs.open(&root, "/mnt/absent", READ).err(), Some(FsError::NotFound));
    assert_eq!(fs.mkdir(&root, "/mnt/dir", 0o755), Err(FsError::Exists));
    assert_eq!(fs.rmdir(&root, "/mnt/file"), Err(FsError::NotDirectory));
    assert!(fs.open(&root, "/mnt/file", READ).is_ok() && fs.mkdir(&root, "/made", 0o755).is_ok());
    assert_eq!(seen.take(), []);
}
