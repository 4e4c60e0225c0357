//! How `ls` writes what it found.

use super::Entry;
use super::options::{Layout, Options, Quoting, Time};
use crate::sys::{Kind, Stat};
use crate::{mode, names, text, time};
use std::io::{Result, Write};

/// Half a year, the age at which `ls -l` shows the year instead of the time.
const HALF_YEAR: i128 = 15_778_476 * 1_000_000_000;

/// The time `ls` shows and sorts by.
pub fn shown_time(stat: &Stat, which: Time) -> i128 {
    match which {
        Time::Modified => stat.mtime,
        Time::Changed => stat.ctime,
        Time::Accessed => stat.atime,
    }
}

/// A name in the style asked for.
pub fn styled(name: &str, quoting: Quoting) -> String {
    match quoting {
        Quoting::Literal => name.to_owned(),
        Quoting::Masked => name.chars().map(|c| if c.is_control() { '?' } else { c }).collect(),
        Quoting::Shell if name.contains(':') && !name.contains([' ', '\'']) => name.to_owned(),
        Quoting::Shell => text::quote_if_needed(name),
        Quoting::ShellAlways => text::quote(name),
        Quoting::C => format!("\"{}\"", escaped(name, '"')),
        Quoting::Escape => escaped(name, ' '),
    }
}

fn escaped(name: &str, mark: char) -> String {
    let mut out = String::new();
    for c in name.chars() {
        match c {
            '\n' => out += "\\n",
            '\t' => out += "\\t",
            '\r' => out += "\\r",
            '\\' => out += "\\\\",
            c if c == mark => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => out += &format!("\\{:03o}", c as u32),
            c => out.push(c),
        }
    }
    out
}

/// Writes entries in the layout asked for.
pub struct Printer<'a> {
    options: &'a Options,
    now: i128,
    started: bool,
}

impl<'a> Printer<'a> {
    /// A printer; nothing is printed yet.
    pub fn new(options: &'a Options) -> Printer<'a> {
        Printer { options, now: time::now(), started: false }
    }

    /// The sum of the blocks, as the line `total` has it.
    pub fn total(&self, entries: &[Entry]) -> String {
        let blocks: u64 = entries.iter().filter_map(|e| e.stat.as_ref()).map(|s| s.blocks).sum();
        self.blocks(blocks)
    }

    fn blocks(&self, blocks: u64) -> String {
        match self.options.human {
            Some(base) => text::human(blocks * 512, base),
            None => format!("{}{}", (blocks * 512).div_ceil(self.options.block_size), self.options.block_suffix),
        }
    }

    /// Print one group of entries.
    pub fn print(&mut self, entries: &[Entry], out: &mut impl Write) -> Result<()> {
        let end = if self.options.zero { "\0" } else { "\n" };
        match self.options.layout {
            Layout::Long => self.long(entries, out, end),
            Layout::Single => {
                let rows: Vec<String> = self.prefixes(entries);
                for (entry, prefix) in entries.iter().zip(rows) {
                    write!(out, "{prefix}")?;
                    self.name(entry, out)?;
                    write!(out, "{end}")?;
                }
                Ok(())
            }
            Layout::Commas => self.commas(entries, out),
            Layout::Columns | Layout::Across => self.columns(entries, out),
        }
    }

    fn prefixes(&self, entries: &[Entry]) -> Vec<String> {
        let inode = |e: &Entry| e.stat.as_ref().map_or("?".into(), |s| s.ino.to_string());
        let blocks = |e: &Entry| e.stat.as_ref().map_or("?".into(), |s| self.blocks(s.blocks));
        let inode_width = entries.iter().map(|e| inode(e).len()).max().unwrap_or(0);
        let block_width = entries.iter().map(|e| blocks(e).len()).max().unwrap_or(0);
        entries
            .iter()
            .map(|e| {
                let mut prefix = String::new();
                if self.options.inode {
                    prefix += &format!("{:>inode_width$} ", inode(e));
                }
                if self.options.blocks {
                    prefix += &format!("{:>block_width$} ", blocks(e));
                }
                prefix
            })
            .collect()
    }

    fn indicator(&self, kind: Kind, executable: bool) -> &'static str {
        let (mark, text) = match kind {
            Kind::Dir => ('/', "/"),
            Kind::Link => ('@', "@"),
            Kind::Fifo => ('|', "|"),
            Kind::Socket => ('=', "="),
            Kind::File if executable => ('*', "*"),
            _ => return "",
        };
        if self.options.indicator.contains(mark) { text } else { "" }
    }

    fn color(stat: Option<&Stat>) -> &'static str {
        match stat {
            Some(s) => match s.kind {
                Kind::Dir if s.mode & 0o1002 == 0o1002 => "30;42",
                Kind::Dir if s.mode & 0o002 != 0 => "34;42",
                Kind::Dir if s.mode & 0o1000 != 0 => "37;44",
                Kind::Dir => "01;34",
                Kind::Link => "01;36",
                Kind::Fifo => "33",
                Kind::Socket => "01;35",
                Kind::Char | Kind::Block => "01;33",
                Kind::File if s.mode & 0o4000 != 0 => "37;41",
                Kind::File if s.mode & 0o2000 != 0 => "30;43",
                Kind::File if s.mode & 0o111 != 0 => "01;32",
                Kind::File => "",
            },
            None => "",
        }
    }

    fn paint(&mut self, name: &str, stat: Option<&Stat>, out: &mut impl Write) -> Result<()> {
        let color = Self::color(stat);
        if !self.options.color || color.is_empty() {
            return write!(out, "{name}");
        }
        if !self.started {
            self.started = true;
            write!(out, "\x1b[0m")?;
        }
        write!(out, "\x1b[{color}m{name}\x1b[0m")
    }

    fn name(&mut self, entry: &Entry, out: &mut impl Write) -> Result<()> {
        self.paint(&styled(&entry.name, self.options.quoting), entry.stat.as_ref(), out)?;
        if self.options.layout != Layout::Long || !entry.kind_is(Kind::Link) {
            let executable = entry.stat.as_ref().is_some_and(|s| s.mode & 0o111 != 0);
            if let Some(kind) = entry.kind() {
                write!(out, "{}", self.indicator(kind, executable))?;
            }
        }
        Ok(())
    }

    fn shown_width(&self, entry: &Entry) -> usize {
        let executable = entry.stat.as_ref().is_some_and(|s| s.mode & 0o111 != 0);
        let mark = entry.kind().map_or("", |k| self.indicator(k, executable));
        text::width(&styled(&entry.name, self.options.quoting)) + mark.len()
    }

    fn date(&self, ns: i128) -> String {
        let recent = ns <= self.now && self.now - ns < HALF_YEAR;
        let style = self.options.style.as_deref().unwrap_or("locale");
        match style.strip_prefix("posix-").unwrap_or(style) {
            "full-iso" => time::format(ns, "%Y-%m-%d %H:%M:%S.%9f %z"),
            "long-iso" => time::format(ns, "%Y-%m-%d %H:%M"),
            "iso" => time::format(ns, if recent { "%m-%d %H:%M" } else { "%Y-%m-%d " }),
            other => match other.strip_prefix('+') {
                Some(own) => match own.split_once('\n') {
                    Some((old, new)) => time::format(ns, if recent { new } else { old }),
                    None => time::format(ns, &own.replace("%N", "%9f")),
                },
                None => time::format(ns, if recent { "%b %e %H:%M" } else { "%b %e  %Y" }),
            },
        }
    }

    fn long(&mut self, entries: &[Entry], out: &mut impl Write, end: &str) -> Result<()> {
        let o = self.options;
        let rows: Vec<[String; 5]> = entries
            .iter()
            .map(|e| match &e.stat {
                None => ["?".into(), "?".into(), "?".into(), "?".into(), "?".into()],
                Some(s) => [
                    s.nlink.to_string(),
                    if o.numeric { s.uid.to_string() } else { names::users().show(s.uid) },
                    if o.numeric { s.gid.to_string() } else { names::groups().show(s.gid) },
                    match o.human {
                        _ if matches!(s.kind, Kind::Char | Kind::Block) => format!("{}, {}", 1, s.size),
                        Some(base) => text::human(s.size, base),
                        None if o.scaled => format!("{}{}", s.size.div_ceil(o.block_size), o.block_suffix),
                        None => s.size.to_string(),
                    },
                    self.date(shown_time(s, o.time)),
                ],
            })
            .collect();
        let widths: Vec<usize> = (0..5).map(|at| rows.iter().map(|r| text::width(&r[at])).max().unwrap_or(0)).collect();
        let prefixes = self.prefixes(entries);
        for ((entry, row), prefix) in entries.iter().zip(rows).zip(prefixes) {
            let letters = entry.stat.as_ref().map_or_else(|| "??????????".to_owned(), |s| mode::letters(s.kind, s.mode));
            write!(out, "{prefix}{letters} {:>w$}", row[0], w = widths[0])?;
            let number =
                |at: usize| if o.numeric { format!("{:>w$}", row[at], w = widths[at]) } else { format!("{:<w$}", row[at], w = widths[at]) };
            if o.owner {
                write!(out, " {}", number(1))?;
            }
            if o.group {
                write!(out, " {}", number(2))?;
            }
            write!(out, " {:>w$} {:>d$} ", row[3], row[4], w = widths[3], d = widths[4])?;
            self.name(entry, out)?;
            if let Some(target) = &entry.target {
                write!(out, " -> ")?;
                self.paint(&styled(&target.name, o.quoting), target.stat.as_ref(), out)?;
                if let Some(stat) = &target.stat {
                    write!(out, "{}", self.indicator(stat.kind, stat.mode & 0o111 != 0))?;
                }
            }
            write!(out, "{end}")?;
        }
        Ok(())
    }

    fn commas(&mut self, entries: &[Entry], out: &mut impl Write) -> Result<()> {
        let mut column = 0;
        for (at, entry) in entries.iter().enumerate() {
            let width = self.shown_width(entry);
            if at > 0 {
                if column + width + 2 < self.options.width || self.options.width == 0 {
                    write!(out, ", ")?;
                    column += 2;
                } else {
                    writeln!(out, ",")?;
                    column = 0;
                }
            }
            self.name(entry, out)?;
            column += width;
        }
        if entries.is_empty() { Ok(()) } else { writeln!(out) }
    }

    fn columns(&mut self, entries: &[Entry], out: &mut impl Write) -> Result<()> {
        let prefixes = self.prefixes(entries);
        let widths: Vec<usize> = entries.iter().zip(&prefixes).map(|(e, p)| self.shown_width(e) + p.len()).collect();
        let across = self.options.layout == Layout::Across;
        let (columns, rows) = fit(&widths, self.options.width, across);
        let place = |row: usize, column: usize| if across { row * columns.len() + column } else { column * rows + row };
        for row in 0..rows {
            let mut at = 0;
            let mut start = 0;
            for (column, room) in columns.iter().enumerate() {
                let index = place(row, column);
                if index >= entries.len() {
                    break;
                }
                indent(out, at, start)?;
                write!(out, "{}", prefixes[index])?;
                self.name(&entries[index], out)?;
                at = start + widths[index];
                start += room;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Move from column `from` to column `to` with tabs of eight, as GNU does.
fn indent(out: &mut impl Write, mut from: usize, to: usize) -> Result<()> {
    while from < to {
        if to / 8 > (from + 1) / 8 {
            write!(out, "\t")?;
            from += 8 - from % 8;
        } else {
            write!(out, " ")?;
            from += 1;
        }
    }
    Ok(())
}

/// The widths of the columns and the number of rows: as many columns as fit into `width`.
fn fit(widths: &[usize], width: usize, across: bool) -> (Vec<usize>, usize) {
    let count = widths.len();
    let most = if width == 0 { count } else { (width / 3).max(1).min(count) };
    for columns in (1..=most).rev() {
        let rows = count.div_ceil(columns);
        let mut room = vec![3; columns];
        for (at, w) in widths.iter().enumerate() {
            let column = if across { at % columns } else { at / rows };
            let gap = if column + 1 == columns { 0 } else { 2 };
            room[column] = room[column].max(w + gap);
        }
        if columns == 1 || width == 0 || room.iter().sum::<usize>() < width {
            return (room, rows);
        }
    }
    (Vec::new(), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_fit() {
        assert_eq!(fit(&[3, 3, 3, 3], 12, false), (vec![5, 3], 2));
        assert_eq!(fit(&[3, 3], 80, false), (vec![5, 3], 1));
        assert_eq!(fit(&[100], 80, false), (vec![100], 1));
        assert_eq!(fit(&[], 80, false), (vec![], 0));
    }

    #[test]
    fn names_are_styled() {
        assert_eq!(styled("a b", Quoting::C), "\"a b\"");
        assert_eq!(styled("a b", Quoting::Escape), "a\\ b");
        assert_eq!(styled("a\nb", Quoting::Masked), "a?b");
        assert_eq!(styled("a b", Quoting::Shell), "'a b'");
    }
}
