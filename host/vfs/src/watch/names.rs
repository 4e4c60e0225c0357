//! The names that a watch knows: what turns the numbers of a report into paths.

use std::collections::{HashMap, hash_map};
use std::ops::Bound;
use std::sync::Arc;

use wisp_api::Changed;

use crate::feed::{OnHost, Report};
use crate::inode::{Ino, Kind, ROOT_INO};
use crate::mount::MountRow;
use crate::path::{self, MAX_PATH};
use crate::tree::Tree;

/// Names of one file that a watch follows. Attack: a file with 65,000 names of 4 KiB, where each write would make as many
/// events. Few files have two names.
const MAX_NAMES: usize = 64;

/// The names of a file, each with its directory.
#[derive(Default)]
struct Links {
    known: Vec<(Ino, Arc<str>)>,
    /// How many names it has beside these.
    more: u64,
}

impl Links {
    fn add(&mut self, parent: Ino, name: Arc<str>) {
        if self.known.len() < MAX_NAMES {
            self.known.push((parent, name));
        } else {
            self.more += 1;
        }
    }

    fn remove(&mut self, parent: Ino, name: &str) {
        match self.known.iter().position(|(there, called)| *there == parent && **called == *name) {
            Some(place) => drop(self.known.remove(place)),
            None => self.more = self.more.saturating_sub(1),
        }
    }

    fn is_empty(&self) -> bool {
        self.known.is_empty() && self.more == 0
    }
}

/// Reads the names of a state, part by part.
pub(super) struct Walk {
    tree: Tree,
    names: HashMap<Ino, Links>,
    /// Directories that were not read yet.
    pending: Vec<Ino>,
    /// The directory that was read in part, and its last name that was.
    inside: Option<(Ino, Arc<str>)>,
    /// The names of an earlier state, which are freed part by part too.
    old: hash_map::IntoIter<Ino, Links>,
}

impl Walk {
    pub(super) fn new(tree: Tree, old: Names) -> Self {
        let names = HashMap::with_capacity(old.names.len());
        Self { tree, names, pending: vec![ROOT_INO], inside: None, old: old.names.into_iter() }
    }

    /// Returns what was read.
    pub(super) fn names(self) -> Names {
        Names { names: self.names, mounts: self.tree.mounts }
    }

    /// Reads so many entries and directories. Returns whether all are read.
    pub(super) fn step(&mut self, most: usize) -> bool {
        self.old.by_ref().take(most).for_each(drop);
        let mut left = most;
        while left > 0 {
            let (parent, after) = match self.inside.take() {
                Some(begun) => begun,
                None => {
                    let Some(next) = self.pending.pop() else { return self.old.len() == 0 };
                    left -= 1;
                    (next, Arc::from(""))
                }
            };
            let Ok(directory) = self.tree.directory(parent) else { continue };
            let mut last = &after;
            for (name, entry) in directory.entries.range::<str, _>((Bound::Excluded(&*after), Bound::Unbounded)) {
                if left == 0 {
                    self.inside = Some((parent, last.clone()));
                    return false;
                }
                left -= 1;
                last = name;
                let Some(ino) = entry.ino else { continue };
                self.names.entry(ino).or_default().add(parent, name.clone());
                if self.tree.inode(ino).is_ok_and(|inode| matches!(inode.kind, Kind::Directory(_))) {
                    self.pending.push(ino);
                }
            }
        }
        false
    }
}

/// The names of every file, by number.
#[derive(Default)]
pub(super) struct Names {
    names: HashMap<Ino, Links>,
    mounts: Arc<Vec<MountRow>>,
}

impl Names {
    pub(super) fn of(tree: Tree) -> Self {
        let mut walk = Walk::new(tree, Self::default());
        while !walk.step(usize::MAX) {}
        walk.names()
    }

    /// Returns what happened, in words of paths; follows what has new names.
    pub(super) fn follow(&mut self, report: Report) -> Vec<Changed> {
        let one = |changed: Option<Changed>| vec![changed.unwrap_or(Changed::Lost { count: 1 })];
        match report {
            Report::Attached { parent, name, ino, silent } => {
                let path = self.path_of(parent, &name);
                self.names.entry(ino).or_default().add(parent, name.into());
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
                self.names.entry(ino).or_default().add(to.0, to.1.into());
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

    /// Returns an event for each name: a file without a name has none, one with too many has one for all.
    fn each(&self, ino: Ino, what: impl Fn(String) -> Changed) -> Vec<Changed> {
        if ino == ROOT_INO {
            return vec![what("/".to_owned())];
        }
        match self.names.get(&ino) {
            None => Vec::new(),
            Some(links) if links.more > 0 => vec![Changed::Lost { count: 1 }],
            Some(links) => {
                let paths = links.known.iter().map(|(parent, name)| self.path_of(*parent, name));
                paths.map(|path| path.map_or(Changed::Lost { count: 1 }, &what)).collect()
            }
        }
    }

    fn forget(&mut self, ino: Ino, parent: Ino, name: &str) {
        if let Some(links) = self.names.get_mut(&ino) {
            links.remove(parent, name);
            if links.is_empty() {
                self.names.remove(&ino);
            }
        }
    }

    /// Returns the absolute path of `name` in `parent`. None if it is longer than a path can be: a guest can go deeper than any
    /// path names, and each event would cost as much.
    fn path_of(&self, parent: Ino, name: &str) -> Option<String> {
        let (mut parts, mut length, mut at) = (vec![name], name.len() + 1, parent);
        while at != ROOT_INO {
            let (above, name) = self.names.get(&at)?.known.first()?;
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
        let top = match self.names.get(&row.root).and_then(|links| links.known.first()) {
            Some((parent, name)) => self.path_of(*parent, name)?,
            None => row.guest.clone(),
        };
        Some(path::join(&top, inner)).map(|path| path.trim_end_matches('/').to_owned())
    }
}
