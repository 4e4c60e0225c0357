//! What a store has, refuses and lists, without an engine; tests/library/kept.rs has the rest.

use std::os::unix::fs::{PermissionsExt, symlink};

use wisp::policy::NoFiles;
use wisp::{ErrorCode, WispError};

use super::*;

/// A policy with a name of its own.
const OWN: &str = "name = \"own\"\nextends = \"offline\"";

struct Setting(tempfile::TempDir);

impl Setting {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn store(&self) -> Store {
        Store::at(self.0.path().join("state/sessions"))
    }

    /// Makes a session with this policy and a file of this size, as if it had kept them.
    fn begin(&self, name: &str, policy: &str, size: usize) {
        let kept = self.store().open(name).unwrap();
        fs::write(kept.folder().join(FILES), vec![0; size]).unwrap();
        fs::write(kept.folder().join(POLICY), policy).unwrap();
    }
}

fn policy(name: &str) -> Policy {
    Policy::load(&NoFiles, name).unwrap()
}

fn chmod(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn a_name_is_a_file_name_and_a_word() {
    let setting = Setting::new();
    let long = "n".repeat(LONGEST);
    for name in ["", ".", "..", "../s", "a/b", ".s", "-s", "_s", "a b", "a\nb", "über", &format!("{long}n")] {
        for refused in [setting.store().open(name), setting.store().existing(name), setting.store().remove(name).map(|()| unreachable!())] {
            let error = refused.unwrap_err();
            assert_eq!(error.code(), ErrorCode::InvalidArgument, "{name:?}");
            assert!(!error.to_string().contains('\n') && error.to_string().contains("use letters"), "{error}");
        }
        assert!(setting.store().folder_of(name).is_err(), "{name:?}");
    }
    assert!(!setting.store().folder().exists(), "nothing is made for a name that is refused");
    for name in ["s", "0", "a.b_c-d", "S1", long.as_str()] {
        let kept = setting.store().open(name).unwrap();
        assert_eq!((kept.name(), kept.folder()), (name, setting.store().folder().join(name).as_path()));
        assert_eq!(setting.store().folder_of(name).unwrap(), kept.folder());
    }
}

#[test]
fn one_handle_has_a_session_at_a_time() {
    let setting = Setting::new();
    setting.begin("s", "extends = \"offline\"", 1);
    let first = setting.store().open("s").unwrap();
    let refused = [setting.store().open("s"), setting.store().existing("s"), setting.store().remove("s").map(|()| unreachable!())];
    for error in refused.map(Result::unwrap_err) {
        assert!(matches!(&error, StoreError::InUse { name } if name == "s"), "{error}");
        assert_eq!(error.code(), ErrorCode::Conflict);
    }
    // Another session is free, and so is this one afterwards.
    assert!(!setting.store().open("t").unwrap().begun());
    drop(first);
    assert!(setting.store().existing("s").unwrap().begun());
}

#[test]
fn nothing_is_left_of_a_session_that_kept_nothing() {
    let setting = Setting::new();
    let kept = setting.store().open("s").unwrap();
    let folder = kept.folder().to_owned();
    assert!(folder.is_dir() && !kept.begun());
    assert_eq!(setting.store().list().unwrap(), [], "it has only its lock");
    drop(kept);
    assert!(!folder.exists());
    for error in [setting.store().existing("s").map(drop).unwrap_err(), setting.store().remove("s").unwrap_err()] {
        assert!(matches!(&error, StoreError::NotFound { name } if name == "s"), "{error}");
        assert_eq!(error.code(), ErrorCode::NotFound);
    }
}

#[test]
fn a_session_keeps_the_policy_that_it_began_with() {
    let setting = Setting::new();
    let mut new = setting.store().open("s").unwrap();
    let error = new.policy(None).unwrap_err();
    assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::Conflict, "the session `s` has no policy yet"));
    assert_eq!(new.policy(Some(policy("minimal"))).unwrap().name(), "minimal");
    assert!(!new.begun(), "it is kept with the rest");
    drop(new);

    setting.begin("s", &policy("offline").canonical(), 1);
    let mut kept = setting.store().existing("s").unwrap();
    for asked in [None, Some(policy("offline"))] {
        assert_eq!(kept.policy(asked).unwrap().digest(), policy("offline").digest());
    }
    let error = kept.policy(Some(policy("minimal"))).unwrap_err();
    assert_eq!(error.code(), ErrorCode::SnapshotMismatch);
    assert_eq!(error.to_string(), "the session `s` began under another policy (`offline`)");
    fs::write(kept.folder().join(POLICY), "no policy").unwrap();
    let error = kept.policy(None).unwrap_err().document();
    assert_eq!((error.code, error.findings.is_empty()), (ErrorCode::PolicyInvalid, false));
}

#[test]
fn folders_that_others_can_enter_are_refused() {
    let setting = Setting::new();
    setting.begin("s", "extends = \"offline\"", 1);
    let store = setting.store();
    let folder = store.folder().join("s");
    for path in [&folder, store.folder()] {
        for mode in [0o701, 0o710, 0o750, 0o755, 0o777] {
            chmod(path, mode);
            let error = store.open("s").unwrap_err();
            assert!(matches!(&error, StoreError::NotPrivate { path: found } if found == path), "{mode:o}: {error}");
            assert_eq!(error.code(), ErrorCode::IoError);
        }
        chmod(path, 0o700);
        assert!(store.open("s").is_ok());
    }
    // Neither is a link to a folder one of its own.
    symlink(&folder, store.folder().join("link")).unwrap();
    assert!(matches!(store.open("link"), Err(StoreError::NotPrivate { .. })));
    // What is no folder at all cannot be one.
    fs::write(store.folder().join("file"), "").unwrap();
    let error = store.open("file").unwrap_err();
    assert!(matches!(&error, StoreError::Folder { operation: "make", .. }), "{error}");
    assert!(folder.join(POLICY).exists());
}

#[test]
fn the_list_tells_what_is_there_without_opening_it() {
    let setting = Setting::new();
    let store = setting.store();
    assert_eq!(store.list().unwrap(), [], "there is no folder yet");
    setting.begin("damaged", "no policy", 10);
    setting.begin("whole", OWN, 100);
    fs::write(store.folder().join("whole").join(PYTHON), vec![0; 1000]).unwrap();
    // A first use was killed; what else is there is no session.
    fs::create_dir(store.folder().join("killed")).unwrap();
    fs::write(store.folder().join("killed/session.0123456789abcdef.tmp"), "a secret").unwrap();
    fs::create_dir_all(store.folder().join(".hidden/x")).unwrap();
    fs::create_dir(store.folder().join("empty")).unwrap();
    fs::write(store.folder().join("file"), "text").unwrap();
    let in_use = store.open("whole").unwrap();
    let found = store.list().unwrap();
    let facts: Vec<_> = found.iter().map(|one| (one.name.as_str(), one.policy.as_str(), one.python, one.complete)).collect();
    assert_eq!(facts, [("damaged", "?", false, true), ("killed", "?", false, false), ("whole", "own", true, true)]);
    // With their policies, and what was killed.
    let sizes = ["no policy".len() + 10, "a secret".len(), OWN.len() + 1100].map(|size| size as u64);
    assert_eq!(found.iter().map(|one| one.size_bytes).collect::<Vec<_>>(), sizes);
    assert!(found.iter().all(|one| one.last_used > 0));
    drop(in_use);
    // A store that cannot be read says so.
    let error = Store::at(store.folder().join("file")).list().unwrap_err();
    assert!(matches!(&error, StoreError::Folder { operation: "read", .. }), "{error}");
}

#[test]
fn a_removed_session_takes_everything_with_it_and_nothing_else() {
    let setting = Setting::new();
    let store = setting.store();
    for name in ["s", "t"] {
        setting.begin(name, "extends = \"offline\"", 1);
    }
    fs::create_dir_all(store.folder().join("s/more/deep")).unwrap();
    store.remove("s").unwrap();
    assert!(!store.folder().join("s").exists() && store.folder().join("t").join(FILES).exists());
    assert_eq!(store.remove("s").unwrap_err().code(), ErrorCode::NotFound);
    // The first use of one was killed: it cannot be continued, and can be removed.
    fs::create_dir(store.folder().join("killed")).unwrap();
    chmod(&store.folder().join("killed"), 0o700);
    fs::write(store.folder().join("killed").join(FILES), "").unwrap();
    assert_eq!(store.existing("killed").map(drop).unwrap_err().code(), ErrorCode::NotFound);
    store.remove("killed").unwrap();
    let names: Vec<_> = store.list().unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["t"]);
    // A handle removes its own session.
    store.existing("t").unwrap().remove().unwrap();
    assert_eq!(store.list().unwrap(), []);
}

#[test]
fn every_error_of_an_engine_or_a_snapshot_keeps_its_code() {
    let name = || "s".to_owned();
    let damaged = || wisp::SnapshotFileError::Damaged { at: 1 };
    assert_eq!(StoreError::Unusable { name: name(), source: Box::new(damaged()) }.code(), ErrorCode::InvalidData);
    let source = wisp::SnapshotFileError::Io(io::Error::other("the disk is full"));
    let error = StoreError::NotSaved { name: name(), source: Box::new(source) };
    assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::IoError, "the session `s` could not be kept: the disk is full"));
    assert_eq!(StoreError::NotFrozen { name: name(), source: Box::new(wisp::InterpreterError::Full) }.code(), ErrorCode::NoRoom);
    assert_eq!(StoreError::FilesGone { name: name() }.code(), ErrorCode::InvalidData);
    assert_eq!(StoreError::NoPlace.code(), ErrorCode::Unsupported);
}
