//! A session, and what it offers besides running commands.

use std::convert::Infallible;
use std::fmt;
use std::sync::Arc;

use crate::exec::commands::Commands;
use crate::exec::network::observer;
use crate::exec::session_state::{Own, SessionState, Shared};
use crate::files::{Files, FilesError};
use crate::functions::Gate;
use crate::outcome::Artifacts;
use crate::outcome::receipts::{Receipts, Sinks};
use crate::session::engine::Engine;
use crate::wasi::Labels;
use wisp_net::{Net, Observer};
use wisp_policy::Policy;
use wisp_process::{ProcessTable, Signal};
use wisp_vfs::Differences;
use wisp_world::ComponentWorld;

/// The state of a session's filesystem at one moment. Cheap: it shares everything with the session until one of them
/// changes.
#[derive(Clone)]
pub struct Snapshot(wisp_vfs::Snapshot);

/// A conversation's sandbox: one filesystem, one policy, and the commands that run in it. Cheap to clone; commands may
/// run at the same time. It ends by [`close`](Self::close), or with its last handle
/// ([what dropping does](crate#what-dropping-does)).
#[derive(Clone)]
pub struct Session {
    pub(crate) state: Arc<SessionState>,
    pub(crate) engine: Engine,
    /// `None` in a handle that a snapshot has.
    _life: Option<Arc<Life>>,
}

/// Ends the commands that still run when the last handle of their session is dropped: those that were detached, and
/// processes that commands left in the background. What runs holds the session's state, but not this.
struct Life(Arc<Commands>);

impl Drop for Life {
    fn drop(&mut self) {
        self.0.end();
    }
}

impl Session {
    /// Creates the first handle of a session.
    pub(crate) fn new(state: SessionState, engine: Engine) -> Self {
        let life = Some(Arc::new(Life(state.commands.clone())));
        Self { state: Arc::new(state), engine, _life: life }
    }

    /// Returns a handle for a snapshot, which does not keep alive what runs in the session.
    pub(crate) fn unattached(&self) -> Self {
        Self { _life: None, ..self.clone() }
    }

    /// Returns the session's id, as it appears in receipts.
    pub fn id(&self) -> &str {
        &self.state.id
    }

    /// Returns the engine that it belongs to.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns the policy, including the builder's changes.
    pub fn policy(&self) -> &Policy {
        &self.state.shared.policy
    }

    /// Returns its files, from outside: read, write, find, pack, patch and watch them.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let session = wisp::Engine::new(wisp_built::components())?.session(&wisp::Policy::offline()).build().await?;
    /// use wisp::Command;
    ///
    /// let files = session.files();
    /// files.write("in/names.txt", "pear\nfig\n").await?; // Below /home/user.
    /// session.run(Command::new("sh").args(["-c", "sort in/names.txt > sorted.txt"])).await?;
    /// assert_eq!(files.read("sorted.txt").await?, "fig\npear\n");
    /// assert!(files.stat("missing").await.is_err_and(|error| error.is_not_found()));
    /// # Ok(()) }
    /// ```
    pub fn files(&self) -> Files {
        Files::new(self.state.fs.clone(), self.state.shared.policy.clone())
    }

    /// Returns what differs between the files that the session began with and those that it has now, at `path` and below it (not
    /// through symbolic links), at most `limit` of them; a relative path begins at `/home/user`. In a mount with overlay
    /// access, the beginning is what the host's folder has now; mounts with other access are the host's files, and are left
    /// out. Times, owners and numbers of files are not compared, and the permission bits do not apply. [`Files::diff`] shows a
    /// difference as text.
    ///
    /// # Errors
    /// If `path` does not exist and did not, or a file of the host cannot be read.
    pub async fn changes(&self, path: &str, limit: usize) -> Result<Differences, FilesError> {
        self.files().differences(self.state.shared.base.clone(), path, limit).await
    }

    /// Returns the files of the output directory as they are now, with their contents, types and titles: what the outcome of a command that
    /// ends now would have. `output.max_files` and `output.max_bytes` apply.
    ///
    /// # Panics
    /// If the async runtime is shut down in the meantime.
    pub async fn artifacts(&self) -> Artifacts {
        match self.state.artifacts().await {
            Ok(found) => found,
            Err(failed) => std::panic::resume_unwind(failed.into_panic()),
        }
    }

    /// Returns the worlds of all components: what each may import.
    pub fn worlds(&self) -> impl Iterator<Item = &ComponentWorld> {
        self.state.shared.tools.values().map(|tool| &tool.world)
    }

    /// Takes a snapshot of the filesystem, in constant time.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot(self.state.fs.snapshot())
    }

    /// Restores the filesystem from a snapshot of this session, in constant time. Mounted host directories stay as they
    /// are; what an overlay holds in memory is restored too.
    pub fn restore(&self, snapshot: &Snapshot) {
        self.state.fs.restore(&snapshot.0);
    }

    /// Prepares every tool under lockstep, so that no process has to wait for one in the middle of the others' turns.
    pub(crate) async fn prepare_for_lockstep(&self) {
        if self.state.lockstep.is_some()
            && let Err(error) = self.prepare().await
        {
            // The process that starts that tool sees the error.
            tracing::debug!(%error, "a tool could not be prepared ahead");
        }
    }

    /// Closes the session. When this call returns, no command, shell or interpreter starts in it any more, through whatever handle
    /// ([`RunError::Closed`](crate::RunError::Closed)), and everything that runs in it is being ended: commands, detached ones too, what
    /// they left in the background, and interpreters with their evaluations. The future waits until none of it is left; a caller
    /// that cannot wait drops it. What is awaited in place elsewhere, such as an `eval`, must be polled there in the meantime.
    ///
    /// Output and outcomes of started commands stay with their handles, and the files can still be read. Snapshots and templates
    /// of the session go on. What streamed output has not taken after two seconds is lost. Closing a session twice is fine.
    pub fn close(&self) -> impl Future<Output = ()> + Send + use<> {
        let (closing, state) = (self.state.commands.close(), self.state.clone());
        async move { closing.finish(&state.processes, &state.shared.ticker).await }
    }

    /// Returns whether the session is [closed](Self::close).
    pub fn is_closed(&self) -> bool {
        self.state.commands.is_closed()
    }

    /// Sends SIGINT to the foreground processes of every command and evaluation of the session, as Ctrl-C at a terminal does. Programs
    /// that neither handle nor ignore it end, and an interpreter raises `KeyboardInterrupt`. It ends nothing by force:
    /// [`kill_all`](Self::kill_all) does.
    pub fn interrupt(&self) {
        self.state.commands.interrupt();
    }

    /// Sends a signal to every process of every command and evaluation of the session, in the background too, as a supervisor does that
    /// stops a service. What neither handles nor ignores it does what the signal does by default.
    pub fn signal(&self, signal: Signal) {
        self.state.commands.signal(signal);
    }

    /// Ends everything that runs in the session by SIGKILL, at once: commands, what they left in the background, and interpreters. Their
    /// exit code is 137, and their output is kept. New ones may start.
    pub fn kill_all(&self) {
        self.state.commands.kill_all();
    }

    /// Stops the foreground processes of every running command of the session, as Ctrl-Z at a terminal does. Only a
    /// command whose first process is a shell with job control is stopped. Returns whether there was one.
    pub fn stop_foreground(&self) -> bool {
        let mut cared = false;
        for running in self.state.commands.all() {
            if running.processes().first().is_some_and(|first| first.signals().handles(Signal::TerminalStop)) {
                running.signal_foreground(Signal::TerminalStop);
                cared = true;
            }
        }
        cared
    }

    /// Makes a session like this one, with this filesystem and these labels. Nothing runs in it.
    pub(crate) fn sibling(&self, fs: &wisp_vfs::Snapshot, labels: &Labels) -> Self {
        let state = &self.state;
        let start = Start { shared: state.shared.clone(), fs, sinks: state.receipts.sinks().clone(), labels: Some(labels) };
        let Ok(session) = start.session(
            &self.engine,
            state,
            |net, observer| Ok::<_, Infallible>(net.fork(observer)),
            |gate, receipts| gate.fork(receipts),
        );
        session
    }
}

/// What a session that is made of another one starts with.
pub(crate) struct Start<'a> {
    pub shared: Shared,
    pub fs: &'a wisp_vfs::Snapshot,
    pub sinks: Sinks,
    /// The labels of the other session's artifacts, if it has them too.
    pub labels: Option<&'a Labels>,
}

impl Start<'_> {
    /// Makes the session from `state`, that of the other one. `network` and `functions` derive its network and its functions of the host.
    ///
    /// # Errors
    /// Those of `network`.
    pub(crate) fn session<E>(
        self,
        engine: &Engine,
        state: &SessionState,
        network: impl FnOnce(&Net, Arc<dyn Observer>) -> Result<Net, E>,
        functions: impl FnOnce(&Arc<Gate>, Arc<Receipts>) -> Arc<Gate>,
    ) -> Result<Session, E> {
        let Self { shared, fs, sinks, labels } = self;
        let commands = Commands::new(Arc::new(ProcessTable::new()));
        let receipts = Arc::new(state.receipts.sibling(engine.session_id(&shared.policy), sinks, commands.clone()));
        let net = state.net.as_ref().map(|net| network(net, observer(&shared.policy, receipts.clone()))).transpose()?;
        // Placeholders of secrets are in the environment of one session only.
        let environment = state.environment.get().filter(|_| net.is_none()).cloned();
        let functions = state.functions.as_ref().map(|gate| functions(gate, receipts.clone()));
        let own = Own { fs: fs.to_fs(&state.fs), commands, receipts, net, functions, labels, environment };
        Ok(Session::new(SessionState::begin(shared, own), engine.clone()))
    }
}

impl fmt::Debug for Snapshot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Snapshot").finish_non_exhaustive()
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session").field("id", &self.id()).field("policy", &self.policy().name()).finish_non_exhaustive()
    }
}
