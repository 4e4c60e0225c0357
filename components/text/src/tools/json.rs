//! Just enough of JSON to know whether a text is JSON.

fn blanks(text: &[u8], at: &mut usize) {
    while text.get(*at).is_some_and(u8::is_ascii_whitespace) {
        *at += 1;
    }
}

/// Returns whether there is a value at `at`, which moves to its end.
pub(super) fn value(text: &[u8], at: &mut usize, depth: usize) -> bool {
    blanks(text, at);
    if depth > 200 {
        return false;
    }
    match text.get(*at) {
        Some(open @ (b'{' | b'[')) => {
            let close = if *open == b'{' { b'}' } else { b']' };
            *at += 1;
            blanks(text, at);
            if text.get(*at) == Some(&close) {
                *at += 1;
                return true;
            }
            loop {
                if close == b'}' {
                    blanks(text, at);
                    if !string(text, at) {
                        return false;
                    }
                    blanks(text, at);
                    if text.get(*at) != Some(&b':') {
                        return false;
                    }
                    *at += 1;
                }
                if !value(text, at, depth + 1) {
                    return false;
                }
                blanks(text, at);
                match text.get(*at) {
                    Some(b',') => *at += 1,
                    Some(end) if *end == close => break,
                    _ => return false,
                }
            }
            *at += 1;
            true
        }
        Some(b'"') => string(text, at),
        Some(_) => {
            let length = text[*at..].iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'+' | b'.')).count();
            let word = &text[*at..*at + length];
            *at += length;
            matches!(word, b"true" | b"false" | b"null") || std::str::from_utf8(word).is_ok_and(|w| w.parse::<f64>().is_ok())
        }
        None => false,
    }
}

fn string(text: &[u8], at: &mut usize) -> bool {
    if text.get(*at) != Some(&b'"') {
        return false;
    }
    *at += 1;
    while let Some(b) = text.get(*at) {
        *at += 1;
        match b {
            b'"' => return true,
            b'\\' => *at += 1,
            b'\n' => return false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    fn is(text: &str) -> bool {
        let mut at = 0;
        super::value(text.as_bytes(), &mut at, 0) && at == text.len()
    }

    #[test]
    fn json_is_known() {
        assert!(is("{\"a\":[1,2.5e3,true,null,{}],\"b\":\"x\\\"\"}"));
        assert!(!is("{a:1}"));
        assert!(!is("[1,"));
        assert!(!is(&"[".repeat(10_000)));
    }
}
