//! A session's folder: what is in the place of its files, what a killed program leaves, and who has the lock.

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::*;

struct Setting(tempfile::TempDir);

impl Setting {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn all(&self) -> PathBuf {
        self.0.path().join("all")
    }

    fn session(&self) -> PathBuf {
        self.all().join("s")
    }

    fn lock(&self) -> Result<Option<Folder>, StoreError> {
        Folder::lock(&self.all(), "s")
    }

    fn names(&self) -> Vec<String> {
        let mut names: Vec<_> =
            fs::read_dir(self.session()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn fifo(path: &Path) {
    let _ = fs::remove_file(path);
    mknodat(CWD, path, FileType::Fifo, Mode::RUSR | Mode::WUSR, 0).unwrap();
}

#[test]
fn a_pipe_or_a_link_in_the_place_of_a_file_is_refused_at_once() {
    let setting = Setting::new();
    drop(setting.lock().unwrap().unwrap());
    fifo(&setting.session().join(LOCK));
    let refused = setting.lock().err().map(|error| error.to_string()).unwrap();
    assert!(refused.contains("lock is not a regular file: remove it"), "{refused}");
    fs::remove_file(setting.session().join(LOCK)).unwrap();
    fs::write(setting.0.path().join("elsewhere"), "kept").unwrap();
    std::os::unix::fs::symlink(setting.0.path().join("elsewhere"), setting.session().join(LOCK)).unwrap();
    assert!(setting.lock().is_err());
    fs::remove_file(setting.session().join(LOCK)).unwrap();
    let folder = setting.lock().unwrap().unwrap();
    fifo(&setting.session().join(FILES));
    assert!(folder.file(FILES).unwrap_err().to_string().contains("session is not a regular file"));
    assert_eq!(folder.file(PYTHON).unwrap(), None);
    // The twin.
    folder.write(PYTHON, b"x").unwrap();
    assert_eq!(folder.file(PYTHON).unwrap(), Some(setting.session().join(PYTHON)));
    assert_eq!(fs::read(setting.0.path().join("elsewhere")).unwrap(), b"kept");
}

#[test]
fn what_a_killed_program_left_is_removed_by_the_next_and_nothing_else() {
    let setting = Setting::new();
    drop(setting.lock().unwrap());
    let left = ["session.0123456789abcdef.tmp", "python3.0123456789abcdef.tmp", "policy.toml.tmp"];
    let stays = ["session", "note.tmp", "sessions.tmp", "session.txt"];
    for name in left.iter().chain(&stays) {
        fs::write(setting.session().join(name), name).unwrap();
    }
    let folder = setting.lock().unwrap().unwrap();
    assert_eq!(setting.names(), ["lock", "note.tmp", "session", "session.txt", "sessions.tmp"]);
    // Not while another has the lock: it may be writing.
    fs::write(setting.session().join(left[0]), "being written").unwrap();
    assert!(setting.lock().unwrap().is_none());
    assert!(setting.session().join(left[0]).exists());
    folder.remove().unwrap();
    assert!(!setting.session().exists());
}

#[test]
fn a_policy_is_whole_or_absent() {
    let setting = Setting::new();
    let folder = setting.lock().unwrap().unwrap();
    // A directory in its place: the rename fails, and the unfinished file does not stay.
    fs::create_dir(setting.session().join(POLICY)).unwrap();
    fs::write(setting.session().join(POLICY).join("x"), "").unwrap();
    assert!(folder.write(POLICY, b"name = \"p\"").is_err() && !folder.begun());
    assert_eq!(setting.names(), ["lock", "policy.toml"]);
    fs::remove_dir_all(setting.session().join(POLICY)).unwrap();
    folder.write(POLICY, b"name = \"p\"").unwrap();
    folder.write(POLICY, b"name = \"q\"").unwrap();
    assert!(folder.begun());
    assert_eq!(fs::read(setting.session().join(POLICY)).unwrap(), b"name = \"q\"");
    assert_eq!(fs::metadata(setting.session().join(POLICY)).unwrap().mode() & 0o777, 0o600);
}

#[test]
fn a_lock_without_a_name_locks_nothing() {
    let setting = Setting::new();
    let first = setting.lock().unwrap().unwrap();
    // Opened before the first removes it, locked after.
    let late = open(&setting.session().join(LOCK), OpenOptions::new().append(true)).unwrap();
    assert!(same(&late, &setting.session().join(LOCK)));
    first.remove().unwrap();
    drop(first);
    flock(&late, FlockOperation::NonBlockingLockExclusive).unwrap();
    assert!(!same(&late, &setting.session().join(LOCK)), "the name is gone");
    let next = setting.lock().unwrap().unwrap();
    assert!(!same(&late, &setting.session().join(LOCK)), "the name is another file's");
    assert!(setting.lock().unwrap().is_none());
    // What removes a session leaves one that began in the meantime, and its lock.
    next.write(POLICY, b"").unwrap();
    Folder { path: setting.session(), lock: late }.vanish();
    assert_eq!(setting.names(), ["lock", "policy.toml"]);
    next.vanish();
    assert_eq!(setting.names(), ["policy.toml"], "other files stay");
}

#[test]
fn of_many_that_begin_and_end_at_once_one_has_the_session_at_a_time() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let setting = Setting::new();
    let (inside, taken) = (AtomicUsize::new(0), AtomicUsize::new(0));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                for _ in 0..200 {
                    let Some(folder) = setting.lock().unwrap() else { continue };
                    assert_eq!(inside.fetch_add(1, Ordering::SeqCst), 0, "two have it");
                    taken.fetch_add(1, Ordering::SeqCst);
                    inside.fetch_sub(1, Ordering::SeqCst);
                    folder.remove().unwrap();
                }
            });
        }
    });
    assert!(taken.load(Ordering::SeqCst) >= 4);
}

#[test]
fn a_lock_ends_with_its_handle_although_a_copy_of_its_descriptor_lives() {
    let setting = Setting::new();
    let folder = setting.lock().unwrap().unwrap();
    folder.write(POLICY, b"").unwrap();
    // As a process has it between its fork and its start.
    let copy = folder.lock.try_clone().unwrap();
    assert!(setting.lock().unwrap().is_none());
    drop(folder);
    assert!(setting.lock().unwrap().is_some());
    drop(copy);
}
