//! `diff` and `cmp`.

pub(crate) mod cmp;
mod formats;
mod hunks;
mod lines;
mod myers;
mod output;
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
        flag("0123456789", "digits", "so many lines of context"),
        flag("", "suppress-blank-empty", "no blank before empty lines of context"),
        flag("", "ignore-file-name-case", "accepted; changes nothing"),
        flag("", "no-ignore-file-name-case", "accepted; changes nothing"),
    ],
    failure: 2,
    named_hint: true,
    letters: ("", "v"),
    ..Syntax::COMMON
};

/// Which format.
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
    /// The options as they are repeated in front of the differences of a file in a directory.
    shown: String,
    out: std::io::BufWriter<std::fs::File>,
}

/// Run `diff`.
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

/// A name in a header: in quotes, as in C, where a blank or another character would make it ambiguous.
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

/// A word as a shell would need it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "%+,-./:@_^]{}".contains(c);
    wisp_tool::text::quoted_unless(word, plain)
}

fn misuse(message: &str) -> u8 {
    text::complain("diff", format!("{message}\ndiff: Try 'diff --help' for more information."));
    2
}

impl Diff {
    fn new(line: &Line, args: &[OsString]) -> Result<Diff, String> {
        let number = |key: &str| match line.last_text(key) {
            None => Ok(None),
            Some(text) => text.parse().map(Some).map_err(|_| format!("invalid context length '{text}'")),
        };
        let digits: String = line.options.iter().filter(|o| o.key == "digits").filter_map(|o| o.letter).collect();
        let mut context = number("unified")?.or(number("context")?);
        if let Ok(count) = digits.parse() {
            context = Some(count);
        }
        let unified = line.has("u") || line.has("unified");
        let copied = line.has("c") || line.has("context");
        let option = |kind: &str, what: &str| line.last_text(&format!("{kind}-{what}-format"));
        let lines = [0, 1, 2].map(|at| option(formats::KINDS[at], "line").or_else(|| line.last_text("line-format")));
        let groups = formats::KINDS.map(|kind| option(kind, "group"));
        let formats = match line.last_text("ifdef") {
            Some(name) => Some(Formats::conditional(&name)),
            None => (lines.iter().any(Option::is_some) || groups.iter().any(Option::is_some)).then(|| Formats::new(lines, groups)),
        };
        let color = match line.has("color").then(|| line.last_text("color").unwrap_or_else(|| "auto".into())).as_deref() {
            None | Some("never") => false,
            Some("always") => true,
            Some("auto") => sys::is_terminal(1),
            Some(other) => return Err(format!("invalid color '{other}'")),
        };
        let styles = [
            unified,
            copied,
            line.has("ed"),
            line.has("forward-ed"),
            line.has("rcs"),
            line.has("side-by-side"),
            line.has("normal"),
            formats.is_some(),
        ];
        if styles.iter().filter(|given| **given).count() > 1 {
            return Err("conflicting output style options".into());
        }
        let width = line.last_text("width");
        if let Some(width) = width.as_ref().filter(|w| w.parse::<usize>().ok().filter(|n| *n > 0).is_none()) {
            return Err(format!("invalid width '{width}'"));
        }
        let format = match () {
            () if line.has("brief") => Format::Brief,
            () if unified => Format::Unified,
            () if copied => Format::Context,
            () if line.has("ed") => Format::Ed,
            () if line.has("forward-ed") => Format::Forward,
            () if line.has("rcs") => Format::Rcs,
            () if formats.is_some() => Format::Formatted,
            () if line.has("side-by-side") => Format::Side,
            () => Format::Normal,
        };
        let regex = |source: &[u8]| {
            let options = RegexOptions { flavor: Flavor::Basic, fold: false, lines: false, utf8: sys::utf8(), posix: false };
            Regex::new(source, options).map(Rc::new)
        };
        let mut matching = Vec::new();
        let mut exclude = Vec::new();
        let mut labels = Vec::new();
        for given in &line.options {
            let Some(value) = &given.value else { continue };
            match given.key {
                "ignore-matching-lines" => matching.push(regex(sys::bytes(value)).map_err(|e| format!("{}: {e}", text::show(value)))?),
                "exclude" => exclude.push(sys::bytes(value).to_vec()),
                "exclude-from" => {
                    let list = text::slurp(value).map_err(|e| format!("{}: {}", text::show(value), text::reason(&e)))?;
                    exclude.extend(list.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(<[u8]>::to_vec));
                }
                "label" => labels.push(text::show(value)),
                _ => {}
            }
        }
        let function = match line.last("show-function-line") {
            Some(source) => Some(regex(sys::bytes(source)).map_err(|e| format!("{}: {e}", text::show(source)))?),
            None if line.has("show-c-function") => Some(regex(b"^[[:alpha:]$_]")?),
            None => None,
        };
        let shown: Vec<String> = args[1..].iter().filter(|a| !line.operands.contains(a)).map(|a| quoted(&text::show(a))).collect();
        let format = if line.has("show-c-function") && format == Format::Normal { Format::Context } else { format };
        Ok(Diff {
            format,
            context: context.unwrap_or(3),
            labels,
            ignore: Ignore {
                case: line.has("ignore-case"),
                space_change: line.has("ignore-space-change"),
                all_space: line.has("ignore-all-space"),
                trailing_space: line.has("ignore-trailing-space"),
                tabs: line.has("ignore-tab-expansion"),
                blank_lines: line.has("ignore-blank-lines"),
                matching,
                carriage_return: line.has("strip-trailing-cr"),
            },
            identical: line.has("report-identical-files"),
            recursive: line.has("recursive"),
            new_file: line.has("new-file"),
            start: line.last("starting-file").map(OsString::from),
            tab: line.last_text("tabsize").and_then(|w| w.parse().ok()).filter(|w| *w > 0).unwrap_or(8),
            new_first: line.has("unidirectional-new-file"),
            text: line.has("text"),
            minimal: line.has("minimal"),
            exclude,
            function,
            expand: line.has("expand-tabs"),
            initial_tab: line.has("initial-tab"),
            width: width.and_then(|w| w.parse().ok()).unwrap_or(130),
            left_column: line.has("left-column"),
            suppress_blank: line.has("suppress-blank-empty"),
            suppress_common: line.has("suppress-common-lines"),
            formats,
            color,
            shown: shown.join(" "),
            out: text::output(),
        })
    }

    /// The name in a header: a label, or the file and its time.
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

    /// Compare two files; `header` is printed before any difference.
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
        let shows_all = matches!(self.format, Format::Side | Format::Formatted);
        if one == other && !shows_all {
            return if self.identical { self.say(&format!("Files {} and {} are identical", shown[0], shown[1]), 0) } else { 0 };
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
            return if self.identical { self.say(&format!("Files {} and {} are identical", shown[0], shown[1]), 0) } else { 0 };
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
            Some(header) if color => writeln!(self.out, "\x1b[1m{header}\x1b[0m"),
            Some(header) => writeln!(self.out, "{header}"),
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
        // What has no end of line cannot be said to `ed`.
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
        match writeln!(self.out, "{message}") {
            Ok(()) => status,
            Err(_) => 2,
        }
    }
}
