//! `read` and `mapfile`.

use super::getopt::Options;
use super::text;
use crate::expand::separator;
use crate::fds::Fd;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, intern, is_name};
use std::time::{Duration, Instant};

impl Shell {
    /// Read up to `delimiter` from a descriptor; whether the end came first.
    pub(crate) fn read_line(&mut self, number: u32, delimiter: u8) -> (Vec<u8>, bool) {
        let mut line = Vec::new();
        let Some(Fd::File(file)) = self.fd(number) else { return (line, true) };
        loop {
            match file.read_byte() {
                Ok(Some(byte)) if byte == delimiter => return (line, false),
                Ok(Some(byte)) => line.push(byte),
                _ => return (line, true),
            }
        }
    }
}

const USAGE: &str = "[-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";

pub(super) fn read(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut raw, mut array, mut delimiter, mut number) = (false, None, b'\n', 0u32);
    let (mut count, mut exact, mut prompt) = (None, false, None);
    let mut timeout = None;
    let mut options = Options::new(args, "N:a:d:ei:n:p:rst:u:", USAGE);
    while let Some(letter) = options.next(shell)? {
        let value = options.value();
        match letter {
            b'r' => raw = true,
            b'e' | b'i' | b's' => {}
            b'a' => array = Some(value),
            b'd' => delimiter = value.first().copied().unwrap_or(0),
            b'p' => prompt = Some(value),
            b't' => {
                timeout = text(value).parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                if timeout.is_none() {
                    shell.error(format!("read: {}: invalid timeout specification", text(value)));
                    return Ok(1);
                }
            }
            b'u' => match text(value).parse() {
                Ok(given) => number = given,
                Err(_) => {
                    shell.error(format!("read: {}: invalid file descriptor specification", text(value)));
                    return Ok(1);
                }
            },
            b'n' | b'N' => {
                exact = letter == b'N';
                count = text(value).parse::<usize>().ok();
                if count.is_none() {
                    shell.error(format!("read: {}: invalid number", text(value)));
                    return Ok(1);
                }
            }
            _ => return Ok(2),
        }
    }
    let names = options.rest();
    if let Some(name) = array.filter(|name| !is_name(name)).or(names.first().map(Vec::as_slice).filter(|name| !is_place(name))) {
        shell.error(format!("read: `{}': not a valid identifier", text(name)));
        return Ok(1);
    }
    let Some(fd) = shell.fd(number) else {
        shell.error(format!("read: {number}: invalid file descriptor: Bad file descriptor"));
        return Ok(1);
    };
    let Fd::File(file) = fd else { return Ok(1) };
    if let Some(prompt) = prompt
        && file.handle().is_terminal()
    {
        shell.warn_raw(prompt);
    }
    if timeout == Some(0.0) {
        // Only asks whether there is something to read.
        return Ok(i32::from(!file.readable_within(Duration::ZERO)));
    }
    let timeout = timeout.or_else(|| {
        let seconds = shell.get(sym::TMOUT).and_then(|text| crate::vars::parse_int(&text)).filter(|seconds| *seconds > 0);
        seconds.map(|seconds| seconds as f64)
    });
    // A time beyond what there are numbers for is none.
    let until = timeout.and_then(|seconds| Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?));
    let mut late = false;
    let mut line = Vec::new();
    // Which bytes were behind a backslash: they do not split.
    let mut escaped: Vec<bool> = Vec::new();
    let mut ended = false;
    let mut chars = 0;
    while count != Some(0) {
        if !shell.wait_readable(&file, until)? {
            late = true;
            break;
        }
        let byte = match file.read_byte() {
            Ok(Some(byte)) => byte,
            Ok(None) => {
                ended = true;
                break;
            }
            Err(error) => {
                shell.error(format!("read: read error: {number}: {}", error.message()));
                ended = true;
                break;
            }
        };
        if byte == delimiter && !exact {
            break;
        }
        if byte == b'\\' && !raw {
            match file.read_byte() {
                Ok(Some(b'\n')) => continue,
                Ok(Some(next)) => {
                    line.push(next);
                    escaped.push(true);
                }
                _ => {
                    ended = true;
                    break;
                }
            }
        } else if byte != 0 {
            line.push(byte);
            escaped.push(false);
        }
        chars += usize::from(line.last().is_some_and(|b| b & 0xc0 != 0x80));
        if count.is_some_and(|count| chars >= count) && crate::pattern::char_count(&line) >= count.unwrap_or(0) && complete(&line) {
            break;
        }
    }
    // As if the signal ALRM had ended it; what was read until then counts.
    let status = if late { 142 } else { i32::from(ended) };
    let values = if let Some(array) = array {
        let ifs = shell.ifs();
        let fields = if exact { vec![line] } else { split(&line, &escaped, &ifs, usize::MAX) };
        let name = shell.resolve(intern(array)).name;
        if matches!(shell.vars.get(name).map(|var| &var.value), Some(crate::vars::Value::Assoc(_))) {
            shell.error(format!("read: {}: cannot convert associative to indexed array", text(array)));
            return Ok(1);
        }
        return failed_as_one(shell.set_list(name, fields), status);
    } else if names.is_empty() {
        return failed_as_one(shell.set(sym::REPLY, line), status);
    } else if exact {
        vec![line]
    } else {
        let ifs = shell.ifs();
        split(&line, &escaped, &ifs, names.len())
    };
    let mut values = values.into_iter();
    for name in names {
        if !is_place(name) {
            shell.error(format!("read: `{}': not a valid identifier", text(name)));
            return Ok(1);
        }
        let value = values.next().unwrap_or_default();
        if failed_as_one(shell.set_named(name, value), 0)? != 0 {
            return Ok(1);
        }
    }
    Ok(status)
}

/// An assignment that was refused is only a failure of the builtin.
fn failed_as_one(result: Run<()>, status: i32) -> Run {
    match result {
        Ok(()) => Ok(status),
        Err(Flow::Discard(_)) => Ok(1),
        Err(flow) => Err(flow),
    }
}

/// A name, perhaps with a subscript.
fn is_place(name: &[u8]) -> bool {
    is_name(name) || crate::builtins::is_reference(name)
}

/// Whether the last character is complete.
fn complete(line: &[u8]) -> bool {
    match std::str::from_utf8(line) {
        Ok(_) => true,
        Err(error) => error.error_len().is_some(),
    }
}

/// Split a line into at most `most` fields, the last taking the rest.
fn split(line: &[u8], escaped: &[bool], ifs: &[u8], most: usize) -> Vec<Vec<u8>> {
    // A separator of several bytes counts with all of them, and as one.
    let mut separates = vec![false; line.len()];
    let mut continues = vec![false; line.len()];
    let mut at = 0;
    while at < line.len() {
        match separator(ifs, line, at).filter(|_| !escaped[at]) {
            Some(len) => {
                separates[at..at + len].fill(true);
                continues[at + 1..at + len].fill(true);
                at += len;
            }
            None => at += 1,
        }
    }
    let is_ifs = |at: usize| separates[at];
    let is_blank = |at: usize| is_ifs(at) && matches!(line[at], b' ' | b'\t' | b'\n');
    // Where the field that begins there ends, and where its delimiter does.
    let field = |mut at: usize| {
        while at < line.len() && !is_ifs(at) {
            at += 1;
        }
        let end = at;
        while at < line.len() && is_blank(at) {
            at += 1;
        }
        if at < line.len() && is_ifs(at) {
            at += 1;
            while at < line.len() && (continues[at] || is_blank(at)) {
                at += 1;
            }
        }
        (end, at)
    };
    let mut fields = Vec::new();
    let mut at = 0;
    while at < line.len() && is_blank(at) {
        at += 1;
    }
    while at < line.len() {
        if fields.len() + 1 == most {
            // One field more is that; of several the last variable gets the text, but for trailing blanks.
            let (mut end, behind) = field(at);
            if behind < line.len() {
                end = line.len();
                while end > at && is_blank(end - 1) {
                    end -= 1;
                }
            }
            fields.push(line[at..end].to_vec());
            return fields;
        }
        let (end, behind) = field(at);
        fields.push(line[at..end].to_vec());
        at = behind;
    }
    fields
}
