//! Usage, digests, and the watch.

use super::*;
use wisp_vfs::{Change, Changed};

async fn digest(files: &Files, path: &str) -> [u8; 32] {
    let fresh = files.digest(path).await.unwrap();
    assert!(files.fs.has_digest(&files.fs.root(), &path::absolute(path)), "it is known now");
    assert_eq!(files.digest(path).await.unwrap(), fresh);
    fresh
}

#[tokio::test]
async fn usage_is_that_of_the_session() {
    let files = with_quota(1_000, 10);
    files.write("d/f", "text").await.unwrap();
    let usage = files.usage();
    assert_eq!((usage.bytes, usage.max_bytes, usage.files, usage.max_files), (4, 1_000, 2, 10));
}

#[tokio::test]
async fn equal_trees_have_equal_digests() {
    let make = async || {
        let files = files();
        files.write("d/e/f", "text").await.unwrap();
        files.symlink("e/f", "d/link").await.unwrap();
        files
    };
    let (one, other) = (make().await, make().await);
    let first = digest(&one, "d").await;
    assert_eq!(digest(&other, "d").await, first);
    assert_eq!(digest(&one, "/home/user/d/../d").await, first);
    // Neither the number of a file nor its time counts.
    other.copy("d", "copy").await.unwrap();
    assert_eq!(digest(&other, "copy").await, first);
    assert_eq!(digest(&other, "d/link").await, digest(&other, "copy/e/f").await, "a link is followed");
    // However it was written: as one piece, in parts, or with a hole.
    one.write("a", [vec![0; 100_000], vec![1], vec![0; 50]].concat()).await.unwrap();
    other.write_at("a", 100_000, vec![1]).await.unwrap();
    other.write_at("a", 100_050, vec![0]).await.unwrap();
    assert_eq!(digest(&one, "a").await, digest(&other, "a").await);
    sparse(&one, "/home/user/huge", i64::MAX as u64);
    digest(&one, "/").await;
}

#[tokio::test]
async fn every_change_changes_the_digest() {
    let files = files();
    files.write("d/e/f", "text").await.unwrap();
    files.write("d/g", "").await.unwrap();
    files.symlink("e", "d/link").await.unwrap();
    let first = digest(&files, "/home/user").await;
    let beside = digest(&files, "/tmp").await;
    let known = |path: &str| files.fs.has_digest(&files.fs.root(), path);
    let mut seen = vec![first];
    macro_rules! changed {
        ($step:expr) => {{
            $step.await.unwrap();
            assert!(!known("/home/user") && known("/tmp"), "only what is above loses its digest");
            let now = digest(&files, "/home/user").await;
            assert!(!seen.contains(&now), "{}", stringify!($step));
            seen.push(now);
        }};
    }
    changed!(files.write("d/e/f", "TEXT"));
    changed!(files.append("d/e/f", "."));
    changed!(files.set_mode("d/e/f", 0o600));
    changed!(files.set_mode("d/e", 0o700));
    changed!(files.rename("d/g", "d/h"));
    changed!(files.mkdir("d/g"));
    changed!(files.remove("d/link"));
    changed!(files.symlink("f", "d/link"));
    changed!(files.rename("d/e", "e"));
    changed!(files.write("e/f", "again"));
    assert_eq!(digest(&files, "/tmp").await, beside);
    // And back again.
    files.write("e/f", "TEXT.").await.unwrap();
    assert_eq!(digest(&files, "/home/user").await, seen[seen.len() - 2]);
}

#[tokio::test]
async fn digests_follow_hard_links_snapshots_and_forks() {
    let files = files();
    files.write("a/f", "one").await.unwrap();
    files.mkdir("b").await.unwrap();
    let root = files.fs.root();
    files.fs.link(&root, "/home/user/a/f", false, &root, "/home/user/b/f").unwrap();
    let (a, b) = (digest(&files, "a").await, digest(&files, "b").await);
    assert_eq!(a, b);
    let (snapshot, fork) = (files.fs.snapshot(), Files::new(files.fs.fork(), files.policy.clone()));
    files.write("a/f", "two").await.unwrap();
    assert_ne!(digest(&files, "b").await, b, "a change through the other name");
    assert!(fork.fs.has_digest(&fork.fs.root(), "/home/user/b"));
    assert_eq!(digest(&fork, "b").await, b);
    files.fs.restore(&snapshot);
    assert!(files.fs.has_digest(&files.fs.root(), "/home/user/a"));
    assert_eq!(digest(&files, "a").await, a);
    // The link is moved below a directory that has a digest, and changes there.
    files.mkdir("c").await.unwrap();
    files.rename("a/f", "c/f").await.unwrap();
    let c = digest(&files, "c").await;
    files.write("b/f", "three").await.unwrap();
    assert_ne!(digest(&files, "c").await, c);
}

/// What is waiting to be read.
fn waiting(watch: &mut FileWatch) -> Vec<Change> {
    std::iter::from_fn(|| watch.try_next()).collect()
}

/// In words.
fn words(changes: &[Change]) -> Vec<String> {
    let word = |change: &Change| match &change.kind {
        Changed::Created { path } => format!("+ {path}"),
        Changed::Written { path } => format!("w {path}"),
        Changed::Attributes { path } => format!("m {path}"),
        Changed::Removed { path } => format!("- {path}"),
        Changed::Renamed { from, to } => format!("{from} > {to}"),
        other => format!("{other:?}"),
    };
    changes.iter().map(|change| format!("{} {}", change.number, word(change).replace("/home/user/", ""))).collect()
}

#[tokio::test]
async fn a_watch_tells_what_changes_in_order() {
    let files = files();
    files.write("d/e/f", "text").await.unwrap();
    let mut watch = files.watch("d", 100).await.unwrap();
    assert!(waiting(&mut watch).is_empty());
    files.append("d/e/f", "1").await.unwrap();
    files.append("d/e/f", "2").await.unwrap();
    files.write("beside", "x").await.unwrap();
    files.create_new("d/new", "").await.unwrap();
    files.set_mode("d/new", 0o600).await.unwrap();
    files.rename("d/e", "d/x").await.unwrap();
    files.append("d/x/f", "3").await.unwrap();
    files.rename("d/new", "out").await.unwrap();
    files.append("out", "4").await.unwrap();
    files.symlink("x", "d/link").await.unwrap();
    files.remove("d/link").await.unwrap();
    let told = waiting(&mut watch);
    let expected = ["1 w d/e/f", "2 + d/new", "3 m d/new", "4 d/e > d/x", "5 w d/x/f", "6 d/new > out", "7 + d/link", "8 - d/link"];
    assert_eq!(words(&told), expected);
    // A replacement shows as what it is: the last event has the name.
    files.replace("d/x/f", "new").await.unwrap();
    let told = words(&waiting(&mut watch));
    assert!(told.last().unwrap().ends_with(" > d/x/f"), "{told:?}");
    files.write("d/x/f", "again").await.unwrap();
    assert!(words(&waiting(&mut watch)).iter().all(|line| line.ends_with(" w d/x/f")));
}

#[tokio::test]
async fn a_watch_waits_and_ends() {
    let files = files();
    let mut watch = files.watch("/", 100).await.unwrap();
    let writer = files.clone();
    let task = tokio::spawn(async move { writer.mkdir("/tmp/d").await });
    assert_eq!(words(&[watch.next().await]), ["1 + /tmp/d"]);
    task.await.unwrap().unwrap();
    drop(watch);
    files.mkdir("/tmp/e").await.unwrap();
}

#[tokio::test]
async fn a_watch_that_is_not_read_says_how_much_is_lost() {
    let files = files();
    let mut watch = files.watch("/", 3).await.unwrap();
    for number in 0..10 {
        files.mkdir(&format!("d{number}")).await.unwrap();
    }
    assert_eq!(words(&waiting(&mut watch)), ["1 + d0", "2 + d1", "3 + d2", "10 Lost { count: 7 }"]);
    // It goes on, and knows the names that it has missed.
    files.mkdir("d9/e").await.unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["11 + d9/e"]);
    let before = files.fs.snapshot();
    files.remove("d9/e").await.unwrap();
    files.fs.restore(&before);
    files.mkdir("d9/f").await.unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["12 - d9/e", "14 Restored { lost: 1 }"]);
    files.mkdir("d9/e/g").await.unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["15 + d9/e/g"]);
}

#[tokio::test]
async fn a_watch_follows_every_name_of_a_file_and_none_of_a_removed_one() {
    let files = files();
    files.write("f", "").await.unwrap();
    let (root, mut watch) = (files.fs.root(), files.watch("/", 100).await.unwrap());
    files.fs.link(&root, "/home/user/f", false, &root, "/home/user/g").unwrap();
    files.append("f", "1").await.unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["1 + g", "2 w f", "3 w g"]);
    let open = files.fs.open(&root, "/home/user/f", OpenHow { write: true, ..OpenHow::default() }).unwrap();
    files.write("h", "").await.unwrap();
    files.rename("h", "f").await.unwrap();
    waiting(&mut watch);
    open.append(b"2").unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["6 w g"]);
    files.remove("g").await.unwrap();
    open.append(b"3").unwrap();
    assert_eq!(words(&waiting(&mut watch)), ["7 - g"]);
}
