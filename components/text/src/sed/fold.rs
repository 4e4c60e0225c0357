//! One character in the other case, as with towupper(3): the result is always one character.

/// Returns the upper case of a character.
pub(crate) fn upper(c: char) -> char {
    one(c, c.to_uppercase())
}

/// Returns the lower case of a character.
pub(crate) fn lower(c: char) -> char {
    one(c, c.to_lowercase())
}

fn one(c: char, mut all: impl Iterator<Item = char>) -> char {
    match (all.next(), all.next()) {
        (Some(single), None) => single,
        _ => c,
    }
}
