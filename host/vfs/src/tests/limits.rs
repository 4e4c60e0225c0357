//! Attempts of a hostile guest: offsets at the end of the number range, depth, length, loops. Nothing panics or
//! overflows a stack.

use super::*;

#[test]
fn offsets_near_the_end_of_numbers() {
    let (fs, _) = fresh();
    let node = put(&fs, "/f", b"x");
    let largest = i64::MAX as u64;
    for offset in [largest, largest + 1, u64::MAX - 1, u64::MAX] {
        assert_eq!(node.write_at(offset, b"y"), Err(FsError::FileTooLarge), "{offset}");
        assert_eq!(node.read_at(offset, usize::MAX).unwrap().len(), 0, "{offset}");
    }
    assert_eq!(node.set_len(largest + 1), Err(FsError::FileTooLarge));
    assert_eq!(node.set_len(u64::MAX), Err(FsError::FileTooLarge));
    assert_eq!(node.write_at(largest - 2, b"abc"), Ok(2));
    assert_eq!(node.stat().unwrap().size, largest);
    assert_eq!(node.append(b"z"), Err(FsError::FileTooLarge));
    assert_eq!(node.read_at(largest - 3, 100).unwrap(), b"\0ab"[..]);
    node.set_len(largest - 1).unwrap();
    assert_eq!(node.append(b"yz"), Err(FsError::FileTooLarge));
    assert_eq!(node.append(b"z"), Ok(largest));
    node.set_len(1).unwrap();
    assert_eq!((all(&node), fs.usage().bytes), (b"x".to_vec(), 1));
}

#[test]
fn a_hundred_thousand_nested_directories() {
    let (fs, root) = fresh();
    let snapshot = {
        let mut at = root.clone();
        for _ in 0..100_000 {
            fs.mkdir(&at, "d", 0o755).unwrap();
            at = fs.open(&at, "d", OpenHow::default()).unwrap();
        }
        fs.mkdir(&root, "/other", 0o755).unwrap();
        assert_eq!(fs.rename(&root, "/d", &at, "inside"), Err(FsError::Invalid));
        assert_eq!(fs.rename(&root, "/other", &at, "moved"), Ok(()));
        let up = "../".repeat(1365);
        assert!(fs.stat(&at, &up, true).is_ok());
        fs.snapshot()
    };
    assert_eq!(fs.usage().files, 100_001);
    drop(fs.fork());
    fs.restore(&snapshot);
    drop((fs, root, snapshot));
}

#[test]
fn one_huge_directory() {
    let (fs, root) = fresh();
    for index in 0..20_000 {
        fs.symlink(&root, &format!("/{index}"), "x").unwrap();
    }
    let names = root.read_dir().unwrap();
    assert_eq!(names.len(), 20_000);
    assert!(names.is_sorted_by(|one, other| one.name < other.name));
}

#[test]
fn many_sparse_bytes_are_charged_for_what_they_cost() {
    let (fs, _) = with_quota(1 << 20, 10);
    let node = put(&fs, "/f", b"");
    let written = (0..10_000).take_while(|index| node.write_at(index << 30, b"x") == Ok(1)).count();
    assert_eq!(written, 257, "one chunk, then 4 KiB each");
    // The same bytes without holes are charged by their length.
    let (fs, _) = with_quota(1 << 20, 10);
    let node = put(&fs, "/f", b"");
    for index in 0..256 {
        assert_eq!(node.write_at(index * 4096, &[1; 4096]), Ok(4096));
    }
    assert_eq!((fs.usage().bytes, node.append(b"x")), (1 << 20, Err(FsError::NoSpace)));
}

#[test]
fn hard_links_cost_and_end() {
    let (fs, root) = with_quota(1 << 20, 100_000);
    put(&fs, "/f", b"x");
    for index in 1..65_000 {
        fs.link(&root, "/f", false, &root, &format!("/{index}")).unwrap();
    }
    assert_eq!(fs.link(&root, "/f", false, &root, "/more"), Err(FsError::TooManyLinks));
    assert_eq!((fs.stat(&root, "/9", true).unwrap().nlink, fs.usage().files), (65_000, 65_000));
}

#[test]
fn many_threads_at_once() {
    let (fs, root) = fresh();
    fs.mkdir(&root, "/shared", 0o755).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let (fs, root) = (&fs, &root);
            scope.spawn(move || {
                for index in 0..300 {
                    let mine = format!("/shared/{thread}-{index}");
                    put(fs, &mine, mine.as_bytes());
                    // All rename to and remove the same name; the losers get a plain error.
                    let moved = fs.rename(root, &mine, root, "/shared/one");
                    assert_eq!(moved, Ok(()));
                    let removed = fs.unlink(root, "/shared/one");
                    assert!(matches!(removed, Ok(()) | Err(FsError::NotFound)));
                    drop(fs.fork());
                }
            });
        }
    });
    let left = list(&fs, "/shared");
    assert!(left.len() <= 1, "{left:?}");
    assert_eq!(fs.usage().files, 1 + left.len() as u64);
}
