//! Interpreters that stay alive between evaluations, and their snapshots in memory and in files.

pub(crate) mod error;
pub(crate) mod evaluation;
pub(crate) mod handle;
pub(crate) mod snapshot;
pub(crate) mod snapshot_file;
pub(crate) mod warm;

pub use error::KernelError;
pub use evaluation::Cell;
pub use handle::Kernel;
pub use snapshot::KernelSnapshot;
pub use snapshot_file::SnapshotFileError;
