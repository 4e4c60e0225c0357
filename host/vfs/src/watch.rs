//! A feed of what changes in a filesystem: the changes of guests and those of the host side.
//!
//! An operation reports only what it has at hand, numbers and a name, while it holds the lock. The watch keeps the names
//! of all files, from a snapshot of the moment at which it began, and updates them with each report. So an event has the
//! path that the file had at that moment. A report costs an operation a few words of memory; without a watch, the cost is
//! one comparison.

mod names;

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use parking_lot::Mutex;
use wisp_api::{Change, Changed};

use super::Fs;
use super::feed::{Feed, OnHost, Report};
use super::place::HostPlace;
use names::{Names, Walk};

/// Entries of directories that are read in one poll: some hundred microseconds. Attack: a guest with 100,000 files whose
/// changes are lost again and again, each time at the cost of the task that polls.
const STEP: usize = 4_096;

impl Fs {
    /// Watches this filesystem from now on. At most `capacity` changes wait to be read.
    ///
    /// Changes to mounted files are reported only if they are made through this filesystem, not if the host or another
    /// session makes them.
    pub fn watch(&self, capacity: usize) -> Watch {
        let feed = Arc::new(Mutex::new(Feed::new(capacity)));
        let tree = {
            let mut live = self.lock();
            live.feeds.push(feed.clone());
            live.tree.clone()
        };
        self.shared.watches.fetch_add(1, Ordering::Relaxed);
        Watch { fs: self.clone(), feed, names: Names::of(tree), walk: None, number: 0, ready: VecDeque::new() }
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
    /// After a loss: the names of a later state, and the event for it.
    walk: Option<(Walk, Changed)>,
    number: u64,
    /// Events of one change: a write to a file with several names has one for each.
    ready: VecDeque<Changed>,
}

/// What a part of the work has led to.
enum Progress {
    Next(Change),
    Nothing,
    /// There is more work.
    More,
}

impl Watch {
    /// Returns the next change, if there is one. After a loss this reads all names, which takes a while for many files;
    /// [`Watch::poll_next`] does it in small parts.
    pub fn try_next(&mut self) -> Option<Change> {
        loop {
            match self.advance(usize::MAX) {
                Progress::Next(change) => return Some(change),
                Progress::Nothing => return None,
                Progress::More => {}
            }
        }
    }

    /// Returns the next change; when there is none, the task is woken at the next one.
    pub fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Change> {
        // Set first: a later report wakes the task, an earlier one is found below.
        self.feed.lock().waker = Some(cx.waker().clone());
        match self.advance(STEP) {
            Progress::Next(change) => Poll::Ready(change),
            Progress::Nothing => Poll::Pending,
            Progress::More => {
                cx.waker().wake_by_ref();
                Poll::Pending
            }
        }
    }

    /// Goes on until there is a change, nothing is waiting, or so many names were read.
    fn advance(&mut self, most: usize) -> Progress {
        loop {
            if let Some(what) = self.ready.pop_front() {
                return Progress::Next(self.numbered(what));
            }
            if let Some((walk, _)) = &mut self.walk
                && !walk.step(most)
            {
                return Progress::More;
            }
            if let Some((walk, what)) = self.walk.take() {
                self.names = walk.names();
                return Progress::Next(self.numbered(what));
            }
            let report = self.feed.lock().queue.pop_front();
            match report {
                Some(report) => self.ready.extend(self.names.follow(report)),
                None if self.begin_again() => {}
                None => return Progress::Nothing,
            }
        }
    }

    /// Gives a change its number.
    fn numbered(&mut self, what: Changed) -> Change {
        // Lost changes have numbers too.
        self.number += match what {
            Changed::Lost { count } => count,
            Changed::Restored { lost } => lost + 1,
            _ => 1,
        };
        Change { number: self.number, kind: what }
    }

    /// Begins to read the names of the present state, after a loss. Returns whether there was one.
    fn begin_again(&mut self) -> bool {
        let (tree, lost, restored) = {
            // Nothing in memory changes while this is locked.
            let live = self.fs.lock();
            let mut feed = self.feed.lock();
            if !feed.queue.is_empty() || (feed.lost == 0 && !feed.restored) {
                return false;
            }
            (live.tree.clone(), std::mem::take(&mut feed.lost), std::mem::take(&mut feed.restored))
        };
        let walk = Walk::new(tree, std::mem::take(&mut self.names));
        self.walk = Some((walk, if restored { Changed::Restored { lost } } else { Changed::Lost { count: lost } }));
        true
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
