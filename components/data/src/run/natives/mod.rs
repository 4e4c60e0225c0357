//! The filters that are written in Rust.

mod dates;
mod format;
mod lists;
mod maths;
mod regex;
mod strings;
mod strptime;
mod system;
mod values;

pub(crate) use format::{format_plain_row, format_value};
pub(crate) use regex::Regex;

use super::{Error, Native};
use crate::json::Val;

/// Name, number of arguments, function.
type Entry = (&'static str, usize, Native);

/// `@name`.
pub(crate) const FORMAT: Native = format::format;
/// `$ENV`.
pub(crate) const ENV: Native = system::env;

const TABLES: &[&[Entry]] = &[
    values::TABLE,
    lists::TABLE,
    strings::TABLE,
    maths::TABLE,
    regex::TABLE,
    dates::TABLE,
    system::TABLE,
    &[("format", 1, format::format)],
];

/// Finds the filter of a name and a number of arguments.
pub(crate) fn find(name: &str, arity: usize) -> Option<Native> {
    TABLES.iter().flat_map(|table| table.iter()).find(|(n, a, _)| *n == name && *a == arity).map(|(_, _, native)| *native)
}

/// Returns all of them.
pub(crate) fn names() -> impl Iterator<Item = (&'static str, usize)> {
    TABLES.iter().flat_map(|table| table.iter()).map(|(name, arity, _)| (*name, *arity))
}

type Run = Result<Val, Error>;

/// Returns the arguments as an array of a known length.
fn take<const N: usize>(args: Vec<Val>) -> Result<[Val; N], Error> {
    args.try_into().map_err(|_| Error::from("wrong number of arguments"))
}
