//! Tokens of a program.

use super::Mistake;
use crate::json::{Val, number_from_text, parse_one};

/// One token.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Tok {
    /// `.name`.
    Field(String),
    /// A name, perhaps with modules before it.
    Ident(String),
    /// A word of the language.
    Word(&'static str),
    /// `$name`.
    Binding(String),
    /// `@name`.
    Format(String),
    /// A number.
    Literal(usize),
    /// The start of a string.
    Quote,
    /// Text inside a string.
    Text(String),
    /// `\(` inside a string.
    Open,
    /// The `)` that belongs to it.
    Close,
    /// The end of a string.
    Unquote,
    /// An operator or a bracket.
    Sign(&'static str),
    /// A character that nothing begins with.
    Invalid,
    /// The end of the program.
    End,
}

const WORDS: [&str; 18] = [
    "def", "if", "then", "elif", "else", "end", "as", "reduce", "foreach", "try", "catch", "label", "import", "include", "module", "and",
    "or", "__loc__",
];

const SIGNS: [&str; 34] = [
    "?//", "//=", "|=", "+=", "-=", "*=", "/=", "%=", "==", "!=", "<=", ">=", "//", "..", "|", ",", "=", "<", ">", "+", "-", "*", "/", "%",
    "(", ")", "[", "]", "{", "}", ":", ";", ".", "?",
];

impl Tok {
    /// Returns what a message calls it.
    pub(super) fn name(&self) -> String {
        match self {
            Self::Field(_) => "FIELD".into(),
            Self::Ident(_) => "IDENT".into(),
            Self::Word(word) => (*word).into(),
            Self::Binding(name) if name == "__loc__" => "'$'".into(),
            Self::Binding(_) => "BINDING".into(),
            Self::Format(_) => "FORMAT".into(),
            Self::Literal(_) => "LITERAL".into(),
            Self::Quote => "QQSTRING_START".into(),
            Self::Text(_) => "QQSTRING_TEXT".into(),
            Self::Open => "QQSTRING_INTERP_START".into(),
            Self::Close => "QQSTRING_INTERP_END".into(),
            Self::Unquote => "QQSTRING_END".into(),
            Self::Sign(sign) if sign.len() == 1 => format!("'{sign}'"),
            Self::Sign(sign) => (*sign).into(),
            Self::Invalid => "INVALID_CHARACTER".into(),
            Self::End => "end of file".into(),
        }
    }
}

/// A program's tokens, each with its place; numbers stand aside.
pub(super) struct Tokens {
    /// The tokens, `End` last.
    pub list: Vec<(Tok, usize)>,
    /// The numbers that `Tok::Literal` points to.
    pub numbers: Vec<Val>,
}

/// Cuts a program into tokens.
pub(super) fn tokens(text: &str) -> Result<Tokens, Mistake> {
    let mut lexer = Lexer { text, at: 0, out: Tokens { list: Vec::new(), numbers: Vec::new() }, brackets: Vec::new() };
    lexer.run()?;
    // The end has no place of its own: it is reported where the last token began.
    let last = lexer.out.list.last().map_or(0, |t| t.1);
    lexer.out.list.push((Tok::End, last));
    Ok(lexer.out)
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    out: Tokens,
    /// Open brackets; `"` stands for `\(`.
    brackets: Vec<char>,
}

fn name_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// Returns how long the name at the start is: `a`, `a::b`.
fn name_length(text: &str) -> usize {
    let mut at = 0;
    loop {
        if !text[at..].starts_with(name_start) {
            return at.saturating_sub(2);
        }
        at += text[at..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len() - at);
        if !text[at..].starts_with("::") {
            return at;
        }
        at += 2;
    }
}

fn number_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|b| b.is_ascii_digit()).count();
    let mut at = digits(0);
    let whole = at;
    if bytes.get(at) == Some(&b'.') {
        let fraction = digits(at + 1);
        if whole == 0 && fraction == 0 {
            return 0;
        }
        at += 1 + fraction;
    } else if whole == 0 {
        return 0;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        if at + 1 + sign < bytes.len() {
            let exponent = digits(at + 1 + sign);
            if exponent > 0 {
                at += 1 + sign + exponent;
            }
        }
    }
    at
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn push(&mut self, tok: Tok, length: usize) {
        self.out.list.push((tok, self.at));
        self.at += length;
    }

    fn run(&mut self) -> Result<(), Mistake> {
        while let Some(c) = self.rest().chars().next() {
            if c.is_ascii_whitespace() {
                self.at += 1;
                continue;
            }
            if c == '#' {
                self.at += self.comment();
                continue;
            }
            let rest = self.rest();
            let number = number_length(rest);
            if number > 0 {
                let value = number_from_text(&rest[..number]).unwrap_or(Val::Null);
                self.out.numbers.push(value);
                let index = self.out.numbers.len() - 1;
                self.push(Tok::Literal(index), number);
            } else if c == '"' {
                self.push(Tok::Quote, 1);
                self.string()?;
            } else if name_start(c) {
                let length = name_length(rest);
                let name = &rest[..length];
                let tok = match WORDS.iter().find(|word| **word == name) {
                    Some(word) => Tok::Word(word),
                    None => Tok::Ident(name.to_owned()),
                };
                self.push(tok, length);
            } else if c == '$' && rest[1..].starts_with(name_start) {
                let length = name_length(&rest[1..]);
                self.push(Tok::Binding(rest[1..=length].to_owned()), length + 1);
            } else if c == '@' && rest[1..].starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
                let length = rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len() - 1);
                self.push(Tok::Format(rest[1..=length].to_owned()), length + 1);
            } else if c == '.' && rest[1..].starts_with(name_start) {
                let length = rest[1..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(rest.len() - 1);
                self.push(Tok::Field(rest[1..=length].to_owned()), length + 1);
            } else {
                self.sign(c)?;
            }
        }
        Ok(())
    }

    /// Returns the length of a comment: to the end of the line, a backslash before it continues it.
    fn comment(&self) -> usize {
        let mut length = 0;
        for line in self.rest().split_inclusive('\n') {
            length += line.len();
            let body = line.trim_end_matches('\n').trim_end_matches('\r');
            if (body.len() - body.trim_end_matches('\\').len()).is_multiple_of(2) {
                break;
            }
        }
        length
    }

    fn sign(&mut self, c: char) -> Result<(), Mistake> {
        let rest = self.rest();
        let Some(sign) = SIGNS.iter().find(|sign| rest.starts_with(**sign)) else {
            self.push(Tok::Invalid, c.len_utf8());
            return Ok(());
        };
        match c {
            '(' | '[' | '{' => self.brackets.push(c),
            ')' | ']' | '}' => {
                let open = self.brackets.pop();
                if open == Some('"') && c == ')' {
                    self.push(Tok::Close, 1);
                    return self.string();
                }
                let fits = matches!((open, c), (Some('('), ')') | (Some('['), ']') | (Some('{'), '}'));
                if !fits {
                    self.push(Tok::Invalid, 1);
                    return Ok(());
                }
            }
            _ => {}
        }
        self.push(Tok::Sign(sign), sign.len());
        Ok(())
    }

    /// Reads the inside of a string, up to its end or to `\(`.
    fn string(&mut self) -> Result<(), Mistake> {
        let start = self.at;
        let mut raw = String::new();
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                self.at = self.text.len();
                return Ok(());
            }
            if rest.starts_with('"') || rest.starts_with("\\(") {
                let text = self.unescape(&raw, start)?;
                if !text.is_empty() {
                    self.out.list.push((Tok::Text(text), start));
                }
                if rest.starts_with('"') {
                    self.push(Tok::Unquote, 1);
                } else {
                    self.push(Tok::Open, 2);
                    self.brackets.push('"');
                }
                return Ok(());
            }
            let length = if let Some(escaped) = rest.strip_prefix('\\') {
                1 + escaped.chars().next().map_or(0, char::len_utf8)
            } else {
                rest.chars().next().map_or(1, char::len_utf8)
            };
            raw += &rest[..length];
            self.at += length;
        }
    }

    fn unescape(&self, raw: &str, start: usize) -> Result<String, Mistake> {
        if !raw.contains('\\') {
            return Ok(raw.to_owned());
        }
        // JSON forbids control characters in strings, programs allow them.
        let mut quoted = String::from("\"");
        for c in raw.chars() {
            if (c as u32) < 0x20 { quoted += &format!("\\u{:04x}", c as u32) } else { quoted.push(c) }
        }
        quoted.push('"');
        match parse_one(&quoted) {
            Ok(Val::Str(text)) => Ok(text.as_str().to_owned()),
            Ok(_) => Ok(String::new()),
            Err(error) => Err(Mistake::new(error, start)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> String {
        tokens(text).unwrap().list.iter().map(|(tok, _)| tok.name()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn tokens_have_names() {
        assert_eq!(names(".a.b[0]"), "FIELD FIELD '[' LITERAL ']' end of file");
        assert_eq!(
            names("\"x\\(1)y\" # c"),
            "QQSTRING_START QQSTRING_TEXT QQSTRING_INTERP_START LITERAL QQSTRING_INTERP_END QQSTRING_TEXT QQSTRING_END end of file"
        );
        assert_eq!(names(".e0, .E-1 | a::b"), "FIELD ',' FIELD '-' LITERAL '|' IDENT end of file");
        assert_eq!(names(". as [$x] ?// $y"), "'.' as '[' BINDING ']' ?// BINDING end of file");
        assert_eq!(names("}"), "INVALID_CHARACTER end of file");
    }

    #[test]
    fn comments_end_with_the_line() {
        assert_eq!(names("1 # a \\\n b\n+2"), "LITERAL '+' LITERAL end of file");
        assert_eq!(names("1 # a \\\\\n+2"), "LITERAL '+' LITERAL end of file");
    }
}
