//! `Debug` of what a session's processes share: the identity of a process, and of the rest only the type. They take no
//! lock, so that they can be printed anywhere.

use std::fmt;

use super::tty::{Control, Discipline, Keyboard, Tty, TtyWatch};
use super::{
    ChildHandle, FifoEnd, Fifos, FileLock, FileLocks, LockWait, Loopback, Opening, PipeReader, PipeWatch, PipeWriter, Process,
    ProcessTable, Row, Signals, Socket, Stoppable, Stream,
};

macro_rules! opaque {
    ($($name:ident)*) => {$(
        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($name)).finish_non_exhaustive()
            }
        }
    )*};
}

opaque! {
    ChildHandle Control Discipline FifoEnd Fifos FileLock FileLocks Keyboard LockWait Loopback Opening PipeReader PipeWatch PipeWriter
    ProcessTable Signals Socket Stream Tty TtyWatch
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process").field("pid", &self.pid()).field("command", &self.command()).finish_non_exhaustive()
    }
}

impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Row").field("process", self.process()).finish_non_exhaustive()
    }
}

impl<F> fmt::Debug for Stoppable<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stoppable").finish_non_exhaustive()
    }
}
