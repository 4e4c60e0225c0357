//! `stat`.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::sys::{self, Kind, Stat};
use crate::{mode, names, operands, text, time};
use std::ffi::OsString;
use std::io::Write;
use std::path::Path;

const OPTIONS: &[Opt] = &[
    flag("L", "dereference", "follow symbolic links"),
    flag("f", "file-system", "facts about the filesystem"),
    value("", "cached", ""),
    value("c", "format", "print VALUE with % sequences replaced, and a newline"),
    value("", "printf", "as --format, with \\ sequences and without the newline"),
    flag("t", "terse", "one line of numbers"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... FILE...",
    about: "Print facts about each FILE.\nFormats: %a mode in octal, %A mode as letters, %b blocks, %B size of a block, %d device, %f raw mode, %F type,\n%g %G group, %h links, %i inode, %m mount point, %n name, %N name in quotes, %o block size, %s size, %t %T device type,\n%u %U owner, %w %W birth, %x %X access, %y %Y change of contents, %z %Z change of status",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The values that `QUOTING_STYLE` may have.
const STYLES: [&str; 9] = ["literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "escape", "locale", "clocale"];

const DEFAULT: &str = "  File: %@\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\nDevice: %Hd,%Ld\tInode: %-11i Links: %h\nAccess: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n";
const TERSE: &str = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n";
const SYSTEM: &str = "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\nBlocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n";

/// Runs `stat`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    if line.operands.is_empty() {
        return SYNTAX.misuse(args, "missing operand");
    }
    let system = line.has("file-system");
    let chosen = line.options.iter().rev().find(|o| o.key == "format" || o.key == "printf");
    let (format, escapes) = match chosen {
        Some(given) if given.key == "printf" => (given.text(), true),
        Some(given) => (given.text() + "\n", false),
        None if system => (SYSTEM.to_owned(), false),
        None if line.has("terse") => (TERSE.to_owned(), false),
        None => (DEFAULT.to_owned(), false),
    };
    let mut out = text::output();
    let mut status = 0;
    if let Ok(style) = std::env::var("QUOTING_STYLE")
        && !STYLES.contains(&style.as_str())
        && expand(&format, escapes, &|key| (key == "N").then(String::new)).0 != expand(&format, escapes, &|_| None).0
    {
        text::complain("stat", format!("ignoring invalid value of environment variable QUOTING_STYLE: {}", text::quote(&style)));
    }
    for operand in &line.operands {
        let path = Path::new(operand);
        if operand == "-" && system {
            text::complain("stat", "using '-' to denote standard input does not work in file system mode");
            status = 1;
            continue;
        }
        let stat = if operand == "-" { sys::stat_input() } else { sys::stat(path, line.has("dereference")) };
        match stat {
            Ok(stat) => {
                let fill = |letter: &str| if system { system_field(letter, path) } else { field(letter, path, &stat) };
                let (shown, wrong) = expand(&format, escapes, &fill);
                let _ = out.write_all(&shown);
                if let Some(directive) = wrong {
                    let _ = out.flush();
                    text::complain("stat", format!("{}: invalid directive", text::quote(directive)));
                    return 1;
                }
            }
            Err(error) => {
                let _ = out.flush();
                text::complain("stat", format!("cannot statx {}: {}", text::quote(path), text::reason(&error)));
                status = 1;
            }
        }
    }
    let _ = out.flush();
    status
}

/// Writes a backslash sequence of `--printf`.
fn escape(chars: &mut std::iter::Peekable<std::str::Chars<'_>>, out: &mut Vec<u8>) {
    let mut digits = |base: u32, most: usize, first: u32| {
        let (mut value, mut count) = (first, 0);
        while count < most
            && let Some(digit) = chars.peek().and_then(|c| c.to_digit(base))
        {
            chars.next();
            (value, count) = (value * base + digit, count + 1);
        }
        (value as u8, count)
    };
    let (octal, count) = digits(8, 3, 0);
    if count > 0 {
        return out.push(octal);
    }
    let Some(letter) = chars.next() else {
        text::complain("stat", "warning: backslash at end of format");
        return out.push(b'\\');
    };
    if letter == 'x' {
        let mut value = 0;
        let mut count = 0;
        while count < 2
            && let Some(digit) = chars.peek().and_then(|c| c.to_digit(16))
        {
            chars.next();
            (value, count) = (value * 16 + digit, count + 1);
        }
        if count == 0 {
            text::complain("stat", "warning: unrecognized escape '\\x'");
            return out.push(b'x');
        }
        return out.push(value as u8);
    }
    match "abefnrtv\"\\".find(letter) {
        Some(at) => out.push(b"\x07\x08\x1b\x0c\n\r\t\x0b\"\\"[at]),
        None => {
            text::complain("stat", format!("warning: unrecognized escape '\\{letter}'"));
            out.extend(letter.encode_utf8(&mut [0; 4]).bytes());
        }
    }
}

/// Replaces `%[flags][width][.precision]X`, and with `escapes` backslash sequences. An unknown directive ends the output.
fn expand(format: &str, escapes: bool, field: &dyn Fn(&str) -> Option<String>) -> (Vec<u8>, Option<String>) {
    let mut out = Vec::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' && escapes {
            escape(&mut chars, &mut out);
            continue;
        }
        if c != '%' {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes());
            continue;
        }
        let rest: String = chars.clone().collect();
        let mut flags = String::new();
        while let Some(f) = chars.next_if(|c| "-0+ #'I".contains(*c)) {
            flags.push(f);
        }
        let (width, precision) = operands::width(&mut chars);
        let consumed = |left: &std::iter::Peekable<std::str::Chars<'_>>| {
            let kept = rest.len() - left.clone().map(char::len_utf8).sum::<usize>();
            format!("%{}", &rest[..kept])
        };
        let bare = precision.is_some() && !consumed(&chars).ends_with(|c: char| c.is_ascii_digit());
        let Some(letter) = chars.next().filter(|c| *c != '\n') else {
            let directive = consumed(&chars);
            if directive.trim_end() == "%" {
                out.extend(directive.bytes());
                continue;
            }
            return (out, Some(directive.trim_end().to_owned()));
        };
        let mut key = match letter {
            '%' if rest.starts_with('%') => {
                out.push(b'%');
                continue;
            }
            '%' => return (out, Some(consumed(&chars))),
            'H' | 'L' if chars.peek().is_some_and(|c| "dr".contains(*c)) => format!("{letter}{}", chars.next().unwrap_or('d')),
            letter => letter.to_string(),
        };
        // A point alone means all nine digits.
        let precision = if bare && matches!(letter, 'X' | 'Y' | 'Z') { Some(9) } else { precision };
        let fraction = precision.filter(|p| *p > 0 && matches!(letter, 'X' | 'Y' | 'Z'));
        if fraction.is_some() {
            key.insert(0, '.');
        }
        let Some(mut value) = field(&key) else {
            out.push(b'?');
            continue;
        };
        if flags.contains('#') && key == "a" && !value.starts_with('0') {
            value.insert(0, '0');
        }
        if let Some(digits) = fraction {
            let point = value.find('.').unwrap_or(value.len());
            value.truncate(point + 1 + digits.min(9));
            value += &"0".repeat(digits.saturating_sub(9));
        } else if let Some(p) = precision.filter(|_| !matches!(letter, 'X' | 'Y' | 'Z')) {
            let mut bytes = text::written(&value).into_owned();
            bytes.truncate(p);
            if let Err(error) = std::str::from_utf8(&bytes) {
                // The precision counts bytes, so it may cut a character in two.
                let pad = width.saturating_sub(error.valid_up_to() + 1);
                out.extend(std::iter::repeat_n(b' ', if flags.contains('-') { 0 } else { pad }));
                out.extend(&bytes);
                out.extend(std::iter::repeat_n(b' ', if flags.contains('-') { pad } else { 0 }));
                continue;
            }
            value = text::shown(&bytes);
        }
        let pad = width.saturating_sub(text::width(&value));
        let left = flags.contains('-');
        let fill = if flags.contains('0') && !left { b'0' } else { b' ' };
        if !left {
            out.extend(std::iter::repeat_n(fill, pad));
        }
        out.extend_from_slice(&text::written(&value));
        if left {
            out.extend(std::iter::repeat_n(fill, pad));
        }
    }
    (out, None)
}

/// Returns the type of a file in words.
pub(super) fn type_name(stat: &Stat) -> &'static str {
    match stat.kind {
        Kind::File if stat.size == 0 => "regular empty file",
        Kind::File => "regular file",
        Kind::Dir => "directory",
        Kind::Link => "symbolic link",
        Kind::Char => "character special file",
        Kind::Block => "block special file",
        Kind::Fifo => "fifo",
        Kind::Socket => "socket",
    }
}

fn raw_mode(stat: &Stat) -> u32 {
    stat.mode
        | match stat.kind {
            Kind::File => 0o100_000,
            Kind::Dir => 0o040_000,
            Kind::Link => 0o120_000,
            Kind::Char => 0o020_000,
            Kind::Block => 0o060_000,
            Kind::Fifo => 0o010_000,
            Kind::Socket => 0o140_000,
        }
}

fn mount_point(path: &Path) -> String {
    let full = std::fs::canonicalize(path).unwrap_or_else(|_| sys::absolute(path));
    let best = sys::mounts().into_iter().map(|(p, _)| p).filter(|p| full.starts_with(p)).max_by_key(String::len);
    best.unwrap_or_else(|| "/".into())
}

fn field(letter: &str, path: &Path, s: &Stat) -> Option<String> {
    let full = |ns: i128| time::format(ns, "%Y-%m-%d %H:%M:%S.%N %z");
    let seconds = |ns: i128| ns.div_euclid(1_000_000_000).to_string();
    // Whole seconds and their fraction; before 1970 both are negative.
    let fraction = |ns: i128| {
        let size = ns.unsigned_abs();
        format!("{}{}.{:09}", if ns < 0 { "-" } else { "" }, size / 1_000_000_000, size % 1_000_000_000)
    };
    Some(match letter {
        ".X" => fraction(s.atime),
        ".Y" => fraction(s.mtime),
        ".Z" => fraction(s.ctime),
        "a" => format!("{:o}", s.mode),
        "A" => mode::letters(s.kind, s.mode),
        "b" => s.blocks.to_string(),
        "B" => "512".into(),
        "C" => "?".into(),
        "d" => s.dev.to_string(),
        "D" => format!("{:x}", s.dev),
        "Hd" => (s.dev >> 8 & 0xfff).to_string(),
        "Ld" => (s.dev & 0xff).to_string(),
        "f" => format!("{:x}", raw_mode(s)),
        "F" => type_name(s).into(),
        "g" => s.gid.to_string(),
        "G" => names::groups().name(s.gid).unwrap_or("UNKNOWN").to_owned(),
        "h" => s.nlink.to_string(),
        "i" => s.ino.to_string(),
        "m" => mount_point(path),
        "n" => text::show(path),
        // Not in GNU's stat: the name in the default output, quoted only if a shell needs it.
        "@" => match std::fs::read_link(path) {
            Ok(target) if s.is_link() => {
                text::shown(format!("{} -> {}", text::quote_if_needed(path), text::quote_if_needed(&target)).as_bytes())
            }
            _ => text::shown(text::quote_if_needed(path).as_bytes()),
        },
        "N" if s.is_link() => match std::fs::read_link(path) {
            Ok(target) => format!("{} -> {}", quoted(path), quoted(&target)),
            Err(_) => quoted(path),
        },
        "N" => quoted(path),
        "o" => "4096".into(),
        "s" => s.size.to_string(),
        "t" | "T" | "r" | "R" | "Hr" | "Lr" => "0".into(),
        "u" => s.uid.to_string(),
        "U" => names::users().name(s.uid).unwrap_or("UNKNOWN").to_owned(),
        "w" => "-".into(),
        "W" => "0".into(),
        "x" => full(s.atime),
        "X" => seconds(s.atime),
        "y" => full(s.mtime),
        "Y" => seconds(s.mtime),
        "z" => full(s.ctime),
        "Z" => seconds(s.ctime),
        _ => return None,
    })
}

/// Formats `%N`: the name in quotes, unless `QUOTING_STYLE` says otherwise.
fn quoted(path: &Path) -> String {
    let name = text::show(path);
    match std::env::var("QUOTING_STYLE").as_deref() {
        Ok("literal") => name,
        Ok("shell" | "shell-escape") => text::shown(text::quote_if_needed(path).as_bytes()),
        Ok("c") => crate::ls::quoted(&name, '"'),
        Ok("escape") => crate::ls::quoted(&name, ' '),
        Ok("locale" | "clocale") => crate::ls::quoted(&name, '\''),
        _ => text::shown(text::quote(path).as_bytes()),
    }
}

fn system_field(letter: &str, path: &Path) -> Option<String> {
    let u = sys::usage();
    let (total, used) = (u.max_bytes / 4096, u.bytes.div_ceil(4096));
    Some(match letter {
        "a" | "f" => total.saturating_sub(used).to_string(),
        "b" => total.to_string(),
        "c" => u.max_files.to_string(),
        "d" => u.max_files.saturating_sub(u.files).to_string(),
        "i" => "0".into(),
        "l" => "255".into(),
        "n" => text::show(path),
        "s" | "S" => "4096".into(),
        "t" => "1021994".into(),
        "T" => "tmpfs".into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn formats_expand() {
        let field = |key: &str| (key == "a").then(|| "644".to_owned());
        let expand = |format: &str, escapes| super::expand(format, escapes, &field);
        assert_eq!(expand("%a|%5a|%-5a|%05a|%#a|%%|%q", false), (b"644|  644|644  |00644|0644|%|?".to_vec(), None));
        assert_eq!(expand("\\t%a\\n", true).0, b"\t644\n");
        assert_eq!(expand("\\101\\x42\\377", true).0, b"AB\xff");
        assert_eq!(expand("a%-\n", false), (b"a".to_vec(), Some("%-".into())));
        assert_eq!(expand("%9", true), (Vec::new(), Some("%9".into())));
    }
}
