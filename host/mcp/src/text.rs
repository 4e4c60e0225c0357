//! Output as text that fits into an answer.

/// Characters of a line that a client is told while a command runs.
const LINE: usize = 200;

/// A piece of output that was cut out of the middle: the bytes from and to these offsets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Gap {
    pub(crate) from: usize,
    pub(crate) to: usize,
}

/// Returns output as text of about `limit` bytes at most: its beginning and its end, with `note` between them if there is more. Bytes that
/// are not UTF-8 become U+FFFD.
pub(crate) fn shortened(bytes: &[u8], limit: usize, note: impl FnOnce(Gap) -> String) -> String {
    if bytes.len() <= limit {
        return String::from_utf8_lossy(bytes).into_owned();
    }
    let half = limit / 2;
    let gap = Gap { from: line_end(bytes, half), to: line_start(bytes, bytes.len() - half) };
    let (head, tail) = (String::from_utf8_lossy(&bytes[..gap.from]), String::from_utf8_lossy(&bytes[gap.to..]));
    format!("{}{}\n{tail}", with_newline(head.into_owned()), note(gap))
}

/// Returns the end of the last whole line in the first `at` bytes, if that is near; otherwise the end of a character.
fn line_end(bytes: &[u8], at: usize) -> usize {
    let near = at - at / 4;
    match bytes[near..at].iter().rposition(|&byte| byte == b'\n') {
        Some(newline) => near + newline + 1,
        None => (at.saturating_sub(3)..=at).rev().find(|&at| is_boundary(bytes, at)).unwrap_or(at),
    }
}

/// Returns the start of the first line after `at`, if that is near; otherwise the start of a character.
fn line_start(bytes: &[u8], at: usize) -> usize {
    let far = at + (bytes.len() - at) / 4;
    match bytes[at..far].iter().position(|&byte| byte == b'\n') {
        Some(newline) => at + newline + 1,
        None => (at..=bytes.len().min(at + 3)).find(|&at| is_boundary(bytes, at)).unwrap_or(at),
    }
}

/// Returns whether no character of UTF-8 goes on at this offset.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    bytes.get(at).is_none_or(|byte| byte & 0xC0 != 0x80)
}

/// Returns how many bytes at the end of a piece begin a character that is not complete.
pub(crate) fn incomplete(bytes: &[u8]) -> usize {
    match std::str::from_utf8(&bytes[bytes.len().saturating_sub(3)..]) {
        Err(error) if error.error_len().is_none() => bytes.len().min(3) - error.valid_up_to(),
        // The last bytes can begin in the middle of a character; what ends them decides.
        Err(_) => (1..=bytes.len().min(3)).find(|&count| begins(&bytes[bytes.len() - count..])).unwrap_or(0),
        Ok(_) => 0,
    }
}

/// Returns whether these bytes begin a character and do not complete it.
fn begins(bytes: &[u8]) -> bool {
    std::str::from_utf8(bytes).is_err_and(|error| error.valid_up_to() == 0 && error.error_len().is_none())
}

/// Returns the text with a newline at its end, unless it is empty.
pub(crate) fn with_newline(mut text: String) -> String {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Returns the last line of output that is not blank.
pub(crate) fn last_line(bytes: &[u8]) -> Option<String> {
    let line = bytes.rsplit(|&byte| byte == b'\n' || byte == b'\r').find(|line| !line.trim_ascii().is_empty())?;
    Some(String::from_utf8_lossy(line.trim_ascii()).chars().take(LINE).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_is_not_cut() {
        assert_eq!(shortened(b"one\ntwo\n", 8, |_| unreachable!("it fits")), "one\ntwo\n");
        assert_eq!(shortened(b"\xFFx", 8, |_| unreachable!("it fits")), "\u{FFFD}x");
    }

    #[test]
    fn the_beginning_and_the_end_are_kept_in_whole_lines_and_characters() {
        let lines: String = (0..1_000).map(|number| format!("line {number}\n")).collect();
        let mut found = None;
        let text = shortened(lines.as_bytes(), 1_000, |gap| {
            found = Some(gap);
            "[cut]".to_owned()
        });
        let gap = found.expect("a gap");
        assert!(text.len() <= 1_010, "{}", text.len());
        let (head, tail) = text.split_once("[cut]\n").expect("the note");
        assert_eq!((head, tail), (&lines[..gap.from], &lines[gap.to..]));
        assert!(head.ends_with('\n') && tail.starts_with("line "));

        // One long line of characters of three bytes.
        let euros = "€".repeat(1_000);
        for limit in 100..110 {
            let text = shortened(euros.as_bytes(), limit, |_| "[cut]".to_owned());
            assert!(!text.contains('\u{FFFD}') && text.starts_with('€') && text.ends_with('€'), "{limit}: {text}");
        }
    }

    #[test]
    fn a_character_that_is_cut_is_left_for_the_next_piece() {
        let text = "a€😀".as_bytes();
        let expected = [0, 0, 1, 2, 0, 1, 2, 3, 0];
        for (length, expected) in expected.into_iter().enumerate() {
            assert_eq!(incomplete(&text[..length]), expected, "{length}");
        }
        assert_eq!(incomplete(b"\xFF\xFF"), 0);
    }

    #[test]
    fn the_last_line_is_one_with_text() {
        assert_eq!(last_line(b"one\n 50%\r 60%\r\n\n"), Some("60%".to_owned()));
        assert_eq!((last_line(b""), last_line(b"\n \n")), (None, None));
    }
}
