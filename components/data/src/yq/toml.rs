//! TOML, both ways.

use crate::json::{Map, Val, format_number, to_text};
use std::rc::Rc;

/// Reads a TOML document as a value; dates become strings.
pub(super) fn read(text: &str) -> Result<Val, String> {
    let table: toml::Table = text.parse().map_err(|error: toml::de::Error| error.to_string())?;
    Ok(value(&toml::Value::Table(table)))
}

fn value(value: &toml::Value) -> Val {
    match value {
        toml::Value::String(text) => Val::str(text.clone()),
        toml::Value::Integer(n) => crate::json::number_from_text(&n.to_string()).unwrap_or(Val::Null),
        toml::Value::Float(n) => Val::Num(*n),
        toml::Value::Boolean(b) => Val::Bool(*b),
        toml::Value::Datetime(date) => Val::str(date.to_string()),
        toml::Value::Array(items) => Val::arr(items.iter().map(self::value).collect()),
        toml::Value::Table(table) => Val::obj(table.iter().map(|(k, v)| (Rc::new(k.clone()), self::value(v))).collect()),
    }
}

/// Writes a value as a TOML document.
pub(super) fn write(val: &Val) -> Result<String, String> {
    let Val::Obj(fields) = val else { return Err(format!("only an object can be written as TOML, not {}", val.kind())) };
    let mut out = String::new();
    table(&fields.0, &mut Vec::new(), &mut out)?;
    Ok(out)
}

fn key(name: &str) -> String {
    let bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
    if bare { name.to_owned() } else { to_text(&Val::str(name)) }
}

fn is_tables(val: &Val) -> bool {
    matches!(val, Val::Arr(items) if !items.0.is_empty() && items.0.iter().all(|v| matches!(v, Val::Obj(_))))
}

/// Writes a table: plain members first, then the tables below.
fn table(map: &Map, path: &mut Vec<String>, out: &mut String) -> Result<(), String> {
    for (name, val) in map {
        if !matches!(val, Val::Obj(_)) && !is_tables(val) {
            *out += &format!("{} = {}\n", key(name), inline(val)?);
        }
    }
    for (name, val) in map {
        path.push(key(name));
        match val {
            Val::Obj(fields) => {
                heading(&format!("[{}]", path.join(".")), out);
                table(&fields.0, path, out)?;
            }
            Val::Arr(items) if is_tables(val) => {
                for item in &items.0 {
                    heading(&format!("[[{}]]", path.join(".")), out);
                    if let Val::Obj(fields) = item {
                        table(&fields.0, path, out)?;
                    }
                }
            }
            _ => {}
        }
        path.pop();
    }
    Ok(())
}

fn heading(text: &str, out: &mut String) {
    if !out.is_empty() {
        out.push('\n');
    }
    *out += text;
    out.push('\n');
}

fn inline(val: &Val) -> Result<String, String> {
    Ok(match val {
        Val::Null => return Err("TOML has no null".into()),
        Val::Num(n) if n.is_nan() => "nan".into(),
        Val::Num(n) if n.is_infinite() => if *n > 0.0 { "inf" } else { "-inf" }.into(),
        Val::Num(n) => format_number(*n),
        Val::Arr(items) => {
            let list: Result<Vec<String>, String> = items.0.iter().map(inline).collect();
            format!("[{}]", list?.join(", "))
        }
        Val::Obj(fields) => {
            let list: Result<Vec<String>, String> = fields.0.iter().map(|(k, v)| Ok(format!("{} = {}", key(k), inline(v)?))).collect();
            format!("{{ {} }}", list?.join(", "))
        }
        other => to_text(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_one;

    #[test]
    fn documents_return() {
        let text = "a = 1\nb = [1, 2]\n\n[t]\nx = \"y\"\n\n[t.u]\nz = true\n\n[[l]]\nn = 1\n\n[[l]]\nn = 2\n";
        let val = read(text).unwrap();
        assert_eq!(to_text(&val), r#"{"a":1,"b":[1,2],"t":{"x":"y","u":{"z":true}},"l":[{"n":1},{"n":2}]}"#);
        assert_eq!(write(&val).unwrap(), text);
        assert!(write(&parse_one("[1]").unwrap()).is_err());
        assert!(write(&parse_one(r#"{"a":null}"#).unwrap()).is_err());
    }
}
