//! Header fields in order, with repeated names.

/// Names as they are printed, values as bytes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Headers(pub Vec<(String, Vec<u8>)>);

impl Headers {
    /// Returns the first value of a name, as text.
    pub(crate) fn get(&self, name: &str) -> Option<String> {
        self.all(name).next()
    }

    /// Returns all values of a name, as text.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = String> + 'a {
        self.0
            .iter()
            .filter(move |(other, _)| other.eq_ignore_ascii_case(name))
            .map(|(_, value)| String::from_utf8_lossy(value).into_owned())
    }

    /// Adds one.
    pub(crate) fn push(&mut self, name: &str, value: impl AsRef<[u8]>) {
        self.0.push((name.to_owned(), value.as_ref().to_vec()));
    }

    /// Returns whether there is one of this name.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.iter().any(|(other, _)| other.eq_ignore_ascii_case(name))
    }

    /// Removes all fields of this name.
    pub(crate) fn remove(&mut self, name: &str) {
        self.0.retain(|(other, _)| !other.eq_ignore_ascii_case(name));
    }

    /// Returns the transfer codings of a response, in lower case.
    pub(crate) fn codings(&self) -> Vec<String> {
        let words = |value: String| value.split(',').map(|word| word.trim().to_ascii_lowercase()).collect::<Vec<_>>();
        self.all("transfer-encoding").flat_map(words).filter(|word| !word.is_empty()).collect()
    }

    /// Returns the length that a response states for its body. The last one counts, up to what is no digit, as in curl. None counts beside
    /// a transfer coding.
    pub(crate) fn length(&self) -> Option<u64> {
        self.all("content-length").last().and_then(|value| digits(&value).parse().ok()).filter(|_| self.codings().is_empty())
    }

    /// Returns whether a stated length is no number.
    pub(crate) fn has_bad_length(&self) -> bool {
        self.all("content-length").any(|value| digits(&value).is_empty())
    }

    /// Returns one line for each, as HTTP/1.1 has them.
    pub(crate) fn lines(&self) -> Vec<Vec<u8>> {
        self.0.iter().map(|(name, value)| [name.as_bytes(), if value.is_empty() { b":" } else { b": " }, value].concat()).collect()
    }
}

/// Returns the digits at the start of a length, none if there are none.
fn digits(value: &str) -> &str {
    let value = value.trim_start();
    let value = value.strip_prefix('+').unwrap_or(value);
    &value[..value.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(value.len())]
}

/// Returns a name as servers usually write it: the host gives names in lower case.
pub(crate) fn title(name: &str) -> String {
    const SPECIAL: &[&str] = &["ETag", "WWW-Authenticate", "TE", "DNT", "X-XSS-Protection", "Content-MD5", "P3P", "NEL", "SourceMap"];
    if let Some(special) = SPECIAL.iter().find(|special| special.eq_ignore_ascii_case(name)) {
        return (*special).to_owned();
    }
    let mut start = true;
    let titled = |letter: char| {
        let out = if start { letter.to_ascii_uppercase() } else { letter.to_ascii_lowercase() };
        start = letter == '-';
        out
    };
    name.chars().map(titled).collect()
}

/// Returns the parameter of a value such as `attachment; filename="a b.txt"`; `filename*=UTF-8''…` wins over `filename=`.
pub(crate) fn parameter(value: &str, wanted: &str) -> Option<String> {
    let mut found = None;
    for part in split_quoted(value, ';') {
        let Some((name, text)) = part.split_once('=') else { continue };
        let (name, text) = (name.trim(), text.trim());
        if name.eq_ignore_ascii_case(&format!("{wanted}*")) {
            let encoded = text.splitn(3, '\'').nth(2)?;
            return Some(String::from_utf8_lossy(&crate::url::encode::decode(encoded)).into_owned());
        }
        if name.eq_ignore_ascii_case(wanted) {
            found = Some(unquote(text));
        }
    }
    found
}

fn unquote(text: &str) -> String {
    let Some(inside) = text.strip_prefix('"') else { return text.to_owned() };
    let (mut out, mut letters) = (String::new(), inside.chars());
    while let Some(letter) = letters.next() {
        match letter {
            '"' => break,
            '\\' => out.extend(letters.next()),
            other => out.push(other),
        }
    }
    out
}

/// Returns the parts between separators that are not inside quotes.
pub(crate) fn split_quoted(text: &str, separator: char) -> Vec<String> {
    let (mut parts, mut quoted, mut escaped) = (vec![String::new()], false, false);
    for letter in text.chars() {
        if letter == separator && !quoted {
            parts.push(String::new());
            continue;
        }
        if letter == '"' && !escaped {
            quoted = !quoted;
        }
        escaped = quoted && letter == '\\' && !escaped;
        if let Some(part) = parts.last_mut() {
            part.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_and_codings() {
        let of = |fields: &[(&str, &str)]| {
            let mut headers = Headers::default();
            fields.iter().for_each(|(name, value)| headers.push(name, value));
            (headers.length(), headers.has_bad_length())
        };
        assert_eq!(of(&[]), (None, false));
        assert_eq!(of(&[("content-length", "5"), ("Content-Length", "+3, 5")]), (Some(3), false));
        assert_eq!(of(&[("content-length", "99999999999999999999999")]), (None, false));
        for bad in ["", "-5", "x5"] {
            assert_eq!(of(&[("content-length", bad)]), (None, true), "{bad}");
        }
        assert_eq!(of(&[("content-length", "5"), ("transfer-encoding", "Identity, Chunked")]), (None, false));
        assert_eq!(of(&[("transfer-encoding", ""), ("content-length", "5")]), (Some(5), false));
    }

    #[test]
    fn names_and_parameters() {
        assert_eq!(title("content-type"), "Content-Type");
        assert_eq!(title("www-authenticate"), "WWW-Authenticate");
        let value = r#"attachment; filename="a \"b\"; c.txt"; x=1"#;
        assert_eq!(parameter(value, "filename").as_deref(), Some("a \"b\"; c.txt"));
        assert_eq!(parameter("attachment; filename=x; filename*=UTF-8''%e2%82%ac.txt", "filename").as_deref(), Some("€.txt"));
        assert_eq!(parameter("inline", "filename"), None);
    }
}
