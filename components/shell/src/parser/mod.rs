//! The grammar: recursive descent over the lexer, one complete command at a time, as bash reads.

mod assign;
mod compound;
mod cond;
mod error;
mod function;
mod list;
mod redirect;
mod simple;

pub use error::{Parsed, SyntaxError};

use crate::ast::{HereDoc, List};
use crate::lexer::{MoreLines, Next, Source};
use std::collections::HashMap;
use std::rc::Rc;

/// Aliases by name.
pub type Aliases = HashMap<Vec<u8>, Vec<u8>>;

/// Nesting of commands, quotes and expansions that a script may have. A script of parentheses alone could otherwise use
/// up the stack; scripts that people write stay below 50.
pub const MAX_DEPTH: usize = 250;

/// Parses a script.
pub struct Parser {
    pub(crate) src: Source,
    pub(crate) pending: Vec<(u32, Rc<HereDoc>)>,
    pub(crate) depth: usize,
    pub(crate) brace: bool,
    pub(crate) alias_until: Vec<(Vec<u8>, usize)>,
    pub(crate) alias_next: Option<usize>,
    /// Inside the value of an assignment, where `~` is special after `:`.
    pub(crate) assigning: bool,
    /// Words that look like assignments are plain words: the elements of an array.
    pub(crate) plain_words: bool,
    /// In the body of a here-document, where `$'…'` is not special.
    pub(crate) in_here: bool,
    /// The next word does not begin with a `~` that expands.
    pub(crate) no_tilde: bool,
    /// The positions of `$'…'` and `$"…"` in the text, and how they are shown.
    pub(crate) rewrites: Vec<(usize, usize, Vec<u8>)>,
    /// The positions of the outermost substitutions and their commands, for printing the text.
    pub(crate) shown: Option<Vec<(usize, usize, List)>>,
    /// Whether a line without a command counts as an empty command: an interactive shell then shows a prompt.
    pub by_line: bool,
    /// Whether extended patterns are read.
    pub extglob: bool,
    /// POSIX mode: a single quote is not special in an operand of `"${…}"`.
    pub posix: bool,
    /// Levels of `$(…)` that the position is in.
    pub(crate) substitutions: usize,
    /// Aliases, if they are expanded.
    pub aliases: Option<Rc<Aliases>>,
    /// Warnings with their lines, to be printed and cleared by the caller.
    pub warnings: Vec<(u32, String)>,
    /// The file's name, for functions defined in it.
    pub source: Rc<[u8]>,
}

impl Parser {
    /// Creates a parser of `text`, whose first line has the number `line`.
    pub fn new(text: Vec<u8>, line: u32, source: Rc<[u8]>) -> Self {
        Self {
            src: Source::new(text, line),
            pending: Vec::new(),
            depth: 0,
            brace: false,
            alias_until: Vec::new(),
            alias_next: None,
            assigning: false,
            plain_words: false,
            in_here: false,
            no_tilde: false,
            rewrites: Vec::new(),
            shown: None,
            by_line: false,
            extglob: false,
            posix: false,
            substitutions: 0,
            aliases: None,
            warnings: Vec::new(),
            source,
        }
    }

    /// Returns a parser of a script that is read line by line.
    pub fn streaming(more: MoreLines, source: Rc<[u8]>) -> Self {
        let mut parser = Self::new(Vec::new(), 1, source);
        parser.src.more = Some(more);
        parser
    }

    /// Returns a parser of text inside this one's, with its settings.
    pub(crate) fn inside(&mut self, text: Vec<u8>, line: u32) -> Parsed<Self> {
        self.deeper()?;
        self.depth -= 1;
        let mut inner = Self::new(text, line, self.source.clone());
        inner.extglob = self.extglob;
        inner.posix = self.posix;
        inner.aliases = self.aliases.clone();
        inner.depth = self.depth + 1;
        Ok(inner)
    }

    /// Records a substitution that began at `start`.
    pub(crate) fn note_shown(&mut self, start: usize, list: &List) {
        let end = self.src.pos;
        if let Some(shown) = &mut self.shown {
            shown.retain(|(at, _, _)| *at < start);
            shown.push((start, end, list.clone()));
        }
    }

    /// Enters a level of nesting.
    pub(crate) fn deeper(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(SyntaxError::new(self.src.line, format!("syntax error: more than {MAX_DEPTH} levels of nesting")));
        }
        Ok(())
    }

    /// Drops what was read and not parsed, after an error in an interactive shell.
    pub fn skip_rest(&mut self) {
        self.src.pos = self.src.buf.len();
        self.pending.clear();
        self.depth = 0;
    }

    /// Continues after the line that contains an error.
    pub fn skip_line(&mut self) {
        while self.src.bump().is_some_and(|byte| byte != b'\n') {}
        self.pending.clear();
        self.depth = 0;
        self.substitutions = 0;
    }

    /// Returns whether only blanks follow, in a text that is complete.
    pub fn is_at_end(&self) -> bool {
        self.src.more.is_none() && self.src.buf[self.src.pos..].trim_ascii().is_empty()
    }

    /// Returns where the next command begins.
    pub fn position(&self) -> usize {
        self.src.pos
    }

    /// Returns the line the parser has reached.
    pub fn line(&self) -> u32 {
        self.src.line
    }

    /// Parses the next complete command: everything up to the end of its line. `None` at the end of the script.
    pub fn next_command(&mut self) -> Parsed<Option<List>> {
        loop {
            self.expand_alias();
            match self.next() {
                Next::Newline => {
                    self.newline()?;
                    if self.by_line {
                        return Ok(Some(List::default()));
                    }
                }
                Next::End => return Ok(None),
                _ => break,
            }
        }
        self.rewrites.clear();
        let mut list = List::default();
        loop {
            let item = self.list_item()?;
            let ended = item.1;
            list.items.push(item.0);
            match self.next() {
                Next::Newline => {
                    self.newline()?;
                    return Ok(Some(list));
                }
                Next::End => {
                    self.finish_pending()?;
                    return Ok(Some(list));
                }
                _ if ended => {}
                _ => return Err(self.unexpected()),
            }
        }
    }

    /// Here-documents to which the end of the script leaves no newline.
    fn finish_pending(&mut self) -> Parsed<()> {
        if self.pending.is_empty() { Ok(()) } else { self.newline() }
    }

    /// Parses everything up to the end of the text.
    pub fn whole(&mut self) -> Parsed<List> {
        let mut all = List::default();
        while let Some(list) = self.next_command()? {
            all.items.extend(list.items);
        }
        Ok(all)
    }
}

impl Parser {
    /// Returns the text from `start` to the position, for `set -v`.
    pub fn text_between(&self, start: usize) -> Vec<u8> {
        self.src.buf[start.min(self.src.pos)..self.src.pos].to_vec()
    }
}
