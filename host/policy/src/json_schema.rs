//! The JSON Schema of a policy file, for editors: made from the schema's rows, so that it has every key and no other.
//!
//! It says what can be said of one file without looking at anything else: which keys there are, their types, words and
//! spelling, and the bounds of numbers. Sizes and times as text have their bounds in the description only, and what two
//! keys or two files mean together is checked by [`Policy`](crate::Policy) alone.

use std::ops::RangeInclusive;

use serde_json::{Map, Value, json};

use super::limits;
use super::network::METHODS;
use super::parts::Access;
use super::read::number_text;
use super::schema::{Absent, Key, Row, Shape};
use super::shipped_tools::{shipped_names, taken_names};
use super::tools;
use super::value::{DECIMAL_UNITS, SIZE_UNITS, TIME_UNITS};

/// What each table is for. [`Row`] describes keys only.
const TABLES: &[(&str, &str)] = &[
    ("tools", "The programs on PATH."),
    ("tools.custom", "Components of yours, by the name they have on PATH."),
    ("tools.custom.NAME", "A component of yours."),
    ("imports", "Components of yours in front of imports of tools, by the interface's name without a version."),
    ("imports.NAME", "A component of yours in front of an import."),
    ("filesystem", "The sandbox's own files, and the host's files that it sees."),
    ("filesystem.mount", "A directory or regular file of the host that the sandbox sees."),
    ("network", "HTTP by request. Without this table nothing leaves the sandbox."),
    ("network.allow", "A rule: requests that may be made."),
    ("network.secret", "A secret that is put into requests to one host in place of its placeholder."),
    ("host", "Functions of the host program that may be called. Without this table there are none."),
    ("host.mcp", "A server of the Model Context Protocol, outside the sandbox, whose tools may be called as functions."),
    (
        "python",
        "Where pip finds packages. Without this table, and without a rule of `[network]` for an index, it installs from files only.",
    ),
    ("env", "The guest's environment."),
    ("env.vars", "Variables by name."),
    ("output", "The files that are handed back."),
    ("limits", "What a command may use. Limits are never off: without a key its default holds."),
    ("determinism", "Fixed randomness and virtual time. It excludes `[network]`."),
];

/// The maximum length of each array.
const LONGEST: &[(&str, usize)] = &[
    ("filesystem.mount", limits::MOUNTS),
    ("network.allow", limits::NETWORK_RULES),
    ("network.secret", limits::NETWORK_SECRETS),
    ("host.mcp", limits::MCP_SERVERS),
];

/// Returns the JSON Schema (2020-12) of a policy file, with a line break at the end: what `wisp policies --schema` prints and
/// `policies/schema.json` has.
pub fn json_schema() -> String {
    let mut root = table("");
    root.insert("$schema".into(), json!("https://json-schema.org/draft/2020-12/schema"));
    root.insert("title".into(), json!("wisp policy"));
    root.insert("description".into(), json!("What a session of wisp may do. policies/README.md is the reference."));
    root.insert("not".into(), json!({ "required": ["determinism", "network"] }));
    format!("{:#}\n", Value::Object(root))
}

/// Returns the schema of the table at `path`: its keys and, deeper, its tables.
fn table(path: &str) -> Map<String, Value> {
    let mut schema = Map::new();
    schema.insert("type".into(), json!("object"));
    if let Some((_, description)) = TABLES.iter().find(|(table, _)| *table == path) {
        schema.insert("description".into(), json!(description));
    }
    let (mut properties, mut required, mut named) = (Map::new(), Vec::new(), json!(false));
    for &key in Key::ALL {
        let row = key.row();
        let Some(rest) =
            (if path.is_empty() { Some(row.path) } else { row.path.strip_prefix(path).and_then(|rest| rest.strip_prefix(['.'])) })
        else {
            continue;
        };
        let (word, is_key) = rest.split_once('.').map_or((rest, true), |(word, _)| (word, false));
        let below = if path.is_empty() { word.to_owned() } else { format!("{path}.{word}") };
        let value = if is_key { Value::Object(leaf(key, &row)) } else { list_or_table(&below) };
        if word == "NAME" {
            named = value;
        } else {
            properties.insert(word.trim_end_matches("[]").into(), value);
            if is_key && row.absent == Absent::Required {
                required.push(json!(word));
            }
        }
    }
    match path {
        "tools.custom" => {
            schema.insert("propertyNames".into(), own_tool());
            schema.insert("maxProperties".into(), json!(limits::CUSTOM_TOOLS));
        }
        "imports" => {
            schema.insert("propertyNames".into(), json!({ "pattern": "^[A-Za-z0-9-]+:[A-Za-z0-9-]+/[A-Za-z0-9-]+$" }));
            schema.insert("maxProperties".into(), json!(limits::IMPORTS));
        }
        "env.vars" => drop(schema.insert("propertyNames".into(), json!({ "pattern": "^[^=\u{0}-\u{1f}]+$" }))),
        "network.secret[]" => {
            let places = ["header", "query", "body_field"].map(|place| json!({ "required": [place] }));
            schema.insert("oneOf".into(), json!(places));
        }
        "host.mcp[]" => {
            let without = |words: [&str; 2]| json!({ "anyOf": words.map(|word| json!({ "required": [word] })) });
            let program = json!({ "required": ["command"], "not": without(["url", "bearer_env"]) });
            let elsewhere = json!({ "required": ["url"], "not": without(["command", "from_env"]) });
            schema.insert("oneOf".into(), json!([program, elsewhere]));
        }
        _ => {}
    }
    if !properties.is_empty() {
        schema.insert("properties".into(), Value::Object(properties));
    }
    if !required.is_empty() {
        schema.insert("required".into(), Value::Array(required));
    }
    schema.insert("additionalProperties".into(), named);
    schema
}

/// Returns the table at `path`, or the list of tables if the path ends in `[]`.
fn list_or_table(path: &str) -> Value {
    let Some(list) = path.strip_suffix("[]") else {
        return Value::Object(table(path));
    };
    let mut schema = Map::from_iter([("type".to_owned(), json!("array")), ("items".to_owned(), Value::Object(table(path)))]);
    if let Some((_, description)) = TABLES.iter().find(|(table, _)| *table == list) {
        schema.insert("description".into(), json!(description));
    }
    if let Some((_, longest)) = LONGEST.iter().find(|(table, _)| *table == list) {
        schema.insert("maxItems".into(), json!(longest));
    }
    Value::Object(schema)
}

/// Returns the schema of one key's value.
fn leaf(key: Key, row: &Row) -> Map<String, Value> {
    let mut schema = match &row.shape {
        Shape::Text => text(key),
        Shape::Texts => texts(key),
        Shape::Flag => object(json!({ "type": "boolean" })),
        Shape::Count(bounds) => object(whole(bounds)),
        Shape::Size(bounds) => {
            let units: Vec<&str> = SIZE_UNITS.iter().chain(DECIMAL_UNITS).map(|(unit, _)| *unit).collect();
            object(json!({ "anyOf": [{ "type": "string", "pattern": quantity(&units) }, whole(bounds)] }))
        }
        Shape::Duration(_) => {
            let units: Vec<&str> = TIME_UNITS.iter().map(|(unit, _)| *unit).collect();
            object(json!({ "type": "string", "pattern": quantity(&units) }))
        }
        // A date and time without quotes is a string in JSON too.
        Shape::Moment => object(json!({
            "type": "string",
            "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt ][0-9]{2}:[0-9]{2}(:[0-9]{2}(\\.[0-9]+)?)?([Zz]|[+-][0-9]{2}:[0-9]{2})$",
        })),
    };
    schema.insert("description".into(), json!(description(row)));
    schema.insert("examples".into(), json!([example(row)]));
    let default = match row.absent {
        Absent::Nothing | Absent::Required | Absent::Prose(_) => None,
        Absent::Number(number) if matches!(row.shape, Shape::Count(_)) => Some(json!(number)),
        Absent::Number(number) => Some(json!(number_text(&row.shape, number))),
        Absent::Text(text) => Some(json!(text)),
        Absent::False => Some(json!(false)),
    };
    schema.extend(default.map(|default| ("default".to_owned(), default)));
    schema
}

/// Returns the meaning, what holds without the key, and what is refused: as in the reference, in sentences.
fn description(row: &Row) -> String {
    let mut text = sentence(row.meaning);
    if let Absent::Prose(prose) = row.absent {
        text.push_str(&format!(" Without it: {prose}."));
    }
    let refused = refused(row);
    if !refused.is_empty() {
        text.push_str(&format!(" Refused: {refused}."));
    }
    text
}

/// Returns the row's example as JSON.
fn example(row: &Row) -> Value {
    let read = toml::from_str::<Map<String, Value>>(&format!("example = {}", row.example));
    // Every example is valid TOML: `every_example_is_valid` reads them all.
    read.ok().and_then(|mut read| read.remove("example")).unwrap_or_default()
}

fn text(key: Key) -> Map<String, Value> {
    let mut schema = object(json!({ "type": "string" }));
    let more = match key {
        Key::Name => json!({ "minLength": 1, "maxLength": limits::NAME_BYTES, "pattern": "^[^\u{0}-\u{1f}]*$" }),
        Key::Extends => {
            let shipped: Vec<&str> = super::SHIPPED_POLICIES.iter().map(|policy| policy.name).collect();
            json!({ "anyOf": [{ "enum": shipped }, { "pattern": "/|\\.toml$" }] })
        }
        Key::ToolPath | Key::MountHost | Key::NetworkCa => json!({ "minLength": 1, "maxLength": limits::PATH_BYTES }),
        Key::ToolSha256 => json!({ "pattern": "^[0-9A-Fa-f]{64}$" }),
        Key::MountGuest | Key::OutputPath => json!({ "pattern": "^(/[^/]+)+$", "maxLength": limits::PATH_BYTES }),
        Key::MountAccess => json!({ "enum": Access::ALL.map(Access::as_str) }),
        Key::AllowUrl => json!({ "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^?# ]+$" }),
        Key::SecretHost => json!({ "pattern": "^[^*/ ]+$" }),
        Key::SecretHeader => json!({ "pattern": "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" }),
        Key::Python => json!({ "enum": tools::IMAGES }),
        Key::McpName => json!({ "pattern": format!("^[A-Za-z][A-Za-z0-9_]{{0,{}}}$", limits::MCP_NAME_BYTES - 1) }),
        Key::SecretQuery | Key::SecretBodyField => json!({ "pattern": "^[A-Za-z0-9_.-]+$" }),
        Key::SecretValueFromEnv | Key::McpBearerEnv => json!({ "pattern": "^[^=\u{0}-\u{1f}]+$" }),
        Key::McpUrl => json!({ "pattern": "^[Hh][Tt][Tt][Pp][Ss]?://[^# ]+$", "maxLength": limits::MCP_URL_BYTES }),
        Key::SecretFormat => json!({ "pattern": "^[ -~]*\\{\\}[ -~]*$" }),
        _ => json!({}),
    };
    schema.extend(object(more));
    schema
}

fn texts(key: Key) -> Map<String, Value> {
    let items = match key {
        Key::Allow => json!({ "anyOf": [{ "enum": shipped_names().collect::<Vec<_>>() }, own_tool()] }),
        Key::AllowMethods => json!({ "enum": METHODS }),
        Key::HostAllow | Key::HostForks => {
            json!({ "type": "string", "pattern": format!("^[A-Za-z_][A-Za-z0-9_]{{0,{}}}$", limits::FUNCTION_NAME_BYTES - 1) })
        }
        Key::McpAllow => json!({ "type": "string", "pattern": "^[^*\u{0}-\u{1f}]+$", "maxLength": limits::MCP_TOOL_BYTES }),
        Key::McpFromEnv => json!({ "type": "string", "pattern": "^[^=\u{0}-\u{1f}]+$" }),
        _ => json!({ "type": "string" }),
    };
    let mut schema = object(json!({ "type": "array", "items": items }));
    if matches!(key, Key::Allow | Key::HostAllow | Key::HostForks | Key::McpAllow) {
        schema.insert("uniqueItems".into(), json!(true));
    }
    schema
}

/// Returns the name of a tool of the writer's own.
fn own_tool() -> Value {
    let taken: Vec<&str> = taken_names().collect();
    json!({ "type": "string", "pattern": format!("^[A-Za-z0-9][A-Za-z0-9._+-]{{0,{}}}$", limits::TOOL_NAME_BYTES - 1), "not": { "enum": taken } })
}

fn whole(bounds: &RangeInclusive<u64>) -> Value {
    json!({ "type": "integer", "minimum": bounds.start(), "maximum": bounds.end() })
}

/// Returns a whole number and one of these units.
fn quantity(units: &[&str]) -> String {
    format!("^[0-9]+ ?({})$", units.join("|"))
}

/// Returns the members of a literal object.
fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

/// Returns a meaning as a sentence: a capital letter first, unless code stands there, and a full stop.
fn sentence(meaning: &str) -> String {
    let mut letters = meaning.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// Returns the errors of a key, apart from values of another type.
pub(super) fn refused(row: &Row) -> String {
    match &row.shape {
        Shape::Count(bounds) | Shape::Size(bounds) | Shape::Duration(bounds) => {
            let (low, high) = (number_text(&row.shape, *bounds.start()), number_text(&row.shape, *bounds.end()));
            format!("less than {low}, more than {high}")
        }
        Shape::Text | Shape::Texts | Shape::Flag | Shape::Moment => row.refused.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_and_table_is_described() {
        let schema: Value = serde_json::from_str(&json_schema()).unwrap();
        for key in Key::ALL {
            let (mut at, mut path) = (&schema, String::new());
            for word in key.path().split('.') {
                let name = word.trim_end_matches("[]");
                at = if name == "NAME" { &at["additionalProperties"] } else { &at["properties"][name] };
                assert!(at["description"].as_str().is_some_and(|text| text.ends_with('.')), "{}: {path}.{name}", key.path());
                at = if word.ends_with("[]") { &at["items"] } else { at };
                path.push_str(name);
            }
        }
    }

    #[test]
    fn every_example_is_valid() {
        for key in Key::ALL {
            assert_ne!(example(&key.row()), Value::Null, "{}", key.path());
        }
    }

    #[test]
    fn lists_and_tables_that_are_described_are_there() {
        for (table, _) in TABLES.iter().map(|(table, _)| (*table, ())).chain(LONGEST.iter().map(|(table, _)| (*table, ()))) {
            let there = |key: &&Key| key.path().replace("[]", "").starts_with(&format!("{table}."));
            assert!(Key::ALL.iter().any(|key| there(&key)), "{table}");
        }
    }
}
