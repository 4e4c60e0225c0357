//! `fmt`: fills paragraphs so that all lines have about the wanted length.

mod breaks;
mod paragraphs;

use crate::operands::number;
use crate::options::{Line, Opt, Syntax, flag, value};
use crate::text;
use breaks::{Measure, Word};
use paragraphs::{Kind, Lines, Prefix, Source};
use std::ffi::{OsStr, OsString};
use std::io::{BufRead, BufReader, Error, Read, Write};

const DIGITS: &str = "0123456789";
const OPTIONS: &[Opt] = &[
    flag("c", "crown-margin", "the first two lines of a paragraph keep their indentation, the others have the second's"),
    flag("t", "tagged-paragraph", "the same, but a line with the indentation of the next is a paragraph of its own"),
    flag("s", "split-only", "split long lines, join none"),
    flag("u", "uniform-spacing", "one space between words, two after sentences"),
    value("p", "prefix", "only lines that begin with VALUE, and put VALUE before each again"),
    value("w", "width", "maximum length of lines (75); also -VALUE as the first argument"),
    value("g", "goal", "preferred length of lines (93% of the width)"),
    flag(DIGITS, "", ""),
];
const SYNTAX: Syntax = Syntax {
    usage: "[-WIDTH] [OPTION]... [FILE]...",
    about: "Print each FILE (standard input without one), each paragraph broken into lines of even length.",
    options: OPTIONS,
    ..Syntax::COMMON
};
/// The default width, the largest width, and the width that follows from a goal.
const WIDTH: usize = 75;
const LARGEST: usize = 2500;
const MARGIN: usize = 10;
/// The indentation of the second line of a tagged paragraph that has only one line.
const TAG: usize = 3;

/// The maximum number of words that are broken together, to limit memory; and the number of lines, at the end of those,
/// that wait for more words if the paragraph continues.
const MOST: usize = 20_000;
const LINES: usize = 8;

struct Settings {
    kind: Kind,
    uniform: bool,
    prefix: Prefix,
    width: usize,
    goal: usize,
}

/// Runs `fmt`.
pub(crate) fn main(mut args: Vec<OsString>) -> u8 {
    // `-WIDTH`, the old form.
    if let Some(old) =
        args.get(1).and_then(|a| a.to_str()).filter(|a| a.len() > 1 && a.as_bytes()[1].is_ascii_digit() && a.starts_with('-'))
    {
        args[1] = format!("-w{}", &old[1..]).into();
    }
    SYNTAX.run(&args, tool)
}

fn tool(args: &[OsString], line: Line) -> u8 {
    let (settings, files) = match settings(args, line) {
        Ok(read) => read,
        Err(status) => return status,
    };
    let mut out = text::output();
    let mut status = 0;
    for file in &files {
        let message = match open(file) {
            Ok(input) => {
                match (Work { settings: &settings, out: &mut out, column: 0, tabs: false, other: 0 }).file(BufReader::new(input)) {
                    Ok(()) => continue,
                    Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return 1,
                    Err(_) => "read error".into(),
                }
            }
            Err(error) => format!("cannot open {} for reading: {}", text::quote(file), text::reason(&error)),
        };
        // If the reader is gone, the next write fails.
        let _ = out.flush();
        text::complain("fmt", message);
        status = 1;
    }
    if out.flush().is_err() { 1 } else { status }
}

/// Opens a file. A directory can be opened, but not read.
fn open(name: &OsStr) -> Result<Box<dyn Read>, Error> {
    text::open(name).or_else(|error| match error.kind() {
        std::io::ErrorKind::IsADirectory => Ok(Box::new(crate::pr::Directory)),
        _ => Err(error),
    })
}

/// Returns the settings and the files. Reports a wrong command line itself.
fn settings(args: &[OsString], line: Line) -> Result<(Settings, Vec<OsString>), u8> {
    if let Some(digit) = line.options.iter().find(|o| o.key == DIGITS).and_then(|o| o.letter) {
        let hint = "-WIDTH is recognized only when it is the first\noption; use -w N instead";
        return Err(SYNTAX.misuse(args, &format!("invalid option -- {digit}; {hint}")));
    }
    let size = |line: &Line, key: &str, most: usize| match line.last_text(key) {
        None => Ok(None),
        Some(text) if text.starts_with('-') => Err((text, "")),
        Some(text) => number(&text, 0, most as i128).map(|n| Some(n as usize)).map_err(|why| {
            // Only very large numbers exceed the type.
            let near = text.parse::<u32>().is_ok_and(|n| n <= i32::MAX as u32 / 2);
            (text, if near { ": Numerical result out of range" } else { why })
        }),
    };
    let refused = |(text, why): (String, &str)| {
        text::complain("fmt", format!("invalid width: {}{why}", text::quote(text)));
        1
    };
    let width = size(&line, "width", LARGEST).map_err(refused)?;
    let goal = size(&line, "goal", width.unwrap_or(WIDTH)).map_err(refused)?;
    let width = width.or(goal.map(|goal| goal + MARGIN)).unwrap_or(WIDTH);
    let kind = match (line.has("split-only"), line.has("crown-margin"), line.has("tagged-paragraph")) {
        (true, ..) => Kind::Split,
        (_, true, _) => Kind::Crown,
        (_, _, true) => Kind::Tagged,
        _ => Kind::Plain,
    };
    let settings = Settings {
        kind,
        uniform: line.has("uniform-spacing"),
        prefix: Prefix::new(line.last("prefix").unwrap_or_default().as_encoded_bytes()),
        width,
        // 93% of the width, rounded.
        goal: goal.unwrap_or(width * 187 / 200),
    };
    Ok((settings, if line.operands.is_empty() { vec!["-".into()] } else { line.operands }))
}

struct Work<'a, W: Write> {
    settings: &'a Settings,
    out: &'a mut W,
    column: usize,
    tabs: bool,
    /// The indentation of the last paragraph's lines, without its first.
    other: usize,
}

impl<W: Write> Work<'_, W> {
    fn file(&mut self, input: impl BufRead) -> Result<(), Error> {
        let mut lines = Lines::new(input, &self.settings.prefix);
        let mut next = lines.next()?;
        while let Some(first) = next.take() {
            if first.indent.is_none() {
                self.tabs = lines.tabs;
                self.verbatim(&first)?;
                next = lines.next()?;
                continue;
            }
            let (mut words, mut begun) = (Vec::new(), false);
            let uniform = self.settings.uniform;
            lines.words(&first, uniform, &mut words);
            next = lines.next()?;
            let start = first.indent.unwrap_or_default();
            let follows = lines.same(&first, next.as_ref());
            let second = next.as_ref().and_then(|line| line.indent).filter(|_| follows);
            let other = match (self.settings.kind, second) {
                (Kind::Crown, Some(second)) => second,
                (Kind::Tagged, Some(second)) if second != start => second,
                // As in the last paragraph, if its first line is indented differently.
                (Kind::Tagged, _) if self.other != start => self.other,
                (Kind::Tagged, _) if start == 0 => TAG,
                (Kind::Tagged, _) => 0,
                _ => start,
            };
            self.other = other;
            let joins = match self.settings.kind {
                Kind::Split => false,
                Kind::Tagged => second.is_some_and(|second| second != start),
                _ => true,
            };
            while joins && lines.same(&first, next.as_ref()) && next.as_ref().is_some_and(|line| line.indent == Some(other)) {
                if let Some(line) = &next {
                    lines.words(line, uniform, &mut words);
                }
                next = lines.next()?;
                if words.len() > MOST {
                    self.tabs = lines.tabs;
                    self.paragraph(&first, other, &mut words, &mut begun, false)?;
                }
            }
            self.tabs = lines.tabs;
            self.paragraph(&first, other, &mut words, &mut begun, true)?;
        }
        Ok(())
    }

    /// Prints the lines of a paragraph. Unless it is `whole`, the words of the last lines are kept for later. The first line
    /// may be printed already.
    fn paragraph(&mut self, first: &Source, other: usize, words: &mut Vec<Word>, begun: &mut bool, whole: bool) -> Result<(), Error> {
        if let Some(word) = words.last_mut().filter(|_| whole) {
            (word.last, word.period) = (true, true);
        }
        let indent = if *begun { other } else { first.indent.unwrap_or_default() };
        let Settings { goal, width, .. } = *self.settings;
        let breaks = breaks::breaks(words, Measure { goal, width, first: indent, other });
        let stop = if whole { words.len() } else { breaks.iter().nth_back(LINES).copied().unwrap_or_default() };
        let mut ends = breaks.into_iter();
        let mut end = 0;
        for (at, word) in words[..stop].iter().enumerate() {
            if at == end {
                if at > 0 {
                    self.newline()?;
                }
                self.spaces(first.lead_of(&self.settings.prefix))?;
                self.bytes(&self.settings.prefix.text)?;
                self.spaces((if at == 0 { indent } else { other }).saturating_sub(self.column))?;
                end = ends.next().unwrap_or(words.len());
            }
            self.bytes(&word.text)?;
            if at + 1 < end {
                self.spaces(word.space)?;
            }
        }
        words.drain(..stop);
        if stop > 0 {
            *begun = true;
            self.newline()?;
        }
        Ok(())
    }

    /// Prints a line outside paragraphs.
    fn verbatim(&mut self, line: &Source) -> Result<(), Error> {
        if !line.text.is_empty() {
            self.spaces(line.lead)?;
            self.bytes(&line.text)?;
        }
        if line.ended || line.empty { self.newline() } else { Ok(()) }
    }

    fn bytes(&mut self, text: &[u8]) -> Result<(), Error> {
        self.column += text.len();
        self.out.write_all(text)
    }

    fn newline(&mut self) -> Result<(), Error> {
        self.column = 0;
        self.out.write_all(b"\n")
    }

    /// Writes spaces, or tabs where they fit if the input had any.
    fn spaces(&mut self, count: usize) -> Result<(), Error> {
        let goal = self.column + count;
        if self.tabs && self.column + 1 < goal / 8 * 8 {
            while self.column < goal / 8 * 8 {
                self.out.write_all(b"\t")?;
                self.column = self.column / 8 * 8 + 8;
            }
        }
        self.out.write_all(&vec![b' '; goal - self.column])?;
        self.column = goal;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fmt(options: &[&str], text: &str) -> String {
        let args: Vec<OsString> = ["fmt"].iter().chain(options).map(OsString::from).collect();
        let Ok((settings, _)) = SYNTAX.parse(&args).and_then(|line| settings(&args, line)) else { return "refused".into() };
        let mut out = Vec::new();
        let mut work = Work { settings: &settings, out: &mut out, column: 0, tabs: false, other: 0 };
        work.file(text.as_bytes()).unwrap();
        String::from_utf8(out).unwrap()
    }

    // The expected output is that of GNU's fmt.
    #[test]
    fn lines_are_even() {
        let letters = "a b c d e f g h i j k l m n o p q r s t u v w x y z\n";
        assert_eq!(fmt(&["-g20"], letters), "a b c d e f g h i j k\nl m n o p q r s t u v w x y z\n");
        assert_eq!(fmt(&["-g20", "-w22"], letters), "a b c d e f g h i j\nk l m n o p q r s t\nu v w x y z\n");
        assert_eq!(fmt(&["-w8"], "A.  B.   C. D?  E!\n"), "A.  B.\nC. D?\nE!\n");
        assert_eq!(fmt(&["-u"], "A.  B.   C. D?\nE\n"), "A.  B.  C. D?  E\n");
    }

    #[test]
    fn indentation_tells_paragraphs() {
        assert_eq!(fmt(&[], "a\n  b\n  c\n d\n d2\n"), "a\n  b c\n d d2\n");
        assert_eq!(fmt(&["-c"], "a\n  b\n  c\n d\n d2\n"), "a b c\n d d2\n");
        assert_eq!(fmt(&["-t"], "a\n  b\n  c\n d\n d2\n"), "a b c\n d\n d2\n");
        assert_eq!(fmt(&["-t", "-w8"], "xx yyyyyy zzz\n"), "xx\n   yyyyyy\n   zzz\n");
        assert_eq!(fmt(&[], "        x\n\ty\n"), "\tx y\n");
    }

    #[test]
    fn paragraphs_have_no_end() {
        let text = "word\n".repeat(MOST * 3 + 7);
        let printed = fmt(&["-w", "20"], &text);
        assert_eq!(printed.split_whitespace().count(), MOST * 3 + 7);
        let lines: Vec<&str> = printed.lines().collect();
        assert!(lines.iter().all(|line| line.len() == 14 || line.len() == 19 || line.len() == 9), "{:?}", &lines[..3]);
    }

    #[test]
    fn prefixes_are_kept() {
        assert_eq!(fmt(&["-p#", "-w12"], "# hello there\n# world\ncode # x"), "# hello\n# there\n# world\ncode # x");
        assert_eq!(fmt(&["-p> "], "> a\n> b\n>> c\n>> d\n>\n"), "> a b\n>> c\n>> d\n>\n");
        assert_eq!(fmt(&["-w20", "-g21"], ""), "refused");
    }
}
