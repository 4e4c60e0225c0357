//! `xxd`: a hexadecimal dump, and back.

use crate::text;
use std::ffi::OsString;
use std::io::{Read, Seek, SeekFrom, Write};

/// The command line.
#[derive(Default)]
pub(crate) struct Options {
    autoskip: bool,
    bits: bool,
    capitals: bool,
    pub(super) columns: Option<usize>,
    little: bool,
    group: Option<usize>,
    include: bool,
    length: Option<u64>,
    name: Option<String>,
    offset: u64,
    /// `-p`.
    pub plain: bool,
    reverse: bool,
    decimal: bool,
    /// `-s`.
    pub seek: i64,
    upper: bool,
}

const USAGE: &str = "Usage:
       xxd [options] [infile [outfile]]
    or
       xxd -r [-s [-]offset] [-c cols] [-ps] [infile [outfile]]
Options:
    -a          toggle autoskip: A single '*' replaces nul-lines. Default off.
    -b          binary digit dump (incompatible with -ps,-i,-r). Default hex.
    -C          capitalize variable names in C include file style (-i).
    -c cols     format <cols> octets per line. Default 16 (-i: 12, -ps: 30).
    -e          little-endian dump (incompatible with -ps,-i,-r).
    -g bytes    number of octets per group in normal output. Default 2 (-e: 4).
    -h          print this summary.
    -i          output in C include file style.
    -l len      stop after <len> octets.
    -n name     set the variable name used in C include output (-i).
    -o off      add <off> to the displayed file position.
    -ps         output in postscript plain hexdump style.
    -r          reverse operation: convert (or patch) hexdump into binary.
    -r -s off   revert with <off> added to file positions found in hexdump.
    -d          show offset in decimal instead of hex.
    -s [+][-]seek  start at <seek> bytes abs. (or +: rel.) infile offset.
    -u          use upper case hex letters.
    -v          show version.
";

fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let value = match digits.strip_prefix("0x").or(digits.strip_prefix("0X")) {
        Some(hex) => i64::from_str_radix(hex, 16).ok()?,
        None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8).ok()?,
        None => digits.parse().ok()?,
    };
    Some(if negative { -value } else { value })
}

/// Returns a number that is not negative; the error is the exit status.
fn count<T: TryFrom<i64>>(text: &str) -> Result<T, u8> {
    number(text).and_then(|n| T::try_from(n).ok()).ok_or_else(usage)
}

/// The options that are words; any other word is a letter with its value.
const LONG: &[&str] = &[
    "autoskip",
    "bits",
    "capitalize",
    "cols",
    "groupsize",
    "help",
    "include",
    "len",
    "name",
    "offset",
    "plain",
    "postscript",
    "ps",
    "revert",
    "seek",
    "skip",
    "uppercase",
    "version",
];

/// Runs `xxd`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    let mut options = Options::default();
    let mut operands: Vec<OsString> = Vec::new();
    let mut rest = args.into_iter().skip(1);
    while let Some(arg) = rest.next() {
        let shown = text::show(&arg);
        if !shown.starts_with('-') || shown == "-" {
            operands.push(arg);
            continue;
        }
        if shown == "--" {
            operands.extend(rest.by_ref());
            break;
        }
        if let Err(status) = options.apply(shown.trim_start_matches('-'), &mut rest) {
            return status;
        }
    }
    if operands.len() > 2 {
        return usage();
    }
    match options.run(&operands) {
        Ok(()) => 0,
        Err((status, message)) => {
            text::complain("xxd", message);
            status
        }
    }
}

fn usage() -> u8 {
    eprint!("{USAGE}");
    1
}

fn fail(message: &str) -> u8 {
    text::complain("xxd", message);
    1
}

type Answer<T> = Result<T, (u8, String)>;

impl Options {
    /// Applies an option, given without its dashes; the error is the exit status.
    fn apply(&mut self, word: &str, rest: &mut impl Iterator<Item = OsString>) -> Result<(), u8> {
        // The first letter decides. A value may follow it directly.
        let letter = word.chars().next().unwrap_or('h');
        let is_long = word.len() > 1 && LONG.contains(&word);
        let mut value = || {
            let given = if is_long || word.len() <= 1 { rest.next().map(|v| text::show(&v)) } else { Some(word[1..].to_owned()) };
            given.ok_or_else(usage)
        };
        match letter {
            'a' => self.autoskip = !self.autoskip,
            'b' => self.bits = true,
            'C' => self.capitals = true,
            'c' if word == "capitalize" => self.capitals = true,
            'c' => self.columns = Some(count(&value()?)?),
            'd' => self.decimal = true,
            'E' => return Err(fail("EBCDIC is not supported: use the default")),
            'e' => self.little = true,
            'g' => self.group = Some(count(&value()?)?),
            'i' => self.include = true,
            'l' => self.length = Some(count(&value()?)?),
            'n' => self.name = Some(value()?),
            'o' => self.offset = number(&value()?).ok_or_else(usage)? as u64,
            'p' => self.plain = true,
            'r' => {
                self.reverse = true;
                // `-rp` and `-r -p` are both usual.
                self.plain |= !is_long && word[1..].contains('p');
            }
            's' => self.seek = number(&value()?).ok_or_else(usage)?,
            'u' => self.upper = true,
            'v' => {
                eprintln!("xxd (wisp) {}", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            _ => return Err(usage()),
        }
        Ok(())
    }

    fn run(&self, operands: &[OsString]) -> Answer<()> {
        if self.reverse && (self.bits || self.include || self.little) {
            return Err((255, "Sorry, cannot revert this type of hexdump".into()));
        }
        let dash: OsString = "-".into();
        let name = operands.first().unwrap_or(&dash);
        let input = self.read(name)?;
        let mut out = Vec::new();
        if self.reverse {
            return super::xxd_reverse::run(self, &input, operands.get(1));
        }
        self.dump(&input, name, &mut out)?;
        let broken = |e: std::io::Error| (3, text::reason(&e));
        match operands.get(1).filter(|o| *o != "-") {
            Some(file) => std::fs::write(file, &out).map_err(|e| (3, format!("{}: {}", text::show(file), text::reason(&e)))),
            None => {
                let mut stdout = text::output();
                stdout.write_all(&out).and_then(|()| stdout.flush()).map_err(broken)
            }
        }
    }

    fn read(&self, name: &OsString) -> Answer<Vec<u8>> {
        let failed = |e: std::io::Error| (2, format!("{}: {}", text::show(name), text::reason(&e)));
        let mut bytes = Vec::new();
        let most = if self.reverse { u64::MAX } else { self.length.unwrap_or(u64::MAX) };
        let seek = if self.reverse { 0 } else { self.seek };
        if name == "-" {
            let skip = u64::try_from(seek).map_err(|_| (4, "Sorry, cannot seek.".to_owned()))?;
            let mut input = crate::input::Stdin;
            std::io::copy(&mut input.by_ref().take(skip), &mut std::io::sink()).map_err(failed)?;
            input.take(most).read_to_end(&mut bytes).map_err(failed)?;
        } else {
            let mut file = std::fs::File::open(name).map_err(failed)?;
            let place = if seek < 0 { SeekFrom::End(seek) } else { SeekFrom::Start(seek as u64) };
            file.seek(place).map_err(|_| (4, "Sorry, cannot seek.".to_owned()))?;
            file.take(most).read_to_end(&mut bytes).map_err(failed)?;
        }
        Ok(bytes)
    }

    fn dump(&self, input: &[u8], name: &OsString, out: &mut Vec<u8>) -> Answer<()> {
        let columns = self.columns.filter(|c| *c > 0).unwrap_or(match () {
            () if self.plain && self.columns == Some(0) => usize::MAX,
            () if self.plain => 30,
            () if self.include => 12,
            () if self.bits => 6,
            () => 16,
        });
        if !self.plain && columns > 256 {
            return Err((1, "invalid number of columns (max. 256).".into()));
        }
        if self.plain {
            for part in input.chunks(columns) {
                part.iter().for_each(|b| out.extend(self.hex(*b).bytes()));
                out.push(b'\n');
            }
            return Ok(());
        }
        if self.include {
            self.c_source(input, name, columns, out);
            return Ok(());
        }
        let group = self.group.unwrap_or(match () {
            () if self.bits => 1,
            () if self.little => 4,
            () => 2,
        });
        let group = if group == 0 || group > columns { columns } else { group };
        if self.little && !group.is_power_of_two() {
            return Err((1, "number of octets per group must be a power of 2 with -e.".into()));
        }
        let start = if self.seek < 0 { std::fs::metadata(name).map_or(0, |m| m.len() as i64) + self.seek } else { self.seek } as u64;
        let rows: Vec<&[u8]> = input.chunks(columns).collect();
        let zero = |at: usize| rows[at].iter().all(|b| *b == 0);
        // Skip rows of zeros after a printed one, but not the last row, and not a single row.
        let skipped = |at: usize| at > 0 && at + 1 < rows.len() && zero(at) && zero(at - 1);
        for (at, part) in rows.iter().enumerate() {
            if self.autoskip && skipped(at) && (skipped(at - 1) || skipped(at + 1)) {
                if !skipped(at - 1) {
                    out.extend(b"*\n");
                }
                continue;
            }
            let position = (at * columns) as u64 + start + self.offset;
            out.extend(if self.decimal { format!("{position:08}: ") } else { format!("{position:08x}: ") }.bytes());
            self.row(part, columns, group, out);
        }
        Ok(())
    }

    fn hex(&self, b: u8) -> String {
        match (self.bits, self.upper) {
            (true, _) => format!("{b:08b}"),
            (_, true) => format!("{b:02X}"),
            _ => format!("{b:02x}"),
        }
    }

    fn row(&self, part: &[u8], columns: usize, group: usize, out: &mut Vec<u8>) {
        let digits = if self.bits { 8 } else { 2 };
        let width = columns * digits + (columns - 1) / group;
        let mut text = String::new();
        for (at, _) in (0..columns).enumerate() {
            if at > 0 && at % group == 0 {
                text.push(' ');
            }
            let index = if self.little { at / group * group + (group - 1 - at % group) } else { at };
            match part.get(index) {
                Some(b) => text += &self.hex(*b),
                None => text.extend(std::iter::repeat_n(' ', digits)),
            }
        }
        out.extend(format!("{text:<width$}  ").bytes());
        out.extend(part.iter().map(|b| if (0x20..0x7f).contains(b) { *b } else { b'.' }));
        out.push(b'\n');
    }

    fn c_source(&self, input: &[u8], name: &OsString, columns: usize, out: &mut Vec<u8>) {
        let named = self.name.clone().or((name != "-").then(|| text::show(name)));
        let case = |s: String| if self.capitals { s.to_uppercase() } else { s };
        let variable = named.map(|n| {
            let mut n: String = n.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
            if n.starts_with(|c: char| c.is_ascii_digit()) {
                n.insert_str(0, "__");
            }
            case(n)
        });
        if let Some(variable) = &variable {
            out.extend(format!("unsigned char {variable}[] = {{\n").bytes());
        }
        for (at, part) in input.chunks(columns).enumerate() {
            if at > 0 {
                out.extend(b",\n");
            }
            let row: Vec<String> = part.iter().map(|b| if self.upper { format!("0X{b:02X}") } else { format!("0x{b:02x}") }).collect();
            out.extend(format!("  {}", row.join(", ")).bytes());
        }
        if !input.is_empty() {
            out.push(b'\n');
        }
        if let Some(variable) = &variable {
            out.extend(format!("}};\nunsigned int {variable}{} = {};\n", case("_len".into()), input.len()).bytes());
        }
    }
}
