//! What processes wait for that happens outside their session: files of the host, machine code that is prepared.
//!
//! Where the clock is virtual it moves on when all processes wait, but not while one of them waits for such work: how long that
//! takes depends on the host, and must not decide what a program sees.

use std::cell::RefCell;
use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

thread_local! {
    /// What counts the waits of the process that is polled by this thread.
    static PRESENT: RefCell<Option<Arc<Outside>>> = const { RefCell::new(None) };
}

/// Counts the processes of a session that wait for work outside.
pub struct Outside {
    count: AtomicUsize,
    /// Called when one waits no longer.
    ended: Box<dyn Fn() + Send + Sync>,
}

/// Counts one wait as long as it lives.
struct Wait(Option<Arc<Outside>>);

impl Drop for Wait {
    fn drop(&mut self) {
        if let Some(outside) = &self.0 {
            outside.count.fetch_sub(1, Ordering::SeqCst);
            (outside.ended)();
        }
    }
}

/// What was counted for before is again, when it is dropped.
struct Before(Option<Arc<Outside>>);

impl Drop for Before {
    fn drop(&mut self) {
        PRESENT.set(self.0.take());
    }
}

impl Outside {
    /// Nobody waits; `ended` is called whenever one that did waits no longer.
    pub fn new(ended: impl Fn() + Send + Sync + 'static) -> Arc<Outside> {
        Arc::new(Outside { count: AtomicUsize::new(0), ended: Box::new(ended) })
    }

    /// Count here what is waited for in `poll`.
    pub fn during<R>(self: &Arc<Self>, poll: impl FnOnce() -> R) -> R {
        let _before = Before(PRESENT.replace(Some(self.clone())));
        poll()
    }

    /// Whether nobody waits.
    pub fn is_idle(&self) -> bool {
        self.count.load(Ordering::SeqCst) == 0
    }
}

/// Wait for `work`, which is done outside the session.
pub async fn outside<T>(work: impl Future<Output = T>) -> T {
    let present = PRESENT.with_borrow(Clone::clone);
    if let Some(outside) = &present {
        outside.count.fetch_add(1, Ordering::SeqCst);
    }
    let _wait = Wait(present);
    work.await
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    #[test]
    fn a_wait_is_counted_from_its_first_poll_to_its_end() {
        let ended = Arc::new(AtomicUsize::new(0));
        let told = ended.clone();
        let counted = Outside::new(move || {
            told.fetch_add(1, Ordering::SeqCst);
        });
        let (sender, receiver) = tokio::sync::oneshot::channel::<()>();
        let mut work = Box::pin(outside(receiver));
        assert!(counted.is_idle());
        assert!(counted.during(|| work.as_mut().now_or_never()).is_none() && !counted.is_idle());
        sender.send(()).unwrap();
        // It ends where it was begun, whoever polls it.
        assert!(work.now_or_never().is_some() && counted.is_idle());
        assert_eq!(ended.load(Ordering::SeqCst), 1);
        // Elsewhere nothing is counted; and who gives up waits no longer.
        assert!(Box::pin(outside(std::future::pending::<()>())).as_mut().now_or_never().is_none() && counted.is_idle());
        let mut given_up = Box::pin(outside(std::future::pending::<()>()));
        assert!(counted.during(|| given_up.as_mut().now_or_never()).is_none() && !counted.is_idle());
        drop(given_up);
        assert!(counted.is_idle());
    }
}
