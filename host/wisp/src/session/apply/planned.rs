//! A plan: what is to be written to the host, and what stands against it.

use std::fmt;
use std::path::PathBuf;

use crate::session::handle::Session;
use wisp_api::{ApplyConflict, ApplyDocument, ApplyFile, ApplyLeftOut};
use wisp_policy::ProtectedPath;
use wisp_vfs::{Difference, HostStat, Snapshot, Version};

/// Which changes of a session are to be taken over, and what they must not reach.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct ApplyOptions {
    pub(super) only: Vec<String>,
    pub(super) protected: Vec<ProtectedPath>,
}

impl ApplyOptions {
    /// Selects everything that the session changed in its mounts with overlay access.
    pub fn new() -> Self {
        Self::default()
    }

    /// Selects only what was changed at this path of the sandbox and below it, and the directories that it needs. Can be called several
    /// times. A relative path begins at `/home/user`.
    pub fn only(mut self, path: impl Into<String>) -> Self {
        self.only.push(path.into());
        self
    }

    /// Refuses to write these, what is in them, and what stands in the way to them, in addition to what the policy names and what
    /// wisp executes.
    pub fn protect(mut self, places: impl IntoIterator<Item = ProtectedPath>) -> Self {
        self.protected.extend(places);
        self
    }
}

/// What would be written to the host, and what stands against it. Nothing has been written.
pub struct ApplyPlan {
    /// The changes, sorted by path within each mount.
    pub changes: Vec<ApplyChange>,
    /// Why nothing may be written. Empty if everything may.
    pub conflicts: Vec<ApplyConflict>,
    /// What the session has, but no host gets.
    pub left_out: Vec<ApplyLeftOut>,
    /// Paths of [`ApplyOptions::only`] at which nothing was changed.
    pub unchanged: Vec<String>,
    pub(super) session: Session,
    /// What the session's files were when the plan was made.
    pub(super) snapshot: Snapshot,
    pub(super) parts: Vec<Part>,
}

/// A change that is to be made on the host.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ApplyChange {
    /// The file before and after: `before` is what the host has.
    pub difference: Difference,
    /// Whether it is a symbolic link through which a program on the host would leave the folder, or could once other files change.
    pub leads_out: bool,
}

impl ApplyPlan {
    /// Returns the plan as data; `applied` says whether the changes were written.
    pub fn document(&self, applied: bool) -> ApplyDocument {
        let files = self.session.files();
        let file = |change: &ApplyChange| ApplyFile { difference: files.difference(&change.difference), leads_out: change.leads_out };
        ApplyDocument {
            applied,
            changes: self.changes.iter().map(file).collect(),
            conflicts: self.conflicts.clone(),
            left_out: self.left_out.clone(),
            unchanged: self.unchanged.clone(),
        }
    }
}

impl fmt::Debug for ApplyPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("ApplyPlan");
        shown.field("changes", &self.changes).field("conflicts", &self.conflicts).field("left_out", &self.left_out);
        shown.field("unchanged", &self.unchanged).finish_non_exhaustive()
    }
}

/// What is to be written into one mount.
pub(super) struct Part {
    /// The number of the mount.
    pub(super) mount: usize,
    pub(super) guest: String,
    pub(super) host: PathBuf,
    /// The number of the folder or file, by which it is known when it is opened for writing, if there are steps.
    pub(super) ino: u64,
    /// Whether the mount is a single file.
    pub(super) single: bool,
    /// Whether nothing of the mount's changes is left afterwards. It then has a part without steps too: if wisp is killed after it has
    /// written and before the session is kept, the session has copies of what the host has, which hide what the host does later.
    pub(super) whole: bool,
    /// In the order of paths: what is in a directory comes after it.
    pub(super) steps: Vec<Step>,
}

/// What is to become of one file of the host.
pub(super) struct Step {
    /// Its path below the folder.
    pub(super) rel: String,
    /// Its path in the sandbox.
    pub(super) path: String,
    pub(super) after: Option<Version>,
    /// What the host has there.
    pub(super) was: Option<HostStat>,
    /// Whether only the mode changes.
    pub(super) mode_only: bool,
}
