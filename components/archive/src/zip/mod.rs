//! `zip` and `unzip`.

mod command;
pub(crate) mod create;
pub(crate) mod extract;
mod format;
mod options;
mod several;
mod show;
