//! `df`: how full the session's filesystem is. The numbers are the policy's quota and its usage.

use crate::options::{Given, Line, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::OsString;

const OPTIONS: &[Opt] = &[
    flag("a", "all", "mounts of unknown size too"),
    value("B", "block-size", "units of VALUE"),
    flag("h", "human-readable", "sizes such as 1K 234M 2G"),
    flag("H", "si", "as -h, powers of 1000"),
    flag("i", "inodes", "files instead of space"),
    flag("k", "", "units of 1024 bytes"),
    flag("l", "local", ""),
    flag("m", "", "units of 1 MiB"),
    maybe("", "output", "these columns: source fstype itotal iused iavail ipcent size used avail pcent file target"),
    flag("", "sync", ""),
    flag("", "no-sync", ""),
    flag("v", "", ""),
    flag("P", "portability", "POSIX format"),
    flag("", "total", "a line with the sum"),
    value("t", "type", "only filesystems of type VALUE"),
    flag("T", "print-type", "a column with the type"),
    value("x", "exclude-type", ""),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Print how much of the filesystem is used (the policy's filesystem.quota and filesystem.max_files).\nHost directories that are mounted have no size here and are listed with -.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// Runs `df`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, |args, line| run(args, &line).unwrap_or_else(|status| status))
}

fn run(args: &[OsString], line: &Line) -> Result<u8, u8> {
    let scale = Scale::read(args, line)?;
    let fields = fields(args, line)?;
    let (mut places, missing) = places(line);
    select(line, &mut places)?;
    if places.is_empty() {
        if !missing {
            text::complain("df", "no file systems processed");
        }
        return Err(1);
    }
    if line.has("total") {
        places.push(Place::total(&places));
    }
    let posix = line.has("portability");
    let mut rows = vec![fields.iter().map(|f| scale.title(f, posix)).collect::<Vec<String>>()];
    rows.extend(places.iter().map(|place| fields.iter().map(|f| scale.cell(f, place)).collect()));
    print(&fields, &rows);
    Ok(u8::from(missing))
}

/// Returns the filesystems of the operands, or all of them; and whether an operand does not exist.
fn places(line: &Line) -> (Vec<Place>, bool) {
    let mut mounts = sys::mounts();
    if line.operands.is_empty() {
        if !line.has("all") {
            mounts.dedup();
        }
        return (mounts.into_iter().map(|(path, access)| Place::new("-".into(), path, &access)).collect(), false);
    }
    let (mut places, mut missing) = (Vec::new(), false);
    for operand in &line.operands {
        match std::fs::canonicalize(operand) {
            Ok(full) => {
                let found = mounts.iter().filter(|(path, _)| full.starts_with(path)).max_by_key(|(path, _)| path.len());
                let file = operand.to_string_lossy();
                places.extend(found.map(|(path, access)| Place::new(file.into_owned(), path.clone(), access)));
            }
            Err(error) => {
                text::complain("df", format!("{}: {}", text::quote_if_needed(operand), text::reason(&error)));
                missing = true;
            }
        }
    }
    (places, missing)
}

/// Keeps the filesystems of the types that the command line wants.
fn select(line: &Line, places: &mut Vec<Place>) -> Result<(), u8> {
    let types = |key: &str| line.options.iter().filter(|o| o.key == key).map(Given::text).collect::<Vec<_>>();
    let (only, without) = (types("type"), types("exclude-type"));
    if let Some(both) = only.iter().find(|t| without.contains(t)) {
        text::complain("df", format!("file system type {} both selected and excluded", text::quote(both)));
        return Err(1);
    }
    places.retain(|p| (only.is_empty() || only.contains(&p.kind)) && !without.contains(&p.kind));
    Ok(())
}

/// How sizes are printed.
struct Scale {
    /// The unit of sizes, in bytes.
    unit: u64,
    /// The base of `-h` or `-H`, which choose a unit for each number.
    human: Option<u64>,
}

impl Scale {
    /// Reads the scale that the command line and the environment ask for.
    fn read(args: &[OsString], line: &Line) -> Result<Self, u8> {
        let environment = ["DF_BLOCK_SIZE", "BLOCK_SIZE", "BLOCKSIZE"].iter().find_map(|n| std::env::var(n).ok());
        let default = if std::env::var_os("POSIXLY_CORRECT").is_some() { 512 } else { 1024 };
        let unit = environment.and_then(|e| text::size(&e)).filter(|s| *s > 0).unwrap_or(default);
        let mut scale = Self { unit, human: None };
        for given in &line.options {
            match given.key {
                "human-readable" => scale.human = Some(1024),
                "si" => scale.human = Some(1000),
                "k" => scale = Self { unit: 1024, human: None },
                "m" => scale = Self { unit: 1 << 20, human: None },
                "block-size" => match text::size(&given.text()).filter(|s| *s > 0) {
                    Some(unit) => scale = Self { unit, human: None },
                    None => return Err(SYNTAX.misuse(args, &format!("invalid --block-size argument {}", text::quote(given.text())))),
                },
                _ => {}
            }
        }
        Ok(scale)
    }

    /// Returns the title of a column.
    fn title(&self, field: &str, posix: bool) -> String {
        match field {
            "source" => "Filesystem".to_owned(),
            "fstype" => "Type".into(),
            "itotal" => "Inodes".into(),
            "iused" => "IUsed".into(),
            "iavail" => "IFree".into(),
            "ipcent" => "IUse%".into(),
            "size" if self.human.is_some() => "Size".into(),
            "size" if posix => format!("{}-blocks", self.unit),
            "size" => format!("{}-blocks", scaled(self.unit)),
            "used" => "Used".into(),
            "avail" if self.human.is_some() => "Avail".into(),
            "avail" => "Available".into(),
            "pcent" if posix => "Capacity".into(),
            "pcent" => "Use%".into(),
            "file" => "File".into(),
            _ => "Mounted on".into(),
        }
    }

    /// Returns what a column says about a filesystem.
    fn cell(&self, field: &str, place: &Place) -> String {
        match field {
            "source" => place.source.clone(),
            "fstype" => place.kind.clone(),
            "itotal" => self.count(place.files),
            "iused" => self.count(place.files_used),
            "iavail" => self.count(left(place.files, place.files_used)),
            "ipcent" => percent(place.files, place.files_used),
            "size" => self.size(place.bytes),
            "used" => self.size(place.used),
            "avail" => self.size(left(place.bytes, place.used)),
            "pcent" => percent(place.bytes, place.used),
            "file" => place.file.clone(),
            _ => place.target.clone(),
        }
    }

    /// Returns a number of bytes, in blocks.
    fn size(&self, bytes: Option<u64>) -> String {
        self.shown(bytes, |bytes| bytes.div_ceil(self.unit))
    }

    /// Returns a number of files.
    fn count(&self, files: Option<u64>) -> String {
        self.shown(files, |files| files)
    }

    fn shown(&self, number: Option<u64>, exact: impl Fn(u64) -> u64) -> String {
        match (number, self.human) {
            (None, _) => "-".to_owned(),
            (Some(n), Some(base)) => text::human(n, base),
            (Some(n), None) => exact(n).to_string(),
        }
    }
}

const FIELDS: &[&str] = &["source", "fstype", "itotal", "iused", "iavail", "ipcent", "size", "used", "avail", "pcent", "file", "target"];

/// Returns the columns that the command line asks for.
fn fields(args: &[OsString], line: &Line) -> Result<Vec<&'static str>, u8> {
    if line.has("output") {
        for (key, letter) in [("inodes", 'i'), ("portability", 'P'), ("print-type", 'T')] {
            if line.has(key) {
                return Err(SYNTAX.misuse(args, &format!("options -{letter} and --output are mutually exclusive")));
            }
        }
        let mut fields = Vec::new();
        let lists = line.options.iter().filter(|o| o.key == "output").filter_map(|o| o.value.as_ref());
        for word in lists.flat_map(|list| list.to_string_lossy().split(',').map(str::to_owned).collect::<Vec<_>>()) {
            match FIELDS.iter().find(|f| **f == word) {
                Some(field) if fields.contains(field) => {
                    return Err(SYNTAX.misuse(args, &format!("option --output: field {} used more than once", text::quote(word))));
                }
                Some(field) => fields.push(*field),
                None => return Err(SYNTAX.misuse(args, &format!("option --output: field {} unknown", text::quote(word)))),
            }
        }
        return Ok(if fields.is_empty() { FIELDS.to_vec() } else { fields });
    }
    let mut fields = vec!["source"];
    fields.extend(line.has("print-type").then_some("fstype"));
    fields.extend(if line.has("inodes") { ["itotal", "iused", "iavail", "ipcent"] } else { ["size", "used", "avail", "pcent"] });
    fields.push("target");
    Ok(fields)
}

/// One filesystem. A mounted host directory has no numbers.
struct Place {
    source: String,
    kind: String,
    file: String,
    target: String,
    bytes: Option<u64>,
    used: Option<u64>,
    files: Option<u64>,
    files_used: Option<u64>,
}

impl Place {
    fn new(file: String, target: String, access: &str) -> Self {
        let memory = access == "memory";
        let usage = memory.then(sys::usage);
        Self {
            source: if memory { "memory" } else { "host" }.to_owned(),
            kind: access.to_owned(),
            file,
            target,
            bytes: usage.as_ref().map(|u| u.max_bytes),
            used: usage.as_ref().map(|u| u.bytes),
            files: usage.as_ref().map(|u| u.max_files),
            files_used: usage.as_ref().map(|u| u.files),
        }
    }

    fn total(places: &[Self]) -> Self {
        let sum = |get: fn(&Self) -> Option<u64>| places.iter().filter_map(get).reduce(u64::saturating_add);
        Self {
            source: "total".into(),
            kind: "-".into(),
            file: "-".into(),
            target: "-".into(),
            bytes: sum(|p| p.bytes),
            used: sum(|p| p.used),
            files: sum(|p| p.files),
            files_used: sum(|p| p.files_used),
        }
    }
}

fn left(most: Option<u64>, used: Option<u64>) -> Option<u64> {
    Some(most?.saturating_sub(used?))
}

fn percent(most: Option<u64>, used: Option<u64>) -> String {
    match (most, used) {
        (Some(most), Some(used)) if most > 0 => format!("{}%", (u128::from(used) * 100).div_ceil(u128::from(most))),
        _ => "-".into(),
    }
}

/// Returns a unit of blocks as the title shows it: `1K`, `1M`, `1kB`, `111B`.
fn scaled(unit: u64) -> String {
    for (base, end) in [(1024, ""), (1000, "B")] {
        let (mut rest, mut power) = (unit, 0);
        while rest >= base && rest.is_multiple_of(base) {
            (rest, power) = (rest / base, power + 1);
        }
        if power > 0 {
            let letters = if base == 1000 { "kMGTPE" } else { "KMGTPE" };
            return format!("{rest}{}{end}", letters.chars().nth(power - 1).unwrap_or('E'));
        }
    }
    format!("{unit}B")
}

fn print(fields: &[&str], rows: &[Vec<String>]) {
    let text_field = |field: &str| matches!(field, "source" | "fstype" | "file" | "target");
    let widths: Vec<usize> = (0..fields.len())
        .map(|c| {
            let least = match fields[c] {
                "source" => 14,
                "fstype" | "file" | "target" => 4,
                "pcent" | "ipcent" => 4,
                _ => 5,
            };
            rows.iter().map(|r| text::width(&r[c])).max().unwrap_or(0).max(least)
        })
        .collect();
    for row in rows {
        let mut line = String::new();
        for (at, cell) in row.iter().enumerate() {
            let pad = " ".repeat(widths[at].saturating_sub(text::width(cell)));
            let last = at + 1 == row.len();
            line += &match (text_field(fields[at]), last) {
                (true, true) => cell.clone(),
                (true, false) => format!("{cell}{pad} "),
                (false, true) => format!("{pad}{cell}"),
                (false, false) => format!("{pad}{cell} "),
            };
        }
        println!("{line}");
    }
}
