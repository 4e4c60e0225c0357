//! The reference of every key, for `policies/README.md`: made from the schema, and a test compares.

use std::fmt::Write;

use super::read::number_text;
use super::schema::{Absent, Key, Row, Shape};

/// One table in Markdown: key, type, default, meaning.
pub fn markdown() -> String {
    let mut text = String::from("| key | type | without it | meaning |\n| --- | --- | --- | --- |\n");
    for key in Key::ALL {
        let row = key.row();
        // Writing to a `String` cannot fail.
        let _ = writeln!(text, "| `{}` | {} | {} | {} |", row.path, shape(&row), absent(&row), row.meaning);
    }
    text
}

fn shape(row: &Row) -> String {
    let bounds = |bounds: &std::ops::RangeInclusive<u64>| format!("{} to {}", number_text(&row.shape, *bounds.start()), number_text(&row.shape, *bounds.end()));
    match &row.shape {
        Shape::Text => format!("string, `{}`", row.example),
        Shape::Texts => format!("list of strings, `{}`", row.example),
        Shape::Flag => "`true` or `false`".to_owned(),
        Shape::Count(range) => format!("whole number, {}", bounds(range)),
        Shape::Size(range) => format!("size, `{}`; {}", row.example, bounds(range)),
        Shape::Duration(range) => format!("time, `{}`; {}", row.example, bounds(range)),
        Shape::Moment => format!("date and time, `{}`", row.example),
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
