//! `complete` and `compopt`: what completion would offer at a prompt. The specifications are kept and shown; `compgen`
//! uses them.

use super::getopt::Options;
use super::text;
use crate::shell::{Run, Shell, Spec};

/// Actions: the letter of their own option (0 for none), and the name after `-A`.
pub(super) const ACTIONS: [(u8, &str); 24] = [
    (b'a', "alias"),
    (0, "arrayvar"),
    (0, "binding"),
    (b'b', "builtin"),
    (b'c', "command"),
    (b'd', "directory"),
    (0, "disabled"),
    (0, "enabled"),
    (b'e', "export"),
    (b'f', "file"),
    (0, "function"),
    (b'g', "group"),
    (0, "helptopic"),
    (0, "hostname"),
    (b'j', "job"),
    (b'k', "keyword"),
    (0, "running"),
    (b's', "service"),
    (0, "setopt"),
    (0, "shopt"),
    (0, "signal"),
    (0, "stopped"),
    (b'u', "user"),
    (b'v', "variable"),
];

const OPTIONS: [&str; 8] = ["bashdefault", "default", "dirnames", "filenames", "noquote", "nosort", "nospace", "plusdirs"];

/// The name of the specification for commands that have none: `complete -D`.
pub(crate) const DEFAULT_COMPLETION: &[u8] = b"_DefaultCmD_";

/// Commands that stand for `-D`, `-E` and `-I`.
const SPECIAL: [(u8, &[u8]); 3] = [(b'D', DEFAULT_COMPLETION), (b'E', b"_EmptycmD_"), (b'I', b"_InitialWorD_")];

impl Spec {
    pub(super) fn text(&self, letter: u8) -> Option<&[u8]> {
        self.texts.iter().find(|(known, _)| *known == letter).map(|(_, text)| &text[..])
    }
    pub(crate) fn has_action(&self, name: &str) -> bool {
        ACTIONS.iter().position(|(_, known)| *known == name).is_some_and(|at| self.actions & (1 << at) != 0)
    }
    pub(crate) fn has_option(&self, name: &str) -> bool {
        option_bit(name).is_some_and(|bit| self.options & bit != 0)
    }

    fn show(&self, name: &[u8]) -> Vec<u8> {
        let mut out = b"complete ".to_vec();
        for (at, option) in OPTIONS.iter().enumerate() {
            if self.options & (1 << at) != 0 {
                out.extend_from_slice(format!("-o {option} ").as_bytes());
            }
        }
        for with_letter in [true, false] {
            for (at, (letter, action)) in ACTIONS.iter().enumerate() {
                if self.actions & (1 << at) != 0 && (*letter != 0) == with_letter {
                    let shown = if with_letter { format!("-{} ", *letter as char) } else { format!("-A {action} ") };
                    out.extend_from_slice(shown.as_bytes());
                }
            }
        }
        for letter in b"GWPSXC" {
            if let Some(text) = self.text(*letter) {
                out.extend_from_slice(&[b"-", &[*letter][..], b" ", &crate::quote::single(text), b" "].concat());
            }
        }
        if let Some(function) = self.text(b'F') {
            out.extend_from_slice(&[b"-F ", function, b" "].concat());
        }
        match SPECIAL.iter().find(|(_, special)| *special == name) {
            Some((letter, _)) => out.extend_from_slice(&[b'-', *letter]),
            None => out.extend_from_slice(name),
        }
        out.push(b'\n');
        out
    }
}

fn option_bit(name: &str) -> Option<u8> {
    OPTIONS.iter().position(|known| *known == name).map(|at| 1 << at)
}

/// What follows `usage: complete `.
const COMPLETE: &str = "[-abcdefgjksuv] [-pr] [-DEI] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] \
                        [-X filterpat] [-P prefix] [-S suffix] [name ...]";

/// The result of parsing the options of `complete` and `compgen`.
#[derive(Default)]
pub(super) struct Asked {
    pub spec: Spec,
    pub print: bool,
    pub remove: bool,
    pub names: Vec<Vec<u8>>,
}

/// Reads options and names. `None` if an option is wrong: it has been reported, and the status is 2.
pub(super) fn options(shell: &mut Shell, args: &[Vec<u8>], command: &str) -> Run<Option<Asked>> {
    let mut asked = Asked::default();
    let usage = if command == "compgen" {
        "[-abcdefgjksuv] [-o option] [-A action] [-G globpat] [-W wordlist] [-F function] [-C command] [-X filterpat] [-P prefix] \
         [-S suffix] [word]"
    } else {
        COMPLETE
    };
    let letters = if command == "compgen" { "abcdefgjksuvo:A:G:W:F:C:X:P:S:" } else { "abcdefgjksuvo:A:G:W:F:C:X:P:S:prDEI" };
    let mut given = Options::new(args, letters, usage);
    while let Some(letter) = given.next(shell)? {
        if let Some(action) = ACTIONS.iter().position(|(known, _)| *known == letter) {
            asked.spec.actions |= 1 << action;
            continue;
        }
        let shown = text(given.value());
        match letter {
            b'?' => return Ok(None),
            b'p' => asked.print = true,
            b'r' => asked.remove = true,
            b'D' | b'E' | b'I' => {
                asked.names.extend(SPECIAL.iter().filter(|(known, _)| *known == letter).map(|(_, name)| name.to_vec()));
            }
            b'o' => match option_bit(&shown) {
                Some(bit) => asked.spec.options |= bit,
                None => {
                    shell.error(format!("{command}: {shown}: invalid option name"));
                    return Ok(None);
                }
            },
            b'A' => match ACTIONS.iter().position(|(_, known)| *known == shown) {
                Some(action) => asked.spec.actions |= 1 << action,
                None => {
                    shell.error(format!("{command}: {shown}: invalid action name"));
                    return Ok(None);
                }
            },
            letter => {
                asked.spec.texts.retain(|(known, _)| *known != letter);
                asked.spec.texts.push((letter, given.value().to_vec()));
            }
        }
    }
    asked.names.extend_from_slice(given.rest());
    Ok(Some(asked))
}

/// Returns the index of a command in bash's table of 512 buckets.
fn bucket(name: &[u8]) -> u32 {
    name.iter().fold(2_166_136_261u32, |hash, byte| hash.wrapping_mul(16_777_619) ^ u32::from(*byte)) & 511
}

impl Shell {
    fn put_spec(&mut self, name: Vec<u8>, spec: Spec) {
        self.builtins.completions.retain(|(known, _)| *known != name);
        let at = self.builtins.completions.partition_point(|(known, _)| bucket(known) < bucket(&name));
        self.builtins.completions.insert(at, (name, spec));
        self.builtins.completed = true;
    }
}

pub(super) fn complete(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let Some(asked) = options(shell, args, "complete")? else { return Ok(2) };
    if asked.remove {
        if asked.names.is_empty() {
            shell.builtins.completions.clear();
        }
        let mut status = 0;
        for name in &asked.names {
            // As in bash, which has no table before the first specification.
            if shell.builtins.completed && !shell.builtins.completions.iter().any(|(known, _)| known == name) {
                shell.error(format!("complete: {}: no completion specification", text(name)));
                status = 1;
            }
        }
        shell.builtins.completions.retain(|(name, _)| !asked.names.contains(name));
        return Ok(status);
    }
    if asked.print || args.len() == 1 {
        let mut status = 0;
        let mut out = Vec::new();
        if asked.names.is_empty() {
            out = shell.builtins.completions.iter().flat_map(|(name, spec)| spec.show(name)).collect();
        }
        for name in &asked.names {
            match shell.builtins.completions.iter().find(|(known, _)| known == name) {
                Some((_, spec)) => out.extend_from_slice(&spec.show(name)),
                None => {
                    shell.error(format!("complete: {}: no completion specification", text(name)));
                    status = 1;
                }
            }
        }
        shell.print("complete", &out)?;
        return Ok(status);
    }
    if asked.names.is_empty() {
        shell.warn_raw(format!("complete: usage: complete {COMPLETE}\n").as_bytes());
        return Ok(2);
    }
    for name in asked.names {
        shell.put_spec(name, asked.spec.clone());
    }
    Ok(0)
}

pub(super) fn compopt(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut on, mut off, mut names) = (0u8, 0u8, Vec::new());
    let mut words = args[1..].iter();
    while let Some(word) = words.next() {
        match &word[..] {
            b"-o" | b"+o" => {
                let name = words.next().map(|name| text(name)).unwrap_or_default();
                let Some(bit) = option_bit(&name) else {
                    shell.error(format!("compopt: {name}: invalid option name"));
                    return Ok(2);
                };
                if word == b"-o" { on |= bit } else { off |= bit }
            }
            [b'-', letter @ (b'D' | b'E' | b'I')] => {
                names.extend(SPECIAL.iter().filter(|(known, _)| known == letter).map(|(_, name)| name.to_vec()));
            }
            [b'-', letter, ..] => {
                let what = format!("-{}: invalid option", *letter as char);
                return shell.misuse("compopt", &what, "[-o|+o option] [-DEI] [name ...]");
            }
            _ => names.push(word.clone()),
        }
    }
    if names.is_empty() {
        shell.error("compopt: not currently executing completion function");
        return Ok(1);
    }
    let mut status = 0;
    for name in names {
        match shell.builtins.completions.iter_mut().find(|(known, _)| *known == name) {
            Some((_, spec)) => spec.options = (spec.options | on) & !off,
            None => {
                shell.error(format!("compopt: {}: no completion specification", text(&name)));
                status = 1;
            }
        }
    }
    Ok(status)
}
