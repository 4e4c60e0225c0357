//! From TOML to typed values with their places: every key is looked up in the schema, and everything wrong is noted,
//! not just the first thing.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::finding::{Finding, Findings, Place, SourceFile, quote};
use super::limits;
use super::rule::{Origin, Rule};
use super::schema::{self, Key, Shape};
use super::value::{self, ValueError};

/// A value and the rule that set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set<T> {
    pub(super) value: T,
    pub(super) rule: Rule,
}

/// What one text is read with.
pub(super) struct Reader {
    pub(super) file: Arc<SourceFile>,
    pub(super) origin: Origin,
    findings: RefCell<Findings>,
}

impl Reader {
    pub(super) fn new(file: Arc<SourceFile>, origin: Origin) -> Self {
        Reader { file, origin, findings: RefCell::default() }
    }

    pub(super) fn place(&self, span: Range<usize>) -> Place {
        // A span of the parser's that is not on character boundaries would break whoever cuts the text there.
        let text = self.file.text();
        let sound = span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
        Place { file: self.file.clone(), span: if sound { span } else { 0..0 } }
    }

    pub(super) fn rule(&self, span: Range<usize>) -> Rule {
        Rule::at(self.origin, self.place(span))
    }

    pub(super) fn find(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    pub(super) fn into_findings(self) -> Findings {
        self.findings.into_inner()
    }

    /// One value as its key's shape wants it, from text: sizes, times, moments, and numbers as options write them.
    pub(super) fn number_from_text(&self, key: Key, text: &str, place: &Place) -> Option<u64> {
        let (parsed, bounds) = match key.row().shape {
            Shape::Size(bounds) => (value::parse_size(text), bounds),
            Shape::Duration(bounds) => (value::parse_duration(text), bounds),
            Shape::Moment => (value::parse_moment(text), 0..=u64::MAX),
            Shape::Count(bounds) => {
                let help = format!("write a whole number, such as `{}`", key.row().example);
                (text.parse().map_err(|_| ValueError { message: "a whole number is expected".into(), help }), bounds)
            }
            Shape::Text | Shape::Texts | Shape::Flag => return None,
        };
        match parsed {
            Ok(number) => self.bounded(key, number, &bounds, place),
            Err(error) => {
                self.find(Finding::new(place, format!("{} is not valid for `{}`", quote(text), key.path())).label(error.message).help(error.help));
                None
            }
        }
    }

    fn bounded(&self, key: Key, number: u64, bounds: &std::ops::RangeInclusive<u64>, place: &Place) -> Option<u64> {
        if bounds.contains(&number) {
            return Some(number);
        }
        let shape = key.row().shape;
        let (low, high) = (number_text(&shape, *bounds.start()), number_text(&shape, *bounds.end()));
        let finding = if number == 0 {
            Finding::new(place, format!("`{}` may not be 0", key.path())).label("with 0, nothing could run")
        } else {
            let label = if number < *bounds.start() { "too small" } else { "too large" };
            Finding::new(place, format!("`{}` is out of bounds", key.path())).label(label)
        };
        self.find(finding.help(format!("write {low} to {high}")));
        None
    }
}

/// A number as a policy writes it: `256MiB`, `30s`, `64`.
pub(super) fn number_text(shape: &Shape, number: u64) -> String {
    match shape {
        Shape::Size(_) => value::size_text(number),
        Shape::Duration(_) => value::duration_text(number),
        Shape::Moment => value::moment_text(number),
        Shape::Count(_) | Shape::Text | Shape::Texts | Shape::Flag => number.to_string(),
    }
}

/// One table of a document. Whoever has taken all keys it knows calls [`Section::finish`], which notes the others.
pub(super) struct Section<'r, 't> {
    reader: &'r Reader,
    table: &'t DeTable<'t>,
    /// The path in the schema: `tools.custom.NAME`, `filesystem.mount[]`; empty at the root.
    path: String,
    /// The same with real names, for messages: `tools.custom.jwt`.
    shown: String,
    span: Range<usize>,
    taken: Vec<String>,
}

impl<'r, 't> Section<'r, 't> {
    pub(super) fn root(reader: &'r Reader, table: &'t DeTable<'t>) -> Self {
        Section { reader, table, path: String::new(), shown: String::new(), span: 0..0, taken: Vec::new() }
    }

    fn inner(&self, word: &str, name: &str, table: &'t DeTable<'t>, span: Range<usize>) -> Section<'r, 't> {
        let join = |outer: &str, word: &str| if outer.is_empty() { word.to_owned() } else { format!("{outer}.{word}") };
        Section { reader: self.reader, table, path: join(&self.path, word), shown: join(&self.shown, name), span, taken: Vec::new() }
    }

    /// The table's own place: its header.
    pub(super) fn rule(&self) -> Rule {
        self.reader.rule(self.span.clone())
    }

    fn take(&mut self, word: &str) -> Option<&'t Spanned<DeValue<'t>>> {
        self.taken.push(word.to_owned());
        self.table.get(word)
    }

    fn take_key(&mut self, key: Key) -> Option<&'t Spanned<DeValue<'t>>> {
        debug_assert_eq!(key.path().rsplit_once('.').map_or("", |(table, _)| table), self.path, "{key:?} is asked of the wrong table");
        self.take(key.word())
    }

    fn wrong_type(&self, key: Key, found: &Spanned<DeValue<'t>>) {
        let row = key.row();
        let expected = match row.shape {
            Shape::Text => "a string",
            Shape::Texts => "a list of strings",
            Shape::Flag => "`true` or `false`",
            Shape::Count(_) => "a whole number",
            Shape::Size(_) => "a size",
            Shape::Duration(_) => "a time",
            Shape::Moment => "a date and time",
        };
        let finding = Finding::new(&self.reader.place(found.span()), format!("`{}` is {expected}", row.path))
            .label(format!("this is {}", type_name(found.get_ref())))
            .help(format!("write it as in `{} = {}`", key.word(), row.example));
        self.reader.find(finding);
    }

    /// A number, a size, a time or a moment.
    pub(super) fn number(&mut self, key: Key) -> Option<Set<u64>> {
        let found = self.take_key(key)?;
        let place = self.reader.place(found.span());
        let number = match (found.get_ref(), key.row().shape) {
            (DeValue::String(text), Shape::Size(_) | Shape::Duration(_) | Shape::Moment) => self.reader.number_from_text(key, text, &place)?,
            (DeValue::Datetime(moment), Shape::Moment) => match value::moment_nanoseconds(moment) {
                Ok(moment) => moment,
                Err(error) => {
                    self.reader.find(Finding::new(&place, format!("`{}` is not valid", key.path())).label(error.message).help(error.help));
                    return None;
                }
            },
            (DeValue::Integer(integer), Shape::Count(bounds) | Shape::Size(bounds)) => {
                match i128::from_str_radix(integer.as_str(), integer.radix()).map(u64::try_from) {
                    Ok(Ok(number)) => self.reader.bounded(key, number, &bounds, &place)?,
                    Ok(Err(_)) | Err(_) => {
                        let (low, high) = (number_text(&key.row().shape, *bounds.start()), number_text(&key.row().shape, *bounds.end()));
                        self.reader.find(Finding::new(&place, format!("`{}` is out of bounds", key.path())).label("this is no number from 0 to 18446744073709551615").help(format!("write {low} to {high}")));
                        return None;
                    }
                }
            }
            (DeValue::Integer(integer), Shape::Duration(_)) => {
                let help = format!("for seconds write `{} = \"{}s\"`", key.word(), integer.as_str().get(..12).unwrap_or(integer.as_str()));
                self.reader.find(Finding::new(&place, format!("`{}` is a time", key.path())).label("a time has a unit").help(help));
                return None;
            }
            _ => {
                self.wrong_type(key, found);
                return None;
            }
        };
        Some(Set { value: number, rule: Rule::at(self.reader.origin, place) })
    }

    /// A string.
    pub(super) fn text(&mut self, key: Key) -> Option<Set<String>> {
        let found = self.take_key(key)?;
        match found.get_ref() {
            DeValue::String(text) => Some(Set { value: text.to_string(), rule: self.reader.rule(found.span()) }),
            _ => {
                self.wrong_type(key, found);
                None
            }
        }
    }

    /// `true` or `false`.
    pub(super) fn flag(&mut self, key: Key) -> Option<Set<bool>> {
        let found = self.take_key(key)?;
        match found.get_ref() {
            DeValue::Boolean(flag) => Some(Set { value: *flag, rule: self.reader.rule(found.span()) }),
            _ => {
                self.wrong_type(key, found);
                None
            }
        }
    }

    /// A list of strings, each with its place. A list with an item of another type counts without it.
    pub(super) fn texts(&mut self, key: Key) -> Option<Set<Vec<Set<String>>>> {
        let found = self.take_key(key)?;
        let DeValue::Array(items) = found.get_ref() else {
            self.wrong_type(key, found);
            return None;
        };
        let mut texts = Vec::new();
        for item in items.iter() {
            match item.get_ref() {
                DeValue::String(text) => texts.push(Set { value: text.to_string(), rule: self.reader.rule(item.span()) }),
                _ => self.wrong_type(key, item),
            }
        }
        Some(Set { value: texts, rule: self.reader.rule(found.span()) })
    }

    /// The table `[word]` below this one.
    pub(super) fn table(&mut self, word: &'static str) -> Option<Section<'r, 't>> {
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

    /// A table's header, or its key where the parser has no header for it (`a.b = 1`).
    fn header(&self, word: &str, span: Range<usize>) -> Range<usize> {
        if !span.is_empty() {
            return span;
        }
        self.table.get_key_value(word).map_or(span, |(key, _)| key.span())
    }

    /// The tables `[[word]]` below this one.
    pub(super) fn tables(&mut self, word: &'static str) -> Vec<Section<'r, 't>> {
        let Some(found) = self.take(word) else { return Vec::new() };
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
        for item in items.iter() {
            match item.get_ref() {
                DeValue::Table(table) => sections.push(self.inner(&list, &list, table, item.span())),
                other => wrong(item.span(), other),
            }
        }
        sections
    }

    /// The tables `[word.NAME]` below this one, each with its name and the name's place.
    pub(super) fn named(&mut self, word: &'static str) -> Vec<(Set<String>, Section<'r, 't>)> {
        let Some(mut outer) = self.table(word) else { return Vec::new() };
        let mut sections = Vec::new();
        for (name, found) in outer.entries() {
            match found.get_ref() {
                DeValue::Table(table) => {
                    let span = if found.span().is_empty() { name.rule.place().map_or(0..0, |place| place.span.clone()) } else { found.span() };
                    let section = outer.inner("NAME", &name.value, table, span);
                    sections.push((name, section));
                }
                other => {
                    let finding = Finding::new(&self.reader.place(found.span()), format!("{} is a table", quote(&format!("{}.{}", outer.path, name.value))))
                        .label(format!("this is {}", type_name(other)))
                        .help(format!("write `[{}.NAME]`, and its keys below", outer.path));
                    self.reader.find(finding);
                }
            }
        }
        sections
    }

    /// The strings `NAME = "…"` in the table `[word]` below this one.
    pub(super) fn named_texts(&mut self, word: &'static str, key: Key) -> Vec<(Set<String>, Set<String>)> {
        let Some(mut outer) = self.table(word) else { return Vec::new() };
        let mut texts = Vec::new();
        for (name, found) in outer.entries() {
            match found.get_ref() {
                DeValue::String(text) => texts.push((name, Set { value: text.to_string(), rule: self.reader.rule(found.span()) })),
                other => {
                    let finding = Finding::new(&self.reader.place(found.span()), format!("{} is a string", quote(&key.path().replace("NAME", &name.value))))
                        .label(format!("this is {}", type_name(other)))
                        .help("put it in quotes");
                    self.reader.find(finding);
                }
            }
        }
        texts
    }

    fn entries(&mut self) -> Vec<(Set<String>, &'t Spanned<DeValue<'t>>)> {
        let name = |key: &Spanned<std::borrow::Cow<'t, str>>| Set { value: key.get_ref().to_string(), rule: self.reader.rule(key.span()) };
        self.table.iter().map(|(key, found)| (name(key), found)).collect()
    }

    /// Note that a required key is missing, if it is.
    pub(super) fn require(&self, key: Key) {
        if !self.table.contains_key(key.word()) {
            let finding = Finding::new(&self.reader.place(self.span.clone()), format!("this {} has no `{}`", self.header_text(), key.word()))
                .help(format!("add `{} = {}`", key.word(), key.row().example));
            self.reader.find(finding);
        }
    }

    /// Note every key that nobody took.
    pub(super) fn finish(self) {
        for (key, _) in self.table.iter() {
            let word = key.get_ref().as_ref();
            if self.taken.iter().any(|taken| taken == word) {
                continue;
            }
            let table = if self.path.is_empty() { "a policy".to_owned() } else { self.header_text() };
            let finding = Finding::new(&self.reader.place(key.span()), format!("unknown key {}", quote(word)))
                .label(format!("{table} has no such key"))
                .help(self.advice(word));
            self.reader.find(finding);
        }
    }

    /// The table's header as a person writes it, in backticks.
    fn header_text(&self) -> String {
        match self.shown.strip_suffix("[]") {
            Some(list) => format!("`[[{list}]]`"),
            None => quote(&format!("[{}]", self.shown)),
        }
    }

    fn advice(&self, word: &str) -> String {
        let words = schema::words_in(&self.path);
        if let Some(nearest) = nearest(word, words.iter().copied()) {
            return format!("did you mean `{nearest}`?");
        }
        let elsewhere = schema::tables_with(word);
        if !elsewhere.is_empty() {
            return format!("`{word}` belongs to {}", elsewhere.join(" or "));
        }
        format!("the keys here are {}", list(words))
    }
}

/// `` `a`, `b` and `c` ``.
pub(super) fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        Some((last, _)) => last.clone(),
        None => "none".to_owned(),
    }
}

/// The word among `words` that `word` is probably a slip for.
pub(super) fn nearest<'a>(word: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    if word.len() > limits::TOOL_NAME_BYTES {
        return None;
    }
    let plain = |word: &str| word.to_lowercase().replace('-', "_");
    let distance = |candidate: &str| strsim::damerau_levenshtein(&plain(word), &plain(candidate));
    let bound = 1.max(word.chars().count() / 3);
    words.into_iter().map(|candidate| (distance(candidate), candidate)).filter(|(distance, _)| *distance <= bound).min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

fn type_name(value: &DeValue<'_>) -> &'static str {
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
