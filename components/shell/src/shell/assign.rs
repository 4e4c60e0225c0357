//! Writing variables: attributes applied, read-only ones refused.

use super::{Flow, Run, Shell};
use crate::sym::{self, Sym, intern, is_name};
use crate::vars::{Assoc, Attrs, Indexed, Value};

impl Shell {
    /// Performs `name=value`.
    pub fn set(&mut self, name: Sym, value: Vec<u8>) -> Run<()> {
        match self.vars.get(name) {
            Some(var) if var.attrs != Attrs::default() && var.attrs != Attrs::EXPORT => return self.set_slow(name, value),
            Some(var) if var.value.is_array() => return self.set_slow(name, value),
            _ => {}
        }
        self.vars.make(name).value = Value::Str(value);
        self.assigned(name);
        Ok(())
    }

    /// Performs `name=number`, kept as a number.
    pub fn set_int(&mut self, name: Sym, value: i64) -> Run<()> {
        match self.vars.get(name) {
            Some(var) if var.attrs.0 & !(Attrs::EXPORT.0 | Attrs::INTEGER.0) != 0 || var.value.is_array() => {
                return self.set_slow(name, crate::vars::format_int(value));
            }
            _ => {}
        }
        self.vars.make(name).value = Value::Int(value);
        self.assigned(name);
        Ok(())
    }

    #[inline]
    pub(crate) fn assigned(&mut self, name: Sym) {
        if self.opts.has(b'a') {
            self.vars.make(name).attrs.set(Attrs::EXPORT, true);
        }
        if name == sym::HISTSIZE {
            self.stifle();
        } else if name == sym::HISTFILESIZE {
            self.cut_history_file();
        }
        if name == sym::POSIXLY_CORRECT {
            self.opts.set_long("posix", true);
        }
        if name == sym::OPTIND {
            let at = self.get(name).and_then(|text| crate::vars::parse_int(&text)).unwrap_or(1);
            self.builtins.getopts = (at, 0);
        }
    }

    fn set_slow(&mut self, name: Sym, value: Vec<u8>) -> Run<()> {
        let is_ref = self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF));
        let target = self.resolve(name);
        if target.name == super::nowhere() {
            return Err(Flow::Discard(1));
        }
        if let Some(index) = target.index {
            return self.set_element_text(target.name, &index, value, false);
        }
        if is_ref && target.name == name {
            // A reference without a target: the value becomes its target.
            if !is_name(value.split(|b| *b == b'[').next().unwrap_or(b"")) {
                self.error(format!("`{}': not a valid identifier", String::from_utf8_lossy(&value)));
                return Err(Flow::Discard(1));
            }
            self.vars.make(name).value = Value::Str(value);
            return Ok(());
        }
        let name = target.name;
        self.writable(name)?;
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if attrs.has(Attrs::DYNAMIC) {
            self.set_dynamic(name, &value);
            return Ok(());
        }
        let value = self.convert(attrs, value)?;
        match &mut self.vars.make(name).value {
            Value::Indexed(array) => array.set(0, value),
            Value::Assoc(array) => array.set(b"0".to_vec(), value),
            other => *other = Value::Str(value),
        }
        self.assigned(name);
        Ok(())
    }

    /// Refuses to write a read-only variable.
    pub fn writable(&mut self, name: Sym) -> Run<()> {
        if self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::READONLY)) {
            self.error(format!("{}: readonly variable", name.text()));
            // Unlike other expansion errors, this one counts for `set -e`.
            return Err(if self.opts.has(b'e') && self.nesting.guarded == 0 { Flow::Exit(1) } else { Flow::Discard(1) });
        }
        Ok(())
    }

    /// Converts a value as the attributes of its variable require.
    pub fn convert(&mut self, attrs: Attrs, value: Vec<u8>) -> Run<Vec<u8>> {
        if attrs.has(Attrs::INTEGER) {
            return Ok(crate::vars::format_int(self.eval_text(&value)?));
        }
        if attrs.has(Attrs::UPPER) {
            return Ok(crate::expand::upper(&value));
        }
        if attrs.has(Attrs::LOWER) {
            return Ok(crate::expand::lower(&value));
        }
        if attrs.has(Attrs::CAPITALIZE) {
            return Ok(crate::expand::capitalize(&value));
        }
        Ok(value)
    }

    /// Performs `name+=value`.
    pub fn append(&mut self, name: Sym, value: Vec<u8>) -> Run<()> {
        let target = self.resolve(name);
        if let Some(index) = target.index {
            return self.set_element_text(target.name, &index, value, true);
        }
        let name = target.name;
        self.writable(name)?;
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if attrs.has(Attrs::INTEGER) {
            let old = self.get(name).unwrap_or_default();
            let sum = self.eval_text(&old)?.wrapping_add(self.eval_text(&value)?);
            return self.set_int(name, sum);
        }
        if attrs.any(Attrs::UPPER.0 | Attrs::LOWER.0 | Attrs::DYNAMIC.0 | Attrs::CAPITALIZE.0) {
            let mut old = self.get(name).unwrap_or_default();
            old.extend_from_slice(&value);
            return self.set(name, old);
        }
        let var = self.vars.make(name);
        match &mut var.value {
            Value::Str(text) => text.extend_from_slice(&value),
            Value::Int(number) => {
                let mut text = crate::vars::format_int(*number);
                text.extend_from_slice(&value);
                var.value = Value::Str(text);
            }
            Value::Unset => var.value = Value::Str(value),
            Value::Indexed(array) => {
                let mut text = array.get(0).unwrap_or_default().to_vec();
                text.extend_from_slice(&value);
                array.set(0, text);
            }
            Value::Assoc(array) => {
                let mut text = array.get(b"0").unwrap_or_default().to_vec();
                text.extend_from_slice(&value);
                array.set(b"0".to_vec(), text);
            }
        }
        self.assigned(name);
        Ok(())
    }

    /// Performs `name[index]=value`, the subscript as text that has been expanded.
    pub fn set_element_text(&mut self, name: Sym, index: &[u8], value: Vec<u8>, append: bool) -> Run<()> {
        let name = self.resolve(name).name;
        if matches!(self.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_))) {
            if index.is_empty() {
                self.error(format!("{}[{}]: bad array subscript", name.text(), String::from_utf8_lossy(index)));
                return Err(Flow::Discard(1));
            }
            let key = self.subscript_text(index)?;
            return self.set_key(name, key, value, append);
        }
        if matches!(index, b"@" | b"*") {
            self.error(format!("{}[{}]: bad array subscript", name.text(), String::from_utf8_lossy(index)));
            return Err(Flow::Discard(1));
        }
        let text = self.expand_text(index)?;
        let at = self.eval_expanded(&text, false)?;
        self.set_index(name, at, index, value, append)
    }

    /// Performs `name[key]=value` of an associative array.
    pub fn set_key(&mut self, name: Sym, key: Vec<u8>, value: Vec<u8>, append: bool) -> Run<()> {
        self.writable(name)?;
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        let old = match self.vars.get(name).map(|var| &var.value) {
            Some(Value::Assoc(array)) if append => array.get(&key).unwrap_or_default().to_vec(),
            _ => Vec::new(),
        };
        let value = self.joined(attrs, old, value, append)?;
        if &*name.name() == b"BASH_ALIASES" {
            std::rc::Rc::make_mut(&mut self.definitions.aliases).insert(key.clone(), value.clone());
        }
        let var = self.vars.make(name);
        var.given();
        if let Value::Assoc(array) = &mut var.value {
            array.set(key, value);
        }
        Ok(())
    }

    pub(crate) fn joined(&mut self, attrs: Attrs, mut old: Vec<u8>, value: Vec<u8>, append: bool) -> Run<Vec<u8>> {
        if append {
            if attrs.has(Attrs::INTEGER) {
                let sum = self.eval_text(&old)?.wrapping_add(self.eval_text(&value)?);
                return Ok(crate::vars::format_int(sum));
            }
            old.extend_from_slice(&value);
            return self.convert(attrs, old);
        }
        self.convert(attrs, value)
    }

    /// Performs `name[at]=value` of an indexed array; a scalar becomes one.
    pub fn set_index(&mut self, name: Sym, at: i64, raw: &[u8], value: Vec<u8>, append: bool) -> Run<()> {
        self.writable(name)?;
        let attrs = self.vars.get(name).map_or(Attrs::default(), |var| var.attrs);
        if attrs.has(Attrs::DYNAMIC) {
            // `PIPESTATUS` and similar variables belong to the shell; directories below the working one can be replaced.
            let dirs = &mut self.process.dirs;
            let below = usize::try_from(at).ok().filter(|at| name == sym::DIRSTACK && *at > 0).and_then(|at| dirs.len().checked_sub(at));
            if let Some(place) = below {
                dirs[place] = value;
            }
            return Ok(());
        }
        self.make_indexed(name);
        let (end, old) = match &self.vars.make(name).value {
            Value::Indexed(array) => {
                let real = if at < 0 { at + array.end() } else { at };
                (array.end(), if append { array.get(real).unwrap_or_default().to_vec() } else { Vec::new() })
            }
            _ => (0, Vec::new()),
        };
        let real = if at < 0 { at + end } else { at };
        if real < 0 {
            self.error(format!("{}[{}]: bad array subscript", name.text(), String::from_utf8_lossy(raw)));
            return Err(Flow::Discard(1));
        }
        let value = self.joined(attrs, old, value, append)?;
        let var = self.vars.make(name);
        var.given();
        if let Value::Indexed(array) = &mut var.value {
            array.set(real, value);
        }
        Ok(())
    }

    /// Makes a variable an indexed array; its scalar becomes element 0.
    pub fn make_indexed(&mut self, name: Sym) {
        let var = self.vars.make(name);
        if !var.value.is_array() {
            let old = var.value.scalar().map(std::borrow::Cow::into_owned);
            var.value = Value::Indexed(Indexed::from_list(old.into_iter().collect()));
        }
    }

    /// Makes a variable an associative array.
    pub fn make_assoc(&mut self, name: Sym) {
        let var = self.vars.make(name);
        if !matches!(var.value, Value::Assoc(_)) {
            let mut array = Assoc::default();
            match var.value.text() {
                Some(text) => array.set(b"0".to_vec(), text),
                None => var.attrs.set(Attrs::BARE, true),
            }
            var.value = Value::Assoc(array);
        }
    }

    /// Sets a whole indexed array; only the read-only attribute is respected.
    pub fn set_list(&mut self, name: Sym, list: Vec<Vec<u8>>) -> Run<()> {
        let name = self.resolve(name).name;
        self.writable(name)?;
        let var = self.vars.make(name);
        var.given();
        var.value = Value::Indexed(Indexed::from_list(list));
        Ok(())
    }

    /// Assigns to the target that a word of a builtin names: `name` or `name[index]`.
    pub fn set_named(&mut self, what: &[u8], value: Vec<u8>) -> Run<()> {
        if let Some(open) = what.iter().position(|b| *b == b'[')
            && what.ends_with(b"]")
        {
            let name = intern(&what[..open]);
            return self.set_element_text(name, &what[open + 1..what.len() - 1], value, false);
        }
        self.set(intern(what), value)
    }
}
