//! Building fields: text whose quoted pieces are marked, split at the characters of `IFS`.

use std::rc::Rc;

/// A field before file names are expanded.
#[derive(Debug, Default)]
pub(crate) struct Field {
    /// Its text.
    pub text: Vec<u8>,
    /// Which pieces were quoted.
    pub ranges: Vec<(usize, usize)>,
    /// Whether an unquoted character may make it a pattern.
    pub glob: bool,
}

/// What a word is expanded for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Place {
    /// Words of a command: they are split.
    Words,
    /// One text of no particular kind.
    Text,
    /// The value of `name=` or of a here-string.
    Value,
    /// The value of a `name=` that is a word of `declare` or a similar builtin.
    Declared,
    /// The value of a `[index]=` in parentheses.
    Element,
    /// A here-document.
    Here,
}

/// Collects fields.
pub(crate) struct Builder {
    fields: Vec<Field>,
    current: Option<Field>,
    /// What the word is expanded for.
    pub place: Place,
    /// Within the word of an operator, as after `${x:-`.
    pub operand: bool,
    /// There was a list within double quotes.
    pub quoted_list: bool,
    ifs: Rc<[u8]>,
    /// Blanks of `IFS` ended the last field: a delimiter after them belongs to the same field end.
    after_blank: bool,
    /// Within double quotes that contain a list: `${a[*]op}` counts as one too.
    pub among_lists: bool,
    /// Counts the additions, so that an empty `"$@"` can be detected.
    pub marks: usize,
    /// Within double quotes: whether there was a list without elements, and how many elements there were.
    pub empty_list: bool,
    pub list_items: usize,
}

impl Builder {
    /// Creates a builder; except for `Place::Words`, everything becomes one field.
    pub(crate) fn new(place: Place, ifs: Rc<[u8]>) -> Self {
        Self {
            fields: Vec::new(),
            current: None,
            place,
            operand: false,
            quoted_list: false,
            ifs,
            after_blank: false,
            among_lists: false,
            marks: 0,
            empty_list: false,
            list_items: 0,
        }
    }
    /// Returns whether it splits.
    pub(crate) fn splits(&self) -> bool {
        self.place == Place::Words
    }
    fn field(&mut self) -> &mut Field {
        self.after_blank = false;
        self.current.get_or_insert_with(Field::default)
    }
    /// Marks that there is a field here, even if it stays empty.
    pub(crate) fn ensure(&mut self) {
        self.marks += 1;
        self.field();
    }
    /// Adds quoted text.
    pub(crate) fn quoted(&mut self, text: &[u8]) {
        self.marks += 1;
        let field = self.field();
        let start = field.text.len();
        field.text.extend_from_slice(text);
        if !text.is_empty() {
            field.ranges.push((start, start + text.len()));
        }
    }
    /// Adds text from the script itself.
    pub(crate) fn literal(&mut self, text: &[u8]) {
        self.marks += 1;
        let field = self.field();
        field.glob |= text.iter().any(|b| matches!(b, b'*' | b'?' | b'[' | b'('));
        field.text.extend_from_slice(text);
    }
    /// Returns the current position: the number of fields, and the length of the current field.
    pub(crate) fn place_now(&self) -> (usize, Option<usize>) {
        (self.fields.len(), self.current.as_ref().map(|field| field.text.len()))
    }
    /// Drops a field without text that began after this position.
    pub(crate) fn forget_empty(&mut self, since: (usize, Option<usize>)) -> bool {
        let (fields, length) = self.place_now();
        let empty = fields == since.0 && length.unwrap_or(0) == since.1.unwrap_or(0);
        if empty && since.1.is_none() {
            self.current = None;
        }
        empty
    }
    /// Ends the current field, and begins another.
    pub(crate) fn next_field(&mut self) {
        if let Some(field) = self.current.take() {
            self.fields.push(field);
        }
    }
    /// Adds the result of an expansion: it is split.
    pub(crate) fn split_text(&mut self, text: &[u8]) {
        if !self.splits() {
            return self.literal(text);
        }
        if text.is_empty() {
            return;
        }
        let ifs = self.ifs.clone();
        if !text.iter().any(|b| ifs.contains(b)) {
            return self.literal(text);
        }
        let mut from = 0;
        for (at, byte) in text.iter().enumerate() {
            let Some(len) = separator(&ifs, text, at).filter(|_| at >= from) else { continue };
            if from < at {
                self.literal(&text[from..at]);
            }
            from = at + len;
            if matches!(byte, b' ' | b'\t' | b'\n') {
                if self.current.is_some() {
                    self.next_field();
                    self.after_blank = true;
                }
            } else if self.current.is_some() {
                self.next_field();
                self.after_blank = false;
            } else if self.after_blank {
                self.after_blank = false;
            } else {
                self.fields.push(Field::default());
            }
        }
        if from < text.len() {
            self.literal(&text[from..]);
        }
    }
    /// Returns the fields.
    pub(crate) fn finish(mut self) -> Vec<Field> {
        self.next_field();
        self.fields
    }
}

/// Returns the length of the separator at `text[at]`, if there is one: `IFS` contains characters, which may be several bytes
/// long.
pub(crate) fn separator(ifs: &[u8], text: &[u8], at: usize) -> Option<usize> {
    if text[at] < 0x80 {
        return ifs.contains(&text[at]).then_some(1);
    }
    let mut place = 0;
    while place < ifs.len() {
        let len = crate::pattern::char_at(ifs, place).1;
        if text[at..].starts_with(&ifs[place..place + len]) {
            return Some(len);
        }
        place += len;
    }
    None
}
