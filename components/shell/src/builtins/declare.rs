//! `declare`, `local`, `export`, `readonly`.

use super::listing::{functions, list, print_named};
use super::text;
use crate::ast::{Assign, AssignValue};
use crate::exec::Declared;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{Sym, intern, is_name};
use crate::vars::{Attrs, Value};

/// What the options of a declaration ask for.
#[derive(Default)]
pub(super) struct Wanted {
    pub(super) on: Attrs,
    pub(super) off: Attrs,
    pub(super) array: bool,
    pub(super) assoc: bool,
    /// `+a` or `+A`, which no array obeys.
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
        // What is written as an array is assigned all the same: bash does that before it runs the builtin.
        for (_, assign, _) in assigns {
            if let AssignValue::Array(elements) = &assign.value {
                shell.assign_array(assign.name, elements, assign.append)?;
            }
        }
        return Ok(1);
    }
    if args[1..].iter().any(|arg| arg == b"-") {
        // The options come back with the function's end.
        let depth = shell.frames.len();
        if shell.kept_options.last().is_none_or(|(at, _)| *at != depth) {
            shell.kept_options.push((depth, shell.opts));
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

/// Whether a name reference may have this value: a name, or an element of an array.
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
    /// Resolve what contradicts itself.
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
        let known: &[u8] = match name.as_str() {
            "export" | "readonly" => b"aAfnp",
            _ => b"aAcfFgiIlnprtux",
        };
        for letter in &arg[1..] {
            let attr = match letter {
                letter if !known.contains(letter) => return bad_letter(shell, &name, [arg[0], *letter]),
                b'x' => Attrs::EXPORT,
                b'r' => Attrs::READONLY,
                b'i' => Attrs::INTEGER,
                b'u' => Attrs::UPPER,
                b'l' => Attrs::LOWER,
                b'c' => Attrs::CAPITALIZE,
                b'n' if !exporting => Attrs::NAMEREF,
                b'n' => {
                    wanted.off.set(wanted.on, true);
                    wanted.on = Attrs::default();
                    continue;
                }
                b't' => Attrs::TRACE,
                b'a' | b'A' => {
                    if !on {
                        wanted.destroys = true;
                    } else if *letter == b'a' {
                        wanted.array = true;
                    } else {
                        wanted.assoc = true;
                    }
                    continue;
                }
                b'f' => {
                    wanted.functions = true;
                    continue;
                }
                b'F' => {
                    wanted.functions = true;
                    wanted.names = true;
                    continue;
                }
                b'g' => {
                    wanted.global = true;
                    wanted.local = false;
                    continue;
                }
                b'p' => {
                    wanted.print = true;
                    continue;
                }
                b'I' => {
                    wanted.inherit = true;
                    continue;
                }
                _ => return bad_letter(shell, &name, [arg[0], *letter]),
            };
            if on { wanted.on.set(attr, true) } else { wanted.off.set(attr, true) }
        }
        at += 1;
    }
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
        let result = shell.for_name(name.clone().into_bytes(), |shell| one(shell, &name, arg, assign, &wanted));
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

fn one(shell: &mut Shell, command: &str, arg: &[u8], declared: Option<&Declared<'_>>, wanted: &Wanted) -> Run {
    let assign = declared.map(|(_, assign, _)| *assign);
    // A word that only became an assignment by expansion.
    let equals = if assign.is_some() { None } else { arg.iter().position(|b| *b == b'=') };
    let (mut head, append) = match (assign, equals) {
        (Some(assign), _) => (assign.name.name().to_vec(), assign.append),
        (None, Some(at)) if at > 0 && arg[at - 1] == b'+' => (arg[..at - 1].to_vec(), true),
        (None, Some(at)) => (arg[..at].to_vec(), false),
        (None, None) => (arg.to_vec(), false),
    };
    let mut index = None;
    let mut indexed = false;
    if assign.is_none()
        && let Some(open) = head.iter().position(|b| *b == b'[')
        && head.ends_with(b"]")
    {
        if !is_reference(&head) && head.len() > open + 2 && is_name(&head[..open]) {
            shell.error(format!("{command}: `{}': not a valid identifier", text(arg)));
            return Ok(1);
        }
        index = Some(head[open + 1..head.len() - 1].to_vec());
        head.truncate(open);
        indexed = true;
    }
    if matches!(command, "export" | "readonly") && (indexed || assign.is_some_and(|assign| assign.index.is_some())) {
        let whole = arg.split(|b| *b == b'=').next().unwrap_or(arg);
        shell.error(format!("{command}: `{}': not a valid identifier", text(whole.strip_suffix(b"+").unwrap_or(whole))));
        return Ok(1);
    }
    if !is_name(&head) {
        shell.error(format!("{command}: `{}': not a valid identifier", text(arg)));
        return Ok(1);
    }
    let mut name = intern(&head);
    let value = match declared {
        Some((_, _, value)) => value.clone(),
        None => equals.map(|at| arg[at + 1..].to_vec()),
    };
    let mut outer = None;
    if wanted.on.any(Attrs::EXPORT.0 | Attrs::READONLY.0) && (!wanted.local || !shell.vars.in_function()) {
        // What stood before the command stays.
        shell.vars.keep_temporary(name);
    }
    if wanted.local && !wanted.on.has(Attrs::NAMEREF) && !wanted.off.has(Attrs::NAMEREF) && shell.vars.is_local(name) {
        // A reference of this very function: what it refers to is declared.
        let target = shell.resolve(name);
        if target.index.is_none() {
            name = target.name;
        }
    }
    if wanted.local {
        if shell.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::READONLY)) && !shell.vars.is_hidden(name) {
            shell.error(format!("{command}: {}: readonly variable", name.text()));
            return Ok(1);
        }
        let inherits = wanted.inherit || shell.opts.shopt("localvar_inherit") || shell.vars.is_given_to_call(name);
        let is_local = shell.vars.is_local(name);
        let old = (inherits && !is_local).then(|| shell.vars.get(name).cloned()).flatten();
        if !is_local && let Some(Assign { value: AssignValue::Array(elements), .. }) = assign {
            // They may be the outer array's.
            let assoc = wanted.assoc || old.as_ref().is_some_and(|old| matches!(old.value, Value::Assoc(_)));
            outer = Some(shell.for_name(&b""[..], |shell| shell.expanded_elements(elements, assoc))?);
        }
        shell.vars.make_local(name);
        if name == crate::sym::OPTIND && !is_local {
            shell.kept_getopts.push((shell.frames.len(), shell.getopts));
        }
        if let Some(old) = old {
            shell.vars.put(name, old);
        }
    }
    let set = |shell: &mut Shell, name: Sym, index: Option<Vec<u8>>| -> Run {
        let attrs = shell.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        let has_value = value.is_some() || assign.is_some();
        let lists = assign.is_some_and(|assign| matches!(assign.value, AssignValue::Array(_)));
        let exports = matches!(command, "readonly" | "export");
        if attrs.has(Attrs::READONLY) && (has_value || wanted.off.has(Attrs::READONLY)) {
            shell.error(format!(
                "{}{}: readonly variable",
                if exports || lists { String::new() } else { format!("{command}: ") },
                name.text()
            ));
            return if lists { Err(Flow::Discard(1)) } else { Ok(1) };
        }
        if wanted.destroys && shell.vars.get(name).is_some_and(|var| var.value.is_array()) {
            shell.error(format!("{command}: {}: cannot destroy array variables in this way", name.text()));
            return Ok(1);
        }
        let cannot = |shell: &mut Shell, how: &str| -> Run {
            if assign.is_some_and(|assign| matches!(assign.value, AssignValue::Array(_))) {
                shell.error(format!("{}: cannot convert {how} array", name.text()));
                return Err(Flow::Discard(1));
            }
            shell.error(format!("{command}: {}: cannot convert {how} array", name.text()));
            Ok(1)
        };
        if command == "readonly" && !has_value {
            // `readonly -A x` converts nothing.
        } else if wanted.assoc {
            if let Some(Value::Indexed(_)) = shell.vars.get(name).map(|var| &var.value) {
                return cannot(shell, "indexed to associative");
            }
            shell.make_assoc(name);
        } else if wanted.array || (indexed && !has_value && !shell.vars.get(name).is_some_and(|var| var.value.is_array())) {
            if let Some(Value::Assoc(_)) = shell.vars.get(name).map(|var| &var.value) {
                return cannot(shell, "associative to indexed");
            }
            if has_value || shell.vars.get(name).is_some_and(|var| !matches!(var.value, Value::Unset)) {
                shell.make_indexed(name);
            } else {
                let var = shell.vars.make(name);
                var.value = Value::Indexed(crate::vars::Indexed::default());
                var.attrs.set(Attrs::BARE, true);
            }
        }
        let fresh = shell.vars.get(name).is_none();
        let var = shell.vars.make(name);
        let early = Attrs(wanted.on.0 & !(Attrs::READONLY.0));
        if early.has(Attrs::UPPER) {
            var.attrs.set(Attrs::LOWER, false);
        }
        if early.has(Attrs::LOWER) {
            var.attrs.set(Attrs::UPPER, false);
        }
        if early.has(Attrs::NAMEREF) && (var.value.is_array() || index.is_some()) {
            let element = index.as_ref().map_or_else(String::new, |index| format!("[{}]", text(index)));
            shell.error(format!("{command}: {}{element}: reference variable cannot be an array", name.text()));
            return Ok(1);
        }
        if early.has(Attrs::NAMEREF) {
            // The value is the name referred to, not assigned through it.
            let target = value.clone().or_else(|| var.value.text());
            if let Some(target) = target {
                if target.is_empty() {
                    shell.error(format!("{command}: `': not a valid identifier"));
                    return Ok(1);
                }
                if !is_reference(&target) {
                    shell.error(format!("{command}: `{}': invalid variable name for name reference", text(&target)));
                    return Ok(1);
                }
                if target == *name.name() && !wanted.local && value.is_some() {
                    if fresh {
                        shell.vars.unset(name);
                    }
                    shell.error(format!("{command}: {}: nameref variable self references not allowed", name.text()));
                    return Ok(1);
                }
                let target = if target == *name.name() && wanted.local {
                    // It refers to the global variable: there is no other way to that.
                    shell.error(format!("{command}: warning: {}: circular name reference", name.text()));
                    shell.error(format!("warning: {}: circular name reference", name.text()));
                    shell.vars.lend_global(name).name().to_vec()
                } else {
                    target
                };
                shell.vars.make(name).value = Value::Str(target);
            }
            let var = shell.vars.make(name);
            var.attrs.set(early, true);
            var.attrs.set(Attrs::READONLY, wanted.on.has(Attrs::READONLY));
            return Ok(0);
        }
        var.attrs.set(early, true);
        var.attrs.set(wanted.off, false);
        let as_list = wanted.array || wanted.assoc || !matches!(command, "export" | "readonly");
        // An array's value may be written as one text, parentheses included.
        let listed = value.as_ref().filter(|value| as_list && var.value.is_array() && value.starts_with(b"(") && value.ends_with(b")"));
        if let Some(value) = listed
            && index.is_none()
            && assign.is_none_or(|assign| assign.index.is_none())
        {
            let text = [&name.name()[..], if append { &b"+="[..] } else { b"=" }, value].concat();
            let line = shell.line;
            if let Ok(Some(assign)) = shell.parser(text, line).assignment() {
                shell.assign(&assign)?;
            }
        } else if let Some(assign) = assign {
            match (&assign.value, &assign.index) {
                (AssignValue::Array(elements), _) => {
                    let elements = outer.as_ref().unwrap_or(elements);
                    shell.for_name(&b""[..], |shell| shell.assign_array(name, elements, append))?;
                }

                (AssignValue::Misplaced, _) => shell.assign(assign)?,
                (AssignValue::Scalar(_), Some(index)) => shell.assign_element(name, index, value.clone().unwrap_or_default(), append)?,
                (AssignValue::Scalar(_), None) if index.is_some() => {
                    let index = index.as_ref().map_or(&b""[..], |index| index);
                    shell.set_element_text(name, index, value.clone().unwrap_or_default(), append)?;
                }
                (AssignValue::Scalar(_), None) => {
                    let value = value.clone().unwrap_or_default();
                    if append { shell.append(name, value)? } else { shell.set(name, value)? }
                }
            }
        } else if let Some(value) = value.clone() {
            match &index {
                Some(index) => shell.set_element_text(name, index, value, append)?,
                None if append => shell.append(name, value)?,
                None => shell.set(name, value)?,
            }
        }
        if wanted.on.has(Attrs::READONLY) {
            shell.vars.make(name).attrs.set(Attrs::READONLY, true);
        }
        Ok(0)
    };
    if wanted.off.has(Attrs::NAMEREF)
        && let Some(value) = &value
    {
        // What it refers to is assigned to, before it is no reference any more.
        if append {
            shell.append(name, value.clone())?
        } else {
            shell.set(name, value.clone())?
        }
        shell.vars.make(name).attrs.set(Attrs::NAMEREF, false);
        return Ok(0);
    }
    if wanted.on.has(Attrs::NAMEREF) || wanted.off.has(Attrs::NAMEREF) {
        return set(shell, name, index);
    }
    if !wanted.local {
        let target = shell.resolve(name);
        if let Some(index) = target.index.as_ref().filter(|_| matches!(command, "export" | "readonly")) {
            shell.error(format!("{command}: `{}[{}]': not a valid identifier", target.name.text(), text(index)));
            return Ok(i32::from(command == "readonly"));
        }
        name = target.name;
        index = index.or(target.index);
    }
    if wanted.global {
        // The shell is needed inside, so its variables are lent for the time.
        let mut vars = std::mem::take(&mut shell.vars);
        let result = vars.with_global(name, |vars| {
            std::mem::swap(&mut shell.vars, vars);
            let result = set(shell, name, index.clone());
            std::mem::swap(&mut shell.vars, vars);
            result
        });
        shell.vars = vars;
        shell.vars.ifs_changed = true;
        return result;
    }
    set(shell, name, index)
}
