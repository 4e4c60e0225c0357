//! Paragraphs: which lines belong together, and their words.

use super::breaks::Word;
use std::io::{BufRead, Error};

/// Which lines become one paragraph.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Those that are indented alike.
    #[default]
    Plain,
    /// From the second on, those that are indented as the second (`-c`).
    Crown,
    /// The same, if the first is indented otherwise (`-t`).
    Tagged,
    /// Each for itself (`-s`).
    Split,
}

/// A line as it was read.
#[derive(Debug, Default, Clone)]
pub(super) struct Source {
    /// Columns before the prefix.
    pub lead: usize,
    /// The column where its words begin; nothing for a line that is printed as it is.
    pub indent: Option<usize>,
    /// What stands behind the blanks, and behind the prefix if the line has it.
    pub text: Vec<u8>,
    /// Whether a newline ended it.
    pub ended: bool,
    /// The line has the prefix, but no words.
    pub empty: bool,
}

/// The prefix of `-p`.
#[derive(Debug, Default, Clone)]
pub(super) struct Prefix {
    /// Its blanks at the start: a line has at least as many.
    pub lead: usize,
    /// The prefix without blanks at its ends.
    pub text: Vec<u8>,
    /// Its length with those at its end.
    pub full: usize,
}

impl Prefix {
    /// Read the option's value.
    pub(super) fn new(value: &[u8]) -> Prefix {
        let lead = value.iter().take_while(|b| **b == b' ').count();
        let rest = &value[lead..];
        let text = rest.len() - rest.iter().rev().take_while(|b| **b == b' ').count();
        Prefix { lead, text: rest[..text].to_vec(), full: rest.len() }
    }
}

/// Lines, one ahead.
pub(super) struct Lines<R: BufRead> {
    input: R,
    prefix: Prefix,
    /// Whether there was a tab between words or before a line.
    pub tabs: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of an input.
    pub(super) fn new(input: R, prefix: &Prefix) -> Lines<R> {
        Lines { input, prefix: prefix.clone(), tabs: false }
    }

    /// The next line.
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
        let behind = &source.text[self.prefix.text.len()..];
        let (column, used) = self.blanks(behind, lead + self.prefix.text.len());
        if used == behind.len() {
            // Nothing but the prefix: its blanks at the end are not kept.
            source.text = self.prefix.text.clone();
            source.empty = true;
            return Ok(Some(source));
        }
        // A prefix with blanks at its end wants them there.
        let wanted = self.prefix.full - self.prefix.text.len();
        if behind.iter().take_while(|b| **b == b' ').count() < wanted.min(used.max(1)) {
            return Ok(Some(source));
        }
        source.text = behind[used..].to_vec();
        source.indent = Some(column);
        Ok(Some(source))
    }

    /// The column behind blanks, and how many bytes they are.
    fn blanks(&mut self, text: &[u8], column: usize) -> (usize, usize) {
        let used = text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
        self.tabs |= text[..used].contains(&b'\t');
        (columns(&text[..used], column), used)
    }

    /// Whether a line goes on with the paragraph of another: it has words, behind as many columns before the prefix.
    pub(super) fn same(&self, first: &Source, line: Option<&Source>) -> bool {
        line.is_some_and(|line| line.indent.is_some() && line.lead_of(&self.prefix) == first.lead_of(&self.prefix))
    }

    /// Append a line's words.
    pub(super) fn words(&mut self, line: &Source, uniform: bool, words: &mut Vec<Word>) {
        let mut column = line.indent.unwrap_or_default();
        let mut rest = line.text.as_slice();
        while !rest.is_empty() {
            // Blanks of other kinds end a word too, but begin the next: nothing stands between them.
            let length = rest.iter().skip(1).position(|b| matches!(b, b' ' | b'\t'..=b'\r')).map_or(rest.len(), |at| at + 1);
            let (text, behind) = rest.split_at(length);
            column += length;
            let (next, used) = self.blanks(behind, column);
            rest = &behind[used..];
            let mut word = word(text);
            word.last = word.period && (rest.is_empty() || next - column > 1);
            word.space = if uniform || rest.is_empty() { 1 + usize::from(word.last) } else { next - column };
            column = next;
            words.push(word);
        }
    }
}

impl Source {
    /// The columns before the prefix, if there is one.
    pub(super) fn lead_of(&self, prefix: &Prefix) -> usize {
        if prefix.full == 0 { 0 } else { self.lead }
    }
}

/// The column behind blanks.
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
