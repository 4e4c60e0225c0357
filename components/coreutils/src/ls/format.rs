//! How `ls` writes its entries.

use super::Entry;
use super::colors::{Colors, Painted};
use super::options::{Layout, Options, Time};
use super::quoting::{heading, styled};
use crate::sys::{self, Kind, Stat};
use crate::{mode, names, text, time};
use std::io::{BufWriter, Result, StdoutLock, Write};
use std::path::Path;
use wisp_tool::calendar;

/// Half a year: for older files, `ls -l` shows the year instead of the time.
const HALF_YEAR: i128 = 15_778_476 * 1_000_000_000;

/// Returns the time that `ls` shows and sorts by.
pub(super) fn shown_time(stat: &Stat, which: Time) -> i128 {
    match which {
        Time::Modified => stat.mtime,
        Time::Changed => stat.ctime,
        Time::Accessed => stat.atime,
    }
}

/// Standard output, and the number of bytes written to it.
pub(super) struct Out {
    inner: BufWriter<StdoutLock<'static>>,
    at: u64,
}

impl Out {
    /// Creates an output to which nothing is written yet.
    pub(super) fn new(inner: BufWriter<StdoutLock<'static>>) -> Self {
        Self { inner, at: 0 }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        let written = self.inner.write(bytes)?;
        self.at += written as u64;
        Ok(written)
    }
    fn flush(&mut self) -> Result<()> {
        self.inner.flush()
    }
}

/// Writes entries in the chosen layout.
pub(super) struct Printer<'a> {
    options: &'a Options,
    now: i128,
    started: bool,
    /// Where names begin and end, and where headings do.
    names: Vec<u64>,
    headings: Vec<u64>,
}

impl<'a> Printer<'a> {
    /// Creates a printer that has printed nothing yet.
    pub(super) fn new(options: &'a Options) -> Self {
        Printer { options, now: calendar::now(), started: false, names: Vec::new(), headings: Vec::new() }
    }

    /// Returns the sum of the blocks, for the line `total`.
    pub(super) fn total(&self, entries: &[Entry]) -> String {
        let blocks: u64 = entries.iter().filter_map(|e| e.stat.as_ref()).map(|s| s.blocks).sum();
        self.blocks(blocks)
    }

    fn blocks(&self, blocks: u64) -> String {
        match self.options.human {
            Some(base) => text::human(blocks * 512, base),
            None => format!("{}{}", (blocks * 512).div_ceil(self.options.block_size), self.options.block_suffix),
        }
    }

    /// Returns the start of every line: two blanks with `--dired`.
    pub(super) fn margin(&self) -> &'static str {
        if self.options.dired { "  " } else { "" }
    }

    /// Prints the name of a directory, as the heading of its contents.
    pub(super) fn heading(&mut self, name: &str, path: &Path, out: &mut Out) -> Result<()> {
        write!(out, "{}", self.margin())?;
        self.headings.push(out.at);
        let shown = heading(name, self.options);
        self.linked(&shown, path, out)?;
        self.headings.push(out.at);
        writeln!(out, ":")
    }

    /// Ends the output: writes the positions of names for Emacs, and resets colors.
    pub(super) fn finish(&mut self, out: &mut Out) -> Result<()> {
        let plain = |c: &Colors| c.get("lc") == Some("\x1b[") && c.get("rc") == Some("m");
        if self.started && self.options.colors.as_ref().is_some_and(|c| !plain(c)) {
            self.sequence("", out)?;
        }
        if !self.options.dired {
            return Ok(());
        }
        for (mark, places) in [("//DIRED//", &self.names), ("//SUBDIRED//", &self.headings)] {
            if !places.is_empty() {
                write!(out, "{mark}")?;
                places.iter().try_for_each(|at| write!(out, " {at}"))?;
                writeln!(out)?;
            }
        }
        writeln!(out, "//DIRED-OPTIONS// --quoting-style={}", self.options.quoting.word())
    }

    /// Prints one group of entries.
    pub(super) fn print(&mut self, entries: &[Entry], out: &mut Out) -> Result<()> {
        let end = if self.options.zero { "\0" } else { "\n" };
        match self.options.layout {
            Layout::Long => self.long(entries, out, end),
            Layout::Single => {
                let rows: Vec<String> = self.prefixes(entries);
                for (entry, prefix) in entries.iter().zip(rows) {
                    self.normal(out)?;
                    write!(out, "{prefix}")?;
                    self.name(entry, prefix.len(), out)?;
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

    /// Writes a color's sequence. The very first follows a sequence that resets colors.
    fn sequence(&mut self, color: &str, out: &mut Out) -> Result<()> {
        let Some(colors) = &self.options.colors else { return Ok(()) };
        let (left, right) = (colors.get("lc").unwrap_or_default(), colors.get("rc").unwrap_or_default());
        if !std::mem::replace(&mut self.started, true) {
            self.reset(out)?;
        }
        write!(out, "{left}{color}{right}")
    }

    fn reset(&self, out: &mut Out) -> Result<()> {
        let Some(colors) = &self.options.colors else { return Ok(()) };
        match colors.get("ec") {
            Some(end) => write!(out, "{end}"),
            None => {
                let get = |key| colors.get(key).unwrap_or_default();
                write!(out, "{}{}{}", get("lc"), get("rs"), get("rc"))
            }
        }
    }

    /// Prints the color of text that is not a name, if there is one.
    fn normal(&mut self, out: &mut Out) -> Result<()> {
        match self.options.colors.as_ref().filter(|c| c.has("no")).and_then(|c| c.get("no")) {
            Some(color) => self.sequence(color, out),
            None => Ok(()),
        }
    }

    /// Writes a name in its color. `start` is the column where it begins.
    fn paint(&mut self, shown: &str, path: &Path, file: &Painted<'_>, start: usize, out: &mut Out) -> Result<()> {
        let colors = self.options.colors.as_ref();
        let color = colors.and_then(|c| c.of(file));
        if let Some(color) = color {
            if colors.is_some_and(|c| c.has("no")) {
                self.sequence("", out)?;
            }
            self.sequence(color, out)?;
        }
        let dired = self.options.dired && !file.is_target;
        if dired {
            self.names.push(out.at);
        }
        self.linked(shown, path, out)?;
        if dired {
            self.names.push(out.at);
        }
        if color.is_some() || (self.started && colors.is_some_and(|c| c.has("no"))) {
            self.reset(out)?;
            let (width, length) = (self.options.width, text::width(shown).max(1));
            if color.is_some() && width > 0 && start / width != (start + length - 1) / width {
                write!(out, "{}", colors.and_then(|c| c.get("cl")).unwrap_or_default())?;
            }
        }
        Ok(())
    }

    /// Writes a name; with `--hyperlink`, as a link to the file. Quotes stay outside the link.
    fn linked(&self, shown: &str, path: &Path, out: &mut Out) -> Result<()> {
        if !self.options.hyperlink {
            return out.write_all(&text::written(shown));
        }
        let place = std::fs::canonicalize(path).unwrap_or_else(|_| match std::fs::read_link(path) {
            Ok(target) => sys::absolute(&path.parent().unwrap_or(Path::new(".")).join(target)),
            Err(_) => sys::absolute(path),
        });
        let mut link = format!("file://{}", sys::host_name());
        for byte in place.as_os_str().as_encoded_bytes() {
            match byte {
                b'/' | b'-' | b'.' | b'_' | b'~' => link.push(char::from(*byte)),
                byte if byte.is_ascii_alphanumeric() => link.push(char::from(*byte)),
                byte => link += &format!("%{byte:02x}"),
            }
        }
        out.write_all(&text::written(&format!("\x1b]8;;{link}\x07{shown}\x1b]8;;\x07")))
    }

    fn name(&mut self, entry: &Entry, start: usize, out: &mut Out) -> Result<()> {
        let target = entry.target.as_ref().and_then(|t| t.stat.as_ref());
        let file = Painted { name: &entry.name, stat: entry.stat.as_ref(), target, is_target: false };
        self.paint(&styled(&entry.name, self.options), &entry.path, &file, start, out)?;
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
        text::width(&styled(&entry.name, self.options)) + mark.len()
    }

    fn date(&self, ns: i128) -> String {
        let recent = ns <= self.now && self.now - ns < HALF_YEAR;
        let style = self.options.style.as_deref().unwrap_or("locale");
        match style {
            "full-iso" => time::format(ns, "%Y-%m-%d %H:%M:%S.%N %z"),
            "long-iso" => time::format(ns, "%Y-%m-%d %H:%M"),
            "iso" => time::format(ns, if recent { "%m-%d %H:%M" } else { "%Y-%m-%d " }),
            other => match other.strip_prefix('+') {
                Some(own) => match own.split_once('\n') {
                    Some((old, new)) => time::format(ns, if recent { new } else { old }),
                    None => time::format(ns, own),
                },
                None => time::format(ns, if recent { "%b %e %H:%M" } else { "%b %e  %Y" }),
            },
        }
    }

    fn long(&mut self, entries: &[Entry], out: &mut Out, end: &str) -> Result<()> {
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
            let letters = if entry.stat.is_some() { letters } else { format!("{}?????????", entry.kind().map_or('?', mode::letter)) };
            self.normal(out)?;
            let begin = out.at;
            write!(out, "{}{prefix}{letters} {:>w$}", self.margin(), row[0], w = widths[0])?;
            let number =
                |at: usize| if o.numeric { format!("{:>w$}", row[at], w = widths[at]) } else { format!("{:<w$}", row[at], w = widths[at]) };
            if o.owner {
                write!(out, " {}", number(1))?;
            }
            if o.group {
                write!(out, " {}", number(2))?;
            }
            if o.author {
                write!(out, " {}", number(1))?;
            }
            write!(out, " {:>w$} {:>d$} ", row[3], row[4], w = widths[3], d = widths[4])?;
            self.name(entry, usize::try_from(out.at - begin).unwrap_or(0), out)?;
            if let Some(target) = &entry.target {
                write!(out, " -> ")?;
                let file = Painted { name: &target.name, stat: target.stat.as_ref(), target: None, is_target: true };
                let start = usize::try_from(out.at - begin).unwrap_or(0);
                self.paint(&styled(&target.name, o), &entry.path, &file, start, out)?;
                if let Some(stat) = target.stat.as_ref().filter(|_| o.indicator != "/") {
                    write!(out, "{}", self.indicator(stat.kind, stat.mode & 0o111 != 0))?;
                }
            }
            write!(out, "{end}")?;
        }
        Ok(())
    }

    fn commas(&mut self, entries: &[Entry], out: &mut Out) -> Result<()> {
        let mut column = 0;
        let prefixes = self.prefixes(entries);
        for (at, (entry, prefix)) in entries.iter().zip(prefixes).enumerate() {
            let width = self.shown_width(entry) + prefix.trim_start().len();
            if at > 0 {
                if column + width + 2 < self.options.width || self.options.width == 0 {
                    write!(out, ", ")?;
                    column += 2;
                } else {
                    writeln!(out, ",")?;
                    column = 0;
                }
            }
            self.normal(out)?;
            write!(out, "{}", prefix.trim_start())?;
            self.name(entry, column, out)?;
            column += width;
        }
        if entries.is_empty() { Ok(()) } else { writeln!(out) }
    }

    fn columns(&mut self, entries: &[Entry], out: &mut Out) -> Result<()> {
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
                indent(out, at, start, if self.options.width == 0 { 0 } else { self.options.tab })?;
                self.normal(out)?;
                write!(out, "{}", prefixes[index])?;
                self.name(&entries[index], start + prefixes[index].len(), out)?;
                at = start + widths[index];
                start += room;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

/// Moves from column `from` to column `to` with tabs, as GNU does.
fn indent(out: &mut impl Write, mut from: usize, to: usize, tab: usize) -> Result<()> {
    while from < to {
        if tab > 0 && to / tab > (from + 1) / tab {
            write!(out, "\t")?;
            from += tab - from % tab;
        } else {
            write!(out, " ")?;
            from += 1;
        }
    }
    Ok(())
}

/// Returns the widths of the columns and the number of rows: as many columns as fit into `width`.
fn fit(widths: &[usize], width: usize, across: bool) -> (Vec<usize>, usize) {
    let count = widths.len();
    let most = if width == 0 { count } else { width.div_ceil(3).max(1).min(count) };
    for columns in (1..=most).rev() {
        let rows = count.div_ceil(columns);
        let mut room = vec![3; columns];
        for (at, w) in widths.iter().enumerate() {
            let column = if across { at % columns } else { at / rows };
            let gap = if column + 1 == columns { 0 } else { 2 };
            room[column] = room[column].max(w + gap);
        }
        // As in GNU's ls, columns of the minimum width always fit.
        if columns == 1 || width == 0 || room.iter().all(|w| *w == 3) || room.iter().sum::<usize>() < width {
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
        assert_eq!(fit(&[1, 1], 4, false), (vec![3, 3], 1));
        assert_eq!(fit(&[1, 1], 3, false), (vec![3], 2));
        assert_eq!(fit(&[], 80, false), (vec![], 0));
    }
}
