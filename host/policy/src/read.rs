//! Values with their places, and the findings of one text: every problem is recorded, not only the first.

use std::cell::RefCell;
use std::ops::Range;
use std::sync::Arc;

use super::finding::{Finding, Findings, Location, SourceFile, quote};
use super::rule::{Origin, Rule};
use super::schema::{Key, Shape};
use super::value::{self, ValueError};

/// A value and the rule that set it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Set<T> {
    pub(super) value: T,
    pub(super) rule: Rule,
}

/// The context in which one text is read.
pub(super) struct Reader {
    pub(super) file: Arc<SourceFile>,
    pub(super) origin: Origin,
    findings: RefCell<Findings>,
}

impl Reader {
    pub(super) fn new(file: Arc<SourceFile>, origin: Origin) -> Self {
        Self { file, origin, findings: RefCell::default() }
    }

    pub(super) fn place(&self, span: Range<usize>) -> Location {
        // A parser span that is not on character boundaries would cause a panic where the text is cut.
        let text = self.file.text();
        let sound = span.start <= span.end && text.is_char_boundary(span.start) && text.is_char_boundary(span.end);
        Location { file: self.file.clone(), span: if sound { span } else { 0..0 } }
    }

    pub(super) fn rule(&self, span: Range<usize>) -> Rule {
        Rule::at(self.origin, self.place(span))
    }

    /// Returns a help text that shows a valid value of `key`, as a file or an option writes it.
    pub(super) fn example(&self, key: Key) -> String {
        let example = key.row().example;
        match self.origin {
            Origin::File => format!("write it as in `{} = {example}`", key.word()),
            Origin::CommandLine | Origin::HostProgram | Origin::BuiltIn => {
                format!("write it as in `{}`", example.trim_matches('"'))
            }
        }
    }

    pub(super) fn find(&self, finding: Finding) {
        self.findings.borrow_mut().push(finding);
    }

    pub(super) fn into_findings(self) -> Findings {
        self.findings.into_inner()
    }

    /// Parses one value by its key's shape: sizes, times, moments, and numbers as options write them.
    pub(super) fn number_from_text(&self, key: Key, text: &str, place: &Location) -> Option<u64> {
        let (parsed, bounds) = match key.row().shape {
            Shape::Size(bounds) => (value::parse_size(text), bounds),
            Shape::Duration(bounds) => (value::parse_duration(text), bounds),
            Shape::Moment => (value::parse_moment(text), 0..=u64::MAX),
            Shape::Count(bounds) => {
                (text.parse().map_err(|_| ValueError { message: "this is not a whole number".into(), help: self.example(key) }), bounds)
            }
            Shape::Text | Shape::Texts | Shape::Flag => return None,
        };
        match parsed {
            Ok(number) => self.bounded(key, number, &bounds, place),
            Err(error) => {
                self.find(
                    Finding::new(place, format!("{} is not valid for `{}`", quote(text), key.path())).label(error.message).help(error.help),
                );
                None
            }
        }
    }

    /// Returns the number, if it is within bounds.
    pub(super) fn bounded(&self, key: Key, number: u64, bounds: &std::ops::RangeInclusive<u64>, place: &Location) -> Option<u64> {
        if bounds.contains(&number) {
            return Some(number);
        }
        let shape = key.row().shape;
        let (low, high) = (number_text(&shape, *bounds.start()), number_text(&shape, *bounds.end()));
        let finding = if number == 0 {
            Finding::new(place, format!("`{}` must not be 0", key.path())).label("with 0, nothing could run")
        } else {
            let label = if number < *bounds.start() { "too small" } else { "too large" };
            Finding::new(place, format!("`{}` is out of bounds", key.path())).label(label)
        };
        self.find(finding.help(format!("write {low} to {high}")));
        None
    }
}

/// Returns a number as a policy writes it: `256MiB`, `30s`, `64`.
pub(super) fn number_text(shape: &Shape, number: u64) -> String {
    match shape {
        Shape::Size(_) => value::size_text(number),
        Shape::Duration(_) => value::duration_text(number),
        Shape::Moment => value::moment_text(number),
        Shape::Count(_) | Shape::Text | Shape::Texts | Shape::Flag => number.to_string(),
    }
}

/// Returns the value that was read from `text`, or a finding with the problem.
pub(crate) fn checked<T>(reader: &Reader, key: Key, text: &Set<String>, read: Result<T, &'static str>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(problem) => {
            let finding = text.rule.finding(format!("{} is not valid for `{}`", quote(&text.value), key.path()));
            reader.find(finding.label(problem).help(reader.example(key)));
            None
        }
    }
}
