//! From bytes to words. The grammar of a shell depends on the context, so there is no token stream: the parser asks
//! what is next, and reads words in the mode that the context requires.

mod ansi;
mod backtick;
mod blank;
mod dollar;
mod here;
mod param;
mod piece;
mod source;
mod word;

pub use ansi::{ansi_c, escape};
pub use blank::{Next, is_blank, is_meta};
pub use source::{MoreLines, Source};
pub use word::Mode;
