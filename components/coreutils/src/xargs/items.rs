//! The items of `xargs`' input.

use crate::text;
use std::io::{BufReader, Bytes, ErrorKind, Read};

/// One item, and whether it ends its line.
pub(super) type Item = (Vec<u8>, bool);

/// The items of the input.
pub(super) struct Items {
    bytes: Bytes<BufReader<Box<dyn Read>>>,
    delimiter: Option<u8>,
    /// Whether whole lines are items (`-I`).
    lines: bool,
    end: Option<Vec<u8>>,
    /// Whether the last word ended with a blank.
    inside: bool,
    warned: bool,
    /// Whether the input was wrong or could not be read, which is already reported.
    pub failed: bool,
}

impl Items {
    /// Creates a reader of items that end with `delimiter`. Without it, words with quotes (with `lines`, whole lines) up to the item `end`.
    pub(super) fn new(source: Box<dyn Read>, delimiter: Option<u8>, lines: bool, end: Option<Vec<u8>>) -> Self {
        let bytes = BufReader::with_capacity(64 * 1024, source).bytes();
        Self { bytes, delimiter, lines, end, inside: false, warned: false, failed: false }
    }

    fn byte(&mut self) -> Option<u8> {
        match self.bytes.next()? {
            Ok(byte) => Some(byte),
            // As for GNU's xargs, a directory is empty.
            Err(error) if error.kind() == ErrorKind::IsADirectory => None,
            Err(error) => {
                self.fail(&text::reason(&error));
                None
            }
        }
    }

    fn fail(&mut self, message: &str) {
        text::complain("xargs", message);
        self.failed = true;
    }

    fn delimited(&mut self, delimiter: u8) -> Option<Item> {
        let mut item = Vec::new();
        while let Some(byte) = self.byte() {
            if byte == delimiter {
                return Some((self.up_to_nul(item), true));
            }
            item.push(byte);
        }
        (!item.is_empty()).then(|| (self.up_to_nul(item), true))
    }

    /// Cuts an argument at a NUL, where every argument ends.
    fn up_to_nul(&mut self, mut item: Vec<u8>) -> Vec<u8> {
        let Some(at) = item.iter().position(|b| *b == 0) else { return item };
        item.truncate(at);
        if !self.warned {
            let hint = "It cannot be passed through in the argument list.  Did you mean to use the --null option?";
            text::complain("xargs", format!("WARNING: a NUL character occurred in the input.  {hint}"));
            self.warned = true;
        }
        item
    }

    fn quoted(&mut self) -> Option<Item> {
        let mut item: Option<Vec<u8>> = None;
        let (mut quote, mut last) = (None, b'\n');
        while let Some(byte) = self.byte() {
            // With -L, a line that ends in a blank continues on the next line, even if the blank is escaped.
            let blank = matches!(std::mem::replace(&mut last, byte), b' ' | b'\t');
            match (byte, quote) {
                (b, Some(q)) if b == q => quote = None,
                (b'\n', Some(q)) => {
                    self.unmatched(q);
                    return None;
                }
                (b'\'' | b'"', None) => {
                    quote = Some(byte);
                    item.get_or_insert_default();
                }
                (b'\\', None) => {
                    if let Some(next) = self.byte() {
                        item.get_or_insert_default().push(next);
                        last = next;
                    }
                }
                (b'\n', None) if item.is_some() => {
                    self.inside = false;
                    return self.done(item, !blank);
                }
                // Other white space is skipped only before an item.
                (b' ' | b'\t' | b'\r' | 0x0b | 0x0c, None) if item.is_none() => {}
                (b'\n', None) => self.inside = false,
                (b' ' | b'\t', None) if !self.lines => {
                    self.inside = true;
                    return self.done(item, false);
                }
                (b, _) => item.get_or_insert_default().push(b),
            }
        }
        if let Some(quote) = quote
            && item.as_ref().is_some_and(|item| !item.is_empty())
        {
            self.unmatched(quote);
            return None;
        }
        // The end of the input does not end an item: an empty item does not count, and only the first item of a line is
        // compared with that of -E.
        let item = self.up_to_nul(item?);
        (!item.is_empty() && (self.inside || self.end.as_ref() != Some(&item))).then_some((item, true))
    }

    fn done(&mut self, item: Option<Vec<u8>>, ends_line: bool) -> Option<Item> {
        let item = self.up_to_nul(item?);
        if self.end.as_ref() == Some(&item) { None } else { Some((item, ends_line)) }
    }

    fn unmatched(&mut self, quote: u8) {
        let kind = if quote == b'"' { "double" } else { "single" };
        self.fail(&format!("unmatched {kind} quote; by default quotes are special to xargs unless you use the -0 option"));
    }
}

impl Iterator for Items {
    type Item = Item;

    fn next(&mut self) -> Option<Item> {
        match self.delimiter {
            Some(delimiter) => self.delimited(delimiter),
            None => self.quoted(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn items(text: &'static str, delimiter: Option<u8>, lines: bool) -> Vec<String> {
        let items = Items::new(Box::new(text.as_bytes()), delimiter, lines, None);
        items.map(|(item, _)| String::from_utf8(item).unwrap()).collect()
    }

    #[test]
    fn items_are_read() {
        assert_eq!(items("a b\n c 'd e' f\\ g \"h\"i\n", None, false), ["a", "b", "c", "d e", "f g", "hi"]);
        assert_eq!(items("a b\n  c d\n", None, true), ["a b", "c d"]);
        assert_eq!(items("a b\0c", Some(0), false), ["a b", "c"]);
        assert_eq!(items("a,,b", Some(b','), false), ["a", "", "b"]);
        assert_eq!(items("'' a ''", None, false), ["", "a"]);
        assert_eq!(items("a\0b c\n", None, false), ["a", "c"]);
        assert_eq!(items("\r a\rb \n\x0b\n", None, true), ["a\rb "]);
    }

    #[test]
    fn lines_go_on_after_a_blank() {
        let ends = |text: &'static str| Items::new(Box::new(text.as_bytes()), None, false, None).map(|i| i.1).collect::<Vec<_>>();
        assert_eq!(ends("a b\nc \n\nd\\ \ne\n"), [false, true, false, false, true]);
    }
}
