//! Options as arguments of a function: each value is read by the type that the function's schema gives its parameter.

use crate::json::{Map, Str, Val, parse_one};
use std::rc::Rc;

/// A parameter, as its schema describes it.
pub(super) struct Parameter {
    pub name: String,
    /// The type; `value` if the schema names none, or several.
    pub kind: String,
    /// The type of an array's items.
    items: String,
    pub description: String,
    pub required: bool,
}

/// Returns a member of an object.
fn member<'v>(value: &'v Val, name: &str) -> Option<&'v Val> {
    match value {
        Val::Obj(fields) => fields.0.get(&name.to_owned()),
        _ => None,
    }
}

/// Returns a string member of an object.
fn text<'v>(value: &'v Val, name: &str) -> Option<&'v str> {
    member(value, name).and_then(Val::as_str)
}

/// Returns the parameters of a schema: required ones first, in the order of `required`.
pub(super) fn parameters(schema: &Val) -> Vec<Parameter> {
    let Some(Val::Obj(properties)) = member(schema, "properties") else { return Vec::new() };
    let required: Vec<&str> = match member(schema, "required") {
        Some(Val::Arr(names)) => names.0.iter().filter_map(Val::as_str).collect(),
        _ => Vec::new(),
    };
    let one = |(name, about): (&Str, &Val)| Parameter {
        name: name.to_string(),
        kind: text(about, "type").unwrap_or("value").to_owned(),
        items: member(about, "items").and_then(|items| text(items, "type")).unwrap_or("value").to_owned(),
        description: text(about, "description").unwrap_or_default().to_owned(),
        required: required.contains(&name.as_str()),
    };
    let mut found: Vec<Parameter> = properties.0.iter().map(one).collect();
    found.sort_by_key(|parameter| required.iter().position(|name| *name == parameter.name).unwrap_or(usize::MAX));
    found
}

/// Returns the arguments that options give.
///
/// # Errors
/// What is wrong with the command line.
pub(super) fn arguments(words: &[&str], schema: &Val) -> Result<Val, String> {
    let known = parameters(schema);
    let open = known.is_empty() || member(schema, "additionalProperties").is_some_and(Val::is_true);
    let (mut found, mut words) = (Map::default(), words.iter().copied().peekable());
    while let Some(word) = words.next() {
        let Some(option) = word.strip_prefix("--").filter(|option| !option.is_empty()) else {
            return Err(format!("`{word}`: write `--PARAMETER VALUE`, or all arguments as one JSON object"));
        };
        let (name, given) = option.split_once('=').map_or((option, None), |(name, value)| (name, Some(value)));
        // `--max-results` is the parameter `max_results`, unless there is one with that very name.
        let plain = name.replace('-', "_");
        let parameter =
            known.iter().find(|parameter| parameter.name == name).or_else(|| known.iter().find(|parameter| parameter.name == plain));
        let (name, kind) = match parameter {
            Some(parameter) => (parameter.name.clone(), parameter.kind.as_str()),
            None if open => (plain, "value"),
            None => {
                let names: Vec<String> = known.iter().map(|parameter| format!("--{}", parameter.name)).collect();
                return Err(format!("there is no parameter `{name}`; there are {}", names.join(", ")));
            }
        };
        let flag = kind == "boolean" && given.is_none() && words.peek().is_none_or(|next| next.starts_with("--"));
        if flag {
            found.insert(Rc::new(name), Val::Bool(true));
            continue;
        }
        let Some(value) = given.or_else(|| words.next()) else {
            return Err(format!("`--{name}` needs a value"));
        };
        let key: Str = Rc::new(name);
        if let Some(parameter) = parameter.filter(|parameter| parameter.kind == "array" && !value.starts_with('[')) {
            // Each use of the option is an item.
            let item = typed(&key, value, &parameter.items)?;
            let mut items = match found.get(&*key) {
                Some(Val::Arr(items)) => items.0.clone(),
                _ => Vec::new(),
            };
            items.push(item);
            found.insert(key, Val::arr(items));
        } else {
            let value = typed(&key, value, kind)?;
            found.insert(key, value);
        }
    }
    let missing = known.iter().find(|parameter| parameter.required && !found.contains_key(&parameter.name));
    match missing {
        Some(parameter) => Err(format!("the parameter `--{}` is missing", parameter.name)),
        None => Ok(Val::obj(found)),
    }
}

/// Returns a value by its type. Where there is none, JSON is JSON, and anything else text.
fn typed(name: &str, text: &str, kind: &str) -> Result<Val, String> {
    let read = parse_one(text);
    match kind {
        "string" => Ok(Val::str(text)),
        "value" => Ok(read.unwrap_or_else(|_| Val::str(text))),
        kind => match read {
            Ok(value) if value.kind() == kind => Ok(value),
            Ok(value) if kind == "integer" && value.number().is_some_and(|number| number.fract() == 0.0) => Ok(value),
            _ => {
                let article = if kind.starts_with(['a', 'i', 'o']) { "an" } else { "a" };
                Err(format!("`--{name}` is {article} {kind}, not `{text}`"))
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_text;

    const SCHEMA: &str = r#"{"properties": {
        "limit": {"type": "integer"}, "query": {"type": "string"}, "deep": {"type": "boolean"}, "tag": {"type": "array", "items": {"type": "string"}},
        "max_results": {"type": "number"}, "any": {}}, "required": ["query"]}"#;

    fn read(words: &[&str]) -> Result<String, String> {
        arguments(words, &parse_one(SCHEMA).expect("a schema")).map(|value| to_text(&value))
    }

    #[test]
    fn values_have_the_types_of_their_parameters() {
        for (words, expected) in [
            (&["--query", "5"][..], r#"{"query":"5"}"#),
            (&["--query=a=b", "--limit", "5"], r#"{"query":"a=b","limit":5}"#),
            (&["--deep", "--query", "-x"], r#"{"deep":true,"query":"-x"}"#),
            (&["--query", "x", "--deep", "false"], r#"{"query":"x","deep":false}"#),
            (&["--query", "x", "--tag", "a", "--tag", "1"], r#"{"query":"x","tag":["a","1"]}"#),
            (&["--query", "x", "--tag", "[\"a\"]"], r#"{"query":"x","tag":["a"]}"#),
            (&["--query", "x", "--max-results", "1.5"], r#"{"query":"x","max_results":1.5}"#),
            (&["--query", "x", "--any", "{\"a\":1}"], r#"{"query":"x","any":{"a":1}}"#),
            (&["--query", "x", "--any", "plain"], r#"{"query":"x","any":"plain"}"#),
        ] {
            assert_eq!(read(words).as_deref(), Ok(expected), "{words:?}");
        }
    }

    #[test]
    fn mistakes_are_named() {
        for (words, expected) in [
            (&["--limit", "5"][..], "the parameter `--query` is missing"),
            (&["--query"], "`--query` needs a value"),
            (&["--query", "x", "--limit", "1.5"], "`--limit` is an integer, not `1.5`"),
            (&["--query", "x", "--limit", "many"], "`--limit` is an integer, not `many`"),
            (&["query", "x"], "`query`: write `--PARAMETER VALUE`, or all arguments as one JSON object"),
        ] {
            assert_eq!(read(words).expect_err("a mistake"), expected, "{words:?}");
        }
        assert!(read(&["--what", "x"]).expect_err("unknown").starts_with("there is no parameter `what`; there are --query, "));
    }

    #[test]
    fn without_a_schema_json_is_json() {
        let read = |words: &[&str]| arguments(words, &Val::Null).map(|value| to_text(&value));
        assert_eq!(read(&["--a", "1", "--b", "x", "--c-d", "null"]).as_deref(), Ok(r#"{"a":1,"b":"x","c_d":null}"#));
        assert_eq!(read(&[]).as_deref(), Ok("{}"));
    }
}
