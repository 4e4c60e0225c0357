//! `nl`: numbers lines, in logical pages of header, body and footer.

use crate::grep::{Matcher, Narrow, Style as Pattern};
use crate::operands::number;
use crate::options::{Opt, Syntax, flag, value};
use crate::text;
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Error, Read, Write};

const OPTIONS: &[Opt] = &[
    value("h", "header-numbering", "which lines of a header have numbers: a (all), t (not empty), n (none), pBRE (those that match)"),
    value("b", "body-numbering", "the same for bodies"),
    value("f", "footer-numbering", "the same for footers"),
    value("v", "starting-line-number", "the first number of a section"),
    value("i", "line-increment", "the increment of the numbers"),
    flag("p", "no-renumber", "do not reset the number at each section"),
    value("l", "join-blank-lines", "of VALUE empty lines in a row, count one"),
    value("s", "number-separator", "VALUE after each number"),
    value("w", "number-width", "columns of a number"),
    value("n", "number-format", "ln (left), rn (right), rz (right, with zeros)"),
    value("d", "section-delimiter", "two characters that, alone on a line, begin a section: thrice a header, twice a body, once a footer"),
];

const SYNTAX: Syntax =
    Syntax { about: "Print each FILE (standard input without one) with numbers before its lines.", options: OPTIONS, ..Syntax::COMMON };

/// Which lines of a section get numbers.
enum Style {
    All,
    Filled,
    None,
    Matching(Matcher),
}

/// How numbers are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Left,
    Right,
    Zeros,
}

struct Settings {
    /// The styles of header, body and footer.
    styles: [Style; 3],
    /// The text that begins a section, once. If it is empty, there are no sections.
    delimiter: Vec<u8>,
    start: i64,
    step: i64,
    /// This many empty lines count as one.
    blank: u64,
    format: Format,
    renumber: bool,
    separator: Vec<u8>,
    width: usize,
}

const BODY: usize = 1;

/// Runs `nl`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let (settings, files) = match parse(&args) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let next = Some(settings.start);
    let mut work = Work { settings, section: BODY, next, blank: 0, out: text::output() };
    let mut status = 0;
    for file in &files {
        let Err(error) = text::open(file).and_then(|input| work.file(input)) else { continue };
        if error.kind() == std::io::ErrorKind::BrokenPipe {
            return 1;
        }
        // The output so far comes before the message. If the reader is gone, the next write fails.
        let _ = work.out.flush();
        if error.kind() == std::io::ErrorKind::Other {
            text::complain("nl", error);
            return 1;
        }
        text::complain("nl", format!("{}: {}", text::quote_if_needed(file), text::reason(&error)));
        status = 1;
    }
    if work.out.flush().is_err() { 1 } else { status }
}

/// Parses the settings and the files. Reports a wrong command line itself.
fn parse(args: &[OsString]) -> Result<(Settings, Vec<OsString>), u8> {
    let line = SYNTAX.parse(args)?;
    let fail = |message: String| {
        text::complain("nl", message);
        1
    };
    let mut s = Settings {
        styles: [Style::None, Style::Filled, Style::None],
        delimiter: b"\\:".to_vec(),
        start: 1,
        step: 1,
        blank: 1,
        format: Format::Right,
        renumber: true,
        separator: b"\t".to_vec(),
        width: 6,
    };
    let mut wrong = Vec::new();
    for given in &line.options {
        let text = given.text();
        let number = |what: &str, least: i64, most: i64| {
            number(&text, i128::from(least), i128::from(most))
                .map(|n| n as i64)
                .map_err(|why| fail(format!("invalid {what}: {}{why}", text::quote(&text))))
        };
        match given.key {
            key @ ("header-numbering" | "body-numbering" | "footer-numbering") => {
                let (part, at) = match key {
                    "header-numbering" => ("header", 0),
                    "body-numbering" => ("body", BODY),
                    _ => ("footer", 2),
                };
                match style(&text) {
                    Some(Ok(style)) => s.styles[at] = style,
                    Some(Err(message)) => return Err(fail(message)),
                    None => wrong.push(format!("invalid {part} numbering style: {}", text::quote(&text))),
                }
            }
            "section-delimiter" => {
                let mut chars = given.value.clone().unwrap_or_default().into_encoded_bytes();
                if chars.len() == 1 {
                    chars.push(b':');
                }
                s.delimiter = chars;
            }
            "line-increment" => s.step = number("line number increment", i64::MIN, i64::MAX)?,
            "starting-line-number" => s.start = number("starting line number", i64::MIN, i64::MAX)?,
            "join-blank-lines" => s.blank = number("line number of blank lines", 1, i64::MAX)? as u64,
            "number-width" => s.width = number("line number field width", 1, i64::from(i32::MAX))? as usize,
            "number-format" => match text.as_str() {
                "ln" => s.format = Format::Left,
                "rn" => s.format = Format::Right,
                "rz" => s.format = Format::Zeros,
                _ => wrong.push(format!("invalid line numbering format: {}", text::quote(&text))),
            },
            "no-renumber" => s.renumber = false,
            _ => s.separator = given.value.clone().unwrap_or_default().into_encoded_bytes(),
        }
    }
    if let Some(last) = wrong.pop() {
        wrong.into_iter().for_each(|message| text::complain("nl", message));
        return Err(SYNTAX.misuse(args, &last));
    }
    Ok((s, if line.operands.is_empty() { vec!["-".into()] } else { line.operands }))
}

/// Returns a style; only its first letter counts. Nothing if there is none of this name.
fn style(text: &str) -> Option<Result<Style, String>> {
    Some(Ok(match text.chars().next()? {
        'a' => Style::All,
        't' => Style::Filled,
        'n' => Style::None,
        'p' => match Matcher::new(&[text.as_bytes()[1..].to_vec()], Pattern::Basic, Narrow::default()) {
            Ok(matcher) => Style::Matching(matcher),
            // GNU's nl asks another parser than grep does, with fewer words.
            Err(message) if message.starts_with("Unmatched [") => return Some(Err("Invalid regular expression".into())),
            Err(message) => return Some(Err(message)),
        },
        _ => return None,
    }))
}

struct Work<W: Write> {
    settings: Settings,
    section: usize,
    /// The next number; `None` if it is too large.
    next: Option<i64>,
    /// The number of empty lines since the last that counted.
    blank: u64,
    out: W,
}

impl<W: Write> Work<W> {
    fn file(&mut self, input: Box<dyn Read>) -> Result<(), Error> {
        let mut input = BufReader::with_capacity(64 * 1024, input);
        let mut line = Vec::new();
        while input.read_until(b'\n', &mut line)? > 0 {
            self.line(line.strip_suffix(b"\n").unwrap_or(&line))?;
            line.clear();
        }
        Ok(())
    }

    fn line(&mut self, line: &[u8]) -> Result<(), Error> {
        if let Some(section) = section(line, &self.settings.delimiter) {
            self.section = section;
            if self.settings.renumber {
                self.next = Some(self.settings.start);
            }
            return self.out.write_all(b"\n");
        }
        let numbered = match &self.settings.styles[self.section] {
            Style::All if line.is_empty() && self.settings.blank > 1 => {
                self.blank += 1;
                self.blank == self.settings.blank
            }
            Style::All => true,
            Style::Filled => !line.is_empty(),
            Style::None => false,
            Style::Matching(matcher) => matcher.is_match(line),
        };
        if numbered {
            self.blank = 0;
            self.number()?;
        } else {
            let blanks = self.settings.width + self.settings.separator.len();
            std::io::copy(&mut std::io::repeat(b' ').take(blanks as u64), &mut self.out)?;
        }
        self.out.write_all(line)?;
        self.out.write_all(b"\n")
    }

    fn number(&mut self) -> Result<(), Error> {
        let Some(number) = self.next else { return Err(Error::other("line number overflow")) };
        let text = number.to_string();
        let fill = |byte| std::io::repeat(byte).take(self.settings.width.saturating_sub(text.len()) as u64);
        match self.settings.format {
            Format::Left => self.out.write_all(text.as_bytes()).and_then(|()| std::io::copy(&mut fill(b' '), &mut self.out)),
            Format::Right => std::io::copy(&mut fill(b' '), &mut self.out),
            Format::Zeros => {
                self.out.write_all(if number < 0 { b"-" } else { b"" })?;
                std::io::copy(&mut fill(b'0'), &mut self.out)
            }
        }?;
        match self.settings.format {
            Format::Left => {}
            Format::Right => self.out.write_all(text.as_bytes())?,
            Format::Zeros => self.out.write_all(text.trim_start_matches('-').as_bytes())?,
        }
        self.next = number.checked_add(self.settings.step);
        self.out.write_all(&self.settings.separator)
    }
}

/// Returns the section that a line begins: the line consists of one, two or three delimiters.
fn section(line: &[u8], delimiter: &[u8]) -> Option<usize> {
    if delimiter.is_empty() || !line.len().is_multiple_of(delimiter.len()) || line.chunks(delimiter.len()).any(|part| part != delimiter) {
        return None;
    }
    match line.len() / delimiter.len() {
        1 => Some(2),
        2 => Some(1),
        3 => Some(0),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(options: &[&str], input: &'static str) -> String {
        let args: Vec<OsString> = ["nl"].iter().chain(options).map(OsString::from).collect();
        let Ok((settings, _)) = parse(&args) else { return "refused".into() };
        let next = Some(settings.start);
        let mut work = Work { settings, section: BODY, next, blank: 0, out: Vec::new() };
        let ended = work.file(Box::new(input.as_bytes())).map_or_else(|e| e.to_string(), |()| String::new());
        String::from_utf8(work.out).unwrap() + &ended
    }

    #[test]
    fn styles_choose_lines() {
        assert_eq!(number(&["-w2", "-s:"], "a\n\nb"), " 1:a\n   \n 2:b\n");
        assert_eq!(number(&["-w2", "-s:", "-ba", "-l2"], "a\n\n\nb\n"), " 1:a\n   \n 2:\n 3:b\n");
        assert_eq!(number(&["-w2", "-s:", "-bp\\(a\\)\\1"], "aa\nab\n"), " 1:aa\n   ab\n");
        assert_eq!(number(&["-bx"], ""), "refused");
        assert_eq!(number(&["-bp\\("], ""), "refused");
    }

    #[test]
    fn sections_begin_anew() {
        let page = "\\:\\:\\:\nh\n\\:\\:\nb\n\\:\nf\n";
        assert_eq!(number(&["-w1", "-s:", "-ha"], page), "\n1:h\n\n1:b\n\n  f\n");
        assert_eq!(number(&["-w1", "-s:", "-ha", "-fa", "-p"], page), "\n1:h\n\n2:b\n\n3:f\n");
        assert_eq!(section(b"::::", b"::"), Some(1));
        assert_eq!(section(b"", b"::"), None);
        assert_eq!(section(b"x", b""), None);
    }

    #[test]
    fn numbers_have_forms_and_an_end() {
        assert_eq!(number(&["-nrz", "-w4", "-v-5", "-s,"], "a"), "-005,a\n");
        assert_eq!(number(&["-nln", "-w4", "-s,"], "a"), "1   ,a\n");
        assert_eq!(number(&["-v9223372036854775807", "-w1", "-s,"], "a\nb\n"), "9223372036854775807,a\nline number overflow");
    }
}
