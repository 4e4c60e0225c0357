//! A user's terminal: whether there is one, its size, and its settings, which are put back at the end.

use std::io::{IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::answers;
use crate::left::Remains;
use crate::outputs::Standard;

/// Returns whether standard input, output and error are a terminal.
pub(crate) fn attended() -> bool {
    std::io::stdin().is_terminal() && Standard::Output.is_terminal() && Standard::Error.is_terminal()
}

/// The terminal's original settings, restored when this is dropped.
pub(crate) struct Settings {
    original: libc::termios,
    /// Whether each key is passed on, and programs of the sandbox control the screen.
    raw: AtomicBool,
    /// What they leave on there.
    remains: Remains,
}

impl Settings {
    /// Saves the settings of standard input; `None` if it is not a terminal.
    pub(crate) fn save() -> Option<Self> {
        // SAFETY: the call only writes the structure, which is plain data.
        let original = unsafe {
            let mut settings = std::mem::zeroed();
            (libc::tcgetattr(libc::STDIN_FILENO, &mut settings) == 0).then_some(settings)?
        };
        Some(Self { original, raw: AtomicBool::new(false), remains: Remains::default() })
    }

    /// Returns what programs leave on at the screen: [`Settings::restore`] switches it off.
    pub(crate) fn remains(&self) -> &Remains {
        &self.remains
    }

    /// Makes the terminal pass each key as it is pressed, and show bytes as they are.
    pub(crate) fn make_raw(&self) {
        self.raw.store(true, Ordering::Relaxed);
        let mut raw = self.original;
        // SAFETY: the first call changes the structure, the second only reads it. A closed terminal is noticed by the next read.
        unsafe {
            libc::cfmakeraw(&mut raw);
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSADRAIN, &raw);
        }
    }

    /// Restores them. After raw mode, what programs left on is switched off, and what was typed and not read is discarded: it
    /// may be the terminal's answer to a question of theirs, which the person's shell would take for commands. Where they asked
    /// one, this waits until the terminal has answered.
    pub(crate) fn restore(&self) {
        let how = if self.raw.swap(false, Ordering::Relaxed) {
            let (reset, asked) = self.remains.take(size().map_or(80, |(columns, _)| columns));
            let mut out = Standard::Output.unsettled();
            // A closed terminal needs no restoring.
            let reset = out.write_all(&reset).and_then(|()| out.flush());
            if let (Ok(()), Some(expected)) = (reset, asked) {
                answers::drain(&mut out, &std::io::stdin(), expected, answers::PATIENCE);
            }
            libc::TCSAFLUSH
        } else {
            libc::TCSADRAIN
        };
        // SAFETY: the call only reads the structure.
        unsafe { libc::tcsetattr(libc::STDIN_FILENO, how, &self.original) };
    }
}

impl Drop for Settings {
    fn drop(&mut self) {
        self.restore();
    }
}

/// Returns the columns and lines of the terminal.
pub(crate) fn size() -> Option<(u16, u16)> {
    // SAFETY: the call only writes the structure, which is plain data.
    let size = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &mut size) == 0).then_some(size)?
    };
    (size.ws_col > 0 && size.ws_row > 0).then_some((size.ws_col, size.ws_row))
}
