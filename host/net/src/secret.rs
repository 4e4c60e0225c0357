//! Secrets: the guest has placeholders. A value replaces its placeholder only in the named place of a request to the
//! named host, over TLS. Values are never printed: no type here that holds one is serializable, and `Debug` of
//! [`Secrets`] shows the names of variables alone.

use std::sync::Arc;

use http::header::{ACCEPT_ENCODING, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue};

use super::failure::{Code, Failure};
use super::mask::{Needles, escape, json_text};
use wisp_policy::digest::hex;
use wisp_policy::url::{Scheme, Target};
use wisp_policy::{SecretPlace, SecretRule};

/// The beginning of every placeholder.
const PREFIX: &str = "wisp-secret-";

/// Maximum bytes of a body into which a secret is put, because the whole body is held.
pub(super) const MAX_BODY: u64 = 1 << 20;

/// The shortest secret: masking echoes of a shorter one would damage ordinary responses.
const MIN_VALUE: usize = 4;

struct Secret {
    rule: SecretRule,
    value: String,
    placeholder: String,
}

/// The secrets of one session.
#[derive(Clone, Default)]
pub struct Secrets(Arc<Vec<Arc<Secret>>>);

/// Why a value cannot be a secret.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretError {
    /// The value is too short to be masked.
    #[error("the value is shorter than {MIN_VALUE} characters")]
    Short,
    /// The value cannot be part of a header.
    #[error("the value has characters that no header may have")]
    Characters,
    /// The system provided no randomness for the placeholder.
    #[error("no randomness for its placeholder: {0}")]
    Randomness(String),
}

impl Secrets {
    /// Adds a secret, with a placeholder that cannot be guessed.
    ///
    /// # Errors
    /// If its value cannot be a secret.
    pub fn add(&mut self, rule: SecretRule, value: String) -> Result<(), SecretError> {
        if value.len() < MIN_VALUE {
            return Err(SecretError::Short);
        }
        if !value.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
            return Err(SecretError::Characters);
        }
        let mut random = [0; 16];
        getrandom::fill(&mut random).map_err(|error| SecretError::Randomness(error.to_string()))?;
        let secret = Secret { rule, value, placeholder: format!("{PREFIX}{}", hex(&random)) };
        let mut all = self.0.to_vec();
        all.push(Arc::new(secret));
        self.0 = Arc::new(all);
        Ok(())
    }

    /// Returns the same secrets for another session, under placeholders of its own.
    ///
    /// # Errors
    /// `Randomness`.
    pub(super) fn renew(&self) -> Result<Self, SecretError> {
        let mut renewed = Self::default();
        for secret in &*self.0 {
            renewed.add(secret.rule.clone(), secret.value.clone())?;
        }
        Ok(renewed)
    }

    /// Returns the secrets that forks keep, with the placeholders that they know. A fork without a secret must not see it
    /// either: [`super::Net::fork`] keeps everything that is masked.
    pub(super) fn fork(&self) -> Self {
        Self(Arc::new(self.0.iter().filter(|secret| secret.rule.forks).cloned().collect()))
    }

    pub(super) fn placeholders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|secret| (secret.rule.variable.as_str(), secret.placeholder.as_str()))
    }

    /// Returns the texts to mask in responses.
    pub(super) fn needles(&self) -> Needles {
        Needles::of(self.0.iter().map(|secret| secret.value.as_str()))
    }

    /// Returns the secrets that may go to this host.
    fn of<'a>(&'a self, target: &Target) -> impl Iterator<Item = &'a Secret> {
        let host = target.host.clone();
        self.0.iter().map(|secret| &**secret).filter(move |secret| secret.rule.host == host)
    }

    /// Returns whether the body of a request to `target` must be searched.
    pub(super) fn in_body(&self, target: &Target) -> bool {
        self.of(target).any(|secret| matches!(secret.rule.place, SecretPlace::BodyField(_)))
    }

    /// Puts the secrets into query and headers. Returns the variables of those that it inserted.
    pub(super) fn put(&self, target: &mut Target, headers: &mut HeaderMap) -> Result<Vec<String>, Failure> {
        let mut used = Vec::new();
        for secret in self.of(&target.clone()) {
            let found = match &secret.rule.place {
                SecretPlace::Header(name) => secret.put_header(name, target.scheme, headers)?,
                SecretPlace::Query(name) => match target.query.as_deref().and_then(|query| secret.put_pairs(name, query)) {
                    Some(query) => {
                        secret.check(target.scheme)?;
                        target.query = Some(query);
                        true
                    }
                    None => false,
                },
                SecretPlace::BodyField(_) => false,
            };
            if found {
                used.push(secret.rule.variable.clone());
            }
        }
        if !used.is_empty() {
            ask_whole_and_plain(headers);
        }
        Ok(used)
    }

    /// Puts the secrets into a body. Returns the body and the variables of those that it inserted.
    pub(super) fn put_body(&self, target: &Target, headers: &mut HeaderMap, mut body: Vec<u8>) -> Result<(Vec<u8>, Vec<String>), Failure> {
        let mut used = Vec::new();
        let media = headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
        let media = media.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        for secret in self.of(target) {
            let SecretPlace::BodyField(field) = &secret.rule.place else { continue };
            let Some(text) = std::str::from_utf8(&body).ok().filter(|text| text.contains(&secret.placeholder)) else { continue };
            let put = match media.as_str() {
                "application/x-www-form-urlencoded" => secret.put_pairs(field, text),
                "application/json" => secret.put_json(field, text),
                media if media.ends_with("+json") => secret.put_json(field, text),
                _ => None,
            };
            if let Some(put) = put {
                secret.check(target.scheme)?;
                body = put.into_bytes();
                used.push(secret.rule.variable.clone());
            }
        }
        if !used.is_empty() {
            ask_whole_and_plain(headers);
        }
        Ok((body, used))
    }
}

/// Request headers with which a guest could make an honest server split an echo, write it in another form, or reveal
/// something about it: parts of a response (`Request-Range` is the old name of `Range`, which servers still read),
/// differences between responses, other character sets, digests.
const TAKE_APART: [&str; 8] =
    ["range", "if-range", "request-range", "a-im", "accept-charset", "want-digest", "want-content-digest", "want-repr-digest"];

/// Asks for the whole response, unencoded: only that can be searched for echoes.
fn ask_whole_and_plain(headers: &mut HeaderMap) {
    for name in TAKE_APART {
        headers.remove(name);
    }
    headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
}

impl Secret {
    fn check(&self, scheme: Scheme) -> Result<(), Failure> {
        if scheme == Scheme::Https {
            return Ok(());
        }
        let reason = format!("the secret `{}` goes over `https` only", self.rule.variable);
        Err(Failure::new(Code::Denied, reason).by(&self.rule.rule))
    }

    /// Returns `text` with the value in place of the placeholder; formatted by `format` if it is only the placeholder.
    fn replace(&self, text: &str) -> String {
        if text == self.placeholder { self.rule.format.replace("{}", &self.value) } else { text.replace(&self.placeholder, &self.value) }
    }

    fn put_header(&self, name: &str, scheme: Scheme, headers: &mut HeaderMap) -> Result<bool, Failure> {
        let mut found = false;
        // The policy has checked that this is a header name.
        let Ok(name) = http::HeaderName::from_bytes(name.as_bytes()) else { return Ok(false) };
        if let http::header::Entry::Occupied(mut entry) = headers.entry(name) {
            for value in entry.iter_mut() {
                let Some(text) = value.to_str().ok().filter(|text| text.contains(&self.placeholder)) else { continue };
                self.check(scheme)?;
                // Both were checked for characters that a header may not have.
                *value = HeaderValue::from_str(&self.replace(text))
                    .map_err(|_| Failure::new(Code::Internal, "a header could not be written"))?;
                value.set_sensitive(true);
                found = true;
            }
        }
        Ok(found)
    }

    /// Returns `a=b&c=d` with the value in the pairs called `name`; `None` if none of them has the placeholder.
    fn put_pairs(&self, name: &str, pairs: &str) -> Option<String> {
        let mut found = false;
        let pairs: Vec<String> = pairs
            .split('&')
            .map(|pair| match pair.split_once('=') {
                Some((key, value)) if key == name && value.contains(&self.placeholder) => {
                    found = true;
                    let value = if value == self.placeholder {
                        escape(&self.replace(value), false)
                    } else {
                        value.replace(&self.placeholder, &escape(&self.value, false))
                    };
                    format!("{key}={value}")
                }
                _ => pair.to_owned(),
            })
            .collect();
        found.then(|| pairs.join("&"))
    }

    /// Returns a JSON object with the value in the string called `name`; the rest of the text is unchanged.
    fn put_json(&self, name: &str, text: &str) -> Option<String> {
        let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(text).ok()?;
        let field = object.get(name)?.as_str()?;
        let count = |text: &str| text.matches(&self.placeholder).count();
        if count(field) == 0 || count(field) != count(text) {
            return None;
        }
        let value = if field == self.placeholder { self.replace(field) } else { self.value.clone() };
        Some(text.replace(&self.placeholder, &json_text(&value)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_policy::{NoFiles, Policy};

    fn secrets(lines: &str) -> (Secrets, String) {
        let text = format!("[[network.secret]]\nhost = \"api.example\"\nvalue_from_env = \"TOKEN\"\n{lines}\n");
        let policy = Policy::parse(&NoFiles, "p.toml", &text).unwrap();
        let mut secrets = Secrets::default();
        secrets.add(policy.network().unwrap().secrets[0].clone(), "s3cr3t/\"x\"".to_owned()).unwrap();
        let placeholder = secrets.placeholders().next().unwrap().1.to_owned();
        (secrets, placeholder)
    }

    fn target(scheme: Scheme, host: &str, path: &str) -> Target {
        Target::new(scheme, host, path).unwrap()
    }

    #[test]
    fn a_header_gets_the_value_at_its_host_and_nowhere_else() {
        let (secrets, placeholder) = secrets("header = \"Authorization\"\nformat = \"Bearer {}\"");
        let sent = |scheme, host, name: &'static str, value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(name, HeaderValue::from_str(value).unwrap());
            let used = secrets.put(&mut target(scheme, host, "/"), &mut headers).map_err(|failure| failure.reason)?;
            Ok::<_, String>((headers[name].to_str().unwrap().to_owned(), used.len()))
        };
        let both = format!("Bearer {placeholder}");
        assert_eq!(sent(Scheme::Https, "api.example", "authorization", &placeholder), Ok(("Bearer s3cr3t/\"x\"".to_owned(), 1)));
        assert_eq!(sent(Scheme::Https, "API.example.", "authorization", &both), Ok(("Bearer s3cr3t/\"x\"".to_owned(), 1)));
        for (host, name) in [("evil.example", "authorization"), ("api.example.evil.example", "authorization"), ("api.example", "x-other")] {
            assert_eq!(sent(Scheme::Https, host, name, &both), Ok((both.clone(), 0)), "{host} {name}");
        }
        assert_eq!(sent(Scheme::Http, "api.example", "authorization", &both), Err("the secret `TOKEN` goes over `https` only".to_owned()));
    }

    #[test]
    fn parameters_and_fields_are_escaped_as_their_place_wants() {
        let (query, placeholder) = secrets("query = \"key\"");
        let mut to = target(Scheme::Https, "api.example", &format!("/?a={placeholder}&key={placeholder}"));
        assert_eq!(query.put(&mut to, &mut HeaderMap::new()).unwrap(), ["TOKEN"]);
        assert_eq!(to.query.as_deref(), Some(&*format!("a={placeholder}&key=s3cr3t%2F%22x%22")));

        let (body, placeholder) = secrets("body_field = \"key\"");
        let put = |media: &'static str, text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media));
            let to = target(Scheme::Https, "api.example", "/");
            let (body, used) = body.put_body(&to, &mut headers, text.as_bytes().to_vec()).unwrap();
            assert_eq!(headers.contains_key(ACCEPT_ENCODING), !used.is_empty());
            String::from_utf8(body).unwrap()
        };
        let json = format!("{{\"n\": 1.0, \"key\":\"{placeholder}\"}}");
        assert_eq!(put("application/json; charset=utf-8", &json), r#"{"n": 1.0, "key":"s3cr3t/\"x\""}"#);
        assert_eq!(put("application/x-www-form-urlencoded", &format!("key={placeholder}")), "key=s3cr3t%2F%22x%22");
        for (media, other) in [
            ("application/json", format!("{{\"other\":\"{placeholder}\"}}")),
            ("application/json", format!("{{\"key\":\"{placeholder}\",\"b\":\"{placeholder}\"}}")),
            ("application/json", format!("{{\"a\":{{\"key\":\"{placeholder}\"}}}}")),
            ("text/plain", json.clone()),
        ] {
            assert_eq!(put(media, &other), other);
        }
    }

    #[test]
    fn another_session_has_the_same_values_under_other_placeholders() {
        let (secrets, placeholder) = secrets("header = \"A\"");
        let renewed = secrets.renew().unwrap();
        let (variable, other) = renewed.placeholders().next().unwrap();
        assert_eq!(variable, "TOKEN");
        assert_ne!(other, placeholder);
        assert_eq!(renewed.0[0].value, secrets.0[0].value);
    }

    #[test]
    fn forks_have_what_the_policy_says_and_values_must_be_maskable() {
        let (not, _) = secrets("header = \"A\"");
        let (forks, placeholder) = secrets("header = \"A\"\nforks = true");
        assert_eq!(not.fork().placeholders().count(), 0);
        assert_eq!(forks.fork().placeholders().next(), Some(("TOKEN", placeholder.as_str())));
        assert_ne!(secrets("header = \"A\"").1, placeholder);
        assert_eq!(format!("{forks:?}"), r#"{"TOKEN"}"#, "neither the value nor the placeholder");
        let rule = forks.0[0].rule.clone();
        assert_eq!(Secrets::default().add(rule.clone(), "abc".to_owned()), Err(SecretError::Short));
        assert_eq!(Secrets::default().add(rule, "abc\r\nx".to_owned()), Err(SecretError::Characters));
    }
}
