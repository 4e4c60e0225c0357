//! Edits of lists.

use super::read::Document;
use super::write::{Edits, Item};
use super::{Trouble, add_item};

/// Adds an element behind the others of the list at `path`, which is made if it is missing.
pub(crate) fn push(text: &str, comments: bool, path: &[&str], item: Item) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    match document.list(path)? {
        Some(list) => Ok(Edits::of(&document).push(&list, &item).apply()),
        None => add_item(text, comments, path, Item::Elements(vec![item])),
    }
}

/// Puts another element in the place of the one at `index`.
pub(crate) fn swap(text: &str, comments: bool, path: &[&str], index: usize, item: &Item) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    Ok(match document.list(path)? {
        Some(list) => Edits::of(&document).swap(&list, index, item).apply(),
        None => text.to_owned(),
    })
}

/// Takes the element at `index` out.
pub(crate) fn pull(text: &str, comments: bool, path: &[&str], index: usize) -> Result<String, Trouble> {
    let document = Document::read(text, comments)?;
    Ok(match document.list(path)? {
        Some(list) => Edits::of(&document).pull(&list, index).apply(),
        None => text.to_owned(),
    })
}

/// Takes out the list at `path` if nothing is left in it and nothing follows it, as it is where [`push`] makes one, and so on with the
/// objects above it. (One that was there before, last and empty, goes with it: to every client that is the same.)
pub(crate) fn tidy(text: &str, comments: bool, path: &[&str]) -> Result<String, Trouble> {
    let mut text = text.to_owned();
    let mut rest = path;
    while let Some((key, above)) = rest.split_last() {
        let Some(without) = without_bare(&text, comments, above, key)? else { break };
        text = without;
        rest = above;
    }
    Ok(text)
}

/// Returns the text without a member that is empty and the last one, or nothing if it is not.
fn without_bare(text: &str, comments: bool, above: &[&str], key: &str) -> Result<Option<String>, Trouble> {
    let document = Document::read(text, comments)?;
    let Some(chain) = document.chain(above)? else { return Ok(None) };
    let Some((index, member)) = document.member(&chain, key)? else { return Ok(None) };
    let last = chain.last().is_some_and(|object| object.properties.len() == index + 1);
    Ok((last && document.is_bare(member)).then(|| Edits::of(&document).remove(&chain, index).apply()))
}
