//! `times`, `ulimit`.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell};
use crate::sys;

pub(super) fn times(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if Options::new(args, "", "").next(shell)?.is_some() {
        return Ok(2);
    }
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
            return shell.misuse("ulimit", &format!("-{}: invalid option", *letter as char), "[-SHabcdefiklmnpqrstuvxPRT] [limit]");
        }
        match arg.strip_prefix(b"-") {
            Some(options) => letters.extend(options.iter().map(|b| *b as char).filter(|c| !matches!(c, 'H' | 'S'))),
            None => value = Some(text(arg)),
        }
    }
    if let Some(value) = value {
        // The policy sets the limits; a script that tries to lower one gets an error.
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
