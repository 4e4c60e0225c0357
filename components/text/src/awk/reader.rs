//! Reading records, separated as RS says.

use crate::input::Lines;
use crate::regex::Regex;
use std::io::Result;
use std::rc::Rc;

/// What ends a record.
#[derive(Clone)]
pub(super) enum Ending {
    /// A byte.
    Byte(u8),
    /// Empty lines.
    Paragraph,
    /// A regular expression.
    Regex(Rc<Regex>),
    /// A newline outside double quotes, with or without a carriage return before it.
    Csv,
}

/// Reads a record into `text`, and the text that ended it into `end`. Returns false at the end of input.
pub(super) fn read(lines: &mut Lines, ending: &Ending, text: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
    end.clear();
    match ending {
        Ending::Byte(byte) => match lines.line(*byte, text)? {
            None => Ok(false),
            Some(ended) => {
                if ended {
                    end.push(*byte);
                }
                Ok(true)
            }
        },
        Ending::Paragraph => paragraph(lines, text, end),
        Ending::Regex(regex) => until(lines, regex, text, end),
        Ending::Csv => csv(lines, text, end),
    }
}

fn paragraph(lines: &mut Lines, text: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
    // Empty lines before the record do not count.
    loop {
        let count = lines.pending().iter().take_while(|b| **b == b'\n').count();
        lines.consume(count);
        if !lines.pending().is_empty() {
            break;
        }
        if !lines.fill()? {
            return Ok(false);
        }
    }
    let mut seen = 0;
    loop {
        if let Some(at) = memchr::memmem::find(&lines.pending()[seen..], b"\n\n") {
            let length = seen + at;
            // All newlines that follow belong to the end.
            loop {
                let newlines = lines.pending()[length..].iter().take_while(|b| **b == b'\n').count();
                if length + newlines < lines.pending().len() || !lines.fill()? {
                    text.extend_from_slice(&lines.pending()[..length]);
                    end.extend(std::iter::repeat_n(b'\n', newlines));
                    lines.consume(length + newlines);
                    return Ok(true);
                }
            }
        }
        seen = lines.pending().len().saturating_sub(1);
        if !lines.fill()? {
            let mut length = lines.pending().len();
            if lines.pending().ends_with(b"\n") {
                length -= 1;
                end.push(b'\n');
            }
            text.extend_from_slice(&lines.pending()[..length]);
            lines.consume(lines.pending().len());
            return Ok(true);
        }
    }
}

fn csv(lines: &mut Lines, text: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
    if lines.at_end()? {
        return Ok(false);
    }
    let (mut seen, mut quoted) = (0, false);
    loop {
        while let Some(at) = memchr::memchr2(b'"', b'\n', &lines.pending()[seen..]) {
            let at = seen + at;
            seen = at + 1;
            if lines.pending()[at] == b'"' {
                quoted = !quoted;
            } else if !quoted {
                let record = &lines.pending()[..at];
                let record = record.strip_suffix(b"\r").unwrap_or(record);
                text.extend_from_slice(record);
                end.extend_from_slice(&lines.pending()[record.len()..=at]);
                lines.consume(at + 1);
                return Ok(true);
            }
        }
        seen = lines.pending().len();
        if !lines.fill()? {
            text.extend_from_slice(lines.pending());
            lines.consume(lines.pending().len());
            return Ok(true);
        }
    }
}

fn until(lines: &mut Lines, regex: &Regex, text: &mut Vec<u8>, end: &mut Vec<u8>) -> Result<bool> {
    if lines.at_end()? {
        return Ok(false);
    }
    loop {
        let (all, before) = lines.context();
        let mut found = regex.find(all, before);
        // An empty match does not end a record.
        while let Some((a, b)) = found.filter(|(a, b)| a == b) {
            found = if a < all.len() { regex.find(all, b + 1) } else { None };
        }
        let found = found.map(|(a, b)| (a - before, b - before));
        match found {
            // A match at the end of the buffer might be longer.
            Some((a, b)) if b < lines.pending().len() || !lines.fill()? => {
                text.extend_from_slice(&lines.pending()[..a]);
                end.extend_from_slice(&lines.pending()[a..b]);
                lines.consume(b);
                return Ok(true);
            }
            Some(_) => {}
            None => {
                if !lines.fill()? {
                    text.extend_from_slice(lines.pending());
                    lines.consume(lines.pending().len());
                    return Ok(true);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newlines_in_quotes_end_no_record() {
        let mut lines = Lines::new(Box::new(std::io::Cursor::new(b"a,\"x\ny\"\r\nb\n\"open\nto the end".to_vec())));
        let mut next = || {
            let (mut text, mut end) = (Vec::new(), Vec::new());
            read(&mut lines, &Ending::Csv, &mut text, &mut end).unwrap().then_some((String::from_utf8(text).unwrap(), end.len()))
        };
        assert_eq!(next(), Some(("a,\"x\ny\"".into(), 2)));
        assert_eq!(next(), Some(("b".into(), 1)));
        assert_eq!((next(), next()), (Some(("\"open\nto the end".into(), 0)), None));
    }

    #[test]
    fn paragraphs() {
        let mut lines = Lines::new(Box::new(std::io::Cursor::new(b"\n\na\nb\n\n\nc\n".to_vec())));
        let mut next = || {
            let (mut text, mut end) = (Vec::new(), Vec::new());
            read(&mut lines, &Ending::Paragraph, &mut text, &mut end).unwrap().then_some((String::from_utf8(text).unwrap(), end.len()))
        };
        assert_eq!(next(), Some(("a\nb".into(), 3)));
        assert_eq!(next(), Some(("c".into(), 1)));
        assert_eq!(next(), None);
    }
}
