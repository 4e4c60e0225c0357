//! Reading variables: name references followed, dynamic ones computed.

use super::Shell;
use crate::sym::{self, Sym, intern, is_name};
use crate::vars::{Attrs, Value, Var};

/// Where a name leads: a variable and perhaps the subscript of a reference.
pub struct Target {
    /// The variable.
    pub name: Sym,
    /// The text of a subscript.
    pub index: Option<Vec<u8>>,
}

impl Shell {
    /// Follow name references from `name`.
    pub fn resolve(&self, name: Sym) -> Target {
        let mut at = name;
        for _ in 0..8 {
            let Some(var) = self.vars.get(at) else { break };
            if !var.attrs.has(Attrs::NAMEREF) {
                break;
            }
            let Some(to) = var.value.scalar() else { break };
            if let Some(open) = to.iter().position(|b| *b == b'[')
                && to.ends_with(b"]")
            {
                return Target { name: intern(&to[..open]), index: Some(to[open + 1..to.len() - 1].to_vec()) };
            }
            if !is_name(&to) {
                break;
            }
            at = intern(&to);
        }
        Target { name: at, index: None }
    }

    /// The variable behind a name, computed if it is dynamic.
    pub fn var(&mut self, name: Sym) -> Option<Var> {
        let var = self.vars.get(name)?;
        if var.attrs.has(Attrs::DYNAMIC) {
            let attrs = var.attrs;
            return Some(Var { value: self.dynamic(name), attrs });
        }
        Some(var.clone())
    }

    /// `$name`: its text, if it is set.
    pub fn get(&mut self, name: Sym) -> Option<Vec<u8>> {
        match self.vars.get(name) {
            None => None,
            Some(var) if var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0) => self.get_special(name),
            Some(var) => var.value.scalar().map(|text| text.into_owned()),
        }
    }

    fn get_special(&mut self, name: Sym) -> Option<Vec<u8>> {
        let target = self.resolve(name);
        if let Some(index) = target.index {
            if index == b"@" || index == b"*" {
                let list = self.elements(target.name);
                return (!list.is_empty()).then(|| list.join(&b' '));
            }
            return self.element_text(target.name, &index);
        }
        if target.name == name && self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF)) {
            return None;
        }
        self.var(target.name)?.value.scalar().map(|text| text.into_owned())
    }

    /// The element of `name` whose subscript is this text, already expanded.
    pub fn element_text(&mut self, name: Sym, index: &[u8]) -> Option<Vec<u8>> {
        let name = self.resolve(name).name;
        let var = self.var(name)?;
        if let Value::Assoc(array) = &var.value {
            return array.get(index).map(<[u8]>::to_vec);
        }
        let at = self.eval_text(index).ok()?;
        self.indexed(&var, at)
    }

    /// Element `at` of an indexed array, or of a scalar taken as one.
    pub fn indexed(&self, var: &Var, at: i64) -> Option<Vec<u8>> {
        match &var.value {
            Value::Indexed(array) => {
                let at = if at < 0 { at + array.end() } else { at };
                array.get(at).map(<[u8]>::to_vec)
            }
            Value::Assoc(array) => array.get(&crate::vars::format_int(at)).map(<[u8]>::to_vec),
            _ if at == 0 || at == -1 => var.value.scalar().map(|text| text.into_owned()),
            _ => None,
        }
    }

    /// All elements of a variable, in order.
    pub fn elements(&mut self, name: Sym) -> Vec<Vec<u8>> {
        let name = self.resolve(name).name;
        if let Some(var) = self.vars.get(name)
            && let Value::Indexed(array) = &var.value
        {
            return array.iter().map(|(_, value)| value.clone()).collect();
        }
        match self.var(name).map(|var| var.value) {
            None | Some(Value::Unset) => Vec::new(),
            Some(Value::Indexed(array)) => array.iter().map(|(_, value)| value.clone()).collect(),
            Some(Value::Assoc(array)) => array.iter().map(|(_, value)| value.clone()).collect(),
            Some(value) => value.scalar().map(|text| text.into_owned()).into_iter().collect(),
        }
    }

    /// All subscripts of a variable, in order.
    pub fn keys(&mut self, name: Sym) -> Vec<Vec<u8>> {
        let name = self.resolve(name).name;
        if let Some(var) = self.vars.get(name)
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

    /// The characters that split fields.
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
