//! What `ls` was asked for.

use super::colors::{self, Colors};
use super::quoting::{self, Quoting};
use crate::options::{Line, Opt, Syntax, flag, maybe, maybe_long, value};
use crate::{sys, text};
use std::ffi::OsString;

/// How names are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
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
pub(super) enum Sort {
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
pub(super) enum Time {
    /// Last change of contents.
    Modified,
    /// Last change of attributes.
    Changed,
    /// Last access.
    Accessed,
}

/// Options of `ls`, resolved.
#[derive(Debug, Clone)]
#[allow(clippy::struct_excessive_bools)]
pub(super) struct Options {
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
    /// The colors, if names have some.
    pub colors: Option<Colors>,
    pub zero: bool,
    pub author: bool,
    /// Control characters as `?`.
    pub mask: bool,
    pub dired: bool,
    pub hyperlink: bool,
    /// Columns between tabs, 0 for spaces only.
    pub tab: usize,
    /// Only links to directories are followed on the command line.
    pub follow_to_dir: bool,
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
    flag("D", "dired", "-l, with the places of the names at the end, for Emacs"),
    flag("f", "", "all, unsorted"),
    maybe_long("F", "classify", "append one of */=>@| to names"),
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
    maybe("", "hyperlink", "names as links that terminals follow: always, auto or never"),
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
    value("T", "tabsize", "tabs every VALUE columns instead of 8"),
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
pub(super) const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "List the FILEs (the current directory by default), sorted by name.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};

impl Options {
    /// Resolve the command line; `args[0]` tells `dir` and `vdir`.
    pub(super) fn read(args: &[OsString], line: &Line) -> Result<Options, u8> {
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
            quoting: match quoting::default(args, QUOTING) {
                Some(quoting) => quoting,
                None if name != "ls" => Quoting::Escape,
                None if terminal => Quoting::ShellEscape,
                None => Quoting::Literal,
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
            colors: None,
            zero: false,
            author: false,
            mask: terminal && name == "ls",
            dired: false,
            hyperlink: false,
            tab: 8,
            follow_to_dir: false,
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
        let (mut sort, mut one, mut backups, mut long, mut color, mut sized) = (None, false, false, false, false, false);
        if let Some((name, value)) =
            ["LS_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"].iter().find_map(|n| std::env::var(n).ok().map(|v| (*n, v)))
        {
            // What is wrong there counts for nothing; BLOCKSIZE is not about the sizes of -l.
            let _ = o.block_size_of(&value).map(|()| o.scaled &= name != "BLOCKSIZE");
            sized = true;
        }
        for given in &line.options {
            let value = given.text();
            // A word that is wrong ends with 1, other wrong options with 2.
            let word = |groups| SYNTAX.word(args, &format!("--{}", given.key), &value, groups).map_err(|_| 1u8);
            let when = || {
                let word = if given.value.is_none() { "always" } else { word(WHEN)? };
                Ok::<bool, u8>(word == "always" || (word == "auto" && terminal))
            };
            match given.key {
                "all" => (o.all, o.dots) = (true, true),
                "almost-all" => (o.all, o.dots) = (true, false),
                "ignore-backups" => backups = true,
                "escape" => o.quoting = Quoting::Escape,
                "literal" => o.quoting = Quoting::Literal,
                "quote-name" => o.quoting = Quoting::C,
                "author" => o.author = true,
                "hide-control-chars" => o.mask = true,
                "show-control-chars" => o.mask = false,
                "quoting-style" => {
                    o.quoting = Quoting::of(word(QUOTING)?);
                }
                "block-size" => {
                    o.block_size_of(&value).map_err(|suffix| invalid(args, &value, suffix))?;
                    sized = true;
                }
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
                "l" => (o.layout, long) = (Layout::Long, true),
                "dired" => (o.layout, o.dired, o.hyperlink, long) = (Layout::Long, true, false, true),
                "hyperlink" => o.hyperlink = when()?,
                "tabsize" => o.tab = tab_of(args, &value)?,
                "1" => one = true,
                "format" => {
                    long = false;
                    o.layout = match word(FORMATS)? {
                        "horizontal" => Layout::Across,
                        "commas" => Layout::Commas,
                        "verbose" => {
                            long = true;
                            Layout::Long
                        }
                        "single-column" => Layout::Single,
                        _ => Layout::Columns,
                    }
                }
                "color" => color = when()?,
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
                "full-time" => (o.layout, o.style, long) = (Layout::Long, Some("full-iso".into()), true),
                "g" => (o.layout, o.owner, long) = (Layout::Long, false, true),
                "o" => (o.layout, o.group, long) = (Layout::Long, false, true),
                "no-group" => o.group = false,
                "numeric-uid-gid" => (o.layout, o.numeric, long) = (Layout::Long, true, true),
                "group-directories-first" => o.directories_first = true,
                "human-readable" => (o.human, sized) = (Some(1024), true),
                "si" => (o.human, sized) = (Some(1000), true),
                "dereference-command-line" => (o.follow_arguments, o.follow_to_dir) = (true, false),
                "dereference-command-line-symlink-to-dir" => o.follow_to_dir = true,
                "hide" => o.hide.push(value),
                "ignore" => o.ignore.push(value),
                "inode" => o.inode = true,
                "kibibytes" if !sized => o.block_size = 1024,
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
                    });
                }
                "time-style" => o.style = Some(value),
                "width" => {
                    o.width = columns(&value).ok_or_else(|| {
                        text::complain(&text::name(args), format!("invalid line width: {}", text::quote(&value)));
                        2u8
                    })?;
                }
                "zero" => (o.zero, one, o.quoting, color, o.mask) = (true, true, Quoting::Literal, false, false),
                _ => {}
            }
        }
        if color {
            o.colors = colors::of_environment(args);
        }
        o.dired &= o.layout == Layout::Long && !o.hyperlink;
        if o.dired && o.zero {
            text::complain(&name, "--dired and --zero are incompatible");
            return Err(2);
        }
        if one && !long {
            o.layout = Layout::Single;
        }
        if o.layout == Layout::Long {
            o.check_style(args)?;
        }
        // `ls -u` alone sorts by that time, `ls -lu` only shows it.
        let by_time = o.time != Time::Modified && o.layout != Layout::Long;
        o.sort = sort.unwrap_or(if by_time { Sort::Time } else { Sort::Name });
        if backups {
            o.ignore.extend(["*~".to_owned(), ".*~".to_owned()]);
        }
        Ok(o)
    }

    /// `--block-size`, or a variable like it.
    ///
    /// # Errors
    /// Whether it is the suffix that is wrong.
    fn block_size_of(&mut self, value: &str) -> Result<(), bool> {
        match value {
            "human-readable" => self.human = Some(1024),
            "si" => self.human = Some(1000),
            _ => {
                let digits = value.starts_with(|c: char| c.is_ascii_digit());
                self.block_size = text::size(value).filter(|s| *s > 0).ok_or(digits && text::size(value).is_none())?;
                self.block_suffix = if digits { String::new() } else { value.to_owned() };
                (self.human, self.scaled) = (None, true);
            }
        }
        Ok(())
    }

    /// The style of times: a wrong one is only looked at where times are shown.
    fn check_style(&mut self, args: &[OsString]) -> Result<(), u8> {
        const STYLES: [&str; 4] = ["full-iso", "long-iso", "iso", "locale"];
        let Some(style) = self.style.clone().filter(|s| !s.starts_with('+')) else { return Ok(()) };
        let locale = ["LC_ALL", "LC_TIME", "LANG"].iter().find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()));
        let posix = locale.is_none_or(|l| l == "C" || l == "POSIX");
        let bare = match style.strip_prefix("posix-") {
            Some(_) if posix => "locale",
            Some(rest) => rest,
            None => &style,
        };
        if let Some(known) = STYLES.iter().find(|s| **s == bare).or_else(|| STYLES.iter().find(|s| !bare.is_empty() && s.starts_with(bare)))
        {
            self.style = Some((*known).to_owned());
            return Ok(());
        }
        let list: String = STYLES.iter().map(|s| format!("\n  - [posix-]{s}")).collect();
        let message = format!(
            "invalid argument {} for 'time style'\nValid arguments are:{list}\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format",
            text::quote(&style)
        );
        Err(SYNTAX.misuse(args, &message))
    }
}

/// A number as C has it: `8`, `010`, `0x8`.
fn tab_of(args: &[OsString], value: &str) -> Result<usize, u8> {
    let number = match value.strip_prefix("0x").or_else(|| value.strip_prefix("0X")) {
        Some(hex) => usize::from_str_radix(hex, 16),
        None if value.len() > 1 && value.starts_with('0') => usize::from_str_radix(value, 8),
        None => value.parse(),
    };
    number.map_err(|_| {
        text::complain(&text::name(args), format!("invalid tab size: {}", text::quote(value)));
        2
    })
}

fn invalid(args: &[OsString], value: &str, suffix: bool) -> u8 {
    let what = if suffix { "invalid suffix in" } else { "invalid" };
    text::complain(&text::name(args), format!("{what} --block-size argument {}", text::quote(value)));
    2
}

/// A width: octal and hexadecimal as in C, and what is too large is as good as none.
fn columns(text: &str) -> Option<usize> {
    let (digits, base) = match (text.strip_prefix("0x").or(text.strip_prefix("0X")), text.strip_prefix('0')) {
        (Some(hex), _) => (hex, 16),
        (None, Some(octal)) if !octal.is_empty() => (octal, 8),
        _ => (text, 10),
    };
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(base)) {
        return None;
    }
    Some(usize::from_str_radix(digits, base).unwrap_or(0))
}
