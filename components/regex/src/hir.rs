//! The tree as `regex-syntax` has it, and whether the first match of Perl's order is POSIX's longest.

use crate::ast::{Assert, Node, Set};
use crate::parse::Options;
use regex_syntax::hir::{Capture, Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, Look, Repetition};

/// Translates, with the groups where `captures` says so. References to groups become what the group may match, which is more
/// than they match.
pub(crate) fn translate(node: &Node, options: Options, captures: bool) -> Hir {
    let mut groups = Vec::new();
    collect(node, &mut groups);
    build(node, options, &groups, captures)
}

fn collect<'a>(node: &'a Node, groups: &mut Vec<(usize, &'a Node)>) {
    match node {
        Node::Group(inner, number) => {
            groups.push((*number, inner));
            collect(inner, groups);
        }
        Node::Cat(parts) | Node::Alt(parts) => parts.iter().for_each(|p| collect(p, groups)),
        Node::Repeat(inner, ..) => collect(inner, groups),
        _ => {}
    }
}

fn build(node: &Node, options: Options, groups: &[(usize, &Node)], captures: bool) -> Hir {
    match node {
        Node::Empty => Hir::empty(),
        Node::Literal(bytes) => Hir::literal(bytes.clone()),
        Node::Set(set) => Hir::class(class(set, options.utf8)),
        Node::Assert(assert) => Hir::look(look(*assert, options)),
        Node::Group(inner, number) => {
            let sub = build(inner, options, groups, captures);
            if captures { Hir::capture(Capture { index: *number as u32, name: None, sub: Box::new(sub) }) } else { sub }
        }
        Node::Cat(parts) => Hir::concat(parts.iter().map(|p| build(p, options, groups, captures)).collect()),
        Node::Alt(parts) => Hir::alternation(parts.iter().map(|p| build(p, options, groups, captures)).collect()),
        Node::Repeat(inner, min, max) => {
            let sub = build(inner, options, groups, captures);
            Hir::repetition(Repetition { min: *min, max: *max, greedy: true, sub: Box::new(sub) })
        }
        Node::Back(number) => match groups.iter().find(|(n, _)| n == number) {
            // Only groups before this one can be referred to, so this ends; a case-folded text may differ in length.
            Some((_, inner)) if !options.fold => build(inner, options, groups, false),
            _ => Hir::repetition(Repetition { min: 0, max: None, greedy: true, sub: Box::new(Hir::class(class(&Set::any(false), false))) }),
        },
    }
}

fn class(set: &Set, utf8: bool) -> Class {
    if !utf8 {
        let ranges = set.ranges.iter().filter(|r| r.0 <= 255).map(|r| ClassBytesRange::new(r.0 as u8, r.1.min(255) as u8));
        return Class::Bytes(ClassBytes::new(ranges));
    }
    let ranges = set.ranges.iter().filter_map(|(low, high)| {
        let low = if (0xd800..=0xdfff).contains(low) { 0xe000 } else { *low };
        let high = if (0xd800..=0xdfff).contains(high) { 0xd7ff } else { *high };
        (low <= high).then(|| Some(ClassUnicodeRange::new(char::from_u32(low)?, char::from_u32(high)?)))?
    });
    Class::Unicode(ClassUnicode::new(ranges))
}

fn look(assert: Assert, options: Options) -> Look {
    let utf8 = options.utf8;
    match assert {
        Assert::LineStart if options.lines => Look::StartLF,
        Assert::LineEnd if options.lines => Look::EndLF,
        Assert::LineStart | Assert::TextStart => Look::Start,
        Assert::LineEnd | Assert::TextEnd => Look::End,
        Assert::Word if utf8 => Look::WordUnicode,
        Assert::NotWord if utf8 => Look::WordUnicodeNegate,
        Assert::WordStart if utf8 => Look::WordStartUnicode,
        Assert::WordEnd if utf8 => Look::WordEndUnicode,
        Assert::WordStartHalf if utf8 => Look::WordStartHalfUnicode,
        Assert::WordEndHalf if utf8 => Look::WordEndHalfUnicode,
        Assert::Word => Look::WordAscii,
        Assert::NotWord => Look::WordAsciiNegate,
        Assert::WordStart => Look::WordStartAscii,
        Assert::WordEnd => Look::WordEndAscii,
        Assert::WordStartHalf => Look::WordStartHalfAscii,
        Assert::WordEndHalf => Look::WordEndHalfAscii,
    }
}

/// The bytes a match may begin with; whether it may be empty.
#[derive(Clone, Copy, Default)]
struct First {
    bytes: [u64; 4],
    empty: bool,
}

impl First {
    fn add(&mut self, byte: u8) {
        self.bytes[usize::from(byte >> 6)] |= 1 << (byte & 63);
    }
    fn join(&mut self, other: &Self) {
        self.bytes.iter_mut().zip(other.bytes).for_each(|(a, b)| *a |= b);
    }
    fn meets(&self, other: &Self) -> bool {
        self.bytes.iter().zip(other.bytes).any(|(a, b)| a & b != 0)
    }
}

fn first(node: &Node, utf8: bool) -> First {
    let mut f = First::default();
    match node {
        Node::Empty | Node::Assert(_) => f.empty = true,
        Node::Literal(bytes) => match bytes.first() {
            Some(byte) => f.add(*byte),
            None => f.empty = true,
        },
        Node::Set(set) => {
            for (low, high) in &set.ranges {
                for c in *low..=(*high).min(0xff) {
                    if c < 0x80 || !utf8 {
                        f.add(c as u8);
                    }
                }
                if utf8 && *high >= 0x80 {
                    (0xc2..=0xf4).for_each(|b| f.add(b));
                }
            }
        }
        Node::Group(inner, _) => return first(inner, utf8),
        Node::Cat(parts) => {
            f.empty = true;
            for part in parts {
                let next = first(part, utf8);
                f.join(&next);
                if !next.empty {
                    f.empty = false;
                    break;
                }
            }
        }
        Node::Alt(parts) => {
            for part in parts {
                let next = first(part, utf8);
                f.join(&next);
                f.empty |= next.empty;
            }
        }
        Node::Repeat(inner, min, _) => {
            f = first(inner, utf8);
            f.empty |= *min == 0;
        }
        Node::Back(_) => {
            (0..=255).for_each(|b| f.add(b));
            f.empty = true;
        }
    }
    f
}

/// What was found about the choices in an expression.
struct Choices {
    utf8: bool,
    /// A choice that one byte does not decide.
    open: bool,
    /// A choice of more than whether to take one more character.
    complex: bool,
}

/// Returns whether the leftmost-first match may be shorter than the longest.
pub(crate) fn ambiguous(node: &Node, utf8: bool) -> bool {
    let mut choices = Choices { utf8, open: false, complex: false };
    choices.walk(node, First::default());
    choices.open && choices.complex
}

impl Choices {
    fn walk(&mut self, node: &Node, follow: First) {
        match node {
            Node::Group(inner, _) => self.walk(inner, follow),
            Node::Cat(parts) => {
                let mut follow = follow;
                for part in parts.iter().rev() {
                    self.walk(part, follow);
                    let here = first(part, self.utf8);
                    if here.empty {
                        follow.join(&here);
                    } else {
                        follow = here;
                    }
                }
            }
            Node::Alt(parts) => {
                self.complex = true;
                let firsts: Vec<First> = parts.iter().map(|p| first(p, self.utf8)).collect();
                let some_empty = firsts.iter().any(|f| f.empty);
                let mut before = First::default();
                for (at, one) in firsts.iter().enumerate() {
                    let clash = one.meets(&before) || (one.empty && at + 1 < firsts.len());
                    self.open |= clash || (some_empty && one.meets(&follow));
                    before.join(one);
                }
                parts.iter().for_each(|p| self.walk(p, follow));
            }
            Node::Repeat(inner, min, max) => {
                let here = first(inner, self.utf8);
                if Some(*min) != *max {
                    self.open |= here.meets(&follow) || here.empty;
                }
                let single = matches!(**inner, Node::Set(_) | Node::Literal(_));
                if !(single || *min == 1 && *max == Some(1)) {
                    self.complex = true;
                }
                let mut after = follow;
                if *max != Some(1) {
                    after.join(&here);
                }
                self.walk(inner, after);
            }
            Node::Back(_) => self.complex = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::{Flavor, parse};

    fn check(source: &str) -> bool {
        let options = Options { flavor: Flavor::Extended, fold: false, lines: false, utf8: true, posix: false };
        ambiguous(&parse(source.as_bytes(), 0, options).unwrap().node, true)
    }

    #[test]
    fn ambiguity_is_found() {
        for clear in ["foo|bar", "a*ab?", "([a-z]+)=(.*)", "(ab)*c", "^ *(.*) *$", "(a|b)*", "x{2,3}x?"] {
            assert!(!check(clear), "{clear}");
        }
        for open in ["a|ab", "a?(ab)?", "(a|ab)(c|bcd)", "(a*)*b", "a*(ab)?", "(|a)b", "(ab?)*(ba)?"] {
            assert!(check(open), "{open}");
        }
    }
}
