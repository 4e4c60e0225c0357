//! Time-outs of requests. They hang on a clock that the network is given, not on timers of the runtime: those are late while
//! guests compute.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::{BoxFuture, Either, select};

/// Waits for a time. The library hands in its ticker, which is on time while guests compute.
pub type Wait = Arc<dyn Fn(Instant) -> BoxFuture<'static, ()> + Send + Sync>;

/// What `work` gives, unless `when` comes first.
pub(super) async fn by<T>(wait: &Wait, when: Instant, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), wait(when)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
