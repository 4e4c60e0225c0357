//! The methods, each with what it does.

use std::sync::Arc;

use futures_util::future::BoxFuture;

use crate::error::RpcError;
use crate::intent;
use crate::message::Params;
use crate::outbox::{Outbox, Reply};
use crate::process::Process;
use crate::protocol::{
    BlockRead, BlockWritten, Copied, DirectoryMade, Done, Handle, HttpAsked, Named, OpenMode, Opened, PathAsked, ReadAsked, Removed,
    Signal, SignalAsked, Status, Terminated, Walked, WriteResult, Written,
};
use crate::sandbox::Sandbox;
use crate::{files, http, walk};

type Answer = Result<Reply, RpcError>;

/// A call that has begun.
pub(crate) enum Work {
    /// It is over.
    Done(Answer),
    /// It goes on beside others.
    Later(BoxFuture<'static, Answer>),
}

/// Returns what Codex calls the methods to which this one belongs; `None` if there is none of this name.
pub(crate) fn family(method: &str) -> Option<&'static str> {
    Some(match method {
        "environment/info" | "environment/status" => "environment",
        "http/request" => "http",
        "process/start" | "process/read" | "process/write" | "process/signal" | "process/terminate" => "exec",
        "fs/readFile" | "fs/open" | "fs/readBlock" | "fs/writeBlock" | "fs/close" | "fs/writeFile" | "fs/createDirectory"
        | "fs/getMetadata" | "fs/canonicalize" | "fs/readDirectory" | "fs/walk" | "fs/remove" | "fs/copy" => "filesystem",
        _ => return None,
    })
}

/// Returns whether a call of this method is over when it has begun.
pub(crate) fn at_once(method: &str) -> bool {
    matches!(method, "environment/info" | "environment/status" | "process/write" | "process/signal" | "process/terminate")
}

/// Begins a call. What must happen in the order of the calls has happened when this returns.
pub(crate) fn begin(sandbox: &Arc<Sandbox>, outbox: &Outbox, method: String, params: Params) -> Work {
    let done = match &*method {
        "environment/info" => Reply::of(&sandbox.environment()),
        "environment/status" => Reply::of(&Status { status: "ready" }),
        "process/start" => return start(sandbox, outbox, &params).unwrap_or_else(refused),
        "process/read" => return read(sandbox, outbox, &params).unwrap_or_else(refused),
        "process/write" => write(sandbox, &params),
        "process/signal" => signal(sandbox, &params),
        "process/terminate" => terminate(sandbox, &params),
        _ => {
            let (sandbox, outbox) = (sandbox.clone(), outbox.clone());
            return Work::Later(Box::pin(async move { later(&sandbox, &outbox, &method, &params).await }));
        }
    };
    Work::Done(done)
}

fn refused(error: RpcError) -> Work {
    Work::Done(Err(error))
}

fn start(sandbox: &Arc<Sandbox>, outbox: &Outbox, params: &Params) -> Result<Work, RpcError> {
    let starting = sandbox.processes.enter(sandbox.session(), params.read()?)?;
    let (sandbox, outbox) = (sandbox.clone(), outbox.clone());
    Ok(Work::Later(Box::pin(async move { sandbox.processes.start(sandbox.session(), starting, &outbox).await })))
}

fn read(sandbox: &Sandbox, outbox: &Outbox, params: &Params) -> Result<Work, RpcError> {
    let asked: ReadAsked = params.read()?;
    let process = known(sandbox, &asked.process_id)?;
    let outbox = outbox.clone();
    Ok(Work::Later(Box::pin(async move { process.read(&asked, &outbox).await })))
}

fn write(sandbox: &Sandbox, params: &Params) -> Answer {
    Reply::of(&WriteResult { status: sandbox.processes.write(params.read()?)? })
}

fn signal(sandbox: &Sandbox, params: &Params) -> Answer {
    let asked: SignalAsked = params.read()?;
    let process = known(sandbox, &asked.process_id)?;
    match asked.signal {
        Signal::Interrupt => process.interrupt(),
    }
    Reply::of(&Done {})
}

fn terminate(sandbox: &Sandbox, params: &Params) -> Answer {
    let asked: Named = params.read()?;
    let running = sandbox.processes.find(&asked.process_id).is_some_and(|process| process.terminate());
    Reply::of(&Terminated { running })
}

fn known(sandbox: &Sandbox, id: &str) -> Result<Arc<Process>, RpcError> {
    sandbox.processes.find(id).ok_or_else(|| RpcError::invalid_request(format!("unknown process id {}", wisp_api::shown(id))))
}

/// Answers the methods whose order does not count.
async fn later(sandbox: &Sandbox, outbox: &Outbox, method: &str, params: &Params) -> Answer {
    let session = sandbox.session();
    let files = session.files()?;
    match method {
        "http/request" => http::request(session, &sandbox.streams, params.read::<HttpAsked>()?, outbox).await,
        "fs/readFile" => files::read_file(&files, &params.read::<PathAsked>()?, outbox).await,
        "fs/readBlock" => sandbox.files.read(&files, params.read::<BlockRead>()?, outbox).await,
        "fs/writeBlock" => sandbox.files.write(&files, params.read::<BlockWritten>()?).await,
        "fs/close" => sandbox.files.close(&params.read::<Handle>()?),
        "fs/getMetadata" => files::metadata(&files, &params.read::<PathAsked>()?).await,
        "fs/canonicalize" => files::canonicalize(&files, &params.read::<PathAsked>()?).await,
        "fs/readDirectory" => files::read_directory(&files, &params.read::<PathAsked>()?, outbox).await,
        "fs/walk" => walk::walk(&files, &params.read::<Walked>()?, outbox).await,
        "fs/open" => {
            let asked: Opened = params.read()?;
            if asked.mode == OpenMode::Replace {
                intent::check_write(session.policy(), asked.sandbox.as_deref())?;
            }
            sandbox.files.open(&files, asked).await
        }
        "fs/writeFile" => {
            let asked: Written = params.read()?;
            intent::check_write(session.policy(), asked.sandbox.as_deref())?;
            files::write_file(&files, asked).await
        }
        "fs/createDirectory" => {
            let asked: DirectoryMade = params.read()?;
            intent::check_write(session.policy(), asked.sandbox.as_deref())?;
            files::create_directory(&files, &asked).await
        }
        "fs/remove" => {
            let asked: Removed = params.read()?;
            intent::check_write(session.policy(), asked.sandbox.as_deref())?;
            files::remove(&files, &asked).await
        }
        "fs/copy" => {
            let asked: Copied = params.read()?;
            intent::check_write(session.policy(), asked.sandbox.as_deref())?;
            files::copy(&files, &asked).await
        }
        _ => Err(RpcError::unknown_method(method)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn methods_that_are_not_offered_have_no_family() {
        assert_eq!((family("process/start"), family("fs/walk"), family("http/request")), (Some("exec"), Some("filesystem"), Some("http")));
        for other in ["", "initialize", "fs/watchMissing", "environmentConfig/read", "network/policyRequest", "process/resize"] {
            assert_eq!(family(other), None, "{other}");
        }
    }
}
