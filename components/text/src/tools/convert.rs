//! `dos2unix`, `unix2dos`, `sponge` and `uuidgen`.

use crate::options::{Line, Syntax, flag, value};
use crate::text;
use std::ffi::{OsStr, OsString};
use std::io::{Read, Write};

const LINES: Syntax = Syntax {
    usage: "[options] [file ...] [-n infile outfile ...]",
    about: "Convert the line endings of files in place, or of standard input if no file is given. dos2unix writes \\n, unix2dos \\r\\n.",
    options: &[
        flag("n", "newfile", "files are pairs: read the first, write the second"),
        flag("o", "oldfile", "write in place (the default)"),
        flag("q", "quiet", "no messages"),
        flag("k", "keepdate", "keep the times of files"),
        flag("f", "force", "convert binary files too"),
        flag("s", "safe", "skip binary files (the default)"),
    ],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `dos2unix` and `unix2dos`.
pub(crate) fn lines(args: Vec<OsString>) -> u8 {
    LINES.run(&args, run_lines)
}

fn run_lines(args: &[OsString], line: Line) -> u8 {
    let name = text::name(args);
    let to_dos = name == "unix2dos";
    if line.operands.is_empty() {
        let written = text::slurp("-".as_ref()).and_then(|input| text::output().write_all(&ends(&input, to_dos)));
        return u8::from(written.is_err());
    }
    let pairs: Vec<(&OsStr, &OsStr)> = if line.has("newfile") {
        line.operands.chunks(2).map(|pair| (pair[0].as_os_str(), pair.last().unwrap_or(&pair[0]).as_os_str())).collect()
    } else {
        line.operands.iter().map(|file| (file.as_os_str(), file.as_os_str())).collect()
    };
    let mut status = 0;
    let say = |message: String| {
        if !line.has("quiet") {
            text::complain(&name, message);
        }
    };
    for (from, to) in pairs {
        let shown = text::show(from);
        let kept = std::fs::metadata(from).and_then(|facts| facts.modified()).ok().filter(|_| line.has("keepdate"));
        let result = text::slurp(from).and_then(|input| {
            if input.contains(&0) && !line.has("force") {
                say(format!("Skipping binary file {shown}"));
                return Ok(());
            }
            let kind = if to_dos { "DOS" } else { "Unix" };
            say(if from == to {
                format!("converting file {shown} to {kind} format...")
            } else {
                format!("converting file {shown} to file {} in {kind} format...", text::show(to))
            });
            std::fs::write(to, ends(&input, to_dos))?;
            kept.map_or(Ok(()), |time| std::fs::File::options().write(true).open(to)?.set_modified(time))
        });
        if let Err(error) = result {
            text::complain(&name, format!("{shown}: {}", text::reason(&error)));
            status = 2;
        }
    }
    status
}

/// Returns a text with other line endings. A `\r` that is not before a `\n` stays.
fn ends(input: &[u8], to_dos: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(input.len());
    for (at, byte) in input.iter().enumerate() {
        match byte {
            b'\r' if !to_dos && input.get(at + 1) == Some(&b'\n') => {}
            b'\n' if to_dos && at.checked_sub(1).is_none_or(|before| input[before] != b'\r') => out.extend_from_slice(b"\r\n"),
            byte => out.push(*byte),
        }
    }
    out
}

const SPONGE: Syntax = Syntax {
    usage: "[-a] [FILE]",
    about: "Read all of standard input, then write it to FILE, which the pipeline may also read. Without FILE, write to standard output.",
    options: &[flag("a", "append", "append to FILE")],
    letters: ("h", ""),
    ..Syntax::COMMON
};

/// Runs `sponge`.
pub(crate) fn sponge(args: Vec<OsString>) -> u8 {
    SPONGE.run(&args, run_sponge)
}

fn run_sponge(_: &[OsString], line: Line) -> u8 {
    let written = text::slurp("-".as_ref()).and_then(|input| match line.operands.first() {
        None => text::output().write_all(&input),
        Some(name) => {
            let append = line.has("append");
            std::fs::File::options().write(true).create(true).append(append).truncate(!append).open(name)?.write_all(&input)
        }
    });
    match written {
        Ok(()) => 0,
        Err(error) => {
            let name = line.operands.first().map(text::show).unwrap_or_default();
            text::complain("sponge", format!("error opening output file: {name}: {}", text::reason(&error)));
            1
        }
    }
}

const UUIDGEN: Syntax = Syntax {
    usage: "[options]",
    about: "Print a new random UUID (version 4). For UUIDs made from times or names: python3 -c 'import uuid; print(uuid.uuid1())'.",
    options: &[flag("r", "random", "print random UUIDs (the default)"), value("C", "count", "print VALUE of them")],
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// Runs `uuidgen`.
pub(crate) fn uuidgen(args: Vec<OsString>) -> u8 {
    UUIDGEN.run(&args, run_uuidgen)
}

fn run_uuidgen(args: &[OsString], line: Line) -> u8 {
    let Ok(count) = line.last_text("count").unwrap_or_else(|| "1".into()).parse::<u32>() else {
        return UUIDGEN.misuse(args, "failed to parse count");
    };
    for _ in 0..count {
        let mut bytes = [0; 16];
        if let Err(error) = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut bytes)) {
            text::complain("uuidgen", format!("cannot read /dev/urandom: {}", text::reason(&error)));
            return 1;
        }
        bytes[6] = bytes[6] & 0x0f | 0x40;
        bytes[8] = bytes[8] & 0x3f | 0x80;
        let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        println!("{}-{}-{}-{}-{}", &digits[..8], &digits[8..12], &digits[12..16], &digits[16..20], &digits[20..]);
    }
    0
}

#[cfg(test)]
mod tests {
    #[test]
    fn ends_of_lines() {
        assert_eq!(super::ends(b"a\r\nb\rc\n", false), b"a\nb\rc\n");
        assert_eq!(super::ends(b"a\r\nb\n", true), b"a\r\nb\r\n");
    }
}
