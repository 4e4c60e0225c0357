//! What `ls` was asked for.

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::OsString;

/// How names are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// One a line.
    Single,
    /// `-l` and its relatives.
    Long,
    /// Columns, sorted downwards.
    Columns,
    /// Columns, sorted across.
    Across,
    /// Separated by commas.
    Commas,
}

/// What is sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sort {
    /// The name's bytes.
    Name,
    /// Not at all.
    None,
    /// Size, largest first.
    Size,
    /// Time, newest first.
    Time,
    /// Numbers in names by value.
    Version,
    /// What follows the last dot.
    Extension,
    /// Columns the name takes.
    Width,
}

/// Which time is shown and sorted by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Time {
    /// Last change of contents.
    Modified,
    /// Last change of attributes.
    Changed,
    /// Last access.
    Accessed,
}

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quoting {
    /// As they are.
    Literal,
    /// As they are, control characters as `?`.
    Masked,
    /// Quoted where a shell needs it.
    Shell,
    /// Quoted always.
    ShellAlways,
    /// `"a\nb"`.
    C,
    /// `a\nb`.
    Escape,
}

/// Options of `ls`, resolved.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)]
pub struct Options {
    pub layout: Layout,
    pub sort: Sort,
    pub time: Time,
    pub quoting: Quoting,
    pub all: bool,
    pub dots: bool,
    pub directory: bool,
    pub recursive: bool,
    pub reverse: bool,
    pub inode: bool,
    pub blocks: bool,
    pub numeric: bool,
    pub owner: bool,
    pub group: bool,
    pub follow: bool,
    pub follow_arguments: bool,
    pub directories_first: bool,
    pub color: bool,
    pub zero: bool,
    pub human: Option<u64>,
    pub block_size: u64,
    /// The unit printed after sizes: `--block-size=K` has one, `1K` has not.
    pub block_suffix: String,
    /// Whether `--block-size` scales the sizes of `-l` too.
    pub scaled: bool,
    /// `/` (`-p`), `/@|=` (`--file-type`), `*/@|=` (`-F`), or nothing.
    pub indicator: &'static str,
    pub style: Option<String>,
    pub width: usize,
    pub ignore: Vec<String>,
    pub hide: Vec<String>,
}

const OPTIONS: &[Opt] = &[
    flag("a", "all", "list names that start with . too"),
    flag("", "author", "print the owner as the author too"),
    flag("A", "almost-all", "as -a, without . and .."),
    flag("B", "ignore-backups", "leave out names that end with ~"),
    flag("b", "escape", "C-style escapes for control characters"),
    value("", "block-size", "scale sizes by VALUE"),
    flag("c", "", "show and sort by the time of the last status change"),
    flag("C", "", "list in columns"),
    maybe("", "color", "colors: always, auto or never"),
    flag("d", "directory", "list directories themselves, not what is in them"),
    flag("D", "dired", ""),
    flag("f", "", "all, unsorted"),
    maybe("F", "classify", "append one of */=>@| to names"),
    flag("", "file-type", "as -F, without *"),
    value("", "format", "across -x, commas -m, long -l, single-column -1, vertical -C"),
    flag("", "full-time", "-l with full times"),
    flag("g", "", "as -l, without owner"),
    flag("", "group-directories-first", "directories before files"),
    flag("G", "no-group", "no group in -l"),
    flag("h", "human-readable", "sizes such as 1K 234M 2G"),
    flag("", "si", "as -h, powers of 1000"),
    flag("H", "dereference-command-line", "follow symbolic links given as arguments"),
    flag("", "dereference-command-line-symlink-to-dir", ""),
    value("", "hide", "leave out names that match VALUE, unless -a or -A"),
    maybe("", "hyperlink", ""),
    value("", "indicator-style", "none, slash (-p), file-type, classify (-F)"),
    flag("i", "inode", "print inode numbers"),
    value("I", "ignore", "leave out names that match VALUE"),
    flag("k", "kibibytes", "blocks of 1024 bytes for -s"),
    flag("l", "", "long format"),
    flag("L", "dereference", "facts about what a symbolic link points to"),
    flag("m", "", "separated by commas"),
    flag("n", "numeric-uid-gid", "as -l, with numbers for owner and group"),
    flag("N", "literal", "names as they are"),
    flag("o", "", "as -l, without group"),
    flag("p", "", "append / to directories"),
    flag("q", "hide-control-chars", "? for control characters"),
    flag("", "show-control-chars", ""),
    flag("Q", "quote-name", "names in double quotes"),
    value("", "quoting-style", "literal, shell, shell-always, shell-escape, c, escape"),
    flag("r", "reverse", "reverse the order"),
    flag("R", "recursive", "list subdirectories too"),
    flag("s", "size", "print the size of each file in blocks"),
    flag("S", "", "largest first"),
    value("", "sort", "none, size, time, version, extension, width, name"),
    value("", "time", "atime, ctime, mtime"),
    value("", "time-style", "full-iso, long-iso, iso, locale, +FORMAT"),
    flag("t", "", "newest first"),
    value("T", "tabsize", ""),
    flag("u", "", "show and sort by the time of the last access"),
    flag("U", "", "unsorted"),
    flag("v", "", "sort numbers in names by value"),
    value("w", "width", "columns of the output"),
    flag("x", "", "columns, sorted across"),
    flag("X", "", "sort by extension"),
    flag("Z", "context", ""),
    flag("", "zero", "end lines with NUL"),
    flag("1", "", "one name a line"),
];

const WHEN: &[&[&str]] = &[&["always", "yes", "force"], &["never", "no", "none"], &["auto", "tty", "if-tty"]];
const QUOTING: &[&[&str]] = &[
    &["literal"],
    &["shell"],
    &["shell-always"],
    &["shell-escape"],
    &["shell-escape-always"],
    &["c"],
    &["c-maybe"],
    &["escape"],
    &["locale"],
    &["clocale"],
];
const TIMES: &[&[&str]] = &[&["atime", "access", "use"], &["ctime", "status"], &["mtime", "modification"], &["birth", "creation"]];
const FORMATS: &[&[&str]] = &[&["verbose", "long"], &["commas"], &["horizontal", "across"], &["vertical"], &["single-column"]];
const INDICATORS: &[&[&str]] = &[&["none"], &["slash"], &["file-type"], &["classify"]];
const SORTS: &[&[&str]] = &[&["none"], &["size"], &["time"], &["version"], &["extension"], &["width"], &["name"]];

/// The command line.
pub const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "List the FILEs (the current directory by default), sorted by name.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};

impl Options {
    /// Resolve the command line; `args[0]` tells `dir` and `vdir`.
    pub fn read(args: &[OsString], line: &Line) -> Result<Options, u8> {
        let name = text::name(args);
        let terminal = sys::is_terminal(1);
        let mut o = Options {
            layout: if name == "vdir" {
                Layout::Long
            } else if name == "dir" || terminal {
                Layout::Columns
            } else {
                Layout::Single
            },
            sort: Sort::Name,
            time: Time::Modified,
            quoting: if name != "ls" {
                Quoting::Escape
            } else if terminal {
                Quoting::Shell
            } else {
                Quoting::Literal
            },
            all: false,
            dots: false,
            directory: false,
            recursive: false,
            reverse: false,
            inode: false,
            blocks: false,
            numeric: false,
            owner: true,
            group: true,
            follow: false,
            follow_arguments: false,
            directories_first: false,
            color: false,
            zero: false,
            human: None,
            block_size: if std::env::var_os("POSIXLY_CORRECT").is_some() { 512 } else { 1024 },
            block_suffix: String::new(),
            scaled: false,
            indicator: "",
            style: std::env::var("TIME_STYLE").ok().filter(|s| !s.is_empty()),
            width: std::env::var("COLUMNS").ok().and_then(|c| c.parse().ok()).unwrap_or(80),
            ignore: Vec::new(),
            hide: Vec::new(),
        };
        let (mut sort, mut one, mut backups) = (None, false, false);
        for given in &line.options {
            let value = given.text();
            let word = |groups| SYNTAX.word(args, &format!("--{}", given.key), &value, groups);
            let when = || {
                let word = if value.is_empty() { "always" } else { word(WHEN)? };
                Ok::<bool, u8>(word == "always" || (word == "auto" && terminal))
            };
            match given.key {
                "all" => (o.all, o.dots) = (true, true),
                "almost-all" => (o.all, o.dots) = (true, false),
                "ignore-backups" => backups = true,
                "escape" => o.quoting = Quoting::Escape,
                "literal" => o.quoting = Quoting::Literal,
                "quote-name" => o.quoting = Quoting::C,
                "hide-control-chars" => o.quoting = Quoting::Masked,
                "quoting-style" => {
                    o.quoting = match word(QUOTING)? {
                        "literal" => Quoting::Literal,
                        "shell" | "shell-escape" => Quoting::Shell,
                        "shell-always" | "shell-escape-always" => Quoting::ShellAlways,
                        "c" | "c-maybe" | "locale" | "clocale" => Quoting::C,
                        _ => Quoting::Escape,
                    }
                }
                "block-size" => match value.as_str() {
                    "human-readable" => o.human = Some(1024),
                    "si" => o.human = Some(1000),
                    _ => {
                        o.block_size = text::size(&value).filter(|s| *s > 0).ok_or_else(|| invalid(args, &value, given.key))?;
                        o.scaled = true;
                        o.block_suffix = if value.starts_with(|c: char| c.is_ascii_digit()) { String::new() } else { value };
                    }
                },
                "c" => o.time = Time::Changed,
                "u" => o.time = Time::Accessed,
                "time" => {
                    o.time = match word(TIMES)? {
                        "atime" => Time::Accessed,
                        "ctime" => Time::Changed,
                        _ => Time::Modified,
                    }
                }
                "C" => o.layout = Layout::Columns,
                "x" => o.layout = Layout::Across,
                "m" => o.layout = Layout::Commas,
                "l" => o.layout = Layout::Long,
                "1" => one = true,
                "format" => {
                    o.layout = match word(FORMATS)? {
                        "horizontal" => Layout::Across,
                        "commas" => Layout::Commas,
                        "verbose" => Layout::Long,
                        "single-column" => Layout::Single,
                        _ => Layout::Columns,
                    }
                }
                "color" => o.color = when()?,
                "directory" => o.directory = true,
                "f" => (o.all, o.dots, sort) = (true, true, Some(Sort::None)),
                "classify" => o.indicator = if when()? { "*/@|=" } else { "" },
                "file-type" => o.indicator = "/@|=",
                "p" => o.indicator = "/",
                "indicator-style" => {
                    o.indicator = match word(INDICATORS)? {
                        "none" => "",
                        "slash" => "/",
                        "file-type" => "/@|=",
                        _ => "*/@|=",
                    }
                }
                "full-time" => (o.layout, o.style) = (Layout::Long, Some("full-iso".into())),
                "g" => (o.layout, o.owner) = (Layout::Long, false),
                "o" => (o.layout, o.group) = (Layout::Long, false),
                "no-group" => o.group = false,
                "numeric-uid-gid" => (o.layout, o.numeric) = (Layout::Long, true),
                "group-directories-first" => o.directories_first = true,
                "human-readable" => o.human = Some(1024),
                "si" => o.human = Some(1000),
                "dereference-command-line" | "dereference-command-line-symlink-to-dir" => o.follow_arguments = true,
                "hide" => o.hide.push(value),
                "ignore" => o.ignore.push(value),
                "inode" => o.inode = true,
                "kibibytes" => o.block_size = 1024,
                "dereference" => o.follow = true,
                "reverse" => o.reverse = true,
                "recursive" => o.recursive = true,
                "size" => o.blocks = true,
                "S" => sort = Some(Sort::Size),
                "t" => sort = Some(Sort::Time),
                "U" => sort = Some(Sort::None),
                "v" => sort = Some(Sort::Version),
                "X" => sort = Some(Sort::Extension),
                "sort" => {
                    sort = Some(match word(SORTS)? {
                        "none" => Sort::None,
                        "size" => Sort::Size,
                        "time" => Sort::Time,
                        "version" => Sort::Version,
                        "extension" => Sort::Extension,
                        "width" => Sort::Width,
                        _ => Sort::Name,
                    })
                }
                "time-style" => o.style = Some(value),
                "width" => {
                    o.width = value.parse().map_err(|_| {
                        text::complain(&text::name(args), format!("invalid line width: {}", text::quote(&value)));
                        2u8
                    })?;
                }
                "zero" => (o.zero, one, o.quoting, o.color) = (true, true, Quoting::Literal, false),
                _ => {}
            }
        }
        // GNU: without LS_COLORS a terminal that knows no colors gets none, even for `always`.
        let set = |name| std::env::var_os(name).is_some_and(|v| !v.is_empty());
        if !set("LS_COLORS") && !set("COLORTERM") && std::env::var("TERM").map_or(true, |t| t.is_empty() || t == "dumb") {
            o.color = false;
        }
        if one && o.layout != Layout::Long {
            o.layout = Layout::Single;
        }
        // `ls -u` alone sorts by that time, `ls -lu` only shows it.
        let by_time = o.time != Time::Modified && o.layout != Layout::Long;
        o.sort = sort.unwrap_or(if by_time { Sort::Time } else { Sort::Name });
        if backups {
            o.ignore.extend(["*~".to_owned(), ".*~".to_owned()]);
        }
        Ok(o)
    }
}

fn invalid(args: &[OsString], value: &str, option: &str) -> u8 {
    SYNTAX.misuse(args, &format!("invalid argument {} for '--{option}'", text::quote(value)))
}
