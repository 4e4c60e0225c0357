//! `xargs`: build command lines from standard input.

use crate::options::{Opt, Syntax, flag, maybe, value};
use crate::spawn::{self, Command};
use crate::sys::{self, Child, Input};
use crate::text;
use std::ffi::OsString;
use std::io::{BufReader, Read};

/// Bytes of arguments in one command line by default, as GNU's.
const DEFAULT_SIZE: usize = 128 * 1024;
/// The most `-s` may ask for: a spawn takes 2 MiB.
const LARGEST_SIZE: usize = 2 * 1024 * 1024 - 64 * 1024;

const OPTIONS: &[Opt] = &[
    flag("0", "null", "items end with NUL; quotes and backslashes are not special"),
    value("a", "arg-file", "read items from file VALUE"),
    value("d", "delimiter", "items end with character VALUE"),
    value("E", "", "stop at item VALUE"),
    maybe("e", "eof", ""),
    value("I", "", "replace VALUE in the command by each line"),
    maybe("i", "replace", "as -I, {} without a value"),
    value("L", "", "at most VALUE lines in a command"),
    maybe("l", "max-lines", ""),
    value("n", "max-args", "at most VALUE items in a command"),
    flag("o", "open-tty", ""),
    value("P", "max-procs", "run VALUE commands at once"),
    flag("p", "interactive", "ask before each command"),
    value("", "process-slot-var", "set variable VALUE in each command to the number of its slot"),
    flag("r", "no-run-if-empty", "no command without items"),
    value("s", "max-chars", "at most VALUE bytes in a command line"),
    flag("", "show-limits", ""),
    flag("t", "verbose", "print each command before it runs"),
    flag("x", "exit", "fail when a command line would be too long"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [COMMAND [ARG]...]",
    about: "Run COMMAND (echo by default) with items of standard input as further arguments.\nStatus: 123 if a command failed with 1-125, 124 if one exited with 255, 125 if one was ended by a signal, 126 and 127 if\none cannot run or is not found.",
    options: OPTIONS,
    stop_at_operand: true,
    ..Syntax::COMMON
};

struct Xargs {
    words: Vec<OsString>,
    replace: Option<String>,
    most_items: usize,
    most_lines: usize,
    most_bytes: usize,
    processes: usize,
    slot_variable: Option<String>,
    verbose: bool,
    ask: bool,
    exact: bool,
    input: Input,
    running: Vec<(usize, Child)>,
    status: u8,
    stop: bool,
}

/// One item, and whether it ends its line.
type Item = (Vec<u8>, bool);

/// `xargs`.
pub fn main(args: Vec<OsString>) -> u8 {
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let mut x = Xargs {
        words: if line.operands.is_empty() { vec!["echo".into()] } else { line.operands.clone() },
        replace: None,
        most_items: usize::MAX,
        most_lines: usize::MAX,
        most_bytes: DEFAULT_SIZE,
        processes: 1,
        slot_variable: line.last_text("process-slot-var"),
        verbose: line.has("verbose") || line.has("interactive"),
        ask: line.has("interactive"),
        exact: line.has("exit"),
        input: if line.has("arg-file") { Input::Inherit } else { Input::Null },
        running: Vec::new(),
        status: 0,
        stop: false,
    };
    let mut delimiter = None;
    let mut end = None;
    for given in &line.options {
        let text = given.text();
        let number = |least: usize| -> Result<usize, u8> {
            let bad = |why: &str| {
                let letter = given.letter.unwrap_or('?');
                text::complain("xargs", format!("{why} \"{text}\" for -{letter} option"));
                1
            };
            let number = text.parse::<usize>().map_err(|_| bad("invalid number"))?;
            if number < least { Err(bad("value should be >= 1:")) } else { Ok(number) }
        };
        let done = match given.key {
            "null" => {
                delimiter = Some(0);
                Ok(())
            }
            "delimiter" => match separator(&text) {
                Some(byte) => {
                    delimiter = Some(byte);
                    Ok(())
                }
                None => {
                    text::complain(
                        "xargs",
                        format!(
                            "Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape sequence starting with \\."
                        ),
                    );
                    Err(1)
                }
            },
            "E" | "eof" => {
                end = (!text.is_empty()).then(|| text.clone().into_bytes());
                Ok(())
            }
            "I" | "replace" => {
                x.replace = Some(if text.is_empty() { "{}".into() } else { text.clone() });
                (x.most_items, x.most_lines) = (usize::MAX, usize::MAX);
                Ok(())
            }
            "L" => number(1).map(|n| (x.most_lines, x.most_items, x.replace) = (n, usize::MAX, None)),
            "max-lines" if text.is_empty() => {
                x.most_lines = 1;
                Ok(())
            }
            "max-lines" => number(1).map(|n| x.most_lines = n),
            "max-args" => number(1).map(|n| {
                if n == 1 && x.replace.is_some() {
                    return;
                }
                (x.most_items, x.most_lines, x.replace) = (n, usize::MAX, None);
            }),
            "max-procs" => number(0).map(|n| x.processes = if n == 0 { usize::MAX } else { n }),
            "max-chars" => number(1).map(|n| x.most_bytes = n.min(LARGEST_SIZE)),
            _ => Ok(()),
        };
        if let Err(status) = done {
            return status;
        }
    }
    let source: Box<dyn Read> = match line.last("arg-file").filter(|f| *f != "-") {
        None => Box::new(std::io::stdin().lock()),
        Some(file) => match std::fs::File::open(file) {
            Ok(file) => Box::new(file),
            Err(error) => {
                text::complain("xargs", format!("Cannot open input file {}: {}", text::quote(file), text::reason(&error)));
                return 1;
            }
        },
    };
    let mut items =
        Items { bytes: BufReader::with_capacity(64 * 1024, source).bytes(), delimiter, lines: x.replace.is_some(), end, failed: None };
    x.run(&mut items, line.has("no-run-if-empty"));
    if let Some(message) = items.failed {
        text::complain("xargs", message);
        x.status = x.status.max(1);
    }
    x.status
}

fn separator(text: &str) -> Option<u8> {
    match text.as_bytes() {
        [one] => Some(*one),
        [b'\\', rest @ ..] => match rest {
            b"n" => Some(b'\n'),
            b"t" => Some(b'\t'),
            b"r" => Some(b'\r'),
            b"0" => Some(0),
            b"a" => Some(7),
            b"b" => Some(8),
            b"f" => Some(12),
            b"v" => Some(11),
            b"\\" => Some(b'\\'),
            [b'x', hex @ ..] => u8::from_str_radix(std::str::from_utf8(hex).ok()?, 16).ok(),
            octal => u8::from_str_radix(std::str::from_utf8(octal).ok()?, 8).ok(),
        },
        _ => None,
    }
}

impl Xargs {
    fn run(&mut self, items: &mut Items, skip_empty: bool) {
        if let Some(mark) = self.replace.clone() {
            while !self.stop
                && let Some((item, _)) = items.next()
            {
                let words: Vec<OsString> = self.words.iter().map(|w| replace(w, &mark, &item)).collect();
                if words.iter().map(|w| w.len() + 1).sum::<usize>() > self.most_bytes {
                    text::complain("xargs", "command too long");
                    self.status = 1;
                    break;
                }
                self.start(words);
            }
            return self.wait_all();
        }
        let fixed: usize = self.words.iter().map(|w| w.len() + 1).sum();
        let (mut batch, mut bytes, mut lines, mut any): (Vec<OsString>, usize, usize, bool) = (Vec::new(), fixed, 0, false);
        while !self.stop
            && let Some((item, ends_line)) = items.next()
        {
            if fixed + item.len() + 1 > self.most_bytes {
                text::complain("xargs", "argument line too long");
                self.status = 1;
                break;
            }
            let full = bytes + item.len() + 1 > self.most_bytes;
            if full && self.exact && self.most_lines != usize::MAX {
                text::complain("xargs", "argument list too long");
                self.status = 1;
                batch.clear();
                break;
            }
            if full && !batch.is_empty() {
                any = true;
                self.start([self.words.clone(), std::mem::take(&mut batch)].concat());
                (bytes, lines) = (fixed, 0);
            }
            bytes += item.len() + 1;
            batch.push(sys::path_from_bytes(&item).into_os_string());
            lines += usize::from(ends_line);
            if batch.len() >= self.most_items || lines >= self.most_lines {
                any = true;
                self.start([self.words.clone(), std::mem::take(&mut batch)].concat());
                (bytes, lines) = (fixed, 0);
            }
        }
        if !self.stop && (!batch.is_empty() || (!any && !skip_empty && self.status == 0 && items.failed.is_none())) {
            self.start([self.words.clone(), batch].concat());
        }
        self.wait_all();
    }

    fn start(&mut self, words: Vec<OsString>) {
        if self.verbose {
            let line: Vec<String> = words.iter().map(text::quote_if_needed).collect();
            if self.ask {
                if !crate::tools::copy::ask(&format!("{}?...", line.join(" "))) {
                    return;
                }
            } else {
                eprintln!("{}", line.join(" "));
            }
        }
        while self.running.len() >= self.processes && !self.stop {
            self.reap();
        }
        if self.stop {
            return;
        }
        let slot = (0..).find(|n| self.running.iter().all(|(used, _)| used != n)).unwrap_or(0);
        let mut command = Command::new(words);
        command.stdin = self.input.clone();
        if let Some(name) = &self.slot_variable {
            command.env.retain(|l| !l.starts_with(format!("{name}=").as_bytes()));
            command.env.push(format!("{name}={slot}").into_bytes());
        }
        match command.start() {
            Ok(child) => self.running.push((slot, child)),
            Err(error) => {
                text::complain("xargs", format!("{}: {}", text::quote_if_needed(&command.words[0]), text::reason(&error)));
                self.status = spawn::status(&error);
                self.stop = true;
            }
        }
        if self.processes == 1 {
            self.reap();
        }
    }

    /// Wait for one child to end.
    fn reap(&mut self) {
        if self.running.is_empty() {
            return;
        }
        let at = if self.running.len() == 1 {
            0
        } else {
            loop {
                if let Some(at) = self.running.iter_mut().position(|(_, c)| c.try_wait().is_some()) {
                    break at;
                }
                let _ = self.running[0].1.wait_for(1_000_000);
            }
        };
        let (_, mut child) = self.running.remove(at);
        let status = child.wait();
        let name = self.words[0].to_string_lossy().into_owned();
        match status {
            0 => {}
            255 => {
                text::complain("xargs", format!("{name}: exited with status 255; aborting"));
                (self.status, self.stop) = (124, true);
            }
            _ if child.signal().is_some() => {
                text::complain("xargs", format!("{name}: terminated by signal {}", child.signal().unwrap_or(0)));
                (self.status, self.stop) = (125, true);
            }
            126 | 127 if self.status < 123 => self.status = 123,
            _ if self.status < 123 => self.status = 123,
            _ => {}
        }
    }

    fn wait_all(&mut self) {
        while !self.running.is_empty() {
            self.reap();
        }
    }
}

fn replace(word: &OsString, mark: &str, item: &[u8]) -> OsString {
    let bytes = word.as_encoded_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    for hit in memchr::memmem::find_iter(bytes, mark.as_bytes()) {
        out.extend_from_slice(&bytes[at..hit]);
        out.extend_from_slice(item);
        at = hit + mark.len();
    }
    out.extend_from_slice(&bytes[at..]);
    sys::path_from_bytes(&out).into_os_string()
}

/// The items of the input.
struct Items {
    bytes: std::io::Bytes<BufReader<Box<dyn Read>>>,
    delimiter: Option<u8>,
    /// Whole lines are items (`-I`).
    lines: bool,
    end: Option<Vec<u8>>,
    failed: Option<String>,
}

impl Items {
    fn next(&mut self) -> Option<Item> {
        let item = match self.delimiter {
            Some(delimiter) => self.delimited(delimiter),
            None => self.quoted(),
        }?;
        if self.delimiter.is_none() && self.end.as_ref().is_some_and(|end| *end == item.0) {
            return None;
        }
        Some(item)
    }

    fn byte(&mut self) -> Option<u8> {
        match self.bytes.next()? {
            Ok(byte) => Some(byte),
            Err(error) => {
                self.failed = Some(text::reason(&error));
                None
            }
        }
    }

    fn delimited(&mut self, delimiter: u8) -> Option<Item> {
        let mut item = Vec::new();
        while let Some(byte) = self.byte() {
            if byte == delimiter {
                return Some((item, true));
            }
            item.push(byte);
        }
        (!item.is_empty()).then_some((item, true))
    }

    fn quoted(&mut self) -> Option<Item> {
        let mut item: Option<Vec<u8>> = None;
        let mut quote = None;
        while let Some(byte) = self.byte() {
            match (byte, quote) {
                (b, Some(q)) if b == q => quote = None,
                (b'\n', Some(q)) => {
                    let kind = if q == b'"' { "double" } else { "single" };
                    self.failed =
                        Some(format!("unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"));
                    return None;
                }
                (b'\'' | b'"', None) => {
                    quote = Some(byte);
                    item.get_or_insert_default();
                }
                (b'\\', None) => {
                    if let Some(next) = self.byte() {
                        item.get_or_insert_default().push(next);
                    }
                }
                (b'\n', None) if item.is_some() => {
                    // With -L a line that ends in a blank goes on in the next.
                    return item.map(|i| (i, true));
                }
                (b' ' | b'\t', None) if item.is_none() => {}
                (b'\n', None) => {}
                (b' ' | b'\t', None) if !self.lines => return item.map(|i| (i, false)),
                (b, _) => item.get_or_insert_default().push(b),
            }
        }
        if let Some(q) = quote {
            let kind = if q == b'"' { "double" } else { "single" };
            self.failed = Some(format!("unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"));
            return None;
        }
        item.map(|i| (i, true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &'static str, delimiter: Option<u8>, lines: bool) -> Vec<String> {
        let source: Box<dyn Read> = Box::new(text.as_bytes());
        let mut items = Items { bytes: BufReader::new(source).bytes(), delimiter, lines, end: None, failed: None };
        std::iter::from_fn(|| items.next()).map(|(i, _)| String::from_utf8(i).unwrap()).collect()
    }

    #[test]
    fn items_are_read() {
        assert_eq!(items("a b\n c 'd e' f\\ g \"h\"i\n", None, false), ["a", "b", "c", "d e", "f g", "hi"]);
        assert_eq!(items("a b\n  c d\n", None, true), ["a b", "c d"]);
        assert_eq!(items("a b\0c", Some(0), false), ["a b", "c"]);
        assert_eq!(items("a,,b", Some(b','), false), ["a", "", "b"]);
        assert_eq!(items("''", None, false), [""]);
    }

    #[test]
    fn delimiters_are_read() {
        assert_eq!(separator("\\n"), Some(b'\n'));
        assert_eq!(separator(","), Some(b','));
        assert_eq!(separator("\\x41"), Some(b'A'));
        assert_eq!(separator("ab"), None);
    }
}
