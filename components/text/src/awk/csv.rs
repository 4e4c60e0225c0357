//! Records of comma-separated values, as in gawk's `--csv` and the one true awk. A field that begins with a double quote ends
//! with one; between them are commas and newlines, and two quotes stand for one.

/// Returns where the fields of a record are, without the quotes around them. An empty record has no fields.
pub(super) fn fields(text: &[u8]) -> Vec<(usize, usize)> {
    let mut fields = Vec::new();
    let mut at = 0;
    while !text.is_empty() && at <= text.len() {
        let comma = |from: usize| memchr::memchr(b',', &text[from..]).map_or(text.len(), |found| from + found);
        let end = match text.get(at) {
            Some(b'"') => {
                let close = closing(text, at + 1);
                fields.push((at + 1, close));
                // Text between the closing quote and the comma is lost, as in gawk.
                comma((close + 1).min(text.len()))
            }
            _ => {
                let end = comma(at);
                fields.push((at, end));
                end
            }
        };
        at = end + 1;
    }
    fields
}

/// Returns the quote that ends a field, or the end of the text.
fn closing(text: &[u8], mut at: usize) -> usize {
    while let Some(found) = memchr::memchr(b'"', &text[at..]) {
        if text.get(at + found + 1) != Some(&b'"') {
            return at + found;
        }
        at += found + 2;
    }
    text.len()
}

/// Returns a quoted field with each pair of quotes made one; `None` if the field can be used as it is.
pub(super) fn undoubled(text: &[u8], (from, to): (usize, usize)) -> Option<Vec<u8>> {
    let field = text.get(from..to).filter(|_| from > 0 && text[from - 1] == b'"')?;
    memchr::memmem::find(field, b"\"\"")?;
    let mut out = Vec::with_capacity(field.len());
    let mut rest = field;
    while let Some(at) = memchr::memmem::find(rest, b"\"\"") {
        out.extend_from_slice(&rest[..=at]);
        rest = &rest[at + 2..];
    }
    out.extend_from_slice(rest);
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<String> {
        let shown = |span: &(usize, usize)| {
            let plain = undoubled(text.as_bytes(), *span);
            String::from_utf8(plain.unwrap_or_else(|| text.as_bytes()[span.0..span.1].to_vec())).unwrap()
        };
        fields(text.as_bytes()).iter().map(shown).collect()
    }

    #[test]
    fn fields_are_without_their_quotes() {
        assert_eq!(split(r#"a,"b, c",,"say ""hi""",d"#), ["a", "b, c", "", "say \"hi\"", "d"]);
        assert_eq!((split(""), split(","), split("\"\"")), (vec![], vec!["".to_owned(), String::new()], vec![String::new()]));
        assert_eq!(split("a\"\"b,\"x\ny\",\"open, end"), ["a\"\"b", "x\ny", "open, end"]);
    }
}
