//! The cache itself: private, and rid of what nobody uses.

use std::os::unix::fs::PermissionsExt;

use super::*;

#[test]
fn the_directory_must_be_private() {
    let scratch = tempfile::tempdir().unwrap();
    let open = scratch.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o755)).unwrap();
    let refused = CodeCache::open(&open).unwrap_err().to_string();
    assert!(refused.contains("0755") && refused.contains("chmod 700"), "{refused}");
    fs::set_permissions(&open, fs::Permissions::from_mode(0o700)).unwrap();
    assert!(CodeCache::open(&open).is_ok());
    let link = scratch.path().join("link");
    std::os::unix::fs::symlink(&open, &link).unwrap();
    assert!(CodeCache::open(&link).is_err(), "a link could be turned elsewhere");
}

#[test]
fn what_nobody_used_for_long_is_removed() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("deep/code");
    let cache = CodeCache::open(&path).unwrap();
    let (old, young) = (path.join("old.cwasm"), path.join("young.cwasm"));
    fs::write(&old, b"").unwrap();
    fs::write(&young, b"").unwrap();
    File::options().write(true).open(&old).unwrap().set_modified(SystemTime::now() - UNUSED - RENEW).unwrap();
    cache.keep_note("format", "something", b"note");
    assert_eq!(cache.note("format", "something").as_deref(), Some(&b"note"[..]));
    assert!(!old.exists() && young.exists());
}

#[test]
fn what_another_process_keeps_or_removes_is_seen() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("code");
    let (ours, theirs) = (CodeCache::open(&path).unwrap(), CodeCache::open(&path).unwrap());
    assert_eq!(ours.note("format", "something"), None);
    theirs.keep_note("format", "something", b"first");
    assert_eq!(ours.note("format", "something").as_deref(), Some(&b"first"[..]));
    theirs.discard(&theirs.find(&key("format", "something")).unwrap().0);
    assert_eq!(ours.note("format", "something"), None);
    theirs.keep_note("format", "something", b"second");
    assert_eq!(ours.note("format", "something").as_deref(), Some(&b"second"[..]));
}

#[test]
fn a_file_is_hashed_again_when_it_changed_and_only_then() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = CodeCache::open(&scratch.path().join("code")).unwrap();
    cache.keep("key", b"contents").unwrap();
    let path = cache.file("key").unwrap().path;
    let seen = path.with_extension(SEEN);
    assert!(seen.exists());
    // Known by its state: the wrong name of a file is not noticed while its state is on record.
    let state = state_of(&fs::metadata(&path).unwrap());
    assert_eq!(fs::read(&seen).unwrap(), state);
    assert!(cache.file("key").is_some());
    fs::write(&path, b"contentz").unwrap();
    assert!(cache.file("key").is_none(), "a change is a change of state");
    assert!(!path.exists() && !seen.exists(), "what is damaged is removed");
    // A record of another state counts for nothing.
    cache.keep("key", b"contents").unwrap();
    fs::write(&seen, b"1 2 3 4.5\n").unwrap();
    assert!(cache.file("key").is_some());
    assert_eq!(fs::read(&seen).unwrap(), state_of(&fs::metadata(&path).unwrap()));
}

#[test]
fn over_the_bound_the_longest_unused_go_first_and_the_newest_stays() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = scratch.path();
    let file = |name: &str, bytes: usize, age: u64| {
        let path = directory.join(name);
        fs::write(&path, vec![0; bytes]).unwrap();
        File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        path
    };
    let (oldest, older, newest) = (file("a.cwasm", 400, 900), file("b.cwasm", 400, 600), file("c.cwasm", 400, 300));
    let turn = file("d.turn", 0, 1200);
    remove_unused(directory, 1200, &newest);
    assert!(oldest.exists() && older.exists(), "it is not over the bound");
    remove_unused(directory, 1199, &newest);
    assert!(!oldest.exists() && older.exists() && newest.exists() && turn.exists());
    remove_unused(directory, 1, &newest);
    assert!(!older.exists() && newest.exists(), "what was just kept is never removed");
}
