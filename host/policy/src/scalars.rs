//! The values in a table: numbers, strings, lists, each in the shape that the schema gives its key.

use toml::Spanned;
use toml::de::DeValue;

use super::finding::Finding;
use super::read::{Set, number_text};
use super::rule::Rule;
use super::schema::{Key, Shape};
use super::section::{Section, type_name};
use super::value;

impl<'t> Section<'_, 't> {
    fn take_key(&mut self, key: Key) -> Option<&'t Spanned<DeValue<'t>>> {
        debug_assert_eq!(key.table(), self.path, "{key:?} is asked of the wrong table");
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
            .help(self.reader.example(key));
        self.reader.find(finding);
    }

    /// Reads a number, a size, a time or a moment.
    pub(super) fn number(&mut self, key: Key) -> Option<Set<u64>> {
        let found = self.take_key(key)?;
        let place = self.reader.place(found.span());
        let number = match (found.get_ref(), key.row().shape) {
            (DeValue::String(text), Shape::Size(_) | Shape::Duration(_) | Shape::Moment) => {
                self.reader.number_from_text(key, text, &place)?
            }
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
                        self.reader.find(
                            Finding::new(&place, format!("`{}` is out of bounds", key.path()))
                                .label("this is not a number from 0 to 18446744073709551615")
                                .help(format!("write {low} to {high}")),
                        );
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

    /// Reads a string.
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

    /// Reads `true` or `false`.
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

    /// Reads a list of strings, each with its place. Items that are not strings are left out.
    pub(super) fn texts(&mut self, key: Key) -> Option<Set<Vec<Set<String>>>> {
        let found = self.take_key(key)?;
        let DeValue::Array(items) = found.get_ref() else {
            self.wrong_type(key, found);
            return None;
        };
        let mut texts = Vec::new();
        for item in items {
            match item.get_ref() {
                DeValue::String(text) => texts.push(Set { value: text.to_string(), rule: self.reader.rule(item.span()) }),
                _ => self.wrong_type(key, item),
            }
        }
        Some(Set { value: texts, rule: self.reader.rule(found.span()) })
    }
}
