//! What a server says of its tools, made plain: a guest makes signatures of it, and a model reads it.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

/// Maximum characters of the documentation of a tool.
pub(crate) const DOCUMENTATION: usize = 8 << 10;

/// Maximum characters of the description of a parameter.
const DESCRIPTION: usize = 1 << 10;

/// Maximum parameters of a tool that are described. A function with more takes them all by name.
const PARAMETERS: usize = 256;

/// Maximum bytes of the name of a parameter.
const NAME: usize = 128;

/// How deep types are described: `list[list[int]]` is two.
const DEPTH: usize = 6;

/// Maximum alternatives of a type, and values that are named.
const CHOICES: usize = 64;

/// Maximum bytes of a value that is named, and of a schema as a whole. A larger schema describes nothing.
const VALUE: usize = 256;
const SCHEMA: usize = 64 << 10;

/// Maximum bytes of a schema that is read at all: as a value it could take a hundred times its bytes.
const READ: usize = 512 << 10;

/// The types of JSON.
const TYPES: [&str; 7] = ["string", "integer", "number", "boolean", "null", "array", "object"];

/// Reads a schema. One that is too large is none.
pub(crate) fn read<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    let raw = Box::<RawValue>::deserialize(from)?;
    if raw.get().len() > READ { Ok(Value::Null) } else { serde_json::from_str(raw.get()).map_err(D::Error::custom) }
}

/// Returns the schema of a tool's arguments with nothing in it that signatures are not made of; `None` if it does not list them.
pub(crate) fn parameters(schema: &Value) -> Option<Value> {
    let schema = schema.as_object()?;
    let nothing = Map::new();
    let properties = match schema.get("properties") {
        Some(properties) => properties.as_object()?,
        // Without a list, there are no parameters, unless another word says which.
        None if ["anyOf", "oneOf", "allOf", "$ref"].iter().any(|word| schema.contains_key(*word)) => return None,
        None => &nothing,
    };
    let fits = |name: &String| !name.is_empty() && name.len() <= NAME && *name == tidy(name, NAME);
    let kept: Map<String, Value> =
        properties.iter().filter(|(name, _)| fits(name)).take(PARAMETERS).map(|(name, about)| (name.clone(), described(about))).collect();
    let mut required: Vec<&str> = Vec::new();
    for name in schema.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str) {
        if kept.contains_key(name) && !required.contains(&name) {
            required.push(name);
        }
    }
    let others = kept.len() < properties.len()
        || match schema.get("additionalProperties") {
            Some(Value::Bool(others)) => *others,
            Some(Value::Object(_)) => true,
            _ => false,
        };
    let plain = json!({ "type": "object", "properties": kept, "required": required, "additionalProperties": others });
    (plain.to_string().len() <= SCHEMA).then_some(plain)
}

/// Returns the type of a tool's structured result; `None` if it does not say.
pub(crate) fn returns(schema: &Value) -> Option<Value> {
    let plain = schema.is_object().then(|| Value::Object(kind(schema, 0)))?;
    (plain.to_string().len() <= SCHEMA).then_some(plain)
}

/// Returns a parameter: its type, its default and its description.
fn described(about: &Value) -> Value {
    let mut plain = kind(about, 0);
    if let Some(default) = about.get("default").filter(|value| value.to_string().len() <= VALUE) {
        plain.insert("default".to_owned(), default.clone());
    }
    if let Some(text) = about.get("description").and_then(Value::as_str) {
        plain.insert("description".to_owned(), Value::String(tidy(text, DESCRIPTION)));
    }
    Value::Object(plain)
}

/// Returns a type; nothing if it is none that has a name in Python.
fn kind(schema: &Value, depth: usize) -> Map<String, Value> {
    let mut plain = Map::new();
    let (Some(schema), true) = (schema.as_object(), depth < DEPTH) else { return plain };
    let known = |value: &Value| value.as_str().is_some_and(|name| TYPES.contains(&name));
    match schema.get("type") {
        Some(Value::Array(names)) if !names.is_empty() && names.len() <= TYPES.len() && names.iter().all(known) => {
            plain.insert("type".to_owned(), json!(names));
        }
        Some(name) if known(name) => {
            plain.insert("type".to_owned(), name.clone());
        }
        _ => {}
    }
    let scalar = |value: &Value| !value.is_array() && !value.is_object() && value.to_string().len() <= VALUE;
    if let Some(values) = schema.get("enum").and_then(Value::as_array)
        && (1..=CHOICES).contains(&values.len())
        && values.iter().all(scalar)
    {
        plain.insert("enum".to_owned(), json!(values));
    }
    if let Some(items) = schema.get("items").filter(|items| items.is_object()) {
        plain.insert("items".to_owned(), Value::Object(kind(items, depth + 1)));
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = schema.get(word).and_then(Value::as_array)
            && (1..=CHOICES).contains(&choices.len())
        {
            let choices = choices.iter().map(|choice| Value::Object(kind(choice, depth + 1)));
            plain.insert("anyOf".to_owned(), choices.collect());
            break;
        }
    }
    plain
}

/// Returns a text of at most so many characters, without what acts on a terminal or cannot be seen.
pub(crate) fn tidy(text: &str, most: usize) -> String {
    let seen = |char: &char| matches!(char, '\n' | '\t') || !(char.is_control() || is_invisible(*char));
    let mut letters = text.chars().filter(seen);
    let mut plain: String = letters.by_ref().take(most).collect();
    if letters.next().is_some() {
        plain.push('…');
    }
    plain
}

/// Returns whether this is a mark of writing direction, a joiner, or a character without a shape, in which text can be hidden.
fn is_invisible(char: char) -> bool {
    matches!(u32::from(char), 0xAD | 0x61C | 0x180E | 0x200B..=0x200F | 0x2028..=0x202E | 0x2060..=0x206F | 0xFEFF | 0xE0000..=0xE0FFF)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schema_that_is_too_large_is_not_read() {
        let schema = |text: &str| read(&mut serde_json::Deserializer::from_str(text)).expect("JSON");
        assert_eq!(schema(r#"{"type":"object"}"#), json!({ "type": "object" }));
        assert_eq!(schema(&format!(r#"{{"description":"{}"}}"#, "x".repeat(READ))), Value::Null);
    }

    #[test]
    fn what_signatures_are_made_of_stays() {
        let schema = json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "description": "what to look for", "minLength": 1 },
                "kind": { "enum": ["a", "b", null] },
                "limit": { "type": ["integer", "null"], "default": 10 },
                "tags": { "type": "array", "items": { "type": "string", "format": "x" } },
                "when": { "oneOf": [{ "type": "string" }, { "type": "number" }] },
            },
            "required": ["query", "query", "gone", 3],
        });
        let plain = json!({
            "type": "object",
            "properties": {
                "query": { "type": "string", "description": "what to look for" },
                "kind": { "enum": ["a", "b", null] },
                "limit": { "type": ["integer", "null"], "default": 10 },
                "tags": { "type": "array", "items": { "type": "string" } },
                "when": { "anyOf": [{ "type": "string" }, { "type": "number" }] },
            },
            "required": ["query"],
            "additionalProperties": false,
        });
        assert_eq!(parameters(&schema), Some(plain));
        let none = json!({ "type": "object", "properties": {}, "required": [], "additionalProperties": false });
        assert_eq!(parameters(&json!({ "type": "object" })), Some(none));
    }

    #[test]
    fn a_hostile_schema_describes_less() {
        // Nothing that Python's `host` would stumble over is left.
        for (about, left) in [
            (json!(true), json!({})),
            (json!({ "type": { "a": 1 } }), json!({})),
            (json!({ "type": ["string", {}] }), json!({})),
            (json!({ "type": "__import__('os')" }), json!({})),
            (json!({ "enum": [[1], 2], "items": 3, "anyOf": {}, "description": 4 }), json!({})),
            (json!({ "enum": [] , "anyOf": [] }), json!({})),
            (json!({ "enum": vec![0; 1000] }), json!({})),
            (json!({ "default": "x".repeat(1000), "type": "string" }), json!({ "type": "string" })),
            (json!({ "$ref": "#/$defs/x" }), json!({})),
        ] {
            let schema = json!({ "properties": { "p": about }, "required": "p" });
            let plain = parameters(&schema).expect("it lists its parameters");
            assert_eq!((&plain["properties"]["p"], &plain["required"]), (&left, &json!([])), "{schema}");
        }
        for schema in [json!(null), json!([]), json!({ "properties": 3 }), json!({ "$ref": "#" }), json!({ "anyOf": [{}] })] {
            assert_eq!(parameters(&schema), None, "{schema}");
        }
        let mut deep = json!({ "type": "string" });
        for _ in 0..100 {
            deep = json!({ "type": "array", "items": deep });
        }
        let plain = parameters(&json!({ "properties": { "p": deep } })).expect("it lists its parameters").to_string();
        assert_eq!(plain.matches("items").count(), DEPTH);
        // Names that no guest should see are given as others are.
        let plain = parameters(&json!({ "properties": { "a\u{202e}b": {}, "": {}, "ok": {} } })).expect("it lists its parameters");
        assert_eq!(plain, json!({ "type": "object", "properties": { "ok": {} }, "required": [], "additionalProperties": true }));
        let many: Map<String, Value> = (0..5000).map(|n| (format!("p{n}"), json!({ "description": "d" }))).collect();
        let plain = parameters(&json!({ "properties": many })).expect("it lists its parameters");
        assert_eq!((plain["properties"].as_object().map(Map::len), &plain["additionalProperties"]), (Some(PARAMETERS), &json!(true)));
        let long: Map<String, Value> = (0..200).map(|n| (format!("p{n}"), json!({ "description": "d".repeat(5000) }))).collect();
        assert_eq!(parameters(&json!({ "properties": long })), None, "200 KB of descriptions");
    }

    #[test]
    fn texts_are_short_and_plain() {
        assert_eq!(tidy("a\tb\nc\r\u{1b}[31m\u{202e}\u{200b}\u{e0041}d", 100), "a\tb\nc[31md");
        assert_eq!(tidy("äöü", 2), "äö…");
        assert_eq!(tidy("äöü", 3), "äöü");
    }
}
