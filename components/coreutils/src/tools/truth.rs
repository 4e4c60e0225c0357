//! `true` and `false`.

use crate::options::Syntax;
use crate::text;
use std::ffi::OsString;

/// Runs `true` and `false`. `--help` and `--version` count only alone; all other arguments are ignored.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let failure = u8::from(text::name(&args) == "false");
    if args.len() == 2 && args[1].as_encoded_bytes().starts_with(b"--") {
        let about = if failure == 0 { "Do nothing; the status is 0." } else { "Do nothing; the status is 1." };
        let syntax = Syntax { usage: "[ARG]...", about, ..Syntax::COMMON };
        if args[1] == "--help" || args[1] == "--version" {
            // The name decides the status even then.
            let _ = syntax.parse(&args);
        }
    }
    failure
}
