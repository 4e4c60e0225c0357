//! Files and trees of files between the host and a sandbox.
//!
//! The host is reached through directories that are open (`cap-std`), on a thread that may block, a piece of a file at a time. What the
//! sandbox says is not trusted: names, links, and how much there is.

mod download;
mod upload;

use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::runtime::Handle;
use wisp::fs::{Files, FilesError};
use wisp_api::{ErrorCode, shown};
use wisp_service::ServiceError;

use crate::call::{Ended, made};
use crate::failure::Failure;
use crate::sandbox::Sandbox;

pub(crate) use download::Rules;

/// Maximum names of what was left out.
const LEFT_OUT: usize = 1_000;

/// Maximum directories below each other. Each is open on the host, and anything deeper is an attack, not a result.
const DEPTH: usize = 100;

/// Maximum files and directories of one transfer. Attack: a guest that makes files as fast as they are downloaded.
const ENTRIES: u64 = 1_000_000;

/// A transfer that is going on, on a thread that may block.
pub(crate) struct Transfer {
    files: Files,
    runtime: Handle,
    /// Set when nobody waits for it any more.
    stop: Arc<AtomicBool>,
    entries: u64,
    done: Done,
}

/// What was transferred.
#[derive(Default)]
struct Done {
    files: u64,
    bytes: u64,
    left_out: Vec<String>,
}

/// Stops a transfer when it is dropped.
struct StopOnDrop(Arc<AtomicBool>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Does `work`, and returns how many files and bytes were written, and what was left out. What was written stays if it fails, or if the
/// caller stops waiting.
pub(crate) async fn transfer(sandbox: Arc<Sandbox>, work: impl FnOnce(&mut Transfer) -> Result<(), Failure> + Send + 'static) -> Ended {
    let files = sandbox.ready().await?.files()?;
    let runtime = sandbox.host.service.runtime().handle().clone();
    let stop = Arc::new(AtomicBool::new(false));
    let _stopping = StopOnDrop(stop.clone());
    let mut transfer = Transfer { files, runtime: runtime.clone(), stop, entries: 0, done: Done::default() };
    #[expect(clippy::disallowed_methods, reason = "it stops when nobody waits for it, and works for no process of a guest")]
    let task = runtime.spawn_blocking(move || {
        let result = work(&mut transfer);
        (transfer.done, result)
    });
    let (done, result) = task.await.map_err(|_| ServiceError::Abandoned)?;
    match result {
        Ok(()) => Ok(made((done.files, done.bytes, done.left_out))),
        Err(failure) if done.files == 0 => Err(failure),
        Err(failure) => {
            let files = if done.files == 1 { "file" } else { "files" };
            Err(failure.noting(&format!("; before that, {} {files} of {} bytes had been copied", done.files, done.bytes)))
        }
    }
}

impl Transfer {
    /// Waits for an operation on the files of the sandbox.
    fn wait<T>(&self, operation: impl Future<Output = Result<T, FilesError>>) -> Result<T, FilesError> {
        self.runtime.block_on(operation)
    }

    /// Fails if nobody waits any more.
    fn check(&self) -> Result<(), Failure> {
        if self.stop.load(Ordering::Relaxed) { Err(ServiceError::Abandoned.into()) } else { Ok(()) }
    }

    /// Counts a file or a directory.
    fn enter(&mut self) -> Result<(), Failure> {
        self.check()?;
        self.entries += 1;
        if self.entries > ENTRIES {
            return Err(Failure::new(ErrorCode::TooLarge, format!("there are more than {ENTRIES} files and directories")));
        }
        Ok(())
    }

    fn leave_out(&mut self, path: String) {
        if self.done.left_out.len() < LEFT_OUT {
            self.done.left_out.push(path);
        }
    }
}

/// Returns the failure of something on the host.
fn on_host(doing: &str, path: &Path, error: &io::Error) -> Failure {
    let code = match error.kind() {
        io::ErrorKind::NotFound => ErrorCode::FileNotFound,
        io::ErrorKind::AlreadyExists => ErrorCode::FileExists,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => ErrorCode::PermissionDenied,
        io::ErrorKind::IsADirectory | io::ErrorKind::NotADirectory => ErrorCode::WrongFileType,
        // A NUL, or too many bytes.
        io::ErrorKind::InvalidInput | io::ErrorKind::InvalidFilename => ErrorCode::InvalidArgument,
        _ => ErrorCode::IoError,
    };
    Failure::new(code, format!("cannot {doing} `{}` on the host: {error}", shown(&path.to_string_lossy())))
}
