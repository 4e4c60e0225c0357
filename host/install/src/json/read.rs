//! A text with the places of its parts.

use std::ops::Range;

use jsonc_parser::ast::{Array, Object, ObjectProp, Value as Node};
use jsonc_parser::common::{Range as Span, Ranged as _};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::Value;

use crate::format::{Trouble, line_of};

/// A text whose outermost value is an object.
pub(super) struct Document<'t> {
    pub(super) text: &'t str,
    root: Object<'t>,
}

impl<'t> Document<'t> {
    /// Reads a text. `comments` allows comments, and a comma after the last member.
    pub(super) fn read(text: &'t str, comments: bool) -> Result<Self, Trouble> {
        let options = ParseOptions {
            allow_comments: comments,
            allow_trailing_commas: comments,
            allow_loose_object_property_names: false,
            allow_missing_commas: false,
            allow_single_quoted_strings: false,
            allow_hexadecimal_numbers: false,
            allow_unary_plus_numbers: false,
            allow_bare_decimal_point_numbers: false,
            allow_non_finite_numbers: false,
            allow_extended_string_escapes: false,
        };
        let parsed = parse_to_ast(text, &CollectOptions::default(), &options).map_err(|error| Trouble::Syntax {
            line: error.line_display(),
            column: error.column_display(),
            what: error.kind().to_string(),
        })?;
        match parsed.value {
            Some(Node::Object(root)) => Ok(Self { text, root }),
            Some(other) => Err(shape(text, other.range().start, "the settings are no object; a configuration starts with `{`")),
            None => Err(shape(text, text.len(), "there is no `{`, which a configuration starts with; write `{}` there")),
        }
    }

    /// Returns the whole text as a value.
    pub(super) fn value(&self) -> Value {
        object(&self.root)
    }

    /// Returns the objects from the outermost to the one at `path`, or nothing if a key is missing.
    pub(super) fn chain(&self, path: &[&str]) -> Result<Option<Vec<&Object<'t>>>, Trouble> {
        let mut chain = vec![&self.root];
        let mut inner = &self.root;
        for key in path {
            match self.find(inner, key)?.map(|(_, member)| &member.value) {
                None => return Ok(None),
                Some(Node::Object(found)) => inner = found,
                Some(other) => {
                    let what = format!("`{key}` is no object, so no entry can stand in it; make it one");
                    return Err(shape(self.text, other.range().start, &what));
                }
            }
            chain.push(inner);
        }
        Ok(Some(chain))
    }

    /// Returns the list at `path`, behind the objects that lead to it, or nothing if a key is missing.
    pub(super) fn list(&self, path: &[&str]) -> Result<Option<List<'_, 't>>, Trouble> {
        let Some((key, above)) = path.split_last() else { return Ok(None) };
        let Some(chain) = self.chain(above)? else { return Ok(None) };
        match self.member(&chain, key)?.map(|(_, member)| &member.value) {
            None => Ok(None),
            Some(Node::Array(list)) => Ok(Some((chain, list))),
            Some(other) => {
                let what = format!("`{key}` is no list, so no entry can stand in it; make it one");
                Err(shape(self.text, other.range().start, &what))
            }
        }
    }

    /// Returns a member of the last object of a chain, with its position among the others.
    pub(super) fn member<'d>(&self, chain: &[&'d Object<'t>], key: &str) -> Result<Option<(usize, &'d ObjectProp<'t>)>, Trouble> {
        chain.last().copied().map_or(Ok(None), |object| self.find(object, key))
    }

    /// Returns whether a member is `{}` or `[]`, with nothing in it.
    pub(super) fn is_bare(&self, member: &ObjectProp<'t>) -> bool {
        let inner = match &member.value {
            Node::Object(object) => inside(object.range),
            Node::Array(list) => inside(list.range),
            _ => return false,
        };
        self.text[inner].trim().is_empty()
    }

    fn find<'d>(&self, object: &'d Object<'t>, key: &str) -> Result<Option<(usize, &'d ObjectProp<'t>)>, Trouble> {
        let mut found = object.properties.iter().enumerate().filter(|(_, member)| member.name.as_str() == key);
        let first = found.next();
        match found.next() {
            None => Ok(first),
            Some((_, second)) => {
                let what = format!("`{key}` is there a second time; leave one of the two");
                Err(shape(self.text, second.range.start, &what))
            }
        }
    }
}

/// A list, and the objects from the outermost to the one that holds it.
pub(super) type List<'d, 't> = (Vec<&'d Object<'t>>, &'d Array<'t>);

/// Returns what is between the braces of an object, or the brackets of a list.
pub(super) fn inside(range: Span) -> Range<usize> {
    range.start + 1..range.end.saturating_sub(1)
}

fn shape(text: &str, position: usize, what: &str) -> Trouble {
    Trouble::Shape { line: line_of(text, position), what: what.to_owned() }
}

fn object(object: &Object<'_>) -> Value {
    Value::Object(object.properties.iter().map(|member| (member.name.as_str().to_owned(), node(&member.value))).collect())
}

fn node(value: &Node<'_>) -> Value {
    match value {
        Node::StringLit(text) => Value::String(text.value.to_string()),
        // As it is written, if it is no number that a program has: only compared with itself.
        Node::NumberLit(number) => serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned())),
        Node::BooleanLit(truth) => Value::Bool(truth.value),
        Node::NullKeyword(_) => Value::Null,
        Node::Object(inner) => object(inner),
        Node::Array(items) => Value::Array(items.elements.iter().map(node).collect()),
    }
}
