//! Edits of JSON texts, with or without comments, that leave every other byte.

mod list;
mod read;
mod write;

use serde_json::Value;

use crate::format::{Place, Trouble};
pub(crate) use list::{pull, push, swap, tidy};
use read::Document;
use write::Edits;
pub(crate) use write::Item;

/// Reads the whole text.
pub(crate) fn value(text: &str, comments: bool) -> Result<Value, Trouble> {
    let value = Document::read(text, comments)?.value();
    if !comments {
        // The reader of places lets pass what the standard does not, such as a tab in a string.
        serde_json::from_str::<Value>(text).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            let what = error.to_string();
            Trouble::Syntax { line, column, what: what.split(" at line ").next().unwrap_or(&what).to_owned() }
        })?;
    }
    Ok(value)
}

/// Adds what is missing of `path`: the last key holds `members`.
pub(crate) fn add(text: &str, comments: bool, path: &[&str], members: &[(&str, &Value)]) -> Result<String, Trouble> {
    add_item(
        text,
        comments,
        path,
        Item::Members(members.iter().map(|(key, value)| ((*key).to_owned(), Item::Value((*value).clone()))).collect()),
    )
}

fn add_item(text: &str, comments: bool, path: &[&str], mut item: Item) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    let mut above = path;
    while let Some((key, rest)) = above.split_last() {
        if let Some(chain) = document.chain(rest)? {
            return Ok(Edits::of(&document).insert(&chain, key, &item).apply());
        }
        item = Item::Members(vec![((*key).to_owned(), item)]);
        above = rest;
    }
    Ok(text.to_owned())
}

/// Sets a member of the object at `path`.
pub(crate) fn set(text: &str, comments: bool, path: &[&str], key: &str, value: &Value) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    let Some(chain) = document.chain(path)? else {
        return Ok(text.to_owned());
    };
    let item = Item::Value(value.clone());
    let edits = Edits::of(&document);
    Ok(match document.member(&chain, key)? {
        Some((_, found)) => edits.replace(&chain, found, &item).apply(),
        None => edits.insert(&chain, key, &item).apply(),
    })
}

/// Takes an entry out. The object that held it goes too if nothing is left in it and nothing follows it, as it is where
/// [`add`] makes one. (One that was there before, last and empty, goes with it: to every client that is the same.)
pub(crate) fn take_out(text: &str, comments: bool, place: Place<'_>) -> Result<String, Trouble> {
    let without = remove(text, comments, place.section, place.name)?;
    let document = Document::read(&without, comments)?;
    let (Some((section, [])), Some(root)) = (place.section.split_first(), document.chain(&[])?) else {
        return Ok(without);
    };
    let Some((index, member)) = document.member(&root, section)? else {
        return Ok(without);
    };
    let last = root.last().is_some_and(|root| root.properties.len() == index + 1);
    if last && document.is_bare(member) { remove(&without, comments, &[], section) } else { Ok(without) }
}

fn remove(text: &str, comments: bool, path: &[&str], key: &str) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    let Some(chain) = document.chain(path)? else {
        return Ok(text.to_owned());
    };
    Ok(match document.member(&chain, key)? {
        Some((index, _)) => Edits::of(&document).remove(&chain, index).apply(),
        None => text.to_owned(),
    })
}
