//! What starts the processes of a command, and the program that a process is about to become. `spawn` does it.

use std::sync::Arc;

use parking_lot::Mutex;

use crate::exec::command_run::CommandRun;
use crate::exec::session_state::SessionState;
use crate::program::linked::Program;
use crate::wasi::ProcessCtx;
use wisp_process::{Process, Rights};

/// Starts the processes of one command.
pub(crate) struct Spawner {
    pub(super) session: Arc<SessionState>,
    pub(super) running: Arc<CommandRun>,
    /// The next program of its process; `None` if it cannot become another.
    pub(super) next: Option<Mutex<Option<Next>>>,
}

impl Spawner {
    /// Makes a spawner for the children of the host, or of an interpreter, which cannot become another program.
    pub(crate) fn new(session: &Arc<SessionState>, running: &Arc<CommandRun>) -> Arc<Self> {
        Arc::new(Self { session: session.clone(), running: running.clone(), next: None })
    }

    /// Makes a spawner for the children of a process, which can also make it another program.
    pub(super) fn of_process(session: &Arc<SessionState>, running: &Arc<CommandRun>) -> Arc<Self> {
        Arc::new(Self { session: session.clone(), running: running.clone(), next: Some(Mutex::default()) })
    }

    /// Takes the program that the process is to become.
    pub(crate) fn take_next(&self) -> Option<Next> {
        self.next.as_ref()?.lock().take()
    }
}

/// A program that a process is about to become.
pub(crate) struct Next {
    pub ctx: ProcessCtx,
    pub program: Arc<Program>,
    pub spawner: Arc<Spawner>,
    pub(super) name: String,
    /// The path by which the program was asked for.
    pub(super) asked: String,
    pub(super) rights: Rights,
    pub(super) ignore_broken_pipe: bool,
}

impl Next {
    /// Makes this the process's program.
    pub(crate) fn begin(&self, process: &Process) {
        process.narrow(&self.rights);
        process.rename(&self.name);
        process.shown().runs(&self.asked, &self.ctx.arguments);
        process.signals().renew();
        process.signals().set_quiet_pipes(self.ignore_broken_pipe);
    }
}
