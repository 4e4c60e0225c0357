//! Snapshot, restore, fork.

use super::*;

#[test]
fn a_fork_is_independent() {
    let (fs, root) = fresh();
    let kept = put(&fs, "/kept", vec![1; 200_000]);
    put(&fs, "/gone", b"x");
    let fork = fs.fork();
    fs.unlink(&root, "/gone").unwrap();
    kept.write_at(100_000, &[2; 10]).unwrap();
    put(&fork, "/new", b"fork");
    assert_eq!(get(&fork, "/gone").unwrap(), b"x");
    assert_eq!(get(&fork, "/kept").unwrap(), vec![1; 200_000]);
    assert_eq!(get(&fs, "/new"), Err(FsError::NotFound));
    assert_eq!((fs.usage().files, fork.usage().files), (1, 3));
    assert_eq!(fork.stat(&root, "kept", true), Err(FsError::BadDescriptor), "a node of the other filesystem");
}

#[test]
fn forks_share_what_neither_changes() {
    let (fs, _) = fresh();
    let node = put(&fs, "/f", vec![1; 300_000]);
    let fork = fs.fork();
    node.write_at(0, b"x").unwrap();
    let other = fork.open(&fork.root(), "/f", READ).unwrap();
    let same =
        |chunk: u64| node.read_at(chunk * 65_536, 65_536).unwrap().as_ptr() == other.read_at(chunk * 65_536, 65_536).unwrap().as_ptr();
    assert_eq!([same(0), same(1), same(2), same(3)], [false, true, true, true]);
}

#[test]
fn restore_goes_back() {
    let (fs, root) = fresh();
    put(&fs, "/f", b"before");
    fs.mkdir(&root, "/d", 0o755).unwrap();
    let (ino, usage) = (fs.stat(&root, "/f", true).unwrap().ino, fs.usage());
    let snapshot = fs.snapshot();
    put(&fs, "/f", b"after that");
    fs.rmdir(&root, "/d").unwrap();
    put(&fs, "/new", b"x");
    for _ in 0..2 {
        fs.restore(&snapshot);
        assert_eq!(get(&fs, "/f").unwrap(), b"before");
        assert_eq!((list(&fs, "/"), fs.usage()), (vec!["d".into(), "f".into()], usage));
        assert_eq!(fs.stat(&root, "/f", true).unwrap().ino, ino);
        fs.unlink(&root, "/f").unwrap();
    }
    let other = snapshot.to_fs(&fs);
    assert_eq!(get(&other, "/f").unwrap(), b"before");
}

#[test]
fn open_nodes_after_a_restore() {
    let (fs, root) = fresh();
    let kept = put(&fs, "/kept", b"before");
    let snapshot = fs.snapshot();
    kept.append(b" and after").unwrap();
    let newer = put(&fs, "/newer", b"x");
    let directory = {
        fs.mkdir(&root, "/d", 0o755).unwrap();
        fs.open(&root, "/d", READ).unwrap()
    };
    fs.restore(&snapshot);
    // A file of both states continues as it was then.
    assert_eq!(all(&kept), b"before");
    kept.append(b"!").unwrap();
    assert_eq!(get(&fs, "/kept").unwrap(), b"before!");
    // A later file is a closed descriptor, for good.
    let again = put(&fs, "/newer", b"other");
    assert_eq!(newer.read_at(0, 1), Err(FsError::BadDescriptor));
    assert_eq!(newer.write_at(0, b"y"), Err(FsError::BadDescriptor));
    assert_eq!(newer.stat(), Err(FsError::BadDescriptor));
    assert_eq!(directory.read_dir(), Err(FsError::BadDescriptor));
    assert_eq!(fs.mkdir(&directory, "x", 0o755), Err(FsError::BadDescriptor));
    assert_eq!(all(&again), b"other");
    drop((newer, directory));
    assert_eq!(all(&again), b"other");
    assert!(root.read_dir().is_ok());
}

#[test]
fn a_node_never_becomes_another_forks_file() {
    let (fs, _) = fresh();
    let fork = fs.fork();
    let mine = put(&fs, "/mine", b"mine");
    put(&fork, "/theirs", b"theirs");
    let ino = |fs: &Fs, path: &str| fs.stat(&fs.root(), path, true).unwrap().ino;
    assert_eq!(ino(&fs, "/mine"), ino(&fork, "/theirs"), "the test is about equal numbers");
    fs.restore(&fork.snapshot());
    assert_eq!(mine.read_at(0, 9), Err(FsError::BadDescriptor));
    assert_eq!(get(&fs, "/theirs").unwrap(), b"theirs");
}

#[test]
fn unlinked_files_and_restore() {
    let (fs, root) = fresh();
    let open = put(&fs, "/open", b"open");
    let closed = put(&fs, "/closed", b"closed");
    fs.unlink(&root, "/open").unwrap();
    fs.unlink(&root, "/closed").unwrap();
    let snapshot = fs.snapshot();
    drop(closed);
    fs.restore(&snapshot);
    assert_eq!((all(&open), fs.usage().files, fs.usage().bytes), (b"open".to_vec(), 1, 4));
    let fork = fs.fork();
    assert_eq!((fork.usage().files, fork.usage().bytes), (0, 0));
    drop(open);
    assert_eq!((fs.usage().files, fs.usage().bytes), (0, 0));
    fs.restore(&snapshot);
    assert_eq!((fs.usage().files, fs.usage().bytes), (0, 0));
}

#[test]
fn numbers_are_never_given_twice() {
    let (fs, root) = fresh();
    let snapshot = fs.snapshot();
    let mut seen = std::collections::HashSet::new();
    for _ in 0..10 {
        put(&fs, "/f", b"");
        assert!(seen.insert(fs.stat(&root, "/f", true).unwrap().ino));
        fs.restore(&snapshot);
    }
}

#[test]
fn the_quota_is_that_of_the_filesystem_restored_into() {
    let (large, _) = with_quota(1000, 10);
    put(&large, "/f", [1; 500]);
    let (small, root) = with_quota(100, 10);
    small.restore(&large.snapshot());
    assert_eq!(get(&small, "/f").unwrap().len(), 500);
    let node = small.open(&root, "/f", WRITE).unwrap();
    assert_eq!(node.append(b"x"), Err(FsError::NoSpace));
    node.set_len(99).unwrap();
    assert_eq!(node.append(b"x"), Ok(100));
}
