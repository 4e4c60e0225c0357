//! Reading a script. Messages are GNU sed's.

use super::script::{Action, Address, Command, End, Pattern, Range, Script};
use super::source::{Origin, Source};
use crate::regex::{Flavor, Options, Regex};
use crate::sys;
use std::collections::HashMap;
use std::ffi::OsString;
use std::rc::Rc;

/// How scripts are read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Settings {
    /// `-E`.
    pub extended: bool,
    /// `--posix`.
    pub posix: bool,
    /// `--sandbox`.
    pub sandbox: bool,
    /// Characters are UTF-8.
    pub utf8: bool,
    /// `-z`: `M` has no effect.
    pub null_data: bool,
}

type Result<T> = std::result::Result<T, String>;

/// Reads a script.
pub(super) fn parse(pieces: Vec<(Origin, Vec<u8>)>, settings: Settings) -> Result<Script> {
    let quiet = pieces.first().is_some_and(|(_, text)| text.starts_with(b"#n"));
    let mut parser = Parser {
        source: Source::new(pieces),
        settings,
        commands: Vec::new(),
        blocks: Vec::new(),
        labels: HashMap::new(),
        jumps: Vec::new(),
        outputs: vec!["/dev/stdout".into(), "/dev/stderr".into()],
        readers: Vec::new(),
    };
    parser.run()?;
    Ok(Script { commands: parser.commands, outputs: parser.outputs, readers: parser.readers, quiet })
}

/// The parser.
pub(super) struct Parser {
    /// The text.
    pub source: Source,
    /// How it is read.
    pub settings: Settings,
    commands: Vec<Command>,
    blocks: Vec<usize>,
    labels: HashMap<Vec<u8>, usize>,
    jumps: Vec<(usize, Vec<u8>)>,
    outputs: Vec<OsString>,
    readers: Vec<OsString>,
}

impl Parser {
    fn run(&mut self) -> Result<()> {
        loop {
            while self.source.peek().is_some_and(|b| b == b';' || b.is_ascii_whitespace()) {
                self.source.next();
            }
            if self.source.peek().is_none() {
                break;
            }
            self.command()?;
        }
        if !self.blocks.is_empty() {
            return Err(self.source.error_at_start("unmatched `{'"));
        }
        for (at, label) in std::mem::take(&mut self.jumps) {
            let to = match self.labels.get(&label) {
                Some(to) => *to,
                None if label.is_empty() => self.commands.len(),
                None => return Err(format!("can't find label for jump to `{}'", String::from_utf8_lossy(&label))),
            };
            match &mut self.commands[at].action {
                Action::Branch(target) | Action::BranchIf(target) | Action::BranchUnless(target) => *target = to,
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns an error here.
    pub(super) fn fail<T>(&self, message: &str) -> Result<T> {
        Err(self.source.error(message))
    }

    fn command(&mut self) -> Result<()> {
        let from = self.address()?;
        let mut to = None;
        if from.is_some() {
            self.source.blanks();
            if self.source.peek() == Some(b',') {
                self.source.next();
                self.source.blanks();
                to = Some(self.end()?);
            }
        }
        self.source.blanks();
        let first = self.source.peek();
        if matches!(from, Some(Address::Line(0)))
            && !matches!(to, Some(End::Match(_)))
            && (to.is_some() || first != Some(b'r') || self.settings.posix)
            || self.settings.posix && matches!((&from, &to), (Some(Address::Line(0)), Some(_)))
        {
            self.source.next();
            return self.fail("invalid usage of line address 0");
        }
        let mut negate = false;
        while self.source.peek() == Some(b'!') {
            self.source.next();
            if negate {
                return self.fail("multiple `!'s");
            }
            negate = true;
            self.source.blanks();
        }
        let Some(letter) = self.source.next() else { return self.fail("missing command") };
        let zero = matches!(from, Some(Address::Line(0)));
        let (has_from, has_to) = (from.is_some(), to.is_some());
        let range = if zero { Range::Open } else { Range::Idle };
        let at = self.commands.len();
        self.commands.push(Command { from, to, negate, range, action: Action::Nothing });
        let action = self.action(letter, at, has_from, has_to)?;
        if let Some(action) = action {
            self.commands[at].action = action;
        } else {
            self.commands.pop();
        }
        Ok(())
    }

    fn address(&mut self) -> Result<Option<Address>> {
        Ok(Some(match self.source.peek() {
            Some(b'0'..=b'9') => {
                let number = self.source.number().unwrap_or(0);
                self.source.blanks();
                if self.source.peek() == Some(b'~') && !self.settings.posix {
                    self.source.next();
                    self.source.blanks();
                    let step = self.source.number().unwrap_or(0);
                    if step == 0 { Address::Line(number) } else { Address::Step(number, step) }
                } else {
                    Address::Line(number)
                }
            }
            Some(b'$') => {
                self.source.next();
                Address::Last
            }
            Some(b'/') => Address::Match(self.match_address()?),
            Some(b'\\') => Address::Match(self.match_address()?),
            Some(b'+' | b'~') if !self.settings.posix => {
                self.source.next();
                if self.source.number().is_none_or(|n| n == 0) {
                    return Ok(None);
                }
                return self.fail("invalid usage of +N or ~N as first address");
            }
            Some(b',') => {
                self.source.next();
                return self.fail("unknown command: `,'");
            }
            _ => return Ok(None),
        }))
    }

    fn end(&mut self) -> Result<End> {
        if let Some(sign @ (b'+' | b'~')) = self.source.peek().filter(|_| !self.settings.posix) {
            self.source.next();
            let number = self.source.number().unwrap_or(0);
            return Ok(if sign == b'+' { End::Plus(number) } else { End::Multiple(number) });
        }
        match self.source.peek() {
            Some(b',') | None => {}
            _ => match self.address()? {
                Some(Address::Line(number) | Address::Step(number, _)) => return Ok(End::Line(number)),
                Some(Address::Last) => return Ok(End::Last),
                Some(Address::Match(pattern)) => return Ok(End::Match(pattern)),
                None => {}
            },
        }
        self.source.next();
        self.fail("unexpected `,'")
    }

    fn match_address(&mut self) -> Result<Pattern> {
        let mut delimiter = self.source.next().unwrap_or(b'/');
        if delimiter == b'\\' {
            delimiter = match self.source.next() {
                Some(b) if b != b'\n' && b != b'\\' => b,
                _ => return self.fail("unterminated address regex"),
            };
        }
        let Some(text) = super::delimited::regex(&mut self.source, delimiter) else {
            return self.fail("unterminated address regex");
        };
        let (mut fold, mut lines) = (false, false);
        loop {
            match self.source.peek() {
                Some(b'I') => fold = true,
                Some(b'M') => lines = true,
                _ => break,
            }
            self.source.next();
        }
        self.pattern(&text, fold, lines)
    }

    /// Compiles an expression; an empty one is the last one used.
    pub(super) fn pattern(&self, text: &[u8], fold: bool, lines: bool) -> Result<Pattern> {
        if text.is_empty() {
            return if fold || lines { self.fail("cannot specify modifiers on empty regexp") } else { Ok(None) };
        }
        let flavor = if self.settings.extended { Flavor::Extended } else { Flavor::Basic };
        let options =
            Options { flavor, fold, lines: lines && !self.settings.null_data, utf8: self.settings.utf8, posix: self.settings.posix };
        Regex::new(text, options).map(|r| Some(Rc::new(r))).map_err(|e| self.source.error(&e))
    }

    /// Reads what follows a command: blanks, then its end.
    pub(super) fn finish(&mut self) -> Result<()> {
        self.source.blanks();
        match self.source.peek() {
            None | Some(b'\n' | b';' | b'#' | b'}') => {
                if matches!(self.source.peek(), Some(b'\n' | b';')) {
                    self.source.next();
                }
                Ok(())
            }
            Some(_) => {
                self.source.next();
                self.fail("extra characters after command")
            }
        }
    }

    fn action(&mut self, letter: u8, at: usize, has_from: bool, has_to: bool) -> Result<Option<Action>> {
        if self.settings.posix && b"eFvzLQTRW".contains(&letter) {
            return self.fail(&format!("unknown command: `{}'", char::from(letter)));
        }
        if has_to && (matches!(letter, b'q' | b'Q') || self.settings.posix && b"ail=r".contains(&letter)) {
            return self.fail("command only uses one address");
        }
        let action = match letter {
            b'#' => {
                if has_from {
                    return self.fail("comments don't accept any addresses");
                }
                while self.source.next().is_some_and(|b| b != b'\n') {}
                return Ok(None);
            }
            b'{' => {
                self.blocks.push(at);
                return Ok(Some(Action::Block(0)));
            }
            b'}' => {
                let Some(open) = self.blocks.pop() else { return self.fail("unexpected `}'") };
                if has_from {
                    return self.fail("`}' doesn't want any addresses");
                }
                self.commands[open].action = Action::Block(at + 1);
                self.finish()?;
                return Ok(Some(Action::Nothing));
            }
            b':' => {
                if has_from {
                    return self.fail(": doesn't want any addresses");
                }
                self.source.blanks();
                let label = self.word();
                if label.is_empty() {
                    return self.fail("\":\" lacks a label");
                }
                self.labels.insert(label, at);
                return Ok(Some(Action::Nothing));
            }
            b'b' | b't' | b'T' => {
                self.source.blanks();
                let label = self.word();
                self.jumps.push((at, label));
                return Ok(Some(match letter {
                    b'b' => Action::Branch(0),
                    b't' => Action::BranchIf(0),
                    _ => Action::BranchUnless(0),
                }));
            }
            b'a' | b'i' | b'c' => {
                let text = super::delimited::text(&mut self.source, self.settings.posix).map_err(|e| self.source.error(e))?;
                return Ok(Some(match letter {
                    b'a' => Action::Append(text),
                    b'i' => Action::Insert(text),
                    _ => Action::Change(text),
                }));
            }
            b'r' | b'R' | b'w' | b'W' | b'e' => return self.with_rest(letter).map(Some),
            b's' => self.subst()?,
            b'y' => self.translate()?,
            b'v' => {
                self.source.blanks();
                let wanted = self.word();
                if wanted.first().is_some_and(|b| *b > b'4') {
                    return self.fail("expected newer version of sed");
                }
                return Ok(Some(Action::Nothing));
            }
            b'q' | b'Q' | b'l' | b'L' => {
                self.source.blanks();
                let number = if self.settings.posix && letter == b'l' { None } else { self.source.number() };
                match letter {
                    b'q' => Action::Quit(number.unwrap_or(0) as u8),
                    b'Q' => Action::QuitSilently(number.unwrap_or(0) as u8),
                    _ => Action::List(number.map(|n| n as usize)),
                }
            }
            _ => match simple(letter) {
                Some(action) => action,
                None => return self.fail(&format!("unknown command: `{}'", char::from(letter))),
            },
        };
        self.finish()?;
        Ok(Some(action))
    }

    /// Reads a label: a semicolon, a blank, a brace or a comment ends it.
    fn word(&mut self) -> Vec<u8> {
        let mut label = Vec::new();
        while let Some(b) = self.source.peek() {
            if matches!(b, b';' | b'}' | b'#') || b.is_ascii_whitespace() {
                break;
            }
            label.push(b);
            self.source.next();
        }
        label
    }

    fn with_rest(&mut self, letter: u8) -> Result<Action> {
        if self.settings.sandbox {
            return self.fail("e/r/w commands disabled in sandbox mode");
        }
        if letter == b'e' {
            self.source.blanks();
            let mut command = Vec::new();
            while let Some(b) = self.source.next().filter(|b| *b != b'\n') {
                command.push(b);
            }
            return Ok(Action::Execute(command));
        }
        let name = self.file_name()?;
        Ok(match letter {
            b'r' => Action::ReadFile(name),
            b'R' => {
                let known = self.readers.iter().position(|n| *n == name);
                Action::ReadLine(known.unwrap_or_else(|| {
                    self.readers.push(name);
                    self.readers.len() - 1
                }))
            }
            b'w' => Action::Write(self.output(name)),
            _ => Action::WriteFirst(self.output(name)),
        })
    }

    /// Reads the name of a file: the rest of the line.
    pub(super) fn file_name(&mut self) -> Result<OsString> {
        self.source.blanks();
        let mut name = Vec::new();
        while let Some(b) = self.source.peek().filter(|b| *b != b'\n') {
            name.push(b);
            self.source.next();
        }
        if name.is_empty() {
            return self.fail("missing filename in r/R/w/W commands");
        }
        self.source.next();
        Ok(sys::os_string(name))
    }

    /// Returns the number of an output.
    pub(super) fn output(&mut self, name: OsString) -> usize {
        match self.outputs.iter().position(|n| *n == name) {
            Some(at) => at,
            None => {
                self.outputs.push(name);
                self.outputs.len() - 1
            }
        }
    }
}

fn simple(letter: u8) -> Option<Action> {
    Some(match letter {
        b'd' => Action::Delete,
        b'D' => Action::DeleteFirst,
        b'p' => Action::Print,
        b'P' => Action::PrintFirst,
        b'n' => Action::Next,
        b'N' => Action::NextAppend,
        b'=' => Action::Number,
        b'F' => Action::FileName,
        b'z' => Action::Zap,
        b'h' => Action::Hold,
        b'H' => Action::HoldAppend,
        b'g' => Action::Get,
        b'G' => Action::GetAppend,
        b'x' => Action::Exchange,
        _ => return None,
    })
}
