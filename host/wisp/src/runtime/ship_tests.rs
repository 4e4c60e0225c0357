//! Shipped code: used when the cache lacks an entry, and trusted no further than the cache.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use super::*;
use crate::runtime::{CodeOrigin, FailPoints, Memory, MemoryChoice, Metering, Runtime, SlotBounds};

const ME: fn() -> u32 = || rustix::process::geteuid().as_raw();

struct Setting {
    scratch: tempfile::TempDir,
    runtime: Runtime,
}

impl Setting {
    /// A folder with a component's code, its image, and a note.
    fn new() -> Self {
        let (memory, _) = Memory::choose(MemoryChoice::Slots, SlotBounds::default(), FailPoints::default()).unwrap();
        let setting = Self { scratch: tempfile::tempdir().unwrap(), runtime: Runtime::new(Metering::Epochs, 2, memory).unwrap() };
        let maker = setting.cache("maker");
        maker.keep_note("format", "something", b"note");
        assert_eq!(setting.load(&maker), CodeOrigin::Compiled);
        maker.keep_note("format", "something else", b"note");
        assert_eq!(maker.ship(&setting.shipped()).unwrap(), 4);
        setting
    }

    fn cache(&self, name: &str) -> CodeCache {
        CodeCache::open(&self.scratch.path().join(name)).unwrap()
    }

    fn shipped(&self) -> PathBuf {
        self.scratch.path().join("wisp.code")
    }

    fn load(&self, cache: &CodeCache) -> CodeOrigin {
        let bytes = || wat::parse_str("(component (core module (memory 3) (data (i32.const 7) \"data\")))").unwrap();
        let code = cache.load(&self.runtime, "a component", || {}, bytes).unwrap();
        assert_eq!(code.image.unwrap().len, 11);
        code.origin
    }

    /// The shipped file with the code.
    fn code(&self) -> PathBuf {
        let mut files = fs::read_dir(self.shipped()).unwrap().map(|entry| entry.unwrap().path());
        files.find(|path| fs::read(path).unwrap().starts_with(b"\x7fELF")).unwrap()
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

#[test]
fn what_came_with_the_program_is_used_and_needs_no_cache() {
    let setting = Setting::new();
    let cache = setting.cache("cache").with_shipped(&setting.shipped(), ME()).unwrap();
    assert_eq!(setting.load(&cache), CodeOrigin::Shipped);
    assert_eq!(setting.load(&cache), CodeOrigin::Shipped, "known by its state now");
    assert_eq!(cache.note("format", "something").as_deref(), Some(&b"note"[..]));
    assert_eq!(cache.shipped().map(|(_, files)| files), Some(4));
    let kept = fs::read_dir(setting.scratch.path().join("cache")).unwrap().map(|entry| entry.unwrap().path());
    assert!(kept.filter(|path| path.extension().is_some_and(|ending| ending == "cwasm")).count() == 0, "nothing was copied");
    let none = CodeCache::none().with_shipped(&setting.shipped(), ME()).unwrap();
    assert_eq!(setting.load(&none), CodeOrigin::Shipped);
    // Code made on this machine takes precedence.
    let maker = setting.cache("maker").with_shipped(&setting.shipped(), ME()).unwrap();
    assert_eq!(setting.load(&maker), CodeOrigin::Cached);
}

#[test]
fn a_flipped_byte_in_it_is_noticed_and_the_code_is_compiled_instead() {
    let setting = Setting::new();
    let code = setting.code();
    let mut bytes = fs::read(&code).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&code, &bytes).unwrap();
    let cache = setting.cache("cache").with_shipped(&setting.shipped(), ME()).unwrap();
    assert_eq!(setting.load(&cache), CodeOrigin::Compiled);
    assert_eq!(setting.load(&cache), CodeOrigin::Cached);
    assert!(code.exists(), "shipped files are never removed");
}

#[test]
fn code_for_another_configuration_is_not_looked_at() {
    let setting = Setting::new();
    let cache = setting.cache("cache").with_shipped(&setting.shipped(), ME()).unwrap();
    let fuel = Runtime::new(Metering::Fuel, 2, setting.runtime.memory().clone()).unwrap();
    assert_eq!(cache.has(&setting.runtime, "a component"), Some(CodeOrigin::Shipped));
    assert_eq!(cache.has(&fuel, "a component"), None);
}

#[test]
fn what_others_could_have_written_is_not_used() {
    let setting = Setting::new();
    let with = |name: &str| setting.cache(name).with_shipped(&setting.shipped(), ME());
    set_mode(&setting.shipped(), 0o777);
    let refused = with("open").unwrap_err().to_string();
    assert!(refused.contains("its mode is 0777"), "{refused}");
    set_mode(&setting.shipped(), 0o555);
    assert_eq!(setting.load(&with("read-only").unwrap()), CodeOrigin::Shipped);
    set_mode(&setting.code(), 0o666);
    assert_eq!(setting.load(&with("writable").unwrap()), CodeOrigin::Compiled);
    set_mode(&setting.shipped(), 0o755);
    let refused = setting.cache("without").with_shipped(&setting.scratch.path().join("absent"), ME());
    assert!(refused.is_err() && !setting.scratch.path().join("absent").exists());
}
