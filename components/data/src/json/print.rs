//! The JSON writer.

use super::{Val, format_number, order::sorted_keys};
use std::fmt::Write;

/// Deepest nesting that is printed.
const MAX_PRINTED: usize = 256;

/// How values are printed.
#[derive(Clone, Default)]
pub(crate) struct Style {
    /// What one level of indentation is; nothing prints on one line.
    pub indent: Option<String>,
    /// Everything beyond ASCII is escaped.
    pub ascii: bool,
    /// Members are sorted by their keys.
    pub sorted: bool,
    /// Escape sequences of a terminal.
    pub colors: Option<Colors>,
}

/// The colour of each kind: null, false, true, numbers, strings, arrays, objects, keys.
#[derive(Clone)]
pub(crate) struct Colors([String; 8]);

const RESET: &str = "\x1b[0m";

impl Default for Colors {
    fn default() -> Self {
        Self(["0;90", "0;39", "0;39", "0;39", "0;32", "1;39", "1;39", "1;34"].map(|code| format!("\x1b[{code}m")))
    }
}

impl Colors {
    /// Parses the colours that `JQ_COLORS` asks for; `None` where it cannot be read.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut colors = Self::default();
        for (slot, code) in colors.0.iter_mut().zip(text.split(':')) {
            if code.len() > 12 || !code.bytes().all(|b| b.is_ascii_digit() || b == b';') {
                return None;
            }
            *slot = format!("\x1b[{code}m");
        }
        Some(colors)
    }

    fn of(&self, val: &Val) -> &str {
        &self.0[usize::from(super::order::rank(val))]
    }
}

/// Prints a value.
pub(crate) fn print(val: &Val, style: &Style) -> String {
    let mut printer = Printer { out: String::new(), style, limit: usize::MAX };
    printer.value(val, 0);
    printer.out
}

/// Returns a value on one line, as `tojson` gives it.
pub(crate) fn to_text(val: &Val) -> String {
    print(val, &Style::default())
}

/// Returns the start of a value's text, at most `size` - 1 bytes, as error messages quote it.
pub(crate) fn brief(val: &Val, size: usize) -> String {
    let style = Style::default();
    let mut printer = Printer { out: String::new(), style: &style, limit: size };
    printer.value(val, 0);
    let text = printer.out;
    if text.len() < size {
        return text;
    }
    let mut at = size - 4;
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    format!("{}...", &text[..at])
}

struct Printer<'a> {
    out: String,
    style: &'a Style,
    /// Printing may stop beyond this many bytes.
    limit: usize,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize) {
        if let Some(indent) = &self.style.indent {
            self.out.push('\n');
            for _ in 0..depth {
                self.out += indent;
            }
        }
    }

    fn paint(&mut self, color: Option<&str>) {
        self.out += color.unwrap_or_default();
    }

    fn value(&mut self, val: &Val, depth: usize) {
        if self.out.len() > self.limit {
            return;
        }
        let style = self.style;
        let color = style.colors.as_ref().map(|colors| colors.of(val));
        let reset = color.map(|_| RESET);
        self.paint(color);
        match val {
            _ if depth > MAX_PRINTED => self.out += "<skipped: too deep>",
            Val::Null => self.out += "null",
            Val::Bool(b) => self.out += if *b { "true" } else { "false" },
            Val::Num(n) => self.out += &format_number(*n),
            Val::Lit(l) => self.out += &l.text(),
            Val::Str(s) => self.string(s),
            Val::Arr(items) if items.0.is_empty() => self.out += "[]",
            Val::Arr(items) => {
                self.out.push('[');
                self.line(depth + 1);
                for (at, item) in items.0.iter().enumerate() {
                    if at > 0 {
                        self.out.push(',');
                        self.line(depth + 1);
                    }
                    self.value(item, depth + 1);
                    self.paint(color);
                }
                self.line(depth);
                self.paint(color);
                self.out.push(']');
            }
            Val::Obj(fields) if fields.0.is_empty() => self.out += "{}",
            Val::Obj(fields) => {
                self.out.push('{');
                self.line(depth + 1);
                if style.sorted {
                    for (at, key) in sorted_keys(&fields.0).iter().enumerate() {
                        self.member(at, key, &fields.0[key], color, depth);
                    }
                } else {
                    for (at, (key, value)) in fields.0.iter().enumerate() {
                        self.member(at, key, value, color, depth);
                    }
                }
                self.line(depth);
                self.paint(color);
                self.out.push('}');
            }
        }
        self.paint(reset);
    }

    fn member(&mut self, at: usize, key: &str, value: &Val, color: Option<&str>, depth: usize) {
        let style = self.style;
        let reset = color.map(|_| RESET);
        if at > 0 {
            self.out.push(',');
            self.line(depth + 1);
        }
        self.paint(reset);
        self.paint(style.colors.as_ref().map(|colors| colors.0[7].as_str()));
        self.string(key);
        self.paint(reset);
        self.paint(color);
        self.out += if style.indent.is_some() { ": " } else { ":" };
        self.paint(reset);
        self.value(value, depth + 1);
        self.paint(color);
    }

    fn string(&mut self, text: &str) {
        self.out.push('"');
        let mut from = 0;
        for (at, c) in text.char_indices() {
            let plain = match c {
                '"' | '\\' => false,
                ' '..='~' => true,
                '\x00'..='\x1f' | '\x7f' => false,
                _ => !self.style.ascii,
            };
            if plain {
                continue;
            }
            self.out += &text[from..at];
            from = at + c.len_utf8();
            self.escape(c);
            if self.out.len() > self.limit {
                return;
            }
        }
        self.out += &text[from..];
        self.out.push('"');
    }

    fn escape(&mut self, c: char) {
        match c {
            '"' => self.out += "\\\"",
            '\\' => self.out += "\\\\",
            '\x08' => self.out += "\\b",
            '\t' => self.out += "\\t",
            '\r' => self.out += "\\r",
            '\n' => self.out += "\\n",
            '\x0c' => self.out += "\\f",
            c => {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    // Writing to a String cannot fail.
                    let _ = write!(self.out, "\\u{unit:04x}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::parse_one;
    use super::*;

    #[test]
    fn pretty_and_short() {
        let val = parse_one(r#"{"b":[1,[]],"a":{"x":"é\u0001"}}"#).unwrap();
        assert_eq!(to_text(&val), r#"{"b":[1,[]],"a":{"x":"é\u0001"}}"#);
        let style = Style { indent: Some("  ".into()), ascii: true, sorted: true, colors: None };
        assert_eq!(print(&val, &style), "{\n  \"a\": {\n    \"x\": \"\\u00e9\\u0001\"\n  },\n  \"b\": [\n    1,\n    []\n  ]\n}");
    }

    #[test]
    fn quotations_are_brief() {
        assert_eq!(brief(&Val::str("very-long-string"), 15), "\"very-long-...");
        assert_eq!(brief(&Val::str("short"), 15), "\"short\"");
    }
}
