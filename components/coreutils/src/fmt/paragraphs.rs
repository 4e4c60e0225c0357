//! Paragraphs: which lines belong together, and their words.

use super::breaks::Word;
use std::io::{BufRead, Error};

/// Which lines become one paragraph.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Lines with the same indentation.
    #[default]
    Plain,
    /// A first line, and lines with the indentation of the second (`-c`).
    Crown,
    /// The same, if the first line has another indentation (`-t`).
    Tagged,
    /// Each line by itself (`-s`).
    Split,
}

/// A line as it was read.
#[derive(Debug, Default, Clone)]
pub(super) struct Source {
    /// Columns before the prefix.
    pub lead: usize,
    /// The column where its words begin; `None` for a line that is printed unchanged.
    pub indent: Option<usize>,
    /// The text after the blanks, and after the prefix if the line has it.
    pub text: Vec<u8>,
    /// Whether it ended with a newline.
    pub ended: bool,
    /// Whether the line has the prefix, but no words.
    pub empty: bool,
}

/// The prefix of `-p`.
#[derive(Debug, Default, Clone)]
pub(super) struct Prefix {
    /// The number of blanks at its start: a line needs at least as many.
    pub lead: usize,
    /// The prefix without blanks at its ends.
    pub text: Vec<u8>,
    /// Its length with the blanks at its end.
    pub full: usize,
}

impl Prefix {
    /// Reads the option's value.
    pub(super) fn new(value: &[u8]) -> Self {
        let lead = value.iter().take_while(|b| **b == b' ').count();
        let rest = &value[lead..];
        let text = rest.len() - rest.iter().rev().take_while(|b| **b == b' ').count();
        Self { lead, text: rest[..text].to_vec(), full: rest.len() }
    }
}

/// The lines of an input, with one line of lookahead.
pub(super) struct Lines<R: BufRead> {
    input: R,
    prefix: Prefix,
    /// Whether there was a tab between words or before a line.
    pub tabs: bool,
}

impl<R: BufRead> Lines<R> {
    /// Creates the lines of an input.
    pub(super) fn new(input: R, prefix: &Prefix) -> Self {
        Self { input, prefix: prefix.clone(), tabs: false }
    }

    /// Returns the next line.
    pub(super) fn next(&mut self) -> Result<Option<Source>, Error> {
        let mut line = Vec::new();
        if self.input.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        let ended = line.pop_if(|last| *last == b'\n').is_some();
        let (lead, at) = self.blanks(&line, 0);
        let mut source = Source { lead, ended, text: line[at..].to_vec(), ..Source::default() };
        if at == line.len() {
            source.empty = self.prefix.text.is_empty();
            return Ok(Some(source));
        }
        if self.prefix.full == 0 {
            source.indent = Some(lead);
            return Ok(Some(source));
        }
        if lead < self.prefix.lead || !source.text.starts_with(&self.prefix.text) {
            return Ok(Some(source));
        }
        let after = &source.text[self.prefix.text.len()..];
        let (column, used) = self.blanks(after, lead + self.prefix.text.len());
        if used == after.len() {
            // Only the prefix: the blanks at its end are not kept.
            source.text = self.prefix.text.clone();
            source.empty = true;
            return Ok(Some(source));
        }
        // If the prefix ends with blanks, the line must have them.
        let wanted = self.prefix.full - self.prefix.text.len();
        if after.iter().take_while(|b| **b == b' ').count() < wanted.min(used.max(1)) {
            return Ok(Some(source));
        }
        source.text = after[used..].to_vec();
        source.indent = Some(column);
        Ok(Some(source))
    }

    /// Returns the column after the blanks, and their number of bytes.
    fn blanks(&mut self, text: &[u8], column: usize) -> (usize, usize) {
        let used = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.tabs |= text[..used].contains(&b'\t');
        (columns(&text[..used], column), used)
    }

    /// Returns whether a line continues the paragraph of another: it has words, and its prefix begins in the same column.
    pub(super) fn same(&self, first: &Source, line: Option<&Source>) -> bool {
        line.is_some_and(|line| line.indent.is_some() && line.lead_of(&self.prefix) == first.lead_of(&self.prefix))
    }

    /// Appends a line's words.
    pub(super) fn words(&mut self, line: &Source, uniform: bool, words: &mut Vec<Word>) {
        let mut column = line.indent.unwrap_or_default();
        let mut rest = line.text.as_slice();
        while !rest.is_empty() {
            // Other white space ends a word too, but belongs to the next one: there is no gap between the two.
            let length = rest.iter().skip(1).position(|b| matches!(b, b' ' | b'\t'..=b'\r')).map_or(rest.len(), |at| at + 1);
            let (text, after) = rest.split_at(length);
            column += length;
            let (next, used) = self.blanks(after, column);
            rest = &after[used..];
            let mut word = word(text);
            word.last = word.period && (rest.is_empty() || next - column > 1);
            word.space = if uniform || rest.is_empty() { 1 + usize::from(word.last) } else { next - column };
            column = next;
            words.push(word);
        }
    }
}

impl Source {
    /// Returns the columns before the prefix, if there is one.
    pub(super) fn lead_of(&self, prefix: &Prefix) -> usize {
        if prefix.full == 0 { 0 } else { self.lead }
    }
}

/// Returns the column after blanks.
fn columns(blanks: &[u8], column: usize) -> usize {
    blanks.iter().fold(column, |at, byte| if *byte == b'\t' { at / 8 * 8 + 8 } else { at + 1 })
}

fn word(text: &[u8]) -> Word {
    let closers = text.iter().rev().take_while(|b| b")]'\"".contains(b)).count();
    Word {
        opens: text.first().is_some_and(|b| b"(['\"`".contains(b)),
        punctuated: text.last().is_some_and(u8::is_ascii_punctuation),
        period: text[..text.len() - closers].last().is_some_and(|b| b".?!".contains(b)),
        text: text.to_vec(),
        ..Word::default()
    }
}
