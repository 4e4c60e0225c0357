//! How many calls of a sandbox Python works on at once, counting those whose caller has given up.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use wisp::Policy;

/// The number of the next sandbox.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// The place of a call, which is free for another one when this is dropped.
pub(crate) type Place = OwnedSemaphorePermit;

/// Places for calls of the functions that a sandbox was given; its forks share them. A call has its place until its function has ended,
/// also if its caller waits no longer. Attack: a guest that begins calls and gives them up, to keep all threads busy and to fill the
/// memory with arguments.
pub(crate) struct Room {
    /// The sandbox, by a number that no other one has.
    pub(crate) sandbox: u64,
    /// As many as its policy allows calls at once, once it is open.
    places: OnceLock<Arc<Semaphore>>,
}

impl Room {
    /// Returns the room of a sandbox that is not open yet.
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { sandbox: NEXT.fetch_add(1, Ordering::Relaxed), places: OnceLock::new() })
    }

    /// Makes as many places as the policy of the sandbox allows calls at once, if it allows any and there are none yet.
    pub(crate) fn open(&self, policy: &Policy) {
        if let Some(host) = policy.host() {
            // A sandbox that is opened again keeps its room: only functions were added.
            let _ = self.places.set(Arc::new(Semaphore::new(host.max_concurrent as usize)));
        }
    }

    /// Waits for a place; there is none before the sandbox is open.
    pub(crate) async fn place(&self) -> Option<Place> {
        let places = self.places.get()?.clone();
        // It is never closed.
        places.acquire_owned().await.ok()
    }
}
