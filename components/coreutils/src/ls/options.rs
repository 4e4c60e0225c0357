//! The settings of `ls`.

use super::colors::Colors;
use super::quoting::{self, Quoting};
use super::syntax::QUOTING;
use crate::{sys, text};
use std::ffi::OsString;

/// How names are laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Layout {
    /// One name on each line.
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

impl Layout {
    /// Returns the layout that a word of `--format` names.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "horizontal" => Self::Across,
            "commas" => Self::Commas,
            "verbose" => Self::Long,
            "single-column" => Self::Single,
            _ => Self::Columns,
        }
    }

    /// Returns the layout without options: `vdir` and `dir` have their own.
    fn usual(name: &str, terminal: bool) -> Self {
        match name {
            "vdir" => Self::Long,
            "dir" => Self::Columns,
            _ if terminal => Self::Columns,
            _ => Self::Single,
        }
    }
}

/// The order of names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sort {
    /// The name's bytes.
    Name,
    /// No order.
    None,
    /// Size, largest first.
    Size,
    /// Time, newest first.
    Time,
    /// Numbers in names by value.
    Version,
    /// The text after the last dot.
    Extension,
    /// The columns that the name takes.
    Width,
}

impl Sort {
    /// Returns the order that a word of `--sort` names.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "none" => Self::None,
            "size" => Self::Size,
            "time" => Self::Time,
            "version" => Self::Version,
            "extension" => Self::Extension,
            "width" => Self::Width,
            _ => Self::Name,
        }
    }
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

impl Time {
    /// Returns the time that a word of `--time` names.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "atime" => Self::Accessed,
            "ctime" => Self::Changed,
            _ => Self::Modified,
        }
    }
}

/// Returns the characters that a word of `--indicator-style` appends.
pub(super) fn indicator_of(word: &str) -> &'static str {
    match word {
        "none" => "",
        "slash" => "/",
        "file-type" => "/@|=",
        _ => "*/@|=",
    }
}

/// The settings, with everything decided.
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
    /// Print control characters as `?`.
    pub mask: bool,
    pub dired: bool,
    pub hyperlink: bool,
    /// Columns between tabs; 0 for spaces only.
    pub tab: usize,
    /// Follow links on the command line only if they lead to directories.
    pub follow_to_dir: bool,
    pub human: Option<u64>,
    pub block_size: u64,
    /// The unit that is printed after sizes: with `--block-size=K`, but not with `1K`.
    pub block_suffix: String,
    /// Whether the unit applies to the sizes of `-l` too.
    pub scaled: bool,
    /// `/` (`-p`), `/@|=` (`--file-type`), `*/@|=` (`-F`), or nothing.
    pub indicator: &'static str,
    pub style: Option<String>,
    pub width: usize,
    pub ignore: Vec<String>,
    pub hide: Vec<String>,
}

impl Options {
    /// Returns the settings before any option is read; `args[0]` tells `dir` and `vdir` from `ls`.
    pub(super) fn usual(args: &[OsString]) -> Self {
        let name = text::name(args);
        let terminal = sys::is_terminal(1);
        Self {
            layout: Layout::usual(&name, terminal),
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
            width: std::env::var("COLUMNS")
                .ok()
                .and_then(|c| c.parse().ok())
                .unwrap_or_else(|| if terminal { sys::terminal::window().1 } else { 80 }),
            ignore: Vec::new(),
            hide: Vec::new(),
        }
    }
}
