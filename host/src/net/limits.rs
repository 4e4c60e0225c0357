//! What a session's requests share: how many there were, and how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::policy::Network;

/// The counters of a session.
pub(super) struct Limits {
    requests: AtomicU64,
    turns: Arc<Semaphore>,
}

impl Limits {
    pub(super) fn new(policy: &Network) -> Limits {
        Limits { requests: AtomicU64::new(0), turns: Arc::new(Semaphore::new(policy.max_concurrent as usize)) }
    }

    /// Count one more request, unless there were `most`.
    pub(super) fn count(&self, most: u64) -> bool {
        self.requests.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |count| (count < most).then_some(count + 1)).is_ok()
    }

    /// Wait for a turn. Giving it back lets the next go on.
    pub(super) fn turn(&self) -> BoxFuture<'static, Option<OwnedSemaphorePermit>> {
        // The semaphore is never closed.
        self.turns.clone().acquire_owned().map(Result::ok).boxed()
    }
}
