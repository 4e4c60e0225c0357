//! `umask`.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};

pub(super) fn umask(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut symbolic, mut print) = (false, false);
    let mut options = Options::new(args, "pS", "[-p] [-S] [mode]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'S' => symbolic = true,
            b'p' => print = true,
            _ => return Ok(2),
        }
    }
    let Some(mode) = options.rest().first() else { return show(shell, symbolic, print) };
    let shown = text(mode);
    if shown.starts_with(|c: char| c.is_ascii_digit()) {
        return match u32::from_str_radix(&shown, 8) {
            Ok(mask) if mask <= 0o7777 => {
                shell.process.umask = mask & 0o777;
                Ok(0)
            }
            _ => {
                shell.error(format!("umask: {shown}: octal number out of range"));
                Ok(1)
            }
        };
    }
    match allowed(&shown, !shell.process.umask & 0o777) {
        Ok(allowed) => {
            shell.process.umask = !allowed & 0o777;
            if symbolic { show(shell, true, print) } else { Ok(0) }
        }
        Err(message) => {
            shell.error(format!("umask: {message}"));
            Ok(1)
        }
    }
}

fn show(shell: &mut Shell, symbolic: bool, print: bool) -> Run {
    let mask = shell.process.umask;
    let bits = |shift: u32| {
        let allowed = !(mask >> shift) & 7;
        [(4, 'r'), (2, 'w'), (1, 'x')].iter().filter(|(bit, _)| allowed & bit != 0).map(|(_, c)| *c).collect::<String>()
    };
    let out = match (print, symbolic) {
        (true, true) => format!("umask -S u={},g={},o={}\n", bits(6), bits(3), bits(0)),
        (true, false) => format!("umask {mask:04o}\n"),
        (false, true) => format!("u={},g={},o={}\n", bits(6), bits(3), bits(0)),
        (false, false) => format!("{mask:04o}\n"),
    };
    shell.print("umask", out.as_bytes())
}

/// Returns the bits that a symbolic mode allows, given those allowed `now`; or the error in the mode.
fn allowed(mode: &str, now: u32) -> Result<u32, String> {
    let mut allowed = now;
    for clause in mode.split(',') {
        let mut chars = clause.chars().peekable();
        let mut who = 0;
        while let Some(bits) = chars.peek().and_then(|c| match c {
            'u' => Some(0o700),
            'g' => Some(0o070),
            'o' => Some(0o007),
            'a' => Some(0o777),
            _ => None,
        }) {
            who |= bits;
            chars.next();
        }
        if who == 0 {
            who = 0o777;
        }
        let Some(mut operator) = chars.next() else { return Err("`': invalid symbolic mode operator".to_owned()) };
        loop {
            if !matches!(operator, '=' | '+' | '-') {
                return Err(format!("`{operator}': invalid symbolic mode operator"));
            }
            let (mut bits, mut next) = (0, None);
            for c in chars.by_ref() {
                bits |= match c {
                    'r' => 0o444,
                    'w' => 0o222,
                    'x' => 0o111,
                    // Execution, if some user may execute already.
                    'X' if allowed & 0o111 == 0 => 0,
                    'X' => 0o111,
                    '=' | '+' | '-' => {
                        next = Some(c);
                        break;
                    }
                    _ => return Err(format!("`{c}': invalid symbolic mode character")),
                };
            }
            match operator {
                '+' => allowed |= bits & who,
                '-' => allowed &= !(bits & who),
                _ => allowed = allowed & !who | bits & who,
            }
            match next {
                Some(c) => operator = c,
                None => break,
            }
        }
    }
    Ok(allowed)
}
