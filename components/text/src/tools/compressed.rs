//! `zgrep`, `zdiff`, `zless` and similar: grep, diff, cmp, less and more on compressed files. The decompressors are
//! separate programs, joined with the tool by a pipe of the shell.

use crate::sys::{self, Io};
use crate::text;
use std::ffi::OsString;

/// Endings of names, and the program that decompresses such files.
const SUFFIXES: &[(&str, &str)] = &[
    (".gz", "gzip"),
    (".tgz", "gzip"),
    (".z", "gzip"),
    (".Z", "gzip"),
    ("-gz", "gzip"),
    ("-z", "gzip"),
    (".bz2", "bzip2"),
    (".bz", "bzip2"),
    (".tbz2", "bzip2"),
    (".tbz", "bzip2"),
    (".xz", "xz"),
    (".lzma", "xz"),
    (".txz", "xz"),
    (".zst", "zstd"),
    (".tzst", "zstd"),
];

/// The parts of a tool's name: the program it runs, and the decompressor.
struct Kind {
    unpacker: &'static str,
    tool: &'static str,
}

impl Kind {
    /// Returns the tool of a name: `bzgrep` is `grep` after `bzip2`.
    fn of(name: &str) -> Self {
        let prefixes = [("zstd", "zstd"), ("bz", "bzip2"), ("xz", "xz"), ("z", "gzip")];
        let (unpacker, rest) =
            prefixes.iter().find_map(|(prefix, unpacker)| Some((*unpacker, name.strip_prefix(prefix)?))).unwrap_or(("gzip", name));
        let tools = ["grep", "egrep", "fgrep", "cmp", "diff", "less", "more"];
        Self { unpacker, tool: tools.iter().find(|tool| **tool == rest).copied().unwrap_or("grep") }
    }

    /// Returns a command that prints a file decompressed, or as it is if it is not compressed; `-` is standard input.
    fn unpack(&self, file: &[u8]) -> Vec<u8> {
        let unpacker = packed(file).unwrap_or(self.unpacker);
        [unpacker.as_bytes(), b" -cdfq -- ", &text::shell_quoted(file)].concat()
    }
}

/// Returns the decompressor for a file of this name.
fn packed(file: &[u8]) -> Option<&'static str> {
    SUFFIXES.iter().find(|(suffix, _)| file.ends_with(suffix.as_bytes())).map(|(_, unpacker)| *unpacker)
}

/// Returns the name without the ending of compressed files.
fn unpacked_name(file: &[u8]) -> Option<Vec<u8>> {
    let (suffix, _) = SUFFIXES.iter().find(|(suffix, _)| file.ends_with(suffix.as_bytes()))?;
    let stem = &file[..file.len() - suffix.len()];
    Some(if suffix.starts_with(".t") { [stem, b".tar"].concat() } else { stem.to_vec() })
}

/// Runs a command of the shell; returns its status.
fn shell(name: &str, command: &[u8]) -> u8 {
    match sys::spawn_shell(command, &sys::environment(), Io::Inherit, Io::Inherit) {
        Ok(mut child) => child.wait().code,
        Err(error) => {
            text::complain(name, format!("sh: {}", text::reason(&error)));
            2
        }
    }
}

/// Prints the help or the version if the arguments ask for it; returns the status then.
fn helped(args: &[OsString], usage: &str, about: &str) -> Option<u8> {
    let name = text::name(args);
    match args.get(1).and_then(|arg| arg.to_str()) {
        Some("--help") => println!("Usage: {name} {usage}\n{about}"),
        Some("--version") => println!("{name} (wisp) {}", env!("CARGO_PKG_VERSION")),
        _ => return None,
    }
    Some(0)
}

/// Runs `zgrep` and similar.
pub(crate) fn grep(args: Vec<OsString>) -> u8 {
    const USAGE: &str = "[OPTION]... [-e] PATTERN [FILE]...";
    let (name, kind) = (text::name(&args), Kind::of(&text::name(&args)));
    if let Some(status) = helped(&args, USAGE, "Look for a regular expression in files that may be compressed. OPTIONs are grep's.") {
        return status;
    }
    let line = match GrepLine::read(&args[1..]) {
        Ok(line) => line,
        Err(message) => {
            eprintln!("{name}: {message}");
            return 2;
        }
    };
    let mut files = line.files;
    let mut options = line.options;
    if !line.has_pattern {
        if files.is_empty() {
            eprintln!("{name}: missing pattern; try `{name} --help' for help");
            return 2;
        }
        let pattern = files.remove(0);
        options.extend([b"-e".to_vec(), pattern]);
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    if files.len() > 1 && !line.names {
        options.insert(0, b"-H".to_vec());
    }
    let words: Vec<u8> = options.iter().flat_map(|word| [b" ".to_vec(), text::shell_quoted(word)].concat()).collect();
    let (mut found, mut broken) = (false, false);
    for file in &files {
        let label = if file == b"-" { b"(standard input)".to_vec() } else { file.clone() };
        let command = [
            &kind.unpack(file)[..],
            b" | ",
            kind.tool.as_bytes(),
            &words,
            b" ",
            &text::shell_quoted(&[b"--label=", &label[..]].concat()),
            b"; set -- \"${PIPESTATUS[@]}\"; [ \"$1\" = 0 ] || [ \"$1\" = 2 ] || [ \"$1\" = 141 ] || exit 2; exit \"$2\"",
        ]
        .concat();
        match shell(&name, &command) {
            0 => found = true,
            1 => {}
            _ => broken = true,
        }
    }
    if broken { 2 } else { u8::from(!found) }
}

/// The command line of `zgrep`; the options of grep are passed on to it.
#[derive(Default)]
struct GrepLine {
    options: Vec<Vec<u8>>,
    files: Vec<Vec<u8>>,
    has_pattern: bool,
    /// Whether an option decides if file names are printed.
    names: bool,
}

/// Long options of grep with a value in the next word.
const VALUED: &[&str] = &[
    "after-context",
    "before-context",
    "context",
    "binary-files",
    "color",
    "colour",
    "devices",
    "directories",
    "exclude",
    "include",
    "max-count",
    "regexp",
    "file",
    "label",
];

impl GrepLine {
    fn read(args: &[OsString]) -> Result<Self, String> {
        let mut line = Self::default();
        let mut rest = args.iter().map(|arg| arg.as_encoded_bytes().to_vec());
        while let Some(arg) = rest.next() {
            if arg == b"--" {
                line.files.extend(rest);
                break;
            }
            if arg == b"-" || !arg.starts_with(b"-") {
                line.files.push(arg);
                continue;
            }
            let value_follows = line.option(&arg)?;
            line.options.push(arg.clone());
            if value_follows {
                let Some(value) = rest.next() else {
                    return Err(format!("option requires an argument -- '{}'", String::from_utf8_lossy(&arg).trim_start_matches('-')));
                };
                line.options.push(value);
            }
        }
        Ok(line)
    }

    /// Reads an option; returns whether its value is the next word.
    fn option(&mut self, arg: &[u8]) -> Result<bool, String> {
        if let Some(long) = arg.strip_prefix(b"--") {
            let word = String::from_utf8_lossy(long).into_owned();
            let (word, value) = word.split_once('=').map_or((word.as_str(), None), |(word, value)| (word, Some(value)));
            self.has_pattern |= matches!(word, "regexp" | "file");
            self.names |= matches!(word, "with-filename" | "no-filename");
            if matches!(word, "recursive" | "dereference-recursive") {
                return Err(format!("--{word}: option not supported"));
            }
            return Ok(value.is_none() && VALUED.contains(&word) && word != "color" && word != "colour");
        }
        for (at, letter) in arg.iter().enumerate().skip(1) {
            let ends = at + 1 == arg.len();
            match letter {
                b'e' | b'f' => {
                    self.has_pattern = true;
                    return Ok(ends);
                }
                b'A' | b'B' | b'C' | b'D' | b'd' | b'm' => return Ok(ends),
                b'h' | b'H' => self.names = true,
                b'r' | b'R' => return Err(format!("-{}: option not supported", char::from(*letter))),
                _ => {}
            }
        }
        Ok(false)
    }
}

/// Runs `zcmp`, `zdiff` and similar.
pub(crate) fn compare(args: Vec<OsString>) -> u8 {
    const USAGE: &str = "[OPTION]... FILE1 [FILE2]";
    let (name, kind) = (text::name(&args), Kind::of(&text::name(&args)));
    let about = "Compare files that may be compressed; with one file, it and its unpacked version. OPTIONs are those of cmp and diff.";
    if let Some(status) = helped(&args, USAGE, about) {
        return status;
    }
    let words: Vec<Vec<u8>> = args[1..].iter().map(|arg| arg.as_encoded_bytes().to_vec()).collect();
    let mut options = Vec::new();
    let mut files = Vec::new();
    let (mut only_files, mut value) = (false, false);
    for word in words {
        match &word[..] {
            _ if value => options.extend([b" ".to_vec(), text::shell_quoted(&word)].concat()),
            b"--" if !only_files => only_files = true,
            [b'-', letters @ ..] if !only_files && !letters.is_empty() => {
                options.extend([b" ".to_vec(), text::shell_quoted(&word)].concat());
                // The value of these letters of diff and cmp is the next word.
                value = letters.len() == 1 && b"CDFISUWXxin".contains(&letters[0]) && !(kind.tool == "diff" && b"in".contains(&letters[0]));
                continue;
            }
            _ => files.push(word),
        }
        value = false;
    }
    let tool = [kind.tool.as_bytes(), &options, b" -- "].concat();
    let command = match &files[..] {
        [one] => {
            let Some(other) = unpacked_name(one) else {
                text::complain(&name, format!("{}: unknown compressed file extension", String::from_utf8_lossy(one)));
                return 2;
            };
            [&kind.unpack(one)[..], b" | ", &tool, b"- ", &text::shell_quoted(&other)].concat()
        }
        [one, two] => match (packed(one), packed(two)) {
            (Some(_), Some(_)) => [&kind.unpack(one)[..], b" | { ", &kind.unpack(two), b" | ", &tool, b"/dev/fd/5 -; } 5<&0"].concat(),
            (Some(_), None) => [&kind.unpack(one)[..], b" | ", &tool, b"- ", &text::shell_quoted(two)].concat(),
            (None, Some(_)) => [&kind.unpack(two)[..], b" | ", &tool, &text::shell_quoted(one), b" -"].concat(),
            (None, None) => [&tool[..], &text::shell_quoted(one), b" ", &text::shell_quoted(two)].concat(),
        },
        _ => {
            eprintln!("Usage: {name} {USAGE}");
            return 2;
        }
    };
    // A file that cannot be decompressed is an error, whatever the result of the comparison.
    let command = [b"set -o pipefail; ", &command[..]].concat();
    shell(&name, &command)
}

/// Runs `zless`, `zmore` and similar.
pub(crate) fn page(args: Vec<OsString>) -> u8 {
    let (name, kind) = (text::name(&args), Kind::of(&text::name(&args)));
    if let Some(status) =
        helped(&args, "[OPTION]... [FILE]...", "Show files that may be compressed, page by page. OPTIONs are those of less and more.")
    {
        return status;
    }
    let (mut options, mut files) = (Vec::new(), Vec::new());
    for arg in &args[1..] {
        let arg = arg.as_encoded_bytes();
        if arg.len() > 1 && matches!(arg[0], b'-' | b'+') {
            options.extend([b" ".to_vec(), text::shell_quoted(arg)].concat());
        } else {
            files.push(arg.to_vec());
        }
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let unpack: Vec<Vec<u8>> = files.iter().map(|file| kind.unpack(file)).collect();
    let command = [b"{ ", &unpack.join(&b"; "[..])[..], b"; } | ", kind.tool.as_bytes(), &options].concat();
    shell(&name, &command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_the_tool_and_the_unpacker() {
        let kind = |name| {
            let kind = Kind::of(name);
            (kind.unpacker, kind.tool)
        };
        assert_eq!((kind("zgrep"), kind("xzcmp")), (("gzip", "grep"), ("xz", "cmp")));
        assert_eq!((kind("bzfgrep"), kind("zstdless")), (("bzip2", "fgrep"), ("zstd", "less")));
        assert_eq!(Kind::of("zgrep").unpack(b"it's.xz"), b"xz -cdfq -- 'it'\\''s.xz'");
        assert_eq!((unpacked_name(b"a.tgz"), unpacked_name(b"a")), (Some(b"a.tar".to_vec()), None));
    }

    #[test]
    fn what_is_greps_goes_to_grep() {
        let read = |words: &str| GrepLine::read(&words.split(' ').map(OsString::from).collect::<Vec<_>>());
        let line = read("-n -A 2 pat --max-count 3 f.gz -hi").unwrap();
        assert_eq!(line.options, ["-n", "-A", "2", "--max-count", "3", "-hi"].map(|word| word.as_bytes().to_vec()));
        assert_eq!((line.files.len(), line.has_pattern, line.names), (2, false, true));
        assert!(read("-qe pat f").unwrap().has_pattern && read("-epat").unwrap().has_pattern);
        assert!(read("-r x").is_err() && read("-m").is_err());
    }
}
