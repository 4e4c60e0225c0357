//! The word before the cursor, as the shell would read it, and how a name is written in its place.

/// Words after which a command follows.
const KEYWORDS: [&str; 13] = ["!", "{", "if", "then", "elif", "else", "while", "until", "do", "time", "exec", "command", "builtin"];

/// Characters that a backslash makes ordinary.
const SPECIAL: &str = " \t|&;()<>$`\\\"'*?[]{}!";

/// The word before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Word {
    /// The character at which it begins.
    pub(crate) start: usize,
    /// Its text, without quotes.
    pub(crate) value: String,
    /// The quote that is open.
    pub(crate) quote: Option<char>,
    /// Whether the word begins with a tilde that is not quoted.
    tilde: bool,
    /// Whether something stands before it that belongs to the same word, such as `--file=`.
    pub(crate) part: bool,
}

/// The simple command before the cursor.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Typed {
    /// Its words, without quotes. The one before the cursor is not among them.
    pub(crate) words: Vec<String>,
    /// The word before the cursor; it may be empty.
    pub(crate) word: Word,
    /// Whether that follows `<` or `>`.
    pub(crate) redirects: bool,
}

impl Typed {
    /// Reads a line up to the cursor.
    pub(crate) fn new(line: &str) -> Self {
        let mut reader = Reader::default();
        for (at, c) in line.chars().enumerate() {
            if std::mem::take(&mut reader.escapes) {
                reader.value.push(c);
            } else {
                reader.take(at, c);
            }
        }
        let end = line.chars().count();
        let start = reader.start.unwrap_or(end);
        let word = Word { start, value: reader.value, quote: reader.quote, tilde: reader.tilde, part: reader.part };
        Self { words: reader.words, word, redirects: reader.redirects }
    }

    /// Returns whether the word before the cursor is the name of a command.
    pub(crate) fn is_command(&self) -> bool {
        self.words.is_empty() && !self.redirects && !self.word.part
    }
}

#[derive(Default)]
struct Reader {
    words: Vec<String>,
    /// Where the current word begins, if one has begun.
    start: Option<usize>,
    value: String,
    quote: Option<char>,
    quoted: bool,
    tilde: bool,
    part: bool,
    redirects: bool,
    /// The next character follows a backslash.
    escapes: bool,
}

impl Reader {
    fn take(&mut self, at: usize, c: char) {
        match (self.quote, c) {
            (Some('\''), '\'') | (Some('"'), '"') => self.quote = None,
            (Some('"'), '\\') => self.escapes = true,
            (Some(_), c) => self.value.push(c),
            (None, ' ' | '\t') => self.end_word(),
            (None, '\n' | ';' | '|' | '&' | '(' | ')' | '`') => {
                self.end_word();
                self.words.clear();
                self.redirects = false;
            }
            (None, '<' | '>') => {
                // `2>file`: the number belongs to the operator.
                if self.value.chars().all(|c| c.is_ascii_digit()) {
                    self.start = None;
                }
                self.end_word();
                self.redirects = true;
            }
            (None, c) => {
                if self.start.is_none() {
                    self.start = Some(at);
                    self.tilde = c == '~';
                }
                self.inside(at, c);
            }
        }
    }

    /// Handles a character of a word, outside quotes.
    fn inside(&mut self, at: usize, c: char) {
        match c {
            '\'' | '"' => (self.quote, self.quoted) = (Some(c), true),
            '\\' => (self.escapes, self.quoted) = (true, true),
            '=' => {
                // What follows is completed by itself, as after `--file=`; an assignment is not the command.
                (self.start, self.part, self.tilde) = (Some(at + 1), true, false);
                self.value.clear();
            }
            c => {
                if self.start == Some(at) {
                    self.tilde = c == '~';
                }
                self.value.push(c);
            }
        }
    }

    fn end_word(&mut self) {
        let value = std::mem::take(&mut self.value);
        let (part, redirects) = (std::mem::take(&mut self.part), std::mem::take(&mut self.redirects));
        let ended = self.start.take().is_some();
        if ended && !redirects && !(self.words.is_empty() && (part || (!self.quoted && KEYWORDS.contains(&value.as_str())))) {
            self.words.push(value);
        } else if !ended {
            // Blanks after `>` change nothing.
            self.redirects = redirects;
        }
        (self.quoted, self.tilde) = (false, false);
    }
}

impl Word {
    /// Returns how a name is written in place of this word, and the quote that ends it.
    pub(crate) fn written(&self, name: &str) -> (String, &'static str) {
        match self.quote {
            Some('\'') => (format!("'{}", name.replace('\'', "'\\''")), "'"),
            Some(_) => {
                let mut text = String::from("\"");
                for c in name.chars() {
                    if "\"\\$`".contains(c) {
                        text.push('\\');
                    }
                    text.push(c);
                }
                (text, "\"")
            }
            None => {
                let mut text = String::new();
                for (at, c) in name.chars().enumerate() {
                    let first = at == 0 && (c == '#' || (c == '~' && !self.tilde));
                    if first || SPECIAL.contains(c) {
                        text.push('\\');
                    }
                    text.push(c);
                }
                (text, "")
            }
        }
    }
}
