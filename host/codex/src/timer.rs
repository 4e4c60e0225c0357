//! Waits of the server. They bound nothing that a guest does: those limits are the library's.

use std::time::Duration;

/// Waits for this time.
pub(crate) async fn sleep(time: Duration) {
    tokio::time::sleep(time).await;
}

/// Waits for `ready` for at most this time. `None` if it is not ready then.
pub(crate) async fn at_most<T>(time: Duration, ready: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(time, ready).await.ok()
}
