//! The escapes of `$'…'`, `echo -e` and `printf`.

/// Decodes the escape after a backslash at `text[at]`. Pushes its bytes and returns the position after it. Unknown
/// escapes keep their backslash. `None` for the `\c` of `echo`, which the caller handles.
pub fn escape(text: &[u8], at: usize, out: &mut Vec<u8>, octal_zero: bool) -> usize {
    let Some(byte) = text.get(at) else {
        out.push(b'\\');
        return at;
    };
    let simple = match byte {
        b'a' => Some(7),
        b'b' => Some(8),
        b'e' | b'E' => Some(27),
        b'f' => Some(12),
        b'n' => Some(b'\n'),
        b'r' => Some(b'\r'),
        b't' => Some(b'\t'),
        b'v' => Some(11),
        b'\\' => Some(b'\\'),
        _ => None,
    };
    if let Some(byte) = simple {
        out.push(byte);
        return at + 1;
    }
    let digits = |from: usize, most: usize, radix: u32| {
        let mut value = 0u32;
        let mut end = from;
        while end < text.len() && end < from + most {
            let Some(digit) = (text[end] as char).to_digit(radix) else { break };
            value = value.wrapping_mul(radix).wrapping_add(digit);
            end += 1;
        }
        (value, end)
    };
    match byte {
        b'0' if octal_zero => {
            let (value, end) = digits(at + 1, 3, 8);
            out.push(value as u8);
            end
        }
        b'0'..=b'7' if !octal_zero => {
            let (value, end) = digits(at, 3, 8);
            out.push(value as u8);
            end
        }
        b'x' => {
            let (value, end) = digits(at + 1, 2, 16);
            if end == at + 1 {
                out.extend_from_slice(b"\\x");
            } else {
                out.push(value as u8);
            }
            end
        }
        b'u' | b'U' => {
            let (value, end) = digits(at + 1, if *byte == b'u' { 4 } else { 8 }, 16);
            if end == at + 1 {
                out.extend_from_slice(&[b'\\', *byte]);
            } else if let Some(c) = char::from_u32(value) {
                let mut buf = [0; 4];
                out.extend_from_slice(c.encode_utf8(&mut buf).as_bytes());
            }
            end
        }
        other => {
            out.extend_from_slice(&[b'\\', *other]);
            at + 1
        }
    }
}

/// Decodes the inside of `$'…'`. A NUL ends the text, as bash's strings do.
pub fn ansi_c(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        if text[at] != b'\\' {
            out.push(text[at]);
            at += 1;
            continue;
        }
        match text.get(at + 1) {
            Some(quote @ (b'\'' | b'"' | b'?')) => {
                out.push(*quote);
                at += 2;
            }
            Some(b'c') if at + 2 < text.len() => {
                let control = if text[at + 2] == b'?' { 0x7f } else { text[at + 2] & 0x1f };
                if control == 0 {
                    return out;
                }
                out.push(control);
                // `\c\\` is one control character: both backslashes name it.
                at += if text[at + 2] == b'\\' && text.get(at + 3) == Some(&b'\\') { 4 } else { 3 };
            }
            Some(b'x') if text.get(at + 2) == Some(&b'{') => {
                let digits = text[at + 3..].iter().take_while(|b| b.is_ascii_hexdigit()).count();
                let value = text[at + 3..at + 3 + digits].iter().fold(0u32, |v, b| (v << 4) | (*b as char).to_digit(16).unwrap_or(0));
                if value & 0xff == 0 {
                    return out;
                }
                out.push(value as u8);
                at += 3 + digits;
                at += usize::from(text.get(at) == Some(&b'}'));
            }
            _ => {
                let before = out.len();
                at = escape(text, at + 1, &mut out, false);
                if out.len() == before + 1 && out[before] == 0 {
                    out.pop();
                    return out;
                }
            }
        }
    }
    out
}
