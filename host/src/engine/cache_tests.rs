//! The cache: kept, found again, and never trusted further than its digest.

use std::os::unix::fs::PermissionsExt;

use super::*;
use crate::engine::Metering;

fn component() -> Vec<u8> {
    wat::parse_str("(component (core module (func (export \"f\") (result i32) i32.const 7)))").unwrap()
}

struct Setting {
    _scratch: tempfile::TempDir,
    path: PathBuf,
    cache: CodeCache,
    runtime: Runtime,
}

fn setting() -> Setting {
    let scratch = tempfile::tempdir().unwrap();
    let path = scratch.path().join("deep/code");
    let cache = CodeCache::open(&path).unwrap();
    Setting { _scratch: scratch, path, cache, runtime: Runtime::new(Metering::Epochs, 2).unwrap() }
}

impl Setting {
    fn load(&self) -> CodeOrigin {
        self.cache.load(&self.runtime, "a component", component).unwrap().1
    }

    fn entry(&self) -> PathBuf {
        let mut entries: Vec<_> = fs::read_dir(&self.path).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(entries.len(), 1, "one whole entry and no scratch file: {entries:?}");
        entries.remove(0)
    }
}

#[test]
fn machine_code_is_kept_and_found_again() {
    let setting = setting();
    assert!(!setting.cache.has(&setting.runtime, "a component"));
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert!(setting.cache.has(&setting.runtime, "a component"));
    assert_eq!(setting.load(), CodeOrigin::Cached);
    assert_eq!(fs::metadata(setting.entry()).unwrap().permissions().mode() & 0o777, 0o600);
    let fuel = Runtime::new(Metering::Fuel, 2).unwrap();
    assert!(!setting.cache.has(&fuel, "a component"), "another configuration is another entry");
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
    let entry = setting.entry();
    let name = entry.file_name().unwrap().to_str().unwrap().to_owned();
    let key = name.split('.').next().unwrap();
    fs::remove_file(&entry).unwrap();
    // Something whose name is right and that is no machine code.
    let foreign = b"not machine code";
    let name = format!("{key}.{}.cwasm", blake3::hash(foreign).to_hex());
    fs::write(setting.path.join(&name), foreign).unwrap();
    fs::set_permissions(setting.path.join(&name), fs::Permissions::from_mode(0o600)).unwrap();
    assert_eq!(setting.load(), CodeOrigin::Compiled);
    assert!(!setting.path.join(&name).exists());
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
    let setting = setting();
    let (old, young) = (setting.path.join("old.cwasm"), setting.path.join("young.cwasm"));
    fs::write(&old, b"").unwrap();
    fs::write(&young, b"").unwrap();
    File::options().write(true).open(&old).unwrap().set_modified(SystemTime::now() - UNUSED - RENEW).unwrap();
    setting.cache.keep_note("format", "something", b"note");
    assert_eq!(setting.cache.note("format", "something").as_deref(), Some(&b"note"[..]));
    assert!(!old.exists() && young.exists());
}
