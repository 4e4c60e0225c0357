//! Pseudo-terminals: what stands between a person, or a program that acts as one, and the programs of a terminal.
//!
//! [`Discipline`] is the whole behaviour, without waiting and without a clock: lines with editing, echo, signals, flow
//! control, raw input, and the processing of output. [`pair`] makes two ends around one that wait for each other.
//!
//! | written by | passes through | read by |
//! | --- | --- | --- |
//! | [`Keyboard::type_all`] | editing, echo, signals; the input queue | [`Tty::read`] |
//! | [`Tty::write_all`], echo | output processing; the output queue | [`Keyboard::take`] |

mod discipline;
mod edit;
mod pair;
mod post;
mod queue;
mod settings;
mod shared;

pub use discipline::{Discipline, Flow, Flushed, LINE_CAPACITY, OUTPUT_CAPACITY, Read, Received};
pub use pair::{Keyboard, TTY_COST, Tty, pair};
pub use settings::{CHARACTERS, DISABLED, Settings, Size, at, control, flag};
pub use shared::{Admission, Background, Control, HungUp, TtyWatch, Use};
