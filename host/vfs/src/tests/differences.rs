//! What differs between a state and its beginning.

use std::sync::atomic::AtomicBool;

use super::*;

/// The differences as `kind path`, at most `most`, and whether there are more.
fn some(fs: &Fs, base: &Snapshot, top: &str, most: usize) -> (Vec<String>, bool) {
    let found = fs.snapshot().differences(base, top, most, &AtomicBool::new(false)).unwrap();
    let shown = |difference: &Difference| format!("{:?} {}", difference.kind, difference.path);
    (found.entries.iter().map(shown).collect(), found.truncated)
}

fn changes(fs: &Fs, base: &Snapshot, top: &str) -> Vec<String> {
    some(fs, base, top, 1_000).0
}

#[test]
fn each_kind_of_change_is_told_and_nothing_else() {
    let (fs, root) = fresh();
    base_dir(&fs, "/d", 0o755, true);
    base_file(&fs, "/etc/hosts", "localhost", 0o644);
    for (path, text) in [("/d/text", "one"), ("/d/mode", "x"), ("/d/same", "same"), ("/d/gone", "gone"), ("/d/type", "")] {
        put(&fs, path, text);
    }
    fs.symlink(&root, "/d/link", "text").unwrap();
    fs.mkdir(&root, "/d/tree", 0o755).unwrap();
    put(&fs, "/d/tree/leaf", "leaf");
    let base = fs.snapshot();
    assert_eq!(changes(&fs, &base, "/"), [""; 0]);
    put(&fs, "/d/text", "two");
    fs.set_mode(&root, "/d/mode", true, 0o600).unwrap();
    // Written, but with the same bytes; another file of the same bytes; other times.
    put(&fs, "/d/same", "same");
    fs.rename(&root, "/d/tree/leaf", &root, "/d/tree/moved").unwrap();
    put(&fs, "/d/tree/leaf", "leaf");
    fs.set_times(&root, "/d/tree", true, SetTime::At(5), SetTime::At(5)).unwrap();
    for path in ["/d/gone", "/d/link", "/d/type"] {
        fs.unlink(&root, path).unwrap();
    }
    fs.symlink(&root, "/d/link", "elsewhere").unwrap();
    fs.mkdir(&root, "/d/type", 0o755).unwrap();
    put(&fs, "/d/type/inner", "");
    let all = [
        "Deleted /d/gone",
        "Link /d/link",
        "Mode /d/mode",
        "Modified /d/text",
        "Added /d/tree/moved",
        "Modified /d/type",
        "Added /d/type/inner",
    ];
    assert_eq!(changes(&fs, &base, "/"), all);
    assert_eq!(changes(&fs, &base, "//d/"), all);
    assert_eq!(changes(&fs, &base, "/d/type"), all[5..]);
    assert_eq!(changes(&fs, &base, "/d/gone"), all[..1]);
    assert_eq!(changes(&fs, &base, "/etc"), [""; 0]);
    // From the other side, what came is what goes.
    let now = fs.snapshot();
    let back = now.to_fs(&fs);
    back.restore(&base);
    assert_eq!(changes(&back, &now, "/d/gone"), ["Added /d/gone"]);
    assert_eq!(changes(&back, &now, "/d/type"), ["Modified /d/type", "Deleted /d/type/inner"]);
}

#[test]
fn versions_have_the_contents_of_their_state() {
    let (fs, root) = fresh();
    base_file(&fs, "/f", "before", 0o666);
    let base = fs.snapshot();
    fs.open(&root, "/f", OpenHow { truncate: true, ..WRITE }).unwrap();
    // Its mode keeps the session's user out, not who compares.
    put(&fs, "/secret", "secret");
    fs.set_mode(&root, "/secret", true, 0).unwrap();
    assert_eq!(get(&fs, "/secret"), Err(FsError::Access));
    let found = fs.snapshot().differences(&base, "/", 10, &AtomicBool::new(false)).unwrap();
    let [changed, secret] = &found.entries[..] else { panic!("{found:?}") };
    let text = |version: &Option<Version>, most| version.as_ref().unwrap().read(most).unwrap();
    assert_eq!(text(&changed.before, 6).unwrap(), "before");
    assert_eq!(text(&changed.before, 5), None, "it is longer");
    assert_eq!(text(&changed.after, 5).unwrap(), "");
    assert_eq!((text(&secret.after, 100).unwrap(), secret.after.as_ref().unwrap().mode), (Bytes::from("secret"), 0));
    assert_eq!((found.top.as_str(), found.truncated), ("/", false));
}

#[test]
fn answers_are_bounded() {
    let (fs, root) = fresh();
    let base = fs.snapshot();
    for number in 0..10 {
        put(&fs, &format!("/{number}"), "");
    }
    assert!(!some(&fs, &base, "/", 10).1);
    let (found, more) = some(&fs, &base, "/", 9);
    assert_eq!((found.len(), more), (9, true));
    // Directories so deep that their paths are longer than any path may be.
    let (name, mut node) = ("d".repeat(200), root);
    for _ in 0..30 {
        fs.mkdir(&node, &name, 0o755).unwrap();
        node = fs.open(&node, &name, READ).unwrap();
    }
    let (found, more) = some(&fs, &base, "/", 1_000);
    assert_eq!((found.len(), more), (10 + 20, true));
    // The caller has stopped waiting for the answer.
    let stopped = fs.snapshot().differences(&base, "/", 1_000, &AtomicBool::new(true));
    assert_eq!(stopped.map(|_| ()).unwrap_err().1, FsError::Io);
}

#[test]
fn a_path_that_neither_state_has_is_an_error() {
    let (fs, root) = fresh();
    let base = fs.snapshot();
    put(&fs, "/f", "");
    fs.symlink(&root, "/link", "/f").unwrap();
    let error = |path: &str| fs.snapshot().differences(&base, path, 10, &AtomicBool::new(false)).map(|_| ()).unwrap_err();
    assert_eq!(error("/nowhere"), ("/nowhere".to_owned(), FsError::NotFound));
    assert_eq!(error("/f/below").1, FsError::NotFound);
    assert_eq!(error("/link/below").1, FsError::NotFound, "links are not followed");
    assert_eq!(error("relative").1, FsError::Invalid);
    assert_eq!(changes(&fs, &base, "/link"), ["Added /link"]);
}
