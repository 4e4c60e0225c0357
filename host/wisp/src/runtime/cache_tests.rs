//! The cache itself: it is private, and removes what is unused.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::PathBuf;

use super::*;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The path of the file under `key` of a cache in `directory`.
fn path_of(cache: &CodeCache, key: &str) -> PathBuf {
    cache.directory().unwrap().join(cache.file(key).unwrap().name)
}

#[test]
fn the_directory_must_be_private() {
    let scratch = tempfile::tempdir().unwrap();
    let open = scratch.path().join("open");
    fs::create_dir(&open).unwrap();
    set_mode(&open, 0o755);
    let refused = CodeCache::open(&open).unwrap_err().to_string();
    assert!(refused.contains("0755") && refused.contains("chmod 700"), "{refused}");
    set_mode(&open, 0o700);
    assert!(CodeCache::open(&open).is_ok());
    let link = scratch.path().join("link");
    symlink(&open, &link).unwrap();
    assert!(CodeCache::open(&link).is_err(), "a link could be turned elsewhere");
    fs::write(scratch.path().join("file"), b"").unwrap();
    let refused = CodeCache::open(&scratch.path().join("file/code")).unwrap_err().to_string();
    assert!(refused.contains("not a directory"), "{refused}");
}

#[test]
fn no_directory_above_it_may_be_changed_by_others() {
    let scratch = tempfile::tempdir().unwrap();
    let above = scratch.path().join("above");
    fs::create_dir(&above).unwrap();
    set_mode(&above, 0o777);
    let refused = CodeCache::open(&above.join("deep/code")).unwrap_err().to_string();
    assert!(refused.contains("above` (its mode is 0777") && refused.contains("chmod go-w"), "{refused}");
    assert!(!above.join("deep").exists(), "nothing was made there");
    // A link on the way is as good as its target.
    symlink(&above, scratch.path().join("link")).unwrap();
    assert!(CodeCache::open(&scratch.path().join("link/code")).is_err());
    // A folder in which only owners can rename entries, such as /tmp.
    set_mode(&above, 0o1777);
    assert!(CodeCache::open(&scratch.path().join("link/deep/code")).is_ok());
    set_mode(&above, 0o755);
    assert!(CodeCache::open(&above.join("../above/deep/code")).is_ok());
}

#[test]
fn a_directory_that_cannot_be_used_keeps_nothing_and_is_still_the_one() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("file"), b"").unwrap();
    let place = scratch.path().join("file/code");
    let cache = CodeCache::open_or_none(&place);
    assert_eq!((cache.directory(), cache.keeps()), (Some(place.as_path()), false));
    assert!(cache.refused().is_some_and(|error| error.to_string().contains("not a directory")));
    cache.keep("key", b"contents").unwrap();
    assert!(cache.file("key").is_none());
    // The twin, and the same folder when it cannot be written: what is there is used.
    let place = scratch.path().join("code");
    let cache = CodeCache::open_or_none(&place);
    assert!(cache.keeps() && cache.refused().is_none());
    cache.keep("key", b"contents").unwrap();
    set_mode(&place, 0o500);
    let cache = CodeCache::open_or_none(&place);
    // Root writes anywhere.
    assert_eq!((cache.keeps(), cache.refused().is_none()), (rustix::process::geteuid().is_root(), true));
    assert!(cache.file("key").is_some());
    set_mode(&place, 0o700);
}

#[test]
fn a_directory_of_another_user_is_refused() {
    let mine = rustix::process::geteuid().as_raw();
    if mine != 0 {
        // Only root can give a folder away; for other users, root's folders belong to another user.
        assert!(CodeCache::open(Path::new("/etc")).is_err());
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let theirs = scratch.path().join("theirs");
    fs::create_dir(&theirs).unwrap();
    set_mode(&theirs, 0o700);
    std::os::unix::fs::chown(&theirs, Some(4711), None).unwrap();
    let leaf = CodeCache::open(&theirs).unwrap_err().to_string();
    assert!(leaf.contains("it belongs to user 4711"), "{leaf}");
    let parent = CodeCache::open(&theirs.join("code")).unwrap_err().to_string();
    assert!(parent.contains("others can change") && parent.contains("it belongs to user 4711"), "{parent}");
    std::os::unix::fs::chown(&theirs, Some(mine), None).unwrap();
    assert!(CodeCache::open(&theirs.join("code")).is_ok());
}

#[test]
fn the_directory_is_the_one_that_was_opened_whatever_its_name_leads_to() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("code");
    let cache = CodeCache::open(&path).unwrap();
    fs::rename(&path, scratch.path().join("elsewhere")).unwrap();
    fs::create_dir(&path).unwrap();
    cache.keep("key", b"contents").unwrap();
    assert!(cache.file("key").is_some());
    assert_eq!(fs::read_dir(&path).unwrap().count(), 0, "nothing was written to what took its name");
}

#[test]
fn a_fifo_in_it_makes_no_call_wait() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = CodeCache::open(&scratch.path().join("code")).unwrap();
    cache.keep("key", b"contents").unwrap();
    let path = path_of(&cache, "key");
    let fifo = |path: &Path| {
        let _ = fs::remove_file(path);
        rustix::fs::mknodat(rustix::fs::CWD, path, rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    };
    fifo(&path.with_extension(SEEN));
    assert!(cache.file("key").is_some(), "it is read again");
    fifo(&path);
    assert!(cache.file("key").is_none());
    assert!(!path.exists(), "and gone");
    fifo(&scratch.path().join("code/key.turn"));
    assert!(cache.turn("key").is_none(), "each program makes its own then");
}

#[test]
fn the_wait_for_a_stopped_process_that_has_the_turn_ends() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("code");
    let (stopped, mut other) = (CodeCache::open(&path).unwrap(), CodeCache::open(&path).unwrap());
    let turn = stopped.turn("key").unwrap();
    other.patience = Duration::from_millis(1);
    assert!(other.turn("key").is_none());
    assert!(other.turn("another key").is_some());
    drop(turn);
    assert!(other.turn("key").is_some());
}

#[test]
fn entries_that_were_not_used_for_long_are_removed() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("deep/code");
    let cache = CodeCache::open(&path).unwrap();
    let (old, young) = (path.join("old.cwasm"), path.join("young.cwasm"));
    let (left, written) = (path.join("left.tmp"), path.join("written.tmp"));
    for file in [&old, &young, &left, &written] {
        fs::write(file, b"").unwrap();
        set_mode(file, 0o600);
    }
    let age = |path: &Path, age: Duration| {
        File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    };
    age(&old, UNUSED + RENEW);
    age(&left, UNFINISHED * 2);
    cache.keep_note("format", "something", b"note");
    assert_eq!(cache.note("format", "something").as_deref(), Some(&b"note"[..]));
    assert!(!old.exists() && young.exists());
    assert!(!left.exists() && written.exists(), "unfinished files are removed sooner");
}

#[test]
fn what_another_process_keeps_or_removes_is_seen() {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("code");
    let (ours, theirs) = (CodeCache::open(&path).unwrap(), CodeCache::open(&path).unwrap());
    assert_eq!(ours.note("format", "something"), None);
    theirs.keep_note("format", "something", b"first");
    assert_eq!(ours.note("format", "something").as_deref(), Some(&b"first"[..]));
    let (name, _) = theirs.find(Place::Private, &key("format", "something")).unwrap();
    theirs.unusable(Place::Private, &name, "a test says so");
    assert_eq!(ours.note("format", "something"), None);
    theirs.keep_note("format", "something", b"second");
    assert_eq!(ours.note("format", "something").as_deref(), Some(&b"second"[..]));
}

#[test]
fn a_file_is_hashed_again_when_it_changed_and_only_then() {
    let scratch = tempfile::tempdir().unwrap();
    let cache = CodeCache::open(&scratch.path().join("code")).unwrap();
    cache.keep("key", b"contents").unwrap();
    let path = path_of(&cache, "key");
    let seen = path.with_extension(SEEN);
    assert!(seen.exists());
    // Identified by its state: a wrong name is not noticed while the state is on record.
    let state = state_of(&fs::metadata(&path).unwrap());
    assert_eq!(fs::read(&seen).unwrap(), state);
    assert!(cache.file("key").is_some());
    fs::write(&path, b"contentz").unwrap();
    assert!(cache.file("key").is_none(), "a change is a change of state");
    assert!(!path.exists() && !seen.exists(), "what is damaged is removed");
    // A record of another state is ignored.
    cache.keep("key", b"contents").unwrap();
    fs::write(&seen, b"1 2 3 4.5\n").unwrap();
    assert!(cache.file("key").is_some());
    assert_eq!(fs::read(&seen).unwrap(), state_of(&fs::metadata(&path).unwrap()));
}

#[test]
fn over_the_bound_the_longest_unused_go_first_and_the_newest_stays() {
    let scratch = tempfile::tempdir().unwrap();
    let directory = scratch.path().join("code");
    let folder = Folder::private(&directory).unwrap();
    let file = |name: &str, bytes: usize, age: u64| {
        let path = directory.join(name);
        fs::write(&path, vec![0; bytes]).unwrap();
        set_mode(&path, 0o600);
        File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        path
    };
    let (oldest, older, newest) = (file("a.cwasm", 400, 900), file("b.cwasm", 400, 600), file("c.cwasm", 400, 300));
    let turn = file("d.turn", 0, 1200);
    remove_unused(&folder, 1200, "c.cwasm");
    assert!(oldest.exists() && older.exists(), "it is not over the bound");
    remove_unused(&folder, 1199, "c.cwasm");
    assert!(!oldest.exists() && older.exists() && newest.exists() && turn.exists());
    remove_unused(&folder, 1, "c.cwasm");
    assert!(!older.exists() && newest.exists(), "what was just kept is never removed");
}
