//! `set -x`.

use super::simple::Words;
use crate::ast::{Assign, AssignValue};
use crate::quote::plain_single;
use crate::shell::{Run, Shell};
use crate::sym;

impl Shell {
    /// Performs an assignment under `set -x`: an array is shown as written before its values are computed.
    pub(super) fn traced_assign(&mut self, assign: &Assign) -> Run<()> {
        let mut shown = assign.name.name().to_vec();
        if let Some(index) = &assign.index {
            shown.extend_from_slice(&[b"[", &index.word.raw[..], b"]"].concat());
        }
        shown.extend_from_slice(if assign.append { b"+=" } else { b"=" });
        if let AssignValue::Array(elements) = &assign.value {
            let list: Vec<Vec<u8>> = elements
                .iter()
                .map(|element| match &element.index {
                    Some(index) => {
                        let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
                        [b"[", &index.word.raw[..], equals, &element.value.raw].concat()
                    }
                    None => element.value.raw.to_vec(),
                })
                .collect();
            self.trace(&[&shown[..], b"(", &list.join(&b' '), b")"].concat())?;
            return self.assign(assign);
        }
        let AssignValue::Scalar(word) = &assign.value else { return self.assign(assign) };
        let value = self.expand_for(word, crate::expand::Place::Value)?;
        if !value.is_empty() {
            shown.extend_from_slice(&crate::quote::traced(&value));
        }
        self.trace(&shown)?;
        match &assign.index {
            Some(index) => self.assign_element(assign.name, index, value, assign.append),
            None if assign.append => self.append(assign.name, value),
            None => self.set(assign.name, value),
        }
    }

    /// Prints a command's words under `set -x`; arrays given to a declaration are shown before it.
    pub(super) fn trace_words(&mut self, words: &Words<'_>) -> Run<()> {
        let mut list: Vec<Vec<u8>> = words.list.iter().map(|word| crate::quote::traced(word)).collect();
        let mut behind = Vec::new();
        for (at, assign, value) in &words.declared {
            let name = assign.name.name();
            let equals: &[u8] = if assign.append { b"+=" } else { b"=" };
            match (&assign.value, value) {
                (AssignValue::Array(elements), _) => {
                    let mut values: Vec<Vec<u8>> = Vec::new();
                    for element in elements {
                        if let Some(index) = &element.index {
                            let key = self.expand_single(&index.word)?;
                            let value = self.expand_single(&element.value)?;
                            let equals: &[u8] = if element.append { b"]+=" } else { b"]=" };
                            values.push([b"[", &plain_single(&key)[..], equals, &plain_single(&value)].concat());
                            continue;
                        }
                        let mut list = Vec::new();
                        self.expand_into(&element.value, &mut list)?;
                        values.extend(list.iter().map(|value| plain_single(value)));
                    }
                    self.trace(&[&name[..], equals, b"(", &values.join(&b' ')[..], b")"].concat())?;
                    list[*at] = name.to_vec();
                }
                (_, Some(value)) => {
                    let shown = if value.is_empty() { Vec::new() } else { crate::quote::traced(value) };
                    list[*at] = crate::quote::traced(&[&name[..], equals, value].concat());
                    if matches!(&words.list[0][..], b"export" | b"readonly") {
                        behind.push([&name[..], equals, &shown].concat());
                    }
                }
                _ => {}
            }
        }
        self.trace(&list.join(&b' '))?;
        behind.iter().try_for_each(|line| self.trace(line))
    }

    /// Prints a line of `set -x`.
    pub(crate) fn trace(&mut self, text: &[u8]) -> Run<()> {
        let ps4 = self.get(sym::PS4).unwrap_or_default();
        self.opts.set_letter(b'x', false);
        let prefix = if ps4.contains(&b'\\') { self.prompt(&ps4) } else { self.expand_text(&ps4) };
        self.opts.set_letter(b'x', true);
        let mut prefix = prefix?;
        if let Some(first) = prefix.first().copied() {
            prefix.splice(0..0, std::iter::repeat_n(first, self.nesting.trace));
        }
        prefix.extend_from_slice(text);
        prefix.push(b'\n');
        let number = self.get(sym::BASH_XTRACEFD).and_then(|text| crate::vars::parse_int(&text)).and_then(|n| u32::try_from(n).ok());
        match number.and_then(|number| self.fd(number)) {
            // If the trace cannot be written, there is no way to report it.
            Some(fd) => drop(fd.write(&prefix)),
            None => self.warn_raw(&prefix),
        }
        Ok(())
    }
}
