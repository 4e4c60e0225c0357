//! `zip` and `unzip`.

pub mod create;
pub mod extract;
mod format;
mod options;
mod show;
