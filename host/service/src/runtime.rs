//! The engine, and the async runtime that drives its sessions.

use std::fmt;
use std::future::Future;
use std::io;

use tokio::runtime::{Builder, Handle};
use wisp::{Engine, EngineBuilder, EngineError};
use wisp_api::{ErrorCode, wisp_error};

/// Why a [`Runtime`] cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The system refused what an async runtime needs.
    #[error("the async runtime cannot be made: {source}")]
    Async {
        /// The system's error.
        source: io::Error,
    },
    /// The engine cannot be made.
    #[error(transparent)]
    Engine(#[from] EngineError),
}

impl StartError {
    /// Returns the code of this error.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Async { .. } => ErrorCode::EngineUnavailable,
            Self::Engine(error) => error.code(),
        }
    }
}

wisp_error!(StartError);

/// The engine of a program, and the async runtime that drives its sessions.
///
/// To make one is to make threads. A program that confines itself ([`wisp::confine`]) has one thread until then: it opens its locks
/// and files, confines itself, and makes this last.
///
/// Dropping it shuts the async runtime down without waiting: commands and evaluations that still run end, and calls that wait for
/// them fail with [`ErrorCode::Abandoned`]. It may be dropped anywhere, also in an async task.
pub struct Runtime {
    engine: Engine,
    handle: Handle,
    /// Taken when it is dropped.
    tokio: Option<tokio::runtime::Runtime>,
}

impl Runtime {
    /// Makes the async runtime and the engine.
    ///
    /// # Errors
    /// If the system gives no threads or descriptors, or those of [`EngineBuilder::build`].
    pub fn new(engine: EngineBuilder) -> Result<Self, StartError> {
        // It polls sockets and timers after every poll of a task: a poll of a busy guest takes 5 ms, and by default 61 polls would
        // come first.
        let tokio = Builder::new_multi_thread().enable_all().event_interval(1).build().map_err(|source| StartError::Async { source })?;
        let engine = engine.build()?;
        Ok(Self { engine, handle: tokio.handle().clone(), tokio: Some(tokio) })
    }

    /// Returns the engine.
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Returns a handle of the async runtime, to spawn tasks or to enter it. After the [`Runtime`] is dropped, nothing that the
    /// handle spawns runs.
    pub fn handle(&self) -> &Handle {
        &self.handle
    }

    /// Runs a future on this thread until it is ready; what it spawns runs on the runtime's threads.
    ///
    /// # Panics
    /// If this thread drives async tasks already: await the future there.
    pub fn block_on<F: Future>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }
}

impl Drop for Runtime {
    fn drop(&mut self) {
        // A read that never ends, such as that of a terminal, must not keep the program alive.
        if let Some(tokio) = self.tokio.take() {
            tokio.shutdown_background();
        }
    }
}

impl fmt::Debug for Runtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runtime").field("engine", &self.engine).finish_non_exhaustive()
    }
}
