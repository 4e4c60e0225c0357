//! The ways to split: by lines, by bytes, by both, or into a number of parts.

use super::output::{Part, Parts, Told, fail};
use super::unread;
use crate::text;
use std::io::{BufRead, Write};

/// How to split an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// This many lines in each part (`-l`).
    Lines(u64),
    /// This many bytes in each part (`-b`).
    Bytes(u64),
    /// Whole lines, together at most this many bytes (`-C`).
    LineBytes(u64),
    /// This many parts of the same size (`-n N`). With a second number, only that part, to standard output (`-n K/N`).
    Chunks(u64, Option<u64>),
    /// The same, split between lines (`-n l/…`).
    LineChunks(u64, Option<u64>),
    /// The same, with the lines in turn (`-n r/…`).
    RoundRobin(u64, Option<u64>),
}

/// A run of the tool.
pub(super) struct Work<'a> {
    /// The output.
    pub parts: Parts,
    /// What ends a line.
    pub separator: u8,
    /// Leave out empty parts (`-e`).
    pub elide: bool,
    /// The name of the input, for messages.
    pub name: &'a str,
}

impl Work<'_> {
    /// Splits `input`.
    pub(super) fn run(&mut self, way: Way, mut input: impl BufRead) -> Result<(), Told> {
        match way {
            Way::Lines(most) => self.lines(most, input),
            Way::Bytes(most) => self.bytes(most, input),
            Way::LineBytes(most) => self.line_bytes(most, input),
            Way::RoundRobin(count, only) => self.round_robin(count, only, input),
            Way::Chunks(count, only) | Way::LineChunks(count, only) => {
                // The size of the input must be known.
                let mut data = Vec::new();
                input.read_to_end(&mut data).map_err(|error| unread(self.name, &error))?;
                self.chunks(&data, count, only, matches!(way, Way::LineChunks(..)))
            }
        }
    }

    fn read_line(&self, input: &mut impl BufRead, line: &mut Vec<u8>) -> Result<bool, Told> {
        line.clear();
        input.read_until(self.separator, line).map(|read| read > 0).map_err(|error| unread(self.name, &error))
    }

    fn lines(&mut self, most: u64, mut input: impl BufRead) -> Result<(), Told> {
        let mut line = Vec::new();
        let mut more = self.read_line(&mut input, &mut line)?;
        while more {
            let mut part = self.parts.begin()?;
            let mut count = 0;
            while more && count < most {
                self.parts.write(&mut part, &line)?;
                count += 1;
                more = self.read_line(&mut input, &mut line)?;
            }
            self.parts.end(part)?;
        }
        Ok(())
    }

    fn bytes(&mut self, most: u64, mut input: impl BufRead) -> Result<(), Told> {
        let read = |input: &mut dyn BufRead, name| input.fill_buf().map(<[u8]>::is_empty).map_err(|error| unread(name, &error));
        while !read(&mut input, self.name)? {
            let mut part = self.parts.begin()?;
            let mut left = most;
            while left > 0 && !read(&mut input, self.name)? {
                let bytes = input.fill_buf().map_err(|error| unread(self.name, &error))?;
                let some = bytes.len().min(usize::try_from(left).unwrap_or(usize::MAX));
                self.parts.write(&mut part, &bytes[..some])?;
                input.consume(some);
                left -= some as u64;
            }
            self.parts.end(part)?;
        }
        Ok(())
    }

    fn line_bytes(&mut self, most: u64, mut input: impl BufRead) -> Result<(), Told> {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let mut line = Vec::new();
        let mut part: Option<(Part, usize)> = None;
        while self.read_line(&mut input, &mut line)? {
            let mut rest = line.as_slice();
            // As in GNU's split, an incomplete line fits only if it leaves room for a separator.
            let open = usize::from(line.last() != Some(&self.separator));
            while !rest.is_empty() {
                if let Some((full, _)) = part.take_if(|(_, used)| *used > 0 && rest.len() + open > most - *used) {
                    self.parts.end(full)?;
                }
                let (mut to, used) = match part.take() {
                    Some(open) => open,
                    None => (self.parts.begin()?, 0),
                };
                let some = rest.len().min(most - used);
                self.parts.write(&mut to, &rest[..some])?;
                part = Some((to, used + some));
                rest = &rest[some..];
            }
        }
        part.map_or(Ok(()), |(part, _)| self.parts.end(part))
    }

    fn chunks(&mut self, data: &[u8], count: u64, only: Option<u64>, lines: bool) -> Result<(), Told> {
        let size = (data.len() as u64 / count).max(1);
        // The end of chunk `at`.
        let bound = |at: u64| if at >= count { data.len() } else { at.saturating_mul(size).min(data.len() as u64) as usize };
        let end = |at: u64| match bound(at) {
            at if !lines || at == 0 || at == data.len() => at,
            // A line belongs to the chunk where it begins.
            at => memchr::memchr(self.separator, &data[at - 1..]).map_or(data.len(), |found| at + found),
        };
        if let Some(at) = only {
            return self.print(&data[end(at - 1)..end(at)]);
        }
        let mut from = 0;
        for at in 1..=count {
            let to = end(at);
            if to > from || !self.elide {
                let mut part = self.parts.begin()?;
                self.parts.write(&mut part, &data[from..to])?;
                self.parts.end(part)?;
            } else if from == data.len() {
                // All chunks that follow are empty too.
                break;
            }
            from = to;
        }
        Ok(())
    }

    fn round_robin(&mut self, count: u64, only: Option<u64>, mut input: impl BufRead) -> Result<(), Told> {
        let mut line = Vec::new();
        let mut at = 0;
        if let Some(only) = only {
            let mut kept = Vec::new();
            while self.read_line(&mut input, &mut line)? {
                if at % count == only - 1 {
                    kept.extend_from_slice(&line);
                    if kept.len() > 1 << 16 {
                        self.print(&kept)?;
                        kept.clear();
                    }
                }
                at += 1;
            }
            return self.print(&kept);
        }
        if count > i32::MAX as u64 {
            return Err(fail("memory exhausted"));
        }
        // That many files cannot be open at once, so the lines of each are collected.
        let mut all: Vec<Vec<u8>> = Vec::new();
        while self.read_line(&mut input, &mut line)? {
            let index = (at % count) as usize;
            if index == all.len() {
                all.push(Vec::new());
            }
            all[index].extend_from_slice(&line);
            at += 1;
        }
        let empty = if self.elide { 0 } else { count - all.len() as u64 };
        for data in all {
            let mut part = self.parts.begin()?;
            self.parts.write(&mut part, &data)?;
            self.parts.end(part)?;
        }
        for _ in 0..empty {
            let part = self.parts.begin()?;
            self.parts.end(part)?;
        }
        Ok(())
    }

    fn print(&self, bytes: &[u8]) -> Result<(), Told> {
        let mut out = std::io::stdout().lock();
        match out.write_all(bytes).and_then(|()| out.flush()) {
            Ok(()) => Ok(()),
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Err(Told(1)),
            Err(error) => Err(fail(format!("write error: {}", text::reason(&error)))),
        }
    }
}
