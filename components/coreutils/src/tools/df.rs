//! `df`: how full the session's filesystem is. The numbers are the policy's quota and what is used of it.

use crate::options::{Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("a", "all", "mounts of unknown size too"),
    value("B", "block-size", "units of VALUE"),
    flag("h", "human-readable", "sizes such as 1K 234M 2G"),
    flag("H", "si", "as -h, powers of 1000"),
    flag("i", "inodes", "files instead of space"),
    flag("k", "", "units of 1024 bytes"),
    flag("l", "local", ""),
    flag("m", "", "units of 1 MiB"),
    maybe("", "output", ""),
    flag("P", "portability", "POSIX format"),
    flag("", "total", "a line with the sum"),
    value("t", "type", "only filesystems of type VALUE"),
    flag("T", "print-type", "a column with the type"),
    value("x", "exclude-type", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Print how much of the filesystem is used (the policy's filesystem.quota and filesystem.max_files).\nHost directories that are mounted have no size here and are listed with -.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// `df`.
pub fn main(args: Vec<OsString>) -> u8 {
    let line = match SYNTAX.parse(&args) {
        Ok(line) => line,
        Err(status) => return status,
    };
    let (mut unit, mut human) = (1024, None);
    for given in &line.options {
        match given.key {
            "human-readable" => human = Some(1024),
            "si" => human = Some(1000),
            "k" => (unit, human) = (1024, None),
            "m" => (unit, human) = (1 << 20, None),
            "block-size" => match text::size(&given.text()).filter(|s| *s > 0) {
                Some(size) => (unit, human) = (size, None),
                None => return SYNTAX.misuse(&args, &format!("invalid --block-size argument {}", text::quote(given.text()))),
            },
            _ => {}
        }
    }
    let mut mounts = sys::mounts();
    let mut status = 0;
    if !line.operands.is_empty() {
        let mut wanted = Vec::new();
        for operand in &line.operands {
            match std::fs::canonicalize(operand) {
                Ok(full) => wanted.extend(mounts.iter().filter(|(p, _)| full.starts_with(p)).max_by_key(|(p, _)| p.len()).cloned()),
                Err(error) => {
                    text::complain("df", format!("{}: {}", text::quote_if_needed(operand), text::reason(&error)));
                    status = 1;
                }
            }
        }
        mounts = wanted;
    } else if !line.has("all") {
        mounts.dedup();
    }
    if mounts.is_empty() {
        return status.max(u8::from(line.operands.is_empty()));
    }
    let inodes = line.has("inodes");
    let scale = |n: u64| match human {
        Some(base) => text::human(n, base),
        None if inodes => n.to_string(),
        None => n.div_ceil(unit).to_string(),
    };
    let blocks = match (human, unit) {
        (Some(_), _) => "Size".to_owned(),
        (None, 1024) if line.has("portability") => "1024-blocks".into(),
        (None, 1024) => "1K-blocks".into(),
        (None, 1_048_576) => "1M-blocks".into(),
        (None, unit) => format!("{unit}B-blocks"),
    };
    let kind = line.has("print-type");
    let mut rows = vec![vec!["Filesystem".to_owned()]];
    if kind {
        rows[0].push("Type".into());
    }
    let titles: Vec<String> = if inodes {
        ["Inodes", "IUsed", "IFree", "IUse%"].iter().map(|s| (*s).to_owned()).collect()
    } else {
        let posix = line.has("portability");
        vec![
            blocks,
            "Used".into(),
            if human.is_some() { "Avail" } else { "Available" }.into(),
            if posix { "Capacity" } else { "Use%" }.into(),
        ]
    };
    rows[0].extend(titles);
    rows[0].push("Mounted on".into());
    let usage = sys::usage();
    for (path, access) in &mounts {
        let memory = access == "memory";
        let mut row = vec![if memory { "memory".to_owned() } else { "host".to_owned() }];
        if kind {
            row.push(if memory { "memory".to_owned() } else { access.clone() });
        }
        if memory {
            let (used, most) = if inodes { (usage.files, usage.max_files) } else { (usage.bytes, usage.max_bytes) };
            let percent = if most == 0 { "-".into() } else { format!("{}%", (u128::from(used) * 100).div_ceil(u128::from(most))) };
            row.extend([scale(most), scale(used), scale(most.saturating_sub(used)), percent]);
        } else {
            row.extend(std::iter::repeat_n("-".to_owned(), 4));
        }
        row.push(path.clone());
        rows.push(row);
    }
    let columns = rows[0].len();
    let widths: Vec<usize> =
        (0..columns).map(|c| rows.iter().map(|r| r[c].len()).max().unwrap_or(0).max(if c == 0 { 14 } else { 5 })).collect();
    for row in rows {
        let mut text = String::new();
        for (at, cell) in row.iter().enumerate() {
            let w = widths[at];
            let left = at == 0 || at + 1 == columns || (kind && at == 1);
            text += &match (left, at + 1 == columns) {
                (_, true) => cell.clone(),
                (true, false) => format!("{cell:<w$} "),
                (false, false) => format!("{cell:>w$} "),
            };
        }
        println!("{text}");
    }
    status
}
