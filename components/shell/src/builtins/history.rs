//! `history`: the commands of an interactive shell, or of a script that says `set -o history`.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};
use crate::sym::intern;
use crate::sys::OpenHow;

const USAGE: &str = "[-c] [-d offset] [n] or history -anrw [filename] or history -ps arg [arg...]";

fn now() -> i64 {
    (crate::sys::now() / 1_000_000_000) as i64
}

impl Shell {
    /// Remembers a command.
    pub(crate) fn remember(&mut self, command: &[u8]) {
        let command = command.strip_suffix(b"\n").unwrap_or(command);
        if command.trim_ascii().is_empty() {
            return;
        }
        let control = self.get(intern(b"HISTCONTROL")).unwrap_or_default();
        let has = |what: &[u8]| control.split(|b| *b == b':').any(|word| word == what || word == b"ignoreboth");
        if (has(b"ignorespace") && command[0] == b' ')
            || (has(b"ignoredups") && self.entry.history.list.last().is_some_and(|(last, _)| last == command))
        {
            return;
        }
        self.entry.history.list.push((one_line(command), now()));
        self.stifle();
    }

    /// Keeps no more than `HISTSIZE` commands.
    pub(crate) fn stifle(&mut self) {
        let Some(most) = self.get(intern(b"HISTSIZE")).and_then(|text| crate::vars::parse_int(&text)) else { return };
        let Ok(most) = usize::try_from(most) else { return };
        let history = &mut self.entry.history;
        if history.list.len() > most {
            let drop = history.list.len() - most;
            history.list.drain(..drop);
            history.dropped += drop;
            history.saved = history.saved.saturating_sub(drop);
        }
    }

    fn history_file(&mut self, given: Option<&Vec<u8>>) -> Option<Vec<u8>> {
        given.cloned().or_else(|| self.get(intern(b"HISTFILE"))).filter(|name| !name.is_empty())
    }

    fn history_lines(&mut self, name: &[u8]) -> Option<Vec<Vec<u8>>> {
        let fd = self.open_file(name, OpenHow { read: true, ..OpenHow::default() }).ok()?;
        let all = fd.file().ok()?.read_all().ok()?;
        let mut lines: Vec<Vec<u8>> = all.split(|b| *b == b'\n').map(<[u8]>::to_vec).collect();
        if lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        Some(lines)
    }

    /// Reads the lines of a file from line `from`.
    pub(crate) fn read_history(&mut self, name: &[u8], from: usize) -> bool {
        let Some(lines) = self.history_lines(name) else { return false };
        let count = lines.len();
        for line in lines.into_iter().skip(from) {
            if !line.is_empty() {
                self.entry.history.list.push((line, now()));
            }
        }
        self.entry.history.read = count;
        self.stifle();
        self.entry.history.saved = self.entry.history.list.len();
        true
    }

    /// Writes the list, or only what is new in it, to a file.
    pub(crate) fn write_history(&mut self, name: &[u8], append: bool) -> bool {
        let from = if append { self.entry.history.saved.min(self.entry.history.list.len()) } else { 0 };
        let mut out = Vec::new();
        for (line, _) in &self.entry.history.list[from..] {
            out.extend_from_slice(line);
            out.push(b'\n');
        }
        let how = OpenHow { write: true, create: true, truncate: !append, append, ..OpenHow::default() };
        let done = self.open_file(name, how).is_ok_and(|fd| fd.write(&out).is_ok());
        if done {
            self.entry.history.read += self.entry.history.list.len() - from;
            self.entry.history.saved = self.entry.history.list.len();
        }
        done
    }

    /// Cuts a file of history to its last lines.
    pub(crate) fn cut_history_file(&mut self) {
        let (Some(name), Some(size)) = (self.history_file(None), self.get(intern(b"HISTFILESIZE"))) else { return };
        let Some(most) = crate::vars::parse_int(&size).and_then(|n| usize::try_from(n).ok()) else { return };
        let Some(lines) = self.history_lines(&name).filter(|lines| lines.len() > most) else { return };
        let mut kept = lines[lines.len() - most..].join(&b'\n');
        if !kept.is_empty() {
            kept.push(b'\n');
        }
        let how = OpenHow { write: true, create: true, truncate: true, ..OpenHow::default() };
        if let Ok(fd) = self.open_file(&name, how) {
            // The file stays as it is when the disk is full.
            let _ = fd.write(&kept);
        }
    }

    fn show_history(&mut self, most: usize) -> Run {
        let format = self.get(intern(b"HISTTIMEFORMAT"));
        let history = &self.entry.history;
        let mut out = Vec::new();
        let skip = history.list.len().saturating_sub(most);
        for (number, (line, at)) in history.list.iter().enumerate().skip(skip) {
            out.extend_from_slice(format!("{:5}  ", history.dropped + number + 1).as_bytes());
            if let Some(format) = &format {
                out.extend_from_slice(&self.format_time(format, *at));
            }
            out.extend_from_slice(line);
            out.push(b'\n');
        }
        self.print("history", &out)
    }

    /// Returns the index in the list that a number or a negative offset names.
    fn history_place(&self, number: i64) -> Option<usize> {
        let len = self.entry.history.list.len() as i64;
        let at = if number < 0 { len + number } else { number - 1 - self.entry.history.dropped as i64 };
        (0..len).contains(&at).then_some(at as usize)
    }
}

pub(super) fn history(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut letters = Vec::new();
    let mut delete = None;
    let mut options = Options::new(args, "acd:nprsw", USAGE);
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'd' => delete = Some(options.value()),
            b'?' => return Ok(2),
            letter => letters.push(letter),
        }
    }
    let rest = options.rest();
    if letters.contains(&b's') || letters.contains(&b'p') {
        return store_or_print(shell, rest, letters.contains(&b's'));
    }
    if let Some(value) = delete {
        return delete_entries(shell, value);
    }
    if letters.contains(&b'c') {
        shell.entry.history.list.clear();
        shell.entry.history.dropped = 0;
        shell.entry.history.saved = 0;
    }
    let files: Vec<u8> = letters.iter().copied().filter(|letter| *letter != b'c').collect();
    if files.len() > 1 {
        shell.error("history: cannot use more than one of -anrw");
        return Ok(1);
    }
    if let Some(letter) = files.first() {
        let Some(name) = shell.history_file(rest.first()) else { return Ok(0) };
        let done = match letter {
            b'r' => shell.read_history(&name, 0),
            b'n' => shell.read_history(&name, shell.entry.history.read),
            b'a' => shell.write_history(&name, true),
            _ => shell.write_history(&name, false),
        };
        if !done {
            shell.error(format!("history: {}: cannot open: No such file or directory", text(&name)));
        }
        return Ok(i32::from(!done));
    }
    if letters.contains(&b'c') {
        return Ok(0);
    }
    shell.stifle();
    match rest.first() {
        None => shell.show_history(usize::MAX),
        Some(arg) => match text(arg).parse::<usize>() {
            Ok(most) => shell.show_history(most),
            Err(_) => {
                shell.error(format!("history: {}: numeric argument required", text(arg)));
                Ok(1)
            }
        },
    }
}

/// Implements `history -s` and `history -p`: the command itself is not remembered.
fn store_or_print(shell: &mut Shell, rest: &[Vec<u8>], store: bool) -> Run {
    if shell.opts.long("history") == Some(true) {
        shell.entry.history.list.pop();
    }
    if store {
        if !rest.is_empty() {
            shell.entry.history.list.push((rest.join(&b' '), now()));
        }
        return Ok(0);
    }
    let out: Vec<u8> = rest.iter().flat_map(|arg| [arg, &b"\n"[..]].concat()).collect();
    shell.print("history", &out)
}

fn delete_entries(shell: &mut Shell, value: &[u8]) -> Run {
    let shown = text(value);
    let split = shown.char_indices().skip(1).find(|(at, c)| *c == '-' && shown.as_bytes()[at - 1].is_ascii_digit()).map(|(at, _)| at);
    let (first, last) = match split {
        Some(at) => (shown[..at].parse::<i64>(), shown[at + 1..].parse::<i64>()),
        None => (shown.parse::<i64>(), shown.parse::<i64>()),
    };
    let place = |number: Result<i64, _>| number.ok().and_then(|number| shell.history_place(number));
    let (Some(first), Some(last)) = (place(first), place(last)) else {
        shell.error(format!("history: {shown}: history position out of range"));
        return Ok(1);
    };
    if first <= last {
        shell.entry.history.list.drain(first..=last);
    }
    shell.entry.history.saved = shell.entry.history.saved.min(shell.entry.history.list.len());
    Ok(0)
}

/// Joins a command of several lines into one line, as `cmdhist` requires.
fn one_line(command: &[u8]) -> Vec<u8> {
    if command.windows(2).any(|pair| pair == b"<<") {
        return command.to_vec();
    }
    let mut out: Vec<u8> = Vec::new();
    for line in command.split(|b| *b == b'\n') {
        if out.is_empty() {
            out.extend_from_slice(line);
            continue;
        }
        let word = out.rsplit(|b| b.is_ascii_whitespace() || *b == b';').next().unwrap_or_default();
        let opens = matches!(word, b"do" | b"then" | b"else" | b"elif" | b"{" | b"in" | b"&&" | b"||" | b"|" | b"(" | b"while" | b"if");
        out.extend_from_slice(if opens || out.ends_with(b";") || out.ends_with(b"&") || out.ends_with(b"(") { b" " } else { b"; " });
        out.extend_from_slice(line.trim_ascii_start());
    }
    out
}
