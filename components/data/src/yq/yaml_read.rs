//! YAML to values. Anchors, aliases and merge keys are resolved; comments are lost.

use crate::json::{Map, Val, number_from_text};
use saphyr_parser::{Event, Parser, ScalarStyle, Tag};
use std::collections::HashMap;
use std::rc::Rc;

/// How deep documents may nest.
const MAX_DEPTH: usize = 1000;

enum Open {
    Array(Vec<Val>, usize),
    /// Members, the key that waits for its value, what `<<` brings, the anchor.
    Object(Map, Option<String>, Vec<Val>, usize),
}

/// Returns all documents of a text.
pub(super) fn documents(text: &str) -> Result<Vec<Val>, String> {
    let mut reader = Reader { anchors: HashMap::new(), open: Vec::new(), done: Vec::new(), current: None };
    for event in Parser::new_from_str(text) {
        let (event, _) = event.map_err(|error| error.to_string())?;
        reader.event(event)?;
    }
    Ok(reader.done)
}

struct Reader {
    anchors: HashMap<usize, Val>,
    open: Vec<Open>,
    done: Vec<Val>,
    current: Option<Val>,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) -> Result<(), String> {
        match event {
            Event::DocumentStart(_) => self.current = None,
            Event::DocumentEnd => {
                let val = self.current.take().unwrap_or(Val::Null);
                self.done.push(val);
            }
            Event::Scalar(text, style, anchor, tag) => {
                let val = scalar(&text, style, tag.as_deref());
                self.value(val, anchor);
            }
            Event::Alias(anchor) => {
                let val = self.anchors.get(&anchor).cloned().ok_or("an alias before its anchor")?;
                self.value(val, 0);
            }
            Event::SequenceStart(anchor, _) => self.push(Open::Array(Vec::new(), anchor))?,
            Event::MappingStart(anchor, _) => self.push(Open::Object(Map::default(), None, Vec::new(), anchor))?,
            Event::SequenceEnd => {
                if let Some(Open::Array(items, anchor)) = self.open.pop() {
                    self.value(Val::arr(items), anchor);
                }
            }
            Event::MappingEnd => {
                if let Some(Open::Object(map, _, merged, anchor)) = self.open.pop() {
                    self.value(Val::obj(merge(map, &merged)), anchor);
                }
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd => {}
        }
        Ok(())
    }

    fn push(&mut self, open: Open) -> Result<(), String> {
        if self.open.len() >= MAX_DEPTH {
            return Err(format!("nested more than {MAX_DEPTH} deep"));
        }
        self.open.push(open);
        Ok(())
    }

    /// Adds a complete value to what is open.
    fn value(&mut self, val: Val, anchor: usize) {
        if anchor > 0 {
            self.anchors.insert(anchor, val.clone());
        }
        match self.open.last_mut() {
            None => self.current = Some(val),
            Some(Open::Array(items, _)) => items.push(val),
            Some(Open::Object(map, key, merged, _)) => match key.take() {
                None => *key = Some(val.text().as_str().to_owned()),
                Some(name) if name == "<<" => merged.push(val),
                Some(name) => drop(map.insert(Rc::new(name), val)),
            },
        }
    }
}

/// Returns a mapping with what its merge keys bring: own members win, then earlier ones.
fn merge(map: Map, merged: &[Val]) -> Map {
    if merged.is_empty() {
        return map;
    }
    let mut all = map;
    let mut bring = |val: &Val| {
        if let Val::Obj(fields) = val {
            for (key, val) in &fields.0 {
                all.entry(key.clone()).or_insert_with(|| val.clone());
            }
        }
    };
    for val in merged {
        match val {
            Val::Arr(list) => list.0.iter().for_each(&mut bring),
            other => bring(other),
        }
    }
    all
}

fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Val {
    let core = tag.filter(|tag| tag.handle.contains("yaml.org") || tag.handle == "!!").map(|tag| tag.suffix.as_str());
    match core {
        Some("str") => return Val::str(text),
        Some("int" | "float" | "bool" | "null") => return plain(text),
        _ => {}
    }
    if style == ScalarStyle::Plain && tag.is_none() { plain(text) } else { Val::str(text) }
}

/// Returns a plain scalar by YAML's core schema.
pub(super) fn plain(text: &str) -> Val {
    match text {
        "" | "~" | "null" | "Null" | "NULL" => return Val::Null,
        "true" | "True" | "TRUE" => return Val::Bool(true),
        "false" | "False" | "FALSE" => return Val::Bool(false),
        ".inf" | ".Inf" | ".INF" | "+.inf" => return Val::Num(f64::INFINITY),
        "-.inf" | "-.Inf" | "-.INF" => return Val::Num(f64::NEG_INFINITY),
        ".nan" | ".NaN" | ".NAN" => return Val::Num(f64::NAN),
        _ => {}
    }
    let radix = |prefix: &str, radix: u32| text.strip_prefix(prefix).and_then(|digits| u64::from_str_radix(digits, radix).ok());
    if let Some(number) = radix("0x", 16).or_else(|| radix("0o", 8)) {
        return Val::Num(number as f64);
    }
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let numeric = digits.starts_with(|c: char| c.is_ascii_digit()) || (digits.starts_with('.') && digits.len() > 1);
    match number_from_text(text) {
        Some(number) if numeric => number,
        _ => Val::str(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::to_text;

    fn read(text: &str) -> String {
        documents(text).unwrap().iter().map(to_text).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn scalars_have_their_types() {
        assert_eq!(
            read("[1, 1.50, yes, true, ~, 0x1f, '1', \"a\\n\", -3, 1.2.3, 2024-01-02, .5]"),
            r#"[1,1.50,"yes",true,null,31,"1","a\n",-3,"1.2.3","2024-01-02",0.5]"#
        );
        assert_eq!(read("!!str 12"), r#""12""#);
    }

    #[test]
    fn anchors_and_merges() {
        assert_eq!(read("a: &x {b: 1, c: 2}\nd:\n  <<: *x\n  c: 3\ne: *x"), r#"{"a":{"b":1,"c":2},"d":{"c":3,"b":1},"e":{"b":1,"c":2}}"#);
        assert_eq!(read("a: 1\n---\n- 2\n"), r#"{"a":1} [2]"#);
        assert_eq!(read("t: |\n  one\n  two\nf: >-\n  x\n  y\n"), r#"{"t":"one\ntwo\n","f":"x y"}"#);
    }
}
