//! Reading variables: follows name references and computes dynamic variables.

use super::Shell;
use crate::sym::{self, Sym, intern, is_name};
use crate::vars::{Attrs, Value, Var};

/// The target of a name: a variable and, for some references, a subscript.
pub struct Target {
    /// The variable.
    pub name: Sym,
    /// The text of a subscript.
    pub index: Option<Vec<u8>>,
}

/// Returns a symbol that no variable has: the target of circular references.
pub fn nowhere() -> Sym {
    intern(b"")
}

impl Shell {
    /// Follows name references from `name`.
    pub fn resolve(&self, name: Sym) -> Target {
        match self.vars.get(name) {
            Some(var) if var.attrs.has(Attrs::NAMEREF) => self.follow(name),
            _ => Target { name, index: None },
        }
    }

    fn follow(&self, name: Sym) -> Target {
        let mut at = name;
        for _ in 0..9 {
            let Some(var) = self.vars.get(at) else { return Target { name: at, index: None } };
            if !var.attrs.has(Attrs::NAMEREF) {
                return Target { name: at, index: None };
            }
            let Some(to) = var.value.scalar() else { return Target { name: at, index: None } };
            if let Some(open) = to.iter().position(|b| *b == b'[')
                && to.ends_with(b"]")
            {
                return Target { name: intern(&to[..open]), index: Some(to[open + 1..to.len() - 1].to_vec()) };
            }
            if to.ends_with(b"\0") {
                self.warn_circular(at);
                return Target { name: intern(&to), index: None };
            }
            if !is_name(&to) {
                return Target { name: at, index: None };
            }
            let next = intern(&to);
            if next == name || next == at {
                self.warn_circular(name);
                return Target { name: nowhere(), index: None };
            }
            at = next;
        }
        Target { name: nowhere(), index: None }
    }

    /// Returns the array that a name reference `name[@]` or `name[*]` (true) leads to.
    pub(crate) fn refers_to_list(&self, name: Sym) -> Option<(Sym, bool)> {
        let var = self.vars.get(name).filter(|var| var.attrs.has(Attrs::NAMEREF))?;
        let to = var.value.scalar()?;
        let star = to.ends_with(b"[*]");
        (star || to.ends_with(b"[@]")).then(|| (intern(&to[..to.len() - 3]), star))
    }

    fn warn_circular(&self, name: Sym) {
        let mut text = self.error_prefix();
        text.extend_from_slice(format!("warning: {}: circular name reference\n", name.text()).as_bytes());
        self.warn_raw(&text);
    }

    /// Returns the target of a name for a whole variable; a reference to an element leads to `nowhere` then.
    pub fn resolve_whole(&self, name: Sym) -> Sym {
        let target = self.resolve(name);
        if target.index.is_some() { nowhere() } else { target.name }
    }

    /// Returns the variable of a name, computed if it is dynamic.
    pub fn var(&mut self, name: Sym) -> Option<Var> {
        let var = self.vars.get(name)?;
        if var.attrs.has(Attrs::DYNAMIC) {
            let attrs = var.attrs;
            return Some(Var { value: self.dynamic(name), attrs });
        }
        Some(var.clone())
    }

    /// Returns `$name`: its text, if it is set.
    pub fn get(&mut self, name: Sym) -> Option<Vec<u8>> {
        match self.vars.get(name) {
            None => None,
            Some(var) if var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0) => self.get_special(name),
            Some(var) => var.value.scalar().map(std::borrow::Cow::into_owned),
        }
    }

    fn get_special(&mut self, name: Sym) -> Option<Vec<u8>> {
        let target = self.resolve(name);
        if let Some(index) = target.index {
            if index == b"@" || index == b"*" {
                let list = self.elements(target.name);
                let ifs = self.ifs();
                let first = if ifs.is_empty() { 0 } else { crate::pattern::char_at(&ifs, 0).1 };
                let between = if index == b"*" { &ifs[..first] } else { b" " };
                return (!list.is_empty()).then(|| list.join(between));
            }
            return self.element_text(target.name, &index);
        }
        if target.name == name && self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF)) {
            return None;
        }
        self.var(target.name)?.value.scalar().map(std::borrow::Cow::into_owned)
    }

    /// Returns the element of `name` whose subscript is this text, already expanded.
    pub fn element_text(&mut self, name: Sym, index: &[u8]) -> Option<Vec<u8>> {
        let name = self.resolve_whole(name);
        let var = self.var(name)?;
        if let Value::Assoc(array) = &var.value {
            let key = self.subscript_text(index).ok()?;
            return array.get(&key).map(<[u8]>::to_vec);
        }
        let text = self.expand_text(index).ok()?;
        let at = self.eval_expanded(&text, false).ok()?;
        self.indexed(&var, at)
    }

    /// Returns the key that the text of a subscript means: expanded, with its quotes removed.
    pub fn subscript_text(&mut self, index: &[u8]) -> super::Run<Vec<u8>> {
        if !index.iter().any(|b| matches!(b, b'$' | b'`' | b'\\' | b'"' | b'\'')) {
            return Ok(index.to_vec());
        }
        let text = [index, b"]"].concat();
        match self.parser(text, self.position.line).word(crate::lexer::Mode::Subscript) {
            Ok(word) if word.raw.len() == index.len() => self.expand_single(&word),
            _ => Ok(index.to_vec()),
        }
    }

    /// Returns element `at` of an indexed array, or of a scalar treated as one.
    pub fn indexed(&self, var: &Var, at: i64) -> Option<Vec<u8>> {
        match &var.value {
            Value::Indexed(array) => {
                let at = if at < 0 { at + array.end() } else { at };
                array.get(at).map(<[u8]>::to_vec)
            }
            Value::Assoc(array) => array.get(&crate::vars::format_int(at)).map(<[u8]>::to_vec),
            _ if at == 0 || at == -1 => var.value.scalar().map(std::borrow::Cow::into_owned),
            _ => None,
        }
    }

    /// Returns all elements of a variable, in order.
    pub fn elements(&mut self, name: Sym) -> Vec<Vec<u8>> {
        let name = self.resolve_whole(name);
        if let Some(var) = self.vars.get(name).filter(|var| !var.attrs.has(Attrs::DYNAMIC))
            && let Value::Indexed(array) = &var.value
        {
            return array.iter().map(|(_, value)| value.clone()).collect();
        }
        match self.var(name).map(|var| var.value) {
            None | Some(Value::Unset) => Vec::new(),
            Some(Value::Indexed(array)) => array.iter().map(|(_, value)| value.clone()).collect(),
            Some(Value::Assoc(array)) => array.iter().map(|(_, value)| value.clone()).collect(),
            Some(value) => value.scalar().map(std::borrow::Cow::into_owned).into_iter().collect(),
        }
    }

    /// Returns all subscripts of a variable, in order.
    pub fn keys(&mut self, name: Sym) -> Vec<Vec<u8>> {
        let name = self.resolve_whole(name);
        if let Some(var) = self.vars.get(name).filter(|var| !var.attrs.has(Attrs::DYNAMIC))
            && let Value::Indexed(array) = &var.value
        {
            return array.iter().map(|(at, _)| crate::vars::format_int(at)).collect();
        }
        match self.var(name).map(|var| var.value) {
            None | Some(Value::Unset) => Vec::new(),
            Some(Value::Indexed(array)) => array.iter().map(|(at, _)| crate::vars::format_int(at)).collect(),
            Some(Value::Assoc(array)) => array.iter().map(|(key, _)| key.clone()).collect(),
            Some(_) => vec![b"0".to_vec()],
        }
    }

    /// Returns the characters that split fields.
    #[inline]
    pub fn ifs(&mut self) -> std::rc::Rc<[u8]> {
        if self.vars.ifs_changed {
            self.vars.ifs_changed = false;
            self.ifs.all = match self.get(sym::IFS) {
                Some(ifs) => ifs.into(),
                None => b" \t\n"[..].into(),
            };
        }
        self.ifs.all.clone()
    }
}
