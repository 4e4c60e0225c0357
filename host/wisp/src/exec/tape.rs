//! What was written to an output of a command or an evaluation, kept so that it can be read again from any offset.

use std::sync::Arc;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use wisp_api::OutputChunk;
use wisp_process::until;

/// Output of a command or an evaluation, all of it or its end.
pub(crate) struct Tape {
    state: Mutex<State>,
    /// Something was written, or nothing more will be.
    changed: Notify,
}

struct State {
    /// Bytes kept. At most twice `most` (a cut moves the rest, so it is done once in a while).
    bytes: Vec<u8>,
    /// The number of bytes before them that are not kept any more.
    cut: u64,
    /// How many of the newest bytes are always kept.
    most: usize,
    closed: bool,
}

impl State {
    fn end(&self) -> u64 {
        self.cut + self.bytes.len() as u64
    }
}

impl Tape {
    /// Creates a tape that keeps at least the last `most` bytes.
    pub(crate) fn new(most: usize) -> Arc<Self> {
        let state = State { bytes: Vec::new(), cut: 0, most, closed: false };
        Arc::new(Self { state: Mutex::new(state), changed: Notify::new() })
    }

    /// Returns a tape of an output that goes elsewhere: it is empty and closed.
    pub(crate) fn closed() -> Arc<Self> {
        let tape = Self::new(0);
        tape.close();
        tape
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    /// Takes as much of `bytes` as fits into `limit`, which counts everything that was ever taken. Returns the number
    /// of bytes taken.
    pub(crate) fn add(&self, bytes: &[u8], limit: u64) -> usize {
        let mut state = self.lock();
        let room = usize::try_from(limit.saturating_sub(state.end())).unwrap_or(usize::MAX);
        let part = &bytes[..bytes.len().min(room)];
        let kept = &part[part.len() - part.len().min(state.most)..];
        if kept.len() < part.len() {
            // The piece alone fills the tape.
            state.cut += (state.bytes.len() + part.len() - kept.len()) as u64;
            state.bytes.clear();
        } else if state.bytes.len() + part.len() > state.most.saturating_mul(2) {
            let old = state.bytes.len() + part.len() - state.most;
            state.bytes.drain(..old);
            state.cut += old as u64;
        }
        state.bytes.extend_from_slice(kept);
        drop(state);
        self.changed.notify_waiters();
        part.len()
    }

    /// Closes the tape: nothing will be written any more.
    pub(crate) fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_waiters();
    }

    /// Waits until it is closed.
    pub(crate) async fn wait_closed(&self) {
        self.wait(|state| state.closed.then_some(())).await;
    }

    /// Reads the kept bytes from `offset` on, at most `most` of them.
    pub(crate) fn read(&self, offset: u64, most: usize) -> OutputChunk {
        let state = self.lock();
        chunk(&state, offset, most)
    }

    /// Works like `read`; waits until there is a byte, or the end.
    pub(crate) async fn read_some(&self, offset: u64, most: usize) -> OutputChunk {
        self.wait(|state| {
            let chunk = chunk(state, offset, most);
            (chunk.end || !chunk.bytes.is_empty() || most == 0).then_some(chunk)
        })
        .await
    }

    async fn wait<T>(&self, mut ready: impl FnMut(&State) -> Option<T>) -> T {
        until(&self.changed, || ready(&self.lock())).await
    }

    /// Returns how many bytes of memory it has.
    pub(crate) fn held_bytes(&self) -> usize {
        self.lock().bytes.capacity()
    }

    /// Returns the kept bytes. They stay on the tape.
    pub(crate) fn kept(&self) -> Vec<u8> {
        self.lock().bytes.clone()
    }

    /// Takes the kept bytes; from now on, output is only counted.
    pub(crate) fn finish(&self) -> Vec<u8> {
        let mut state = self.lock();
        state.most = 0;
        state.cut = state.end();
        std::mem::take(&mut state.bytes)
    }
}

fn chunk(state: &State, offset: u64, most: usize) -> OutputChunk {
    // An offset that is not reached yet has no bytes: the reader gets those that follow when they are written.
    let offset = offset.clamp(state.cut, state.end());
    let from = usize::try_from(offset - state.cut).unwrap_or(usize::MAX);
    let bytes = &state.bytes[from..from + (state.bytes.len() - from).min(most)];
    let end = state.closed && offset + bytes.len() as u64 == state.end();
    OutputChunk { offset, bytes: Bytes::copy_from_slice(bytes), end }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(chunk: &OutputChunk) -> (u64, &str, bool) {
        (chunk.offset, std::str::from_utf8(&chunk.bytes).unwrap(), chunk.end)
    }

    #[test]
    fn any_offset_can_be_read_again() {
        let tape = Tape::new(usize::MAX);
        assert_eq!((tape.add(b"hello ", 100), tape.add(b"world", 100)), (6, 5));
        for (offset, most, expected) in [(0, 5, "hello"), (6, 100, "world"), (3, 4, "lo w"), (11, 9, ""), (90, 9, "")] {
            let chunk = tape.read(offset, most);
            assert_eq!(text(&chunk), (offset.min(11), expected, false));
        }
        tape.close();
        assert_eq!(text(&tape.read(0, 5)), (0, "hello", false));
        assert_eq!(text(&tape.read(6, 5)), (6, "world", true));
        assert_eq!((tape.kept().len(), tape.finish().len(), tape.kept().len()), (11, 11, 0));
    }

    #[test]
    fn a_bounded_tape_keeps_the_end_and_says_where_it_begins() {
        let tape = Tape::new(4);
        for piece in ["ab", "cd", "ef", "gh"] {
            tape.add(piece.as_bytes(), 100);
        }
        assert_eq!(text(&tape.read(0, 100)), (0, "abcdefgh", false));
        tape.add(b"i", 100);
        assert_eq!(text(&tape.read(0, 100)), (5, "fghi", false));
        tape.add(b"0123456789", 100);
        assert_eq!(text(&tape.read(0, 100)), (15, "6789", false));
        assert_eq!(text(&tape.read(17, 1)), (17, "8", false));
    }

    #[test]
    fn the_limit_counts_what_is_not_kept() {
        for most in [0, 3, usize::MAX] {
            let tape = Tape::new(most);
            assert_eq!((tape.add(b"12345", 7), tape.add(b"12345", 7), tape.add(b"1", 7)), (5, 2, 0));
            assert!(tape.kept().ends_with(&b"512"[..most.min(3)]) || most == 0, "{most}");
            assert_eq!(tape.read(0, 0).offset + tape.kept().len() as u64, 7);
        }
    }

    #[tokio::test]
    async fn a_reader_waits_for_the_next_byte_or_the_end() {
        let tape = Tape::new(100);
        let reader = tokio::spawn({
            let tape = tape.clone();
            async move {
                let (mut at, mut pieces) = (0, Vec::new());
                loop {
                    let chunk = tape.read_some(at, 100).await;
                    at = chunk.next_offset();
                    pieces.push(chunk.bytes.clone());
                    if chunk.end {
                        return pieces.concat();
                    }
                }
            }
        });
        for piece in 0..100 {
            tape.add(format!("{piece} ").as_bytes(), 1_000);
            tokio::task::yield_now().await;
        }
        tape.close();
        let expected: String = (0..100).map(|piece| format!("{piece} ")).collect();
        assert!(expected.as_bytes().ends_with(&reader.await.unwrap()[..]));
        tape.wait_closed().await;
        assert!(Tape::closed().read_some(0, 1).await.end);
    }
}
