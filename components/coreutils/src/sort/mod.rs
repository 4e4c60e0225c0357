//! `sort`: uutils' needs threads for `-c`, `-m` and large inputs, and WASI has none.

mod debug;
mod key;

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{operands, text};
use key::{Key, Manner};
use std::cmp::Ordering;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::io::{Read, Write};

const OPTIONS: &[Opt] = &[
    flag("b", "ignore-leading-blanks", "blanks at the start of a key do not count"),
    flag("d", "dictionary-order", "only blanks, letters and digits count"),
    flag("f", "ignore-case", "small letters count as capitals"),
    flag("g", "general-numeric-sort", "by floating-point value"),
    flag("i", "ignore-nonprinting", "only printable characters count"),
    flag("M", "month-sort", "by name of month"),
    flag("h", "human-numeric-sort", "by size with unit (2K 1G)"),
    flag("n", "numeric-sort", "by number"),
    flag("R", "random-sort", "in no order, equal keys together"),
    value("", "random-source", ""),
    flag("r", "reverse", "in reverse"),
    value("", "sort", "general-numeric, human-numeric, month, numeric, random, version"),
    flag("V", "version-sort", "numbers in the text by value"),
    value("", "batch-size", ""),
    maybe("", "check", "only check whether it is sorted; --check=quiet says nothing"),
    flag("c", "", "as --check"),
    flag("C", "", "as --check=quiet"),
    value("", "compress-program", ""),
    flag("", "debug", "underline what of each line counts"),
    value("", "files0-from", "read the names of the files, ended by NUL, from VALUE"),
    value("k", "key", "sort by key VALUE: F[.C][LETTERS][,F[.C][LETTERS]]"),
    flag("m", "merge", "the files are sorted already"),
    value("o", "output", "write to file VALUE"),
    flag("s", "stable", "lines with equal keys stay in order"),
    value("S", "buffer-size", ""),
    value("t", "field-separator", "fields are separated by character VALUE"),
    value("T", "temporary-directory", ""),
    value("", "parallel", ""),
    flag("u", "unique", "of equal lines only the first"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SORTS: &[&[&str]] = &[&["general-numeric"], &["human-numeric"], &["month"], &["numeric"], &["random"], &["version"]];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Write the sorted lines of all FILEs (standard input without one). Lines compare byte by byte.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};

struct Sort {
    keys: Vec<Key>,
    separator: Option<u8>,
    stable: bool,
    reverse: bool,
    unique: bool,
    end: u8,
    debug: bool,
    /// What `-R` mixes into the hashes.
    chance: Vec<u8>,
}

fn fail(message: impl std::fmt::Display) -> u8 {
    text::complain("sort", message);
    2
}

/// `sort`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let args = obsolete(args);
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let mut sort = Sort {
        keys: Vec::new(),
        separator: None,
        stable: line.has("stable"),
        reverse: false,
        unique: line.has("unique"),
        end: if line.has("zero-terminated") { 0 } else { b'\n' },
        debug: line.has("debug"),
        chance: RandomState::new().hash_one(0).to_ne_bytes().to_vec(),
    };
    let (mut manner, mut skip_blanks) = (Manner::default(), false);
    for given in &line.options {
        let value = given.text();
        match given.key {
            "ignore-leading-blanks" => skip_blanks = true,
            "key" => match Key::parse(&value) {
                Ok(key) => sort.keys.push(key),
                Err(message) => return fail(message),
            },
            "field-separator" => {
                let bytes = given.value.as_ref().map(|v| v.as_encoded_bytes().to_vec()).unwrap_or_default();
                sort.separator = Some(match bytes.as_slice() {
                    b"\\0" => 0,
                    [one] => *one,
                    [] => return fail("empty tab"),
                    _ => return fail(format!("multi-character tab {}", text::quote(&value))),
                });
            }
            "sort" => {
                let letter = match SYNTAX.word(args, "--sort", &value, SORTS) {
                    Ok("general-numeric") => 'g',
                    Ok("human-numeric") => 'h',
                    Ok("month") => 'M',
                    Ok("numeric") => 'n',
                    Ok("random") => 'R',
                    Ok(_) => 'V',
                    Err(status) => return status,
                };
                manner.letter(letter);
            }
            key => {
                let letter = OPTIONS.iter().find(|o| o.long == key && o.short.len() == 1).and_then(|o| o.short.chars().next());
                if let Some(letter) = letter.filter(|l| "dfgiMhnRrV".contains(*l)) {
                    manner.letter(letter);
                }
            }
        }
    }
    sort.reverse = manner.reverse;
    if sort.keys.is_empty() {
        if manner != (Manner { reverse: manner.reverse, ..Manner::default() }) || skip_blanks {
            sort.keys.push(Key::whole(manner, skip_blanks));
        }
    } else {
        sort.keys.iter_mut().for_each(|k| k.inherit(manner, skip_blanks));
    }
    let conflict = sort.keys.iter().map(|k| k.manner).chain([manner]).find_map(|m| m.conflict());
    if let Some(letters) = conflict {
        return fail(format!("options '-{letters}' are incompatible"));
    }
    if let Err(message) = limits(&line) {
        return fail(message);
    }
    let files = match files(&line) {
        Ok(files) => files,
        Err(status) => return status,
    };
    let word = line.last_text("check").filter(|c| !c.is_empty());
    let quiet = line.has("C") || word.as_ref().is_some_and(|c| "quiet".starts_with(c.as_str()) || "silent".starts_with(c.as_str()));
    let loud = line.has("c") || (line.has("check") && word.as_ref().is_none_or(|c| "diagnose-first".starts_with(c.as_str())));
    let check = quiet || loud;
    if line.has("check") && !check {
        return SYNTAX.misuse(args, &format!("invalid argument {} for '--check'", text::quote(word.unwrap_or_default())));
    }
    if quiet && loud {
        return fail("options '-cC' are incompatible");
    }
    if check && line.has("output") {
        return fail(format!("options '-{}o' are incompatible", if quiet { 'C' } else { 'c' }));
    }
    if check && files.len() > 1 {
        return fail(format!("extra operand {} not allowed with -c", text::quote(&files[1])));
    }
    if let Some(source) = line.last("random-source").filter(|_| sort.random()) {
        match salt(source) {
            Ok(salt) => sort.chance = salt,
            Err(message) => return fail(message),
        }
    }
    // All inputs are looked at before one is read.
    for file in files.iter().filter(|f| *f != "-") {
        if let Err(error) = crate::sys::stat(file.as_ref(), true) {
            return fail(format!("cannot read: {}: {}", text::quote_if_needed(file), text::reason(&error)));
        }
    }
    let (mut data, mut ends) = (Vec::new(), Vec::new());
    for file in &files {
        if let Err(error) = read(file, &mut data, sort.end) {
            let what = if error.kind() == std::io::ErrorKind::IsADirectory { "read failed" } else { "cannot read" };
            return fail(format!("{what}: {}: {}", text::quote_if_needed(file), text::reason(&error)));
        }
        ends.push(data.len());
    }
    let body = data.strip_suffix(&[sort.end]).unwrap_or(&data);
    let mut lines: Vec<&[u8]> = if data.is_empty() { Vec::new() } else { split(body, sort.end) };
    if check {
        return sort.check(&lines, &files[0], quiet);
    }
    if line.has("debug") {
        text::complain("sort", "text ordering performed using simple byte comparison");
    }
    if line.has("merge") {
        lines = sort.merge(&data, &ends);
    } else {
        sort.sort(&mut lines);
    }
    if sort.unique {
        lines.dedup_by(|b, a| sort.compare_keys(a, b).is_eq());
    }
    match sort.write(&lines, line.last("output")) {
        Ok(()) => 0,
        Err(status) => status,
    }
}

/// The old form of a key, `+F.C -F.C`, as `-k`.
fn obsolete(args: Vec<OsString>) -> Vec<OsString> {
    let mut out: Vec<OsString> = Vec::new();
    let mut rest = args.into_iter().peekable();
    let mut value = false;
    while let Some(arg) = rest.next() {
        let text = arg.to_string_lossy().into_owned();
        let old = |text: &str, sign: char| text.strip_prefix(sign).is_some_and(|t| t.starts_with(|c: char| c.is_ascii_digit()));
        if text == "--" {
            out.push(arg);
            out.extend(rest);
            break;
        }
        if !value && old(&text, '+') {
            let mut key = format!("-k{}", one_more(&text[1..], true));
            if let Some(end) = rest.next_if(|next| old(&next.to_string_lossy(), '-')) {
                key += &format!(",{}", one_more(&end.to_string_lossy()[1..], false));
            }
            out.push(key.into());
            continue;
        }
        // What follows these is theirs.
        value = ["-k", "-o", "-S", "-t", "-T", "--key", "--output", "--buffer-size", "--field-separator", "--temporary-directory"]
            .contains(&text.as_str());
        out.push(arg);
    }
    out
}

/// `F.C` counted from 0 as `-k` has it, from 1. Without a character the end is that of the field before.
fn one_more(text: &str, start: bool) -> String {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (place, letters) = text.split_at(end);
    let (field, char) = place.split_once('.').unwrap_or((place, "0"));
    let number = |text: &str| text.parse::<u64>().unwrap_or(if text.is_empty() { 0 } else { u64::MAX });
    let (field, char) = (number(field), number(char));
    match (start, char) {
        (true, char) => format!("{}.{}{letters}", field.saturating_add(1), char.saturating_add(1)),
        (false, 0) if field > 0 => format!("{field}{letters}"),
        (false, char) => format!("{}.{}{letters}", field.saturating_add(1), char.max(1)),
    }
}

/// As many bytes as `-R` takes from `--random-source`.
fn salt(source: &std::ffi::OsStr) -> Result<Vec<u8>, String> {
    let mut salt = vec![0; 16];
    let opened = std::fs::File::open(source);
    let mut file = opened.map_err(|error| format!("open failed: {}: {}", text::quote_if_needed(source), text::reason(&error)))?;
    match file.read_exact(&mut salt) {
        Ok(()) => Ok(salt),
        Err(error) if error.kind() == std::io::ErrorKind::UnexpectedEof => Err(format!("{}: end of file", text::quote(source))),
        Err(error) => Err(format!("read failed: {}: {}", text::quote_if_needed(source), text::reason(&error))),
    }
}

/// Options that change nothing here, but must be right.
fn limits(line: &Line) -> Result<(), String> {
    let mut outputs = line.options.iter().filter(|o| o.key == "output").map(|o| &o.value);
    if outputs.next().is_some_and(|first| outputs.any(|other| other != first)) {
        return Err("multiple output files specified".into());
    }
    if let Some(text) = line.last_text("batch-size") {
        match text.parse::<u64>() {
            Ok(0 | 1) => {
                return Err(format!("invalid --batch-size argument {}\nsort: minimum --batch-size argument is '2'", text::quote(text)));
            }
            Ok(_) => {}
            Err(_) if !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit()) => {
                return Err(format!("--batch-size argument {} too large", text::quote(text)));
            }
            Err(_) => return Err(format!("invalid --batch-size argument {}", text::quote(text))),
        }
    }
    if let Some(text) = line.last_text("parallel") {
        match text.parse::<u64>() {
            Ok(0) => return Err("number in parallel must be nonzero".into()),
            Ok(_) => {}
            Err(_) => return Err(format!("invalid --parallel argument {}", text::quote(text))),
        }
    }
    if let Some(given) = line.options.iter().rev().find(|o| o.key == "buffer-size") {
        let text = given.text();
        let number = text.trim_start();
        let number = number.strip_suffix(['%', 'b']).unwrap_or(number);
        if text::size(number).is_none() || number.is_empty() {
            let option = if given.letter.is_some() { "-S" } else { "--buffer-size" };
            return Err(format!("invalid {option} argument {}", text::quote(text)));
        }
    }
    Ok(())
}

fn files(line: &Line) -> Result<Vec<OsString>, u8> {
    let Some(list) = line.last("files0-from") else {
        return Ok(if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() });
    };
    operands::files0(&SYNTAX, &["sort".into()], list, &line.operands, "open failed").map_err(|_| 2)
}

fn read(file: &OsString, data: &mut Vec<u8>, end: u8) -> std::io::Result<()> {
    if file == "-" {
        std::io::stdin().lock().read_to_end(data)?;
    } else {
        std::fs::File::open(file)?.read_to_end(data)?;
    }
    // The last line of a file may lack its end.
    if data.last().is_some_and(|last| *last != end) {
        data.push(end);
    }
    Ok(())
}

fn split(body: &[u8], end: u8) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    let mut at = 0;
    for hit in memchr::memchr_iter(end, body) {
        lines.push(&body[at..hit]);
        at = hit + 1;
    }
    lines.push(&body[at..]);
    lines
}

impl Sort {
    /// Whether anything is in no order.
    fn random(&self) -> bool {
        self.keys.iter().any(|key| key.manner.by == key::By::Chance)
    }

    /// By keys alone.
    fn compare_keys(&self, a: &[u8], b: &[u8]) -> Ordering {
        if self.keys.is_empty() {
            let order = a.cmp(b);
            return if self.reverse { order.reverse() } else { order };
        }
        for key in &self.keys {
            let order = key.manner.compare(key.part(a, self.separator), key.part(b, self.separator), &self.chance);
            if order.is_ne() {
                return order;
            }
        }
        Ordering::Equal
    }

    /// By keys, then, unless it is to be stable, by the whole line.
    fn compare(&self, a: &[u8], b: &[u8]) -> Ordering {
        let order = self.compare_keys(a, b);
        if order.is_ne() || self.stable || self.unique || self.keys.is_empty() {
            return order;
        }
        let order = a.cmp(b);
        if self.reverse { order.reverse() } else { order }
    }

    fn sort(&self, lines: &mut [&[u8]]) {
        if self.keys.is_empty() && !self.reverse {
            // Equal lines cannot be told apart.
            return lines.sort_unstable();
        }
        lines.sort_by(|a, b| self.compare(a, b));
    }

    /// The lines of files that are each sorted: what comes first of their next ones. Those of one file stay in order.
    fn merge<'d>(&self, data: &'d [u8], ends: &[usize]) -> Vec<&'d [u8]> {
        let mut starts = 0;
        let mut files: Vec<_> = Vec::new();
        for end in ends {
            let part = &data[std::mem::replace(&mut starts, *end)..*end];
            if let Some(body) = part.strip_suffix(&[self.end]) {
                files.push(split(body, self.end).into_iter().peekable());
            }
        }
        let mut lines = Vec::new();
        while !files.is_empty() {
            let (mut first, mut at) = (files[0].peek().copied(), 0);
            for (other, file) in files.iter_mut().enumerate().skip(1) {
                let line = file.peek().copied();
                if let (Some(a), Some(b)) = (first, line)
                    && self.compare(b, a).is_lt()
                {
                    (first, at) = (line, other);
                }
            }
            lines.extend(files[at].next());
            if files[at].peek().is_none() {
                drop(files.remove(at));
            }
        }
        lines
    }

    fn check(&self, lines: &[&[u8]], file: &OsString, quiet: bool) -> u8 {
        for (at, pair) in lines.windows(2).enumerate() {
            let order = self.compare(pair[0], pair[1]);
            if order.is_gt() || (self.unique && order.is_eq()) {
                if !quiet {
                    text::complain(
                        "sort",
                        format!("{}:{}: disorder: {}", file.to_string_lossy(), at + 2, String::from_utf8_lossy(pair[1])),
                    );
                }
                return 1;
            }
        }
        0
    }

    fn write(&self, lines: &[&[u8]], output: Option<&std::ffi::OsStr>) -> Result<(), u8> {
        let put = |out: &mut dyn Write| -> std::io::Result<()> {
            for line in lines {
                if self.debug {
                    debug::show(self, line, out)?;
                    continue;
                }
                out.write_all(line)?;
                out.write_all(&[self.end])?;
            }
            out.flush()
        };
        match output {
            None => put(&mut text::output()).map_err(|error| fail(format!("write failed: 'standard output': {}", text::reason(&error)))),
            Some(file) => std::fs::File::create(file)
                .and_then(|f| put(&mut std::io::BufWriter::with_capacity(64 * 1024, f)))
                .map_err(|error| fail(format!("open failed: {}: {}", text::quote_if_needed(file), text::reason(&error)))),
        }
    }
}
