//! What an evaluation shows, kept so that it can be read again.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::exec::launched::Kept;
use wisp_api::{Display, DisplayChunk};
use wisp_process::until;

/// What one evaluation has shown so far, in order.
pub(crate) struct Shown {
    state: Mutex<State>,
    /// Something was shown, or the evaluation has ended.
    changed: Notify,
}

#[derive(Default)]
struct State {
    displays: Vec<Display>,
    ended: bool,
}

impl Shown {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self { state: Mutex::default(), changed: Notify::new() })
    }

    pub(crate) fn add(&self, display: Display) {
        self.state.lock().displays.push(display);
        self.changed.notify_waiters();
    }

    /// Reads what was shown from number `from` on; the first has number 0.
    pub(crate) fn read(&self, from: usize) -> DisplayChunk {
        let state = self.state.lock();
        let from = from.min(state.displays.len());
        DisplayChunk { displays: state.displays[from..].to_vec(), next: state.displays.len(), end: state.ended }
    }

    /// Works like `read`; waits until there is one, or the end.
    pub(crate) async fn read_some(&self, from: usize) -> DisplayChunk {
        let ready = || Some(self.read(from)).filter(|chunk| chunk.end || !chunk.displays.is_empty());
        until(&self.changed, ready).await
    }

    /// Notes that nothing will follow.
    pub(crate) fn close(&self) {
        self.state.lock().ended = true;
        self.changed.notify_waiters();
    }

    /// Returns everything that was shown.
    pub(crate) fn all(&self, kept: Kept) -> Vec<Display> {
        let mut state = self.state.lock();
        match kept {
            Kept::Stays => state.displays.clone(),
            Kept::Taken => std::mem::take(&mut state.displays),
        }
    }
}
