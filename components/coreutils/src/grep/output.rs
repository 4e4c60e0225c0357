//! How `grep` writes a line.

use super::colors::Colors;
use super::options::Options;
use crate::text;
use std::io::{Result, Write};

/// What is searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Input<'a> {
    /// Its name.
    pub name: &'a str,
    /// Digits that a number in it may have: those of a file's size, else all there can be.
    pub width: usize,
}

/// What stands between a prefix and its line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sep {
    /// The line was selected.
    Match,
    /// It is context.
    Context,
}

impl Sep {
    fn text(self) -> &'static str {
        match self {
            Self::Match => ":",
            Self::Context => "-",
        }
    }
}

/// Which mark a text gets.
pub(super) type Mark = fn(&Colors) -> &str;

/// Writes `text` with a mark, if there are marks.
pub(super) fn paint(o: &Options, mark: Mark, text: &[u8], out: &mut impl Write) -> Result<()> {
    let Some(colors) = &o.color else { return out.write_all(text) };
    colors.start(mark(colors), out)?;
    out.write_all(text)?;
    colors.end(mark(colors), out)
}

/// Prints the file's name alone, as `-l` prints it.
pub(super) fn name(o: &Options, name: &str, out: &mut impl Write) -> Result<()> {
    paint(o, |c| &c.name, &text::written(name), out)?;
    out.write_all(if o.null_names { b"\0" } else { b"\n" })
}

/// Prints `NAME:NUMBER:OFFSET:`, as much of it as was asked for; `empty` if nothing stands behind it.
pub(super) fn prefix(o: &Options, input: &Input<'_>, number: u64, offset: u64, sep: Sep, empty: bool, out: &mut impl Write) -> Result<()> {
    if o.names {
        paint(o, |c| &c.name, &text::written(input.name), out)?;
        if o.null_names {
            out.write_all(b"\0")?;
        } else {
            paint(o, |c| &c.separator, sep.text().as_bytes(), out)?;
        }
    }
    let w = if o.tabs { input.width } else { 0 };
    if o.numbers {
        paint(o, |c| &c.line_number, format!("{number:>w$}").as_bytes(), out)?;
        paint(o, |c| &c.separator, sep.text().as_bytes(), out)?;
    }
    if o.offsets {
        paint(o, |c| &c.offset, format!("{offset:>w$}").as_bytes(), out)?;
        paint(o, |c| &c.separator, sep.text().as_bytes(), out)?;
    }
    if o.tabs && !empty && (o.names || o.numbers || o.offsets) {
        out.write_all(b"\t")?;
    }
    Ok(())
}
