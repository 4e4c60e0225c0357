//! Interpreters that stay alive between evaluations.

use std::fmt;
use std::sync::Arc;

use futures_util::FutureExt;

use crate::exec::command_run::CommandRun;
use crate::exec::lockstep::Lockstep;
use crate::interpreter::alive::Alive;
use crate::interpreter::error::InterpreterError;
use crate::interpreter::rest::Seat;
use crate::program::linked::Program;
use crate::session::handle::Session;
use wisp_process::{ExitStatus, Signal};

/// An interpreter that stays alive between evaluations: what one defines, the next can use. It is a process of its
/// session.
///
/// It ends when it is dropped ([what dropping does](crate#what-dropping-does)); [`close`](Self::close) also waits.
pub struct Interpreter {
    pub(crate) session: Session,
    /// The tool that it runs.
    pub(crate) tool: Arc<str>,
    pub(crate) program: Arc<Program>,
    /// Where it is.
    pub(crate) seat: Arc<Seat>,
    /// The command that its process and those that it starts belong to.
    pub(crate) command: Arc<CommandRun>,
}

/// Interrupts what an interpreter evaluates, from another task ([`Interpreter::interrupter`]).
#[derive(Clone)]
pub struct Interrupter(Arc<Seat>);

impl Interrupter {
    /// Interrupts the evaluation that runs, if one does: Python raises `KeyboardInterrupt` in it, and a program that the
    /// evaluation started and waits for receives SIGINT. The interpreter stays alive.
    pub fn interrupt(&self) {
        self.0.reach(None, |run| run.signal_foreground(Signal::Interrupt));
    }
}

impl Interpreter {
    /// Returns the session that it belongs to.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// Returns the number of bytes of memory that are its own and not shared with an image: pages that it wrote, or that an earlier process
    /// wrote in the same slot. `None` while it evaluates, if it has ended, or if memory is not copy on write.
    pub fn private_memory(&self) -> Option<u64> {
        let bytes = self.seat.at_rest()?.memory.as_ref()?.private_bytes().ok()?;
        Some(bytes as u64)
    }

    /// Returns a handle that interrupts what it evaluates, from another task. It also interrupts the interpreter that replaces
    /// this one after [`reset`](Self::reset) or [`restore`](Self::restore).
    pub fn interrupter(&self) -> Interrupter {
        Interrupter(self.seat.clone())
    }

    /// Ends it, with what it evaluates, and starts a fresh one in its place: nothing that was defined is there any more. The
    /// session's files stay.
    ///
    /// # Errors
    /// Those of [`Session::interpreter`]; the interpreter has ended then.
    pub async fn reset(&mut self) -> Result<(), InterpreterError> {
        if let Some(evaluating) = self.seat.give_up() {
            evaluating.gone().await;
        }
        let fresh = self.session.interpreter(&self.tool).await?;
        self.become_this(fresh);
        Ok(())
    }

    /// Ends it, what it evaluates, and the processes that it started. When this returns they are gone, and their places are free;
    /// handles of the evaluation have its result.
    pub async fn close(self) {
        if let Some(evaluating) = self.seat.give_up() {
            evaluating.gone().await;
        }
        let (run, tasks) = (&self.command, self.command.tasks());
        let gone = run.processes().is_empty() && tasks.settled().now_or_never().is_some();
        // Under lockstep, what an interpreter left running gets no turns without a command, while another interpreter is alive.
        let present = if gone { None } else { self.session.state.lockstep.as_ref().map(Lockstep::command) };
        while let Some(process) = run.processes().first() {
            process.doom(ExitStatus::Signaled(Signal::Kill));
            process.wait().await;
        }
        tasks.settled().await;
        drop(present);
    }

    /// Takes it to run its code.
    ///
    /// # Errors
    /// Those of [`Seat::wake`], and if the session is closed.
    pub(crate) fn wake(&self) -> Result<Box<Alive>, InterpreterError> {
        self.seat.wake().or_else(|error| self.session.must_be_open().and(Err(error)))
    }

    /// Continues as another interpreter, which has not evaluated yet, for the same interrupters.
    pub(crate) fn become_this(&mut self, other: Self) {
        if let Ok(alive) = other.seat.take() {
            (self.program, self.command) = (other.program.clone(), other.command.clone());
            self.seat.put(alive);
        }
    }

    /// Returns how it ended, if it did: it hit a limit, or the code it ran broke it. `None` while it evaluates.
    pub fn ended(&self) -> Option<ExitStatus> {
        self.seat.ended()
    }
}

impl Drop for Interpreter {
    fn drop(&mut self) {
        self.seat.give_up();
    }
}

impl fmt::Debug for Interrupter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interrupter").finish_non_exhaustive()
    }
}

impl fmt::Debug for Interpreter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Interpreter").field("session", &self.session.id()).field("ended", &self.ended()).finish_non_exhaustive()
    }
}
