//! The files of a session, from outside. Each attack has a permitted twin.

mod archive;
mod contents;
mod diff;
mod find;
mod mounts;
mod names;
mod patch;
mod state;

use std::fmt;
use std::io::Cursor;
use std::sync::Arc;

use bytes::Bytes;

use super::*;
use wisp_api::Listing;
use wisp_policy::Policy;
use wisp_vfs::{BaseEntry, Clock, FileType, Fs, FsError, OpenHow, Quota};

struct Still;

impl Clock for Still {
    fn now(&self) -> u64 {
        1_000_000_000
    }
}

/// A filesystem as a session has it: `/home/user` and `/tmp` of the user, `/etc/passwd` of root.
fn fs(quota: Quota) -> Fs {
    let fs = Fs::new(quota, Arc::new(Still));
    for (path, user_owned) in [("/", false), ("/home/user", true), ("/tmp", true), ("/etc", false)] {
        fs.add_base(path, BaseEntry::Dir { mode: 0o755, user_owned }).unwrap();
    }
    fs.add_base("/etc/passwd", BaseEntry::File { data: Bytes::from_static(b"root"), mode: 0o644 }).unwrap();
    fs.add_base("/dev/zero", BaseEntry::Device(wisp_vfs::Device::Zero)).unwrap();
    fs
}

fn with_quota(max_bytes: u64, max_files: u64) -> Files {
    Files::new(fs(Quota { max_bytes, max_files }), Arc::new(Policy::offline()))
}

fn files() -> Files {
    with_quota(64 << 20, 10_000)
}

/// The text of a file.
async fn text(files: &Files, path: &str) -> String {
    String::from_utf8(files.read(path).await.unwrap().to_vec()).unwrap()
}

/// What the filesystem refused.
fn refused<T: fmt::Debug>(done: Result<T, FilesError>) -> FsError {
    let error = done.unwrap_err();
    error.fs().unwrap_or_else(|| panic!("{error}"))
}

/// The message of an error.
fn message<T: fmt::Debug>(done: Result<T, FilesError>) -> String {
    done.unwrap_err().to_string()
}

/// The paths of a listing.
fn paths(listing: &Listing) -> Vec<&str> {
    listing.entries.iter().map(|entry| entry.path.as_str()).collect()
}

/// All names in a directory.
async fn names(files: &Files, path: &str) -> Vec<String> {
    files.list(path).await.unwrap().entries.iter().map(|entry| entry.name().to_owned()).collect()
}

/// A file of the given size that costs no quota.
fn sparse(files: &Files, path: &str, size: u64) {
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    files.fs.open(&files.fs.root(), path, how).unwrap().set_len(size).unwrap();
}
