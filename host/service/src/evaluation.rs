//! Evaluations of a session: starting them, and finding them again by their numbers.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use parking_lot::Mutex;
use wisp::{Code, RunningEvaluation, Stream};
use wisp_api::{CodeRequest, DisplayChunk, Evaluation, EvaluationInfo, OutputChunk, OutputRequest, Outputs};

use crate::error::ServiceError;
use crate::interpreter::Interpreters;
use crate::open::check_name;
use crate::output::{self, Source};
use crate::session::SessionHandle;
use crate::timer::{at_most, now};

/// The number of evaluations that are kept after their end.
const ENDED: usize = 64;

/// Maximum bytes that those hold together (64 MiB), beside the last one: code can make each hold `limits.stdout` and `limits.stderr`
/// twice, what it showed and returned, and `output.max_bytes`.
const ENDED_BYTES: usize = 64 << 20;

/// The evaluations that run, and the last ones that have ended, by number.
#[derive(Default)]
pub(crate) struct Evaluated {
    all: Mutex<BTreeMap<u64, Kept>>,
    /// The number that the last one got.
    last: AtomicU64,
    /// How many have ended.
    ends: AtomicU64,
}

#[derive(Clone)]
pub(crate) struct Kept {
    id: u64,
    interpreter: Arc<str>,
    running: RunningEvaluation,
    /// Which of the session's evaluations to end it was, once that was noticed.
    end: Arc<OnceLock<u64>>,
}

impl Kept {
    /// Returns whether it will still have a result. One of which a function of the program panicked never has one.
    fn runs(&self) -> bool {
        now(self.running.wait()).is_none()
    }

    /// Returns about how many bytes it holds: its result, and its output once more, which can be read from any offset.
    fn held_bytes(&self) -> usize {
        let held = |result: Arc<Evaluation>| result.held_bytes() + result.outcome.stdout.len() + result.outcome.stderr.len();
        self.running.result().map_or(0, held)
    }
}

impl Evaluated {
    /// Gives an evaluation a number, unique in its session: the library's numbers are those of one interpreter.
    pub(crate) fn keep(&self, interpreter: Arc<str>, running: RunningEvaluation) -> Kept {
        let kept = Kept { id: self.last.fetch_add(1, Ordering::Relaxed) + 1, interpreter, running, end: Arc::default() };
        let mut all = self.all.lock();
        all.insert(kept.id, kept.clone());
        self.trim(&mut all);
        kept
    }

    /// Removes what has ended, but for those that ended last.
    fn trim(&self, all: &mut BTreeMap<u64, Kept>) {
        let order = |kept: &Kept| *kept.end.get_or_init(|| self.ends.fetch_add(1, Ordering::Relaxed));
        let ended = all.values().filter(|kept| !kept.runs());
        let mut ended: Vec<(u64, u64, usize)> = ended.map(|kept| (order(kept), kept.id, kept.held_bytes())).collect();
        ended.sort_unstable_by_key(|(order, ..)| Reverse(*order));
        let mut bytes = 0_usize;
        for (place, (_, id, held)) in ended.into_iter().enumerate() {
            bytes = bytes.saturating_add(held);
            if place >= ENDED || place > 0 && bytes > ENDED_BYTES {
                all.remove(&id);
            }
        }
    }

    /// Returns how many run.
    pub(crate) fn running(&self) -> usize {
        self.all.lock().values().filter(|kept| kept.runs()).count()
    }

    /// Returns the number of what the interpreter of this name evaluates.
    pub(crate) fn running_in(&self, interpreter: &str) -> Option<u64> {
        self.all.lock().values().rev().find(|kept| *kept.interpreter == *interpreter && kept.runs()).map(|kept| kept.id)
    }

    pub(crate) fn clear(&self) {
        drop(std::mem::take(&mut *self.all.lock()));
    }
}

impl SessionHandle {
    /// Starts evaluating code, and returns at once. An interpreter evaluates one thing at a time: while it does, another request is
    /// refused with [`Conflict`](wisp_api::ErrorCode::Conflict), and an interpreter of another name can take it. One that a limit has
    /// ended stays ended, so that nothing that was defined is lost unnoticed: [`reset_interpreter`](Self::reset_interpreter) starts a
    /// fresh one. The session keeps the 64 evaluations that ended last, as far as they take 64 MiB together, and the very last.
    ///
    /// # Errors
    /// If the interpreter cannot start, has ended, or evaluates.
    pub async fn evaluate(&self, request: CodeRequest) -> Result<EvaluationHandle, ServiceError> {
        self.evaluate_with(request, |code| code).await
    }

    /// Works like [`evaluate`](Self::evaluate), with what `set` changes in the library's code: functions that receive output and displays
    /// or answer `input()`.
    ///
    /// # Errors
    /// Those of `evaluate`.
    pub async fn evaluate_with(
        &self,
        request: CodeRequest,
        set: impl FnOnce(Code) -> Code + Send + 'static,
    ) -> Result<EvaluationHandle, ServiceError> {
        check_name(Some(&request.interpreter), "the name of an interpreter has 1 to 256 bytes")?;
        let call = self.call()?;
        let CodeRequest { code, interpreter, tool, timeout, grace } = request;
        let code = timeout.into_iter().fold(Code::new(code), Code::timeout);
        let code = set(grace.into_iter().fold(code, Code::grace));
        let start = async move {
            let (entry, tool) = (&call.entry, tool.as_deref());
            Interpreters::start(entry, &interpreter, tool, code).await
        };
        Ok(EvaluationHandle { session: self.clone(), kept: self.service.on(start).await? })
    }

    /// Returns the evaluation with this number.
    ///
    /// # Errors
    /// If there is none, or it ended and is not kept any more.
    pub fn evaluation(&self, id: u64) -> Result<EvaluationHandle, ServiceError> {
        let found = self.call()?.entry.evaluations.all.lock().get(&id).cloned();
        Ok(EvaluationHandle { session: self.clone(), kept: found.ok_or_else(|| ServiceError::not_found("evaluation", id))? })
    }

    /// Returns the evaluations that run, and those that have ended and are kept, oldest first.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn evaluations(&self) -> Result<Vec<EvaluationInfo>, ServiceError> {
        Ok(self.call()?.entry.evaluations.all.lock().values().map(info).collect())
    }
}

fn info(kept: &Kept) -> EvaluationInfo {
    EvaluationInfo { id: kept.id, interpreter: (*kept.interpreter).to_owned(), running: kept.runs() }
}

impl Source for RunningEvaluation {
    fn now(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk {
        self.output(stream, offset, limit)
    }

    fn next(&self, stream: Stream, offset: u64, limit: usize) -> impl Future<Output = OutputChunk> + Send {
        self.next_output(stream, offset, limit)
    }
}

/// An evaluation of a session, while it runs and after it. Cheap to clone; dropping it ends nothing.
#[derive(Clone)]
pub struct EvaluationHandle {
    pub(crate) session: SessionHandle,
    kept: Kept,
}

impl EvaluationHandle {
    /// Returns its number, unique among the evaluations of its session.
    pub fn id(&self) -> u64 {
        self.kept.id
    }

    /// Returns what is known about it.
    pub fn info(&self) -> EvaluationInfo {
        info(&self.kept)
    }

    /// Reads an output after an offset; with a wait, when there is a byte or the end. Any offset can be read again.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn output(&self, request: OutputRequest) -> Result<OutputChunk, ServiceError> {
        let call = self.session.call()?;
        Ok(output::read(call.service.runtime(), &self.kept.running, request).await)
    }

    /// Reads both outputs after their offsets, at most `limit` bytes of each. Waits for at most `wait`, until one of them has a byte or
    /// both have ended.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn outputs(&self, stdout: u64, stderr: u64, limit: u64, wait: Duration) -> Result<Outputs, ServiceError> {
        let call = self.session.call()?;
        Ok(output::read_both(call.service.runtime(), &self.kept.running, [stdout, stderr], limit, wait).await)
    }

    /// Returns what it has shown, from display `from` on; the first is number 0. Waits for at most `wait`, until there is one or the
    /// evaluation has ended.
    ///
    /// # Errors
    /// If the session is closed.
    pub async fn displays(&self, from: u64, wait: Duration) -> Result<DisplayChunk, ServiceError> {
        let call = self.session.call()?;
        let (running, from) = (&self.kept.running, usize::try_from(from).unwrap_or(usize::MAX));
        let there = running.displays(from);
        if wait.is_zero() || there.end || !there.displays.is_empty() {
            return Ok(there);
        }
        let found = at_most(call.service.runtime(), wait, running.next_displays(from)).await;
        Ok(found.unwrap_or_else(|| running.displays(from)))
    }

    /// Waits for its end, for at most this time; without one, as long as it takes. `None` if it still runs then. To stop waiting
    /// ends nothing.
    ///
    /// # Errors
    /// If the session is closed, the interpreter was ended, or the service's runtime was shut down.
    pub async fn wait(&self, time: Option<Duration>) -> Result<Option<Arc<Evaluation>>, ServiceError> {
        let _call = self.session.call()?;
        match time {
            Some(time) => Ok(self.kept.running.wait_timeout(time).await?),
            None => Ok(Some(self.kept.running.wait().await?)),
        }
    }

    /// Interrupts it: Python raises `KeyboardInterrupt`. The interpreter stays alive.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn interrupt(&self) -> Result<(), ServiceError> {
        let _call = self.session.call()?;
        self.kept.running.interrupt();
        Ok(())
    }

    /// Ends it by force, and its interpreter with it.
    ///
    /// # Errors
    /// If the session is closed.
    pub fn kill(&self) -> Result<(), ServiceError> {
        let _call = self.session.call()?;
        self.kept.running.kill();
        Ok(())
    }
}

impl fmt::Debug for EvaluationHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EvaluationHandle").field("info", &self.info()).finish_non_exhaustive()
    }
}
