//! `read` and `mapfile`.

use super::getopt::Options;
use super::read_keys::{Input, Next};
use super::text;
use crate::expand::separator;
use crate::fds::Fd;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, intern, is_name};
use std::time::{Duration, Instant};

impl Shell {
    /// Reads up to `delimiter` from a descriptor; also returns whether the end of the input came first.
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

/// The result of parsing the options of `read`.
pub(super) struct Request<'a> {
    raw: bool,
    array: Option<&'a [u8]>,
    pub(super) delimiter: u8,
    /// The descriptor.
    number: u32,
    /// The number of characters to read.
    pub(super) count: Option<usize>,
    /// Read that many even if the delimiter comes before: `-N`.
    exact: bool,
    pub(super) prompt: Option<&'a [u8]>,
    /// Whether a person edits the line: `-e`.
    pub(super) edits: bool,
    /// What the line holds then before a person edits it.
    pub(super) text: &'a [u8],
    /// Whether keys are not echoed: `-s`.
    pub(super) silent: bool,
    /// In seconds.
    timeout: Option<f64>,
    names: &'a [Vec<u8>],
}

impl<'a> Request<'a> {
    /// Reads the options. The outer `Err` ends the script, the inner one is the status of the builtin; it has been reported.
    fn parse(shell: &mut Shell, args: &'a [Vec<u8>]) -> Run<Result<Self, i32>> {
        let mut request = Request {
            raw: false,
            array: None,
            delimiter: b'\n',
            number: 0,
            count: None,
            exact: false,
            prompt: None,
            edits: false,
            text: b"",
            silent: false,
            timeout: None,
            names: &[],
        };
        let mut options = Options::new(args, "N:a:d:ei:n:p:rst:u:", USAGE);
        while let Some(letter) = options.next(shell)? {
            let value = options.value();
            let valid = match letter {
                b'r' => {
                    request.raw = true;
                    continue;
                }
                b'e' => {
                    request.edits = true;
                    continue;
                }
                b'i' => {
                    request.text = value;
                    continue;
                }
                b's' => {
                    request.silent = true;
                    continue;
                }
                b'a' => {
                    request.array = Some(value);
                    continue;
                }
                b'd' => {
                    request.delimiter = value.first().copied().unwrap_or(0);
                    continue;
                }
                b'p' => {
                    request.prompt = Some(value);
                    continue;
                }
                b't' => {
                    request.timeout = text(value).parse::<f64>().ok().filter(|seconds| *seconds >= 0.0);
                    request.timeout.map(drop).ok_or("timeout specification")
                }
                b'u' => text(value).parse().map(|number| request.number = number).map_err(|_| "file descriptor specification"),
                b'n' | b'N' => {
                    request.exact = letter == b'N';
                    request.count = text(value).parse::<usize>().ok();
                    request.count.map(drop).ok_or("number")
                }
                _ => return Ok(Err(2)),
            };
            if let Err(what) = valid {
                shell.error(format!("read: {}: invalid {what}", text(value)));
                return Ok(Err(1));
            }
        }
        request.names = options.rest();
        let place = request.names.first().map(Vec::as_slice).filter(|name| !is_place(name));
        if let Some(name) = request.array.filter(|name| !is_name(name)).or(place) {
            shell.error(format!("read: `{}': not a valid identifier", text(name)));
            return Ok(Err(1));
        }
        Ok(Ok(request))
    }
}

/// What `read` read.
#[derive(Default)]
struct Line {
    text: Vec<u8>,
    /// Which bytes followed a backslash: they do not split fields.
    escaped: Vec<bool>,
    /// The input ended, or could not be read.
    ended: bool,
    /// The time was up.
    late: bool,
}

impl Line {
    /// Reads what is requested.
    fn read(shell: &mut Shell, input: &mut Input<'_>, request: &Request<'_>) -> Run<Self> {
        let mut line = Self::default();
        let mut chars = 0;
        while request.count != Some(0) {
            let byte = match input.next(shell)? {
                Next::Byte(byte) => byte,
                Next::Late => {
                    line.late = true;
                    break;
                }
                Next::End => {
                    line.ended = true;
                    break;
                }
                Next::Failed(error) => {
                    shell.error(format!("read: read error: {}: {}", request.number, error.message()));
                    line.ended = true;
                    break;
                }
            };
            if byte == request.delimiter && !request.exact {
                break;
            }
            if byte == b'\\' && !request.raw {
                match input.next(shell)? {
                    Next::Byte(b'\n') => continue,
                    Next::Byte(next) => line.push(next, true),
                    Next::Late => {
                        line.late = true;
                        break;
                    }
                    Next::End | Next::Failed(_) => {
                        line.ended = true;
                        break;
                    }
                }
            } else if byte != 0 {
                line.push(byte, false);
            }
            chars += usize::from(line.text.last().is_some_and(|b| b & 0xc0 != 0x80));
            if request.count.is_some_and(|count| chars >= count && crate::pattern::char_count(&line.text) >= count) && complete(&line.text)
            {
                break;
            }
        }
        Ok(line)
    }

    fn push(&mut self, byte: u8, escaped: bool) {
        self.text.push(byte);
        self.escaped.push(escaped);
    }
}

pub(super) fn read(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut request = match Request::parse(shell, args)? {
        Ok(request) => request,
        Err(status) => return Ok(status),
    };
    let number = request.number;
    let Some(fd) = shell.fd(number) else {
        shell.error(format!("read: {number}: invalid file descriptor: Bad file descriptor"));
        return Ok(1);
    };
    let Fd::File(file) = fd else { return Ok(1) };
    request.edits &= request.delimiter == b'\n' && shell.can_edit(&file);
    if let Some(prompt) = request.prompt.filter(|_| !request.edits)
        && file.handle().is_terminal()
    {
        shell.warn_raw(prompt);
    }
    if request.timeout == Some(0.0) {
        // The call only asks whether there is something to read.
        return Ok(i32::from(!file.readable_within(Duration::ZERO)));
    }
    let timeout = request.timeout.or_else(|| {
        let seconds = shell.get(sym::TMOUT).and_then(|text| crate::vars::parse_int(&text)).filter(|seconds| *seconds > 0);
        seconds.map(|seconds| seconds as f64)
    });
    // A timeout that is too large to represent is no timeout.
    let until = timeout.and_then(|seconds| Instant::now().checked_add(Duration::try_from_secs_f64(seconds).ok()?));
    let held = shell.hold_signals(&file, &request);
    let line = Line::read(shell, &mut Input::new(&file, &request, until), &request);
    shell.release_signals(held);
    let line = line?;
    // As if the signal ALRM had ended it; the input read so far counts.
    let status = if line.late { 142 } else { i32::from(line.ended) };
    store(shell, &request, line, status)
}

/// Assigns what was read to the variables; returns the status of the builtin.
fn store(shell: &mut Shell, request: &Request<'_>, line: Line, status: i32) -> Run {
    let values = if let Some(array) = request.array {
        let ifs = shell.ifs();
        let fields = if request.exact { vec![line.text] } else { split(&line.text, &line.escaped, &ifs, usize::MAX) };
        let name = shell.resolve(intern(array)).name;
        if matches!(shell.vars.get(name).map(|var| &var.value), Some(crate::vars::Value::Assoc(_))) {
            shell.error(format!("read: {}: cannot convert associative to indexed array", text(array)));
            return Ok(1);
        }
        return failed_as_one(shell.set_list(name, fields), status);
    } else if request.names.is_empty() {
        return failed_as_one(shell.set(sym::REPLY, line.text), status);
    } else if request.exact {
        vec![line.text]
    } else {
        let ifs = shell.ifs();
        split(&line.text, &line.escaped, &ifs, request.names.len())
    };
    let mut values = values.into_iter();
    for name in request.names {
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

/// Turns a refused assignment into a mere failure of the builtin.
fn failed_as_one(result: Run<()>, status: i32) -> Run {
    match result {
        Ok(()) => Ok(status),
        Err(Flow::Discard(_)) => Ok(1),
        Err(flow) => Err(flow),
    }
}

/// Returns whether a word is a name, perhaps with a subscript.
fn is_place(name: &[u8]) -> bool {
    is_name(name) || crate::builtins::is_reference(name)
}

/// Returns whether the last character is complete.
fn complete(line: &[u8]) -> bool {
    match std::str::from_utf8(line) {
        Ok(_) => true,
        Err(error) => error.error_len().is_some(),
    }
}

/// Splits a line into at most `most` fields, the last taking the rest.
fn split(line: &[u8], escaped: &[bool], ifs: &[u8], most: usize) -> Vec<Vec<u8>> {
    // A separator of several bytes counts as one, with all its bytes.
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
            // If one more field remains, the variable gets it; if several remain, it gets the rest of the text without
            // trailing blanks.
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
