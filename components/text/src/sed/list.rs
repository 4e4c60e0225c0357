//! The `l` command: text with everything unprintable made visible.

/// Appends `text` as `l` shows it, wrapped at `width` columns (0: not wrapped).
pub(super) fn list(text: &[u8], width: usize, out: &mut Vec<u8>) {
    let room = if width > 0 { width - 1 } else { usize::MAX };
    let mut column = 0;
    for b in text {
        let shown = match b {
            b'\\' => b"\\\\".to_vec(),
            0x20..=0x7e => vec![*b],
            _ => wisp_tool::text::escape(u32::from(*b)).into_bytes(),
        };
        if column + shown.len() > room {
            out.extend(b"\\\n");
            column = 0;
        }
        column += shown.len();
        out.extend(shown);
    }
    out.extend(b"$\n");
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_are_wrapped_between_escapes() {
        let mut out = Vec::new();
        super::list("ab\té\\c".as_bytes(), 8, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "ab\\t\\\n\\303\\\n\\251\\\\c$\n");
    }
}
