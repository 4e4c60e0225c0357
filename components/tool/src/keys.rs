//! Keys, decoded from the bytes that a terminal sends.

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    /// A character to insert.
    Char(char),
    /// Control and this letter: `Control(b'A')`.
    Control(u8),
    /// Alt, or Escape, and this character.
    Alt(char),
    /// The left arrow.
    Left,
    /// The right arrow.
    Right,
    /// The up arrow.
    Up,
    /// The down arrow.
    Down,
    /// Home.
    Home,
    /// End.
    End,
    /// Page up.
    PageUp,
    /// Page down.
    PageDown,
    /// Delete: removes the character at the cursor.
    Delete,
    /// Backspace: removes the character before the cursor.
    Backspace,
    /// The left arrow with Control or another key.
    WordLeft,
    /// The right arrow with Control or another key.
    WordRight,
    /// Text follows that was pasted, up to `PasteEnd`.
    PasteBegin,
    /// The pasted text has ended.
    PasteEnd,
    /// A key that does nothing.
    Other,
}

/// Maximum bytes of a key. What is longer is no key.
const LONGEST: usize = 32;

/// Collects the bytes of a key.
#[derive(Debug, Default)]
pub struct Keys {
    begun: Vec<u8>,
}

impl Keys {
    /// Takes a byte; returns the key that it completes.
    pub fn push(&mut self, byte: u8) -> Option<Key> {
        self.begun.push(byte);
        let key = self.key();
        if key.is_some() || self.begun.len() >= LONGEST {
            self.begun.clear();
            return key.or(Some(Key::Other));
        }
        key
    }

    fn key(&mut self) -> Option<Key> {
        match &self.begun[..] {
            [0x1b] | [0x1b, b'[' | b'O'] => None,
            // Escape twice counts once.
            [0x1b, 0x1b] => {
                self.begun.pop();
                None
            }
            [0x1b, b'[', parameters @ .., last] => (0x40..=0x7e).contains(last).then(|| sequence(parameters, *last)),
            [0x1b, b'O', last] => Some(sequence(b"", *last)),
            [0x1b, rest @ ..] => character(rest).map(|found| found.map_or(Key::Other, Key::Alt)),
            [0x7f | 0x08] => Some(Key::Backspace),
            [byte @ 0..0x20] => Some(Key::Control(byte | 0x40)),
            rest => character(rest).map(|found| found.map_or(Key::Other, Key::Char)),
        }
    }
}

/// Returns the character that these bytes are in UTF-8: `None` while bytes are missing, `Some(None)` if they are none.
fn character(bytes: &[u8]) -> Option<Option<char>> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Some(text.chars().next()),
        Err(error) if error.error_len().is_none() => None,
        Err(_) => Some(None),
    }
}

/// Returns the key of a control sequence (ECMA-48, as xterm sends them).
fn sequence(parameters: &[u8], last: u8) -> Key {
    // `1;5C`: the second number says which other keys are held.
    let held = parameters.contains(&b';');
    match (last, parameters) {
        (b'A', _) => Key::Up,
        (b'B', _) => Key::Down,
        (b'C', _) if held => Key::WordRight,
        (b'D', _) if held => Key::WordLeft,
        (b'C', _) => Key::Right,
        (b'D', _) => Key::Left,
        (b'H', _) | (b'~', b"1" | b"7") => Key::Home,
        (b'F', _) | (b'~', b"4" | b"8") => Key::End,
        (b'~', b"5") => Key::PageUp,
        (b'~', b"6") => Key::PageDown,
        (b'~', b"3") => Key::Delete,
        (b'~', b"200") => Key::PasteBegin,
        (b'~', b"201") => Key::PasteEnd,
        _ => Key::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(bytes: &[u8]) -> Vec<Key> {
        let mut keys = Keys::default();
        bytes.iter().filter_map(|byte| keys.push(*byte)).collect()
    }

    #[test]
    fn a_key_ends_with_its_last_byte() {
        assert_eq!(keys("aä😀".as_bytes()), [Key::Char('a'), Key::Char('ä'), Key::Char('😀')]);
        assert_eq!(keys(b"\x1b[A\x1bOB\x1b[5~\x1b[6~\x1b[1;5C"), [Key::Up, Key::Down, Key::PageUp, Key::PageDown, Key::WordRight]);
        assert_eq!(keys(b"\r\x06\x7f\x1bf"), [Key::Control(b'M'), Key::Control(b'F'), Key::Backspace, Key::Alt('f')]);
        assert_eq!(keys(b"\x1b[H\x1b[1~\x1b[F\x1b[4~"), [Key::Home, Key::Home, Key::End, Key::End]);
    }

    #[test]
    fn what_is_no_key_is_other_and_what_follows_is_read() {
        assert_eq!(keys(b"\xffa\x1b[99qb"), [Key::Other, Key::Char('a'), Key::Other, Key::Char('b')]);
        assert_eq!(keys(b"\x1b\x1b[A"), [Key::Up]);
        let endless = [b"\x1b[".to_vec(), vec![b'1'; LONGEST]].concat();
        assert_eq!(keys(&endless)[0], Key::Other);
    }
}
