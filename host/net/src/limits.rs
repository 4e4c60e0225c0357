//! The limits that a session's requests share: their number, in all, in one minute and at one time, and the bytes of
//! their bodies.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::{Code, Failure};
use wisp_policy::Network;
use wisp_policy::schema::Key;

/// The time since some fixed moment. Tests set it themselves.
pub type Now = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The counters of a session.
pub(super) struct Limits {
    max_requests: u64,
    max_a_minute: u64,
    counts: Mutex<Counts>,
    turns: Arc<Semaphore>,
    /// The bytes that are left for bodies.
    pub(super) bytes: Budget,
    now: Now,
}

#[derive(Default)]
struct Counts {
    requests: u64,
    minute: Minute,
}

impl Limits {
    pub(super) fn new(policy: &Network, now: Now) -> Self {
        Self {
            max_requests: policy.max_requests,
            max_a_minute: policy.max_requests_per_minute,
            counts: Mutex::default(),
            turns: Arc::new(Semaphore::new(policy.max_concurrent as usize)),
            bytes: Budget::new(policy.max_bytes),
            now,
        }
    }

    /// Counts one more request, if that is allowed.
    pub(super) fn begin(&self) -> Result<(), Failure> {
        let now = (self.now)();
        let denied = |reason: String, key: Key| {
            let help = format!("raise `{}` of `[network]`", key.word());
            Failure::new(Code::Denied, reason).by(key).help(help)
        };
        if self.bytes.left() == 0 {
            return Err(Failure { code: Code::Denied, ..self.bytes.exceeded() });
        }
        let mut counts = self.counts.lock();
        if counts.requests >= self.max_requests {
            let most = self.max_requests;
            let reason = format!("the session made its {most} requests (`network.max_requests`)");
            return Err(denied(reason, Key::MaxRequests));
        }
        if let Err(wait) = counts.minute.count(now, self.max_a_minute) {
            let (most, wait) = (self.max_a_minute, wait.as_secs() + u64::from(wait.subsec_nanos() > 0));
            let reason =
                format!("the session made its {most} requests of a minute (`network.max_requests_per_minute`): ask again in {wait} s");
            return Err(denied(reason, Key::MaxRequestsPerMinute));
        }
        counts.requests += 1;
        Ok(())
    }

    /// Waits for a turn. Dropping the permit lets the next request start.
    pub(super) fn turn(&self) -> BoxFuture<'static, Option<OwnedSemaphorePermit>> {
        // The semaphore is never closed.
        self.turns.clone().acquire_owned().map(Result::ok).boxed()
    }

    /// Returns the clock that counts requests.
    pub(super) fn clock(&self) -> Now {
        self.now.clone()
    }
}

/// Seconds of which requests are remembered: those of a minute, and the current one.
const SECONDS: usize = 61;

/// The requests of the last minute, counted by the second, so that memory does not grow with their number. No sixty
/// seconds have more requests than allowed; a request is forgotten when it is 60 to 61 seconds old.
struct Minute {
    /// The second of the last request.
    last: u64,
    /// The counts, at the second modulo their number.
    counts: [u64; SECONDS],
}

impl Default for Minute {
    fn default() -> Self {
        Self { last: 0, counts: [0; SECONDS] }
    }
}

impl Minute {
    /// Counts a request now, if there were fewer than `most`; otherwise returns the time until the next one is allowed.
    fn count(&mut self, now: Duration, most: u64) -> Result<(), Duration> {
        let second = now.as_secs().max(self.last);
        let gone = (second - self.last).min(SECONDS as u64);
        for forgotten in 0..gone {
            self.counts[place(second - forgotten)] = 0;
        }
        self.last = second;
        if self.counts.iter().sum::<u64>() < most {
            self.counts[place(second)] += 1;
            return Ok(());
        }
        // One of the seconds has a request, because `most` is at least 1.
        let oldest = (0..SECONDS as u64).rev().find(|age| second >= *age && self.counts[place(second - age)] > 0);
        let free = second - oldest.unwrap_or_default() + SECONDS as u64;
        Err(Duration::from_secs(free).saturating_sub(now))
    }
}

/// Returns the index of a second's count.
fn place(second: u64) -> usize {
    // Less than the number of places, which is small.
    (second % SECONDS as u64) as usize
}

/// The bytes that the bodies of a session's requests and responses may have together.
#[derive(Clone)]
pub(super) struct Budget {
    left: Arc<AtomicU64>,
    most: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Self {
        Self { left: Arc::new(AtomicU64::new(most)), most }
    }

    /// Returns the bytes that are left.
    pub(super) fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Takes `bytes`, or what is left. Returns how many it took.
    pub(super) fn take(&self, bytes: u64) -> u64 {
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(bytes)));
        // The closure always returns `Some`, so the update cannot fail.
        before.unwrap_or_default().min(bytes)
    }

    /// Returns the failure when the bytes are used up.
    pub(super) fn exceeded(&self) -> Failure {
        let most = self.most;
        let reason = format!("the session's requests and responses have more bytes than `network.max_bytes` allows ({most} bytes)");
        Failure::new(Code::ResponseBodySize(most), reason).by(Key::MaxBytes).help("raise `max_bytes` of `[network]`")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::failure::By;

    #[test]
    fn in_no_sixty_seconds_are_there_more_than_allowed() {
        let mut minute = Minute::default();
        let mut made: Vec<u64> = Vec::new();
        let mut state = 7u64;
        let mut now = 0;
        for _ in 0..20_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            now += (state >> 33) % 700;
            if minute.count(Duration::from_millis(now), 50).is_ok() {
                made.push(now);
            }
        }
        assert!(made.len() > 5000, "{}", made.len());
        for (at, first) in made.iter().enumerate() {
            assert!(made.get(at + 50).is_none_or(|later| later - first >= 60_000), "{first}");
        }
    }

    #[test]
    fn who_waits_as_long_as_was_said_may_ask_again() {
        let mut minute = Minute::default();
        let at = Duration::from_millis;
        assert!((0..3).all(|age| minute.count(at(5_500 + age), 3).is_ok()));
        let wait = minute.count(at(20_000), 3).unwrap_err();
        assert_eq!(wait, at(46_000));
        assert!(minute.count(at(65_999), 3).is_err());
        assert!(minute.count(at(66_000), 3).is_ok());
        // Hours later nothing is remembered, and a clock that goes back does no harm.
        assert!((0..3).all(|_| minute.count(at(9_000_000), 3).is_ok()));
        assert!(minute.count(at(10), 3).is_err());
    }

    #[test]
    fn bytes_are_given_until_there_are_none() {
        let budget = Budget::new(10);
        assert_eq!((budget.take(4), budget.clone().take(4), budget.take(4), budget.take(4), budget.left()), (4, 4, 2, 0, 0));
        assert_eq!(budget.exceeded().by, By::Limit(Key::MaxBytes));
    }
}
