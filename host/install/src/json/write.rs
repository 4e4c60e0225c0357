//! What is put into a text and taken out of it, in the style that the text has.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp};
use jsonc_parser::common::Ranged as _;
use serde_json::Value;

use super::read::{Document, inside};
use crate::format::newline;

/// What is written: objects whose members have an order, and values.
pub(super) enum Item {
    Members(Vec<(String, Self)>),
    Value(Value),
}

/// Edits of one text, from its start to its end.
pub(super) struct Edits<'d, 't> {
    document: &'d Document<'t>,
    newline: &'static str,
    unit: &'t str,
    edits: Vec<(Range<usize>, String)>,
}

impl<'d, 't> Edits<'d, 't> {
    pub(super) fn of(document: &'d Document<'t>) -> Self {
        let root = document.chain(&[]).ok().flatten().and_then(|chain| chain.first().copied());
        let first = root.and_then(|root| root.properties.first().filter(|_| !is_inline(document.text, &[root])));
        let unit = first.map(|member| indentation(document.text, member.range.start)).filter(|unit| !unit.is_empty());
        Self { document, newline: newline(document.text), unit: unit.unwrap_or("  "), edits: Vec::new() }
    }

    /// Makes the edits.
    pub(super) fn apply(self) -> String {
        let mut text = String::with_capacity(self.document.text.len());
        let mut done = 0;
        for (range, new) in &self.edits {
            text.push_str(&self.document.text[done..range.start]);
            text.push_str(new);
            done = range.end;
        }
        text.push_str(&self.document.text[done..]);
        text
    }

    /// Puts a member behind the last one of the last object of a chain.
    pub(super) fn insert(mut self, chain: &[&Object<'t>], key: &str, item: &Item) -> Self {
        let Some(object) = chain.last() else {
            return self;
        };
        let (text, inline) = (self.document.text, is_inline(self.document.text, chain));
        let outer = indentation(text, object.range.start);
        let indent = match object.properties.first() {
            Some(first) if !inline => indentation(text, first.range.start).to_owned(),
            _ => format!("{outer}{}", self.unit),
        };
        let member = format!("{}: {}", quoted(key), self.rendered(item, &indent, inline));
        let inner = inside(object);
        // Behind what is there, a comment for example, and before the space that leads to the brace.
        let end = inner.start + text[inner.clone()].trim_end().len();
        let Some(last) = object.properties.last() else {
            let space = &text[end..inner.end];
            self.edits.push(match (inline, end == inner.start) {
                (true, true) => (end..inner.end, member),
                (true, false) => (end..end, format!(" {member}")),
                (false, _) if space.contains('\n') => (end..end, format!("{}{member}", self.line(&indent))),
                (false, _) => (end..inner.end, format!("{}{member}{}", self.line(&indent), self.line(outer))),
            });
            return self;
        };
        let value = last.value.range().end;
        match (comma(text, value), inline) {
            (Some(comma), true) => self.edits.push((comma + 1..comma + 1, format!(" {member},"))),
            (None, true) => self.edits.push((value..value, format!(", {member}"))),
            (Some(_), false) => self.edits.push((end..end, format!("{}{member},", self.line(&indent)))),
            (None, false) => {
                self.edits.push((value..value, ",".to_owned()));
                self.edits.push((end..end, format!("{}{member}", self.line(&indent))));
            }
        }
        self
    }

    /// Replaces the value of a member.
    pub(super) fn replace(mut self, chain: &[&Object<'t>], member: &ObjectProp<'t>, item: &Item) -> Self {
        let indent = indentation(self.document.text, member.range.start);
        let new = self.rendered(item, indent, is_inline(self.document.text, chain));
        let range = member.value.range();
        self.edits.push((range.start..range.end, new));
        self
    }

    /// Takes out the member at `index` of the last object of a chain, with one comma: its own, or the one before it.
    pub(super) fn remove(mut self, chain: &[&Object<'t>], index: usize) -> Self {
        let text = self.document.text;
        let Some((object, member)) = chain.last().and_then(|object| Some((object, object.properties.get(index)?))) else {
            return self;
        };
        let start = text[..member.range.start].trim_end().len();
        let value = member.value.range().end;
        let own = comma(text, value);
        let end = own.map_or(value, |own| own + 1);
        let before =
            index.checked_sub(1).and_then(|index| object.properties.get(index)).and_then(|before| comma(text, before.value.range().end));
        let inner = inside(object);
        if object.properties.len() == 1 && start == inner.start && text[end..inner.end].trim().is_empty() {
            // Nothing is left: `{}`, as most files have it.
            self.edits.push((inner, String::new()));
            return self;
        }
        if let (None, Some(before)) = (own, before) {
            self.edits.push((before..before + 1, String::new()));
        }
        self.edits.push((start..end, String::new()));
        self
    }

    fn line(&self, indent: &str) -> String {
        format!("{}{indent}", self.newline)
    }

    fn rendered(&self, item: &Item, indent: &str, inline: bool) -> String {
        match item {
            Item::Value(Value::Object(members)) => {
                let members = members.iter().map(|(key, value)| (key.clone(), Item::Value(value.clone()))).collect();
                self.rendered(&Item::Members(members), indent, inline)
            }
            Item::Value(Value::Array(items)) => {
                let items: Vec<String> = items.iter().map(ToString::to_string).collect();
                format!("[{}]", items.join(", "))
            }
            Item::Value(other) => other.to_string(),
            Item::Members(members) => {
                let deeper = format!("{indent}{}", self.unit);
                let member = |(key, item): &(String, Item)| format!("{}: {}", quoted(key), self.rendered(item, &deeper, inline));
                let members: Vec<String> = members.iter().map(member).collect();
                if inline || members.is_empty() {
                    return format!("{{{}}}", members.join(", "));
                }
                let line = self.line(&deeper);
                format!("{{{line}{}{}}}", members.join(&format!(",{line}")), self.line(indent))
            }
        }
    }
}

fn quoted(key: &str) -> String {
    Value::from(key).to_string()
}

/// Returns whether the members of the last object of a chain stand on the line of its brace. One that is empty follows the one around
/// it; one with a comment alone, the comment.
fn is_inline(text: &str, chain: &[&Object<'_>]) -> bool {
    chain.iter().fold(false, |around, object| match object.properties.first() {
        Some(first) => !text[object.range.start..first.range.start].contains('\n'),
        None => (around || !text[inside(object)].trim().is_empty()) && !text[inside(object)].contains('\n'),
    })
}

/// Returns the space at the start of the line that holds a position.
fn indentation(text: &str, position: usize) -> &str {
    let start = text[..position].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[start..position];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns where the comma behind a value is, if there is one before anything but space and comments.
fn comma(text: &str, value: usize) -> Option<usize> {
    let mut position = value;
    loop {
        let rest = &text[position..];
        let space = rest.len() - rest.trim_start().len();
        let rest = &rest[space..];
        position += space;
        if rest.starts_with("//") {
            position += rest.find(['\n', '\r'])?;
        } else if rest.starts_with("/*") {
            position += rest.find("*/")? + 2;
        } else {
            return rest.starts_with(',').then_some(position);
        }
    }
}
