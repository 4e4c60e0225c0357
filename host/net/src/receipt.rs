//! One record for every attempt.

use core::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::{Failure, MAX_TEXT, cut};

/// A request that was tried, however it went. None of its texts has more than 512 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attempt {
    /// The process that asked.
    pub process: u32,
    /// `GET https://example.com/a`; with its query only if the policy wants that.
    pub request: String,
    /// Whether the gate let it through.
    pub allowed: bool,
    /// The rule that decided.
    pub rule: String,
    /// The address it was sent to.
    pub address: Option<SocketAddr>,
    /// The status of the response.
    pub status: Option<u16>,
    /// Bytes of the request's body that were sent.
    pub sent: u64,
    /// Bytes of the response's body that arrived.
    pub received: u64,
    /// From the request to the end of the response.
    pub duration: Duration,
    /// The secrets that were put in, by their variables.
    pub secrets: Vec<String>,
    /// How it failed, if it did.
    pub failure: Option<String>,
}

/// Is told of every attempt when it is over. Must not block for long.
pub trait Observer: Send + Sync {
    /// Take one.
    fn attempt(&self, attempt: &Attempt);
}

/// The attempt that is being made; recorded when it is dropped, so that none is forgotten.
pub(super) struct Record {
    pub(super) attempt: Attempt,
    began: Instant,
    observer: Arc<dyn Observer>,
}

impl Record {
    pub(super) fn new(observer: Arc<dyn Observer>, process: u32, request: String, rule: String) -> Record {
        let attempt = Attempt {
            process,
            request: cut(request, MAX_TEXT),
            allowed: true,
            rule: cut(rule, MAX_TEXT),
            address: None,
            status: None,
            sent: 0,
            received: 0,
            duration: Duration::ZERO,
            secrets: Vec::new(),
            failure: None,
        };
        Record { attempt, began: Instant::now(), observer }
    }

    /// It failed: a denial keeps the rule that denied.
    pub(super) fn fail(&mut self, failure: &Failure) {
        if failure.is_denial() {
            self.attempt.allowed = false;
            self.attempt.rule = cut(failure.rule().to_owned(), MAX_TEXT);
        }
        self.failed(failure);
    }

    /// It was let through and failed: that a limit cut it off does not make it a denial.
    pub(super) fn failed(&mut self, failure: &Failure) {
        let words = failure.recorded.as_deref().unwrap_or(&failure.reason);
        self.attempt.failure.get_or_insert_with(|| cut(words.to_owned(), MAX_TEXT));
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        self.attempt.duration = self.began.elapsed();
        self.observer.attempt(&self.attempt);
    }
}
