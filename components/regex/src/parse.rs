//! POSIX basic and extended expressions with GNU's additions, as sed and awk read them. Errors are in glibc's words.

use crate::ast::{Assert, Node, Set, class, variants};
use crate::bracket;
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
}

/// How an expression is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whose syntax.
    pub flavor: Flavor,
    /// Upper and lower case are one.
    pub fold: bool,
    /// `^` and `$` match at lines.
    pub lines: bool,
    /// Characters are UTF-8.
    pub utf8: bool,
    /// No GNU additions.
    pub posix: bool,
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
}

/// Deeper nesting is an error: the tree is walked recursively.
const DEEPEST: usize = 200;

/// Read an expression.
pub(crate) fn parse(source: &[u8], options: Options) -> Result<Parsed, String> {
    let mut parser = Parser { source, at: 0, options, groups: 0, closed: Vec::new(), back: false, depth: 0 };
    let node = parser.alternatives()?;
    if parser.at < source.len() {
        return Err("Unmatched ) or \\)".into());
    }
    Ok(Parsed { node, groups: parser.groups, back: parser.back })
}

struct Parser<'a> {
    source: &'a [u8],
    at: usize,
    options: Options,
    groups: usize,
    closed: Vec<usize>,
    back: bool,
    depth: usize,
}

enum Repeat {
    None,
    Some(u32, Option<u32>),
}

impl Parser<'_> {
    fn basic(&self) -> bool {
        self.options.flavor == Flavor::Basic
    }
    fn rest(&self) -> &[u8] {
        &self.source[self.at.min(self.source.len())..]
    }
    fn take(&mut self, text: &[u8]) -> bool {
        let found = self.rest().starts_with(text);
        if found {
            self.at += text.len();
        }
        found
    }
    fn at_bar(&self) -> bool {
        match self.options.flavor {
            Flavor::Basic => !self.options.posix && self.rest().starts_with(b"\\|"),
            _ => self.rest().starts_with(b"|"),
        }
    }
    fn at_close(&self) -> bool {
        match self.options.flavor {
            Flavor::Basic => self.rest().starts_with(b"\\)"),
            Flavor::Extended => self.rest().starts_with(b")"),
            // awk: without an open group it is itself.
            Flavor::Awk => self.depth > 0 && self.rest().starts_with(b")"),
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
        // Whether a repetition has nothing to repeat yet.
        let mut first = true;
        while self.at < self.source.len() && !self.at_bar() && !self.at_close() {
            let before = self.at;
            if first && self.options.flavor == Flavor::Extended && self.rest().starts_with(b"{") {
                return Err("Invalid preceding regular expression".into());
            }
            if let Repeat::Some(..) = self.repetition()? {
                // A repetition where none can be: its meaning depends on whose syntax it is.
                if first {
                    match self.options.flavor {
                        Flavor::Basic if self.source[before] == b'*' => parts.push(Node::Literal(vec![b'*'])),
                        Flavor::Awk => {
                            parts.push(self.literal(&self.source[before..self.at]));
                        }
                        _ => return Err("Invalid preceding regular expression".into()),
                    }
                }
                first = false;
                continue;
            }
            let atom = self.atom(first)?;
            let anchor = matches!(atom, Node::Assert(Assert::LineStart)) && first;
            let mut node = atom;
            if !anchor && !self.basic() && self.rest().starts_with(b"{}") {
                return Err("Invalid content of \\{\\}".into());
            }
            if !(anchor && self.options.flavor != Flavor::Extended) {
                while let (at, Repeat::Some(low, high)) = (self.at, self.repetition()?) {
                    if anchor && self.options.flavor == Flavor::Extended {
                        return Err("Invalid preceding regular expression".into());
                    }
                    debug_assert!(self.at > at);
                    node = Node::Repeat(Box::new(node), low, high);
                }
                first = false;
            }
            parts.push(node);
        }
        Ok(match parts.len() {
            0 => Node::Empty,
            1 => parts.remove(0),
            _ => Node::Cat(parts),
        })
    }

    fn literal(&self, bytes: &[u8]) -> Node {
        let mut parts: Vec<Node> = Vec::new();
        let mut at = 0;
        while at < bytes.len() {
            let (c, len) = if self.options.utf8 { first_char(&bytes[at..]) } else { (None, 1) };
            parts.push(self.one(c, &bytes[at..at + len]));
            at += len;
        }
        if parts.len() == 1 { parts.remove(0) } else { Node::Cat(parts) }
    }

    /// A character as it is, or with its other cases.
    fn one(&self, c: Option<char>, bytes: &[u8]) -> Node {
        let code = c.map_or(u32::from(bytes[0]), |c| c as u32);
        if self.options.fold && (c.is_some() || bytes[0] < 0x80) {
            let others = variants(code);
            if !others.is_empty() {
                let mut set = Set { ranges: vec![(code, code)] };
                others.iter().for_each(|o| set.add(*o, *o));
                set.normalize();
                return Node::Set(set);
            }
        }
        Node::Literal(bytes.to_vec())
    }

    /// A repetition operator, if one is here.
    fn repetition(&mut self) -> Result<Repeat, String> {
        let extended = !self.basic();
        if self.take(b"*") {
            return Ok(Repeat::Some(0, None));
        }
        let gnu = !extended && !self.options.posix;
        if (extended && self.take(b"+")) || (gnu && self.take(b"\\+")) {
            return Ok(Repeat::Some(1, None));
        }
        if (extended && self.take(b"?")) || (gnu && self.take(b"\\?")) {
            return Ok(Repeat::Some(0, Some(1)));
        }
        let open: &[u8] = if extended { b"{" } else { b"\\{" };
        if self.rest().starts_with(open) { self.interval(open.len()) } else { Ok(Repeat::None) }
    }

    fn interval(&mut self, open: usize) -> Result<Repeat, String> {
        let start = self.at;
        self.at += open;
        let close: &[u8] = if self.basic() { b"\\}" } else { b"}" };
        let low = self.number();
        let high = if self.take(b",") { self.number().map_or(Some(None), |n| Some(Some(n))) } else { None };
        let done = self.take(close);
        let range = match (low, high) {
            (Some(low), None) => Some((low, Some(low))),
            (low, Some(high)) => Some((low.unwrap_or(0), high)),
            (None, None) => None,
        };
        match range {
            Some((low, high)) if done => {
                if high.is_some_and(|h| h < low) {
                    return Err("Invalid content of \\{\\}".into());
                }
                if low > 32767 || high.is_some_and(|h| h > 32767) {
                    return Err("Regular expression too big".into());
                }
                Ok(Repeat::Some(low, high))
            }
            _ if self.options.flavor == Flavor::Awk => {
                self.at = start;
                Ok(Repeat::None)
            }
            _ if done => Err("Invalid content of \\{\\}".into()),
            _ if self.rest().is_empty() || !self.rest().windows(close.len()).any(|w| w == close) => Err("Unmatched \\{".into()),
            _ => Err("Invalid content of \\{\\}".into()),
        }
    }

    fn number(&mut self) -> Option<u32> {
        let digits = self.rest().iter().take_while(|b| b.is_ascii_digit()).count();
        let text = std::str::from_utf8(&self.rest()[..digits]).ok()?;
        let number = if digits == 0 { None } else { Some(text.parse().unwrap_or(u32::MAX)) };
        self.at += digits;
        number
    }

    fn atom(&mut self, first: bool) -> Result<Node, String> {
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
                Ok(Node::Set(Set::any(self.options.utf8)))
            }
            b'(' if !self.basic() => {
                self.at += 1;
                self.group()
            }
            b'^' if !self.basic() || first => {
                self.at += 1;
                Ok(Node::Assert(Assert::LineStart))
            }
            b'$' if !self.basic() || self.ends_branch() => {
                self.at += 1;
                Ok(Node::Assert(Assert::LineEnd))
            }
            _ => {
                let (c, len) = if self.options.utf8 { first_char(self.rest()) } else { (None, 1) };
                let bytes = self.source[self.at..self.at + len].to_vec();
                self.at += len;
                Ok(self.one(c, &bytes))
            }
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
        if !self.options.posix {
            let assert = match c {
                b'<' => Some(Assert::WordStart),
                b'>' => Some(Assert::WordEnd),
                b'b' if !awk => Some(Assert::Word),
                b'y' if awk => Some(Assert::Word),
                b'B' => Some(Assert::NotWord),
                b'`' => Some(Assert::TextStart),
                b'\'' => Some(Assert::TextEnd),
                _ => None,
            };
            if let Some(assert) = assert {
                return Ok(Node::Assert(assert));
            }
            if let b'w' | b'W' | b's' | b'S' = c {
                let name: &[u8] = if matches!(c, b'w' | b'W') { b"alnum" } else { b"space" };
                let mut set = class(name, self.options.utf8).unwrap_or_default();
                if matches!(c, b'w' | b'W') {
                    set.add(u32::from(b'_'), u32::from(b'_'));
                    set.normalize();
                }
                if matches!(c, b'W' | b'S') {
                    set.negate(self.options.utf8);
                }
                return Ok(Node::Set(set));
            }
        }
        if self.basic() && c == b'(' {
            return self.group();
        }
        if !awk && c.is_ascii_digit() && c != b'0' {
            let number = usize::from(c - b'0');
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
        let (c, len) = if self.options.utf8 { first_char(self.rest()) } else { (None, 1) };
        let bytes = self.source[self.at..self.at + len].to_vec();
        self.at += len;
        Ok(self.one(c, &bytes))
    }

    fn code(&self, byte: u8) -> Node {
        self.one((byte < 0x80).then_some(char::from(byte)), &[byte])
    }
}
