//! wisp's own words on standard error: the one place that writes them. A guest chooses names in many of them (of files,
//! programs, databases), so what could act on the person's terminal is shown, and does not act: control characters, and
//! characters that turn or hide the text around them.

use std::io::{self, Write};

use wisp::fs::is_plain;

use crate::outputs::Standard;

/// Maximum bytes of a message: a guest chooses some of its words.
const LONGEST: usize = 8 << 10;

/// Returns whether a person reads the messages.
pub(crate) fn at_terminal() -> bool {
    Standard::Error.is_terminal()
}

/// Returns whether another program reads the messages.
pub(crate) fn piped() -> bool {
    Standard::Error.is_piped()
}

/// Writes a message in one line. A closed standard error is ignored.
pub(crate) fn say(text: &str) {
    write(&format!("wisp: {}\n", harmless(text)));
}

/// Writes an error and the lines that belong to it, which are indented: none of them passes for a message of its own.
pub(crate) fn say_lines(text: &str) {
    write(&format!("wisp: {}\n", lines(text)));
}

/// Writes a text that wisp laid out and coloured itself.
pub(crate) fn show(text: &str) {
    write(&coloured(text));
}

/// Writes a message in one write, because a guest may write at the same time.
fn write(text: &str) {
    let _ = Standard::Error.unsettled().write_all(text.as_bytes());
}

/// Returns the destination of the log.
pub(crate) fn log() -> impl Write {
    Log
}

struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Standard::Error.unsettled().write_all(coloured(&String::from_utf8_lossy(bytes)).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Standard::Error.unsettled().flush()
    }
}

/// Returns a text as a part of a line: everything that would act on the terminal is escaped, and what is long is truncated.
pub(crate) fn harmless(text: &str) -> String {
    let mut safe = String::new();
    for char in text.chars() {
        if safe.len() >= LONGEST {
            safe.push('…');
            break;
        }
        push(&mut safe, char);
    }
    safe
}

fn push(safe: &mut String, char: char) {
    if is_plain(char.encode_utf8(&mut [0; 4])) {
        safe.push(char);
    } else {
        safe.extend(char.escape_default());
    }
}

/// Returns the lines of a text, all but the first indented.
fn lines(text: &str) -> String {
    let mut all = text.lines().map(harmless).scan(0, |length, line| {
        *length += line.len() + 3; // and what is written before it
        (*length < 2 * LONGEST).then_some(line)
    });
    let mut safe = all.next().unwrap_or_default();
    for line in all {
        safe.push_str(if line.is_empty() || line.starts_with("  ") { "\n" } else { "\n  " });
        safe.push_str(&line);
    }
    safe
}

/// Returns a text with its lines and colours, and nothing else that would act on the terminal.
fn coloured(text: &str) -> String {
    let (mut safe, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(char) = rest.chars().next() {
        let length = colour(rest);
        if length > 0 || matches!(char, '\n' | '\t') {
            let (passes, left) = rest.split_at(length.max(1));
            safe.push_str(passes);
            rest = left;
        } else {
            push(&mut safe, char);
            rest = &rest[char.len_utf8()..];
        }
    }
    safe
}

/// Returns the length of the colour sequence with which `text` begins: 0 if it begins otherwise.
fn colour(text: &str) -> usize {
    let Some(rest) = text.strip_prefix("\x1b[") else { return 0 };
    let numbers = rest.bytes().take_while(|byte| matches!(byte, b'0'..=b'9' | b';' | b':')).count();
    if rest[numbers..].starts_with('m') { "\x1b[".len() + numbers + 1 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, coloured, harmless, lines};

    /// The clipboard, the title, an erased screen, C1, DEL, a direction mark and a hidden character.
    const EVIL: &str = "\x1b]52;c;ZXZpbA==\x07\x1b]0;owned\x07\x1b[2J\u{9b}31m\u{7f}\r\u{202e}\u{200b}\u{2028}";

    fn acts(text: &str) -> bool {
        text.chars().any(|char| (char.is_control() && char != '\n') || matches!(char, '\u{202e}' | '\u{200b}' | '\u{2028}'))
    }

    #[test]
    fn what_a_guest_names_does_not_act_and_is_shown() {
        for safe in [harmless(EVIL), lines(EVIL), coloured(EVIL)] {
            assert!(!acts(&safe), "{safe:?}");
            assert!(safe.starts_with("\\u{1b}]52;c;ZXZpbA==\\u{7}") && safe.contains("\\u{202e}"), "{safe:?}");
        }
        // The twin: what does not act is shown as it is.
        for plain in ["plain text", "über 日本 🦀", "`name` (line 3)"] {
            assert_eq!([harmless(plain), lines(plain), coloured(plain)], [plain; 3]);
        }
    }

    #[test]
    fn a_message_is_one_line_and_its_lines_are_indented() {
        assert_eq!(harmless("a\nwisp: b\tc"), "a\\nwisp: b\\tc");
        assert_eq!(lines("a\nwisp: b\n    c\n\nd"), "a\n  wisp: b\n    c\n\n  d");
    }

    #[test]
    fn colours_and_lines_of_ours_stay() {
        let text = "\x1b[1;31merror\x1b[0m: x\n  | \x1b[38;5;12m^\x1b[m\n";
        assert_eq!(coloured(text), text);
        assert_eq!(coloured("a\x1b[31\x1b[31;x\x1b[m"), "a\\u{1b}[31\\u{1b}[31;x\x1b[m");
    }

    #[test]
    fn a_long_name_is_cut() {
        for text in [harmless(&"x".repeat(1 << 20)), harmless(&"\x07".repeat(1 << 20)), lines(&"y\n".repeat(1 << 20))] {
            assert!(text.len() < 4 * LONGEST, "{}", text.len());
        }
        let fits = "x".repeat(LONGEST);
        assert_eq!(harmless(&fits), fits);
    }
}
