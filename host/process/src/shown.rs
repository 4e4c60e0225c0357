//! What listings of processes show of one, beside its identity and its account: what it runs, since when, and whether it
//! computes now.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

/// Maximum bytes of the name that listings show: those of Linux (`TASK_COMM_LEN`, without the zero that ends it).
const MAX_SHOWN_NAME: usize = 15;

/// What a process does at this moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Activity {
    /// It computes, or would if it had a turn.
    Computes,
    /// It waits for something.
    Waits,
    /// A signal has stopped it.
    Stopped,
    /// It has ended, and its parent has not asked how.
    Ended,
}

/// What listings show of a process.
#[derive(Debug, Default)]
pub struct Shown {
    program: Mutex<Program>,
    began: AtomicU64,
    computes: AtomicBool,
    yielded: AtomicBool,
}

/// The program that a process runs. Whoever runs it keeps its arguments and pays for them; they are not kept alive here.
#[derive(Debug, Default)]
struct Program {
    name: Arc<str>,
    arguments: Weak<Vec<Vec<u8>>>,
}

impl Shown {
    /// Creates what is shown of a process that was called by this name and has no program yet.
    pub(super) fn of(name: &str) -> Self {
        Self { program: Mutex::new(Program { name: short(name), arguments: Weak::new() }), ..Self::default() }
    }

    /// Notes the program that it runs from now on, by the path by which that was asked for, and the arguments. They are shown as
    /// long as the caller keeps them.
    pub fn runs(&self, path: &str, arguments: &Arc<Vec<Vec<u8>>>) {
        *self.program.lock() = Program { name: short(path), arguments: Arc::downgrade(arguments) };
    }

    /// Returns the program's name: the last part of its path, at most 15 bytes.
    pub fn name(&self) -> Arc<str> {
        self.program.lock().name.clone()
    }

    /// Returns the arguments, the name by which it was called first; `None` before it has a program and after its end.
    pub fn arguments(&self) -> Option<Arc<Vec<Vec<u8>>>> {
        self.program.lock().arguments.upgrade()
    }

    /// Notes when it began, in nanoseconds since its session did.
    pub fn began_at(&self, nanoseconds: u64) {
        self.began.store(nanoseconds, Ordering::Relaxed);
    }

    /// Returns when it began, in nanoseconds since its session did.
    pub fn began(&self) -> u64 {
        self.began.load(Ordering::Relaxed)
    }

    /// Notes that its code runs now.
    pub fn begins_turn(&self) {
        self.yielded.store(false, Ordering::Relaxed);
        self.computes.store(true, Ordering::Relaxed);
    }

    /// Notes that it gives way to others in this turn, although it could go on.
    pub fn yields(&self) {
        self.yielded.store(true, Ordering::Relaxed);
    }

    /// Notes that its code does not run any more. It waits, unless it only gave way.
    pub fn ends_turn(&self) {
        self.computes.store(self.yielded.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    /// Returns whether it computes, or would if it had a turn.
    pub(super) fn computes(&self) -> bool {
        self.computes.load(Ordering::Relaxed)
    }
}

/// Returns the last part of a path, cut at a character boundary.
fn short(path: &str) -> Arc<str> {
    let name = path.rsplit('/').next().unwrap_or_default();
    name[..name.floor_char_boundary(MAX_SHOWN_NAME)].into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_is_the_end_of_the_path_and_short() {
        let shown = Shown::of("sh");
        assert_eq!((&*shown.name(), shown.arguments()), ("sh", None));
        for (path, name) in
            [("/usr/bin/python3", "python3"), ("./a-very-long-script.sh", "a-very-long-scr"), ("/x/éééééééééé", "ééééééé"), ("", "")]
        {
            shown.runs(path, &Arc::default());
            assert_eq!(&*shown.name(), name);
        }
    }

    #[test]
    fn arguments_are_shown_as_long_as_somebody_keeps_them() {
        let (shown, arguments) = (Shown::of("sh"), Arc::new(vec![b"sleep".to_vec(), b"9".to_vec()]));
        shown.runs("/bin/sleep", &arguments);
        assert_eq!(shown.arguments().as_deref(), Some(&*arguments));
        drop(arguments);
        assert_eq!(shown.arguments(), None);
    }

    #[test]
    fn who_gives_way_still_computes() {
        let shown = Shown::default();
        assert!(!shown.computes());
        shown.begins_turn();
        assert!(shown.computes());
        shown.yields();
        shown.ends_turn();
        assert!(shown.computes());
        shown.begins_turn();
        shown.ends_turn();
        assert!(!shown.computes());
    }
}
