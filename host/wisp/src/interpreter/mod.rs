//! Interpreters that stay alive between evaluations, and their snapshots in memory and in files.

pub(crate) mod alive;
pub(crate) mod answer;
pub(crate) mod call;
pub(crate) mod code;
pub(crate) mod error;
pub(crate) mod evaluate;
pub(crate) mod evaluating;
pub(crate) mod evaluation;
pub(crate) mod frontend;
pub(crate) mod hand_over;
pub(crate) mod handle;
pub(crate) mod rest;
pub(crate) mod running;
pub(crate) mod shown;
pub(crate) mod snapshot;
pub(crate) mod snapshot_file;
pub(crate) mod start;
pub(crate) mod warm;

pub use code::{Code, DisplayEvent};
pub use error::InterpreterError;
pub use handle::{Interpreter, Interrupter};
pub use running::RunningEvaluation;
pub use snapshot::InterpreterSnapshot;
pub use snapshot_file::SnapshotFileError;

#[cfg(test)]
mod reuse_tests;
#[cfg(test)]
mod work_tests;
