//! Refusals by mounts, whatever the mode bits allow, are reported to the witness of the handle that asked.

use std::sync::Arc;

use super::walk::HostPlace;
use super::{Fs, FsError, Node};

/// Why the rules of a mount refuse an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Refused {
    /// The path leads out of the mount, through a symbolic link.
    Outside,
    /// The mount is granted read-only.
    ReadOnly,
    /// The file is a pipe, a socket or a device.
    Special,
    /// The new file would lead out of the mount, or would give rights outside the sandbox.
    Trap,
}

impl Refused {
    /// The error that the guest sees.
    pub fn error(self) -> FsError {
        match self {
            Self::ReadOnly => FsError::ReadOnly,
            Self::Outside | Self::Special | Self::Trap => FsError::NotPermitted,
        }
    }

    /// The reason, for people.
    pub fn reason(self) -> &'static str {
        match self {
            Self::Outside => "leads out of the mount",
            Self::ReadOnly => "the mount is granted read-only",
            Self::Special => "a pipe, a socket or a device of the host",
            Self::Trap => {
                "a symbolic link of a write mount names a file beside it, without `/`: another could lead the host out of the mount"
            }
        }
    }
}

/// Is called for every refusal by the mounts of a filesystem.
pub trait Witness: Send + Sync {
    /// `mount`, given by its index in [`Fs::mounts`], refused `path`, an absolute path of the sandbox where it is
    /// known. No lock of the filesystem is held.
    fn refused(&self, mount: usize, path: &str, why: Refused);
}

impl Fs {
    /// A handle on the same filesystem that reports to `witness` what mounts refuse to it and to the nodes it opens.
    pub fn witnessed(&self, witness: Arc<dyn Witness>) -> Self {
        Self { witness: Some(witness), ..self.clone() }
    }

    /// Reports a refusal and returns the guest's error. Call it without the lock.
    pub(super) fn refuse(&self, mount: u32, path: &str, why: Refused) -> FsError {
        if let Some(witness) = &self.witness {
            witness.refused(mount as usize, path, why);
        }
        why.error()
    }

    /// As `refuse`, for a place in a mount.
    pub(super) fn refuse_place(&self, place: &HostPlace, why: Refused) -> FsError {
        if self.witness.is_none() {
            return why.error();
        }
        self.refuse(place.mount, &self.guest_path(place), why)
    }

    /// The result of a mount; a refusal is reported. Call it without the lock.
    pub(super) fn answered<T>(&self, place: &HostPlace, answer: Result<T, FsError>) -> Result<T, FsError> {
        answer.map_err(|error| match error {
            FsError::Refused(why) => self.refuse_place(place, why),
            error => error,
        })
    }

    /// The path of a place, as guests know it.
    fn guest_path(&self, place: &HostPlace) -> String {
        let guest = self.lock().tree.mounts.get(place.mount as usize).map(|row| row.guest.clone()).unwrap_or_default();
        if place.path.is_empty() { guest } else { format!("{guest}/{}", place.path) }
    }

    /// `path`, relative to `at`, as an absolute path where it is known.
    pub(super) fn asked_path(&self, at: &Node, path: &str) -> String {
        if path.starts_with('/') {
            return path.to_owned();
        }
        match at.host_place() {
            Some(place) => format!("{}/{path}", self.guest_path(place)),
            None if at.is_root() => format!("/{path}"),
            None => path.to_owned(),
        }
    }
}
