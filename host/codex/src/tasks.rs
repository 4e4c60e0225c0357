//! What goes on beside the calls of a client, and ends with its connection.

use parking_lot::Mutex;
use tokio::task::JoinSet;

/// Tasks. They end when this is dropped.
#[derive(Default)]
pub(crate) struct Tasks(Mutex<JoinSet<()>>);

impl Tasks {
    /// Starts one. Must be called in a Tokio runtime.
    pub(crate) fn spawn(&self, work: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.0.lock();
        // Those that have ended are forgotten.
        while tasks.try_join_next().is_some() {}
        #[expect(clippy::disallowed_methods, reason = "the set ends it")]
        tasks.spawn(work);
    }

    /// Ends all of them.
    pub(crate) fn abort(&self) {
        self.0.lock().abort_all();
    }
}
