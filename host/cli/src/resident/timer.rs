//! Times that a helper or a client of one waits. They are late while guests compute, which none of them minds.

use std::time::Duration;

use tokio::time;

/// Waits for this time.
pub(super) async fn sleep(time: Duration) {
    time::sleep(time).await;
}

/// Awaits a future for at most this time. Returns whether it ended.
pub(super) async fn within(time: Duration, work: impl Future) -> bool {
    time::timeout(time, work).await.is_ok()
}
