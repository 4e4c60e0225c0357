//! Expressions as programs for the backtracking matcher.

use crate::ast::{Assert, Node, Set};

/// One step.
#[derive(Debug)]
pub(crate) enum Inst {
    /// These bytes.
    Literal(Vec<u8>),
    /// A character of a set.
    Set(Set),
    /// A position.
    Assert(Assert),
    /// Try the first, then the second.
    Split(usize, usize),
    /// Go on there.
    Jump(usize),
    /// Remember the position.
    Save(usize),
    /// What a group matched, once more.
    Back(usize),
    /// A loop begins: nothing was repeated yet.
    Enter(usize),
    /// A round of the loop begins.
    Round(usize),
    /// A round ends: go on there, unless the round was empty.
    Again(usize, usize),
    /// The end.
    Match,
}

/// A compiled expression.
#[derive(Debug)]
pub(crate) struct Program {
    /// The steps.
    pub insts: Vec<Inst>,
    /// How many slots loops need.
    pub loops: usize,
    /// Groups, the whole match counted.
    pub groups: usize,
}

/// More steps than this are refused.
const BIGGEST: usize = 100_000;

impl Program {
    /// Compiles.
    pub(crate) fn new(node: &Node, groups: usize) -> Result<Self, String> {
        let mut program = Self { insts: Vec::new(), loops: 0, groups: groups + 1 };
        program.emit(node)?;
        program.insts.push(Inst::Match);
        Ok(program)
    }

    fn emit(&mut self, node: &Node) -> Result<(), String> {
        if self.insts.len() > BIGGEST {
            return Err("Regular expression too big".into());
        }
        match node {
            Node::Empty => {}
            Node::Literal(bytes) => self.insts.push(Inst::Literal(bytes.clone())),
            Node::Set(set) => self.insts.push(Inst::Set(set.clone())),
            Node::Assert(assert) => self.insts.push(Inst::Assert(*assert)),
            Node::Back(number) => self.insts.push(Inst::Back(*number)),
            Node::Group(inner, number) => {
                self.insts.push(Inst::Save(number * 2));
                self.emit(inner)?;
                self.insts.push(Inst::Save(number * 2 + 1));
            }
            Node::Cat(parts) => {
                for part in parts {
                    self.emit(part)?;
                }
            }
            Node::Alt(parts) => self.alternatives(parts)?,
            Node::Repeat(inner, min, max) => self.repeat(inner, *min, *max)?,
        }
        Ok(())
    }

    fn alternatives(&mut self, parts: &[Node]) -> Result<(), String> {
        let mut ends = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            if at + 1 == parts.len() {
                self.emit(part)?;
                break;
            }
            let split = self.hole();
            self.emit(part)?;
            ends.push(self.hole());
            self.insts[split] = Inst::Split(split + 1, self.insts.len());
        }
        for end in ends {
            self.insts[end] = Inst::Jump(self.insts.len());
        }
        Ok(())
    }

    fn repeat(&mut self, inner: &Node, min: u32, max: Option<u32>) -> Result<(), String> {
        for _ in 0..min.saturating_sub(u32::from(max.is_none())) {
            self.emit(inner)?;
        }
        let Some(max) = max else {
            return self.star(inner, min > 0);
        };
        let mut splits = Vec::new();
        for _ in min..max {
            splits.push(self.hole());
            self.emit(inner)?;
        }
        for split in splits {
            self.insts[split] = Inst::Split(split + 1, self.insts.len());
        }
        Ok(())
    }

    fn star(&mut self, inner: &Node, once: bool) -> Result<(), String> {
        let slot = self.loops;
        self.loops += 1;
        self.insts.push(Inst::Enter(slot));
        let skip = if once { None } else { Some(self.hole()) };
        let round = self.insts.len();
        self.insts.push(Inst::Round(slot));
        self.emit(inner)?;
        // After a round: another one, or out.
        self.insts.push(Inst::Again(slot, self.insts.len() + 3));
        let split = self.insts.len();
        self.insts.push(Inst::Split(round, split + 1));
        self.insts.push(Inst::Jump(split + 2));
        if let Some(skip) = skip {
            self.insts[skip] = Inst::Split(skip + 1, self.insts.len());
        }
        Ok(())
    }

    fn hole(&mut self) -> usize {
        self.insts.push(Inst::Jump(0));
        self.insts.len() - 1
    }
}
