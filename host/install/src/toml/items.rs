//! Edits of a list of tables, `[[environments]]`, and of the keys above the first header.

use std::ops::Range;

use ::toml::de::{DeTable, DeValue};
use serde_json::Value;

use super::{appended, below, cut, line_end, line_start, read, rendered, tables};
use crate::format::{Trouble, line_of};

/// Adds a table to a list, at the end of the text. A blank line stands before it, as before an entry of [`super::add`].
pub(crate) fn push(text: &str, list: &str, members: &[(&str, &Value)]) -> Result<String, Trouble> {
    items(text, read(text)?.get_ref(), list)?;
    Ok(appended(text, &format!("[[{list}]]"), members))
}

/// Sets a key of the table at `index` of a list. Its value is no table.
pub(crate) fn set_in(text: &str, list: &str, index: usize, key: &str, value: &Value) -> Result<String, Trouble> {
    let document = read(text)?;
    let items = items(text, document.get_ref(), list)?;
    let Some((header, table)) = items.get(index) else {
        return Ok(text.to_owned());
    };
    let Some(found) = table.get(key) else {
        return Ok(below(text, header, key, value));
    };
    let span = found.span();
    if found.get_ref().is_table() {
        let what = format!("`{key}` is a table; take it out, then run this again");
        return Err(Trouble::Shape { line: line_of(text, span.start), what });
    }
    Ok(format!("{}{}{}", &text[..span.start], rendered(value), &text[span.end..]))
}

/// Takes the table at `index` out of a list, with the tables below it. What stands above its header stays.
pub(crate) fn take_from(text: &str, list: &str, index: usize) -> Result<String, Trouble> {
    let document = read(text)?;
    Ok(match items(text, document.get_ref(), list)?.get(index) {
        Some((header, table)) => cut(text, tables(text, header, table)),
        None => text.to_owned(),
    })
}

/// Returns the line of a key above the first header, with its end; nothing if there is no such key.
pub(crate) fn key_line(text: &str, key: &str) -> Result<Option<Range<usize>>, Trouble> {
    let document = read(text)?;
    let Some((at, found)) = document.get_ref().get_key_value(key) else {
        return Ok(None);
    };
    let range = line_start(text, at.span().start)..line_end(text, found.span().end);
    if text[range.clone()].trim_end().contains('\n') || found.get_ref().is_table() {
        let what = format!("`{key}` is not written on one line; write it so, then run this again");
        return Err(Trouble::Shape { line: line_of(text, at.span().start), what });
    }
    Ok(Some(range))
}

/// Returns the tables of a list: where the header of each is, and what is below it.
fn items<'d, 't>(text: &str, root: &'d DeTable<'t>, list: &str) -> Result<Vec<(Range<usize>, &'d DeTable<'t>)>, Trouble> {
    let Some((at, found)) = root.get_key_value(list) else {
        return Ok(Vec::new());
    };
    let odd = || {
        let what = format!("`{list}` is not written as tables; write each of them as `[[{list}]]`, then run this again");
        Trouble::Shape { line: line_of(text, at.span().start), what }
    };
    let DeValue::Array(array) = found.get_ref() else {
        return Err(odd());
    };
    if !text[found.span()].starts_with("[[") {
        return Err(odd());
    }
    let item = |item: &'d ::toml::Spanned<DeValue<'t>>| match item.get_ref() {
        DeValue::Table(table) if text[item.span()].starts_with("[[") => Ok((item.span(), table)),
        _ => Err(odd()),
    };
    array.iter().map(item).collect()
}
