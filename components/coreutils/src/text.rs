//! Words and numbers as GNU tools print them: quoted names, error messages, sizes.

use std::ffi::OsStr;
use std::io::{self, BufWriter, StdoutLock};
pub use wisp_tool::text::{complain, first_char, name, reason, shown, unfinished, written};

/// Returns whether the environment chooses the C locale, in which characters are bytes. Without a choice, text is UTF-8.
pub fn locale_is_c() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| std::env::var(name).ok().filter(|v| !v.is_empty()));
    locale.is_some_and(|l| matches!(l.as_str(), "C" | "POSIX"))
}

/// Prints `TOOL: NAME: MESSAGE` to standard error, with the bytes of a name that [`show`] made.
pub fn complain_of(tool: &str, name: &str, message: impl std::fmt::Display) {
    wisp_tool::text::print_error(format_args!("{tool}: {name}: {message}\n"));
}

/// Returns a name as text; [`written`] gives its bytes again.
pub fn show(name: impl AsRef<OsStr>) -> String {
    shown(name.as_ref().as_encoded_bytes())
}

/// Returns standard output with a large buffer; std's own is flushed after every line.
pub fn output() -> BufWriter<StdoutLock<'static>> {
    BufWriter::with_capacity(64 * 1024, io::stdout().lock())
}

/// Bytes that a buffer for input begins with. Together with the host's answer and a buffer for output it fits into the heap with
/// which a program starts (`--initial-heap`): small input does not grow its memory, which would cost more than all else it does.
const FIRST: usize = 64 * 1024;

/// Bytes read at a time of large input: many, because every read crosses into the host.
pub const CHUNK: usize = 256 * 1024;

/// Returns a buffer for input, which [`widen`] makes larger.
pub fn buffer() -> Vec<u8> {
    vec![0; FIRST]
}

/// Makes a buffer of [`buffer`] hold [`CHUNK`] bytes, once a read has filled it.
pub fn widen(buffer: &mut Vec<u8>, filled: usize) {
    if filled == buffer.len() && filled < CHUNK {
        buffer.resize(CHUNK, 0);
    }
}

/// Returns a name in quotes, as in GNU's messages: `'a b'`, `"it's"`, `'a'$'\n''b'`.
pub fn quote(name: impl AsRef<OsStr>) -> String {
    quoted(name.as_ref(), true)
}

/// Returns a name, quoted if a shell needs it or if it has a colon, which ends a name in a message.
pub fn quote_if_needed(name: impl AsRef<OsStr>) -> String {
    let name = name.as_ref();
    if name.as_encoded_bytes().contains(&b':') { quoted(name, true) } else { quoted(name, false) }
}

fn quoted(name: &OsStr, always: bool) -> String {
    let text = name.to_string_lossy();
    let is_text = name.to_str().is_some();
    let plain = |c: char| c.is_alphanumeric() || "%+,-./:@_]{}".contains(c) || (c as u32) > 0x7f;
    let special_start = text.starts_with(['#', '~']) || text == "{" || text == "}";
    if !always && is_text && !text.is_empty() && !special_start && text.chars().all(|c| plain(c) || c == '#' || c == '~') {
        return text.into_owned();
    }
    let control = !is_text || text.chars().any(char::is_control);
    if text.contains('\'') && !control && !text.contains(['"', '$', '`', '\\', '!']) {
        return format!("\"{text}\"");
    }
    if !control {
        return format!("'{}'", text.replace('\'', "'\\''"));
    }
    let mut out = String::from("'");
    let mut dollar = false;
    for chunk in name.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            if c.is_control() {
                out += if dollar { "" } else { "'$'" };
                dollar = true;
                out += &wisp_tool::text::escape(c as u32);
            } else {
                out += if dollar { "''" } else { "" };
                dollar = false;
                if c == '\'' { out += "'\\''" } else { out.push(c) }
            }
        }
        for byte in chunk.invalid() {
            out += if dollar { "" } else { "'$'" };
            dollar = true;
            out += &format!("\\{byte:03o}");
        }
    }
    out + "'"
}

/// Returns a size as `-h` prints it: in a power of `base` (1024, or 1000 for `--si`), rounded up, with one decimal below ten.
pub fn human(size: u64, base: u64) -> String {
    if size < base {
        return size.to_string();
    }
    let units = if base == 1000 { "kMGTPE" } else { "KMGTPE" };
    let mut divisor = base;
    for (at, unit) in units.chars().enumerate() {
        let tenths = (u128::from(size) * 10).div_ceil(u128::from(divisor));
        if tenths < 100 {
            return format!("{}.{}{unit}", tenths / 10, tenths % 10);
        }
        let whole = u128::from(size).div_ceil(u128::from(divisor));
        if whole < u128::from(base) || at + 1 == units.len() {
            return format!("{whole}{unit}");
        }
        divisor = divisor.saturating_mul(base);
    }
    size.to_string()
}

/// Parses a number with a unit: `10`, `4K`, `1MB` (1000s), `2MiB`, `b` (512).
pub fn size(text: &str) -> Option<u64> {
    let at = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(at);
    let number: u64 = if digits.is_empty() && !unit.is_empty() { 1 } else { digits.parse().unwrap_or(u64::MAX) };
    let mut letters = unit.chars();
    let factor: u64 = match letters.next() {
        None => return Some(number),
        Some('b') if unit == "b" => return number.checked_mul(512),
        Some('B') if unit == "B" => return Some(number),
        Some(c) => {
            // Only these two may be in lower case.
            let unit = if c == 'k' || c == 'm' { c.to_ascii_uppercase() } else { c };
            let power = "KMGTPEZYRQ".find(unit)? as u32 + 1;
            match letters.as_str() {
                "" | "iB" => 1024u64.saturating_pow(power),
                "B" => 1000u64.saturating_pow(power),
                _ => return None,
            }
        }
    };
    Some(number.saturating_mul(factor))
}

/// Returns the exit status of a tool after its last write. Reports an error.
pub fn finish(tool: &str, written: io::Result<()>) -> u8 {
    match written {
        Ok(()) => 0,
        Err(error) => {
            complain(tool, format!("write error: {}", reason(&error)));
            1
        }
    }
}

/// Why [`lines`] stopped before the end.
#[derive(Debug)]
pub enum Broken {
    /// The input cannot be read.
    Read(io::Error),
    /// `take` could not write.
    Write(io::Error),
}

/// Passes each line to `take`, without its `end`. The last line may have none.
pub fn lines(input: &mut dyn io::Read, end: u8, mut take: impl FnMut(&[u8]) -> io::Result<()>) -> Result<(), Broken> {
    let mut buffer = vec![0; 64 * 1024];
    let mut held = 0;
    loop {
        if held == buffer.len() {
            buffer.resize(buffer.len() * 2, 0);
        }
        let got = match input.read(&mut buffer[held..]) {
            Ok(0) => break,
            Ok(got) => got,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(Broken::Read(error)),
        };
        let (mut start, mut from) = (0, held);
        held += got;
        while let Some(hit) = memchr::memchr(end, &buffer[from..held]) {
            take(&buffer[start..from + hit]).map_err(Broken::Write)?;
            start = from + hit + 1;
            from = start;
        }
        buffer.copy_within(start..held, 0);
        held -= start;
    }
    if held > 0 { take(&buffer[..held]).map_err(Broken::Write) } else { Ok(()) }
}

/// Returns the columns that a text takes on a terminal.
pub fn width(text: &str) -> usize {
    text.chars().map(|c| unicode_width::UnicodeWidthChar::width(c).unwrap_or(0)).sum()
}

/// Opens a file for reading; `-` is standard input.
pub fn open(name: &OsStr) -> io::Result<Box<dyn io::Read>> {
    if name == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    if crate::sys::stat(name.as_ref(), true)?.is_dir() {
        return Err(io::Error::from_raw_os_error(libc::EISDIR));
    }
    Ok(Box::new(std::fs::File::open(name)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_as_gnu_does() {
        assert_eq!(quote("a b"), "'a b'");
        assert_eq!(quote("it's"), "\"it's\"");
        assert_eq!(quote("a\nb"), "'a'$'\\n''b'");
        assert_eq!(quote_if_needed("ab.c"), "ab.c");
        assert_eq!(quote_if_needed("a:b"), "'a:b'");
        assert_eq!(quote_if_needed("a b"), "'a b'");
        assert_eq!(quote_if_needed(""), "''");
    }

    #[test]
    fn a_buffer_widens_when_it_is_full() {
        let mut first = buffer();
        let len = first.len();
        // With the host's answer and a buffer for output it fits into the heap of .cargo/config.toml.
        assert!(3 * len < 256 * 1024, "{len}");
        widen(&mut first, len - 1);
        assert_eq!(first.len(), len);
        widen(&mut first, len);
        assert_eq!(first.len(), CHUNK);
        widen(&mut first, CHUNK);
        assert_eq!(first.len(), CHUNK);
    }

    #[test]
    fn lines_are_cut_at_their_ends() {
        let split = |text: &str| {
            let mut found = Vec::new();
            lines(&mut text.as_bytes(), b'\n', |line| {
                found.push(line.len());
                Ok(())
            })
            .unwrap();
            found
        };
        assert_eq!(split(""), [0; 0]);
        assert_eq!(split("a\n\nbc"), [1, 0, 2]);
        let long = "x".repeat(200_000);
        assert_eq!(split(&format!("{long}\n{long}y\n")), [200_000, 200_001]);
        assert!(matches!(lines(&mut &b"a"[..], 0, |_| Err(io::ErrorKind::Other.into())), Err(Broken::Write(_))));
    }

    #[test]
    fn sizes_round_up() {
        assert_eq!(human(1023, 1024), "1023");
        assert_eq!(human(1025, 1024), "1.1K");
        assert_eq!(human(10 * 1024 + 1, 1024), "11K");
        assert_eq!(human(1024 * 1024 - 1, 1024), "1.0M");
        assert_eq!(human(1_500_000, 1000), "1.5M");
    }

    #[test]
    fn sizes_are_read() {
        assert_eq!(size("4K"), Some(4096));
        assert_eq!(size("1MB"), Some(1_000_000));
        assert_eq!(size("x"), None);
        assert_eq!(size("K"), Some(1024));
        assert_eq!(size("2g"), None);
        assert_eq!(size("1Y"), Some(u64::MAX));
        assert_eq!(size("99999999999999999999"), Some(u64::MAX));
    }
}
