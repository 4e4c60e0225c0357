//! What the next byte of a word begins: a quote, an expansion, or literal text.

use super::Mode;
use crate::ast::Part;
use crate::parser::{Parsed, Parser};
use std::rc::Rc;

/// A word that is being read.
pub(super) struct Unfinished {
    pub(super) mode: Mode,
    pub(super) parts: Vec<Part>,
    /// Literal text after the last of the parts.
    lit: Vec<u8>,
    /// Open brackets, within which nothing ends the word.
    pub(super) depth: usize,
    /// Open `[` of an arithmetic expression: quotes quote only within them.
    brackets: usize,
    /// `?` of an offset that still lack their `:`.
    pub(super) questions: usize,
    /// Whether the word has an unquoted `{`.
    pub(super) brace: bool,
    /// Whether the open brackets are those of an extended pattern.
    pub(super) group: bool,
    /// Between two literal single quotes in an operand of `"${…}"`, or in arithmetic.
    pub(super) single: bool,
}

impl Unfinished {
    pub(super) fn new(mode: Mode) -> Self {
        Self { mode, parts: Vec::new(), lit: Vec::new(), depth: 0, brackets: 0, questions: 0, brace: false, group: false, single: false }
    }

    /// Makes the literal text a part.
    pub(super) fn flush(&mut self) {
        if !self.lit.is_empty() {
            self.parts.push(Part::Lit(std::mem::take(&mut self.lit).into_boxed_slice()));
        }
    }

    /// Returns whether it is at a place of an arithmetic expression where only `"` quotes.
    fn plain_arith(&self) -> bool {
        self.mode.arith() && self.brackets == 0
    }

    fn push(&mut self, part: Part) {
        self.flush();
        self.parts.push(part);
    }

    /// Counts the brackets of a mode that has them, and the question marks of an offset.
    fn count(&mut self, byte: u8) {
        match byte {
            b'[' if self.mode.arith() => self.brackets += 1,
            b']' if self.mode.arith() => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        match byte {
            b'[' if self.mode == Mode::Subscript => self.depth += 1,
            b']' if self.mode == Mode::Subscript => self.depth = self.depth.saturating_sub(1),
            _ if self.mode == Mode::Subscript => {}
            b'(' => self.depth += 1,
            b')' if self.depth > 0 => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.group = false;
                }
            }
            b'[' if self.mode == Mode::Bracket => self.depth += 1,
            b']' if self.mode == Mode::Bracket && self.depth > 0 => self.depth -= 1,
            b'?' if self.mode == Mode::Offset => self.questions += 1,
            b':' if self.mode == Mode::Offset && self.questions > 0 => self.questions -= 1,
            _ => {}
        }
    }
}

impl Parser {
    /// Reads what `byte`, which is at the position, begins.
    pub(super) fn piece(&mut self, word: &mut Unfinished, byte: u8) -> Parsed<()> {
        let mode = word.mode;
        let plain = word.plain_arith();
        if byte == b'\'' && (plain || mode == Mode::Operand(true) && !self.posix) {
            // Literal there, except that a brace or parenthesis between two of them does not end the word.
            word.single = !word.single;
        }
        match byte {
            b'\\' if self.src.peek_at(1) == Some(b'\n') => self.src.join(0),
            b'\\' => self.backslash(word),
            b'\'' if !mode.quoted() && !plain => self.single_quotes(word)?,
            b'"' if word.single => {
                // Between single quotes of an operand: they are removed and quote nothing.
                self.src.bump();
            }
            b'"' if mode != Mode::HereDoc => {
                let part = self.double_in(if mode == Mode::Operand(true) { Mode::Inner } else { Mode::Double })?;
                word.push(part);
            }
            b'$' => self.dollar_sign(word)?,
            b'`' => {
                let part = self.backtick(mode.quoted() && mode != Mode::HereDoc)?;
                word.push(part);
            }
            b'<' | b'>' if self.begins_process(word) => {
                let start = self.src.pos;
                self.src.skip(2);
                let list = self.until_paren()?;
                self.note_shown(start, &list);
                word.push(Part::Process(byte == b'<', Rc::new(list)));
            }
            _ => self.literal(word, byte),
        }
        Ok(())
    }

    /// Reads a backslash and the byte that it quotes; where it quotes nothing, it is literal.
    fn backslash(&mut self, word: &mut Unfinished) {
        self.src.bump();
        let Some(next) = self.src.peek() else { return word.lit.push(b'\\') };
        let mode = word.mode;
        let special = !(mode.quoted() || word.plain_arith())
            || match next {
                b'$' | b'`' | b'\\' => true,
                b'"' => mode != Mode::HereDoc,
                b'}' => matches!(mode, Mode::Operand(_) | Mode::Replacement(_) | Mode::Inner),
                _ => mode == Mode::Inner,
            };
        if special {
            self.src.bump();
            word.push(Part::Quoted(Box::new([next])));
            return;
        }
        word.lit.push(b'\\');
        if next == b'\'' && mode == Mode::Operand(true) {
            // It quotes nothing there.
            word.lit.push(next);
            self.src.bump();
        }
    }

    /// Reads `'…'`; the position is at the first quote.
    fn single_quotes(&mut self, word: &mut Unfinished) -> Parsed<()> {
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
        word.push(Part::Quoted(self.src.buf[from..self.src.pos - 1].into()));
        Ok(())
    }

    /// Reads an expansion, or a dollar sign that begins none.
    fn dollar_sign(&mut self, word: &mut Unfinished) -> Parsed<()> {
        // `"${x:-$'a'}"` is the only place within double quotes where `$'…'` is special.
        let operand = word.mode == Mode::Operand(true) && !self.in_here && self.src.peek_at(1) == Some(b'\'');
        match self.dollar(word.mode.quoted() && !operand)? {
            Some(Part::Quoted(text)) if word.plain_arith() => word.lit.extend_from_slice(&[b"'", &text[..], b"'"].concat()),
            Some(part) => word.push(part),
            None => {
                self.src.bump();
                word.lit.push(b'$');
            }
        }
        Ok(())
    }

    /// Returns whether the `<` or `>` at the position begins a process substitution.
    fn begins_process(&mut self, word: &Unfinished) -> bool {
        matches!(word.mode, Mode::Normal | Mode::Assign | Mode::Pattern | Mode::Regex | Mode::Operand(false))
            && self.src.peek_at(1) == Some(b'(')
            && word.depth == 0
    }

    /// Reads a byte that stands for itself.
    fn literal(&mut self, word: &mut Unfinished, byte: u8) {
        if word.mode == Mode::Regex || word.group || word.mode.arith() || word.mode == Mode::Subscript {
            word.count(byte);
        } else if self.begins_group(word.mode, byte) {
            self.src.skip(2);
            word.lit.extend_from_slice(&[byte, b'(']);
            word.depth = 1;
            word.group = true;
            return;
        } else if byte == b'{' {
            word.brace = true;
        }
        self.src.bump();
        word.lit.push(byte);
        let value = byte == b'=' && self.begins_value(word);
        if value {
            self.assigning = true;
        }
        if (value || byte == b':') && self.assigning && self.src.peek() == Some(b'~') {
            word.flush();
            self.tilde(word);
        }
    }

    /// Returns whether `byte`, which is at the position, begins an extended pattern, such as `@(a|b)`.
    fn begins_group(&mut self, mode: Mode, byte: u8) -> bool {
        matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!')
            && self.src.peek_at(1) == Some(b'(')
            && (mode == Mode::Pattern || (self.extglob && matches!(mode, Mode::Normal | Mode::Assign)))
    }

    /// Returns whether the `=` just read makes a word of a command an assignment, as in `a=~`.
    fn begins_value(&self, word: &Unfinished) -> bool {
        word.mode == Mode::Normal && word.parts.is_empty() && !self.assigning && !self.plain_words && !self.posix && is_target(&word.lit)
    }
}

/// Returns whether `name=` or `name+=` was read.
fn is_target(text: &[u8]) -> bool {
    let name = &text[..text.len() - 1];
    crate::sym::is_name(name.strip_suffix(b"+").unwrap_or(name))
}
