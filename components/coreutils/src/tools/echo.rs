//! `echo`.

use super::escapes;
use crate::options::Syntax;
use crate::text;
use std::ffi::OsString;
use std::io::Write;

/// Runs `echo`. `--help` and `--version` count only alone, and options only before the first other word.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let posix = std::env::var_os("POSIXLY_CORRECT").is_some();
    if !posix && args.len() == 2 && (args[1] == "--help" || args[1] == "--version") {
        let about = "Write the STRINGs with a space between them and a newline at the end.\n  -n  without the newline\n  -e  with escapes (\\n, \\t, \\0NNN, \\xHH and so on)\n  -E  without escapes (the default)";
        let syntax = Syntax { usage: "[-neE] [STRING]...", about, ..Syntax::COMMON };
        return syntax.parse(&args).err().unwrap_or_default();
    }
    let bytes = said(&args[1..], posix);
    let mut out = text::output();
    let written = out.write_all(&bytes);
    text::finish("echo", written.and_then(|()| out.flush()))
}

/// Returns the output for these words.
fn said(mut words: &[OsString], posix: bool) -> Vec<u8> {
    let (mut newline, mut escaped) = (true, posix);
    // POSIX has no options, but GNU's echo accepts them even with POSIXLY_CORRECT if the first is `-n`.
    while let Some(letters) = words.first().and_then(|word| word.as_encoded_bytes().strip_prefix(b"-")) {
        let known = !letters.is_empty() && letters.iter().all(|letter| b"neE".contains(letter));
        if !known || posix && newline && letters != b"n" {
            break;
        }
        for letter in letters {
            match letter {
                b'n' => newline = false,
                b'e' => escaped = true,
                _ => escaped = posix,
            }
        }
        words = &words[1..];
    }
    let mut out = Vec::new();
    for (at, word) in words.iter().enumerate() {
        if at > 0 {
            out.push(b' ');
        }
        let word = word.as_encoded_bytes();
        if !escaped {
            out.extend_from_slice(word);
        } else if escapes::decode(word, &mut out).is_err() {
            return out;
        }
    }
    if newline {
        out.push(b'\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn echo(words: &[&str], posix: bool) -> String {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        String::from_utf8_lossy(&said(&words, posix)).into_owned()
    }

    #[test]
    fn options_end_at_the_first_other_word() {
        assert_eq!(echo(&["-n", "a"], false), "a");
        assert_eq!(echo(&["-nx", "a"], false), "-nx a\n");
        assert_eq!(echo(&["a", "-n"], false), "a -n\n");
        assert_eq!(echo(&["-", "--", "-e"], false), "- -- -e\n");
        assert_eq!(echo(&["-neE", "a\\t"], false), "a\\t");
        assert_eq!(echo(&[], false), "\n");
    }

    #[test]
    fn escapes_are_for_e_and_posix() {
        assert_eq!(echo(&["-e", r"a\tb\0101\101\x41\q\\", r"\"], false), "a\tbAAA\\q\\ \\\n");
        assert_eq!(echo(&["-e", r"a\cb", "c"], false), "a");
        assert_eq!(echo(&["-e", r"\xg\x"], false), "\\xg\\x\n");
        assert_eq!(echo(&["-e", r"a\n"], true), "-e a\n\n");
        assert_eq!(echo(&["-n", "-e", r"a\tb"], true), "a\tb");
        assert_eq!(echo(&["-E", r"a\tb"], true), "-E a\tb\n");
    }
}
