//! Texts between delimiters, and the text of `a`, `i` and `c`.

use super::source::Source;
use crate::regex::{Flavor, bracket, escapes};

/// Reads a regular expression up to `delimiter`, which is taken. In brackets the delimiter is an ordinary character,
/// and so is a backslash before it; elsewhere it loses the backslash.
pub(super) fn regex(source: &mut Source, delimiter: u8) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        match source.peek()? {
            b'\n' => return None,
            b if b == delimiter => {
                source.next();
                return Some(text);
            }
            b'\\' => escaped(source, delimiter, &mut text)?,
            b'[' => {
                let Some(length) = bracket::end(source.rest(), 0).filter(|n| !open_class(&source.rest()[..*n])) else {
                    source.skip_piece();
                    return None;
                };
                for _ in 0..length {
                    text.push(source.next().filter(|b| *b != b'\n')?);
                }
            }
            b => {
                source.next();
                text.push(b);
            }
        }
    }
}

/// Returns whether the end of a bracket expression is inside `[:`, `[.` or `[=`, so that the expression continues.
fn open_class(text: &[u8]) -> bool {
    let found = text.windows(2).position(|w| w[0] == b'[' && matches!(w[1], b':' | b'.' | b'='));
    found.filter(|at| *at > 0).is_some_and(|at| !text[at + 2..].windows(2).any(|w| w == [text[at + 1], b']']))
}

fn escaped(source: &mut Source, delimiter: u8, text: &mut Vec<u8>) -> Option<()> {
    source.next();
    let after = source.next()?;
    if after != delimiter && after != b'\n' {
        text.push(b'\\');
    }
    text.push(after);
    Some(())
}

/// Returns the replacement of `s` or the strings of `y`: escapes stay as they are, except that of the delimiter.
pub(super) fn plain(source: &mut Source, delimiter: u8, keep: &[u8]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    loop {
        match source.peek()? {
            b'\n' => return None,
            b if b == delimiter => {
                source.next();
                return Some(text);
            }
            b'\\' => {
                source.next();
                let after = source.peek()?;
                source.next();
                if after != delimiter || keep.contains(&after) {
                    text.push(b'\\');
                }
                text.push(after);
            }
            b => {
                source.next();
                text.push(b);
            }
        }
    }
}

/// Returns the text of `a`, `i`, `c`: `a\` and lines, or the rest of the line; a backslash at the end of a line continues it.
pub(super) fn text(source: &mut Source, posix: bool) -> Result<Vec<u8>, &'static str> {
    const EXPECTED: &str = "expected \\ after `a', `c' or `i'";
    if posix && source.peek().is_some_and(|b| b != b'\\') {
        source.blanks();
        // The message gives the place where the text begins.
        source.next_if(|b| b != b'\n');
        return Err(EXPECTED);
    }
    source.blanks();
    let mut text = Vec::new();
    match source.peek() {
        None => return Err(EXPECTED),
        Some(b'\n') if source.ends_piece() || !posix => return Err(EXPECTED),
        Some(b'\\') => {
            source.next();
            let blanks = source.rest().iter().take_while(|b| matches!(b, b' ' | b'\t')).count();
            // `a\`, newline, text; or `a\text`, which keeps blanks before the text.
            let after = source.rest().get(blanks).copied();
            match after {
                Some(b'\n') => {
                    if posix && source.ends_piece() {
                        return Err("incomplete command");
                    }
                    (0..=blanks).for_each(|_| {
                        source.next();
                    });
                }
                None if posix && source.peek().is_some() => return Err("incomplete command"),
                None if blanks == 0 && source.next().is_none() => return Ok(text),
                _ => {}
            }
            if posix {
                source.blanks();
            }
        }
        _ => {}
    }
    while let Some(b) = source.next() {
        match b {
            b'\n' => break,
            b'\\' => {
                let Some(after) = source.peek() else { break };
                if after == b'\n' {
                    source.next();
                    text.push(b'\n');
                } else if let Some((byte, len)) = escapes::decode(source.rest(), Flavor::Basic).filter(|_| !posix) {
                    (0..len).for_each(|_| {
                        source.next();
                    });
                    text.push(byte);
                } else {
                    source.next();
                    text.push(after);
                }
            }
            b => text.push(b),
        }
    }
    text.push(b'\n');
    Ok(text)
}
