//! The line discipline: what a terminal does between the person and the programs. It never waits and has no clock.
//!
//! Written from termios(3) and POSIX.1-2017, chapter 11; where those leave a choice, it behaves as a pseudo-terminal of
//! Linux does.

use std::time::Duration;

use bytes::{BufMut, Bytes, BytesMut};

use super::post::{Cursor, EXPANSION};
use super::queue::{self, Queue};
use super::settings::{Settings, Size, at, flag};
use crate::signals::SignalSet;
use crate::status::Signal;

/// Bytes of output that wait for the screen before a program waits.
pub const OUTPUT_CAPACITY: usize = 64 << 10;

/// Further room that only echo uses, so that typing stays visible while a program writes. Echo beyond it is lost.
const ECHO_ROOM: usize = 4 << 10;

/// Maximum bytes of a line that is being edited, with the byte that ends it (MAX_CANON).
pub const LINE_CAPACITY: usize = 4096;

/// Maximum host memory of a discipline. All grow by doubling; the output also keeps, for a while, the place of what was
/// taken. A cell of the input queue has two bytes.
pub(super) const COST: usize = 4 * (OUTPUT_CAPACITY + ECHO_ROOM) + 2 * 2 * queue::CAPACITY + 2 * LINE_CAPACITY;

/// The unit of VTIME.
const TENTH: Duration = Duration::from_millis(100);

/// What became of typed bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Received {
    /// How many of the bytes were taken. The others can be given again when a program has read.
    pub taken: usize,
    /// The signals that they send to the foreground.
    pub signals: SignalSet,
}

/// What a read came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Read {
    /// These bytes. Empty at an end of file, and where VMIN is 0 and nothing was typed.
    Ready(Bytes),
    /// Nothing yet.
    Wait,
    /// Nothing yet; when this time has passed and still only `typed` bytes are there, the read returns those.
    Within {
        /// The time of VTIME.
        time: Duration,
        /// The bytes that are there. The time begins again when there are more.
        typed: usize,
    },
}

/// The queues that [`Discipline::flush`] empties (tcflush(3)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flushed {
    /// What was typed and not read (TCIFLUSH).
    Input,
    /// What was written and not shown (TCOFLUSH).
    Output,
    /// Both (TCIOFLUSH).
    Both,
}

/// What a program does to the flow (tcflow(3)).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Output waits (TCOOFF).
    HoldOutput,
    /// Output goes on (TCOON).
    ReleaseOutput,
    /// The terminal receives the STOP character (TCIOFF).
    SendStop,
    /// The terminal receives the START character (TCION).
    SendStart,
}

/// A line discipline with its two queues.
#[derive(Default)]
pub struct Discipline {
    pub(super) settings: Settings,
    size: Size,
    pub(super) queue: Queue,
    /// The line that is being edited.
    pub(super) line: Vec<u8>,
    /// The column in which its echo begins.
    pub(super) line_column: usize,
    /// The next byte is taken literally: VLNEXT was typed.
    pub(super) literal: bool,
    /// What the screen has not received yet.
    pub(super) output: BytesMut,
    pub(super) cursor: Cursor,
    /// The person stopped the output with VSTOP.
    stopped: bool,
    /// A program holds the output back.
    held: bool,
}

impl Discipline {
    /// Creates a discipline with the settings of a new terminal, of this size.
    pub fn new(size: Size) -> Self {
        Self { size, ..Self::default() }
    }

    /// Returns the settings.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// Replaces the settings. What was typed and not read becomes readable where lines begin or end to count.
    pub fn set(&mut self, settings: Settings) {
        let before = std::mem::replace(&mut self.settings, settings.on_a_pseudo_terminal());
        if before.canonical() == settings.canonical() {
            return;
        }
        self.literal = false;
        if settings.canonical() {
            self.queue.make_line();
        } else {
            self.queue.forget_lines();
            // There is room: `receive` takes no byte of a line that the queue could not take.
            for byte in std::mem::take(&mut self.line) {
                self.queue.push(byte, queue::Mark::Inside);
            }
        }
    }

    /// Returns the size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Sets the size. Returns whether it changed: then the foreground receives the signal WINCH.
    pub fn resize(&mut self, size: Size) -> bool {
        std::mem::replace(&mut self.size, size) != size
    }

    /// Takes typed bytes, until the input queue is full. A byte that interrupts is taken even then, with all before it
    /// in `bytes`: it would discard them.
    pub fn receive(&mut self, bytes: &[u8]) -> Received {
        let (mut taken, mut signals) = (0, SignalSet::default());
        while taken < bytes.len() {
            if self.is_full() {
                let Some(ahead) = self.interrupt_in(&bytes[taken..]) else { break };
                taken += ahead;
                self.literal = false;
            }
            if let Some(signal) = self.receive_one(bytes[taken]) {
                signals = signals.with(signal);
            }
            taken += 1;
        }
        Received { taken, signals }
    }

    /// Returns whether the queue could not take the line that is being edited and what one more byte adds to it.
    pub fn is_full(&self) -> bool {
        self.queue.room() < self.line.len() + 3
    }

    /// Returns how many bytes are certainly taken: one may need two cells, and the line one for its end.
    pub fn room_to_type(&self) -> usize {
        self.queue.room().saturating_sub(self.line.len() + 1) / 2
    }

    /// Returns the place of the first byte that discards what stands before it.
    fn interrupt_in(&self, bytes: &[u8]) -> Option<usize> {
        if self.settings.local_has(flag::NOFLSH) {
            return None;
        }
        let mut literal = self.literal;
        bytes.iter().position(|byte| {
            let byte = self.stripped(*byte);
            let quoted = std::mem::replace(&mut literal, false);
            literal = !quoted && self.is_literal_next(byte);
            !quoted && self.signal_of(byte).is_some()
        })
    }

    /// Returns a typed byte as the flags that concern each byte change it.
    fn stripped(&self, byte: u8) -> u8 {
        let byte = if self.settings.input_has(flag::ISTRIP) { byte & 0x7f } else { byte };
        let lower = self.settings.input_has(flag::IUCLC) && self.settings.local_has(flag::IEXTEN);
        if lower { byte.to_ascii_lowercase() } else { byte }
    }

    /// Returns whether `byte` makes the next one literal.
    pub(super) fn is_literal_next(&self, byte: u8) -> bool {
        self.settings.canonical() && self.settings.local_has(flag::IEXTEN) && self.settings.is(byte, at::VLNEXT)
    }

    /// Returns the signal that a typed byte sends.
    fn signal_of(&self, byte: u8) -> Option<Signal> {
        let signals = [(at::VINTR, Signal::Interrupt), (at::VQUIT, Signal::Quit), (at::VSUSP, Signal::TerminalStop)];
        let found = signals.into_iter().find(|(place, _)| self.settings.is(byte, *place));
        found.filter(|_| self.settings.local_has(flag::ISIG)).map(|(_, signal)| signal)
    }

    /// Takes one typed byte. The queue has room for it.
    fn receive_one(&mut self, byte: u8) -> Option<Signal> {
        let byte = self.stripped(byte);
        if std::mem::take(&mut self.literal) {
            self.add(byte);
            return None;
        }
        if self.settings.input_has(flag::IXON) {
            if self.settings.is(byte, at::VSTART) {
                self.stopped = false;
                return None;
            }
            if self.settings.is(byte, at::VSTOP) {
                self.stopped = true;
                return None;
            }
            if self.settings.input_has(flag::IXANY) {
                self.stopped = false;
            }
        }
        if let Some(signal) = self.signal_of(byte) {
            if !self.settings.local_has(flag::NOFLSH) {
                self.flush(Flushed::Both);
            }
            if self.settings.input_has(flag::IXON) {
                self.stopped = false;
            }
            self.echo(byte);
            return Some(signal);
        }
        let byte = match byte {
            b'\r' if self.settings.input_has(flag::IGNCR) => return None,
            b'\r' if self.settings.input_has(flag::ICRNL) => b'\n',
            b'\n' if self.settings.input_has(flag::INLCR) => b'\r',
            byte => byte,
        };
        if self.settings.canonical() {
            self.edit(byte);
        } else if byte == b'\n' {
            // A newline is echoed as such; every other control character in two characters.
            if self.settings.local_has(flag::ECHO) {
                self.show(byte);
            }
            self.queue.push(byte, queue::Mark::Inside);
        } else {
            self.add(byte);
        }
        None
    }

    /// Adds a byte that has no effect of its own: to the line that is being edited, or else to the queue.
    pub(super) fn add(&mut self, byte: u8) {
        let canonical = self.settings.canonical();
        if canonical && self.line.len() >= LINE_CAPACITY - 1 {
            if self.settings.input_has(flag::IMAXBEL) {
                self.show(0x07);
            }
            return;
        }
        if self.line.is_empty() {
            self.line_column = self.cursor.column;
        }
        self.echo(byte);
        // A reader that counts on marks of errors tells them from this byte by its double.
        let twice = byte == 0xff && self.settings.input_has(flag::PARMRK) && !self.settings.input_has(flag::ISTRIP);
        for _ in 0..1 + usize::from(twice) {
            if canonical {
                self.line.push(byte);
            } else {
                self.queue.push(byte, queue::Mark::Inside);
            }
        }
    }

    /// Echoes a byte, if echo is on.
    pub(super) fn echo(&mut self, byte: u8) {
        if self.settings.local_has(flag::ECHO) {
            self.show_visibly(byte);
        }
    }

    /// Shows a byte as echo does: a control character in two characters, such as `^C`.
    pub(super) fn show_visibly(&mut self, byte: u8) {
        if byte.is_ascii_control() && byte != b'\t' && self.settings.local_has(flag::ECHOCTL) {
            self.show(b'^');
            self.show(byte ^ 0x40);
        } else {
            self.show(byte);
        }
    }

    /// Adds a byte to the output, unless even the room of echo is used up.
    pub(super) fn show(&mut self, byte: u8) {
        if self.output.len() + EXPANSION <= OUTPUT_CAPACITY + ECHO_ROOM {
            self.cursor.put(&self.settings, byte, &mut self.output);
        }
    }

    /// Returns how many bytes a write takes now, at least.
    pub fn room(&self) -> usize {
        let room = OUTPUT_CAPACITY.saturating_sub(self.output.len());
        let each = if self.settings.output_has(flag::OPOST) { EXPANSION } else { 1 };
        room / each
    }

    /// Takes what a program writes, until the output is full. Returns the number of bytes taken.
    pub fn write(&mut self, bytes: &[u8]) -> usize {
        if !self.settings.output_has(flag::OPOST) {
            let part = &bytes[..bytes.len().min(OUTPUT_CAPACITY.saturating_sub(self.output.len()))];
            self.output.put_slice(part);
            self.cursor.pass(&self.settings, part);
            return part.len();
        }
        let mut taken = 0;
        while taken < bytes.len() && self.output.len() + EXPANSION <= OUTPUT_CAPACITY {
            self.cursor.put(&self.settings, bytes[taken], &mut self.output);
            taken += 1;
        }
        taken
    }

    /// Takes at most `len` bytes for the screen. Empty if there are none, or the output is stopped.
    pub fn take(&mut self, len: usize) -> Bytes {
        if self.stopped || self.held { Bytes::new() } else { self.take_all(len) }
    }

    /// Works like `take`, even while the output is stopped: nothing can release it any more.
    pub(super) fn take_all(&mut self, len: usize) -> Bytes {
        self.output.split_to(len.min(self.output.len())).freeze()
    }

    /// Returns whether everything that was written has been taken.
    pub fn is_drained(&self) -> bool {
        self.output.is_empty()
    }

    /// Returns whether output is there that `take` would return.
    pub fn shows(&self) -> bool {
        !self.output.is_empty() && !self.stopped && !self.held
    }

    /// Reads at most `len` typed bytes, `len` at least 1: a line, or in raw mode as VMIN and VTIME say. `expired` says that
    /// the time of an earlier [`Read::Within`] has passed.
    pub fn read(&mut self, len: usize, expired: bool) -> Read {
        if self.settings.canonical() {
            return if self.queue.has_line() { Read::Ready(self.queue.take_line(len)) } else { Read::Wait };
        }
        let (least, time) = (usize::from(self.settings.characters[at::VMIN]), TENTH * u32::from(self.settings.characters[at::VTIME]));
        let typed = self.queue.len();
        match (least, typed) {
            (0, 0) if !time.is_zero() && !expired => Read::Within { time, typed },
            (0, _) => Read::Ready(self.queue.take_bytes(len)),
            (_, 0) => Read::Wait,
            _ if typed >= least.min(len) || (expired && !time.is_zero()) => Read::Ready(self.queue.take_bytes(len)),
            _ if time.is_zero() => Read::Wait,
            _ => Read::Within { time, typed },
        }
    }

    /// Reads at most `len` typed bytes that are there, whatever VMIN and VTIME say. `None` if there is nothing; empty only at
    /// an end of file.
    pub fn read_now(&mut self, len: usize) -> Option<Bytes> {
        if self.settings.canonical() {
            return self.queue.has_line().then(|| self.queue.take_line(len));
        }
        (self.queue.len() > 0).then(|| self.queue.take_bytes(len))
    }

    /// Returns whether a program that waits for input may read: a line is there, or as many bytes as VMIN says.
    pub fn is_readable(&self) -> bool {
        if self.settings.canonical() {
            return self.queue.has_line();
        }
        let timed = self.settings.characters[at::VTIME] != 0;
        let least = if timed { 1 } else { usize::from(self.settings.characters[at::VMIN]).max(1) };
        self.queue.len() >= least
    }

    /// Returns the number of bytes that can be read now (FIONREAD).
    pub fn available(&self) -> usize {
        if self.settings.canonical() && !self.queue.has_line() { 0 } else { self.queue.len() }
    }

    /// Empties queues.
    pub fn flush(&mut self, what: Flushed) {
        if what != Flushed::Output {
            self.queue.clear();
            self.line.clear();
            self.literal = false;
        }
        if what != Flushed::Input {
            self.output.clear();
        }
    }

    /// Holds output back, releases it, or sends a character.
    pub fn flow(&mut self, what: Flow) {
        match what {
            Flow::HoldOutput => self.held = true,
            Flow::ReleaseOutput => (self.held, self.stopped) = (false, false),
            Flow::SendStop => self.send(at::VSTOP),
            Flow::SendStart => self.send(at::VSTART),
        }
    }

    fn send(&mut self, place: usize) {
        let byte = self.settings.characters[place];
        if byte != super::settings::DISABLED {
            self.show(byte);
        }
    }
}

#[cfg(test)]
#[path = "discipline_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "discipline_bounds_tests.rs"]
mod bounds_tests;
