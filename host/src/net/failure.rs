//! How a request fails: a code that programs understand, and words for people.

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
    pub request: String,
    /// What refused it or went wrong, as the end of a sentence.
    pub reason: String,
    /// The rule that refused it; empty when no rule did.
    pub rule: String,
    /// The line of a policy that would allow it, if one would.
    pub help: Option<String>,
}

impl Failure {
    pub(super) fn new(code: Code, reason: impl Into<String>) -> Failure {
        Failure { code, request: String::new(), reason: reason.into(), rule: String::new(), help: None }
    }

    pub(super) fn by(mut self, rule: impl Into<String>) -> Failure {
        self.rule = rule.into();
        self
    }

    pub(super) fn help(mut self, help: impl Into<String>) -> Failure {
        self.help = Some(help.into());
        self
    }

    pub(super) fn about(mut self, request: &str) -> Failure {
        if self.request.is_empty() {
            self.request = request.to_owned();
        }
        self
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
