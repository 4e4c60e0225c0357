//! The operators of `${…}`.

use super::case::modify;
use super::param::Val;
use super::slice::source;
use super::{Builder, Place};
use crate::arith::{ArithText, Expr};
use crate::ast::{Param, ParamName, ParamOp, Part, ReplaceKind, Subscript, Word};
use crate::pattern::{Flags, Pattern, char_at};
use crate::shell::{Flow, Run, Shell};
use crate::vars::Value;

/// Changes every text of a value.
pub(super) fn each(value: Val, mut change: impl FnMut(Vec<u8>) -> Vec<u8>) -> Val {
    match value {
        Val::Unset => Val::Unset,
        Val::One(text) => Val::One(change(text)),
        Val::Many(list, star) => Val::Many(list.into_iter().map(change).collect(), star),
    }
}

impl Shell {
    /// Returns how patterns are currently read.
    pub(crate) fn pattern_flags(&self, extglob: bool) -> Flags {
        Flags { extglob: extglob || self.opts.shopt("extglob"), nocase: self.opts.shopt("nocasematch"), period: false }
    }

    /// Applies the operator. `None`: its word was expanded into the builder instead.
    pub(crate) fn operate(
        &mut self,
        param: &Param,
        value: Val,
        target: Option<&[u8]>,
        quoted: bool,
        builder: &mut Builder,
    ) -> Run<Option<Val>> {
        let unset = matches!(&value, Val::Unset) || matches!(&value, Val::Many(list, _) if list.is_empty());
        // Where it becomes one text, with nothing between the elements.
        let joined = builder.place != Place::Here && (quoted || !builder.splits());
        let empty = unset || self.counts_as_empty(&value, joined);
        let lacks = |colon: bool| if colon { empty } else { unset };
        match &param.op {
            ParamOp::Default(colon, word) if lacks(*colon) => {
                self.listed_operand(param, word, quoted, builder)?;
                Ok(None)
            }
            ParamOp::Alternative(colon, word) => {
                if !lacks(*colon) {
                    self.listed_operand(param, word, quoted, builder)?;
                } else if quoted && (!param.lists() || !unset) {
                    builder.quoted(b"");
                }
                Ok(None)
            }
            ParamOp::Assign(colon, word) if lacks(*colon) => self.assign_default(param, word, quoted).map(Some),
            ParamOp::Error(colon, word) if lacks(*colon) => self.refuse(param, *colon, word),
            ParamOp::Default(..) | ParamOp::Assign(..) | ParamOp::Error(..) => Ok(Some(value)),
            op => {
                if let Val::Unset = value {
                    self.check_bound(param)?;
                }
                // In an empty list no pattern is searched for, and none is expanded.
                let skipped = match op {
                    ParamOp::RemovePrefix(..) | ParamOp::RemoveSuffix(..) => empty,
                    ParamOp::Replace(..) | ParamOp::Case(..) => unset,
                    _ => false,
                };
                if skipped { Ok(Some(value)) } else { self.change(param, value, target, unset).map(Some) }
            }
        }
    }

    /// Returns whether `:-` takes a value for empty; `joined`: its elements become one text, with nothing between them.
    fn counts_as_empty(&mut self, value: &Val, joined: bool) -> bool {
        match value {
            Val::One(text) => text.is_empty(),
            Val::Many(list, star) => {
                (list.len() == 1 && list[0].is_empty())
                    || (*star && list.iter().all(Vec::is_empty) && (list.len() < 2 || joined && self.ifs().is_empty()))
            }
            Val::Unset => true,
        }
    }

    /// Ends the script with the message of `${x?word}`.
    fn refuse<T>(&mut self, param: &Param, colon: bool, word: &Word) -> Run<T> {
        let message = match (word.parts.is_empty(), colon) {
            (true, true) => b"parameter null or not set".to_vec(),
            (true, false) => b"parameter not set".to_vec(),
            (false, _) => self.message(word)?,
        };
        let name = self.param_text(param);
        Err(self.fatal([name.as_bytes(), b": ", &message].concat()))
    }

    /// Applies an operator that changes a value.
    fn change(&mut self, param: &Param, value: Val, target: Option<&[u8]>, unset: bool) -> Run<Val> {
        Ok(match &param.op {
            ParamOp::RemovePrefix(longest, word) => {
                let pattern = self.pattern(word)?;
                each(value, |text| match pattern.prefix(&text, *longest) {
                    Some(end) => text[end..].to_vec(),
                    None => text,
                })
            }
            ParamOp::RemoveSuffix(longest, word) => {
                let pattern = self.pattern(word)?;
                each(value, |text| match pattern.suffix(&text, *longest) {
                    Some(start) => text[..start].to_vec(),
                    None => text,
                })
            }
            ParamOp::Replace(kind, word, with) => self.replaced(value, *kind, word, with)?,
            ParamOp::Case(op, all, word) => {
                let pattern = match word {
                    Some(word) => Some(self.pattern(word)?),
                    None => None,
                };
                each(value, |text| modify(&text, *op, *all, |c| pattern.as_ref().is_none_or(|pattern| pattern.matches(c))))
            }
            // If the parameter is not set, nothing is evaluated.
            ParamOp::Slice(..) if unset && !matches!(param.name, ParamName::Special(_)) => value,
            ParamOp::Slice(offset, length) => {
                let raw = &param.raw[param.raw.len().min(2)..];
                let name = &raw[..raw.iter().position(|b| *b == b':').unwrap_or(raw.len())];
                let mut number = |text: &ArithText| match text.compiled().expr {
                    Some(Expr::Num(number)) => Ok(number),
                    _ => self.for_name(name.to_vec(), |shell| shell.arith(text)),
                };
                let offset = number(offset)?;
                let wanted = length.as_ref().map(|length| Ok((number(length)?, length.word.raw.to_vec()))).transpose()?;
                self.slice(source(param, target), value, offset, wanted)?
            }
            ParamOp::Transform(op) => self.transform(param, *op, value)?,
            _ => value,
        })
    }

    /// Expands `${x/word/with}`
    fn replaced(&mut self, value: Val, kind: ReplaceKind, word: &Word, with: &Word) -> Run<Val> {
        let pattern = self.expand_pattern(word)?;
        let with = self.replacement(with)?;
        if pattern.is_empty() && matches!(kind, ReplaceKind::First | ReplaceKind::All) {
            return Ok(value);
        }
        // In an empty text, bash finds only a pattern that begins with a star, and any pattern at the end.
        let in_empty = kind == ReplaceKind::Suffix || pattern.is_empty() || pattern.starts_with(b"*");
        let pattern = Pattern::new(&pattern, self.pattern_flags(false));
        Ok(each(value, |text| if text.is_empty() && !in_empty { text } else { replace(&pattern, kind, &text, &with) }))
    }

    fn pattern(&mut self, word: &Word) -> Run<Pattern> {
        let text = self.expand_pattern(word)?;
        Ok(Pattern::new(&text, Flags { nocase: false, ..self.pattern_flags(false) }))
    }

    /// Returns the parameter as error messages about it name it.
    fn param_text(&self, param: &Param) -> String {
        let mark = if param.indirect { "!" } else { "" };
        let text = match (param.name, &param.index) {
            (ParamName::Var(name), Some(Subscript::Index(index))) => {
                format!("{}[{}]", name.text(), String::from_utf8_lossy(&index.word.raw))
            }
            (ParamName::Var(name), Some(Subscript::At)) => format!("{}[@]", name.text()),
            (ParamName::Var(name), Some(Subscript::Star)) => format!("{}[*]", name.text()),
            (ParamName::Var(name), None) => name.text(),
            (ParamName::Positional(number), _) => number.to_string(),
            (ParamName::Special(byte), _) => (byte as char).to_string(),
        };
        format!("{mark}{text}")
    }

    /// Makes a field of an operand within double quotes that is a list without elements: `"${@-$@}"`.
    fn listed_operand(&mut self, param: &Param, word: &Word, quoted: bool, builder: &mut Builder) -> Run<()> {
        let outer = std::mem::replace(&mut builder.empty_list, false);
        self.operand(word, quoted, builder)?;
        if quoted && (param.lists() || builder.empty_list) {
            builder.ensure();
            builder.list_items += 1;
        }
        builder.empty_list = outer;
        Ok(())
    }

    /// Returns the message of `${x?word}`: its fields, separated by blanks, regardless of quotes around it.
    fn message(&mut self, word: &Word) -> Run<Vec<u8>> {
        let mut builder = Builder::new(Place::Words, self.ifs());
        for part in &word.parts {
            self.part(part, false, false, &mut builder)?;
        }
        Ok(builder.finish().into_iter().map(|field| field.text).collect::<Vec<_>>().join(&b' '))
    }

    fn assign_default(&mut self, param: &Param, word: &Word, quoted: bool) -> Run<Val> {
        let text = if quoted {
            let mut builder = Builder::new(Place::Text, self.ifs());
            self.operand(word, true, &mut builder)?;
            builder.finish().into_iter().next().unwrap_or_default().text
        } else {
            self.expand_single(word)?
        };
        match (param.name, &param.index) {
            (ParamName::Var(name), None) if param.indirect => {
                let target = self.get(name).unwrap_or_default();
                if !crate::sym::is_name(&target) {
                    self.error([&target[..], b": invalid variable name"].concat());
                    return Err(Flow::Discard(1));
                }
                self.set_named(&target, text.clone())?;
            }
            (ParamName::Var(name), None) => {
                self.set(name, text.clone())?;
                // As the variable's attributes changed it.
                return Ok(Val::One(self.get(name).unwrap_or(text)));
            }
            (ParamName::Var(name), Some(Subscript::Index(index))) => self.assign_element(name, index, text.clone(), false)?,
            (ParamName::Var(name), Some(list @ (Subscript::At | Subscript::Star))) => {
                let key: &[u8] = if matches!(list, Subscript::At) { b"@" } else { b"*" };
                if matches!(self.vars.get(self.resolve(name).name).map(|var| &var.value), Some(Value::Assoc(_))) {
                    self.set_key(name, key.to_vec(), text.clone(), false)?;
                } else {
                    self.error([&name.name()[..], b"[", key, b"]: bad array subscript"].concat());
                    return Err(if self.invocation.interactive { Flow::Discard(1) } else { Flow::Exit(2) });
                }
            }
            _ => {
                let name = self.param_text(param);
                self.error(format!("${name}: cannot assign in this way"));
                return Err(Flow::Discard(1));
            }
        }
        Ok(Val::One(text))
    }

    /// Returns the replacement of `${x/p/r}`: an unquoted `&` stands for what matched.
    fn replacement(&mut self, word: &Word) -> Run<Vec<Piece>> {
        let mut pieces = Vec::new();
        for part in &word.parts {
            match part {
                Part::Lit(_) | Part::Param(_) | Part::Command(_) | Part::Arith(_) => {
                    let text = self.expand_single(&Word { raw: Box::default(), parts: vec![part.clone()], brace: false })?;
                    let mut plain = Vec::new();
                    let mut bytes = text.iter().copied().peekable();
                    while let Some(byte) = bytes.next() {
                        match byte {
                            b'\\' if !matches!(part, Part::Lit(_)) && matches!(bytes.peek(), Some(b'&' | b'\\')) => {
                                plain.extend(bytes.next());
                            }
                            b'&' if self.opts.shopt("patsub_replacement") => {
                                pieces.push(Piece::Text(std::mem::take(&mut plain)));
                                pieces.push(Piece::Matched);
                            }
                            _ => plain.push(byte),
                        }
                    }
                    pieces.push(Piece::Text(plain));
                }
                Part::Double(parts) => pieces.push(Piece::Text(self.expand_quoted(parts)?)),
                other => {
                    let text = self.expand_single(&Word { raw: Box::default(), parts: vec![other.clone()], brace: false })?;
                    pieces.push(Piece::Text(text));
                }
            }
        }
        Ok(pieces)
    }
}

/// A piece of a replacement.
enum Piece {
    Text(Vec<u8>),
    Matched,
}

fn put(with: &[Piece], matched: &[u8], out: &mut Vec<u8>) {
    for piece in with {
        match piece {
            Piece::Text(text) => out.extend_from_slice(text),
            Piece::Matched => out.extend_from_slice(matched),
        }
    }
}

pub(super) fn byte_at(text: &[u8], number: i64) -> usize {
    if text.is_ascii() {
        return (number as usize).min(text.len());
    }
    let mut at = 0;
    for _ in 0..number {
        if at >= text.len() {
            break;
        }
        at += char_at(text, at).1;
    }
    at
}

fn replace(pattern: &Pattern, kind: ReplaceKind, text: &[u8], with: &[Piece]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    match kind {
        ReplaceKind::Prefix => match pattern.prefix(text, true) {
            Some(end) => {
                put(with, &text[..end], &mut out);
                out.extend_from_slice(&text[end..]);
            }
            None => out.extend_from_slice(text),
        },
        ReplaceKind::Suffix => match pattern.suffix(text, true) {
            Some(start) => {
                out.extend_from_slice(&text[..start]);
                put(with, &text[start..], &mut out);
            }
            None => out.extend_from_slice(text),
        },
        ReplaceKind::First | ReplaceKind::All => {
            let mut at = 0;
            while let Some((start, end)) = pattern.search(text, at) {
                if start == text.len() && start > 0 {
                    break;
                }
                out.extend_from_slice(&text[at..start]);
                put(with, &text[start..end], &mut out);
                at = end;
                if end == start {
                    if at >= text.len() {
                        break;
                    }
                    let len = char_at(text, at).1;
                    out.extend_from_slice(&text[at..at + len]);
                    at += len;
                }
                if kind == ReplaceKind::First || at >= text.len() {
                    break;
                }
            }
            out.extend_from_slice(&text[at..]);
        }
    }
    out
}
