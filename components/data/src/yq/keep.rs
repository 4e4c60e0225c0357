//! Editing YAML in its own text: what an expression changed is changed there, comments, anchors, quotes and order stay. Only simple
//! changes are made like this (scalars, entries of mappings, items at the end of lists), and the new text is read again: when it does
//! not say what it should, there is no such edit.

use super::yaml_read::documents;
use super::yaml_write;
use crate::json::{Val, equal, to_text};
use saphyr_parser::{Event, Parser, ScalarStyle};
use std::ops::Range;

/// A place of the text.
type Span = Range<usize>;

enum Body {
    Scalar(ScalarStyle),
    Alias,
    /// Whether it is in brackets.
    Sequence(Vec<Node>, bool),
    /// Key and value.
    Mapping(Vec<(Node, Node)>, bool),
}

/// A value in the text. Of a collection in block style only the end counts, of which blanks and newlines are no part.
struct Node {
    body: Body,
    span: Span,
    key: String,
}

enum Open {
    Sequence(Vec<Node>, usize),
    Mapping(Vec<(Node, Node)>, Option<Node>, usize),
}

/// A text in the place of another.
struct Edit {
    span: Span,
    text: String,
}

/// Returns whether a text has what is lost when its values are written out again: comments, anchors, aliases.
pub(super) fn has_more(text: &str) -> bool {
    let Some(offsets) = offsets(text) else { return true };
    let mut scalars: Vec<Span> = Vec::new();
    for event in Parser::new_from_str(text) {
        let Ok((event, span)) = event else { return true };
        match event {
            Event::Alias(_) => return true,
            Event::Scalar(_, _, anchor, _) | Event::SequenceStart(anchor, _) | Event::MappingStart(anchor, _) if anchor > 0 => return true,
            Event::Scalar(..) => scalars.push(offsets.at(span.start.index())..offsets.at(span.end.index())),
            _ => {}
        }
    }
    let bytes = text.as_bytes();
    let starts = |at: usize| at == 0 || matches!(bytes[at - 1], b' ' | b'\t' | b'\n');
    let within = |at: usize| {
        let before = scalars.partition_point(|span| span.start <= at);
        before > 0 && scalars[before - 1].contains(&at)
    };
    memchr_hash(bytes).any(|at| starts(at) && !within(at))
}

fn memchr_hash(bytes: &[u8]) -> impl Iterator<Item = usize> + '_ {
    bytes.iter().enumerate().filter(|(_, byte)| **byte == b'#').map(|(at, _)| at)
}

/// Returns the text after the documents `old` became `new`; `None` where that cannot be done in the text.
pub(super) fn edited(text: &str, new: &[Val], indent: usize) -> Option<String> {
    let old = documents(text).ok()?;
    let nodes = nodes(text)?;
    if old.len() != new.len() || nodes.len() != new.len() {
        return None;
    }
    let mut editor = Editor { text, indent, edits: Vec::new() };
    for ((node, old), new) in nodes.iter().zip(&old).zip(new) {
        editor.value(node, old, new)?;
    }
    let mut edits = editor.edits;
    // The keys of a merge key are read after a mapping's own keys, so that a new one of those is not last.
    let in_order = edits.is_empty() || !text.contains("<<");
    edits.sort_by_key(|edit| (edit.span.start, edit.span.end));
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for edit in edits {
        out += text.get(done..edit.span.start)?;
        out += &edit.text;
        done = edit.span.end;
    }
    out += text.get(done..)?;
    let back = documents(&out).ok()?;
    let same = |(back, new): (&Val, &Val)| if in_order { to_text(back) == to_text(new) } else { equal(back, new) == Ok(true) };
    let same = back.len() == new.len() && back.iter().zip(new).all(same);
    same.then_some(out)
}

/// From numbers of characters to those of bytes.
struct Offsets(Option<Vec<usize>>, usize);

impl Offsets {
    fn at(&self, character: usize) -> usize {
        match &self.0 {
            Some(offsets) => offsets.get(character).copied().unwrap_or(self.1),
            None => character.min(self.1),
        }
    }
}

/// Returns nothing for a text that begins with a byte order mark: the parser does not count it.
fn offsets(text: &str) -> Option<Offsets> {
    if text.starts_with('\u{feff}') {
        return None;
    }
    let all = (!text.is_ascii()).then(|| text.char_indices().map(|(at, _)| at).collect());
    Some(Offsets(all, text.len()))
}

/// Returns the documents of a text as places in it.
fn nodes(text: &str) -> Option<Vec<Node>> {
    let offsets = offsets(text)?;
    let (mut open, mut done): (Vec<Open>, Vec<Node>) = (Vec::new(), Vec::new());
    let mut current = None;
    for event in Parser::new_from_str(text) {
        let (event, span) = event.ok()?;
        let (start, end) = (offsets.at(span.start.index()), offsets.at(span.end.index()));
        let trimmed = start + text.get(start..end)?.trim_end().len();
        let node = match event {
            Event::DocumentStart(_) => {
                current = None;
                continue;
            }
            Event::DocumentEnd => {
                done.push(current.take()?);
                continue;
            }
            Event::SequenceStart(..) => {
                open.push(Open::Sequence(Vec::new(), start));
                continue;
            }
            Event::MappingStart(..) => {
                open.push(Open::Mapping(Vec::new(), None, start));
                continue;
            }
            Event::Scalar(value, style, ..) => Node { body: Body::Scalar(style), span: start..trimmed, key: value.into_owned() },
            Event::Alias(_) => Node { body: Body::Alias, span: start..trimmed, key: String::new() },
            Event::SequenceEnd | Event::MappingEnd => {
                let in_brackets = matches!(text.as_bytes().get(end.wrapping_sub(1)), Some(b']' | b'}')) && end > start;
                closed(open.pop()?, in_brackets.then_some(end))
            }
            Event::Nothing | Event::StreamStart | Event::StreamEnd => continue,
        };
        match open.last_mut() {
            None => current = Some(node),
            Some(Open::Sequence(items, _)) => items.push(node),
            Some(Open::Mapping(entries, key, _)) => match key.take() {
                None => *key = Some(node),
                Some(key) => {
                    let value = placed(text, &key, node)?;
                    entries.push((key, value));
                }
            },
        }
    }
    Some(done)
}

/// Places an omitted value after the colon of its key, wherever the parser noticed that it is missing.
fn placed(text: &str, key: &Node, value: Node) -> Option<Node> {
    if !value.span.is_empty() || !matches!(value.body, Body::Scalar(_)) {
        return Some(value);
    }
    let colon = key.span.end + text.get(key.span.end..)?.find(|c| c != ' ')?;
    let at = if text[colon..].starts_with(':') { colon + 1 } else { return None };
    Some(Node { span: at..at, ..value })
}

/// Returns the end of a collection: after its bracket, or after its last item.
fn closed(open: Open, bracket: Option<usize>) -> Node {
    let (body, start, last) = match open {
        Open::Sequence(items, start) => {
            let last = items.last().map(|item| item.span.end);
            (Body::Sequence(items, bracket.is_some()), start, last)
        }
        Open::Mapping(entries, _, start) => {
            let last = entries.last().map(|(key, value)| value.span.end.max(key.span.end));
            (Body::Mapping(entries, bracket.is_some()), start, last)
        }
    };
    Node { body, span: start..bracket.or(last).unwrap_or(start), key: String::new() }
}

fn is_scalar(val: &Val) -> bool {
    !matches!(val, Val::Arr(_) | Val::Obj(_))
}

struct Editor<'t> {
    text: &'t str,
    indent: usize,
    edits: Vec<Edit>,
}

impl Editor<'_> {
    fn value(&mut self, node: &Node, old: &Val, new: &Val) -> Option<()> {
        match (&node.body, old, new) {
            (Body::Mapping(entries, flow), Val::Obj(before), Val::Obj(after)) => self.mapping(node, entries, *flow, &before.0, &after.0),
            (Body::Sequence(items, flow), Val::Arr(before), Val::Arr(after)) => {
                if after.0.len() < before.0.len() {
                    return if *flow { None } else { self.fewer(items, &before.0, &after.0) };
                }
                for ((item, before), after) in items.iter().zip(&before.0).zip(&after.0) {
                    self.value(item, before, after)?;
                }
                for added in after.0.iter().skip(before.0.len()) {
                    self.added(node, items.first()?, None, added, *flow)?;
                }
                Some(())
            }
            _ if to_text(old) == to_text(new) => Some(()),
            (Body::Scalar(style), _, new) if is_scalar(new) => self.scalar(node, *style, new),
            (Body::Alias, _, new) if is_scalar(new) => self.scalar(node, ScalarStyle::Plain, new),
            _ => None,
        }
    }

    /// Replaces a scalar by another, in its quotes.
    fn scalar(&mut self, node: &Node, style: ScalarStyle, new: &Val) -> Option<()> {
        let text = match (style, new) {
            (ScalarStyle::Literal | ScalarStyle::Folded, _) => return None,
            (ScalarStyle::SingleQuoted, Val::Str(text)) if !text.as_str().chars().any(char::is_control) => {
                format!("'{}'", text.as_str().replace('\'', "''"))
            }
            (ScalarStyle::DoubleQuoted, Val::Str(_)) => to_text(new),
            _ => yaml_write::text(new),
        };
        // A key without a value: `key:` is followed by a blank. What else is not written has no place.
        let blank = node.span.is_empty();
        if blank && !self.text[..node.span.start].ends_with(':') {
            return None;
        }
        self.edits.push(Edit { span: node.span.clone(), text: if blank { format!(" {text}") } else { text } });
        Some(())
    }

    fn mapping(
        &mut self,
        node: &Node,
        entries: &[(Node, Node)],
        flow: bool,
        before: &crate::json::Map,
        after: &crate::json::Map,
    ) -> Option<()> {
        for (at, (key, value)) in entries.iter().enumerate() {
            match (before.get(&key.key), after.get(&key.key)) {
                (Some(before), Some(after)) => self.value(value, before, after)?,
                (Some(_), None) if !flow && entries.len() > 1 => self.removed(key, value, entries.get(at + 1).map(|(next, _)| next))?,
                // A merge key, which has no value of its own.
                (None, None) => {}
                _ => return None,
            }
        }
        for (key, val) in after.iter().filter(|(key, _)| !before.contains_key(*key)) {
            self.added(node, &entries.first()?.0, Some(key.as_str()), val, flow)?;
        }
        Some(())
    }

    /// Removes the items that no longer exist; the others are what they were.
    fn fewer(&mut self, items: &[Node], before: &[Val], after: &[Val]) -> Option<()> {
        let mut left = after.iter().peekable();
        if after.is_empty() || items.len() != before.len() {
            return None;
        }
        for (at, (item, before)) in items.iter().zip(before).enumerate() {
            if left.peek().is_some_and(|after| to_text(after) == to_text(before)) {
                left.next();
                continue;
            }
            let line = self.line(item.span.start);
            if self.text[line..item.span.start].trim_matches(' ') != "-" {
                return None;
            }
            let end = (self.line_end(item.span.end) + 1).min(self.text.len());
            if items.get(at + 1).is_some_and(|next| next.span.start < end) {
                return None;
            }
            self.edits.push(Edit { span: line..end, text: String::new() });
        }
        left.next().is_none().then_some(())
    }

    /// Returns the start of the line of a place.
    fn line(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |newline| newline + 1)
    }

    /// Returns the end of the line of a place, its newline not included.
    fn line_end(&self, at: usize) -> usize {
        self.text[at..].find('\n').map_or(self.text.len(), |newline| at + newline)
    }

    /// Removes an entry and its lines.
    fn removed(&mut self, key: &Node, value: &Node, next: Option<&Node>) -> Option<()> {
        let start = self.line(key.span.start);
        if !self.text[start..key.span.start].bytes().all(|byte| byte == b' ') {
            return None;
        }
        let end = self.line_end(value.span.end.max(key.span.end));
        let end = (end + 1).min(self.text.len());
        if next.is_some_and(|next| next.span.start < end) {
            return None;
        }
        self.edits.push(Edit { span: start..end, text: String::new() });
        Some(())
    }

    /// Puts an entry, or an item, after the last one.
    fn added(&mut self, node: &Node, first: &Node, key: Option<&str>, val: &Val, flow: bool) -> Option<()> {
        let whole = |val: &Val| match key {
            Some(key) => Val::obj([(std::rc::Rc::new(key.to_owned()), val.clone())].into_iter().collect()),
            None => Val::arr(vec![val.clone()]),
        };
        if flow {
            let json = to_text(&whole(val));
            let close = node.span.end - 1;
            let at = self.text[..close].trim_end().len();
            let separator = if self.text[..at].ends_with(',') { " " } else { ", " };
            self.edits.push(Edit { span: at..at, text: format!("{separator}{}", &json[1..json.len() - 1]) });
            return Some(());
        }
        let column = match key {
            Some(_) => first.span.start - self.line(first.span.start),
            None => {
                let line = self.line(first.span.start);
                self.text[line..first.span.start].rfind('-')?
            }
        };
        let end = self.line_end(node.span.end);
        let mut text = String::new();
        for line in yaml_write::document(&whole(val), self.indent).lines() {
            text += "\n";
            if !line.is_empty() {
                text += &" ".repeat(column);
                text += line;
            }
        }
        self.edits.push(Edit { span: end..end, text });
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse_one;

    fn edit(text: &str, json: &str) -> Option<String> {
        edited(text, &[parse_one(json).unwrap()], 2)
    }

    const TEXT: &str = "# top\nname: web   # the name\nbase: &base\n  image: 'nginx:1.25'\n  ports: [80, 443] # both\n\nprod:\n  <<: *base\n  replicas: 3\nlist:\n  - one # first\n  - two\nnote: \"ü\"\nempty:\n";

    #[test]
    fn scalars_change_in_their_place() {
        let json = r#"{"name":"api","base":{"image":"nginx:1.27","ports":[80,8443]},"prod":{"replicas":5,"image":"nginx:1.25","ports":[80,443]},"list":["one","zwei"],"note":"ö","empty":1}"#;
        // what the merge brings follows its anchor, so that this document cannot be said with it
        assert_eq!(edit(TEXT, json), None);
        let json = r#"{"name":"api","base":{"image":"nginx:1.27","ports":[80,443]},"prod":{"replicas":5,"image":"nginx:1.27","ports":[80,443]},"list":["one","zwei"],"note":"ö","empty":1}"#;
        let expected = TEXT
            .replace("web ", "api ")
            .replace("1.25", "1.27")
            .replace("replicas: 3", "replicas: 5")
            .replace("- two", "- zwei")
            .replace("ü", "ö")
            .replace("empty:", "empty: 1");
        assert_eq!(edit(TEXT, json).as_deref(), Some(&expected[..]));
    }

    #[test]
    fn entries_come_and_go_with_their_lines() {
        let text = "a: 1 # one\nb:\n  c: [1]\n  d: {x: 1}\n# about e\ne: 2\n";
        assert_eq!(edit(text, r#"{"a":1,"e":2}"#).as_deref(), Some("a: 1 # one\n# about e\ne: 2\n"));
        let json = r#"{"a":1,"b":{"c":[1,2],"d":{"x":1,"y":"z"},"n":{"k":[true]}},"e":2,"f":"last"}"#;
        let expected = "a: 1 # one\nb:\n  c: [1, 2]\n  d: {x: 1, \"y\":\"z\"}\n  n:\n    k:\n      - true\n# about e\ne: 2\nf: last\n";
        assert_eq!(edit(text, json).as_deref(), Some(expected));
        assert_eq!(edit("x:\n- a: 1 # no\n  b: 2\n- 2 # yes\n- 3\n", r#"{"x":[2]}"#).as_deref(), Some("x:\n- 2 # yes\n"));
        assert_eq!(edit("a:\nb: 1\n", r#"{"b":1}"#).as_deref(), Some("b: 1\n"));
        let merged = "base: &b {x: 1}\np:\n  <<: *b # its\n  y: 2\n";
        let added = edit(merged, r#"{"base":{"x":1},"p":{"y":2,"x":1,"z":3}}"#);
        assert_eq!(added.as_deref(), Some("base: &b {x: 1}\np:\n  <<: *b # its\n  y: 2\n  z: 3\n"));
        assert_eq!(edit("- a: 1\n  b: 2\n# end\n", r#"[{"a":1,"b":2},{"a":3}]"#).as_deref(), Some("- a: 1\n  b: 2\n- a: 3\n# end\n"));
    }

    #[test]
    fn what_cannot_be_done_in_the_text_is_not_done() {
        for (text, json) in [
            ("a: 1\n", r#"{"a":{"b":1}}"#),
            ("a: 1\nb: 2\n", r#"{"b":2,"a":1}"#),
            ("- 1\n- 2\n", "[]"),
            ("- - 1\n  - 2\n", "[[2]]"),
            ("a: |\n  x\n", r#"{"a":"y"}"#),
        ] {
            assert_eq!(edit(text, json), None, "{text}");
        }
    }

    #[test]
    fn comments_are_told_from_text() {
        for text in ["a: 1 # x\n", "# x\na: 1\n", "a: &x 1\n", "a: [1, # x\n 2]\n"] {
            assert!(has_more(text), "{text}");
        }
        for text in ["a: 'b # c'\n", "a: b#c\n", "a: |\n  # no comment\n", "a: 1\n"] {
            assert!(!has_more(text), "{text}");
        }
    }
}
