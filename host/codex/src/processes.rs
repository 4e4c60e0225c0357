//! The processes of a client, by the ids that it chooses.

use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedReceiver;
use wisp_api::{CommandEnd, CommandRequest, TerminalRequest};
use wisp_service::SessionHandle;

use crate::bounds::{Budget, ID};
use crate::environment::variables;
use crate::error::RpcError;
use crate::intent;
use crate::outbox::{Outbox, Reply};
use crate::process::{Process, Typed};
use crate::protocol::{StartAsked, Started, WriteAsked, WriteStatus};
use crate::tasks::Tasks;

/// Maximum processes that a client can ask about: those that run, and the newest that have ended. Each keeps at most 1 MiB of output.
const MOST: usize = 128;

/// The terminal that Codex gives a process.
const TERMINAL: TerminalRequest = TerminalRequest { rows: 24, columns: 80 };

/// Shells that Codex may find on its machine. The sandbox has one, which is `bash` and `sh`.
const SHELLS: [&str; 6] = ["bash", "sh", "zsh", "dash", "ksh", "ash"];

/// The processes of one client.
pub(crate) struct Processes {
    /// The oldest first.
    all: Mutex<Vec<Arc<Process>>>,
    /// The memory of their input.
    input: Budget,
    tasks: Tasks,
}

/// A process that is about to start.
pub(crate) struct Starting {
    process: Arc<Process>,
    asked: StartAsked,
    input: UnboundedReceiver<Typed>,
}

impl Processes {
    pub(crate) fn new() -> Self {
        Self { all: Mutex::default(), input: Budget::for_input(), tasks: Tasks::default() }
    }

    /// Finds the process with this id.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<Process>> {
        self.all.lock().iter().find(|process| process.id == id).cloned()
    }

    /// Handles `process/write`.
    pub(crate) fn write(&self, asked: WriteAsked) -> Result<WriteStatus, RpcError> {
        match self.find(&asked.process_id) {
            Some(process) => process.write(asked, &self.input),
            None => Ok(WriteStatus::UnknownProcess),
        }
    }

    /// Takes an id for a process that is to start.
    ///
    /// # Errors
    /// If it is no process, another one has the id, or there are too many.
    pub(crate) fn enter(&self, session: &SessionHandle, asked: StartAsked) -> Result<Starting, RpcError> {
        if asked.argv.first().is_none_or(String::is_empty) {
            return Err(RpcError::invalid_params("argv must not be empty"));
        }
        if asked.process_id.is_empty() || asked.process_id.len() > ID {
            return Err(RpcError::invalid_params(format!("a `processId` has 1 to {ID} bytes")));
        }
        if asked.arg0.as_ref().is_some_and(|name| Some(name) != asked.argv.first()) {
            return Err(RpcError::invalid_params("wisp gives a program its own name: `arg0` is not for it"));
        }
        intent::check_write(session.policy(), asked.sandbox.as_deref())?;
        intent::check_network(asked.enforce_managed_network, asked.network_proxy.as_deref())?;
        let (process, input) = Process::new(asked.process_id.clone(), asked.tty, asked.tty || asked.pipe_stdin);
        let mut all = self.all.lock();
        if all.iter().any(|other| other.id == process.id) {
            return Err(RpcError::invalid_request(format!("process {} already exists", wisp_api::shown(&process.id))));
        }
        if all.len() >= MOST {
            let over = all.iter().position(|process| process.is_closed());
            let Some(over) = over else {
                return Err(RpcError::invalid_request(format!("{MOST} processes run, which is as many as wisp keeps for a client")));
            };
            all.remove(over);
        }
        all.push(process.clone());
        Ok(Starting { process, asked, input })
    }

    /// Starts a process whose id was taken.
    pub(crate) async fn start(&self, session: &SessionHandle, starting: Starting, outbox: &Outbox) -> Result<Reply, RpcError> {
        let Starting { process, asked, input } = starting;
        let started = self.run(session, &process, asked, input, outbox).await;
        if started.is_err() {
            self.all.lock().retain(|other| !Arc::ptr_eq(other, &process));
        }
        started
    }

    async fn run(
        &self,
        session: &SessionHandle,
        process: &Arc<Process>,
        asked: StartAsked,
        input: UnboundedReceiver<Typed>,
        outbox: &Outbox,
    ) -> Result<Reply, RpcError> {
        let directory = asked.cwd.path().to_owned();
        let request = CommandRequest {
            argv: with_shell(session, asked.argv).await,
            env: variables(asked.env_policy, asked.env)?,
            working_directory: Some(directory.clone()),
            pipe_stdin: asked.tty || asked.pipe_stdin,
            terminal: asked.tty.then_some(TERMINAL),
            // What it leaves running goes on, as on a machine.
            end: CommandEnd::FirstProcess,
            ..CommandRequest::default()
        };
        let command = match session.start(request).await {
            Ok(command) => command,
            Err(error) => return Err(RpcError::internal(format!("{error}{}", advice(session, &directory).await))),
        };
        if !process.runs(&command) {
            let _ = command.kill();
            return Err(RpcError::invalid_request(format!("process {} start was cancelled", wisp_api::shown(&process.id))));
        }
        self.tasks.spawn(process.clone().feed(command.clone(), input));
        self.tasks.spawn(process.clone().follow(command, outbox.clone()));
        Reply::of(&Started { process_id: &process.id })
    }

    /// Lets nothing be told of them any more.
    pub(crate) fn leave(&self) {
        self.tasks.abort();
        self.all.lock().clear();
    }
}

/// Returns the arguments, with the sandbox's shell in the place of one of Codex's machine that the sandbox does not have.
async fn with_shell(session: &SessionHandle, mut argv: Vec<String>) -> Vec<String> {
    let Some(program) = argv.first() else { return argv };
    let name = program.rsplit('/').next().unwrap_or_default();
    let absolute = program.starts_with('/');
    let known = SHELLS.contains(&name) && (absolute || !program.contains('/'));
    // A name alone is one of the shells, and so is what is not there.
    if !known || absolute && exists(session, program).await {
        return argv;
    }
    let shell = if name == "bash" { "bash" } else { "sh" };
    argv[0] = shell.to_owned();
    argv
}

async fn exists(session: &SessionHandle, path: &str) -> bool {
    let Ok(files) = session.files() else { return false };
    files.stat(path).await.is_ok()
}

/// Returns what else is to be said if a process does not start.
async fn advice(session: &SessionHandle, directory: &str) -> String {
    let Ok(files) = session.files() else { return String::new() };
    if files.stat(directory).await.is_ok() {
        return String::new();
    }
    let mounts = session.policy().filesystem().mounts.iter().map(|mount| format!("`{}`", mount.guest)).collect::<Vec<_>>().join(", ");
    match mounts.is_empty() {
        true => "; the sandbox has no folder of the host: start wisp for the folder that Codex works in".to_owned(),
        false => format!("; the sandbox has {mounts}: start Codex there, or wisp for the folder that Codex works in"),
    }
}
