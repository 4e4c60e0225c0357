//! `less` and `more`: on a terminal they show a screen at a time; other output is a plain copy.

use super::keys::{Key, Keys};
use super::viewer::{Look, Viewer};
use crate::options::{Syntax, flag, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Show files a screen at a time: Space for the next, Enter for the next line, b for the one before (less),\n/TEXT to go to a line with TEXT, h for more keys, q to end. At a terminal that the host edits, Enter ends each answer.\nOutput that does not go to a terminal is a plain copy. Other options of less are accepted and change nothing.",
    options: &[
        flag("N", "LINE-NUMBERS", "number the lines (on a terminal)"),
        flag("S", "chop-long-lines", "cut long lines (on a terminal)"),
        flag("F", "quit-if-one-screen", "end at once if all fits"),
        flag("X", "no-init", "leave on the screen what was shown last (on a terminal)"),
        flag("abBcCdeEfgGiIJKLmMnqQrRsuUVwW", "", "accepted; change nothing"),
        value("hjkoOpPtTxyzD", "", "accepted; change nothing"),
        value("", "lines", "accepted; changes nothing"),
        value("", "tabs", "accepted; changes nothing"),
        value("", "prompt", "accepted; changes nothing"),
        value("", "pattern", "accepted; changes nothing"),
        flag("", "RAW-CONTROL-CHARS", "accepted; changes nothing"),
        flag("", "raw-control-chars", "accepted; changes nothing"),
        flag("", "ignore-case", "accepted; changes nothing"),
        flag("", "mouse", "accepted; changes nothing"),
        flag("", "squeeze-blank-lines", "accepted; changes nothing"),
    ],
    origin: "wisp",
    ..Syntax::COMMON
};

/// Runs `less` and `more`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let tool = text::name(&args);
    let args = if tool == "more" { without_lines(args) } else { args };
    // `+G`, `+/text`, `-20`: where to begin, how many lines.
    let kept: Vec<OsString> = args
        .iter()
        .enumerate()
        .filter(|(at, a)| {
            let bytes = a.as_encoded_bytes();
            *at == 0 || !(bytes.len() > 1 && (bytes[0] == b'+' || bytes[0] == b'-' && bytes[1..].iter().all(u8::is_ascii_digit)))
        })
        .map(|(_, a)| a.clone())
        .collect();
    let line = match SYNTAX.parse(&kept) {
        Ok(line) => line,
        Err(status) => return status,
    };
    if line.operands.is_empty() && sys::is_terminal(0) {
        if tool == "more" {
            eprintln!("more: bad usage\nTry 'more --help' for more information.");
            return 1;
        }
        // Not a failure: programs that look for a pager, such as Python's `help`, start one without a file.
        eprintln!("Missing filename (\"less --help\" for help)");
        return 0;
    }
    let names = if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() };
    let terminal = sys::is_terminal(1);
    let mut screen =
        Screen::new(terminal, tool == "less", line.has("LINE-NUMBERS"), line.has("chop-long-lines"), line.has("quit-if-one-screen"));
    screen.own = !line.has("no-init");
    let (mut out, mut status) = (text::output(), 0);
    for name in &names {
        let shown = text::show(name);
        let opened = if std::fs::metadata(name).is_ok_and(|m| m.is_dir()) {
            Err(if tool == "more" { format!("\n*** {shown}: directory ***\n") } else { format!("{shown} is a directory") })
        } else {
            crate::input::open(name).map_err(|e| match tool.as_str() {
                "more" => format!("more: cannot open {shown}: {}", text::reason(&e)),
                _ => format!("{shown}: {}", text::reason(&e)),
            })
        };
        let mut input = match opened {
            Ok(input) => input,
            Err(message) => {
                let _ = out.flush();
                eprintln!("{message}");
                status = 1;
                continue;
            }
        };
        if tool == "more" && (names.len() > 1 || !terminal) && name != "-" {
            let _ = write!(out, "::::::::::::::\n{shown}\n::::::::::::::\n");
        }
        let done = if terminal { screen.show(input, &shown, &mut out) } else { std::io::copy(&mut input, &mut out).map(|_| true) };
        match done {
            Ok(true) => {}
            Ok(false) => break,
            Err(error) => {
                text::complain(&tool, format!("{shown}: {}", text::reason(&error)));
                status = 1;
            }
        }
    }
    if out.flush().is_err() { 1 } else { status }
}

/// Removes the `-n 20` of `more`: in `less` the letter takes no value.
fn without_lines(args: Vec<OsString>) -> Vec<OsString> {
    let mut rest = args.into_iter();
    let mut kept = Vec::new();
    while let Some(arg) = rest.next() {
        if arg == "-n" {
            rest.next();
        } else {
            kept.push(arg);
        }
    }
    kept
}

/// A terminal that is filled page by page.
struct Screen {
    rows: usize,
    columns: usize,
    number: bool,
    chop: bool,
    only_if_more: bool,
    used: usize,
    /// The terminal, from which the user's input comes, whichever descriptor it is.
    answers: Option<Answers>,
    /// Whether this is `less`, which goes back too.
    both_ways: bool,
    /// Whether `less` shows files on a screen of their own, after which the former one is back.
    own: bool,
}

impl Screen {
    fn new(terminal: bool, both_ways: bool, number: bool, chop: bool, only_if_more: bool) -> Self {
        let (rows, columns) = sys::terminal::window();
        let answers = Answers::new().filter(|_| terminal);
        Self { rows: rows.max(2), columns: columns.max(2), number, chop, only_if_more, used: 0, answers, both_ways, own: true }
    }

    /// Shows one file; returns false when the user quits.
    fn show(&mut self, input: Box<dyn Read>, name: &str, out: &mut impl Write) -> std::io::Result<bool> {
        if let (true, Some(Answers::Keys(keys))) = (self.both_ways, &mut self.answers) {
            let look = Look { rows: self.rows, columns: self.columns, number: self.number, chop: self.chop };
            let mut viewer = Viewer::new(input, name, look);
            if self.only_if_more && viewer.is_short()? {
                viewer.print(out)?;
                return Ok(true);
            }
            if self.own {
                out.write_all(OWN_SCREEN)?;
            }
            let next = viewer.run(keys, out);
            if self.own {
                out.write_all(FORMER_SCREEN)?;
                out.flush()?;
            }
            return next;
        }
        let mut input = BufReader::new(input);
        let (mut line, mut number, mut search) = (Vec::new(), 0, None::<String>);
        loop {
            line.clear();
            if input.read_until(b'\n', &mut line)? == 0 {
                out.flush()?;
                return Ok(self.only_if_more || self.ask(&format!("{name} (END)"), out)?.is_some_and(|a| !a.starts_with('q')));
            }
            number += 1;
            if search.as_ref().is_some_and(|text| !String::from_utf8_lossy(&line).contains(text.as_str())) {
                continue;
            }
            search = None;
            if self.number {
                write!(out, "{number:>7} ")?;
            }
            let width = String::from_utf8_lossy(&line).trim_end().chars().count();
            if self.chop && width > self.columns {
                let cut: String = String::from_utf8_lossy(&line).chars().take(self.columns).collect();
                writeln!(out, "{cut}")?;
            } else {
                out.write_all(&line)?;
            }
            self.used += if self.chop { 1 } else { width.div_ceil(self.columns).max(1) };
            if self.used + 1 >= self.rows {
                self.used = 0;
                match self.ask(":", out)? {
                    None => return Ok(false),
                    Some(answer) if answer.starts_with('q') => return Ok(false),
                    Some(answer) => search = answer.strip_prefix('/').map(str::to_owned).filter(|s| !s.is_empty()),
                }
            }
        }
    }

    /// Waits for a line from the user; `None` at the end of input.
    fn ask(&mut self, prompt: &str, out: &mut impl Write) -> std::io::Result<Option<String>> {
        let Some(answers) = &mut self.answers else { return Ok(Some(String::new())) };
        write!(out, "\x1b[7m{prompt}\x1b[0m ")?;
        out.flush()?;
        let answer = answers.next(out)?;
        write!(out, "\r\x1b[K")?;
        if answer.as_deref() == Some(NEXT_LINE) {
            // One more line fills the screen again.
            self.used = self.rows.saturating_sub(2);
        }
        Ok(answer)
    }
}

/// Another screen, and back.
const OWN_SCREEN: &[u8] = b"\x1b[?1049h";
const FORMER_SCREEN: &[u8] = b"\x1b[?1049l";

/// The answer for one more line instead of a screen.
const NEXT_LINE: &str = "\n";

/// What a person answers to a prompt.
enum Answers {
    /// By keys.
    Keys(Keys),
    /// By lines, at a terminal whose lines the host edits.
    Lines(Box<dyn BufRead>),
}

impl Answers {
    fn new() -> Option<Self> {
        if let Some(keys) = Keys::new() {
            return Some(Self::Keys(keys));
        }
        let number = [0, 2].into_iter().find(|number| sys::is_terminal(*number))?;
        Some(Self::Lines(Box::new(BufReader::new(std::mem::ManuallyDrop::into_inner(sys::descriptor(number as i32))))))
    }

    /// Returns the next answer: empty for the next screen, `q`, `/TEXT`, or `NEXT_LINE`. `None` at the end of the input.
    fn next(&mut self, out: &mut impl Write) -> std::io::Result<Option<String>> {
        match self {
            Self::Lines(lines) => {
                let mut answer = String::new();
                let read = lines.read_line(&mut answer)?;
                Ok((read > 0).then(|| answer.trim().to_owned()))
            }
            Self::Keys(keys) => Ok(match keys.next() {
                Some(Key::Char('q' | 'Q')) => Some("q".to_owned()),
                Some(Key::Char('j') | Key::Control(b'J' | b'M') | Key::Down) => Some(NEXT_LINE.to_owned()),
                Some(Key::Char('/')) => Some(format!("/{}", keys.line('/', out)?)),
                Some(_) => Some(String::new()),
                None => None,
            }),
        }
    }
}
