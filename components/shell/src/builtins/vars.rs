//! `unset`, `shift`, `let`.

use super::getopt::Options;
use super::text;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{intern, is_name};
use crate::vars::{Attrs, Indexed, Value};
use std::rc::Rc;

pub(super) fn unset(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let (mut functions, mut variables, mut refs) = (false, false, false);
    let mut options = Options::new(args, "fnv", "[-f] [-v] [-n] [name ...]");
    while let Some(letter) = options.next(shell)? {
        match letter {
            b'f' => functions = true,
            b'v' => variables = true,
            b'n' => refs = true,
            _ => return Ok(2),
        }
    }
    if functions && variables {
        shell.error("unset: cannot simultaneously unset a function and a variable");
        return Ok(1);
    }
    let mut status = 0;
    for arg in options.rest() {
        let function = functions || (!variables && !shell.vars.get(intern(arg)).is_some_and(|_| is_name(arg)));
        if function && shell.definitions.readonly.contains(arg) {
            shell.error(format!("unset: {}: cannot unset: readonly function", text(arg)));
            status = 1;
            continue;
        }
        if functions {
            Rc::make_mut(&mut shell.definitions.functions).remove(arg);
            continue;
        }
        if let Some(open) = arg.iter().position(|b| *b == b'[')
            && arg.ends_with(b"]")
            && is_name(&arg[..open])
        {
            match shell.unset_element(&arg[..open], &arg[open + 1..arg.len() - 1]) {
                Ok(()) => {}
                Err(Flow::Discard(_)) => status = 1,
                Err(flow) => return Err(flow),
            }
            continue;
        }
        if !is_name(arg) {
            if !variables && shell.definitions.functions.contains_key(arg) {
                Rc::make_mut(&mut shell.definitions.functions).remove(arg);
                continue;
            }
            if variables {
                shell.error(format!("unset: `{}': not a valid identifier", text(arg)));
                status = 1;
            }
            continue;
        }
        let mut name = intern(arg);
        if refs {
            if !shell.vars.get(name).is_some_and(|var| var.attrs.any(Attrs::NAMEREF.0 | Attrs::READONLY.0)) {
                continue;
            }
        } else {
            let target = shell.resolve(name);
            name = target.name;
            if let Some(index) = target.index {
                shell.unset_element(&name.name(), &index)?;
                continue;
            }
        }
        if name == crate::sym::POSIXLY_CORRECT {
            shell.opts.set_long("posix", false);
        }
        match shell.vars.get(name) {
            Some(var) if var.attrs.has(Attrs::READONLY) => {
                shell.error(format!("unset: {}: cannot unset: readonly variable", text(arg)));
                status = 1;
            }
            Some(_) if shell.opts.shopt("localvar_unset") => shell.vars.unset_local(name),
            Some(_) => shell.vars.unset(name),
            None if !variables && shell.definitions.functions.contains_key(arg) => {
                Rc::make_mut(&mut shell.definitions.functions).remove(arg);
            }
            None => {}
        }
    }
    Ok(status)
}

impl Shell {
    fn unset_element(&mut self, name: &[u8], index: &[u8]) -> Run<()> {
        let name = self.resolve(intern(name)).name;
        if self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::READONLY)) {
            self.error(format!("unset: {}: cannot unset: readonly variable", name.text()));
            return Err(Flow::Discard(1));
        }
        match self.vars.get(name).map(|var| &var.value) {
            Some(Value::Assoc(_)) => {
                let key = self.subscript_text(index)?;
                if key.is_empty() {
                    self.error(format!("unset: [{}]: bad array subscript", text(index)));
                    return Err(Flow::Discard(1));
                }
                if let Value::Assoc(array) = &mut self.vars.make(name).value {
                    array.remove(&key);
                }
            }
            Some(Value::Indexed(_)) => {
                if matches!(index, b"@" | b"*") {
                    self.vars.make(name).value = Value::Indexed(Indexed::default());
                    return Ok(());
                }
                let expanded = self.expand_text(index)?;
                let at = self.eval_expanded(&expanded, false)?;
                let var = self.vars.make(name);
                var.given();
                if let Value::Indexed(array) = &mut var.value {
                    let at = if at < 0 { at + array.end() } else { at };
                    if at < 0 {
                        self.error(format!("unset: [{}]: bad array subscript", text(index)));
                        return Err(Flow::Discard(1));
                    }
                    array.remove(at);
                }
            }
            Some(_) => {
                let at = self.eval_text(index)?;
                if at == 0 {
                    self.vars.unset(name);
                } else {
                    self.error(format!("unset: {}: not an array variable", name.text()));
                    return Err(Flow::Discard(1));
                }
            }
            None => {}
        }
        Ok(())
    }
}

pub(super) fn shift(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let count = match args.get(1) {
        None => 1,
        Some(arg) if args.len() > 2 && std::str::from_utf8(arg).is_ok_and(|text| text.parse::<i64>().is_ok()) => {
            return super::control::too_many(shell, "shift");
        }
        Some(arg) => match std::str::from_utf8(arg).ok().and_then(|text| text.parse::<i64>().ok()) {
            Some(count) if count >= 0 => count as usize,
            Some(_) => {
                shell.error(format!("shift: {}: shift count out of range", text(arg)));
                return Ok(1);
            }
            None => {
                shell.error(format!("shift: {}: numeric argument required", text(arg)));
                return Ok(1);
            }
        },
    };
    if count > shell.calls.params.len() {
        if shell.opts.shopt("shift_verbose") || shell.opts.long("posix") == Some(true) {
            let shown = args.get(1).map(|arg| format!("{}: ", text(arg))).unwrap_or_default();
            shell.error(format!("shift: {shown}shift count out of range"));
        }
        return Ok(1);
    }
    Rc::make_mut(&mut shell.calls.params).drain(..count);
    Ok(0)
}

pub(super) fn let_(shell: &mut Shell, args: &[Vec<u8>]) -> Run {
    let args = if args.get(1).is_some_and(|arg| arg == b"--") { &args[1..] } else { args };
    if args.len() < 2 {
        shell.error("let: expression expected");
        return Ok(1);
    }
    let mut value = 0;
    for arg in &args[1..] {
        value = match shell.for_name(&b"let"[..], |shell| shell.eval_text(arg)) {
            Ok(value) => value,
            Err(Flow::Discard(_)) => return Ok(1),
            Err(flow) => return Err(flow),
        };
    }
    Ok(i32::from(value == 0))
}
