//! A feed of what changes in a filesystem: the changes of guests and those of the host side.
//!
//! An operation reports only what it has at hand, numbers and a name, while it holds the lock. The watch keeps the names
//! of all files, from a snapshot of the moment at which it began, and updates them with each report. So an event has the
//! path that the file had at that moment. A report costs an operation a few words of memory; without a watch, the cost is
//! one comparison.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll, Waker};

use parking_lot::Mutex;

use super::inode::{Ino, Kind, ROOT_INO};
use super::live::Live;
use super::mount::MountRow;
use super::path::MAX_PATH;
use super::tree::Tree;
use super::walk::HostPlace;
use super::{Fs, path};

/// Something that changed, with its number in this watch. Numbers begin at 1 and have no gaps, but for those of lost
/// changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The number.
    pub number: u64,
    /// What changed.
    pub what: Changed,
}

/// What changed. Paths are absolute.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Changed {
    /// A file of any type has this name now. Where another file had it, that one is gone.
    Created {
        /// The name.
        path: String,
    },
    /// The contents of a file changed. Changes in a row may be one event.
    Written {
        /// The file.
        path: String,
    },
    /// The mode or the times of a file changed. Changes in a row may be one event.
    Attributes {
        /// The file.
        path: String,
    },
    /// A name is gone.
    Removed {
        /// The name.
        path: String,
    },
    /// A file has another name. Where another file had that name, that one is gone.
    Renamed {
        /// The old name.
        from: String,
        /// The new name.
        to: String,
    },
    /// There were more changes than the watch holds. Anything may have changed.
    Lost {
        /// How many changes were lost.
        count: u64,
    },
    /// The filesystem was set to another state (a snapshot, or what the host side laid out). Anything may have changed.
    Restored {
        /// How many changes after it were lost.
        lost: u64,
    },
}

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
    queue: VecDeque<Report>,
    capacity: usize,
    /// Reports that were not put in the queue: from here on, the watch does not know the names.
    lost: u64,
    restored: bool,
    waker: Option<Waker>,
}

impl Feed {
    fn push(&mut self, report: &Report) {
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

    fn wake(&mut self) {
        if let Some(waker) = self.waker.take() {
            waker.wake();
        }
    }
}

impl Live {
    /// Reports a change to the watches, if there are any.
    pub(super) fn report(&self, report: impl FnOnce() -> Report) {
        if !self.feeds.is_empty() {
            let report = report();
            self.feeds.iter().for_each(|feed| feed.lock().push(&report));
        }
    }

    /// Reports to the watches that the whole state is another one.
    pub(super) fn report_restored(&self) {
        for feed in &self.feeds {
            let mut feed = feed.lock();
            feed.restored = true;
            feed.wake();
        }
    }
}

impl Fs {
    /// Watches this filesystem from now on. At most `capacity` changes wait to be read.
    ///
    /// Changes to mounted files are reported only if they are made through this filesystem, not if the host or another
    /// session makes them.
    pub fn watch(&self, capacity: usize) -> Watch {
        let feed = Feed { queue: VecDeque::new(), capacity: capacity.max(1), lost: 0, restored: false, waker: None };
        let feed = Arc::new(Mutex::new(feed));
        let tree = {
            let mut live = self.lock();
            live.feeds.push(feed.clone());
            live.tree.clone()
        };
        self.shared.watches.fetch_add(1, Ordering::Relaxed);
        Watch { fs: self.clone(), feed, names: Names::of(&tree), number: 0, ready: VecDeque::new() }
    }

    /// Reports a change to a file of a mount. Call it without the lock.
    pub(super) fn report_host(&self, place: &HostPlace, what: OnHost) {
        if self.shared.watches.load(Ordering::Relaxed) > 0 {
            self.lock().report(|| Report::Host(place.clone(), what));
        }
    }
}

/// A watch on a filesystem. It ends when it is dropped.
pub struct Watch {
    fs: Fs,
    feed: Arc<Mutex<Feed>>,
    names: Names,
    number: u64,
    /// Events of one change: a write to a file with several names has one for each.
    ready: VecDeque<Changed>,
}

impl Watch {
    /// The next change, if there is one.
    pub fn try_next(&mut self) -> Option<Change> {
        loop {
            if let Some(what) = self.ready.pop_front() {
                self.number += 1;
                return Some(Change { number: self.number, what });
            }
            let report = self.feed.lock().queue.pop_front();
            match report {
                Some(report) => self.ready.extend(self.names.follow(report)),
                None => {
                    let what = self.begin_again()?;
                    // Lost changes have numbers too.
                    self.number += match what {
                        Changed::Lost { count } => count,
                        Changed::Restored { lost } => lost + 1,
                        _ => 1,
                    };
                    return Some(Change { number: self.number, what });
                }
            }
        }
    }

    /// The next change; when there is none, the task is woken at the next one.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Change> {
        // Set first: a later report wakes the task, an earlier one is found below.
        self.feed.lock().waker = Some(cx.waker().clone());
        match self.try_next() {
            Some(change) => Poll::Ready(change),
            None => Poll::Pending,
        }
    }

    /// After a loss: takes the names of the present state. Returns the event for it.
    fn begin_again(&mut self) -> Option<Changed> {
        let (tree, lost, restored) = {
            // Nothing in memory changes while this is locked.
            let live = self.fs.lock();
            let mut feed = self.feed.lock();
            if !feed.queue.is_empty() || (feed.lost == 0 && !feed.restored) {
                return None;
            }
            (live.tree.clone(), std::mem::take(&mut feed.lost), std::mem::take(&mut feed.restored))
        };
        self.names = Names::of(&tree);
        Some(if restored { Changed::Restored { lost } } else { Changed::Lost { count: lost } })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.fs.lock().feeds.retain(|feed| !Arc::ptr_eq(feed, &self.feed));
        self.fs.shared.watches.fetch_sub(1, Ordering::Relaxed);
    }
}

impl fmt::Debug for Watch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("number", &self.number).finish_non_exhaustive()
    }
}

/// The names of every file, by number.
struct Names {
    names: HashMap<Ino, Vec<(Ino, Arc<str>)>>,
    mounts: Arc<Vec<MountRow>>,
}

impl Names {
    fn of(tree: &Tree) -> Self {
        let mut names: HashMap<Ino, Vec<(Ino, Arc<str>)>> = HashMap::new();
        let mut pending = vec![ROOT_INO];
        while let Some(parent) = pending.pop() {
            let Ok(directory) = tree.directory(parent) else { continue };
            for (name, entry) in &directory.entries {
                let Some(ino) = entry.ino else { continue };
                names.entry(ino).or_default().push((parent, name.clone()));
                if tree.inode(ino).is_ok_and(|inode| matches!(inode.kind, Kind::Directory(_))) {
                    pending.push(ino);
                }
            }
        }
        Self { names, mounts: tree.mounts.clone() }
    }

    /// What happened, in words of paths; follows what has new names.
    fn follow(&mut self, report: Report) -> Vec<Changed> {
        let one = |changed: Option<Changed>| vec![changed.unwrap_or(Changed::Lost { count: 1 })];
        match report {
            Report::Attached { parent, name, ino, silent } => {
                let path = self.path_of(parent, &name);
                self.names.entry(ino).or_default().push((parent, name.into()));
                if silent { Vec::new() } else { one(path.map(|path| Changed::Created { path })) }
            }
            Report::Detached { parent, name, ino } => {
                if let Some(ino) = ino {
                    self.forget(ino, parent, &name);
                }
                one(self.path_of(parent, &name).map(|path| Changed::Removed { path }))
            }
            Report::Moved { from, to, ino, over } => {
                if let Some(over) = over {
                    self.forget(over, to.0, &to.1);
                }
                let paths = self.path_of(from.0, &from.1).zip(self.path_of(to.0, &to.1));
                self.forget(ino, from.0, &from.1);
                self.names.entry(ino).or_default().push((to.0, to.1.into()));
                one(paths.map(|(from, to)| Changed::Renamed { from, to }))
            }
            Report::Written(ino) => self.each(ino, |path| Changed::Written { path }),
            Report::Attributes(ino) => self.each(ino, |path| Changed::Attributes { path }),
            Report::Host(place, what) => {
                let Some(path) = self.on_host(place.mount, &place.path) else { return one(None) };
                match what {
                    OnHost::Created => vec![Changed::Created { path }],
                    OnHost::Written => vec![Changed::Written { path }],
                    OnHost::Attributes => vec![Changed::Attributes { path }],
                    OnHost::Removed => vec![Changed::Removed { path }],
                    OnHost::Renamed { to } => one(self.on_host(place.mount, &to).map(|to| Changed::Renamed { from: path, to })),
                }
            }
        }
    }

    /// A file without a name has no event.
    fn each(&self, ino: Ino, what: impl Fn(String) -> Changed) -> Vec<Changed> {
        let names = self.names.get(&ino).map(Vec::as_slice).unwrap_or_default();
        if ino == ROOT_INO {
            return vec![what("/".to_owned())];
        }
        names.iter().map(|(parent, name)| self.path_of(*parent, name).map_or(Changed::Lost { count: 1 }, &what)).collect()
    }

    fn forget(&mut self, ino: Ino, parent: Ino, name: &str) {
        if let Some(names) = self.names.get_mut(&ino) {
            names.retain(|(there, called)| *there != parent || **called != *name);
            if names.is_empty() {
                self.names.remove(&ino);
            }
        }
    }

    /// The absolute path of `name` in `parent`. None if it is longer than a path can be: a guest can go deeper than any
    /// path names, and each event would cost as much.
    fn path_of(&self, parent: Ino, name: &str) -> Option<String> {
        let (mut parts, mut length, mut at) = (vec![name], name.len() + 1, parent);
        while at != ROOT_INO {
            let (above, name) = self.names.get(&at)?.first()?;
            length += name.len() + 1;
            if length > MAX_PATH {
                return None;
            }
            parts.push(name);
            at = *above;
        }
        parts.reverse();
        Some(format!("/{}", parts.join("/")))
    }

    fn on_host(&self, mount: u32, inner: &str) -> Option<String> {
        let row = self.mounts.get(mount as usize)?;
        let top = match self.names.get(&row.root).and_then(|names| names.first()) {
            Some((parent, name)) => self.path_of(*parent, name)?,
            None => row.guest.clone(),
        };
        Some(path::join(&top, inner)).map(|path| path.trim_end_matches('/').to_owned())
    }
}
