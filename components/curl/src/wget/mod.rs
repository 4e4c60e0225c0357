//! `wget` on the command line.

/// Run it.
pub fn main(_arguments: &[String]) -> u8 {
    2
}
