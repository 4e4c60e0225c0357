//! Findings drawn with the lines they are about and a caret.

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

use super::finding::{Finding, PolicyErrors, SourceFile};

/// Whether to draw with the colours of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Palette {
    /// No escape sequences.
    Plain,
    /// ANSI colours.
    Colour,
}

/// All findings, each with file:line:column, the text it is about, a caret, and what to write instead; a blank line
/// between two. Ends with a newline.
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

fn report(finding: &Finding) -> Group<'_> {
    let mut group = Level::ERROR.primary_title(finding.message.as_str()).elements([] as [Element<'_>; 0]);
    match &finding.span {
        Some(span) => {
            let mut primary = AnnotationKind::Primary.span(span.clone());
            if let Some(label) = &finding.label {
                primary = primary.label(label.as_str());
            }
            let mut annotations = vec![primary];
            // Places in the same text are drawn in one piece, others below.
            let (here, elsewhere): (Vec<_>, Vec<_>) = finding.related.iter().partition(|related| std::sync::Arc::ptr_eq(&related.place.file, &finding.file));
            annotations.extend(here.iter().map(|related| AnnotationKind::Context.span(related.place.span.clone()).label(related.label.as_str())));
            group = group.element(snippet(&finding.file).annotations(annotations));
            for related in elsewhere {
                let annotation = AnnotationKind::Context.span(related.place.span.clone()).label(related.label.as_str());
                group = group.element(snippet(&related.place.file).annotation(annotation));
            }
        }
        None => group = group.element(Origin::path(finding.file.name())),
    }
    if let Some(help) = &finding.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    group
}

fn snippet(file: &SourceFile) -> Snippet<'_, annotate_snippets::Annotation<'_>> {
    Snippet::source(file.text()).path(file.name())
}
