//! `iconv`: text from one encoding to another.

use super::iconv_pages::{PAGES, Page};
use super::iconv_wide::{self as wide, Piece, Wide};
use crate::options::{Line, Syntax, flag, value};
use crate::text::{self, first_char};
use encoding_rs::Encoder;
use std::ffi::OsString;
use std::io::Write;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION...] [FILE...]",
    about: "Convert the encoding of text; -l lists the encodings. TO//TRANSLIT writes what TO does not have by letters that look alike,\nTO//IGNORE and -c leave it out.",
    options: &[
        value("f", "from-code", "the encoding of the input (UTF-8)"),
        value("t", "to-code", "the encoding of the output (UTF-8)"),
        flag("l", "list", "list the encodings"),
        flag("c", "", "leave out what cannot be converted"),
        value("o", "output", "write to this file"),
        flag("s", "silent", ""),
        flag("", "verbose", ""),
    ],
    failure: 64,
    letters: ("?", "V"),
    ..Syntax::COMMON
};

#[derive(Clone, Copy)]
enum Code {
    Utf8,
    Ascii,
    Latin1,
    /// Another with one byte for a character.
    Page(&'static Page),
    Wide(&'static Wide),
    /// Units of 2 or 4 bytes; big-endian or not; `None`: a mark at the start decides.
    Utf(usize, Option<bool>),
}

const NAMES: &[(&str, Code)] = &[
    ("UTF-8 UTF8", Code::Utf8),
    ("US-ASCII ASCII ANSI_X3.4-1968 ISO646-US 646", Code::Ascii),
    ("ISO-8859-1 ISO8859-1 ISO88591 LATIN1 L1", Code::Latin1),
    ("UTF-16 UTF16", Code::Utf(2, None)),
    ("UTF-16LE UTF16LE UCS-2LE", Code::Utf(2, Some(false))),
    ("UTF-16BE UTF16BE UCS-2BE", Code::Utf(2, Some(true))),
    ("UTF-32 UTF32", Code::Utf(4, None)),
    ("UTF-32LE UTF32LE UCS-4LE", Code::Utf(4, Some(false))),
    ("UTF-32BE UTF32BE UCS-4BE UCS-4", Code::Utf(4, Some(true))),
];

/// Returns the names of all encodings, those of each in one text.
fn names() -> impl Iterator<Item = &'static str> {
    let pages = PAGES.iter().map(|(names, _)| *names);
    NAMES.iter().map(|(names, _)| *names).chain(wide::TABLE.iter().map(|wide| wide.names)).chain(pages)
}

/// Substitutes for characters, as the C library writes them.
const ALIKE: &[(&str, &str)] = &[
    ("ÀÁÂÃÅ", "A"),
    ("àáâãå", "a"),
    ("Ä", "A"),
    ("ä", "a"),
    ("Ç", "C"),
    ("ç", "c"),
    ("ÈÉÊË", "E"),
    ("èéêë", "e"),
    ("ÌÍÎÏ", "I"),
    ("ìíîï", "i"),
    ("Ñ", "N"),
    ("ñ", "n"),
    ("ÒÓÔÕÖØ", "O"),
    ("òóôõöø", "o"),
    ("ÙÚÛÜ", "U"),
    ("ùúûü", "u"),
    ("ÝŸ", "Y"),
    ("ýÿ", "y"),
    ("ŠŚ", "S"),
    ("šś", "s"),
    ("ŽŹŻ", "Z"),
    ("žźż", "z"),
    ("Č", "C"),
    ("č", "c"),
    ("Ł", "L"),
    ("ł", "l"),
    ("ß", "ss"),
    ("Æ", "AE"),
    ("æ", "ae"),
    ("Œ", "OE"),
    ("œ", "oe"),
    ("€", "EUR"),
    ("‘’‚", "'"),
    ("“”", "\""),
    ("„", ",,"),
    ("–‐‑", "-"),
    ("—", "-"),
    ("…", "..."),
    ("•", "o"),
    ("™", "(TM)"),
    ("©", "(C)"),
    ("®", "(R)"),
    ("«", "<<"),
    ("»", ">>"),
    ("\u{a0}", " "),
    ("×", "x"),
    ("→", "->"),
    ("←", "<-"),
    ("½", " 1/2 "),
    ("¼", " 1/4 "),
];

impl Code {
    fn named(name: &str) -> Option<Self> {
        let upper = name.to_ascii_uppercase().replace('_', "-");
        let is = |names: &str| names.split(' ').any(|known| known.replace('_', "-") == upper);
        if upper.is_empty() {
            return Some(Self::Utf8);
        }
        let known = NAMES.iter().find(|(names, _)| is(names)).map(|(_, code)| *code);
        let known = known.or_else(|| wide::TABLE.iter().find(|wide| is(wide.names)).map(Self::Wide));
        // Made once or twice in a process.
        known.or_else(|| PAGES.iter().find(|(names, _)| is(names)).map(|(_, page)| Self::Page(Box::leak(Box::new(Page::new(page))))))
    }

    /// Reads the character at the start of the bytes and its length; `Err(true)` if they end in the middle of one.
    fn read(self, bytes: &[u8]) -> Result<(char, usize), bool> {
        let byte = bytes[0];
        match self {
            Self::Utf8 => match first_char(bytes) {
                (Some(letter), length) => Ok((letter, length)),
                (None, _) => Err(std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())),
            },
            Self::Ascii if byte >= 0x80 => Err(false),
            Self::Ascii | Self::Latin1 => Ok((char::from(byte), 1)),
            Self::Page(page) => page.letter(byte).map(|letter| (letter, 1)).ok_or(false),
            // Only `Job::convert` reads these.
            Self::Wide(_) => Err(false),
            Self::Utf(size, big) => {
                let unit = |at: usize| -> Result<u32, bool> {
                    let unit = bytes.get(at..at + size).ok_or(true)?;
                    let fold = |value: u32, byte: &u8| value << 8 | u32::from(*byte);
                    Ok(if big == Some(true) { unit.iter().fold(0, fold) } else { unit.iter().rev().fold(0, fold) })
                };
                let first = unit(0)?;
                if size == 2 && (0xd800..0xdc00).contains(&first) {
                    let second = unit(2)?;
                    let code = 0x10000 + ((first - 0xd800) << 10) + second.wrapping_sub(0xdc00);
                    return char::from_u32(code).filter(|_| (0xdc00..0xe000).contains(&second)).map(|letter| (letter, 4)).ok_or(false);
                }
                char::from_u32(first).map(|letter| (letter, size)).ok_or(false)
            }
        }
    }

    /// Writes a character; returns false if the encoding does not have it. `encoder` is kept from one character to the next.
    fn write(self, letter: char, encoder: &mut Option<Encoder>, out: &mut Vec<u8>) -> bool {
        let code = u32::from(letter);
        let byte = match self {
            Self::Utf8 => {
                out.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
                return true;
            }
            Self::Utf(size, big) => {
                let mut units = [0; 2];
                let units: Vec<u32> =
                    if size == 4 { vec![code] } else { letter.encode_utf16(&mut units).iter().map(|unit| u32::from(*unit)).collect() };
                for unit in units {
                    let bytes = unit.to_be_bytes();
                    let bytes = &bytes[4 - size..];
                    if big == Some(true) { out.extend_from_slice(bytes) } else { out.extend(bytes.iter().rev()) }
                }
                return true;
            }
            Self::Ascii => u8::try_from(code).ok().filter(u8::is_ascii),
            Self::Latin1 => u8::try_from(code).ok(),
            Self::Page(page) => page.byte(letter),
            Self::Wide(wide) => return wide.write(letter, encoder.get_or_insert_with(|| wide.encoder()), out),
        };
        out.extend(byte);
        byte.is_some()
    }
}

/// Runs `iconv`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    if line.has("list") {
        for names in names() {
            println!("{}//", names.replace(' ', "// "));
        }
        return 0;
    }
    let (from, to) = (line.last_text("from-code").unwrap_or_default(), line.last_text("to-code").unwrap_or_default());
    let mut suffixes = to.split("//");
    let (to, suffixes): (&str, Vec<String>) = (suffixes.next().unwrap_or_default(), suffixes.map(str::to_ascii_uppercase).collect());
    let from = from.split("//").next().unwrap_or_default();
    let (Some(source), Some(target)) = (Code::named(from), Code::named(to)) else {
        let unknown = if Code::named(from).is_none() { from } else { to };
        text::complain("iconv", format!("conversion of '{unknown}' is not supported; `iconv -l` lists the encodings"));
        return 1;
    };
    let skips = line.has("c") || suffixes.iter().any(|word| word == "IGNORE");
    let mut job =
        Job { target, skips, looks: suffixes.iter().any(|word| word == "TRANSLIT"), encoder: None, out: Vec::new(), skipped: None };
    let mut status = 0;
    let files = if line.operands.is_empty() { vec!["-".into()] } else { line.operands.clone() };
    for name in files {
        match text::slurp(&name) {
            Err(error) => {
                text::complain("iconv", format!("cannot open input file `{}': {}", text::show(&name), text::reason(&error)));
                status = 1;
            }
            Ok(input) => {
                if let Err(message) = job.convert(&input, source) {
                    text::complain("iconv", message);
                    status = 1;
                    break;
                }
            }
        }
    }
    if let Some(at) = job.skipped.filter(|_| !line.has("c")) {
        text::complain("iconv", format!("illegal input sequence at position {at}"));
        status = 1;
    }
    if let Some(encoder) = &mut job.encoder {
        Wide::end(encoder, &mut job.out);
    }
    let written = match line.last("output") {
        Some(name) => std::fs::write(name, &job.out),
        None => text::output().write_all(&job.out),
    };
    if let Err(error) = written {
        text::complain("iconv", format!("unable to write the output: {}", text::reason(&error)));
        status = 1;
    }
    status
}

struct Job {
    target: Code,
    skips: bool,
    looks: bool,
    encoder: Option<Encoder>,
    out: Vec<u8>,
    /// The end of the input, if a character was left out.
    skipped: Option<usize>,
}

impl Job {
    fn convert(&mut self, input: &[u8], mut source: Code) -> Result<(), String> {
        let mut at = 0;
        if let Code::Utf(size, None) = source {
            let (little, big) = ([0xff, 0xfe, 0, 0], [0, 0, 0xfe, 0xff]);
            let marks = if size == 2 { (&little[..2], &big[2..]) } else { (&little[..], &big[..]) };
            source = Code::Utf(size, Some(input.starts_with(marks.1)));
            at = if input.starts_with(marks.0) || input.starts_with(marks.1) { size } else { 0 };
        }
        if matches!(self.target, Code::Utf(_, None)) && self.out.is_empty() {
            self.write('\u{feff}');
        }
        if let Code::Wide(wide) = source {
            return self.convert_wide(input, wide);
        }
        while at < input.len() {
            let (letter, length) = match source.read(&input[at..]) {
                Ok(read) => read,
                Err(true) => return Err("incomplete character or shift sequence at end of buffer".into()),
                Err(false) if self.skips => {
                    self.skipped = Some(input.len());
                    at += if let Code::Utf(size, _) = source { size } else { 1 };
                    continue;
                }
                Err(false) => return Err(format!("illegal input sequence at position {at}")),
            };
            if !self.put(letter) {
                if !self.skips {
                    return Err(format!("illegal input sequence at position {at}"));
                }
                self.skipped = Some(input.len());
            }
            at += length;
        }
        Ok(())
    }

    fn convert_wide(&mut self, input: &[u8], source: &Wide) -> Result<(), String> {
        let mut result = Ok(());
        source.read(input, &mut |piece| {
            let at = match piece {
                Piece::Letter(_, letter) if self.put(letter) => return true,
                Piece::Letter(at, _) | Piece::Bad(at) => at,
                Piece::Cut => {
                    result = Err("incomplete character or shift sequence at end of buffer".into());
                    return false;
                }
            };
            if self.skips {
                self.skipped = Some(input.len());
            } else {
                result = Err(format!("illegal input sequence at position {at}"));
            }
            self.skips
        });
        result
    }

    fn write(&mut self, letter: char) -> bool {
        self.target.write(letter, &mut self.encoder, &mut self.out)
    }

    fn put(&mut self, letter: char) -> bool {
        if self.write(letter) {
            return true;
        }
        if !self.looks {
            return false;
        }
        let alike = ALIKE.iter().find(|(letters, _)| letters.contains(letter)).map_or("?", |(_, alike)| alike);
        alike.chars().for_each(|letter| _ = self.write(letter));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_returns_what_it_wrote() {
        for all in names() {
            let name = all.split(' ').next().unwrap();
            let code = Code::named(name).unwrap();
            for letter in "aé€日\u{1f600}|".chars() {
                let (mut out, mut encoder) = (Vec::new(), None);
                if !code.write(letter, &mut encoder, &mut out) {
                    continue;
                }
                match code {
                    Code::Wide(wide) => {
                        let mut read = Vec::new();
                        wide.read(&out, &mut |piece| {
                            read.push(piece);
                            true
                        });
                        assert_eq!(read, [Piece::Letter(0, letter)], "{name}");
                    }
                    code => assert_eq!(code.read(&out), Ok((letter, out.len())), "{name} {letter}"),
                }
            }
        }
        assert_eq!((Code::Utf8.read(b"\xe2\x82"), Code::Utf8.read(b"\xff")), (Err(true), Err(false)));
    }
}
