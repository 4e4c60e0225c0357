//! `declare`, `local`, `export`, `readonly`.

use super::listing::{functions, list, print_named};
use super::text;
use crate::ast::AssignValue;
use crate::exec::Declared;
use crate::shell::{Flow, Run, Shell};
use crate::sym::is_name;
use crate::vars::Attrs;

/// The result of parsing a declaration's options.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) on: Attrs,
    pub(super) off: Attrs,
    pub(super) array: bool,
    pub(super) assoc: bool,
    /// `+a` or `+A`, which has no effect on arrays.
    pub(super) destroys: bool,
    pub(super) functions: bool,
    pub(super) names: bool,
    pub(super) global: bool,
    pub(super) print: bool,
    pub(super) local: bool,
    pub(super) inherit: bool,
}

pub(super) fn declare(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    let local = shell.vars.in_function();
    run(shell, args, assigns, Wanted { local, ..Wanted::default() })
}

pub(super) fn local(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    if !shell.vars.in_function() {
        shell.error("local: can only be used in a function");
        // Array assignments are made in any case: bash makes them before it runs the builtin.
        for (_, assign, _) in assigns {
            if let AssignValue::Array(elements) = &assign.value {
                shell.assign_array(assign.name, elements, assign.append)?;
            }
        }
        return Ok(1);
    }
    if args[1..].iter().any(|arg| arg == b"-") {
        // The options are restored at the end of the function.
        let depth = shell.calls.frames.len();
        if shell.calls.kept_options.last().is_none_or(|(at, _)| *at != depth) {
            shell.calls.kept_options.push((depth, shell.opts));
        }
        let args: Vec<Vec<u8>> = args.iter().filter(|arg| arg[..] != *b"-").cloned().collect();
        if args.len() == 1 || assigns.is_empty() {
            return if args.len() == 1 { Ok(0) } else { run(shell, &args, assigns, Wanted { local: true, ..Wanted::default() }) };
        }
    }
    run(shell, args, assigns, Wanted { local: true, ..Wanted::default() })
}

pub(super) fn export(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    run(shell, args, assigns, Wanted { on: Attrs::EXPORT, global: false, ..Wanted::default() })
}

pub(super) fn readonly(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Run {
    run(shell, args, assigns, Wanted { on: Attrs::READONLY, ..Wanted::default() })
}

fn bad_letter(shell: &mut Shell, name: &str, shown: [u8; 2]) -> Run {
    let usage = match name {
        "export" => "[-fn] [name[=value] ...] or export -p",
        "readonly" => "[-aAf] [name[=value] ...] or readonly -p",
        "local" => "[option] name[=value] ...",
        "typeset" => "[-aAfFgiIlnrtux] name[=value] ... or typeset -p [-aAfFilnrtux] [name ...]",
        _ => "[-aAfFgiIlnrtux] [name[=value] ...] or declare -p [-aAfFilnrtux] [name ...]",
    };
    shell.misuse(name, &format!("{}: invalid option", text(&shown)), usage)
}

/// Returns whether a name reference may have this value: a name, or an element of an array.
pub fn is_reference(text: &[u8]) -> bool {
    match text.iter().position(|b| *b == b'[') {
        Some(open) => {
            // The bracket that closes it is the last one.
            let mut depth = 0;
            let close = text[open..].iter().position(|b| {
                depth += i32::from(*b == b'[') - i32::from(*b == b']');
                depth == 0
            });
            let quoted = text.iter().any(|b| matches!(b, b'\\' | b'"' | b'\'' | b'$' | b'`'));
            is_name(&text[..open]) && text.ends_with(b"]") && text.len() > open + 2 && (quoted || close == Some(text.len() - 1 - open))
        }
        None => is_name(text),
    }
}

impl Wanted {
    /// Reads the options of command `name`; returns where its other arguments begin, or the option that is invalid.
    fn read(&mut self, name: &str, args: &[Vec<u8>], assigns: &[Declared<'_>]) -> Result<usize, [u8; 2]> {
        let exporting = matches!(name, "export" | "readonly");
        let mut at = 1;
        while let Some(arg) = args.get(at) {
            let signs: &[u8] = if exporting { b"-" } else { b"-+" };
            if assigns.iter().any(|(place, _, _)| *place == at) || arg.len() < 2 || !signs.contains(&arg[0]) {
                break;
            }
            if arg == b"--" {
                at += 1;
                break;
            }
            let on = arg[0] == b'-';
            let known: &[u8] = match name {
                "export" | "readonly" => b"aAfnp",
                _ => b"aAcfFgiIlnprtux",
            };
            for letter in &arg[1..] {
                let attr = match letter {
                    letter if !known.contains(letter) => return Err([arg[0], *letter]),
                    b'x' => Attrs::EXPORT,
                    b'r' => Attrs::READONLY,
                    b'i' => Attrs::INTEGER,
                    b'u' => Attrs::UPPER,
                    b'l' => Attrs::LOWER,
                    b'c' => Attrs::CAPITALIZE,
                    b'n' if !exporting => Attrs::NAMEREF,
                    b'n' => {
                        self.off.set(self.on, true);
                        self.on = Attrs::default();
                        continue;
                    }
                    b't' => Attrs::TRACE,
                    b'a' | b'A' => {
                        if !on {
                            self.destroys = true;
                        } else if *letter == b'a' {
                            self.array = true;
                        } else {
                            self.assoc = true;
                        }
                        continue;
                    }
                    b'f' => {
                        self.functions = true;
                        continue;
                    }
                    b'F' => {
                        self.functions = true;
                        self.names = true;
                        continue;
                    }
                    b'g' => {
                        self.global = true;
                        self.local = false;
                        continue;
                    }
                    b'p' => {
                        self.print = true;
                        continue;
                    }
                    b'I' => {
                        self.inherit = true;
                        continue;
                    }
                    _ => return Err([arg[0], *letter]),
                };
                if on { self.on.set(attr, true) } else { self.off.set(attr, true) }
            }
            at += 1;
        }
        Ok(at)
    }

    /// Resolves contradictory options.
    fn settle(&mut self) {
        if self.on.has(Attrs::NAMEREF) && (self.array || self.assoc || self.on.has(Attrs::INTEGER)) {
            self.on.set(Attrs::NAMEREF, false);
            self.on.set(Attrs::INTEGER, false);
        }
        let cases = Attrs::UPPER.0 | Attrs::LOWER.0;
        if self.on.has(Attrs(cases)) {
            self.on.set(Attrs(cases), false);
            self.off.set(Attrs(cases), true);
        }
    }
}

fn run(shell: &mut Shell, args: &[Vec<u8>], assigns: &[Declared<'_>], mut wanted: Wanted) -> Run {
    let name = text(&args[0]);
    let exporting = matches!(name.as_str(), "export" | "readonly");
    let at = match wanted.read(&name, args, assigns) {
        Ok(at) => at,
        Err(shown) => return bad_letter(shell, &name, shown),
    };
    wanted.settle();
    if at >= args.len() {
        return list(shell, &name, &wanted);
    }
    if wanted.functions {
        let odd = [(wanted.array, 'a'), (wanted.assoc, 'A'), (wanted.on.has(Attrs::INTEGER), 'i')];
        if let Some((_, letter)) = odd.into_iter().find(|(given, _)| *given) {
            shell.error(format!("{name}: -{letter}: invalid option"));
            return Ok(1);
        }
        if args[at..].iter().any(|arg| !exporting && arg.contains(&b'=')) {
            shell.error(format!("{name}: cannot use `-f' to make functions"));
            return Ok(1);
        }
        return functions(shell, &args[at..], &wanted);
    }
    if wanted.print && !exporting {
        return print_named(shell, &name, &args[at..]);
    }
    let mut status = 0;
    for (place, arg) in args.iter().enumerate().skip(at) {
        let assign = assigns.iter().find(|(at, _, _)| *at == place);
        let result = shell.for_name(name.clone().into_bytes(), |shell| super::declaration::declare(shell, &name, arg, assign, &wanted));
        match result {
            Ok(result) => status = status.max(result),
            Err(Flow::Discard(_)) => {
                if !exporting && assign.is_none() {
                    status = 1;
                } else {
                    return Err(Flow::Discard(1));
                }
            }
            Err(flow) => return Err(flow),
        }
    }
    Ok(status)
}
