//! `mapfile`.

use super::getopt::Options;
use super::text;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, intern, is_name};
use crate::vars::{Attrs, Value};

const USAGE: &str = "[-d delim] [-n count] [-O origin] [-s count] [-t] [-u fd] [-C callback] [-c quantum] [array]";

pub(super) fn mapfile(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut trim, mut delimiter, mut most, mut skip, mut origin, mut number) = (false, b'\n', usize::MAX, 0usize, None, 0u32);
    let (mut callback, mut quantum) = (None, 5000usize);
    let mut options = Options::new(args, "C:O:c:d:n:s:tu:", USAGE);
    while let Some(letter) = options.next(shell)? {
        let value = options.value();
        let count = text(value).parse::<usize>();
        if let Some(what) = match (letter, &count) {
            (b'n' | b's', Err(_)) => Some("invalid line count"),
            (b'O', Err(_)) => Some("invalid array origin"),
            (b'c', Err(_) | Ok(0)) => Some("invalid callback quantum"),
            (b'u', Err(_)) => Some("invalid file descriptor specification"),
            _ => None,
        } {
            shell.error(format!("mapfile: {}: {what}", text(value)));
            return Ok(1);
        }
        match letter {
            b't' => trim = true,
            b'd' => delimiter = value.first().copied().unwrap_or(0),
            b'n' => most = count.ok().filter(|n| *n > 0).unwrap_or(usize::MAX),
            b's' => skip = count.unwrap_or(0),
            b'O' => origin = count.ok(),
            b'u' => number = text(value).parse().unwrap_or(u32::MAX),
            b'C' => callback = Some(value),
            b'c' => quantum = count.unwrap_or(5000),
            _ => return Ok(2),
        }
    }
    let array = options.rest().first();
    if let Some(name) = array.filter(|name| !is_name(name)) {
        shell.error(format!("mapfile: `{}': not a valid identifier", text(name)));
        return Ok(1);
    }
    let name = shell.resolve(array.map_or(sym::MAPFILE, |name| intern(name))).name;
    if let Some(var) = shell.vars.get(name) {
        let why = if matches!(var.value, Value::Assoc(_)) {
            "not an indexed array"
        } else if var.attrs.has(Attrs::READONLY) || matches!(name, sym::FUNCNAME | sym::BASH_SOURCE | sym::BASH_LINENO) {
            "readonly variable"
        } else {
            ""
        };
        if !why.is_empty() {
            shell.error(format!("mapfile: {}: {why}", name.text()));
            return Ok(1);
        }
    }
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
            if let Some(end) = line.iter().position(|b| *b == 0) {
                line.truncate(end);
            }
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
        if let Some(callback) = callback
            && (place + 1) % quantum == 0
        {
            let command = [callback, b" ", (from + place).to_string().as_bytes(), b" ", &crate::quote::single(&line)].concat();
            let at = shell.position.line;
            match shell.run_text(command, at) {
                Ok(_) | Err(Flow::Discard(_)) => {}
                Err(flow) => return Err(flow),
            }
        }
        shell.set_index(name, (from + place) as i64, b"", line, false)?;
    }
    Ok(0)
}
