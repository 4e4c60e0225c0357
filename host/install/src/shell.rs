//! Words of a command line, written so that every shell that an agent uses reads them alike: sh, bash, zsh, and fish, in which a
//! backslash between single quotes is not one.

/// Returns a line with these words.
pub(crate) fn line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    words.into_iter().map(quoted).collect::<Vec<_>>().join(" ")
}

/// Returns a word as it stands in a line. A single quote and a backslash stand between double quotes, in which both mean the same
/// everywhere; everything else that is not plain, between single quotes.
pub(crate) fn quoted(word: &str) -> String {
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    let (mut quoted, mut open) = (String::with_capacity(word.len() + 2), None);
    for char in word.chars() {
        let mark = if is_special(char) { '"' } else { '\'' };
        if open != Some(mark) {
            quoted.extend(open);
            quoted.push(mark);
            open = Some(mark);
        }
        if char == '\\' {
            quoted.push('\\');
        }
        quoted.push(char);
    }
    match open {
        Some(mark) => quoted.push(mark),
        None => quoted.push_str("''"),
    }
    quoted
}

/// Returns the words of a line that [`line`] wrote, or nothing for one that it would not write.
pub(crate) fn words(text: &str) -> Option<Vec<String>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut chars = text.chars();
    while let Some(char) = chars.next() {
        match char {
            ' ' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '\'' => break,
                        char => word.push(char),
                    }
                }
            }
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match chars.next()? {
                        '"' => break,
                        '\\' if chars.as_str().starts_with('\\') => word.extend(chars.next()),
                        '\'' => word.push('\''),
                        _ => return None,
                    }
                }
            }
            char if is_plain(char) => word.get_or_insert_default().push(char),
            _ => return None,
        }
    }
    words.extend(word);
    (line(words.iter().map(String::as_str)) == text).then_some(words)
}

/// Returns whether a character needs no quotes in any shell.
fn is_plain(char: char) -> bool {
    char.is_ascii_alphanumeric() || "_./:-".contains(char)
}

fn is_special(char: char) -> bool {
    matches!(char, '\'' | '\\')
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    /// What would run something else if a quote ended too early.
    const HOSTILE: &[&str] = &[
        "",
        " ",
        "plain",
        "it's",
        "'",
        "''",
        "\\",
        "\\'",
        "\\' ; echo evil ; '",
        "'; echo evil; '",
        "\"; echo evil; \"",
        "$(echo evil) `echo evil` ${x} $x !! ~ * ? [a] {a,b} <(x) >f | & ; # %1 =x",
        "a\nb\r\n\tc",
        "\u{1b}[31m \u{7f} \u{85} é 日本 🦀",
        "'\\''\"'\"\\\\\n'",
        "-n",
        "--",
    ];

    #[test]
    fn a_shell_reads_back_what_was_written() {
        for word in HOSTILE {
            for shell in ["sh", "bash"] {
                let script = format!("printf %s {}", quoted(word));
                let output = Command::new(shell).args(["-c", &script]).output().unwrap();
                assert_eq!(
                    (String::from_utf8(output.stdout).unwrap(), output.stderr),
                    ((*word).to_owned(), Vec::new()),
                    "{shell}: {script}"
                );
            }
        }
    }

    #[test]
    fn no_backslash_stands_between_single_quotes() {
        for word in HOSTILE {
            let text = quoted(word);
            let (mut chars, mut inside) = (text.chars(), None);
            while let Some(char) = chars.next() {
                match (inside, char) {
                    (None, '\'' | '"') => inside = Some(char),
                    (Some(mark), char) if char == mark => inside = None,
                    (Some('"'), '\\') => assert!(chars.next().is_some(), "{text}"),
                    (Some('\''), char) => assert_ne!(char, '\\', "{text}"),
                    _ => {}
                }
            }
            assert_eq!(inside, None, "{text}");
        }
    }

    #[test]
    fn a_line_comes_back_as_its_words() {
        let text = line(HOSTILE.iter().copied());
        assert_eq!(words(&text).unwrap(), HOSTILE);
        assert_eq!(
            (words("a  b"), words("a 'b'"), words("a;b"), words("a 'b"), words("\"$x\""), words("a ")),
            (None, None, None, None, None, None)
        );
        assert_eq!(words("").unwrap(), Vec::<String>::new());
    }
}
