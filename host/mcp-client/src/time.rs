//! Bounds on time, and pauses: how long a server may take, not how long a guest may wait, which the library's own clock decides.

use std::future::Future;
use std::time::Duration;

/// Returns the result of `work`, unless it takes longer.
pub(crate) async fn within<T>(most: Duration, work: impl Future<Output = T>) -> Option<T> {
    tokio::time::timeout(most, work).await.ok()
}

/// Waits so long.
pub(crate) async fn pause(time: Duration) {
    tokio::time::sleep(time).await;
}
