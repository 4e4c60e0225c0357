//! What paths mean.

use super::*;

fn tree() -> (Fs, Node) {
    let (fs, root) = fresh();
    for path in ["/a", "/a/b", "/a/b/c"] {
        fs.mkdir(&root, path, 0o755).unwrap();
    }
    put(&fs, "/a/f", b"f");
    (fs, root)
}

#[test]
fn dots_and_slashes() {
    let (fs, root) = tree();
    let ino = |path: &str| fs.stat(&root, path, true).map(|stat| stat.ino);
    let b = ino("/a/b").unwrap();
    for path in ["a/b", "/a//b", "/a/./b/", "//a/b/.", "/a/b/c/..", "/../../a/b", "a/b/c/../../b"] {
        assert_eq!(ino(path), Ok(b), "{path}");
    }
    assert_eq!(ino("/.."), ino("/"));
    assert_eq!(ino(""), Err(FsError::NotFound));
    assert_eq!(ino("/a/f/"), Err(FsError::NotDirectory));
    assert_eq!(ino("/a/f/."), Err(FsError::NotDirectory));
    assert_eq!(ino("/a/f/.."), Err(FsError::NotDirectory));
    assert_eq!(ino("/a/none/.."), Err(FsError::NotFound));
    assert_eq!(ino("/a\0b"), Err(FsError::IllegalBytes));
}

#[test]
fn names_and_paths_have_a_longest() {
    let (fs, root) = tree();
    assert_eq!(fs.mkdir(&root, &"n".repeat(255), 0o755), Ok(()));
    assert_eq!(fs.mkdir(&root, &"n".repeat(256), 0o755), Err(FsError::NameTooLong));
    assert_eq!(fs.stat(&root, &format!("/a/{}", "/".repeat(4093)), true).map(|_| ()), Ok(()));
    assert_eq!(fs.stat(&root, &format!("/a/{}", "/".repeat(4094)), true), Err(FsError::NameTooLong));
    assert_eq!(fs.symlink(&root, "/long", &"x".repeat(4097)), Err(FsError::NameTooLong));
}

#[test]
fn relative_to_an_open_directory_that_moves() {
    let (fs, root) = tree();
    let b = fs.open(&root, "/a/b", OpenHow::default()).unwrap();
    fs.mkdir(&root, "/new", 0o755).unwrap();
    fs.rename(&root, "/a/b", &root, "/new/b").unwrap();
    put(&fs, "/new/beside", b"here");
    assert_eq!(fs.open(&b, "../beside", READ).map(|node| all(&node)), Ok(b"here".to_vec()));
    assert!(fs.stat(&b, "c", true).is_ok());
    fs.rmdir(&root, "/new/b/c").unwrap();
    fs.rmdir(&root, "/new/b").unwrap();
    assert_eq!(fs.mkdir(&b, "late", 0o755), Err(FsError::NotFound));
    assert_eq!(fs.open(&b, "late", CREATE).err(), Some(FsError::NotFound));
    assert_eq!(fs.symlink(&b, "late", "x"), Err(FsError::NotFound));
    assert_eq!(fs.rename(&root, "/a", &b, "late"), Err(FsError::NotFound));
    assert_eq!(b.read_dir().unwrap(), []);
}

#[test]
fn a_file_is_no_place_to_start_from() {
    let (fs, root) = tree();
    let f = fs.open(&root, "/a/f", READ).unwrap();
    assert_eq!(fs.stat(&f, "x", true), Err(FsError::NotDirectory));
    assert_eq!(fs.stat(&f, "..", true), Err(FsError::NotDirectory));
    assert!(fs.stat(&f, "/a", true).is_ok());
    let (other, _) = fresh();
    assert_eq!(other.stat(&root, "a", true), Err(FsError::BadDescriptor));
}

#[test]
fn symbolic_links() {
    let (fs, root) = tree();
    for (path, target) in
        [("/l", "a/b"), ("/a/up", "../l/c"), ("/abs", "/a/f"), ("/dangling", "a/new"), ("/loop", "loop"), ("/slash", "a/f/")]
    {
        fs.symlink(&root, path, target).unwrap();
    }
    let ino = |path: &str, follow| fs.stat(&root, path, follow).map(|stat| stat.ino);
    assert_eq!(ino("/a/up", true), ino("/a/b/c", true));
    assert_eq!(ino("/l/..", true), ino("/a", true));
    assert_eq!(fs.stat(&root, "/l", false).unwrap().kind, FileType::Symlink);
    assert_eq!(fs.stat(&root, "/l/", false).unwrap().kind, FileType::Directory);
    assert_eq!(fs.readlink(&root, "/abs").unwrap(), "/a/f");
    assert_eq!(fs.readlink(&root, "/a/f"), Err(FsError::Invalid));
    assert_eq!(ino("/loop", true), Err(FsError::Loop));
    assert_eq!(ino("/loop/x", true), Err(FsError::Loop));
    assert_eq!(ino("/slash", true), Err(FsError::NotDirectory));
    assert_eq!(fs.open(&root, "/abs", OpenHow { follow: false, ..READ }).err(), Some(FsError::Loop));
    // Creating through a dangling link makes the target; exclusively it does not.
    assert_eq!(fs.open(&root, "/dangling", OpenHow { exclusive: true, ..CREATE }).err(), Some(FsError::Exists));
    assert!(fs.open(&root, "/dangling", CREATE).is_ok());
    assert!(ino("/a/new", false).is_ok());
    fs.unlink(&root, "/abs").unwrap();
    assert!(ino("/a/f", true).is_ok());
}

#[test]
fn forty_links_are_followed_and_no_more() {
    let (fs, root) = tree();
    fs.symlink(&root, "/1", "a").unwrap();
    for index in 2..=41 {
        fs.symlink(&root, &format!("/{index}"), &format!("{}", index - 1)).unwrap();
    }
    assert!(fs.stat(&root, "/40", true).is_ok());
    assert_eq!(fs.stat(&root, "/41", true), Err(FsError::Loop));
    // The product of links within links is bounded too.
    fs.symlink(&root, "/x1", "a/../a/../a").unwrap();
    for index in 2..=20 {
        let target = format!("x{0}/../x{0}/../x{0}", index - 1);
        fs.symlink(&root, &format!("/x{index}"), &target).unwrap();
    }
    assert_eq!(fs.stat(&root, "/x20", true), Err(FsError::Loop));
}
