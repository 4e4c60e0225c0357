//! The command line of `ls`: its options and the words that they take.

use crate::options::{Opt, Syntax, flag, maybe, maybe_long, value};

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

pub(super) const WHEN: &[&[&str]] = &[&["always", "yes", "force"], &["never", "no", "none"], &["auto", "tty", "if-tty"]];
pub(super) const QUOTING: &[&[&str]] = &[
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
pub(super) const TIMES: &[&[&str]] =
    &[&["atime", "access", "use"], &["ctime", "status"], &["mtime", "modification"], &["birth", "creation"]];
pub(super) const FORMATS: &[&[&str]] = &[&["verbose", "long"], &["commas"], &["horizontal", "across"], &["vertical"], &["single-column"]];
pub(super) const INDICATORS: &[&[&str]] = &[&["none"], &["slash"], &["file-type"], &["classify"]];
pub(super) const SORTS: &[&[&str]] = &[&["none"], &["size"], &["time"], &["version"], &["extension"], &["width"], &["name"]];

/// The command line.
pub(super) const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "List the FILEs (the current directory by default), sorted by name.",
    options: OPTIONS,
    failure: 2,
    ..Syntax::COMMON
};
