//! `{a,b}`, `[1-3]`, `[01-10:2]` and `[a-z]` in URLs, and `#1` in the names of what they are written to.

/// One piece of a pattern: text, or a set of texts.
enum Piece {
    Text(String),
    Set(Vec<String>),
}

/// Maximum URLs of one pattern.
const MOST: usize = 100_000;

/// A URL that a pattern produces, with the chosen text of each set.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Match {
    pub url: String,
    parts: Vec<String>,
}

impl Match {
    /// Returns a URL that is not a pattern.
    pub(crate) fn plain(url: &str) -> Self {
        Self { url: url.to_owned(), parts: Vec::new() }
    }

    /// Returns the name of a file, with each `#1` replaced by the chosen text of the first set.
    pub(crate) fn fill(&self, name: &str) -> String {
        let mut out = String::new();
        let mut rest = name;
        while let Some(at) = rest.find('#') {
            let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
            let (number, after) = rest[at + 1..].split_at(digits);
            out += &rest[..at];
            match number.parse::<usize>().ok().and_then(|number| self.parts.get(number.wrapping_sub(1))) {
                Some(part) => out += part,
                None => out += &rest[at..=at + digits],
            }
            rest = after;
        }
        out + rest
    }
}

/// The error in a pattern, and its position in bytes, counted from 1.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Error {
    pub what: &'static str,
    pub position: usize,
}

/// Returns every URL that `pattern` produces; the last set varies fastest.
pub(crate) fn expand(pattern: &str) -> Result<Vec<Match>, Error> {
    let pieces = pieces(pattern)?;
    let mut found = vec![Match::plain("")];
    for piece in &pieces {
        let next = match piece {
            Piece::Text(text) => {
                found.iter_mut().for_each(|one| one.url += text);
                continue;
            }
            Piece::Set(values) => values,
        };
        if found.len() * next.len() > MOST {
            return Err(Error { what: "range overflow", position: pattern.len() });
        }
        found = found
            .iter()
            .flat_map(|one| {
                next.iter().map(move |value| Match {
                    url: one.url.clone() + value,
                    parts: one.parts.iter().cloned().chain([value.clone()]).collect(),
                })
            })
            .collect();
    }
    Ok(found)
}

fn pieces(pattern: &str) -> Result<Vec<Piece>, Error> {
    let mut pieces = Vec::new();
    let mut text = String::new();
    let mut rest = pattern;
    let position = |rest: &str| pattern.len() - rest.len() + 1;
    while let Some(first) = rest.chars().next() {
        let length = first.len_utf8();
        match first {
            '\\' if rest[1..].starts_with(['{', '}', '[', ']']) => {
                text += &rest[1..2];
                rest = &rest[2..];
            }
            '{' => {
                let (values, after) = list(rest).map_err(|what| Error { what, position: position(rest) })?;
                pieces.extend([Piece::Text(std::mem::take(&mut text)), Piece::Set(values)]);
                rest = after;
            }
            '[' if is_address(rest).is_some() => {
                let end = is_address(rest).unwrap_or(rest.len());
                text += &rest[..end];
                rest = &rest[end..];
            }
            '[' => {
                let (inside, after) = rest[1..].split_once(']').ok_or(Error { what: "bad range", position: pattern.len() + 1 })?;
                let values = range(inside).ok_or(Error { what: "bad range", position: position(rest) + 1 })?;
                pieces.extend([Piece::Text(std::mem::take(&mut text)), Piece::Set(values)]);
                rest = after;
            }
            '}' | ']' => return Err(Error { what: "unmatched close brace/bracket", position: position(rest) }),
            other => {
                text.push(other);
                rest = &rest[length..];
            }
        }
    }
    pieces.push(Piece::Text(text));
    Ok(pieces)
}

/// Returns where an IPv6 address in brackets ends.
fn is_address(text: &str) -> Option<usize> {
    let end = text.find(']')?;
    let inside = &text[1..end];
    inside.split('%').next()?.parse::<std::net::Ipv6Addr>().is_ok().then_some(end + 1)
}

fn list(text: &str) -> Result<(Vec<String>, &str), &'static str> {
    let (mut values, mut value) = (Vec::new(), String::new());
    let mut letters = text[1..].char_indices();
    while let Some((at, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            ',' => values.push(std::mem::take(&mut value)),
            '{' | '[' => return Err("nested brace"),
            '}' if values.is_empty() && value.is_empty() => return Err("empty string within braces"),
            '}' => {
                values.push(value);
                return Ok((values, &text[at + 2..]));
            }
            ']' => return Err("unexpected close bracket"),
            other => value.push(other),
        }
    }
    Err("unmatched brace")
}

/// Expands `a-z`, `1-10`, `001-100`, each with `:STEP`.
fn range(inside: &str) -> Option<Vec<String>> {
    let (bounds, step) = inside.split_once(':').map_or((inside, "1"), |(bounds, step)| (bounds, step));
    let step = step.parse::<usize>().ok().filter(|step| *step > 0)?;
    let (first, last) = bounds.split_once('-')?;
    let letter = |text: &str| text.bytes().next().filter(|b| text.len() == 1 && b.is_ascii_alphabetic());
    if let (Some(first), Some(last)) = (letter(first), letter(last)) {
        return (first <= last).then(|| (first..=last).step_by(step).map(|b| char::from(b).to_string()).collect());
    }
    let width = if first.starts_with('0') { first.len() } else { 0 };
    let (first, last) = (first.parse::<u64>().ok()?, last.parse::<u64>().ok()?);
    if first > last || ((last - first) / step as u64) as usize >= MOST {
        return None;
    }
    Some((first..=last).step_by(step).map(|number| format!("{number:0width$}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls(pattern: &str) -> Vec<String> {
        expand(pattern).expect("it is a pattern").into_iter().map(|found| found.url).collect()
    }

    #[test]
    fn sets_and_ranges() {
        assert_eq!(urls("h/{a,b}[1-2]"), ["h/a1", "h/a2", "h/b1", "h/b2"]);
        assert_eq!(urls("h/[08-10]"), ["h/08", "h/09", "h/10"]);
        assert_eq!(urls("h/[a-e:2]"), ["h/a", "h/c", "h/e"]);
        assert_eq!(urls("http://[::1]/\\{x\\}"), ["http://[::1]/{x}"]);
        assert_eq!(urls("h/{,a}"), ["h/", "h/a"]);
    }

    #[test]
    fn names_of_files() {
        let found = expand("h/{a,b}/[1-2]").expect("it is a pattern");
        assert_eq!(found[1].fill("#1_#2#3.txt"), "a_2#3.txt");
    }

    #[test]
    fn mistakes() {
        for (pattern, what) in [
            ("h/{a", "unmatched brace"),
            ("h/[1-", "bad range"),
            ("h/[2-1]", "bad range"),
            ("h/}", "unmatched close brace/bracket"),
            ("h/{}", "empty string within braces"),
            ("h/[1-99999999999]", "bad range"),
        ] {
            assert_eq!(expand(pattern).map_err(|error| error.what), Err(what), "{pattern}");
        }
    }
}
