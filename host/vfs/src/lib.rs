//! The in-memory filesystem of a session: POSIX semantics for one user, a quota, snapshots that cost nothing, and mounts of host
//! directories. Pure: nothing here touches the machine; time comes from a [`Clock`], host directories through the trait [`Mount`].
//!
//! - `path` and `walk` decide what a path means; `open`, `names`, `rename` and `attributes` are the operations on paths; `node`, `data` and
//!   `open_file` are what they open.
//! - `archive` is a snapshot as bytes.
//! - `computed` are files that say something else to each process, as those of `/proc` do.
//! - `inode` and `tree` are the state, `live` who has what open, `contents` and `chunk` the bytes of files, `quota` the books, `snapshot`
//!   the copies.
//! - `mount` is what a host directory must offer, `overlay` how one is seen through without being changed.
//!
//! One lock guards one filesystem. It is held for lookups and changes in memory, never while a host directory is asked.

mod archive;
mod attributes;
mod chunk;
mod computed;
mod contents;
mod data;
mod error;
mod fs;
mod inode;
mod live;
mod mount;
mod names;
mod node;
mod open;
mod open_file;
mod overlay;
mod path;
mod quota;
mod rename;
mod snapshot;
mod stat;
mod tree;
mod walk;
mod witness;

#[cfg(test)]
mod tests;

pub use archive::ArchiveError;
pub use computed::Viewer;
pub use error::FsError;
pub use fs::{BaseEntry, Fs};
pub use mount::{HostFile, HostMode, HostOpen, HostStat, Mount, MountAccess};
pub use node::Node;
pub use open_file::{OpenFile, Whence};
pub use quota::{Quota, Usage};
pub use snapshot::Snapshot;
pub use stat::{Clock, Device, DirEntry, FileType, OpenHow, SetTime, Stat};
pub use witness::{Refused, Witness};
