//! Values to YAML in block style.

use super::yaml_read::plain;
use crate::json::{Val, format_number, to_text};

/// Returns a document, ending with a newline.
pub(super) fn document(val: &Val, indent: usize) -> String {
    let mut out = String::new();
    Writer { out: &mut out, indent }.value(val, 0, false);
    if !out.ends_with('\n') {
        out.push('\n');
    }
    out
}

struct Writer<'a> {
    out: &'a mut String,
    indent: usize,
}

fn empty(val: &Val) -> bool {
    match val {
        Val::Arr(items) => items.0.is_empty(),
        Val::Obj(fields) => fields.0.is_empty(),
        _ => true,
    }
}

impl Writer<'_> {
    fn pad(&mut self, depth: usize) {
        self.out.extend(std::iter::repeat_n(' ', depth));
    }

    /// Writes a value at a column; `inline` is after a dash, where the first line needs no padding.
    fn value(&mut self, val: &Val, column: usize, inline: bool) {
        match val {
            Val::Arr(items) if !items.0.is_empty() => {
                for (at, item) in items.0.iter().enumerate() {
                    if at > 0 || !inline {
                        self.pad(column);
                    }
                    self.out.push_str("- ");
                    self.value(item, column + 2, true);
                }
            }
            Val::Obj(fields) if !fields.0.is_empty() => {
                for (at, (key, item)) in fields.0.iter().enumerate() {
                    if at > 0 || !inline {
                        self.pad(column);
                    }
                    self.out.push_str(&key_text(key));
                    self.out.push(':');
                    if empty(item) {
                        self.out.push(' ');
                        self.scalar(item, column);
                    } else {
                        self.out.push('\n');
                        self.value(item, column + self.indent, false);
                    }
                }
            }
            scalar => {
                if !inline {
                    self.pad(column);
                }
                self.scalar(scalar, column.saturating_sub(if inline { 2 } else { 0 }));
            }
        }
    }

    fn scalar(&mut self, val: &Val, column: usize) {
        match val {
            Val::Str(text) if block(text) => {
                let keep = if !text.ends_with('\n') {
                    "-"
                } else if text.ends_with("\n\n") {
                    "+"
                } else {
                    ""
                };
                self.out.push('|');
                self.out.push_str(keep);
                for line in text.strip_suffix('\n').unwrap_or(text).split('\n') {
                    self.out.push('\n');
                    if !line.is_empty() {
                        self.pad(column + self.indent);
                        self.out.push_str(line);
                    }
                }
                self.out.push('\n');
            }
            other => {
                self.out.push_str(&text(other));
                self.out.push('\n');
            }
        }
    }
}

/// Returns whether a string is written as a block.
fn block(text: &str) -> bool {
    text.contains('\n') && !text.starts_with([' ', '\n']) && !text.chars().any(|c| c.is_control() && c != '\n' && c != '\t')
}

/// Returns a scalar, or an empty container, on one line.
pub(super) fn text(val: &Val) -> String {
    match val {
        Val::Str(text) => string(text, false),
        Val::Num(n) if n.is_nan() => ".nan".into(),
        Val::Num(n) if n.is_infinite() => if *n > 0.0 { ".inf" } else { "-.inf" }.into(),
        Val::Num(n) => format_number(*n),
        // An exponent that only a literal can have is written as the double.
        Val::Lit(literal) if literal.text().contains('E') && literal.value.is_finite() => format_number(literal.value),
        other => to_text(other),
    }
}

fn key_text(key: &str) -> String {
    string(key, true)
}

fn string(text: &str, key: bool) -> String {
    if text.chars().any(char::is_control) {
        return to_text(&Val::str(text));
    }
    // What would be read as something else than a string.
    if !key && !matches!(plain(text), Val::Str(_)) {
        return format!("\"{text}\"");
    }
    let first = text.chars().next().unwrap_or(' ');
    let indicator = "-?:".contains(first) && text[1..].starts_with([' ', '\t']) || text == "-" || text == "?" || text == ":";
    let special = ",[]{}#&*!|>'\"%@`".contains(first) || indicator || text.starts_with("--- ") || text == "---" || text == "...";
    let inside = text.contains(": ") || text.contains(" #") || text.ends_with(':');
    if text.is_empty() {
        return "\"\"".into();
    }
    if special || inside || text.starts_with(' ') || text.ends_with(' ') {
        return format!("'{}'", text.replace('\'', "''"));
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_one;

    fn written(json: &str) -> String {
        document(&parse_one(json).unwrap(), 2)
    }

    #[test]
    fn blocks_are_indented() {
        assert_eq!(written(r#"{"a":[1,{"b":2,"c":[3]}],"d":{},"e":[]}"#), "a:\n  - 1\n  - b: 2\n    c:\n      - 3\nd: {}\ne: []\n");
        assert_eq!(written(r#"[[1,2],"x"]"#), "- - 1\n  - 2\n- x\n");
        assert_eq!(written(r#"{"t":"one\ntwo\n","u":"a\nb"}"#), "t: |\n  one\n  two\nu: |-\n  a\n  b\n");
    }

    #[test]
    fn strings_are_quoted_where_they_must() {
        assert_eq!(
            written(r#"["true","1","a: b","- x","","ok","it's","@x","null"," p"]"#),
            "- \"true\"\n- \"1\"\n- 'a: b'\n- '- x'\n- \"\"\n- ok\n- it's\n- '@x'\n- \"null\"\n- ' p'\n"
        );
    }

    #[test]
    fn what_is_written_is_read() {
        for json in [r#"{"a":[[],[{}],"x\ny",{"b":null}],"1":"1"}"#, r##"["\t","a\n\n","  x\ny","#"]"##] {
            let val = parse_one(json).unwrap();
            let back = super::super::yaml_read::documents(&document(&val, 2)).unwrap();
            assert_eq!(to_text(&back[0]), to_text(&val));
        }
    }
}
