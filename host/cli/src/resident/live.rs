//! The session that a helper keeps open: its files, its shell, its interpreter, and what of that is not saved.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::Duration;

use anyhow::anyhow;
use wisp::{Code, Command, Input, Interpreter, Outcome, Output, RunError, Session, Shell};
use wisp_service::{KeptSession, StoreError};

use super::control::{Control, Runs};
use super::documents::Finished;
use super::note::{self, Note};
use crate::{Failure, kept, one_line};

/// A session that is open, and kept.
pub(super) struct Live {
    session: Session,
    kept: KeptSession,
    shell: Shell,
    python: Option<Interpreter>,
    /// Whether there is something to come back to: it has begun, or a command has run.
    begun: bool,
    /// Whether commands have changed it since it was saved.
    changed: bool,
    /// What of the interpreter was not saved.
    lost: Vec<String>,
}

/// A command for a session.
pub(super) struct Task {
    pub(super) words: Vec<OsString>,
    pub(super) workdir: Option<String>,
    pub(super) timeout: Option<Duration>,
    pub(super) stdin: Input,
    pub(super) stdout: Output,
    pub(super) stderr: Output,
}

/// What came of a command that ran.
struct Done {
    outcome: Outcome,
    lost: Vec<String>,
    interpreter_ended: bool,
}

impl Done {
    /// Creates the record of a program, which leaves nothing to say.
    fn of(outcome: Arc<Outcome>) -> Self {
        Self { outcome: Arc::unwrap_or_clone(outcome), lost: Vec::new(), interpreter_ended: false }
    }
}

impl Live {
    /// Continues a session that was kept, in `session`, which is new.
    pub(super) async fn open(session: Session, kept: KeptSession) -> Result<Self, Failure> {
        let shell = kept.resume(&session).await.map_err(kept::unusable)?;
        let begun = kept.begun();
        Ok(Self { session, kept, shell, python: None, begun, changed: false, lost: Vec::new() })
    }

    /// Returns the session of the library.
    pub(super) fn session(&self) -> &Session {
        &self.session
    }

    /// Returns whether there is something to come back to.
    pub(super) fn begun(&self) -> bool {
        self.begun
    }

    /// Returns whether commands have changed it since it was saved.
    pub(super) fn changed(&self) -> bool {
        self.changed
    }

    /// Runs a command as `wisp run --session` does: `sh -c` in the session's shell, `python3 -c` in its interpreter, others as usual.
    /// `control` can interrupt and end it.
    pub(super) async fn run(&mut self, task: Task, control: &Control) -> Finished {
        let ran = self.ran(task, control).await;
        control.ended();
        match ran {
            Ok(Ok(Done { outcome, lost, interpreter_ended })) => {
                self.begun = true;
                Finished::Ended { outcome: Box::new(outcome), lost, interpreter_ended }
            }
            Ok(Err(error)) => {
                let (code, not_found) = (error.exit_code(), matches!(error, RunError::NotFound { .. }));
                Finished::NotStarted { code, message: one_line(&error.into()), not_found }
            }
            Err(failure) => Finished::Failed { code: failure.code, message: one_line(&failure.error) },
        }
    }

    async fn ran(&mut self, task: Task, control: &Control) -> Result<Result<Done, RunError>, Failure> {
        let program = task.words.first().and_then(|word| word.to_str()).unwrap_or_default();
        let prepared = tokio::select! {
            prepared = self.session.prepare_program(program) => prepared,
            // Who asks it to end does not wait for a compilation. Nothing has begun.
            code = control.given_up() => return Err(Failure { error: anyhow!("it was asked to end before the command began"), code }),
        };
        prepared.map_err(Failure::library)?;
        self.mark()?;
        let words: Vec<String> = task.words.iter().filter_map(|word| word.to_str().map(str::to_owned)).collect();
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["sh" | "bash", "-c", source] if words.len() == task.words.len() => self.ran_shell(source, task, control).await,
            ["python3" | "python", "-c", source] if words.len() == task.words.len() && self.keeps_interpreters() => {
                self.ran_python(source, task.timeout, control).await.map(Ok)
            }
            _ => {
                let command = task.named();
                let running = match self.session.start(command).await {
                    Ok(running) => running,
                    Err(error) => return Ok(Err(error)),
                };
                control.began(Runs::Command(running.clone()));
                Ok(running.wait().await.map(Done::of))
            }
        }
    }

    async fn ran_shell(&mut self, source: &str, task: Task, control: &Control) -> Result<Result<Done, RunError>, Failure> {
        let call = match self.shell.start_with(source, |command| task.with_streams(command)).await {
            Ok(call) => call,
            Err(error) => return Ok(Err(error)),
        };
        control.began(Runs::Command(call.running().clone()));
        Ok(self.shell.finish(call).await.map(Done::of))
    }

    async fn ran_python(&mut self, source: &str, timeout: Option<Duration>, control: &Control) -> Result<Done, Failure> {
        let mut lost = Vec::new();
        if self.python.as_ref().is_some_and(|python| python.ended().is_some()) {
            lost.push("the interpreter, which a command of the session has ended".to_owned());
            self.end_python().await?;
            self.mark()?;
        }
        let mut python = match self.python.take() {
            Some(python) => python,
            None => self.kept.python(&self.session, &mut self.shell).await.map_err(kept::unusable)?,
        };
        let code = Code::new(source);
        // Like a limit of the policy: it ends the interpreter, and does not only interrupt it.
        let code = match timeout {
            Some(timeout) => code.timeout(timeout).grace(Duration::ZERO),
            None => code,
        };
        let started = python.start(code);
        let python = self.python.insert(python);
        let running = started.map_err(Failure::internal)?;
        control.began(Runs::Evaluation(running.clone()));
        let cell = running.wait().await.map_err(Failure::internal)?;
        let ended = python.ended().is_some();
        if ended {
            self.end_python().await?;
        }
        lost.extend(cell.not_carried.iter().cloned());
        Ok(Done { outcome: cell.outcome.clone(), lost, interpreter_ended: ended })
    }

    /// Forgets an interpreter that has ended. Saves the session, so that no later crash brings one back from before.
    async fn end_python(&mut self) -> Result<(), Failure> {
        self.save().await.map_err(|error| Failure::internal(kept::advised(error)))?;
        self.python = None;
        Ok(())
    }

    /// Notes on disk that what is there is not all.
    fn mark(&mut self) -> Result<(), Failure> {
        if !self.changed {
            let changed = Note { unsaved: true, ..Note::default() }.write(self.kept.folder());
            changed.map_err(|error| Failure::internal(anyhow::Error::new(error).context("the session cannot be marked as not saved")))?;
            self.changed = true;
        }
        Ok(())
    }

    fn keeps_interpreters(&self) -> bool {
        self.session.engine().memory_fallback().is_none()
    }

    /// Saves it, if it has changed since it was saved. It goes on.
    pub(super) async fn save(&mut self) -> Result<(), StoreError> {
        if self.changed {
            self.lost = self.kept.keep(&self.shell, self.python.as_mut()).await?.not_carried;
            self.changed = false;
            self.note(Note { lost: self.lost.clone(), ..Note::default() });
        }
        Ok(())
    }

    /// Saves what can be saved, since nobody is there who could decide otherwise. What cannot is told when the session is opened again.
    pub(super) async fn save_what_can_be(&mut self) {
        let Err(error) = self.save().await else { return };
        let reason = one_line(&kept::advised(error));
        tracing::warn!(reason, "a session could not be saved whole");
        let without = if self.python.is_some() { self.kept.keep(&self.shell, None).await.is_ok() } else { false };
        self.changed = !without;
        self.note(match without {
            true => Note { lost: vec![format!("what the interpreter has done since it was kept last: {reason}")], ..Note::default() },
            false => Note { unsaved: true, reason: Some(reason), lost: Vec::new() },
        });
    }

    fn note(&self, note: Note) {
        if let Err(error) = note.write(self.kept.folder()) {
            tracing::warn!(%error, "what is to be told about a session cannot be written");
        }
    }

    /// Lets the session go: another process may open it when this returns. `close` has nobody find this helper any more. Returns what of
    /// the interpreter was not saved; the caller tells it.
    pub(super) fn release(self, close: impl FnOnce()) -> Vec<String> {
        if !self.changed {
            self.forget();
        }
        self.end(close)
    }

    /// Lets the session go, with what it does not have on disk.
    pub(super) fn discard(self, close: impl FnOnce()) {
        self.forget();
        self.end(close);
    }

    /// Lets a session go that nobody asks for. What there is to tell about it stays.
    pub(super) fn leave(self, close: impl FnOnce()) {
        if !self.begun {
            self.forget();
        }
        self.end(close);
    }

    /// Ends everything in the session before `close`, and lets its folder go at once after it: who finds no helper starts another, which
    /// would be told that the session is in use.
    fn end(self, close: impl FnOnce()) -> Vec<String> {
        let Self { session, kept, shell, python, lost, .. } = self;
        drop((python, shell, session));
        close();
        drop(kept);
        lost
    }

    fn forget(&self) {
        if let Err(error) = note::clear(self.kept.folder()) {
            tracing::warn!(%error, "what was to be told about a session cannot be removed");
        }
    }
}

impl Task {
    /// Returns the command, as it was named.
    fn named(mut self) -> Command {
        let mut words = std::mem::take(&mut self.words).into_iter().map(OsStringExt::into_vec);
        let program = words.next().unwrap_or_default();
        let mut command = Command::new(wisp_spelling::spell(&program).into_owned()).args(words);
        if let Some(directory) = self.workdir.take() {
            command = command.working_directory(directory);
        }
        self.with_streams(command)
    }

    fn with_streams(self, command: Command) -> Command {
        let command = command.stdin(self.stdin).stdout(self.stdout).stderr(self.stderr);
        match self.timeout {
            Some(timeout) => command.timeout(timeout),
            None => command,
        }
    }
}
