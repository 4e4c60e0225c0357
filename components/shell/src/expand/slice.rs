//! `${x:offset:length}`: a part of a text, or some of a list's elements.

use super::ops::byte_at;
use super::param::Val;
use crate::ast::{Param, ParamName};
use crate::pattern::char_count;
use crate::shell::{Flow, Run, Shell};
use crate::sym::{intern, is_name};
use crate::vars::Value;

/// Returns the variable that holds the list of a parameter; an indirect parameter is followed to its target.
pub(super) fn source(param: &Param, target: Option<&[u8]>) -> ParamName {
    let Some(target) = target else { return param.name };
    let end = target.iter().position(|byte| *byte == b'[').unwrap_or(target.len());
    match &target[..end] {
        [byte @ (b'@' | b'*')] => ParamName::Special(*byte),
        name if is_name(name) => ParamName::Var(intern(name)),
        _ => param.name,
    }
}

impl Shell {
    pub(super) fn slice(&mut self, source: ParamName, value: Val, offset: i64, wanted: Option<(i64, Vec<u8>)>) -> Run<Val> {
        let length = wanted.as_ref().map(|(length, _)| *length);
        match value {
            Val::Unset => Ok(Val::Unset),
            Val::One(text) => {
                let count = char_count(&text) as i64;
                let from = if offset < 0 { count + offset } else { offset };
                if from < 0 || from > count {
                    return Ok(Val::One(Vec::new()));
                }
                let to = match length {
                    None => count,
                    Some(length) if length < 0 => {
                        let to = count + length;
                        if to < from {
                            let shown = wanted.map(|(_, text)| text).unwrap_or_default();
                            self.error([&shown[..], b": substring expression < 0"].concat());
                            return Err(Flow::Discard(1));
                        }
                        to
                    }
                    Some(length) => from.saturating_add(length).min(count),
                };
                Ok(Val::One(text[byte_at(&text, from)..byte_at(&text, to)].to_vec()))
            }
            Val::Many(list, star) => {
                let positional = matches!(source, ParamName::Special(_));
                if let ParamName::Var(name) = source
                    && let Some(text) =
                        self.vars.get(self.resolve(name).name).and_then(|var| var.value.scalar()).map(std::borrow::Cow::into_owned)
                    && !self.vars.get(self.resolve(name).name).is_some_and(|var| var.value.is_array())
                {
                    // `${x[@]:1}` of a variable that is not an array is `${x:1}`.
                    return self.slice(source, Val::One(text), offset, wanted);
                }
                let (list, end) = if positional {
                    let mut all = vec![(0, self.invocation.arg0.to_vec())];
                    all.extend(list.into_iter().enumerate().map(|(at, item)| (at as i64 + 1, item)));
                    let end = all.len() as i64;
                    (all, end)
                } else {
                    let keys = match source {
                        ParamName::Var(name) => self.keys(name),
                        _ => Vec::new(),
                    };
                    let indexed = match source {
                        ParamName::Var(name) => {
                            !matches!(self.vars.get(self.resolve(name).name).map(|var| &var.value), Some(Value::Assoc(_)))
                        }
                        _ => true,
                    };
                    let numbered: Vec<(i64, Vec<u8>)> = list
                        .into_iter()
                        .enumerate()
                        .map(|(at, item)| {
                            let key = if indexed { keys.get(at).and_then(|key| crate::vars::parse_int(key)) } else { None };
                            // Elements of an associative array are counted from 1.
                            (key.unwrap_or(at as i64 + 1), item)
                        })
                        .collect();
                    let end = numbered.last().map_or(0, |(at, _)| at + 1);
                    (numbered, end)
                };
                let from = if offset < 0 { end + offset } else { offset };
                if from < 0 || from > end || from == end && !positional {
                    return Ok(Val::Many(Vec::new(), star));
                }
                if let Some(length) = length
                    && length < 0
                {
                    let shown = wanted.map(|(_, text)| text).unwrap_or_default();
                    self.error([&shown[..], b": substring expression < 0"].concat());
                    return Err(Flow::Discard(1));
                }
                let most = length.map_or(usize::MAX, |length| length as usize);
                Ok(Val::Many(list.into_iter().filter(|(at, _)| *at >= from).take(most).map(|(_, item)| item).collect(), star))
            }
        }
    }
}
