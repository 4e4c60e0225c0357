//! How long readers outside still receive what an ended command wrote.

use std::time::{Duration, Instant};

use crate::runtime::Ticker;

/// How long streamed output is still offered to its reader after a limit or an interrupt ended the command, and what programs
/// wrote last to readers outside the command. Without this bound, a reader that hangs would keep the session's task forever,
/// whatever `limits.wall` says, and so would two terminals of a guest that wait for each other.
const LINGER: Duration = Duration::from_secs(2);

/// Waits for `work`, but not longer than [`LINGER`].
pub(crate) async fn linger(ticker: &Ticker, work: impl Future<Output = ()>) {
    tokio::select! {
        biased;
        () = work => {}
        () = ticker.sleep(Instant::now() + LINGER) => {}
    }
}
