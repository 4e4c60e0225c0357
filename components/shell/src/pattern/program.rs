//! The program that patterns compile to, and the matcher: a search over (instruction, position) that visits each pair
//! once.

use super::char_at;
use super::class::{Class, fold};

/// An instruction.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub(super) enum Inst {
    Char(u32),
    /// A letter, whatever its case.
    Folded(u32),
    Any,
    Class(Box<Class>),
    /// Try the first, then the second.
    Split(usize, usize),
    Jump(usize),
    /// Any text that the program does not match as a whole.
    Not(Box<Program>),
    /// The next instruction, but for a dot at the start of the text.
    NoPeriod,
    Save(usize),
    Start,
    End,
    Match,
}

/// A compiled pattern.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    /// Its instructions.
    pub code: Vec<Inst>,
}

/// Emits alternatives, tried in order; returns `None` as soon as `emit` does.
pub(super) fn either<T>(list: &[T], code: &mut Vec<Inst>, mut emit: impl FnMut(&T, &mut Vec<Inst>) -> Option<()>) -> Option<()> {
    let mut jumps = Vec::new();
    let (last, others) = list.split_last()?;
    for alternative in others {
        let split = code.len();
        code.push(Inst::Split(0, 0));
        emit(alternative, code)?;
        jumps.push(code.len());
        code.push(Inst::Jump(0));
        code[split] = Inst::Split(split + 1, code.len());
    }
    emit(last, code)?;
    let end = code.len();
    for jump in jumps {
        code[jump] = Inst::Jump(end);
    }
    Some(())
}

/// Which match is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub(super) enum Found {
    Whole,
    Longest,
    Shortest,
}

struct Visited {
    bits: Vec<u64>,
    width: usize,
}

impl Visited {
    fn new(code: usize, width: usize) -> Self {
        Self { bits: vec![0; (code * width).div_ceil(64)], width }
    }
    /// Marks a pair; returns whether it was new.
    fn enter(&mut self, pc: usize, at: usize) -> bool {
        let bit = pc * self.width + at;
        let mask = 1u64 << (bit % 64);
        let word = &mut self.bits[bit / 64];
        let fresh = *word & mask == 0;
        *word |= mask;
        fresh
    }
}

impl Program {
    /// Returns whether a match may begin at `at`: a quick check of the first instruction.
    pub(super) fn may_start(&self, text: &[u8], at: usize) -> bool {
        match self.code.first() {
            Some(Inst::Char(c)) if at < text.len() => char_at(text, at).0 == *c,
            Some(Inst::Char(_) | Inst::Any | Inst::Class(_)) => at < text.len(),
            _ => true,
        }
    }

    fn step(&self, pc: usize, text: &[u8], at: usize, end: usize) -> Option<usize> {
        if at >= end {
            return None;
        }
        let (c, len) = char_at(&text[..end], at);
        let ok = match &self.code[pc] {
            Inst::Char(want) => c == *want,
            Inst::Folded(want) => fold(c) == *want,
            Inst::Any => true,
            Inst::Class(class) => class.has(c),
            _ => false,
        };
        ok.then_some(at + len)
    }

    /// Returns where the leftmost match begins. Pairs that were visited from an earlier start without success are not visited
    /// again.
    pub(super) fn first(&self, text: &[u8]) -> Option<usize> {
        let mut visited = Visited::new(self.code.len(), text.len() + 1);
        let mut stack = Vec::new();
        for start in (0..=text.len()).filter(|start| super::is_boundary(text, *start) && self.may_start(text, *start)) {
            stack.push((0usize, start));
            while let Some((pc, at)) = stack.pop() {
                if !visited.enter(pc, at) {
                    continue;
                }
                match &self.code[pc] {
                    Inst::Match => return Some(start),
                    Inst::Split(first, second) => stack.extend([(*second, at), (*first, at)]),
                    Inst::Jump(to) => stack.push((*to, at)),
                    Inst::Save(_) => stack.push((pc + 1, at)),
                    Inst::Start if at == 0 => stack.push((pc + 1, at)),
                    Inst::End if at == text.len() => stack.push((pc + 1, at)),
                    Inst::Start | Inst::End | Inst::Not(_) | Inst::NoPeriod => {}
                    _ => stack.extend(self.step(pc, text, at, text.len()).map(|next| (pc + 1, next))),
                }
            }
        }
        None
    }

    /// Returns the end of a match of `text[start..end]` that begins at `start`.
    pub(super) fn run(&self, text: &[u8], start: usize, end: usize, found: Found) -> Option<usize> {
        let mut visited = Visited::new(self.code.len(), end - start + 1);
        let mut stack = vec![(0usize, start)];
        let mut best: Option<usize> = None;
        while let Some((pc, at)) = stack.pop() {
            if !visited.enter(pc, at - start) {
                continue;
            }
            match &self.code[pc] {
                Inst::Match => match found {
                    Found::Whole if at == end => return Some(at),
                    Found::Whole => {}
                    Found::Longest if at == end => return Some(at),
                    Found::Longest => best = Some(best.map_or(at, |b| b.max(at))),
                    Found::Shortest => best = Some(best.map_or(at, |b| b.min(at))),
                },
                Inst::Split(first, second) => {
                    stack.push((*second, at));
                    stack.push((*first, at));
                }
                Inst::Jump(to) => stack.push((*to, at)),
                Inst::Save(_) => stack.push((pc + 1, at)),
                Inst::Start if at == 0 => stack.push((pc + 1, at)),
                Inst::End if at == text.len() => stack.push((pc + 1, at)),
                Inst::Start | Inst::End => {}
                Inst::NoPeriod if at == 0 && text.first() == Some(&b'.') => {}
                Inst::NoPeriod => stack.push((pc + 1, at)),
                Inst::Not(inner) => {
                    for to in at..=end {
                        if super::is_boundary(text, to) && inner.run(text, at, to, Found::Whole).is_none() {
                            stack.push((pc + 1, to));
                        }
                    }
                }
                _ => {
                    if let Some(next) = self.step(pc, text, at, end) {
                        stack.push((pc + 1, next));
                    }
                }
            }
        }
        best
    }

    /// Returns the captured positions of the preferred match of exactly `text[start..end]`.
    pub(super) fn captures(&self, text: &[u8], start: usize, end: usize, slots: usize) -> Option<Vec<Option<usize>>> {
        enum Job {
            Go(usize, usize),
            Restore(usize, Option<usize>),
        }
        let mut visited = Visited::new(self.code.len(), end - start + 1);
        let mut saved = vec![None; slots];
        let mut stack = vec![Job::Go(0, start)];
        while let Some(job) = stack.pop() {
            let (pc, at) = match job {
                Job::Restore(slot, old) => {
                    saved[slot] = old;
                    continue;
                }
                Job::Go(pc, at) => (pc, at),
            };
            if !visited.enter(pc, at - start) {
                continue;
            }
            match &self.code[pc] {
                Inst::Match if at == end => return Some(saved),
                Inst::Match => {}
                Inst::Split(first, second) => {
                    stack.push(Job::Go(*second, at));
                    stack.push(Job::Go(*first, at));
                }
                Inst::Jump(to) => stack.push(Job::Go(*to, at)),
                Inst::Save(slot) => {
                    stack.push(Job::Restore(*slot, saved[*slot]));
                    saved[*slot] = Some(at);
                    stack.push(Job::Go(pc + 1, at));
                }
                Inst::Start if at == 0 => stack.push(Job::Go(pc + 1, at)),
                Inst::End if at == text.len() => stack.push(Job::Go(pc + 1, at)),
                Inst::Start | Inst::End | Inst::Not(_) | Inst::NoPeriod => {}
                _ => {
                    // `end` cuts the text only to choose the match; `$` looks at the real end.
                    if let Some(next) = self.step(pc, text, at, end) {
                        stack.push(Job::Go(pc + 1, next));
                    }
                }
            }
        }
        None
    }
}
