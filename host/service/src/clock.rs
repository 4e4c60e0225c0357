//! The time that sessions are opened, used and closed at.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// Returns the time since 1970. It never goes back.
pub(crate) type Clock = Arc<dyn Fn() -> Duration + Send + Sync>;

/// Returns the machine's time when it is made, and from then on the time that has passed: setting the machine's clock closes no session.
pub(crate) fn machine() -> Clock {
    let (began, start) = (SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default(), Instant::now());
    Arc::new(move || began + start.elapsed())
}

/// Returns the time in milliseconds, as information has it.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
