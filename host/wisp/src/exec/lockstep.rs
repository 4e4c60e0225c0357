//! Processes in lockstep: a deterministic session runs its processes one at a time, in an order that depends only on
//! the programs.
//!
//! One task polls all processes of a session, in the order in which they were woken. They wake each other while they
//! are polled, so the order is reproducible. A process that computes without waiting yields after a number of
//! instructions, not after a time. During an evaluation of an interpreter, the task that waits for it polls the
//! processes, in turns with the evaluation. Between two evaluations nothing polls them: otherwise their progress would
//! depend on when the next one comes.
//!
//! Their time is virtual ([`VirtualTime`]): it advances with the instructions that they run, and when all of them wait,
//! it jumps to the first time that one of them waits for. While one waits for the host (a mount, machine code, blocked
//! output), time stops, and so do the others. While one reads streaming standard input, the host decides what arrives
//! and when: time then advances no faster than the host's, so that input can arrive first.

use std::collections::VecDeque;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::task::{Context, Poll, Wake, Waker};
use std::time::{Duration, Instant};

use futures_util::task::AtomicWaker;
use parking_lot::{Mutex, MutexGuard};

use crate::exec::members::{Members, Process, Step};
use crate::exec::time::{PER_FUEL, VirtualTime};
use crate::runtime::{Alarm, Ticker};
use crate::wasi::{Gated, Outside};
use wisp_process::PipeWatch;
use wisp_process::tty::TtyWatch;

/// Units of fuel after which a process yields to the others: some milliseconds.
pub(crate) const TURN: u64 = 5_000_000;

/// Polls of processes after which the runtime gets its turn, whatever they do.
const STEPS: usize = 64;

/// Runs the processes of one session.
pub(crate) struct Lockstep {
    state: Mutex<State>,
    running: Mutex<Members>,
    time: Arc<VirtualTime>,
    /// The processes that wait for the host.
    outside: Arc<Outside>,
    ticker: Ticker,
}

#[derive(Default)]
struct State {
    /// Processes that were started and not polled yet.
    new: VecDeque<Process>,
    /// Whether a task drives the processes, and its waker.
    driven: bool,
    driver: Option<Waker>,
    /// The waker of the task that evaluates.
    cell: Option<Waker>,
    counts: [usize; 3],
    /// Streaming standard inputs.
    inputs: Vec<Weak<dyn Wanted>>,
    /// Set while time must wait for the host's clock instead of jumping.
    pace: Option<Pace>,
}

/// A virtual time that may come only when the host's clock has reached it.
struct Pace {
    when: u64,
    over: Arc<AtomicBool>,
    _alarm: Alarm,
}

/// What decides whether processes run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// An evaluation is running: its future polls the other processes.
    Evaluation,
    /// An interpreter is alive: without an evaluation nothing runs.
    Interpreter,
    /// A command is running, with or without interpreters.
    Command,
}

impl State {
    /// Returns whether the task that drives the processes may poll them.
    fn may_drive(&self) -> bool {
        let count = |part: Part| self.counts[part as usize];
        count(Part::Evaluation) == 0 && (count(Part::Interpreter) == 0 || count(Part::Command) > 0)
    }

    fn wake(&mut self) {
        let (driver, cell) = (self.driver.take(), self.cell.take());
        driver.into_iter().chain(cell).for_each(Waker::wake);
    }

    /// Returns whether a process waits for input that may arrive at any time.
    fn listens(&mut self) -> bool {
        self.inputs.retain(|input| input.strong_count() > 0);
        self.inputs.iter().filter_map(Weak::upgrade).any(|input| input.is_wanted())
    }
}

/// Counts a part as long as it lives.
pub(crate) struct Presence(Arc<Lockstep>, Part);

impl Drop for Presence {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.counts[self.1 as usize] -= 1;
        state.wake();
    }
}

/// A streaming standard input, while more of it may arrive.
pub(crate) struct Input {
    lockstep: Arc<Lockstep>,
    watch: Option<Arc<dyn Wanted>>,
}

/// Observes whether a process waits for an input.
pub(crate) trait Wanted: Send + Sync {
    /// Returns whether one waits, and the input has nothing for it.
    fn is_wanted(&self) -> bool;
}

impl Wanted for PipeWatch {
    fn is_wanted(&self) -> bool {
        Self::is_wanted(self)
    }
}

impl Wanted for TtyWatch {
    fn is_wanted(&self) -> bool {
        Self::is_wanted(self)
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        self.watch = None;
        self.lockstep.lock().wake();
    }
}

impl Lockstep {
    /// Makes a lockstep in which nothing runs and no time has passed.
    pub(crate) fn new(ticker: Ticker) -> Arc<Self> {
        Arc::new_cyclic(|this: &Weak<Self>| {
            let this = this.clone();
            let outside = Outside::new(move || {
                if let Some(lockstep) = this.upgrade() {
                    lockstep.lock().wake();
                }
            });
            Self { state: Mutex::default(), running: Mutex::default(), time: Arc::default(), outside, ticker }
        })
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock()
    }

    fn running(&self) -> MutexGuard<'_, Members> {
        self.running.lock()
    }

    fn begin(self: &Arc<Self>, part: Part) -> Presence {
        let mut state = self.lock();
        state.counts[part as usize] += 1;
        state.wake();
        Presence(self.clone(), part)
    }

    /// Returns the processes' time.
    pub(crate) fn time(&self) -> &Arc<VirtualTime> {
        &self.time
    }

    /// Advances the time by the fuel that a process burned.
    pub(crate) fn burned(&self, fuel: u64) {
        self.time.advance(fuel.saturating_mul(PER_FUEL));
    }

    /// Declares that an interpreter is alive: processes that it left running continue only while an evaluation or a
    /// command runs.
    pub(crate) fn interpreter(self: &Arc<Self>) -> Presence {
        self.begin(Part::Interpreter)
    }

    /// Declares that a command is running.
    pub(crate) fn command(self: &Arc<Self>) -> Presence {
        self.begin(Part::Command)
    }

    /// Declares that an input streams; `watch` observes its reader.
    pub(crate) fn input(self: &Arc<Self>, watch: impl Wanted + 'static) -> Input {
        let watch: Arc<dyn Wanted> = Arc::new(watch);
        self.lock().inputs.push(Arc::downgrade(&watch));
        Input { lockstep: self.clone(), watch: Some(watch) }
    }

    /// Runs a process with the others.
    pub(crate) fn spawn(self: &Arc<Self>, process: impl Future<Output = ()> + Send + 'static) {
        let process = Box::pin(Gated::new(process, &self.outside));
        let mut state = self.lock();
        state.new.push_back(process);
        state.wake();
        if !std::mem::replace(&mut state.driven, true) {
            // Without tokio's budget, which would interrupt the turns at places that depend on the runtime.
            #[expect(clippy::disallowed_methods, reason = "it ends with the processes that it polls")]
            tokio::spawn(tokio::task::unconstrained(drive(Driver(self.clone()))));
        }
    }

    /// Moves time to the first one that is waited for, as all processes wait. Returns whether there is one that may come
    /// now.
    fn all_wait(self: &Arc<Self>) -> bool {
        let Some(when) = self.time.next().filter(|_| self.outside.is_idle()) else { return false };
        let mut state = self.lock();
        if state.listens() {
            let pace = match state.pace.take() {
                Some(pace) if pace.when == when => pace,
                _ => self.pace(when),
            };
            let over = pace.over.load(Ordering::SeqCst);
            if !over {
                state.pace = Some(pace);
                return false;
            }
        }
        state.pace = None;
        drop(state);
        self.time.reach(when);
        true
    }

    /// Arranges a wake-up when the host's clock has advanced as far as `when` is ahead.
    fn pace(self: &Arc<Self>, when: u64) -> Pace {
        let rest = Duration::from_nanos(when.saturating_sub(self.time.elapsed()));
        let (over, this) = (Arc::new(AtomicBool::new(false)), Arc::downgrade(self));
        let told = over.clone();
        // A time that the clock cannot represent is replaced by one beyond any limit.
        let at = Instant::now().checked_add(rest).unwrap_or_else(|| Instant::now() + Duration::from_secs(u64::from(u32::MAX)));
        let alarm = self.ticker.at(at, move || {
            told.store(true, Ordering::SeqCst);
            if let Some(lockstep) = this.upgrade() {
                lockstep.lock().wake();
            }
        });
        Pace { when, over, _alarm: alarm }
    }

    /// Runs an evaluation in turns with the processes. Without tokio's budget, as above.
    pub(crate) async fn cell<F: Future>(self: &Arc<Self>, cell: F) -> F::Output {
        let _present = self.begin(Part::Evaluation);
        let turn = Turn::new(true);
        let waker = Waker::from(turn.clone());
        let mut cell = pin!(Gated::new(cell, &self.outside));
        let rounds = poll_fn(move |context| {
            turn.task.register(context.waker());
            if turn.take()
                && let Poll::Ready(output) = cell.as_mut().poll(&mut Context::from_waker(&waker))
            {
                return Poll::Ready(output);
            }
            let mut running = self.running();
            let mut state = self.lock();
            state.cell = Some(context.waker().clone());
            state.new.drain(..).for_each(|process| running.join(process));
            running.register(context.waker());
            drop(state);
            let step = running.step();
            drop(running);
            // The runtime gets its turn between two rounds.
            let again = matches!(step, Step::Done | Step::GaveWay) || turn.is_due() || !self.lock().new.is_empty();
            if again || self.all_wait() {
                context.waker().wake_by_ref();
            }
            Poll::Pending
        });
        tokio::task::unconstrained(rounds).await
    }
}

/// Whether an evaluation's turn has come, and the waker for it.
struct Turn {
    due: AtomicBool,
    task: AtomicWaker,
}

impl Turn {
    fn new(due: bool) -> Arc<Self> {
        Arc::new(Self { due: AtomicBool::new(due), task: AtomicWaker::new() })
    }

    fn is_due(&self) -> bool {
        self.due.load(Ordering::SeqCst)
    }

    /// Takes the turn. Returns whether it had come.
    fn take(&self) -> bool {
        self.due.swap(false, Ordering::SeqCst)
    }
}

impl Wake for Turn {
    fn wake(self: Arc<Self>) {
        self.due.store(true, Ordering::SeqCst);
        self.task.wake();
    }
}

/// The task that drives the processes. If the runtime drops it, the processes are dropped too.
struct Driver(Arc<Lockstep>);

impl Drop for Driver {
    fn drop(&mut self) {
        let new = std::mem::take(&mut self.0.lock().new);
        let running = std::mem::take(&mut *self.0.running());
        drop((new, running));
    }
}

/// Polls the processes until none is left.
async fn drive(driver: Driver) {
    let lockstep = &driver.0;
    poll_fn(|context| {
        for _ in 0..STEPS {
            let mut running = lockstep.running();
            let mut state = lockstep.lock();
            state.driver = Some(context.waker().clone());
            if !state.may_drive() {
                return Poll::Pending;
            }
            state.new.drain(..).for_each(|process| running.join(process));
            // While the state is locked: an evaluation that begins now is the one to wake.
            running.register(context.waker());
            drop(state);
            let step = running.step();
            drop(running);
            match step {
                Step::Done => {}
                Step::GaveWay => break,
                Step::Empty => {
                    let mut state = lockstep.lock();
                    if state.new.is_empty() {
                        state.driven = false;
                        return Poll::Ready(());
                    }
                }
                Step::Idle if !lockstep.lock().new.is_empty() || lockstep.all_wait() => {}
                Step::Idle => return Poll::Pending,
            }
        }
        // The runtime gets its turn.
        context.waker().wake_by_ref();
        Poll::Pending
    })
    .await;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn the_order_repeats_whatever_the_threads_do() {
        async fn once() -> Vec<(usize, usize)> {
            let (lockstep, log) = (Lockstep::new(Ticker::default()), Arc::new(Mutex::new(Vec::new())));
            let (done, mut all) = tokio::sync::mpsc::unbounded_channel();
            let first = {
                let (lockstep, log, done) = (lockstep.clone(), log.clone(), done.clone());
                async move {
                    for child in 1..6 {
                        let (log, done) = (log.clone(), done.clone());
                        lockstep.spawn(async move {
                            for turn in 0..50 {
                                log.lock().push((child, turn));
                                if turn % child == 0 {
                                    tokio::task::yield_now().await;
                                }
                            }
                            let _ = done.send(());
                        });
                    }
                }
            };
            drop(done);
            lockstep.spawn(first);
            while all.recv().await.is_some() {}
            let log = log.lock();
            log.clone()
        }
        let expected = once().await;
        assert_eq!(expected.len(), 250);
        for _ in 0..20 {
            assert_eq!(once().await, expected);
        }
    }

    /// The steps of three processes that sleep and compute, with the time at which each step ended.
    async fn sleepers() -> Vec<(&'static str, u64)> {
        let (lockstep, log) = (Lockstep::new(Ticker::default()), Arc::new(Mutex::new(Vec::new())));
        let (done, mut all) = tokio::sync::mpsc::unbounded_channel();
        let process = |name: &'static str, sleeps: Vec<u64>, fuel: u64| {
            let (time, log, done, lockstep) = (lockstep.time().clone(), log.clone(), done.clone(), lockstep.clone());
            async move {
                for milliseconds in sleeps {
                    let due = time.elapsed() + milliseconds * 1_000_000;
                    crate::wasi::Timeline::until(&time, due).await;
                    lockstep.burned(fuel);
                    log.lock().push((name, time.elapsed() / 1_000_000));
                }
                let _ = done.send(());
            }
        };
        // All of them exist before any of them runs.
        let held = lockstep.begin(Part::Evaluation);
        lockstep.spawn(process("an hour", vec![3_600_000], 0));
        lockstep.spawn(process("twice", vec![100, 100], 0));
        lockstep.spawn(process("works", vec![50, 60], 120_000_000));
        drop((held, done));
        while all.recv().await.is_some() {}
        let log = log.lock();
        log.clone()
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
    async fn time_moves_by_work_and_jumps_when_all_wait() {
        let expected = sleepers().await;
        // 50 ms and 120 ms of work: the first sleep of 100 ms ends late, as on a machine with one processor.
        assert_eq!(expected, [("works", 170), ("twice", 170), ("works", 350), ("twice", 350), ("an hour", 3_600_000)]);
        for _ in 0..20 {
            assert_eq!(sleepers().await, expected);
        }
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn time_stands_still_while_one_waits_for_the_host() {
        let lockstep = Lockstep::new(Ticker::default());
        let (answer, asked) = tokio::sync::oneshot::channel::<()>();
        let (done, mut log) = tokio::sync::mpsc::unbounded_channel();
        let (time, told) = (lockstep.time().clone(), done.clone());
        let held = lockstep.begin(Part::Evaluation);
        lockstep.spawn(async move {
            crate::wasi::Timeline::until(&time, 1_000_000).await;
            let _ = told.send("slept");
        });
        lockstep.spawn(async move {
            let _ = done.send("asks");
            let _ = crate::wasi::outside(asked).await;
            let _ = done.send("has its input");
        });
        drop(held);
        assert_eq!(log.recv().await, Some("asks"));
        // The host may take as long as it likes.
        for _ in 0..1_000 {
            tokio::task::yield_now().await;
        }
        assert_eq!((log.try_recv().ok(), lockstep.time().elapsed()), (None, 0));
        answer.send(()).unwrap();
        assert_eq!((log.recv().await, log.recv().await), (Some("has its input"), Some("slept")));
    }

    #[tokio::test]
    async fn a_reader_of_streaming_input_has_the_hosts_time_for_it() {
        let lockstep = Lockstep::new(Ticker::default());
        let (reader, writer) = wisp_process::pipe();
        let input = lockstep.input(writer.watch());
        let (done, mut log) = tokio::sync::mpsc::unbounded_channel();
        let (time, told) = (lockstep.time().clone(), done.clone());
        let held = lockstep.begin(Part::Evaluation);
        lockstep.spawn(async move {
            // An hour: if time jumped, the test would fail; it waits only for the input.
            crate::wasi::Timeline::until(&time, 3_600_000_000_000).await;
            let _ = told.send("slept");
        });
        lockstep.spawn(async move {
            assert_eq!(reader.read(10).await, "typed");
            let _ = done.send("read");
            // There is no reader any more, so time may advance.
            std::future::pending::<()>().await;
        });
        drop(held);
        tokio::task::yield_now().await;
        writer.write_all("typed".into()).await.unwrap();
        assert_eq!((log.recv().await, log.recv().await), (Some("read"), Some("slept")));
        drop((input, writer));
    }
}
