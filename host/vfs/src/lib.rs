//! The in-memory filesystem of a session: POSIX semantics for one user, a quota, free snapshots, and mounts of host
//! directories. The crate does not touch the machine: time comes from a [`Clock`], host directories come through the
//! trait [`Mount`].
//!
//! - `path`, `place` and `walk` resolve paths; `open`, `names`, `rename` and `attributes` are the operations on paths; `node`,
//!   `data` and `open_file` are what they open.
//! - `archive` turns a snapshot into bytes and back; `differences` compares two; `digest` sums up trees and `seals` keeps the sums, `watch` reads what operations put into a `feed`, `page` reads large
//!   directories.
//! - `computed` has the files whose contents differ for each process, as in `/proc`.
//! - `inode`, `inodes` and `tree` are the state, `layer` holds files as a filesystem begins with them, `live` tracks what is open, `contents` and `chunk` hold the bytes of files,
//!   `quota` counts, `snapshot` makes the copies.
//! - `mount` is the trait for a host directory, `overlay` shows a host directory without changing it, `seen` notes what was there before, `since` what became of it,
//!   `applied` is for programs that write the changes back.
//!
//! One lock guards one filesystem. It is held for lookups and changes in memory, never while a host directory is
//! accessed.

mod applied;
mod archive;
mod attributes;
mod base;
mod chunk;
mod computed;
mod contents;
mod data;
mod debug;
mod differences;
mod digest;
mod error;
mod feed;
mod fs;
mod inode;
mod inodes;
mod layer;
mod live;
mod mount;
mod names;
mod node;
mod open;
mod open_file;
mod overlay;
mod page;
mod path;
mod place;
mod quota;
mod rename;
mod seals;
mod seen;
mod since;
mod snapshot;
mod stat;
mod tree;
mod walk;
mod watch;
mod witness;

#[cfg(test)]
mod tests;

pub use archive::ArchiveError;
pub use base::BaseEntry;
pub use computed::Viewer;
pub use contents::MAX_READ;
pub use differences::{Difference, Differences, EachPiece, Version};
pub use error::{FsError, Refused};
pub use fs::{Fs, Witness};
pub use layer::{Layer, LayerBuilder, LayerError};
pub use mount::{HostFile, HostMode, HostOpen, HostStat, Mount, MountAccess};
pub use node::Node;
pub use open_file::{OpenFile, Whence};
pub use path::{MAX_LINKS_FOLLOWED, MAX_PATH};
pub use quota::Quota;
pub use since::Since;
pub use snapshot::Snapshot;
pub use stat::{Clock, Device, DirEntry, FileType, OpenHow, SetTime, Stat, USER};
pub use watch::Watch;
pub use wisp_api::{Change, Changed, DifferenceKind, FilesUsage};
