//! A session's receipts: the decisions since its last command ended, with repeated refusals merged.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;

use parking_lot::Mutex;

use crate::outcome::receipt::{EventSink, ReceiptSink, cost, http_receipt, text};
use wisp_api::{Event, EventKind, HttpReceipt, Receipt, ReceiptKind, Verdict};
use wisp_net::Attempt;

/// Maximum receipts that a session keeps for its outcomes: more than a person reads. Attack: a guest that spawns in a
/// loop, to fill the host's memory.
const MAX_KEPT: usize = 10_000;

/// Maximum bytes of these receipts. An ordinary receipt takes some 250, so 10,000 of them fit; of a guest that makes
/// them as long as possible, fewer fit.
const MAX_BYTES: usize = 4 << 20;

/// Counts refusals: a command with too many is ended.
pub(crate) trait CountDenials: Send + Sync {
    /// Counts a refused attempt of `process`.
    fn denied(&self, process: u32);
}

/// A session's receipts.
pub(crate) struct Receipts {
    session: String,
    sinks: Sinks,
    kept: Mutex<Kept>,
    now: Clock,
    denials: Arc<dyn CountDenials>,
}

/// The sinks that a session's receipts and events are sent to, as they happen.
#[derive(Clone, Default)]
pub(crate) struct Sinks {
    pub receipts: Option<Arc<dyn ReceiptSink>>,
    pub events: Option<Arc<dyn EventSink>>,
}

/// Nanoseconds since 1970.
pub(crate) type Clock = Arc<dyn Fn() -> u64 + Send + Sync>;

/// The receipts that are kept until a command ends.
#[derive(Default)]
struct Kept {
    receipts: Vec<Receipt>,
    bytes: usize,
    /// The refusals among the receipts, by the hash of what makes them alike. There are never more of these than
    /// receipts.
    refusals: HashMap<u64, Refusals>,
    hasher: RandomState,
    left_out: u64,
}

/// Refusals that repeat each other.
struct Refusals {
    place: usize,
    /// How many of them the sink knows.
    told: u64,
}

/// The receipts that a command leaves.
#[derive(Default)]
pub(crate) struct Taken {
    /// Oldest first.
    pub receipts: Vec<Receipt>,
    /// The number of decisions that are missing, because there were too many.
    pub left_out: u64,
}

impl Kept {
    /// Keeps a receipt, if there is room. Returns how many decisions to report to the sink now.
    fn add(&mut self, receipt: &Receipt) -> u64 {
        let alike = (receipt.verdict == Verdict::Denied).then(|| self.hasher.hash_one(key(receipt)));
        if let Some(known) = alike.and_then(|alike| self.refusals.get_mut(&alike)) {
            let kept = &mut self.receipts[known.place];
            // Two different refusals may have the same hash; the second is not merged then.
            if key(kept) == key(receipt) {
                kept.count += 1;
                let untold = kept.count - known.told;
                if untold < known.told {
                    return 0;
                }
                known.told = kept.count;
                return untold;
            }
        }
        let cost = cost(receipt);
        if self.receipts.len() >= MAX_KEPT || self.bytes + cost > MAX_BYTES {
            self.left_out += 1;
            return 1;
        }
        if let Some(alike) = alike {
            self.refusals.entry(alike).or_insert(Refusals { place: self.receipts.len(), told: 1 });
        }
        self.bytes += cost;
        self.receipts.push(receipt.clone());
        1
    }
}

/// Returns the fields that make refusals alike.
fn key(receipt: &Receipt) -> (u32, ReceiptKind, &str, Verdict, &str, Option<&str>) {
    let failure = receipt.http.as_ref().and_then(|http| http.failure.as_deref());
    (receipt.process, receipt.kind, &receipt.subject, receipt.verdict, &receipt.rule, failure)
}

impl Receipts {
    pub(crate) fn new(session: String, sinks: Sinks, now: Clock, denials: Arc<dyn CountDenials>) -> Self {
        Self { session, sinks, kept: Mutex::default(), now, denials }
    }

    /// Makes an empty set for another session, with these sinks.
    pub(crate) fn sibling(&self, session: String, sinks: Sinks, denials: Arc<dyn CountDenials>) -> Self {
        Self::new(session, sinks, self.now.clone(), denials)
    }

    /// Returns where they are sent as they happen.
    pub(crate) fn sinks(&self) -> &Sinks {
        &self.sinks
    }

    /// Returns the session's id.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Records an allowed action.
    pub(crate) fn allowed(&self, process: u32, kind: ReceiptKind, subject: &str, rule: &str) {
        self.record(process, kind, subject, Verdict::Allowed, rule, None);
    }

    /// Records a refused attempt, which counts against `limits.denials` of the process's command.
    pub(crate) fn denied(&self, process: u32, kind: ReceiptKind, subject: &str, rule: &str) {
        self.record(process, kind, subject, Verdict::Denied, rule, None);
        self.denials.denied(process);
    }

    /// Records that a limit was reached, which is not an attempt.
    pub(crate) fn limit(&self, process: u32, subject: &str, rule: &str) {
        self.record(process, ReceiptKind::Limit, subject, Verdict::Denied, rule, None);
    }

    /// Records a request.
    pub(crate) fn http(&self, attempt: &Attempt) {
        let verdict = if attempt.allowed { Verdict::Allowed } else { Verdict::Denied };
        self.record(attempt.process, ReceiptKind::Http, &attempt.request, verdict, &attempt.rule, Some(http_receipt(attempt)));
        if !attempt.allowed {
            self.denials.denied(attempt.process);
        }
    }

    fn record(&self, process: u32, kind: ReceiptKind, subject: &str, verdict: Verdict, rule: &str, http: Option<HttpReceipt>) {
        let (subject, rule) = (text(subject), text(rule));
        let (session, time_ns) = (self.session.clone(), (self.now)());
        let mut receipt = Receipt { time_ns, session, process, kind, subject, verdict, rule, count: 1, http };
        let told = self.kept.lock().add(&receipt);
        if told > 0 {
            receipt.count = told;
            self.send(&receipt);
        }
    }

    fn send(&self, receipt: &Receipt) {
        if let Some(sink) = &self.sinks.receipts {
            sink.record(receipt);
        }
        self.tell(|| EventKind::Receipt { receipt: receipt.clone() });
    }

    /// Reports an event to the session's event sink.
    pub(crate) fn tell(&self, kind: impl FnOnce() -> EventKind) {
        if let Some(sink) = &self.sinks.events {
            sink.event(&Event { time_ns: (self.now)(), session: self.session.clone(), kind: kind() });
        }
    }

    /// Takes what was kept since the last call, and reports to the sink what it does not know yet.
    pub(crate) fn take(&self) -> Taken {
        let kept = std::mem::take(&mut *self.kept.lock());
        let mut untold: Vec<_> = kept.refusals.into_values().collect();
        untold.retain(|refusals| kept.receipts[refusals.place].count > refusals.told);
        untold.sort_unstable_by_key(|refusals| refusals.place);
        for Refusals { place, told } in untold {
            let receipt = &kept.receipts[place];
            self.send(&Receipt { count: receipt.count - told, ..receipt.clone() });
        }
        Taken { receipts: kept.receipts, left_out: kept.left_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Told(Mutex<Vec<u64>>);

    impl ReceiptSink for Told {
        fn record(&self, receipt: &Receipt) {
            self.0.lock().push(receipt.count);
        }
    }

    /// Allows any number of refusals.
    struct NoLimit;

    impl CountDenials for NoLimit {
        fn denied(&self, _: u32) {}
    }

    fn receipts(sink: &Arc<Told>) -> Receipts {
        let sinks = Sinks { receipts: Some(sink.clone()), events: None };
        Receipts::new("s".to_owned(), sinks, Arc::new(|| 7), Arc::new(NoLimit))
    }

    #[test]
    fn refusals_that_repeat_each_other_are_one_receipt_and_few_calls() {
        let sink = Arc::new(Told::default());
        let receipts = receipts(&sink);
        for _ in 0..1_000_000 {
            receipts.denied(1, ReceiptKind::File, "/mnt/out", "policy:3");
        }
        receipts.denied(2, ReceiptKind::File, "/mnt/out", "policy:3");
        receipts.denied(1, ReceiptKind::File, "/mnt/out", "policy:4");
        for _ in 0..3 {
            receipts.allowed(1, ReceiptKind::Spawn, "/usr/bin/ls", "policy:1");
        }
        let taken = receipts.take();
        let counts: Vec<u64> = taken.receipts.iter().map(|receipt| receipt.count).collect();
        assert_eq!(counts, [1_000_000, 1, 1, 1, 1, 1]);
        let told = sink.0.lock().clone();
        assert!(told.len() < 30, "{told:?}");
        assert_eq!(told.iter().sum::<u64>(), 1_000_005);
        // The next command counts from zero.
        receipts.denied(1, ReceiptKind::File, "/mnt/out", "policy:3");
        assert_eq!(receipts.take().receipts[0].count, 1);
    }

    #[test]
    fn ten_thousand_refusals_of_sixteen_kilobytes_hold_four_megabytes() {
        let sink = Arc::new(Told::default());
        let receipts = receipts(&sink);
        for number in 0..10_000 {
            let attempt = Attempt {
                process: 1,
                request: format!("GET https://docs.example/{number}/{}", "x".repeat(16_000)),
                allowed: false,
                rule: "y".repeat(16_000),
                failure: Some("z".repeat(200_000)),
                ..Attempt::default()
            };
            receipts.http(&attempt);
        }
        let held = {
            let kept = receipts.kept.lock();
            kept.receipts.iter().map(cost).sum::<usize>() + kept.refusals.len() * 64
        };
        assert!(held < 5 << 20, "{held}");
        let taken = receipts.take();
        assert!(taken.left_out > 0);
        assert_eq!(taken.receipts.len() as u64 + taken.left_out, 10_000);
        assert_eq!(sink.0.lock().len(), 10_000);
    }
}
