//! `read` and `mapfile`.

use super::text;
use crate::fds::Fd;
use crate::shell::{Run, Shell};
use crate::sym::{self, intern, is_name};

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

const USAGE: &str = "read [-ers] [-a array] [-d delim] [-i text] [-n nchars] [-N nchars] [-p prompt] [-t timeout] [-u fd] [name ...]";

pub(super) fn read(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut raw, mut array, mut delimiter, mut number) = (false, None, b'\n', 0u32);
    let (mut count, mut exact, mut prompt) = (None, false, None);
    let mut timeout = None;
    let mut at = 1;
    'options: while let Some(arg) = args.get(at) {
        let [b'-', letters @ ..] = &arg[..] else { break };
        if letters.is_empty() {
            break;
        }
        at += 1;
        if letters == b"-" {
            break;
        }
        for (place, letter) in letters.iter().enumerate() {
            match letter {
                b'r' => raw = true,
                b'e' | b's' => {}
                b'a' | b'd' | b'n' | b'N' | b'p' | b'u' | b't' | b'i' => {
                    let value = if place + 1 < letters.len() {
                        letters[place + 1..].to_vec()
                    } else {
                        at += 1;
                        match args.get(at - 1) {
                            Some(value) => value.clone(),
                            None => {
                                shell.error(format!("read: -{}: option requires an argument", *letter as char));
                                shell.warn_raw(format!("read: usage: {USAGE}\n").as_bytes());
                                return Ok(2);
                            }
                        }
                    };
                    match letter {
                        b'a' => array = Some(value),
                        b'd' => delimiter = value.first().copied().unwrap_or(0),
                        b'p' => prompt = Some(value),
                        b't' => {
                            timeout = text(&value).parse::<f64>().ok();
                            if timeout.is_none() {
                                shell.error(format!("read: {}: invalid timeout specification", text(&value)));
                                return Ok(1);
                            }
                        }
                        b'u' => number = text(&value).parse().unwrap_or(u32::MAX),
                        b'n' | b'N' => {
                            exact = *letter == b'N';
                            count = text(&value).parse::<usize>().ok();
                            if count.is_none() {
                                shell.error(format!("read: {}: invalid number", text(&value)));
                                return Ok(1);
                            }
                        }
                        _ => {}
                    }
                    continue 'options;
                }
                other => return shell.bad_option("read", &[b'-', *other], USAGE),
            }
        }
    }
    let names = &args[at.min(args.len())..];
    for name in names {
        if !is_name(name.split(|b| *b == b'[').next().unwrap_or_default()) {
            shell.error(format!("read: `{}': not a valid identifier", text(name)));
            return Ok(1);
        }
    }
    let Some(fd) = shell.fd(number) else {
        shell.error(format!("read: {number}: invalid file descriptor: Bad file descriptor"));
        return Ok(1);
    };
    let Fd::File(file) = fd else { return Ok(1) };
    if let Some(prompt) = prompt
        && file.handle().is_terminal()
    {
        shell.warn_raw(&prompt);
    }
    if timeout == Some(0.0) {
        return Ok(0);
    }
    let mut line = Vec::new();
    // Which bytes were behind a backslash: they do not split.
    let mut escaped: Vec<bool> = Vec::new();
    let mut ended = false;
    let mut chars = 0;
    if count == Some(0) {
        return Ok(0);
    }
    loop {
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
    let status = i32::from(ended);
    if let Some(array) = array {
        let ifs = shell.ifs();
        let fields = split(&line, &escaped, &ifs, usize::MAX);
        let name = intern(&array);
        shell.set_list(name, fields)?;
        return Ok(status);
    }
    if names.is_empty() {
        shell.set(sym::REPLY, line)?;
        return Ok(status);
    }
    if exact {
        shell.set_named(&names[0], line)?;
        for name in &names[1..] {
            shell.set_named(name, Vec::new())?;
        }
        return Ok(status);
    }
    let ifs = shell.ifs();
    let mut fields = split(&line, &escaped, &ifs, names.len()).into_iter();
    for name in names {
        shell.set_named(name, fields.next().unwrap_or_default())?;
    }
    Ok(status)
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
    let is_ifs = |at: usize| !escaped[at] && ifs.contains(&line[at]);
    let is_blank = |at: usize| is_ifs(at) && matches!(line[at], b' ' | b'\t' | b'\n');
    let mut fields = Vec::new();
    let mut at = 0;
    while at < line.len() && is_blank(at) {
        at += 1;
    }
    while at < line.len() {
        if fields.len() + 1 == most {
            // The last field keeps its delimiters, but for trailing blanks and one delimiter that ends it.
            let mut end = line.len();
            while end > at && is_blank(end - 1) {
                end -= 1;
            }
            if end > at && is_ifs(end - 1) && !is_blank(end - 1) {
                let inner = (at..end - 1).any(|i| is_ifs(i) && !is_blank(i));
                if !inner {
                    let mut cut = end - 1;
                    while cut > at && is_blank(cut - 1) {
                        cut -= 1;
                    }
                    end = cut;
                }
            }
            fields.push(line[at..end].to_vec());
            return fields;
        }
        let start = at;
        while at < line.len() && !is_ifs(at) {
            at += 1;
        }
        fields.push(line[start..at].to_vec());
        while at < line.len() && is_blank(at) {
            at += 1;
        }
        if at < line.len() && is_ifs(at) {
            at += 1;
            while at < line.len() && is_blank(at) {
                at += 1;
            }
        }
    }
    fields
}

pub(super) fn mapfile(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut trim, mut delimiter, mut most, mut skip, mut origin, mut number) = (false, b'\n', usize::MAX, 0usize, None, 0u32);
    let (mut callback, mut quantum) = (None, 5000usize);
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        let [b'-', letter, rest @ ..] = &arg[..] else { break };
        at += 1;
        if *letter == b'-' {
            break;
        }
        if *letter == b't' {
            trim = true;
            continue;
        }
        let value = if rest.is_empty() {
            at += 1;
            args.get(at - 1).cloned().unwrap_or_default()
        } else {
            rest.to_vec()
        };
        let count = text(&value).parse::<usize>();
        match letter {
            b'd' => delimiter = value.first().copied().unwrap_or(0),
            b'n' => most = count.ok().filter(|n| *n > 0).unwrap_or(usize::MAX),
            b's' => skip = count.unwrap_or(0),
            b'O' => origin = count.ok(),
            b'u' => number = text(&value).parse().unwrap_or(u32::MAX),
            b'C' => callback = Some(value),
            b'c' => quantum = count.unwrap_or(5000).max(1),
            other => {
                return shell.bad_option(
                    "mapfile",
                    &[b'-', *other],
                    "mapfile [-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]",
                );
            }
        }
    }
    let name = args.get(at).map_or(sym::MAPFILE, |name| intern(name));
    if shell.fd(number).is_none() {
        shell.error(format!("mapfile: {number}: invalid file descriptor: Bad file descriptor"));
        return Ok(1);
    }
    let mut lines = Vec::new();
    while lines.len() < most {
        let (mut line, ended) = shell.read_line(number, delimiter);
        if ended && line.is_empty() {
            break;
        }
        if skip > 0 {
            skip -= 1;
        } else {
            if !trim && !ended {
                line.push(delimiter);
            }
            line.retain(|b| *b != 0);
            lines.push(line);
        }
        if ended {
            break;
        }
    }
    let from = origin.unwrap_or(0);
    if origin.is_none() {
        shell.set_list(name, Vec::new())?;
    }
    for (place, line) in lines.into_iter().enumerate() {
        if let Some(callback) = &callback
            && (place + 1) % quantum == 0
        {
            let command = [&callback[..], b" ", (from + place).to_string().as_bytes(), b" ", &crate::quote::single(&line)].concat();
            let at = shell.line;
            shell.run_text(command, at)?;
        }
        shell.set_index(name, (from + place) as i64, b"", line, false)?;
    }
    Ok(0)
}
