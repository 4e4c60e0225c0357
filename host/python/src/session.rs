//! A sandbox, as Python has it.

use std::sync::Arc;

use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use wisp_api::{CodeRequest, CommandRequest, SessionRequest};
use wisp_service::{CommandHandle, ServiceError};

use crate::call::{Call, Ended, made, made_by, nothing};
use crate::command::Command;
use crate::data;
use crate::evaluation::Evaluation;
use crate::failure::{Failure, or_raise};
use crate::files::Files;
use crate::held::Held;
use crate::host::Host;
use crate::policy::{MountParts, Policy};
use crate::sandbox::{Asked, Sandbox};
use crate::snapshot::{Kept, Snapshot};

/// A sandbox. It is closed with its last object.
#[pyclass(frozen, module = "wisp_sandbox._native")]
pub(crate) struct Session(Arc<Sandbox>);

/// Opens a sandbox, or finds the one with the request's key. `files` are written into a new one.
#[pyfunction]
pub(crate) fn open_session(
    py: Python<'_>,
    policy: &Policy,
    request: &str,
    mounts: Vec<MountParts>,
    timeout: Option<f64>,
    files: Vec<(String, Vec<u8>)>,
) -> PyResult<Call> {
    let host = Host::get(py)?;
    let request: SessionRequest = or_raise(py, data::read(request))?;
    let (policy, shipped) = or_raise(py, py.detach(|| policy.asked(&mounts, timeout)))?;
    let asked = Asked { request, policy, shipped, files };
    let opening = host.clone();
    Ok(Call::new(&host, async move {
        let sandbox = opening.carried(Sandbox::open(opening.clone(), asked)).await?;
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
    /// Its id.
    #[getter]
    fn id(&self) -> &str {
        self.0.id().as_str()
    }

    /// What is known about it, as JSON.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let handle = or_raise(py, self.0.handle())?;
        let info = or_raise(py, handle.info())?;
        or_raise(py, data::written(&info))
    }

    /// Its policy, with its mounts, its time limit and its environment.
    #[getter]
    fn policy(&self, py: Python<'_>) -> PyResult<Policy> {
        Ok(Policy::own(or_raise(py, self.0.handle())?.policy().clone()))
    }

    /// Its files.
    #[getter]
    fn files(&self) -> Files {
        Files(self.0.clone())
    }

    /// The receipts of its decisions, as JSON.
    fn receipts(&self, py: Python<'_>) -> PyResult<String> {
        or_raise(py, data::written(&self.0.host.ledger.read(self.0.receipts())))
    }

    /// Starts a command. If it is held, it ends with its object; a script in a named shell waits for its turn.
    #[pyo3(signature = (request, stdin, held))]
    fn start(&self, py: Python<'_>, request: &str, stdin: Option<Vec<u8>>, held: bool) -> PyResult<Call> {
        let mut request: CommandRequest = or_raise(py, data::read(request))?;
        request.stdin = stdin.map(Into::into);
        Ok(self.call(start(self.0.clone(), request, held)))
    }

    /// The commands that run, and those that ended last, as JSON.
    fn commands(&self, py: Python<'_>) -> PyResult<String> {
        let handle = or_raise(py, self.0.handle())?;
        let commands = or_raise(py, handle.commands())?;
        or_raise(py, data::written(&commands))
    }

    /// The command with this number.
    fn command(&self, py: Python<'_>, id: u64) -> PyResult<Command> {
        let handle = or_raise(py, self.0.handle())?;
        let found = or_raise(py, handle.command(id))?;
        Ok(self.found(found))
    }

    /// The newest command with this tag.
    fn command_with_tag(&self, py: Python<'_>, tag: &str) -> PyResult<Command> {
        let handle = or_raise(py, self.0.handle())?;
        let found = or_raise(py, handle.command_with_tag(tag))?;
        Ok(self.found(found))
    }

    /// Starts evaluating code, when it is its turn. It ends with its object.
    fn evaluate(&self, py: Python<'_>, request: &str) -> PyResult<Call> {
        let request: CodeRequest = or_raise(py, data::read(request))?;
        Ok(self.call(evaluate(self.0.clone(), request)))
    }

    /// Ends an interpreter, and starts a fresh one in its place. Without one there is nothing to do.
    fn reset(&self, interpreter: String) -> Call {
        let sandbox = self.0.clone();
        self.call(async move {
            match sandbox.handle()?.reset_interpreter(&interpreter).await {
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
}

impl Session {
    /// A command that was found, which goes on without its object.
    fn found(&self, handle: CommandHandle) -> Command {
        let held = Held::new(self.0.clone(), handle, None);
        held.release();
        Command(held)
    }
}

async fn start(sandbox: Arc<Sandbox>, request: CommandRequest, held: bool) -> Ended {
    let turn = match request.shell {
        Some(_) => Some(sandbox.shell.clone().lock_owned().await),
        None => None,
    };
    let host = sandbox.host.clone();
    let started = host.carried(async move {
        let handle = sandbox.handle()?.start(request).await?;
        Ok::<_, Failure>(Held::new(sandbox, handle, turn))
    });
    let command = started.await?;
    Ok(made_by(move |py| {
        // Until here somebody waits for it.
        if !held {
            command.release();
        }
        Command(command).into_py_any(py)
    }))
}

async fn evaluate(sandbox: Arc<Sandbox>, request: CodeRequest) -> Ended {
    let turn = sandbox.python.clone().lock_owned().await;
    let host = sandbox.host.clone();
    let started = host.carried(async move {
        let handle = sandbox.handle()?.evaluate(request).await?;
        Ok::<_, Failure>(Held::new(sandbox, handle, Some(turn)))
    });
    Ok(made(Evaluation(started.await?)))
}
