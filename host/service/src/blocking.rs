//! The same calls for threads without an async runtime: each blocks its thread until the other of the same name is ready.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use tokio::runtime::Handle;
use wisp::fs::Files;
use wisp::{Artifacts, Code, Command, FunctionInfo, FunctionResult, HostValue, HttpRequest, HttpResponse, Policy, SessionBuilder};
use wisp_api::{
    Change, CheckpointId, CheckpointInfo, CodeRequest, CommandInfo, CommandRequest, DiffRequest, DisplayChunk, Evaluation, EvaluationInfo,
    Outcome, OutputChunk, OutputRequest, Outputs, SessionDiff, SessionId, SessionInfo, SessionRequest,
};

use crate::command::CommandHandle;
use crate::error::ServiceError;
use crate::evaluation::EvaluationHandle;
use crate::registry::Owner;
use crate::service::Service;
use crate::session::SessionHandle;
use crate::store::{KeptSession, Saved};
use crate::watch::WatchHandle;

/// Blocks this thread until `future` is ready.
fn block<T>(service: &Service, future: impl Future<Output = Result<T, ServiceError>>) -> Result<T, ServiceError> {
    match Handle::try_current() {
        Ok(_) => Err(ServiceError::InsideRuntime),
        Err(_) => service.runtime().block_on(future),
    }
}

/// Makes the twins of a handle's calls. `async` ones block; the others are passed on. What they return can be another handle, which
/// `=> Type` wraps.
macro_rules! twins {
    ($of:ident, |$this:ident| $service:expr; $(
        $(#[$meta:meta])*
        $kind:ident fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty $(=> $wrap:ident)?;
    )+) => {
        $(
            #[doc = concat!("Does what [`", stringify!($of), "::", stringify!($name), "`] does.")]
            ///
            /// # Errors
            /// Those of that call, and if this thread runs async tasks.
            $(#[$meta])*
            pub fn $name(&self, $($argument: $type),*) -> Result<$result, ServiceError> {
                let $this = self;
                twins!(@$kind $service, self.0.$name($($argument),*)) $(.map($wrap))?
            }
        )+
    };
    (@wait $service:expr, $call:expr) => { block($service, $call) };
    (@pass $service:expr, $call:expr) => {{
        let _ = $service;
        $call
    }};
}

/// A [`Service`] for threads without an async runtime ([`Service::blocking`]).
///
/// A thread that runs async tasks would keep them, and perhaps what it waits for, from going on: there each call fails with
/// [`ServiceError::InsideRuntime`]. That includes threads of `spawn_blocking`: await the [`Service`] there, by the runtime's handle.
#[derive(Debug, Clone)]
pub struct BlockingService(Service);

impl BlockingService {
    pub(crate) fn new(service: Service) -> Self {
        Self(service)
    }

    /// Returns the service itself.
    pub fn service(&self) -> &Service {
        &self.0
    }

    /// Blocks until a future is ready: one of a session's [`Files`], for example.
    ///
    /// # Errors
    /// If this thread runs async tasks.
    pub fn block_on<T>(&self, future: impl Future<Output = T>) -> Result<T, ServiceError> {
        block(&self.0, async { Ok(future.await) })
    }

    /// Returns the owner's sessions, as [`Service::sessions`] does.
    pub fn sessions(&self, owner: &Owner) -> Vec<SessionInfo> {
        self.0.sessions(owner)
    }

    twins! { Service, |this| &this.0;
        wait fn open(owner: &Owner, request: SessionRequest) -> BlockingSession => BlockingSession;
        wait fn open_with(
            owner: &Owner,
            request: SessionRequest,
            policy: &Policy,
            set: impl FnOnce(SessionBuilder) -> SessionBuilder + Send + 'static
        ) -> BlockingSession => BlockingSession;
        wait fn open_kept(
            owner: &Owner,
            request: SessionRequest,
            kept: KeptSession,
            policy: Option<Policy>,
            set: impl FnOnce(SessionBuilder) -> SessionBuilder + Send + 'static
        ) -> BlockingSession => BlockingSession;
        wait fn functions(policy: Option<&str>) -> Vec<FunctionInfo>;
        pass fn session(owner: &Owner, id: &SessionId) -> BlockingSession => BlockingSession;
        pass fn session_with_key(owner: &Owner, key: &str) -> BlockingSession => BlockingSession;
        wait fn close(owner: &Owner, id: &SessionId) -> ();
        wait fn close_owner(owner: &Owner) -> usize;
        wait fn close_all() -> usize;
    }
}

/// A [`SessionHandle`] for threads without an async runtime.
#[derive(Debug, Clone)]
pub struct BlockingSession(SessionHandle);

impl BlockingSession {
    /// Returns the handle itself.
    pub fn handle(&self) -> &SessionHandle {
        &self.0
    }

    /// Returns its id.
    pub fn id(&self) -> &SessionId {
        self.0.id()
    }

    /// Returns its owner.
    pub fn owner(&self) -> &Owner {
        self.0.owner()
    }

    /// Returns its policy, with what the request added.
    pub fn policy(&self) -> &Policy {
        self.0.policy()
    }

    twins! { SessionHandle, |this| &this.0.service;
        pass fn info() -> SessionInfo;
        pass fn touch() -> ();
        pass fn files() -> Files;
        wait fn artifacts() -> Artifacts;
        wait fn watch(path: &str, capacity: usize) -> BlockingWatch => BlockingWatch;
        pass fn library() -> wisp::Session;
        pass fn interrupt() -> ();
        wait fn close() -> ();
        wait fn start(request: CommandRequest) -> BlockingCommand => BlockingCommand;
        wait fn start_with(
            request: CommandRequest,
            set: impl FnOnce(Command) -> Command + Send + 'static
        ) -> BlockingCommand => BlockingCommand;
        wait fn run(request: CommandRequest) -> Arc<Outcome>;
        pass fn command(id: u64) -> BlockingCommand => BlockingCommand;
        pass fn command_with_tag(tag: &str) -> BlockingCommand => BlockingCommand;
        pass fn commands() -> Vec<CommandInfo>;
        pass fn close_shell(name: &str) -> ();
        wait fn evaluate(request: CodeRequest) -> BlockingEvaluation => BlockingEvaluation;
        wait fn evaluate_with(
            request: CodeRequest,
            set: impl FnOnce(Code) -> Code + Send + 'static
        ) -> BlockingEvaluation => BlockingEvaluation;
        pass fn evaluation(id: u64) -> BlockingEvaluation => BlockingEvaluation;
        pass fn evaluations() -> Vec<EvaluationInfo>;
        wait fn reset_interpreter(name: &str) -> ();
        wait fn close_interpreter(name: &str) -> ();
        wait fn keep() -> Saved;
        wait fn park() -> Saved;
        wait fn checkpoint(label: Option<String>) -> CheckpointInfo;
        pass fn checkpoints() -> Vec<CheckpointInfo>;
        wait fn restore(checkpoint: &CheckpointId) -> ();
        wait fn fork(checkpoint: &CheckpointId, request: SessionRequest) -> Self => Self;
        pass fn delete_checkpoint(checkpoint: &CheckpointId) -> ();
        wait fn diff(request: DiffRequest) -> SessionDiff;
        wait fn http(request: HttpRequest) -> HttpResponse;
        pass fn functions() -> Vec<FunctionInfo>;
        wait fn call_function(name: &str, arguments: HostValue) -> FunctionResult;
    }
}

/// A [`CommandHandle`] for threads without an async runtime.
#[derive(Debug, Clone)]
pub struct BlockingCommand(CommandHandle);

impl BlockingCommand {
    /// Returns the handle itself.
    pub fn handle(&self) -> &CommandHandle {
        &self.0
    }

    /// Returns its number, unique in its session.
    pub fn id(&self) -> u64 {
        self.0.id()
    }

    /// Returns what is known about it.
    pub fn info(&self) -> CommandInfo {
        self.0.info()
    }

    /// Returns how many attempts of its processes were refused so far. Each has a receipt.
    pub fn denials(&self) -> u64 {
        self.0.denials()
    }

    twins! { CommandHandle, |this| &this.0.session.service;
        wait fn output(request: OutputRequest) -> OutputChunk;
        wait fn outputs(stdout: u64, stderr: u64, limit: u64, wait: Duration) -> Outputs;
        wait fn wait(time: Option<Duration>) -> Option<Arc<Outcome>>;
        wait fn write_stdin(bytes: impl Into<Bytes> + Send) -> ();
        pass fn close_stdin() -> ();
        pass fn signal(number: u8) -> ();
        pass fn interrupt() -> ();
        pass fn kill() -> ();
        pass fn resize(rows: u16, columns: u16) -> ();
    }
}

/// A [`WatchHandle`] for threads without an async runtime.
#[derive(Debug)]
pub struct BlockingWatch(WatchHandle);

impl BlockingWatch {
    /// Returns the handle itself.
    pub fn handle(&self) -> &WatchHandle {
        &self.0
    }

    twins! { WatchHandle, |this| &this.0.session.service;
        wait fn next(after: u64, time: Option<Duration>) -> Option<Change>;
    }
}

/// An [`EvaluationHandle`] for threads without an async runtime.
#[derive(Debug, Clone)]
pub struct BlockingEvaluation(EvaluationHandle);

impl BlockingEvaluation {
    /// Returns the handle itself.
    pub fn handle(&self) -> &EvaluationHandle {
        &self.0
    }

    /// Returns its number, unique among the evaluations of its session.
    pub fn id(&self) -> u64 {
        self.0.id()
    }

    /// Returns what is known about it.
    pub fn info(&self) -> EvaluationInfo {
        self.0.info()
    }

    twins! { EvaluationHandle, |this| &this.0.session.service;
        wait fn output(request: OutputRequest) -> OutputChunk;
        wait fn outputs(stdout: u64, stderr: u64, limit: u64, wait: Duration) -> Outputs;
        wait fn displays(from: u64, wait: Duration) -> DisplayChunk;
        wait fn wait(time: Option<Duration>) -> Option<Arc<Evaluation>>;
        pass fn interrupt() -> ();
        pass fn kill() -> ();
    }
}
