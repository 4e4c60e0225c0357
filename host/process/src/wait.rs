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

/// What readers wait for.
pub(crate) trait Awaited {
    /// Changes how many of its readers wait.
    fn count(&self, change: impl FnOnce(&mut u32));
    /// Returns what is notified when a reader begins to wait, or has ended its wait.
    fn wanted(&self) -> &Notify;
}

/// A reader waits while this lives.
pub(crate) struct Wait<'a, A: Awaited>(&'a A);

impl<'a, A: Awaited> Wait<'a, A> {
    pub(crate) fn begin(awaited: &'a A) -> Self {
        awaited.count(|waiting| *waiting += 1);
        awaited.wanted().notify_waiters();
        Self(awaited)
    }
}

impl<A: Awaited> Drop for Wait<'_, A> {
    fn drop(&mut self) {
        self.0.count(|waiting| *waiting -= 1);
        self.0.wanted().notify_waiters();
    }
}
