//! Receipts: one record for every decision at run time.

use std::sync::{Arc, Mutex, PoisonError};

use serde::Serialize;

use crate::net::Attempt;

/// Receipts a session keeps for its outcomes at the most: a guest that spawns in a loop must not fill the host's
/// memory. A sink gets all of them.
const MAX_KEPT: usize = 10_000;

/// Bytes of a receipt's subject at the most: a guest chooses the path of what it starts, up to 4 KiB of it, and 10,000 of
/// those are kept.
const MAX_SUBJECT: usize = 512;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was done.
    Allowed,
    /// It was refused.
    Denied,
}

/// One decision.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// Nanoseconds since 1970.
    pub time_ns: u64,
    /// The session's id.
    pub session: String,
    /// The process it was about; 0 for the session itself.
    pub process: u32,
    /// What kind of thing was decided: `mount`, `spawn`, `limit`, `artifact`, `http`, `secret`.
    pub what: String,
    /// What it was about: a path, a program, a limit with its value.
    pub subject: String,
    /// The decision.
    pub verdict: Verdict,
    /// The rule behind it: `policies/offline.toml:3`, `command line`, `built in`.
    pub rule: String,
    /// Of `http`: what became of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpReceipt>,
}

/// What became of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HttpReceipt {
    /// The address and port it was sent to.
    pub address: Option<String>,
    /// The status of the response.
    pub status: Option<u16>,
    /// Bytes of its body that were sent.
    pub sent: u64,
    /// Bytes of the response's body that arrived.
    pub received: u64,
    /// Microseconds from the request to the end of the response.
    pub duration_us: u64,
    /// How it failed, if it did.
    pub failure: Option<String>,
}

/// Takes receipts as they happen. Called from many threads; must not block for long.
pub trait ReceiptSink: Send + Sync {
    /// Take one.
    fn record(&self, receipt: &Receipt);
}

/// A session's receipts.
pub(super) struct Receipts {
    session: String,
    sink: Option<Arc<dyn ReceiptSink>>,
    kept: Mutex<Vec<Receipt>>,
    now: Arc<dyn Fn() -> u64 + Send + Sync>,
}

impl Receipts {
    pub(super) fn new(session: String, sink: Option<Arc<dyn ReceiptSink>>, now: Arc<dyn Fn() -> u64 + Send + Sync>) -> Receipts {
        Receipts { session, sink, kept: Mutex::default(), now }
    }

    /// None yet, of another session, going where these go.
    pub(super) fn sibling(&self, session: String) -> Receipts {
        Receipts::new(session, self.sink.clone(), self.now.clone())
    }

    /// The session's id.
    pub(super) fn session(&self) -> &str {
        &self.session
    }

    /// Record a decision.
    pub(super) fn record(&self, process: u32, what: &str, subject: &str, verdict: Verdict, rule: &str) {
        self.record_with(process, what, subject, verdict, rule, None);
    }

    /// Record that a secret was put into a request.
    pub(super) fn secret(&self, process: u32, variable: &str, rule: &str) {
        self.record(process, "secret", variable, Verdict::Allowed, rule);
    }

    /// Record a request.
    pub(super) fn http(&self, attempt: &Attempt) {
        let verdict = if attempt.allowed { Verdict::Allowed } else { Verdict::Denied };
        let http = HttpReceipt {
            address: attempt.address.map(|address| address.to_string()),
            status: attempt.status,
            sent: attempt.sent,
            received: attempt.received,
            duration_us: u64::try_from(attempt.duration.as_micros()).unwrap_or(u64::MAX),
            failure: attempt.failure.clone(),
        };
        self.record_with(attempt.process, "http", &attempt.request, verdict, &attempt.rule, Some(http));
    }

    fn record_with(&self, process: u32, what: &str, subject: &str, verdict: Verdict, rule: &str, http: Option<HttpReceipt>) {
        let receipt = Receipt {
            time_ns: (self.now)(),
            session: self.session.clone(),
            process,
            what: what.to_owned(),
            subject: subject[..subject.floor_char_boundary(MAX_SUBJECT)].to_owned(),
            verdict,
            rule: rule.to_owned(),
            http,
        };
        if let Some(sink) = &self.sink {
            sink.record(&receipt);
        }
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() < MAX_KEPT {
            kept.push(receipt);
        }
    }

    /// What was kept since the last call.
    pub(super) fn take(&self) -> Vec<Receipt> {
        std::mem::take(&mut *self.kept.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
