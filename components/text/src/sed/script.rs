//! A compiled sed script.

use crate::regex::Regex;
use std::ffi::OsString;
use std::rc::Rc;

/// A regular expression of a script; `None` means the last one used.
pub(super) type Pattern = Option<Rc<Regex>>;

/// Where a command applies.
pub(super) enum Address {
    /// The line of this number; 0 only before a regular expression.
    Line(u64),
    /// `first~step`.
    Step(u64, u64),
    /// `$`.
    Last,
    /// Lines that match.
    Match(Pattern),
}

/// The end of a range.
pub(super) enum End {
    /// This line.
    Line(u64),
    /// `+N`.
    Plus(u64),
    /// `~N`.
    Multiple(u64),
    /// `$`.
    Last,
    /// A line that matches.
    Match(Pattern),
}

/// State of a range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Range {
    /// Not begun.
    Idle,
    /// Until a line number.
    Until(u64),
    /// Until the end's condition holds.
    Open,
    /// `0,/re/` or a range from a line number that is over.
    Done,
}

/// One command with its addresses.
pub(super) struct Command {
    /// First address.
    pub from: Option<Address>,
    /// Second address.
    pub to: Option<End>,
    /// `!`.
    pub negate: bool,
    /// State of the range.
    pub range: Range,
    /// What to do.
    pub action: Action,
}

impl Command {
    /// Closes the range; `0,/re/` is open from the start.
    pub(super) fn reset(&mut self) {
        self.range = if matches!(self.from, Some(Address::Line(0))) { Range::Open } else { Range::Idle };
    }
}

/// The case conversions, such as `\U`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Case {
    /// `\U`.
    Upper,
    /// `\L`.
    Lower,
    /// `\E`.
    End,
    /// `\u`.
    NextUpper,
    /// `\l`.
    NextLower,
}

/// Part of a replacement.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Text as it is.
    Text(Vec<u8>),
    /// A group, 0 the whole match.
    Group(usize),
    /// From here on in another case.
    Case(Case),
}

/// The `s` command.
pub(super) struct Subst {
    /// What to look for.
    pub pattern: Pattern,
    /// What to put in its place.
    pub parts: Vec<Part>,
    /// From which match on.
    pub number: u64,
    /// `g`.
    pub global: bool,
    /// `p`.
    pub print: bool,
    /// `e`.
    pub execute: bool,
    /// `e` came after `p`.
    pub print_first: bool,
    /// `w`: number of the output.
    pub write: Option<usize>,
}

/// What a command does.
pub(super) enum Action {
    /// `{`: where the block ends.
    Block(usize),
    /// `}`, a label, `v`.
    Nothing,
    /// `b`.
    Branch(usize),
    /// `t`.
    BranchIf(usize),
    /// `T`.
    BranchUnless(usize),
    /// `s`.
    Subst(Box<Subst>),
    /// `y` on bytes.
    Bytes(Box<[u8; 256]>),
    /// `y` on characters.
    Chars(Vec<(char, Vec<u8>)>),
    /// `a`.
    Append(Vec<u8>),
    /// `i`.
    Insert(Vec<u8>),
    /// `c`.
    Change(Vec<u8>),
    /// `r`.
    ReadFile(OsString),
    /// `R`: number of the reader.
    ReadLine(usize),
    /// `w`: number of the output.
    Write(usize),
    /// `W`.
    WriteFirst(usize),
    /// `d`.
    Delete,
    /// `D`.
    DeleteFirst,
    /// `p`.
    Print,
    /// `P`.
    PrintFirst,
    /// `n`.
    Next,
    /// `N`.
    NextAppend,
    /// `q`.
    Quit(u8),
    /// `Q`.
    QuitSilently(u8),
    /// `l`: the width.
    List(Option<usize>),
    /// `=`.
    Number,
    /// `F`.
    FileName,
    /// `z`.
    Zap,
    /// `e`.
    Execute(Vec<u8>),
    /// `h`.
    Hold,
    /// `H`.
    HoldAppend,
    /// `g`.
    Get,
    /// `G`.
    GetAppend,
    /// `x`.
    Exchange,
}

/// Outputs 0 and 1 of a script are `/dev/stdout` and `/dev/stderr`; the others are files.
pub(super) const STDOUT: usize = 0;

/// A compiled script.
pub(super) struct Script {
    /// The commands.
    pub commands: Vec<Command>,
    /// Names of the files written by `w`; the first two are the standard outputs.
    pub outputs: Vec<OsString>,
    /// Names of the files read by `R`.
    pub readers: Vec<OsString>,
    /// `#n` in the first line.
    pub quiet: bool,
}
