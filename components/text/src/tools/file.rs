//! `file`: what kind of file something is.

use super::magic;
use crate::options::{Line, Syntax, flag, value};
use crate::sys::{self, Kind};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};
use std::path::Path;

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION...] [FILE...]",
    about: "Determine type of FILEs.",
    options: &[
        flag("b", "brief", "do not prepend filenames to output lines"),
        flag("i", "mime", "output MIME type strings"),
        flag("", "mime-type", "output the MIME type"),
        flag("", "mime-encoding", "output the MIME encoding"),
        flag("L", "dereference", "follow symlinks"),
        flag("h", "no-dereference", "don't follow symlinks (default)"),
        flag("N", "no-pad", "do not pad output"),
        value("F", "separator", "use string as separator instead of `:'"),
        value("f", "files-from", "read the filenames to be examined from VALUE"),
        flag("0", "print0", "terminate filenames with ASCII NUL"),
        flag("s", "special-files", "treat special files as ordinary ones"),
        flag("k", "keep-going", "accepted; changes nothing"),
        flag("z", "uncompress", "accepted; changes nothing"),
        flag("r", "raw", "accepted; changes nothing"),
        flag("E", "", "a file that cannot be read is an error"),
        value("m", "magic-file", "accepted: the kinds are built in"),
    ],
    origin: "wisp",
    letters: ("", "v"),
    ..Syntax::COMMON
};

/// How many bytes of a file are examined.
const LOOK: u64 = 1 << 20;

/// Runs `file`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(_: &[OsString], line: Line) -> u8 {
    let mut names = line.operands.clone();
    if let Some(list) = line.last("files-from") {
        match text::slurp(list) {
            Ok(all) => names.extend(all.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(|l| sys::os_string(l.to_vec()))),
            Err(error) => {
                text::complain("file", format!("Cannot open `{}' ({})", text::show(list), text::reason(&error)));
                return 1;
            }
        }
    }
    if names.is_empty() {
        eprintln!("Usage: file {}\nTry 'file --help' for more information.", SYNTAX.usage);
        return 1;
    }
    let separator = line.last_text("separator").unwrap_or_else(|| ":".into());
    let widest = names.iter().map(|n| printable(n).chars().count()).max().unwrap_or(0);
    let mut out = text::output();
    for name in &names {
        let shown = if name == "-" { "/dev/stdin".to_owned() } else { printable(name) };
        let found = look(name, line.has("dereference"), line.has("special-files"));
        let said = match (line.has("mime"), line.has("mime-type"), line.has("mime-encoding")) {
            _ if found.charset.is_empty() && found.mime.is_empty() => found.text,
            (true, ..) | (_, true, true) => format!("{}; charset={}", found.mime, found.charset),
            (_, true, _) => found.mime,
            (_, _, true) => found.charset,
            _ => found.text,
        };
        let label = if line.has("brief") {
            String::new()
        } else if line.has("print0") {
            format!("{shown}\0{separator} ")
        } else {
            let pad = if line.has("no-pad") { 0 } else { widest - shown.chars().count().min(widest) };
            format!("{shown}{separator}{} ", " ".repeat(pad))
        };
        if writeln!(out, "{label}{said}").is_err() {
            return 1;
        }
    }
    u8::from(out.flush().is_err())
}

/// Returns a name as `file` prints it: bytes that are not UTF-8 as `\351`.
fn printable(name: &OsStr) -> String {
    let mut out = String::new();
    for chunk in sys::bytes(name).utf8_chunks() {
        out += chunk.valid();
        chunk.invalid().iter().for_each(|byte| out += &format!("\\{byte:03o}"));
    }
    out
}

fn look(name: &OsString, follow: bool, special: bool) -> magic::Found {
    let found = |text: String, mime: &str| magic::Found { text, mime: mime.into(), charset: "binary".into() };
    let path = Path::new(name);
    if name == "-" {
        let mut bytes = Vec::new();
        // A file that cannot be read counts as empty.
        let _ = crate::input::Stdin.take(LOOK).read_to_end(&mut bytes);
        return magic::identify(&bytes, bytes.len() as u64);
    }
    let stat = match sys::stat(path, follow) {
        Ok(stat) => stat,
        Err(error) => {
            return magic::Found {
                text: format!("cannot open `{}' ({})", printable(name), text::reason(&error)),
                mime: String::new(),
                charset: String::new(),
            };
        }
    };
    match stat.kind {
        Kind::Dir => found(if stat.mode & 0o1000 != 0 { "sticky, directory".into() } else { "directory".into() }, "inode/directory"),
        Kind::Link => {
            let target = std::fs::read_link(path).map(|t| printable(t.as_os_str())).unwrap_or_default();
            let broken = sys::stat(path, true).is_err();
            found(format!("{}symbolic link to {target}", if broken { "broken " } else { "" }), "inode/symlink")
        }
        Kind::Fifo => found("fifo (named pipe)".into(), "inode/fifo"),
        Kind::Socket => found("socket".into(), "inode/socket"),
        Kind::Char if !special => {
            let numbers = match &*name.to_string_lossy() {
                "/dev/null" => " (1/3)",
                "/dev/zero" => " (1/5)",
                "/dev/full" => " (1/7)",
                "/dev/random" => " (1/8)",
                "/dev/urandom" => " (1/9)",
                "/dev/tty" => " (5/0)",
                _ => "",
            };
            found(format!("character special{numbers}"), "inode/chardevice")
        }
        Kind::Block if !special => found("block special".into(), "inode/blockdevice"),
        _ => {
            let mut bytes = Vec::new();
            match std::fs::File::open(path).and_then(|f| f.take(LOOK).read_to_end(&mut bytes)) {
                Ok(_) => magic::identify(&bytes, stat.size),
                Err(error) => magic::Found {
                    text: format!("regular file, no read permission ({})", text::reason(&error)),
                    mime: String::new(),
                    charset: String::new(),
                },
            }
        }
    }
}
