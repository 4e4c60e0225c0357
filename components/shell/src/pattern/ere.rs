//! Extended regular expressions, for `=~`.

use super::char_at;
use super::class::{Class, fold};
use super::program::{Found, Inst, Program, either};

/// A compiled regular expression.
pub struct Regex {
    program: Program,
    groups: usize,
}

#[derive(Debug, Clone)]
enum Node {
    Empty,
    Char(u32),
    Any,
    Class(Class),
    Start,
    End,
    Group(Box<Self>, usize),
    Concat(Vec<Self>),
    Or(Vec<Self>),
    Repeat(Box<Self>, u32, Option<u32>),
}

/// Maximum repetitions that `{n,m}` may ask for, as in POSIX; more would only make the program large.
const MAX_REPEAT: u32 = 255;
/// Maximum size of a program: repetitions of repetitions multiply.
const MAX_CODE: usize = 100_000;
/// Nesting of groups; protects the stack.
const MAX_DEPTH: usize = 100;

struct Parse<'a> {
    text: &'a [u8],
    at: usize,
    groups: usize,
    depth: usize,
    nocase: bool,
}

impl Parse<'_> {
    fn or(&mut self) -> Option<Node> {
        let mut list = vec![self.concat()?];
        while self.text.get(self.at) == Some(&b'|') {
            self.at += 1;
            list.push(self.concat()?);
        }
        if list.len() == 1 { list.pop() } else { Some(Node::Or(list)) }
    }

    fn concat(&mut self) -> Option<Node> {
        let mut list = Vec::new();
        while let Some(byte) = self.text.get(self.at) {
            if *byte == b'|' || (*byte == b')' && self.depth > 0) {
                break;
            }
            let atom = self.atom()?;
            list.push(self.repeat(atom)?);
        }
        Some(if list.is_empty() { Node::Empty } else { Node::Concat(list) })
    }

    fn atom(&mut self) -> Option<Node> {
        let byte = self.text[self.at];
        self.at += 1;
        Some(match byte {
            b'(' => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    return None;
                }
                self.groups += 1;
                let number = self.groups;
                let inner = self.or()?;
                if self.text.get(self.at) != Some(&b')') {
                    return None;
                }
                self.at += 1;
                self.depth -= 1;
                Node::Group(Box::new(inner), number)
            }
            b'.' => Node::Any,
            b'^' => Node::Start,
            b'$' => Node::End,
            b'[' => {
                let (class, next) = Class::parse(self.text, self.at - 1, false, self.nocase)?;
                self.at = next;
                Node::Class(class)
            }
            b'*' | b'+' | b'?' => return None,
            b'\\' => {
                let byte = *self.text.get(self.at)?;
                let class = |text: &[u8]| Class::parse(text, 0, false, false).map(|(class, _)| Node::Class(class));
                match byte {
                    b'w' => {
                        self.at += 1;
                        class(b"[[:alnum:]_]")?
                    }
                    b'W' => {
                        self.at += 1;
                        class(b"[^[:alnum:]_]")?
                    }
                    b's' => {
                        self.at += 1;
                        class(b"[[:space:]]")?
                    }
                    b'S' => {
                        self.at += 1;
                        class(b"[^[:space:]]")?
                    }
                    _ => {
                        let (c, len) = char_at(self.text, self.at);
                        self.at += len;
                        Node::Char(c)
                    }
                }
            }
            _ => {
                let (c, len) = char_at(self.text, self.at - 1);
                self.at += len - 1;
                Node::Char(c)
            }
        })
    }

    fn repeat(&mut self, mut atom: Node) -> Option<Node> {
        loop {
            let (min, max) = match self.text.get(self.at) {
                Some(b'*') => (0, None),
                Some(b'+') => (1, None),
                Some(b'?') => (0, Some(1)),
                Some(b'{') => {
                    let Some((min, max, next)) = self.bounds() else {
                        if self.text.get(self.at + 1).is_some_and(u8::is_ascii_digit) {
                            return None;
                        }
                        return Some(atom);
                    };
                    self.at = next - 1;
                    (min, max)
                }
                _ => return Some(atom),
            };
            self.at += 1;
            atom = Node::Repeat(Box::new(atom), min, max);
        }
    }

    fn bounds(&self) -> Option<(u32, Option<u32>, usize)> {
        let close = self.at + self.text[self.at..].iter().position(|b| *b == b'}')?;
        let inside = std::str::from_utf8(&self.text[self.at + 1..close]).ok()?;
        let (min, max) = match inside.split_once(',') {
            None => {
                let n = inside.parse().ok()?;
                (n, Some(n))
            }
            Some(("", max)) => (0, Some(max.parse().ok()?)),
            Some((min, "")) => (min.parse().ok()?, None),
            Some((min, max)) => (min.parse().ok()?, Some(max.parse().ok()?)),
        };
        if min > MAX_REPEAT || max.is_some_and(|max| max > MAX_REPEAT || max < min) {
            return None;
        }
        Some((min, max, close + 1))
    }
}

fn emit(node: &Node, nocase: bool, code: &mut Vec<Inst>) -> Option<()> {
    if code.len() > MAX_CODE {
        return None;
    }
    match node {
        Node::Empty => {}
        Node::Char(c) => code.push(if nocase { Inst::Folded(fold(*c)) } else { Inst::Char(*c) }),
        Node::Any => code.push(Inst::Any),
        Node::Class(class) => code.push(Inst::Class(Box::new(class.clone()))),
        Node::Start => code.push(Inst::Start),
        Node::End => code.push(Inst::End),
        Node::Group(inner, number) => {
            code.push(Inst::Save(number * 2));
            emit(inner, nocase, code)?;
            code.push(Inst::Save(number * 2 + 1));
        }
        Node::Concat(list) => {
            for node in list {
                emit(node, nocase, code)?;
            }
        }
        Node::Or(list) => either(list, code, |node, code| emit(node, nocase, code))?,
        Node::Repeat(inner, min, max) => {
            for _ in 0..*min {
                emit(inner, nocase, code)?;
            }
            match max {
                None => {
                    let here = code.len();
                    code.push(Inst::Split(0, 0));
                    emit(inner, nocase, code)?;
                    code.push(Inst::Jump(here));
                    code[here] = Inst::Split(here + 1, code.len());
                }
                Some(max) => {
                    let mut splits = Vec::new();
                    for _ in *min..*max {
                        splits.push(code.len());
                        code.push(Inst::Split(0, 0));
                        emit(inner, nocase, code)?;
                    }
                    let end = code.len();
                    for split in splits {
                        code[split] = Inst::Split(split + 1, end);
                    }
                }
            }
        }
    }
    Some(())
}

impl Regex {
    /// Compiles; `None` if it is not a regular expression.
    pub fn new(text: &[u8], nocase: bool) -> Option<Self> {
        let mut parse = Parse { text, at: 0, groups: 0, depth: 0, nocase };
        let node = parse.or()?;
        if parse.at < text.len() {
            return None;
        }
        let mut program = Program::default();
        emit(&node, nocase, &mut program.code)?;
        program.code.push(Inst::Match);
        Some(Self { program, groups: parse.groups })
    }

    /// Finds the leftmost, longest match: the whole and each group.
    pub fn find(&self, text: &[u8]) -> Option<Vec<Option<(usize, usize)>>> {
        let start = self.program.first(text)?;
        let end = self.program.run(text, start, text.len(), Found::Longest)?;
        let slots = self.program.captures(text, start, end, (self.groups + 1) * 2)?;
        let mut found = vec![Some((start, end))];
        for group in 1..=self.groups {
            found.push(slots[group * 2].zip(slots[group * 2 + 1]));
        }
        Some(found)
    }
}
