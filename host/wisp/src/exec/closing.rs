//! What is left to wait for when a session is closed.

use std::sync::Arc;

use crate::exec::command_run::CommandRun;
use crate::exec::linger::linger;
use crate::exec::started::Started;
use crate::runtime::Ticker;
use wisp_process::ProcessTable;

/// The commands that ran or could be read when a session was closed. They end by themselves; this is only for waiting.
pub(crate) struct Closing {
    runs: Vec<Arc<CommandRun>>,
    started: Vec<Arc<Started>>,
}

impl Closing {
    pub(crate) fn new(runs: Vec<Arc<CommandRun>>, started: Vec<Arc<Started>>) -> Self {
        Self { runs, started }
    }

    /// Waits until no process is left, nothing that the host did for one, and every command with handles has its outcome.
    pub(crate) async fn finish(self, processes: &ProcessTable, ticker: &Ticker) {
        while let Some(process) = processes.running().first() {
            process.wait().await;
        }
        // Readers outside still receive what was written, as after any command that was ended.
        let settled = async {
            for run in &self.runs {
                run.tasks().settled().await;
            }
        };
        linger(ticker, settled).await;
        for run in &self.runs {
            run.tasks().close();
            run.tasks().settled().await;
        }
        for started in &self.started {
            // Fails if the runtime of that command was shut down: then it has ended too.
            let _ = started.outcome.clone().wait_for(Option::is_some).await;
        }
    }
}
