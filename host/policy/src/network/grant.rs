//! `[network]` of a policy.

use std::path::PathBuf;
use std::time::Duration;

use super::secret::SecretRule;
use crate::hosts::Addresses;
use crate::read::number_text;
use crate::rule::Rule;
use crate::schema::Key;
use crate::url::UrlPattern;

/// `[network]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Network {
    /// The table, or the option that added it.
    pub rule: Rule,
    /// The allowed requests.
    pub allow: Vec<AllowRule>,
    /// The secrets that replace their placeholders in requests.
    pub secrets: Vec<SecretRule>,
    /// Maximum requests of a session.
    pub max_requests: u64,
    /// Maximum requests of a session within any sixty seconds.
    pub max_requests_per_minute: u64,
    /// Maximum concurrent requests of a session.
    pub max_concurrent: u32,
    /// Maximum bytes of a request's body.
    pub max_request: u64,
    /// Maximum bytes of a response's body.
    pub max_response: u64,
    /// Maximum bytes of all bodies of a session's requests and responses together.
    pub max_bytes: u64,
    /// Maximum time to connect: name lookup, connection, TLS.
    pub connect_timeout: Duration,
    /// Maximum time from the connection to the beginning of the response.
    pub first_byte_timeout: Duration,
    /// Maximum time of a request with its response.
    pub timeout: Duration,
    /// A file of certificates that are trusted in addition to the usual ones, and the rule that set it.
    pub ca: Option<(PathBuf, Rule)>,
    /// Whether receipts contain the query of a URL.
    pub receipt_query: bool,
}

impl Network {
    /// Returns the totals of a session, in the policy's words.
    pub fn limits(&self) -> String {
        let limits = [
            (Key::MaxRequests, self.max_requests),
            (Key::MaxRequestsPerMinute, self.max_requests_per_minute),
            (Key::MaxBytes, self.max_bytes),
        ];
        limits.map(|(key, value)| format!("{} = {}", key.word(), number_text(&key.row().shape, value))).join(", ")
    }
}

/// `[[network.allow]]`: allowed requests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowRule {
    /// The URLs.
    pub url: UrlPattern,
    /// The methods.
    pub methods: Vec<String>,
    /// Whether the host may have addresses of private networks and of this machine.
    pub allow_private: bool,
    /// Addresses that the host may have, including private ones.
    pub addresses: Vec<Addresses>,
    /// Whether `network.allow` has it, where more can be added to it: an option or another key, such as `python.index`, has only a URL.
    pub written: bool,
    /// The rule that added it.
    pub rule: Rule,
}
