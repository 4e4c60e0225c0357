//! What the next run trusts, and whether a result would become part of it.
//!
//! A guest chooses the names of its results. Copied to a directory above wisp's cache, one could be machine code for the
//! next start; copied beside the policy, it could replace that. A directory *in* one of these places is refused as a
//! whole, because every new file there would be trusted. A directory *above* one is a project with its policy in it, or
//! a home directory, and is not: there, only results are refused that would be such a place, lie in it, or stand in the
//! way to it.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, fstat, statat};
use wisp::policy::{HostFiles, ProtectedPath, Source};

/// A file or directory by device and inode, which names and links do not change.
type Identity = (u64, u64);

/// The places that the next run trusts.
#[derive(Debug)]
pub struct Trusted(Vec<Place>);

/// A place, with its path as it was named and as it was when wisp started, links followed.
#[derive(Debug)]
struct Place {
    guarded: ProtectedPath,
    resolved: PathBuf,
}

impl Trusted {
    /// Returns these places.
    pub fn new(places: Vec<ProtectedPath>) -> Self {
        Self(places.into_iter().map(|guarded| Place { resolved: resolved(&guarded.path), guarded }).collect())
    }

    /// Returns the place in which this directory lies.
    pub fn around(&self, directory: &Path) -> Option<&ProtectedPath> {
        self.0.iter().map(|place| &place.guarded).find(|guarded| HostFiles.holds(&guarded.path, directory))
    }

    /// Returns where the places are now: an editor replaces a policy, and directories are made.
    pub fn now(&self) -> Places<'_> {
        Places(self.0.iter().map(Route::to).collect())
    }
}

/// Returns the absolute path, links followed as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let found = path.ancestors().find_map(|above| Some((fs::canonicalize(above).ok()?, path.strip_prefix(above).ok()?)));
    found.map_or_else(|| path.clone(), |(above, rest)| above.join(rest).components().collect())
}

/// Where the places are at this moment.
#[derive(Debug)]
pub struct Places<'t>(Vec<Route<'t>>);

/// The way to a place.
#[derive(Debug)]
struct Route<'t> {
    what: &'t str,
    /// What its path leads to, if it exists.
    end: Option<Identity>,
    /// Each directory on the way that exists, and the names that follow it.
    steps: Vec<(Identity, &'t Path)>,
}

impl<'t> Route<'t> {
    fn to(place: &'t Place) -> Self {
        let identity = |path: &Path| fs::metadata(path).ok().map(|facts| (facts.dev(), facts.ino()));
        let paths = [place.guarded.path.as_path(), place.resolved.as_path()];
        let step = |path: &'t Path, above: &'t Path| Some((identity(above)?, path.strip_prefix(above).ok()?));
        let steps = paths.into_iter().flat_map(|path| path.ancestors().filter_map(move |above| step(path, above)));
        Self { what: &place.guarded.what, end: identity(&place.guarded.path), steps: steps.collect() }
    }

    /// Returns whether a file of these names below this directory would be the place, be in it, or be on the way to it.
    fn meets(&self, directory: Identity, names: &[&str]) -> bool {
        self.steps.iter().any(|(step, rest)| *step == directory && agree(rest, names))
    }

    /// Returns whether a directory of these names below this one would be the place, or be in it.
    fn holds(&self, directory: Identity, names: &[&str]) -> bool {
        self.steps.iter().any(|(step, rest)| *step == directory && rest.iter().count() <= names.len() && agree(rest, names))
    }
}

/// Returns whether the two are the same as far as both go.
fn agree(rest: &Path, names: &[&str]) -> bool {
    rest.iter().zip(names).all(|(rest, name)| rest.as_bytes() == &*wisp_spelling::read(name))
}

/// Returns the name on the host that a name of the sandbox spells (`wisp_spelling`).
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] if it spells none: it would be another text for the name of another file.
pub fn name_on_host(name: &str) -> io::Result<PathBuf> {
    if !wisp_spelling::is_spelling(name) {
        return Err(io::ErrorKind::InvalidInput.into());
    }
    Ok(OsString::from_vec(wisp_spelling::read(name).into_owned()).into())
}

impl Places<'_> {
    /// Returns the place that a file of these names below `directory` would be, be in, or stand in the way to. To be asked in each
    /// directory on the way to the file, with the names that are left, as the sandbox spells them.
    ///
    /// # Errors
    /// The system's.
    pub fn met(&self, directory: impl AsFd, names: &[&str]) -> io::Result<Option<&str>> {
        let here = identity(&directory)?;
        // The file itself may be a link to a place, or another name of one.
        let leads_to = match names {
            [name] => statat(&directory, &*wisp_spelling::read(name), AtFlags::empty()).ok().map(|facts| (facts.st_dev, facts.st_ino)),
            _ => None,
        };
        let met = |route: &&Route<'_>| route.meets(here, names) || (leads_to.is_some() && leads_to == route.end);
        Ok(self.0.iter().find(met).map(|route| route.what))
    }

    /// Returns the place that a directory of these names below `directory` would be, or be in. Unlike a file, it may stand on the way to
    /// one. To be asked as [`met`](Self::met) is.
    ///
    /// # Errors
    /// The system's.
    pub fn around(&self, directory: impl AsFd, names: &[&str]) -> io::Result<Option<&str>> {
        let here = identity(&directory)?;
        Ok(self.0.iter().find(|route| route.holds(here, names)).map(|route| route.what))
    }
}

fn identity(directory: impl AsFd) -> io::Result<Identity> {
    let facts = fstat(directory)?;
    Ok((facts.st_dev, facts.st_ino))
}

#[cfg(test)]
#[path = "trusted_tests.rs"]
mod tests;
