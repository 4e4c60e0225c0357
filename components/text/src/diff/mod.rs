//! `diff` and `cmp`.

pub(crate) mod cmp;
mod formats;
mod hunks;
mod lines;
mod myers;
mod output;
mod settings;
mod tree;

use crate::options::{Line, Syntax, flag, maybe, value};
use crate::regex::{Flavor, Options as RegexOptions, Regex};
use crate::{sys, text};
use formats::Formats;
use lines::{Ignore, Text};
use output::Style;
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::path::Path;
use std::rc::Rc;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... FILES",
    about: "Compare FILES line by line.",
    options: &[
        flag("", "normal", "output a normal diff (the default)"),
        flag("q", "brief", "report only when files differ"),
        flag("s", "report-identical-files", "report when two files are the same"),
        flag("c", "", "output 3 lines of copied context"),
        value("C", "context", "output VALUE lines of copied context"),
        flag("u", "", "output 3 lines of unified context"),
        value("U", "unified", "output VALUE lines of unified context"),
        flag("n", "rcs", "output an RCS format diff"),
        value("D", "ifdef", "output both files with #ifdef VALUE around the differences"),
        value("", "line-format", "format all lines with VALUE"),
        value("", "old-line-format", "format lines only in the first file with VALUE"),
        value("", "new-line-format", "format lines only in the second file with VALUE"),
        value("", "unchanged-line-format", "format lines in both files with VALUE"),
        value("", "old-group-format", "format groups of such lines with VALUE"),
        value("", "new-group-format", "the same for lines only in the second file"),
        value("", "unchanged-group-format", "the same for lines in both files"),
        value("", "changed-group-format", "the same for changed lines"),
        flag("e", "ed", "output an ed script"),
        flag("f", "forward-ed", "like -e, from the start to the end; no ed reads it"),
        flag("y", "side-by-side", "output in two columns"),
        value("W", "width", "output at most VALUE columns"),
        flag("", "left-column", "output only the left column of common lines"),
        flag("", "suppress-common-lines", "do not output common lines"),
        flag("p", "show-c-function", "show which C function each change is in"),
        value("F", "show-function-line", "show the most recent line matching VALUE"),
        value("L", "label", "use VALUE instead of a file name"),
        flag("t", "expand-tabs", "expand tabs to spaces in output"),
        value("", "tabsize", "tab stops every VALUE columns (8)"),
        flag("T", "initial-tab", "make tabs line up by prepending a tab"),
        flag("r", "recursive", "recursively compare any subdirectories found"),
        flag("", "no-dereference", "do not follow symbolic links"),
        flag("N", "new-file", "treat absent files as empty"),
        flag("P", "unidirectional-new-file", "treat absent first files as empty"),
        value("S", "starting-file", "start with VALUE when comparing directories"),
        value("", "from-file", "compare VALUE to all operands"),
        value("", "to-file", "compare all operands to VALUE"),
        value("x", "exclude", "exclude files that match VALUE"),
        value("X", "exclude-from", "exclude files that match any pattern in this file"),
        flag("i", "ignore-case", "ignore case differences in file contents"),
        flag("E", "ignore-tab-expansion", "ignore changes due to tab expansion"),
        flag("Z", "ignore-trailing-space", "ignore white space at line end"),
        flag("b", "ignore-space-change", "ignore changes in the amount of white space"),
        flag("w", "ignore-all-space", "ignore all white space"),
        flag("B", "ignore-blank-lines", "ignore changes where lines are all blank"),
        value("I", "ignore-matching-lines", "ignore changes where all lines match VALUE"),
        flag("a", "text", "treat all files as text"),
        flag("", "strip-trailing-cr", "strip trailing carriage return on input"),
        flag("d", "minimal", "try hard to find a smaller set of changes"),
        flag("H", "speed-large-files", "accepted; large files are compared as fast anyway"),
        value("", "horizon-lines", "accepted; changes nothing"),
        maybe("", "color", "color the output: never, always or auto"),
        value("", "palette", "accepted; the colors are the usual ones"),
        flag("0123456789", "digits", "output this many lines of context"),
        flag("", "suppress-blank-empty", "no blank before empty lines of context"),
        flag("", "ignore-file-name-case", "accepted; changes nothing"),
        flag("", "no-ignore-file-name-case", "accepted; changes nothing"),
    ],
    failure: 2,
    named_hint: true,
    letters: ("", "v"),
    ..Syntax::COMMON
};

/// The format of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Normal,
    Unified,
    Context,
    Ed,
    Forward,
    Rcs,
    Formatted,
    Side,
    Brief,
}

/// A comparison.
pub(crate) struct Diff {
    format: Format,
    context: usize,
    labels: Vec<String>,
    ignore: Ignore,
    identical: bool,
    recursive: bool,
    new_file: bool,
    new_first: bool,
    start: Option<OsString>,
    tab: usize,
    text: bool,
    minimal: bool,
    exclude: Vec<Vec<u8>>,
    function: Option<Rc<Regex>>,
    expand: bool,
    initial_tab: bool,
    width: usize,
    left_column: bool,
    suppress_blank: bool,
    suppress_common: bool,
    formats: Option<Formats>,
    color: bool,
    /// The options, which are repeated before the differences of each file in a directory.
    shown: String,
    out: std::io::BufWriter<std::fs::File>,
}

/// Runs `diff`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let common = line.last("from-file").map(|f| (f, true)).or(line.last("to-file").map(|f| (f, false)));
    match line.operands.len() {
        2 => {}
        1.. if common.is_some() => {}
        0 | 1 => return misuse(&format!("missing operand after '{}'", args.last().map(text::show).unwrap_or_default())),
        _ => return misuse(&format!("extra operand '{}'", text::show(&line.operands[2]))),
    }
    let mut diff = match Diff::new(&line, args) {
        Ok(diff) => diff,
        Err(message) => return misuse(&message),
    };
    let status = match common {
        None => diff.files(&line.operands[0], &line.operands[1]),
        Some((file, first)) => {
            let pair = |name: &OsString| if first { (file.to_owned(), name.clone()) } else { (name.clone(), file.to_owned()) };
            line.operands.iter().map(pair).map(|(a, b)| diff.files(&a, &b)).max().unwrap_or(0)
        }
    };
    match diff.out.flush() {
        Ok(()) => status,
        Err(error) => {
            text::complain("diff", format!("standard output: {}", text::reason(&error)));
            2
        }
    }
}

/// Returns a name in a header, quoted as in C if a blank or another character would make it ambiguous.
fn header_name(name: &OsStr) -> String {
    let bytes = sys::bytes(name);
    if bytes.iter().all(|b| b.is_ascii_graphic() && !matches!(b, b'"' | b'\\')) {
        return text::show(name);
    }
    let mut out = String::from("\"");
    for b in bytes {
        match b {
            b'"' | b'\\' => out.extend(['\\', char::from(*b)]),
            7..=13 => out.extend(['\\', char::from(b"abtnvfr"[usize::from(*b - 7)])]),
            b' '..=b'~' => out.push(char::from(*b)),
            _ => out += &format!("\\{b:03o}"),
        }
    }
    out + "\""
}

fn regex(source: &[u8]) -> Result<Rc<Regex>, String> {
    let options = RegexOptions { flavor: Flavor::Basic, fold: false, lines: false, utf8: sys::utf8(), posix: false };
    Regex::new(source, options).map(Rc::new)
}

fn misuse(message: &str) -> u8 {
    text::complain("diff", format!("{message}\ndiff: Try 'diff --help' for more information."));
    2
}

impl Diff {
    /// Returns the name in a header: a label, or the file and its time.
    fn label(&self, which: usize, name: &OsStr) -> String {
        if let Some(label) = self.labels.get(which) {
            return label.clone();
        }
        let time =
            if name == "-" { Some(jiff::Timestamp::now().as_nanosecond()) } else { sys::stat(Path::new(name), true).ok().map(|s| s.mtime) };
        let stamp = jiff::Timestamp::from_nanosecond(time.unwrap_or(0)).unwrap_or_default();
        let time = stamp.to_zoned(crate::awk::zone());
        format!("{}\t{}", header_name(name), time.strftime("%Y-%m-%d %H:%M:%S.%9f %z"))
    }

    /// Returns whether the output shows files that do not differ.
    fn shows_all(&self) -> bool {
        matches!(self.format, Format::Side | Format::Formatted)
    }

    /// Reports two files that do not differ.
    fn alike(&mut self, shown: [String; 2]) -> u8 {
        if self.identical { self.say(&format!("Files {} and {} are identical", shown[0], shown[1]), 0) } else { 0 }
    }

    /// Compares two files; `header` is printed before any difference.
    fn contents(&mut self, names: [&OsStr; 2], there: [bool; 2], header: Option<&str>) -> u8 {
        let mut contents = Vec::new();
        for (name, there) in names.iter().zip(there) {
            if !there {
                contents.push(Vec::new());
                continue;
            }
            match text::slurp(name) {
                Ok(bytes) => contents.push(bytes),
                Err(error) => {
                    text::complain("diff", format!("{}: {}", text::show(name), text::reason(&error)));
                    return 2;
                }
            }
        }
        let (one, other) = (&contents[0], &contents[1]);
        let shown = [text::show(names[0]), text::show(names[1])];
        let shows_all = self.shows_all();
        if one == other && !shows_all {
            return self.alike(shown);
        }
        let binary = |bytes: &[u8]| !self.text && bytes[..bytes.len().min(32 * 1024)].contains(&0);
        if binary(one) || binary(other) {
            let what = if self.format == Format::Brief { "Files" } else { "Binary files" };
            return self.say(&format!("{what} {} and {} differ", shown[0], shown[1]), 1);
        }
        let (a, b) = (Text::new(one, self.ignore.carriage_return), Text::new(other, self.ignore.carriage_return));
        let (classes_a, classes_b, count) = lines::classes(&a, &b, &self.ignore);
        let marks = myers::compare(&classes_a, &classes_b, count, self.minimal);
        let changes = hunks::changes(&marks, &a, &b, &self.ignore);
        let differ = changes.iter().any(|c| !c.ignored);
        if self.format == Format::Brief {
            return if differ { self.say(&format!("Files {} and {} differ", shown[0], shown[1]), 1) } else { 0 };
        }
        if !differ && !shows_all {
            return self.alike(shown);
        }
        let epoch = |which: usize| {
            if there[which] {
                self.label(which, names[which])
            } else {
                format!("{}\t1970-01-01 00:00:00.000000000 +0000", header_name(names[which]))
            }
        };
        let style = Style {
            context: self.context,
            labels: [epoch(0), epoch(1)],
            function: self.function.clone(),
            expand: self.expand,
            tab: self.tab,
            initial_tab: self.initial_tab,
            width: self.width,
            left_column: self.left_column,
            suppress_blank: self.suppress_blank,
            suppress_common: self.suppress_common,
            color: self.color,
        };
        let mut plain = Vec::new();
        let color = self.color && matches!(self.format, Format::Normal | Format::Unified | Format::Context | Format::Side);
        let mut written = match header {
            Some(header) if color => self.out.write_all(&text::written(&format!("\x1b[1m{header}\x1b[0m\n"))),
            Some(header) => self.out.write_all(&text::written(&format!("{header}\n"))),
            None => Ok(()),
        };
        let out: &mut dyn Write = if color { &mut plain } else { &mut self.out };
        written = written.and_then(|()| match self.format {
            Format::Unified => output::unified(out, &style, &a, &b, &changes),
            Format::Context => output::context(out, &style, &a, &b, &changes),
            Format::Ed => output::ed(out, &b, &changes),
            Format::Forward => output::forward(out, &b, &changes),
            Format::Rcs => formats::rcs(out, &b, &changes),
            Format::Formatted => match &self.formats {
                Some(formats) => formats::formatted(out, formats, &a, &b, &changes),
                None => Ok(()),
            },
            Format::Side => output::side_by_side(out, &style, &a, &b, &changes),
            Format::Normal | Format::Brief => output::normal(out, &style, &a, &b, &changes),
        });
        if color {
            let side = self.format == Format::Side;
            written = written.and_then(|()| if side { self.out.write_all(&plain) } else { formats::color(&mut self.out, &plain) });
        }
        // `ed` has no way to write a line without its end.
        let script = matches!(self.format, Format::Ed | Format::Forward) && differ;
        let mut trouble = false;
        for (which, _) in [&a, &b].into_iter().enumerate().filter(|(_, text)| script && text.unfinished) {
            text::complain("diff", format!("{}: No newline at end of file\n", shown[which]));
            trouble = true;
        }
        match written {
            Ok(()) if trouble => 2,
            Ok(()) => u8::from(differ),
            Err(error) => {
                text::complain("diff", format!("write failed: {}", text::reason(&error)));
                2
            }
        }
    }

    fn say(&mut self, message: &str, status: u8) -> u8 {
        match self.out.write_all(&text::written(&format!("{message}\n"))) {
            Ok(()) => status,
            Err(_) => 2,
        }
    }
}
