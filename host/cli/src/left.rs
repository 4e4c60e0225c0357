//! What programs left on at a person's terminal, and how it is switched off.

use std::collections::BTreeSet;
use std::sync::Arc;

use parking_lot::Mutex;

/// Modes that are on unless a program switches them off: wrapping, and the visible cursor.
const USUALLY_ON: [u16; 2] = [7, 25];

/// Modes that bring another screen.
const OTHER_SCREENS: [u16; 3] = [47, 1047, 1049];

/// Columns between two stops of the tab, and the widest screen on which they are put back.
const TAB: u16 = 8;
const WIDEST: u16 = 1_000;

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
    /// Stops of the tab that are not where terminals have them.
    tabs: bool,
    /// Whether the terminal was asked something, and how often whether it works.
    asked: bool,
    asked_status: u32,
}

impl Left {
    /// Takes note of `ESC [`, these bytes, and this last one.
    pub(crate) fn control(&mut self, held: &[u8], last: u8) {
        match last {
            b'm' => self.colours = !matches!(held, b"" | b"0"),
            b'r' => self.region = !held.is_empty(),
            b'q' => self.cursor = !matches!(held, b" " | b"0 "),
            // A soft reset: terminals differ in what it puts back, so that nothing is forgotten.
            b'p' => {}
            b'g' => self.tabs = true,
            b'c' => self.asked = true,
            b'n' => {
                self.asked = true;
                self.asked_status = self.asked_status.saturating_add(u32::from(held == b"5"));
            }
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
            b'H' => self.tabs = true,
            b'c' => *self = Self { asked: self.asked, asked_status: self.asked_status, ..Self::default() },
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

    /// Returns the sequences that switch it off on a screen of this width: none where nothing is left. First the person's own screen
    /// comes back.
    pub(crate) fn reset(&self, columns: u16) -> Vec<u8> {
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
        if self.tabs {
            // From the left, eight columns on and a stop there, and so on.
            let stops = usize::from(columns.min(WIDEST).saturating_sub(1) / TAB);
            add(true, &[b"\x1b7\r\x1b[3g".as_slice(), &b"\x1b[8C\x1bH".repeat(stops), b"\x1b8"].concat());
        }
        text
    }
}

/// What programs left on until now; the code that resets the terminal reads it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Remains(Arc<Mutex<Told>>);

#[derive(Debug, Default)]
struct Told {
    left: Left,
    /// The answers to the question whether the terminal works that programs have received.
    answers: u32,
}

impl Remains {
    pub(crate) fn tell(&self, left: &Left) {
        let mut known = self.0.lock();
        if known.left != *left {
            known.left.clone_from(left);
        }
    }

    /// Notes that programs received this many answers to the question whether the terminal works.
    pub(crate) fn answered(&self, count: u32) {
        if count > 0 {
            let mut known = self.0.lock();
            known.answers = known.answers.saturating_add(count);
        }
    }

    /// Returns the sequences that switch it off, once; and if programs asked the terminal something, how many answers to the question
    /// whether it works are on their way.
    pub(crate) fn take(&self, columns: u16) -> (Vec<u8>, Option<u32>) {
        let Told { left, answers } = std::mem::take(&mut *self.0.lock());
        (left.reset(columns), left.asked.then(|| left.asked_status.saturating_sub(answers)))
    }
}

#[cfg(test)]
mod tests {
    use super::Remains;
    use crate::filter::{Filter, Level};

    #[test]
    fn questions_are_counted_and_a_reset_does_not_answer_them() {
        for (text, answers, expected) in [
            ("plain\x1b[31m", 0, None),
            ("\x1b[6n", 0, Some(0)),
            ("\x1b[c\x1bc\x1b[!p", 0, Some(0)),
            ("\x1b[5n\x1b[6n\x1b[5n", 0, Some(2)),
            ("\x1b[5n\x1b[5n", 1, Some(1)),
            ("\x1b[5n", 3, Some(0)),
            // It does not pass.
            ("\x1b[21t\x1b[?15n", 0, None),
        ] {
            let (mut filter, remains) = (Filter::new(Level::Program), Remains::default());
            filter.push(text.as_bytes(), &mut Vec::new());
            remains.tell(filter.left());
            remains.answered(answers);
            assert_eq!(remains.take(80).1, expected, "{text:?}");
            assert_eq!(remains.take(80), (Vec::new(), None), "once");
        }
    }

    /// What switches off what is left on after `text`.
    fn reset(text: &str) -> String {
        let mut filter = Filter::new(Level::Program);
        filter.push(text.as_bytes(), &mut Vec::new());
        String::from_utf8(filter.left().reset(20)).unwrap()
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
            "\x1b[3g\x1bH\x1bc",
            "\x1b[6n\x1b[c\x1b[5n",
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
            // A soft reset puts back less at some terminals than at others.
            ("\x1b[31m\x1b[2;5r\x1b]8;;http://a.b\x07x\x1b[4h\x1b[!p", "\x1b[4l\x1b7\x1b[r\x1b8\x1b]8;;\x1b\\\x1b[m"),
            ("\x1b[3g", "\x1b7\r\x1b[3g\x1b[8C\x1bH\x1b[8C\x1bH\x1b8"),
            ("a\x1bH", "\x1b7\r\x1b[3g\x1b[8C\x1bH\x1b[8C\x1bH\x1b8"),
            // What does not pass changes nothing.
            ("\x1b[?9999h\x1b]0;title\x07", ""),
        ] {
            assert_eq!(reset(text), expected, "{text:?}");
        }
    }
}
