//! One record for each attempt.

use core::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::failure::{Failure, MAX_TEXT, cut, cut_rule};

/// An attempted request, whether it succeeded or not. None of its texts has more than 512 bytes.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Attempt {
    /// The process that asked.
    pub process: u32,
    /// `GET https://example.com/a`; with its query only if the policy allows that.
    pub request: String,
    /// Whether the gate allowed it.
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
    /// The time from the request to the end of the response.
    pub duration: Duration,
    /// The secrets that were inserted, by their variables.
    pub secrets: Vec<String>,
    /// How it failed, if it did.
    pub failure: Option<String>,
}

/// Is called after every attempt. Must not block for long.
pub trait Observer: Send + Sync {
    /// Receives one attempt.
    fn attempt(&self, attempt: &Attempt);
}

/// The current attempt, which is recorded when it is dropped, so that none is missed.
pub(super) struct Record {
    pub(super) attempt: Attempt,
    began: Instant,
    observer: Arc<dyn Observer>,
}

impl Record {
    pub(super) fn new(observer: Arc<dyn Observer>, process: u32, request: String, rule: String) -> Self {
        let attempt = Attempt {
            process,
            request: cut(request, MAX_TEXT),
            allowed: true,
            rule: cut_rule(rule, MAX_TEXT),
            address: None,
            status: None,
            sent: 0,
            received: 0,
            duration: Duration::ZERO,
            secrets: Vec::new(),
            failure: None,
        };
        Self { attempt, began: Instant::now(), observer }
    }

    /// Records a failure. A denial keeps the rule that denied it.
    pub(super) fn fail(&mut self, failure: &Failure) {
        if failure.is_denial() {
            self.attempt.allowed = false;
            self.attempt.rule = cut_rule(failure.rule().to_owned(), MAX_TEXT);
        }
        self.failed(failure);
    }

    /// Records a failure after the gate allowed the request: being cut off by a limit does not make it a denial.
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
