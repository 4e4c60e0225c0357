//! POSIX basic and extended expressions with GNU's additions, as sed, awk and grep read them. Errors are in glibc's words.

use crate::ast::{Assert, Node, Set};
use crate::bracket;
use crate::case::variants;
use crate::classes::class;
use wisp_tool::text::first_char;

/// Whose syntax.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavor {
    /// sed without -E.
    Basic,
    /// sed -E.
    Extended,
    /// awk.
    Awk,
    /// grep, tac, nl and csplit: basic expressions in which a backslash makes no control characters.
    Grep,
    /// grep -E: the same of extended ones, and an operator with nothing to repeat is ignored.
    Egrep,
    /// grep -F: a text.
    Fixed,
}

impl Flavor {
    /// Returns whether the expression is a basic one.
    pub(crate) fn is_basic(self) -> bool {
        matches!(self, Self::Basic | Self::Grep)
    }
    /// Returns whether it is one of grep's.
    pub(crate) fn is_greps(self) -> bool {
        matches!(self, Self::Grep | Self::Egrep | Self::Fixed)
    }
}

/// How an expression is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whose syntax.
    pub flavor: Flavor,
    /// Upper and lower case are one.
    pub fold: bool,
    /// `^` and `$` match at lines. grep's `.` and sets match no newline then, so that a match stays in its line.
    pub lines: bool,
    /// Characters are UTF-8.
    pub utf8: bool,
    /// No GNU additions.
    pub posix: bool,
}

impl Options {
    /// Returns a set of what one character may be, as these options have it.
    pub(crate) fn within_lines(self, mut set: Set) -> Set {
        if self.lines && self.flavor.is_greps() {
            set.remove(u32::from(b'\n'));
        }
        set
    }
}

/// A read expression.
#[derive(Debug)]
pub(crate) struct Parsed {
    /// Its tree.
    pub node: Node,
    /// The number of groups.
    pub groups: usize,
    /// Whether it refers back to a group.
    pub back: bool,
    /// The operators with nothing to repeat that were ignored, as grep's warnings name them.
    pub ignored: Vec<&'static str>,
}

/// Deeper nesting is an error: the tree is walked recursively.
const DEEPEST: usize = 200;

/// Reads an expression; its groups are numbered from `before + 1`.
pub(crate) fn parse(source: &[u8], before: usize, options: Options) -> Result<Parsed, String> {
    let mut parser =
        Parser { source, at: 0, options, before, groups: before, closed: Vec::new(), back: false, depth: 0, ignored: Vec::new() };
    let node = if options.flavor == Flavor::Fixed { parser.literal() } else { parser.alternatives()? };
    if parser.at < source.len() {
        return Err("Unmatched ) or \\)".into());
    }
    Ok(Parsed { node, groups: parser.groups, back: parser.back, ignored: parser.ignored })
}

pub(crate) struct Parser<'a> {
    pub source: &'a [u8],
    pub at: usize,
    pub options: Options,
    /// Groups of expressions before this one.
    before: usize,
    groups: usize,
    closed: Vec<usize>,
    back: bool,
    depth: usize,
    pub ignored: Vec<&'static str>,
}

impl Parser<'_> {
    pub(crate) fn basic(&self) -> bool {
        self.options.flavor.is_basic()
    }
    pub(crate) fn rest(&self) -> &[u8] {
        &self.source[self.at.min(self.source.len())..]
    }
    pub(crate) fn take(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }
    fn at_bar(&self) -> bool {
        if self.basic() { !self.options.posix && self.rest().starts_with(b"\\|") } else { self.rest().starts_with(b"|") }
    }
    fn at_close(&self) -> bool {
        match self.options.flavor {
            Flavor::Basic | Flavor::Grep => self.rest().starts_with(b"\\)"),
            Flavor::Extended => self.rest().starts_with(b")"),
            // Without an open group it is itself.
            Flavor::Awk | Flavor::Egrep | Flavor::Fixed => self.depth > 0 && self.rest().starts_with(b")"),
        }
    }

    fn alternatives(&mut self) -> Result<Node, String> {
        let mut all = vec![self.branch()?];
        while self.at_bar() {
            self.at += if self.basic() { 2 } else { 1 };
            all.push(self.branch()?);
        }
        Ok(if all.len() == 1 { all.remove(0) } else { Node::Alt(all) })
    }

    fn branch(&mut self) -> Result<Node, String> {
        let mut parts: Vec<Node> = Vec::new();
        // Whether nothing was read yet, and whether a repetition has nothing to repeat yet.
        let (mut start, mut first) = (true, true);
        while self.at < self.source.len() && !self.at_bar() && !self.at_close() {
            if first && self.operator_is_ignored()? {
                continue;
            }
            let caret = self.rest().starts_with(b"^");
            let mut node = self.atom(start)?;
            start = false;
            let anchor = caret && matches!(node, Node::Assert(Assert::LineStart));
            if anchor && (self.basic() || (first && self.options.flavor == Flavor::Awk)) {
                parts.push(node);
                continue;
            }
            let may_be_itself = self.basic() || (anchor && (first || self.options.flavor == Flavor::Egrep));
            let mut repeated = false;
            loop {
                if !may_be_itself && self.rest().starts_with(b"{}") {
                    return Err("Invalid content of \\{\\}".into());
                }
                let at = self.at;
                let Some((low, high)) = self.repetition()? else { break };
                match self.options.flavor {
                    Flavor::Extended if anchor && first => return Err("Invalid preceding regular expression".into()),
                    // It is repeated, and grep says so.
                    Flavor::Egrep if anchor && !repeated => self.ignored.push(self.operator(at)),
                    _ => {}
                }
                node = Node::Repeat(Box::new(node), low, high);
                repeated = true;
            }
            first = false;
            parts.push(node);
        }
        Ok(match parts.len() {
            0 => Node::Empty,
            1 => parts.remove(0),
            _ => Node::Cat(parts),
        })
    }

    /// Returns all of the rest, as it is.
    fn literal(&mut self) -> Node {
        let mut parts: Vec<Node> = Vec::new();
        while self.at < self.source.len() {
            parts.push(self.character());
        }
        match parts.len() {
            0 => Node::Empty,
            1 => parts.remove(0),
            _ => Node::Cat(parts),
        }
    }

    fn character(&mut self) -> Node {
        let (c, len) = if self.options.utf8 { first_char(self.rest()) } else { (None, 1) };
        let bytes = &self.source[self.at..self.at + len];
        self.at += len;
        self.one(c, bytes)
    }

    /// Returns a character as it is, or with its other cases.
    fn one(&self, c: Option<char>, bytes: &[u8]) -> Node {
        let code = c.map_or(u32::from(bytes[0]), |c| c as u32);
        if self.options.fold && (c.is_some() || bytes[0] < 0x80) {
            let mut set = Set { ranges: variants(code, self.options.utf8).map(|other| (other, other)).collect() };
            if !set.ranges.is_empty() {
                set.add(code, code);
                set.normalize();
                return Node::Set(set);
            }
        }
        Node::Literal(bytes.to_vec())
    }

    fn atom(&mut self, start: bool) -> Result<Node, String> {
        let b = self.source[self.at];
        match b {
            b'\\' => self.escape(),
            b'[' => {
                let (set, end) = bracket::parse(self.source, self.at, self.options)?;
                self.at = end;
                Ok(set)
            }
            b'.' => {
                self.at += 1;
                Ok(Node::Set(self.options.within_lines(Set::any(self.options.utf8))))
            }
            b'(' if !self.basic() => {
                self.at += 1;
                self.group()
            }
            b'^' if !self.basic() || start => {
                self.at += 1;
                Ok(Node::Assert(Assert::LineStart))
            }
            b'$' if !self.basic() || self.ends_branch() => {
                self.at += 1;
                Ok(Node::Assert(Assert::LineEnd))
            }
            _ => Ok(self.character()),
        }
    }

    fn ends_branch(&self) -> bool {
        let after = &self.source[self.at + 1..];
        after.is_empty() || after.starts_with(b"\\)") || (after.starts_with(b"\\|") && !self.options.posix)
    }

    fn group(&mut self) -> Result<Node, String> {
        self.groups += 1;
        let number = self.groups;
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err("Regular expression too big".into());
        }
        let inner = self.alternatives()?;
        let close: &[u8] = if self.basic() { b"\\)" } else { b")" };
        if !self.take(close) {
            return Err("Unmatched ( or \\(".into());
        }
        self.depth -= 1;
        self.closed.push(number);
        Ok(Node::Group(Box::new(inner), number))
    }

    fn escape(&mut self) -> Result<Node, String> {
        let Some(&c) = self.source.get(self.at + 1) else {
            return if self.options.flavor == Flavor::Awk {
                self.at += 1;
                Ok(Node::Literal(vec![b'\\']))
            } else {
                Err("Trailing backslash".into())
            };
        };
        self.at += 2;
        let awk = self.options.flavor == Flavor::Awk;
        if !self.options.posix
            && let Some(node) = self.addition(c)
        {
            return Ok(node);
        }
        if self.basic() && c == b'(' {
            return self.group();
        }
        if !awk && c.is_ascii_digit() && c != b'0' {
            let number = self.before + usize::from(c - b'0');
            if !self.closed.contains(&number) {
                return Err("Invalid back reference".into());
            }
            self.back = true;
            return Ok(Node::Back(number));
        }
        if let Some((byte, len)) = crate::escapes::decode(&self.source[self.at - 1..], self.options.flavor) {
            self.at += len - 1;
            return Ok(self.code(byte));
        }
        self.at -= 1;
        Ok(self.character())
    }

    /// Returns what GNU adds to POSIX: positions and sets that a backslash and a letter stand for.
    fn addition(&self, c: u8) -> Option<Node> {
        let awk = self.options.flavor == Flavor::Awk;
        let greps = self.options.flavor.is_greps();
        let assert = match c {
            b'<' => Assert::WordStart,
            b'>' => Assert::WordEnd,
            b'b' if !awk => Assert::Word,
            b'y' if awk => Assert::Word,
            b'B' => Assert::NotWord,
            b'`' if greps => Assert::LineStart,
            b'\'' if greps => Assert::LineEnd,
            b'`' => Assert::TextStart,
            b'\'' => Assert::TextEnd,
            b'w' | b'W' | b's' | b'S' => {
                let name: &[u8] = if matches!(c, b'w' | b'W') { b"alnum" } else { b"space" };
                let mut set = class(name, self.options.utf8).unwrap_or_default();
                if matches!(c, b'w' | b'W') {
                    set.add(u32::from(b'_'), u32::from(b'_'));
                    set.normalize();
                }
                if matches!(c, b'W' | b'S') {
                    set.negate(self.options.utf8);
                }
                return Some(Node::Set(self.options.within_lines(set)));
            }
            _ => return None,
        };
        Some(Node::Assert(assert))
    }

    fn code(&self, byte: u8) -> Node {
        self.one((byte < 0x80).then_some(char::from(byte)), &[byte])
    }
}
