//! The messages of the compressors, each in its own wording.

use super::Tool;
use super::options::{Mode, Options};
use crate::codec::Format;
use crate::text;
use std::ffi::OsString;
use std::io::{Error, ErrorKind};
use std::path::{Path, PathBuf};

/// The error of a stream in another format.
#[derive(Debug)]
pub(super) struct UnknownFormat;

impl std::fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str("unknown format")
    }
}

impl std::error::Error for UnknownFormat {}

/// Returns the ending of compressed files.
pub(super) fn suffix(format: Format) -> &'static str {
    match format {
        Format::Gzip => ".gz",
        Format::Bzip2 => ".bz2",
        Format::Xz => ".xz",
        Format::Lzma => ".lzma",
        Format::Zstd => ".zst",
    }
}

/// Returns the endings that are removed, and their replacements.
fn endings(format: Format) -> &'static [(&'static str, &'static str)] {
    match format {
        Format::Gzip => &[(".gz", ""), (".z", ""), ("-gz", ""), ("-z", ""), ("_z", ""), (".Z", ""), (".tgz", ".tar"), (".taz", ".tar")],
        Format::Bzip2 => &[(".bz2", ""), (".bz", ""), (".tbz2", ".tar"), (".tbz", ".tar")],
        Format::Xz | Format::Lzma => &[(".xz", ""), (".lzma", ""), (".txz", ".tar"), (".tlz", ".tar")],
        Format::Zstd => &[(".zst", ""), (".tzst", ".tar"), (".gz", ""), (".tgz", ".tar"), (".xz", ""), (".lzma", ""), (".txz", ".tar")],
    }
}

/// Returns the name of the result; or the status and the message if the file is left alone.
pub(super) fn target(tool: Tool, path: &Path, options: &Options) -> Result<PathBuf, (u8, String)> {
    let name = path.as_os_str().as_encoded_bytes();
    let shown = text::show(path);
    let suffix = options.suffix.as_encoded_bytes();
    let with = |base: &[u8], end: &str| {
        let mut whole: OsString = crate::sys::path_from_bytes(base).into_os_string();
        whole.push(end);
        PathBuf::from(whole)
    };
    if options.mode == Mode::Compress {
        let own = endings(tool.format).iter().map(|(end, _)| end.as_bytes());
        let own: Vec<&[u8]> = if tool.format == Format::Zstd { Vec::new() } else { own.chain([suffix]).collect() };
        if let Some(end) = own.into_iter().find(|end| name.len() > end.len() && name.ends_with(end))
            && !(options.force && tool.format == Format::Gzip)
        {
            let end = String::from_utf8_lossy(end).into_owned();
            return Err(match tool.format {
                Format::Gzip => (0, format!("{}: {shown} already has {end} suffix -- unchanged", tool.name)),
                Format::Bzip2 => (1, format!("{}: Input file {shown} already has {end} suffix.", tool.name)),
                _ => (2, format!("{}: {shown}: File already has `{end}' suffix, skipping", tool.name)),
            });
        }
        let mut whole = path.as_os_str().to_owned();
        whole.push(&options.suffix);
        return Ok(PathBuf::from(whole));
    }
    if name.len() > suffix.len() && name.ends_with(suffix) {
        return Ok(with(&name[..name.len() - suffix.len()], ""));
    }
    for (end, new) in endings(tool.format) {
        if name.len() > end.len() && name.ends_with(end.as_bytes()) {
            return Ok(with(&name[..name.len() - end.len()], new));
        }
    }
    Err(match tool.format {
        Format::Gzip => (2, format!("{}: {shown}: unknown suffix -- ignored", tool.name)),
        Format::Bzip2 => {
            eprintln!("{}: Can't guess original name for {shown} -- using {shown}.out", tool.name);
            return Ok(with(name, ".out"));
        }
        Format::Xz | Format::Lzma if !starts_right(path) => (1, format!("{}: {shown}: File format not recognized", tool.name)),
        Format::Xz | Format::Lzma => (2, format!("{}: {shown}: Filename has an unknown suffix, skipping", tool.name)),
        Format::Zstd => (
            1,
            format!(
                "{}: {shown}: unknown suffix (.zst/.tzst/.gz/.tgz/.lzma/.xz/.txz expected). Can't derive the output file name. \
                 Specify it with -o dstFileName. Ignoring.",
                tool.name
            ),
        ),
    })
}

/// Returns whether a file begins like something compressed.
fn starts_right(path: &Path) -> bool {
    let mut start = [0; 6];
    let read = std::fs::File::open(path).and_then(|mut file| std::io::Read::read(&mut file, &mut start));
    read.is_ok_and(|count| Format::of_start(&start[..count]).is_some())
}

/// Returns the message for a file that is not there, or cannot be opened.
pub(super) fn missing(tool: Tool, path: &str, reason: &str) -> String {
    match tool.format {
        Format::Bzip2 => format!("{}: Can't open input file {path}: {reason}.", tool.name),
        Format::Zstd => format!("{}: can't stat {path} : {reason} -- ignored ", tool.name),
        _ => format!("{}: {path}: {reason}", tool.name),
    }
}

/// Returns what standard input is called.
pub(super) fn standard_input(format: Format) -> &'static str {
    match format {
        Format::Xz | Format::Lzma => "(stdin)",
        Format::Zstd => "/*stdin*\\",
        _ => "stdin",
    }
}

/// Returns the status and the message for a symbolic link.
pub(super) fn link(tool: Tool, path: &str) -> (u8, String) {
    match tool.format {
        Format::Gzip => (1, format!("{}: {path}: Too many levels of symbolic links", tool.name)),
        Format::Bzip2 => (1, format!("{}: Input file {path} is not a normal file.", tool.name)),
        Format::Xz | Format::Lzma => (2, format!("{}: {path}: Is a symbolic link, skipping", tool.name)),
        Format::Zstd => (0, format!("Warning : {path} is a symbolic link, ignoring")),
    }
}

/// Returns the status and the message for a folder without `-r`.
pub(super) fn directory(tool: Tool, path: &str) -> (u8, String) {
    match tool.format {
        Format::Gzip => (2, format!("{}: {path} is a directory -- ignored", tool.name)),
        Format::Bzip2 => (1, format!("{}: Input file {path} is a directory.", tool.name)),
        Format::Xz | Format::Lzma => (2, format!("{}: {path}: Is a directory, skipping", tool.name)),
        Format::Zstd => (1, format!("{}: {path} is a directory -- ignored ", tool.name)),
    }
}

/// Returns the status and the message for a result that is there already.
pub(super) fn exists(tool: Tool, path: &str) -> (u8, String) {
    match tool.format {
        Format::Gzip => (2, format!("{}: {path} already exists;\tnot overwritten", tool.name)),
        Format::Bzip2 => (1, format!("{}: Output file {path} already exists.", tool.name)),
        Format::Xz | Format::Lzma => (1, format!("{}: {path}: File exists", tool.name)),
        Format::Zstd => (1, format!("{}: {path} already exists; not overwritten  ", tool.name)),
    }
}

/// Returns compressed data for a terminal.
pub(super) fn terminal(tool: Tool) -> String {
    format!("{0}: compressed data not written to a terminal. Use -f to force compression.\nFor help, type: {0} -h", tool.name)
}

/// Returns the status and the message for a stream that could not be converted.
pub(super) fn failed(tool: Tool, path: &str, error: &Error) -> (u8, String) {
    let name = tool.name;
    let unknown = matches!(error.get_ref(), Some(cause) if cause.is::<UnknownFormat>());
    let cut = error.kind() == ErrorKind::UnexpectedEof;
    let data = error.kind() == ErrorKind::InvalidData || error.kind() == ErrorKind::InvalidInput;
    match tool.format {
        Format::Gzip => (1, format!("\n{name}: {path}: {}", text::reason(error))),
        Format::Bzip2 if unknown => (2, format!("{name}: {path} is not a bzip2 file.")),
        Format::Bzip2 if cut => {
            (2, format!("\n{name}: Compressed file ends unexpectedly;\n\tperhaps it is corrupted?\n\tInput file = {path}"))
        }
        Format::Bzip2 if data => (2, format!("\n{name}: Data integrity error when decompressing.\n\tInput file = {path}")),
        Format::Xz | Format::Lzma if unknown => (1, format!("{name}: {path}: File format not recognized")),
        Format::Xz | Format::Lzma if cut => (1, format!("{name}: {path}: Unexpected end of input")),
        Format::Xz | Format::Lzma if data => (1, format!("{name}: {path}: Compressed data is corrupt")),
        Format::Zstd if error.to_string().contains("UnexpectedEof") => (1, format!("{path} : Read error (39) : premature end ")),
        Format::Zstd if !unknown && !cut && data => (1, format!("{path} : Decoding error (36) : Corrupted block detected ")),
        Format::Zstd if unknown => (1, format!("{name}: {path}: unsupported format ")),
        Format::Zstd if cut => (1, format!("{name}: {path}: unexpected end of file ")),
        _ => (1, format!("{name}: {path}: {}", text::reason(error))),
    }
}

fn percent(packed: u64, plain: u64) -> f64 {
    if plain == 0 { 0.0 } else { 100.0 - 100.0 * packed as f64 / plain as f64 }
}

/// Returns the line that `-v` prints; zstd prints one anyway.
pub(super) fn done(tool: Tool, options: &Options, path: &str, target: Option<&str>, packed: u64, plain: u64) -> Option<String> {
    let compress = options.mode == Mode::Compress;
    if tool.format == Format::Zstd {
        if options.quiet || options.stdout {
            return None;
        }
        return Some(match (options.mode, target) {
            (Mode::Compress, Some(target)) => {
                let ratio = if plain == 0 { 0.0 } else { 100.0 * packed as f64 / plain as f64 };
                format!("{path:<20} :{ratio:6.2}%   ({plain:>7} B => {packed:>7} B, {target}) ")
            }
            _ => format!("{path:<20}: {plain} bytes "),
        });
    }
    if options.verbose == 0 {
        return None;
    }
    Some(match (tool.format, options.mode) {
        (Format::Gzip, Mode::Test) => format!("{path}:\t OK"),
        (Format::Gzip, _) => match target {
            Some(target) => {
                let verb = if options.keep { "created" } else { "replaced with" };
                format!("{path}:\t{:5.1}% -- {verb} {target}", percent(packed, plain))
            }
            None => format!("{path}:\t{:5.1}%", percent(packed, plain)),
        },
        (Format::Bzip2, Mode::Test) => format!("  {path}:   ok"),
        (Format::Bzip2, _) if !compress => format!("  {path}:   done"),
        (Format::Bzip2, _) => {
            let (p, n) = (packed as f64, (plain as f64).max(1.0));
            format!(
                "  {path}:  {:7.3}:1, {:6.3} bits/byte, {:5.2}% saved, {plain} in, {packed} out.",
                n / p,
                8.0 * p / n,
                100.0 * (1.0 - p / n)
            )
        }
        _ => format!("{path}: {packed} B / {plain} B = {:.3}", packed as f64 / (plain as f64).max(1.0)),
    })
}

/// Reports an option that is not known; returns the status.
pub(super) fn unknown(tool: Tool, option: &str) -> u8 {
    let name = tool.name;
    match tool.format {
        Format::Bzip2 => eprint!("{name}: Bad flag `{option}'\n{}", help(tool)),
        Format::Zstd => eprint!("Incorrect parameters \n{}", help(tool)),
        _ => {
            let what = match option.strip_prefix("--") {
                Some(_) => format!("unrecognized option '{option}'"),
                None => format!("invalid option -- '{}'", option.chars().nth(1).unwrap_or('-')),
            };
            let prefix = if tool.format == Format::Gzip { String::new() } else { format!("{name}: ") };
            eprintln!("{name}: {what}\n{prefix}Try `{name} --help' for more information.");
        }
    }
    1
}

/// Returns the help text.
pub(super) fn help(tool: Tool) -> String {
    let mut lines = vec![
        format!("Usage: {} [OPTION]... [FILE]...", tool.name),
        "Compress or decompress FILEs; with no FILE, or when FILE is -, standard input to standard output.".into(),
        String::new(),
        "  -c     write to standard output, keep the files".into(),
        "  -d     decompress".into(),
        "  -f     overwrite files, follow links".into(),
        "  -k     keep the files".into(),
        "  -t     test only".into(),
        "  -q     no warnings".into(),
        "  -v     say what is done".into(),
        "  -1..-9 faster or better".into(),
        "  -h, --help     this help".into(),
        "  -V, --version  the version".into(),
    ];
    match tool.format {
        Format::Gzip => lines.extend(
            ["  -l     list", "  -n     keep no name and time", "  -r     recursively", "  -S X   use the ending X"].map(Into::into),
        ),
        Format::Xz | Format::Lzma => lines.extend(
            [
                "  -l     list",
                "  -z     compress",
                "  -S X   use the ending X",
                "  -T N   ignored: one thread",
                "  -e -Q -F X -C X -M X   extreme; no warnings; format (xz, lzma); checksum and memory: ignored",
                "  --robot  lists for programs",
            ]
            .map(Into::into),
        ),
        Format::Zstd => lines.extend(
            ["  -l     list", "  -o X   write to X", "  -r     recursively", "  --rm   remove the files", "  -T N   ignored: one thread"]
                .map(Into::into),
        ),
        Format::Bzip2 => lines.extend(["  -z     compress", "  -s     ignored: memory is bounded anyway"].map(Into::into)),
    }
    let mut names = String::from("Long names:");
    for name in super::options::long_names(tool.format) {
        if names.len() - names.rfind('\n').unwrap_or(0) + name.len() > 100 {
            names += "\n ";
        }
        names += &format!(" --{name}");
    }
    lines.push(names);
    lines.join("\n") + "\n"
}
