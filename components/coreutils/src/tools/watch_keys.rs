//! `watch` at a terminal: keys, the size of its window, and its own screen.

use super::screen::{Look, Marks, Screen};
use super::{FAILED, Watch};
use crate::spawn::Command;
use crate::sys::{self, Child, Stream, Waits, terminal};
use std::io::Write;
use std::time::{Duration, Instant};

const HUP: u8 = 1;
const INT: u8 = 2;
const QUIT: u8 = 3;
const TERM: u8 = 15;
const STOP: u8 = 19;
const TSTP: u8 = 20;
const WINCH: u8 = 28;

/// Another screen without a cursor, and back.
const ENTER: &[u8] = b"\x1b[?1049h\x1b[?25l";
const LEAVE: &[u8] = b"\x1b[?25h\x1b[?1049l";

/// Rows of the title and the empty line below it.
const TITLE: usize = 2;

/// What a person or a signal wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wish {
    /// Run the command now.
    Run,
    /// End with this status.
    End(u8),
    /// Any other key.
    Other,
}

/// The terminal, with keys that come one by one. Dropping it puts everything back.
struct Seat<'a> {
    keys: &'a Stream,
    before: terminal::Settings,
}

impl<'a> Seat<'a> {
    fn take(keys: &'a Stream) -> std::io::Result<Self> {
        let before = keys.settings()?;
        let seat = Self { keys, before };
        seat.enter();
        Ok(seat)
    }

    fn enter(&self) {
        // A terminal that is gone is noticed by the next read.
        let _ = self.keys.set_settings(&self.before.by_key());
        show(ENTER);
    }

    fn leave(&self) {
        show(LEAVE);
        let _ = self.keys.set_settings(&self.before);
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        self.leave();
    }
}

/// Shows bytes. A terminal that is gone is noticed by the next read.
fn show(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Watches until a key, a signal or an option ends it. Returns the status.
pub(super) fn run(watch: Watch, keys: &Stream) -> u8 {
    // Without a parent, nothing could continue this process after Ctrl-Z.
    let stops = if sys::parent() == 0 { WINCH } else { TSTP };
    sys::handle_signals([HUP, INT, QUIT, TERM, WINCH, stops].into_iter().fold(0, |set, signal| set | bit(signal)));
    let seat = match Seat::take(keys) {
        Ok(seat) => seat,
        Err(error) => return watch.failed(&error),
    };
    let mut view = View { watch, seat, output: None, marks: Marks::new(), title: Default::default() };
    let ended = view.run();
    let View { watch, seat, .. } = view;
    drop(seat);
    match ended {
        Ok(status) => status,
        Err(error) => watch.failed(&error),
    }
}

fn bit(signal: u8) -> u64 {
    1 << (signal - 1)
}

/// What is on the screen: the last output.
struct View<'a> {
    watch: Watch,
    seat: Seat<'a>,
    output: Option<Vec<u8>>,
    marks: Marks,
    title: (String, String),
}

impl View<'_> {
    fn run(&mut self) -> std::io::Result<u8> {
        loop {
            let began = Instant::now();
            let (output, status) = match self.once()? {
                Ok(done) => done,
                Err(status) => return Ok(status),
            };
            self.title = self.watch.title();
            self.take(&output);
            self.draw();
            if self.watch.rings(status) {
                show(b"\x07");
            }
            if self.watch.line.has("errexit") && status != 0 {
                while self.wait(None, None)?.0.is_none() {}
                return Ok(FAILED);
            }
            if self.watch.is_over(output) {
                return Ok(0);
            }
            let next = Instant::now() + self.watch.pause(began);
            loop {
                let left = next.saturating_duration_since(Instant::now());
                match self.wait(None, Some(left))?.0 {
                    Some(Wish::End(status)) => return Ok(status),
                    Some(Wish::Run) => break,
                    Some(Wish::Other) | None if Instant::now() >= next => break,
                    Some(Wish::Other) | None => {}
                }
            }
        }
    }

    /// Runs the command once. Returns its output and status; or the status with which a person ends this in the meantime.
    fn once(&mut self) -> std::io::Result<Result<(Vec<u8>, u8), u8>> {
        let (mut child, output) = Command::new(self.watch.words.clone()).with_program(sys::spawn_reading)?;
        let mut all = Vec::new();
        loop {
            let (wish, readable) = self.wait(Some(&output), None)?;
            if let Some(Wish::End(status)) = wish {
                end(&mut child);
                return Ok(Err(status));
            }
            if readable {
                let part = output.read()?;
                if part.is_empty() {
                    return Ok(Ok((all, child.wait())));
                }
                all.extend(part);
            }
        }
    }

    /// Waits for a key, a signal, the time, or something to read. Returns what a person wants, and whether something can
    /// be read.
    fn wait(&self, output: Option<&Stream>, time: Option<Duration>) -> std::io::Result<(Option<Wish>, bool)> {
        let ready = Waits { read: [output, Some(self.seat.keys)], time, ..Waits::default() }.wait();
        if ready.signals & bit(INT) != 0 {
            return Ok((Some(Wish::End(0)), false));
        }
        if let Some(signal) = [HUP, QUIT, TERM].into_iter().find(|signal| ready.signals & bit(*signal) != 0) {
            return Ok((Some(Wish::End(128 + signal)), false));
        }
        if ready.signals & bit(TSTP) != 0 {
            self.seat.leave();
            // Stopping oneself cannot fail; this returns when we continue.
            let _ = sys::kill(sys::pid(), STOP);
            self.seat.enter();
        }
        if ready.signals & (bit(TSTP) | bit(WINCH)) != 0 {
            self.draw();
        }
        let wish = if ready.read[1] { wish(&self.seat.keys.read()?) } else { None };
        Ok((wish, ready.read[0]))
    }

    /// Takes the next output, and marks what has changed if that is wanted.
    fn take(&mut self, output: &[u8]) {
        if let Some(before) = self.output.replace(output.to_vec()).filter(|_| self.watch.line.has("differences")) {
            let look = self.look();
            let changes = Screen::new(output, look).changes(&Screen::new(&before, look));
            let permanent = self.watch.line.last_text("differences").is_some();
            if permanent { self.marks.extend(changes) } else { self.marks = changes }
        }
    }

    fn look(&self) -> Look {
        let (rows, columns) = terminal::window();
        let title = if self.watch.line.has("no-title") { 0 } else { TITLE };
        let line = &self.watch.line;
        Look { rows: rows.saturating_sub(title).max(1), columns: columns.max(2), wrap: !line.has("no-wrap"), color: line.has("color") }
    }

    fn draw(&self) {
        let look = self.look();
        let mut text = "\x1b[H".to_owned();
        if !self.watch.line.has("no-title") {
            text += &title(&self.title, look.columns);
            text += "\x1b[K\n\x1b[K\n";
        }
        if let Some(output) = &self.output {
            text += &Screen::new(output, look).shown(&self.marks);
        }
        show((text + "\x1b[J").as_bytes());
    }
}

/// Returns what the last of some keys means.
fn wish(keys: &[u8]) -> Option<Wish> {
    if keys.is_empty() {
        // The terminal is gone.
        return Some(Wish::End(128 + HUP));
    }
    let meaning = |key: &u8| match key {
        b'q' | b'Q' => Wish::End(0),
        b' ' => Wish::Run,
        _ => Wish::Other,
    };
    keys.iter().map(meaning).find(|wish| *wish != Wish::Other).or(Some(Wish::Other))
}

/// Ends a command whose output is no longer wanted.
fn end(child: &mut Child) {
    // It may have ended already.
    let _ = child.kill(TERM);
}

/// Returns both ends of a title in one row; the right end only if there is room.
fn title((left, right): &(String, String), columns: usize) -> String {
    let room = columns.saturating_sub(right.chars().count() + 1);
    if room == 0 {
        return left.chars().take(columns).collect();
    }
    let left: String = left.chars().take(room).collect();
    let blanks = columns - right.chars().count() - left.chars().count();
    format!("{left}{}{right}", " ".repeat(blanks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_two_ends() {
        let ends = ("Every 2.0s: date".to_owned(), "wisp: now".to_owned());
        assert_eq!(title(&ends, 30), "Every 2.0s: date     wisp: now");
        assert_eq!(title(&ends, 20), "Every 2.0s wisp: now");
        assert_eq!(title(&ends, 8), "Every 2.");
    }

    #[test]
    fn keys_have_meanings() {
        assert_eq!(wish(b"xq"), Some(Wish::End(0)));
        assert_eq!(wish(b" "), Some(Wish::Run));
        assert_eq!(wish(b"x"), Some(Wish::Other));
        assert_eq!(wish(b""), Some(Wish::End(129)));
    }
}
