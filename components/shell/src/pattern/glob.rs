//! Compiling patterns of words.

use super::class::{Class, fold};
use super::program::{self, Inst, Program};
use super::{Flags, char_at};

/// Nesting of extended patterns; protects the stack.
const MAX_DEPTH: usize = 50;

/// Returns the text that a pattern without special characters matches.
pub(super) fn literal(pattern: &[u8], flags: Flags) -> Option<Vec<u8>> {
    (!super::has_magic(pattern, flags.extglob)).then(|| super::unescape(pattern))
}

/// Compiles a pattern.
pub(super) fn compile(pattern: &[u8], flags: Flags) -> Program {
    let mut program = Program::default();
    sequence(pattern, flags, 0, &mut program.code);
    program.code.push(Inst::Match);
    program
}

fn sequence(pattern: &[u8], flags: Flags, depth: usize, code: &mut Vec<Inst>) {
    let mut at = 0;
    while at < pattern.len() {
        let byte = pattern[at];
        if flags.extglob
            && matches!(byte, b'?' | b'*' | b'+' | b'@' | b'!')
            && pattern.get(at + 1) == Some(&b'(')
            && depth < MAX_DEPTH
            && let Some(close) = closing(pattern, at + 1)
        {
            group(byte, &pattern[at + 2..close], flags, depth, code);
            at = close + 1;
            continue;
        }
        match byte {
            b'*' if flags.period => {
                // Empty, or text that does not begin with a dot.
                let here = code.len();
                code.extend([Inst::Split(here + 1, here + 4), Inst::NoPeriod, Inst::Any, Inst::Jump(here)]);
                at += 1;
            }
            b'*' => {
                if !matches!(code.last(), Some(Inst::Jump(_))) || !is_star(code) {
                    let here = code.len();
                    code.push(Inst::Split(here + 1, here + 3));
                    code.push(Inst::Any);
                    code.push(Inst::Jump(here));
                }
                at += 1;
            }
            b'?' => {
                code.extend(flags.period.then_some(Inst::NoPeriod));
                code.push(Inst::Any);
                at += 1;
            }
            b'[' => match Class::parse(pattern, at, true, flags.nocase) {
                Some((class, next)) => {
                    code.extend(flags.period.then_some(Inst::NoPeriod));
                    code.push(Inst::Class(Box::new(class)));
                    at = next;
                }
                None => {
                    code.push(Inst::Char(u32::from(b'[')));
                    at += 1;
                }
            },
            _ => {
                if byte == b'\\' && at + 1 < pattern.len() {
                    at += 1;
                }
                let (c, len) = char_at(pattern, at);
                code.push(if flags.nocase { Inst::Folded(fold(c)) } else { Inst::Char(c) });
                at += len;
            }
        }
    }
}

/// Returns whether the code ends with a `*`, so that another adds nothing.
fn is_star(code: &[Inst]) -> bool {
    let len = code.len();
    len >= 3
        && matches!((&code[len - 3], &code[len - 2], &code[len - 1]), (Inst::Split(a, b), Inst::Any, Inst::Jump(j)) if *a == len - 2 && *b == len && *j == len - 3)
}

fn closing(pattern: &[u8], open: usize) -> Option<usize> {
    let mut depth = 0;
    let mut at = open;
    while at < pattern.len() {
        match pattern[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => {
                depth -= 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            b'[' => {
                // An unclosed bracket hides the parenthesis after it.
                at = Class::parse(pattern, at, true, false)?.1;
                continue;
            }
            _ => {}
        }
        at += 1;
    }
    None
}

fn alternatives(inside: &[u8]) -> Vec<&[u8]> {
    let mut list = Vec::new();
    let (mut depth, mut at, mut from) = (0, 0, 0);
    while at < inside.len() {
        match inside[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'|' if depth == 0 => {
                list.push(&inside[from..at]);
                from = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    list.push(&inside[from..]);
    list
}

fn either(list: &[&[u8]], flags: Flags, depth: usize, code: &mut Vec<Inst>) {
    // Never fails: a sequence that is nested too deeply is left out.
    let _ = program::either(list, code, |alternative, code| {
        sequence(alternative, flags, depth + 1, code);
        Some(())
    });
}

fn group(kind: u8, inside: &[u8], flags: Flags, depth: usize, code: &mut Vec<Inst>) {
    let list = alternatives(inside);
    let start = code.len();
    match kind {
        b'@' => either(&list, flags, depth, code),
        b'?' | b'*' => {
            code.push(Inst::Split(0, 0));
            either(&list, flags, depth, code);
            if kind == b'*' {
                code.push(Inst::Jump(start));
            }
            code[start] = Inst::Split(start + 1, code.len());
        }
        b'+' => {
            either(&list, flags, depth, code);
            let here = code.len();
            code.push(Inst::Split(start, here + 1));
        }
        _ => {
            let mut inner = Program::default();
            either(&list, flags, depth, &mut inner.code);
            inner.code.push(Inst::Match);
            code.extend(flags.period.then_some(Inst::NoPeriod));
            code.push(Inst::Not(Box::new(inner)));
        }
    }
}
