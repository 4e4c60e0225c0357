//! What an evaluation and its handles share.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use tokio::sync::watch;

use crate::exec::command_run::CommandRun;
use crate::exec::launched::Kept;
use crate::exec::tape::Tape;
use crate::interpreter::shown::Shown;
use wisp_api::Evaluation;

/// An evaluation: what it and its handles share.
pub(crate) struct Evaluating {
    pub id: u64,
    /// Gone when the evaluation has ended.
    pub run: Weak<CommandRun>,
    pub(super) stdout: Arc<Tape>,
    pub(super) stderr: Arc<Tape>,
    pub(super) shown: Arc<Shown>,
    /// Whether it has handles, so that what it wrote and showed stays when it has ended.
    pub(super) has_handles: AtomicBool,
    /// The result, once there is one. Closed without one if the runtime ended before the evaluation.
    pub(super) result: watch::Receiver<Option<Arc<Evaluation>>>,
}

impl Evaluating {
    pub(crate) fn new(
        id: u64,
        run: &Arc<CommandRun>,
        [stdout, stderr]: [Arc<Tape>; 2],
        shown: Arc<Shown>,
        result: watch::Receiver<Option<Arc<Evaluation>>>,
    ) -> Arc<Self> {
        Arc::new(Self { id, run: Arc::downgrade(run), stdout, stderr, shown, has_handles: AtomicBool::new(false), result })
    }

    /// Returns what happens to what it wrote and showed when it ends.
    pub(crate) fn kept(&self) -> Kept {
        if self.has_handles.load(Ordering::Relaxed) { Kept::Stays } else { Kept::Taken }
    }

    /// Ends it: nothing more will be written or shown.
    pub(crate) fn close(&self) {
        self.stdout.close();
        self.stderr.close();
        self.shown.close();
    }

    /// Waits until nothing of it runs, and its interpreter is at rest or gone.
    pub(crate) async fn gone(&self) {
        // Closed without a result, it is gone too.
        let _ = self.result.clone().wait_for(Option::is_some).await;
    }
}
