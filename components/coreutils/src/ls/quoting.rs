//! How `ls` writes names.

use super::options::Options;
use crate::{sys, text};
use std::ffi::OsString;
use std::path::PathBuf;

/// How names are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Quoting {
    /// Unchanged.
    Literal,
    /// Quoted if a shell needs it.
    Shell,
    /// Always quoted.
    ShellAlways,
    /// Like `Shell`, with `$'\n'` for control characters.
    ShellEscape,
    /// Like `ShellEscape`, but always quoted.
    ShellEscapeAlways,
    /// `"a\nb"`.
    C,
    /// Like `C`, without the quotation marks if nothing is escaped.
    CMaybe,
    /// `'a\nb'`.
    Locale,
    /// `a\nb`.
    Escape,
}

impl Quoting {
    /// Returns the style that a word names.
    pub(super) fn of(word: &str) -> Self {
        match word {
            "literal" => Self::Literal,
            "shell" => Self::Shell,
            "shell-always" => Self::ShellAlways,
            "shell-escape" => Self::ShellEscape,
            "shell-escape-always" => Self::ShellEscapeAlways,
            "c" => Self::C,
            "c-maybe" => Self::CMaybe,
            "locale" | "clocale" => Self::Locale,
            _ => Self::Escape,
        }
    }

    /// Returns the word that names the style.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Literal => "literal",
            Self::Shell => "shell",
            Self::ShellAlways => "shell-always",
            Self::ShellEscape => "shell-escape",
            Self::ShellEscapeAlways => "shell-escape-always",
            Self::C => "c",
            Self::CMaybe => "c-maybe",
            Self::Locale => "locale",
            Self::Escape => "escape",
        }
    }
}

/// Returns the style that `QUOTING_STYLE` names.
pub(super) fn default(args: &[OsString], known: &[&[&'static str]]) -> Option<Quoting> {
    let style = std::env::var("QUOTING_STYLE").ok()?;
    if known.iter().any(|group| group.contains(&style.as_str())) {
        return Some(Quoting::of(&style));
    }
    let shown = text::quote(&style);
    text::complain(&text::name(args), format!("ignoring invalid value of environment variable QUOTING_STYLE: {shown}"));
    None
}

/// Returns a name in the chosen style, with `?` for unprintable characters if the options say so.
pub(super) fn styled(name: &str, options: &Options) -> String {
    shown(name, options.quoting, options.mask, false)
}

/// Returns the name of a directory as the heading of its contents. A colon follows it, so a colon in the name is quoted or escaped.
pub(super) fn heading(name: &str, options: &Options) -> String {
    shown(name, options.quoting, options.mask, true)
}

fn shown(name: &str, quoting: Quoting, mask: bool, heading: bool) -> String {
    let colon = heading && name.contains(':');
    let text = match quoting {
        Quoting::Literal => name.to_owned(),
        Quoting::Shell if colon || needs_quotes(name) => single(name),
        Quoting::Shell => name.to_owned(),
        Quoting::ShellAlways => single(name),
        Quoting::ShellEscape if colon => as_gnu(name, text::quote),
        Quoting::ShellEscape if name.contains(':') && !name.contains([' ', '\'']) => {
            // A colon alone needs no quotes in a listing.
            let odd = |c: char| c.is_control() || byte_of(c).is_some();
            if needs_quotes(name) || name.chars().any(odd) { as_gnu(name, text::quote) } else { name.to_owned() }
        }
        Quoting::ShellEscape => as_gnu(name, text::quote_if_needed),
        Quoting::ShellEscapeAlways => as_gnu(name, text::quote),
        Quoting::C => format!("\"{}\"", escaped(name, if heading { &['"', ':'] } else { &['"'] })),
        Quoting::CMaybe => {
            let inner = escaped(name, if heading { &['"', ':'] } else { &['"'] });
            if inner == name { inner } else { format!("\"{inner}\"") }
        }
        Quoting::Locale => format!("'{}'", escaped(name, if heading { &['\'', ':'] } else { &['\''] })),
        Quoting::Escape => escaped(name, if heading { &[':'] } else { &[' '] }),
    };
    if mask { text.chars().map(|c| if c.is_control() || byte_of(c).is_some() { '?' } else { c }).collect() } else { text }
}

/// Returns the byte that a character spells (`text::shown`), if it spells one.
fn byte_of(c: char) -> Option<u8> {
    matches!(c, '\u{f780}'..='\u{f7ff}').then(|| (u32::from(c) & 0xff) as u8)
}

/// Returns a name in quotes as messages have it, where each byte that is not UTF-8 is an escape.
fn as_gnu(name: &str, quote: fn(PathBuf) -> String) -> String {
    text::shown(quote(sys::path_from_bytes(&text::written(name))).as_bytes())
}

/// Returns whether a shell would not read the name as one word.
fn needs_quotes(name: &str) -> bool {
    name.is_empty()
        || name.starts_with(['#', '~'])
        || name == "{"
        || name == "}"
        || name
            .contains(['\n', '\r', '\t', ' ', '!', '"', '$', '&', '(', ')', '*', ';', '<', '=', '>', '?', '[', '\\', '^', '`', '|', '\''])
}

/// Returns the name in single quotes, with control characters unchanged.
fn single(name: &str) -> String {
    if name.contains('\'') && !name.contains(['"', '$', '`', '\\', '!']) {
        return format!("\"{name}\"");
    }
    format!("'{}'", name.replace('\'', "'\\''"))
}

/// Returns the name with C's escapes, and a backslash before each of `marks`.
pub(super) fn escaped(name: &str, marks: &[char]) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if let Some(byte) = byte_of(c) {
            out += &format!("\\{byte:03o}");
            continue;
        }
        match c {
            c if c.is_control() => out += &wisp_tool::text::escape(c as u32),
            '\\' => out += "\\\\",
            c if marks.contains(&c) => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_styled() {
        let plain = |name, quoting| shown(name, quoting, false, false);
        let odd = text::shown(b"a\xe9");
        assert_eq!(text::written(&plain(&odd, Quoting::Literal)), &b"a\xe9"[..]);
        assert_eq!(
            [Quoting::C, Quoting::Escape, Quoting::ShellEscape].map(|style| plain(&odd, style)),
            ["\"a\\351\"", "a\\351", "'a'$'\\351'"]
        );
        assert_eq!(shown(&odd, Quoting::Literal, true, false), "a?");
        assert_eq!(plain("a b", Quoting::C), "\"a b\"");
        assert_eq!(plain("a b", Quoting::Escape), "a\\ b");
        assert_eq!(plain("a\x08", Quoting::Escape), "a\\b");
        assert_eq!(shown("a\nb", Quoting::Literal, true, false), "a?b");
        assert_eq!(plain("a b", Quoting::ShellEscape), "'a b'");
        assert_eq!(plain("a\tb", Quoting::Shell), "'a\tb'");
        assert_eq!(shown("a\tb", Quoting::Shell, true, false), "'a?b'");
        assert_eq!(shown("a\x07b", Quoting::Shell, true, false), "a?b");
    }

    #[test]
    fn a_colon_in_a_heading_is_quoted() {
        let heading = |name, quoting| shown(name, quoting, false, true);
        assert_eq!(heading("c:d", Quoting::Shell), "'c:d'");
        assert_eq!(heading("c:d", Quoting::C), "\"c\\:d\"");
        assert_eq!(heading("p q", Quoting::Escape), "p q");
        assert_eq!(heading("c:d", Quoting::Literal), "c:d");
        assert_eq!(shown("c:d", Quoting::ShellEscape, false, false), "c:d");
    }
}
