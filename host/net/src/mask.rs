//! Echoes of secrets: in a server's response, each occurrence of a secret is replaced by as many asterisks as it has
//! bytes.

use std::sync::Arc;

use bytes::{Bytes, BytesMut};

/// The texts to mask, in every form that an echo usually has. Cheap to clone.
#[derive(Clone, Default)]
pub(super) struct Needles(Arc<Forms>);

#[derive(Default)]
struct Forms {
    /// The longer form comes first: it may begin like a shorter one.
    exact: Vec<Vec<u8>>,
    /// The same in lower case, for header names, which have no upper case.
    folded: Vec<Vec<u8>>,
}

impl Forms {
    fn new(mut exact: Vec<Vec<u8>>) -> Self {
        exact.sort_by(|one, other| other.len().cmp(&one.len()).then_with(|| one.cmp(other)));
        exact.dedup();
        let folded = exact.iter().map(|form| form.to_ascii_lowercase()).collect();
        Self { exact, folded }
    }
}

impl Needles {
    /// Returns the needles of these values: unchanged, escaped as in URLs and forms, as in JSON and as in HTML.
    pub(super) fn of<'a>(values: impl Iterator<Item = &'a str>) -> Self {
        let mut exact: Vec<Vec<u8>> = Vec::new();
        for value in values.filter(|value| !value.is_empty()) {
            let json = json_text(value);
            let slashes = json.replace('/', "\\/");
            // Go's encoder does this, for JSON inside HTML.
            let angles = json.replace('&', "\\u0026").replace('<', "\\u003c").replace('>', "\\u003e");
            let form = escape(value, false).replace("%20", "+");
            let forms = [value.to_owned(), json, slashes, angles, escape(value, false), escape(value, true), form];
            exact.extend(forms.map(String::into_bytes));
            // HTML has several escapes for quotes.
            let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
            for (double, single) in [("&quot;", "&#39;"), ("&quot;", "&#x27;"), ("&#34;", "&#39;"), ("\"", "'")] {
                exact.push(html.replace('"', double).replace('\'', single).into_bytes());
            }
        }
        Self(Arc::new(Forms::new(exact)))
    }

    /// Returns these needles and others.
    pub(super) fn with(&self, others: &Self) -> Self {
        if others.0.exact.iter().all(|form| self.0.exact.contains(form)) {
            return self.clone();
        }
        Self(Arc::new(Forms::new([self.0.exact.clone(), others.0.exact.clone()].concat())))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.exact.is_empty()
    }

    /// Returns the bytes with every occurrence masked; `None` if there is none.
    pub(super) fn mask(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        mask(bytes, bytes, &self.0.exact)
    }

    /// Works like `mask`, but ignores case, for texts that lost their case on the way.
    pub(super) fn mask_folded(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        mask(bytes, &bytes.to_ascii_lowercase(), &self.0.folded)
    }

    /// Masks a text that contains parts of a response; its author may have changed their case. Needles are ASCII, so
    /// the result is still UTF-8.
    pub(super) fn mask_text(&self, text: String) -> String {
        match self.mask_folded(text.as_bytes()) {
            Some(masked) => String::from_utf8_lossy(&masked).into_owned(),
            None => text,
        }
    }

    /// Returns how many of the last bytes could be the beginning of an incomplete occurrence.
    fn open_end(&self, bytes: &[u8]) -> usize {
        let needles = &self.0.exact;
        let longest = needles.first().map_or(0, Vec::len);
        let from = bytes.len().saturating_sub(longest.saturating_sub(1));
        (from..bytes.len())
            .find(|start| needles.iter().any(|needle| needle.len() > bytes.len() - start && needle.starts_with(&bytes[*start..])))
            .map_or(0, |start| bytes.len() - start)
    }
}

/// Returns `bytes` with asterisks where `read`, which has the same length, contains a needle.
fn mask(bytes: &[u8], read: &[u8], needles: &[Vec<u8>]) -> Option<Vec<u8>> {
    let mut masked: Option<Vec<u8>> = None;
    for needle in needles {
        let mut at = 0;
        while let Some(found) = find(&read[at..], needle).map(|found| at + found) {
            masked.get_or_insert_with(|| bytes.to_vec())[found..found + needle.len()].fill(b'*');
            // The next occurrence may overlap this one.
            at = found + 1;
        }
    }
    masked
}

/// Returns a text as it is written between the quotes of a JSON string.
pub(super) fn json_text(value: &str) -> String {
    let quoted = serde_json::Value::from(value).to_string();
    quoted.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or_default().to_owned()
}

/// Writes `%XX` for every byte that needs escaping.
pub(super) fn escape(value: &str, lower: bool) -> String {
    let mut text = String::with_capacity(value.len());
    for byte in value.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => text.push(char::from(byte)),
            _ if lower => text.push_str(&format!("%{byte:02x}")),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

fn find(bytes: &[u8], needle: &[u8]) -> Option<usize> {
    let first = *needle.first()?;
    let last = bytes.len().checked_sub(needle.len())?;
    let mut at = 0;
    while at <= last {
        at += memchr::memchr(first, &bytes[at..=last])?;
        if bytes[at..].starts_with(needle) {
            return Some(at);
        }
        at += 1;
    }
    None
}

/// Masks a stream of pieces, which may be cut anywhere.
pub(super) struct Masker {
    needles: Needles,
    /// The last bytes received, which may be the beginning of a secret.
    held: BytesMut,
    /// How many bytes at the beginning of `held` are already masked, as the end of an occurrence that the next may
    /// overlap.
    done: usize,
}

impl Masker {
    pub(super) fn new(needles: Needles) -> Self {
        Self { needles, held: BytesMut::new(), done: 0 }
    }

    /// Returns the needles that it masks.
    pub(super) fn needles(&self) -> &Needles {
        &self.needles
    }

    /// Takes `piece`. Returns the bytes that can be passed on now.
    pub(super) fn push(&mut self, piece: Bytes) -> Bytes {
        if self.needles.is_empty() {
            return piece;
        }
        if self.held.is_empty() && self.needles.mask(&piece).is_none() && self.needles.open_end(&piece) == 0 {
            return piece;
        }
        self.held.extend_from_slice(&piece);
        let open = self.needles.open_end(&self.held);
        self.release(self.held.len() - open)
    }

    /// Returns the remaining bytes, at the end of the stream.
    pub(super) fn finish(&mut self) -> Bytes {
        self.release(self.held.len())
    }

    /// Returns the remaining bytes, if a limit cuts off the stream: a beginning of a secret at the cut is masked too. Otherwise
    /// a guest could choose the bytes before an echo, and so how much of it arrives.
    pub(super) fn cut(&mut self) -> Bytes {
        let open = self.needles.open_end(&self.held);
        let mut rest = self.finish().to_vec();
        let whole = rest.len() - open;
        rest[whole..].fill(b'*');
        rest.into()
    }

    fn release(&mut self, count: usize) -> Bytes {
        let mut masked = self.needles.mask(&self.held).unwrap_or_else(|| self.held.to_vec());
        let marked = std::mem::take(&mut self.done);
        masked[..marked].fill(b'*');
        // The bytes that stay may already be part of an occurrence: they are kept unmasked, to find one that continues,
        // together with the number of bytes that are masked.
        let stays = &masked[count..];
        self.done = stays.iter().zip(&self.held[count..]).take_while(|(masked, raw)| masked != raw || **masked == b'*').count();
        masked.truncate(count);
        let _ = self.held.split_to(count);
        masked.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn masked(secrets: &[&str], text: &str, cut: usize) -> String {
        with_end(secrets, text, cut, Masker::finish)
    }

    fn with_end(secrets: &[&str], text: &str, cut: usize, end: fn(&mut Masker) -> Bytes) -> String {
        let mut masker = Masker::new(Needles::of(secrets.iter().copied()));
        let mut out = Vec::new();
        for piece in text.as_bytes().chunks(cut) {
            out.extend_from_slice(&masker.push(Bytes::copy_from_slice(piece)));
        }
        out.extend_from_slice(&end(&mut masker));
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn where_a_limit_cuts_a_secret_off_its_beginning_is_masked() {
        for cut in 1..20 {
            for (text, seen) in
                [("my hunter", "my ******"), ("my hunter2", "my *******"), ("my hunger", "my hunger"), ("hunter2h", "********")]
            {
                assert_eq!(with_end(&["hunter2"], text, cut, Masker::cut), seen, "{cut}");
            }
        }
    }

    #[test]
    fn a_secret_is_masked_wherever_the_stream_is_cut() {
        for cut in 1..40 {
            assert_eq!(
                masked(&["hunter2"], "my hunter2, hunter and hunter2hunter2!", cut),
                "my *******, hunter and **************!",
                "{cut}"
            );
            assert_eq!(masked(&["aab"], "aaaab aab", cut), "aa*** ***", "{cut}");
            // Overlapping occurrences are masked as one.
            assert_eq!(masked(&["abab"], "xababab", cut), "x******", "{cut}");
            assert_eq!(masked(&["abc", "cde"], "abcde", cut), "*****", "{cut}");
            assert_eq!(masked(&["a/b c"], r#"{"t":"a\/b c"} a%2Fb%20c a%2fb%20c"#, cut), r#"{"t":"******"} ********* *********"#, "{cut}");
            assert_eq!(
                masked(&["a&<'\" b"], r#"a&amp;&lt;&#x27;&quot; b, a\u0026\u003c'\" b, a%26%3C%27%22+b"#, cut)
                    .matches(|c| c != '*')
                    .collect::<String>(),
                ", , "
            );
            assert_eq!(masked(&[], "plain", cut), "plain");
        }
    }
}
