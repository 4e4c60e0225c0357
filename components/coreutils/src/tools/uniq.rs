//! `uniq`.

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::text::{self, Broken};
use std::ffi::OsString;
use std::io::{Read, Result, Write};

const OPTIONS: &[Opt] = &[
    flag("c", "count", "precede each line with the number of its occurrences"),
    flag("d", "repeated", "only lines that are repeated, once each"),
    flag("D", "", "all lines that are repeated"),
    maybe("", "all-repeated", "as -D, with an empty line: none, prepend (before each group), separate"),
    value("f", "skip-fields", "do not compare the first VALUE fields"),
    maybe("", "group", "all lines, groups with an empty line: separate, prepend, append, both"),
    flag("i", "ignore-case", "upper and lower case are the same"),
    value("s", "skip-chars", "do not compare the first VALUE characters"),
    flag("u", "unique", "only lines that are not repeated"),
    value("w", "check-chars", "compare at most VALUE characters"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [INPUT [OUTPUT]]",
    about: "Copy INPUT to OUTPUT, but of equal lines that follow each other only the first.\nA field is blanks and the text up to the next blanks; fields are skipped before characters.",
    options: OPTIONS,
    ..Syntax::COMMON
};

const ALL_REPEATED: &[&[&str]] = &[&["none"], &["prepend"], &["separate"]];
const GROUP: &[&[&str]] = &[&["prepend"], &["append"], &["separate"], &["both"]];

/// The lines that are printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Show {
    /// The first line of each group: of those that have one line, of those that have more.
    First { single: bool, repeated: bool, count: bool },
    /// All lines of the groups that have more than one, or all but the first.
    Repeated { before: &'static str, first: bool },
    /// All lines.
    Groups { between: &'static str },
}

struct Job {
    show: Show,
    skip_fields: usize,
    skip_chars: usize,
    check_chars: usize,
    fold: bool,
    end: u8,
}

/// Runs `uniq`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let parsed = SYNTAX.parse(&modern(args.clone())).and_then(|line| Ok((job(&args, &line)?, line)));
    let (job, line) = match parsed {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = line.operands.get(2) {
        return SYNTAX.misuse(&args, &format!("extra operand {}", text::quote(extra)));
    }
    let fail = |name: &OsString, error| {
        text::complain("uniq", format!("{}: {}", text::quote_if_needed(name), text::reason(&error)));
        1
    };
    let standard = OsString::from("-");
    let input = line.operands.first().unwrap_or(&standard);
    let source = match text::open(input) {
        Ok(source) => Some(source),
        // GNU's uniq can open a directory too.
        Err(error) if error.kind() == std::io::ErrorKind::IsADirectory => None,
        Err(error) => return fail(input, error),
    };
    let out: Box<dyn Write> = match line.operands.get(1).filter(|name| *name != "-") {
        None => Box::new(std::io::stdout().lock()),
        Some(name) => match std::fs::File::create(name) {
            Ok(file) => Box::new(file),
            Err(error) => return fail(name, error),
        },
    };
    let Some(source) = source else { return unread(input) };
    let mut out = std::io::BufWriter::with_capacity(64 * 1024, out);
    match job.run(source, &mut out) {
        Ok(()) => text::finish("uniq", out.flush()),
        Err(Broken::Write(error)) => text::finish("uniq", Err(error)),
        Err(Broken::Read(_)) => {
            let _ = out.flush();
            unread(input)
        }
    }
}

/// Reports a file that cannot be read, without the reason, as GNU's message does not give it.
fn unread(input: &OsString) -> u8 {
    text::complain("uniq", format!("error reading {}", text::quote(input)));
    1
}

/// Rewrites `-N` and `+N`, the forms before POSIX, as `-f` and `-s`. The digits may be mixed with other letters.
fn modern(args: Vec<OsString>) -> Vec<OsString> {
    let mut out = Vec::with_capacity(args.len());
    let mut args = args.into_iter();
    out.extend(args.next());
    let mut valued = false;
    for arg in args.by_ref() {
        let word = arg.to_str().unwrap_or_default();
        if word == "--" {
            out.push(arg);
            break;
        }
        let after_option =
            std::mem::replace(&mut valued, matches!(word, "-f" | "-s" | "-w" | "--skip-fields" | "--skip-chars" | "--check-chars"));
        let plus = word.strip_prefix('+').filter(|digits| !after_option && number(digits));
        if let Some(digits) = plus {
            out.push(format!("-s{digits}").into());
            continue;
        }
        let letters = word.strip_prefix('-').filter(|word| !after_option && !word.starts_with('-'));
        let Some((digits, rest)) = letters.and_then(digits_in) else {
            out.push(arg);
            continue;
        };
        if !rest.is_empty() {
            out.push(format!("-{rest}").into());
        }
        out.push(format!("-f{digits}").into());
    }
    out.extend(args);
    out
}

fn number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// Returns the digits and the letters of a word, if none of its letters takes a value.
fn digits_in(letters: &str) -> Option<(String, String)> {
    let at = letters.find(|c: char| c.is_ascii_digit())?;
    if letters[..at].contains(['f', 's', 'w']) {
        return None;
    }
    let digits: String = letters[at..].chars().take_while(char::is_ascii_digit).collect();
    let rest = format!("{}{}", &letters[..at], &letters[at + digits.len()..]);
    Some((digits, rest))
}

fn job(args: &[OsString], line: &Line) -> std::result::Result<Job, u8> {
    let (count, repeated, unique) = (line.has("count"), line.has("repeated"), line.has("unique"));
    let word = |key: &str, usual, words| match line.last_text(key) {
        Some(word) => SYNTAX.word(args, &format!("--{key}"), &word, words),
        None => Ok(usual),
    };
    let all = line.last_of(&["D", "all-repeated"]);
    let show = if line.has("group") {
        if count || repeated || unique || all.is_some() {
            return Err(SYNTAX.misuse(args, "--group is mutually exclusive with -c/-d/-D/-u"));
        }
        Show::Groups { between: word("group", "separate", GROUP)? }
    } else if let Some(all) = all {
        if count {
            return Err(SYNTAX.misuse(args, "printing all duplicated lines and repeat counts is meaningless"));
        }
        let before = if all == "D" { "none" } else { word("all-repeated", "none", ALL_REPEATED)? };
        Show::Repeated { before, first: !unique }
    } else {
        Show::First { single: !repeated, repeated: !unique, count }
    };
    let size = |key: &str, what: &str, usual: usize| -> std::result::Result<usize, u8> {
        let Some(text) = line.last_text(key) else { return Ok(usual) };
        if !number(&text) {
            text::complain("uniq", format!("{text}: invalid number of {what}"));
            return Err(1);
        }
        Ok(text.parse().unwrap_or(usize::MAX))
    };
    Ok(Job {
        show,
        skip_fields: size("skip-fields", "fields to skip", 0)?,
        skip_chars: size("skip-chars", "bytes to skip", 0)?,
        check_chars: size("check-chars", "bytes to compare", usize::MAX)?,
        fold: line.has("ignore-case"),
        end: if line.has("zero-terminated") { 0 } else { b'\n' },
    })
}

/// A group of equal lines.
#[derive(Default)]
struct Group {
    line: Vec<u8>,
    count: u64,
    /// The number of groups printed before it.
    printed: u64,
}

impl Job {
    fn run(&self, mut input: impl Read, out: &mut impl Write) -> std::result::Result<(), Broken> {
        let mut group = Group::default();
        text::lines(&mut input, self.end, |line| {
            if group.count > 0 && self.alike(&group.line, line) {
                group.count += 1;
                return self.again(&mut group, line, out);
            }
            self.over(&mut group, out)?;
            group.count = 1;
            group.line.clear();
            group.line.extend_from_slice(line);
            self.first(&mut group, out)
        })?;
        self.over(&mut group, out).map_err(Broken::Write)?;
        if group.printed > 0 && matches!(self.show, Show::Groups { between: "append" | "both" }) {
            self.put(b"", out).map_err(Broken::Write)?;
        }
        Ok(())
    }

    fn put(&self, line: &[u8], out: &mut impl Write) -> Result<()> {
        out.write_all(line)?;
        out.write_all(&[self.end])
    }

    fn first(&self, group: &mut Group, out: &mut impl Write) -> Result<()> {
        let Show::Groups { between } = self.show else { return Ok(()) };
        if group.printed > 0 || matches!(between, "prepend" | "both") {
            self.put(b"", out)?;
        }
        group.printed += 1;
        self.put(&group.line, out)
    }

    fn again(&self, group: &mut Group, line: &[u8], out: &mut impl Write) -> Result<()> {
        if let Show::Repeated { before, first } = self.show
            && group.count == 2
        {
            if before == "prepend" || before == "separate" && group.printed > 0 {
                self.put(b"", out)?;
            }
            group.printed += 1;
            if first {
                self.put(&group.line, out)?;
            }
        }
        if let Show::First { .. } = self.show { Ok(()) } else { self.put(line, out) }
    }

    fn over(&self, group: &mut Group, out: &mut impl Write) -> Result<()> {
        let Show::First { single, repeated, count } = self.show else { return Ok(()) };
        if group.count == 0 || !(if group.count == 1 { single } else { repeated }) {
            return Ok(());
        }
        if count {
            write!(out, "{:>7} ", group.count)?;
        }
        self.put(&group.line, out)
    }

    fn alike(&self, a: &[u8], b: &[u8]) -> bool {
        let (a, b) = (self.compared(a), self.compared(b));
        if self.fold { a.eq_ignore_ascii_case(b) } else { a == b }
    }

    fn compared<'a>(&self, mut line: &'a [u8]) -> &'a [u8] {
        let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
        for _ in 0..self.skip_fields {
            let start = line.iter().position(|byte| !blank(byte)).unwrap_or(line.len());
            let end = line[start..].iter().position(blank).map_or(line.len(), |len| start + len);
            line = &line[end..];
            if line.is_empty() {
                break;
            }
        }
        let line = &line[self.skip_chars.min(line.len())..];
        &line[..self.check_chars.min(line.len())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uniq(words: &[&str], input: &str) -> String {
        let args: Vec<OsString> = std::iter::once("uniq").chain(words.iter().copied()).map(OsString::from).collect();
        let line = SYNTAX.parse(&modern(args.clone())).unwrap();
        let mut out = Vec::new();
        job(&args, &line).unwrap().run(input.as_bytes(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn groups_are_counted_and_chosen() {
        let text = "a\na\nb\na";
        assert_eq!(uniq(&[], text), "a\nb\na\n");
        assert_eq!(uniq(&["-c"], text), "      2 a\n      1 b\n      1 a\n");
        assert_eq!(uniq(&["-d"], text), "a\n");
        assert_eq!(uniq(&["-u"], text), "b\na\n");
        assert_eq!(uniq(&["-du"], text), "");
        assert_eq!(uniq(&["-D"], "a\na\nb\nc\nc\n"), "a\na\nc\nc\n");
        assert_eq!(uniq(&["-uD"], "a\na\na\nb\n"), "a\na\n");
        assert_eq!(uniq(&["--all-repeated=sep"], "a\na\nb\nc\nc\n"), "a\na\n\nc\nc\n");
        assert_eq!(uniq(&["--all-repeated=prepend"], "a\na\n"), "\na\na\n");
        assert_eq!(uniq(&["--group"], "a\na\nb\n"), "a\na\n\nb\n");
        assert_eq!(uniq(&["--group=both"], "a\nb\n"), "\na\n\nb\n\n");
        assert_eq!(uniq(&["--group=append"], ""), "");
    }

    #[test]
    fn parts_are_compared() {
        assert_eq!(uniq(&["-f1"], "x 1\ny 1\n"), "x 1\n");
        assert_eq!(uniq(&["-1"], "x 1\ny 1\n"), "x 1\n");
        assert_eq!(uniq(&["-c1"], "x 1\ny 1\n"), "      2 x 1\n");
        assert_eq!(uniq(&["+1"], "xa\nya\n"), "xa\n");
        assert_eq!(uniq(&["-w2"], "ab1\nab2\n"), "ab1\n");
        assert_eq!(uniq(&["-i"], "A\na\n"), "A\n");
        assert_eq!(uniq(&["-s", "1", "-w", "1"], "axb\nbxc\n"), "axb\n");
        assert_eq!(uniq(&["-z"], "a\0a\0"), "a\0");
    }
}
