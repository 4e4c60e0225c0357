//! `tail`. The version of uutils prints all of a pipe on WASI, and cannot follow files.

use crate::options::{Line, Opt, Syntax, flag, maybe_long, value};
use crate::{operands, sys, text, time};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Result, Seek, SeekFrom, Write};

const OPTIONS: &[Opt] = &[
    value("c", "bytes", "the last VALUE bytes; +VALUE: from byte VALUE on"),
    maybe_long("f", "follow", "wait for more to be appended"),
    flag("F", "", "as -f, also when the file is replaced"),
    value("n", "lines", "the last VALUE lines (10); +VALUE: from line VALUE on"),
    value("", "max-unchanged-stats", ""),
    value("", "pid", "with -f: end when process VALUE has ended"),
    flag("q", "quiet", "no headers"),
    flag("", "silent", ""),
    flag("", "debug", ""),
    flag("", "use-polling", ""),
    flag("", "-disable-inotify", ""),
    flag("", "retry", "keep trying to open a file"),
    value("s", "sleep-interval", "with -f: look every VALUE seconds"),
    // Hidden, as in GNU's help.
    flag("", "-presume-input-pipe", ""),
    flag("v", "verbose", "headers always"),
    flag("z", "zero-terminated", "lines end with NUL"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]...",
    about: "Print the last 10 lines of each FILE, with a header when there are several.",
    options: OPTIONS,
    ..Syntax::COMMON
};

/// The start of the output.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    LastLines(u64),
    Line(u64),
    LastBytes(u64),
    Byte(u64),
}

/// The time between two checks of a followed file. The kernel notifies GNU's tail, so the delay must not be noticeable.
const INTERVAL: u64 = 50_000_000;

/// Bytes read at a time.
const CHUNK: usize = 64 * 1024;

struct Followed {
    name: String,
    path: OsString,
    file: Option<File>,
    offset: u64,
}

/// Runs `tail`.
pub(crate) fn main(mut args: Vec<OsString>) -> u8 {
    if let Some(first) = args.get(1).and_then(|a| a.to_str()).and_then(obsolete) {
        args.splice(1..2, first);
    } else if let Some(digit) =
        args.get(1).and_then(|a| a.to_str()).and_then(|a| a.strip_prefix('-')?.chars().next()).filter(char::is_ascii_digit)
    {
        text::complain("tail", format!("option used in invalid context -- {digit}"));
        return 1;
    }
    SYNTAX.run(&args, tool)
}

fn tool(_: &[OsString], line: Line) -> u8 {
    let mut from = From::LastLines(10);
    match operands::count("tail", &line, '+', '-') {
        Ok(Some((true, false, count))) => from = From::LastLines(count),
        Ok(Some((true, true, count))) => from = From::Line(count),
        Ok(Some((false, false, count))) => from = From::LastBytes(count),
        Ok(Some((false, true, count))) => from = From::Byte(count),
        Ok(None) => {}
        Err(status) => return status,
    }
    let end = if line.has("zero-terminated") { 0 } else { b'\n' };
    let files = if line.operands.is_empty() { vec![OsString::from("-")] } else { line.operands.clone() };
    let headers = line.last_of(&["verbose", "quiet", "silent"]).map_or(files.len() > 1, |last| last == "verbose");
    let follow = line.has("follow") || line.has("F");
    if line.has("retry") && !follow {
        text::complain("tail", "warning: --retry ignored; --retry is useful only when following");
    }
    if let Some(seconds) = line.last_text("sleep-interval")
        && !seconds.parse::<f64>().is_ok_and(|s| s >= 0.0)
    {
        text::complain("tail", format!("invalid number of seconds: {}", text::quote(seconds)));
        return 1;
    }
    let (mut status, mut followed, mut first) = (0, Vec::new(), true);
    let mut out = text::output();
    for path in files {
        let name = if path == "-" { "standard input".to_owned() } else { text::show(&path) };
        let header = |out: &mut dyn Write, first: &mut bool| {
            if headers {
                let _ = out.write_all(&text::written(&format!("{}==> {name} <==\n", if *first { "" } else { "\n" })));
                *first = false;
            }
        };
        if path == "-" {
            header(&mut out, &mut first);
            if let Err(error) = stream(&mut std::io::stdin().lock(), from, end, &mut out) {
                let _ = out.flush();
                text::complain("tail", format!("error reading 'standard input': {}", text::reason(&error)));
                status = 1;
            }
            continue;
        }
        let opened = match File::open(&path) {
            Ok(_) if sys::stat(path.as_ref(), true).is_ok_and(|s| s.is_dir()) => {
                header(&mut out, &mut first);
                let _ = out.flush();
                text::complain("tail", format!("error reading {}: Is a directory", text::quote(&path)));
                status = 1;
                continue;
            }
            Ok(file) => file,
            Err(error) => {
                let _ = out.flush();
                text::complain("tail", format!("cannot open {} for reading: {}", text::quote(&path), text::reason(&error)));
                status = 1;
                if follow && (line.has("F") || line.has("retry")) {
                    followed.push(Followed { name, path, file: None, offset: 0 });
                }
                continue;
            }
        };
        header(&mut out, &mut first);
        let mut file = opened;
        let regular = sys::stat(path.as_ref(), true).is_ok_and(|s| s.is_file());
        let done = if regular { seekable(&mut file, from, end, &mut out) } else { stream(&mut file, from, end, &mut out) };
        if let Err(error) = done {
            let _ = out.flush();
            text::complain("tail", format!("error reading {}: {}", text::quote(&path), text::reason(&error)));
            status = 1;
        }
        let offset = file.stream_position().unwrap_or(0);
        followed.push(Followed { name, path, file: Some(file), offset });
    }
    let _ = out.flush();
    if follow && !followed.is_empty() {
        let interval = line.last_text("sleep-interval").and_then(|s| time::duration(&s)).unwrap_or(INTERVAL);
        let pid = line.last_text("pid").and_then(|p| p.parse().ok());
        watch(followed, line.has("F"), headers, interval.max(1_000_000), pid, &mut out);
    }
    status
}

/// Reads `-5`, `-5f`, `+3`: the form before POSIX.
fn obsolete(text: &str) -> Option<Vec<OsString>> {
    let (sign, rest) = (text.get(..1)?, text.get(1..)?);
    let count = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, letters) = rest.split_at(count);
    let (kind, follow) = letters.strip_suffix('f').map_or((letters, false), |kind| (kind, true));
    // `-c` and `-f` alone are current options.
    let old = match sign {
        "+" => true,
        "-" => !digits.is_empty() || matches!(kind, "b" | "l"),
        _ => false,
    };
    if !old || !matches!(kind, "" | "c" | "b" | "l") || rest.is_empty() {
        return None;
    }
    let number: u64 = if digits.is_empty() { 10 } else { digits.parse().unwrap_or(u64::MAX) };
    let (option, number) = match kind {
        "c" => ("-c", number),
        "b" => ("-c", number.saturating_mul(512)),
        _ => ("-n", number),
    };
    let mut words: Vec<OsString> = vec![option.into(), format!("{}{number}", if sign == "+" { "+" } else { "" }).into()];
    if follow {
        words.push("-f".into());
    }
    Some(words)
}

/// Prints the end of a regular file, which is searched backwards.
fn seekable(file: &mut File, from: From, end: u8, out: &mut impl Write) -> Result<()> {
    let length = file.seek(SeekFrom::End(0))?;
    let start = match from {
        From::LastBytes(count) => length.saturating_sub(count),
        From::Byte(at) => at.saturating_sub(1).min(length),
        From::LastLines(count) => last_lines(file, length, count, end)?,
        From::Line(_) => 0,
    };
    file.seek(SeekFrom::Start(start))?;
    match from {
        From::Line(_) => stream(file, from, end, out),
        _ => copy(file, out),
    }
}

/// Returns the start of the last `count` lines.
fn last_lines(file: &mut File, length: u64, count: u64, end: u8) -> Result<u64> {
    if count == 0 {
        return Ok(length);
    }
    let mut left = count;
    let mut at = length;
    let mut buffer = vec![0; CHUNK];
    while at > 0 {
        let step = at.min(CHUNK as u64);
        at -= step;
        file.seek(SeekFrom::Start(at))?;
        let piece = &mut buffer[..step as usize];
        file.read_exact(piece)?;
        // No line begins after the end of the last one.
        let mut stop = if at + step == length && piece.last() == Some(&end) { piece.len() - 1 } else { piece.len() };
        while let Some(hit) = memchr::memrchr(end, &piece[..stop]) {
            left -= 1;
            if left == 0 {
                return Ok(at + hit as u64 + 1);
            }
            stop = hit;
        }
    }
    Ok(0)
}

fn copy(input: &mut impl Read, out: &mut impl Write) -> Result<()> {
    let mut buffer = vec![0; CHUNK];
    loop {
        match input.read(&mut buffer)? {
            0 => return Ok(()),
            got => out.write_all(&buffer[..got])?,
        }
    }
}

/// Prints the end of a pipe. Keeps the bytes that may still be part of it.
fn stream(input: &mut impl Read, from: From, end: u8, out: &mut impl Write) -> Result<()> {
    let mut buffer = vec![0; CHUNK];
    let mut kept: Vec<u8> = Vec::new();
    let mut skip = match from {
        From::Byte(at) | From::Line(at) => at.saturating_sub(1),
        _ => 0,
    };
    loop {
        let got = input.read(&mut buffer)?;
        if got == 0 {
            break;
        }
        let mut piece = &buffer[..got];
        match from {
            From::Byte(_) => {
                let cut = skip.min(got as u64);
                skip -= cut;
                out.write_all(&piece[cut as usize..])?;
            }
            From::Line(_) => {
                while skip > 0 && !piece.is_empty() {
                    match memchr::memchr(end, piece) {
                        Some(hit) => {
                            skip -= 1;
                            piece = &piece[hit + 1..];
                        }
                        None => piece = &[],
                    }
                }
                out.write_all(piece)?;
                if skip == 0 {
                    out.flush()?;
                }
            }
            From::LastBytes(count) => {
                kept.extend_from_slice(piece);
                if kept.len() as u64 > count.saturating_mul(2).max(4 * CHUNK as u64) {
                    kept.drain(..kept.len() - count as usize);
                }
            }
            From::LastLines(count) => {
                kept.extend_from_slice(piece);
                // Trimmed from time to time, so that an endless pipe does not take endless memory.
                if kept.len() > 16 * CHUNK && kept.len() / 2 > tail_of(&kept, count, end).len() {
                    kept = tail_of(&kept, count, end).to_vec();
                }
            }
        }
    }
    match from {
        From::LastBytes(count) => out.write_all(&kept[kept.len() - (count.min(kept.len() as u64) as usize)..]),
        From::LastLines(count) => out.write_all(tail_of(&kept, count, end)),
        _ => Ok(()),
    }
}

/// Returns the last `count` lines of a text.
fn tail_of(text: &[u8], count: u64, end: u8) -> &[u8] {
    if count == 0 {
        return &[];
    }
    let mut stop = if text.last() == Some(&end) { text.len() - 1 } else { text.len() };
    let mut left = count;
    while let Some(hit) = memchr::memrchr(end, &text[..stop]) {
        left -= 1;
        if left == 0 {
            return &text[hit + 1..];
        }
        stop = hit;
    }
    text
}

/// Prints appended text until the process `pid` has ended, or for ever.
fn watch(mut files: Vec<Followed>, by_name: bool, headers: bool, interval: u64, pid: Option<u32>, out: &mut impl Write) {
    let mut last = files.len() - 1;
    loop {
        let ended = pid.is_some_and(|pid| sys::kill(pid, 0).is_err());
        for (at, followed) in files.iter_mut().enumerate() {
            let now = sys::stat(followed.path.as_ref(), true).ok();
            if followed.file.is_none() || (by_name && now.is_some() && replaced(followed)) {
                match File::open(&followed.path) {
                    Ok(file) => {
                        text::complain("tail", format!("{} has appeared;  following new file", text::quote(&followed.path)));
                        (followed.file, followed.offset) = (Some(file), 0);
                    }
                    Err(_) => continue,
                }
            }
            let Some(file) = followed.file.as_mut() else { continue };
            let length = file.metadata().map_or(0, |m| m.len());
            if length < followed.offset {
                text::complain("tail", format!("{}: file truncated", text::quote_if_needed(&followed.path)));
                followed.offset = file.seek(SeekFrom::Start(0)).unwrap_or(0);
            }
            if length > followed.offset {
                if headers && last != at {
                    let _ = out.write_all(&text::written(&format!("\n==> {} <==\n", followed.name)));
                }
                last = at;
                if copy(file, out).is_err() || out.flush().is_err() {
                    return;
                }
                followed.offset = file.stream_position().unwrap_or(length);
            }
        }
        if ended {
            return;
        }
        std::thread::sleep(std::time::Duration::from_nanos(interval));
    }
}

/// Returns whether the name now belongs to another file than the open one: one that is shorter than the part already read.
fn replaced(followed: &Followed) -> bool {
    let Some(open) = followed.file.as_ref().and_then(|f| f.metadata().ok()) else { return true };
    let Ok(named) = sys::stat(followed.path.as_ref(), true) else { return false };
    named.size < followed.offset && open.len() >= followed.offset
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str, from: From) -> String {
        let mut out = Vec::new();
        stream(&mut text.as_bytes(), from, b'\n', &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn ends_of_pipes() {
        assert_eq!(run("a\nb\nc\n", From::LastLines(2)), "b\nc\n");
        assert_eq!(run("a\nb", From::LastLines(1)), "b");
        assert_eq!(run("a\nb\nc\n", From::Line(2)), "b\nc\n");
        assert_eq!(run("abc", From::LastBytes(2)), "bc");
        assert_eq!(run("abc", From::Byte(2)), "bc");
        assert_eq!(run("a\n", From::LastLines(0)), "");
        assert_eq!(run("a\n", From::LastLines(5)), "a\n");
        assert_eq!(obsolete("-5f").unwrap(), ["-n", "5", "-f"]);
        assert_eq!(obsolete("+3").unwrap(), ["-n", "+3"]);
        assert_eq!(obsolete("+2c").unwrap(), ["-c", "+2"]);
        assert_eq!(obsolete("-1b").unwrap(), ["-c", "512"]);
        assert!(obsolete("-f").is_none() && obsolete("-c").is_none() && obsolete("-n5").is_none());
    }
}
