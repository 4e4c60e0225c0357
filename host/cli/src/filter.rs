//! Filters what a guest writes to a user's terminal: escape sequences can put text into the clipboard, change the
//! window's title, or make the terminal send an answer.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::io::AsyncWrite;

use crate::left::{Left, Remains};

/// Maximum bytes of a sequence: colours are never longer.
const LONGEST: usize = 64;

/// Maximum bytes of a link: an address that browsers take, and its identifier.
const LONGEST_LINK: usize = 2_400;

/// Which sequences pass. Text, newline, carriage return, tab and backspace always pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    /// Colours.
    Text,
    /// Colours, cursor movement, erasing, the alternate screen, the bell, character sets, the modes of keys, mouse and pastes,
    /// and questions whose answers only the program reads: what a program at a terminal of the sandbox needs; and links to
    /// `http` and `https`. Titles, the clipboard and the window stay out of reach.
    Program,
}

/// Removes what must not pass, however the input is split into pieces.
pub(crate) struct Filter {
    level: Level,
    state: State,
    /// The bytes of an incomplete character or sequence.
    held: Vec<u8>,
    /// What the terminal was told and would keep.
    left: Left,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// In a character of this many bytes.
    Character(usize),
    /// After ESC.
    Escape,
    /// After ESC and a byte that announces one more: a character set.
    Set,
    /// After `ESC [`.
    Control,
    /// In a sequence that ends with BEL or `ESC \`: a title, the clipboard. Its text is removed too.
    String,
    /// In one that begins with `ESC ]`, which may be a link; and after an ESC in it.
    Command,
    CommandEscape,
}

impl Filter {
    pub(crate) fn new(level: Level) -> Self {
        Self { level, state: State::Text, held: Vec::new(), left: Left::default() }
    }

    /// Returns what passed and is left on.
    pub(crate) fn left(&self) -> &Left {
        &self.left
    }

    /// Appends what passes of `bytes` to `passed`.
    pub(crate) fn push(&mut self, bytes: &[u8], passed: &mut Vec<u8>) {
        for byte in bytes {
            self.byte(*byte, passed);
        }
    }

    fn byte(&mut self, byte: u8, passed: &mut Vec<u8>) {
        match (self.state, byte) {
            (State::Character(length), 0x80..=0xbf) => {
                self.held.push(byte);
                if self.held.len() == length {
                    self.state = State::Text;
                    match std::str::from_utf8(&self.held) {
                        Ok(text) if !text.chars().any(char::is_control) => passed.extend_from_slice(&self.held),
                        // Some terminals treat U+0080 to U+009F like ESC and a letter.
                        Ok(_) => {}
                        Err(_) => replacement(passed),
                    }
                }
            }
            (State::Character(_), _) => {
                // The character is cut short.
                replacement(passed);
                self.text(byte, passed);
            }
            (State::Command, 0x1b) => self.state = State::CommandEscape,
            (State::CommandEscape, b'\\') | (State::Command, 0x07) => self.link(passed),
            (State::CommandEscape, _) => {
                self.state = State::Escape;
                self.byte(byte, passed);
            }
            (State::Command, 0x20..=0x7e) if self.held.len() < LONGEST_LINK => self.held.push(byte),
            // What is longer, or has other bytes, is no link. What ends a sequence ends this one.
            (State::Command, _) => {
                self.state = State::String;
                self.byte(byte, passed);
            }
            (_, 0x1b) => self.state = State::Escape,
            // CAN, SUB and the end of a line end a sequence: one that never ends must not swallow what follows.
            (State::Escape | State::Set | State::Control | State::String, 0x18 | 0x1a) => self.state = State::Text,
            (State::Escape | State::Set | State::Control | State::String, b'\n') => self.text(byte, passed),
            (State::Text, _) => self.text(byte, passed),
            (State::Escape, b'[') => {
                self.state = State::Control;
                self.held.clear();
            }
            (State::Escape, b']') if self.level == Level::Program => {
                self.state = State::Command;
                self.held.clear();
            }
            (State::Escape, b']' | b'P' | b'X' | b'^' | b'_') => self.state = State::String,
            (State::Escape, 0x20..=0x2f) => {
                self.state = State::Set;
                self.held.clear();
                self.held.push(byte);
            }
            (State::Escape | State::Set, _) => self.escaped(byte, passed),
            (State::Control, 0x20..=0x3f) => {
                self.held.push(byte);
                // Enough bytes to know that it does not pass.
                self.held.truncate(LONGEST + 1);
            }
            (State::Control, 0x40..=0x7e) => {
                self.state = State::Text;
                if self.passes(byte) {
                    self.left.control(&self.held, byte);
                    passed.extend_from_slice(b"\x1b[");
                    passed.extend_from_slice(&self.held);
                    passed.push(byte);
                }
            }
            (State::Control, _) => self.state = State::Text,
            (State::String, 0x07) => self.state = State::Text,
            (State::String, _) => {}
        }
    }

    /// Handles the end of a sequence that begins with ESC and no bracket.
    fn escaped(&mut self, last: u8, passed: &mut Vec<u8>) {
        let set = self.state == State::Set;
        self.state = State::Text;
        if self.level != Level::Program {
            return;
        }
        if set && matches!((&self.held[..], last), (b"(" | b")", b'0' | b'A' | b'B')) {
            self.left.set(last);
            passed.extend_from_slice(&[0x1b, self.held[0], last]);
        } else if !set && matches!(last, b'7' | b'8' | b'=' | b'>' | b'D' | b'E' | b'H' | b'M' | b'c') {
            // The cursor kept and put back, the keypad, scrolling, a stop of the tab, a reset.
            self.left.escape(last);
            passed.extend_from_slice(&[0x1b, last]);
        }
    }

    /// Handles the end of a sequence that may be a link (OSC 8): one to an address of the web passes; any other ends the link
    /// before it.
    fn link(&mut self, passed: &mut Vec<u8>) {
        self.state = State::Text;
        let Some(rest) = self.held.strip_prefix(b"8;") else { return };
        let Some(at) = rest.iter().position(|byte| *byte == b';') else { return };
        let (parameters, address) = (&rest[..at], &rest[at + 1..]);
        let begins = is_identifier(parameters) && is_of_the_web(address);
        let (parameters, address): (&[u8], &[u8]) = if begins { (parameters, address) } else { (b"", b"") };
        passed.extend_from_slice(&[b"\x1b]8;", parameters, b";", address, b"\x1b\\"].concat());
        self.left.link(begins);
    }

    fn text(&mut self, byte: u8, passed: &mut Vec<u8>) {
        self.state = State::Text;
        let length = match byte {
            0x20..=0x7e | b'\n' | b'\r' | b'\t' | 0x08 => return passed.push(byte),
            0x1b => {
                self.state = State::Escape;
                return;
            }
            0x07 | 0x0e | 0x0f if self.level == Level::Program => {
                self.left.shift(byte);
                return passed.push(byte);
            }
            0x00..=0x1f | 0x7f => return,
            0xc2..=0xdf => 2,
            0xe0..=0xef => 3,
            0xf0..=0xf4 => 4,
            _ => return replacement(passed),
        };
        self.state = State::Character(length);
        self.held.clear();
        self.held.push(byte);
    }

    /// Returns whether `ESC [`, the held bytes, and this last byte pass.
    fn passes(&self, last: u8) -> bool {
        let numbers = self.held.len() <= LONGEST && self.held.iter().all(|byte| matches!(byte, b'0'..=b'9' | b';' | b':'));
        match (self.level, last) {
            (_, b'm') => numbers,
            (Level::Text, _) => false,
            // The cursor, erasing, scrolling, and stops of the tab.
            (Level::Program, b'@'..=b'M' | b'P' | b'S' | b'T' | b'X' | b'Z' | b'`' | b'a' | b'b' | b'd'..=b'g' | b'r' | b's' | b'u') => {
                numbers
            }
            (Level::Program, b'h' | b'l') => modes_pass(&self.held),
            // Questions: what kind of terminal it is (not its name and version), and where the cursor stands.
            (Level::Program, b'c') => matches!(&self.held[..], b"" | b"0" | b">" | b">0"),
            (Level::Program, b'n') => matches!(&self.held[..], b"5" | b"6" | b"?6"),
            // The shape of the cursor, and a soft reset.
            (Level::Program, b'q') => self.held.len() <= 2 && self.held.last() == Some(&b' '),
            (Level::Program, b'p') => self.held == b"!",
            (Level::Program, _) => false,
        }
    }
}

/// Modes that a program may set: keys and the keypad, wrapping, the cursor, the alternate screen, the mouse, the focus, marks
/// of what is pasted, updates in one piece; and, without `?`, insertion.
const MODES: &[&[u8]] = &[
    b"1", b"7", b"12", b"25", b"47", b"1000", b"1002", b"1003", b"1004", b"1005", b"1006", b"1015", b"1047", b"1048", b"1049", b"2004",
    b"2026",
];

/// Returns whether all modes of a sequence pass.
fn modes_pass(held: &[u8]) -> bool {
    match held.strip_prefix(b"?") {
        Some(modes) => held.len() <= LONGEST && modes.split(|byte| *byte == b';').all(|mode| MODES.contains(&mode)),
        None => held == b"4",
    }
}

/// Returns whether the parameters of a link name only its parts that belong together.
fn is_identifier(parameters: &[u8]) -> bool {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"-_.".contains(byte);
    parameters.is_empty() || parameters.strip_prefix(b"id=").is_some_and(|name| name.len() <= LONGEST && name.iter().all(plain))
}

/// Returns whether an address is one of `http` or `https`, without a user's name that would look like a host.
fn is_of_the_web(address: &[u8]) -> bool {
    let rest = address.strip_prefix(b"https://").or_else(|| address.strip_prefix(b"http://"));
    let Some(rest) = rest else { return false };
    let host = rest.split(|byte| matches!(byte, b'/' | b'?' | b'#')).next().unwrap_or_default();
    !host.is_empty() && !host.contains(&b'@') && !address.contains(&b' ')
}

/// Writes what is shown in place of bytes that are not text.
fn replacement(passed: &mut Vec<u8>) {
    passed.extend_from_slice("\u{fffd}".as_bytes());
}

/// An output after a filter; without a filter, everything passes.
pub(crate) struct Filtered<W> {
    stream: W,
    filter: Option<Filter>,
    /// Everything passes all the same; the filter only takes note of it.
    all: bool,
    /// The record of what programs left on.
    remains: Option<Remains>,
    /// The filtered bytes that are not yet written, and how many of them are.
    passed: Vec<u8>,
    written: usize,
}

impl<W: AsyncWrite + Unpin> Filtered<W> {
    /// Creates a filter of this level before `stream`.
    pub(crate) fn new(stream: W, level: Option<Level>) -> Self {
        Self { stream, filter: level.map(Filter::new), all: false, remains: None, passed: Vec::new(), written: 0 }
    }

    /// Tells `remains` what is left on, too; where everything passes, as far as programs usually change it.
    pub(crate) fn telling(mut self, remains: &Remains) -> Self {
        self.all = self.filter.is_none();
        self.filter.get_or_insert_with(|| Filter::new(Level::Program));
        self.remains = Some(remains.clone());
        self
    }

    fn tell(&self) {
        if let (Some(remains), Some(filter)) = (&self.remains, &self.filter) {
            remains.tell(filter.left());
        }
    }

    fn poll_pass(&mut self, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        while self.written < self.passed.len() {
            match ready!(Pin::new(&mut self.stream).poll_write(context, &self.passed[self.written..]))? {
                0 => return Poll::Ready(Err(std::io::ErrorKind::WriteZero.into())),
                count => self.written += count,
            }
        }
        self.passed.clear();
        self.written = 0;
        Poll::Ready(Ok(()))
    }
}

impl<W: AsyncWrite + Unpin> AsyncWrite for Filtered<W> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<std::io::Result<usize>> {
        let this = &mut *self;
        // Nothing is accepted before earlier bytes are written, so that at most one piece is held.
        ready!(this.poll_pass(context))?;
        let Some(filter) = this.filter.as_mut().filter(|_| !this.all) else {
            let count = ready!(Pin::new(&mut this.stream).poll_write(context, bytes))?;
            if let Some(filter) = &mut this.filter {
                filter.push(&bytes[..count], &mut Vec::new());
                this.tell();
            }
            return Poll::Ready(Ok(count));
        };
        filter.push(bytes, &mut this.passed);
        this.tell();
        Poll::Ready(Ok(bytes.len()))
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_pass(context))?;
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        ready!(self.poll_pass(context))?;
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    /// What passes of `text`, which must not depend on how it is split.
    fn passed(level: Level, text: impl AsRef<[u8]>) -> String {
        let text = text.as_ref();
        let through = |pieces: &[&[u8]]| {
            let (mut filter, mut passed) = (Filter::new(level), Vec::new());
            pieces.iter().for_each(|piece| filter.push(piece, &mut passed));
            passed
        };
        let whole = through(&[text]);
        for at in 0..=text.len() {
            assert_eq!(through(&[&text[..at], &text[at..]]), whole, "{text:?} cut at {at}");
        }
        assert_eq!(through(&text.chunks(1).collect::<Vec<_>>()), whole, "{text:?} by bytes");
        String::from_utf8(whole).unwrap()
    }

    #[test]
    fn text_and_colours_pass() {
        for text in ["plain\ttext\r\nüber 日本 🦀\n", "\x1b[1;31mred\x1b[0m \x1b[38:2::10:20:30mfine\x1b[m", "back\x08space", ""] {
            assert_eq!(passed(Level::Text, text), text);
        }
    }

    #[test]
    fn what_terminals_obey_does_not() {
        for (text, left) in [
            ("a\x1b]52;c;cHduZWQ=\x07b", "ab"),
            ("a\x1b]0;title\x1b\\b", "ab"),
            ("a\x1bP+q544e\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d", "abcd"),
            ("a\x1b[6nb\x1b[cb\x1b[>0qb\x1b[21tb", "abbbb"),
            ("a\x1b[?1049hb\x1b[2Jc\x1b[10;10Hd", "abcd"),
            ("a\x1b(0b\x1bcc\x1b7d\x1b#8e", "abcde"),
            ("a\u{9b}31mb\u{9d}0;t\x07c", "a31mb0;tc"),
            ("a\x07b\x00c\x7fd\x0ee\x0bf", "abcdef"),
            // The end of a colour sequence, but not a colour: keys of xterm.
            ("a\x1b[>4;2mb\x1b[?1mb\x1b[ m", "abb"),
            // A sequence within a sequence, and every kind of end.
            ("a\x1b]0;\x1b[31mred\x1b[31\x1b[32mgreen", "a\x1b[31mred\x1b[32mgreen"),
            ("a\x1b]0;never ends\nb\x1b[31\nc", "a\nb\nc"),
            ("a\x1b]0;x\x18b\x1b[3\x1ac", "abc"),
            ("end\x1b", "end"),
            ("end\x1b[31", "end"),
        ] {
            assert_eq!(passed(Level::Text, text), left, "{text:?}");
        }
        let long = format!("a\x1b[{}mb", "1;".repeat(1_000_000 / 2));
        let (mut filter, mut out) = (Filter::new(Level::Text), Vec::new());
        filter.push(long.as_bytes(), &mut out);
        assert_eq!((out, filter.held.capacity() < 1_000), (b"ab".to_vec(), true));
    }

    #[test]
    fn bytes_that_are_no_text_are_shown_as_such() {
        assert_eq!(passed(Level::Text, b"a\x9b31mb\xff\xc3(\xe2\x82"), "a\u{fffd}31mb\u{fffd}\u{fffd}(");
        assert_eq!(passed(Level::Text, b"\xc0\x80\xed\xa0\x80\xf4\x90\x80\x80"), "\u{fffd}\u{fffd}\u{fffd}\u{fffd}");
        assert_eq!(passed(Level::Text, b"\xc3\x1b[31m"), "\u{fffd}\x1b[31m");
    }

    #[test]
    fn a_program_has_its_screen_and_keys_but_not_the_window_or_the_clipboard() {
        for text in [
            "\x1b[2J\x1b[H\x1b[?25l\x1b[3;4Hx\x1b[K\x1b[1;31mred\x1b[m",
            "\x1b[?1049h\x1b[?1000;1006h\x1b[?2004h\x1b[?1h\x1b=\x1b[4h",
            "\x1b[6n\x1b[c\x1b[>c\x1b[5n",
            "\x1b(0lqk\x1b(B\x0eq\x0f\x07\x1b7\x1b8\x1bM\x1bc",
            "\x1b[2 q\x1b[!p\x1b[3b\x1b[1;5r\x1b[s\x1b[u",
        ] {
            assert_eq!(passed(Level::Program, text), text);
        }
        for (text, left) in [
            ("a\x1b]52;c;cHduZWQ=\x07b\x1b]0;title\x1b\\c\x1b]7;file:///\x07d\x1b]777;notify;x\x07e\x1b]9;x\x07f", "abcdef"),
            ("a\x1bP$qm\x1b\\b\x1b_apc\x1b\\c\x1b^pm\x1b\\d\x1bXsos\x1b\\e", "abcde"),
            ("a\x1b[21tb\x1b[8;5;5tc\x1b[>0qd\x1b[>4;2me\x1b[?5hf\x1b[?1000;9999hg\x05h\x1b[20hi", "abcdefghi"),
            ("a\x1b#8b\x1bZc\x1b%Gd\x1b(Xe\x1b[?15nf\x1b[?1$pg", "abcdefg"),
        ] {
            assert_eq!(passed(Level::Program, text), left, "{text:?}");
        }
    }

    #[test]
    fn links_to_the_web_pass_to_a_program_and_others_end_the_link_before() {
        for text in
            ["\x1b]8;;https://example.com/a?b=c#d\x1b\\link\x1b]8;;\x1b\\", "\x1b]8;id=a-1;http://example.com\x1b\\link\x1b]8;;\x1b\\"]
        {
            assert_eq!(passed(Level::Program, text), text);
            assert_eq!(passed(Level::Program, text.replace("\x1b\\", "\x07")), text);
            assert_eq!(passed(Level::Text, text), "link");
        }
        let end = "\x1b]8;;\x1b\\";
        let long = format!("https://example.com/{}", "a".repeat(3_000));
        for address in ["file:///etc/passwd", "javascript:x", "https://", "https://bank.com@evil.com/", "https://a b", "HTTPS://a", "//a"] {
            assert_eq!(passed(Level::Program, format!("\x1b]8;;{address}\x07x{end}")), format!("{end}x{end}"), "{address}");
        }
        assert_eq!(passed(Level::Program, "\x1b]8;x=y;https://a\x07x"), format!("{end}x"));
        assert_eq!(passed(Level::Program, format!("a\x1b]8;;{long}\x07b\x1b]8\x07c\x1b]8;\x07d\x1b]8;;https://\u{e9}\x07e")), "abcde");
        assert_eq!(passed(Level::Program, "a\x1b]8;;https://x\nb\x1b]8;;https://x\x18c\x1b]8;;https://x\x1b[31md"), "a\nbc\x1b[31md");
    }

    #[tokio::test]
    async fn a_stream_gets_what_passes_and_all_of_it_where_nothing_is_filtered() {
        let text = b"one \x1b[31mtwo\x1b]0;title\x07 three";
        for (level, expected) in [(Some(Level::Text), &b"one \x1b[31mtwo three"[..]), (None, text)] {
            let (end, mut reader) = tokio::io::duplex(3);
            let mut stream = Filtered::new(end, level);
            let write = async {
                stream.write_all(text).await.unwrap();
                stream.shutdown().await.unwrap();
            };
            let mut got = Vec::new();
            let read = tokio::io::AsyncReadExt::read_to_end(&mut reader, &mut got);
            let (_, read) = tokio::join!(write, read);
            read.unwrap();
            assert_eq!(got, expected);
        }
    }
}
