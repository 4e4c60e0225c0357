//! A terminal that returns keys one at a time, for `less` and `more`.

use crate::sys::terminal::{self, Settings};
use crate::{sys, text};
use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;
use wisp_tool::keys;
pub(super) use wisp_tool::keys::Key;

/// A terminal that returns each key as it is pressed, while this lives. Ctrl-C stays a signal.
pub(super) struct Keys {
    input: ManuallyDrop<File>,
    number: u32,
    before: Settings,
    begun: keys::Keys,
}

impl Keys {
    /// Creates the terminal that is standard input or error. `None` if there is none with settings.
    pub(super) fn new() -> Option<Self> {
        let number = [0u32, 2].into_iter().find(|number| sys::is_terminal(*number))?;
        // The C library reads from descriptor 0 only; what the terminal is called does not depend on descriptors.
        let input = if number == 0 { sys::descriptor(0) } else { ManuallyDrop::new(File::open("/dev/tty").ok()?) };
        let before = terminal::settings(number).ok()?;
        terminal::set_settings(number, &before.by_key(), true).ok()?;
        Some(Self { input, number, before, begun: keys::Keys::default() })
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        matches!(self.input.read(&mut byte), Ok(1)).then_some(byte[0])
    }

    /// Returns the next key; `None` at the end of the input.
    pub(super) fn next(&mut self) -> Option<Key> {
        loop {
            let byte = self.byte()?;
            if let Some(key) = self.begun.push(byte) {
                return Some(key);
            }
        }
    }

    /// Reads a line that is typed after `prompt`, with the terminal's own editing.
    pub(super) fn line(&mut self, prompt: char, out: &mut impl Write) -> std::io::Result<String> {
        write!(out, "\r\x1b[K{prompt}")?;
        out.flush()?;
        let raw = terminal::settings(self.number)?;
        terminal::set_settings(self.number, &self.before, true)?;
        let mut line = Vec::new();
        while let Some(byte) = self.byte().filter(|byte| *byte != b'\n') {
            line.push(byte);
        }
        terminal::set_settings(self.number, &raw, true)?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    }
}

impl Drop for Keys {
    fn drop(&mut self) {
        if let Err(error) = terminal::set_settings(self.number, &self.before, true) {
            text::complain("less", format!("the terminal keeps its settings: {}", text::reason(&error)));
        }
    }
}
