//! What commands do to the pattern space, the hold space and the output.

use super::exec::{Flow, Machine};
use super::run::Queued;
use super::script::Action;
use crate::text::first_char;
use std::io::Result;

impl Machine {
    /// Runs a command that leads to the next one.
    pub(super) fn act(&mut self, action: &Action) -> Result<()> {
        match action {
            Action::Subst(subst) => self.subst(subst)?,
            Action::Bytes(table) => self.pattern.iter_mut().for_each(|b| *b = table[usize::from(*b)]),
            Action::Chars(pairs) => self.translate(pairs),
            Action::Append(text) => self.queue.push(Queued::Text(text.clone())),
            Action::Insert(text) => self.insert(text)?,
            Action::ReadFile(name) => self.queue.push(Queued::File(name.clone())),
            Action::ReadLine(reader) => self.queue_line(*reader)?,
            Action::Write(output) => self.write_pattern(*output)?,
            Action::WriteFirst(output) => self.write_first(*output)?,
            Action::Print => self.print_pattern()?,
            Action::PrintFirst => self.print_first()?,
            Action::List(width) => self.list(*width)?,
            Action::Number => {
                let mut text = self.input.number.to_string().into_bytes();
                text.push(self.options.end);
                self.raw(&text)?;
            }
            Action::FileName => {
                let name = crate::sys::bytes(&self.input.name).to_vec();
                self.line(&name, Some(self.options.end))?;
            }
            Action::Zap => self.pattern.clear(),
            Action::Execute(text) => self.execute(text)?,
            Action::Hold => {
                self.hold.clone_from(&self.pattern);
                self.hold_ended = self.input.ended;
            }
            Action::HoldAppend => {
                self.hold.push(self.options.end);
                self.hold.extend_from_slice(&self.pattern);
                self.hold_ended = self.input.ended;
            }
            Action::Get => {
                self.pattern.clone_from(&self.hold);
                self.input.ended = self.hold_ended;
            }
            Action::GetAppend => {
                self.pattern.push(self.options.end);
                self.pattern.extend_from_slice(&self.hold);
                self.input.ended = self.hold_ended;
            }
            Action::Exchange => {
                std::mem::swap(&mut self.pattern, &mut self.hold);
                std::mem::swap(&mut self.input.ended, &mut self.hold_ended);
            }
            Action::Block(_) | Action::Nothing => {}
            // `Machine::commands` runs those that jump, read the next line or end the cycle.
            Action::Branch(_) | Action::BranchIf(_) | Action::BranchUnless(_) | Action::Next | Action::NextAppend => {}
            Action::Change(_) | Action::Delete | Action::DeleteFirst | Action::Quit(_) | Action::QuitSilently(_) => {}
        }
        Ok(())
    }

    /// Implements `n` and `N`: ends the cycle and reads the next line; returns whether there was one.
    pub(super) fn next_line(&mut self, append: bool) -> Result<bool> {
        self.end_cycle(!append)?;
        let mut line = std::mem::take(&mut self.pattern);
        let before = line.len();
        if append {
            line.push(self.options.end);
        } else {
            line.clear();
        }
        let read = self.input.read(&mut line)?;
        if append && !read {
            line.truncate(before);
        }
        self.pattern = line;
        Ok(read)
    }

    /// Implements `D`: deletes the first line; with more lines the script starts again on them.
    pub(super) fn delete_first(&mut self) -> Flow {
        let first = self.first_line();
        if first == self.pattern.len() {
            return Flow::Delete;
        }
        self.pattern.drain(..=first);
        Flow::Restart
    }

    /// Implements `R`: queues the next line of a file.
    fn queue_line(&mut self, reader: usize) -> Result<()> {
        let mut line = Vec::new();
        if let Some(Some(lines)) = self.readers.get_mut(reader)
            && let Some(ended) = lines.line(self.options.end, &mut line)?
        {
            self.queue.push(Queued::Line(line, ended));
        }
        Ok(())
    }

    /// Implements `w`.
    fn write_pattern(&mut self, output: usize) -> Result<()> {
        let text = std::mem::take(&mut self.pattern);
        let done = self.write(output, &text);
        self.pattern = text;
        done
    }

    /// Implements `W`.
    fn write_first(&mut self, output: usize) -> Result<()> {
        let text = self.pattern[..self.first_line()].to_vec();
        let ended = text.len() < self.pattern.len() || self.input.ended;
        self.outputs.all[output].line(&text, ended.then_some(self.options.end), self.options.end)
    }

    /// Implements `P`.
    fn print_first(&mut self) -> Result<()> {
        let first = self.pattern[..self.first_line()].to_vec();
        let whole = first.len() == self.pattern.len();
        self.line(&first, (!whole || self.input.ended).then_some(self.options.end))
    }

    /// Implements `l`: prints the pattern space with its invisible characters shown.
    fn list(&mut self, width: Option<usize>) -> Result<()> {
        let mut out = Vec::new();
        super::list::list(&self.pattern, width.unwrap_or(self.options.width), &mut out);
        if let Some(last) = out.last_mut() {
            *last = self.options.end;
        }
        self.raw(&out)
    }

    /// Returns where the first line of the pattern space ends.
    fn first_line(&self) -> usize {
        memchr::memchr(self.options.end, &self.pattern).unwrap_or(self.pattern.len())
    }

    fn translate(&mut self, pairs: &[(char, Vec<u8>)]) {
        let text = std::mem::take(&mut self.pattern);
        let mut at = 0;
        while at < text.len() {
            let (c, len) = first_char(&text[at..]);
            match pairs.iter().find(|(from, _)| Some(*from) == c) {
                Some((_, to)) => self.pattern.extend_from_slice(to),
                None => self.pattern.extend_from_slice(&text[at..at + len]),
            }
            at += len;
        }
    }

    /// Prints the text of `i` and `c`; it ends as lines do.
    pub(super) fn insert(&mut self, text: &[u8]) -> Result<()> {
        match text.split_last() {
            Some((b'\n', line)) => self.line(line, Some(self.options.end)),
            _ => self.raw(text),
        }
    }
}
