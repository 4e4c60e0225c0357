//! The command lines of uutils' tools, read as GNU's getopt reads them. Lines that GNU's tools refuse are refused here
//! with GNU's messages, before uutils' parser refuses them with its own.

use crate::options::{Line, Opt, Syntax, Takes};
use crate::text;
use std::ffi::OsString;

/// Name, minimum and maximum of operands, options: `LETTERS/LONG`, then `=` if the option takes a value, or `?` if the
/// value is optional.
const TOOLS: &[(&str, usize, usize, &str)] = &[
    ("b2sum", 0, MANY, "b/binary c/check l/length= t/text z/zero /tag /ignore-missing /quiet /status /strict w/warn"),
    ("base32", 0, 1, "d/decode D i/ignore-garbage w/wrap="),
    ("base64", 0, 1, "d/decode D i/ignore-garbage w/wrap="),
    (
        "basenc",
        0,
        1,
        "d/decode D i/ignore-garbage w/wrap= /base64 /base64url /base32 /base32hex /base16 /base2msbf /base2lsbf /z85 /base58",
    ),
    (
        "cksum",
        0,
        MANY,
        "a/algorithm= b/binary c/check l/length= t/text /untagged /tag /raw /base64 /debug /ignore-missing /quiet /status /strict w/warn z/zero",
    ),
    ("comm", 2, 2, "1 2 3 /check-order /nocheck-order /output-delimiter= /total z/zero-terminated"),
    ("csplit", 2, MANY, "b/suffix-format= f/prefix= k/keep-files n/digits= qs/quiet /silent z/elide-empty-files /suppress-matched"),
    ("dircolors", 0, 1, "b/sh /bourne-shell c/csh /c-shell p/print-database /print-ls-colors"),
    ("factor", 0, MANY, "h/exponents"),
    ("fold", 0, MANY, "b/bytes s/spaces w/width= 0123456789"),
    ("join", 2, MANY, "a= v= e= i/ignore-case j= 1= 2= o= t= z/zero-terminated /check-order /nocheck-order /header"),
    ("link", 2, 2, ""),
    ("md5sum", 0, MANY, SUMS),
    ("nproc", 0, 0, "/all /ignore="),
    (
        "numfmt",
        0,
        MANY,
        "/from= /from-unit= /to= /to-unit= /round= /padding= /suffix= /grouping d/delimiter= /field= /debug /header? /format= \
         /invalid= z/zero-terminated /unit-separator=",
    ),
    (
        "od",
        0,
        MANY,
        "A/address-radix= /endian= j/skip-bytes= N/read-bytes= S= /strings? t/format= v/output-duplicates w/width? \
         abBcdDeFfhHiIlLoOsxX /traditional",
    ),
    ("paste", 0, MANY, "d/delimiters= s/serial z/zero-terminated"),
    ("pathchk", 1, MANY, "p P /portability"),
    (
        "ptx",
        0,
        MANY,
        "A/auto-reference G/traditional F/flag-truncation= M/macro-name= O/format? S/sentence-regexp= T W/word-regexp= \
         b/break-file= f/ignore-case g/gap-size= i/ignore-file= o/only-file= r/references R/right-side-refs t/typeset-mode w/width=",
    ),
    ("rmdir", 1, MANY, "/ignore-fail-on-non-empty p/parents v/verbose"),
    ("sha1sum", 0, MANY, SUMS),
    ("sha224sum", 0, MANY, SUMS),
    ("sha256sum", 0, MANY, SUMS),
    ("sha384sum", 0, MANY, SUMS),
    ("sha512sum", 0, MANY, SUMS),
    ("shred", 1, MANY, "f/force n/iterations= /random-source= s/size= u /remove? v/verbose x/exact z/zero"),
    ("shuf", 0, MANY, "e/echo i/input-range= n/head-count= o/output= /random-source= r/repeat z/zero-terminated"),
    ("sum", 0, MANY, "r s/sysv"),
    ("truncate", 0, MANY, "c/no-create o/io-blocks r/reference= s/size="),
    ("tsort", 0, 1, "w"),
    ("unexpand", 0, MANY, "a/all /first-only t/tabs= 0123456789,"),
    ("unlink", 1, 1, ""),
];
const MANY: usize = usize::MAX;
const SUMS: &str = "b/binary c/check t/text z/zero /tag /ignore-missing /quiet /status /strict w/warn";

/// Options whose value is a fixed word: tool, option, words (words with the same meaning form one list).
const WORDS: &[(&str, &str, &[&[&str]])] = &[
    (
        "cksum",
        "algorithm",
        &[&["bsd"], &["sysv"], &["crc"], &["md5"], &["sha1"], &["sha224"], &["sha256"], &["sha384"], &["sha512"], &["blake2b"], &["sm3"]],
    ),
    ("numfmt", "from", &[&["none"], &["auto"], &["si"], &["iec"], &["iec-i"]]),
    ("numfmt", "to", &[&["none"], &["si"], &["iec"], &["iec-i"]]),
    ("numfmt", "round", &[&["up"], &["down"], &["from-zero"], &["towards-zero"], &["nearest"]]),
    ("numfmt", "invalid", &[&["abort"], &["fail"], &["warn"], &["ignore"]]),
    ("od", "endian", &[&["little"], &["big"]]),
];
/// Words of newer versions that uutils accepts.
const NEWER: &[(&str, &[&str])] = &[("cksum", &["crc32b", "sha2", "sha3", "blake3", "shake128", "shake256"])];

/// Reads the command line as GNU's tool reads it, or the status if GNU's refuses it. `None` for a tool that is not in the table,
/// and for a request for help.
pub(crate) fn read(name: &str, args: &[OsString]) -> Option<Result<(Syntax, Line), u8>> {
    let (_, least, most, options) = TOOLS.iter().find(|tool| tool.0 == name)?;
    if args.iter().skip(1).take_while(|a| *a != "--").any(asks) {
        return None;
    }
    // Leaked once: the process runs only one tool.
    let options: &'static [Opt] = options.split_whitespace().map(option).collect::<Vec<_>>().leak();
    let syntax = Syntax { options, ..Syntax::COMMON };
    let line = match syntax.parse(args) {
        Ok(line) => line,
        Err(status) => return Some(Err(status)),
    };
    Some(check(name, args, &syntax, &line, (*least, *most)).map(|()| (syntax, line)))
}

fn check(name: &str, args: &[OsString], syntax: &Syntax, line: &Line, (least, most): (usize, usize)) -> Result<(), u8> {
    for given in &line.options {
        let words = WORDS.iter().find(|w| w.0 == name && w.1 == given.key);
        let newer = |value: &str| NEWER.iter().any(|n| n.0 == name && n.1.contains(&value));
        if let Some((_, option, words)) = words
            && let Some(value) = given.value.as_ref().map(|v| v.to_string_lossy())
            && !newer(&value)
        {
            syntax.word(args, &format!("--{option}"), &value, words)?;
        }
    }
    let what = if name == "shred" { "file operand" } else { "operand" };
    match line.operands.len() {
        0 if least > 0 => Err(syntax.misuse(args, &format!("missing {what}"))),
        count if count < least => Err(syntax.misuse(args, &format!("missing {what} after {}", text::quote(&line.operands[count - 1])))),
        count if count > most => Err(syntax.misuse(args, &format!("extra operand {}", text::quote(&line.operands[most])))),
        _ => Ok(()),
    }
}

/// Returns whether a word requests the help or the version.
fn asks(word: &OsString) -> bool {
    word.to_str().is_some_and(|w| w.len() > 4 && "--help".starts_with(w) || w.len() > 6 && "--version".starts_with(w))
}

/// Returns an option of the table.
fn option(word: &'static str) -> Opt {
    let (bare, takes) = match (word.strip_suffix('='), word.strip_suffix('?')) {
        (Some(bare), _) => (bare, Takes::Value),
        (_, Some(bare)) => (bare, Takes::Maybe),
        _ => (word, Takes::Nothing),
    };
    let (short, long) = bare.split_once('/').unwrap_or((bare, ""));
    Opt { short, long, takes, help: "" }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn status(words: &[&str]) -> Option<u8> {
        let args: Vec<OsString> = words.iter().map(OsString::from).collect();
        read(words[0], &args).and_then(Result::err)
    }

    #[test]
    fn lines_that_gnu_refuses_are_refused() {
        for bad in [
            &["fold", "-Z"][..],
            &["fold", "-w"],
            &["comm", "a"],
            &["comm", "a", "b", "c"],
            &["od", "--endian=x"],
            &["unlink"],
            &["unlink", "1", "2"],
        ] {
            assert_eq!(status(bad), Some(1), "{bad:?}");
        }
    }

    #[test]
    fn others_are_let_pass() {
        for good in [
            &["paste", "-d", ":", "-s", "x"][..],
            &["paste", "--help"],
            &["cksum", "-a", "sha3"],
            &["fold", "-3"],
            &["numfmt", "--", "-5"],
            &["od", "-w"],
            &["unknown", "-Z"],
        ] {
            assert_eq!(status(good), None, "{good:?}");
        }
    }
}
