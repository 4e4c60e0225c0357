//! `set` and `shopt`.

use super::getopt::Options;
use super::listing::{assignment_text, computes, is_silent};
use super::text;
use crate::shell::{Run, SET_OPTIONS, SHOPTS, Shell};
use std::rc::Rc;

pub(super) fn set(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    if args.len() == 1 {
        let mut out = Vec::new();
        for (name, sym, var) in shell.vars.sorted() {
            if is_silent(&name, &var) {
                continue;
            }
            let var = if computes(sym, &var) { (*var).clone() } else { shell.var(sym).unwrap_or_else(|| (*var).clone()) };
            if !var.is_bare() {
                out.extend_from_slice(&assignment_text(&name, &var));
                out.push(b'\n');
            }
        }
        let mut names: Vec<Vec<u8>> = shell.definitions.functions.keys().cloned().collect();
        names.sort();
        // In POSIX mode, `set` shows only variables.
        for name in names.into_iter().filter(|_| shell.opts.long("posix") != Some(true)) {
            if let Some(function) = shell.definitions.functions.get(&name) {
                out.extend_from_slice(&crate::print::function_text(function));
                out.push(b'\n');
            }
        }
        return shell.print("set", &out);
    }
    // An invalid letter changes nothing.
    for arg in args[1..].iter().take_while(|arg| arg.len() > 1 && matches!(arg[0], b'-' | b'+') && arg[..] != *b"--") {
        let unknown = arg[1..]
            .iter()
            .find(|letter| **letter != b'o' && !crate::shell::is_set_letter(**letter) && !(**letter == b'r' && arg[0] == b'-'));
        if let Some(letter) = unknown {
            let what = format!("{}{}: invalid option", arg[0] as char, *letter as char);
            return shell.misuse("set", &what, "[-abefhkmnptuvxBCEHPT] [-o option-name] [--] [-] [arg ...]");
        }
    }
    let mut at = 1;
    while let Some(arg) = args.get(at) {
        match &arg[..] {
            b"--" => {
                shell.calls.params = Rc::new(args[at + 1..].to_vec());
                return Ok(0);
            }
            b"-" => {
                shell.opts.set_letter(b'x', false);
                shell.opts.set_letter(b'v', false);
                if at + 1 < args.len() {
                    shell.calls.params = Rc::new(args[at + 1..].to_vec());
                }
                return Ok(0);
            }
            [sign @ (b'-' | b'+'), letters @ ..] => {
                let on = *sign == b'-';
                for letter in letters {
                    if *letter == b'o' {
                        at += 1;
                        match args.get(at) {
                            None => return show_options(shell, on),
                            Some(name) => {
                                if !shell.opts.set_long(&text(name), on) {
                                    shell.error(format!("set: {}: invalid option name", text(name)));
                                    return shell.special_failure("set", 2);
                                }
                                if name == b"posix" && on {
                                    shell.set(crate::sym::POSIXLY_CORRECT, b"y".to_vec())?;
                                }
                            }
                        }
                    } else if *letter == b'r' {
                        shell.restrict();
                    } else {
                        shell.opts.set_letter(*letter, on);
                    }
                }
            }
            _ => {
                shell.calls.params = Rc::new(args[at..].to_vec());
                return Ok(0);
            }
        }
        at += 1;
    }
    Ok(0)
}

fn show_options(shell: &mut Shell, readable: bool) -> Run {
    let mut out = String::new();
    for (_, name) in SET_OPTIONS {
        let on = shell.opts.long(name) == Some(true);
        if readable {
            out.push_str(&format!("{name:<15}\t{}\n", if on { "on" } else { "off" }));
        } else {
            out.push_str(&format!("set {}o {name}\n", if on { '-' } else { '+' }));
        }
    }
    shell.print("set", out.as_bytes())
}

pub(super) fn shopt(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut on, mut off, mut quiet, mut print, mut long) = (false, false, false, false, false);
    let mut options = Options::new(args, "opqsu", "[-pqsu] [-o] [optname ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b's' => on = true,
            b'u' => off = true,
            b'q' => quiet = true,
            b'p' => print = true,
            b'o' => long = true,
            _ => return Ok(2),
        }
    }
    if on && off {
        shell.error("shopt: cannot set and unset shell options simultaneously");
        return Ok(1);
    }
    let names: Vec<String> = options.rest().iter().map(|arg| text(arg)).collect();
    let state = |shell: &Shell, name: &str| if long { shell.opts.long(name) } else { shell.opts.find_shopt(name) };
    let mut out = String::new();
    let line = |name: &str, is: bool| {
        if print {
            if long {
                format!("set {}o {name}\n", if is { '-' } else { '+' })
            } else {
                format!("shopt -{} {name}\n", if is { 's' } else { 'u' })
            }
        } else {
            format!("{name:<15}\t{}\n", if is { "on" } else { "off" })
        }
    };
    if names.is_empty() {
        let all: Vec<&str> = if long { SET_OPTIONS.iter().map(|(_, n)| *n).collect() } else { SHOPTS.iter().map(|(n, _)| *n).collect() };
        for name in all {
            let is = state(shell, name) == Some(true);
            if (on && !is) || (off && is) {
                continue;
            }
            out.push_str(&line(name, is));
        }
        if quiet {
            out.clear();
        }
        return shell.print("shopt", out.as_bytes());
    }
    let mut status = 0;
    for name in &names {
        match state(shell, name) {
            None => {
                shell.error(format!("shopt: {name}: invalid {}option name", if long { "" } else { "shell " }));
                // The status of bash for `shopt -so nope` is 0.
                status = i32::from(!(long && (on || off)));
            }
            Some(_) if on || off => {
                if long {
                    shell.opts.set_long(name, on)
                } else {
                    if name == "extdebug" {
                        shell.opts.set_letter(b'T', on);
                        shell.opts.set_letter(b'E', on);
                    }
                    // Naming an option that describes how the shell was called does not change it.
                    matches!(name.as_str(), "login_shell" | "restricted_shell") || shell.opts.set_shopt(name, on)
                };
            }
            Some(is) => {
                if !is {
                    status = 1;
                }
                if !quiet {
                    out.push_str(&line(name, is));
                }
            }
        }
    }
    shell.print("shopt", out.as_bytes())?;
    Ok(status)
}

impl Shell {
    /// Prints the output of `bash -o` and `bash -O` without a name: the list of `set` or `shopt`. Returns the status.
    pub(crate) fn show_options(&mut self, words: &[Vec<u8>]) -> i32 {
        let shown = if words[0] == b"set" { set(self, words) } else { shopt(self, words) };
        shown.unwrap_or(141)
    }
}
