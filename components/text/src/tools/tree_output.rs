//! How `tree` prints: lines, JSON, XML.

use super::tree::{Counts, Entry};
use crate::options::Line;
use crate::sys::{self, Kind};
use crate::text;
use std::ffi::OsStr;
use wisp_tool::names;

struct Printer<'a> {
    line: &'a Line,
    out: &'a mut Vec<u8>,
    counts: Counts,
    /// The texts before the last entry of a directory, before another entry, below the last, below another.
    marks: [&'static str; 4],
}

/// Prints trees.
pub(super) fn print(line: &Line, trees: &[Entry], out: &mut Vec<u8>) {
    let charset = line.last_text("charset").or_else(|| std::env::var("TREE_CHARSET").ok());
    let plain = charset.as_ref().map_or(!sys::utf8(), |c| !c.to_ascii_lowercase().starts_with("utf"));
    let marks = if line.has("i") {
        ["", "", "", ""]
    } else if plain {
        ["`-- ", "|-- ", "    ", "|   "]
    } else {
        ["└── ", "├── ", "    ", "│\u{a0}\u{a0} "]
    };
    let mut p = Printer { line, out, counts: Counts::default(), marks };
    if line.has("J") {
        p.json(trees);
    } else if line.has("X") {
        p.xml(trees);
    } else {
        for tree in trees {
            p.root(tree);
        }
        if !line.has("noreport") {
            let total: u64 = trees.iter().map(|t| t.size).sum();
            p.report(total);
        }
    }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.extend_from_slice(&text::written(text));
    }

    fn report(&mut self, total: u64) {
        let folders = plural(self.counts.folders, "directory", "directories");
        let files = plural(self.counts.files, "file", "files");
        let what = if self.line.has("d") { folders } else { format!("{folders}, {files}") };
        let size = if self.line.has("du") { format!("{total:>12} bytes used in ") } else { String::new() };
        self.put(&format!("\n{size}{what}\n"));
    }

    fn root(&mut self, tree: &Entry) {
        if tree.folder {
            self.counts.folders += usize::from(tree.inside.as_ref().is_none_or(|i| !i.is_empty()));
        } else if tree.stat.is_some() {
            self.counts.files += 1;
        }
        let details = tree.stat.as_ref().map(|_| self.details(tree)).unwrap_or_default();
        self.put(&details);
        self.name(tree, &tree.name);
        if self.line.has("F") && tree.folder && !sys::bytes(&tree.name).ends_with(b"/") {
            self.put("/");
        }
        self.note(tree);
        self.put("\n");
        self.below(tree, "");
    }

    fn note(&mut self, e: &Entry) {
        if let Some(note) = &e.note {
            let text = format!("  [{note}]");
            self.put(&text);
        }
    }

    fn below(&mut self, tree: &Entry, indent: &str) {
        let Some(inside) = &tree.inside else { return };
        for (n, e) in inside.iter().enumerate() {
            let last = n + 1 == inside.len();
            if e.folder {
                self.counts.folders += 1;
            } else {
                self.counts.files += 1;
            }
            let mark = self.marks[usize::from(!last)];
            let line = format!("{indent}{mark}{}", self.details(e));
            self.put(&line);
            let shown = if self.line.has("f") { e.path.as_os_str() } else { e.name.as_os_str() };
            self.name(e, shown);
            if let Some(target) = &e.target {
                self.put(" -> ");
                self.text(target);
                if self.line.has("F")
                    && let Ok(stat) = sys::stat(&e.path, true)
                {
                    let suffix = suffix(stat.kind, stat.mode);
                    self.put(suffix);
                }
            } else if let (true, Some(stat)) = (self.line.has("F"), &e.stat) {
                let suffix = suffix(stat.kind, stat.mode);
                self.put(suffix);
            }
            self.note(e);
            self.put("\n");
            let next = format!("{indent}{}", self.marks[2 + usize::from(!last)]);
            self.below(e, &next);
        }
    }

    fn text(&mut self, name: &OsStr) {
        if self.line.has("Q") {
            let text = format!("\"{}\"", text::show(name).replace('\\', "\\\\").replace('"', "\\\""));
            self.put(&text);
        } else {
            self.out.extend_from_slice(sys::bytes(name));
        }
    }

    fn name(&mut self, e: &Entry, shown: &OsStr) {
        let color = match &e.stat {
            Some(_) if !self.line.has("C") || self.line.has("n") => None,
            Some(s) if s.kind == Kind::Dir => Some("01;34"),
            Some(s) if s.kind == Kind::Link => Some("01;36"),
            Some(s) if s.mode & 0o111 != 0 => Some("01;32"),
            Some(_) => Some("00"),
            None => None,
        };
        if let Some(color) = color {
            self.put(&format!("\u{1b}[{color}m"));
        }
        self.text(shown);
        if color.is_some() {
            self.put("\u{1b}[0m");
        }
    }

    /// Returns `[drwxr-xr-x  4.0K]  `.
    fn details(&self, e: &Entry) -> String {
        let Some(stat) = &e.stat else { return String::new() };
        let mut parts = Vec::new();
        if self.line.has("p") {
            parts.push(mode(stat.kind, stat.mode));
        }
        if self.line.has("u") {
            parts.push(format!("{:<8}", names::users().show(stat.uid)));
        }
        if self.line.has("g") {
            parts.push(format!("{:<8}", names::groups().show(stat.gid)));
        }
        let size = if self.line.has("du") { e.size } else { stat.size };
        if self.line.has("h") || self.line.has("si") {
            parts.push(format!("{:>4}", human(size, if self.line.has("si") { 1000 } else { 1024 })));
        } else if self.line.has("s") || self.line.has("du") {
            parts.push(format!("{size:>11}"));
        }
        if self.line.has("D") || self.line.has("timefmt") {
            let stamp = jiff::Timestamp::from_nanosecond(stat.mtime).unwrap_or_default().to_zoned(crate::awk::zone());
            // Like ls: the year instead of the hour, after half a year.
            let age = jiff::Timestamp::now().as_second() - stamp.timestamp().as_second();
            let usual = if (-3600..15_778_476).contains(&age) { "%b %e %H:%M" } else { "%b %e  %Y" };
            let format = self.line.last_text("timefmt").unwrap_or_else(|| usual.into());
            parts.push(jiff::fmt::strtime::format(&format, &stamp).unwrap_or(format));
        }
        if parts.is_empty() { String::new() } else { format!("[{}]  ", parts.join(" ")) }
    }

    fn json(&mut self, trees: &[Entry]) {
        self.put("[");
        for (n, tree) in trees.iter().enumerate() {
            self.put(if n == 0 { "\n" } else { ",\n" });
            if tree.folder {
                self.counts.folders += usize::from(tree.inside.as_ref().is_none_or(|i| !i.is_empty()));
            }
            self.json_entry(tree, 2);
        }
        if !self.line.has("noreport") {
            let files = if self.line.has("d") { String::new() } else { format!(",\"files\":{}", self.counts.files) };
            let report = format!("\n,\n  {{\"type\":\"report\",\"directories\":{}{files}}}", self.counts.folders);
            self.put(&report);
        }
        self.put("\n]\n");
    }

    fn json_entry(&mut self, e: &Entry, depth: usize) {
        let indent = " ".repeat(depth);
        let shown = if self.line.has("f") { e.path.as_os_str() } else { e.name.as_os_str() };
        let mut text = format!("{indent}{{\"type\":\"{}\",\"name\":\"{}\"", kind(e), escape(shown));
        if let Some(target) = &e.target {
            text += &format!(",\"target\":\"{}\"", escape(target));
        }
        if let Some(stat) = &e.stat {
            if self.line.has("p") {
                text += &format!(",\"mode\":\"{:04o}\",\"prot\":\"{}\"", stat.mode, mode(stat.kind, stat.mode));
            }
            if self.line.has("s") {
                text += &format!(",\"size\":{}", stat.size);
            }
        }
        self.put(&text);
        match &e.inside {
            Some(inside) if e.folder && !inside.is_empty() => {
                self.put(",\"contents\":[");
                for (n, child) in inside.iter().enumerate() {
                    self.put(if n == 0 { "\n" } else { ",\n" });
                    if child.folder {
                        self.counts.folders += 1;
                    } else {
                        self.counts.files += 1;
                    }
                    self.json_entry(child, depth + 2);
                }
                self.put(&format!("\n{indent}]}}"));
            }
            _ => self.put("}"),
        }
    }

    fn xml(&mut self, trees: &[Entry]) {
        self.put("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<tree>\n");
        for tree in trees {
            if tree.folder {
                self.counts.folders += usize::from(tree.inside.as_ref().is_none_or(|i| !i.is_empty()));
            }
            self.xml_entry(tree, 2);
        }
        if !self.line.has("noreport") {
            let files = if self.line.has("d") { String::new() } else { format!("    <files>{}</files>\n", self.counts.files) };
            let report = format!("  <report>\n    <directories>{}</directories>\n{files}  </report>\n", self.counts.folders);
            self.put(&report);
        }
        self.put("</tree>\n");
    }

    fn xml_entry(&mut self, e: &Entry, depth: usize) {
        let indent = " ".repeat(depth);
        let quote = |t: &OsStr| text::show(t).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
        let shown = if self.line.has("f") { e.path.as_os_str() } else { e.name.as_os_str() };
        let target = e.target.as_ref().map(|t| format!(" target=\"{}\"", quote(t))).unwrap_or_default();
        self.put(&format!("{indent}<{} name=\"{}\"{target}>", kind(e), quote(shown)));
        if let Some(inside) = &e.inside {
            self.put("\n");
            for child in inside {
                if child.folder {
                    self.counts.folders += 1;
                } else {
                    self.counts.files += 1;
                }
                self.xml_entry(child, depth + 2);
            }
            self.put(&indent);
        }
        self.put(&format!("</{}>\n", kind(e)));
    }
}

fn kind(e: &Entry) -> &'static str {
    match e.listed.or(e.stat.as_ref().map(|s| s.kind)) {
        Some(Kind::Dir) => "directory",
        Some(Kind::Link) => "link",
        Some(Kind::Fifo) => "fifo",
        Some(Kind::Char) => "char",
        Some(Kind::Block) => "block",
        Some(Kind::Socket) => "socket",
        _ => "file",
    }
}

fn escape(name: &OsStr) -> String {
    text::show(name).replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n").replace('\t', "\\t")
}

fn suffix(kind: Kind, mode: u32) -> &'static str {
    match kind {
        Kind::Dir => "/",
        Kind::Link => "@",
        Kind::Fifo => "|",
        Kind::Socket => "=",
        Kind::File if mode & 0o111 != 0 => "*",
        _ => "",
    }
}

fn mode(kind: Kind, mode: u32) -> String {
    let mut out = String::from(match kind {
        Kind::Dir => "d",
        Kind::Link => "l",
        Kind::Fifo => "p",
        Kind::Socket => "s",
        Kind::Char => "c",
        Kind::Block => "b",
        Kind::File => "-",
    });
    for shift in [6, 3, 0] {
        let bits = mode >> shift;
        out.push(if bits & 4 != 0 { 'r' } else { '-' });
        out.push(if bits & 2 != 0 { 'w' } else { '-' });
        let special = mode & [0o1000, 0o2000, 0o4000][shift as usize / 3] != 0;
        out.push(match (special, shift, bits & 1 != 0) {
            (true, 0, true) => 't',
            (true, 0, false) => 'T',
            (true, _, true) => 's',
            (true, _, false) => 'S',
            (_, _, true) => 'x',
            _ => '-',
        });
    }
    out
}

fn human(size: u64, base: u64) -> String {
    if size < base {
        return size.to_string();
    }
    let mut value = size as f64;
    let mut unit = ' ';
    for letter in if base == 1000 { "kMGTPE" } else { "KMGTPE" }.chars() {
        if value < base as f64 {
            break;
        }
        value /= base as f64;
        unit = letter;
    }
    if value < 10.0 { format!("{value:.1}{unit}") } else { format!("{value:.0}{unit}") }
}
