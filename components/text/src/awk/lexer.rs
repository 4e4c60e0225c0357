//! Words of an awk program.

use crate::regex::escapes;

/// A word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// A number.
    Num(f64),
    /// A string.
    Str(Vec<u8>),
    /// A name.
    Name(String),
    /// A name directly before `(`.
    Call(String),
    /// A word of the language.
    Word(&'static str),
    /// A sign.
    Sign(&'static str),
    /// An end of line.
    Newline,
    /// The end.
    End,
}

/// Words of the language that are not builtin functions.
const WORDS: &[&str] = &[
    "BEGIN",
    "END",
    "BEGINFILE",
    "ENDFILE",
    "function",
    "func",
    "if",
    "else",
    "while",
    "for",
    "do",
    "break",
    "continue",
    "next",
    "nextfile",
    "exit",
    "return",
    "delete",
    "in",
    "getline",
    "print",
    "printf",
    "switch",
    "case",
    "default",
];

/// Signs, longest first.
const SIGNS: &[&str] = &[
    "**=", "|&", "&&", "||", "**", "^=", "+=", "-=", "*=", "/=", "%=", "==", "<=", ">=", "!=", "!~", "++", "--", ">>", "{", "}", "(", ")",
    "[", "]", ";", ",", "+", "-", "*", "/", "%", "^", "!", ">", "<", "|", "?", ":", "~", "$", "=", "@",
];

/// Cuts a program into words.
pub(super) struct Lexer {
    source: Vec<u8>,
    /// Where it is.
    pub at: usize,
    /// Where the last word begins.
    pub begin: usize,
    /// The current line.
    pub line: usize,
    /// Warnings.
    pub warnings: Vec<(usize, String)>,
    /// Escapes of regular expressions that already caused a warning.
    pub warned: Vec<u8>,
}

impl Lexer {
    /// Creates the lexer of a program.
    pub(super) fn new(source: Vec<u8>) -> Self {
        Self { source, at: 0, begin: 0, line: 1, warnings: Vec::new(), warned: Vec::new() }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.source.get(self.at + ahead).copied()
    }

    /// Returns the text of the line at a position, and the column in it, for messages.
    pub(super) fn excerpt(&self, at: usize) -> (String, usize) {
        let at = at.min(self.source.len());
        let start = self.source[..at].iter().rposition(|b| *b == b'\n').map_or(0, |n| n + 1);
        let end = self.source[at..].iter().position(|b| *b == b'\n').map_or(self.source.len(), |n| at + n);
        (String::from_utf8_lossy(&self.source[start..end]).into_owned(), at - start)
    }

    /// Returns the position of the last `)` before a position.
    pub(super) fn closing(&self, at: usize) -> usize {
        self.source[..at.min(self.source.len())].iter().rposition(|b| *b == b')').unwrap_or(at)
    }

    fn skip(&mut self) {
        loop {
            match self.peek(0) {
                Some(b' ' | b'\t' | b'\r' | 0x0c | 0x0b) => self.at += 1,
                Some(b'\\') if self.peek(1) == Some(b'\n') => {
                    self.at += 2;
                    self.line += 1;
                }
                Some(b'\\') if self.peek(1) == Some(b'\r') && self.peek(2) == Some(b'\n') => {
                    self.at += 3;
                    self.line += 1;
                }
                Some(b'#') => {
                    while self.peek(0).is_some_and(|b| b != b'\n') {
                        self.at += 1;
                    }
                }
                _ => break,
            }
        }
    }

    /// Returns the next word.
    pub(super) fn next(&mut self) -> Result<Token, String> {
        self.skip();
        self.begin = self.at;
        let Some(b) = self.peek(0) else { return Ok(Token::End) };
        match b {
            b'\n' => {
                self.at += 1;
                self.line += 1;
                Ok(Token::Newline)
            }
            b'"' => self.string(),
            // `_"text"` asks for a translation; there are no catalogues, so the text stays.
            b'_' if self.peek(1) == Some(b'"') && self.source[..self.at].last() != Some(&b'$') => {
                self.at += 1;
                self.string()
            }
            b'0'..=b'9' => Ok(self.number()),
            b'.' if self.peek(1).is_some_and(|b| b.is_ascii_digit()) => Ok(self.number()),
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => Ok(self.name()),
            _ => {
                let rest = &self.source[self.at..];
                match SIGNS.iter().find(|s| rest.starts_with(s.as_bytes())) {
                    Some(sign) => {
                        self.at += sign.len();
                        Ok(Token::Sign(match *sign {
                            "**" => "^",
                            "**=" => "^=",
                            sign => sign,
                        }))
                    }
                    None => {
                        let rest = &rest[..rest.len().min(4)];
                        let char = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next()).unwrap_or('\u{fffd}');
                        Err(format!("invalid char '{char}' in expression"))
                    }
                }
            }
        }
    }

    fn number(&mut self) -> Token {
        let rest = &self.source[self.at..];
        if rest.len() > 2 && rest[0] == b'0' && matches!(rest[1], b'x' | b'X') && rest[2].is_ascii_hexdigit() {
            let digits = rest[2..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
            let value = rest[2..2 + digits].iter().fold(0.0, |n, b| n * 16.0 + f64::from(char::from(*b).to_digit(16).unwrap_or(0)));
            self.at += 2 + digits;
            return Token::Num(value);
        }
        let digits = rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let octal = digits > 1 && rest[0] == b'0' && !matches!(rest.get(digits), Some(b'.' | b'e' | b'E'));
        if octal && rest[..digits].iter().all(|b| *b < b'8') {
            let value = rest[..digits].iter().fold(0.0, |n, b| n * 8.0 + f64::from(b - b'0'));
            self.at += digits;
            return Token::Num(value);
        }
        let (value, length) = super::number::prefix(rest).unwrap_or((0.0, 1));
        self.at += length;
        Token::Num(value)
    }

    fn name(&mut self) -> Token {
        let start = self.at;
        while self.peek(0).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
            self.at += 1;
        }
        // `awk::name` is `name`; with other name spaces the whole text is the name.
        if self.source[self.at..].starts_with(b"::") && self.peek(2).is_some_and(|b| b.is_ascii_alphabetic() || b == b'_') {
            self.at += 2;
            while self.peek(0).is_some_and(|b| b.is_ascii_alphanumeric() || b == b'_') {
                self.at += 1;
            }
        }
        let text = String::from_utf8_lossy(&self.source[start..self.at]).into_owned();
        let text = text.strip_prefix("awk::").map_or(text.clone(), str::to_owned);
        if let Some(word) = WORDS.iter().find(|w| **w == text) {
            return Token::Word(if *word == "func" { "function" } else { word });
        }
        if super::builtin::find(&text).is_none() && self.peek(0) == Some(b'(') { Token::Call(text) } else { Token::Name(text) }
    }

    fn string(&mut self) -> Result<Token, String> {
        let begin = self.at;
        self.at += 1;
        let mut text = Vec::new();
        loop {
            match self.peek(0) {
                None | Some(b'\n') => {
                    self.at = begin;
                    return Err("unterminated string".into());
                }
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Token::Str(text));
                }
                Some(b'\\') => {
                    self.at += 1;
                    match self.peek(0) {
                        None => {}
                        Some(b'\n') => {
                            self.at += 1;
                            self.line += 1;
                        }
                        Some(b'\r') if self.peek(1) == Some(b'\n') => {
                            self.at += 2;
                            self.line += 1;
                        }
                        Some(_) => {
                            let (length, warning) = unescape(&self.source[self.at..], &mut text);
                            self.at += length;
                            self.warnings.extend(warning.map(|w| (self.line, w)));
                        }
                    }
                }
                Some(b) => {
                    text.push(b);
                    self.at += 1;
                }
            }
        }
    }

    /// Reads a regular expression whose first slash has been read.
    pub(super) fn regex(&mut self) -> Result<Vec<u8>, String> {
        let mut text = Vec::new();
        let mut bracket: Option<usize> = None;
        loop {
            let Some(b) = self.peek(0).filter(|b| *b != b'\n') else { return Err("unterminated regexp".into()) };
            self.at += 1;
            match b {
                b'/' if bracket.is_none() => {
                    for (_, warning) in odd_escapes(&text, &mut self.warned) {
                        self.warnings.push((self.line, warning));
                    }
                    return Ok(text);
                }
                b'\\' => {
                    match self.peek(0) {
                        Some(b'/') => text.push(b'/'),
                        Some(b'\n') => self.line += 1,
                        Some(b'\r') if self.peek(1) == Some(b'\n') => {
                            self.line += 1;
                            self.at += 1;
                        }
                        Some(other) => text.extend([b'\\', other]),
                        None => return Err("unterminated regexp".into()),
                    }
                    self.at += 1;
                    continue;
                }
                b'[' => match bracket {
                    None => {
                        text.push(b);
                        if self.peek(0) == Some(b'^') {
                            text.push(b'^');
                            self.at += 1;
                        }
                        bracket = Some(text.len());
                        continue;
                    }
                    Some(_) => {
                        if let Some(kind @ (b':' | b'.' | b'=')) = self.peek(0)
                            && let Some(end) = self.source[self.at + 1..].windows(2).position(|w| w == [kind, b']'])
                        {
                            let stop = self.at + 1 + end + 2;
                            text.extend_from_slice(&self.source[self.at - 1..stop]);
                            self.at = stop;
                            continue;
                        }
                    }
                },
                b']' if bracket.is_some_and(|start| text.len() > start) => bracket = None,
                _ => {}
            }
            text.push(b);
        }
    }
}

/// Warns of escapes in a regular expression that have no meaning, in gawk's words, and once for each.
pub(super) fn odd_escapes(source: &[u8], warned: &mut Vec<u8>) -> Vec<(u8, String)> {
    const KNOWN: &[u8] = b"$'()*+-./01234567<>?BSW[]^`abfnrstvwxy{|}\\\n";
    let mut all = Vec::new();
    let mut at = 0;
    while at + 1 < source.len() {
        let b = source[at + 1];
        if source[at] == b'\\' && b.is_ascii() && !KNOWN.contains(&b) && !warned.contains(&b) {
            warned.push(b);
            let c = char::from(b);
            let message = match b {
                b'8' | b'9' => format!("regexp escape sequence `\\{c}' treated as plain `{c}'"),
                _ => format!("regexp escape sequence `\\{c}' is not a known regexp operator"),
            };
            all.push((b, message));
        }
        at += if source[at] == b'\\' { 2 } else { 1 };
    }
    all
}

/// Decodes the escape after a backslash into `text`; returns its length, and a warning.
pub(super) fn unescape(after: &[u8], text: &mut Vec<u8>) -> (usize, Option<String>) {
    use crate::regex::Flavor;
    match after[0] {
        b'"' | b'\\' => {
            text.push(after[0]);
            (1, None)
        }
        b'u' => {
            let digits = after[1..].iter().take(8).take_while(|b| b.is_ascii_hexdigit()).count();
            let code = std::str::from_utf8(&after[1..=digits]).ok().and_then(|t| u32::from_str_radix(t, 16).ok());
            match code.and_then(char::from_u32) {
                Some(c) => text.extend(c.to_string().into_bytes()),
                None => text.push(b'u'),
            }
            (1 + digits, None)
        }
        other => match escapes::decode(after, Flavor::Awk) {
            Some((byte, length)) => {
                text.push(byte);
                (length, None)
            }
            None => {
                text.push(other);
                let shown = char::from(other);
                (1, other.is_ascii().then(|| format!("escape sequence `\\{shown}' treated as plain `{shown}'")))
            }
        },
    }
}

/// Decodes all escapes of a text, as `-v` and assignments among the operands do.
pub(super) fn unescape_all(source: &[u8]) -> Vec<u8> {
    let mut text = Vec::new();
    let mut at = 0;
    while at < source.len() {
        match source[at] {
            b'\\' if at + 1 < source.len() => at += 1 + unescape(&source[at + 1..], &mut text).0,
            b => {
                text.push(b);
                at += 1;
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(source: &str) -> Vec<Token> {
        let mut lexer = Lexer::new(source.as_bytes().to_vec());
        let mut all = Vec::new();
        loop {
            match lexer.next().unwrap() {
                Token::End => return all,
                token => all.push(token),
            }
        }
    }

    #[test]
    fn programs_are_cut() {
        use Token::{Call, Name, Num, Sign, Str};
        assert_eq!(words("f(x)+=.5"), [Call("f".into()), Sign("("), Name("x".into()), Sign(")"), Sign("+="), Num(0.5)]);
        assert_eq!(words("\"a\\tb\\101\" # c"), [Str(b"a\tbA".to_vec())]);
        assert_eq!(words("x**2"), [Name("x".into()), Sign("^"), Num(2.0)]);
        assert_eq!(words("0x10 011 1e3x"), [Num(16.0), Num(9.0), Num(1000.0), Name("x".into())]);
        assert_eq!(words("length (x)")[0], Name("length".into()));
    }

    #[test]
    fn slashes_in_brackets_end_nothing() {
        let mut lexer = Lexer::new(b"a[/]b[^]/]\\/c/ x".to_vec());
        assert_eq!(lexer.regex().unwrap(), b"a[/]b[^]/]/c");
    }
}
