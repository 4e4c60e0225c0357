//! Findings: what is wrong with a policy, as data. They are drawn only by the command line, with
//! [`render`](super::render).

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use wisp_api::{ErrorCode, PolicyFinding, PolicyNote, WispError};

use super::limits;

/// A text that findings point into: a policy file, or one argument of the command line.
#[derive(Debug, PartialEq, Eq)]
pub struct SourceFile {
    name: String,
    text: String,
    lines: Vec<usize>,
}

impl SourceFile {
    /// Creates a text under the name that findings and rules print for it.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Arc<Self> {
        let text = text.into();
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Arc::new(Self { name: name.into(), text, lines })
    }

    /// Returns the name, as the user gave it: `policies/offline.toml`, `command line`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line and column of a byte offset, both from 1; the column counts characters.
    pub fn position(&self, offset: usize) -> (u32, u32) {
        let line = self.lines.partition_point(|&start| start <= offset).max(1) - 1;
        let start = self.lines.get(line).copied().unwrap_or(0);
        let before = self.text.as_bytes().get(start..offset.min(self.text.len())).unwrap_or_default();
        // Counts the bytes that begin a character, so it is right even if the offset is inside one.
        let column = before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count();
        (u32::try_from(line + 1).unwrap_or(u32::MAX), u32::try_from(column + 1).unwrap_or(u32::MAX))
    }
}

/// A range of a [`SourceFile`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The text.
    pub file: Arc<SourceFile>,
    /// The range of bytes.
    pub span: Range<usize>,
}

impl Location {
    /// Returns the line in which the place begins, from 1.
    pub fn line(&self) -> u32 {
        self.file.position(self.span.start).0
    }
}

/// A second place that a finding refers to, such as the other one of two overlapping mounts.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// The place.
    pub location: Location,
    /// What it contains.
    pub label: String,
}

/// One problem of a policy: what was asked, why it is refused, and what to write instead.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Finding {
    /// The text in which it was found.
    pub file: Arc<SourceFile>,
    /// The range in the text; `None` if it concerns the text as a whole (which cannot be read, for example).
    pub span: Option<Range<usize>>,
    /// The problem, in lower case, with the user's text in backticks.
    pub message: String,
    /// The label beside the caret.
    pub label: Option<String>,
    /// What to write instead.
    pub help: Option<String>,
    /// Other places that it refers to.
    pub notes: Vec<Note>,
}

impl Finding {
    /// Creates a finding at a place.
    pub fn new(place: &Location, message: impl Into<String>) -> Self {
        Self { span: Some(place.span.clone()), ..Self::whole(place.file.clone(), message) }
    }

    /// Returns a finding about a text as a whole.
    pub fn whole(file: Arc<SourceFile>, message: impl Into<String>) -> Self {
        Self { file, span: None, message: message.into(), label: None, help: None, notes: Vec::new() }
    }

    /// Sets the label beside the caret.
    #[must_use]
    pub fn label(mut self, label: impl Into<String>) -> Self {
        self.label = Some(label.into());
        self
    }

    /// Sets what to write instead.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns the finding as data, without the text.
    fn to_data(&self) -> PolicyFinding {
        let position = self.span.as_ref().map(|span| self.file.position(span.start));
        let note = |note: &Note| {
            let (line, column) = note.location.file.position(note.location.span.start);
            PolicyNote { file: note.location.file.name().to_owned(), line, column, label: note.label.clone() }
        };
        PolicyFinding {
            file: self.file.name().to_owned(),
            line: position.map(|(line, _)| line),
            column: position.map(|(_, column)| column),
            message: self.message.clone(),
            label: self.label.clone(),
            help: self.help.clone(),
            notes: self.notes.iter().map(note).collect(),
        }
    }

    /// Adds another place.
    #[must_use]
    pub(super) fn note(mut self, place: &Location, label: impl Into<String>) -> Self {
        self.notes.push(Note { location: place.clone(), label: label.into() });
        self
    }
}

impl Finding {
    /// Returns what is wrong, without the place and without help.
    pub fn message(&self) -> &str {
        &self.message
    }
}

/// `file:line:column: message; help`, without the source text.
impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.file.name())?;
        if let Some(span) = &self.span {
            let (line, column) = self.file.position(span.start);
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.message)?;
        match &self.help {
            Some(help) => write!(f, " (help: {help})"),
            None => Ok(()),
        }
    }
}

/// All problems of a policy at once; never empty. Its `Display` prints one line for each finding;
/// [`render`](super::render::render) draws them with carets.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyErrors(Vec<Finding>);

impl PolicyErrors {
    /// Returns the findings, sorted by file and place.
    pub fn findings(&self) -> &[Finding] {
        &self.0
    }

    /// Returns the findings as data, without the texts.
    pub fn to_data(&self) -> Vec<PolicyFinding> {
        self.0.iter().map(Finding::to_data).collect()
    }

    /// Returns the code of these errors: [`ErrorCode::PolicyInvalid`].
    pub fn code(&self) -> ErrorCode {
        ErrorCode::PolicyInvalid
    }
}

impl From<Finding> for PolicyErrors {
    fn from(finding: Finding) -> Self {
        Self(vec![finding])
    }
}

impl fmt::Display for PolicyErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, finding) in self.0.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for PolicyErrors {}

impl WispError for PolicyErrors {
    fn code(&self) -> ErrorCode {
        Self::code(self)
    }

    fn policy_findings(&self) -> Vec<PolicyFinding> {
        self.to_data()
    }
}

/// Collects findings; decides at the end.
#[derive(Debug, Clone, Default)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Adds one finding.
    pub fn push(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// Adds the findings of another check.
    pub(super) fn append(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Returns the value if there are no findings, otherwise all findings, sorted by file (in order of first appearance) and
    /// place.
    pub fn decide<T>(self, value: T) -> Result<T, PolicyErrors> {
        if self.0.is_empty() {
            return Ok(value);
        }
        let mut files: Vec<Arc<SourceFile>> = Vec::new();
        for finding in &self.0 {
            if !files.iter().any(|file| Arc::ptr_eq(file, &finding.file)) {
                files.push(finding.file.clone());
            }
        }
        let mut findings = self.0;
        findings.sort_by_key(|finding| {
            let file = files.iter().position(|file| Arc::ptr_eq(file, &finding.file));
            (file, finding.span.as_ref().map(|span| (span.start, span.end)))
        });
        findings.dedup();
        if findings.len() > limits::FINDINGS_MAX {
            let rest = findings.len() - limits::FINDINGS_MAX;
            findings.truncate(limits::FINDINGS_MAX);
            // The list was longer than FINDINGS_MAX, which is not 0, so it has a last element.
            let file = findings[limits::FINDINGS_MAX - 1].file.clone();
            findings.push(Finding::whole(file, format!("{rest} more findings are not shown")));
        }
        Err(PolicyErrors(findings))
    }
}

/// Quotes user text for a message: in backticks, with control characters escaped so that a policy cannot control the
/// terminal, and truncated if it is long.
pub fn quote(text: &str) -> String {
    if text.is_empty() {
        return "`\"\"`".to_owned();
    }
    let mut quoted = String::from("`");
    for (index, char) in text.chars().enumerate() {
        if index == limits::QUOTED_MAX {
            quoted.push('…');
            break;
        }
        if char.is_control() || is_invisible(char) {
            quoted.extend(char.escape_default());
        } else {
            quoted.push(char);
        }
    }
    quoted.push('`');
    quoted
}

/// Returns whether a character changes how the text around it is displayed: direction marks and zero-width characters.
pub fn is_invisible(char: char) -> bool {
    matches!(char, '\u{200B}'..='\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_lines_and_characters_from_one() {
        let file = SourceFile::new("f", "a\nbä=c\n");
        assert_eq!(file.position(0), (1, 1));
        assert_eq!(file.position(2), (2, 1));
        assert_eq!(file.position(5), (2, 3));
        assert_eq!(file.position(8), (3, 1));
        assert_eq!(file.position(1000), (3, 1));
    }

    #[test]
    fn quoted_text_cannot_speak_to_the_terminal() {
        assert_eq!(quote("a\u{1b}[2Jb\n\u{202e}"), "`a\\u{1b}[2Jb\\n\\u{202e}`");
        assert!(quote(&"x".repeat(10_000)).chars().count() < 100);
    }

    #[test]
    fn findings_are_data_with_their_places() {
        let file = SourceFile::new("p.toml", "a\nb\u{e4}=c\n");
        let (here, there) = (Location { file: file.clone(), span: 5..6 }, Location { file: file.clone(), span: 0..1 });
        let mut findings = Findings::default();
        findings.push(Finding::new(&here, "`c` is no letter").label("here").help("write `d`").note(&there, "this one"));
        findings.push(Finding::whole(file, "it is empty"));
        let errors = findings.decide(()).unwrap_err();
        let document = errors.document();
        assert_eq!((document.code, document.message), (ErrorCode::PolicyInvalid, errors.to_string()));
        let note = PolicyNote { file: "p.toml".to_owned(), line: 1, column: 1, label: "this one".to_owned() };
        let place = |finding: &PolicyFinding| (finding.line, finding.column);
        let [whole, found] = &document.findings[..] else { panic!("{:?}", document.findings) };
        assert_eq!((place(whole), place(found)), ((None, None), (Some(2), Some(3))));
        assert_eq!((whole.message.as_str(), found.message.as_str()), ("it is empty", "`c` is no letter"));
        assert_eq!((found.label.as_deref(), found.help.as_deref(), &found.notes), (Some("here"), Some("write `d`"), &vec![note]));
    }

    #[test]
    fn findings_are_ordered_and_counted() {
        let file = SourceFile::new("f", "x".repeat(1000));
        let mut findings = Findings::default();
        for at in (0..limits::FINDINGS_MAX + 7).rev() {
            findings.push(Finding::new(&Location { file: file.clone(), span: at..at + 1 }, "no"));
        }
        let errors = findings.decide(()).unwrap_err();
        assert_eq!(errors.findings()[0].span, Some(0..1));
        assert_eq!(errors.findings().len(), limits::FINDINGS_MAX + 1);
        assert!(errors.to_string().ends_with("f: 7 more findings are not shown"));
    }
}
