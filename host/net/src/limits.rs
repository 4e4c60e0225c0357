//! What a session's requests share: how many there were, in all and within a minute, how many there are, and how many bytes
//! their bodies had.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::failure::{Code, Failure};
use wisp_policy::Network;
use wisp_policy::schema::Key;

/// Time since any one moment. A test has hands of its own.
pub type Now = Arc<dyn Fn() -> Duration + Send + Sync>;

/// The counters of a session.
pub(super) struct Limits {
    max_requests: u64,
    max_a_minute: u64,
    counts: Mutex<Counts>,
    turns: Arc<Semaphore>,
    /// Bytes that bodies may have from now on.
    pub(super) bytes: Budget,
    now: Now,
}

#[derive(Default)]
struct Counts {
    requests: u64,
    minute: Minute,
}

impl Limits {
    pub(super) fn new(policy: &Network, now: Now) -> Limits {
        Limits {
            max_requests: policy.max_requests,
            max_a_minute: policy.max_requests_per_minute,
            counts: Mutex::default(),
            turns: Arc::new(Semaphore::new(policy.max_concurrent as usize)),
            bytes: Budget::new(policy.max_bytes),
            now,
        }
    }

    /// Count one more request, if there may be one more.
    pub(super) fn begin(&self) -> Result<(), Failure> {
        let now = (self.now)();
        let denied = |reason: String, key: Key| {
            let help = format!("raise `{}` of `[network]`", key.word());
            Failure::new(Code::Denied, reason).by(key).help(help)
        };
        if self.bytes.left() == 0 {
            return Err(Failure { code: Code::Denied, ..self.bytes.exceeded() });
        }
        let mut counts = self.counts.lock().unwrap_or_else(PoisonError::into_inner);
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

    /// Wait for a turn. Giving it back lets the next go on.
    pub(super) fn turn(&self) -> BoxFuture<'static, Option<OwnedSemaphorePermit>> {
        // The semaphore is never closed.
        self.turns.clone().acquire_owned().map(Result::ok).boxed()
    }

    /// The time that requests are counted by.
    pub(super) fn clock(&self) -> Now {
        self.now.clone()
    }
}

/// Seconds of which requests are remembered: those of a minute, and the one that has only begun.
const SECONDS: usize = 61;

/// The requests of the last minute, by the second, so that what is remembered does not grow with their number. In no sixty
/// seconds are there more than were allowed; one is forgotten when it is 60 to 61 seconds old.
struct Minute {
    /// The second that the last request was made in.
    last: u64,
    /// By the second modulo their number.
    counts: [u64; SECONDS],
}

impl Default for Minute {
    fn default() -> Self {
        Minute { last: 0, counts: [0; SECONDS] }
    }
}

impl Minute {
    /// Count a request that is made now, if there were fewer than `most`; otherwise the time until one more may be made.
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
        // Some second has one, for `most` is at least 1.
        let oldest = (0..SECONDS as u64).rev().find(|age| second >= *age && self.counts[place(second - age)] > 0);
        let free = second - oldest.unwrap_or_default() + SECONDS as u64;
        Err(Duration::from_secs(free).saturating_sub(now))
    }
}

/// Where a second is counted.
fn place(second: u64) -> usize {
    // Less than the number of places, which is small.
    (second % SECONDS as u64) as usize
}

/// Bytes that the bodies of a session's requests and responses may have together.
#[derive(Clone)]
pub(super) struct Budget {
    left: Arc<AtomicU64>,
    most: u64,
}

impl Budget {
    pub(super) fn new(most: u64) -> Budget {
        Budget { left: Arc::new(AtomicU64::new(most)), most }
    }

    /// How many are left.
    pub(super) fn left(&self) -> u64 {
        self.left.load(Ordering::Relaxed)
    }

    /// Take so many, or what is left; answers how many.
    pub(super) fn take(&self, bytes: u64) -> u64 {
        let before = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(bytes)));
        // The closure always answers, so the update cannot fail.
        before.unwrap_or_default().min(bytes)
    }

    /// There are no more.
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
        // Hours later nothing is remembered, and time that goes back does no harm.
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
