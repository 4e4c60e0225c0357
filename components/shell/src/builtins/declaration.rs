//! One word of a declaration: `name`, `name=value`, `name[index]=value`, `name=( … )`.

use super::declare::{Wanted, is_reference};
use super::text;
use crate::ast::{Assign, AssignValue, Element};
use crate::exec::Declared;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{intern, is_name};
use crate::vars::{Attrs, Indexed, Value};

/// Declares what the word `arg` of `command` names. `declared` is its assignment if it was written as one.
pub(super) fn declare(shell: &mut Shell, command: &str, arg: &[u8], declared: Option<&Declared<'_>>, wanted: &Wanted) -> Run {
    let Some(mut declaration) = Declaration::parse(shell, command, arg, declared, wanted) else { return Ok(1) };
    declaration.perform(shell)
}

struct Declaration<'a> {
    command: &'a str,
    wanted: &'a Wanted,
    /// The word as an assignment, if it was written as one.
    assign: Option<&'a Assign>,
    name: crate::sym::Sym,
    /// The subscript of a word that became an assignment only by expansion, or of the reference that `name` was.
    index: Option<Vec<u8>>,
    /// Whether the word itself has that subscript.
    indexed: bool,
    append: bool,
    /// The value, if it is one text.
    value: Option<Vec<u8>>,
    /// The elements of an array, expanded before the local variable of its name existed.
    outer: Option<Vec<Element>>,
}

impl<'a> Declaration<'a> {
    /// Takes the word apart. `None` if it is invalid; that has been reported.
    fn parse(shell: &mut Shell, command: &'a str, arg: &[u8], declared: Option<&'a Declared<'_>>, wanted: &'a Wanted) -> Option<Self> {
        let assign = declared.map(|(_, assign, _)| *assign);
        // A word that became an assignment only by expansion.
        let equals = if assign.is_some() { None } else { arg.iter().position(|b| *b == b'=') };
        let (mut head, append) = match (assign, equals) {
            (Some(assign), _) => (assign.name.name().to_vec(), assign.append),
            (None, Some(at)) if at > 0 && arg[at - 1] == b'+' => (arg[..at - 1].to_vec(), true),
            (None, Some(at)) => (arg[..at].to_vec(), false),
            (None, None) => (arg.to_vec(), false),
        };
        let mut invalid = |what: &[u8]| {
            shell.error(format!("{command}: `{}': not a valid identifier", text(what)));
            None
        };
        let mut index = None;
        if assign.is_none()
            && let Some(open) = head.iter().position(|b| *b == b'[')
            && head.ends_with(b"]")
        {
            if !is_reference(&head) && head.len() > open + 2 && is_name(&head[..open]) {
                return invalid(arg);
            }
            index = Some(head[open + 1..head.len() - 1].to_vec());
            head.truncate(open);
        }
        let indexed = index.is_some();
        if matches!(command, "export" | "readonly") && (indexed || assign.is_some_and(|assign| assign.index.is_some())) {
            let whole = arg.split(|b| *b == b'=').next().unwrap_or(arg);
            return invalid(whole.strip_suffix(b"+").unwrap_or(whole));
        }
        if !is_name(&head) {
            return invalid(arg);
        }
        let value = match declared {
            Some((_, _, value)) => value.clone(),
            None => equals.map(|at| arg[at + 1..].to_vec()),
        };
        Some(Declaration { command, wanted, assign, name: intern(&head), index, indexed, append, value, outer: None })
    }

    fn perform(&mut self, shell: &mut Shell) -> Run {
        let wanted = self.wanted;
        if wanted.on.any(Attrs::EXPORT.0 | Attrs::READONLY.0) && (!wanted.local || !shell.vars.in_function()) {
            // An assignment before the command stays.
            shell.vars.keep_temporary(self.name);
        }
        let references = wanted.on.has(Attrs::NAMEREF) || wanted.off.has(Attrs::NAMEREF);
        if wanted.local && !references && shell.vars.is_local(self.name) {
            // A reference of this very function: its target is declared.
            let target = shell.resolve(self.name);
            if target.index.is_none() {
                self.name = target.name;
            }
        }
        if wanted.local && !self.make_local(shell)? {
            return Ok(1);
        }
        if wanted.off.has(Attrs::NAMEREF)
            && let Some(value) = self.value.clone()
        {
            // Its target is assigned before it stops being a reference.
            if self.append {
                shell.append(self.name, value)?;
            } else {
                shell.set(self.name, value)?;
            }
            shell.vars.make(self.name).attrs.set(Attrs::NAMEREF, false);
            return Ok(0);
        }
        if references {
            return self.set(shell);
        }
        if !wanted.local {
            let target = shell.resolve(self.name);
            if let Some(index) = target.index.as_ref().filter(|_| self.exports()) {
                shell.error(format!("{}: `{}[{}]': not a valid identifier", self.command, target.name.text(), text(index)));
                return Ok(i32::from(self.command == "readonly"));
            }
            self.name = target.name;
            self.index = self.index.take().or(target.index);
        }
        if wanted.global {
            // The code inside needs the shell, so the shell's variables are moved out temporarily.
            let mut vars = std::mem::take(&mut shell.vars);
            let result = vars.with_global(self.name, |vars| {
                std::mem::swap(&mut shell.vars, vars);
                let result = self.set(shell);
                std::mem::swap(&mut shell.vars, vars);
                result
            });
            shell.vars = vars;
            shell.vars.ifs_changed = true;
            return result;
        }
        self.set(shell)
    }

    /// Returns whether the command is `export` or `readonly`.
    fn exports(&self) -> bool {
        matches!(self.command, "export" | "readonly")
    }

    /// Returns the elements of `name=( … )`.
    fn elements(&self) -> Option<&'a [Element]> {
        match self.assign {
            Some(Assign { value: AssignValue::Array(elements), .. }) => Some(elements),
            _ => None,
        }
    }

    /// Makes the variable a local one. Returns false if that was refused and reported.
    fn make_local(&mut self, shell: &mut Shell) -> Run<bool> {
        let name = self.name;
        if shell.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::READONLY)) && !shell.vars.is_hidden(name) {
            shell.error(format!("{}: {}: readonly variable", self.command, name.text()));
            return Ok(false);
        }
        let given = shell.vars.is_given_to_call(name);
        let whole = self.wanted.inherit || shell.opts.shopt("localvar_inherit") || given;
        let inherits = whole || shell.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::TEMPORARY));
        let is_local = shell.vars.is_local(name);
        let old = (inherits && !is_local).then(|| shell.vars.get(name).cloned()).flatten();
        if !is_local && let Some(elements) = self.elements() {
            // The elements may come from the outer array.
            let assoc = self.wanted.assoc || old.as_ref().is_some_and(|old| matches!(old.value, Value::Assoc(_)));
            self.outer = Some(shell.for_name(&b""[..], |shell| shell.expanded_elements(elements, assoc, !self.wanted.assoc))?);
        }
        shell.vars.make_local(name);
        if name == crate::sym::OPTIND && !is_local {
            shell.calls.kept_getopts.push((shell.calls.frames.len(), shell.builtins.getopts));
        }
        if let Some(mut old) = old {
            // The local is the variable that the call was given, or a copy of it or of its value.
            old.attrs.set(Attrs::TEMPORARY, given);
            old.attrs = if whole { old.attrs } else { shell.vars.make(name).attrs };
            shell.vars.put(name, old);
        }
        Ok(true)
    }

    /// Gives the variable its attributes and its value.
    fn set(&self, shell: &mut Shell) -> Run {
        let (name, wanted) = (self.name, self.wanted);
        let attrs = shell.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        let has_value = self.value.is_some() || self.assign.is_some();
        let lists = self.elements().is_some();
        if attrs.has(Attrs::READONLY) && (has_value || wanted.off.has(Attrs::READONLY)) {
            let prefix = if self.exports() || lists { String::new() } else { format!("{}: ", self.command) };
            shell.error(format!("{prefix}{}: readonly variable", name.text()));
            return if lists { Err(Flow::Discard(1)) } else { Ok(1) };
        }
        if wanted.destroys && shell.vars.get(name).is_some_and(|var| var.value.is_array()) {
            shell.error(format!("{}: {}: cannot destroy array variables in this way", self.command, name.text()));
            return Ok(1);
        }
        if !self.make_array(shell, has_value)? {
            return Ok(1);
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
        if early.has(Attrs::NAMEREF) {
            return self.set_reference(shell, early, fresh);
        }
        var.attrs.set(early, true);
        var.attrs.set(wanted.off, false);
        self.set_value(shell)?;
        if wanted.on.has(Attrs::READONLY) {
            shell.vars.make(name).attrs.set(Attrs::READONLY, true);
        }
        Ok(0)
    }

    /// Makes the variable an array, if it becomes one. Returns false if that was refused and reported.
    fn make_array(&self, shell: &mut Shell, has_value: bool) -> Run<bool> {
        let (name, wanted) = (self.name, self.wanted);
        let cannot = |shell: &mut Shell, how: &str| {
            if self.elements().is_some() {
                shell.error(format!("{}: cannot convert {how} array", name.text()));
                return Err(Flow::Discard(1));
            }
            shell.error(format!("{}: {}: cannot convert {how} array", self.command, name.text()));
            Ok(false)
        };
        if self.command == "readonly" && !has_value {
            // `readonly -A x` converts nothing.
        } else if wanted.assoc {
            if let Some(Value::Indexed(_)) = shell.vars.get(name).map(|var| &var.value) {
                return cannot(shell, "indexed to associative");
            }
            shell.make_assoc(name);
        } else if wanted.array || (self.indexed && !has_value && !shell.vars.get(name).is_some_and(|var| var.value.is_array())) {
            if let Some(Value::Assoc(_)) = shell.vars.get(name).map(|var| &var.value) {
                return cannot(shell, "associative to indexed");
            }
            if has_value || shell.vars.get(name).is_some_and(|var| !matches!(var.value, Value::Unset)) {
                shell.make_indexed(name);
            } else {
                let var = shell.vars.make(name);
                var.value = Value::Indexed(Indexed::default());
                var.attrs.set(Attrs::BARE, true);
            }
        }
        Ok(true)
    }

    /// Makes the variable a name reference with attributes `early`; `fresh` if it did not exist.
    fn set_reference(&self, shell: &mut Shell, early: Attrs, fresh: bool) -> Run {
        let (name, wanted, command) = (self.name, self.wanted, self.command);
        let var = shell.vars.make(name);
        if var.value.is_array() || self.index.is_some() {
            let element = self.index.as_ref().map_or_else(String::new, |index| format!("[{}]", text(index)));
            shell.error(format!("{command}: {}{element}: reference variable cannot be an array", name.text()));
            return Ok(1);
        }
        // For a nameref the value is the target's name; nothing is assigned through it.
        if let Some(target) = self.value.clone().or_else(|| var.value.text()) {
            if target.is_empty() {
                shell.error(format!("{command}: `': not a valid identifier"));
                return Ok(1);
            }
            if !is_reference(&target) {
                shell.error(format!("{command}: `{}': invalid variable name for name reference", text(&target)));
                return Ok(1);
            }
            if target == *name.name() && !wanted.local && self.value.is_some() {
                if fresh {
                    shell.vars.unset(name);
                }
                shell.error(format!("{command}: {}: nameref variable self references not allowed", name.text()));
                return Ok(1);
            }
            let target = if target == *name.name() && wanted.local {
                // It refers to the global variable, which cannot be reached in any other way.
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
        Ok(0)
    }

    /// Assigns the value, if there is one.
    fn set_value(&self, shell: &mut Shell) -> Run<()> {
        let (name, wanted, append) = (self.name, self.wanted, self.append);
        let is_array = shell.vars.make(name).value.is_array();
        let as_list = wanted.array || wanted.assoc || !self.exports();
        // An array's value may be written as one text that includes the parentheses.
        let listed = self.value.as_ref().filter(|value| as_list && is_array && value.starts_with(b"(") && value.ends_with(b")"));
        if let Some(value) = listed
            && self.index.is_none()
            && self.assign.is_none_or(|assign| assign.index.is_none())
        {
            let text = [&name.name()[..], if append { &b"+="[..] } else { b"=" }, value].concat();
            let line = shell.position.line;
            if let Ok(Some(assign)) = shell.parser(text, line).assignment() {
                shell.assign(&assign)?;
            }
            return Ok(());
        }
        if let Some(assign) = self.assign {
            let value = || self.value.clone().unwrap_or_default();
            return match (&assign.value, &assign.index, &self.index) {
                (AssignValue::Array(elements), _, _) => {
                    // Those of an associative array are all expanded before; without `declare`, one by one.
                    let assoc = matches!(shell.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_)));
                    let before = if assoc && self.outer.is_none() {
                        Some(shell.for_name(&b""[..], |shell| shell.expanded_elements(elements, true, !wanted.assoc))?)
                    } else {
                        None
                    };
                    let elements = self.outer.as_ref().or(before.as_ref()).unwrap_or(elements);
                    shell.for_name(&b""[..], |shell| shell.assign_array(name, elements, append))
                }
                (AssignValue::Misplaced, _, _) => shell.assign(assign),
                (AssignValue::Scalar(_), Some(index), _) => shell.assign_element(name, index, value(), append),
                (AssignValue::Scalar(_), None, Some(index)) => shell.set_element_text(name, index, value(), append),
                (AssignValue::Scalar(_), None, None) if append => shell.append(name, value()),
                (AssignValue::Scalar(_), None, None) => shell.set(name, value()),
            };
        }
        let Some(value) = self.value.clone() else { return Ok(()) };
        match &self.index {
            Some(index) => shell.set_element_text(name, index, value, append),
            None if append => shell.append(name, value),
            None => shell.set(name, value),
        }
    }
}
