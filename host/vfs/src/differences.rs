//! What a state has beyond the one that its filesystem began with, as a person sees it: files that were added, changed
//! and removed. In an overlay, the beginning is what the host has now.
//!
//! Both states are walked side by side, without a lock: snapshots do not change. Names that neither side touched are
//! not looked at: of a host's directory below an overlay, only the names that the overlay holds are asked for. The rights
//! of the session's user do not apply, because the host program looks, not a guest.

mod side;
mod version;

use std::collections::{BTreeSet, VecDeque};
use std::sync::atomic::{AtomicBool, Ordering};

use wisp_api::DifferenceKind;

use super::path::{self, MAX_PATH};
use super::{FileType, FsError, Snapshot};
use side::Side;

pub use version::{EachPiece, Version};

/// A file that differs between two states.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Difference {
    /// Its absolute path.
    pub path: String,
    /// What happened to it.
    pub kind: DifferenceKind,
    /// What was there in the beginning.
    pub before: Option<Version>,
    /// What is there now.
    pub after: Option<Version>,
    /// The number of the overlay mount that it is in, as [`super::Fs::mounts`] lists them.
    pub mount: Option<usize>,
}

/// The files that differ between two states.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Differences {
    /// The path that was compared, without double slashes.
    pub top: String,
    /// The files, sorted by name; what is in a directory comes after it.
    pub entries: Vec<Difference>,
    /// Whether there are more than the call may return, or files that lie deeper than paths reach.
    pub truncated: bool,
}

/// A directory whose names are being compared.
struct Open<'t> {
    path: String,
    sides: [Option<Side<'t>>; 2],
    names: VecDeque<String>,
}

impl Snapshot {
    /// Returns what differs between `base`, the state that this one's filesystem began with, and this state, at the absolute path
    /// `top` and below it; at most `most` files. Symbolic links in `top` are not followed. Times, owners and numbers of
    /// files are not compared. What a mount shows with `read` or `write` access is the host's, and is left out.
    ///
    /// Accesses the host where an overlay has changes. Setting `stop` ends it at the next file.
    ///
    /// # Errors
    /// If `top` is in neither state, or a file of the host cannot be read: that file's path, and why.
    pub fn differences(&self, base: &Self, top: &str, most: usize, stop: &AtomicBool) -> Result<Differences, (String, FsError)> {
        let names = path::names(top).map_err(|error| (top.to_owned(), error))?;
        let top = format!("/{}", names.join("/"));
        let at = |error| (top.clone(), error);
        let [before, after] = [&base.tree, &self.tree].map(|tree| Side::at(tree, &names));
        let sides = [before.map_err(at)?, after.map_err(at)?];
        if sides.iter().all(Option::is_none) {
            return Err(at(FsError::NotFound));
        }
        let mut found = Differences { top: top.clone(), ..Differences::default() };
        let mut open: Vec<Open<'_>> = Vec::new();
        open.extend(step(top, sides, &mut found)?);
        while let Some(directory) = open.last_mut() {
            let Some(name) = directory.names.pop_front() else {
                open.pop();
                continue;
            };
            if stop.load(Ordering::Relaxed) {
                return Err((directory.path.clone(), FsError::Io));
            }
            let path = format!("{}/{name}", directory.path.trim_end_matches('/'));
            if path.len() > MAX_PATH || found.entries.len() > most {
                found.truncated = true;
                continue;
            }
            let sides = directory.sides.each_ref().map(|side| side.as_ref().map_or(Ok(None), |side| side.child(&name)));
            let [before, after] = sides.map(|side| side.map_err(|error| (path.clone(), error)));
            open.extend(step(path, [before?, after?], &mut found)?);
        }
        found.truncated |= found.entries.len() > most;
        found.entries.truncate(most);
        Ok(found)
    }
}

/// Compares one file, and returns it if it is a directory whose names are to be compared.
fn step<'t>(path: String, sides: [Option<Side<'t>>; 2], found: &mut Differences) -> Result<Option<Open<'t>>, (String, FsError)> {
    let [before, after] = &sides;
    if let (Some(before), Some(after)) = (before, after)
        && before.is_same_host(after)
    {
        return Ok(None);
    }
    let at = |error| (path.clone(), error);
    if let Some((kind, [before, after])) = compare(before.as_ref(), after.as_ref()).map_err(at)? {
        let mount = sides.iter().flatten().find_map(Side::mount);
        found.entries.push(Difference { path: path.clone(), kind, before, after, mount });
    }
    if !sides.iter().flatten().any(Side::is_directory) {
        return Ok(None);
    }
    let names = names(before.as_ref(), after.as_ref()).map_err(at)?;
    Ok(Some(Open { path, sides, names: names.into_iter().collect() }))
}

type Changed = (DifferenceKind, [Option<Version>; 2]);

fn compare(before: Option<&Side<'_>>, after: Option<&Side<'_>>) -> Result<Option<Changed>, FsError> {
    if let (Some(before), Some(after)) = (before, after)
        && before.is_same_memory(after)
    {
        return Ok(None);
    }
    let versions = [before.map(Side::version).transpose()?, after.map(Side::version).transpose()?];
    let kind = match &versions {
        [None, None] => return Ok(None),
        [None, Some(_)] => DifferenceKind::Added,
        [Some(_), None] => DifferenceKind::Deleted,
        [Some(before), Some(after)] => match difference(before, after)? {
            Some(kind) => kind,
            None => return Ok(None),
        },
    };
    Ok(Some((kind, versions)))
}

fn difference(before: &Version, after: &Version) -> Result<Option<DifferenceKind>, FsError> {
    let links = [before, after].map(|version| version.kind == FileType::Symlink);
    Ok(if links[0] || links[1] {
        (links[0] != links[1] || before.target != after.target).then_some(DifferenceKind::Link)
    } else if before.kind != after.kind || before.size != after.size || !before.source.is_equal(&after.source, before.size)? {
        Some(DifferenceKind::Modified)
    } else {
        (before.mode != after.mode).then_some(DifferenceKind::Mode)
    })
}

/// Returns the names that may differ in two directories.
fn names(before: Option<&Side<'_>>, after: Option<&Side<'_>>) -> Result<BTreeSet<String>, FsError> {
    let mut names = BTreeSet::new();
    // Over the same directory of the host, only what the overlay holds can differ.
    let same_below = matches!((before.and_then(Side::below), after.and_then(Side::below)), (Some(one), Some(other)) if one == other);
    for side in [before, after].into_iter().flatten() {
        side.held(&mut names);
        if !same_below {
            side.shown(&mut names)?;
        }
    }
    Ok(names)
}

impl Snapshot {
    /// Returns the target of the symbolic link at the absolute `path`; `None` if it is none or does not exist. Follows no link on the way,
    /// and asks for no permission.
    ///
    /// # Errors
    /// If a file of the host cannot be read.
    pub fn link_target(&self, path: &str) -> Result<Option<String>, FsError> {
        let side = Side::at(&self.tree, &path::names(path)?)?;
        Ok(side.map(|side| side.version()).transpose()?.and_then(|version| version.target))
    }
}
