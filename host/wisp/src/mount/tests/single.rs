//! A single file as a mount.

use super::*;
use crate::mount;
use wisp_vfs::{FileType, SetTime};

/// A file of the host at /in/data, in a directory with files of the guest.
fn single(access: MountAccess) -> Host {
    let top = tempfile::tempdir().unwrap();
    std::fs::create_dir(top.path().join("data")).unwrap();
    let host = Host::over(top, 1000);
    host.write("file", "text");
    host.write("other", "other");
    host.fs.add_base("/in", wisp_vfs::BaseEntry::Dir { mode: 0o755, user_owned: true }).unwrap();
    let source = mount::open(&host.path("file"), access == MountAccess::Write).unwrap();
    host.fs.mount("/in/data", source, access).unwrap();
    host
}

const EVERY: [MountAccess; 3] = [MountAccess::Read, MountAccess::Write, MountAccess::Overlay];

#[test]
fn it_is_a_file_among_the_guests() {
    for access in EVERY {
        let host = single(access);
        assert_eq!(host.get("/in/data").unwrap(), "text", "{access:?}");
        assert_eq!(host.list("/in"), ["data"]);
        let stat = host.stat("/in/data");
        assert_eq!((stat.kind, stat.size), (FileType::Regular, 4));
        assert!(host.fs.is_host(&host.root, "/in/data"));
        for path in ["/in/data/", "/in/data/x", "/in/data/.", "/in/data/..", "/in/data/../data"] {
            assert_eq!(host.get(path), Err(FsError::NotDirectory), "{path} {access:?}");
        }
        assert_eq!(host.fs.readlink(&host.root, "/in/data"), Err(FsError::Invalid));
        let directory = OpenHow { directory: true, ..READ };
        assert_eq!(host.fs.open(&host.root, "/in/data", directory).err(), Some(FsError::NotDirectory));
        // A guest's link can lead to it as to any file.
        host.fs.symlink(&host.root, "/link", "in/data").unwrap();
        assert_eq!(host.get("/link").unwrap(), "text");
    }
}

#[test]
fn read_changes_nothing() {
    let host = single(MountAccess::Read);
    assert_eq!(host.put("/in/data", "x").err(), Some(FsError::ReadOnly));
    assert_eq!(host.fs.open(&host.root, "/in/data", WRITE).err(), Some(FsError::ReadOnly));
    assert_eq!(host.fs.set_mode(&host.root, "/in/data", true, 0o600), Err(FsError::ReadOnly));
    assert_eq!(host.fs.set_times(&host.root, "/in/data", true, SetTime::Now, SetTime::Now), Err(FsError::ReadOnly));
    assert_eq!(host.read("file").as_deref(), Some("text"));
}

#[test]
fn write_reaches_the_host() {
    use std::os::unix::fs::PermissionsExt as _;
    let host = single(MountAccess::Write);
    let node = host.put("/in/data", "changed").unwrap();
    assert_eq!(node.append(b" more"), Ok(12));
    assert_eq!(host.read("file").as_deref(), Some("changed more"));
    node.set_len(3).unwrap();
    host.fs.set_mode(&host.root, "/in/data", true, 0o7640).unwrap();
    assert_eq!(std::fs::metadata(host.path("file")).unwrap().permissions().mode() & 0o7777, 0o640);
    assert_eq!(host.get("/in/data").unwrap(), "cha");
}

#[test]
fn an_overlay_keeps_changes_in_memory_and_counts_them() {
    let host = single(MountAccess::Overlay);
    let before = host.fs.snapshot();
    let reader = host.fs.open(&host.root, "/in/data", READ).unwrap();
    assert_eq!(host.fs.usage().bytes, 0);
    host.fs.open(&host.root, "/in/data", WRITE).unwrap().append(b" more").unwrap();
    assert_eq!(host.get("/in/data").unwrap(), "text more");
    assert_eq!(reader.read_at(0, 100).unwrap(), "text more", "an earlier opening sees the copy");
    assert!(host.fs.usage().bytes > 0 && !host.fs.is_host(&host.root, "/in/data"));
    let fork = host.fs.fork();
    host.put("/in/data", "x").unwrap();
    assert_eq!(host.read("file").as_deref(), Some("text"));
    assert_eq!(fork.stat(&fork.root(), "/in/data", true).unwrap().size, 9);
    // An archive carries the copy, and a restore removes it.
    let mut bytes = Vec::new();
    host.fs.snapshot().export(&before, &mut bytes).unwrap();
    host.fs.restore(&before);
    assert_eq!((host.get("/in/data").unwrap().as_str(), host.fs.usage().bytes), ("text", 0));
    let quota = Quota { max_bytes: 1000, max_files: 100 };
    let read = wisp_vfs::Snapshot::import(&before, quota, &mut bytes.as_slice()).unwrap();
    host.fs.restore(&read);
    assert_eq!(host.get("/in/data").unwrap(), "x");
    host.fs.restore(&before);
    host.write("file", &"x".repeat(2000));
    assert_eq!(host.fs.open(&host.root, "/in/data", WRITE).err(), Some(FsError::NoSpace), "more than the quota");
    assert_eq!(host.put("/in/data", "short").map(drop), Ok(()), "cut to nothing first, it fits");
}

/// The handle counts, not the name: a file or link that takes its place is not visible.
#[test]
fn the_file_swapped_for_another() {
    for access in EVERY {
        let host = single(access);
        std::fs::rename(host.path("file"), host.path("moved")).unwrap();
        host.link("/etc/passwd", "file");
        assert_eq!(host.get("/in/data").unwrap(), "text", "{access:?}");
        if access == MountAccess::Write {
            host.put("/in/data", "changed").unwrap();
            assert_eq!(host.read("moved").as_deref(), Some("changed"));
        }
    }
}

#[test]
fn its_name_stays() {
    for access in EVERY {
        let host = single(access);
        let (fs, root) = (&host.fs, &host.root);
        host.put("/in/mine", "mine").unwrap();
        assert_eq!(fs.unlink(root, "/in/data"), Err(FsError::Busy));
        assert_eq!(fs.rmdir(root, "/in/data"), Err(FsError::NotDirectory));
        assert_eq!(fs.rename(root, "/in/data", root, "/in/else"), Err(FsError::Busy));
        assert_eq!(fs.rename(root, "/in/mine", root, "/in/data"), Err(FsError::Busy));
        assert_eq!(fs.link(root, "/in/data", true, root, "/in/else"), Err(FsError::CrossDevice));
        assert_eq!(fs.mkdir(root, "/in/data/x", 0o755), Err(FsError::NotDirectory));
        assert_eq!(fs.symlink(root, "/in/data", "x"), Err(FsError::Exists));
        let fresh = OpenHow { exclusive: true, ..CREATE };
        assert_eq!(fs.open(root, "/in/data", fresh).err(), Some(FsError::Exists));
        assert_eq!(host.read("file").as_deref(), Some("text"));
        // A copied-up file stays in its place.
        if access == MountAccess::Overlay {
            host.put("/in/data", "copy").unwrap();
            assert_eq!(fs.unlink(root, "/in/data"), Err(FsError::Busy));
            assert_eq!(fs.link(root, "/in/data", true, root, "/in/else"), Err(FsError::CrossDevice));
        }
    }
}

#[test]
fn where_a_file_may_be_mounted() {
    let host = single(MountAccess::Read);
    let open = || mount::open(&host.path("other"), false).unwrap();
    assert_eq!(host.fs.mount("/in", open(), MountAccess::Read), Err(FsError::Busy));
    assert_eq!(host.fs.mount("/in/data/x", open(), MountAccess::Read), Err(FsError::Busy));
    host.fs.mkdir(&host.root, "/folder", 0o755).unwrap();
    assert_eq!(host.fs.mount("/folder", open(), MountAccess::Read), Err(FsError::IsDirectory));
    assert_eq!(host.fs.mount("/in/beside", open(), MountAccess::Read), Ok(()));
    assert_eq!((host.get("/in/data").unwrap(), host.get("/in/beside").unwrap()), ("text".into(), "other".into()));
}

#[test]
fn a_program_with_rights_is_not_opened_for_writing() {
    use std::os::unix::fs::PermissionsExt as _;
    let host = single(MountAccess::Read);
    std::fs::set_permissions(host.path("other"), std::fs::Permissions::from_mode(0o4755)).unwrap();
    let error = mount::open(&host.path("other"), true).err().map(|error| error.to_string()).unwrap_or_default();
    assert!(error.contains("set-user-ID"), "{error}");
    assert!(mount::open(&host.path("other"), false).is_ok());
}
