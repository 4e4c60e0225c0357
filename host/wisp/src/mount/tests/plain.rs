//! Mounts that write through to the host, for reading and for writing.

use super::*;
use wisp_vfs::{FileType, OpenFile, SetTime, Whence};

#[test]
fn reading() {
    let host = Host::new(MountAccess::Read);
    assert_eq!(host.get("/mnt/file").unwrap(), "text");
    assert_eq!(host.get("/mnt/dir/../dir/./inner").unwrap(), "inner");
    assert_eq!(host.list("/mnt"), ["dir", "file"]);
    assert_eq!(host.list("/mnt/dir"), ["inner", "sub"]);
    assert_eq!(host.list("/"), ["mnt"]);
    assert_eq!((host.stat("/mnt/file").size, host.stat("/mnt/file").kind), (4, FileType::Regular));
    assert_eq!(host.stat("/mnt/dir").kind, FileType::Directory);
    assert_eq!((host.stat("/mnt").dev, host.stat("/mnt/file").dev, host.stat("/").dev), (2, 2, 1));
    assert_eq!(host.get("/mnt/none"), Err(FsError::NotFound));
    assert_eq!(host.get("/mnt/file/x"), Err(FsError::NotDirectory));
    assert_eq!(host.get("/mnt/dir"), Err(FsError::IsDirectory));
    // What the host adds later is visible.
    host.write("later", "later");
    assert_eq!(host.get("/mnt/later").unwrap(), "later");
    assert_eq!(host.fs.usage().bytes, 0);
    assert_eq!(host.fs.mounts(), [("/mnt".to_owned(), "read")]);
}

#[test]
fn a_read_mount_takes_no_change() {
    let host = Host::new(MountAccess::Read);
    let (fs, root) = (&host.fs, &host.root);
    for how in [WRITE, CREATE, OpenHow { truncate: true, ..READ }] {
        assert_eq!(fs.open(root, "/mnt/file", how).err(), Some(FsError::ReadOnly), "{how:?}");
    }
    assert_eq!(fs.open(root, "/mnt/new", CREATE).err(), Some(FsError::ReadOnly));
    assert_eq!(fs.mkdir(root, "/mnt/new", 0o755), Err(FsError::ReadOnly));
    assert_eq!(fs.symlink(root, "/mnt/new", "file"), Err(FsError::ReadOnly));
    assert_eq!(fs.unlink(root, "/mnt/file"), Err(FsError::ReadOnly));
    assert_eq!(fs.rmdir(root, "/mnt/dir/sub"), Err(FsError::ReadOnly));
    assert_eq!(fs.rename(root, "/mnt/file", root, "/mnt/new"), Err(FsError::ReadOnly));
    assert_eq!(fs.link(root, "/mnt/file", false, root, "/mnt/new"), Err(FsError::ReadOnly));
    assert_eq!(fs.set_mode(root, "/mnt/file", true, 0o777), Err(FsError::ReadOnly));
    assert_eq!(fs.set_times(root, "/mnt/file", true, SetTime::At(1), SetTime::At(1)), Err(FsError::ReadOnly));
    let node = fs.open(root, "/mnt/file", READ).unwrap();
    assert_eq!(node.set_mode(0o777), Err(FsError::ReadOnly));
    assert_eq!(node.set_times(SetTime::At(1), SetTime::At(1)), Err(FsError::ReadOnly));
    assert_eq!(node.write_at(0, b"x"), Err(FsError::BadDescriptor));
    assert_eq!(host.read("file").unwrap(), "text");
}

#[test]
fn a_write_mount_changes_the_host() {
    let host = Host::new(MountAccess::Write);
    let (fs, root) = (&host.fs, &host.root);
    let node = host.put("/mnt/new", "new").unwrap();
    assert_eq!(node.append(b"er"), Ok(5));
    assert_eq!(host.read("new").unwrap(), "newer");
    node.set_len(1).unwrap();
    node.set_mode(0o4711).unwrap();
    assert_eq!((node.stat().unwrap().mode, node.stat().unwrap().size), (0o711, 1));
    fs.mkdir(root, "/mnt/made", 0o755).unwrap();
    fs.rename(root, "/mnt/new", root, "/mnt/made/moved").unwrap();
    assert_eq!(host.read("made/moved").unwrap(), "n");
    fs.link(root, "/mnt/made/moved", false, root, "/mnt/second").unwrap();
    assert_eq!(host.stat("/mnt/second").ino, host.stat("/mnt/made/moved").ino);
    fs.symlink(root, "/mnt/made/link", "moved").unwrap();
    assert_eq!(host.get("/mnt/made/link").unwrap(), "n");
    fs.set_times(root, "/mnt/file", true, SetTime::At(5_000_000_001), SetTime::At(7_000_000_002)).unwrap();
    assert_eq!((host.stat("/mnt/file").atime, host.stat("/mnt/file").mtime), (5_000_000_001, 7_000_000_002));
    assert_eq!(fs.rmdir(root, "/mnt/dir"), Err(FsError::NotEmpty));
    fs.rmdir(root, "/mnt/dir/sub").unwrap();
    fs.unlink(root, "/mnt/second").unwrap();
    assert!(!host.path("dir/sub").exists() && !host.path("second").exists());
    // An open file outlives its name here too.
    fs.unlink(root, "/mnt/made/moved").unwrap();
    assert_eq!(node.read_at(0, 9).unwrap(), "n");
    assert_eq!(fs.open(root, "/mnt/file", OpenHow { exclusive: true, ..CREATE }).err(), Some(FsError::Exists));
    assert_eq!(fs.usage().bytes, 0);
}

#[test]
fn descriptions_of_one_host_file_append_without_loss() {
    let host = Host::new(MountAccess::Write);
    std::thread::scope(|scope| {
        for byte in [b'a', b'b', b'c'] {
            let log = OpenFile::new(host.fs.open(&host.root, "/mnt/log", CREATE).unwrap(), true);
            scope.spawn(move || (0..200).for_each(|_| assert_eq!(log.write(&[byte; 10]), Ok(10))));
        }
    });
    let text = host.read("log").unwrap();
    assert_eq!(text.len(), 6000);
    assert!(text.as_bytes().chunks(10).all(|chunk| chunk.iter().all(|byte| *byte == chunk[0])));
    let file = OpenFile::new(host.fs.open(&host.root, "/mnt/log", READ).unwrap(), false);
    assert_eq!(file.seek(Whence::End, -10), Ok(5990));
    assert_eq!(file.read(100).unwrap().len(), 10);
}

#[test]
fn offsets_near_the_end_of_numbers() {
    let host = Host::new(MountAccess::Write);
    let node = host.fs.open(&host.root, "/mnt/file", WRITE).unwrap();
    for offset in [i64::MAX as u64, i64::MAX as u64 + 1, u64::MAX] {
        assert_eq!(node.read_at(offset, 1).map_or(0, |bytes| bytes.len()), 0);
        assert!(node.write_at(offset, b"x").is_err());
    }
    assert!(node.set_len(u64::MAX).is_err());
    assert_eq!(host.read("file").unwrap(), "text");
}

#[test]
fn mounts_are_filesystems_of_their_own() {
    let host = Host::new(MountAccess::Write);
    let (fs, root) = (&host.fs, &host.root);
    fs.mount("/other", Arc::new(HostDir::open(&host.path("")).unwrap()), MountAccess::Overlay).unwrap();
    host.put("/memory", "memory").unwrap();
    for (from, to) in
        [("/memory", "/mnt/x"), ("/mnt/file", "/x"), ("/mnt/file", "/other/x"), ("/other/file", "/x"), ("/memory", "/other/x")]
    {
        assert_eq!(fs.rename(root, from, root, to), Err(FsError::CrossDevice), "{from} {to}");
        assert_eq!(fs.link(root, from, false, root, to), Err(FsError::CrossDevice), "{from} {to}");
    }
    for point in ["/mnt", "/other"] {
        assert_eq!(fs.rmdir(root, point), Err(FsError::Busy));
        assert_eq!(fs.rename(root, point, root, "/x"), Err(FsError::Busy));
    }
    for guest in ["/mnt", "/mnt/dir", "/", "/other/new/deep"] {
        let source = Arc::new(HostDir::open(&host.path("")).unwrap());
        assert_eq!(fs.mount(guest, source, MountAccess::Read), Err(FsError::Busy), "{guest}");
    }
    let source = Arc::new(HostDir::open(&host.path("dir")).unwrap());
    fs.mount("/a/b", source, MountAccess::Read).unwrap();
    assert_eq!(host.get("/a/b/inner").unwrap(), "inner");
    assert_eq!(host.get("/a/b/../../memory").unwrap(), "memory");
    let source = Arc::new(HostDir::open(&host.path("dir")).unwrap());
    assert_eq!(fs.mount("/a", source, MountAccess::Read), Err(FsError::Busy), "it would hide /a/b");
}

#[test]
fn what_reaches_the_host_is_known_beforehand() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    fs.symlink(root, "/link", "mnt/file").unwrap();
    host.put("/memory", "x").unwrap();
    for (path, expected) in
        [("/mnt/file", true), ("/link", true), ("/mnt", true), ("/mnt/none", true), ("/memory", false), ("/", false), ("/mnt/..", false)]
    {
        assert_eq!(fs.is_host(root, path), expected, "{path}");
    }
    let node = fs.open(root, "/mnt/file", READ).unwrap();
    assert!(node.is_host());
    fs.set_mode(root, "/mnt/file", true, 0o600).unwrap();
    assert!(!node.is_host() && !fs.is_host(root, "/mnt/file"), "it was copied up");
    assert!(!fs.open(root, "/memory", READ).unwrap().is_host());
}

#[test]
fn nodes_of_host_files_close_them() {
    let host = Host::new(MountAccess::Read);
    let held = || {
        let names = std::fs::read_dir("/proc/self/fd").unwrap().flatten();
        names.filter(|name| std::fs::read_link(name.path()).is_ok_and(|target| target == host.path("file"))).count()
    };
    let node = host.fs.open(&host.root, "/mnt/file", READ).unwrap();
    let clone = node.clone();
    assert_eq!(held(), 1);
    drop(node);
    assert_eq!(held(), 1);
    drop(clone);
    assert_eq!(held(), 0);
}

#[test]
fn names_that_are_not_text_are_files_like_others() {
    use std::os::unix::ffi::OsStrExt as _;
    let own = |host: &Host, name: &[u8]| host.path("dir").join(std::ffi::OsStr::from_bytes(name));
    for access in [MountAccess::Read, MountAccess::Write, MountAccess::Overlay] {
        let host = Host::new(access);
        std::fs::write(own(&host, b"bad\xff"), "x").unwrap();
        std::fs::write(own(&host, "\u{f7ff}".as_bytes()), "y").unwrap();
        std::os::unix::fs::symlink(std::ffi::OsStr::from_bytes(b"bad\xff"), own(&host, b"link\xe9")).unwrap();
        assert_eq!(host.list("/mnt/dir"), ["bad\u{f7ff}", "inner", "link\u{f7e9}", "sub", "\u{f7ef}\u{f79f}\u{f7bf}"]);
        for (path, text) in [("bad\u{f7ff}", "x"), ("link\u{f7e9}", "x"), ("\u{f7ef}\u{f79f}\u{f7bf}", "y")] {
            assert_eq!(host.get(&format!("/mnt/dir/{path}")).unwrap(), text, "{access:?} {path:?}");
        }
        assert_eq!(host.fs.readlink(&host.root, "/mnt/dir/link\u{f7e9}").unwrap(), "bad\u{f7ff}");
        // Neither the character itself, nor bytes that are UTF-8, have that name.
        assert_eq!(host.get("/mnt/dir/\u{f7ff}"), Err(FsError::NotFound));
        std::fs::write(host.path("dir/é"), "z").unwrap();
        assert_eq!(host.get("/mnt/dir/\u{f7c3}\u{f7a9}"), Err(FsError::IllegalBytes));
    }
    let host = Host::new(MountAccess::Write);
    host.put("/mnt/dir/\u{f7fe}", "mine").unwrap();
    host.fs.mkdir(&host.root, "/mnt/dir/d\u{f7e9}", 0o755).unwrap();
    host.fs.symlink(&host.root, "/mnt/dir/l", "\u{f7fe}").unwrap();
    host.fs.rename(&host.root, "/mnt/dir/\u{f7fe}", &host.root, "/mnt/dir/d\u{f7e9}/\u{f7fd}").unwrap();
    assert_eq!(std::fs::read(own(&host, b"d\xe9/\xfd")).unwrap(), b"mine");
    assert_eq!(std::fs::read_link(own(&host, b"l")).unwrap().as_os_str().as_bytes(), b"\xfe");
    host.fs.unlink(&host.root, "/mnt/dir/d\u{f7e9}/\u{f7fd}").unwrap();
    host.fs.rmdir(&host.root, "/mnt/dir/d\u{f7e9}").unwrap();
    assert!(!own(&host, b"d\xe9").exists());
}

#[test]
fn a_restore_leaves_host_files_open() {
    let host = Host::new(MountAccess::Write);
    let before = host.fs.snapshot();
    let node = host.put("/mnt/file", "changed").unwrap();
    host.fs.restore(&before);
    assert_eq!(node.read_at(0, 100).unwrap(), "changed");
    assert_eq!(host.get("/mnt/file").unwrap(), "changed");
    // A mount that is newer than the snapshot is gone, with everything that led into it.
    host.fs.mount("/late", Arc::new(HostDir::open(&host.path("")).unwrap()), MountAccess::Read).unwrap();
    let inside = host.fs.open(&host.root, "/late/dir", READ).unwrap();
    host.fs.restore(&before);
    assert_eq!(host.get("/late/file"), Err(FsError::NotFound));
    assert_eq!(inside.read_dir(), Err(FsError::BadDescriptor));
    assert_eq!(host.fs.stat(&inside, "inner", true), Err(FsError::BadDescriptor));
}
