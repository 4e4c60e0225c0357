//! Refusals by mounts, whatever the mode bits allow, are reported to the witness of the handle that asked.

use super::place::HostPlace;
use super::{Fs, FsError, Node, Refused};

impl Fs {
    /// Reports a refusal and returns the guest's error. Call it without the lock.
    pub(super) fn refuse(&self, mount: u32, path: &str, why: Refused) -> FsError {
        if let Some(witness) = &self.witness {
            witness.refused(mount as usize, path, why);
        }
        why.error()
    }

    /// Works like `refuse`, for a place in a mount.
    pub(super) fn refuse_place(&self, place: &HostPlace, why: Refused) -> FsError {
        if self.witness.is_none() {
            return why.error();
        }
        self.refuse(place.mount, &self.guest_path(place), why)
    }

    /// Returns the result of a mount; a refusal is reported. Call it without the lock.
    pub(super) fn answered<T>(&self, place: &HostPlace, answer: Result<T, FsError>) -> Result<T, FsError> {
        answer.map_err(|error| match error {
            FsError::Refused(why) => self.refuse_place(place, why),
            error => error,
        })
    }

    /// Returns the path of a place, as guests know it.
    fn guest_path(&self, place: &HostPlace) -> String {
        let guest = self.lock().tree.mounts.get(place.mount as usize).map(|row| row.guest.clone()).unwrap_or_default();
        if place.path.is_empty() { guest } else { format!("{guest}/{}", place.path) }
    }

    /// Returns `path`, relative to `at`, as an absolute path where it is known.
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
