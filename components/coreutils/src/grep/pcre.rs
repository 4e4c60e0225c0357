//! Perl's expressions, rewritten where Rust's engines read them otherwise: `\h`, `\R`, `\N`, `\Q…\E`, braces and
//! brackets that stand for themselves. What is plainly wrong is said in PCRE's words.

const BLANKS: &str = "\\t\\x20\\u{a0}\\u{1680}\\u{180e}\\u{2000}-\\u{200a}\\u{202f}\\u{205f}\\u{3000}";
const BREAKS: &str = "\\n\\x0b\\x0c\\r\\u{85}\\u{2028}\\u{2029}";

/// Rewrites a pattern.
pub(super) fn translate(source: &str) -> Result<String, String> {
    let mut t = Translator { chars: source.chars().collect(), at: 0, out: String::new(), open: 0, atom: false };
    t.run()?;
    Ok(t.out)
}

/// Returns what Rust's engines say of a mistake, in PCRE's words.
pub(super) fn words(message: &str) -> String {
    const WORDS: &[(&str, &str)] = &[
        ("nvalid back reference", "reference to non-existent subpattern"),
        ("property not found", "unknown property after \\P or \\p"),
        ("class range", "range out of order in character class"),
        ("unrecognized flag", "unrecognized character after (? or (?-"),
        ("not a Unicode scalar", "character code point value in \\x{} or \\o{} is too large"),
    ];
    WORDS.iter().find(|(ours, _)| message.contains(ours)).map_or(message, |(_, theirs)| theirs).to_owned()
}

struct Translator {
    chars: Vec<char>,
    at: usize,
    out: String,
    open: usize,
    /// Whether there is something before that can be repeated.
    atom: bool,
}

impl Translator {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    fn run(&mut self) -> Result<(), String> {
        while let Some(c) = self.peek(0) {
            self.at += 1;
            let atom = std::mem::replace(&mut self.atom, true);
            match c {
                '\\' => self.escape()?,
                '[' => self.class()?,
                '(' => self.group()?,
                ')' => {
                    self.open = self.open.checked_sub(1).ok_or("unmatched closing parenthesis")?;
                    self.out.push(')');
                }
                '|' => {
                    self.out.push('|');
                    self.atom = false;
                }
                '*' | '+' | '?' if !atom => return Err("quantifier does not follow a repeatable item".into()),
                '{' => self.brace(atom)?,
                c => self.out.push(c),
            }
        }
        if self.open > 0 { Err("missing closing parenthesis".into()) } else { Ok(()) }
    }

    fn group(&mut self) -> Result<(), String> {
        if self.peek(0) == Some('?') && self.peek(1) == Some('#') {
            let end = self.chars[self.at..].iter().position(|c| *c == ')').ok_or("missing ) after (?# comment")?;
            self.at += end + 1;
            return Ok(());
        }
        self.open += 1;
        self.out.push('(');
        self.atom = false;
        // The question mark is no quantifier.
        if self.peek(0) == Some('?') {
            self.at += 1;
            self.out.push('?');
        }
        Ok(())
    }

    fn escape(&mut self) -> Result<(), String> {
        let c = self.peek(0).ok_or("\\ at end of pattern")?;
        self.at += 1;
        match c {
            'Q' => {
                let text = self.quoted();
                self.out += &regex_syntax::escape(&text);
            }
            'E' => {}
            'h' => self.out += &format!("[{BLANKS}]"),
            'H' => self.out += &format!("[^{BLANKS}]"),
            'v' => self.out += &format!("[{BREAKS}]"),
            'V' => self.out += &format!("[^{BREAKS}]"),
            'N' => self.out += "[^\\n]",
            'R' => self.out += &format!("(?:\\r\\n|[{BREAKS}])"),
            'e' => self.out += "\\x1b",
            'Z' => self.out += "\\z",
            'c' => {
                let c = self.peek(0).filter(char::is_ascii).ok_or("\\c at end of pattern")?;
                self.at += 1;
                self.out += &format!("\\x{:02x}", c.to_ascii_uppercase() as u8 ^ 0x40);
            }
            // The crates know no other punctuation that may be escaped.
            c if !c.is_alphanumeric() => self.out += &regex_syntax::escape(&c.to_string()),
            c => {
                self.out.extend(['\\', c]);
                let end = self.chars[self.at..].iter().position(|c| *c == '}');
                if let Some(end) = end.filter(|_| "pPxogk".contains(c) && self.peek(0) == Some('{')) {
                    self.out.extend(&self.chars[self.at..=self.at + end]);
                    self.at += end + 1;
                }
            }
        }
        Ok(())
    }

    fn quoted(&mut self) -> String {
        let rest = &self.chars[self.at..];
        let end = rest.windows(2).position(|w| w == ['\\', 'E']);
        let text = rest[..end.unwrap_or(rest.len())].iter().collect();
        self.at += end.map_or(rest.len(), |e| e + 2);
        text
    }

    /// Checks a brace, which repeats only as `{2}`, `{2,}`, `{2,3}`.
    fn brace(&mut self, atom: bool) -> Result<(), String> {
        let end = self.chars[self.at..].iter().position(|c| *c == '}');
        let text: String = self.chars[self.at..self.at + end.unwrap_or(0)].iter().collect();
        let (low, high) = text.split_once(',').unwrap_or((&text, &text));
        let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
        if !digits(low) || !(digits(high) || high.is_empty()) {
            self.out += "\\{";
            return Ok(());
        }
        if !atom {
            return Err("quantifier does not follow a repeatable item".into());
        }
        let number = |t: &str| t.parse::<u32>().ok().filter(|n| *n < 65536).ok_or("number too big in {} quantifier");
        if number(low)? > if high.is_empty() { u32::MAX } else { number(high)? } {
            return Err("numbers out of order in {} quantifier".into());
        }
        self.out += &format!("{{{text}}}");
        self.at += text.chars().count() + 1;
        Ok(())
    }

    fn class(&mut self) -> Result<(), String> {
        const OPEN: &str = "missing terminating ] for character class";
        self.out.push('[');
        if self.peek(0) == Some('^') {
            self.at += 1;
            self.out.push('^');
        }
        let first = self.at;
        loop {
            let c = self.peek(0).ok_or(OPEN)?;
            self.at += 1;
            match c {
                ']' if self.at - 1 > first => break,
                '[' if self.peek(0) == Some(':') => {
                    let rest: String = self.chars[self.at + 1..].iter().collect();
                    let Some((name, _)) = rest.split_once(":]") else {
                        self.out += "\\[";
                        continue;
                    };
                    const NAMES: &str = " alnum alpha ascii blank cntrl digit graph lower print punct space upper word xdigit ";
                    if name.contains(' ') || !NAMES.contains(&format!(" {} ", name.trim_start_matches('^'))) {
                        return Err("unknown POSIX class name".into());
                    }
                    self.out += &format!("[:{name}:]");
                    self.at += name.chars().count() + 3;
                }
                '\\' => {
                    let c = self.peek(0).ok_or("\\ at end of pattern")?;
                    self.at += 1;
                    match c {
                        'Q' => {
                            let text = self.quoted();
                            text.chars().for_each(|c| self.member(c));
                        }
                        'E' => {}
                        'h' => self.out += BLANKS,
                        'v' => self.out += BREAKS,
                        'b' => self.out += "\\x08",
                        'e' => self.out += "\\x1b",
                        c if c.is_alphanumeric() => self.out.extend(['\\', c]),
                        c => self.member(c),
                    }
                }
                '-' if self.at - 1 > first && self.peek(0).is_some_and(|c| c != ']' && c != '-') => self.out.push('-'),
                c => self.member(c),
            }
        }
        self.out.push(']');
        Ok(())
    }

    /// Adds one character of a class.
    fn member(&mut self, c: char) {
        if c.is_ascii_punctuation() {
            self.out.push('\\');
        }
        self.out.push(c);
    }
}

#[cfg(test)]
mod tests {
    use super::translate;

    fn ok(source: &str) -> String {
        translate(source).unwrap()
    }

    #[test]
    fn what_reads_otherwise_is_rewritten() {
        assert_eq!(ok("\\Qa*b\\E+"), "a\\*b+");
        assert_eq!(ok("a{,3}b{2,}c{x"), "a\\{,3}b{2,}c\\{x");
        assert_eq!(ok("[]a[&&-]"), "[\\]a\\[\\&\\&\\-]");
        assert_eq!(ok("[[:digit:]x-z]"), "[[:digit:]x-z]");
        assert_eq!(ok("(?#note)\\N\\e"), "[^\\n]\\x1b");
        assert_eq!(ok("(?<n>a)\\/"), "(?<n>a)/");
        assert_eq!(ok("\\p{L}+\\x{e4}"), "\\p{L}+\\x{e4}");
    }

    #[test]
    fn errors_are_pcres() {
        let error = |source: &str| translate(source).unwrap_err();
        assert_eq!(error("("), "missing closing parenthesis");
        assert_eq!(error(")"), "unmatched closing parenthesis");
        assert_eq!(error("a|*"), "quantifier does not follow a repeatable item");
        assert_eq!(error("a{2,1}"), "numbers out of order in {} quantifier");
        assert_eq!(error("[a"), "missing terminating ] for character class");
        assert_eq!(error("[[:foo:]]"), "unknown POSIX class name");
        assert_eq!(error("a\\"), "\\ at end of pattern");
    }
}
