//! Where mounts may be, and where they end.

use super::*;
use crate::mount;

#[test]
fn filesystems_of_the_kernel_are_no_mounts() {
    for path in ["/proc", "/proc/self", "/proc/self/environ", "/proc/self/cwd/../../proc", "/sys", "/sys/kernel"] {
        if !Path::new(path).exists() {
            continue;
        }
        for write in [false, true] {
            let error = mount::open(Path::new(path), write).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("the kernel's filesystem"), "{path}: {error:?}");
        }
    }
    // A path through them to an ordinary folder is allowed.
    assert!(mount::open(Path::new("/proc/self/cwd"), false).is_ok());
    assert!(HostDir::open(Path::new("/proc")).is_err());
}

#[test]
fn what_is_neither_a_file_nor_a_directory_is_no_mount() {
    let top = tempfile::tempdir().unwrap();
    let fifo = top.path().join("fifo");
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, rustix::fs::FileType::Fifo, 0o666.into(), 0).unwrap();
    for path in [&fifo, Path::new("/dev/null"), Path::new("/dev/tty")] {
        let error = mount::open(path, true).err().map(|error| error.to_string()).unwrap_or_default();
        assert!(error.contains("neither"), "{path:?}: {error:?}");
    }
    assert!(mount::open(top.path(), true).is_ok());
    assert!(mount::open(&top.path().join("missing"), true).is_err());
}

/// `/` with `/proc` and `/sys` below it, as on every Linux system.
#[test]
fn what_is_mounted_below_is_not_seen_through() {
    let host = Host::new(MountAccess::Read);
    host.fs.mount("/whole", mount::open(Path::new("/"), false).unwrap(), MountAccess::Read).unwrap();
    assert!(host.list("/whole").contains(&"proc".to_owned()));
    for path in ["/whole/proc", "/whole/proc/self/environ", "/whole/proc/1/root", "/whole/sys/kernel"] {
        assert_eq!(host.get(path), Err(FsError::CrossDevice), "{path}");
        assert_eq!(host.fs.stat(&host.root, path, false), Err(FsError::CrossDevice), "{path}");
    }
    let source = HostDir::open(Path::new("/")).unwrap();
    assert_eq!(wisp_vfs::Mount::read_dir(&source, "proc"), Err(FsError::CrossDevice));
    assert_eq!(wisp_vfs::Mount::mkdir(&source, "proc/made", wisp_vfs::HostMode::new(0o755)), Err(FsError::CrossDevice));
    assert_eq!(host.fs.stat(&host.root, "/whole/usr", true).unwrap().kind, wisp_vfs::FileType::Directory);
}
