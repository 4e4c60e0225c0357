//! Running the commands of a script on the pattern space.

use super::Options;
use super::run::{Outputs, Queued, script_error};
use super::script::{Action, Address, Command, End, Pattern, Range, STDOUT, Script};
use super::streams::Input;
use crate::input::Lines;
use crate::regex::{Regex, Span};
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
    pub(super) readers: Vec<Option<Lines>>,
    /// The pattern space.
    pub pattern: Vec<u8>,
    pub(super) hold: Vec<u8>,
    /// Whether the line in the hold space had its end.
    pub(super) hold_ended: bool,
    pub(super) queue: Vec<Queued>,
    /// Whether `s` replaced something since the last line or `t`.
    pub replaced: bool,
    last: Option<Rc<Regex>>,
    pub(super) groups: Vec<Option<Span>>,
    pub(super) scratch: Vec<u8>,
}

impl Machine {
    /// Creates a machine that is ready to run.
    pub(super) fn new(script: Script, options: Options, input: Input, outputs: Outputs, readers: Vec<Option<Lines>>) -> Self {
        Self {
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

    /// Flushes everything.
    pub(super) fn finish(&mut self) -> Result<()> {
        for output in &mut self.outputs.all {
            output.flush()?;
        }
        self.input.finish_edit()
    }

    /// Ends a cycle: prints the pattern space if asked, then what `a`, `r` and `R` queued.
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
                    // POSIX: a file that cannot be read counts as empty.
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

    /// Returns whether a file begins; called after a line was read. If files are separate, each begins with an empty hold space and no open
    /// range.
    pub(super) fn file_begins(&mut self) -> bool {
        let begins = self.options.separate && self.input.number == 1;
        if begins {
            self.hold.clear();
            self.hold_ended = true;
            self.commands.iter_mut().for_each(Command::reset);
        }
        begins
    }

    /// Implements `0r`: prints files before the first line.
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

    pub(super) fn line(&mut self, text: &[u8], end: Option<u8>) -> Result<()> {
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
        // Other programs may read the file at the same time.
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

    /// Returns whether a command's addresses select the current line.
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
                // `n` or `N` skipped the end; this line begins a range only if it matches.
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
                    // A range that begins at a line number does not occur again.
                    command.range = if matches!(from, Address::Line(_)) { Range::Done } else { Range::Idle };
                }
                return Ok(true);
            }
            Range::Done => return Ok(false),
            Range::Idle => {}
        }
        let begins = match from {
            // A command such as `d` or `n` may have skipped the first line.
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

    /// Runs the script once.
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
            if !self.applies(command)? {
                if let Action::Block(end) = command.action {
                    at = end;
                }
                continue;
            }
            match &command.action {
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
                Action::Change(text) => {
                    // A range is replaced as a whole: the text follows its last line.
                    let range_goes_on = !matches!(command.range, Range::Idle | Range::Done);
                    if command.to.is_none() || command.negate || !range_goes_on {
                        self.insert(text)?;
                    }
                    return Ok(Flow::Delete);
                }
                Action::Delete => return Ok(Flow::Delete),
                Action::DeleteFirst => return Ok(self.delete_first()),
                Action::Next | Action::NextAppend => {
                    let append = matches!(command.action, Action::NextAppend);
                    if !self.input.more()? {
                        return Ok(if self.options.posix && !append { Flow::Delete } else { Flow::End });
                    }
                    let read = self.next_line(append)?;
                    if self.file_begins() {
                        commands.iter_mut().for_each(Command::reset);
                    }
                    if !read {
                        return Ok(if append { Flow::End } else { Flow::Delete });
                    }
                }
                Action::Quit(status) => return Ok(Flow::Quit(*status)),
                Action::QuitSilently(status) => return Ok(Flow::QuitSilently(*status)),
                action => self.act(action)?,
            }
        }
        Ok(Flow::Next)
    }

    /// Returns whether a command runs on the current line.
    fn applies(&mut self, command: &mut Command) -> Result<bool> {
        if command.from.is_none() {
            return Ok(!command.negate);
        }
        Ok(self.selected(command)? != command.negate)
    }
}
