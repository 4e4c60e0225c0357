//! One table of a document: its subtables, named tables and required keys, and every unknown key.

use std::borrow::Cow;
use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::finding::{Finding, quote};
use super::limits;
use super::read::{Reader, Set};
use super::rule::Rule;
use super::schema::Key;
use super::spelling::{list, nearest};
use super::tables::{tables_with, words_in};

/// One table of a document. After taking all known keys, call [`Section::finish`], which reports the others.
pub(super) struct Section<'r, 't> {
    pub(super) reader: &'r Reader,
    table: &'t DeTable<'t>,
    /// The path in the schema: `tools.custom.NAME`, `filesystem.mount[]`; empty at the root.
    pub(super) path: String,
    /// The same with real names, for messages: `tools.custom.jwt`.
    shown: String,
    span: Range<usize>,
    taken: Vec<String>,
}

impl<'r, 't> Section<'r, 't> {
    pub(super) fn root(reader: &'r Reader, table: &'t DeTable<'t>) -> Self {
        Section { reader, table, path: String::new(), shown: String::new(), span: 0..0, taken: Vec::new() }
    }

    fn inner(&self, word: &str, name: &str, table: &'t DeTable<'t>, span: Range<usize>) -> Self {
        let join = |outer: &str, word: &str| {
            if outer.is_empty() { word.to_owned() } else { format!("{outer}.{word}") }
        };
        Section { reader: self.reader, table, path: join(&self.path, word), shown: join(&self.shown, name), span, taken: Vec::new() }
    }

    /// Returns the table's own place: its header.
    pub(super) fn rule(&self) -> Rule {
        self.reader.rule(self.span.clone())
    }

    pub(super) fn take(&mut self, word: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.taken.push(word.to_owned());
        self.table.get(word)
    }

    /// Returns the table `[word]` below this one.
    pub(super) fn table(&mut self, word: &'static str) -> Option<Self> {
        let found = self.take(word)?;
        let inner_path = self.inner(word, word, self.table, 0..0).path;
        match found.get_ref() {
            DeValue::Table(table) => Some(self.inner(word, word, table, self.header(word, found.span()))),
            other => {
                let finding = Finding::new(&self.reader.place(found.span()), format!("`{inner_path}` is a table"))
                    .label(format!("this is {}", type_name(other)))
                    .help(format!("write `[{inner_path}]`, and its keys below"));
                self.reader.find(finding);
                None
            }
        }
    }

    /// Returns a table's header, or its key if the parser has no header for it (`a.b = 1`).
    fn header(&self, word: &str, span: Range<usize>) -> Range<usize> {
        if !span.is_empty() {
            return span;
        }
        self.table.get_key_value(word).map_or(span, |(key, _)| key.span())
    }

    /// Returns the tables `[[word]]` below this one.
    pub(super) fn tables(&mut self, word: &'static str) -> Vec<Self> {
        let Some(found) = self.take(word) else {
            return Vec::new();
        };
        let list = format!("{word}[]");
        let path = self.inner(word, word, self.table, 0..0).path;
        let wrong = |span: Range<usize>, other: &DeValue<'_>| {
            let finding = Finding::new(&self.reader.place(span), format!("`{path}` is a list of tables"))
                .label(format!("this is {}", type_name(other)))
                .help(format!("write `[[{path}]]` with two brackets, once for each, and its keys below"));
            self.reader.find(finding);
        };
        let DeValue::Array(items) = found.get_ref() else {
            wrong(self.header(word, found.span()), found.get_ref());
            return Vec::new();
        };
        let mut sections = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::Table(table) => {
                    sections.push(self.inner(&list, &list, table, item.span()));
                }
                other => wrong(item.span(), other),
            }
        }
        sections
    }

    /// Returns the tables `[word.NAME]` below this one, each with its name and the name's place.
    pub(super) fn named(&mut self, word: &'static str) -> Vec<(Set<String>, Self)> {
        let Some(mut outer) = self.table(word) else {
            return Vec::new();
        };
        let mut sections = Vec::new();
        for (name, found) in outer.entries() {
            match found.get_ref() {
                DeValue::Table(table) => {
                    let span =
                        if found.span().is_empty() { name.rule.place().map_or(0..0, |place| place.span.clone()) } else { found.span() };
                    let section = outer.inner("NAME", &name.value, table, span);
                    sections.push((name, section));
                }
                other => {
                    let finding = Finding::new(
                        &self.reader.place(found.span()),
                        format!("{} is a table", quote(&format!("{}.{}", outer.path, name.value))),
                    )
                    .label(format!("this is {}", type_name(other)))
                    .help(format!("write `[{}.NAME]`, and its keys below", outer.path));
                    self.reader.find(finding);
                }
            }
        }
        sections
    }

    /// Returns the strings `NAME = "…"` in the subtable `[word]`.
    pub(super) fn named_texts(&mut self, word: &'static str, key: Key) -> Vec<(Set<String>, Set<String>)> {
        let Some(mut outer) = self.table(word) else {
            return Vec::new();
        };
        let mut texts = Vec::new();
        for (name, found) in outer.entries() {
            match found.get_ref() {
                DeValue::String(text) => texts.push((name, Set { value: text.to_string(), rule: self.reader.rule(found.span()) })),
                other => {
                    let finding = Finding::new(
                        &self.reader.place(found.span()),
                        format!("{} is a string", quote(&key.path().replace("NAME", &name.value))),
                    )
                    .label(format!("this is {}", type_name(other)))
                    .help("put it in quotes");
                    self.reader.find(finding);
                }
            }
        }
        texts
    }

    fn entries(&mut self) -> Vec<(Set<String>, &'t Spanned<DeValue<'t>>)> {
        let name = |key: &Spanned<Cow<'t, str>>| Set { value: key.get_ref().to_string(), rule: self.reader.rule(key.span()) };
        self.table.iter().map(|(key, found)| (name(key), found)).collect()
    }

    /// Returns whether this key is there, whatever its value is.
    pub(super) fn has(&self, key: Key) -> bool {
        self.table.contains_key(key.word())
    }

    /// Reports a required key that is missing.
    pub(super) fn require(&self, key: Key) {
        if !self.has(key) {
            let finding =
                Finding::new(&self.reader.place(self.span.clone()), format!("this {} has no `{}`", self.header_text(), key.word()))
                    .help(format!("add `{} = {}`", key.word(), key.row().example));
            self.reader.find(finding);
        }
    }

    /// Reports every key that was not taken.
    pub(super) fn finish(self) {
        let mut unknown: Vec<_> = self.table.keys().filter(|key| !self.taken.iter().any(|taken| taken == key.get_ref().as_ref())).collect();
        unknown.sort_by_key(|key| key.span().start);
        for (index, key) in unknown.into_iter().enumerate() {
            let word = key.get_ref().as_ref();
            let table = if self.path.is_empty() { "a policy".to_owned() } else { self.header_text() };
            let finding = Finding::new(&self.reader.place(key.span()), format!("unknown key {}", quote(word)))
                .label(format!("{table} has no such key"));
            // Advice takes time, and findings beyond the first hundred are not shown.
            self.reader.find(if index < limits::FINDINGS_MAX { finding.help(self.advice(word)) } else { finding });
        }
    }

    /// Returns the table's header as the user writes it, in backticks.
    fn header_text(&self) -> String {
        match self.shown.strip_suffix("[]") {
            Some(list) => format!("`[[{list}]]`"),
            None => quote(&format!("[{}]", self.shown)),
        }
    }

    fn advice(&self, word: &str) -> String {
        let words = words_in(&self.path);
        if let Some(nearest) = nearest(word, words.iter().copied()) {
            return format!("did you mean `{nearest}`?");
        }
        let elsewhere = tables_with(word);
        if !elsewhere.is_empty() {
            return format!("`{word}` belongs to {}", elsewhere.join(" or "));
        }
        format!("the keys here are {}", list(words))
    }
}

/// Returns the name of a value's type in messages.
pub(super) fn type_name(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "a truth value",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}
