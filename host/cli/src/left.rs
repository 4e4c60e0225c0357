//! What programs left on at a person's terminal, and how it is switched off.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;

/// Modes that are on unless a program switches them off: wrapping, and the visible cursor.
const USUALLY_ON: [u16; 2] = [7, 25];

/// Modes that bring another screen.
const OTHER_SCREENS: [u16; 3] = [47, 1047, 1049];

/// What differs from a terminal as programs find it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Left {
    /// Modes with `?` that are not as usual.
    modes: BTreeSet<u16>,
    insertion: bool,
    colours: bool,
    region: bool,
    keypad: bool,
    characters: bool,
    cursor: bool,
    link: bool,
}

impl Left {
    /// Takes note of `ESC [`, these bytes, and this last one.
    pub(crate) fn control(&mut self, held: &[u8], last: u8) {
        match last {
            b'm' => self.colours = !matches!(held, b"" | b"0"),
            b'r' => self.region = !held.is_empty(),
            b'q' => self.cursor = !matches!(held, b" " | b"0 "),
            b'p' => *self = Self { modes: self.modes.clone(), ..Self::default() },
            b'h' | b'l' if held == b"4" => self.insertion = last == b'h',
            b'h' | b'l' => {
                let Some(modes) = held.strip_prefix(b"?") else { return };
                for mode in modes.split(|byte| *byte == b';') {
                    let Some(mode) = std::str::from_utf8(mode).ok().and_then(|mode| mode.parse().ok()) else { continue };
                    if (last == b'h') == USUALLY_ON.contains(&mode) {
                        self.modes.remove(&mode);
                    } else {
                        self.modes.insert(mode);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes note of ESC and this byte.
    pub(crate) fn escape(&mut self, last: u8) {
        match last {
            b'=' => self.keypad = true,
            b'>' => self.keypad = false,
            b'c' => *self = Self::default(),
            _ => {}
        }
    }

    /// Takes note of a character set.
    pub(crate) fn set(&mut self, last: u8) {
        self.characters |= last != b'B';
    }

    /// Takes note of SO, after which another character set applies, and SI.
    pub(crate) fn shift(&mut self, byte: u8) {
        self.characters |= byte == 0x0e;
    }

    /// Takes note of the beginning of a link, or of its end.
    pub(crate) fn link(&mut self, begins: bool) {
        self.link = begins;
    }

    /// The sequences that switch it off: none where nothing is left. First the person's own screen comes back.
    pub(crate) fn reset(&self) -> Vec<u8> {
        let mut text = Vec::new();
        let mut add = |is: bool, sequence: &[u8]| {
            if is {
                text.extend_from_slice(sequence);
            }
        };
        let (screens, modes): (Vec<u16>, Vec<u16>) = self.modes.iter().partition(|mode| OTHER_SCREENS.contains(mode));
        for mode in screens {
            add(true, format!("\x1b[?{mode}l").as_bytes());
        }
        for mode in modes {
            let how = if USUALLY_ON.contains(&mode) { 'h' } else { 'l' };
            add(true, format!("\x1b[?{mode}{how}").as_bytes());
        }
        add(self.insertion, b"\x1b[4l");
        // It would move the cursor.
        add(self.region, b"\x1b7\x1b[r\x1b8");
        add(self.link, b"\x1b]8;;\x1b\\");
        add(self.colours, b"\x1b[m");
        add(self.characters, b"\x1b(B\x1b)B\x0f");
        add(self.cursor, b"\x1b[0 q");
        add(self.keypad, b"\x1b>");
        text
    }
}

/// What programs left on until now; the code that resets the terminal reads it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remains(Arc<Mutex<Left>>);

impl Remains {
    pub(crate) fn tell(&self, left: &Left) {
        let mut known = self.0.lock();
        if *known != *left {
            known.clone_from(left);
        }
    }

    /// The sequences that switch it off, once.
    pub(crate) fn take_reset(&self) -> Vec<u8> {
        std::mem::take(&mut *self.0.lock()).reset()
    }
}

#[cfg(test)]
mod tests {
    use crate::filter::{Filter, Level};

    /// What switches off what is left on after `text`.
    fn reset(text: &str) -> String {
        let mut filter = Filter::new(Level::Program);
        filter.push(text.as_bytes(), &mut Vec::new());
        String::from_utf8(filter.left().reset()).unwrap()
    }

    #[test]
    fn what_was_put_back_needs_nothing() {
        for text in [
            "plain\r\n\x1b[31mred\x1b[0m\x1b[2J\x1b[H",
            "\x1b[?1049h\x1b[?25lx\x1b[?25h\x1b[?1049l",
            "\x1b[?1;2004h\x1b=\x1b>\x1b[?1;2004l",
            "\x1b[4h\x1b[4l\x1b[2;5r\x1b[r\x1b[5 q\x1b[0 q",
            "\x1b]8;;https://example.com/\x1b\\link\x1b]8;;\x1b\\",
            "\x1b[31m\x1b[?25l\x1b[2;5r\x1bc",
            "\x1b[?25h\x1b[?7h",
        ] {
            assert_eq!(reset(text), "", "{text:?}");
        }
    }

    #[test]
    fn what_was_left_is_switched_off() {
        for (text, expected) in [
            ("\x1b[1;31mred", "\x1b[m"),
            ("\x1b[?25l\x1b[?1049h\x1b[?7l", "\x1b[?1049l\x1b[?7h\x1b[?25h"),
            ("\x1b[?1000;1006h\x1b[?2004h", "\x1b[?1000l\x1b[?1006l\x1b[?2004l"),
            ("\x1b[3;9r", "\x1b7\x1b[r\x1b8"),
            ("\x1b(0\x1b=\x1b[4h", "\x1b[4l\x1b(B\x1b)B\x0f\x1b>"),
            ("\x1b]8;;http://example.com\x07link", "\x1b]8;;\x1b\\"),
            // What does not pass changes nothing.
            ("\x1b[?9999h\x1b]0;title\x07", ""),
        ] {
            assert_eq!(reset(text), expected, "{text:?}");
        }
    }
}
