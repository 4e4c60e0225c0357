//! Making, linking, renaming and removing names.

use super::*;

#[test]
fn directories() {
    let (fs, root) = fresh();
    fs.mkdir(&root, "/d", 0o750).unwrap();
    assert_eq!(fs.stat(&root, "/d", true).unwrap().mode, 0o750);
    assert_eq!(fs.mkdir(&root, "/d", 0o755), Err(FsError::Exists));
    assert_eq!(fs.mkdir(&root, "/", 0o755), Err(FsError::Exists));
    assert_eq!(fs.mkdir(&root, "/no/d", 0o755), Err(FsError::NotFound));
    fs.mkdir(&root, "/d/e/", 0o755).unwrap();
    assert_eq!(fs.stat(&root, "/d", true).unwrap().nlink, 3);
    assert_eq!(fs.rmdir(&root, "/d"), Err(FsError::NotEmpty));
    assert_eq!(fs.unlink(&root, "/d"), Err(FsError::IsDirectory));
    assert_eq!(fs.rmdir(&root, "/d/e/."), Err(FsError::Invalid));
    assert_eq!(fs.rmdir(&root, "/"), Err(FsError::Invalid));
    fs.rmdir(&root, "/d/e").unwrap();
    assert_eq!(fs.stat(&root, "/d", true).unwrap().nlink, 2);
    put(&fs, "/f", b"");
    assert_eq!(fs.rmdir(&root, "/f"), Err(FsError::NotDirectory));
    assert_eq!(fs.unlink(&root, "/f/"), Err(FsError::NotDirectory));
    for how in [WRITE, CREATE, OpenHow { truncate: true, ..READ }] {
        assert_eq!(fs.open(&root, "/d", how).err(), Some(FsError::IsDirectory));
    }
    assert_eq!(fs.open(&root, "/f", OpenHow { directory: true, ..READ }).err(), Some(FsError::NotDirectory));
    assert_eq!(list(&fs, "/"), ["d", "f"]);
}

#[test]
fn exclusive_means_new() {
    let (fs, root) = fresh();
    let how = OpenHow { exclusive: true, mode: 0o600, ..CREATE };
    assert_eq!(fs.open(&root, "/f", how).unwrap().stat().unwrap().mode, 0o600);
    assert_eq!(fs.open(&root, "/f", how).err(), Some(FsError::Exists));
    assert_eq!(fs.open(&root, "/f/", CREATE).err(), Some(FsError::NotDirectory));
    assert_eq!(fs.open(&root, "/g/", CREATE).err(), Some(FsError::IsDirectory));
}

#[test]
fn hard_links_are_one_file() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"one");
    fs.link(&root, "/f", false, &root, "/g").unwrap();
    put(&fs, "/g", b"two");
    let (f, g) = (fs.stat(&root, "/f", true).unwrap(), fs.stat(&root, "/g", true).unwrap());
    assert_eq!((f, f.nlink), (g, 2));
    assert_eq!(get(&fs, "/f").unwrap(), b"two");
    assert_eq!(fs.link(&root, "/f", false, &root, "/g"), Err(FsError::Exists));
    fs.mkdir(&root, "/d", 0o755).unwrap();
    assert_eq!(fs.link(&root, "/d", false, &root, "/e"), Err(FsError::NotPermitted));
    fs.symlink(&root, "/l", "f").unwrap();
    fs.link(&root, "/l", false, &root, "/link").unwrap();
    fs.link(&root, "/l", true, &root, "/file").unwrap();
    assert_eq!(fs.stat(&root, "/link", false).unwrap().kind, FileType::Symlink);
    assert_eq!(fs.stat(&root, "/file", false).unwrap().ino, f.ino);
    for name in ["/f", "/g", "/file"] {
        fs.unlink(&root, name).unwrap();
    }
    assert_eq!(fs.usage().bytes, 1, "the target of the link");
}

#[test]
fn rename_replaces_and_open_files_stay() {
    let (fs, root) = fresh();
    let old = put(&fs, "/f", b"old");
    let new = put(&fs, "/new", b"new");
    fs.rename(&root, "/new", &root, "/f").unwrap();
    assert_eq!((all(&old), all(&new)), (b"old".to_vec(), b"new".to_vec()));
    assert_eq!(get(&fs, "/f").unwrap(), b"new");
    new.append(b"er").unwrap();
    assert_eq!(get(&fs, "/f").unwrap(), b"newer");
    assert_eq!(list(&fs, "/"), ["f"]);
    drop(old);
    assert_eq!(fs.usage().files, 1);
}

#[test]
fn rename_of_directories() {
    let (fs, root) = fresh();
    for path in ["/a", "/a/b", "/empty", "/full", "/full/x"] {
        fs.mkdir(&root, path, 0o755).unwrap();
    }
    put(&fs, "/f", b"");
    let rename = |from: &str, to: &str| fs.rename(&root, from, &root, to);
    assert_eq!(rename("/a", "/a/b/c"), Err(FsError::Invalid));
    assert_eq!(rename("/a", "/a/b"), Err(FsError::Invalid));
    assert_eq!(rename("/a", "/full"), Err(FsError::NotEmpty));
    assert_eq!(rename("/a", "/f"), Err(FsError::NotDirectory));
    assert_eq!(rename("/f", "/a"), Err(FsError::IsDirectory));
    assert_eq!(rename("/f", "/g/"), Err(FsError::NotDirectory));
    assert_eq!(rename("/a/.", "/x"), Err(FsError::Busy));
    assert_eq!(rename("/", "/x"), Err(FsError::Busy));
    assert_eq!(rename("/none", "/x"), Err(FsError::NotFound));
    assert_eq!(rename("/a", "/a"), Ok(()));
    assert_eq!(rename("/a", "/empty/"), Ok(()));
    assert_eq!(rename("/empty", "/full/x/y"), Ok(()));
    assert_eq!(list(&fs, "/full/x/y"), ["b"]);
    assert_eq!(fs.stat(&root, "/full/x/y/..", true).unwrap().ino, fs.stat(&root, "/full/x", true).unwrap().ino);
    assert_eq!(fs.stat(&root, "/", true).unwrap().nlink, 3);
    assert_eq!(fs.usage().files, 5);
}

#[test]
fn rename_between_names_of_one_file_does_nothing() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"x");
    fs.link(&root, "/f", false, &root, "/g").unwrap();
    fs.rename(&root, "/f", &root, "/g").unwrap();
    assert_eq!(list(&fs, "/"), ["f", "g"]);
}

#[test]
fn what_the_host_adds() {
    let (fs, root) = fresh();
    base_file(&fs, "/usr/bin/tool", "#!wisp component tool\n", 0o755);
    fs.add_base("/bin", BaseEntry::Symlink("usr/bin".into())).unwrap();
    assert_eq!(get(&fs, "/bin/tool").unwrap(), b"#!wisp component tool\n");
    let stat = fs.stat(&root, "/usr/bin/tool", true).unwrap();
    assert_eq!((stat.mode, stat.uid, fs.usage().files), (0o755, 0, 0));
    base_file(&fs, "/usr/bin/tool", "second", 0o755);
    assert_eq!(get(&fs, "/bin/tool").unwrap(), b"second");
    base_dir(&fs, "/home/user", 0o755, true);
    base_dir(&fs, "/home/user", 0o700, true);
    assert_eq!(fs.stat(&root, "/home/user", true).unwrap().mode, 0o700);
    for wrong in ["relative", "/a/../b", "", "/usr/bin"] {
        assert!(fs.add_base(wrong, BaseEntry::Symlink("x".into())).is_err(), "{wrong}");
    }
    assert_eq!(fs.add_base("/usr/bin/tool/x", BaseEntry::Symlink("x".into())), Err(FsError::NotDirectory));
}
