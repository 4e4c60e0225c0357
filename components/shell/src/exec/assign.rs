//! Assignments of a script: expands their values and builds arrays.

use crate::arith::ArithText;
use crate::ast::{Assign, AssignValue, Element, Index, Part, Word};
use crate::expand::Place;
use crate::shell::{Flow, Run, Shell};
use crate::sym::Sym;
use crate::vars::{Assoc, Attrs, Indexed, Value, Var, format_int};
use std::rc::Rc;

/// An element of an indexed array, the text of its subscript if it has one, and its value.
type Placed<'a> = (&'a Element, Option<Vec<u8>>, Vec<u8>);

impl Shell {
    /// Performs an assignment before a command, with its value expanded: an exported variable of its own, without the attributes
    /// of the variable that it hides.
    pub(super) fn assign_before(&mut self, assign: &Assign, text: Option<Vec<u8>>) -> Run<()> {
        let name = self.resolve(assign.name).name;
        if let Some(index) = &assign.index {
            let index = String::from_utf8_lossy(&index.word.raw).into_owned();
            self.error(format!("`{}[{index}]': not a valid identifier", assign.name.text()));
            return Ok(());
        }
        self.vars.shadow(name);
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
        self.vars.put(name, Var { value: Value::Str(text), attrs: Attrs(Attrs::EXPORT.0 | Attrs::TEMPORARY.0) });
        self.assigned(name);
        Ok(())
    }

    /// Performs an assignment.
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

    /// Performs `name[index]=value`
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

    /// Performs `name=( … )`
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
        // Everything is expanded before the array changes, because the elements may come from the old array. The
        // subscripts are evaluated after that.
        let placed = self.placed_elements(elements)?;
        if append {
            self.make_indexed(name);
        } else {
            self.vars.make(name).value = Value::Indexed(Indexed::default());
        }
        self.vars.make(name).given();
        let converts = attrs.any(Attrs::INTEGER.0 | Attrs::UPPER.0 | Attrs::LOWER.0 | Attrs::CAPITALIZE.0);
        if !converts
            && placed.iter().all(|(_, subscript, _)| subscript.is_none())
            && let Value::Indexed(array) = &mut self.vars.make(name).value
        {
            // A plain list, as most are.
            let first = array.end();
            placed.into_iter().zip(first..).for_each(|((_, _, value), at)| array.set(at, value));
            return Ok(());
        }
        let mut next = None;
        for (element, subscript, value) in placed {
            let end = match self.vars.get(name).map(|var| &var.value) {
                Some(Value::Indexed(array)) => array.end(),
                _ => 0,
            };
            let at = match &subscript {
                None => next.unwrap_or(end),
                Some(text) => {
                    let at = self.eval_expanded(text, false)?;
                    if at < 0 { at + end } else { at }
                }
            };
            if at < 0 {
                self.bad_element(element, &value, "bad array subscript");
                continue;
            }
            let value = self.convert(attrs, value)?;
            if let Value::Indexed(array) = &mut self.vars.make(name).value {
                let old = if element.append { array.get(at).unwrap_or_default() } else { b"" };
                let value = if old.is_empty() { value } else { appended(attrs, old, &value) };
                array.set(at, value);
            }
            next = Some(at + 1);
        }
        Ok(())
    }

    /// Returns the elements of an indexed array, expanded.
    fn placed_elements<'a>(&mut self, elements: &'a [Element]) -> Run<Vec<Placed<'a>>> {
        let mut placed = Vec::with_capacity(elements.len());
        let mut list = Vec::new();
        for element in elements {
            match &element.index {
                Some(_) if element.value.brace && self.opts.has(b'B') && crate::expand::brace_applies(&element.value.parts) => {
                    // `[5]={a,b}` is expanded like any other word.
                    self.braced_element(element, &mut list)?;
                    placed.extend(list.drain(..).map(|value| (element, None, value)));
                }
                Some(index) if matches!(&index.word.raw[..], b"*" | b"@") => {
                    self.bad_element(element, &element.value.raw, "cannot assign to non-numeric index");
                }
                Some(index) if index.word.raw.is_empty() => self.bad_element(element, &element.value.raw, "bad array subscript"),
                Some(index) => {
                    let at = self.arith_text(&index.arith)?;
                    placed.push((element, Some(at), self.expand_for(&element.value, Place::Element)?));
                }
                None => {
                    self.expand_into(&element.value, &mut list)?;
                    placed.extend(list.drain(..).map(|value| (element, None, value)));
                }
            }
        }
        Ok(placed)
    }

    /// Reports an element that is left out.
    fn bad_element(&mut self, element: &Element, value: &[u8], what: &str) {
        let index = element.index.as_ref().map_or(&b""[..], |index| &index.word.raw);
        let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
        self.error([b"[", index, equals, value, b": ", what.as_bytes()].concat());
    }

    fn assign_assoc(&mut self, name: Sym, elements: &[Element], append: bool, attrs: Attrs) -> Run<()> {
        // `name+=( … )` changes the array element by element; otherwise `[key]+=` adds to what the old array has.
        let mut fresh = Assoc::default();
        let mut pending: Option<Vec<u8>> = None;
        // The form of the first element decides how all elements are read.
        let keyed = elements.first().is_some_and(|element| element.index.is_some());
        for element in elements {
            let (key, value) = match &element.index {
                Some(index) if keyed => {
                    let key = self.key(index)?;
                    if key.is_empty() {
                        self.bad_element(element, &element.value.raw, "bad array subscript");
                        continue;
                    }
                    let value = self.element_value(element)?;
                    let old = match self.vars.get(name).map(|var| &var.value) {
                        Some(Value::Assoc(array)) if element.append => array.get(&key).unwrap_or_default().to_vec(),
                        _ => Vec::new(),
                    };
                    (key, self.joined(attrs, old, value, element.append)?)
                }
                // `( key value … )`
                None if keyed => {
                    let text = String::from_utf8_lossy(&element.value.raw).into_owned();
                    self.error(format!("{}: {text}: must use subscript when assigning associative array", name.text()));
                    continue;
                }
                // The value of a refused key is not even expanded.
                _ if pending.as_ref().is_some_and(Vec::is_empty) => {
                    pending = None;
                    continue;
                }
                _ => {
                    let text = self.element_value(element)?;
                    // Here `[key]=value` is only text.
                    let text =
                        element.index.as_ref().map_or_else(|| text.clone(), |index| [b"[", &index.word.raw[..], b"]=", &text].concat());
                    match pending.take() {
                        None => {
                            if text.is_empty() {
                                let shown = String::from_utf8_lossy(&element.value.raw).into_owned();
                                self.error(format!("{shown}: bad array subscript"));
                            }
                            pending = Some(text);
                            continue;
                        }
                        Some(key) => (key, self.convert(attrs, text)?),
                    }
                }
            };
            match &mut self.vars.make(name).value {
                Value::Assoc(array) if append => array.set(key, value),
                _ => fresh.set(key, value),
            }
        }
        let rest = pending.filter(|key| !key.is_empty());
        let var = self.vars.make(name);
        var.given();
        if !append {
            var.value = Value::Assoc(fresh);
        }
        if let (Some(key), Value::Assoc(array)) = (rest, &mut var.value) {
            array.set(key, Vec::new());
        }
        Ok(())
    }

    /// Returns the value of an element of an associative array, in which a tilde is only text.
    fn element_value(&mut self, element: &Element) -> Run<Vec<u8>> {
        if !element.value.parts.iter().any(|part| matches!(part, Part::Tilde(_))) {
            return self.expand_single(&element.value);
        }
        let mut word = element.value.clone();
        for part in &mut word.parts {
            if let Part::Tilde(name) = part {
                *part = Part::Quoted([b"~", &name[..]].concat().into());
            }
        }
        self.expand_single(&word)
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

    /// Returns the elements of `name=( … )` with their values expanded: the elements of a local array may come from the outer
    /// one. `tilde`: also in the values of an associative array.
    pub(crate) fn expanded_elements(&mut self, elements: &[Element], assoc: bool, tilde: bool) -> Run<Vec<Element>> {
        let word = |text: Vec<u8>, raw: &[u8]| Word { raw: raw.into(), parts: vec![Part::Quoted(text.into())], brace: false };
        let mut done = Vec::with_capacity(elements.len());
        for element in elements {
            let index = match &element.index {
                Some(index) => {
                    // A subscript is evaluated when the local array is assigned.
                    let raw = &index.word.raw[..];
                    let text = match raw {
                        b"*" | b"@" | b"" if !assoc => raw.to_vec(),
                        _ if assoc => self.key(index)?,
                        _ => self.arith_text(&index.arith)?,
                    };
                    let text = Word { raw: text.clone().into(), parts: vec![Part::Lit(text.into())], brace: false };
                    Some(Rc::new(Index { arith: ArithText::new(text.clone()), word: text }))
                }
                None if assoc => None,
                None => {
                    let mut list = Vec::new();
                    self.expand_into(&element.value, &mut list)?;
                    done.extend(list.into_iter().map(|text| Element { index: None, append: false, value: word(text, &element.value.raw) }));
                    continue;
                }
            };
            let value = match (assoc, tilde) {
                (true, false) => self.element_value(element)?,
                (true, true) => self.expand_single(&element.value)?,
                (false, _) => self.expand_for(&element.value, Place::Element)?,
            };
            let value = word(value, &element.value.raw);
            done.push(Element { index, append: element.append, value });
        }
        Ok(done)
    }
}

/// Implements `[index]+=value`: a sum where the variable is an integer, and otherwise one text.
fn appended(attrs: Attrs, old: &[u8], value: &[u8]) -> Vec<u8> {
    let number = |text: &[u8]| crate::vars::parse_int(text).unwrap_or(0);
    if attrs.has(Attrs::INTEGER) { format_int(number(old).wrapping_add(number(value))) } else { [old, value].concat() }
}
