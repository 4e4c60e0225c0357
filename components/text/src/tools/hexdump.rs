//! `hexdump`, `hd`: files in a format that the user chooses.

use super::hexdump_format::{Format, Unit};
use crate::text;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{Read, Write};

/// The text of a built-in format's lines.
const HEX: [&str; 2] = ["\"%07.7_Ax\\n\"", "\"%07.7_ax \" 8/2 \"%04x \" \"\\n\""];
const CANONICAL: [&str; 3] = ["\"%08.8_Ax\\n\"", "\"%08.8_ax  \" 8/1 \"%02x \" \"  \" 8/1 \"%02x \"", "\"  |\" 16/1 \"%_p\" \"|\\n\""];

fn number(text: &str) -> Option<u64> {
    let (digits, factor) = match text.chars().last()? {
        'b' if !text.starts_with("0x") => (&text[..text.len() - 1], 512),
        'k' | 'K' => (&text[..text.len() - 1], 1024),
        'm' | 'M' => (&text[..text.len() - 1], 1 << 20),
        'g' | 'G' => (&text[..text.len() - 1], 1 << 30),
        _ => (text, 1),
    };
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(value * factor)
}

const USAGE: &str = "Usage: hexdump [options] <file>...
Display file contents in hexadecimal, decimal, octal, or ascii.

 -b, --one-byte-octal      one-byte octal display
 -c, --one-byte-char       one-byte character display
 -C, --canonical           canonical hex+ASCII display
 -d, --two-bytes-decimal   two-byte decimal display
 -o, --two-bytes-octal     two-byte octal display
 -x, --two-bytes-hex       two-byte hexadecimal display
 -e, --format <format>     format string to be used for displaying data
 -f, --format-file <file>  file that contains format strings
 -n, --length <length>     interpret only length bytes of input
 -s, --skip <offset>       skip offset bytes from the beginning
 -v, --no-squeezing        output identical lines
";

/// The long names of the options.
const LONG: &[(&str, char)] = &[
    ("one-byte-octal", 'b'),
    ("one-byte-char", 'c'),
    ("canonical", 'C'),
    ("two-bytes-decimal", 'd'),
    ("two-bytes-octal", 'o'),
    ("two-bytes-hex", 'x'),
    ("format", 'e'),
    ("format-file", 'f'),
    ("length", 'n'),
    ("skip", 's'),
    ("no-squeezing", 'v'),
    ("color", 'L'),
    ("help", 'h'),
    ("version", 'V'),
];

/// What the command line asks for.
struct Request {
    /// The name of the program, for messages.
    name: String,
    /// The text of each format.
    sources: Vec<String>,
    /// How many bytes to show, and how many to pass over first.
    most: u64,
    skip: u64,
    /// Show repeated lines.
    verbose: bool,
    files: Vec<OsString>,
}

/// Runs `hexdump`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    Request::parse(args).and_then(|request| request.run()).unwrap_or_else(|status| status)
}

impl Request {
    /// Reads the command line; the error is the exit status.
    fn parse(args: Vec<OsString>) -> Result<Self, u8> {
        let name = text::name(&args);
        let mut request = Self { name, sources: Vec::new(), most: u64::MAX, skip: 0, verbose: false, files: Vec::new() };
        if request.name == "hd" {
            request.sources.extend(CANONICAL.map(str::to_owned));
        }
        let mut rest: VecDeque<OsString> = args.into_iter().skip(1).collect();
        while let Some(arg) = rest.pop_front() {
            let shown = text::show(&arg);
            if shown == "--" {
                request.files.extend(rest);
                break;
            }
            if !shown.starts_with('-') || shown == "-" {
                request.files.push(arg);
                continue;
            }
            let (letters, attached) = match shown.strip_prefix("--") {
                Some(long) => request.letter_of(long)?,
                None => (shown[1..].to_owned(), None),
            };
            request.letters(&letters, attached, &mut rest)?;
        }
        if request.sources.is_empty() {
            request.sources.extend(HEX.map(str::to_owned));
        }
        Ok(request)
    }

    /// Returns the letter of a long option, and the value after its `=`.
    fn letter_of(&self, long: &str) -> Result<(String, Option<String>), u8> {
        let (word, value) = long.split_once('=').map_or((long, None), |(word, value)| (word, Some(value.to_owned())));
        match LONG.iter().find(|(known, _)| *known == word) {
            Some((_, letter)) => Ok((letter.to_string(), value)),
            None => Err(self.fail(format!("unrecognized option '--{word}'\nTry '{} --help' for more information.", self.name))),
        }
    }

    /// Applies the letters of one argument; a value that is not attached is the next argument.
    fn letters(&mut self, letters: &str, attached: Option<String>, rest: &mut VecDeque<OsString>) -> Result<(), u8> {
        for (at, letter) in letters.char_indices() {
            match letter {
                // There are no colors.
                'L' => break,
                'e' | 'f' | 'n' | 's' => {
                    let tail = &letters[at + letter.len_utf8()..];
                    let value = match attached {
                        Some(value) => Some(value),
                        None if tail.is_empty() => rest.pop_front().map(|v| text::show(&v)),
                        None => Some(tail.to_owned()),
                    };
                    return self.set(letter, value.unwrap_or_default());
                }
                letter => self.switch(letter)?,
            }
        }
        Ok(())
    }

    /// Applies an option with a value.
    fn set(&mut self, letter: char, value: String) -> Result<(), u8> {
        match letter {
            'e' => self.sources.push(value),
            'f' => match std::fs::read_to_string(&value) {
                Ok(all) => {
                    let lines = all.lines().filter(|l| !l.trim().is_empty() && !l.trim_start().starts_with('#'));
                    self.sources.extend(lines.map(str::to_owned));
                }
                Err(error) => return Err(self.fail(format!("can't read {value}: {}", text::reason(&error)))),
            },
            letter => {
                let what = if letter == 'n' { "length" } else { "offset" };
                let count = number(&value).ok_or_else(|| self.fail(format!("failed to parse {what}: '{value}': Invalid argument")))?;
                if letter == 'n' {
                    self.most = count;
                } else {
                    self.skip = count;
                }
            }
        }
        Ok(())
    }

    /// Applies an option without a value.
    fn switch(&mut self, letter: char) -> Result<(), u8> {
        let lines = |format: &str| [HEX[0].to_owned(), format!("\"%07.7_ax \" {format} \"\\n\"")];
        match letter {
            'b' => self.sources.extend(lines("16/1 \"%03o \"")),
            'c' => self.sources.extend(lines("16/1 \"%3_c \"")),
            'C' => self.sources.extend(CANONICAL.map(str::to_owned)),
            'd' => self.sources.extend(lines("8/2 \"  %05u \"")),
            'o' => self.sources.extend(lines("8/2 \" %06o \"")),
            'x' => self.sources.extend(lines("8/2 \"   %04x \"")),
            'v' => self.verbose = true,
            'h' => {
                print!("{USAGE}");
                return Err(0);
            }
            'V' => {
                println!("{} (wisp) {}", self.name, env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            other => {
                return Err(self.fail(format!("invalid option -- '{other}'\nTry '{} --help' for more information.", self.name)));
            }
        }
        Ok(())
    }

    fn fail(&self, message: String) -> u8 {
        text::complain(&self.name, message);
        1
    }

    /// Dumps the files; the error is the exit status.
    fn run(&self) -> Result<u8, u8> {
        let formats: Result<Vec<Format>, String> = self.sources.iter().map(|source| Format::parse(source)).collect();
        let formats = formats.map_err(|message| self.fail(message))?;
        let Some((input, skip, failed)) = read(&self.name, &self.files, self.skip, self.most) else {
            return Err(self.fail("all input file arguments failed".into()));
        };
        let mut out = text::output();
        let done = dump(&formats, &input, skip, self.verbose, &mut out).and_then(|()| out.flush());
        Ok(u8::from(done.is_err() || failed))
    }
}

/// Reads all files as one, how many bytes were skipped, and whether a file could not be read; `None` if none could be read.
fn read(name: &str, files: &[OsString], skip: u64, most: u64) -> Option<(Vec<u8>, u64, bool)> {
    let dash = [OsString::from("-")];
    let files = if files.is_empty() { &dash } else { files };
    let (mut all, mut failed, mut left) = (Vec::new(), 0, skip);
    let wanted = most.saturating_add(skip);
    for file in files {
        let opened = crate::input::open(file).and_then(|source| {
            let before = all.len();
            // Read only as much as is needed: devices have no end.
            source.take(wanted.saturating_sub(skip - left + before as u64)).read_to_end(&mut all)?;
            let cut = left.min((all.len() - before) as u64);
            all.drain(before..before + cut as usize);
            left -= cut;
            Ok(())
        });
        if let Err(error) = opened {
            text::complain(name, format!("{}: {}", text::show(file), text::reason(&error)));
            failed += 1;
        }
    }
    all.truncate(most.min(usize::MAX as u64) as usize);
    (failed < files.len()).then_some((all, skip - left, failed > 0))
}

fn dump(formats: &[Format], input: &[u8], skip: u64, verbose: bool, out: &mut dyn Write) -> std::io::Result<()> {
    let block = formats.iter().map(Format::size).max().unwrap_or(0).max(1);
    let mut before: Option<&[u8]> = None;
    let mut squeezed = false;
    for (n, part) in input.chunks(block).enumerate() {
        if !verbose && before == Some(part) && part.len() == block {
            if !squeezed {
                out.write_all(b"*\n")?;
            }
            squeezed = true;
            continue;
        }
        squeezed = false;
        before = Some(part);
        for format in formats {
            format.print(part, skip + (n * block) as u64, block, skip + input.len() as u64, out)?;
        }
    }
    if !input.is_empty() || skip > 0 {
        for unit in formats.iter().flat_map(|f| &f.units) {
            if let Unit::End(kind, text) = unit {
                out.write_all(&super::hexdump_format::address(text, *kind, skip + input.len() as u64))?;
            }
        }
    }
    Ok(())
}
