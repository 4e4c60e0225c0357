//! Machine code and images: kept, found again, and trusted only by their digests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use super::*;
use crate::runtime::{FailPoints, MemoryChoice, Metering, SlotBounds};

fn component() -> Vec<u8> {
    wat::parse_str("(component (core module (func (export \"f\") (result i32) i32.const 7)))").unwrap()
}

struct Setting {
    _scratch: tempfile::TempDir,
    path: PathBuf,
    cache: CodeCache,
    runtime: Runtime,
}

fn runtime(metering: Metering, choice: MemoryChoice) -> Runtime {
    let (memory, _) = Memory::choose(choice, SlotBounds::default(), FailPoints::default()).unwrap();
    Runtime::new(metering, 2, memory).unwrap()
}

fn setting() -> Setting {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("deep/code");
    let cache = CodeCache::open(&path).unwrap();
    Setting { _scratch: scratch, path, cache, runtime: runtime(Metering::Epochs, MemoryChoice::Pooling) }
}

impl Setting {
    fn load(&self) -> CodeOrigin {
        self.cache.load(&self.runtime, "a component", || {}, component).unwrap().origin
    }

    fn entry(&self) -> PathBuf {
        let entries = fs::read_dir(&self.path).unwrap().map(|entry| entry.unwrap().path());
        let beside =
            |path: &PathBuf| path.ends_with("record") || path.extension().is_some_and(|ending| ending == "seen" || ending == "turn");
        let mut entries: Vec<_> = entries.filter(|path| !beside(path)).collect();
        assert_eq!(entries.len(), 1, "one whole entry and no scratch file: {entries:?}");
        entries.remove(0)
    }
}

#[test]
fn machine_code_is_kept_and_found_again() {
    let setting = setting();
    assert_eq!(setting.cache.has(&setting.runtime, "a component"), None);
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert_eq!(setting.cache.has(&setting.runtime, "a component"), Some(CodeOrigin::Cached));
    assert_eq!(setting.load(), CodeOrigin::Cached);
    assert_eq!(fs::metadata(setting.entry()).unwrap().permissions().mode() & 0o777, 0o600);
    let fuel = runtime(Metering::Fuel, MemoryChoice::Pooling);
    assert_eq!(setting.cache.has(&fuel, "a component"), None, "another configuration is another entry");
}

#[test]
fn programs_that_start_together_compile_once() {
    let setting = setting();
    let origins: Vec<_> = std::thread::scope(|scope| {
        let starts: Vec<_> = (0..8)
            .map(|_| {
                // As another program would: it reads the directory itself.
                let cache = CodeCache::open(&setting.path).unwrap();
                let runtime = &setting.runtime;
                scope.spawn(move || cache.load(runtime, "a component", || {}, component).unwrap().origin)
            })
            .collect();
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert_eq!(origins.iter().filter(|origin| **origin == CodeOrigin::Compiled).count(), 1, "{origins:?}");
}

#[test]
fn a_stopped_process_that_compiles_does_not_keep_others_from_compiling() {
    let mut setting = setting();
    let stopped = CodeCache::open(&setting.path).unwrap();
    let _turn = stopped.turn(&code_key(&setting.runtime, "a component")).unwrap();
    setting.cache.patience = std::time::Duration::from_millis(1);
    let mut waited = false;
    let code = setting.cache.load(&setting.runtime, "a component", || waited = true, component).unwrap();
    assert!(waited && code.origin == CodeOrigin::Compiled);
    assert_eq!(setting.load(), CodeOrigin::Cached, "and nothing waits again");
}

#[test]
fn a_damaged_entry_is_compiled_anew() {
    let setting = setting();
    setting.load();
    let entry = setting.entry();
    let mut bytes = fs::read(&entry).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&entry, &bytes).unwrap();
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert_eq!(setting.load(), CodeOrigin::Cached, "and kept again, whole");
    fs::write(setting.entry(), b"").unwrap();
    assert_eq!(setting.load(), CodeOrigin::Compiled);
}

#[test]
fn a_foreign_entry_is_compiled_anew() {
    let setting = setting();
    setting.load();
    // What wisp kept under the key is not machine code.
    let key = code_key(&setting.runtime, "a component");
    setting.cache.keep(&key, b"not machine code").unwrap();
    let foreign = setting.entry();
    assert_eq!(fs::read(&foreign).unwrap(), b"not machine code");
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert!(!foreign.exists());
    assert_eq!(setting.load(), CodeOrigin::Cached);
}

#[test]
fn an_entry_that_others_may_write_or_that_is_a_link_is_not_mapped() {
    let setting = setting();
    setting.load();
    fs::set_permissions(setting.entry(), fs::Permissions::from_mode(0o622)).unwrap();
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    let entry = setting.entry();
    let elsewhere = setting.path.parent().unwrap().join("elsewhere");
    fs::rename(&entry, &elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, &entry).unwrap();
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert!(elsewhere.exists());
}

#[test]
fn slots_have_their_images_beside_the_code() {
    let setting = setting();
    let slots = runtime(Metering::Epochs, MemoryChoice::Slots);
    let with_data = || wat::parse_str("(component (core module (memory 3) (data (i32.const 70000) \"data\")))").unwrap();
    for origin in [CodeOrigin::Compiled, CodeOrigin::Cached] {
        let code = setting.cache.load(&slots, "with data", || {}, with_data).unwrap();
        let image = code.image.unwrap();
        assert_eq!((code.origin, image.shape, image.len), (origin, MemoryShape { minimum: 3, maximum: None }, 70_004));
        let mut bytes = [0; 5];
        image.file.read_exact_at(&mut bytes, 69_999).unwrap();
        assert_eq!(&bytes, b"\0data");
    }
    for origin in [CodeOrigin::Compiled, CodeOrigin::Cached] {
        let code = setting.cache.load(&slots, "without data", || {}, component).unwrap();
        assert!(code.image.is_none() && code.inert && code.origin == origin);
    }
    let starts = || wat::parse_str("(component (core module (func $f) (start $f)))").unwrap();
    for origin in [CodeOrigin::Compiled, CodeOrigin::Cached] {
        let code = setting.cache.load(&slots, "starts", || {}, starts).unwrap();
        assert!(!code.inert && code.origin == origin, "a component that runs code when it starts is recognized");
    }
    // Without the image, the cached code is useless.
    fs::remove_file(setting.path.join(setting.cache.file(&image_key("with data")).unwrap().name)).unwrap();
    assert_eq!(setting.cache.load(&slots, "with data", || {}, with_data).unwrap().origin, CodeOrigin::Compiled);
    let none = CodeCache::none().load(&slots, "with data", || {}, with_data).unwrap();
    assert_eq!(none.image.unwrap().len, 70_004, "without a cache the image is in memory");
}

#[test]
fn an_unpacked_archive_is_made_once() {
    let setting = setting();
    let made = std::cell::Cell::new(0);
    let get = || {
        let make = || {
            made.set(made.get() + 1);
            Ok::<_, ()>(b"archive".to_vec())
        };
        setting.cache.unpacked("format", "about", make).unwrap()
    };
    assert_eq!((&get()[..], &get()[..], made.get()), (&b"archive"[..], &b"archive"[..], 1));
    assert_eq!(&CodeCache::none().unpacked("format", "about", || Ok::<_, ()>(b"x".to_vec())).unwrap()[..], b"x");
}

#[test]
fn an_archive_that_another_process_unpacks_is_waited_for() {
    let setting = setting();
    let key = key("format", "about");
    let turn = setting.cache.turn(&key);
    assert!(turn.is_some());
    std::thread::scope(|scope| {
        let other = scope.spawn(|| setting.cache.unpacked("format", "about", || Err::<Vec<u8>, _>("made a second time")));
        setting.cache.keep(&key, b"archive").unwrap();
        drop(turn);
        assert_eq!(&other.join().unwrap().unwrap()[..], b"archive");
    });
    // A failure passes the turn on.
    assert_eq!(setting.cache.unpacked("format", "another", || Err::<Vec<u8>, _>("no")).unwrap_err(), "no");
    assert_eq!(&setting.cache.unpacked("format", "another", || Ok::<_, ()>(b"x".to_vec())).unwrap()[..], b"x");
}
