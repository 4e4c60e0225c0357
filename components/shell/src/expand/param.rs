//! Parameter expansion: what a parameter is, and which operator applies.

use super::Builder;
use crate::ast::{Index, Param, ParamName, ParamOp, Part, Subscript, Word};
use crate::shell::{Flow, Run, Shell};
use crate::sym::{Sym, intern, is_name};
use crate::vars::{Attrs, Value, format_int};
use std::rc::Rc;

/// The value of a parameter.
#[derive(Debug, Clone)]
pub(crate) enum Val {
    /// It is not set.
    Unset,
    /// One text.
    One(Vec<u8>),
    /// A list; true when `*` was written.
    Many(Vec<Vec<u8>>, bool),
}

impl Val {
    /// Returns the name that it contains, for `${!…}`.
    pub(super) fn into_target(self) -> Option<Vec<u8>> {
        match self {
            Self::One(text) => Some(text),
            Self::Many(list, _) if !list.is_empty() => Some(list.join(&b' ')),
            Self::Unset | Self::Many(..) => None,
        }
    }
}

impl Param {
    /// Returns whether it may give any number of fields inside double quotes.
    pub(crate) fn lists(&self) -> bool {
        if matches!(self.op, ParamOp::Length) {
            return false;
        }
        matches!(self.name, ParamName::Special(b'@'))
            || matches!(self.index, Some(Subscript::At))
            || matches!(self.op, ParamOp::Keys(false) | ParamOp::Names(false))
            || self.indirect
    }
}

impl Shell {
    /// Expands a parameter into the builder.
    pub(crate) fn param(&mut self, param: &Param, quoted: bool, builder: &mut Builder) -> Run<()> {
        // The plain `$x` comes first, for speed.
        if let (ParamName::Var(name), None, false, ParamOp::None) = (param.name, &param.index, param.indirect, &param.op)
            && let Some(var) = self.vars.get(name)
            && !var.attrs.any(Attrs::DYNAMIC.0 | Attrs::NAMEREF.0)
            && let Some(text) = var.value.scalar()
        {
            if quoted {
                builder.quoted(&text);
            } else {
                builder.split_text(&text);
            }
            return Ok(());
        }
        let value = match &param.op {
            ParamOp::Bad => {
                let raw = String::from_utf8_lossy(&param.raw).into_owned();
                self.error(format!("{raw}: bad substitution"));
                return Err(Flow::Discard(1));
            }
            ParamOp::Keys(star) => match param.name {
                ParamName::Var(name) if *star && !quoted && builder.splits() && self.ifs().is_empty() => {
                    Val::One(self.keys(name).join(&b' '))
                }
                ParamName::Var(name) => Val::Many(self.keys(name), *star),
                _ => Val::Unset,
            },
            ParamOp::Names(star) => match param.name {
                ParamName::Var(prefix) => {
                    let prefix = prefix.name();
                    let names =
                        self.vars.sorted().into_iter().filter(|(name, _, _)| name.starts_with(&prefix)).map(|(name, _, _)| name.to_vec());
                    if *star && !quoted && self.ifs().is_empty() {
                        Val::One(names.collect::<Vec<_>>().concat())
                    } else {
                        Val::Many(names.collect(), *star)
                    }
                }
                _ => Val::Unset,
            },
            ParamOp::Length => self.length(param)?,
            _ => {
                let (value, target) = self.value(param)?;
                match self.operate(param, value, target.as_deref(), quoted, builder)? {
                    Some(value) => value,
                    None => return Ok(()),
                }
            }
        };
        match value {
            Val::Many(list, true) if quoted && builder.among_lists && param.changes() => self.emit_among_lists(&list, builder),
            Val::Many(list, _) if !quoted && builder.splits() && param.removes() && param.index.is_some() && self.ifs().is_empty() => {
                builder.literal(&list.join(&b' '));
            }
            value => self.emit(param, value, quoted, builder),
        }
        Ok(())
    }

    /// Returns the value of a parameter, indirection followed, and the name that led there.
    fn value(&mut self, param: &Param) -> Run<(Val, Option<Vec<u8>>)> {
        if let (ParamName::Var(name), None, ParamOp::None) = (param.name, &param.index, &param.op)
            && param.raw.get(1) != Some(&b'{')
            && let Some((list, star)) = self.refers_to_list(name)
        {
            // `"$r"`, but not `"${r}"`, is a list if `r` refers to one.
            return Ok((Val::Many(self.elements(list), star), None));
        }
        let value = self.plain_value(param.name, param.index.as_ref())?;
        if !param.indirect {
            return Ok((value, None));
        }
        // `${!ref}` of a name reference is the name of its target.
        if let ParamName::Var(name) = param.name
            && self.is_reference(param)
        {
            let target = self.resolve(name);
            let is_array = self.vars.get(target.name).is_some_and(|var| var.value.is_array());
            let changes = !matches!(param.op, ParamOp::None | ParamOp::Default(..) | ParamOp::Alternative(..) | ParamOp::Assign(..));
            if changes && (is_array || target.index.is_some()) && target.name != name {
                // … but operators apply to the value of an array or of its element.
                return Ok((value, None));
            }
            if target.name == name {
                return Ok((self.vars.get(name).and_then(|var| var.value.text()).map_or(Val::Unset, Val::One), None));
            }
            let mut text = target.name.name().to_vec();
            if let Some(index) = target.index {
                text.extend_from_slice(&[b"[", &index[..], b"]"].concat());
            }
            return Ok((Val::One(text), None));
        }
        let target = match value.into_target() {
            Some(text) => text,
            None if self.is_known(param) => return Ok((Val::Unset, None)),
            None => {
                let raw = String::from_utf8_lossy(&param.raw).into_owned();
                let name = raw.trim_start_matches("${!").trim_end_matches('}');
                let end = name.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '[' | ']'))).filter(|end| *end > 0);
                let name = name[..end.unwrap_or(name.len())].to_owned();
                self.error(format!("{name}: invalid indirect expansion"));
                return Err(Flow::Discard(1));
            }
        };
        Ok((self.value_by_name(&target)?, Some(target)))
    }

    /// Returns whether it is a name reference, for which `!` has another meaning.
    pub(super) fn is_reference(&self, param: &Param) -> bool {
        let ParamName::Var(name) = param.name else { return false };
        param.index.is_none() && self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::NAMEREF))
    }

    /// Returns whether there is a variable of its name, even one without a value.
    fn is_known(&self, param: &Param) -> bool {
        let ParamName::Var(name) = param.name else { return true };
        self.vars.get(self.resolve(name).name).is_some()
    }

    /// Returns the value of the parameter that a text names.
    pub(crate) fn value_by_name(&mut self, target: &[u8]) -> Run<Val> {
        if is_name(target) {
            return self.plain_value(ParamName::Var(intern(target)), None);
        }
        if let Some(number) = std::str::from_utf8(target).ok().and_then(|text| text.parse::<u32>().ok()) {
            return self.plain_value(ParamName::Positional(number), None);
        }
        if let [byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')] = target {
            return self.plain_value(ParamName::Special(*byte), None);
        }
        if let Some(open) = target.iter().position(|b| *b == b'[')
            && target.ends_with(b"]")
            && is_name(&target[..open])
        {
            let name = intern(&target[..open]);
            return Ok(match &target[open + 1..target.len() - 1] {
                b"@" => Val::Many(self.elements(name), false),
                b"*" => Val::Many(self.elements(name), true),
                index => self.element_text(name, index).map_or(Val::Unset, Val::One),
            });
        }
        self.error(format!("{}: invalid variable name", String::from_utf8_lossy(target)));
        Err(Flow::Discard(1))
    }

    pub(super) fn plain_value(&mut self, name: ParamName, index: Option<&Subscript>) -> Run<Val> {
        Ok(match name {
            ParamName::Positional(0) => Val::One(self.invocation.arg0.to_vec()),
            ParamName::Positional(number) => self.calls.params.get(number as usize - 1).map_or(Val::Unset, |text| Val::One(text.clone())),
            ParamName::Special(byte) => self.special(byte),
            ParamName::Var(name) => match index {
                None => self.get(name).map_or(Val::Unset, Val::One),
                Some(Subscript::At) => Val::Many(self.elements(name), false),
                Some(Subscript::Star) => Val::Many(self.elements(name), true),
                Some(Subscript::Index(index)) => self.element(name, index)?.map_or(Val::Unset, Val::One),
            },
        })
    }

    fn special(&mut self, byte: u8) -> Val {
        match byte {
            b'@' => Val::Many(self.calls.params.to_vec(), false),
            b'*' => Val::Many(self.calls.params.to_vec(), true),
            b'#' => Val::One(format_int(self.calls.params.len() as i64)),
            b'?' => Val::One(format_int(i64::from(self.last.status))),
            b'$' => Val::One(format_int(i64::from(self.process.pid))),
            b'-' => {
                let mut letters = self.opts.letters();
                if self.invocation.interactive {
                    let at = letters.iter().position(|letter| letter.is_ascii_uppercase() || *letter > b'i').unwrap_or(letters.len());
                    letters.insert(at, b'i');
                }
                letters.extend_from_slice(if self.invocation.from_string {
                    b"c"
                } else if self.invocation.from_stdin {
                    b"s"
                } else {
                    b""
                });
                Val::One(letters)
            }
            _ => self.last.background.map_or(Val::Unset, |pid| Val::One(format_int(i64::from(pid)))),
        }
    }

    /// Returns an element by its subscript.
    pub(crate) fn element(&mut self, name: Sym, index: &Rc<Index>) -> Run<Option<Vec<u8>>> {
        let name = self.resolve_whole(name);
        if matches!(self.vars.get(name).map(|var| &var.value), Some(Value::Assoc(_))) {
            let key = self.key(index)?;
            if key.is_empty() {
                self.error(format!("{}: bad array subscript", name.text()));
                return Ok(None);
            }
            return Ok(match self.vars.get(name).map(|var| &var.value) {
                Some(Value::Assoc(array)) => array.get(&key).map(<[u8]>::to_vec),
                _ => None,
            });
        }
        let at = self.arith(&index.arith)?;
        match self.vars.get(name) {
            Some(var) if !var.attrs.has(Attrs::DYNAMIC) => {
                if let Value::Indexed(array) = &var.value {
                    let real = if at < 0 { at + array.end() } else { at };
                    if real < 0 {
                        self.error(format!("{}: bad array subscript", name.text()));
                        return Ok(None);
                    }
                    return Ok(array.get(real).map(<[u8]>::to_vec));
                }
            }
            _ => {}
        }
        let var = self.var(name);
        Ok(var.and_then(|var| self.indexed(&var, at)))
    }

    /// Returns a subscript as a key of an associative array.
    pub(crate) fn key(&mut self, index: &Index) -> Run<Vec<u8>> {
        self.expand_single(&index.word)
    }

    fn length(&mut self, param: &Param) -> Run<Val> {
        if let (ParamName::Var(name), Some(Subscript::At | Subscript::Star)) = (param.name, &param.index) {
            let name = self.resolve_whole(name);
            if self.opts.has(b'u') && self.vars.get(name).is_none_or(crate::vars::Var::is_bare) && !self.is_dynamic(name) {
                return Err(self.fatal(format!("{}: unbound variable", name.text())));
            }
            match self.vars.get(name).filter(|var| !var.attrs.has(Attrs::DYNAMIC)).map(|var| &var.value) {
                Some(Value::Indexed(array)) => return Ok(Val::One(format_int(array.len() as i64))),
                Some(Value::Assoc(array)) => return Ok(Val::One(format_int(array.len() as i64))),
                _ => {}
            }
        }
        if let (ParamName::Var(name), Some(Subscript::Index(index))) = (param.name, &param.index)
            && let resolved = self.resolve_whole(name)
            && self.vars.get(resolved).is_some_and(|var| matches!(var.value, Value::Indexed(_)) && !var.attrs.has(Attrs::DYNAMIC))
        {
            let at = self.arith(&index.arith)?;
            let Some(Value::Indexed(array)) = self.vars.get(resolved).map(|var| &var.value) else { return Ok(Val::Unset) };
            let at = if at < 0 { at + array.end() } else { at };
            let length = array.get(at).map(crate::pattern::char_count);
            if at < 0 {
                self.error([&index.word.raw[..], b"]: bad array subscript"].concat());
                return Err(Flow::Discard(1));
            }
            if length.is_none() {
                self.check_bound(param)?;
            }
            return Ok(Val::One(format_int(length.unwrap_or(0) as i64)));
        }
        if let (ParamName::Var(name), None) = (param.name, &param.index)
            && self.resolve(name).index.is_some()
        {
            // bash takes the length of a variable whose whole name is `a[1]`, which does not exist.
            return Ok(Val::One(b"0".to_vec()));
        }
        let value = self.plain_value(param.name, param.index.as_ref())?;
        let length = match value {
            Val::Unset => {
                self.check_bound(param)?;
                0
            }
            Val::One(text) => crate::pattern::char_count(&text),
            Val::Many(list, _) => list.len(),
        };
        Ok(Val::One(format_int(length as i64)))
    }

    fn is_dynamic(&self, name: Sym) -> bool {
        self.vars.get(name).is_some_and(|var| var.attrs.has(Attrs::DYNAMIC))
    }

    /// Implements `set -u`: an unset parameter ends the shell.
    pub(crate) fn check_bound(&mut self, param: &Param) -> Run<()> {
        if !self.opts.has(b'u') || matches!(param.name, ParamName::Special(b'@' | b'*')) {
            return Ok(());
        }
        if let (ParamName::Var(name), None) = (param.name, &param.index)
            && self.resolve(name).index.is_some()
        {
            return Ok(());
        }
        let name = match (param.name, &param.index) {
            (ParamName::Var(name), Some(Subscript::Index(index))) => {
                format!("{}[{}]", name.text(), String::from_utf8_lossy(&index.word.raw))
            }
            (ParamName::Var(name), _) if param.indirect => format!("!{}", name.text()),
            (ParamName::Var(name), _) => name.text(),
            (ParamName::Positional(number), _) => {
                let lead = match &param.raw[..] {
                    [b'$', b'{', b'!', ..] => "!",
                    [b'$', b'{', ..] => "",
                    _ => "$",
                };
                format!("{lead}{number}")
            }
            (ParamName::Special(byte), _) => format!("${}", byte as char),
        };
        Err(self.fatal(format!("{name}: unbound variable")))
    }

    /// Expands the word of an operator in place of the parameter.
    pub(crate) fn operand(&mut self, word: &Word, quoted: bool, builder: &mut Builder) -> Run<()> {
        let joined = if quoted { joined_names(&word.parts) } else { None };
        let outer = std::mem::replace(&mut builder.operand, true);
        for part in joined.as_ref().unwrap_or(&word.parts) {
            self.part(part, quoted, true, builder)?;
        }
        builder.operand = outer;
        if quoted && word.parts.is_empty() {
            builder.quoted(b"");
        }
        Ok(())
    }
}

/// Joins names as bash does: within double quotes, it removes the quotes of an operand before it reads names: `"${x+"$y"z}"` means `$yz`
/// there.
fn joined_names(parts: &[Part]) -> Option<Vec<Part>> {
    let extends = |pair: &[Part]| match pair {
        [Part::Double(inner), Part::Lit(text)] => {
            text.first().is_some_and(|b| crate::sym::is_name_byte(*b)) && inner.last().is_some_and(Part::is_plain_name)
        }
        _ => false,
    };
    let at = parts.windows(2).position(extends)?;
    let mut parts = parts.to_vec();
    if let [Part::Double(inner), Part::Lit(text)] = &mut parts[at..at + 2]
        && let Some(Part::Param(param)) = inner.last_mut()
    {
        let end = text.iter().position(|b| !crate::sym::is_name_byte(*b)).unwrap_or(text.len());
        param.raw = [&param.raw[..], &text[..end]].concat().into();
        param.name = ParamName::Var(intern(&param.raw[1..]));
        *text = text[end..].into();
    }
    joined_names(&parts[at + 1..]).map(|rest| [&parts[..=at], &rest].concat()).or(Some(parts))
}
