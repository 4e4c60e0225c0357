//! How a request fails: a code that programs understand, and words for people.

/// Maximum bytes of a text of a failure or a receipt. Attack: receipts that the host keeps, with texts a guest or a
/// server chose.
pub(super) const MAX_TEXT: usize = 512;

/// Maximum bytes of a content coding that a guest is told of: real ones have ten.
const MAX_CODING: usize = 64;

/// A text with no more than `most` bytes, and a sign where something is missing.
pub(super) fn cut(mut text: String, most: usize) -> String {
    const SIGN: char = '…';
    if text.len() > most {
        text.truncate(text.floor_char_boundary(most - SIGN.len_utf8()));
        text.push(SIGN);
    }
    text
}

/// What went wrong, as `wasi:http` tells it apart.
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
pub struct Failure {
    /// The kind.
    pub code: Code,
    /// What was asked for: `GET https://example.com/a`, without a query.
    pub request: Box<str>,
    /// What refused it or went wrong, as the end of a sentence.
    pub reason: String,
    /// The same for the receipt alone, where it says more than a guest may know: what a name was looked up to.
    pub recorded: Option<Box<str>>,
    /// The rule that refused it; empty when no rule did.
    pub rule: String,
    /// The line of a policy that would allow it, if one would.
    pub help: Option<Box<str>>,
}

impl Failure {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Failure {
        Failure { code, request: Box::default(), reason: reason.into(), recorded: None, rule: String::new(), help: None }
    }

    pub(super) fn by(mut self, rule: impl Into<String>) -> Failure {
        self.rule = rule.into();
        self
    }

    pub(super) fn recorded(mut self, recorded: impl Into<String>) -> Failure {
        self.recorded = Some(recorded.into().into_boxed_str());
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into().into_boxed_str());
        self
    }

    pub(super) fn about(mut self, request: &str) -> Failure {
        if self.request.is_empty() {
            self.request = request.into();
        }
        self
    }

    /// With none of its texts longer than a receipt may have them.
    pub(super) fn bounded(self) -> Failure {
        let Failure { code, request, reason, recorded, rule, help } = self;
        let code = match code {
            Code::ResponseContentCoding(coding) => Code::ResponseContentCoding(cut(coding, MAX_CODING)),
            other => other,
        };
        Failure {
            code,
            request: cut(request.into(), MAX_TEXT).into(),
            reason: cut(reason, MAX_TEXT),
            recorded: recorded.map(|text| cut(text.into(), MAX_TEXT).into()),
            rule: cut(rule, MAX_TEXT),
            help: help.map(|text| cut(text.into(), 2 * MAX_TEXT).into()),
        }
    }

    /// Whether a rule refused it, rather than the world.
    pub fn is_denial(&self) -> bool {
        !self.rule.is_empty()
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: {}", self.request, self.reason)?;
        if !self.rule.is_empty() {
            write!(f, " ({})", self.rule)?;
        }
        Ok(())
    }
}

impl std::error::Error for Failure {}
