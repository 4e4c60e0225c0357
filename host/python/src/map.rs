//! Many pieces of code, each in a fork of a sandbox.

use std::sync::Arc;
use std::thread;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt, stream};
use pyo3::IntoPyObjectExt;
use pyo3::types::PyBytes;
use wisp_api::{CodeRequest, End, ErrorCode, Evaluation};
use wisp_service::ServiceError;

use crate::call::{Ended, made_by};
use crate::data;
use crate::failure::Failure;
use crate::sandbox::Sandbox;
use crate::snapshot::Kept;

/// Evaluates each cell in a fork of the sandbox as it is now, at most `concurrency` at once: what each came to, in their order. The
/// first fault of wisp or the machine ends them all.
pub(crate) async fn map(sandbox: Arc<Sandbox>, cells: Vec<String>, timeout: Option<Duration>, concurrency: Option<usize>) -> Ended {
    let concurrency = match concurrency {
        Some(0) => return Err(Failure::new(ErrorCode::InvalidArgument, "`concurrency` is 0: at least one cell runs at a time")),
        Some(concurrency) => concurrency,
        None => thread::available_parallelism().map_or(1, usize::from),
    };
    let turns = sandbox.turns().await;
    let taking = {
        let sandbox = sandbox.clone();
        async move {
            let _turns = turns;
            Kept::take(sandbox, None).await
        }
    };
    let kept = sandbox.host.carried(taking).await?;
    let evaluations = stream::iter(cells.into_iter().enumerate())
        .map(move |(number, code)| {
            let request = CodeRequest { timeout, ..CodeRequest::new(code) };
            cell(kept.clone(), sandbox.clone(), number, request)
        })
        .buffer_unordered(concurrency);
    let mut evaluations: Vec<(usize, Arc<Evaluation>)> = evaluations.try_collect().await?;
    evaluations.sort_unstable_by_key(|(number, _)| *number);
    let written = evaluations.into_iter().map(|(_, evaluation)| Ok::<_, Failure>((data::evaluation(&evaluation)?, evaluation)));
    let written = written.collect::<Result<Vec<_>, _>>()?;
    Ok(made_by(move |py| {
        let parts = written.into_iter().map(|(document, evaluation)| {
            let outcome = &evaluation.outcome;
            (PyBytes::new(py, &outcome.stdout).unbind(), PyBytes::new(py, &outcome.stderr).unbind(), document)
        });
        parts.collect::<Vec<_>>().into_py_any(py)
    }))
}

/// Evaluates a cell in a fork of its own. If it is dropped, so is the fork, and what runs in it ends.
async fn cell(kept: Arc<Kept>, sandbox: Arc<Sandbox>, number: usize, request: CodeRequest) -> Result<(usize, Arc<Evaluation>), Failure> {
    match evaluated(kept, sandbox, request).await {
        Ok(evaluation) => Ok((number, evaluation)),
        Err(failure) => Err(failure.noting(&format!(" (cell {number})"))),
    }
}

async fn evaluated(kept: Arc<Kept>, sandbox: Arc<Sandbox>, request: CodeRequest) -> Result<Arc<Evaluation>, Failure> {
    let host = sandbox.host.clone();
    let forking = async move { kept.fork(&sandbox, 1).await };
    let fork = host.carried(forking).await?.pop().ok_or(ServiceError::Abandoned)?;
    let running = fork.ready().await?.evaluate(request).await?;
    // Without a time, it always has a result.
    let evaluation = running.wait(None).await?.ok_or(ServiceError::Abandoned)?;
    fork.close().await?;
    match &evaluation.outcome.end {
        End::Infra { code, message } => Err(Failure::new(*code, message.clone())),
        _ => Ok(evaluation),
    }
}
