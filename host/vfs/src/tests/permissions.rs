//! Modes and owners, for the single user.

use super::*;

#[test]
fn base_files_are_not_the_users() {
    let (fs, root) = fresh();
    base_file(&fs, "/usr/bin/ls", "ls", 0o755);
    assert_eq!(get(&fs, "/usr/bin/ls").unwrap(), b"ls");
    assert_eq!(fs.open(&root, "/usr/bin/ls", WRITE).err(), Some(FsError::Access));
    assert_eq!(fs.open(&root, "/usr/bin/new", CREATE).err(), Some(FsError::Access));
    assert_eq!(fs.unlink(&root, "/usr/bin/ls"), Err(FsError::Access));
    assert_eq!(fs.rename(&root, "/usr/bin/ls", &root, "/ls"), Err(FsError::Access));
    assert_eq!(fs.set_mode(&root, "/usr/bin/ls", true, 0o777), Err(FsError::NotPermitted));
    assert_eq!(fs.set_times(&root, "/usr/bin/ls", true, SetTime::Now, SetTime::Now), Err(FsError::Access));
    assert_eq!(fs.set_times(&root, "/usr/bin/ls", true, SetTime::At(1), SetTime::At(1)), Err(FsError::NotPermitted));
    assert_eq!(fs.link(&root, "/usr/bin/ls", false, &root, "/ls"), Err(FsError::NotPermitted));
    // Its directory cannot be moved, but the user may replace what the user owns.
    assert_eq!(fs.rename(&root, "/usr", &root, "/mine"), Ok(()), "`/` belongs to the user, as the layout says");
}

#[test]
fn the_owner_is_bound_by_the_mode_too() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"x");
    for (mode, read, write) in [(0o400, true, false), (0o200, false, true), (0o077, false, false), (0o600, true, true)] {
        fs.set_mode(&root, "/f", true, mode).unwrap();
        assert_eq!(fs.open(&root, "/f", READ).is_ok(), read, "{mode:o}");
        assert_eq!(fs.open(&root, "/f", OpenHow { read: false, ..WRITE }).is_ok(), write, "{mode:o}");
    }
    fs.set_mode(&root, "/f", true, 0o107_777).unwrap();
    assert_eq!(fs.stat(&root, "/f", true).unwrap().mode, 0o7777);
}

#[test]
fn directories_need_search_and_write() {
    let (fs, root) = fresh();
    fs.mkdir(&root, "/d", 0o755).unwrap();
    put(&fs, "/d/f", b"x");
    fs.set_mode(&root, "/d", true, 0o600).unwrap();
    assert_eq!(get(&fs, "/d/f"), Err(FsError::Access));
    assert_eq!(list(&fs, "/d"), ["f"]);
    fs.set_mode(&root, "/d", true, 0o300).unwrap();
    assert_eq!(get(&fs, "/d/f").unwrap(), b"x");
    let unreadable = fs.open(&root, "/d", OpenHow::default()).unwrap();
    assert_eq!(unreadable.read_dir(), Err(FsError::Access));
    fs.set_mode(&root, "/d", true, 0o500).unwrap();
    assert_eq!(fs.open(&root, "/d/g", CREATE).err(), Some(FsError::Access));
    assert_eq!(fs.unlink(&root, "/d/f"), Err(FsError::Access));
    assert_eq!(fs.mkdir(&root, "/d/e", 0o755), Err(FsError::Access));
    // A directory that is not writable keeps its parent.
    fs.mkdir(&root, "/e", 0o755).unwrap();
    assert_eq!(fs.rename(&root, "/d", &root, "/e/d"), Err(FsError::Access));
    assert_eq!(fs.rename(&root, "/d", &root, "/renamed"), Ok(()));
}

#[test]
fn the_sticky_bit_protects_what_is_not_the_users() {
    let (fs, root) = fresh();
    base_dir(&fs, "/tmp", 0o1777, false);
    base_file(&fs, "/tmp/given", "x", 0o644);
    put(&fs, "/tmp/mine", b"x");
    assert_eq!(fs.unlink(&root, "/tmp/given"), Err(FsError::NotPermitted));
    assert_eq!(fs.rename(&root, "/tmp/mine", &root, "/tmp/given"), Err(FsError::NotPermitted));
    assert_eq!(fs.unlink(&root, "/tmp/mine"), Ok(()));
    base_dir(&fs, "/open", 0o777, false);
    base_file(&fs, "/open/given", "x", 0o644);
    assert_eq!(fs.unlink(&root, "/open/given"), Ok(()));
}

#[test]
fn links_have_no_mode_of_their_own() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"x");
    fs.symlink(&root, "/l", "f").unwrap();
    assert_eq!(fs.set_mode(&root, "/l", false, 0o600), Err(FsError::Unsupported));
    fs.set_mode(&root, "/l", true, 0o600).unwrap();
    assert_eq!(fs.stat(&root, "/f", true).unwrap().mode, 0o600);
    fs.set_times(&root, "/l", false, SetTime::At(1), SetTime::At(2)).unwrap();
    assert_eq!(fs.stat(&root, "/l", false).unwrap().mtime, 2);
    assert_ne!(fs.stat(&root, "/f", true).unwrap().mtime, 2);
}
