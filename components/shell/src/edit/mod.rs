//! The line editor of an interactive shell: keys, history, search and completion, as readline's emacs mode has them.
//!
//! | file | contents |
//! | --- | --- |
//! | `text` | the line, the cursor, and what is removed and put back |
//! | `screen` | how prompt and line stand on the screen |
//! | `editor` | what each key does; no terminal, no shell |
//! | `search` | the incremental search of the history |
//! | `word` | the word to complete, and how a name is quoted in its place |
//! | `read` | the terminal in raw mode, and the loop that reads keys |

mod completion;
mod editor;
mod read;
mod screen;
mod search;
mod text;
mod word;

pub(crate) use completion::{Candidate, Completion};
pub(crate) use editor::{Editor, Step};
pub(crate) use read::{Entered, Source, read_line};
pub(crate) use word::{Typed, Word};

#[cfg(test)]
mod tests;
