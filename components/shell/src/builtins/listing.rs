//! The output of `declare -p`, `set` and similar builtins.

use super::declare::Wanted;
use super::text;
use crate::quote;
use crate::shell::{Run, Shell};
use crate::sym::{self, Sym, intern, is_name};
use crate::vars::{Attrs, Value, Var};
use std::rc::Rc;

/// Returns the letters of a variable's attributes, as `${x@a}` and `declare -p` show them.
pub fn attribute_letters(var: &Var) -> String {
    let mut letters = String::new();
    match var.value {
        Value::Indexed(_) => letters.push('a'),
        Value::Assoc(_) => letters.push('A'),
        _ => {}
    }
    letters.push_str(&var.attrs.letters());
    letters
}

/// Returns a variable as `declare -p` shows it.
pub fn declaration(name: &[u8], var: &Var) -> Vec<u8> {
    let letters = attribute_letters(var);
    let letters = if letters.is_empty() { "-".to_owned() } else { letters };
    let mut out = format!("declare -{letters} ").into_bytes();
    out.extend_from_slice(name);
    match &var.value {
        _ if var.is_bare() => {}
        Value::Unset => {}
        Value::Indexed(array) => {
            out.extend_from_slice(b"=(");
            for (number, (at, value)) in array.iter().enumerate() {
                if number > 0 {
                    out.push(b' ');
                }
                out.extend_from_slice(format!("[{at}]=").as_bytes());
                out.extend_from_slice(&quote::double(value));
            }
            out.push(b')');
        }
        Value::Assoc(array) => {
            out.extend_from_slice(b"=(");
            for (key, value) in array.iter() {
                out.push(b'[');
                out.extend_from_slice(&key_text(key));
                out.extend_from_slice(b"]=");
                out.extend_from_slice(&quote::double(value));
                out.push(b' ');
            }
            out.push(b')');
        }
        value => {
            out.push(b'=');
            out.extend_from_slice(&quote::double(&value.scalar().unwrap_or_default()));
        }
    }
    out
}

/// Returns whether a list of all variables omits a variable's value, because it would have to be computed.
pub(super) fn computes(name: Sym, var: &Var) -> bool {
    let known = [sym::SHELLOPTS, sym::BASHOPTS, sym::BASH_LINENO, sym::BASH_SOURCE, sym::PIPESTATUS];
    var.attrs.has(Attrs::DYNAMIC) && !known.contains(&name)
}

/// Returns whether `set` omits a variable, because its value is different each time.
pub(super) fn is_silent(name: &[u8], var: &Var) -> bool {
    let known = [&b"SHELLOPTS"[..], b"BASHOPTS"].contains(&name);
    name == b"COMP_WORDBREAKS" || (var.attrs.has(Attrs::DYNAMIC) && !var.value.is_array() && !known)
}

/// Returns a key as it is shown: quoted if necessary.
pub fn key_text(key: &[u8]) -> Vec<u8> {
    if key.is_empty() || key == b"@" || quote::is_special(key) { quote::double(key) } else { key.to_vec() }
}

pub(super) fn list(shell: &mut Shell, command: &str, wanted: &Wanted) -> Run {
    if wanted.functions {
        let mut names: Vec<Vec<u8>> = shell.definitions.functions.keys().cloned().collect();
        // `export -f` and similar commands show the functions that have the attribute.
        names.retain(|name| shell.function_attributes(name).has(wanted.on));
        names.sort();
        return functions(shell, &names, &Wanted { names: wanted.names, print: true, ..Wanted::default() });
    }
    let mut out = Vec::new();
    let plain =
        matches!(command, "declare" | "typeset") && !wanted.print && wanted.on == Attrs::default() && !wanted.array && !wanted.assoc;
    for (name, sym, var) in shell.vars.sorted() {
        if var.attrs.0 & wanted.on.0 != wanted.on.0 {
            continue;
        }
        if (wanted.array && !matches!(var.value, Value::Indexed(_))) || (wanted.assoc && !matches!(var.value, Value::Assoc(_))) {
            continue;
        }
        if command == "local" && !shell.vars.is_local(sym) {
            continue;
        }
        if plain && is_silent(&name, &var) {
            continue;
        }
        let var = if computes(sym, &var) { (*var).clone() } else { shell.var(sym).unwrap_or_else(|| (*var).clone()) };
        let var = if name[..] == *b"COMP_WORDBREAKS" { Var { value: Value::Unset, ..var } } else { var };
        if sym == sym::PIPESTATUS && shell.last.pipeline.is_empty() {
            continue;
        }
        if plain {
            if var.is_bare() {
                continue;
            }
            out.extend_from_slice(&assignment_text(&name, &var));
        } else {
            let line = declaration(&name, &var);
            // In POSIX mode, the output is a command that can be read back.
            match line
                .iter()
                .position(|b| *b == b' ')
                .and_then(|at| line[at + 1..].iter().position(|b| *b == b' ').map(|more| at + 1 + more))
            {
                Some(at) if shell.opts.long("posix") == Some(true) && matches!(command, "export" | "readonly") => {
                    out.extend_from_slice(command.as_bytes());
                    let letters = attribute_letters(&var).replace(['r', 'x'], "");
                    if !letters.is_empty() {
                        out.extend_from_slice(format!(" -{letters}").as_bytes());
                    }
                    out.extend_from_slice(&line[at..]);
                }
                _ => out.extend_from_slice(&line),
            }
        }
        out.push(b'\n');
    }
    if plain {
        let mut names: Vec<Vec<u8>> = shell.definitions.functions.keys().cloned().collect();
        names.sort();
        for name in names {
            if let Some(function) = shell.definitions.functions.get(&name) {
                out.extend_from_slice(&crate::print::function_text(function));
                out.push(b'\n');
            }
        }
    }
    shell.print(command, &out)
}

/// Returns a variable as `set` shows it.
pub(super) fn assignment_text(name: &[u8], var: &Var) -> Vec<u8> {
    if var.value.is_array() {
        let full = declaration(name, var);
        let start = full
            .iter()
            .position(|b| *b == b' ')
            .and_then(|at| full[at + 1..].iter().position(|b| *b == b' ').map(|next| at + next + 2))
            .unwrap_or(0);
        return full[start..].to_vec();
    }
    let value = var.value.scalar().unwrap_or_default();
    let shown = if value.is_empty() { Vec::new() } else { quote::if_needed(&value) };
    [name, b"=", &shown].concat()
}

pub(super) fn functions(shell: &mut Shell, names: &[Vec<u8>], wanted: &Wanted) -> Run {
    let mut status = 0;
    let mut out = Vec::new();
    for name in names {
        let Some(function) = shell.definitions.functions.get(name).cloned() else {
            if wanted.on.has(Attrs::EXPORT) {
                shell.error(format!("export: {}: not a function", text(name)));
            } else if wanted.print {
                shell.error(format!("declare: {}: not found", text(name)));
            }
            status = 1;
            continue;
        };
        if wanted.on.has(Attrs::EXPORT) {
            let list = Rc::make_mut(&mut shell.definitions.exported);
            if !list.contains(name) {
                list.push(name.clone());
            }
        } else if wanted.off.has(Attrs::EXPORT) {
            Rc::make_mut(&mut shell.definitions.exported).retain(|known| known != name);
        } else if wanted.on.has(Attrs::TRACE) || wanted.off.has(Attrs::TRACE) {
            let list = Rc::make_mut(&mut shell.definitions.traced);
            list.retain(|known| known != name);
            if wanted.on.has(Attrs::TRACE) {
                list.push(name.clone());
            }
        } else if wanted.on.has(Attrs::READONLY) {
            Rc::make_mut(&mut shell.definitions.readonly).push(name.clone());
        } else if wanted.names {
            if wanted.print {
                out.extend_from_slice(format!("declare -f{} ", shell.function_attributes(name).letters()).as_bytes());
            }
            out.extend_from_slice(name);
            if !wanted.print && shell.opts.shopt("extdebug") {
                out.extend_from_slice(format!(" {} {}", function.body.line, text(&function.source)).as_bytes());
            }
            out.push(b'\n');
        } else {
            out.extend_from_slice(&crate::print::function_text(&function));
            out.push(b'\n');
            let letters = shell.function_attributes(name).letters();
            if wanted.print && !letters.is_empty() {
                out.extend_from_slice(&[format!("declare -f{letters} ").as_bytes(), name, b"\n"].concat());
            }
        }
    }
    shell.print("declare", &out)?;
    Ok(status)
}

impl Shell {
    /// Returns the attributes of a function, as `declare -f` and similar commands show them.
    fn function_attributes(&self, name: &Vec<u8>) -> Attrs {
        let mut attrs = Attrs::default();
        attrs.set(Attrs::READONLY, self.definitions.readonly.contains(name));
        attrs.set(Attrs::TRACE, self.definitions.traced.contains(name));
        attrs.set(Attrs::EXPORT, self.definitions.exported.contains(name));
        attrs
    }
}

pub(super) fn print_named(shell: &mut Shell, command: &str, names: &[Vec<u8>]) -> Run {
    let mut status = 0;
    for name in names {
        let found = is_name(name).then(|| intern(name)).and_then(|name| {
            let is_ref = shell.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF));
            if is_ref { shell.vars.get(name).cloned() } else { shell.var(name) }
        });
        match found {
            Some(var) => {
                // Printed one at a time: errors for names that are not found appear between them.
                shell.print(command, &[&declaration(name, &var)[..], b"\n"].concat())?;
            }
            None => {
                shell.error(format!("{command}: {}: not found", text(name)));
                status = 1;
            }
        }
    }
    Ok(status)
}
