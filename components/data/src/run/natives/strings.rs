//! Filters for strings.

use super::{Entry, Run, take};
use crate::json::{Val, type_error};
use crate::run::Context;
use crate::run::arith::split;

pub(super) const TABLE: &[Entry] = &[
    ("ascii_downcase", 0, |_, v, _| case(&v, str::to_ascii_lowercase)),
    ("ascii_upcase", 0, |_, v, _| case(&v, str::to_ascii_uppercase)),
    ("explode", 0, explode),
    ("implode", 0, implode),
    ("startswith", 1, |_, v, args| tested(&v, &args[0], "startswith", |a, b| a.starts_with(b))),
    ("endswith", 1, |_, v, args| tested(&v, &args[0], "endswith", |a, b| a.ends_with(b))),
    ("ltrimstr", 1, |_, v, args| trimmed(v, &args[0], true, false)),
    ("rtrimstr", 1, |_, v, args| trimmed(v, &args[0], false, true)),
    ("trimstr", 1, |_, v, args| trimmed(v, &args[0], true, true)),
    ("trim", 0, |_, v, _| spaces(&v, str::trim)),
    ("ltrim", 0, |_, v, _| spaces(&v, str::trim_start)),
    ("rtrim", 0, |_, v, _| spaces(&v, str::trim_end)),
    ("split", 1, split_at),
    ("_strindices", 1, string_indices),
];

fn case(val: &Val, change: fn(&str) -> String) -> Run {
    match val {
        Val::Str(text) => Ok(Val::str(change(text))),
        _ => Err("explode input must be a string".into()),
    }
}

fn explode(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    match &val {
        Val::Str(text) => Ok(Val::arr(text.chars().map(|c| Val::Num(f64::from(c as u32))).collect())),
        _ => Err("explode input must be a string".into()),
    }
}

fn implode(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let Val::Arr(points) = &val else { return Err("implode input must be an array".into()) };
    let mut text = String::new();
    for point in &points.0 {
        match point.number() {
            Some(n) if !n.is_nan() => {
                let point = if n < 0.0 || n > f64::from(u32::MAX) { u32::MAX } else { n as u32 };
                text.push(char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            _ => return Err(type_error(point, "can't be imploded, unicode codepoint needs to be numeric").into()),
        }
    }
    Ok(Val::str(text))
}

fn tested(val: &Val, part: &Val, name: &str, test: fn(&str, &str) -> bool) -> Run {
    match (val.as_str(), part.as_str()) {
        (Some(text), Some(part)) => Ok(Val::Bool(test(text, part))),
        _ => Err(format!("{name}() requires string inputs").into()),
    }
}

fn trimmed(val: Val, part: &Val, start: bool, end: bool) -> Run {
    let (Some(text), Some(part)) = (val.as_str(), part.as_str()) else { return Ok(val) };
    let mut rest = text;
    if start {
        rest = rest.strip_prefix(part).unwrap_or(rest);
    }
    if end {
        rest = rest.strip_suffix(part).unwrap_or(rest);
    }
    Ok(if rest.len() == text.len() { val } else { Val::str(rest) })
}

fn spaces(val: &Val, trim: fn(&str) -> &str) -> Run {
    match val.as_str() {
        Some(text) => Ok(Val::str(trim(text))),
        None => Err(type_error(val, "cannot be trimmed").into()),
    }
}

fn split_at(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    match (val.as_str(), args[0].as_str()) {
        (Some(text), Some(separator)) => Ok(split(text, separator)),
        _ => Err("split input and separator must be strings".into()),
    }
}

fn string_indices(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [part] = take(args)?;
    let Some(text) = val.as_str() else { return Err(type_error(&val, "cannot be searched, as it is not a string").into()) };
    let Some(part) = part.as_str() else { return Err(type_error(&part, "is not a string").into()) };
    Ok(positions(text, part))
}

/// Returns where a string occurs in another one, overlaps included, counted in characters.
pub(super) fn positions(text: &str, part: &str) -> Val {
    let mut found = Vec::new();
    if part.is_empty() {
        return if text.is_empty() { Val::Null } else { Val::arr(found) };
    }
    let (mut from, mut chars, mut counted) = (0, 0, 0);
    while let Some(at) = text[from..].find(part) {
        let at = from + at;
        chars += text[counted..at].chars().count();
        counted = at;
        found.push(Val::Num(chars as f64));
        from = at + text[at..].chars().next().map_or(1, char::len_utf8);
    }
    Val::arr(found)
}
