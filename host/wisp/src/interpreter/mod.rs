//! Interpreters that stay alive between evaluations, and their snapshots in memory and in files.

pub(crate) mod error;
pub(crate) mod evaluation;
pub(crate) mod handle;
pub(crate) mod snapshot;
pub(crate) mod snapshot_file;
pub(crate) mod warm;

pub use error::InterpreterError;
pub use evaluation::Evaluation;
pub use handle::Interpreter;
pub use snapshot::InterpreterSnapshot;
pub use snapshot_file::SnapshotFileError;
