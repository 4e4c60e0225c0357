//! How a request fails: a code for programs, and a text for people.

use wisp_policy::Rule;
use wisp_policy::schema::Key;

/// Maximum bytes of a text of a failure or of any receipt. Attack: a guest chooses the paths that it starts, opens and requests, and a
/// server the text of its failure, and the host keeps them. The number is enough for a URL and a rule that people wrote.
pub const MAX_TEXT: usize = 512;

/// Maximum bytes of a content coding in an error for a guest: real ones have ten.
const MAX_CODING: usize = 64;

/// Cuts a text to at most `most` bytes, with a sign where something is missing.
pub(super) fn cut(mut text: String, most: usize) -> String {
    const SIGN: char = '…';
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most - SIGN.len_utf8()));
        text.push(SIGN);
    }
    text
}

/// Cuts a rule to at most `most` bytes at its beginning: its end, the file's name and the line, says the most.
pub(super) fn cut_rule(rule: String, most: usize) -> String {
    const SIGN: char = '…';
    if rule.len() <= most {
        return rule;
    }
    let kept = rule.ceil_char_boundary(rule.len() - (most - SIGN.len_utf8()));
    format!("{SIGN}{}", &rule[kept..])
}

/// What made a request fail.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum By {
    /// A rule, as it is printed: `policies/fetch.toml:3`, or the policy's name if no rule would allow the request.
    Rule(String),
    /// A limit of `[network]`. [`Net`](super::Net) replaces it with the limit's rule before a guest or a receipt gets
    /// it.
    Limit(Key),
    /// wisp itself, whatever the policy says.
    BuiltIn,
    /// No rule: the network, the server or the program's own request.
    Nothing,
}

impl By {
    /// Returns the rule as it is printed, or the key of a limit; `None` if no rule decided.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Self::Rule(rule) => Some(rule),
            Self::Limit(key) => Some(key.path()),
            Self::BuiltIn => Some("built in"),
            Self::Nothing => None,
        }
    }
}

impl From<&Rule> for By {
    fn from(rule: &Rule) -> Self {
        Self::Rule(rule.to_string())
    }
}

impl From<Key> for By {
    fn from(limit: Key) -> Self {
        Self::Limit(limit)
    }
}

/// What went wrong, in the terms of `wasi:http`.
///
/// Exhaustive on purpose: the table from here to `wasi:http` has a row for each, and the compiler checks that.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs, reason = "the cases of wasi:http's error-code, under their names")]
pub enum Code {
    Denied,
    AddressProhibited,
    UriInvalid,
    MethodInvalid,
    NameUnknown,
    LookupFailed,
    LookupTimeout,
    ConnectionRefused,
    ConnectionTimeout,
    ConnectionTerminated,
    Unreachable,
    TooManyAtOnce,
    TlsProtocol,
    TlsCertificate,
    TlsAlert(u8),
    RequestBodySize(u64),
    RequestHeaderSize,
    ResponseTimeout,
    ReadTimeout,
    ResponseIncomplete,
    ResponseHeaderSize,
    ResponseBodySize(u64),
    ResponseContentCoding(String),
    Protocol,
    Internal,
}

/// A request that failed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// The kind.
    pub code: Code,
    /// The request: `GET https://example.com/a`, without the query.
    pub request: Box<str>,
    /// What refused it or what went wrong, as the end of a sentence.
    pub reason: String,
    /// The reason for the receipt only, if it says more than a guest may know, such as the address of a name.
    pub recorded: Option<Box<str>>,
    /// What refused it.
    pub by: By,
    /// The line of a policy that would allow it, if there is one.
    pub help: Option<Box<str>>,
}

impl Failure {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Self {
        Self { code, request: Box::default(), reason: reason.into(), recorded: None, by: By::Nothing, help: None }
    }

    pub(super) fn by(mut self, by: impl Into<By>) -> Self {
        self.by = by.into();
        self
    }

    pub(super) fn recorded(mut self, recorded: impl Into<String>) -> Self {
        self.recorded = Some(recorded.into().into_boxed_str());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into().into_boxed_str());
        self
    }

    pub(super) fn about(mut self, request: &str) -> Self {
        if self.request.is_empty() {
            self.request = request.into();
        }
        self
    }

    /// Cuts its texts to the length that a receipt allows.
    pub(super) fn bounded(self) -> Self {
        let Self { code, request, reason, recorded, by, help } = self;
        let code = match code {
            Code::ResponseContentCoding(coding) => Code::ResponseContentCoding(cut(coding, MAX_CODING)),
            other => other,
        };
        let by = match by {
            By::Rule(rule) => By::Rule(cut_rule(rule, MAX_TEXT)),
            other => other,
        };
        Self {
            code,
            request: cut(request.into(), MAX_TEXT).into(),
            reason: cut(reason, MAX_TEXT),
            recorded: recorded.map(|text| cut(text.into(), MAX_TEXT).into()),
            by,
            help: help.map(|text| cut(text.into(), 2 * MAX_TEXT).into()),
        }
    }

    /// Returns the rule that refused it, as it is printed; empty if no rule did.
    pub fn rule(&self) -> &str {
        self.by.rule().unwrap_or_default()
    }

    /// Returns the rule as guests see it: without the place of the policy's file on the host.
    pub fn rule_for_guests(&self) -> &str {
        wisp_policy::rule_for_guests(self.rule())
    }

    /// Returns whether a rule refused it, and not the network or the server.
    pub(crate) fn is_denial(&self) -> bool {
        self.by != By::Nothing
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.request, self.reason)?;
        if let Some(rule) = self.by.rule() {
            write!(f, " ({rule})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_rule_the_line_is_left() {
        let long = format!("/{}/p.toml:5", "ä".repeat(MAX_TEXT));
        let cut = cut_rule(long.clone(), MAX_TEXT);
        assert!(cut.len() <= MAX_TEXT && cut.starts_with('…') && cut.ends_with("ä/p.toml:5"), "{cut}");
        assert_eq!(cut_rule(long[..MAX_TEXT - 1].to_owned(), MAX_TEXT), long[..MAX_TEXT - 1], "what fits is whole");
        let by = Failure::new(Code::Denied, "no").by(By::Rule(long)).bounded();
        assert_eq!(by.rule(), cut);
    }
}
