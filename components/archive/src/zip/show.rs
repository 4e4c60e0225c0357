//! unzip's lists: `-l`, `-v`, `-Z`.

use super::create::percent;
use super::format::Entry;
use crate::text;
use wisp_tool::calendar::{Civil, MONTHS};

/// Returns the date and time of a list.
fn when(entry: &Entry) -> String {
    let Civil { year, month, day, hour, minute, .. } = entry.shown();
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

fn files(count: usize) -> String {
    if count == 1 { "1 file".into() } else { format!("{count} files") }
}

fn name(entry: &Entry) -> String {
    text::shown(&entry.name)
}

/// Writes the list of `-l`; `quiet` leaves out the frame.
pub(super) fn short(entries: &[&Entry], quiet: bool) {
    if !quiet {
        println!("  Length      Date    Time    Name\n---------  ---------- -----   ----");
    }
    for entry in entries {
        println!("{:>9}  {}   {}", entry.size, when(entry), name(entry));
    }
    if !quiet {
        let total: u64 = entries.iter().map(|e| e.size).sum();
        println!("---------                     -------\n{total:>9}                     {}", files(entries.len()));
    }
}

/// Writes the list of `-Z`, as zipinfo does.
pub(super) fn info(entries: &[&Entry], archive: u64, all: usize) {
    println!("Zip file size: {archive} bytes, number of entries: {all}");
    for entry in entries {
        let kind = if entry.is_dir() {
            'd'
        } else if entry.is_link() {
            'l'
        } else {
            '-'
        };
        let mode: String = (0..9).rev().map(|bit| if entry.mode >> bit & 1 == 0 { '-' } else { ['x', 'w', 'r'][bit % 3] }).collect();
        let version = entry.made_by & 0xff;
        let system = if entry.made_by >> 8 == 3 { "unx" } else { "fat" };
        let text = match (entry.text, entry.encrypted()) {
            (true, false) => 't',
            (true, true) => 'T',
            (false, false) => 'b',
            (false, true) => 'B',
        };
        let extra = match (entry.flags & 8 != 0, entry.extra.is_empty()) {
            (true, true) => 'l',
            (true, false) => 'X',
            (false, false) => 'x',
            (false, true) => '-',
        };
        let method = match entry.method {
            0 => "stor",
            8 => "defN",
            12 => "bzp2",
            93 => "zstd",
            95 => "xz00",
            _ => "unkn",
        };
        let Civil { year, month, day, hour, minute, .. } = entry.shown();
        let month = &MONTHS[(month - 1) as usize][..3];
        let date = format!("{:02}-{month}-{day:02} {hour:02}:{minute:02}", year % 100);
        let left = format!("{kind}{mode}  {}.{} {system} {:>8}", version / 10, version % 10, entry.size);
        println!("{left} {text}{extra} {method} {date} {}", name(entry));
    }
    let (size, packed) = entries.iter().fold((0, 0), |(s, p), e| (s + e.size, p + e.data()));
    let ratio = if size == 0 { 0.0 } else { 100.0 * (size as f64 - packed as f64) / size as f64 };
    println!("{}, {size} bytes uncompressed, {packed} bytes compressed:  {ratio:.1}%", files(entries.len()));
}

/// Writes the list of `-v`.
pub(super) fn long(entries: &[&Entry], quiet: bool) {
    if !quiet {
        println!(" Length   Method    Size  Cmpr    Date    Time   CRC-32   Name");
        println!("--------  ------  ------- ---- ---------- ----- --------  ----");
    }
    for entry in entries {
        let method = match entry.method {
            0 => "Stored",
            8 => "Defl:N",
            12 => "BZip2 ",
            93 => "Zstd  ",
            _ => "Unk   ",
        };
        let ratio = percent(entry.size, entry.data());
        println!("{:>8}  {method} {:>8} {ratio:>3}% {} {:08x}  {}", entry.size, entry.data(), when(entry), entry.crc, name(entry));
    }
    if !quiet {
        let (size, packed) = entries.iter().fold((0, 0), |(s, p), e| (s + e.size, p + e.data()));
        println!("--------          -------  ---                            -------");
        println!("{size:>8}         {packed:>8} {:>3}%                            {}", percent(size, packed), files(entries.len()));
    }
}
