//! `zip` and `unzip`.

mod charset;
mod command;
pub(crate) mod create;
mod crypt;
pub(crate) mod extract;
mod format;
mod options;
mod several;
mod show;
