//! The record of a folder of the cache: which contents wisp kept under each key.
//!
//! A file of the cache counts only if the record names its digest. So a file that something else put there, such as
//! results that were copied to a directory above the cache, is not code, whatever it is called. The record is one file,
//! a line `KEY DIGEST` for each key, which is written beside and renamed.

use std::collections::HashMap;
use std::io::{self, Read};

use super::folder::Folder;

/// Keys, and the digests of what was kept under them.
pub(super) type Listing = HashMap<String, String>;

/// The name of the record.
pub(super) const RECORD: &str = "record";

/// Maximum bytes that are read of it: 40,000 entries. What is beyond them is made again.
const MOST: u64 = 4 << 20;

/// Reads the record of a folder; empty if it has none that only trusted users could have written.
pub(super) fn read(folder: &Folder) -> Listing {
    let mut text = Vec::new();
    let read = folder.open(RECORD).map(|(file, _)| file.take(MOST).read_to_end(&mut text));
    match read {
        Ok(Ok(_)) => parse(&String::from_utf8_lossy(&text)),
        Ok(Err(_)) | Err(_) => Listing::new(),
    }
}

/// Replaces the record of a folder.
///
/// # Errors
/// The system's.
pub(super) fn write(folder: &Folder, listing: &Listing) -> io::Result<()> {
    folder.put(RECORD, text(listing).as_bytes())
}

/// Parses the entries in a text; lines that are none are ignored.
pub(super) fn parse(text: &str) -> Listing {
    let entries = text.lines().filter_map(|line| line.split_once(' '));
    let hexadecimal = |text: &str| text.len() == 64 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    entries.filter(|(_, digest)| hexadecimal(digest)).map(|(key, digest)| (key.to_owned(), digest.to_owned())).collect()
}

/// Returns the text of a record.
pub(super) fn text(listing: &Listing) -> String {
    let mut lines: Vec<String> = listing.iter().map(|(key, digest)| format!("{key} {digest}\n")).collect();
    lines.sort_unstable();
    lines.concat()
}

/// Returns the name of the file with these contents, kept under this key.
pub(super) fn file_name(key: &str, digest: &str) -> String {
    format!("{key}.{digest}.cwasm")
}

#[cfg(test)]
#[path = "record_tests.rs"]
mod tests;
