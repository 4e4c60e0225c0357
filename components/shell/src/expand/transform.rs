//! `${x@Q}` and the other transformations.

use super::ops::each;
use super::param::Val;
use crate::ast::{Param, ParamName};
use crate::quote;
use crate::shell::{Run, Shell};
use crate::sym::Sym;
use crate::vars::{Attrs, Value};

impl Shell {
    /// Applies transformation `op`.
    pub(crate) fn transform(&mut self, param: &Param, op: u8, value: Val) -> Run<Val> {
        if matches!(value, Val::Unset) && op != b'A' && op != b'a' {
            return Ok(value);
        }
        if !b"QEPAaUuLKk".contains(&op) {
            return Err(self.fatal([&param.raw[..], b": bad substitution"].concat()));
        }
        // There is no variable whose whole name is `a[1]`.
        if matches!(op, b'a' | b'A') && !param.indirect && matches!(param.name, ParamName::Var(name) if self.resolve(name).index.is_some())
        {
            return Ok(Val::Unset);
        }
        // bash knows the attributes only of a variable that another one names.
        let by_position = op == b'a' && param.indirect && !matches!(param.name, ParamName::Var(_));
        match (op, if by_position { None } else { self.described(param) }) {
            (b'a', None) => Ok(match value {
                // Positional parameters have no attributes.
                Val::Many(list, star) => Val::Many(vec![Vec::new(); list.len()], star),
                _ => Val::Unset,
            }),
            (b'a', Some(name)) => Ok(self.attributes(name, value)),
            (b'A', None) => Ok(match value {
                Val::Many(list, star) => self.set_command(&list, star),
                _ => Val::Unset,
            }),
            (b'A', Some(name)) => Ok(self.assignment(name, value)),
            (b'K' | b'k', Some(name)) if matches!(value, Val::Many(..)) && self.vars.get(name).is_some_and(|var| var.value.is_array()) => {
                Ok(self.keys_and_values(name, op, value))
            }
            (b'P', _) => self.as_prompt(value),
            _ => Ok(each(value, |text| match op {
                b'Q' | b'K' | b'k' => quote::single(&text),
                b'E' => crate::lexer::ansi_c(&text),
                b'U' => super::upper(&text),
                b'L' => super::lower(&text),
                b'u' => super::case::modify(&text, b'^', false, |_| true),
                _ => text,
            })),
        }
    }

    /// Returns the variable that the parameter refers to, if it is one.
    fn described(&mut self, param: &Param) -> Option<Sym> {
        if param.indirect && param.index.is_none() && !self.is_reference(param) {
            let target = self.plain_value(param.name, None).ok()?.into_target().unwrap_or_default();
            let end = target.iter().position(|b| *b == b'[').unwrap_or(target.len());
            return crate::sym::is_name(&target[..end]).then(|| crate::sym::intern(&target[..end]));
        }
        let ParamName::Var(name) = param.name else { return None };
        Some(self.resolve(name).name)
    }

    /// Expands `${x@a}`: the letters of the attributes, for every element.
    fn attributes(&self, name: Sym, value: Val) -> Val {
        let Some(var) = self.vars.get(name) else { return Val::Unset };
        let letters = crate::builtins::attribute_letters(var).into_bytes();
        match value {
            Val::Many(list, _) if list.is_empty() && var.is_bare() => Val::One(letters),
            Val::Many(list, star) => Val::Many(vec![letters; list.len()], star),
            _ => Val::One(letters),
        }
    }

    /// Expands `${@@A}`: the `set` that sets the positional parameters.
    fn set_command(&mut self, list: &[Vec<u8>], star: bool) -> Val {
        let mut words: Vec<Vec<u8>> = list.iter().map(|word| quote::single(word)).collect();
        if words.is_empty() {
            return Val::Unset;
        }
        // Words of a command, if a blank separates them.
        if self.words_part_at_blanks() {
            return Val::Many([vec![b"set".to_vec(), b"--".to_vec()], words].concat(), star);
        }
        words[0] = [b"set -- ", &words[0][..]].concat();
        Val::Many(words, star)
    }

    /// Expands `${x@A}`: the assignment or `declare` that makes the variable.
    fn assignment(&mut self, name: Sym, value: Val) -> Val {
        let Some(var) = self.var(name) else { return Val::Unset };
        if var.value.is_array() && !matches!(value, Val::Many(..)) {
            // For an element: its value with the attributes of the array.
            let mut text = format!("declare -{} ", crate::builtins::attribute_letters(&var)).into_bytes();
            text.extend_from_slice(&name.name());
            if let Val::One(value) = &value {
                text.extend_from_slice(&[b"=", &quote::single(value)[..]].concat());
            }
            return Val::One(text);
        }
        let plain = var.attrs.0 & !Attrs::DYNAMIC.0 == 0 && !var.value.is_array();
        let text = if plain {
            let text = var.value.scalar().unwrap_or_default();
            [&name.name(), &b"="[..], &quote::single(&text)].concat()
        } else {
            let mut text = crate::builtins::declaration(&name.name(), &var);
            if let (false, Some(at)) = (var.value.is_array(), text.iter().position(|b| *b == b'=')) {
                text.truncate(at + 1);
                text.extend_from_slice(&quote::single(&var.value.scalar().unwrap_or_default()));
            }
            text
        };
        match value {
            // A command's words, each on its own.
            Val::Many(_, star) if var.value.is_array() && self.words_part_at_blanks() => {
                Val::Many(text.splitn(3, |b| *b == b' ').map(<[u8]>::to_vec).collect(), star)
            }
            _ => Val::One(text),
        }
    }

    /// Expands `${a[@]@K}`, one text with quotes, and `${a[@]@k}`, the bare keys and values.
    fn keys_and_values(&mut self, name: Sym, op: u8, value: Val) -> Val {
        let pairs: Vec<(Vec<u8>, Vec<u8>)> = match self.var(name).map(|var| var.value) {
            Some(Value::Indexed(array)) => array.iter().map(|(k, v)| (crate::vars::format_int(k), v.clone())).collect(),
            Some(Value::Assoc(array)) => array.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
            _ => Vec::new(),
        };
        if let (b'k', Val::Many(_, star)) = (op, &value) {
            return Val::Many(pairs.into_iter().flat_map(|(key, value)| [key, value]).collect(), *star);
        }
        let shown = pairs.iter().flat_map(|(key, value)| [crate::builtins::key_text(key), quote::double(value)]);
        let mut text = shown.collect::<Vec<_>>().join(&b' ');
        if self.vars.get(name).is_some_and(|var| matches!(var.value, Value::Assoc(_))) {
            text.push(b' ');
        }
        Val::One(text)
    }

    /// Expands `${x@P}`
    fn as_prompt(&mut self, value: Val) -> Run<Val> {
        Ok(match value {
            Val::Unset => Val::Unset,
            Val::One(text) => Val::One(self.prompt(&text)?),
            Val::Many(list, star) => {
                let shown = list.iter().map(|text| self.prompt(text)).collect::<Run<Vec<_>>>()?;
                Val::Many(shown, star)
            }
        })
    }
}
