//! Regular expressions, in Oniguruma's syntax as far as `fancy-regex` has it.

use super::{Entry, Run, take};
use crate::json::{Map, Val, type_error};
use crate::run::arith::add;
use crate::run::{Context, Error};
use std::rc::Rc;

pub(super) const TABLE: &[Entry] = &[("_match", 3, matched), ("_captures", 0, captures), ("_split", 2, split), ("_splice", 1, splice)];

/// A compiled expression. `$` also matches before a newline that ends the text, which is a slower expression, so it is
/// used for such texts only.
pub(crate) struct Regex {
    plain: fancy_regex::Regex,
    before_newline: fancy_regex::Regex,
    names: Vec<Option<String>>,
    global: bool,
    no_empty: bool,
}

/// One match: where it is in the text, and its groups, in bytes.
struct Found {
    whole: (usize, usize),
    groups: Vec<Option<(usize, usize)>>,
}

impl Regex {
    fn new(pattern: &str, flags: &str) -> Result<Self, Error> {
        let (mut global, mut no_empty) = (false, false);
        let mut options = fancy_regex::RegexBuilder::new(pattern);
        for flag in flags.chars() {
            match flag {
                'g' => global = true,
                'i' => drop(options.case_insensitive(true)),
                'x' => drop(options.verbose_mode(true)),
                'p' => drop(options.dot_matches_new_line(true)),
                'n' => no_empty = true,
                // The longest match and single-line mode change nothing that is not so anyway.
                's' | 'l' => {}
                _ => return Err(format!("{flags} is not a valid modifier string").into()),
            }
        }
        let failed = |error: fancy_regex::Error| Error::from(format!("Regex failure: {}", reason(pattern, &error)));
        let plain = options.build().map_err(failed)?;
        let before_newline = options.pattern(with_newline(pattern)).build().map_err(failed)?;
        let names = plain.capture_names().map(|name| name.map(str::to_owned)).collect();
        Ok(Self { plain, before_newline, names, global, no_empty })
    }

    fn find_all(&self, text: &str, once: bool) -> Result<Vec<Found>, Error> {
        let regex = if text.ends_with('\n') { &self.before_newline } else { &self.plain };
        let mut found = Vec::new();
        let mut at = 0;
        while at <= text.len() {
            let captures = regex.captures_from_pos(text, at).map_err(|e| Error::from(format!("Regex failure: {e}")))?;
            let Some(captures) = captures else { break };
            let Some(whole) = captures.get(0) else { break };
            let groups = (1..captures.len()).map(|n| captures.get(n).map(|m| (m.start(), m.end()))).collect();
            let empty = whole.start() == whole.end();
            at = if empty { whole.end() + text[whole.end()..].chars().next().map_or(1, char::len_utf8) } else { whole.end() };
            if !(empty && self.no_empty) {
                found.push(Found { whole: (whole.start(), whole.end()), groups });
                if once || !self.global {
                    break;
                }
            }
        }
        Ok(found)
    }
}

/// Returns the expression with every `$` also matching before a last newline.
fn with_newline(pattern: &str) -> String {
    let mut out = String::new();
    let mut chars = pattern.chars();
    let mut class = 0;
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                out.push(c);
                out.extend(chars.next());
                continue;
            }
            '[' => class += 1,
            ']' if class > 0 => class -= 1,
            '$' if class == 0 => {
                out += r"(?=\n?\z)";
                continue;
            }
            _ => {}
        }
        out.push(c);
    }
    out
}

/// Returns Oniguruma's words for the usual mistakes.
fn reason(pattern: &str, error: &fancy_regex::Error) -> String {
    let (mut depth, mut class, mut operand) = (0i32, false, false);
    let mut chars = pattern.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => {
                if chars.next().is_none() {
                    return "end pattern at escape".into();
                }
                operand = true;
            }
            ']' if class => (class, operand) = (false, true),
            _ if class => {}
            '[' => class = true,
            '(' => (depth, operand) = (depth + 1, false),
            ')' if depth == 0 => return "unmatched close parenthesis".into(),
            ')' => (depth, operand) = (depth - 1, true),
            '|' => operand = false,
            '*' | '+' if !operand => return "target of repeat operator is not specified".into(),
            '?' if !operand && depth == 0 => return "target of repeat operator is not specified".into(),
            _ => operand = true,
        }
    }
    if class {
        "premature end of char-class".into()
    } else if depth > 0 {
        "end pattern with unmatched parenthesis".into()
    } else {
        error.to_string()
    }
}

fn compiled(context: &mut Context, pattern: &str, flags: &str) -> Result<Rc<Regex>, Error> {
    let key = (pattern.to_owned(), flags.to_owned());
    if let Some(regex) = context.regexes.get(&key) {
        return Ok(regex.clone());
    }
    let regex = Rc::new(Regex::new(pattern, flags)?);
    if context.regexes.len() > 256 {
        context.regexes.clear();
    }
    context.regexes.insert(key, regex.clone());
    Ok(regex)
}

/// Returns the expression and its flags: two arguments, or an array of both.
fn prepare(context: &mut Context, input: &Val, re: &Val, flags: &Val) -> Result<Rc<Regex>, Error> {
    if !matches!(input, Val::Str(_)) {
        return Err(type_error(input, "cannot be matched, as it is not a string").into());
    }
    let (re, flags) = match re {
        Val::Arr(list) if !list.0.is_empty() => (&list.0[0], list.0.get(1).unwrap_or(flags)),
        other => (other, flags),
    };
    let Some(pattern) = re.as_str() else { return Err(format!("{} not a string or array", re.kind()).into()) };
    let flags = match flags {
        Val::Null => "",
        Val::Str(flags) => flags,
        other => return Err(type_error(other, "is not a string").into()),
    };
    compiled(context, pattern, flags)
}

/// Counts characters up to byte positions that mostly grow.
struct Counter<'a> {
    text: &'a str,
    byte: usize,
    chars: usize,
}

impl Counter<'_> {
    fn at(&mut self, byte: usize) -> Val {
        if byte < self.byte {
            (self.byte, self.chars) = (0, 0);
        }
        self.chars += self.text[self.byte..byte].chars().count();
        self.byte = byte;
        Val::Num(self.chars as f64)
    }
}

fn matched(context: &mut Context, input: Val, args: Vec<Val>) -> Run {
    let [re, flags, test] = take(args)?;
    let regex = prepare(context, &input, &re, &flags)?;
    let text = input.as_str().unwrap_or_default();
    let found = regex.find_all(text, test.is_true())?;
    if test.is_true() {
        return Ok(Val::Bool(!found.is_empty()));
    }
    let mut counter = Counter { text, byte: 0, chars: 0 };
    Ok(Val::arr(found.iter().map(|found| describe(&regex, text, found, &mut counter)).collect()))
}

fn describe(regex: &Regex, text: &str, found: &Found, counter: &mut Counter<'_>) -> Val {
    let (start, end) = found.whole;
    let offset = counter.at(start);
    let length = |from: usize, to: usize| Val::Num(text[from..to].chars().count() as f64);
    let groups = found.groups.iter().zip(regex.names.iter().skip(1)).map(|(group, name)| {
        let name = name.as_ref().map_or(Val::Null, |n| Val::str(n.clone()));
        match group {
            _ if start == end => {
                Val::fields([("offset", offset.clone()), ("string", Val::str("")), ("length", Val::Num(0.0)), ("name", name)])
            }
            None => Val::fields([("offset", Val::Num(-1.0)), ("string", Val::Null), ("length", Val::Num(0.0)), ("name", name)]),
            Some((from, to)) => Val::fields([
                ("offset", counter.at(*from)),
                ("length", length(*from, *to)),
                ("string", Val::str(&text[*from..*to])),
                ("name", name),
            ]),
        }
    });
    let groups = groups.collect();
    Val::fields([
        ("offset", offset.clone()),
        ("length", length(start, end)),
        ("string", Val::str(&text[start..end])),
        ("captures", Val::arr(groups)),
    ])
}

fn member(val: &Val, name: &str) -> Val {
    match val {
        Val::Obj(fields) => fields.0.get(&name.to_owned()).cloned().unwrap_or(Val::Null),
        _ => Val::Null,
    }
}

/// Returns a match's named groups as an object.
fn captures(_: &mut Context, val: Val, _: Vec<Val>) -> Run {
    let mut map = Map::default();
    if let Val::Arr(groups) = member(&val, "captures") {
        for group in &groups.0 {
            if let Val::Str(name) = member(group, "name") {
                map.insert(name, member(group, "string"));
            }
        }
    }
    Ok(Val::obj(map))
}

fn split(context: &mut Context, input: Val, args: Vec<Val>) -> Run {
    let [re, flags] = take(args)?;
    let regex = prepare(context, &input, &re, &flags)?;
    let text = input.as_str().unwrap_or_default();
    let mut parts = Vec::new();
    let mut from = 0;
    for found in regex.find_all(text, false)? {
        parts.push(Val::str(&text[from..found.whole.0.max(from)]));
        from = found.whole.1;
    }
    parts.push(Val::str(&text[from..]));
    Ok(Val::arr(parts))
}

/// Ends `sub`: the input is a list of `[offset, length, [replacement, …]]`. The first replacements of all matches
/// make the first result, and so on.
fn splice(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    let [text] = take(args)?;
    let Val::Arr(edits) = &val else { return Ok(Val::Null) };
    let Some(whole) = text.as_str() else { return Ok(Val::arr(vec![text])) };
    let mut results: Vec<Val> = Vec::new();
    // Positions in characters, and the byte they are at.
    let (mut previous, mut chars, mut byte) = (0, 0, 0);
    let mut advance = |to: usize| {
        if to < chars {
            (chars, byte) = (0, 0);
        }
        byte += whole[byte..].chars().take(to - chars).map(char::len_utf8).sum::<usize>();
        chars = to;
        byte
    };
    for edit in &edits.0 {
        let Val::Arr(edit) = edit else { continue };
        let number = |at: usize| edit.0.get(at).and_then(Val::number).unwrap_or(0.0) as usize;
        let start = advance(number(0));
        let gap = whole.get(previous..start).unwrap_or_default();
        if let Some(Val::Arr(replacements)) = edit.0.get(2) {
            for (at, replacement) in replacements.0.iter().enumerate() {
                let piece = add(Val::str(gap), replacement.clone())?;
                if at == results.len() {
                    results.push(Val::Null);
                }
                let before = std::mem::replace(&mut results[at], Val::Null);
                results[at] = add(before, piece)?;
            }
        }
        previous = advance(number(0) + number(1));
    }
    if results.is_empty() {
        return Ok(Val::arr(vec![text.clone()]));
    }
    let rest = Val::str(&whole[previous..]);
    let ends: Result<Vec<Val>, Error> = results.into_iter().map(|result| add(result, rest.clone())).collect();
    Ok(Val::arr(ends?))
}
