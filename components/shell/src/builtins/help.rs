//! `help` and `enable`.

use super::getopt::Options;
use super::{TABLE, text};
use crate::shell::{Run, Shell};
use std::rc::Rc;

pub(super) fn help(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut options = Options::new(args, "dms", "[-dms] [pattern ...]");
    while let Some(letter) = options.next(shell)? {
        if letter == b'?' {
            return Ok(2);
        }
    }
    let names: Vec<&str> = TABLE.iter().map(|(name, _)| *name).collect();
    match options.rest().first() {
        None => {
            let mut out = String::from("wisp's shell: bash's language. These commands are built in:\n");
            for row in names.chunks(8) {
                out.push_str("  ");
                out.push_str(&row.join(" "));
                out.push('\n');
            }
            shell.print("help", out.as_bytes())
        }
        Some(name) => match names.iter().find(|known| known.as_bytes() == &name[..]) {
            Some(known) => shell.print("help", format!("{known}: a builtin; as bash's manual describes it.\n").as_bytes()),
            None => {
                shell.error(format!(
                    "help: no help topics match `{}'.  Try `help help' or `man -k {}' or `info {}'.",
                    text(name),
                    text(name),
                    text(name)
                ));
                Ok(1)
            }
        },
    }
}

/// POSIX's special builtins.
pub(super) const SPECIAL: [&str; 16] = [
    ".", ":", "break", "continue", "eval", "exec", "exit", "export", "readonly", "return", "set", "shift", "source", "times", "trap",
    "unset",
];

pub(super) fn enable(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut all, mut off, mut special, mut print) = (false, false, false, false);
    let mut options = Options::new(args, "adf:nps", "[-a] [-dnps] [-f filename] [name ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'a' => all = true,
            b'n' => off = true,
            b's' => special = true,
            b'p' => print = true,
            b'd' | b'f' => {
                shell.error(format!("enable: -{}: builtins cannot be loaded here", letter as char));
                return Ok(1);
            }
            _ => return Ok(2),
        }
    }
    let names = options.rest();
    if names.is_empty() || print {
        let mut out = String::new();
        for (name, _) in TABLE.iter().filter(|(name, _)| *name != "which" && (!special || SPECIAL.contains(name))) {
            let disabled = shell.disabled.iter().any(|known| *known == name.as_bytes());
            if all || disabled == off {
                out.push_str(&format!("enable {}{name}\n", if disabled { "-n " } else { "" }));
            }
        }
        return shell.print("enable", out.as_bytes());
    }
    let mut status = 0;
    for name in names {
        if super::find(name).is_none() {
            shell.error(format!("enable: {}: not a shell builtin", text(name)));
            status = 1;
            continue;
        }
        let disabled = Rc::make_mut(&mut shell.disabled);
        disabled.retain(|known| known != name);
        if off {
            disabled.push(name.clone());
            disabled.sort();
        }
    }
    Ok(status)
}

/// `bind` sets keys of a line editor, which a script does not have: what it asks for is accepted and has no effect.
pub(super) fn bind(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    shell.error("bind: warning: line editing not enabled");
    const USAGE: &str = "[-lpsvPSVX] [-m keymap] [-f filename] [-q name] [-u name] [-r keyseq] [-x keyseq:shell-command] \
                         [keyseq:readline-function or readline-command]";
    let mut options = Options::new(args, "lpsvPSVXm:f:q:u:r:x:", USAGE);
    while let Some(letter) = options.next(shell)? {
        if letter == b'?' {
            return Ok(2);
        }
    }
    Ok(0)
}
