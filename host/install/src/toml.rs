//! Edits of TOML texts that leave every other byte: entries are tables with a header of their own, `[mcp_servers.wisp]`.

mod items;

use std::ops::Range;

use ::toml::Spanned;
use ::toml::de::{DeTable, DeValue};
use serde_json::Value;

use crate::format::{Place, Trouble, column_of, line_of, newline};
pub(crate) use items::{key_line, push, set_in, take_from};

/// Reads the whole text.
pub(crate) fn value(text: &str) -> Result<Value, Trouble> {
    Ok(table_value(read(text)?.get_ref()))
}

/// Adds an entry at the end of the text: there it cannot come between others, and a section is not needed.
///
/// A blank line stands before it. If the last line of the text is not ended, the entry follows on the next line without one, so that
/// [`take_out`] knows.
pub(crate) fn add(text: &str, place: Place<'_>, members: &[(&str, &Value)]) -> Result<String, Trouble> {
    let document = read(text)?;
    for key in place.section {
        match document.get_ref().get(*key).map(|found| (found.span(), found.get_ref())) {
            None => break,
            Some((span, DeValue::Table(_))) if form(text, &span) != Form::Inline => {}
            Some((span, _)) => {
                let what = format!("`{key}` is not written as tables; write each server as `[{key}.NAME]`, then run this again");
                return Err(Trouble::Shape { line: line_of(text, span.start), what });
            }
        }
    }
    Ok(appended(text, &format!("[{}]", place.path().join(".")), members))
}

/// Adds a table at the end of the text, behind a blank line.
fn appended(text: &str, header: &str, members: &[(&str, &Value)]) -> String {
    let newline = newline(text);
    let mut new = text.to_owned();
    if !text.is_empty() {
        new.push_str(newline);
    }
    new.push_str(&format!("{header}{newline}"));
    for (key, value) in members {
        new.push_str(&format!("{key} = {}{newline}", rendered(value)));
    }
    new
}

/// Sets a key of an entry.
pub(crate) fn set(text: &str, place: Place<'_>, key: &str, value: &Value) -> Result<String, Trouble> {
    let document = read(text)?;
    let Some(entry) = find(text, document.get_ref(), place)? else {
        return Ok(text.to_owned());
    };
    let Some(found) = entry.table.get(key) else {
        return Ok(below(text, &entry.header, key, value));
    };
    let span = found.span();
    match (found.get_ref(), form(text, &span)) {
        (DeValue::Table(_), Form::Dotted) => Err(dotted(text, place, span.start)),
        // A table of its own, which makes way for a line below the header.
        (DeValue::Table(table), Form::Header) => set(&cut(text, tables(text, &span, table)), place, key, value),
        _ => Ok(format!("{}{}{}", &text[..span.start], rendered(value), &text[span.end..])),
    }
}

/// Adds a key below a header.
fn below(text: &str, header: &Range<usize>, key: &str, value: &Value) -> String {
    let line = format!("{key} = {}{}", rendered(value), newline(text));
    let end = line_end(text, header.end);
    let ended = if text[..end].ends_with('\n') { "" } else { newline(text) };
    format!("{}{ended}{line}{}", &text[..end], &text[end..])
}

/// Takes an entry out, with the tables below it. What stands above its header stays, a comment for example.
pub(crate) fn take_out(text: &str, place: Place<'_>) -> Result<String, Trouble> {
    let document = read(text)?;
    Ok(match find(text, document.get_ref(), place)? {
        Some(entry) => cut(text, tables(text, &entry.header, entry.table)),
        None => text.to_owned(),
    })
}

struct Entry<'d, 't> {
    header: Range<usize>,
    table: &'d DeTable<'t>,
}

/// How a table is written.
#[derive(Debug, PartialEq, Eq)]
enum Form {
    /// `[a.b]`
    Header,
    /// `b = { … }`
    Inline,
    /// By the keys in it alone: `b.c = 1`, or the header of a table below it. Its place is its name there.
    Dotted,
}

fn form(text: &str, span: &Range<usize>) -> Form {
    match text[span.clone()].bytes().next() {
        Some(b'[') => Form::Header,
        Some(b'{') => Form::Inline,
        _ => Form::Dotted,
    }
}

fn read(text: &str) -> Result<Spanned<DeTable<'_>>, Trouble> {
    DeTable::parse(text).map_err(|error| {
        let position = error.span().map_or(0, |span| span.start);
        Trouble::Syntax { line: line_of(text, position), column: column_of(text, position), what: error.message().to_owned() }
    })
}

fn find<'d, 't>(text: &str, root: &'d DeTable<'t>, place: Place<'_>) -> Result<Option<Entry<'d, 't>>, Trouble> {
    let mut table = root;
    let mut header = 0..0;
    for key in place.path() {
        let Some((at, found)) = table.get_key_value(key) else { return Ok(None) };
        let Some(inner) = found.get_ref().as_table() else {
            let what = format!("`{key}` is no table, so no server can stand in it; make it one");
            return Err(Trouble::Shape { line: line_of(text, at.span().start), what });
        };
        (header, table) = (found.span(), inner);
    }
    if form(text, &header) == Form::Header { Ok(Some(Entry { header, table })) } else { Err(dotted(text, place, header.start)) }
}

fn dotted(text: &str, place: Place<'_>, position: usize) -> Trouble {
    let path = place.path().join(".");
    let what = format!("`{path}` is not written as a table with a header; write it as `[{path}]`, or take it out, then run this again");
    Trouble::Shape { line: line_of(text, position), what }
}

/// Returns where a table with a header and those below it are: lines from a header to the last value under it.
fn tables(text: &str, header: &Range<usize>, table: &DeTable<'_>) -> Vec<Range<usize>> {
    let mut end = header.end;
    let mut found = Vec::new();
    let mut open = vec![table];
    while let Some(table) = open.pop() {
        for (_, value) in table {
            let span = value.span();
            match (value.get_ref(), form(text, &span)) {
                (DeValue::Table(below), Form::Header) => found.extend(tables(text, &span, below)),
                // Its values stand here, or it has a header further down.
                (DeValue::Table(below), Form::Dotted) => open.push(below),
                (DeValue::Array(items), _)
                    if text[span.clone()].starts_with("[[") && items.iter().all(|item| item.get_ref().is_table()) =>
                {
                    for item in items {
                        if let DeValue::Table(below) = item.get_ref() {
                            found.extend(tables(text, &item.span(), below));
                        }
                    }
                }
                _ => end = end.max(span.end),
            }
        }
    }
    found.push(line_start(text, header.start)..line_end(text, end));
    found
}

/// Takes ranges of whole lines out, each with the blank line before it. If the only one ends the text and has no blank line before it,
/// the line above it is not ended either, as [`add`] found it.
fn cut(text: &str, mut ranges: Vec<Range<usize>>) -> String {
    ranges.sort_by_key(|range| range.start);
    ranges.dedup_by(|next, range| {
        let together = next.start == range.end;
        if together {
            range.end = next.end;
        }
        together
    });
    let only = ranges.len() == 1;
    let mut new = String::with_capacity(text.len());
    let mut done = 0;
    for range in ranges {
        new.push_str(&text[done..range.start]);
        let newline = if new.ends_with("\r\n") { 2 } else { usize::from(new.ends_with('\n')) };
        let blank = new[..new.len() - newline].ends_with('\n') || new.len() == newline;
        if blank || (only && range.end == text.len()) {
            new.truncate(new.len() - newline);
        }
        done = range.end;
    }
    new.push_str(&text[done..]);
    new
}

fn line_start(text: &str, position: usize) -> usize {
    text[..position].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, position: usize) -> usize {
    text[position..].find('\n').map_or(text.len(), |newline| position + newline + 1)
}

fn rendered(value: &Value) -> String {
    match value {
        // A string of JSON is one of TOML, except for one character that TOML wants escaped.
        Value::String(_) => value.to_string().replace('\u{7f}', "\\u007f"),
        Value::Array(items) => format!("[{}]", items.iter().map(rendered).collect::<Vec<_>>().join(", ")),
        Value::Object(members) => {
            let member = |(key, value): (&String, &Value)| format!("{} = {}", rendered(&Value::from(key.as_str())), rendered(value));
            format!("{{ {} }}", members.iter().map(member).collect::<Vec<_>>().join(", "))
        }
        other => other.to_string(),
    }
}

fn table_value(table: &DeTable<'_>) -> Value {
    Value::Object(table.iter().map(|(key, value)| (key.get_ref().to_string(), node(value.get_ref()))).collect())
}

fn node(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::String(text.to_string()),
        DeValue::Integer(number) => {
            i64::from_str_radix(number.as_str(), number.radix()).map_or_else(|_| Value::from(number.as_str()), Value::from)
        }
        DeValue::Float(number) => number.as_str().parse::<f64>().map_or_else(|_| Value::from(number.as_str()), Value::from),
        DeValue::Boolean(truth) => Value::Bool(*truth),
        DeValue::Datetime(time) => Value::String(time.to_string()),
        DeValue::Array(items) => Value::Array(items.iter().map(|item| node(item.get_ref())).collect()),
        DeValue::Table(table) => table_value(table),
    }
}
