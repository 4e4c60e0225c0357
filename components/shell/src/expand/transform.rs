//! `${x@Q}` and the other transformations.

use super::param::Val;
use crate::ast::{Param, ParamName};
use crate::quote;
use crate::shell::{Run, Shell};
use crate::vars::{Attrs, Value};

impl Shell {
    /// Apply transformation `op`.
    pub(crate) fn transform(&mut self, param: &Param, op: u8, value: Val) -> Run<Val> {
        if matches!(value, Val::Unset) && op != b'A' && op != b'a' {
            return Ok(value);
        }
        if !b"QEPAaUuLKk".contains(&op) {
            return Err(self.fatal([&param.raw[..], b": bad substitution"].concat()));
        }
        let name = match param.name {
            ParamName::Var(name) if self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF)) => {
                let target = self.resolve(name);
                // There is no variable whose whole name is `a[1]`.
                if matches!(op, b'a' | b'A') && !param.indirect && target.index.is_some() {
                    return Ok(Val::Unset);
                }
                Some(target.name)
            }
            ParamName::Var(name) if param.indirect && param.index.is_none() => {
                let target = self.get(name).unwrap_or_default();
                let end = target.iter().position(|b| *b == b'[').unwrap_or(target.len());
                Some(crate::sym::intern(&target[..end]))
            }
            ParamName::Var(name) => Some(self.resolve(name).name),
            _ => None,
        };
        match op {
            // Positional parameters have no attributes, and are set by `set`.
            b'a' if name.is_none() => {
                return Ok(match value {
                    Val::Many(list, star) => Val::Many(vec![Vec::new(); list.len()], star),
                    _ => Val::Unset,
                });
            }
            b'A' if matches!(value, Val::Many(..)) && name.is_none() => {
                let Val::Many(list, _) = &value else { return Ok(Val::Unset) };
                let words: Vec<Vec<u8>> = list.iter().map(|word| quote::single(word)).collect();
                let Val::Many(_, star) = value else { return Ok(Val::Unset) };
                if words.is_empty() {
                    return Ok(Val::Unset);
                }
                // Words of a command, if a blank separates them.
                if self.words_part_at_blanks() {
                    return Ok(Val::Many([vec![b"set".to_vec(), b"--".to_vec()], words].concat(), star));
                }
                let mut words = words;
                words[0] = [b"set -- ", &words[0][..]].concat();
                return Ok(Val::Many(words, star));
            }
            b'a' => {
                let Some(var) = name.and_then(|name| self.vars.get(name)) else { return Ok(Val::Unset) };
                let letters = crate::builtins::attribute_letters(var);
                return Ok(match value {
                    Val::Many(list, _) if list.is_empty() && var.is_bare() => Val::One(letters.into_bytes()),
                    Val::Many(list, star) => Val::Many(list.iter().map(|_| letters.clone().into_bytes()).collect(), star),
                    _ => Val::One(letters.into_bytes()),
                });
            }
            b'A' => {
                let Some(name) = name else { return Ok(Val::Unset) };
                let Some(var) = self.var(name) else { return Ok(Val::Unset) };
                if let (true, false) = (var.value.is_array(), matches!(value, Val::Many(..))) {
                    // For an element: its value with the attributes of the array.
                    let mut text = format!("declare -{} ", crate::builtins::attribute_letters(&var)).into_bytes();
                    text.extend_from_slice(&name.name());
                    if let Val::One(value) = &value {
                        text.extend_from_slice(&[b"=", &quote::single(value)[..]].concat());
                    }
                    return Ok(Val::One(text));
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
                return Ok(match value {
                    // A command's words, each on its own.
                    Val::Many(_, star) if var.value.is_array() && self.words_part_at_blanks() => {
                        Val::Many(text.splitn(3, |b| *b == b' ').map(<[u8]>::to_vec).collect(), star)
                    }
                    _ => Val::One(text),
                });
            }
            b'K' | b'k' => {
                let is_array = name.is_some_and(|name| self.vars.get(name).is_some_and(|var| var.value.is_array()));
                if let (Some(name), Val::Many(_, star), true) = (name, &value, is_array) {
                    let mut list = Vec::new();
                    let var = self.var(name);
                    let pairs: Vec<(Vec<u8>, Vec<u8>)> = match var.map(|var| var.value) {
                        Some(Value::Indexed(array)) => array.iter().map(|(k, v)| (crate::vars::format_int(k), v.clone())).collect(),
                        Some(Value::Assoc(array)) => array.iter().map(|(k, v)| (k.clone(), v.clone())).collect(),
                        _ => Vec::new(),
                    };
                    for (key, value) in pairs {
                        list.push(if op == b'K' { crate::builtins::key_text(&key) } else { key });
                        list.push(if op == b'K' { quote::double(&value) } else { value });
                    }
                    if op == b'k' {
                        return Ok(Val::Many(list, *star));
                    }
                    let mut text = list.join(&b' ');
                    if self.vars.get(name).is_some_and(|var| matches!(var.value, Value::Assoc(_))) {
                        text.push(b' ');
                    }
                    return Ok(Val::One(text));
                }
            }
            _ => {}
        }
        if op == b'P' {
            return Ok(match value {
                Val::Unset => Val::Unset,
                Val::One(text) => Val::One(self.prompt(&text)?),
                Val::Many(list, star) => {
                    let shown = list.iter().map(|text| self.prompt(text)).collect::<Run<Vec<_>>>()?;
                    Val::Many(shown, star)
                }
            });
        }
        let change = |text: Vec<u8>| match op {
            b'Q' | b'K' | b'k' => quote::single(&text),
            b'E' => crate::lexer::ansi_c(&text),
            b'U' => super::upper(&text),
            b'L' => super::lower(&text),
            b'u' => super::case::modify(&text, b'^', false, |_| true),
            _ => text,
        };
        Ok(match value {
            Val::Unset => Val::Unset,
            Val::One(text) => Val::One(change(text)),
            Val::Many(list, star) => Val::Many(list.into_iter().map(change).collect(), star),
        })
    }
}
