//! `fc`: list commands of the history, or run one again.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};

const USAGE: &str = "[-e ename] [-lnr] [first] [last] or fc -s [pat=rep] [command]";

pub(super) fn fc(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut list, mut bare, mut reverse, mut again) = (false, false, false, false);
    let mut options = Options::new(args, "e:lnrs#", USAGE);
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'l' => list = true,
            b'n' => bare = true,
            b'r' => reverse = true,
            b's' => again = true,
            b'e' if options.value() == b"-" => again = true,
            b'e' => {
                shell.error(format!("fc: {}: there is no editor here; use fc -s or fc -e -", text(options.value())));
                return Ok(1);
            }
            _ => return Ok(2),
        }
    }
    let rest = options.rest();
    if again {
        return run_again(shell, rest);
    }
    if !list {
        shell.error("fc: there is no editor here; use fc -l or fc -s");
        return Ok(1);
    }
    // The `fc` command itself is not listed.
    let count = shell.entry.history.list.len().saturating_sub(usize::from(shell.opts.long("history") == Some(true)));
    if count == 0 {
        return Ok(0);
    }
    let place = |shell: &mut Shell, arg: Option<&Vec<u8>>, default: usize| -> Result<usize, i32> {
        match arg {
            None => Ok(default),
            Some(arg) => find(shell, arg, count).ok_or_else(|| {
                shell.error("fc: no command found");
                1
            }),
        }
    };
    let first = match place(shell, rest.first(), count.saturating_sub(16)) {
        Ok(place) => place,
        Err(status) => return Ok(status),
    };
    let last = match place(shell, rest.get(1), count - 1) {
        Ok(place) => place,
        Err(status) => return Ok(status),
    };
    let (first, last, reverse) = if first > last { (last, first, !reverse) } else { (first, last, reverse) };
    let mut lines = Vec::new();
    for number in first..=last {
        let (line, _) = &shell.entry.history.list[number];
        let head = if bare { String::new() } else { (shell.entry.history.dropped + number + 1).to_string() };
        lines.push([head.as_bytes(), b"\t ", line, b"\n"].concat());
    }
    if reverse {
        lines.reverse();
    }
    shell.print("fc", &lines.concat())
}

/// Finds the index of the command that a number, an offset or a prefix names.
fn find(shell: &Shell, arg: &[u8], count: usize) -> Option<usize> {
    let shown = text(arg);
    let Ok(number) = shown.parse::<i64>() else {
        return (0..count).rev().find(|at| shell.entry.history.list[*at].0.starts_with(arg));
    };
    let at = match number {
        0 => count as i64 - 1,
        number if number < 0 => count as i64 + number,
        number => number - 1 - shell.entry.history.dropped as i64,
    };
    Some(at.clamp(0, count as i64 - 1) as usize)
}

fn run_again(shell: &mut Shell, rest: &[Vec<u8>]) -> Run {
    let (changes, rest): (Vec<&Vec<u8>>, Vec<&Vec<u8>>) = rest.iter().partition(|arg| arg.contains(&b'='));
    let remembers = shell.opts.long("history") == Some(true);
    let count = shell.entry.history.list.len().saturating_sub(usize::from(remembers));
    let found = match rest.first() {
        _ if count == 0 => None,
        None => Some(count - 1),
        Some(arg) => find(shell, arg, count),
    };
    let Some(at) = found else {
        shell.error("fc: no command found");
        return Ok(1);
    };
    let mut command = shell.entry.history.list[at].0.clone();
    for change in changes {
        let (from, to) = change.split_at(change.iter().position(|b| *b == b'=').unwrap_or(0));
        command = replace(&command, from, &to[1..]);
    }
    if remembers {
        shell.entry.history.list.pop();
        shell.remember(&command);
    }
    shell.warn_raw(&[&command[..], b"\n"].concat());
    let line = shell.position.line;
    shell.run_text(command, line)
}

fn replace(text: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    if from.is_empty() {
        return text.to_vec();
    }
    let mut out = Vec::new();
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with(from) {
            out.extend_from_slice(to);
            at += from.len();
        } else {
            out.push(text[at]);
            at += 1;
        }
    }
    out
}
