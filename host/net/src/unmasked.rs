//! Data from the network before it is masked. A server that received a secret may write it anywhere: into a header's
//! name, a coding, a certificate, an error.
//!
//! [`Unmasked`] has no `Debug`, no `Display` and no access to its value except `masked`, which takes the needles of the
//! session: an unmasked value cannot become text, and code that forgets to mask does not compile. `wire` and `tls` wrap
//! what they read immediately.

use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue};

use super::failure::{Code, Failure};
use super::mask::{Masker, Needles};

/// A value from the network that may contain a secret.
pub(super) struct Unmasked<T>(T);

impl<T> Unmasked<T> {
    /// Wraps a value that has just been received.
    pub(super) fn new(value: T) -> Self {
        Self(value)
    }

    /// Returns the result of a yes-or-no question about it.
    pub(super) fn is(&self, question: impl FnOnce(&T) -> bool) -> bool {
        question(&self.0)
    }

    /// Parses a number from it.
    pub(super) fn number(&self, read: impl FnOnce(&T) -> Option<u64>) -> Option<u64> {
        read(&self.0)
    }

    /// Returns a value made from it, which may contain the same secrets.
    pub(super) fn map<U>(&self, make: impl FnOnce(&T) -> U) -> Unmasked<U> {
        Unmasked(make(&self.0))
    }
}

impl From<Failure> for Unmasked<Failure> {
    /// Returns a failure in our own words, which is masked all the same.
    fn from(failure: Failure) -> Self {
        Self(failure)
    }
}

impl Unmasked<HeaderMap> {
    /// Masks every name and every value. Leaves out what is not a valid header afterwards.
    pub(super) fn masked(self, needles: &Needles) -> HeaderMap {
        if needles.is_empty() {
            return self.0;
        }
        let mut masked = HeaderMap::with_capacity(self.0.len());
        for (name, value) in &self.0 {
            let name = match needles.mask_folded(name.as_str().as_bytes()) {
                Some(name) => HeaderName::from_bytes(&name).ok(),
                None => Some(name.clone()),
            };
            let value = match needles.mask(value.as_bytes()) {
                Some(value) => HeaderValue::from_bytes(&value).ok(),
                None => Some(value.clone()),
            };
            if let (Some(name), Some(value)) = (name, value) {
                masked.append(name, value);
            }
        }
        masked
    }
}

impl Unmasked<Bytes> {
    /// Returns the bytes of a body that can be passed on after this piece.
    pub(super) fn masked(self, masker: &mut Masker) -> Bytes {
        masker.push(self.0)
    }

    /// Returns its length.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Truncates it to at most `len` bytes.
    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }
}

impl Unmasked<Failure> {
    /// Returns the failure in a text for a guest and a receipt, truncated to their maximum length.
    pub(super) fn masked(self, needles: &Needles) -> Failure {
        let Failure { code, request, reason, recorded, by, help } = self.0;
        let text = |text: String| needles.mask_text(text);
        let boxed = |text: Box<str>| needles.mask_text(text.into()).into_boxed_str();
        let code = match code {
            Code::ResponseContentCoding(coding) => Code::ResponseContentCoding(text(coding)),
            other => other,
        };
        // The request is the program's own text, from before a secret was inserted: masking it would confirm a guess.
        let failure = Failure { code, request, reason: text(reason), recorded: recorded.map(boxed), by, help: help.map(boxed) };
        failure.bounded()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_values_and_failures_are_masked_and_nothing_else_is_changed() {
        let needles = Needles::of(["S3cr3t-T0k3n"].into_iter());
        let mut fields = HeaderMap::new();
        for (name, value) in
            [("x-s3cr3t-t0k3n-end", "a"), ("x-own", "b S3cr3t-T0k3n c"), ("x-own", "plain"), ("s3cr3t-t0k3n", "S3cr3t-T0k3n")]
        {
            fields.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        let masked = Unmasked::new(fields.clone()).masked(&needles);
        let mut seen: Vec<(&str, &str)> = masked.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap())).collect();
        seen.sort_unstable();
        let stars = "************";
        assert_eq!(seen, [(stars, stars), ("x-************-end", "a"), ("x-own", "b ************ c"), ("x-own", "plain")]);
        assert_eq!(Unmasked::new(fields.clone()).masked(&Needles::default()), fields);

        let failure = Failure::new(Code::ResponseContentCoding("s3cr3t-t0k3n".to_owned()), "it is `S3cr3t-T0k3n`").recorded("S3CR3T-T0K3N");
        let masked = Unmasked::from(failure).masked(&needles);
        assert_eq!((masked.code, masked.reason.as_str()), (Code::ResponseContentCoding(stars.to_owned()), "it is `************`"));
        assert_eq!(masked.recorded.as_deref(), Some(stars));
    }
}
