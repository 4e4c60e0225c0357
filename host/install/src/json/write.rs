//! What is put into a text and taken out of it, in the style that the text has.

use std::ops::Range;

use jsonc_parser::ast::{Object, ObjectProp};
use jsonc_parser::common::Ranged as _;
use serde_json::Value;

use super::read::{Document, List, inside};
use crate::format::newline;

/// What is written: objects whose members have an order, lists, and values.
#[derive(Debug, Clone)]
pub(crate) enum Item {
    Members(Vec<(String, Self)>),
    Elements(Vec<Self>),
    Value(Value),
}

impl Item {
    /// Returns what a reader of the text gets.
    pub(crate) fn value(&self) -> Value {
        match self {
            Self::Members(members) => Value::Object(members.iter().map(|(key, item)| (key.clone(), item.value())).collect()),
            Self::Elements(items) => Value::Array(items.iter().map(Self::value).collect()),
            Self::Value(value) => value.clone(),
        }
    }
}

/// The members of an object, or the elements of a list, as places in a text.
struct Group {
    /// What is between the braces or brackets.
    inner: Range<usize>,
    /// Where each begins, and where its value ends.
    parts: Vec<(usize, usize)>,
    /// Whether they stand on the line of the brace.
    inline: bool,
}

impl Group {
    /// Returns the members of the last object of a chain.
    fn members(text: &str, chain: &[&Object<'_>]) -> Option<Self> {
        let object = chain.last()?;
        let parts = object.properties.iter().map(|member| (member.range.start, member.value.range().end)).collect();
        Some(Self { inner: inside(object.range), parts, inline: is_inline(text, chain) })
    }

    /// Returns the elements of a list. One that is empty follows the object around it.
    fn elements(text: &str, (chain, list): &List<'_, '_>) -> Self {
        let parts: Vec<_> = list.elements.iter().map(|element| (element.range().start, element.range().end)).collect();
        let inner = inside(list.range);
        let inline = match parts.first() {
            Some((first, _)) => !text[inner.start..*first].contains('\n'),
            None => (is_inline(text, chain) || !text[inner.clone()].trim().is_empty()) && !text[inner.clone()].contains('\n'),
        };
        Self { inner, parts, inline }
    }
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
    pub(super) fn insert(self, chain: &[&Object<'t>], key: &str, item: &Item) -> Self {
        match Group::members(self.document.text, chain) {
            Some(members) => self.append(members, Some(key), item),
            None => self,
        }
    }

    /// Puts an element behind the last one of a list.
    pub(super) fn push(self, list: &List<'_, 't>, item: &Item) -> Self {
        let elements = Group::elements(self.document.text, list);
        self.append(elements, None, item)
    }

    fn append(mut self, group: Group, key: Option<&str>, item: &Item) -> Self {
        let Group { inner, parts, inline } = group;
        let text = self.document.text;
        let outer = indentation(text, inner.start - 1);
        let indent = match parts.first() {
            Some((first, _)) if !inline => indentation(text, *first).to_owned(),
            _ => format!("{outer}{}", self.unit),
        };
        let rendered = self.rendered(item, &indent, inline);
        let new = match key {
            Some(key) => format!("{}: {rendered}", quoted(key)),
            None => rendered,
        };
        // Behind what is there, a comment for example, and before the space that leads to the brace.
        let end = inner.start + text[inner.clone()].trim_end().len();
        let Some((_, value)) = parts.last().copied() else {
            let space = &text[end..inner.end];
            self.edits.push(match (inline, end == inner.start) {
                (true, true) => (end..inner.end, new),
                (true, false) => (end..end, format!(" {new}")),
                (false, _) if space.contains('\n') => (end..end, format!("{}{new}", self.line(&indent))),
                (false, _) => (end..inner.end, format!("{}{new}{}", self.line(&indent), self.line(outer))),
            });
            return self;
        };
        match (comma(text, value), inline) {
            (Some(comma), true) => self.edits.push((comma + 1..comma + 1, format!(" {new},"))),
            (None, true) => self.edits.push((value..value, format!(", {new}"))),
            (Some(_), false) => self.edits.push((end..end, format!("{}{new},", self.line(&indent)))),
            (None, false) => {
                self.edits.push((value..value, ",".to_owned()));
                self.edits.push((end..end, format!("{}{new}", self.line(&indent))));
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

    /// Replaces an element of a list.
    pub(super) fn swap(mut self, list: &List<'_, 't>, index: usize, item: &Item) -> Self {
        let elements = Group::elements(self.document.text, list);
        if let Some((start, end)) = elements.parts.get(index).copied() {
            let indent = indentation(self.document.text, start);
            let new = self.rendered(item, indent, elements.inline);
            self.edits.push((start..end, new));
        }
        self
    }

    /// Takes out the member at `index` of the last object of a chain, with one comma: its own, or the one before it.
    pub(super) fn remove(self, chain: &[&Object<'t>], index: usize) -> Self {
        match Group::members(self.document.text, chain) {
            Some(members) => self.take(members, index),
            None => self,
        }
    }

    /// Takes out the element at `index` of a list, likewise.
    pub(super) fn pull(self, list: &List<'_, 't>, index: usize) -> Self {
        let elements = Group::elements(self.document.text, list);
        self.take(elements, index)
    }

    fn take(mut self, group: Group, index: usize) -> Self {
        let Group { inner, parts, .. } = group;
        let text = self.document.text;
        let Some((start, value)) = parts.get(index).copied() else {
            return self;
        };
        let start = text[..start].trim_end().len();
        let own = comma(text, value);
        let end = own.map_or(value, |own| own + 1);
        let before = index.checked_sub(1).and_then(|index| parts.get(index)).and_then(|(_, value)| comma(text, *value));
        if parts.len() == 1 && start == inner.start && text[end..inner.end].trim().is_empty() {
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
                self.enclosed(('{', '}'), &members.iter().map(member).collect::<Vec<_>>(), indent, inline)
            }
            Item::Elements(items) => {
                let deeper = format!("{indent}{}", self.unit);
                let element = |item: &Item| self.rendered(item, &deeper, inline);
                self.enclosed(('[', ']'), &items.iter().map(element).collect::<Vec<_>>(), indent, inline)
            }
        }
    }

    fn enclosed(&self, (open, close): (char, char), parts: &[String], indent: &str, inline: bool) -> String {
        if inline || parts.is_empty() {
            return format!("{open}{}{close}", parts.join(", "));
        }
        let line = self.line(&format!("{indent}{}", self.unit));
        format!("{open}{line}{}{}{close}", parts.join(&format!(",{line}")), self.line(indent))
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
        None => (around || !text[inside(object.range)].trim().is_empty()) && !text[inside(object.range)].contains('\n'),
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
