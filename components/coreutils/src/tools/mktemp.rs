//! `mktemp`. The version of uutils cannot set the mode on WASI.

use crate::options::{Line, Opt, Syntax, flag, maybe, value};
use crate::{sys, text};
use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::path::PathBuf;

const OPTIONS: &[Opt] = &[
    flag("d", "directory", "a directory, not a file"),
    flag("u", "dry-run", "only print a name"),
    flag("q", "quiet", "no message when it fails"),
    value("", "suffix", "append VALUE to the name"),
    maybe("", "tmpdir", "below directory VALUE, or $TMPDIR, or /tmp"),
    value("p", "", "below directory VALUE"),
    flag("t", "", "TEMPLATE is a name below $TMPDIR"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [TEMPLATE]",
    about: "Make a file or directory with a new name that only its owner can read, and print the name.\nThe last three or more X of TEMPLATE (tmp.XXXXXXXXXX) are replaced.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// How many names are tried. There are at least 62³, so that many failures mean that the directory is full of them.
const TRIES: usize = 4096;

/// Runs `mktemp`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    if line.operands.len() > 1 {
        return SYNTAX.misuse(args, "too many templates");
    }
    match make(&line) {
        Ok(path) => {
            println!("{path}");
            0
        }
        Err(message) => {
            // `-q` suppresses only the message that a file cannot be made.
            if !line.has("quiet") || !message.starts_with("failed to create") {
                text::complain("mktemp", message);
            }
            1
        }
    }
}

fn make(line: &Line) -> Result<String, String> {
    let given = line.operands.first().map(|o| o.to_string_lossy().into_owned());
    let template = given.clone().unwrap_or_else(|| "tmp.XXXXXXXXXX".to_owned());
    let variable = || std::env::var("TMPDIR").ok().filter(|d| !d.is_empty()).unwrap_or_else(|| "/tmp".to_owned());
    let option = line.options.iter().rev().find(|o| o.key == "tmpdir" || o.key == "p").map(wisp_tool::options::Given::text);
    let dir = match option {
        Some(dir) if dir.is_empty() => Some(variable()),
        Some(dir) if line.has("t") => Some(std::env::var("TMPDIR").ok().filter(|d| !d.is_empty()).unwrap_or(dir)),
        Some(dir) => Some(dir),
        None if line.has("t") || given.is_none() => Some(variable()),
        None => None,
    };
    let (head, suffix) = match line.last_text("suffix") {
        Some(suffix) if template.ends_with('X') => (template.as_str(), suffix),
        Some(_) => return Err(format!("with --suffix, template {} must end in X", text::quote(&template))),
        None => {
            let end = template.rfind('X').map_or(0, |at| at + 1);
            (&template[..end], template[end..].to_owned())
        }
    };
    let count = head.bytes().rev().take_while(|b| *b == b'X').count();
    if count < 3 {
        return Err(format!("too few X's in template {}", text::quote(&template)));
    }
    if suffix.contains('/') {
        return Err(format!("invalid suffix {}, contains directory separator", text::quote(&suffix)));
    }
    if line.has("t") && head.contains('/') {
        return Err(format!("invalid template, {}, contains directory separator", text::quote(&template)));
    }
    if dir.is_some() && head.starts_with('/') {
        return Err(format!("invalid template, {}; with --tmpdir, it may not be absolute", text::quote(&template)));
    }
    let stem = &head[..head.len() - count];
    let mut last = None;
    for attempt in 0..TRIES {
        let name = format!("{stem}{}{suffix}", letters(count, attempt));
        let path = match &dir {
            Some(dir) => PathBuf::from(dir).join(&name),
            None => PathBuf::from(&name),
        };
        let shown = path.to_string_lossy().into_owned();
        if line.has("dry-run") {
            if sys::stat(&path, false).is_err() {
                return Ok(shown);
            }
            continue;
        }
        let made = if line.has("directory") {
            std::fs::create_dir(&path)
        } else {
            std::fs::OpenOptions::new().write(true).create_new(true).open(&path).map(drop)
        };
        match made {
            Ok(()) => {
                // A mounted host directory decides the modes itself.
                let _ = sys::set_mode(&path, if line.has("directory") { 0o700 } else { 0o600 });
                return Ok(shown);
            }
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => last = Some(error),
            Err(error) => {
                last = Some(error);
                break;
            }
        }
    }
    let what = if line.has("directory") { "directory" } else { "file" };
    let pattern = match dir {
        Some(dir) => PathBuf::from(dir).join(&template).to_string_lossy().into_owned(),
        None => template,
    };
    let why = last.map_or_else(|| "File exists".to_owned(), |e| text::reason(&e));
    Err(format!("failed to create {what} via template {}: {why}", text::quote(pattern)))
}

/// Returns random letters. The system's randomness seeds std's hasher.
fn letters(count: usize, attempt: usize) -> String {
    const ALPHABET: &[u8; 62] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    let chance = RandomState::new();
    (0..count).map(|at| char::from(ALPHABET[(chance.hash_one((attempt, at)) % 62) as usize])).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_differ() {
        assert_ne!(super::letters(10, 0), super::letters(10, 0));
        assert_eq!(super::letters(5, 1).len(), 5);
    }
}
