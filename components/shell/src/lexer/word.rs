//! Words: literal text, quotes and expansions, up to the end of the word in the current mode.

use super::is_meta;
use super::piece::Unfinished;
use crate::ast::{Part, Word};
use crate::parser::{Parsed, Parser};

/// The context of a word, which decides what ends it and what is special in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A word of a command.
    Normal,
    /// The value of an assignment: `~` is special after `:` too.
    Assign,
    /// A pattern of `[[`: extended patterns are enabled.
    Pattern,
    /// The right side of `=~`.
    Regex,
    /// Inside `"…"`.
    Double,
    /// Inside `"…"` in an operand of `"${…}"`: backslashes are removed first.
    Inner,
    /// The body of a here-document.
    HereDoc,
    /// After an operator of `${…}`; true inside double quotes.
    Operand(bool),
    /// The pattern of `${x/…/…}`, ended by `/` or `}`.
    Search,
    /// The replacement of `${x/…/…}`; true inside double quotes.
    Replacement(bool),
    /// A subscript.
    Subscript,
    /// A list of words that takes up the whole text.
    List,
    /// Inside `((…))`.
    Arith,
    /// A section of `for ((…;…;…))`.
    ArithSection,
    /// Inside `$[…]`.
    Bracket,
    /// The offset of `${x:…:…}`.
    Offset,
    /// The length of `${x:…:…}`.
    SliceLength,
}

impl Mode {
    /// Returns whether it behaves as the inside of double quotes.
    pub(super) fn quoted(self) -> bool {
        matches!(self, Self::Double | Self::Inner | Self::HereDoc | Self::Operand(true) | Self::Replacement(true))
    }
    /// Returns whether it is part of an arithmetic expression.
    pub(super) fn arith(self) -> bool {
        matches!(self, Self::Arith | Self::ArithSection | Self::Bracket | Self::Offset | Self::SliceLength)
    }
}

impl Parser {
    /// Reads a word in `mode`. It may be empty.
    pub(crate) fn word(&mut self, mode: Mode) -> Parsed<Word> {
        let start = self.src.pos;
        let parts = self.parts(mode)?;
        let brace = std::mem::take(&mut self.brace);
        Ok(self.word_from(start, parts, brace))
    }

    /// Reads the parts of a word in `mode`.
    pub(crate) fn parts(&mut self, mode: Mode) -> Parsed<Vec<Part>> {
        let started = self.src.line;
        let outer = self.assigning;
        self.in_here |= mode == Mode::HereDoc;
        match mode {
            Mode::Assign => self.assigning = true,
            Mode::Operand(_) => {}
            _ => self.assigning = false,
        }
        let mut word = Unfinished::new(mode);
        if !mode.quoted() && !mode.arith() && mode != Mode::Subscript && !std::mem::take(&mut self.no_tilde) {
            self.tilde(&mut word);
        }
        while let Some(byte) = self.src.peek() {
            if word.depth == 0 && !word.single && self.ends(mode, byte, word.questions) {
                break;
            }
            self.piece(&mut word, byte)?;
        }
        self.check_closed(&word, started)?;
        word.flush();
        self.brace = word.brace;
        self.assigning = outer;
        Ok(word.parts)
    }

    /// Returns whether `byte` ends a word in `mode`.
    fn ends(&mut self, mode: Mode, byte: u8, questions: usize) -> bool {
        match mode {
            Mode::Normal | Mode::Assign | Mode::Pattern => {
                is_meta(byte) && !(matches!(byte, b'<' | b'>') && self.src.peek_at(1) == Some(b'('))
            }
            Mode::Regex => matches!(byte, b' ' | b'\t' | b'\n' | b')') || (byte == b'&' && self.src.peek_at(1) == Some(b'&')),
            Mode::Double | Mode::Inner => byte == b'"',
            Mode::HereDoc | Mode::List => false,
            Mode::Operand(_) | Mode::Replacement(_) => byte == b'}',
            Mode::Search => byte == b'}' || byte == b'/',
            Mode::Subscript | Mode::Bracket => byte == b']',
            Mode::Arith => byte == b')',
            Mode::ArithSection => byte == b')' || byte == b';',
            Mode::Offset => byte == b'}' || (byte == b':' && questions == 0),
            Mode::SliceLength => byte == b'}',
        }
    }

    /// Refuses a word that began at the line `started` and has an open bracket or quote.
    fn check_closed(&mut self, word: &Unfinished, started: u32) -> Parsed<()> {
        if word.single {
            return Err(self.unterminated(b'\'', started));
        }
        if word.depth > 0 && word.mode == Mode::Regex {
            let mut error = self.unterminated(b')', started);
            error.more = Some((self.last_line(), "unexpected argument to conditional binary operator".into()));
            return Err(error);
        }
        if word.depth > 0 && word.group {
            return Err(self.unterminated(b')', started));
        }
        Ok(())
    }

    /// Reads `~` or `~name` at the position.
    pub(super) fn tilde(&mut self, word: &mut Unfinished) {
        if self.src.peek() != Some(b'~') {
            return;
        }
        let mut len = 1;
        while self.src.peek_at(len).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+')) {
            len += 1;
        }
        let ends = match self.src.peek_at(len) {
            None | Some(b'/' | b':') => true,
            Some(b'}') => matches!(word.mode, Mode::Operand(_) | Mode::Replacement(_) | Mode::Search),
            // `~+(a|b)` is a pattern.
            Some(b'(') if self.extglob => false,
            Some(byte) => is_meta(byte),
        };
        if ends {
            let name = self.src.buf[self.src.pos + 1..self.src.pos + len].into();
            self.src.skip(len);
            word.parts.push(Part::Tilde(name));
        }
    }
}
