//! Expansion of words, in bash's order: braces, tilde and parameters and commands and arithmetic, fields, file names,
//! quote removal.

mod brace;
mod case;
mod command;
mod field;
mod filename;
mod join;
mod ops;
mod param;
mod prompt;
mod slice;
mod transform;

pub(crate) use brace::applies as brace_applies;
pub use case::{capitalize, lower, upper};
pub(crate) use field::{Builder, Field, Place, separator};
pub(crate) use param::Val;

use crate::ast::{Part, Word};
use crate::shell::{Flow, Run, Shell};
use std::borrow::Cow;

/// Characters special in extended regular expressions.
const REGEX_SPECIAL: &[u8] = b"\\.^$*+?()[]{}|";
/// Characters special in patterns.
const PATTERN_SPECIAL: &[u8] = b"\\*?[]+@!()|-^";

impl Shell {
    /// Expands words fully into fields.
    pub fn expand_words(&mut self, words: &[Word]) -> Run<Vec<Vec<u8>>> {
        let mut out = Vec::with_capacity(words.len());
        for word in words {
            self.expand_into(word, &mut out)?;
        }
        Ok(out)
    }

    /// Expands one word fully, appending its fields.
    pub fn expand_into(&mut self, word: &Word, out: &mut Vec<Vec<u8>>) -> Run<()> {
        if word.brace && self.opts.has(b'B') {
            for parts in brace::expand(&word.parts) {
                if matches!(&parts[..], [Part::Lit(text)] if text.is_empty()) {
                    continue;
                }
                self.fields(&parts, out)?;
            }
            return Ok(());
        }
        self.fields(&word.parts, out)
    }

    fn fields(&mut self, parts: &[Part], out: &mut Vec<Vec<u8>>) -> Run<()> {
        if let [Part::Lit(text)] = parts
            && !text.iter().any(|b| matches!(b, b'*' | b'?' | b'[' | b'('))
        {
            out.push(text.to_vec());
            return Ok(());
        }
        let ifs = self.ifs();
        let mut builder = Builder::new(Place::Words, ifs);
        for part in parts {
            self.part(part, false, false, &mut builder)?;
        }
        for field in builder.finish() {
            if field.glob && !self.opts.has(b'f') {
                self.pathnames(field, out)?;
            } else {
                out.push(field.text);
            }
        }
        Ok(())
    }

    /// Expands a word into one text: no fields, no file names.
    pub fn expand_single(&mut self, word: &Word) -> Run<Vec<u8>> {
        self.expand_for(word, Place::Text)
    }

    /// Works like `expand_single`; lists are joined as bash does there.
    pub(crate) fn expand_for(&mut self, word: &Word, place: Place) -> Run<Vec<u8>> {
        match &word.parts[..] {
            [] => return Ok(Vec::new()),
            [Part::Lit(text) | Part::Quoted(text)] => return Ok(text.to_vec()),
            _ => {}
        }
        Ok(self.one(&word.parts, place)?.text)
    }

    fn one(&mut self, parts: &[Part], place: Place) -> Run<Field> {
        let ifs = self.ifs();
        let mut builder = Builder::new(place, ifs);
        for part in parts {
            self.part(part, false, false, &mut builder)?;
        }
        Ok(builder.finish().into_iter().next().unwrap_or_default())
    }

    /// Expands parts as inside double quotes.
    pub fn expand_quoted(&mut self, parts: &[Part]) -> Run<Vec<u8>> {
        self.expand_quoted_for(parts, Place::Text)
    }

    /// Works like `expand_quoted`; lists are joined as bash does there.
    pub(crate) fn expand_quoted_for(&mut self, parts: &[Part], place: Place) -> Run<Vec<u8>> {
        let ifs = self.ifs();
        let mut builder = Builder::new(place, ifs);
        for part in parts {
            self.part(part, true, false, &mut builder)?;
        }
        Ok(builder.finish().into_iter().next().unwrap_or_default().text)
    }

    /// Expands a word into a pattern: what was quoted is escaped.
    pub fn expand_pattern(&mut self, word: &Word) -> Run<Vec<u8>> {
        if let [Part::Lit(text)] = &word.parts[..] {
            return Ok(text.to_vec());
        }
        Ok(self.one(&word.parts, Place::Text)?.escaped(PATTERN_SPECIAL).into_owned())
    }

    /// Works like `expand_pattern`, but as `set -x` shows it: everything that was quoted is escaped.
    pub fn expand_pattern_traced(&mut self, word: &Word) -> Run<(Vec<u8>, Vec<u8>)> {
        let all: [u8; 256] = std::array::from_fn(|byte| byte as u8);
        let field = self.one(&word.parts, Place::Text)?;
        Ok((field.escaped(PATTERN_SPECIAL).into_owned(), field.escaped(&all).into_owned()))
    }

    /// Expands a word into a regular expression: what was quoted is escaped.
    pub fn expand_regex(&mut self, word: &Word) -> Run<Vec<u8>> {
        Ok(self.one(&word.parts, Place::Text)?.escaped_outside_brackets(REGEX_SPECIAL))
    }

    /// Expands a part into the builder. `operand`: unquoted text is split into fields, as after `${x:-`.
    pub(crate) fn part(&mut self, part: &Part, quoted: bool, operand: bool, builder: &mut Builder) -> Run<()> {
        match part {
            Part::Lit(text) if quoted => builder.quoted(text),
            Part::Lit(text) if operand => builder.split_text(text),
            Part::Lit(text) => builder.literal(text),
            Part::Quoted(text) => builder.quoted(text),
            Part::Double(parts) => {
                let (before, began) = (builder.marks, builder.place_now());
                let (outer_empty, items) = (std::mem::replace(&mut builder.empty_list, false), builder.list_items);
                let mut only_lists = !parts.is_empty();
                let outer = builder.among_lists;
                builder.among_lists =
                    builder.splits() && parts.iter().any(|part| matches!(part, Part::Param(param) if param.lists() && !param.indirect));
                for part in parts {
                    only_lists &= matches!(part, Part::Param(param) if param.lists());
                    self.part(part, true, operand, builder)?;
                }
                builder.among_lists = outer;
                let nothing = std::mem::replace(&mut builder.empty_list, outer_empty) && builder.list_items == items;
                // `"$@"` without parameters gives no field, and neither does `"$@$u"` if `u` is empty.
                if nothing && builder.splits() && builder.forget_empty(began) {
                    return Ok(());
                }
                if !only_lists || builder.marks != before {
                    builder.ensure();
                }
            }
            Part::Param(param) => self.param(param, quoted, builder)?,
            Part::Command(list) => {
                let text = self.substitute(list)?;
                if quoted { builder.quoted(&text) } else { builder.split_text(&text) }
            }
            Part::Broken(error) => {
                self.syntax_error(error, "command substitution: ");
                self.last.substituted = Some(2);
                self.last.status = 2;
                if quoted {
                    builder.quoted(b"");
                }
            }
            Part::Arith(text) => {
                let value = self.arith(text)?;
                let text = crate::vars::format_int(value);
                if quoted { builder.quoted(&text) } else { builder.split_text(&text) }
            }
            Part::Process(input, list) => {
                let path = self.process_substitution(*input, list)?;
                builder.quoted(&path);
            }
            Part::Tilde(name) => {
                let text = self.tilde(name);
                builder.quoted(&text);
            }
        }
        Ok(())
    }

    /// Returns the directory that `~name` means.
    fn tilde(&mut self, name: &[u8]) -> Vec<u8> {
        let value = match name {
            b"" => self.get(crate::sym::HOME).or_else(|| Some(b"/home/user".to_vec())),
            b"+" => self.get(crate::sym::PWD),
            b"-" => self.get(crate::sym::OLDPWD),
            name => match self.stack_entry(name) {
                Some(dir) => Some(dir),
                None => self.home_of(name),
            },
        };
        value.unwrap_or_else(|| [b"~", name].concat())
    }

    fn home_of(&mut self, name: &[u8]) -> Option<Vec<u8>> {
        self.passwd().into_iter().find(|fields| fields[0] == name).and_then(|fields| fields.get(5).cloned())
    }

    /// Returns the users that the session knows, a list of fields for each.
    pub(crate) fn passwd(&mut self) -> Vec<Vec<Vec<u8>>> {
        self.table_of(b"/etc/passwd")
    }

    /// Returns the lines of a table of fields between colons.
    pub(crate) fn table_of(&mut self, path: &[u8]) -> Vec<Vec<Vec<u8>>> {
        let how = crate::sys::OpenHow { read: true, ..Default::default() };
        let Ok(handle) = crate::sys::open(path, how, 0) else { return Vec::new() };
        let table = crate::fds::OpenFile::new(handle).read_all().unwrap_or_default();
        let fields = |line: &[u8]| line.split(|b| *b == b':').map(<[u8]>::to_vec).collect::<Vec<_>>();
        table.split(|b| *b == b'\n').map(fields).filter(|fields| fields.len() > 2).collect()
    }

    /// Reports an expansion error that ends the shell, as for `${x?}` and `set -u`.
    pub(crate) fn fatal(&mut self, message: impl AsRef<[u8]>) -> Flow {
        self.error(message);
        if self.invocation.interactive {
            return Flow::Discard(1);
        }
        if self.traps.leaving && !self.opts.has(b'e') {
            // Only the EXIT trap ends; the status of the shell stays.
            return Flow::Abort(1);
        }
        self.traps.drops_locals = !self.opts.has(b'e') && self.nesting.subshell == 0;
        Flow::Exit(if self.invocation.from_string && self.nesting.subshell == 0 && !self.opts.has(b'e') { 127 } else { 1 })
    }
}

impl Field {
    /// Works like `escaped`, except within a bracket expression, where a backslash has no special meaning.
    fn escaped_outside_brackets(&self, special: &[u8]) -> Vec<u8> {
        let text = &self.text;
        let quoted = |at: usize| self.ranges.iter().any(|(start, end)| (*start..*end).contains(&at));
        let mut out = Vec::with_capacity(text.len() + 8);
        let mut at = 0;
        while at < text.len() {
            if text[at] == b'\\' && !quoted(at) && at + 1 < text.len() {
                out.extend_from_slice(&text[at..at + 2]);
                at += 2;
            } else if text[at] == b'[' && !quoted(at) {
                let end = bracket_end(text, at);
                out.extend_from_slice(&text[at..end]);
                at = end;
            } else {
                if special.contains(&text[at]) && quoted(at) {
                    out.push(b'\\');
                }
                out.push(text[at]);
                at += 1;
            }
        }
        out
    }

    /// Returns the text with the special characters of its quoted pieces escaped.
    pub(crate) fn escaped(&self, special: &[u8]) -> Cow<'_, [u8]> {
        if self.ranges.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        let mut out = Vec::with_capacity(self.text.len() + 8);
        let mut ranges = self.ranges.iter().peekable();
        for (at, byte) in self.text.iter().enumerate() {
            while ranges.peek().is_some_and(|(_, end)| *end <= at) {
                ranges.next();
            }
            let quoted = ranges.peek().is_some_and(|(start, _)| *start <= at);
            if quoted && special.contains(byte) {
                out.push(b'\\');
            }
            out.push(*byte);
        }
        Cow::Owned(out)
    }
}

/// Returns where the bracket expression that begins at `text[at]` ends.
fn bracket_end(text: &[u8], at: usize) -> usize {
    let mut end = at + 1;
    end += usize::from(text.get(end) == Some(&b'^'));
    end += usize::from(text.get(end) == Some(&b']'));
    while let Some(byte) = text.get(end) {
        if *byte == b']' {
            return end + 1;
        }
        if *byte == b'['
            && let Some(kind @ (b':' | b'.' | b'=')) = text.get(end + 1)
            && let Some(close) = text[end + 2..].windows(2).position(|pair| pair == [*kind, b']'])
        {
            end += close + 3;
        }
        end += 1;
    }
    text.len()
}
