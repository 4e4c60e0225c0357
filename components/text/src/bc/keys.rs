//! Lines that a person edits at a terminal.

use crate::sys::{self, terminal};
use std::io::{ErrorKind, Write};
use terminal::Settings;
use wisp_edit::{Beginning, Entered, Pressed, Terminal, enter};

/// A terminal, and what was entered there.
pub(super) struct Keys {
    history: Vec<Vec<u8>>,
    killed: Vec<char>,
}

/// What a person entered.
pub(super) enum Line {
    /// A line, without its end.
    Text(Vec<u8>),
    /// Ctrl-C.
    Interrupted,
    /// Ctrl-D.
    End,
}

/// Settings that are put back when this is dropped.
struct Raw(Settings);

impl Raw {
    fn enter() -> Option<Self> {
        let before = terminal::settings(0).ok()?;
        terminal::set_settings(0, &before.for_editor(), true).ok()?;
        sys::hear_interrupts(true);
        Some(Self(before))
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        sys::hear_interrupts(false);
        // A terminal that took settings takes them again, unless it is gone.
        let _ = terminal::set_settings(0, &self.0, true);
    }
}

struct Screen;

impl Terminal for Screen {
    fn columns(&self) -> usize {
        terminal::window().1
    }

    fn show(&mut self, bytes: &[u8]) -> bool {
        let mut out = std::io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush()).is_ok()
    }

    fn next(&mut self) -> Pressed {
        match sys::read_key() {
            Ok(Some(byte)) => Pressed::Byte(byte),
            Err(error) if error.kind() == ErrorKind::Interrupted => Pressed::Stop,
            Ok(None) | Err(_) => Pressed::End,
        }
    }
}

impl Keys {
    /// Prepares the terminal; `None` if there is none with settings, or one that shows nothing but text.
    pub(super) fn new() -> Option<Self> {
        let dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb" || term.is_empty());
        let there = sys::is_terminal(0) && sys::is_terminal(1) && terminal::settings(0).is_ok();
        (there && !dumb).then(|| Self { history: Vec::new(), killed: Vec::new() })
    }

    /// Reads the next line.
    pub(super) fn line(&mut self) -> Line {
        let Some(raw) = Raw::enter() else { return Line::End };
        let history = self.history.clone().into();
        let line = Beginning { history, killed: std::mem::take(&mut self.killed), ..Beginning::default() };
        let (entered, killed) = enter(&mut Screen, line);
        self.killed = killed;
        drop(raw);
        match entered {
            Entered::Line(line) => {
                if !line.trim_ascii().is_empty() && self.history.last() != Some(&line) {
                    self.history.push(line.clone());
                }
                Line::Text(line)
            }
            Entered::Stopped(_) => Line::Interrupted,
            Entered::End => Line::End,
        }
    }
}
