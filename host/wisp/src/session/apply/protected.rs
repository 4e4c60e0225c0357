//! What no session may write on the host, although it changed it in an overlay: what the next run trusts. An overlay may hold
//! it, because nothing of an overlay reaches the host by itself.

#![expect(clippy::disallowed_methods, reason = "where the places that the next run trusts are")]

use std::path::{Path, PathBuf};

use crate::mount::on_host;
use crate::policy_files::HostFiles;
use crate::program::executed;
use crate::session::handle::Session;
use wisp_policy::{ProtectedPath, Source as _};

/// The protected places in one folder.
pub(super) struct Protection {
    /// What the folder as a whole is, or is in.
    whole: Option<String>,
    /// The places below the folder.
    below: Vec<(PathBuf, String)>,
}

impl Protection {
    /// Collects the protected places in `folder`, a mount of the session.
    pub(super) fn new(session: &Session, also: &[ProtectedPath], folder: &Path) -> Self {
        let engine = session.engine();
        let executed = executed(engine.cache().directory(), engine.workshop().images(), engine.components());
        let mut found = Self { whole: None, below: Vec::new() };
        for ProtectedPath { what, path } in session.policy().protected_paths().iter().chain(&executed).chain(also) {
            if HostFiles.holds(path, folder) {
                found.whole.get_or_insert_with(|| what.clone());
            } else if HostFiles.holds(folder, path) {
                let places = [Some(resolved(path)), own_place(path)];
                let below = places.iter().flatten().filter_map(|place| Some((place.strip_prefix(folder).ok()?.to_owned(), what.clone())));
                let known = found.below.len();
                found.below.extend(below);
                if found.below.len() == known {
                    // It is there under another name of the folder.
                    found.whole.get_or_insert_with(|| what.clone());
                }
            }
        }
        found
    }

    /// Returns the place that the file at `rel` is, is in, or is on the way to.
    pub(super) fn of(&self, rel: &str) -> Option<&str> {
        // A text that spells no path of the host is not written there.
        let rel = on_host(rel).ok();
        let on_the_way = |place: &PathBuf| rel.as_deref().is_some_and(|rel| place.starts_with(rel) || rel.starts_with(place));
        let met = self.below.iter().find(|(place, _)| on_the_way(place));
        self.whole.as_deref().or(met.map(|(_, what)| what.as_str()))
    }
}

/// Returns the place of a link itself.
fn own_place(path: &Path) -> Option<PathBuf> {
    path.is_symlink().then(|| Some(path.parent()?.canonicalize().ok()?.join(path.file_name()?))).flatten()
}

/// Returns the path with its links followed, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|above| Some((above.canonicalize().ok()?, path.strip_prefix(above).ok()?)));
    found.map_or_else(|| path.to_owned(), |(above, rest)| above.join(rest).components().collect())
}
