//! zip's command line.

use super::options::{BEFORE, Line, Table, parse};
use crate::{sys, text};
use std::ffi::OsString;
use std::path::PathBuf;
use wisp_tool::calendar::{self, TimeZone};

const HELP: &str = "Usage: zip [-options] [-b path] [-t mmddyyyy] [-n suffixes] [zipfile list] [-xi list]
  The default action is to add or replace entries of zipfile from list; - stands for standard output.
  -f   freshen: only changed files      -u   update: only changed or new files
  -d   delete entries in zipfile        -m   move into zipfile (delete the files)
  -FS  make the archive as the files are
  -r   recurse into directories         -j   junk (don't record) directory names
  -0   store only                       -1   compress faster  -9   compress better
  -Z   method: store, deflate, bzip2    -n   don't compress files with these suffixes
  -q   quiet operation                  -v   say more
  -@   read names from stdin            -x   exclude the following names
  -i   include only the following       -D   do not add directory entries
  -y   store symbolic links as links    -X   exclude extra file attributes
  -t   only files from this day on      -tt  only files before this day
  -z   add a comment                    -sf  only show what would be done
  -T   test the archive                 -b   accepted: the new archive is written beside the old one
  -g -o -k -c -S -R -L -!   accepted; they change nothing here
  -P   encrypt with this password       -e -s -F -FF -A -J -l -ll   not supported here
  Long names: --recurse-paths --junk-paths --quiet --verbose --delete --move --update --freshen --filesync
    --exclude --include --test --symlinks --no-dir-entries --no-extra --names-stdin --show-files
    --compression-method --archive-comment --suffixes --from-date --before-date --help --version
";

const TABLE: Table = Table {
    valued: "bntPOsSZ",
    lists: "xi",
    pairs: &["FS", "FF", "sf", "tt", "db", "dc", "dd", "ds", "du", "dv", "dg", "ic", "la", "lf", "li", "ll", "MM", "nw", "ws"],
    long: &[
        ("recurse-paths", "r"),
        ("junk-paths", "j"),
        ("quiet", "q"),
        ("verbose", "v"),
        ("delete", "d"),
        ("move", "m"),
        ("update", "u"),
        ("freshen", "f"),
        ("filesync", "FS"),
        ("exclude", "x"),
        ("include", "i"),
        ("test", "T"),
        ("symlinks", "y"),
        ("no-dir-entries", "D"),
        ("no-extra", "X"),
        ("names-stdin", "@"),
        ("show-files", "sf"),
        ("compression-method", "Z"),
        ("archive-comment", "z"),
        ("suffixes", "n"),
        ("from-date", "t"),
        ("before-date", "tt"),
        ("grow", "g"),
        ("latest-time", "o"),
        ("encrypt", "e"),
        ("password", "P"),
    ],
};

/// Parses a date as zip writes it: mmddyyyy or yyyy-mm-dd. Returns the moment at which the day begins here.
fn day(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?;
    let number = |range: std::ops::Range<usize>| text.get(range).and_then(|t| t.parse::<i64>().ok());
    let (year, month, day) = match text.len() {
        8 => (number(4..8)?, number(0..2)?, number(2..4)?),
        10 => (number(0..4)?, number(5..7)?, number(8..10)?),
        _ => return None,
    };
    Some(TimeZone::local().moment(calendar::days(year, month, day).saturating_mul(calendar::DAY)))
}

/// What zip is asked for.
pub(super) struct Command {
    /// The command line, without the archive's name.
    pub line: Line,
    /// The archive.
    pub archive: PathBuf,
    /// How hard to try, 0 to 9.
    pub level: u32,
    /// How files are packed.
    pub method: u16,
    /// `-t` and `-tt`.
    pub days: [Option<i64>; 2],
}

/// Reads the command line; the error is the status to end with.
pub(super) fn read(args: &[OsString]) -> Result<Command, u8> {
    let mut line = parse(args, &TABLE);
    if line.long.iter().any(|l| l == "version") {
        println!("zip (wisp) {}", env!("CARGO_PKG_VERSION"));
        return Err(0);
    }
    if line.has('h') || line.long.iter().any(|l| l == "help") || args.len() == 1 {
        print!("{HELP}");
        return Err(0);
    }
    if line.has('e') && !line.has('P') {
        eprintln!("\nzip error: Invalid command arguments (no password is asked for here: give one with -P)");
        return Err(16);
    }
    let wrong = |what: &str| {
        println!("\nzip error: Invalid command arguments ({what})");
        16
    };
    if let Some((letter, _)) = line.letters.iter().find(|(l, _)| !"0123456789rjqvmdfuyDXT@xiknogcztbSZLR!Pe".contains(*l) && *l != BEFORE) {
        return Err(wrong(&format!("short option '{letter}' not supported")));
    }
    if let Some(long) = line.long.iter().find(|l| !TABLE.pairs.contains(&l.as_str()) && *l != "help") {
        return Err(wrong(&format!("long option '{long}' not supported")));
    }
    if let Some(pair) = ["FF", "ll", "MM"].iter().find(|p| line.pair(p)) {
        return Err(wrong(&format!("short option '{pair}' not supported")));
    }
    if line.has('P') {
        match line.value('P') {
            Some([_, ..]) => {}
            Some([]) => return Err(wrong("zero length password not allowed")),
            None => return Err(wrong("option 'P' (encrypt entries, option value is password) requires a value")),
        }
    }
    match line.lacking {
        Some('x') => return Err(wrong("option 'x' (exclude files matching patterns) requires a value")),
        Some(_) => return Err(wrong("option 'i' (include only files matching patterns) requires a value")),
        None => {}
    }
    for list in [&mut line.exclude, &mut line.include] {
        for name in list.extract_if(.., |p| p.starts_with(b"@") && p.len() > 1).collect::<Vec<_>>() {
            match std::fs::read(sys::path_from_bytes(&name[1..])) {
                Ok(text) => list.extend(text.split(|b| *b == b'\n').map(<[u8]>::trim_ascii).filter(|l| !l.is_empty()).map(<[u8]>::to_vec)),
                Err(_) => {
                    println!("\nzip error: File not found or no read permission (pattern file '{}')", text::shown(&name));
                    return Err(18);
                }
            }
        }
    }
    let method = match line.value('Z').map(|v| text::shown(v).to_lowercase()).as_deref() {
        None | Some("deflate") => 8,
        Some("store") => 0,
        Some("bzip2") => 12,
        Some(other) => return Err(wrong(&format!("-Z (--compression-method) has unknown method '{other}'"))),
    };
    let mut days = [None, None];
    for (limit, letter) in days.iter_mut().zip(['t', BEFORE]) {
        if let Some(text) = line.value(letter) {
            *limit = day(text);
            if limit.is_none() {
                return Err(wrong("invalid date entered for -t or -tt option - use mmddyyyy or yyyy-mm-dd"));
            }
        }
    }
    if line.operands.is_empty() {
        eprintln!("\nzip error: Nothing to do!");
        return Err(12);
    }
    let mut name = line.operands.remove(0);
    let last = name.rsplit(|b| *b == b'/').next().unwrap_or_default();
    if name != b"-" && !last.contains(&b'.') {
        name.extend(b".zip");
    }
    let level = line.letters.iter().rev().find_map(|(l, _)| l.to_digit(10)).unwrap_or(6);
    Ok(Command { line, archive: sys::path_from_bytes(&name), level, method, days })
}
