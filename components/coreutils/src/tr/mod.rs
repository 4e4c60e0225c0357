//! `tr`: translates, squeezes and deletes bytes.

mod sets;

use crate::options::{Line, Opt, Syntax, flag};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};

const OPTIONS: &[Opt] = &[
    flag("cC", "complement", "all bytes that are not in SET1"),
    flag("d", "delete", "delete the bytes of SET1"),
    flag("s", "squeeze-repeats", "one byte for several that are the same and in the last SET"),
    flag("t", "truncate-set1", "make SET1 as short as SET2 first"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... SET1 [SET2]",
    about: "Copy standard input to standard output, with the bytes of SET1 replaced by those of SET2. A SET is a string, with a-z, [:alpha:],\n[=a=], \\n, \\NNN, and in SET2 [a*] and [a*3].",
    options: OPTIONS,
    // In `tr a -z`, `-z` is a set.
    stop_at_operand: true,
    ..Syntax::COMMON
};

/// What happens to each byte.
struct Job {
    map: [u8; 256],
    delete: [bool; 256],
    squeeze: [bool; 256],
    last: Option<u8>,
}

/// Runs `tr`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let mut job = match job(args, &line) {
        Ok(job) => job,
        Err(status) => return status,
    };
    let mut out = text::output();
    let fail = |why: &str| {
        text::complain("tr", format!("read error: {why}"));
        1
    };
    if sys::input_is_directory() {
        return fail("Is a directory");
    }
    let (mut input, mut buffer) = (sys::input(), text::buffer());
    loop {
        let got = match input.read(&mut buffer) {
            Ok(0) => return text::finish("tr", out.flush()),
            Ok(got) => got,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => {
                let _ = out.flush();
                return fail(&text::reason(&error));
            }
        };
        let kept = job.run(&mut buffer[..got]);
        // Input that arrives in small pieces is passed on at once.
        let written = out.write_all(&buffer[..kept]).and_then(|()| if got < text::CHUNK { out.flush() } else { Ok(()) });
        if written.is_err() {
            return text::finish("tr", written);
        }
        text::widen(&mut buffer, got);
    }
}

fn job(args: &[OsString], line: &Line) -> Result<Job, u8> {
    let (delete, squeeze) = (line.has("delete"), line.has("squeeze-repeats"));
    let operands = &line.operands;
    let least = 1 + usize::from(delete == squeeze);
    let most = 1 + usize::from(!delete || squeeze);
    let also = |message: String, hint: &str| if hint.is_empty() { message } else { format!("{message}\n{hint}") };
    if operands.len() < least {
        let Some(last) = operands.last() else { return Err(SYNTAX.misuse(args, "missing operand")) };
        let hint = if delete {
            "Two strings must be given when both deleting and squeezing repeats."
        } else {
            "Two strings must be given when translating."
        };
        return Err(SYNTAX.misuse(args, &also(format!("missing operand after {}", text::quote(last)), hint)));
    }
    if let Some(extra) = operands.get(most) {
        let hint = if operands.len() == 2 { "Only one string may be given when deleting without squeezing repeats." } else { "" };
        return Err(SYNTAX.misuse(args, &also(format!("extra operand {}", text::quote(extra)), hint)));
    }
    let refused = |message| {
        text::complain("tr", message);
        1
    };
    let complement = line.has("complement");
    let first = sets::Set::read(operands[0].as_encoded_bytes()).map_err(refused)?;
    let second = operands.get(1).map(|set| sets::Set::read(set.as_encoded_bytes()).map_err(refused)).transpose()?;
    let mut job = Job { map: std::array::from_fn(|byte| byte as u8), delete: [false; 256], squeeze: [false; 256], last: None };
    let one = first.alone(complement).map_err(refused)?;
    match second {
        None if delete => one.iter().for_each(|byte| job.delete[usize::from(*byte)] = true),
        None => one.iter().for_each(|byte| job.squeeze[usize::from(*byte)] = true),
        Some(second) if delete => {
            one.iter().for_each(|byte| job.delete[usize::from(*byte)] = true);
            second.second(0).map_err(refused)?.iter().for_each(|byte| job.squeeze[usize::from(*byte)] = true);
        }
        Some(second) => {
            let pairs = sets::pairs(&first, &one, &second, complement, line.has("truncate-set1")).map_err(refused)?;
            for (from, to) in &pairs {
                job.map[usize::from(*from)] = *to;
            }
            if squeeze {
                second.second(one.len()).map_err(refused)?.iter().for_each(|byte| job.squeeze[usize::from(*byte)] = true);
            }
        }
    }
    Ok(job)
}

impl Job {
    /// Changes a piece of text in place. Returns its new length.
    fn run(&mut self, text: &mut [u8]) -> usize {
        if !self.delete.contains(&true) && !self.squeeze.contains(&true) {
            text.iter_mut().for_each(|byte| *byte = self.map[usize::from(*byte)]);
            return text.len();
        }
        let mut kept = 0;
        for at in 0..text.len() {
            let byte = text[at];
            if self.delete[usize::from(byte)] {
                continue;
            }
            let byte = self.map[usize::from(byte)];
            if self.last == Some(byte) && self.squeeze[usize::from(byte)] {
                continue;
            }
            self.last = Some(byte);
            text[kept] = byte;
            kept += 1;
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tr(words: &[&str], input: &[u8]) -> String {
        let args: Vec<OsString> = std::iter::once("tr").chain(words.iter().copied()).map(OsString::from).collect();
        let line = SYNTAX.parse(&args).unwrap();
        let mut job = job(&args, &line).unwrap();
        // In two pieces, as input may arrive.
        let (a, b) = input.split_at(input.len() / 2);
        let mut out = Vec::new();
        for piece in [a, b] {
            let mut piece = piece.to_vec();
            let kept = job.run(&mut piece);
            out.extend_from_slice(&piece[..kept]);
        }
        String::from_utf8_lossy(&out).into_owned()
    }

    #[test]
    fn bytes_are_translated() {
        assert_eq!(tr(&["a-c", "A-C"], b"abcd"), "ABCd");
        assert_eq!(tr(&["abc", "xy"], b"abc"), "xyy");
        assert_eq!(tr(&["-t", "abc", "xy"], b"abc"), "xyc");
        assert_eq!(tr(&["[:upper:]", "[:lower:]"], b"AbC"), "abc");
        assert_eq!(tr(&["a-z[:lower:]", "A-Z[:upper:]"], b"abc"), "ABC");
        assert_eq!(tr(&["-c", "a\\n", "x"], b"abc\n"), "axx\n");
        assert_eq!(tr(&["abcde", "[x*2]y[z*]"], b"abcde"), "xxyzz");
        assert_eq!(tr(&["a-c", "x[y*]"], b"abc"), "xyy");
        assert_eq!(tr(&["\\0", "\\n"], b"a\0b"), "a\nb");
        assert_eq!(tr(&["[:lower:]", "x"], b"aB"), "xB");
    }

    #[test]
    fn bytes_are_deleted_and_squeezed() {
        assert_eq!(tr(&["-d", "a-b"], b"abcab"), "c");
        assert_eq!(tr(&["-cd", "0-9\\n"], b"a1b2\n"), "12\n");
        assert_eq!(tr(&["-s", "a"], b"aaabbb"), "abbb");
        assert_eq!(tr(&["-s", "ab", "xx"], b"aabb"), "x");
        assert_eq!(tr(&["-s", " ", "_"], b"a  b"), "a_b");
        assert_eq!(tr(&["-ds", "a", "b"], b"aabbcc"), "bcc");
        assert_eq!(tr(&["-cs", "[:alnum:]", "\\n"], b"a, b"), "a\nb");
        assert_eq!(tr(&["-s", "[:space:]"], b"a \t\n\nb"), "a \t\nb");
    }

    #[test]
    fn sets_that_gnu_refuses_are_refused() {
        for words in [
            &["a"][..],
            &["a", "b", "c"],
            &["-d", "a", "b"],
            &["-ds", "a"],
            &["z-a", "x"],
            &["[:x:]", "x"],
            &["a", ""],
            &["a", "[b*][c*]"],
            &["[b*]", "x"],
        ] {
            let args: Vec<OsString> = std::iter::once("tr").chain(words.iter().copied()).map(OsString::from).collect();
            assert_eq!(job(&args, &SYNTAX.parse(&args).unwrap()).err(), Some(1), "{words:?}");
        }
    }
}
