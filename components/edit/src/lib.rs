//! A line editor: keys, history, search and completion, as readline's emacs mode has them. It knows no terminal and no
//! shell: both are given to it as a [`Terminal`]. Bytes become keys in `wisp_tool::keys`.
//!
//! | file | contents |
//! | --- | --- |
//! | `text` | the line, the cursor, and what is removed and put back |
//! | `screen` | how prompt and line stand on the screen |
//! | `editor` | what each key does |
//! | `search` | the incremental search of the history |
//! | `completion` | what Tab offers, and how it is put into the line |
//! | `enter` | the loop that reads keys |

mod completion;
mod editor;
mod enter;
mod screen;
mod search;
mod text;

pub use completion::{Candidate, Completion};
pub use enter::{Beginning, Entered, Pressed, Terminal, enter};

#[cfg(test)]
use editor::{Editor, Step};

#[cfg(test)]
mod tests;
