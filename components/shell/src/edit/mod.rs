//! The lines that a person enters at a terminal: `wisp-edit` edits them, and completes what the shell knows.
//!
//! | file | contents |
//! | --- | --- |
//! | `word` | the word to complete, and how a name is quoted in its place |
//! | `read` | the terminal while a line is entered |

mod read;
mod word;

pub(crate) use read::{Keys, Source, read_line};
pub(crate) use word::{Typed, Word};

#[cfg(test)]
mod tests;
