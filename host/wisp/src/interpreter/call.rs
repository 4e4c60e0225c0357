//! Calls into a live interpreter, under the limits of a command.

use std::sync::Arc;

use wasmtime::Store;

use crate::exec::command_run::CommandRun;
use crate::exec::execution::{Ended, Execution};
use crate::exec::launched::Kept;
use crate::exec::session_state::SessionState;
use crate::exec::spawn::Spawner;
use crate::exec::threads::{self, Done};
use crate::interpreter::alive::Alive;
use crate::interpreter::answer::bounded;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::handle::Interpreter;
use crate::program::linked::Program;
use crate::program::store::ProcessState;
use crate::runtime::WasmtimeError;
use crate::runtime::memory::noting_stack;
use crate::wasi::WasiState;
use crate::wasi::bindings::interpreter::exports::wisp::sandbox::evaluation::Guest;

/// Maximum bytes of an interpreter's last words: the end of a traceback. It may write as much as its output may have.
const MAX_WORDS: usize = 4 << 10;

/// Calls into the interpreter, as `running`. Returns what ran, and how it ended. No thread outlives the call: if one is left, the
/// interpreter must not be called again.
pub(crate) async fn call<T>(
    state: &Arc<SessionState>,
    program: &Arc<Program>,
    alive: &mut Alive,
    running: &Arc<CommandRun>,
    call: impl AsyncFnOnce(&Guest, &mut Store<ProcessState>) -> wasmtime::Result<T>,
) -> (Execution, Ended<Done<T>>) {
    let process = alive.row.process().clone();
    alive.account.forget();
    // It stays until the next call: what the interpreter's processes do between two belongs to the first.
    alive.store.data_mut().wasi().ctx.spawner = Spawner::new(state, running);
    let execution = Execution { running: running.clone(), process, program: program.clone(), lockstep: state.lockstep.clone() };
    let (_ticking, _clock) = (state.shared.ticker.start(), running.clock());
    let Alive { store, interpreter, instance, faults, .. } = alive;
    let mut made = None;
    let work = execution.drive(store, faults, async |store| {
        let work = threads::run(program, *instance, store, async |store| call(interpreter.wisp_sandbox_evaluation(), store).await);
        let (answer, stack) = noting_stack(work).await;
        made = stack;
        answer
    });
    let ended = match &state.lockstep {
        Some(lockstep) => lockstep.cell(work).await,
        None => work.await,
    };
    alive.stack = made.or(alive.stack.take());
    (execution, ended)
}

impl Interpreter {
    /// Works like `call`, for work of ours between evaluations.
    async fn call_between<T>(
        &self,
        alive: &mut Alive,
        call: impl AsyncFnOnce(&Guest, &mut Store<ProcessState>) -> wasmtime::Result<T>,
    ) -> Result<T, InterpreterError> {
        let running = self.session.begin(Some(&alive.children.0), None);
        alive.stdout.begin(&running, None);
        alive.stderr.begin(&running, None);
        match self::call(&self.session.state, &self.program, alive, &running, call).await.1 {
            Ended::Returned(Done { value, left: 0 }) => Ok(value),
            Ended::Returned(_) => Err(broken(alive, wasmtime::Error::msg("it has threads between its evaluations"))),
            Ended::Failed(error) => Err(broken(alive, error)),
            Ended::Doomed(status) => Err(InterpreterError::Ended { status }),
        }
    }

    /// Sends the interpreter its setting, with an empty evaluation.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_begin(&self, alive: &mut Alive) -> Result<(), InterpreterError> {
        let setting = alive.setting.take();
        self.call_between(alive, async |guest, store| guest.call_eval(store, "", setting.as_ref()).await).await.map(drop)
    }

    /// Asks the interpreter to get ready for a snapshot. Returns what a copy will not have, as far as there is room for the names.
    ///
    /// # Errors
    /// If this breaks the interpreter.
    pub(crate) async fn call_park(&self, alive: &mut Alive) -> Result<Vec<String>, InterpreterError> {
        self.call_between(alive, async |guest, store| guest.call_park(store).await).await.map(bounded)
    }
}

/// Returns the error for an interpreter that broke where it must not. Its own last words say more than the trap does.
fn broken(alive: &Alive, error: wasmtime::Error) -> InterpreterError {
    let (words, trap) = (alive.stderr.end(Kept::Taken), WasmtimeError::from(error));
    let source = match String::from_utf8_lossy(&words).trim_end() {
        "" => trap.into(),
        words => {
            let start = words.ceil_char_boundary(words.len().saturating_sub(MAX_WORDS));
            LastWords { words: words[start..].to_owned(), source: trap }.into()
        }
    };
    InterpreterError::Broken { source }
}

/// What an interpreter wrote to standard error before the trap that broke it.
#[derive(Debug, thiserror::Error)]
#[error("{words}")]
struct LastWords {
    words: String,
    source: WasmtimeError,
}
