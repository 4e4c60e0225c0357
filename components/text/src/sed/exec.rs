//! Running the commands of a script on the pattern space.

use super::Options;
use super::run::{Outputs, Queued, script_error};
use super::script::{Action, Address, Command, End, Pattern, Range, STDOUT, Script};
use super::streams::Input;
use crate::input::Lines;
use crate::regex::{Regex, Span};
use crate::text::first_char;
use std::io::Result;
use std::rc::Rc;

/// How a run of the script ended.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// Print, read the next line.
    Next,
    /// Read the next line.
    Delete,
    /// Start again without reading.
    Restart,
    /// `q`.
    Quit(u8),
    /// `Q`.
    QuitSilently(u8),
    /// `n` or `N` without more input.
    End,
}

/// The state of a run.
pub(super) struct Machine {
    commands: Vec<Command>,
    /// How to run.
    pub options: Options,
    /// The input.
    pub input: Input,
    pub(super) outputs: Outputs,
    readers: Vec<Option<Lines>>,
    /// The pattern space.
    pub pattern: Vec<u8>,
    hold: Vec<u8>,
    /// Whether the line in the hold space had its end.
    hold_ended: bool,
    queue: Vec<Queued>,
    /// Whether `s` replaced something since the last line or `t`.
    pub replaced: bool,
    last: Option<Rc<Regex>>,
    pub(super) groups: Vec<Option<Span>>,
    pub(super) scratch: Vec<u8>,
}

impl Machine {
    /// Ready to run.
    pub(super) fn new(script: Script, options: Options, input: Input, outputs: Outputs, readers: Vec<Option<Lines>>) -> Machine {
        Machine {
            commands: script.commands,
            options,
            input,
            outputs,
            readers,
            pattern: Vec::new(),
            hold: Vec::new(),
            hold_ended: true,
            queue: Vec::new(),
            replaced: false,
            last: None,
            groups: Vec::new(),
            scratch: Vec::new(),
        }
    }

    /// Flush everything.
    pub(super) fn finish(&mut self) -> Result<()> {
        for output in &mut self.outputs.all {
            output.flush()?;
        }
        self.input.finish_edit()
    }

    /// The end of a cycle: print the pattern space if asked, then what `a`, `r` and `R` queued.
    pub(super) fn end_cycle(&mut self, print: bool) -> Result<()> {
        if print && !self.options.quiet {
            self.print_pattern()?;
        }
        for queued in std::mem::take(&mut self.queue) {
            match queued {
                Queued::Text(text) => self.raw(&text)?,
                Queued::Line(line, ended) => self.line(&line, ended.then_some(self.options.end))?,
                Queued::File(name) => {
                    self.raw(b"")?;
                    // A file that cannot be read is nothing, POSIX says.
                    if let Ok(mut lines) = Lines::open(&name) {
                        while lines.fill()? {
                            let text = lines.pending().to_vec();
                            self.raw(&text)?;
                            lines.consume(text.len());
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// A line was read: where files are separate, each begins with nothing in the hold space and no range under way.
    pub(super) fn file_begins(&mut self) -> bool {
        let begins = self.options.separate && self.input.number == 1;
        if begins {
            self.hold.clear();
            self.hold_ended = true;
            self.commands.iter_mut().for_each(Command::reset);
        }
        begins
    }

    /// `0r`: files that come before the first line.
    pub(super) fn before_first_line(&mut self) -> Result<()> {
        for command in &self.commands {
            if let (Some(Address::Line(0)), None, Action::ReadFile(name)) = (&command.from, &command.to, &command.action) {
                self.queue.push(Queued::File(name.clone()));
            }
        }
        self.end_cycle(false)
    }

    pub(super) fn print_pattern(&mut self) -> Result<()> {
        let end = self.input.ended.then_some(self.options.end);
        let output = match &mut self.input.edit {
            Some(edit) => &mut edit.output,
            None => &mut self.outputs.all[STDOUT],
        };
        output.line(&self.pattern, end, self.options.end)
    }

    fn line(&mut self, text: &[u8], end: Option<u8>) -> Result<()> {
        let output = match &mut self.input.edit {
            Some(edit) => &mut edit.output,
            None => &mut self.outputs.all[STDOUT],
        };
        output.line(text, end, self.options.end)
    }

    pub(super) fn raw(&mut self, text: &[u8]) -> Result<()> {
        let output = match &mut self.input.edit {
            Some(edit) => &mut edit.output,
            None => &mut self.outputs.all[STDOUT],
        };
        output.raw(text, self.options.end)
    }

    pub(super) fn write(&mut self, output: usize, text: &[u8]) -> Result<()> {
        let end = self.input.ended.then_some(self.options.end);
        self.outputs.all[output].line(text, end, self.options.end)?;
        // Others may read the file while we run.
        if output > 1 { self.outputs.all[output].flush() } else { Ok(()) }
    }

    pub(super) fn regex(&mut self, pattern: &Pattern) -> Result<Rc<Regex>> {
        match (pattern, &self.last) {
            (Some(regex), _) => {
                self.last = Some(regex.clone());
                Ok(regex.clone())
            }
            (None, Some(last)) => Ok(last.clone()),
            (None, None) => Err(script_error("-e expression #1, char 0: no previous regular expression")),
        }
    }

    fn matches(&mut self, pattern: &Pattern) -> Result<bool> {
        let regex = self.regex(pattern)?;
        Ok(regex.is_match(&self.pattern))
    }

    /// Whether a command's addresses select the current line.
    fn selected(&mut self, command: &mut Command) -> Result<bool> {
        let Some(from) = &command.from else { return Ok(true) };
        let number = self.input.number;
        let Some(to) = &command.to else {
            return match from {
                Address::Line(n) => Ok(*n == number),
                Address::Step(first, step) => Ok(number >= *first && (number - first).is_multiple_of(*step)),
                Address::Last => self.input.last(),
                Address::Match(pattern) => self.matches(pattern),
            };
        };
        match command.range {
            Range::Until(last) => {
                if number >= last {
                    let once = matches!((from, to), (Address::Line(_), End::Plus(_) | End::Multiple(_)));
                    command.range = if once { Range::Done } else { Range::Idle };
                }
                // A line beyond the end was passed over by `n` or `N`; it begins a range only if it matches.
                if number <= last {
                    return Ok(true);
                }
            }
            Range::Open => {
                let over = match to {
                    End::Match(pattern) => self.matches(pattern)?,
                    End::Last => self.input.last()?,
                    _ => true,
                };
                if over {
                    // A range that begins at a line's number is over once and for all.
                    command.range = if matches!(from, Address::Line(_)) { Range::Done } else { Range::Idle };
                }
                return Ok(true);
            }
            Range::Done => return Ok(false),
            Range::Idle => {}
        }
        let begins = match from {
            // The first line may have been passed over: by `d`, by `n`.
            Address::Line(n) => match to {
                End::Line(last) => *n == number || (*n..=*last).contains(&number),
                _ => number >= *n,
            },
            Address::Step(first, step) => number >= *first && (number - first).is_multiple_of(*step),
            Address::Last => self.input.last()?,
            Address::Match(pattern) => self.matches(pattern)?,
        };
        if begins {
            let until = match to {
                End::Line(n) => *n,
                End::Plus(n) => number.saturating_add(*n),
                End::Multiple(0) => number,
                End::Multiple(n) => (number / n + 1).saturating_mul(*n),
                End::Last | End::Match(_) => {
                    command.range = Range::Open;
                    return Ok(true);
                }
            };
            if until > number {
                command.range = Range::Until(until);
            } else if matches!((from, to), (Address::Line(_), End::Plus(_) | End::Multiple(_))) {
                command.range = Range::Done;
            }
        }
        Ok(begins)
    }

    /// Run the script once.
    pub(super) fn script(&mut self) -> Result<Flow> {
        let mut commands = std::mem::take(&mut self.commands);
        let flow = self.commands(&mut commands);
        self.commands = commands;
        flow
    }

    fn commands(&mut self, commands: &mut [Command]) -> Result<Flow> {
        let mut at = 0;
        while let Some(command) = commands.get_mut(at) {
            at += 1;
            if command.from.is_some() && self.selected(command)? == command.negate {
                if let Action::Block(end) = command.action {
                    at = end;
                }
                continue;
            }
            if command.from.is_none() && command.negate {
                continue;
            }
            match &command.action {
                Action::Block(_) | Action::Nothing => {}
                Action::Branch(to) => at = *to,
                Action::BranchIf(to) => {
                    if std::mem::take(&mut self.replaced) {
                        at = *to;
                    }
                }
                Action::BranchUnless(to) => {
                    if !std::mem::take(&mut self.replaced) {
                        at = *to;
                    }
                }
                Action::Subst(subst) => self.subst(subst)?,
                Action::Bytes(table) => self.pattern.iter_mut().for_each(|b| *b = table[usize::from(*b)]),
                Action::Chars(pairs) => self.translate(pairs),
                Action::Append(text) => self.queue.push(Queued::Text(text.clone())),
                Action::Insert(text) => self.inserted(text)?,
                Action::Change(text) => {
                    if command.to.is_none() || command.negate || command.range == Range::Idle || command.range == Range::Done {
                        self.inserted(text)?;
                    }
                    return Ok(Flow::Delete);
                }
                Action::ReadFile(name) => self.queue.push(Queued::File(name.clone())),
                Action::ReadLine(reader) => {
                    let mut line = Vec::new();
                    if let Some(Some(lines)) = self.readers.get_mut(*reader)
                        && let Some(ended) = lines.line(self.options.end, &mut line)?
                    {
                        self.queue.push(Queued::Line(line, ended));
                    }
                }
                Action::Write(output) => {
                    let text = std::mem::take(&mut self.pattern);
                    let done = self.write(*output, &text);
                    self.pattern = text;
                    done?;
                }
                Action::WriteFirst(output) => {
                    let text = self.pattern[..self.first_line()].to_vec();
                    let ended = text.len() < self.pattern.len() || self.input.ended;
                    self.outputs.all[*output].line(&text, ended.then_some(self.options.end), self.options.end)?;
                }
                Action::Delete => return Ok(Flow::Delete),
                Action::DeleteFirst => {
                    let first = self.first_line();
                    if first == self.pattern.len() {
                        return Ok(Flow::Delete);
                    }
                    self.pattern.drain(..=first);
                    return Ok(Flow::Restart);
                }
                Action::Print => self.print_pattern()?,
                Action::PrintFirst => {
                    let first = self.pattern[..self.first_line()].to_vec();
                    let whole = first.len() == self.pattern.len();
                    self.line(&first, (!whole || self.input.ended).then_some(self.options.end))?;
                }
                Action::Next => {
                    if !self.input.more()? {
                        return Ok(if self.options.posix { Flow::Delete } else { Flow::End });
                    }
                    self.end_cycle(true)?;
                    self.pattern.clear();
                    let mut line = std::mem::take(&mut self.pattern);
                    let read = self.input.read(&mut line)?;
                    self.pattern = line;
                    if self.file_begins() {
                        commands.iter_mut().for_each(Command::reset);
                    }
                    if !read {
                        return Ok(Flow::Delete);
                    }
                }
                Action::NextAppend => {
                    if !self.input.more()? {
                        return Ok(Flow::End);
                    }
                    self.end_cycle(false)?;
                    let mut line = std::mem::take(&mut self.pattern);
                    line.push(self.options.end);
                    let before = line.len();
                    let read = self.input.read(&mut line)?;
                    self.pattern = line;
                    if self.file_begins() {
                        commands.iter_mut().for_each(Command::reset);
                    }
                    if !read {
                        self.pattern.truncate(before - 1);
                        return Ok(Flow::End);
                    }
                }
                Action::Quit(status) => return Ok(Flow::Quit(*status)),
                Action::QuitSilently(status) => return Ok(Flow::QuitSilently(*status)),
                Action::List(width) => {
                    let mut out = Vec::new();
                    super::list::list(&self.pattern, width.unwrap_or(self.options.width), &mut out);
                    if let Some(last) = out.last_mut() {
                        *last = self.options.end;
                    }
                    self.raw(&out)?;
                }
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
            }
        }
        Ok(Flow::Next)
    }

    /// Where the first line of the pattern space ends.
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

    /// The text of `i` and `c`; it ends as lines do.
    fn inserted(&mut self, text: &[u8]) -> Result<()> {
        match text.split_last() {
            Some((b'\n', line)) => self.line(line, Some(self.options.end)),
            _ => self.raw(text),
        }
    }
}
