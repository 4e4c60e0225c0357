//! Simple commands: expand, look up, run.

use crate::ast::{Arg, Assign, AssignValue, Command, Element, Index, Simple};
use crate::builtins::{self, Builtin};
use crate::shell::{Flow, Run, Shell};
use crate::sym::{self, Sym};
use crate::vars::{Assoc, Attrs, Indexed, Value, Var};
use std::rc::Rc;

/// The words of a command after expansion, and which of them are assignments for a declaration builtin.
#[derive(Default)]
pub(crate) struct Words<'a> {
    pub list: Vec<Vec<u8>>,
    pub declared: Vec<Declared<'a>>,
}

/// An assignment among the words: its place, itself, and its value when that is one text. Values are expanded before
/// any of them is assigned.
pub(crate) type Declared<'a> = (usize, &'a Assign, Option<Vec<u8>>);

/// What a command's name stands for.
pub(crate) enum Found {
    Function(Rc<crate::ast::Function>),
    Builtin(Builtin),
    Program,
}

impl Shell {
    pub(crate) fn exec_simple(&mut self, command: &Command, simple: &Simple) -> Run {
        self.line = command.line;
        if !self.traps.is_empty() && self.in_trap.is_empty() {
            self.command_text = Rc::new(crate::print::command_text(command));
        }
        if !self.debug(command.line, || crate::print::command_text(command))? {
            return Ok(0);
        }
        self.substituted = None;
        if self.vars.locale_changed {
            self.settle_locale();
        }
        if self.opts.has(b'k')
            && let Some(moved) = self.keyword_assigns(simple)
        {
            let words = self.expand_simple(&moved)?;
            return if words.list.is_empty() { self.only_assigns(command, &moved) } else { self.run_words(command, &moved, words) };
        }
        let words = self.expand_simple(simple)?;
        if words.list.is_empty() {
            return self.only_assigns(command, simple);
        }
        self.run_words(command, simple, words)
    }

    /// Whether characters are bytes: in the locales `C` and `POSIX`, but not where none is named.
    fn settle_locale(&mut self) {
        self.vars.locale_changed = false;
        let named = [sym::LC_ALL, sym::LC_CTYPE, sym::LANG].into_iter().find_map(|name| self.get(name).filter(|text| !text.is_empty()));
        crate::pattern::characters_are_bytes(named.is_some_and(|name| name == b"C" || name == b"POSIX"));
    }

    /// Under `set -k` every word that is an assignment counts as one before the command.
    fn keyword_assigns(&mut self, simple: &Simple) -> Option<Simple> {
        let mut moved = Simple { assigns: simple.assigns.clone(), words: Vec::new() };
        for arg in &simple.words {
            if let Arg::Word(word) = arg
                && let Ok(Some(assign)) = self.parser(word.raw.to_vec(), self.line).assignment()
            {
                moved.assigns.push(assign);
            } else {
                moved.words.push(arg.clone());
            }
        }
        (moved.words.len() < simple.words.len()).then_some(moved)
    }

    /// Expand the words of a simple command.
    pub(crate) fn expand_simple<'a>(&mut self, simple: &'a Simple) -> Run<Words<'a>> {
        let mut words = Words { list: Vec::with_capacity(simple.words.len()), declared: Vec::new() };
        for arg in &simple.words {
            match arg {
                Arg::Word(word) => self.expand_into(word, &mut words.list)?,
                Arg::Assign(assign, raw) => {
                    let value = match &assign.value {
                        AssignValue::Scalar(word) => Some(self.expand_single(word)?),
                        AssignValue::Array(_) | AssignValue::Misplaced => None,
                    };
                    words.declared.push((words.list.len(), assign, value));
                    words.list.push(raw.raw.to_vec());
                }
            }
        }
        Ok(words)
    }

    /// A command that is nothing but assignments and redirections.
    fn only_assigns(&mut self, command: &Command, simple: &Simple) -> Run {
        for assign in &simple.assigns {
            if self.opts.has(b'x') {
                self.traced_assign(assign)?;
            } else {
                self.assign(assign)?;
            }
        }
        self.set_underscore(Vec::new());
        let mut status = self.substituted.take().unwrap_or(0);
        if !command.redirects.is_empty() {
            let saved = self.fds.clone();
            let kept = self.kept_fds.len();
            let done = self.redirect_all(&command.redirects);
            self.restore_fds(saved, kept);
            if !done? {
                status = 1;
            }
        }
        self.status = status;
        Ok(status)
    }

    /// An assignment under `set -x`: an array is shown as written before its values are computed.
    fn traced_assign(&mut self, assign: &Assign) -> Run<()> {
        let mut shown = assign.name.name().to_vec();
        if let Some(index) = &assign.index {
            shown.extend_from_slice(&[b"[", &index.word.raw[..], b"]"].concat());
        }
        shown.extend_from_slice(if assign.append { b"+=" } else { b"=" });
        if let AssignValue::Array(elements) = &assign.value {
            let list: Vec<Vec<u8>> = elements
                .iter()
                .map(|element| match &element.index {
                    Some(index) => {
                        let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
                        [b"[", &index.word.raw[..], equals, &element.value.raw].concat()
                    }
                    None => element.value.raw.to_vec(),
                })
                .collect();
            self.trace(&[&shown[..], b"(", &list.join(&b' '), b")"].concat())?;
            return self.assign(assign);
        }
        let AssignValue::Scalar(word) = &assign.value else { return self.assign(assign) };
        let value = self.expand_single(word)?;
        if !value.is_empty() {
            shown.extend_from_slice(&crate::quote::traced(&value));
        }
        self.trace(&shown)?;
        match &assign.index {
            Some(index) => self.assign_element(assign.name, index, value, assign.append),
            None if assign.append => self.append(assign.name, value),
            None => self.set(assign.name, value),
        }
    }

    /// A command's words under `set -x`; arrays given to a declaration are shown before it.
    fn trace_words(&mut self, words: &Words<'_>) -> Run<()> {
        let mut list: Vec<Vec<u8>> = words.list.iter().map(|word| crate::quote::traced(word)).collect();
        let mut behind = Vec::new();
        for (at, assign, value) in &words.declared {
            let name = assign.name.name();
            let equals: &[u8] = if assign.append { b"+=" } else { b"=" };
            match (&assign.value, value) {
                (AssignValue::Array(elements), _) => {
                    let mut values = Vec::new();
                    for element in elements {
                        self.expand_into(&element.value, &mut values)?;
                    }
                    let values: Vec<Vec<u8>> = values.iter().map(|value| crate::quote::plain_single(value)).collect();
                    self.trace(&[&name[..], equals, b"(", &values.join(&b' ')[..], b")"].concat())?;
                    list[*at] = name.to_vec();
                }
                (_, Some(value)) => {
                    let value = if value.is_empty() { Vec::new() } else { crate::quote::traced(value) };
                    list[*at] = [&name[..], equals, &value].concat();
                    if matches!(&words.list[0][..], b"export" | b"readonly") {
                        behind.push(list[*at].clone());
                    }
                }
                _ => {}
            }
        }
        self.trace(&list.join(&b' '))?;
        behind.iter().try_for_each(|line| self.trace(line))
    }

    /// Look up what a name runs.
    pub(crate) fn find_command(&self, name: &[u8]) -> Found {
        if let Some(function) = self.functions.get(name) {
            return Found::Function(function.clone());
        }
        match builtins::find(name) {
            Some(builtin) if self.disabled.is_empty() || !self.disabled.iter().any(|off| off == name) => Found::Builtin(builtin),
            _ => Found::Program,
        }
    }

    /// Run a command whose words have been expanded.
    pub(crate) fn run_words(&mut self, command: &Command, simple: &Simple, words: Words<'_>) -> Run {
        if self.opts.has(b'x') {
            let mut shown: Vec<Vec<u8>> = Vec::new();
            for assign in &simple.assigns {
                if let AssignValue::Scalar(word) = &assign.value {
                    let value = self.expand_single(word)?;
                    shown.push([&assign.name.name(), &b"="[..], &crate::quote::traced(&value)].concat());
                }
            }
            for text in shown {
                self.trace(&text)?;
            }
            self.trace_words(&words)?;
        }
        let found = self.find_command(&words.list[0]);
        let last = match words.declared.last() {
            Some((at, assign, _)) if at + 1 == words.list.len() => assign.name.name().to_vec(),
            _ => words.list.last().cloned().unwrap_or_default(),
        };
        let result = if simple.assigns.is_empty() && command.redirects.is_empty() {
            self.run_found(found, words)
        } else {
            self.run_prepared(command, simple, found, words)
        };
        self.set_underscore(last);
        if let Ok(status) = result {
            self.status = status;
        }
        result
    }

    fn set_underscore(&mut self, text: Vec<u8>) {
        thread_local!(static NAME: Sym = sym::underscore());
        let name = NAME.with(|name| *name);
        let var = self.vars.make(name);
        if !var.attrs.has(Attrs::READONLY) {
            *var = Var { value: Value::Str(text), attrs: Attrs::default() };
        }
    }

    /// Run with assignments and redirections that last as long as the command.
    fn run_prepared(&mut self, command: &Command, simple: &Simple, found: Found, words: Words<'_>) -> Run {
        let is_exec = matches!(&found, Found::Builtin(_)) && words.list[0] == b"exec";
        let saved = self.fds.clone();
        let kept = self.kept_fds.len();
        let special = matches!(&found, Found::Builtin(_)) && self.opts.long("posix") == Some(true) && builtins::is_special(&words.list[0]);
        let scoped = !simple.assigns.is_empty() && !special;
        if scoped {
            self.vars.push_scope(false);
        }
        let result = self.run_with(command, simple, found, words, scoped);
        if scoped {
            self.vars.pop_scope();
        }
        if !is_exec || !matches!(result, Ok(0)) {
            self.restore_fds(saved, kept);
        }
        result
    }

    fn run_with(&mut self, command: &Command, simple: &Simple, found: Found, words: Words<'_>, scoped: bool) -> Run {
        match self.redirect_all(&command.redirects) {
            Ok(true) => {}
            Ok(false) => return Ok(1),
            // bash expands the redirections of a program in its process: only that one ends.
            Err(Flow::Exit(_)) if matches!(found, Found::Program) => return Ok(1),
            Err(flow) => return Err(flow),
        }
        let hashed = simple.assigns.iter().any(|assign| assign.name == sym::PATH).then(|| self.hash.clone());
        for assign in &simple.assigns {
            match if scoped { self.assign_before(assign) } else { self.assign(assign) } {
                // bash reports it and runs the command without the assignment.
                Err(Flow::Discard(_)) => {}
                other => other?,
            }
        }
        let result = self.run_found(found, words);
        if let Some(hashed) = hashed {
            // What was found on a `PATH` for this command alone is not remembered.
            self.hash = hashed;
            self.vars.path_changed = false;
        }
        result
    }

    /// An assignment before a command: a variable of its own, exported, without the attributes of the one it hides.
    fn assign_before(&mut self, assign: &Assign) -> Run<()> {
        let name = self.resolve(assign.name).name;
        self.vars.shadow(name);
        if assign.index.is_some() {
            self.assign(assign)?;
        } else {
            let mut text = match &assign.value {
                AssignValue::Scalar(word) => self.expand_single(word)?,
                AssignValue::Array(elements) => {
                    let list: Vec<&[u8]> = elements.iter().map(|element| &element.value.raw[..]).collect();
                    [b"(", &list.join(&b' ')[..], b")"].concat()
                }
                AssignValue::Misplaced => Vec::new(),
            };
            self.writable(name)?;
            if assign.append {
                text.splice(0..0, self.get(name).unwrap_or_default());
            }
            if self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::DYNAMIC)) {
                return self.set(name, text);
            }
            self.vars.put(name, Var { value: Value::Str(text), attrs: Attrs::EXPORT });
            self.assigned(name);
        }
        self.vars.make(name).attrs.set(Attrs::EXPORT, true);
        Ok(())
    }

    fn run_found(&mut self, found: Found, words: Words<'_>) -> Run {
        match found {
            Found::Function(function) => self.call(&function, words.list),
            Found::Builtin(builtin) => self.run_builtin(builtin, words),
            Found::Program => self.run_program(words.list),
        }
    }

    pub(crate) fn run_builtin(&mut self, builtin: Builtin, words: Words<'_>) -> Run {
        match builtin {
            Builtin::Plain(run) => run(self, &words.list),
            Builtin::Declare(run) => run(self, &words.list, &words.declared),
        }
    }

    /// Print a line of `set -x`.
    pub(crate) fn trace(&mut self, text: &[u8]) -> Run<()> {
        let ps4 = self.get(sym::PS4).unwrap_or_default();
        self.opts.set_letter(b'x', false);
        let prefix = self.expand_text(&ps4);
        self.opts.set_letter(b'x', true);
        let mut prefix = prefix?;
        if let Some(first) = prefix.first().copied() {
            prefix.splice(0..0, std::iter::repeat_n(first, self.trace_level));
        }
        prefix.extend_from_slice(text);
        prefix.push(b'\n');
        let number = self.get(sym::BASH_XTRACEFD).and_then(|text| crate::vars::parse_int(&text)).and_then(|n| u32::try_from(n).ok());
        match number.and_then(|number| self.fd(number)) {
            // Nobody can be told that a trace is lost.
            Some(fd) => drop(fd.write(&prefix)),
            None => self.warn_raw(&prefix),
        }
        Ok(())
    }

    /// Expand text as inside double quotes.
    pub(crate) fn expand_text(&mut self, text: &[u8]) -> Run<Vec<u8>> {
        if !text.iter().any(|b| matches!(b, b'$' | b'`' | b'\\')) {
            return Ok(text.to_vec());
        }
        match self.parser(text.to_vec(), self.line).parts(crate::lexer::Mode::HereDoc) {
            Ok(parts) => self.expand_quoted(&parts),
            Err(_) => Ok(text.to_vec()),
        }
    }

    /// Perform an assignment.
    pub(crate) fn assign(&mut self, assign: &Assign) -> Run<()> {
        match (&assign.value, &assign.index) {
            (AssignValue::Scalar(word), None) => {
                let value = self.expand_single(word)?;
                if assign.append { self.append(assign.name, value) } else { self.set(assign.name, value) }
            }
            (AssignValue::Scalar(word), Some(index)) => {
                let value = self.expand_single(word)?;
                self.assign_element(assign.name, index, value, assign.append)
            }
            (AssignValue::Array(elements), _) => self.assign_array(assign.name, elements, assign.append),
            (AssignValue::Misplaced, index) => {
                let index = index.as_ref().map_or_else(String::new, |index| String::from_utf8_lossy(&index.word.raw).into_owned());
                self.error(format!("{}[{index}]: cannot assign list to array member", assign.name.text()));
                Err(Flow::Discard(1))
            }
        }
    }

    /// `name[index]=value`
    pub(crate) fn assign_element(&mut self, name: Sym, index: &Rc<Index>, value: Vec<u8>, append: bool) -> Run<()> {
        if index.word.raw.is_empty() {
            self.error(format!("{}[]: bad array subscript", name.text()));
            return Err(Flow::Discard(1));
        }
        let name = self.resolve(name).name;
        if matches!(self.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_))) {
            let key = self.key(index)?;
            if key.is_empty() {
                self.error(format!("{}[{}]: bad array subscript", name.text(), String::from_utf8_lossy(&index.word.raw)));
                return Err(Flow::Discard(1));
            }
            return self.set_key(name, key, value, append);
        }
        let at = self.arith(&index.arith)?;
        let raw = index.word.raw.to_vec();
        self.set_index(name, at, &raw, value, append)
    }

    /// `name=( … )`
    pub(crate) fn assign_array(&mut self, name: Sym, elements: &[Element], append: bool) -> Run<()> {
        let target = self.resolve(name);
        if let Some(index) = target.index {
            self.error(format!("`{}[{}]': not a valid identifier", target.name.text(), String::from_utf8_lossy(&index)));
            return Err(Flow::Discard(1));
        }
        let name = target.name;
        self.writable(name)?;
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if matches!(self.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_))) {
            return self.assign_assoc(name, elements, append, attrs);
        }
        if attrs.has(Attrs::DYNAMIC) {
            for element in elements {
                self.expand_into(&element.value, &mut Vec::new())?;
            }
            return Ok(());
        }
        // All is expanded before the array changes: the elements may be the old array's.
        type Placed = (Option<(i64, bool)>, Vec<u8>);
        let mut values: Vec<Placed> = Vec::with_capacity(elements.len());
        let mut list = Vec::new();
        for element in elements {
            match &element.index {
                Some(index) => {
                    let at = self.arith(&index.arith)?;
                    if at < 0 && !append {
                        self.error(format!(
                            "[{}]={}: bad array subscript",
                            String::from_utf8_lossy(&index.word.raw),
                            String::from_utf8_lossy(&element.value.raw)
                        ));
                        continue;
                    }
                    let value = self.expand_single(&element.value)?;
                    values.push((Some((at, element.append)), self.convert(attrs, value)?));
                }
                None => {
                    self.expand_into(&element.value, &mut list)?;
                    for value in list.drain(..) {
                        values.push((None, self.convert(attrs, value)?));
                    }
                }
            }
        }
        if append {
            self.make_indexed(name);
        } else {
            self.vars.make(name).value = Value::Indexed(Indexed::default());
        }
        self.vars.make(name).given();
        if let Value::Indexed(array) = &mut self.vars.make(name).value {
            let mut next = array.end();
            for (index, value) in values {
                let Some((at, append)) = index else {
                    array.set(next, value);
                    next += 1;
                    continue;
                };
                let at = if at < 0 { at + array.end() } else { at };
                if at >= 0 {
                    let value = if append { [array.get(at).unwrap_or_default(), &value].concat() } else { value };
                    array.set(at, value);
                    next = at + 1;
                }
            }
        }
        Ok(())
    }

    fn assign_assoc(&mut self, name: Sym, elements: &[Element], append: bool, attrs: Attrs) -> Run<()> {
        let mut array = Assoc::default();
        if append && let Some(Value::Assoc(old)) = self.vars.get(name).map(|var| &var.value) {
            array = old.clone();
        }
        let mut pending: Option<Vec<u8>> = None;
        for element in elements {
            match &element.index {
                Some(index) => {
                    let key = self.key(index)?;
                    if key.is_empty() {
                        self.error(format!(
                            "[{}]={}: bad array subscript",
                            String::from_utf8_lossy(&index.word.raw),
                            String::from_utf8_lossy(&element.value.raw)
                        ));
                        continue;
                    }
                    let mut value = self.expand_single(&element.value)?;
                    if element.append {
                        value = [array.get(&key).unwrap_or_default(), &value].concat();
                    }
                    array.set(key, self.convert(attrs, value)?);
                }
                // `( key value … )`
                None => {
                    let text = self.expand_single(&element.value)?;
                    match pending.take() {
                        None => pending = Some(text),
                        Some(key) => array.set(key, self.convert(attrs, text)?),
                    }
                }
            }
        }
        if let Some(key) = pending {
            array.set(key, Vec::new());
        }
        let var = self.vars.make(name);
        var.given();
        var.value = Value::Assoc(array);
        Ok(())
    }
}
