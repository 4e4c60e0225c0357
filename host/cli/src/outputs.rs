//! Standard output and error of this process: the one place that writes to them.
//!
//! What cannot be written is lost: the disk is full, the output is closed, or nobody reads it any more. The first failure of each is
//! remembered, and the end of `main` makes a line and exit code 125 of it ([`unwritten`]), whatever subcommand wrote.

use std::fmt;
use std::io::{self, ErrorKind, IsTerminal, Write};
use std::os::fd::IntoRawFd;
use std::pin::Pin;
use std::sync::OnceLock;
use std::task::{Context, Poll};

use rustix::fs::{FileType, Mode, OFlags, fcntl_getfl, fstat, open};
use tokio::io::AsyncWrite;

use crate::Failure;

/// The exit code of a command that wrote to a pipe without a reader: it says by itself what became of the rest.
const UNREAD: u8 = 141;

/// Those that the process began without, or that are open for reading only. The standard library takes what is written there for written.
static CLOSED: OnceLock<[bool; 2]> = OnceLock::new();

/// Why each could not be written: the first failure.
static FAILED: [OnceLock<io::Error>; 2] = [OnceLock::new(), OnceLock::new()];

/// An output of this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standard {
    Output,
    Error,
}

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Output => "standard output",
            Self::Error => "standard error",
        })
    }
}

/// Finds out which outputs can be written, before another file takes the number of one. `missing` are those that were closed when the
/// process began, where something is open in their place by now.
pub(crate) fn begin(missing: [bool; 2]) {
    let [input, output, error] =
        [fcntl_getfl(rustix::stdio::stdin()), fcntl_getfl(rustix::stdio::stdout()), fcntl_getfl(rustix::stdio::stderr())];
    for flags in [input, output, error] {
        if flags.is_err()
            && let Ok(nothing) = open("/dev/null", OFlags::RDWR, Mode::empty())
        {
            // It has the lowest number that is free, which is this one, and keeps it.
            let _ = nothing.into_raw_fd();
        }
    }
    let closed = |flags: rustix::io::Result<OFlags>| !flags.is_ok_and(|flags| flags & OFlags::RWMODE != OFlags::RDONLY);
    let _ = CLOSED.set([missing[0] || closed(output), missing[1] || closed(error)]);
}

/// Prints to standard output.
///
/// # Errors
/// If it cannot be written, which is said in the end ([`unwritten`]).
pub(crate) fn print(text: &str) -> Result<(), Failure> {
    let mut out = Standard::Output.writer();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(|_| Failure::internal(Unwritten))
}

/// What is said in the end.
#[derive(Debug)]
pub(crate) struct Unwritten;

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} could not be written", Standard::Output)
    }
}

impl std::error::Error for Unwritten {}

/// Returns what could not be written, and why, as far as the exit code of this process does not say it: `code`, if everything was written.
pub(crate) fn unwritten(code: u8) -> impl Iterator<Item = (Standard, &'static io::Error)> {
    let failed = [Standard::Output, Standard::Error].into_iter().filter_map(|to| Some((to, FAILED[to as usize].get()?)));
    failed.filter(move |(_, error)| !is_known(error, code))
}

/// Returns whether the exit code says already that the output is not complete: the command noticed that nobody reads it and ended by
/// that, or was ended with the terminal.
fn is_known(error: &io::Error, code: u8) -> bool {
    match error.raw_os_error() {
        // Or a signal ended it, of the person who ended the reader too.
        Some(libc::EPIPE) => matches!(code, UNREAD | 129 | 130 | 143),
        Some(libc::EIO) => code != 0,
        _ => false,
    }
}

impl Standard {
    /// Returns whether it is a terminal.
    pub(crate) fn is_terminal(self) -> bool {
        match self {
            Self::Output => io::stdout().is_terminal(),
            Self::Error => io::stderr().is_terminal(),
        }
    }

    /// Returns whether another program reads it: it is a pipe or a socket.
    pub(crate) fn is_piped(self) -> bool {
        let facts = match self {
            Self::Output => fstat(io::stdout()),
            Self::Error => fstat(io::stderr()),
        };
        facts.is_ok_and(|facts| matches!(FileType::from_raw_mode(facts.st_mode), FileType::Fifo | FileType::Socket))
    }

    /// Returns what writes to it.
    pub(crate) fn writer(self) -> Writer {
        Writer { to: self, counts: true }
    }

    /// Returns what writes to it for a caller that answers for failures itself: they are not remembered.
    pub(crate) fn unsettled(self) -> Writer {
        Writer { to: self, counts: false }
    }

    /// Returns what passes on to it what a command writes.
    pub(crate) fn stream(self) -> Stream {
        let stream: Box<dyn AsyncWrite + Send + Unpin> = match self {
            Self::Output => Box::new(tokio::io::stdout()),
            Self::Error => Box::new(tokio::io::stderr()),
        };
        Stream { to: self, stream, client: false }
    }

    /// Works like [`stream`](Self::stream), for messages to a client: nothing is lost for one that goes away.
    pub(crate) fn to_client(self) -> Stream {
        Stream { client: true, ..self.stream() }
    }

    /// Fails if it cannot be written at all.
    pub(crate) fn check(self) -> io::Result<()> {
        match CLOSED.get() {
            Some(closed) if closed[self as usize] => Err(io::Error::from_raw_os_error(libc::EBADF)),
            _ => Ok(()),
        }
    }

    /// Remembers a failure.
    fn failed(self, error: &io::Error) {
        if error.kind() != ErrorKind::Interrupted {
            let same = error.raw_os_error().map_or_else(|| io::Error::from(error.kind()), io::Error::from_raw_os_error);
            let _ = FAILED[self as usize].set(same);
        }
    }
}

/// Writes to an output of this process.
#[derive(Debug)]
pub(crate) struct Writer {
    to: Standard,
    counts: bool,
}

impl Writer {
    fn done<T>(&self, done: io::Result<T>) -> io::Result<T> {
        done.inspect_err(|error| {
            if self.counts {
                self.to.failed(error);
            }
        })
    }
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.to.check().and_then(|()| match self.to {
            Standard::Output => io::stdout().write(bytes),
            Standard::Error => io::stderr().write(bytes),
        });
        self.done(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = match self.to {
            Standard::Output => io::stdout().flush(),
            Standard::Error => io::stderr().flush(),
        };
        self.done(flushed)
    }
}

/// Passes on to an output of this process what a command writes.
pub(crate) struct Stream {
    to: Standard,
    stream: Box<dyn AsyncWrite + Send + Unpin>,
    client: bool,
}

impl Stream {
    fn done<T>(&self, done: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if let Poll::Ready(Err(error)) = &done
            && !(self.client && error.kind() == ErrorKind::BrokenPipe)
        {
            self.to.failed(error);
        }
        done
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = match self.to.check() {
            Ok(()) => Pin::new(&mut self.stream).poll_write(context, bytes),
            Err(closed) => Poll::Ready(Err(closed)),
        };
        self.done(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(context);
        self.done(flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let closed = Pin::new(&mut self.stream).poll_shutdown(context);
        self.done(closed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exit_code_that_says_it_already_stays() {
        let error = io::Error::from_raw_os_error;
        for (failure, code, known) in [
            // A reader that has seen enough, and a command that noticed, or had written everything before.
            (libc::EPIPE, UNREAD, true),
            (libc::EPIPE, 0, false),
            (libc::EPIPE, 3, false),
            // A full disk, which the command notices as a pipe without a reader at most.
            (libc::ENOSPC, UNREAD, false),
            (libc::ENOSPC, 0, false),
            (libc::EBADF, 1, false),
            // A terminal that is gone, and what it ended.
            (libc::EPIPE, 130, true),
            (libc::EPIPE, 137, false),
            (libc::EIO, 130, true),
            (libc::EIO, 0, false),
        ] {
            assert_eq!(is_known(&error(failure), code), known, "{failure} {code}");
        }
    }
}
