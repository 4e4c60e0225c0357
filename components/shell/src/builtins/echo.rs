//! `echo`.

use crate::lexer::escape;
use crate::shell::{Run, Shell};

pub(super) fn echo(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut newline = true;
    let mut escapes = shell.opts.shopt("xpg_echo");
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        if arg.len() < 2 || arg[0] != b'-' || !arg[1..].iter().all(|b| matches!(b, b'n' | b'e' | b'E')) {
            break;
        }
        for letter in &arg[1..] {
            match letter {
                b'n' => newline = false,
                b'e' => escapes = true,
                _ => escapes = false,
            }
        }
        at += 1;
    }
    let mut out = Vec::new();
    for (number, arg) in args[at..].iter().enumerate() {
        if number > 0 {
            out.push(b' ');
        }
        if !escapes {
            out.extend_from_slice(arg);
            continue;
        }
        if !decode(arg, &mut out, false) {
            newline = false;
            break;
        }
    }
    if newline {
        out.push(b'\n');
    }
    shell.print("echo", &out)
}

/// Decodes escapes like `echo -e` and, with octal numbers that need no zero, like `%b`; returns false at `\c`.
pub(super) fn decode(text: &[u8], out: &mut Vec<u8>, percent: bool) -> bool {
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        match text.get(at + 1) {
            Some(b'c') => return false,
            Some(b'1'..=b'7') if percent => at = escape(text, at + 1, out, false),
            _ => at = escape(text, at + 1, out, true),
        }
    }
    true
}
