//! What the command line of `diff` asks for.

use super::formats::{self, Formats};
use super::lines::Ignore;
use super::{Diff, Format, regex};
use crate::options::Line;
use crate::{sys, text};
use std::ffi::OsString;

impl Diff {
    pub(super) fn new(line: &Line, args: &[OsString]) -> Result<Self, String> {
        let context = context(line)?;
        let formats = formats(line);
        let color = color(line)?;
        let format = format(line, formats.is_some())?;
        let width = line.last_text("width");
        if let Some(width) = width.as_ref().filter(|w| w.parse::<usize>().ok().filter(|n| *n > 0).is_none()) {
            return Err(format!("invalid width '{width}'"));
        }
        let mut matching = Vec::new();
        let mut exclude = Vec::new();
        let mut labels = Vec::new();
        for given in &line.options {
            let Some(value) = &given.value else { continue };
            match given.key {
                "ignore-matching-lines" => matching.push(regex(sys::bytes(value)).map_err(|e| format!("{}: {e}", text::show(value)))?),
                "exclude" => exclude.push(sys::bytes(value).to_vec()),
                "exclude-from" => {
                    let list = text::slurp(value).map_err(|e| format!("{}: {}", text::show(value), text::reason(&e)))?;
                    exclude.extend(list.split(|b| *b == b'\n').filter(|l| !l.is_empty()).map(<[u8]>::to_vec));
                }
                "label" => labels.push(text::show(value)),
                _ => {}
            }
        }
        let function = match line.last("show-function-line") {
            Some(source) => Some(regex(sys::bytes(source)).map_err(|e| format!("{}: {e}", text::show(source)))?),
            None if line.has("show-c-function") => Some(regex(b"^[[:alpha:]$_]")?),
            None => None,
        };
        let shown: Vec<String> = args[1..].iter().filter(|a| !line.operands.contains(a)).map(|a| quoted(&text::show(a))).collect();
        Ok(Self {
            format,
            context: context.unwrap_or(3),
            labels,
            ignore: Ignore {
                case: line.has("ignore-case"),
                space_change: line.has("ignore-space-change"),
                all_space: line.has("ignore-all-space"),
                trailing_space: line.has("ignore-trailing-space"),
                tabs: line.has("ignore-tab-expansion"),
                blank_lines: line.has("ignore-blank-lines"),
                matching,
                carriage_return: line.has("strip-trailing-cr"),
            },
            identical: line.has("report-identical-files"),
            recursive: line.has("recursive"),
            new_file: line.has("new-file"),
            start: line.last("starting-file").map(OsString::from),
            tab: line.last_text("tabsize").and_then(|w| w.parse().ok()).filter(|w| *w > 0).unwrap_or(8),
            new_first: line.has("unidirectional-new-file"),
            text: line.has("text"),
            minimal: line.has("minimal"),
            exclude,
            function,
            expand: line.has("expand-tabs"),
            initial_tab: line.has("initial-tab"),
            width: width.and_then(|w| w.parse().ok()).unwrap_or(130),
            left_column: line.has("left-column"),
            suppress_blank: line.has("suppress-blank-empty"),
            suppress_common: line.has("suppress-common-lines"),
            formats,
            color,
            shown: shown.join(" "),
            out: text::output(),
        })
    }
}

/// Returns the number of lines of context, if one is given.
fn context(line: &Line) -> Result<Option<usize>, String> {
    let number = |key: &str| match line.last_text(key) {
        None => Ok(None),
        Some(text) => text.parse().map(Some).map_err(|_| format!("invalid context length '{text}'")),
    };
    let digits: String = line.options.iter().filter(|o| o.key == "digits").filter_map(|o| o.letter).collect();
    let context = number("unified")?.or(number("context")?);
    Ok(digits.parse().ok().or(context))
}

/// Returns the formats of lines and groups, if any is given.
fn formats(line: &Line) -> Option<Formats> {
    if let Some(name) = line.last_text("ifdef") {
        return Some(Formats::conditional(&name));
    }
    let option = |kind: &str, what: &str| line.last_text(&format!("{kind}-{what}-format"));
    let lines = [0, 1, 2].map(|at| option(formats::KINDS[at], "line").or_else(|| line.last_text("line-format")));
    let groups = formats::KINDS.map(|kind| option(kind, "group"));
    (lines.iter().any(Option::is_some) || groups.iter().any(Option::is_some)).then(|| Formats::new(lines, groups))
}

/// Returns whether the output has colors.
fn color(line: &Line) -> Result<bool, String> {
    match line.has("color").then(|| line.last_text("color").unwrap_or_else(|| "auto".into())).as_deref() {
        None | Some("never") => Ok(false),
        Some("always") => Ok(true),
        Some("auto") => Ok(sys::is_terminal(1)),
        Some(other) => Err(format!("invalid color '{other}'")),
    }
}

/// Returns the format of the output. The command line may give only one; `formatted` says that lines or groups have formats.
fn format(line: &Line, formatted: bool) -> Result<Format, String> {
    let given = [
        (line.has("u") || line.has("unified"), Format::Unified),
        (line.has("c") || line.has("context"), Format::Context),
        (line.has("ed"), Format::Ed),
        (line.has("forward-ed"), Format::Forward),
        (line.has("rcs"), Format::Rcs),
        (formatted, Format::Formatted),
        (line.has("side-by-side"), Format::Side),
        (line.has("normal"), Format::Normal),
    ];
    let mut given = given.into_iter().filter(|(given, _)| *given).map(|(_, format)| format);
    let format = given.next().unwrap_or(Format::Normal);
    if given.next().is_some() {
        return Err("conflicting output style options".into());
    }
    Ok(match format {
        _ if line.has("brief") => Format::Brief,
        Format::Normal if line.has("show-c-function") => Format::Context,
        format => format,
    })
}

/// Returns a word quoted as a shell needs it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "%+,-./:@_^]{}".contains(c);
    wisp_tool::text::quoted_unless(word, plain)
}
