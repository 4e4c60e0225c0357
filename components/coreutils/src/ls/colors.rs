//! `LS_COLORS`: which color a name has.

use crate::sys::{Kind, Stat};
use crate::text;
use std::ffi::OsString;

/// The two-letter names of the variable, with GNU's default colors.
const DEFAULTS: [(&str, &str); 24] = [
    ("lc", "\x1b["),
    ("rc", "m"),
    ("rs", "0"),
    ("cl", "\x1b[K"),
    ("no", ""),
    ("fi", ""),
    ("di", "01;34"),
    ("ln", "01;36"),
    ("pi", "33"),
    ("so", "01;35"),
    ("do", "01;35"),
    ("bd", "01;33"),
    ("cd", "01;33"),
    ("ex", "01;32"),
    ("su", "37;41"),
    ("sg", "30;43"),
    ("tw", "30;42"),
    ("ow", "34;42"),
    ("st", "37;44"),
    ("mh", ""),
    ("or", ""),
    ("mi", ""),
    ("ca", ""),
    ("ec", ""),
];

/// The colors in use.
#[derive(Debug, Clone)]
pub(super) struct Colors {
    /// The colors that are set or have a default. Names without a color are missing.
    named: Vec<(&'static str, String)>,
    /// Endings of names; the last one given comes first.
    endings: Vec<(String, String)>,
}

/// The facts that decide a file's color: its type, and the target of a link.
pub(super) struct Painted<'a> {
    /// The name, for its ending.
    pub name: &'a str,
    /// Facts about the file itself, if they are known.
    pub stat: Option<&'a Stat>,
    /// For a link: facts about its target.
    pub target: Option<&'a Stat>,
    /// Whether it is shown as the target of a link.
    pub is_target: bool,
}

impl Colors {
    /// Returns GNU's default colors.
    pub(super) fn default() -> Self {
        let named = DEFAULTS.iter().filter(|(_, value)| !value.is_empty());
        Self { named: named.map(|(key, value)| (*key, (*value).to_owned())).collect(), endings: Vec::new() }
    }

    /// Parses the colors of `LS_COLORS`, on top of GNU's defaults.
    ///
    /// # Errors
    /// The message about a part that cannot be read.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let mut colors = Self::default();
        for entry in text.split(':').filter(|e| !e.is_empty()) {
            let (key, value) = entry.split_once('=').ok_or("unparsable value for LS_COLORS environment variable")?;
            let value = unescape(value);
            if let Some(ending) = key.strip_prefix('*') {
                colors.endings.insert(0, (unescape(ending), value));
                continue;
            }
            let known = DEFAULTS.iter().find(|(name, _)| *name == key);
            let (name, _) = known.ok_or_else(|| format!("unrecognized prefix: {}", text::quote(key)))?;
            colors.named.retain(|(n, _)| n != name);
            colors.named.push((name, value));
        }
        Ok(colors)
    }

    /// Returns the color of a name, if it is set.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.named.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str())
    }

    /// Returns whether a name has a color; `0` counts as no color.
    pub(super) fn has(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| !matches!(value, "" | "0" | "00"))
    }

    /// Returns whether links have the color of their target.
    pub(super) fn as_target(&self) -> bool {
        self.get("ln") == Some("target")
    }

    /// Returns whether the target of a link decides its color.
    pub(super) fn looks_behind(&self) -> bool {
        self.has("or") || self.has("mi") || self.as_target()
    }

    /// Returns the color of a file, if it has one.
    pub(super) fn of(&self, file: &Painted<'_>) -> Option<&str> {
        if file.is_target && file.stat.is_none() && self.has("mi") {
            return self.get("mi");
        }
        let is_link = file.stat.is_some_and(Stat::is_link);
        let broken = is_link && file.target.is_none();
        let stat = if is_link && self.as_target() && !broken { file.target } else { file.stat };
        let Some(stat) = stat else { return if file.is_target { self.get("or") } else { None } };
        let mut key = self.kind(stat);
        if key == "fi"
            && let Some((_, color)) = self.ending(file.name)
        {
            return Some(color);
        }
        if key == "ln" && broken && (self.as_target() || self.has("or")) {
            key = "or";
        }
        self.get(key)
    }

    fn kind(&self, stat: &Stat) -> &'static str {
        let first =
            |keys: &[(bool, &'static str)], other| keys.iter().find(|(is, key)| *is && self.has(key)).map_or(other, |(_, key)| *key);
        let mode = |bits: u32| stat.mode & bits == bits;
        match stat.kind {
            Kind::File => {
                let runs = stat.mode & 0o111 != 0;
                first(&[(mode(0o4000), "su"), (mode(0o2000), "sg"), (runs, "ex"), (stat.nlink > 1, "mh")], "fi")
            }
            Kind::Dir => first(&[(mode(0o1002), "tw"), (mode(0o002), "ow"), (mode(0o1000), "st")], "di"),
            Kind::Link => "ln",
            Kind::Fifo => "pi",
            Kind::Socket => "so",
            Kind::Block => "bd",
            Kind::Char => "cd",
        }
    }

    /// Returns the last of the matching endings. The case counts only if two endings differ in nothing else.
    fn ending(&self, name: &str) -> Option<&(String, String)> {
        let fits = |ending: &str, exact: bool| {
            let Some(tail) = name.len().checked_sub(ending.len()).and_then(|at| name.get(at..)) else { return false };
            if exact { tail == ending } else { tail.eq_ignore_ascii_case(ending) }
        };
        self.endings.iter().find(|(ending, color)| {
            let others = || self.endings.iter().any(|(other, c)| other != ending && other.eq_ignore_ascii_case(ending) && c != color);
            fits(ending, others())
        })
    }
}

/// Returns `LS_COLORS`, or GNU's defaults if the terminal has colors.
pub(super) fn of_environment(args: &[OsString]) -> Option<Colors> {
    let set = |name| std::env::var(name).ok().filter(|v| !v.is_empty());
    match set("LS_COLORS").map(|text| Colors::parse(&text)) {
        Some(Ok(colors)) => Some(colors),
        Some(Err(message)) => {
            text::complain(&text::name(args), message);
            text::complain(&text::name(args), "unparsable value for LS_COLORS environment variable");
            None
        }
        // As in GNU's ls, a terminal without colors gets none, even with `always`.
        None if set("COLORTERM").is_none() && set("TERM").is_none_or(|t| t == "dumb") => None,
        None => Some(Colors::default()),
    }
}

/// Decodes `\e`, `\033`, `\x1b`, `^[` and the like.
fn unescape(text: &str) -> String {
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let code = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>, base: u32, most: usize| {
            let mut value = 0;
            for _ in 0..most {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(base)) else { break };
                value = value * base + digit;
                chars.next();
            }
            char::from(value as u8)
        };
        match c {
            '\\' => match chars.peek().copied() {
                Some('0'..='7') => out.push(code(&mut chars, 8, 3)),
                Some('x' | 'X') => {
                    chars.next();
                    out.push(code(&mut chars, 16, 2));
                }
                Some(letter) => {
                    chars.next();
                    out.push(match letter {
                        'a' => '\x07',
                        'b' => '\x08',
                        'e' => '\x1b',
                        'f' => '\x0c',
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        'v' => '\x0b',
                        '?' => '\x7f',
                        '_' => ' ',
                        other => other,
                    });
                }
                None => out.push('\\'),
            },
            '^' => match chars.next() {
                Some('?') => out.push('\x7f'),
                Some(c) => out.push(char::from(c as u8 & 0x1f)),
                None => out.push('^'),
            },
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn color(colors: &str, name: &str, kind: Kind, mode: u32) -> Option<String> {
        let mut stat = Stat::new(kind, 0);
        (stat.mode, stat.nlink) = (mode, 1);
        let file = Painted { name, stat: Some(&stat), target: None, is_target: false };
        Colors::parse(colors).unwrap().of(&file).map(str::to_owned)
    }

    #[test]
    fn colors_are_chosen_as_gnu_does() {
        assert_eq!(color("", "d", Kind::Dir, 0o755).as_deref(), Some("01;34"));
        assert_eq!(color("", "f", Kind::File, 0o644), None);
        assert_eq!(color("", "f", Kind::File, 0o755).as_deref(), Some("01;32"));
        assert_eq!(color("ex=0:*.sh=31", "f.sh", Kind::File, 0o755).as_deref(), Some("31"));
        assert_eq!(color("*.tar=1:*.TAR=2", "f.TAR", Kind::File, 0o644).as_deref(), Some("2"));
        assert_eq!(color("*.tar=1", "f.TAR", Kind::File, 0o644).as_deref(), Some("1"));
        assert_eq!(color("or=31", "l", Kind::Link, 0o777).as_deref(), Some("31"));
        assert_eq!(color("or=:ln=target", "l", Kind::Link, 0o777).as_deref(), Some(""));
        assert_eq!(unescape("\\e[^[\\x41\\101"), "\x1b[\x1bAA");
        assert!(Colors::parse("xx=1").is_err() && Colors::parse("di").is_err());
    }
}
