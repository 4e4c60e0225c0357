//! The values of tar's options: programs, lists of names in files, owners, dates.

use super::{Parser, usage};
use crate::codec::Format;
use crate::sys;
use crate::tar::header::Style;
use crate::text;
use std::ffi::OsString;
use std::path::PathBuf;
use wisp_tool::calendar::{Civil, TimeZone};

impl Parser {
    pub(super) fn program(&mut self, command: &str) -> Result<(), u8> {
        let mut words = command.split_whitespace();
        let name = words.next().unwrap_or_default();
        let format = match name.rsplit('/').next().unwrap_or_default() {
            "gzip" | "pigz" => Format::Gzip,
            "bzip2" | "pbzip2" | "lbzip2" => Format::Bzip2,
            "xz" | "pxz" => Format::Xz,
            "lzma" => Format::Lzma,
            "zstd" | "zstdmt" | "pzstd" => Format::Zstd,
            other => {
                return Err(usage(&format!("-I {other}: only gzip, bzip2, xz, lzma and zstd, which are built in; use a pipe for others")));
            }
        };
        self.compress(format);
        self.options.level = words.find_map(|w| w.strip_prefix('-').and_then(|d| d.parse().ok()));
        Ok(())
    }

    /// Returns the lines of a file; `what` precedes the reason if it cannot be read.
    pub(super) fn lines(&self, file: &OsString, null: bool, what: &str) -> Result<Vec<Vec<u8>>, u8> {
        let read = if file == "-" {
            let mut data = Vec::new();
            std::io::Read::read_to_end(&mut std::io::stdin(), &mut data).map(|_| data)
        } else {
            std::fs::read(file)
        };
        let data = read.map_err(|error| {
            eprintln!("tar: {}: {what}{}\ntar: Error is not recoverable: exiting now", text::show(file), text::reason(&error));
            2
        })?;
        let nul = !null && data.contains(&0);
        if nul {
            eprintln!("tar: {}: file name read contains nul character", text::show(file));
        }
        let end = if null || nul { 0 } else { b'\n' };
        Ok(data.split(|b| *b == end).filter(|line| !line.is_empty()).map(<[u8]>::to_vec).collect())
    }

    pub(super) fn files_from(&mut self, file: &OsString) -> Result<(), u8> {
        for line in self.lines(file, self.null, "Cannot stat: ")? {
            if let Some(folder) = line.strip_prefix(b"-C").filter(|_| !self.null && !self.verbatim) {
                let folder = sys::path_from_bytes(folder.trim_ascii());
                self.options.folder = Some(self.options.folder.clone().unwrap_or_default().join(folder));
                continue;
            }
            self.options.names.push((self.options.folder.clone(), sys::path_from_bytes(&line).into_os_string()));
        }
        Ok(())
    }
}

/// Reads `NAME`, `NAME:ID` or `ID`.
pub(super) fn named(text: &str) -> (Vec<u8>, Option<u64>) {
    match (text.split_once(':'), text.trim_start_matches('+').parse::<u64>()) {
        (Some((name, id)), _) => (name.into(), id.parse().ok()),
        (None, Ok(id)) => (Vec::new(), Some(id)),
        (None, Err(_)) => (text.into(), if text == "root" { Some(0) } else { None }),
    }
}

/// Splits what names a zone off a date: `Z`, `UTC` or `GMT` before or behind it, or an offset behind a time as in `12:00 +02:00`. The
/// offset is in seconds.
fn zoned(text: &str) -> (&str, Option<i64>) {
    let text = text.trim();
    for name in ["UTC", "GMT", "Z"] {
        if let Some(rest) = text.strip_suffix(name).or_else(|| text.strip_prefix(name)) {
            return (rest.trim(), Some(0));
        }
    }
    let Some(sign) = text.rfind(['+', '-']).filter(|sign| text[..*sign].contains(':')) else { return (text, None) };
    let digits = text[sign + 1..].replace(':', "");
    let ahead = match (digits.len(), digits.parse::<i64>()) {
        (1 | 2, Ok(hours)) => hours * 3600,
        (3 | 4, Ok(both)) => both / 100 * 3600 + both % 100 * 60,
        _ => return (text, None),
    };
    (text[..sign].trim(), Some(if text[sign..].starts_with('-') { -ahead } else { ahead }))
}

/// Reads `@seconds`, a date with or without a time, which is local time unless it names a zone, or a file's time.
pub(super) fn date(text: &str) -> Result<i64, u8> {
    if let Some(seconds) = text.strip_prefix('@') {
        return seconds
            .split('.')
            .next()
            .and_then(|s| s.parse().ok())
            .ok_or_else(|| usage(&format!("Substituting is not possible for date '{text}'")));
    }
    if text.starts_with(['/', '.']) {
        let stat =
            sys::stat(&PathBuf::from(text), true).map_err(|error| usage(&format!("{text}: Cannot stat: {}", text::reason(&error))))?;
        return Ok(stat.seconds());
    }
    let (plain, ahead) = zoned(text);
    let numbers: Vec<i64> = plain.split(['-', ' ', 'T', ':']).filter_map(|n| n.split('.').next().and_then(|n| n.parse().ok())).collect();
    let at = |n: usize| numbers.get(n).copied().unwrap_or(0);
    if numbers.len() < 3 {
        return Err(usage(&format!("--mtime: Unknown date '{text}': write @SECONDS or YYYY-MM-DD HH:MM:SS")));
    }
    let when = Civil { year: at(0), month: at(1), day: at(2), hour: at(3), minute: at(4), second: at(5), ..Civil::default() };
    let shown = when.seconds();
    Ok(ahead.map_or_else(|| TimeZone::local().moment(shown), |ahead| shown.saturating_sub(ahead)))
}

/// Returns the format that `-H` names.
pub(super) fn style(name: &str) -> Result<Style, u8> {
    match name {
        "gnu" | "oldgnu" => Ok(Style::Gnu),
        "ustar" => Ok(Style::Ustar),
        "pax" | "posix" => Ok(Style::Pax),
        "v7" => Ok(Style::V7),
        other => Err(usage(&format!("{other}: Invalid archive format"))),
    }
}

/// Returns the blocking factor that `-b` gives.
pub(super) fn blocking(text: &str) -> Result<usize, u8> {
    text.parse().ok().filter(|n| *n > 0 && *n < 4096).ok_or_else(|| usage("Invalid blocking factor"))
}

/// Returns the compression that the ending of an archive's name stands for.
pub(super) fn format_of(archive: &str) -> Option<Format> {
    let endings = [
        (".tar.gz", Format::Gzip),
        (".tgz", Format::Gzip),
        (".taz", Format::Gzip),
        (".gz", Format::Gzip),
        (".bz2", Format::Bzip2),
        (".tbz", Format::Bzip2),
        (".tbz2", Format::Bzip2),
        (".tz2", Format::Bzip2),
        (".xz", Format::Xz),
        (".txz", Format::Xz),
        (".lzma", Format::Lzma),
        (".tlz", Format::Lzma),
        (".zst", Format::Zstd),
        (".tzst", Format::Zstd),
    ];
    endings.iter().find(|(end, _)| archive.ends_with(end)).map(|(_, format)| *format)
}
