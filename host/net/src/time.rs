//! Time limits of requests. They use a clock that the network is given, not the timers of the runtime, which are late
//! while guests compute.

use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::time::Instant;

use futures_util::future::{BoxFuture, Either, select};

/// Waits until a time. The library passes its ticker, which is punctual while guests compute.
pub type Wait = Arc<dyn Fn(Instant) -> BoxFuture<'static, ()> + Send + Sync>;

/// Returns the result of `work`, unless `when` comes first.
pub(super) async fn by<T>(wait: &Wait, when: Instant, work: impl Future<Output = T>) -> Option<T> {
    match select(pin!(work), wait(when)).await {
        Either::Left((done, _)) => Some(done),
        Either::Right(((), _)) => None,
    }
}
