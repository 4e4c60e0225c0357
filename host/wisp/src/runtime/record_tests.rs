//! What the record does not name is not code.

use std::fs;
use std::io::{Read, Seek};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::*;
use crate::runtime::CodeCache;

/// A cache in a new folder.
fn cache() -> (tempfile::TempDir, PathBuf, CodeCache) {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("code");
    let cache = CodeCache::open(&path).unwrap();
    (scratch, path, cache)
}

fn digest(contents: &[u8]) -> String {
    blake3::hash(contents).to_hex().to_string()
}

/// Puts a file there as something else than wisp would.
fn plant(folder: &Path, name: &str, contents: &[u8], mode: u32) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, contents).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
    path
}

fn found(cache: &CodeCache, key: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut file) = (Vec::new(), cache.file(key)?.file);
    file.rewind().unwrap();
    file.read_to_end(&mut bytes).unwrap();
    Some(bytes)
}

#[test]
fn a_file_with_a_right_name_that_wisp_did_not_keep_is_not_used() {
    let (_scratch, path, cache) = cache();
    let planted = plant(&path, &file_name("key", &digest(b"forged")), b"forged", 0o600);
    assert!(cache.file("key").is_none() && cache.place("key").is_none());
    // Beside the right one too, whichever of the two a directory lists last, and for a program that starts later.
    cache.keep("key", b"right").unwrap();
    assert!(!planted.exists(), "what else has the key is removed");
    for forged in [&b"1"[..], b"2", b"3", b"4"] {
        plant(&path, &file_name("key", &digest(forged)), forged, 0o600);
        assert_eq!(found(&CodeCache::open(&path).unwrap(), "key").as_deref(), Some(&b"right"[..]));
    }
    assert_eq!(found(&cache, "key").as_deref(), Some(&b"right"[..]));
}

#[test]
fn a_record_that_others_can_read_is_not_wisps() {
    let (_scratch, path, cache) = cache();
    let line = format!("key {}\n", digest(b"forged"));
    // As results are copied, by the usual mode of new files.
    plant(&path, RECORD, line.as_bytes(), 0o644);
    plant(&path, &file_name("key", &digest(b"forged")), b"forged", 0o644);
    assert!(cache.file("key").is_none());
    cache.keep("key", b"right").unwrap();
    assert_eq!(found(&cache, "key").as_deref(), Some(&b"right"[..]));
    assert_eq!(fs::metadata(path.join(RECORD)).unwrap().permissions().mode() & 0o777, 0o600);
    // A link to one, and a pipe, are none either, and the next entry replaces them.
    fs::rename(path.join(RECORD), path.join("elsewhere")).unwrap();
    std::os::unix::fs::symlink(path.join("elsewhere"), path.join(RECORD)).unwrap();
    assert!(CodeCache::open(&path).unwrap().file("key").is_none());
    fs::remove_file(path.join(RECORD)).unwrap();
    rustix::fs::mknodat(rustix::fs::CWD, path.join(RECORD), rustix::fs::FileType::Fifo, rustix::fs::Mode::RWXU, 0).unwrap();
    let later = CodeCache::open(&path).unwrap();
    assert!(later.file("key").is_none());
    later.keep("key", b"right").unwrap();
    assert_eq!(found(&later, "key").as_deref(), Some(&b"right"[..]));
}

#[test]
fn a_crash_between_the_file_and_the_record_costs_one_more_making() {
    let (_scratch, path, cache) = cache();
    cache.keep("other", b"other").unwrap();
    let before = fs::read(path.join(RECORD)).unwrap();
    cache.keep("key", b"contents").unwrap();
    fs::write(path.join(RECORD), before).unwrap();
    let next = CodeCache::open(&path).unwrap();
    assert!(next.file("key").is_none());
    next.keep("key", b"contents").unwrap();
    assert_eq!(found(&next, "key").as_deref(), Some(&b"contents"[..]));
    // A record that was cut off has the entries that are whole.
    let text = fs::read_to_string(path.join(RECORD)).unwrap();
    fs::write(path.join(RECORD), &text[..text.len() - 2]).unwrap();
    let entries = ["key", "other"].iter().filter(|key| CodeCache::open(&path).unwrap().file(key).is_some()).count();
    assert_eq!(entries, 1, "{text}");
}

#[test]
fn programs_that_keep_at_once_lose_no_entry() {
    let (_scratch, path, cache) = cache();
    std::thread::scope(|scope| {
        for program in 0..4 {
            let cache = CodeCache::open(&path).unwrap();
            scope.spawn(move || {
                for entry in 0..5 {
                    cache.keep(&format!("{program}-{entry}"), format!("{program} {entry}").as_bytes()).unwrap();
                }
            });
        }
    });
    let all = (0..4).flat_map(|program| (0..5).map(move |entry| (program, entry)));
    for (program, entry) in all {
        assert_eq!(found(&cache, &format!("{program}-{entry}")), Some(format!("{program} {entry}").into_bytes()));
    }
}

#[test]
fn the_record_forgets_what_is_no_longer_there() {
    let (_scratch, path, cache) = cache();
    for key in ["a", "b"] {
        cache.keep(key, key.as_bytes()).unwrap();
    }
    fs::remove_file(path.join(file_name("a", &digest(b"a")))).unwrap();
    cache.keep("c", b"c").unwrap();
    let listing = parse(&fs::read_to_string(path.join(RECORD)).unwrap());
    let mut keys: Vec<&str> = listing.keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["b", "c"]);
    assert_eq!(parse(&text(&listing)), listing);
    assert!(parse("key ../../elsewhere\nkey\n\n key \n").is_empty(), "no path can be in it");
}
