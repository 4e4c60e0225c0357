//! `policies/schema.json` matches the schema's rows, and it accepts and refuses what wisp does, as far as a JSON Schema
//! can express it. The checker knows the keywords that our schema uses, and fails on any other.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Failed, Trial};
use regex_lite::Regex;
use serde_json::{Map, Value};
use wisp_policy::{SHIPPED_POLICIES, reference};

/// The cases of `fail/` that the schema accepts: another key, layer or file decides that they are wrong, or the bound
/// of a size or a time does.
const BEYOND_A_SCHEMA: &[&str] = &[
    "clock-range",
    "duration-bounds",
    "duration-large",
    "extends-circle",
    "extends-missing",
    "extends-self",
    "extends-too-deep",
    "image-without-python",
    "imports-mount",
    "mount-guarded",
    "mount-long",
    "mount-output",
    "mount-overlap-parent",
    "mount-overlap",
    "mount-own-output",
    "mount-twice",
    "network-methods",
    "options-overlap",
    "output-reserved",
    "policy-missing",
    "policy-unknown",
    "python-determinism",
    "tool-host",
    "tool-network",
    "tool-unknown",
];

pub(crate) fn trials() -> Vec<Trial> {
    vec![
        Trial::test("policy/schema-is-current", is_current),
        Trial::test("policy/schema-accepts", accepts),
        Trial::test("policy/schema-refuses", refuses),
    ]
}

fn is_current() -> Result<(), Failed> {
    let path = super::root().join("../../policies/schema.json");
    super::same(&path, &fs::read_to_string(&path).unwrap_or_default(), &reference::json_schema())
}

fn schema() -> Result<Value, Failed> {
    Ok(serde_json::from_str(&reference::json_schema())?)
}

/// Shipped policies, the cases of `ok/`, and their canonical forms, which have every key.
fn accepts() -> Result<(), Failed> {
    let schema = schema()?;
    let mut texts: Vec<(String, String)> =
        SHIPPED_POLICIES.iter().map(|shipped| (shipped.path.to_owned(), shipped.text.to_owned())).collect();
    for path in files("ok", &["toml", "expected"])? {
        texts.push((path.display().to_string(), fs::read_to_string(path)?));
    }
    for (name, text) in texts {
        let policy: Value = toml::from_str(&text).map_err(|error| format!("{name}: {error}"))?;
        check(&schema, &json(&policy), "").map_err(|problem| format!("{name}: {problem}"))?;
    }
    Ok(())
}

/// Every case of `fail/`, except those that a schema cannot express.
fn refuses() -> Result<(), Failed> {
    let schema = schema()?;
    let mut accepted = Vec::new();
    for path in files("fail", &["toml"])? {
        let text = String::from_utf8_lossy(&fs::read(&path)?).into_owned();
        if toml::from_str::<Value>(&text).is_ok_and(|policy| check(&schema, &json(&policy), "").is_ok()) {
            accepted.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
        }
    }
    if accepted == BEYOND_A_SCHEMA { Ok(()) } else { Err(format!("the schema accepts {accepted:#?}").into()) }
}

fn files(folder: &str, endings: &[&str]) -> Result<Vec<PathBuf>, Failed> {
    let ending = |path: &Path| path.extension().is_some_and(|ending| endings.contains(&&*ending.to_string_lossy()));
    let found: Result<Vec<PathBuf>, _> = fs::read_dir(super::root().join(folder))?.map(|entry| entry.map(|entry| entry.path())).collect();
    let mut found: Vec<PathBuf> = found?.into_iter().filter(|path| ending(path)).collect();
    found.sort();
    if found.is_empty() { Err(format!("{folder} has no files").into()) } else { Ok(found) }
}

/// Converts TOML as editors do for a schema: a date and time becomes a string.
fn json(value: &Value) -> Value {
    const DATE: &str = "$__toml_private_datetime";
    match value {
        Value::Object(members) if members.len() == 1 && members.contains_key(DATE) => members[DATE].clone(),
        Value::Object(members) => members.iter().map(|(name, value)| (name.clone(), json(value))).collect::<Map<_, _>>().into(),
        Value::Array(items) => items.iter().map(json).collect(),
        other => other.clone(),
    }
}

/// Checks a value; the error says where it is invalid.
fn check(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
    let keywords = match schema {
        Value::Bool(true) => return Ok(()),
        Value::Bool(false) => return Err(format!("{at}: there is no such key")),
        _ => schema.as_object().ok_or_else(|| format!("{at}: {schema} is no schema"))?,
    };
    for (keyword, with) in keywords {
        let valid = match keyword.as_str() {
            "$schema" | "title" | "description" | "examples" | "default" => true,
            "type" => with == type_of(value),
            "enum" => array(with).contains(value),
            "anyOf" => array(with).iter().any(|schema| check(schema, value, at).is_ok()),
            "oneOf" => array(with).iter().filter(|schema| check(schema, value, at).is_ok()).count() == 1,
            "not" => check(with, value, at).is_err(),
            "minimum" | "maximum" => match (value.as_i64(), with.as_i64()) {
                (Some(value), Some(bound)) if keyword == "minimum" => value >= bound,
                (Some(value), Some(bound)) => value <= bound,
                _ => true,
            },
            "pattern" => {
                let pattern = Regex::new(with.as_str().unwrap_or_default()).map_err(|error| format!("{at}: {with}: {error}"))?;
                value.as_str().is_none_or(|text| pattern.is_match(text))
            }
            "minLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 >= number(with)),
            "maxLength" => value.as_str().is_none_or(|text| text.chars().count() as u64 <= number(with)),
            "maxItems" => value.as_array().is_none_or(|items| items.len() as u64 <= number(with)),
            "maxProperties" => value.as_object().is_none_or(|members| members.len() as u64 <= number(with)),
            "uniqueItems" => value.as_array().is_none_or(|items| items.iter().enumerate().all(|(at, item)| !items[..at].contains(item))),
            "required" => value.as_object().is_none_or(|members| array(with).iter().all(|name| members.contains_key(text(name)))),
            "items" => {
                for (number, item) in value.as_array().into_iter().flatten().enumerate() {
                    check(with, item, &format!("{at}[{number}]"))?;
                }
                true
            }
            "propertyNames" => {
                for name in value.as_object().into_iter().flatten().map(|(name, _)| name) {
                    check(with, &Value::from(name.as_str()), &format!("{at}.{name} as a name"))?;
                }
                true
            }
            "properties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    check(with.get(name).unwrap_or(&Value::Bool(true)), value, &format!("{at}.{name}"))?;
                }
                true
            }
            "additionalProperties" => {
                for (name, value) in value.as_object().into_iter().flatten() {
                    if keywords.get("properties").is_none_or(|properties| properties.get(name).is_none()) {
                        check(with, value, &format!("{at}.{name}"))?;
                    }
                }
                true
            }
            other => return Err(format!("{at}: the keyword `{other}` is unknown to this test")),
        };
        if !valid {
            return Err(format!("{at}: {value} is not valid for {keyword} {with}"));
        }
    }
    Ok(())
}

fn array(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

fn number(value: &Value) -> u64 {
    value.as_u64().unwrap_or_default()
}

fn type_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(number) if number.is_f64() => "number",
        Value::Number(_) => "integer",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    }
}
