//! Unified diffs: reading them, with the headers of git; finding the place of each hunk in a file; writing them. There is no I/O: a
//! diff and a file are bytes.
//!
//! - `reader` goes through a diff: text, heads ([`Head`]), hunks ([`Hunk`]). [`Reading`] says what is a mistake: for the host, everything
//!   that is not understood; for `patch`, what is one for GNU's, which reads context and normal diffs too.
//! - `head` reads the lines before the hunks, `names` the names in them; `unified` and `classic` read hunks, `hunk` has their lines;
//!   `lines` is the cursor of all. `mistake` lists what can be wrong.
//! - `apply` puts hunks into a file ([`apply_all`], [`apply_each`]); [`Rules`] say how closely they must agree with it.
//! - `compare` finds the lines in which two texts differ, and `write` writes them as hunks.
//!
//! The guest `patch` is built with this crate, the only one of the host's that a guest depends on. So it stays without any of ours.

#![forbid(unsafe_code)]

mod apply;
mod classic;
mod compare;
mod head;
mod hunk;
mod lines;
mod mistake;
mod names;
mod reader;
mod unified;
mod write;

pub use apply::{Misfit, Outcome, Rules, Why, apply_all, apply_each};
pub use head::{Form, Head, Moved};
pub use hunk::{Hunk, HunkLines, Kind, Line};
pub use mistake::{Mistake, Wrong};
pub use names::quoted;
pub use reader::{Reader, Reading};
pub use write::{hunks, one_hunk, range};
