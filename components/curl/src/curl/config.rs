//! `-K FILE` and `~/.curlrc`: options in lines.

/// Returns the options of a file as words: the option with its dashes, then its value if it has one.
pub(super) fn words(text: &str) -> Vec<(String, Option<String>)> {
    text.lines().filter_map(line).collect()
}

fn line(text: &str) -> Option<(String, Option<String>)> {
    let text = text.trim();
    if text.is_empty() || text.starts_with('#') {
        return None;
    }
    let dashed = text.starts_with('-');
    let end = text.find(|c: char| c.is_whitespace() || (!dashed && (c == '=' || c == ':'))).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let rest = rest.trim_start();
    let rest = if dashed { rest } else { rest.strip_prefix(['=', ':']).unwrap_or(rest).trim_start() };
    let name = if dashed { name.to_owned() } else { format!("--{name}") };
    let value = match rest.strip_prefix('"') {
        Some(quoted) => Some(unquote(quoted)),
        None => rest.split_whitespace().next().map(str::to_owned).filter(|word| !word.starts_with('#')),
    };
    Some((name, value))
}

fn unquote(text: &str) -> String {
    let (mut out, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => match letters.next() {
                Some('t') => out.push('\t'),
                Some('n') => out.push('\n'),
                Some('r') => out.push('\r'),
                Some('v') => out.push('\u{b}'),
                Some(other) => out.push(other),
                None => {}
            },
            other => out.push(other),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let text = "# comment\nurl = \"http://h/ \\\"x\\\"\"\n-o out.txt\nsilent\n--header \"A: b\"\nuser-agent:me # no\n-L\n";
        let pair = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
        assert_eq!(
            words(text),
            [
                pair("--url", Some("http://h/ \"x\"")),
                pair("-o", Some("out.txt")),
                pair("--silent", None),
                pair("--header", Some("A: b")),
                pair("--user-agent", Some("me")),
                pair("-L", None),
            ]
        );
    }
}
