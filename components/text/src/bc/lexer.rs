//! Words of a bc program.

/// A word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Token {
    /// Digits.
    Number(String),
    /// A string.
    Text(String),
    /// A name, or a word of the language.
    Name(String),
    /// A sign.
    Sign(&'static str),
    /// An end of line.
    Newline,
    /// The end.
    End,
}

const SIGNS: &[&str] = &[
    "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "==", "<=", ">=", "!=", "&&", "||", "+", "-", "*", "/", "%", "^", "=", "<", ">", "!",
    "(", ")", "[", "]", "{", "}", ";", ",", ".",
];

/// Cuts a text into words, each with its line.
pub(super) fn words(source: &str) -> Result<Vec<(Token, usize)>, (usize, String)> {
    let bytes = source.as_bytes();
    let (mut all, mut at, mut line) = (Vec::new(), 0, 1);
    while at < bytes.len() {
        let b = bytes[at];
        match b {
            b'\n' => {
                all.push((Token::Newline, line));
                line += 1;
                at += 1;
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b'\\' if bytes.get(at + 1) == Some(&b'\n') => {
                at += 2;
                line += 1;
            }
            b'#' => {
                while at < bytes.len() && bytes[at] != b'\n' {
                    at += 1;
                }
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = source[at + 2..].find("*/").map_or(bytes.len(), |n| at + 2 + n + 2);
                line += source[at..end].matches('\n').count();
                at = end;
            }
            b'"' => {
                let Some(length) = source[at + 1..].find('"') else { return Err((line, "syntax error".into())) };
                all.push((Token::Text(source[at + 1..at + 1 + length].to_owned()), line));
                line += source[at + 1..at + 1 + length].matches('\n').count();
                at += length + 2;
            }
            b'0'..=b'9' | b'A'..=b'Z' => at = number(bytes, at, &mut all, &mut line),
            b'.' if bytes.get(at + 1).is_some_and(|c| c.is_ascii_digit() || c.is_ascii_uppercase()) => {
                at = number(bytes, at, &mut all, &mut line);
            }
            b'a'..=b'z' => {
                let start = at;
                while bytes.get(at).is_some_and(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == b'_') {
                    at += 1;
                }
                all.push((Token::Name(source[start..at].to_owned()), line));
            }
            _ => match SIGNS.iter().find(|s| bytes[at..].starts_with(s.as_bytes())) {
                Some(sign) => {
                    all.push((Token::Sign(sign), line));
                    at += sign.len();
                }
                None => return Err((line, format!("illegal character: {}", source[at..].chars().next().unwrap_or(' ')))),
            },
        }
    }
    all.push((Token::End, line));
    Ok(all)
}

fn number(bytes: &[u8], mut at: usize, all: &mut Vec<(Token, usize)>, line: &mut usize) -> usize {
    let mut text = String::new();
    let mut point = false;
    loop {
        match bytes.get(at) {
            Some(c @ (b'0'..=b'9' | b'A'..=b'Z')) => text.push(char::from(*c)),
            Some(b'.') if !point => {
                point = true;
                text.push('.');
            }
            Some(b'\\') if bytes.get(at + 1) == Some(&b'\n') => {
                *line += 1;
                at += 1;
            }
            _ => break,
        }
        at += 1;
    }
    all.push((Token::Number(text), *line));
    at
}
