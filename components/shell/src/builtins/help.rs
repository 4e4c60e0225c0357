//! `help` and `enable`.

use super::getopt::Options;
use super::topics::{TOPICS, WHOLE};
use super::{TABLE, text};
use crate::pattern::{Flags, Pattern};
use crate::shell::{Run, Shell};
use std::rc::Rc;

/// Builtins that treat `--help` as an ordinary argument.
const HELPLESS: [&[u8]; 6] = [b"echo", b"test", b"[", b"true", b"false", b":"];

impl Shell {
    /// Runs `builtin --help`, if it was requested.
    pub(crate) fn help_wanted(&mut self, words: &[Vec<u8>]) -> Option<Run> {
        if words.get(1).is_none_or(|word| word != b"--help") || HELPLESS.contains(&&words[0][..]) {
            return None;
        }
        let topic = TOPICS.iter().find(|topic| topic.0.as_bytes() == &words[0][..])?;
        Some(self.print("help", describe(topic).as_bytes()).map(|_| 2))
    }
}

fn syntax(topic: &Topic) -> String {
    if WHOLE.contains(&topic.0) { topic.1.to_owned() } else { format!("{} {}", topic.0, topic.1).trim_end().to_owned() }
}

fn synopsis(topic: &Topic) -> String {
    format!("{}: {}", topic.0, syntax(topic))
}

fn describe(topic: &Topic) -> String {
    format!("{}\n    {}\n", synopsis(topic), topic.2)
}

type Topic = (&'static str, &'static str, &'static str);

pub(super) fn help(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let mut form = b'l';
    let mut options = Options::new(args, "dms", "[-dms] [pattern ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'?' => return Ok(2),
            letter => form = letter,
        }
    }
    let names = options.rest();
    let mut out = String::new();
    if names.is_empty() {
        out.push_str("wisp's shell: the language of bash. `help NAME' says more about one of these.\n");
        for topic in TOPICS {
            out.push_str(&format!(" {}\n", syntax(topic)));
        }
        return shell.print("help", out.as_bytes());
    }
    if names[0].iter().any(|byte| matches!(byte, b'*' | b'?')) {
        let list: Vec<String> = names.iter().map(|name| text(name)).collect();
        let keywords = if names.len() == 1 { "keyword" } else { "keywords" };
        out.push_str(&format!("Shell commands matching {keywords} `{}'\n\n", list.join(", ")));
    }
    let (mut some, mut missing) = (false, None);
    for name in names {
        let pattern = Pattern::new(name, Flags::default());
        let exact = TOPICS.iter().any(|topic| topic.0.as_bytes() == &name[..]);
        let fits = |topic: &&Topic| {
            let known = topic.0.as_bytes();
            if exact { known == &name[..] } else { pattern.matches(known) || known.starts_with(name) }
        };
        let mut found = TOPICS.iter().filter(fits).peekable();
        if found.peek().is_none() {
            missing = Some(text(name));
        } else {
            some = true;
        }
        for topic in found {
            match form {
                b's' => out.push_str(&format!("{}\n", synopsis(topic))),
                b'd' => out.push_str(&format!("{} - {}\n", topic.0, topic.2)),
                b'm' => out.push_str(&format!("NAME\n    {} - {}\n\nSYNOPSIS\n    {}\n\n", topic.0, topic.2, syntax(topic))),
                _ => out.push_str(&describe(topic)),
            }
        }
    }
    shell.print("help", out.as_bytes())?;
    if let Some(name) = missing.filter(|_| !some) {
        shell.error(format!("help: no help topics match `{name}'.  Try `help help' or `man -k {name}' or `info {name}'."));
        return Ok(1);
    }
    Ok(0)
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
            b'd' | b'f' if shell.opts.restricted() => {
                shell.error("enable: restricted");
                return Ok(1);
            }
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
            let disabled = shell.builtins.disabled.iter().any(|known| *known == name.as_bytes());
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
        let disabled = Rc::make_mut(&mut shell.builtins.disabled);
        disabled.retain(|known| known != name);
        if off {
            disabled.push(name.clone());
            disabled.sort();
        }
    }
    Ok(status)
}

/// Implements `bind`, which sets keys of a line editor. A script has none: its arguments are accepted and have no effect.
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
