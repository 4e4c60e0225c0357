//! Searching one input, chunk by chunk, so that an endless pipe works.

use super::colors::Colors;
use super::matcher::Matcher;
use super::options::{Binary, Mode, Options};
use super::output::{self, Input, Sep};
use std::collections::VecDeque;
use std::io::{Read, Result, Write};

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

/// The search through one input.
pub(super) struct Search<'a> {
    o: &'a Options,
    matcher: &'a Matcher,
    input: Input<'a>,
    /// Whether a group was printed before, in this file or another.
    separate: &'a mut bool,
    /// Lines selected so far.
    pub selected: u64,
    end: u8,
    number: u64,
    offset: u64,
    before: VecDeque<(u64, u64, Vec<u8>)>,
    after: usize,
    last_printed: u64,
    binary: bool,
    /// Whether a line was left out because it is no text.
    unprinted: bool,
    done: bool,
    /// How much was read, and how much of it up to the last line that was selected.
    read: u64,
    wanted: u64,
}

impl<'a> Search<'a> {
    /// Creates a search that has read nothing.
    pub(super) fn new(o: &'a Options, matcher: &'a Matcher, input: Input<'a>, separate: &'a mut bool) -> Self {
        let end = if o.narrow.null_data { 0 } else { b'\n' };
        Search {
            o,
            matcher,
            input,
            separate,
            selected: 0,
            end,
            number: 0,
            offset: 0,
            before: VecDeque::new(),
            after: 0,
            last_printed: 0,
            binary: false,
            unprinted: false,
            done: false,
            read: 0,
            wanted: 0,
        }
    }

    /// Reads all of `input` and prints what was asked for.
    pub(super) fn run(&mut self, mut input: impl Read, out: &mut impl Write) -> Result<()> {
        let mut buffer: Vec<u8> = Vec::new();
        let mut first = true;
        if self.o.most == Some(0) {
            self.done = true;
        }
        while !self.done {
            let old = buffer.len();
            // Long lines make the chunks grow, so that the work stays linear.
            buffer.resize(old + CHUNK.max(old), 0);
            let got = loop {
                match input.read(&mut buffer[old..]) {
                    Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                    other => break other,
                }
            };
            buffer.truncate(old + *got.as_ref().unwrap_or(&0));
            let got = got?;
            self.read += got as u64;
            if self.o.binary != Binary::Text && !self.binary && self.end != 0 && memchr::memchr(0, &buffer[old..]).is_some() {
                self.binary = true;
            }
            if self.binary && self.end != 0 && self.o.binary == Binary::Report {
                // As GNU's: in a binary file NUL ends lines too.
                buffer[old..].iter_mut().filter(|b| **b == 0).for_each(|b| *b = self.end);
            }
            if first && self.binary && self.o.binary == Binary::Skip {
                break;
            }
            first = false;
            if got == 0 {
                if !buffer.is_empty() {
                    let rest = std::mem::take(&mut buffer);
                    self.region(&rest, out)?;
                }
                break;
            }
            if let Some(at) = memchr::memrchr(self.end, &buffer[old..]) {
                let rest = buffer.split_off(old + at + 1);
                let region = std::mem::replace(&mut buffer, rest);
                self.region(&region, out)?;
            }
        }
        self.finish(out)
    }

    /// Returns how much was read behind the last line that `-m` allows.
    pub(super) fn surplus(&self) -> u64 {
        if self.o.most.is_some_and(|most| self.selected >= most) { self.read - self.wanted } else { 0 }
    }

    /// Prints what comes at the end of an input.
    pub(super) fn finish(&mut self, out: &mut impl Write) -> Result<()> {
        match self.o.mode {
            _ if self.o.quiet => Ok(()),
            Mode::Count => {
                if self.o.names {
                    output::paint(self.o, |c| &c.name, &crate::text::written(self.input.name), out)?;
                    if self.o.null_names { out.write_all(b"\0")? } else { output::paint(self.o, |c| &c.separator, b":", out)? }
                }
                writeln!(out, "{}", self.selected)
            }
            Mode::With if self.selected > 0 => output::name(self.o, self.input.name, out),
            Mode::Without if self.selected == 0 => output::name(self.o, self.input.name, out),
            Mode::Lines | Mode::Parts if (self.binary || self.unprinted) && self.selected > 0 && self.o.binary == Binary::Report => {
                out.flush()?;
                crate::text::complain_of("grep", self.input.name, "binary file matches");
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Searches whole lines. The matcher runs over many lines at once where it can.
    fn region(&mut self, region: &[u8], out: &mut impl Write) -> Result<()> {
        let mut at = 0;
        while at < region.len() && !self.done {
            match self.next(region, at) {
                Some((start, end)) => {
                    self.others(&region[at..start], out)?;
                    if !self.done {
                        self.line(&region[start..end], !self.o.invert, out)?;
                    }
                    at = end;
                }
                None => {
                    self.others(&region[at..], out)?;
                    at = region.len();
                }
            }
        }
        Ok(())
    }

    /// Returns the next line that matches, with its end.
    fn next(&self, region: &[u8], from: usize) -> Option<(usize, usize)> {
        let line_end = |at: usize| memchr::memchr(self.end, &region[at..]).map_or(region.len(), |e| at + e + 1);
        if self.matcher.spans_lines {
            // No match contains a line's end: where one ends is its line.
            let at = self.matcher.any_end(region, from)?;
            if at >= region.len() && region.last() == Some(&self.end) {
                return None;
            }
            let begin = memchr::memrchr(self.end, &region[from..at]).map_or(from, |b| from + b + 1);
            return Some((begin, line_end(at)));
        }
        let mut at = from;
        while at < region.len() {
            let end = line_end(at);
            if self.matcher.is_match(self.body(&region[at..end])) {
                return Some((at, end));
            }
            at = end;
        }
        None
    }

    fn body<'l>(&self, line: &'l [u8]) -> &'l [u8] {
        line.strip_suffix(&[self.end]).unwrap_or(line)
    }

    /// Prints lines that do not match.
    fn others(&mut self, lines: &[u8], out: &mut impl Write) -> Result<()> {
        if lines.is_empty() {
            return Ok(());
        }
        let every = self.o.invert || self.o.before > 0 || self.after > 0;
        if !every {
            if self.o.numbers || self.o.context {
                self.number += memchr::memchr_iter(self.end, lines).count() as u64 + u64::from(lines.last() != Some(&self.end));
            }
            self.offset += lines.len() as u64;
            return Ok(());
        }
        let mut at = 0;
        while at < lines.len() && !self.done {
            let end = memchr::memchr(self.end, &lines[at..]).map_or(lines.len(), |e| at + e + 1);
            self.line(&lines[at..end], self.o.invert, out)?;
            at = end;
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8], selected: bool, out: &mut impl Write) -> Result<()> {
        self.number += 1;
        let offset = self.offset;
        self.offset += line.len() as u64;
        // Behind the last line that -m allows there is context only.
        if !selected || self.o.most.is_some_and(|most| self.selected >= most) {
            return self.context(line, offset, out);
        }
        self.selected += 1;
        self.wanted = self.offset;
        let enough = self.o.most.is_some_and(|most| self.selected >= most);
        match self.o.mode {
            _ if self.o.quiet => self.done = true,
            Mode::With | Mode::Without => self.done = true,
            Mode::Count => self.done |= enough,
            Mode::Lines | Mode::Parts => {
                if self.binary {
                    *self.separate = true;
                    self.done = true;
                    return Ok(());
                }
                self.group(out)?;
                for (number, offset, line) in std::mem::take(&mut self.before) {
                    self.print(&line, number, offset, Sep::Context, out)?;
                }
                if self.print(line, self.number, offset, Sep::Match, out)? {
                    self.after = self.o.after;
                }
                self.done |= enough && self.after == 0;
                if self.o.line_buffered {
                    out.flush()?;
                }
            }
        }
        Ok(())
    }

    /// Returns whether a text cannot be printed, as it is no UTF-8: the file is a binary one then.
    fn undecodable(&mut self, text: &[u8]) -> bool {
        let bad = self.o.binary != Binary::Text && !self.o.narrow.bytes && std::str::from_utf8(text).is_err();
        self.unprinted |= bad;
        bad
    }

    /// Prints the separator between groups of lines that do not touch.
    fn group(&mut self, out: &mut impl Write) -> Result<()> {
        if !self.o.context {
            return Ok(());
        }
        let first = self.number - self.before.len() as u64;
        if *self.separate
            && (self.last_printed == 0 || first > self.last_printed + 1)
            && let Some(separator) = &self.o.separator
        {
            output::paint(self.o, |c| &c.separator, separator.as_bytes(), out)?;
            out.write_all(b"\n")?;
        }
        *self.separate = true;
        Ok(())
    }

    fn context(&mut self, line: &[u8], offset: u64, out: &mut impl Write) -> Result<()> {
        if !matches!(self.o.mode, Mode::Lines | Mode::Parts) || self.o.quiet || self.binary {
            return Ok(());
        }
        if self.after > 0 {
            self.after -= 1;
            if !self.print(line, self.number, offset, Sep::Context, out)? {
                self.after = 0;
            }
            self.done |= self.after == 0 && self.o.most.is_some_and(|most| self.selected >= most);
        } else if self.o.before > 0 {
            if self.before.len() == self.o.before {
                self.before.pop_front();
            }
            self.before.push_back((self.number, offset, line.to_vec()));
        }
        Ok(())
    }

    /// Prints a line; returns whether that was possible.
    fn print(&mut self, line: &[u8], number: u64, offset: u64, sep: Sep, out: &mut impl Write) -> Result<bool> {
        let body = self.body(line);
        if self.o.mode == Mode::Parts {
            if (sep == Sep::Context) != self.o.invert {
                self.last_printed = number;
                return Ok(true);
            }
            for (start, end) in self.parts(body) {
                if self.undecodable(&body[start..end]) {
                    return Ok(false);
                }
                output::prefix(self.o, &self.input, number, offset + start as u64, sep, false, out)?;
                let mark: output::Mark = if sep == Sep::Match { |c| &c.selected } else { |c| &c.context };
                output::paint(self.o, mark, &body[start..end], out)?;
                out.write_all(&[self.end])?;
            }
            self.last_printed = number;
            return Ok(true);
        }
        if self.undecodable(body) {
            return Ok(false);
        }
        self.last_printed = number;
        output::prefix(self.o, &self.input, number, offset, sep, body.is_empty(), out)?;
        match &self.o.color {
            Some(colors) => self.colored(colors, body, sep, out)?,
            None => out.write_all(body)?,
        }
        out.write_all(&[self.end])?;
        Ok(true)
    }

    /// Prints a line with what matches marked.
    fn colored(&self, colors: &Colors, body: &[u8], sep: Sep, out: &mut impl Write) -> Result<()> {
        let selected = sep == Sep::Match;
        let (matched, whole) = if selected { (&colors.selected, &colors.selected_line) } else { (&colors.context, &colors.context_line) };
        let other = if selected { &colors.context_line } else { &colors.selected_line };
        let whole = if colors.reverse && self.o.invert { other } else { whole };
        let mut at = 0;
        if selected != self.o.invert {
            for (start, end) in self.parts(body) {
                colors.start(whole, out)?;
                out.write_all(&body[at..start])?;
                colors.start(matched, out)?;
                out.write_all(&body[start..end])?;
                colors.end(matched, out)?;
                at = end;
            }
        }
        if at < body.len() {
            colors.start(whole, out)?;
            out.write_all(&body[at..])?;
            colors.end(whole, out)?;
        }
        Ok(())
    }

    /// Returns the parts of a line that match and are not empty.
    fn parts(&self, line: &[u8]) -> Vec<(usize, usize)> {
        let (mut parts, mut at) = (Vec::new(), 0);
        while at <= line.len() {
            let Some((start, end)) = self.matcher.find(line, at) else { break };
            if end > start {
                parts.push((start, end));
                at = end;
            } else {
                at = end + 1;
                while !self.o.narrow.bytes && at < line.len() && (line[at] & 0xc0) == 0x80 {
                    at += 1;
                }
            }
        }
        parts
    }
}
