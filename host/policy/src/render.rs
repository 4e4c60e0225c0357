//! Draws findings with their source lines and a caret.

use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{Annotation, AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::finding::{Finding, PolicyErrors, SourceFile};
use super::limits;

/// Whether to draw with the colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Palette {
    /// No escape sequences.
    Plain,
    /// ANSI colours.
    Colour,
}

/// Returns all findings, each with file:line:column, its text, a caret, and what to write instead, separated by blank lines.
/// Ends with a newline.
pub fn render(errors: &PolicyErrors, palette: Palette) -> String {
    let renderer = match palette {
        Palette::Plain => Renderer::plain(),
        Palette::Colour => Renderer::styled(),
    }
    .decor_style(DecorStyle::Ascii);
    let mut text = String::new();
    for (index, finding) in errors.findings().iter().enumerate() {
        if index > 0 {
            text.push('\n');
        }
        text.push_str(renderer.render(&[report(finding)]).trim_end());
        text.push('\n');
    }
    text
}

/// A range of a file with its label.
struct Mark<'a> {
    kind: AnnotationKind,
    span: Range<usize>,
    label: Option<&'a str>,
}

fn report(finding: &Finding) -> Group<'_> {
    let mut group = Level::ERROR.primary_title(finding.message.as_str()).elements([] as [Element<'_>; 0]);
    match &finding.span {
        Some(span) => {
            let mut marks = vec![Mark { kind: AnnotationKind::Primary, span: sound(&finding.file, span), label: finding.label.as_deref() }];
            // Places in the same text are drawn together, others below.
            let (here, elsewhere): (Vec<_>, Vec<_>) =
                finding.notes.iter().partition(|note| Arc::ptr_eq(&note.location.file, &finding.file));
            marks.extend(here.iter().map(|note| Mark {
                kind: AnnotationKind::Context,
                span: sound(&finding.file, &note.location.span),
                label: Some(&note.label),
            }));
            group = group.element(excerpt(&finding.file, &marks));
            for note in elsewhere {
                let mark =
                    Mark { kind: AnnotationKind::Context, span: sound(&note.location.file, &note.location.span), label: Some(&note.label) };
                group = group.element(excerpt(&note.location.file, &[mark]));
            }
        }
        None => group = group.element(Origin::path(finding.file.name())),
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

/// Returns the span, limited to its text and to character boundaries, whatever made the finding.
fn sound(file: &SourceFile, span: &Range<usize>) -> Range<usize> {
    let start = file.text().floor_char_boundary(span.start);
    start..file.text().floor_char_boundary(span.end.max(start))
}

/// Returns the lines from the first mark to the last; only their place if they are too long to draw.
fn excerpt<'a>(file: &'a SourceFile, marks: &[Mark<'a>]) -> Element<'a> {
    let text = file.text();
    let first = marks.iter().map(|mark| mark.span.start).min().unwrap_or(0);
    let last = marks.iter().map(|mark| mark.span.end).max().unwrap_or(0);
    let start = text[..first].rfind('\n').map_or(0, |at| at + 1);
    let end = text[last..].find('\n').map_or(text.len(), |at| last + at);
    let cut = &text[start..end];
    if cut.lines().any(|line| line.len() > limits::DRAWN_MAX) {
        let (line, column) = file.position(marks.first().map_or(0, |mark| mark.span.start));
        return Origin::path(file.name()).line(line as usize).char_column(column as usize).into();
    }
    let annotations = marks.iter().map(|mark| -> Annotation<'a> {
        let annotation = mark.kind.span(mark.span.start - start..mark.span.end - start);
        match mark.label {
            Some(label) => annotation.label(label),
            None => annotation,
        }
    });
    Snippet::source(cut).line_start(file.position(start).0 as usize).path(file.name()).annotations(annotations).into()
}
