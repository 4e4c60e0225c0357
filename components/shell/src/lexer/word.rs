//! Words: literal text, quotes and expansions, up to the end of the word in the current mode.

use super::is_meta;
use crate::ast::{Part, Word};
use crate::parser::{Parsed, Parser};
use std::rc::Rc;

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
    /// Whether it behaves as the inside of double quotes.
    fn quoted(self) -> bool {
        matches!(self, Mode::Double | Mode::Inner | Mode::HereDoc | Mode::Operand(true) | Mode::Replacement(true))
    }
    fn arith(self) -> bool {
        matches!(self, Mode::Arith | Mode::ArithSection | Mode::Bracket | Mode::Offset | Mode::SliceLength)
    }
}

impl Parser {
    /// Read a word in `mode`. It may be empty.
    pub(crate) fn word(&mut self, mode: Mode) -> Parsed<Word> {
        let start = self.src.pos;
        let parts = self.parts(mode)?;
        let brace = std::mem::take(&mut self.brace);
        Ok(self.word_from(start, parts, brace))
    }

    /// Read the parts of a word in `mode`.
    pub(crate) fn parts(&mut self, mode: Mode) -> Parsed<Vec<Part>> {
        let mut parts = Vec::new();
        let mut lit: Vec<u8> = Vec::new();
        let mut depth = 0usize;
        let mut questions = 0usize;
        let mut brace = false;
        let mut group_open = false;
        let mut single = false;
        let started = self.src.line;
        let outer = self.assigning;
        self.in_here |= mode == Mode::HereDoc;
        match mode {
            Mode::Assign => self.assigning = true,
            Mode::Operand(_) => {}
            _ => self.assigning = false,
        }
        if !mode.quoted() && !mode.arith() && mode != Mode::Subscript && !std::mem::take(&mut self.no_tilde) {
            self.tilde(mode, &mut parts);
        }
        while let Some(byte) = self.src.peek() {
            if depth == 0 && !single && self.ends(mode, byte, questions) {
                break;
            }
            if byte == b'\'' && mode == Mode::Operand(true) && !self.posix {
                // Literal there, except that a brace between two of them does not end the operand.
                single = !single;
            }
            match byte {
                b'\\' if self.src.peek_at(1) == Some(b'\n') => self.src.join(0),
                b'\\' => {
                    self.src.bump();
                    match self.src.peek() {
                        None => lit.push(b'\\'),
                        Some(next) if mode.quoted() => {
                            let special = match next {
                                b'$' | b'`' | b'\\' => true,
                                b'"' => mode != Mode::HereDoc,
                                b'}' => matches!(mode, Mode::Operand(_) | Mode::Replacement(_) | Mode::Inner),
                                _ => mode == Mode::Inner,
                            };
                            if special {
                                flush(&mut lit, &mut parts);
                                parts.push(Part::Quoted(Box::new([next])));
                                self.src.bump();
                            } else {
                                lit.push(b'\\');
                                if next == b'\'' && mode == Mode::Operand(true) {
                                    // It quotes nothing there.
                                    lit.push(next);
                                    self.src.bump();
                                }
                            }
                        }
                        Some(next) => {
                            self.src.bump();
                            flush(&mut lit, &mut parts);
                            parts.push(Part::Quoted(Box::new([next])));
                        }
                    }
                }
                b'\'' if !mode.quoted() => {
                    let line = self.src.line;
                    self.src.bump();
                    let from = self.src.pos;
                    loop {
                        match self.src.bump() {
                            None => return Err(self.unterminated(b'\'', line)),
                            Some(b'\'') => break,
                            _ => {}
                        }
                    }
                    flush(&mut lit, &mut parts);
                    parts.push(Part::Quoted(self.src.buf[from..self.src.pos - 1].into()));
                }
                b'"' if single => {
                    // Between single quotes of an operand: they are removed and quote nothing.
                    self.src.bump();
                }
                b'"' if mode != Mode::HereDoc => {
                    flush(&mut lit, &mut parts);
                    let part = self.double_in(if matches!(mode, Mode::Operand(true)) { Mode::Inner } else { Mode::Double })?;
                    parts.push(part);
                }
                b'$' => {
                    // `"${x:-$'a'}"` is the only place within double quotes where `$'…'` is special.
                    let operand = mode == Mode::Operand(true) && !self.in_here && self.src.peek_at(1) == Some(b'\'');
                    match self.dollar(mode.quoted() && !operand)? {
                        Some(part) => {
                            flush(&mut lit, &mut parts);
                            parts.push(part);
                        }
                        None => {
                            self.src.bump();
                            lit.push(b'$');
                        }
                    }
                }
                b'`' => {
                    flush(&mut lit, &mut parts);
                    let part = self.backtick(mode.quoted() && mode != Mode::HereDoc)?;
                    parts.push(part);
                }
                b'<' | b'>'
                    if matches!(mode, Mode::Normal | Mode::Assign | Mode::Pattern | Mode::Regex | Mode::Operand(false))
                        && self.src.peek_at(1) == Some(b'(')
                        && depth == 0 =>
                {
                    flush(&mut lit, &mut parts);
                    let start = self.src.pos;
                    self.src.skip(2);
                    let list = self.until_paren()?;
                    self.note_shown(start, &list);
                    parts.push(Part::Process(byte == b'<', Rc::new(list)));
                }
                _ => {
                    if mode == Mode::Regex || group_open || mode.arith() {
                        match byte {
                            b'(' => depth += 1,
                            b')' if depth > 0 => {
                                depth -= 1;
                                if depth == 0 {
                                    group_open = false;
                                }
                            }
                            b'[' if matches!(mode, Mode::Bracket) => depth += 1,
                            b']' if matches!(mode, Mode::Bracket) && depth > 0 => depth -= 1,
                            b'?' if mode == Mode::Offset => questions += 1,
                            b':' if mode == Mode::Offset && questions > 0 => questions -= 1,
                            _ => {}
                        }
                    } else if mode == Mode::Subscript {
                        match byte {
                            b'[' => depth += 1,
                            b']' => depth = depth.saturating_sub(1),
                            _ => {}
                        }
                    } else if matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!')
                        && self.src.peek_at(1) == Some(b'(')
                        && (mode == Mode::Pattern || (self.extglob && matches!(mode, Mode::Normal | Mode::Assign)))
                    {
                        self.src.bump();
                        lit.push(byte);
                        depth = 1;
                        group_open = true;
                        self.src.bump();
                        lit.push(b'(');
                        continue;
                    } else if byte == b'{' {
                        brace = true;
                    }
                    self.src.bump();
                    lit.push(byte);
                    // `a=~` as a word of a command is treated as an assignment.
                    if byte == b'='
                        && mode == Mode::Normal
                        && parts.is_empty()
                        && !self.assigning
                        && !self.plain_words
                        && !self.posix
                        && is_target(&lit)
                    {
                        self.assigning = true;
                    } else if byte != b':' {
                        continue;
                    }
                    if self.assigning && self.src.peek() == Some(b'~') {
                        flush(&mut lit, &mut parts);
                        self.tilde(mode, &mut parts);
                    }
                }
            }
        }
        if single {
            return Err(self.unterminated(b'\'', started));
        }
        if depth > 0 && mode == Mode::Regex {
            let mut error = self.unterminated(b')', started);
            error.more = Some((self.last_line(), "unexpected argument to conditional binary operator".into()));
            return Err(error);
        }
        if depth > 0 && group_open {
            return Err(self.unterminated(b')', started));
        }
        flush(&mut lit, &mut parts);
        self.brace = brace;
        self.assigning = outer;
        Ok(parts)
    }

    /// Whether `byte` ends a word in `mode`.
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

    /// Read `~` or `~name` at the position.
    fn tilde(&mut self, mode: Mode, parts: &mut Vec<Part>) {
        if self.src.peek() != Some(b'~') {
            return;
        }
        let mut len = 1;
        while self.src.peek_at(len).is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.' | b'+')) {
            len += 1;
        }
        let ends = match self.src.peek_at(len) {
            None | Some(b'/' | b':') => true,
            Some(b'}') => matches!(mode, Mode::Operand(_) | Mode::Replacement(_) | Mode::Search),
            // `~+(a|b)` is a pattern.
            Some(b'(') if self.extglob => false,
            Some(byte) => is_meta(byte),
        };
        if ends {
            let name = self.src.buf[self.src.pos + 1..self.src.pos + len].into();
            self.src.skip(len);
            parts.push(Part::Tilde(name));
        }
    }
}

/// Whether `name=` or `name+=` was read.
fn is_target(text: &[u8]) -> bool {
    let name = &text[..text.len() - 1];
    crate::sym::is_name(name.strip_suffix(b"+").unwrap_or(name))
}

fn flush(lit: &mut Vec<u8>, parts: &mut Vec<Part>) {
    if !lit.is_empty() {
        parts.push(Part::Lit(std::mem::take(lit).into_boxed_slice()));
    }
}
