//! What operations report to those that watch, and where it waits for them.

use std::collections::VecDeque;
use std::task::Waker;

use super::inode::Ino;
use super::place::HostPlace;

/// What an operation reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Report {
    /// `silent`: a file of the host was copied up, which is no change.
    Attached {
        parent: Ino,
        name: String,
        ino: Ino,
        silent: bool,
    },
    Detached {
        parent: Ino,
        name: String,
        ino: Option<Ino>,
    },
    /// `over`: the file that had the new name.
    Moved {
        from: (Ino, String),
        to: (Ino, String),
        ino: Ino,
        over: Option<Ino>,
    },
    Written(Ino),
    Attributes(Ino),
    Host(HostPlace, OnHost),
}

/// What happened to a file of a mount.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum OnHost {
    Created,
    Written,
    Attributes,
    Removed,
    Renamed { to: String },
}

/// Reports that were not read yet.
pub(super) struct Feed {
    pub(super) queue: VecDeque<Report>,
    capacity: usize,
    /// Reports that were not put in the queue: from here on, the watch does not know the names.
    pub(super) lost: u64,
    pub(super) restored: bool,
    pub(super) waker: Option<Waker>,
}

impl Feed {
    /// Creates an empty feed in which at most `capacity` reports wait.
    pub(super) fn new(capacity: usize) -> Self {
        Self { queue: VecDeque::new(), capacity: capacity.max(1), lost: 0, restored: false, waker: None }
    }

    pub(super) fn push(&mut self, report: &Report) {
        if self.restored || self.lost > 0 || self.queue.len() >= self.capacity {
            self.lost += 1;
        } else if matches!(report, Report::Written(_) | Report::Attributes(_) | Report::Host(_, OnHost::Written))
            && self.queue.back() == Some(report)
        {
            return;
        } else {
            self.queue.push_back(report.clone());
        }
        self.wake();
    }

    pub(super) fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}
