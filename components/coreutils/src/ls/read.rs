//! Reading the options of `ls`.

use super::colors;
use super::options::{Layout, Options, Sort, Time, indicator_of};
use super::quoting::Quoting;
use super::syntax::{FORMATS, INDICATORS, QUOTING, SORTS, SYNTAX, TIMES, WHEN};
use crate::options::{Given, Line};
use crate::{sys, text};
use std::ffi::OsString;

/// Reads the settings that the command line and the environment ask for.
pub(super) fn read(args: &[OsString], line: &Line) -> Result<Options, u8> {
    let mut reading = Reading::new(args);
    reading.environment();
    for given in &line.options {
        reading.option(given)?;
    }
    reading.finish()
}

/// The options read so far, and those whose effect depends on options that may still follow.
struct Reading<'a> {
    args: &'a [OsString],
    terminal: bool,
    options: Options,
    /// What `--sort` or a letter such as `-t` asks for.
    sort: Option<Sort>,
    /// `-1` or `--zero`: one name a line, unless the format is long.
    single: bool,
    /// The last option about the format asks for the long one.
    long: bool,
    /// `-B`.
    backups: bool,
    color: bool,
    /// An option or a variable names the unit of sizes, so `-k` does not.
    sized: bool,
}

impl<'a> Reading<'a> {
    fn new(args: &'a [OsString]) -> Self {
        let terminal = sys::is_terminal(1);
        let options = Options::usual(args);
        Self { args, terminal, options, sort: None, single: false, long: false, backups: false, color: false, sized: false }
    }

    /// Reads the unit of sizes that a variable names. A wrong unit has no effect; `BLOCKSIZE` is not about the sizes of `-l`.
    fn environment(&mut self) {
        let variable = |name: &&'static str| std::env::var(name).ok().map(|value| (*name, value));
        if let Some((name, value)) = ["LS_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"].iter().find_map(variable) {
            if self.block_size(&value).is_ok() {
                self.options.scaled &= name != "BLOCKSIZE";
            }
            self.sized = true;
        }
    }

    fn option(&mut self, given: &Given) -> Result<(), u8> {
        let value = given.text();
        let o = &mut self.options;
        match given.key {
            "all" => (o.all, o.dots) = (true, true),
            "almost-all" => (o.all, o.dots) = (true, false),
            "ignore-backups" => self.backups = true,
            "escape" => o.quoting = Quoting::Escape,
            "literal" => o.quoting = Quoting::Literal,
            "quote-name" => o.quoting = Quoting::C,
            "author" => o.author = true,
            "hide-control-chars" => o.mask = true,
            "show-control-chars" => o.mask = false,
            "quoting-style" => self.options.quoting = Quoting::of(self.word(given, QUOTING)?),
            "block-size" => self.block_size_option(&value)?,
            "c" => o.time = Time::Changed,
            "u" => o.time = Time::Accessed,
            "time" => self.options.time = Time::of(self.word(given, TIMES)?),
            "C" => o.layout = Layout::Columns,
            "x" => o.layout = Layout::Across,
            "m" => o.layout = Layout::Commas,
            "l" => (o.layout, self.long) = (Layout::Long, true),
            "dired" => (o.layout, o.dired, o.hyperlink, self.long) = (Layout::Long, true, false, true),
            "hyperlink" => self.options.hyperlink = self.when(given)?,
            "tabsize" => o.tab = tab_of(self.args, &value)?,
            "1" => self.single = true,
            "format" => self.format(Layout::of(self.word(given, FORMATS)?)),
            "color" => self.color = self.when(given)?,
            "directory" => o.directory = true,
            "f" => (o.all, o.dots, self.sort) = (true, true, Some(Sort::None)),
            "classify" => self.options.indicator = if self.when(given)? { "*/@|=" } else { "" },
            "file-type" => o.indicator = "/@|=",
            "p" => o.indicator = "/",
            "indicator-style" => self.options.indicator = indicator_of(self.word(given, INDICATORS)?),
            "full-time" => (o.layout, o.style, self.long) = (Layout::Long, Some("full-iso".into()), true),
            "g" => (o.layout, o.owner, self.long) = (Layout::Long, false, true),
            "o" => (o.layout, o.group, self.long) = (Layout::Long, false, true),
            "no-group" => o.group = false,
            "numeric-uid-gid" => (o.layout, o.numeric, self.long) = (Layout::Long, true, true),
            "group-directories-first" => o.directories_first = true,
            "human-readable" => (o.human, self.sized) = (Some(1024), true),
            "si" => (o.human, self.sized) = (Some(1000), true),
            "dereference-command-line" => (o.follow_arguments, o.follow_to_dir) = (true, false),
            "dereference-command-line-symlink-to-dir" => o.follow_to_dir = true,
            "hide" => o.hide.push(value),
            "ignore" => o.ignore.push(value),
            "inode" => o.inode = true,
            "kibibytes" if !self.sized => o.block_size = 1024,
            "dereference" => o.follow = true,
            "reverse" => o.reverse = true,
            "recursive" => o.recursive = true,
            "size" => o.blocks = true,
            "S" => self.sort = Some(Sort::Size),
            "t" => self.sort = Some(Sort::Time),
            "U" => self.sort = Some(Sort::None),
            "v" => self.sort = Some(Sort::Version),
            "X" => self.sort = Some(Sort::Extension),
            "sort" => self.sort = Some(Sort::of(self.word(given, SORTS)?)),
            "time-style" => o.style = Some(value),
            "width" => o.width = width_of(self.args, &value)?,
            "zero" => (o.zero, self.single, o.quoting, self.color, o.mask) = (true, true, Quoting::Literal, false, false),
            _ => {}
        }
        Ok(())
    }

    /// Returns the word that an option has as its value. A wrong word ends `ls` with status 1, other wrong options with 2.
    fn word(&self, given: &Given, groups: &[&[&'static str]]) -> Result<&'static str, u8> {
        SYNTAX.word(self.args, &format!("--{}", given.key), &given.text(), groups).map_err(|_| 1)
    }

    /// Returns whether `always`, `never` or `auto` turns an option on here.
    fn when(&self, given: &Given) -> Result<bool, u8> {
        let word = if given.value.is_none() { "always" } else { self.word(given, WHEN)? };
        Ok(word == "always" || (word == "auto" && self.terminal))
    }

    /// Settles what depends on several options.
    fn finish(mut self) -> Result<Options, u8> {
        let (args, o) = (self.args, &mut self.options);
        if self.color {
            o.colors = colors::of_environment(args);
        }
        o.dired &= o.layout == Layout::Long && !o.hyperlink;
        if o.dired && o.zero {
            text::complain(&text::name(args), "--dired and --zero are incompatible");
            return Err(2);
        }
        if self.single && !self.long {
            o.layout = Layout::Single;
        }
        // `ls -u` alone sorts by that time, `ls -lu` only shows it.
        let by_time = o.time != Time::Modified && o.layout != Layout::Long;
        o.sort = self.sort.unwrap_or(if by_time { Sort::Time } else { Sort::Name });
        if self.backups {
            o.ignore.extend(["*~".to_owned(), ".*~".to_owned()]);
        }
        if o.layout == Layout::Long {
            self.check_style()?;
        }
        Ok(self.options)
    }

    /// Implements `--format`.
    fn format(&mut self, layout: Layout) {
        self.long = layout == Layout::Long;
        self.options.layout = layout;
    }

    /// Implements `--block-size`.
    fn block_size_option(&mut self, value: &str) -> Result<(), u8> {
        self.block_size(value).map_err(|suffix| {
            let what = if suffix { "invalid suffix in" } else { "invalid" };
            text::complain(&text::name(self.args), format!("{what} --block-size argument {}", text::quote(value)));
            2u8
        })?;
        self.sized = true;
        Ok(())
    }

    /// Reads the unit of sizes, from `--block-size` or a variable.
    ///
    /// # Errors
    /// `true` if the suffix is wrong, `false` if the number is.
    fn block_size(&mut self, value: &str) -> Result<(), bool> {
        match value {
            "human-readable" => self.options.human = Some(1024),
            "si" => self.options.human = Some(1000),
            _ => {
                let digits = value.starts_with(|c: char| c.is_ascii_digit());
                self.options.block_size = text::size(value).filter(|s| *s > 0).ok_or(digits && text::size(value).is_none())?;
                self.options.block_suffix = if digits { String::new() } else { value.to_owned() };
                (self.options.human, self.options.scaled) = (None, true);
            }
        }
        Ok(())
    }

    /// Checks the style of times and completes its abbreviation. Only the long format, which shows times, needs this.
    fn check_style(&mut self) -> Result<(), u8> {
        const STYLES: [&str; 4] = ["full-iso", "long-iso", "iso", "locale"];
        let Some(style) = self.options.style.clone().filter(|s| !s.starts_with('+')) else { return Ok(()) };
        let locale = ["LC_ALL", "LC_TIME", "LANG"].iter().find_map(|n| std::env::var(n).ok().filter(|v| !v.is_empty()));
        let posix = locale.is_none_or(|l| l == "C" || l == "POSIX");
        let bare = match style.strip_prefix("posix-") {
            Some(_) if posix => "locale",
            Some(rest) => rest,
            None => &style,
        };
        if let Some(known) = STYLES.iter().find(|s| **s == bare).or_else(|| STYLES.iter().find(|s| !bare.is_empty() && s.starts_with(bare)))
        {
            self.options.style = Some((*known).to_owned());
            return Ok(());
        }
        let list: String = STYLES.iter().map(|s| format!("\n  - [posix-]{s}")).collect();
        let message = format!(
            "invalid argument {} for 'time style'\nValid arguments are:{list}\n  - +FORMAT (e.g., +%H:%M) for a 'date'-style format",
            text::quote(&style)
        );
        Err(SYNTAX.misuse(self.args, &message))
    }
}

/// Returns the value of `--tabsize`, a number as C writes it: `8`, `010`, `0x8`.
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

/// Returns the value of `--width`.
fn width_of(args: &[OsString], value: &str) -> Result<usize, u8> {
    columns(value).ok_or_else(|| {
        text::complain(&text::name(args), format!("invalid line width: {}", text::quote(value)));
        2
    })
}

/// Returns a width as C writes it: decimal, octal or hexadecimal. A number that is too large means no limit.
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
