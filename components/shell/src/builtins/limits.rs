//! `times`, `ulimit`, `umask`.

use super::text;
use crate::shell::{Run, Shell};
use crate::sys;

pub(super) fn times(shell: &mut Shell, _: &[Vec<u8>]) -> Run {
    let (own, children) = sys::times();
    let show = |ns: u64| format!("{}m{}.{:03}s", ns / 60_000_000_000, ns / 1_000_000_000 % 60, ns / 1_000_000 % 1000);
    let out = format!("{} {}\n{} {}\n", show(own), show(0), show(children), show(0));
    shell.print("times", out.as_bytes())
}

pub(super) fn ulimit(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut letters = Vec::new();
    let mut value = None;
    for arg in &args[1..] {
        if let Some(letter) = arg.strip_prefix(b"-").and_then(|rest| rest.iter().find(|b| !b"SHabcdefiklmnpqrstuvxPRT".contains(b))) {
            return shell.bad_option("ulimit", &[b'-', *letter], "ulimit [-SHabcdefiklmnpqrstuvxPRT] [limit]");
        }
        match arg.strip_prefix(b"-") {
            Some(options) => letters.extend(options.iter().map(|b| *b as char).filter(|c| !matches!(c, 'H' | 'S'))),
            None => value = Some(text(arg)),
        }
    }
    if let Some(value) = value {
        // Limits are the policy's; a script that lowers one is not lied to.
        let now = letters.last().map_or(0, |letter| sys::limits().iter().find(|(known, _)| known == letter).map_or(0, |(_, limit)| *limit));
        if matches!(&value[..], "unlimited" | "hard" | "soft") || value == now.to_string() || (letters.contains(&'c') && value == "0") {
            return Ok(0);
        }
        if value.parse::<u64>().is_err() {
            shell.error(format!("ulimit: {value}: invalid number"));
            return Ok(1);
        }
        shell.error(format!("ulimit: cannot modify limit to {value}: the session's limits come from its policy ([limits])"));
        return Ok(1);
    }
    let limits = sys::limits();
    let show = |letter: char| match limits.iter().find(|(known, _)| *known == letter) {
        Some((_, limit)) if *limit > 0 => limit.to_string(),
        _ => "unlimited".to_owned(),
    };
    let mut out = String::new();
    if letters.contains(&'a') {
        for (letter, what) in [
            ('t', "cpu time               (seconds, -t)"),
            ('n', "open files                      (-n)"),
            ('u', "max user processes              (-u)"),
            ('v', "virtual memory          (kbytes, -v)"),
        ] {
            out.push_str(&format!("{what} {}\n", show(letter)));
        }
        return shell.print("ulimit", out.as_bytes());
    }
    for letter in if letters.is_empty() { vec!['f'] } else { letters } {
        out.push_str(&format!("{}\n", if letter == 'c' { "0".to_owned() } else { show(letter) }));
    }
    shell.print("ulimit", out.as_bytes())
}

pub(super) fn umask(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let symbolic = args.iter().any(|arg| arg == b"-S");
    let print = args.iter().any(|arg| arg == b"-p");
    let Some(mode) = args[1..].iter().find(|arg| !arg.starts_with(b"-")) else {
        let mask = shell.umask;
        let out = if symbolic {
            let bits = |shift: u32| {
                let allowed = !(mask >> shift) & 7;
                [(4, 'r'), (2, 'w'), (1, 'x')].iter().filter(|(bit, _)| allowed & bit != 0).map(|(_, c)| *c).collect::<String>()
            };
            format!("u={},g={},o={}\n", bits(6), bits(3), bits(0))
        } else {
            format!("{}{mask:04o}\n", if print { "umask " } else { "" })
        };
        return shell.print("umask", out.as_bytes());
    };
    let shown = text(mode);
    if shown.starts_with(|c: char| c.is_ascii_digit()) {
        match u32::from_str_radix(&shown, 8) {
            Ok(mask) if mask <= 0o777 => {
                shell.umask = mask;
                return Ok(0);
            }
            _ => {
                shell.error(format!("umask: {shown}: octal number out of range"));
                return Ok(1);
            }
        }
    }
    let mut allowed = !shell.umask & 0o777;
    for clause in shown.split(',') {
        let Some(at) = clause.find(['=', '+', '-']) else {
            shell.error(format!("umask: `{}': invalid symbolic mode operator", clause.chars().next().unwrap_or(' ')));
            return Ok(1);
        };
        let who = &clause[..at];
        let mut mask = 0;
        for c in if who.is_empty() { "a" } else { who }.chars() {
            mask |= match c {
                'u' => 0o700,
                'g' => 0o070,
                'o' => 0o007,
                _ => 0o777,
            };
        }
        let bits = clause[at + 1..].chars().fold(0, |bits, c| {
            bits | match c {
                'r' => 0o444,
                'w' => 0o222,
                'x' => 0o111,
                _ => 0,
            }
        }) & mask;
        match clause.as_bytes()[at] {
            b'=' => allowed = allowed & !mask | bits,
            b'+' => allowed |= bits,
            _ => allowed &= !bits,
        }
    }
    shell.umask = !allowed & 0o777;
    Ok(0)
}
