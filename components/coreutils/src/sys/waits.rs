//! What a tool waits for, and what it finds. `Waits::wait` is in `stream.rs`, and for native tests in `stream_native.rs`.

use super::{Child, Stream};
use std::time::Duration;

/// What a tool waits for.
#[derive(Default)]
pub struct Waits<'a> {
    /// The end of this child.
    pub child: Option<&'a Child>,
    /// Something to read, or the end, of these.
    pub read: [Option<&'a Stream>; 2],
    /// Room to write to this.
    pub write: Option<&'a Stream>,
    /// This much time.
    pub time: Option<Duration>,
}

/// What there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ready {
    /// The child has ended.
    pub ended: bool,
    /// Which streams can be read.
    pub read: [bool; 2],
    /// There is room to write.
    pub write: bool,
    /// The signals that arrived: bit n - 1 is signal n.
    pub signals: u64,
}
