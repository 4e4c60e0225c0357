//! What a process has written and become, numbered: one sequence for pieces of output, the exit and the close.

use std::collections::VecDeque;

use bytes::Bytes;

use crate::protocol::{Base64, OutputChunk, OutputStream, ReadResult};

/// Maximum bytes of output that are kept of a process, as in Codex. Older ones were told by notifications.
pub(crate) const KEPT: usize = 1 << 20;

/// Maximum pieces of output that are kept: a program that writes byte by byte must not cost more than its bytes.
const PIECES: usize = 4_096;

/// The log of a process.
pub(crate) struct Log {
    pieces: VecDeque<OutputChunk>,
    bytes: usize,
    /// The number of the next event.
    next: u64,
    exit: Option<Exit>,
    closed: bool,
    failure: Option<String>,
}

/// How a process exited.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Exit {
    pub(crate) code: i32,
    /// Whether it failed, and the policy had refused something to it.
    pub(crate) denied: bool,
}

impl Log {
    pub(crate) fn new() -> Self {
        Self { pieces: VecDeque::new(), bytes: 0, next: 1, exit: None, closed: false, failure: None }
    }

    fn number(&mut self) -> u64 {
        let number = self.next;
        self.next += 1;
        number
    }

    /// Adds a piece of output. Returns it with its number.
    pub(crate) fn output(&mut self, stream: OutputStream, bytes: Bytes) -> OutputChunk {
        let piece = OutputChunk { seq: self.number(), stream, chunk: Base64(bytes) };
        self.bytes += piece.chunk.0.len();
        self.pieces.push_back(piece.clone());
        while self.bytes > KEPT || self.pieces.len() > PIECES {
            let Some(oldest) = self.pieces.pop_front() else { break };
            self.bytes -= oldest.chunk.0.len();
        }
        piece
    }

    /// Adds the exit. Returns its number.
    pub(crate) fn exit(&mut self, exit: Exit, failure: Option<String>) -> u64 {
        self.exit = Some(exit);
        self.failure = failure;
        self.number()
    }

    /// Adds the end of all output. Returns its number.
    pub(crate) fn close(&mut self) -> u64 {
        self.closed = true;
        self.number()
    }

    pub(crate) fn has_exited(&self) -> bool {
        self.exit.is_some()
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.closed
    }

    /// Returns whether there is something after this number that a reader waits for.
    pub(crate) fn has_after(&self, after: u64) -> bool {
        let exited = self.exit.is_some() && after < self.next - 1;
        self.closed || exited || self.pieces.back().is_some_and(|piece| piece.seq > after)
    }

    /// Reads what came after this number: about `most` bytes of output, but at least one piece.
    pub(crate) fn read(&self, after: u64, most: Option<u64>) -> ReadResult {
        let (mut chunks, mut bytes, mut next) = (Vec::new(), 0, self.next);
        for piece in self.pieces.iter().filter(|piece| piece.seq > after) {
            let length = piece.chunk.0.len() as u64;
            if most.is_some_and(|most| !chunks.is_empty() && bytes + length > most) {
                break;
            }
            bytes += length;
            if most.is_some() {
                next = piece.seq + 1;
            }
            chunks.push(piece.clone());
        }
        ReadResult {
            chunks,
            next_seq: next,
            exited: self.exit.is_some(),
            exit_code: self.exit.map(|exit| exit.code),
            closed: self.closed,
            failure: self.failure.clone(),
            sandbox_denied: self.exit.is_some_and(|exit| exit.denied),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn log(pieces: &[&'static str]) -> Log {
        let mut log = Log::new();
        for piece in pieces {
            log.output(OutputStream::Stdout, Bytes::from_static(piece.as_bytes()));
        }
        log
    }

    fn seqs(result: &ReadResult) -> Vec<u64> {
        result.chunks.iter().map(|chunk| chunk.seq).collect()
    }

    #[test]
    fn one_sequence_runs_over_output_exit_and_close() {
        let mut log = log(&["a", "b"]);
        assert!(log.has_after(1) && !log.has_after(2));
        assert_eq!(log.exit(Exit { code: 3, denied: true }, None), 3);
        assert_eq!(log.output(OutputStream::Stderr, Bytes::from_static(b"late")).seq, 4);
        assert!(log.has_after(2) && log.has_after(3) && !log.has_after(4));
        assert_eq!(log.close(), 5);
        let read = log.read(0, None);
        assert_eq!((seqs(&read), read.next_seq), (vec![1, 2, 4], 6));
        assert_eq!((read.exited, read.exit_code, read.closed, read.sandbox_denied), (true, Some(3), true, true));
        // Of a process that is closed, a reader need not wait for anything.
        assert!(log.has_after(5) && log.has_after(u64::MAX));
        assert!(log.read(u64::MAX, None).chunks.is_empty());
    }

    #[test]
    fn a_reader_says_how_much_it_takes() {
        let log = log(&["12345", "12345", "1"]);
        let read = |after, most| {
            let read = log.read(after, Some(most));
            (seqs(&read), read.next_seq)
        };
        assert_eq!(read(0, 5), (vec![1], 2));
        assert_eq!(read(0, 10), (vec![1, 2], 3));
        assert_eq!(read(0, 11), (vec![1, 2, 3], 4));
        // One piece comes in any case, so that the reader gets on.
        assert_eq!(read(1, 0), (vec![2], 3));
        assert_eq!(read(3, 5), (vec![], 4));
    }

    #[test]
    fn the_oldest_output_goes_first() {
        let mut log = Log::new();
        for _ in 0..3 {
            log.output(OutputStream::Pty, vec![b'x'; KEPT / 2].into());
        }
        assert_eq!(seqs(&log.read(0, None)), [2, 3]);
        for _ in 0..PIECES {
            log.output(OutputStream::Pty, Bytes::from_static(b"x"));
        }
        assert_eq!(log.read(0, None).chunks.len(), PIECES);
    }
}
