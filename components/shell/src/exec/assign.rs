//! Assignments of a script: expands their values and builds arrays.

use crate::arith::ArithText;
use crate::ast::{Assign, AssignValue, Element, Index, Part, Word};
use crate::expand::Place;
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Assoc, Attrs, Indexed, Value, Var, format_int};
use std::rc::Rc;

impl Shell {
    /// An assignment before a command, with its value expanded: an exported variable of its own, without the attributes
    /// of the variable that it hides.
    pub(super) fn assign_before(&mut self, assign: &Assign, text: Option<Vec<u8>>) -> Run<()> {
        let name = self.resolve(assign.name).name;
        self.vars.shadow(name);
        if assign.index.is_some() {
            self.assign(assign)?;
        } else {
            let mut text = match &assign.value {
                AssignValue::Scalar(_) => text.unwrap_or_default(),
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

    /// Perform an assignment.
    pub(crate) fn assign(&mut self, assign: &Assign) -> Run<()> {
        match (&assign.value, &assign.index) {
            (AssignValue::Scalar(word), None) => {
                let value = self.expand_for(word, Place::Value)?;
                if assign.append { self.append(assign.name, value) } else { self.set(assign.name, value) }
            }
            (AssignValue::Scalar(word), Some(index)) => {
                let value = self.expand_for(word, Place::Value)?;
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
        if matches!(&index.word.raw[..], b"*" | b"@") {
            self.error(format!("{}[{}]: bad array subscript", name.text(), String::from_utf8_lossy(&index.word.raw)));
            return Err(Flow::Discard(1));
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
        // Everything is expanded before the array changes, because the elements may come from the old array.
        type Placed = (Option<(i64, bool)>, Vec<u8>);
        let mut values: Vec<Placed> = Vec::with_capacity(elements.len());
        let mut list = Vec::new();
        for element in elements {
            if element.value.brace && element.index.is_some() && self.opts.has(b'B') && crate::expand::brace_applies(&element.value.parts) {
                // `[5]={a,b}` is expanded like any other word.
                self.braced_element(element, &mut list)?;
                values.extend(list.drain(..).map(|value| (None, value)));
                continue;
            }
            match &element.index {
                Some(index) => {
                    let raw = &index.word.raw[..];
                    let any = matches!(raw, b"*" | b"@");
                    let at = if any || raw.is_empty() { -1 } else { self.arith(&index.arith)? };
                    if at < 0 && (!append || any || raw.is_empty()) {
                        let (index, value) = (String::from_utf8_lossy(raw), String::from_utf8_lossy(&element.value.raw));
                        let what = if any { "cannot assign to non-numeric index" } else { "bad array subscript" };
                        self.error(format!("[{index}]={value}: {what}"));
                        continue;
                    }
                    let value = self.expand_for(&element.value, Place::Element)?;
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
                    let old = if append { array.get(at).unwrap_or_default() } else { b"" };
                    let value = if old.is_empty() { value } else { appended(attrs, old, &value) };
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
        // The form of the first element decides how all elements are read.
        let keyed = elements.first().is_some_and(|element| element.index.is_some());
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
                    let value = self.expand_single(&element.value)?;
                    let value = if element.append && attrs.has(Attrs::INTEGER) { self.convert(attrs, value)? } else { value };
                    let old = if element.append { array.get(&key).unwrap_or_default() } else { b"" };
                    let value = if old.is_empty() { value } else { appended(attrs, old, &value) };
                    let value = self.convert(attrs, value)?;
                    array.set(key, value);
                }
                // `( key value … )`
                None if keyed => {
                    let text = String::from_utf8_lossy(&element.value.raw).into_owned();
                    self.error(format!("{}: {text}: must use subscript when assigning associative array", name.text()));
                }
                None => {
                    let text = self.expand_single(&element.value)?;
                    match pending.take() {
                        None if text.is_empty() => {
                            let shown = String::from_utf8_lossy(&element.value.raw).into_owned();
                            self.error(format!("{shown}: bad array subscript"));
                            pending = Some(text);
                        }
                        None => pending = Some(text),
                        // The value of a refused key is skipped too.
                        Some(key) if key.is_empty() => {}
                        Some(key) => array.set(key, self.convert(attrs, text)?),
                    }
                }
            }
        }
        if let Some(key) = pending.filter(|key| !key.is_empty()) {
            array.set(key, Vec::new());
        }
        let var = self.vars.make(name);
        var.given();
        var.value = Value::Assoc(array);
        Ok(())
    }
}

impl Shell {
    fn braced_element(&mut self, element: &Element, list: &mut Vec<Vec<u8>>) -> Run<()> {
        let index = element.index.as_ref().map_or(&b""[..], |index| &index.word.raw);
        let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
        let mut parts = vec![Part::Quoted([b"[", index, equals].concat().into())];
        parts.extend(element.value.parts.iter().cloned());
        self.expand_into(&Word { raw: element.value.raw.clone(), parts, brace: true }, list)
    }

    /// The elements of `name=( … )` with their values expanded: the elements of a local array may come from the outer
    /// one.
    pub(crate) fn expanded_elements(&mut self, elements: &[Element], assoc: bool) -> Run<Vec<Element>> {
        let word = |text: Vec<u8>| Word { raw: text.clone().into(), parts: vec![Part::Quoted(text.into())], brace: false };
        let mut done = Vec::with_capacity(elements.len());
        for element in elements {
            let index = match &element.index {
                Some(index) => {
                    let text = if assoc { self.key(index)? } else { format_int(self.arith(&index.arith)?) };
                    let text = word(text);
                    Some(Rc::new(Index { arith: ArithText::new(text.clone()), word: text }))
                }
                None if assoc => None,
                None => {
                    let mut list = Vec::new();
                    self.expand_into(&element.value, &mut list)?;
                    done.extend(list.into_iter().map(|text| Element { index: None, append: false, value: word(text) }));
                    continue;
                }
            };
            let value = word(self.expand_for(&element.value, Place::Element)?);
            done.push(Element { index, append: element.append, value });
        }
        Ok(done)
    }
}

/// `[index]+=value`: a sum where the variable is an integer, and otherwise one text.
fn appended(attrs: Attrs, old: &[u8], value: &[u8]) -> Vec<u8> {
    let number = |text: &[u8]| crate::vars::parse_int(text).unwrap_or(0);
    if attrs.has(Attrs::INTEGER) { format_int(number(old).wrapping_add(number(value))) } else { [old, value].concat() }
}
