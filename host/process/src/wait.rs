//! Waiting for a condition that others change, and counting the readers that wait for bytes.

use tokio::sync::Notify;

/// Waits until `found` finds something. `told` is notified whenever it may.
pub async fn until<T>(told: &Notify, mut found: impl FnMut() -> Option<T>) -> T {
    loop {
        let woken = told.notified();
        tokio::pin!(woken);
        woken.as_mut().enable();
        if let Some(found) = found() {
            return found;
        }
        woken.await;
    }
}

/// The readers that wait now, and how often a wait has begun.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Readers {
    pub(crate) waiting: u32,
    pub(crate) waits: u64,
}

/// What readers wait for.
pub(crate) trait Awaited {
    /// Changes its readers.
    fn count(&self, change: impl FnOnce(&mut Readers));
    /// Notified when a reader begins to wait, or has ended its wait.
    fn wanted(&self) -> &Notify;
}

/// A reader waits while this lives.
pub(crate) struct Wait<'a, A: Awaited>(&'a A);

impl<'a, A: Awaited> Wait<'a, A> {
    pub(crate) fn begin(awaited: &'a A) -> Self {
        awaited.count(|readers| {
            readers.waiting += 1;
            readers.waits += 1;
        });
        awaited.wanted().notify_waiters();
        Self(awaited)
    }
}

impl<A: Awaited> Drop for Wait<'_, A> {
    fn drop(&mut self) {
        self.0.count(|readers| readers.waiting -= 1);
        self.0.wanted().notify_waiters();
    }
}
