//! Quoting text so that the shell reads it back.

/// Quotes in single quotes, or as `$'…'` if it has control characters: `${x@Q}`, `set`, `export -p`, `alias`.
pub fn single(text: &[u8]) -> Vec<u8> {
    if needs_ansi(text) { ansi(text) } else { plain_single(text) }
}

/// Quotes in single quotes, whatever the text is.
pub fn plain_single(text: &[u8]) -> Vec<u8> {
    if text == b"'" {
        return b"\\'".to_vec();
    }
    wisp_tool::text::shell_quoted(text)
}

fn needs_ansi(text: &[u8]) -> bool {
    text.iter().any(|b| *b < 0x20 || *b == 0x7f) || std::str::from_utf8(text).is_err()
}

/// Returns the form in which messages name a file or command: unchanged, or `$'…'` if it has invisible characters.
pub fn shown(text: &[u8]) -> Vec<u8> {
    if needs_ansi(text) { ansi(text) } else { text.to_vec() }
}

/// Quotes as `$'…'`.
pub fn ansi(text: &[u8]) -> Vec<u8> {
    let mut out = b"$'".to_vec();
    let mut at = 0;
    while at < text.len() {
        let (c, len) = crate::pattern::char_at(text, at);
        match c {
            7 => out.extend_from_slice(b"\\a"),
            8 => out.extend_from_slice(b"\\b"),
            9 => out.extend_from_slice(b"\\t"),
            10 => out.extend_from_slice(b"\\n"),
            11 => out.extend_from_slice(b"\\v"),
            12 => out.extend_from_slice(b"\\f"),
            13 => out.extend_from_slice(b"\\r"),
            27 => out.extend_from_slice(b"\\E"),
            39 => out.extend_from_slice(b"\\'"),
            92 => out.extend_from_slice(b"\\\\"),
            c if c < 0x20 || c == 0x7f || c >= 0x11_0000 => out.extend_from_slice(format!("\\{:03o}", text[at]).as_bytes()),
            _ => out.extend_from_slice(&text[at..at + len]),
        }
        at += len;
    }
    out.push(b'\'');
    out
}

/// Quotes with backslashes, as `printf %q` does.
pub fn backslash(text: &[u8]) -> Vec<u8> {
    if text.is_empty() {
        return b"''".to_vec();
    }
    if needs_ansi(text) {
        return ansi(text);
    }
    let mut out = Vec::new();
    for (at, byte) in text.iter().enumerate() {
        let special = matches!(
            byte,
            b' ' | b'!'
                | b'"'
                | b'$'
                | b'&'
                | b'\''
                | b'('
                | b')'
                | b'*'
                | b','
                | b';'
                | b'<'
                | b'>'
                | b'?'
                | b'['
                | b'\\'
                | b']'
                | b'^'
                | b'`'
                | b'{'
                | b'|'
                | b'}'
        ) || (at == 0 && *byte == b'#')
            || (*byte == b'~' && (at == 0 || matches!(text[at - 1], b'=' | b':')));
        if special {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out
}

/// Quotes in double quotes, as `declare -p` shows values.
pub fn double(text: &[u8]) -> Vec<u8> {
    if needs_ansi(text) {
        return ansi(text);
    }
    let mut out = vec![b'"'];
    for byte in text {
        if matches!(byte, b'"' | b'\\' | b'$' | b'`') {
            out.push(b'\\');
        }
        out.push(*byte);
    }
    out.push(b'"');
    out
}

/// Returns whether the shell would read `text` as something other than a plain word.
fn has_meta(text: &[u8]) -> bool {
    text.iter().enumerate().any(|(at, byte)| match byte {
        b' ' | b'\t' | b'\n' | b'\'' | b'"' | b'\\' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>' | b'!' | b'{' | b'}' | b'*' | b'['
        | b'?' | b']' | b'^' | b'$' | b'`' => true,
        b'~' => at == 0 || matches!(text[at - 1], b'=' | b':'),
        b'#' => at == 0,
        _ => false,
    })
}

/// Returns whether a word with this text has to be quoted.
pub fn is_special(text: &[u8]) -> bool {
    has_meta(text) || needs_ansi(text)
}

/// Quotes a `name[subscript]` whose subscript has been expanded, for a place that expands it again: with the same meaning.
pub fn reference(text: &[u8]) -> Vec<u8> {
    text.iter().flat_map(|b| matches!(b, b'$' | b'`' | b'"' | b'\'' | b'\\').then_some(b'\\').into_iter().chain([*b])).collect()
}

/// Quotes only if necessary, as `set` shows values.
pub fn if_needed(text: &[u8]) -> Vec<u8> {
    if needs_ansi(text) {
        ansi(text)
    } else if text.is_empty() || has_meta(text) {
        plain_single(text)
    } else {
        text.to_vec()
    }
}

/// Quotes only if necessary, as `set -x` shows words.
pub fn traced(text: &[u8]) -> Vec<u8> {
    if text.is_empty() || has_meta(text) { plain_single(text) } else { if_needed(text) }
}
