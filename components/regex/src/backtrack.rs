//! The backtracking matcher: for references to groups, and for the groups of a match whose end is known.

use crate::ast::Assert;
use crate::case::key;
use crate::classes::is_word;
use crate::parse::Options;
use crate::program::{Inst, Program};
use wisp_tool::text::first_char;

/// A match that needs more steps than this is given up.
const STEPS: u64 = 20_000_000;
/// After a match, how many steps to look for a longer one.
const MORE: u64 = 200_000;

/// What to undo when a path fails.
enum Undo {
    /// Try this step at this position.
    Branch(usize, usize),
    /// Restore a group's position.
    Slot(usize, usize),
    /// Restore a loop's state.
    Loop(usize, (usize, u32)),
}

const NONE: usize = usize::MAX;

/// What a search came to.
pub(crate) enum Outcome {
    /// The positions of the groups, two each; `usize::MAX` where a group matched nothing.
    Found(Vec<usize>),
    /// There is no match.
    Nothing,
    /// It took too many steps.
    GaveUp,
}

/// Matches at `start`: up to exactly `end` if that is given, the longest if `longest`, any otherwise.
pub(crate) fn run(program: &Program, options: Options, text: &[u8], start: usize, end: Option<usize>, longest: bool) -> Outcome {
    let mut m =
        Matcher { program, options, text, slots: vec![NONE; program.groups * 2], loops: vec![(NONE, 0); program.loops], stack: Vec::new() };
    // Without references a step at a position need not be tried twice.
    let width = end.unwrap_or(text.len()) - start + 1;
    let memo = end.is_some() && !program.insts.iter().any(|i| matches!(i, Inst::Back(_)));
    let mut seen = vec![0_u64; if memo { (program.insts.len() * width).div_ceil(64) } else { 0 }];
    let mut best: Option<Vec<usize>> = None;
    let mut left = STEPS;
    m.stack.push(Undo::Branch(0, start));
    while let Some(undo) = m.stack.pop() {
        match undo {
            Undo::Slot(slot, old) => m.slots[slot] = old,
            Undo::Loop(slot, old) => m.loops[slot] = old,
            Undo::Branch(mut pc, mut at) => loop {
                left = left.saturating_sub(1);
                if left == 0 {
                    return best.map_or(Outcome::GaveUp, Outcome::Found);
                }
                if memo && matches!(program.insts[pc], Inst::Split(..)) {
                    let bit = pc * width + (at - start);
                    if seen[bit / 64] & (1 << (bit % 64)) != 0 {
                        break;
                    }
                    seen[bit / 64] |= 1 << (bit % 64);
                }
                if let Inst::Match = program.insts[pc] {
                    if end.is_some_and(|end| end != at) {
                        break;
                    }
                    if best.as_ref().is_none_or(|b| b[1] < at) {
                        let mut found = m.slots.clone();
                        (found[0], found[1]) = (start, at);
                        best = Some(found);
                    }
                    if end.is_some() || !longest || at == text.len() {
                        return best.map_or(Outcome::Nothing, Outcome::Found);
                    }
                    left = left.min(MORE);
                    break;
                }
                match m.step(pc, at) {
                    Some((next, position)) if end.is_none_or(|end| position <= end) => (pc, at) = (next, position),
                    _ => break,
                }
            },
        }
    }
    best.map_or(Outcome::Nothing, Outcome::Found)
}

struct Matcher<'a> {
    program: &'a Program,
    options: Options,
    text: &'a [u8],
    slots: Vec<usize>,
    loops: Vec<(usize, u32)>,
    stack: Vec<Undo>,
}

impl Matcher<'_> {
    fn step(&mut self, pc: usize, at: usize) -> Option<(usize, usize)> {
        let rest = &self.text[at..];
        match &self.program.insts[pc] {
            Inst::Literal(bytes) => rest.starts_with(bytes).then(|| (pc + 1, at + bytes.len())),
            Inst::Set(set) => {
                let (c, len) = if self.options.utf8 { first_char(rest) } else { (rest.first().map(|b| char::from(*b)), 1) };
                set.contains(c? as u32).then_some((pc + 1, at + len))
            }
            Inst::Assert(assert) => holds(*assert, self.options, self.text, at).then_some((pc + 1, at)),
            Inst::Split(one, other) => {
                self.stack.push(Undo::Branch(*other, at));
                Some((*one, at))
            }
            Inst::Jump(to) => Some((*to, at)),
            Inst::Save(slot) => {
                self.stack.push(Undo::Slot(*slot, self.slots[*slot]));
                self.slots[*slot] = at;
                Some((pc + 1, at))
            }
            Inst::Back(group) => {
                let (from, to) = (self.slots[group * 2], self.slots[group * 2 + 1]);
                if from == NONE || to == NONE {
                    return None;
                }
                let len = same(&self.text[from..to], rest, self.options.fold)?;
                Some((pc + 1, at + len))
            }
            Inst::Enter(slot) => {
                self.stack.push(Undo::Loop(*slot, self.loops[*slot]));
                self.loops[*slot] = (NONE, 0);
                Some((pc + 1, at))
            }
            Inst::Round(slot) => {
                let old = self.loops[*slot];
                self.stack.push(Undo::Loop(*slot, old));
                self.loops[*slot] = (at, old.1.saturating_add(1));
                Some((pc + 1, at))
            }
            Inst::Again(slot, out) => match self.loops[*slot] {
                // An empty round counts only if it is the first.
                (from, 1) if from == at => Some((*out, at)),
                (from, _) if from == at => None,
                _ => Some((pc + 1, at)),
            },
            Inst::Match => None,
        }
    }
}

/// Returns the length of what equals `what` at the start of `text`.
fn same(what: &[u8], text: &[u8], fold: bool) -> Option<usize> {
    if !fold {
        return text.starts_with(what).then_some(what.len());
    }
    let (mut one, mut other) = (0, 0);
    while one < what.len() {
        let ((a, a_len), (b, b_len)) = (first_char(&what[one..]), first_char(text.get(other..)?));
        let equal = match (a, b) {
            (Some(a), Some(b)) => key(a) == key(b),
            (None, None) => b_len == 1 && what[one] == text[other],
            _ => false,
        };
        if !equal {
            return None;
        }
        one += a_len;
        other += b_len;
    }
    Some(other)
}

fn word_at(text: &[u8], at: usize, utf8: bool) -> bool {
    let byte = text.get(at).copied();
    match byte {
        Some(b) if b < 0x80 || !utf8 => b == b'_' || b.is_ascii_alphanumeric(),
        Some(_) => first_char(&text[at..]).0.is_some_and(is_word),
        None => false,
    }
}

fn word_before(text: &[u8], at: usize, utf8: bool) -> bool {
    let mut start = at;
    while start > 0 {
        start -= 1;
        if !utf8 || text[start] & 0xc0 != 0x80 {
            return word_at(text, start, utf8);
        }
    }
    false
}

fn holds(assert: Assert, options: Options, text: &[u8], at: usize) -> bool {
    let words = || (word_before(text, at, options.utf8), word_at(text, at, options.utf8));
    match assert {
        Assert::LineStart => at == 0 || (options.lines && text[at - 1] == b'\n'),
        Assert::LineEnd => at == text.len() || (options.lines && text[at] == b'\n'),
        Assert::TextStart => at == 0,
        Assert::TextEnd => at == text.len(),
        Assert::Word => words().0 != words().1,
        Assert::NotWord => words().0 == words().1,
        Assert::WordStart => words() == (false, true),
        Assert::WordEnd => words() == (true, false),
        Assert::WordStartHalf => !words().0,
        Assert::WordEndHalf => !words().1,
    }
}
