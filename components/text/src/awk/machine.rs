//! The state of a running program.

use super::array::{Array, ArrayRef, Key};
use super::ops::Compiled;
use super::reader::Ending;
use super::record::{Record, Splitter};
use super::special as sp;
use super::streams::Streams;
use super::value::{Pattern, Str, Value};
use crate::regex::{Flavor, Options, Regex};
use crate::sys;
use std::collections::HashMap;
use std::rc::Rc;

/// Why a run ended before its end.
pub(super) enum Stop {
    /// A fatal error.
    Fatal(String),
    /// A file of the main input that cannot be opened.
    Unopened(String),
    /// `exit`.
    Exit,
    /// `next`.
    Next,
    /// `nextfile`.
    NextFile,
}

impl Stop {
    /// Turns `next` in a function called by a rule that has no record into an error.
    pub(super) fn within(self, rule: &str) -> Self {
        let word = match self {
            Self::Next => "next",
            Self::NextFile => "nextfile",
            other => return other,
        };
        Self::Fatal(format!("`{word}' cannot be called from a `{rule}' rule"))
    }
}

/// The result of an operation that can fail.
pub(super) type Run<T> = Result<T, Stop>;

/// Returns a fatal error.
pub(super) fn fatal<T>(message: impl Into<String>) -> Run<T> {
    Err(Stop::Fatal(message.into()))
}

/// A call in progress.
pub(super) struct Frame {
    /// Where to continue.
    pub back: usize,
    /// Where its locals begin.
    pub base: usize,
    /// Which function.
    pub function: u32,
    /// How many loops over keys were open.
    pub loops: usize,
}

/// A loop over keys.
pub(super) struct Keys {
    /// The keys.
    pub keys: std::vec::IntoIter<Key>,
}

/// The machine.
pub(super) struct Machine {
    /// The name for messages.
    pub name: String,
    /// The program.
    pub code: Rc<Compiled>,
    /// The stack: operands and locals.
    pub stack: Vec<Value>,
    /// The value of a name that was used and never assigned.
    pub unassigned: Value,
    /// Calls.
    pub frames: Vec<Frame>,
    /// Loops over keys.
    pub loops: Vec<Keys>,
    /// Variables.
    pub globals: Vec<Value>,
    /// Where the current function's locals begin.
    pub base: usize,
    /// The current line, for messages.
    pub line: u32,
    /// Whether there was an error; `line` is then its line.
    pub failed: bool,
    /// The record.
    pub record: Record,
    /// Files and commands.
    pub streams: Streams,
    /// Which range patterns are inside their range.
    pub ranges: Vec<bool>,
    /// The result of the last `getline`.
    pub got: f64,
    /// The status to exit with.
    pub status: u8,
    /// NR, FNR.
    pub counts: (f64, f64),
    /// OFS as a text.
    pub ofs: Str,
    /// ORS as a text.
    pub ors: Str,
    /// SUBSEP as a text.
    pub subsep: Str,
    /// CONVFMT as a text.
    pub convfmt: Str,
    /// OFMT as a text.
    pub ofmt: Str,
    /// How records end.
    pub ending: Ending,
    /// How records are split.
    pub splitter: Rc<Splitter>,
    /// `--csv`: records and fields are those of CSV, whatever RS and FS say.
    pub csv: bool,
    /// Which of FPAT, FIELDWIDTHS and FS was assigned last.
    pub split_by: usize,
    /// IGNORECASE.
    pub fold: bool,
    /// The text that ended the record.
    pub end: Vec<u8>,
    /// Whether characters are UTF-8.
    pub utf8: bool,
    /// Regular expressions of the program, compiled: as they are, and ignoring case.
    pub regexes: Vec<[Option<Rc<Regex>>; 2]>,
    /// Escapes that already caused a warning.
    pub warned: Vec<u8>,
    cache: HashMap<(Vec<u8>, bool), Rc<Regex>>,
    /// The state of `rand`.
    pub random: super::math::Random,
    /// The main input.
    pub main: super::input::Main,
    /// `--sandbox`.
    pub sandbox: bool,
    /// `-i inplace`: replace the files of the input; the suffix of backups.
    pub in_place: Option<Vec<u8>>,
}

impl Machine {
    /// Creates a machine that is ready to run a program.
    pub(super) fn new(name: String, code: Compiled, args: Vec<Vec<u8>>) -> Self {
        let utf8 = sys::utf8();
        let mut globals = vec![Value::Unset; code.globals.len()];
        globals[sp::FILENAME] = Value::str("");
        globals[sp::FS] = Value::str(" ");
        globals[sp::OFS] = Value::str(" ");
        globals[sp::ORS] = Value::str("\n");
        globals[sp::RS] = Value::str("\n");
        globals[sp::SUBSEP] = Value::str("\x1c");
        globals[sp::CONVFMT] = Value::str("%.6g");
        globals[sp::OFMT] = Value::str("%.6g");
        globals[sp::RSTART] = Value::Num(0.0);
        globals[sp::RLENGTH] = Value::Num(-1.0);
        globals[sp::RT] = Value::str("");
        globals[sp::FPAT] = Value::str("[^[:space:]]+");
        globals[sp::FIELDWIDTHS] = Value::str("");
        globals[sp::IGNORECASE] = Value::Num(0.0);
        globals[sp::ERRNO] = Value::str("");
        globals[sp::ARGIND] = Value::Num(0.0);
        globals[sp::ARGC] = Value::Num(args.len() as f64);
        let array = |pairs: Vec<(Key, Value)>| {
            let array = Array::real();
            pairs.into_iter().for_each(|(k, v)| array.table.borrow_mut().set(k, v));
            Value::Array(array)
        };
        globals[sp::ARGV] = array(args.into_iter().enumerate().map(|(n, a)| (Key::Int(n as i64), Value::input(a))).collect());
        let text = |s: &[u8]| Key::text(&Rc::new(s.to_vec()));
        let environment = sys::environment();
        let variables = environment.iter().filter_map(|line| {
            let at = line.iter().position(|b| *b == b'=')?;
            Some((text(&line[..at]), Value::input(&line[at + 1..])))
        });
        globals[sp::ENVIRON] = array(variables.collect());
        globals[sp::PROCINFO] = array(vec![
            (text(b"version"), Value::str("5.2.1")),
            (text(b"platform"), Value::str("posix")),
            (text(b"pid"), Value::Num(f64::from(sys::pid()))),
            (text(b"ppid"), Value::Num(f64::from(sys::parent()))),
            (text(b"FS"), Value::str("FS")),
            (text(b"strftime"), Value::str("%a %b %e %H:%M:%S %Z %Y")),
        ]);
        let regexes = vec![[None, None]; code.regexes.len()];
        let ranges = vec![false; code.ranges];
        let six: Str = Rc::new(b"%.6g".to_vec());
        Self {
            name,
            code: Rc::new(code),
            stack: Vec::with_capacity(256),
            unassigned: Value::Array(Array::unassigned()),
            frames: Vec::new(),
            loops: Vec::new(),
            globals,
            base: 0,
            line: 0,
            failed: false,
            record: Record::new(utf8),
            streams: Streams::new(sys::is_terminal(1)),
            ranges,
            got: 0.0,
            status: 0,
            counts: (0.0, 0.0),
            ofs: Rc::new(b" ".to_vec()),
            ors: Rc::new(b"\n".to_vec()),
            subsep: Rc::new(b"\x1c".to_vec()),
            convfmt: six.clone(),
            ofmt: six,
            ending: Ending::Byte(b'\n'),
            splitter: Rc::new(Splitter::Blanks),
            csv: false,
            split_by: sp::FS,
            fold: false,
            end: Vec::new(),
            utf8,
            regexes,
            warned: Vec::new(),
            cache: HashMap::new(),
            random: super::math::Random::new(1),
            main: super::input::Main::default(),
            sandbox: false,
            in_place: None,
        }
    }

    /// Compiles a regular expression.
    pub(super) fn compile(&mut self, source: &[u8]) -> Run<Rc<Regex>> {
        let key = (source.to_vec(), self.fold);
        if let Some(regex) = self.cache.get(&key) {
            return Ok(regex.clone());
        }
        for (_, warning) in super::lexer::odd_escapes(source, &mut self.warned) {
            self.warn(&warning);
        }
        let options = Options { flavor: Flavor::Awk, fold: self.fold, lines: false, utf8: self.utf8, posix: false };
        let regex = match Regex::new(source, options) {
            Ok(regex) => Rc::new(regex),
            Err(error) => return fatal(format!("invalid regexp: {error}: /{}/", String::from_utf8_lossy(source))),
        };
        if self.cache.len() >= 500 {
            self.cache.clear();
        }
        self.cache.insert(key, regex.clone());
        Ok(regex)
    }

    /// Returns a regular expression of the program.
    pub(super) fn regex(&mut self, number: u32) -> Run<Rc<Regex>> {
        let fold = usize::from(self.fold);
        if let Some(regex) = &self.regexes[number as usize][fold] {
            return Ok(regex.clone());
        }
        let source = self.code.regexes[number as usize].clone();
        let regex = self.compile(&source)?;
        self.regexes[number as usize][fold] = Some(regex.clone());
        Ok(regex)
    }

    /// Returns a value as a regular expression.
    pub(super) fn pattern(&mut self, value: &Value) -> Run<Rc<Regex>> {
        match value {
            Value::Regex(pattern) if !self.fold => Ok(pattern.regex.clone()),
            Value::Regex(pattern) => {
                let pattern = pattern.clone();
                self.compile(&pattern.source)
            }
            other => {
                let source = other.text(&self.convfmt);
                self.compile(&source)
            }
        }
    }

    /// Returns a regular expression of the program as a value.
    pub(super) fn regex_value(&mut self, number: u32, strong: bool) -> Run<Value> {
        let regex = self.regex(number)?;
        Ok(Value::Regex(Rc::new(Pattern { source: self.code.regexes[number as usize].clone(), regex, strong })))
    }

    /// Returns how a text is split by a separator, as FS has it.
    pub(super) fn splitter(&mut self, separator: &Value, record: bool) -> Run<Splitter> {
        if let Value::Regex(pattern) = separator {
            if pattern.source.is_empty() {
                return Ok(Splitter::Chars);
            }
            return Ok(Splitter::Regex(self.pattern(separator)?));
        }
        let text = separator.text(&self.convfmt);
        let lines = record && matches!(self.ending, Ending::Paragraph);
        Ok(match &text[..] {
            b" " => Splitter::Blanks,
            b"" => Splitter::Chars,
            // A single letter is itself, even with IGNORECASE.
            [b] if *b < 0x80 => Splitter::Byte(*b, lines),
            source if lines => {
                let both = [b"(".as_slice(), source, b")|\n"].concat();
                Splitter::Regex(self.compile(&both)?)
            }
            source => Splitter::Regex(self.compile(source)?),
        })
    }

    /// Returns `$0`.
    pub(super) fn whole(&mut self) -> Str {
        self.record.text(&self.ofs, &self.convfmt).clone()
    }

    /// Assigns `$0`.
    pub(super) fn set_record(&mut self, text: Str) {
        let splitter = self.splitter.clone();
        self.record.set(text, &splitter);
    }

    /// Reads a variable of the language.
    pub(super) fn special(&mut self, number: usize) -> Value {
        match number {
            sp::NF => Value::Num(self.record.count() as f64),
            sp::NR => Value::Num(self.counts.0),
            sp::FNR => Value::Num(self.counts.1),
            sp::RT => Value::str(self.end.clone()),
            _ => self.globals[number].clone(),
        }
    }

    /// Assigns a variable of the language.
    pub(super) fn set_special(&mut self, number: usize, value: Value) -> Run<()> {
        let text = |m: &Self| value.text(&m.convfmt);
        match number {
            sp::NF => {
                let count = value.num();
                if count < 0.0 {
                    return fatal("NF set to negative value");
                }
                if count > 50_000_000.0 {
                    return fatal(format!("NF set to {count}: that many fields do not fit into memory"));
                }
                self.record.resize(count as usize);
            }
            sp::NR => self.counts.0 = value.num(),
            sp::FNR => self.counts.1 = value.num(),
            sp::OFS => {
                // Fields assigned earlier are joined with the old value.
                let _ = self.whole();
                self.ofs = text(self);
            }
            sp::ORS => self.ors = text(self),
            sp::SUBSEP => self.subsep = text(self),
            sp::CONVFMT => self.convfmt = text(self),
            sp::OFMT => self.ofmt = text(self),
            sp::RT => self.end = text(self).to_vec(),
            sp::RS if self.csv => self.without_effect("RS"),
            sp::FS | sp::FPAT | sp::FIELDWIDTHS if self.csv => self.without_effect("FS/FIELDWIDTHS/FPAT"),
            sp::RS => {
                let text = text(self);
                self.globals[number] = value.clone();
                let was = matches!(self.ending, Ending::Paragraph);
                self.ending = match &text[..] {
                    _ if matches!(value, Value::Regex(_)) => Ending::Regex(self.pattern(&value)?),
                    b"" => Ending::Paragraph,
                    [b] => Ending::Byte(*b),
                    source => Ending::Regex(self.compile(source)?),
                };
                if was != matches!(self.ending, Ending::Paragraph) {
                    self.resplit()?;
                }
            }
            sp::FS | sp::FPAT | sp::FIELDWIDTHS => {
                self.globals[number] = value;
                self.split_by = number;
                return self.resplit();
            }
            sp::IGNORECASE => {
                self.fold = value.truth();
                self.globals[number] = value;
                if self.csv {
                    return Ok(());
                }
                let (rs, splits) = (self.globals[sp::RS].clone(), self.split_by);
                self.set_special(sp::RS, rs)?;
                self.split_by = splits;
                return self.resplit();
            }
            _ => {}
        }
        self.globals[number] = value;
        Ok(())
    }

    /// Makes records and fields those of CSV from here on.
    pub(super) fn read_csv(&mut self) {
        self.csv = true;
        (self.ending, self.splitter) = (Ending::Csv, Rc::new(Splitter::Csv));
        if let Value::Array(info) = &self.globals[sp::PROCINFO] {
            info.table.borrow_mut().set(Key::Str(Rc::new(b"CSV".to_vec())), Value::Num(1.0));
        }
    }

    fn without_effect(&mut self, what: &str) {
        self.warn(&format!("assignment to {what} has no effect when using --csv"));
    }

    /// Works out how records are split from here on.
    fn resplit(&mut self) -> Run<()> {
        let by = self.globals[self.split_by].clone();
        let splitter = match self.split_by {
            sp::FPAT => Splitter::Pattern(self.pattern(&by)?),
            sp::FIELDWIDTHS => widths(&by.text(&self.convfmt))?,
            _ if matches!(&by, Value::Regex(pattern) if pattern.source == b" ") => Splitter::Blanks,
            _ => self.splitter(&by, true)?,
        };
        let name = special_name(self.split_by);
        if let Value::Array(info) = &self.globals[sp::PROCINFO] {
            info.table.borrow_mut().set(Key::Str(Rc::new(b"FS".to_vec())), Value::str(name));
        }
        self.splitter = Rc::new(splitter);
        Ok(())
    }

    /// Returns the environment of commands: ENVIRON as it is now.
    pub(super) fn variables(&mut self) -> Vec<Vec<u8>> {
        let Value::Array(array) = &self.globals[sp::ENVIRON] else { return sys::environment() };
        let line = |(k, v): (Key, &Value)| [&k.to_text()[..], b"=", &v.text(b"%.6g")[..]].concat();
        array.table.borrow().iter().map(line).collect()
    }

    /// Returns a variable as an array; it becomes one if it was never used.
    pub(super) fn array(slot: &mut Value, name: impl FnOnce() -> String) -> Run<ArrayRef> {
        match slot {
            Value::Array(array) if !array.scalar.get() => {
                array.real.set(true);
                Ok(array.clone())
            }
            Value::Unset => {
                let array = Array::real();
                *slot = Value::Array(array.clone());
                Ok(array)
            }
            _ => fatal(format!("attempt to use scalar `{}' as an array", name())),
        }
    }

    /// Prints a warning.
    pub(super) fn warn(&mut self, message: &str) {
        // Earlier output comes before the warning.
        let _ = self.streams.flush_output();
        eprintln!("{}: {}warning: {message}", self.name, self.place());
    }

    /// Returns the current place, for messages.
    pub(super) fn place(&self) -> String {
        // Before the program begins there is no place to name.
        let at = if self.line == 0 { String::new() } else { format!("{}: ", self.main.places.show(self.line as usize)) };
        if self.counts.0 > 0.0 {
            let file = String::from_utf8_lossy(&self.globals[sp::FILENAME].text(b"%.6g")).into_owned();
            let file = if file.is_empty() { "-".to_owned() } else { file };
            return format!("{at}(FILENAME={file} FNR={}) ", self.counts.1);
        }
        at
    }
}

fn special_name(number: usize) -> &'static str {
    sp::NAMES.get(number).copied().unwrap_or("FS")
}

/// Reads FIELDWIDTHS: `5 2:3 *`.
fn widths(text: &[u8]) -> Run<Splitter> {
    let text = String::from_utf8_lossy(text).into_owned();
    let text = text.trim_ascii();
    let mut all = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let (word, after) = rest.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((rest, ""));
        let (skip, take) = word.split_once(':').map_or((None, word), |(s, t)| (Some(s), t));
        if take == "*" || skip == Some("*") {
            if !after.trim_ascii().is_empty() || take != "*" {
                return fatal("`*' must be the last designator in FIELDWIDTHS");
            }
            all.push((skip.and_then(|s| s.parse().ok()).unwrap_or(0), usize::MAX));
            break;
        }
        let skip = skip.map_or(Ok(0), str::parse::<usize>);
        match (skip, take.parse::<usize>()) {
            (Ok(skip), Ok(take)) if take > 0 => all.push((skip, take)),
            (skip, _) => {
                let near = if skip.is_ok() { &rest[word.len() - take.len()..] } else { rest };
                return fatal(format!("invalid FIELDWIDTHS value, for field {}, near `{near}'", all.len() + 1));
            }
        }
        rest = after.trim_ascii_start();
    }
    Ok(Splitter::Widths(all))
}
