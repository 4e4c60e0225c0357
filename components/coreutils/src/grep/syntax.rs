//! POSIX basic and extended expressions, with GNU's additions, as patterns of the `regex` or `fancy-regex` crate.

/// For which crate the pattern is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Dialect {
    /// `regex`: no back-references, linear time.
    Linear,
    /// The same, where characters are bytes.
    Bytes,
    /// `fancy-regex`: back-references and lookaround.
    Backtracking,
}

/// A translated expression.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Translated {
    /// The pattern; never matches a newline.
    pub pattern: String,
    /// Whether it refers back to a group.
    pub back_references: bool,
    /// Whether leftmost-first and leftmost-longest may differ.
    pub ambiguous: bool,
    /// Operators of an extended expression that had nothing to repeat, as GNU's warnings name them.
    pub ignored: Vec<&'static str>,
}

/// Translate one expression; in `records` a newline is a character like others. Errors are in glibc's words.
pub(super) fn translate(source: &str, extended: bool, dialect: Dialect, records: bool) -> Result<Translated, String> {
    let chars: Vec<char> = source.chars().collect();
    let mut t = Translator {
        chars,
        at: 0,
        extended,
        dialect,
        records,
        out: String::new(),
        atom: None,
        repeated: false,
        groups: Vec::new(),
        count: 0,
        closed: Vec::new(),
        back_references: false,
        ambiguous: false,
        ignored: Vec::new(),
    };
    t.run()?;
    Ok(Translated { pattern: t.out, back_references: t.back_references, ambiguous: t.ambiguous, ignored: t.ignored })
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    extended: bool,
    dialect: Dialect,
    records: bool,
    out: String,
    /// Where the last atom begins in `out`; nothing at the start of a branch.
    atom: Option<usize>,
    /// Whether the last atom has a repetition already.
    repeated: bool,
    /// Open groups: where they begin in `out`, and their numbers.
    groups: Vec<(usize, usize)>,
    count: usize,
    closed: Vec<usize>,
    back_references: bool,
    ambiguous: bool,
    ignored: Vec<&'static str>,
}

impl Translator {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.peek(0) {
            self.at += 1;
            match c {
                '\\' => self.escape()?,
                '[' => self.bracket()?,
                '.' => self.push_atom("."),
                '*' => self.star(),
                '(' if self.extended => self.open(),
                // GNU: without an open group it is itself.
                ')' if self.extended && !self.groups.is_empty() => self.close()?,
                '|' if self.extended => self.branch(),
                '+' | '?' if self.extended => self.repeat(&c.to_string()),
                '{' if self.extended => self.interval()?,
                '^' if self.extended || self.starts_branch() => self.anchor("^"),
                '$' if self.extended || self.ends_branch() => self.anchor("$"),
                '\n' => self.branch(),
                c => self.literal(c),
            }
        }
        if self.groups.is_empty() { Ok(()) } else { Err("Unmatched ( or \\(".into()) }
    }

    fn push_atom(&mut self, text: &str) {
        self.atom = Some(self.out.len());
        self.repeated = false;
        self.out += text;
    }

    fn literal(&mut self, c: char) {
        let mut buffer = [0; 4];
        let escaped = match c {
            c if self.dialect == Dialect::Bytes && !c.is_ascii() => byte(c),
            c => regex::escape(c.encode_utf8(&mut buffer)),
        };
        self.push_atom(&escaped);
    }

    /// An anchor is no atom in a basic expression: `^*` is a literal star.
    fn anchor(&mut self, text: &str) {
        if self.extended {
            self.push_atom(&format!("(?:{text})"));
        } else {
            self.out += text;
            self.atom = None;
        }
    }

    /// In a basic expression `^` is an anchor only at the start of a branch.
    fn starts_branch(&self) -> bool {
        let before = &self.chars[..self.at - 1];
        before.is_empty() || before.ends_with(&['\\', '(']) || before.ends_with(&['\\', '|']) || before.ends_with(&['\n'])
    }

    fn ends_branch(&self) -> bool {
        match (self.peek(0), self.peek(1)) {
            (None | Some('\n'), _) => true,
            (Some('\\'), Some('|')) => true,
            (Some('\\'), Some(')')) => !self.groups.is_empty(),
            _ => false,
        }
    }

    fn star(&mut self) {
        match self.atom {
            Some(_) => self.repeat("*"),
            // GNU: at the start it is a literal in a basic expression and nothing in an extended one.
            None if self.extended => self.ignored.push("*"),
            None => self.literal('*'),
        }
    }

    fn repeat(&mut self, op: &str) {
        let Some(at) = self.atom else {
            match op {
                "+" if self.extended => self.ignored.push("+"),
                _ if self.extended => self.ignored.push("?"),
                op => self.literal(op.chars().next().unwrap_or('*')),
            }
            return;
        };
        if self.extended && !self.repeated && &self.out[at..] == "(?:^)" {
            // It is repeated, and GNU says so.
            self.ignored.push(match op {
                "*" => "*",
                "+" => "+",
                "?" => "?",
                _ => "{...}",
            });
        }
        if self.repeated {
            self.out.insert_str(at, "(?:");
            self.out.push(')');
        }
        self.ambiguous |= self.out[at..].contains('(');
        self.out += op;
        self.repeated = true;
    }

    fn open(&mut self) {
        self.count += 1;
        self.groups.push((self.out.len(), self.count));
        self.out.push('(');
        self.atom = None;
        self.repeated = false;
    }

    fn close(&mut self) -> Result<(), String> {
        let (at, number) = self.groups.pop().ok_or("Unmatched ) or \\)")?;
        self.closed.push(number);
        self.out.push(')');
        self.atom = Some(at);
        self.repeated = false;
        Ok(())
    }

    fn branch(&mut self) {
        self.out.push('|');
        self.ambiguous = true;
        self.atom = None;
        self.repeated = false;
    }

    fn escape(&mut self) -> Result<(), String> {
        let Some(c) = self.peek(0) else {
            return Err("Trailing backslash".into());
        };
        self.at += 1;
        let fancy = self.dialect == Dialect::Backtracking;
        match c {
            '(' if !self.extended => self.open(),
            ')' if !self.extended => return self.close(),
            '|' if !self.extended => self.branch(),
            '+' | '?' if !self.extended => self.repeat(&c.to_string()),
            '{' if !self.extended => return self.interval(),
            '}' if !self.extended => self.literal('}'),
            '<' => self.push_atom(if fancy { "(?:\\b(?=\\w))" } else { "(?:\\b{start})" }),
            '>' => self.push_atom(if fancy { "(?:\\b(?<=\\w))" } else { "(?:\\b{end})" }),
            'b' => self.push_atom("(?:\\b)"),
            'B' => self.push_atom("(?:\\B)"),
            'w' => self.push_atom("\\w"),
            'W' => self.push_atom(if self.records { "\\W" } else { "[^\\w\\n]" }),
            's' => self.push_atom(if self.records { "\\s" } else { "[^\\S\\n]" }),
            'S' => self.push_atom("\\S"),
            '`' => self.push_atom("(?:^)"),
            '\'' => self.push_atom("(?:$)"),
            '1'..='9' => {
                let number = c as usize - '0' as usize;
                if !self.closed.contains(&number) {
                    return Err("Invalid back reference".into());
                }
                self.back_references = true;
                self.push_atom(&format!("(?:\\{number})"));
            }
            c => self.literal(c),
        }
        Ok(())
    }

    fn interval(&mut self) -> Result<(), String> {
        let start = self.at;
        let close: &[char] = if self.extended { &['}'] } else { &['\\', '}'] };
        let end = self.chars[start..].windows(close.len()).position(|w| w == close);
        let text: Option<String> = end.map(|e| self.chars[start..start + e].iter().collect());
        let bounds = text.as_deref().and_then(bounds);
        match (end, bounds) {
            (Some(end), Some((low, high))) => {
                if low > 32767 || high.is_some_and(|h| h > 32767) {
                    return Err("Regular expression too big".into());
                }
                if high.is_some_and(|h| h < low) {
                    return Err("Invalid content of \\{\\}".into());
                }
                if self.atom.is_none() {
                    if self.extended {
                        // GNU: nothing to repeat, nothing happens.
                        self.ignored.push("{...}");
                        self.at = start + end + 1;
                        return Ok(());
                    }
                    // At the start it is a text.
                    self.literal('{');
                    return Ok(());
                }
                self.at = start + end + close.len();
                let op = match high {
                    Some(high) => format!("{{{low},{high}}}"),
                    None => format!("{{{low},}}"),
                };
                self.repeat(&op);
                Ok(())
            }
            (Some(0), _) if self.extended && self.atom.is_some_and(|at| &self.out[at..] != "(?:^)") => {
                Err("Invalid content of \\{\\}".into())
            }
            // GNU: in an extended expression a brace that starts no interval is itself.
            _ if self.extended => {
                self.literal('{');
                Ok(())
            }
            (None, _) => Err("Unmatched { or \\{".replace("{ or ", "")),
            (Some(_), None) => Err("Invalid content of \\{\\}".into()),
        }
    }

    fn member(&self, set: &mut String, c: char) {
        match c {
            c if self.dialect == Dialect::Bytes && !c.is_ascii() => *set += &byte(c),
            c => push_member(set, c),
        }
    }

    fn bracket(&mut self) -> Result<(), String> {
        const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";
        let mut at = self.at;
        let negated = self.chars.get(at) == Some(&'^');
        at += usize::from(negated);
        let first = at;
        let mut set = String::new();
        loop {
            let c = *self.chars.get(at).ok_or(UNMATCHED)?;
            if c == ']' && at > first {
                at += 1;
                break;
            }
            if c == '[' && matches!(self.chars.get(at + 1), Some(':' | '.' | '=')) {
                let kind = self.chars[at + 1];
                let end = self.chars[at + 2..].windows(2).position(|w| w == [kind, ']']).ok_or(UNMATCHED)?;
                let name: String = self.chars[at + 2..at + 2 + end].iter().collect();
                at += end + 4;
                if kind == ':' {
                    let members = class(&name).ok_or("Invalid character class name")?;
                    set += if self.dialect == Dialect::Bytes { ascii_class(&name) } else { members };
                    continue;
                }
                let mut one = name.chars();
                match (one.next(), one.next()) {
                    (Some(c), None) => self.member(&mut set, c),
                    _ => return Err("Invalid collation character".into()),
                }
                continue;
            }
            at += 1;
            if self.chars.get(at) == Some(&'-') && self.chars.get(at + 1).is_some_and(|c| *c != ']') {
                let mut high = self.chars[at + 1];
                at += 2;
                if high == '[' && self.chars.get(at) == Some(&'.') {
                    high = *self.chars.get(at + 1).ok_or(UNMATCHED)?;
                    at += 4;
                }
                if high < c {
                    return Err("Invalid range end".into());
                }
                self.member(&mut set, c);
                set.push('-');
                self.member(&mut set, high);
            } else {
                self.member(&mut set, c);
            }
        }
        let inner: String = self.chars[self.at..at - 1].iter().collect();
        if inner.len() > 2 && inner.starts_with(':') && inner.ends_with(':') && class(&inner[1..inner.len() - 1]).is_some() {
            return Err("character class syntax is [[:space:]], not [:space:]".into());
        }
        self.at = at;
        let text = match (negated, self.records) {
            (true, true) => format!("[^{set}]"),
            (true, false) => format!("[^{set}\\n]"),
            (false, _) => format!("[{set}]"),
        };
        self.push_atom(&text);
        Ok(())
    }
}

/// A character that stands for a byte.
fn byte(c: char) -> String {
    format!("\\x{:02x}", u32::from(c) & 0xff)
}

/// The members of a class among bytes.
fn ascii_class(name: &str) -> &'static str {
    match name {
        "alpha" => "A-Za-z",
        "digit" => "0-9",
        "alnum" => "0-9A-Za-z",
        "upper" => "A-Z",
        "lower" => "a-z",
        "space" => "\\x20\\t\\x0b\\x0c\\r",
        "blank" => "\\x20\\t",
        "punct" => "!-/:-@\\[-`\\{-~",
        "cntrl" => "\\x00-\\x09\\x0b-\\x1f\\x7f",
        "xdigit" => "0-9A-Fa-f",
        "print" => "\\x20-~",
        _ => "!-~",
    }
}

fn push_member(set: &mut String, c: char) {
    match c {
        '\n' => *set += "\\n",
        c if c.is_alphanumeric() || c == '_' || !c.is_ascii() => set.push(c),
        c if c.is_control() => *set += &format!("\\x{{{:x}}}", c as u32),
        ' ' => *set += "\\x20",
        c => {
            set.push('\\');
            set.push(c);
        }
    }
}

fn class(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => "0-9",
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => "\\x20\\t\\x0b\\x0c\\r\\u{1680}\\u{2000}-\\u{2006}\\u{2008}-\\u{200a}\\u{2028}\\u{2029}\\u{205f}\\u{3000}",
        "blank" => "\\x20\\t\\u{1680}\\u{2000}-\\u{2006}\\u{2008}-\\u{200a}\\u{205f}\\u{3000}",
        "punct" => "!-/:-@\\[-`\\{-~\\p{P}\\p{S}",
        "cntrl" => "\\x00-\\x09\\x0b-\\x1f\\x7f-\\u{9f}",
        "xdigit" => "0-9A-Fa-f",
        "print" => "\\x20-~\\u{a0}-\\u{10ffff}",
        "graph" => "!-~\\u{a1}-\\u{10ffff}",
        _ => return None,
    })
}

/// `2`, `2,`, `,3`, `2,3`.
fn bounds(text: &str) -> Option<(u32, Option<u32>)> {
    // What is too large for a number is too large in any case.
    let number = |t: &str| if t.bytes().all(|b| b.is_ascii_digit()) && !t.is_empty() { Some(t.parse().unwrap_or(u32::MAX)) } else { None };
    match text.split_once(',') {
        None => number(text).map(|n| (n, Some(n))),
        Some(("", "")) => Some((0, None)),
        Some(("", high)) => Some((0, Some(number(high)?))),
        Some((low, "")) => Some((number(low)?, None)),
        Some((low, high)) => Some((number(low)?, Some(number(high)?))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn linear(source: &str, extended: bool) -> String {
        translate(source, extended, Dialect::Linear, false).unwrap().pattern
    }

    fn matches(source: &str, extended: bool, text: &str) -> bool {
        regex::bytes::Regex::new(&format!("(?m){}", linear(source, extended))).unwrap().is_match(text.as_bytes())
    }

    #[test]
    fn basic_expressions() {
        assert_eq!(linear("a\\(b\\)\\{2,3\\}", false), "a(b){2,3}");
        assert_eq!(linear("a+b?", false), "a\\+b\\?");
        assert_eq!(linear("a\\+b\\?", false), "a+b?");
        assert_eq!(linear("*a", false), "\\*a");
        assert_eq!(linear("^*a", false), "^\\*a");
        assert_eq!(linear("a^b$c", false), "a\\^b\\$c");
        assert_eq!(linear("^a\\|b$", false), "^a|b$");
        assert_eq!(linear("\\(^a$\\)", false), "(^a$)");
        assert_eq!(linear("a{2}", false), "a\\{2\\}");
        assert_eq!(linear("a**", false), "(?:a*)*");
        assert_eq!(linear("a*\\?", false), "(?:a*)?");
    }

    #[test]
    fn extended_expressions() {
        assert_eq!(linear("a{,3}", true), "a{0,3}");
        assert_eq!(linear("a{x", true), "a\\{x");
        assert_eq!(linear("a+?", true), "(?:a+)?");
        assert_eq!(linear("\\(a\\)", true), "\\(a\\)");
        assert!(matches("^(a|b)+$", true, "abab"));
        assert!(!matches("[^a]", true, "\n"));
        assert!(matches("[]a]", true, "]"));
        assert!(matches("[a-]", true, "-"));
        assert!(matches("[\\]", true, "\\"));
        assert!(matches("[[:digit:]]+[.]", true, "12."));
        assert!(matches("\\<foo\\>", true, "a foo b"));
        assert!(!matches("\\<foo\\>", true, "afoo"));
        assert!(matches("[&&~~-]", true, "&"));
    }

    #[test]
    fn back_references() {
        let t = translate("\\(a\\)\\1", false, Dialect::Backtracking, false).unwrap();
        assert!(t.back_references);
        assert_eq!(t.pattern, "(a)(?:\\1)");
    }

    #[test]
    fn errors_are_glibcs() {
        let error = |s: &str, e| translate(s, e, Dialect::Linear, false).unwrap_err();
        assert_eq!(error("(a", true), "Unmatched ( or \\(");
        assert_eq!(error("a\\)", false), "Unmatched ) or \\)");
        assert_eq!(linear("a)", true), "a\\)");
        assert_eq!(error("[a", true), "Unmatched [, [^, [:, [., or [=");
        assert_eq!(error("[[:x:]]", true), "Invalid character class name");
        assert_eq!(error("a\\", false), "Trailing backslash");
        assert_eq!(error("\\(a\\)\\2", false), "Invalid back reference");
        assert_eq!(error("[b-a]", true), "Invalid range end");
        assert_eq!(error("[:space:]", true), "character class syntax is [[:space:]], not [:space:]");
    }
}
