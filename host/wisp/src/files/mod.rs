//! The files of a session, from outside: what a service needs beyond nodes and paths.
//!
//! Every operation goes through the session's [`Fs`], the door that guests use, so the same rules hold: mode bits, the
//! quota, the access of mounts, symbolic links that stay inside. What may reach the host, or may take long, runs on a
//! thread that may block; the rest is done at once.
//!
//! `handle` runs an operation on its `view`. `path` is about names, `read` and `write` about contents, `names` about everything that has a name, `walk`, `list` and
//! `grep` find files, `archive` and `patch` bring many in or out, `diff` shows what a session changed, `watch` reports what
//! changes.

mod archive;
mod diff;
mod error;
mod grep;
mod handle;
mod list;
mod names;
mod patch;
mod path;
mod read;
mod view;
mod walk;
mod watch;
mod write;

#[cfg(test)]
mod tests;

pub use archive::TarBounds;
pub(crate) use diff::lexical_path;
pub use error::{FilesError, FilesOperation, FilesReason};
pub use grep::GrepOptions;
pub use handle::Files;
pub use list::WalkOptions;
pub(crate) use path::within;
pub use read::FileReader;
pub use watch::FileWatch;
pub use write::{WriteMode, WriteOptions};
