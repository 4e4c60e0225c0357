//! Keys of a terminal, one at a time, for `less` and `more`.

use crate::sys::terminal::{self, Settings};
use crate::{sys, text};
use std::fs::File;
use std::io::{Read, Write};
use std::mem::ManuallyDrop;

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Key {
    Char(char),
    Up,
    Down,
    PageUp,
    PageDown,
    Home,
    End,
    /// A key without a meaning here.
    Other,
}

/// A terminal that returns each key as it is pressed, while this lives. Ctrl-C stays a signal.
pub(super) struct Keys {
    input: ManuallyDrop<File>,
    number: u32,
    before: Settings,
}

impl Keys {
    /// The terminal that is standard input or error. `None` if there is none with settings.
    pub(super) fn new() -> Option<Self> {
        let number = [0u32, 2].into_iter().find(|number| sys::is_terminal(*number))?;
        // The C library reads from descriptor 0 only; what the terminal is called does not depend on descriptors.
        let input = if number == 0 { sys::descriptor(0) } else { ManuallyDrop::new(File::open("/dev/tty").ok()?) };
        let before = terminal::settings(number).ok()?;
        terminal::set_settings(number, &before.by_key(), true).ok()?;
        Some(Self { input, number, before })
    }

    fn byte(&mut self) -> Option<u8> {
        let mut byte = [0];
        matches!(self.input.read(&mut byte), Ok(1)).then_some(byte[0])
    }

    /// The next key; `None` at the end of the input.
    pub(super) fn next(&mut self) -> Option<Key> {
        let first = self.byte()?;
        if first != 0x1b {
            return Some(self.character(first));
        }
        let second = self.byte()?;
        if second != b'[' && second != b'O' {
            return Some(Key::Other);
        }
        let mut parameters = Vec::new();
        loop {
            match self.byte()? {
                byte @ (b'0'..=b'9' | b';') => parameters.push(byte),
                last => return Some(sequence(&parameters, last)),
            }
        }
    }

    /// A character in UTF-8 that begins with this byte.
    fn character(&mut self, first: u8) -> Key {
        let mut bytes = vec![first];
        let len = match first {
            0xc0..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf7 => 4,
            _ => 1,
        };
        while bytes.len() < len {
            match self.byte() {
                Some(byte) => bytes.push(byte),
                None => return Key::Other,
            }
        }
        std::str::from_utf8(&bytes).ok().and_then(|text| text.chars().next()).map_or(Key::Other, Key::Char)
    }

    /// A line that is typed after `prompt`, with the terminal's own editing.
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

fn sequence(parameters: &[u8], last: u8) -> Key {
    match (last, parameters) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'H', _) | (b'~', b"1" | b"7") => Key::Home,
        (b'F', _) | (b'~', b"4" | b"8") => Key::End,
        (b'~', b"5") => Key::PageUp,
        (b'~', b"6") => Key::PageDown,
        _ => Key::Other,
    }
}
