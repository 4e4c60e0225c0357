//! Brace expansion, on the parts of a word: only the word's own text counts, never the results of expansions.

use crate::ast::{ParamName, Part};
use crate::sym::{intern, is_name_byte};

#[derive(Clone)]
enum Tok {
    Byte(u8),
    /// A byte that is not part of a brace: it is within what bash takes for a `${…}` here.
    Plain(u8),
    Part(Part),
}

/// Maximum number of words that one brace expansion may give: `{1..9}{1..9}…` multiplies, and memory is limited.
const MAX_WORDS: usize = 1_000_000;

/// Returns the words that `parts` expand to.
pub(super) fn expand(parts: &[Part]) -> Vec<Vec<Part>> {
    words(&tokens(parts), 0).into_iter().map(rebuild).collect()
}

/// Returns whether there is anything to expand.
pub(crate) fn applies(parts: &[Part]) -> bool {
    let toks = tokens(parts);
    !matches!(&words(&toks, 0)[..], [word] if word.len() == toks.len())
}

fn tokens(parts: &[Part]) -> Vec<Tok> {
    let mut toks = Vec::new();
    // Braces that a parameter leaves open: bash finds its end by counting them, and the text before it is not
    // brace-expanded.
    let mut open = 0;
    for part in parts {
        match part {
            Part::Lit(text) => {
                for byte in text.iter().copied() {
                    if open == 0 {
                        toks.push(Tok::Byte(byte));
                        continue;
                    }
                    open += usize::from(byte == b'{');
                    open -= usize::from(byte == b'}');
                    toks.push(Tok::Plain(byte));
                }
            }
            other => {
                if let Part::Param(param) = other {
                    let count = |brace: u8| param.raw.iter().filter(|b| **b == brace).count();
                    if !param.raw.iter().any(|b| matches!(b, b'\\' | b'\'' | b'"' | b'`')) {
                        open += count(b'{').saturating_sub(count(b'}'));
                    }
                }
                toks.push(Tok::Part(other.clone()));
            }
        }
    }
    toks
}

fn rebuild(toks: Vec<Tok>) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut lit = Vec::new();
    for tok in toks {
        match tok {
            // As text, `{$x,y}z` is `$xz yz`: the name continues after the brace.
            Tok::Byte(byte) if lit.is_empty() && is_name_byte(byte) && parts.last().is_some_and(Part::is_plain_name) => {
                if let Some(Part::Param(param)) = parts.last_mut() {
                    param.raw = [&param.raw[..], &[byte]].concat().into();
                    param.name = ParamName::Var(intern(&param.raw[1..]));
                }
            }
            Tok::Byte(byte) | Tok::Plain(byte) => lit.push(byte),
            Tok::Part(part) => {
                if !lit.is_empty() {
                    parts.push(Part::Lit(std::mem::take(&mut lit).into()));
                }
                parts.push(part);
            }
        }
    }
    if !lit.is_empty() || parts.is_empty() {
        parts.push(Part::Lit(lit.into()));
    }
    tilde_first(&mut parts);
    parts
}

/// Expands `~{/a,name}` to words that begin with a tilde.
fn tilde_first(parts: &mut Vec<Part>) {
    let Some(Part::Lit(text)) = parts.first() else { return };
    let Some(rest) = text.strip_prefix(b"~") else { return };
    let end = rest.iter().position(|b| *b == b'/');
    if end.is_none() && parts.len() > 1 {
        return;
    }
    let (name, rest) = rest.split_at(end.unwrap_or(rest.len()));
    let (name, rest): (Box<[u8]>, Box<[u8]>) = (name.into(), rest.into());
    parts[0] = Part::Tilde(name);
    if !rest.is_empty() {
        parts.insert(1, Part::Lit(rest));
    }
}

fn is(tok: &Tok, byte: u8) -> bool {
    matches!(tok, Tok::Byte(b) if *b == byte)
}

/// Returns the closing brace of the one at `open`, and the commas between them.
fn braces(toks: &[Tok], open: usize) -> Option<(usize, Vec<usize>)> {
    let mut depth = 0;
    let mut commas = Vec::new();
    for (at, tok) in toks.iter().enumerate().skip(open) {
        if is(tok, b'{') {
            depth += 1;
        } else if is(tok, b'}') {
            depth -= 1;
            if depth == 0 {
                return Some((at, commas));
            }
        } else if is(tok, b',') && depth == 1 {
            commas.push(at);
        }
    }
    None
}

fn words(toks: &[Tok], depth: usize) -> Vec<Vec<Tok>> {
    let mut from = 0;
    while depth < 100
        && let Some(open) = toks[from..].iter().position(|tok| is(tok, b'{')).map(|at| at + from)
    {
        let Some((close, commas)) = braces(toks, open) else {
            from = open + 1;
            continue;
        };
        let mut middle: Vec<Vec<Tok>> = Vec::new();
        if commas.is_empty() {
            match sequence(&toks[open + 1..close]) {
                Some(list) => middle = list,
                None => {
                    from = open + 1;
                    continue;
                }
            }
        } else {
            let mut start = open + 1;
            for end in commas.into_iter().chain([close]) {
                middle.extend(words(&toks[start..end], depth + 1));
                start = end + 1;
            }
        }
        let rest = words(&toks[close + 1..], depth);
        let mut out = Vec::new();
        for word in &middle {
            for tail in &rest {
                if out.len() >= MAX_WORDS {
                    return out;
                }
                out.push([&toks[..open], &word[..], &tail[..]].concat());
            }
        }
        return out;
    }
    vec![toks.to_vec()]
}

/// Expands `{a..b}` and `{a..b..step}`.
fn sequence(toks: &[Tok]) -> Option<Vec<Vec<Tok>>> {
    let mut text = Vec::new();
    for tok in toks {
        match tok {
            Tok::Byte(byte) => text.push(*byte),
            Tok::Part(_) | Tok::Plain(_) => return None,
        }
    }
    let text = String::from_utf8(text).ok()?;
    let fields: Vec<&str> = text.split("..").collect();
    let (first, last, step) = match fields[..] {
        [first, last] => (first, last, 0),
        [first, last, step] => (first, last, step.parse::<i64>().ok()?),
        _ => return None,
    };
    let bytes = |text: &str| text.bytes().map(Tok::Byte).collect::<Vec<_>>();
    if let (Ok(from), Ok(to)) = (first.parse::<i64>(), last.parse::<i64>()) {
        let padded = |text: &str| text.trim_start_matches('-').starts_with('0') && text.trim_start_matches('-').len() > 1;
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        return Some(range(from, to, step).map(|n| bytes(&format!("{n:0width$}"))).collect());
    }
    let letter = |text: &str| (text.len() == 1).then(|| text.as_bytes()[0]).filter(u8::is_ascii_alphabetic);
    let (from, to) = (letter(first)?, letter(last)?);
    Some(range(i64::from(from), i64::from(to), step).map(|c| vec![Tok::Byte(c as u8)]).collect())
}

fn range(from: i64, to: i64, step: i64) -> impl Iterator<Item = i64> {
    let step = if step == 0 { 1 } else { step.unsigned_abs() };
    let count = from.abs_diff(to) / step;
    let up = to >= from;
    (0..=count.min(MAX_WORDS as u64))
        .map(move |n| if up { from.wrapping_add((n * step) as i64) } else { from.wrapping_sub((n * step) as i64) })
}
