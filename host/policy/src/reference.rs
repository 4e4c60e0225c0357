//! The reference of every key, as Markdown for `policies/README.md` and as JSON Schema for editors: made from the schema, and
//! tests compare.

use std::fmt::Write;

use super::read::number_text;
use super::schema::{Absent, Key, Row, Shape};

use super::json_schema::refused;

pub use super::json_schema::json_schema;

/// Maximum characters of an example in one word: the words of a column that does not wrap decide how wide the table is.
const WORD: usize = 40;

/// Returns one table in Markdown: key, type and default in one column, meaning and what is refused in the other. Five columns do not fit
/// on a page.
pub fn markdown() -> String {
    let mut text = String::from("| key, type, without it | meaning |\n| --- | --- |\n");
    for &key in Key::ALL {
        let row = key.row();
        let (shape, absent, refused) = (shape(&row), absent(&row), refused(&row));
        let refused = if refused.is_empty() { refused } else { format!("<br>Refused: {refused}") };
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| `{}`<br>{shape}<br>without it: {absent} | {}{refused} |", row.path, row.meaning);
    }
    text
}

fn shape(row: &Row) -> String {
    let shape = match &row.shape {
        Shape::Text => "string",
        Shape::Texts => "list of strings",
        Shape::Flag => return "`true` or `false`".to_owned(),
        Shape::Count(_) => "whole number",
        Shape::Size(_) => "size",
        Shape::Duration(_) => "time",
        Shape::Moment => "date and time",
    };
    match row.example.get(..WORD / 3) {
        Some(start) if row.example.len() > WORD && !row.example.contains(' ') => format!("{shape}, `{start}…\"`"),
        _ => format!("{shape}, `{}`", row.example),
    }
}

fn absent(row: &Row) -> String {
    match row.absent {
        Absent::Nothing => "nothing".to_owned(),
        Absent::Required => "an error".to_owned(),
        Absent::Number(number) if matches!(row.shape, Shape::Count(_)) => format!("`{number}`"),
        Absent::Number(number) => format!("`\"{}\"`", number_text(&row.shape, number)),
        Absent::Text(text) => format!("`\"{text}\"`"),
        Absent::False => "`false`".to_owned(),
        Absent::Prose(prose) => prose.to_owned(),
    }
}
