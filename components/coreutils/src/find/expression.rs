//! What `find` looks for: the expression as a tree.

use super::exec::Exec;
use crate::sys::Kind;

/// Nanoseconds in a second.
pub(super) const SECOND: i128 = 1_000_000_000;
/// Nanoseconds in a day.
pub(super) const DAY: i128 = 86_400 * SECOND;

/// How a number must compare to `n`: `+n`, `-n`, `n`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Compare {
    /// More than.
    More(i128),
    /// Less than.
    Less(i128),
    /// Exactly.
    Equal(i128),
}

impl Compare {
    /// Reads `+n`, `-n` or `n`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let number = |t: &str| if t.bytes().all(|b| b.is_ascii_digit()) { t.parse::<i128>().ok() } else { None };
        match text.as_bytes().first()? {
            b'+' => number(&text[1..]).map(Compare::More),
            b'-' => number(&text[1..]).map(Compare::Less),
            _ => number(text).map(Compare::Equal),
        }
    }

    /// Returns the same with a fraction, such as `-0.5` or `+1.25`, in nanoseconds; `unit` is one, in nanoseconds.
    pub(super) fn scaled(text: &str, unit: i128) -> Option<Self> {
        let (how, number) = match text.as_bytes().first()? {
            b'+' => (Compare::More as fn(i128) -> Self, &text[1..]),
            b'-' => (Compare::Less as fn(i128) -> Self, &text[1..]),
            _ => (Compare::Equal as fn(i128) -> Self, text),
        };
        let (whole, part) = number.split_once('.').unwrap_or((number, ""));
        if number.len() <= number.matches('.').count() || !(whole.to_owned() + part).bytes().all(|b| b.is_ascii_digit()) {
            return None;
        }
        let whole: i128 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
        let part: f64 = format!("0.{part}").parse().ok()?;
        Some(how(whole.saturating_mul(unit).saturating_add((part * unit as f64) as i128)))
    }

    /// Returns whether `value` compares in this way.
    pub(super) fn holds(self, value: i128) -> bool {
        match self {
            Self::More(n) => value > n,
            Self::Less(n) => value < n,
            Self::Equal(n) => value == n,
        }
    }
}

/// One of a file's times.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stamp {
    /// Last access.
    Access,
    /// Last change of status.
    Change,
    /// Last change of contents.
    Modify,
}

/// Where an action writes: standard output, or a file by its index in `Plan::files`.
pub(super) type Sink = Option<usize>;

/// A test or an action.
pub(super) enum Step {
    True,
    False,
    Name {
        pattern: String,
        fold: bool,
    },
    Path {
        pattern: String,
        fold: bool,
    },
    LinkName {
        pattern: String,
        fold: bool,
    },
    Regex(Box<wisp_regex::Regex>),
    Type {
        kinds: Vec<Kind>,
        crossed: bool,
    },
    Size {
        compare: Compare,
        unit: u64,
    },
    Empty,
    /// Days between the last change of status and the last access.
    Used(Compare),
    /// Age in days or minutes, compared in nanoseconds.
    Age {
        stamp: Stamp,
        days: bool,
        compare: Compare,
    },
    Newer {
        stamp: Stamp,
        than: i128,
    },
    Perm {
        bits: u32,
        how: char,
    },
    User(Compare),
    Group(Compare),
    NoUser,
    NoGroup,
    Links(Compare),
    Inode(Compare),
    Same {
        dev: u64,
        ino: u64,
    },
    Access(u32),
    FsType(String),
    Print {
        sink: Sink,
        end: u8,
    },
    Printf {
        sink: Sink,
        format: Vec<super::printf::Piece>,
    },
    Ls {
        sink: Sink,
    },
    Delete,
    Prune,
    Quit,
    Exec(usize),
}

/// The expression.
pub(super) enum Expression {
    Step(Step),
    Not(Box<Self>),
    And(Vec<Self>),
    Or(Vec<Self>),
    /// All are evaluated; the value is the last's.
    List(Vec<Self>),
}

/// Which symbolic links are followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Links {
    /// None (`-P`).
    Never,
    /// Starting points (`-H`).
    Arguments,
    /// All (`-L`).
    Always,
}

/// A parsed command line.
pub(super) struct Plan {
    pub starts: Vec<std::path::PathBuf>,
    pub expression: Expression,
    pub execs: Vec<Exec>,
    pub files: Vec<std::io::BufWriter<std::fs::File>>,
    pub links: Links,
    pub min_depth: usize,
    pub max_depth: usize,
    pub contents_first: bool,
    pub one_system: bool,
    /// The moment from which ages are counted.
    pub now: i128,
}
