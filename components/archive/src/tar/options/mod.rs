//! tar's options: the old bundle without a dash, letters, long names and their abbreviations.

mod values;

use super::header::Style;
use super::names::{LONG, help};
use super::select::{Excludes, Pattern};
use super::transform::Transform;
use crate::codec::Format;
use crate::sys;
use std::ffi::OsString;
use std::path::PathBuf;
use values::{blocking, date, format_of, named, style};

/// What is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Action {
    Create,
    Extract,
    List,
    Append,
    Update,
    /// `-d`.
    Compare,
    /// `-A`.
    Concatenate,
    Delete,
}

/// What happens to files that exist when one is extracted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Existing {
    /// They are removed first.
    #[default]
    Replace,
    /// `-k`: an error.
    Keep,
    /// `--skip-old-files`: nothing.
    Skip,
    /// `--keep-newer-files`.
    KeepNewer,
    /// `--overwrite`: written over.
    Overwrite,
}

/// The file that marks a cache, and how it begins.
pub(super) const CACHE: &str = "CACHEDIR.TAG";

/// The names that `--exclude-vcs` leaves out.
const VERSION_CONTROL: &[&str] =
    &[".git", ".gitignore", ".gitmodules", ".gitattributes", ".svn", "CVS", ".cvsignore", ".hg", ".hgignore", ".bzr", "RCS", "SCCS"];

/// The names that `--exclude-backups` leaves out.
const BACKUPS: &[&str] = &[".#*", "*~", "#*#"];

/// A file whose folder is left out.
pub(crate) struct Tag {
    /// Its name.
    pub name: String,
    /// It must begin as caches' do.
    pub cache: bool,
    /// What stays of the folder.
    pub left: Left,
}

/// What stays of a folder that a tag leaves out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The folder and the tag.
    Tag,
    /// The folder.
    Folder,
    /// Nothing.
    Nothing,
}

impl Tag {
    fn new(key: &str) -> Self {
        let left = match key.rsplit('-').next() {
            Some("under") => Left::Folder,
            Some("all") => Left::Nothing,
            _ => Left::Tag,
        };
        Self { name: String::new(), cache: key.starts_with("caches"), left }
    }
}

/// What the command line asks for.
pub(crate) struct Options {
    pub action: Action,
    pub file: Option<OsString>,
    pub format: Option<Format>,
    /// A format asked for by a letter must be there.
    pub strict: bool,
    pub level: Option<u32>,
    pub verbose: u8,
    /// Names with the folder that a `-C` before them set.
    pub names: Vec<(Option<PathBuf>, OsString)>,
    /// The last `-C`.
    pub folder: Option<PathBuf>,
    pub style: Style,
    pub absolute: bool,
    pub strip: usize,
    pub excludes: Excludes,
    pub to_stdout: bool,
    pub existing: Existing,
    pub no_mtime: bool,
    pub exact_modes: bool,
    pub dereference: bool,
    pub wildcards: bool,
    pub slash: bool,
    pub recursive: bool,
    pub numeric: bool,
    pub remove: bool,
    pub ignore_zeros: bool,
    pub owner: Option<(Vec<u8>, Option<u64>)>,
    pub group: Option<(Vec<u8>, Option<u64>)>,
    pub mtime: Option<i64>,
    pub mode: Option<String>,
    pub transforms: Vec<Transform>,
    pub show_transformed: bool,
    pub totals: bool,
    pub full_time: bool,
    /// `--utc`: times of lists are in UTC.
    pub utc: bool,
    /// `--one-top-level`: the folder's name, empty for that of the archive.
    pub one_top_level: Option<String>,
    /// `-N`: only files that changed since.
    pub newer: Option<i64>,
    /// `--no-anchored`: names mean members in any folder.
    pub anywhere: bool,
    pub blocking: usize,
    /// `-T`: names came from a list, which may be empty.
    pub listed: bool,
    /// `--clamp-mtime`: `--mtime` is the latest, not the only time.
    pub clamp: bool,
    /// `--exclude-tag` and `--exclude-caches`: folders with this file are left out, wholly or in part.
    pub tags: Vec<Tag>,
    /// `--ignore-failed-read`: what is not there is a warning.
    pub lenient: bool,
}

/// Letters that take a value.
const VALUED: &str = "fCTXIbHKNgVL";

struct Parser {
    options: Options,
    action: Option<Action>,
    rest: std::collections::VecDeque<OsString>,
    auto: bool,
    null: bool,
    verbatim: bool,
    pattern: Pattern,
}

fn usage(message: &str) -> u8 {
    eprintln!("tar: {message}\nTry 'tar --help' or 'tar --usage' for more information.");
    2
}

/// Reports an argument that is no option; returns the status.
fn unknown(message: &str) -> u8 {
    usage(message);
    64
}

/// Reads the command line; the error is the status to end with.
pub(super) fn parse(args: &[OsString]) -> Result<Options, u8> {
    let options = Options {
        action: Action::List,
        file: std::env::var_os("TAPE"),
        format: None,
        strict: false,
        level: None,
        verbose: 0,
        names: Vec::new(),
        folder: None,
        style: Style::default(),
        absolute: false,
        strip: 0,
        excludes: Excludes::default(),
        to_stdout: false,
        existing: Existing::default(),
        no_mtime: false,
        exact_modes: false,
        dereference: false,
        wildcards: false,
        slash: true,
        recursive: true,
        numeric: false,
        remove: false,
        ignore_zeros: false,
        owner: None,
        group: None,
        mtime: None,
        mode: None,
        transforms: Vec::new(),
        show_transformed: false,
        totals: false,
        full_time: false,
        utc: false,
        one_top_level: None,
        newer: None,
        anywhere: false,
        blocking: 20,
        listed: false,
        clamp: false,
        tags: Vec::new(),
        lenient: false,
    };
    let pattern = Pattern { text: Vec::new(), anchored: false, wildcards: true, slash: true, fold: false };
    // What TAR_OPTIONS says comes first.
    let always: Vec<OsString> =
        std::env::var("TAR_OPTIONS").map(|words| words.split_whitespace().map(OsString::from).collect()).unwrap_or_default();
    let mut rest: std::collections::VecDeque<OsString> = args.iter().skip(1).cloned().collect();
    let mut parser =
        Parser { options, action: None, rest: std::collections::VecDeque::new(), auto: false, null: false, verbatim: false, pattern };
    parser.rest.extend(always);
    while let Some(arg) = parser.rest.pop_front() {
        match arg.as_encoded_bytes() {
            [b'-', b'-', ..] => parser.long(&arg)?,
            [b'-', _, ..] => parser.short(&arg)?,
            _ => return Err(usage(&format!("non-option arguments in TAR_OPTIONS: {}", arg.to_string_lossy()))),
        }
    }
    let old = rest.front().filter(|a| !a.as_encoded_bytes().starts_with(b"-")).map(|a| a.to_string_lossy().into_owned());
    if let Some(letters) = old.filter(|l| !l.is_empty()) {
        rest.pop_front();
        parser.rest = rest;
        for letter in letters.chars() {
            let value = match VALUED.contains(letter) {
                true if parser.rest.is_empty() => return Err(usage(&format!("Old option '{letter}' requires an argument."))),
                true => Some(parser.value(&letter.to_string())?),
                false => None,
            };
            parser.apply(&letter.to_string(), value)?;
        }
    } else {
        parser.rest = rest;
    }
    let mut ended = false;
    while let Some(arg) = parser.rest.pop_front() {
        let bytes = arg.as_encoded_bytes();
        if ended || !bytes.starts_with(b"-") || bytes == b"-" {
            parser.options.names.push((parser.options.folder.clone(), arg));
        } else if bytes == b"--" {
            ended = true;
        } else if bytes.starts_with(b"--") {
            parser.long(&arg)?;
        } else {
            parser.short(&arg)?;
        }
    }
    parser.finish()
}

impl Parser {
    fn value(&mut self, name: &str) -> Result<OsString, u8> {
        let what = if name.len() == 1 {
            format!("option requires an argument -- '{name}'")
        } else {
            format!("option '--{name}' requires an argument")
        };
        self.rest.pop_front().ok_or_else(|| usage(&what))
    }

    fn short(&mut self, arg: &OsString) -> Result<(), u8> {
        let bytes = arg.as_encoded_bytes();
        for at in 1..bytes.len() {
            let letter = char::from(bytes[at]);
            if VALUED.contains(letter) {
                let attached = &bytes[at + 1..];
                let value =
                    if attached.is_empty() { self.value(&letter.to_string())? } else { sys::path_from_bytes(attached).into_os_string() };
                return self.apply(&letter.to_string(), Some(value));
            }
            self.apply(&letter.to_string(), None)?;
        }
        Ok(())
    }

    fn long(&mut self, arg: &OsString) -> Result<(), u8> {
        let bytes = &arg.as_encoded_bytes()[2..];
        let equals = bytes.iter().position(|b| *b == b'=');
        let name = String::from_utf8_lossy(&bytes[..equals.unwrap_or(bytes.len())]).into_owned();
        let attached = equals.map(|at| sys::path_from_bytes(&bytes[at + 1..]).into_os_string());
        let fits: Vec<_> = LONG.iter().filter(|(long, _, _)| long.starts_with(&name)).collect();
        let entry = fits.iter().find(|(long, _, _)| *long == name).or(if fits.len() == 1 { fits.first() } else { None });
        let Some((long, takes, key)) = entry else {
            if !fits.is_empty() {
                let all: Vec<String> = fits.iter().map(|(long, ..)| format!("'--{long}'")).collect();
                return Err(unknown(&format!("option '--{name}' is ambiguous; possibilities: {}", all.join(" "))));
            }
            return Err(unknown(&format!("unrecognized option '--{name}'")));
        };
        let value = match (takes, attached) {
            ('=', None) => Some(self.value(long)?),
            (_, attached) => attached,
        };
        self.apply(key, value)
    }

    fn action(&mut self, action: Action) -> Result<(), u8> {
        if self.action.is_some_and(|a| a != action) {
            return Err(usage("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option"));
        }
        self.action = Some(action);
        Ok(())
    }

    fn compress(&mut self, format: Format) {
        self.options.format = Some(format);
        self.options.strict = true;
    }

    /// Applies an option of the command line.
    fn apply(&mut self, key: &str, value: Option<OsString>) -> Result<(), u8> {
        if self.set_switch(key) {
            return Ok(());
        }
        let options = &mut self.options;
        let bytes = || value.as_ref().map(|v| v.as_encoded_bytes().to_vec()).unwrap_or_default();
        let words = || value.as_ref().map(|v| v.to_string_lossy().into_owned()).unwrap_or_default();
        match key {
            "c" => self.action(Action::Create)?,
            "x" => self.action(Action::Extract)?,
            "t" => self.action(Action::List)?,
            "r" => self.action(Action::Append)?,
            "u" => self.action(Action::Update)?,
            "d" => self.action(Action::Compare)?,
            "A" => self.action(Action::Concatenate)?,
            "delete" => self.action(Action::Delete)?,
            "add" => options.names.push((options.folder.clone(), value.unwrap_or_default())),
            "N" => options.newer = Some(date(&words())?),
            "f" => options.file = value,
            "I" => self.program(&words())?,
            "C" => {
                let folder = PathBuf::from(value.unwrap_or_default());
                options.folder = Some(options.folder.clone().unwrap_or_default().join(folder));
            }
            "strip" => options.strip = words().parse().map_err(|_| usage(&format!("{}: Invalid number of elements", words())))?,
            "exclude" => options.excludes.patterns.push(Pattern { text: bytes(), ..self.pattern.clone() }),
            "X" => {
                for line in self.lines(&value.unwrap_or_default(), false, "")? {
                    self.options.excludes.patterns.push(Pattern { text: line, ..self.pattern.clone() });
                }
            }
            "T" => {
                self.options.listed = true;
                self.files_from(&value.unwrap_or_default())?;
            }
            "tag" | "tag-under" | "tag-all" => options.tags.push(Tag { name: words(), ..Tag::new(key) }),
            "owner" => options.owner = Some(named(&words())),
            "group" => options.group = Some(named(&words())),
            "mtime" => options.mtime = Some(date(&words())?),
            "mode" => options.mode = Some(words()),
            "H" => options.style = style(&words())?,
            "transform" => options.transforms.extend(Transform::all(&words()).map_err(|error| usage(&error))?),
            "top" => options.one_top_level = Some(words()),
            "b" => options.blocking = blocking(&words())?,
            "help" => {
                print!("{}", help());
                return Err(0);
            }
            "version" => {
                println!("tar (wisp) {}", env!("CARGO_PKG_VERSION"));
                return Err(0);
            }
            other => return Err(unknown(&format!("invalid option -- '{other}'"))),
        }
        Ok(())
    }

    /// Sets an option that takes no value; returns whether `key` is one.
    fn set_switch(&mut self, key: &str) -> bool {
        let options = &mut self.options;
        match key {
            "anywhere" => (self.pattern.anchored, options.anywhere) = (false, true),
            "verbatim" => self.verbatim = true,
            "v" => options.verbose += 1,
            "z" => self.compress(Format::Gzip),
            "j" => self.compress(Format::Bzip2),
            "J" => self.compress(Format::Xz),
            "lzma" => self.compress(Format::Lzma),
            "zstd" => self.compress(Format::Zstd),
            "a" => self.auto = true,
            "p" => options.exact_modes = true,
            "np" => options.exact_modes = false,
            "P" => options.absolute = true,
            "vcs" => self.exclude_all(VERSION_CONTROL),
            "backups" => self.exclude_all(BACKUPS),
            "clamp" => options.clamp = true,
            "caches" | "caches-under" | "caches-all" => options.tags.push(Tag { name: CACHE.into(), ..Tag::new(key) }),
            "lenient" => options.lenient = true,
            "null" => self.null = true,
            "nonull" => self.null = false,
            "O" => options.to_stdout = true,
            "k" => options.existing = Existing::Keep,
            "skip" => options.existing = Existing::Skip,
            "newer" => options.existing = Existing::KeepNewer,
            "overwrite" => options.existing = Existing::Overwrite,
            "m" => options.no_mtime = true,
            "h" => options.dereference = true,
            "wild" => (options.wildcards, self.pattern.wildcards) = (true, true),
            "nowild" => (options.wildcards, self.pattern.wildcards) = (false, false),
            "anchored" => self.pattern.anchored = true,
            "slash" => (options.slash, self.pattern.slash) = (true, true),
            "noslash" => (options.slash, self.pattern.slash) = (false, false),
            "fold" => self.pattern.fold = true,
            "nofold" => self.pattern.fold = false,
            "rec" => options.recursive = true,
            "norec" => options.recursive = false,
            "numeric" => options.numeric = true,
            "posix" => options.style = Style::Pax,
            "v7" => options.style = Style::V7,
            "remove" => options.remove = true,
            "shown" => options.show_transformed = true,
            "i" => options.ignore_zeros = true,
            "totals" => options.totals = true,
            "full" => options.full_time = true,
            "utc" => options.utc = true,
            "none" | "B" | "U" | "s" | "o" | "w" | "S" | "l" | "n" | "K" | "V" | "g" | "L" | "W" | "R" => {}
            _ => return false,
        }
        true
    }

    fn exclude_all(&mut self, names: &[&str]) {
        let patterns = names.iter().map(|name| Pattern { text: (*name).into(), ..self.pattern.clone() });
        self.options.excludes.patterns.extend(patterns);
    }

    fn finish(mut self) -> Result<Options, u8> {
        let Some(action) = self.action else {
            return Err(usage("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options"));
        };
        let options = &mut self.options;
        options.action = action;
        if self.auto && action == Action::Create && options.format.is_none() {
            let name = options.file.as_ref().map(|f| f.to_string_lossy().into_owned()).unwrap_or_default();
            options.format = format_of(&name);
        }
        if action == Action::Create && options.names.is_empty() && !options.listed {
            return Err(usage("Cowardly refusing to create an empty archive"));
        }
        Ok(self.options)
    }
}
