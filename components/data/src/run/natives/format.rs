//! `@text`, `@json`, `@csv`, `@tsv`, `@html`, `@uri`, `@sh`, `@base64`, `@base32` and their inverses.

use super::Run;
use crate::json::{Val, format_number, to_text, type_error};
use crate::run::{Context, Error};

/// Implements `format("name")`, which is what `@name` stands for.
pub(super) fn format(_: &mut Context, val: Val, args: Vec<Val>) -> Run {
    match args.first() {
        Some(Val::Str(name)) => Ok(Val::str(format_value(name, &val)?)),
        Some(other) => Err(type_error(other, "is not a valid format").into()),
        None => Ok(val),
    }
}

/// Returns a value in a format.
pub(crate) fn format_value(name: &str, val: &Val) -> Result<String, Error> {
    Ok(match name {
        "text" => val.text().as_str().to_owned(),
        "json" => to_text(val),
        "csv" => row(val, "csv", ",", |text| format!("\"{}\"", text.replace('"', "\"\"")))?,
        "tsv" => row(val, "tsv", "\t", |text| text.replace('\\', "\\\\").replace('\t', "\\t").replace('\n', "\\n").replace('\r', "\\r"))?,
        "html" => {
            let escaped = |c: char| match c {
                '<' => "&lt;".to_owned(),
                '>' => "&gt;".to_owned(),
                '&' => "&amp;".to_owned(),
                '\'' => "&apos;".to_owned(),
                '"' => "&quot;".to_owned(),
                other => other.to_string(),
            };
            val.text().chars().map(escaped).collect()
        }
        "uri" => {
            let encoded = |b: u8| match b {
                b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => char::from(b).to_string(),
                other => format!("%{other:02X}"),
            };
            val.text().bytes().map(encoded).collect()
        }
        "urid" => String::from_utf8_lossy(&unquote(&val.text())).into_owned(),
        "sh" => shell(val)?,
        "base64" => encode64(val.text().as_bytes()),
        "base64d" => decode64(val)?,
        "base32" => encode32(val.text().as_bytes()),
        "base32d" => decode32(val)?,
        other => return Err(format!("{other} is not a valid format").into()),
    })
}

/// Formats a row whose strings are quoted only where they must be.
pub(crate) fn format_plain_row(name: &str, val: &Val) -> Result<String, String> {
    let quote = |text: &str| {
        if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
    };
    let line = if name == "csv" { row(val, name, ",", quote) } else { row(val, name, "\t", |text| text.replace('\t', " ")) };
    line.map_err(|error| match error {
        Error::Value(val) => val.text().as_str().to_owned(),
        _ => "cannot be written as a row".to_owned(),
    })
}

fn row(val: &Val, name: &str, separator: &str, quote: fn(&str) -> String) -> Result<String, Error> {
    let Val::Arr(items) = val else { return Err(type_error(val, &format!("cannot be {name}-formatted, only array")).into()) };
    let cell = |item: &Val| {
        Ok(match item {
            Val::Null => String::new(),
            Val::Bool(b) => b.to_string(),
            Val::Num(n) if n.is_nan() => String::new(),
            Val::Num(n) => format_number(*n),
            Val::Lit(l) => l.text(),
            Val::Str(text) => quote(text),
            // jq says so for both.
            other => return Err(type_error(other, "is not valid in a csv row")),
        })
    };
    let cells: Result<Vec<String>, String> = items.0.iter().map(cell).collect();
    Ok(cells?.join(separator))
}

fn shell(val: &Val) -> Result<String, Error> {
    let word = |item: &Val| match item {
        Val::Arr(_) | Val::Obj(_) => Err(type_error(item, "can not be escaped for shell")),
        Val::Str(text) => Ok(format!("'{}'", text.replace('\'', "'\\''"))),
        other => Ok(to_text(other)),
    };
    let words: Result<Vec<String>, String> = match val {
        Val::Arr(items) => items.0.iter().map(word).collect(),
        other => word(other).map(|w| vec![w]),
    };
    Ok(words?.join(" "))
}

fn unquote(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = text.get(at + 1..at + 3).filter(|_| bytes[at] == b'%').and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match code {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    out
}

const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Encodes groups of bytes as digits of `bits` bits, `=` filling the last group.
fn encode(bytes: &[u8], digits: &[u8], bits: u32, group: usize) -> String {
    let mut out = String::new();
    let (mut rest, mut have) = (0u32, 0);
    for byte in bytes {
        rest = (rest << 8) | u32::from(*byte);
        have += 8;
        while have >= bits {
            have -= bits;
            out.push(char::from(digits[(rest >> have) as usize & (digits.len() - 1)]));
        }
        rest &= (1 << have) - 1;
    }
    if have > 0 {
        out.push(char::from(digits[(rest << (bits - have)) as usize & (digits.len() - 1)]));
    }
    while !out.len().is_multiple_of(group) {
        out.push('=');
    }
    out
}

fn encode64(bytes: &[u8]) -> String {
    encode(bytes, BASE64, 6, 4)
}

fn encode32(bytes: &[u8]) -> String {
    encode(bytes, BASE32, 5, 8)
}

/// Returns the bytes of the digits; `None` if something is not a digit. The padding is optional.
fn decode(text: &str, digits: &[u8], bits: u32) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let (mut rest, mut have) = (0u32, 0);
    for digit in text.trim_end_matches('=').bytes() {
        let value = digits.iter().position(|d| *d == digit)?;
        rest = (rest << bits) | value as u32;
        have += bits;
        if have >= 8 {
            have -= 8;
            out.push((rest >> have) as u8);
            rest &= (1 << have) - 1;
        }
    }
    Some(out)
}

fn decode64(val: &Val) -> Result<String, Error> {
    let text = val.text();
    let shown = Val::Str(text.clone());
    let bytes = decode(&text, BASE64, 6).ok_or_else(|| type_error(&shown, "is not valid base64 data"))?;
    if text.trim_end_matches('=').len() % 4 == 1 {
        return Err(type_error(&shown, "trailing base64 byte found").into());
    }
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn decode32(val: &Val) -> Result<String, Error> {
    let text = val.text();
    let bytes = decode(&text, BASE32, 5).ok_or_else(|| type_error(&Val::Str(text.clone()), "is not valid base32 data"))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn encodings_return() {
        for text in ["", "a", "ab", "abc", "abcd", "foóbar\n"] {
            assert_eq!(format_value("base64d", &Val::str(encode64(text.as_bytes()))).unwrap(), text);
            assert_eq!(format_value("base32d", &Val::str(encode32(text.as_bytes()))).unwrap(), text);
        }
        assert_eq!(encode64(b"ab"), "YWI=");
        assert_eq!(encode32(b"abc"), "MFRGG===");
        assert!(decode64(&Val::str("QUJDa")).is_err());
        assert_eq!(format_value("urid", &Val::str("a%20b%C3%A9%")).unwrap(), "a bé%");
    }
}
