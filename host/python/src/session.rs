//! A sandbox, as Python has it.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use wisp::FunctionResult;
use wisp_api::{CodeRequest, CommandRequest, SessionRequest};
use wisp_service::{CommandHandle, EvaluationHandle, ServiceError};

use crate::answer::{Sent, received};
use crate::call::{Call, Ended, made, made_by, nothing};
use crate::command::{self, Command};
use crate::data;
use crate::engine::Engine;
use crate::evaluation::{self, Evaluation};
use crate::exit;
use crate::failure::{Failure, or_raise};
use crate::files::Files;
use crate::function::Function;
use crate::held::Held;
use crate::host::{Host, check_process};
use crate::map::map;
use crate::opened::Asked;
use crate::policy::{self, MountParts, Policy};
use crate::room::Room;
use crate::sandbox::Sandbox;
use crate::snapshot::{Kept, Snapshot};

/// A sandbox. It is closed with its last object.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Session(Arc<Sandbox>);

/// What a sandbox is opened with, beside its policy and its request.
#[derive(FromPyObject)]
pub(crate) struct Opening {
    mounts: Vec<MountParts>,
    timeout: Option<f64>,
    /// Files to write into a new one.
    files: Vec<(String, Vec<u8>)>,
    functions: Vec<Py<Function>>,
    secrets: Vec<(String, String)>,
    /// Without one it is the process's own.
    engine: Option<Py<Engine>>,
}

/// Opens a sandbox, or finds the one with the request's key.
#[pyfunction]
pub(crate) fn open_session(py: Python<'_>, policy: &Policy, request: &str, opening: Opening) -> PyResult<Call> {
    let Opening { mounts, timeout, files, functions, secrets, engine } = opening;
    let host = match &engine {
        Some(engine) => engine.get().0.clone(),
        None => Host::get(py)?,
    };
    or_raise(py, host.check_open())?;
    let request: SessionRequest = or_raise(py, data::read(request))?;
    let (policy, shipped) = or_raise(py, exit::detached(py, || policy.asked(&mounts, timeout)))?;
    or_raise(py, policy::check_secrets(&policy, &secrets))?;
    policy::check_writes(py, &policy)?;
    let room = Room::new();
    let functions = functions.iter().map(|function| function.get().granted(&host, &room)).collect();
    let files = files.into_iter().map(|(path, contents)| (path, contents.into())).collect();
    let asked = Asked { request, policy, shipped, functions, room, secrets, files };
    let opening = host.clone();
    Ok(Call::new(&host, async move {
        let sandbox = opening.carried(Sandbox::open(opening.clone(), asked)).await?;
        // The engine may have been closed in the meantime.
        opening.check_open()?;
        Ok(made(Session(sandbox)))
    }))
}

impl Session {
    fn call(&self, work: impl Future<Output = Ended> + Send + 'static) -> Call {
        Call::new(&self.0.host, work)
    }
}

#[pymethods]
impl Session {
    /// Returns its id.
    #[getter]
    fn id(&self) -> &str {
        self.0.id().as_str()
    }

    /// Returns what is known about it, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let info = or_raise(py, self.0.info())?;
        or_raise(py, data::written(&info))
    }

    /// Returns its policy, with its mounts, its time limit and its environment.
    #[getter]
    fn policy(&self, py: Python<'_>) -> PyResult<Policy> {
        Ok(Policy::own(or_raise(py, self.0.policy())?))
    }

    /// Returns what its components may import, as `Policy.explain` does, for its engine.
    fn explain(&self, py: Python<'_>, for_model: bool) -> PyResult<String> {
        let policy = or_raise(py, self.0.policy())?;
        or_raise(py, exit::detached(py, || policy::explained(&self.0.host, &policy, for_model)))
    }

    /// Registers a function that code in it may call. Nothing was asked of it yet.
    fn add_function(&self, py: Python<'_>, function: &Function) -> PyResult<()> {
        or_raise(py, exit::detached(py, || self.0.add(function)))
    }

    /// Returns the functions outside it that it may call, as JSON.
    fn functions(&self, py: Python<'_>) -> PyResult<String> {
        let functions = or_raise(py, self.0.functions())?;
        or_raise(py, data::written(&functions))
    }

    /// Calls one of these functions, as code in it may: the result, or a list of items.
    fn call_function(&self, name: String, arguments: Sent) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            let result = sandbox.ready().await?.call_function(&name, arguments.into()).await?;
            Ok(made_by(move |py| match result {
                FunctionResult::Value(value) => received(py, value),
                FunctionResult::Items(items) => {
                    let items: PyResult<Vec<Py<PyAny>>> = items.into_iter().map(|item| received(py, item)).collect();
                    items?.into_py_any(py)
                }
            }))
        })
    }

    /// Returns its files.
    #[getter]
    fn files(&self) -> Files {
        Files(self.0.clone())
    }

    /// Returns the receipts of its decisions, as JSON.
    fn receipts(&self, py: Python<'_>) -> PyResult<String> {
        or_raise(py, check_process())?;
        or_raise(py, data::written(&self.0.host.ledger.read(&self.0.receipts())))
    }

    /// Starts a command. If it is held, it ends with its object; a script in a named shell waits for its turn.
    #[pyo3(signature = (request, stdin, held))]
    fn start(&self, py: Python<'_>, request: &str, stdin: Option<Vec<u8>>, held: bool) -> PyResult<Call> {
        let mut request: CommandRequest = or_raise(py, data::read(request))?;
        request.stdin = stdin.map(Into::into);
        let sandbox = self.0.clone();
        Ok(self.call(async move {
            let command = start(sandbox, request).await?;
            Ok(made_by(move |py| {
                // Until here somebody waits for it.
                if !held {
                    command.release();
                }
                Command(command).into_py_any(py)
            }))
        }))
    }

    /// Returns the commands that run, and those that ended last, as JSON.
    fn commands(&self, py: Python<'_>) -> PyResult<String> {
        let handle = or_raise(py, self.0.handle())?;
        let commands = or_raise(py, handle.commands())?;
        or_raise(py, data::written(&commands))
    }

    /// Returns the command with this number.
    fn command(&self, py: Python<'_>, id: u64) -> PyResult<Command> {
        let handle = or_raise(py, self.0.handle())?;
        let found = or_raise(py, handle.command(id))?;
        Ok(self.found(found))
    }

    /// Returns the newest command with this tag.
    fn command_with_tag(&self, py: Python<'_>, tag: &str) -> PyResult<Command> {
        let handle = or_raise(py, self.0.handle())?;
        let found = or_raise(py, handle.command_with_tag(tag))?;
        Ok(self.found(found))
    }

    /// Starts evaluating code, when it is its turn. It ends with its object.
    fn evaluate(&self, py: Python<'_>, request: &str) -> PyResult<Call> {
        let request: CodeRequest = or_raise(py, data::read(request))?;
        let sandbox = self.0.clone();
        Ok(self.call(async move { Ok(made(Evaluation(evaluate(sandbox, request).await?))) }))
    }

    /// Evaluates code, when it is its turn, and waits for its end: both outputs, and the evaluation as JSON.
    fn evaluated(&self, py: Python<'_>, request: &str) -> PyResult<Call> {
        let (sandbox, request) = (self.0.clone(), or_raise(py, data::read::<CodeRequest>(request))?);
        Ok(self.call(async move { evaluation::ended(evaluate(sandbox, request).await?).await }))
    }

    /// Runs a command, as `start` starts it, and waits for its end: both outputs, and the outcome as JSON.
    #[pyo3(signature = (request, stdin))]
    fn ran(&self, py: Python<'_>, request: &str, stdin: Option<Vec<u8>>) -> PyResult<Call> {
        let mut request: CommandRequest = or_raise(py, data::read(request))?;
        request.stdin = stdin.map(Into::into);
        let sandbox = self.0.clone();
        Ok(self.call(async move { command::ended(start(sandbox, request).await?, None).await }))
    }

    /// Ends an interpreter, and starts a fresh one in its place. Without one there is nothing to do.
    fn reset(&self, interpreter: String) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            match sandbox.ready().await?.reset_interpreter(&interpreter).await {
                Ok(()) | Err(ServiceError::NotFound { kind: "interpreter", .. }) => Ok(nothing()),
                Err(error) => Err(error.into()),
            }
        })
    }

    /// Takes a snapshot, when nothing runs in the interpreter and the shell.
    #[pyo3(signature = (label=None))]
    fn snapshot(&self, label: Option<String>) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            let turns = sandbox.turns().await;
            let (host, taking) = (sandbox.host.clone(), Kept::take(sandbox, label));
            let kept = host.carried(async move {
                let _turns = turns;
                taking.await
            });
            Ok(made(Snapshot(kept.await?)))
        })
    }

    /// Brings it back to one of its snapshots, when nothing runs in the interpreter and the shell.
    fn restore(&self, snapshot: &Snapshot) -> Call {
        let (sandbox, kept) = (self.0.clone(), snapshot.0.clone());
        self.call(async move {
            let turns = sandbox.turns().await;
            let host = sandbox.host.clone();
            let restored = host.carried(async move {
                let _turns = turns;
                kept.restore(&sandbox).await
            });
            restored.await?;
            Ok(nothing())
        })
    }

    /// Opens sandboxes that start from what this one is now, or from one of its snapshots.
    #[pyo3(signature = (count, snapshot=None))]
    fn fork(&self, count: usize, snapshot: Option<&Snapshot>) -> Call {
        let (sandbox, from) = (self.0.clone(), snapshot.map(|snapshot| snapshot.0.clone()));
        self.call(async move {
            let host = sandbox.host.clone();
            let turns = match from {
                Some(_) => None,
                None => Some(sandbox.turns().await),
            };
            let forks = host.carried(async move {
                let _turns = turns;
                let from = match from {
                    Some(from) => from,
                    None => Kept::take(sandbox.clone(), None).await?,
                };
                from.fork(&sandbox, count).await
            });
            let forks: Vec<Self> = forks.await?.into_iter().map(Self).collect();
            Ok(made(forks))
        })
    }

    /// Closes it, and waits until nothing of it is left.
    fn close(&self) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            sandbox.close().await?;
            Ok(nothing())
        })
    }

    /// Returns the files of the output directory as they are now, without their contents, as JSON.
    fn artifacts(&self) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            let found = sandbox.ready().await?.artifacts().await?;
            Ok(made(data::artifacts(&found)?))
        })
    }

    /// Evaluates each cell in a fork of its own, so many at once, when nothing runs in the interpreter and the shell: both outputs of
    /// each, and the evaluation as JSON. After `timeout` seconds a cell is interrupted.
    #[pyo3(signature = (cells, timeout=None, concurrency=None))]
    fn map(&self, py: Python<'_>, cells: Vec<String>, timeout: Option<f64>, concurrency: Option<usize>) -> PyResult<Call> {
        let timeout = or_raise(py, timeout.map(data::seconds).transpose())?;
        let mapping = self.0.host.aborting(map(self.0.clone(), cells, timeout, concurrency));
        Ok(self.call(mapping))
    }
}

impl Session {
    /// Returns a command that was found, which goes on without its object.
    fn found(&self, handle: CommandHandle) -> Command {
        let held = Held::new(self.0.clone(), handle, None);
        held.release();
        Command(held)
    }
}

/// Starts a command, held.
async fn start(sandbox: Arc<Sandbox>, request: CommandRequest) -> Result<Arc<Held<CommandHandle>>, Failure> {
    let turn = match request.shell {
        Some(_) => Some(sandbox.shell.clone().lock_owned().await),
        None => None,
    };
    let host = sandbox.host.clone();
    let started = host.carried(async move {
        let handle = sandbox.ready().await?.start(request).await?;
        Ok::<_, Failure>(Held::new(sandbox, handle, turn))
    });
    started.await
}

/// Starts evaluating code, held.
async fn evaluate(sandbox: Arc<Sandbox>, request: CodeRequest) -> Result<Arc<Held<EvaluationHandle>>, Failure> {
    let turn = sandbox.python.clone().lock_owned().await;
    let host = sandbox.host.clone();
    let started = host.carried(async move {
        let handle = sandbox.ready().await?.evaluate(request).await?;
        Ok::<_, Failure>(Held::new(sandbox, handle, Some(turn)))
    });
    started.await
}
