//! Digests while something changes, pages of directories, watches.

use std::thread;

use super::*;

/// The digest of a filesystem that has computed none before.
fn afresh(fs: &Fs, base: &Snapshot) -> [u8; 32] {
    let mut bytes = Vec::new();
    fs.snapshot().export(base, &mut bytes).unwrap();
    let quota = Quota { max_bytes: 1 << 30, max_files: 200_000 };
    let copy = Snapshot::import(base, quota, &mut bytes.as_slice()).unwrap().to_fs(fs);
    assert!(!copy.has_digest(&copy.root(), "/"));
    copy.digest(&copy.root(), "/").unwrap()
}

#[test]
fn a_digest_holds_however_much_changes_while_it_is_computed() {
    let (fs, root) = fresh();
    let base = fs.snapshot();
    for number in 0..40 {
        fs.mkdir(&root, &format!("/d{number}"), 0o755).unwrap();
        put(&fs, &format!("/d{number}/f"), [number]);
    }
    for round in 0..30 {
        let writer = fs.clone();
        let changes = thread::spawn(move || {
            let root = writer.root();
            for step in 0..200_usize {
                let (one, other) = ((step * 7 + round) % 40, (step * 13) % 40);
                let path = format!("/d{one}/f");
                // Any of these may find nothing to do.
                let _ = match step % 5 {
                    0 => writer.open(&root, &path, CREATE).and_then(|node| node.append(b"x").map(drop)),
                    1 => writer.rename(&root, &path, &root, &format!("/d{other}/g")),
                    2 => writer.rename(&root, &format!("/d{one}"), &root, &format!("/d{other}/sub")),
                    3 => writer.mkdir(&root, &format!("/d{one}"), 0o755),
                    _ => writer.link(&root, &path, false, &root, &format!("/d{other}/h{step}")),
                };
                if step % 50 == 0 {
                    thread::yield_now();
                }
            }
        });
        while !changes.is_finished() {
            fs.digest(&root, "/").unwrap();
        }
        changes.join().unwrap();
        assert_eq!(fs.digest(&root, "/").unwrap(), afresh(&fs, &base), "round {round}");
    }
}

#[test]
fn a_state_from_elsewhere_brings_no_digest_of_this_one() {
    let (fs, root) = fresh();
    put(&fs, "/f", "one");
    let one = fs.digest(&root, "/").unwrap();
    let before = fs.snapshot();
    put(&fs, "/f", "two");
    let two = fs.digest(&root, "/").unwrap();
    assert_ne!(one, two);
    fs.restore(&before);
    assert!(fs.has_digest(&root, "/"));
    assert_eq!(fs.digest(&root, "/").unwrap(), one);
    assert_eq!(fs.digest(&root, "/nothing"), Err(FsError::NotFound));
}

#[test]
fn a_deep_tree_and_a_loop_of_names_have_digests() {
    let (fs, root) = fresh();
    let mut at = root.clone();
    for _ in 0..20_000 {
        fs.mkdir(&at, "d", 0o755).unwrap();
        at = fs.open(&at, "d", OpenHow { directory: true, ..READ }).unwrap();
    }
    let first = fs.digest(&root, "/").unwrap();
    fs.symlink(&at, "l", "..").unwrap();
    assert_ne!(fs.digest(&root, "/").unwrap(), first, "a change at the bottom reaches the top");
}

#[test]
fn pages_have_every_name_once() {
    let (fs, root) = fresh();
    for number in 0..25 {
        put(&fs, &format!("/f{number}"), "x");
    }
    base_dir(&fs, "/hidden", 0o300, true);
    let (mut seen, mut after) = (Vec::new(), String::new());
    loop {
        let page = root.read_dir_after(&after, 10).unwrap();
        let Some((last, _)) = page.last() else { break };
        after.clone_from(&last.name);
        assert!(page.iter().all(|(entry, stat)| (entry.kind, entry.ino) == (stat.kind, stat.ino)));
        seen.extend(page.into_iter().map(|(entry, _)| entry.name));
    }
    assert_eq!(seen, list(&fs, "/"));
    let hidden = fs.open(&root, "/hidden", OpenHow { directory: true, read: false, ..READ }).unwrap();
    assert_eq!(hidden.read_dir_after("", 10), Err(FsError::Access));
    assert_eq!(put(&fs, "/file", "").read_dir_after("", 10), Err(FsError::NotDirectory));
}

#[test]
fn a_watch_holds_nothing_back_after_it_ended() {
    let (fs, root) = fresh();
    let (mut one, mut other) = (fs.watch(10), fs.watch(1));
    fs.mkdir(&root, "/d", 0o755).unwrap();
    fs.rmdir(&root, "/d").unwrap();
    assert_eq!(one.try_next(), Some(Change { number: 1, kind: Changed::Created { path: "/d".to_owned() } }));
    drop(one);
    assert_eq!(other.try_next().map(|change| change.number), Some(1));
    assert_eq!(other.try_next(), Some(Change { number: 2, kind: Changed::Lost { count: 1 } }));
    assert_eq!(other.try_next(), None);
    // A fork is another filesystem.
    let fork = fs.fork();
    fork.mkdir(&fork.root(), "/e", 0o755).unwrap();
    assert_eq!(other.try_next(), None);
}
