//! The command line of `sort`.

use super::key::{Key, Manner};
use super::{Sort, fail};
use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::text;
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};

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
    flag("", "debug", "underline the part of each line that counts"),
    value("", "files0-from", "read the names of the files, ended by NUL, from VALUE"),
    value("k", "key", "sort by key VALUE: F[.C][LETTERS][,F[.C][LETTERS]]"),
    flag("m", "merge", "the files are sorted already"),
    value("o", "output", "write to file VALUE"),
    flag("s", "stable", "lines with equal keys stay in order"),
    value("S", "buffer-size", ""),
    value("t", "field-separator", "fields are separated by character VALUE"),
    value("T", "temporary-directory", ""),
    value("", "parallel", ""),
    flag("u", "unique", "print only the first of equal lines"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SORTS: &[&[&str]] = &[&["general-numeric"], &["human-numeric"], &["month"], &["numeric"], &["random"], &["version"]];

/// The command line.
pub(super) const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Write the sorted lines of all FILEs (standard input without one). Lines compare byte by byte.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};

impl Sort {
    /// Reads the order that the command line asks for.
    pub(super) fn read(args: &[OsString], line: &Line) -> Result<Self, u8> {
        let mut sort = Self {
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
            match given.key {
                "ignore-leading-blanks" => skip_blanks = true,
                "key" => sort.keys.push(Key::parse(&given.text()).map_err(fail)?),
                "field-separator" => sort.separator = Some(separator(given)?),
                "sort" => {
                    manner.letter(order_of(args, &given.text())?);
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
        if !sort.keys.is_empty() {
            sort.keys.iter_mut().for_each(|k| k.inherit(manner, skip_blanks));
        } else if skip_blanks || manner != (Manner { reverse: manner.reverse, ..Manner::default() }) {
            sort.keys.push(Key::whole(manner, skip_blanks));
        }
        match sort.keys.iter().map(|k| k.manner).chain([manner]).find_map(|m| m.conflict()) {
            Some(letters) => Err(fail(format!("options '-{letters}' are incompatible"))),
            None => Ok(sort),
        }
    }
}

/// What a check for order says about the first line that is out of order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    /// Nothing (`-C`).
    Quiet,
    /// Where the line is, and the line (`-c`).
    Loud,
}

impl Check {
    /// Reads the check that the command line asks for, if any.
    pub(super) fn read(args: &[OsString], line: &Line, files: &[OsString]) -> Result<Option<Self>, u8> {
        let word = line.last_text("check").filter(|c| !c.is_empty());
        let quiet = line.has("C") || word.as_ref().is_some_and(|c| "quiet".starts_with(c.as_str()) || "silent".starts_with(c.as_str()));
        let loud = line.has("c") || (line.has("check") && word.as_ref().is_none_or(|c| "diagnose-first".starts_with(c.as_str())));
        let (check, letter) = match (quiet, loud) {
            (true, true) => return Err(fail("options '-cC' are incompatible")),
            (true, false) => (Self::Quiet, 'C'),
            (false, true) => (Self::Loud, 'c'),
            (false, false) if line.has("check") => {
                let message = format!("invalid argument {} for '--check'", text::quote(word.unwrap_or_default()));
                return Err(SYNTAX.misuse(args, &message));
            }
            (false, false) => return Ok(None),
        };
        if line.has("output") {
            return Err(fail(format!("options '-{letter}o' are incompatible")));
        }
        if files.len() > 1 {
            return Err(fail(format!("extra operand {} not allowed with -c", text::quote(&files[1]))));
        }
        Ok(Some(check))
    }
}

/// Returns the byte that separates fields.
fn separator(given: &Given) -> Result<u8, u8> {
    match given.value.as_ref().map(|v| v.as_encoded_bytes()).unwrap_or_default() {
        b"\\0" => Ok(0),
        [one] => Ok(*one),
        [] => Err(fail("empty tab")),
        _ => Err(fail(format!("multi-character tab {}", text::quote(given.text())))),
    }
}

/// Returns the letter of the order that a word of `--sort` names.
fn order_of(args: &[OsString], word: &str) -> Result<char, u8> {
    Ok(match SYNTAX.word(args, "--sort", word, SORTS)? {
        "general-numeric" => 'g',
        "human-numeric" => 'h',
        "month" => 'M',
        "numeric" => 'n',
        "random" => 'R',
        _ => 'V',
    })
}

/// Rewrites the old form of a key, `+F.C -F.C`, as `-k`.
pub(super) fn obsolete(args: Vec<OsString>) -> Vec<OsString> {
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
        // The next argument is the value of these options.
        value = ["-k", "-o", "-S", "-t", "-T", "--key", "--output", "--buffer-size", "--field-separator", "--temporary-directory"]
            .contains(&text.as_str());
        out.push(arg);
    }
    out
}

/// Rewrites `F.C`, which counts from 0, for `-k`, which counts from 1. An end without a character is the end of the field
/// before.
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

/// Checks options that have no effect here but must be valid.
pub(super) fn limits(line: &Line) -> Result<(), String> {
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
