//! Overlays: reads see the host's files, changes stay in memory and are charged, the host never changes.

use super::*;
use wisp_vfs::SetTime;

/// Everything below a directory of the host: names and contents.
fn everything(at: &Path) -> Vec<(PathBuf, Option<String>)> {
    let mut found = Vec::new();
    let mut left = vec![at.to_owned()];
    while let Some(directory) = left.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            found.push((path.clone(), std::fs::read_to_string(&path).ok()));
            if path.is_dir() {
                left.push(path);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn changes_stay_in_memory() {
    let host = Host::new(MountAccess::Overlay);
    host.link("file", "link");
    let before = everything(&host.path(""));
    let (fs, root) = (&host.fs, &host.root);
    host.put("/mnt/file", "changed").unwrap();
    host.put("/mnt/dir/sub/new", "new").unwrap();
    fs.mkdir(root, "/mnt/dir/made", 0o755).unwrap();
    fs.unlink(root, "/mnt/dir/inner").unwrap();
    fs.rename(root, "/mnt/dir", root, "/mnt/moved").unwrap();
    fs.set_mode(root, "/mnt/file", true, 0o600).unwrap();
    fs.set_times(root, "/mnt/link", false, SetTime::At(1), SetTime::At(2)).unwrap();
    assert_eq!(host.get("/mnt/link").unwrap(), "changed");
    assert_eq!(host.list("/mnt"), ["file", "link", "moved"]);
    assert_eq!(host.list("/mnt/moved"), ["made", "sub"]);
    assert_eq!(host.get("/mnt/moved/sub/new").unwrap(), "new");
    assert_eq!(host.get("/mnt/dir/sub/new"), Err(FsError::NotFound));
    assert_eq!((host.stat("/mnt/file").mode, host.stat("/mnt/link").mtime), (0o600, 2));
    assert_eq!(everything(&host.path("")), before);
}

#[test]
fn what_was_removed_stays_removed() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    assert_eq!(fs.rmdir(root, "/mnt/dir"), Err(FsError::NotEmpty));
    fs.unlink(root, "/mnt/dir/inner").unwrap();
    assert_eq!(fs.rmdir(root, "/mnt/dir"), Err(FsError::NotEmpty));
    fs.rmdir(root, "/mnt/dir/sub").unwrap();
    fs.rmdir(root, "/mnt/dir").unwrap();
    assert_eq!(host.list("/mnt"), ["file"]);
    // A new directory with the old name does not show what the host still has.
    fs.mkdir(root, "/mnt/dir", 0o755).unwrap();
    assert!(host.list("/mnt/dir").is_empty());
    assert_eq!(host.get("/mnt/dir/inner"), Err(FsError::NotFound));
    fs.unlink(root, "/mnt/file").unwrap();
    host.put("/mnt/file", "again").unwrap();
    fs.unlink(root, "/mnt/file").unwrap();
    assert_eq!(host.get("/mnt/file"), Err(FsError::NotFound));
    assert_eq!(host.read("dir/inner").unwrap(), "inner");
}

#[test]
fn copies_and_whiteouts_count() {
    let host = Host::with_quota(MountAccess::Overlay, 10);
    let (fs, root) = (&host.fs, &host.root);
    host.write("large", "eleven byte");
    assert_eq!(host.get("/mnt/large").unwrap().len(), 11);
    assert_eq!(fs.open(root, "/mnt/large", WRITE).err(), Some(FsError::NoSpace));
    assert_eq!(fs.set_mode(root, "/mnt/large", true, 0o600), Err(FsError::NoSpace));
    assert_eq!((fs.usage().bytes, fs.usage().files), (0, 0));
    // Truncating it does not need its contents.
    assert!(fs.open(root, "/mnt/large", OpenHow { truncate: true, ..WRITE }).is_ok());
    fs.set_mode(root, "/mnt/file", true, 0o600).unwrap();
    assert_eq!((fs.usage().bytes, fs.usage().files), (4, 2));
    fs.unlink(root, "/mnt/file").unwrap();
    assert_eq!((fs.usage().bytes, fs.usage().files), (0, 2), "a whiteout");
    // A directory and what it hides.
    fs.unlink(root, "/mnt/dir/inner").unwrap();
    assert_eq!(fs.usage().files, 4);
    fs.rmdir(root, "/mnt/dir/sub").unwrap();
    assert_eq!(fs.usage().files, 5);
    fs.rmdir(root, "/mnt/dir").unwrap();
    assert_eq!(fs.usage().files, 3, "one whiteout for all of it");
}

#[test]
fn a_file_stays_the_same_file() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    let before = host.stat("/mnt/file");
    let reader = fs.open(root, "/mnt/file", READ).unwrap();
    let writer = fs.open(root, "/mnt/file", WRITE).unwrap();
    writer.append(b" and more").unwrap();
    let after = host.stat("/mnt/file");
    assert_eq!((before.dev, before.ino), (after.dev, after.ino));
    assert_eq!(reader.ident(), writer.ident());
    // A node that was open before sees the change, and keeps the file when its name is removed.
    assert_eq!(reader.read_at(0, 100).unwrap(), "text and more");
    fs.unlink(root, "/mnt/file").unwrap();
    drop(writer);
    assert_eq!(reader.read_at(0, 100).unwrap(), "text and more");
    assert_eq!(fs.usage().bytes, 13);
    drop(reader);
    assert_eq!((fs.usage().bytes, fs.usage().files), (0, 1));
}

#[test]
fn an_open_directory_goes_along() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    let dir = fs.open(root, "/mnt/dir", READ).unwrap();
    let sub = fs.open(root, "/mnt/dir/sub", READ).unwrap();
    fs.rename(root, "/mnt/dir", root, "/mnt/moved").unwrap();
    fs.open(&dir, "made", CREATE).unwrap();
    fs.open(&sub, "deep", CREATE).unwrap();
    assert_eq!(host.list("/mnt/moved"), ["inner", "made", "sub"]);
    assert_eq!(host.list("/mnt/moved/sub"), ["deep"]);
    assert_eq!(fs.stat(&sub, "../made", true).unwrap().ino, host.stat("/mnt/moved/made").ino);
    fs.unlink(&sub, "deep").unwrap();
    fs.rmdir(root, "/mnt/moved/sub").unwrap();
    assert_eq!(fs.open(&sub, "late", CREATE).err(), Some(FsError::NotFound));
    assert!(sub.read_dir().unwrap().is_empty());
}

#[test]
fn snapshots_hold_what_overlays_hold() {
    let host = Host::new(MountAccess::Overlay);
    let (fs, root) = (&host.fs, &host.root);
    host.put("/mnt/file", "one").unwrap();
    let (snapshot, usage) = (fs.snapshot(), fs.usage());
    host.put("/mnt/file", "two").unwrap();
    fs.unlink(root, "/mnt/dir/inner").unwrap();
    let fork = fs.fork();
    fs.restore(&snapshot);
    assert_eq!((host.get("/mnt/file").unwrap().as_str(), fs.usage()), ("one", usage));
    assert_eq!(host.get("/mnt/dir/inner").unwrap(), "inner");
    assert_eq!(fork.stat(&fork.root(), "/mnt/dir/inner", true), Err(FsError::NotFound));
    assert_eq!(fork.stat(&fork.root(), "/mnt/file", true).unwrap().size, 3);
    assert_eq!(host.read("file").unwrap(), "text");
}

#[test]
fn modes_of_the_host_bind_the_copy() {
    use std::os::unix::fs::PermissionsExt as _;
    let host = Host::new(MountAccess::Overlay);
    std::fs::set_permissions(host.path("file"), std::fs::Permissions::from_mode(0o444)).unwrap();
    let (fs, root) = (&host.fs, &host.root);
    assert_eq!(fs.open(root, "/mnt/file", WRITE).err(), Some(FsError::Access));
    fs.set_mode(root, "/mnt/file", true, 0o644).unwrap();
    assert!(fs.open(root, "/mnt/file", WRITE).is_ok());
}

#[test]
fn many_threads_copy_up_one_file() {
    let host = Host::new(MountAccess::Overlay);
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| {
                let node = host.fs.open(&host.root, "/mnt/dir/inner", WRITE).unwrap();
                node.append(b"+").unwrap();
                host.fs.mkdir(&host.root, &format!("/mnt/dir/sub/{:?}", std::thread::current().id()), 0o755).unwrap();
            });
        }
    });
    assert_eq!(host.get("/mnt/dir/inner").unwrap(), "inner++++++++");
    assert_eq!(host.list("/mnt/dir/sub").len(), 8);
    assert_eq!(host.fs.usage().files, 2 + 1 + 8, "two directories, a file, and what was made");
}
