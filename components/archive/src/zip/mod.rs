//! `zip` and `unzip`.

mod command;
pub mod create;
pub mod extract;
mod format;
mod options;
mod several;
mod show;
