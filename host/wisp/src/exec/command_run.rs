//! A running command: its limits, which of them was hit, and what it used.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use crate::exec::causes::Causes;
use crate::exec::channel::Channel;
use crate::exec::held::Held;
use crate::outcome::receipts::Receipts;
use crate::runtime::{Alarm, Ticker};
use crate::tasks::Tasks;
use wisp_api::{EventKind, Limit, LimitHit};
use wisp_policy::{Policy, rule_for_guests, size_text};
use wisp_process::{ExitStatus, Process, ProcessTable, Signal};

/// A running command.
pub(crate) struct CommandRun {
    pub command: u64,
    policy: Arc<Policy>,
    processes: Arc<ProcessTable>,
    receipts: Arc<Receipts>,
    cpu: AtomicU64,
    cpu_limit: u64,
    /// Fuel left for the command's processes; unlimited if `limits.instructions` is not set.
    fuel: AtomicU64,
    started: AtomicU64,
    hit: Mutex<Option<LimitHit>>,
    /// Whether a limit ended the whole command.
    limited: AtomicBool,
    /// What else than its programs or a limit ended it.
    pub causes: Causes,
    /// Refused attempts.
    denials: AtomicU64,
    /// The name of the first process that was refused memory.
    starved: OnceLock<Arc<str>>,
    /// Whether this was written to a process's standard error.
    starved_said: AtomicBool,
    /// Set when the whole command is ended: a process that enters later ends immediately.
    ended: watch::Sender<Option<ExitStatus>>,
    /// Whether the host sent SIGINT to its foreground.
    interrupted: AtomicBool,
    /// The command's own time limit, if it is shorter than the policy's.
    pub wall: Duration,
    wall_rule: Option<String>,
    /// Calls when the command's time is over.
    ticker: Ticker,
    deadline: Mutex<Deadline>,
    /// Processes that wait for machine code.
    pub held: Held,
    /// The person at the terminal, if there is one. Each line that the person types has the full limits.
    person: OnceLock<Person>,
    /// What the host does for it. An interpreter's evaluations share theirs.
    tasks: Arc<Tasks>,
}

/// When a command's time is over.
#[derive(Default)]
struct Deadline {
    /// Counts the changes of the deadline: an alarm of an earlier one is ignored.
    number: u64,
    /// When the time is over; `None` while the clock is stopped.
    at: Option<Instant>,
    /// The alarm for that time; `None` while the command waits for a person.
    alarm: Option<Alarm>,
    /// The command has ended, and time no longer counts.
    over: bool,
}

/// Keeps the clock of `limits.wall` running while it lives.
pub(crate) struct Clock(Arc<CommandRun>);

impl Drop for Clock {
    fn drop(&mut self) {
        let mut deadline = self.0.deadline();
        deadline.over = true;
        self.0.set(&mut deadline, None);
    }
}

/// The state of a command with a person at its terminal.
pub(crate) struct Person {
    lines: AtomicU64,
    /// Whether the person has typed anything.
    typed: AtomicBool,
    /// Whether a limit was hit in the current line, and its program was ended.
    warned: AtomicBool,
    /// Writes a message to the person.
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Person {
    /// Makes a person to whom `tell` writes.
    fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> Self {
        Self { lines: AtomicU64::new(0), typed: AtomicBool::new(false), warned: AtomicBool::new(false), tell: Box::new(tell) }
    }
}

/// How long the first process of such a command, a shell, has to ask for the next line after a limit ended its program.
const PATIENCE: Duration = Duration::from_secs(2);

impl CommandRun {
    pub(crate) fn new(
        command: u64,
        policy: Arc<Policy>,
        processes: Arc<ProcessTable>,
        receipts: Arc<Receipts>,
        ticker: Ticker,
        timeout: Option<Duration>,
        tasks: Arc<Tasks>,
    ) -> Arc<Self> {
        let limits = *policy.limits();
        let own = timeout.filter(|timeout| *timeout < limits.wall);
        Arc::new(Self {
            command,
            processes,
            receipts,
            cpu: AtomicU64::new(0),
            cpu_limit: u64::try_from(limits.cpu.as_nanos()).unwrap_or(u64::MAX),
            fuel: AtomicU64::new(if limits.instructions == 0 { u64::MAX } else { limits.instructions }),
            started: AtomicU64::new(0),
            hit: Mutex::default(),
            limited: AtomicBool::new(false),
            causes: Causes::default(),
            denials: AtomicU64::new(0),
            starved: OnceLock::new(),
            starved_said: AtomicBool::new(false),
            ended: watch::Sender::new(None),
            interrupted: AtomicBool::new(false),
            wall: own.unwrap_or(limits.wall),
            wall_rule: own.map(|_| "host program".to_owned()),
            ticker,
            deadline: Mutex::default(),
            held: Held::default(),
            person: OnceLock::new(),
            tasks,
            policy,
        })
    }

    /// Returns what the host does for the command beside running its processes.
    pub(crate) fn tasks(&self) -> &Arc<Tasks> {
        &self.tasks
    }

    /// Declares that a person sits at the command's terminal. `tell` writes to that person.
    pub(crate) fn attend(&self, tell: impl Fn(&str) + Send + Sync + 'static) {
        // Called once, at the start.
        let _ = self.person.set(Person::new(tell));
    }

    /// Returns whether a person sits at the command's terminal.
    pub(crate) fn attended(&self) -> bool {
        self.person.get().is_some()
    }

    fn deadline(&self) -> MutexGuard<'_, Deadline> {
        self.deadline.lock()
    }

    /// Starts the clock of `limits.wall`, which runs until the returned value is dropped.
    #[must_use]
    pub(crate) fn clock(self: &Arc<Self>) -> Clock {
        self.held.forget();
        self.set(&mut self.deadline(), Some(self.wall));
        Clock(self.clone())
    }

    /// Stops the clock. Returns the time that was left, if it was running.
    pub(crate) fn stop_clock(self: &Arc<Self>) -> Option<Duration> {
        let mut deadline = self.deadline();
        let left = deadline.at.map(|at| at.saturating_duration_since(Instant::now()));
        self.set(&mut deadline, None);
        left
    }

    /// Starts the clock again, with this much time left.
    pub(crate) fn restart_clock(self: &Arc<Self>, left: Duration) {
        self.set(&mut self.deadline(), Some(left));
    }

    /// Sets the deadline, or removes it. The ticker's thread ends the command then, so the limit is punctual even if
    /// the runtime that polls the processes is busy.
    fn set(self: &Arc<Self>, deadline: &mut Deadline, after: Option<Duration>) {
        deadline.number += 1;
        let (number, running) = (deadline.number, Arc::downgrade(self));
        // A time that the clock cannot represent never comes.
        deadline.at = after.filter(|_| !deadline.over).and_then(|after| Instant::now().checked_add(after));
        deadline.alarm = deadline.at.map(|at| {
            self.ticker.at(at, move || {
                if let Some(running) = running.upgrade() {
                    running.time_over(number);
                }
            })
        });
    }

    /// Ends the command, if the deadline with this number still applies.
    fn time_over(self: &Arc<Self>, number: u64) {
        let mut deadline = self.deadline();
        if deadline.number == number {
            self.hit_time_at(Limit::Wall, &mut deadline);
        }
    }

    /// Stops the clock, because the command waits for a person.
    pub(crate) fn pause(self: &Arc<Self>) {
        self.held.forget();
        self.set(&mut self.deadline(), None);
    }

    /// Notes that the person typed something, whether a program waits for it or not.
    pub(crate) fn typed(&self) {
        if let Some(person) = self.person.get() {
            person.typed.store(true, Ordering::Relaxed);
        }
    }

    /// Restarts the limits on time and output, because a person typed something.
    pub(crate) fn renew(self: &Arc<Self>) {
        self.typed();
        if let Some(person) = self.person.get() {
            person.lines.fetch_add(1, Ordering::Relaxed);
            person.warned.store(false, Ordering::Relaxed);
        }
        self.cpu.store(0, Ordering::Relaxed);
        self.denials.store(0, Ordering::Relaxed);
        self.held.forget();
        self.set(&mut self.deadline(), Some(self.wall));
    }

    /// Returns how often the limits were restarted.
    pub(crate) fn lines(&self) -> u64 {
        self.person.get().map_or(0, |person| person.lines.load(Ordering::Relaxed))
    }

    /// Handles a hit of a time limit. With a person at the terminal who has typed something, the shell's program is ended
    /// and the shell interrupted. If that does not bring it back to its prompt, or if no key was typed, everything ends.
    fn hit_time(self: &Arc<Self>, limit: Limit) {
        self.hit_time_at(limit, &mut self.deadline());
    }

    fn hit_time_at(self: &Arc<Self>, limit: Limit, deadline: &mut Deadline) {
        let typed = |person: &&Person| person.typed.load(Ordering::Relaxed);
        let Some(person) = self.person.get().filter(typed).filter(|person| !person.warned.swap(true, Ordering::Relaxed)) else {
            self.hit(limit);
            return;
        };
        let (value, rule) = (self.value(limit), self.rule(limit));
        self.receipts.limit(0, &format!("{limit} = {value}"), &rule);
        (person.tell)(&format!("wisp: ended by {limit} = {value} (set by {rule})\n"));
        for (number, process) in self.processes().iter().enumerate() {
            match number {
                0 => process.send(Signal::Interrupt),
                _ => process.doom(ExitStatus::TimedOut),
            }
        }
        self.cpu.store(self.cpu_limit.saturating_sub(PATIENCE.as_nanos() as u64), Ordering::Relaxed);
        self.set(deadline, Some(PATIENCE));
    }

    /// Returns whether `status` is that of a process which ended because the host interrupted the command.
    pub(crate) fn ended_by_interrupt(&self, status: ExitStatus) -> bool {
        // A program that cleans up first often ends with this code itself.
        self.interrupted.load(Ordering::Relaxed) && status.code() == ExitStatus::Signaled(Signal::Interrupt).code()
    }

    /// Sends a signal to the processes that Ctrl-C would reach.
    pub(crate) fn signal_foreground(&self, signal: Signal) {
        if signal == Signal::Interrupt {
            self.interrupted.store(true, Ordering::Relaxed);
        }
        let Some(foreground) = self.processes().first().map(|first| first.foreground()) else { return };
        self.processes.send_to_group(foreground, signal);
    }

    /// Sends a signal to each of its processes, to those in the background and in process groups of their own too.
    pub(crate) fn signal_all(&self, signal: Signal) {
        self.processes().iter().for_each(|process| process.send(signal));
    }

    fn rule(&self, limit: Limit) -> String {
        match (&self.wall_rule, limit) {
            (Some(rule), Limit::Wall) => rule.clone(),
            _ => self.policy.rule(limit.into()).to_string(),
        }
    }

    /// Handles a hit of a limit: names it, and ends the command if it must. Wall clock, processor time, instructions
    /// and output end the whole command; memory and the number of processes end the process that asked, which the
    /// caller does.
    pub(crate) fn hit(&self, limit: Limit) {
        self.note(0, limit, true);
        match limit {
            Limit::Wall => self.end_limited(ExitStatus::TimedOut),
            Limit::Cpu | Limit::Instructions | Limit::Stdout | Limit::Stderr | Limit::Denials => {
                self.end_limited(ExitStatus::Signaled(Signal::Kill));
            }
            Limit::Memory | Limit::Processes => {}
        }
    }

    /// Records the limit, with a receipt, unless that was done when it was reached.
    fn note(&self, process: u32, limit: Limit, ended: bool) {
        let mut hit = self.hit.lock();
        match &mut *hit {
            Some(known) if known.limit == limit && !known.ended => {
                known.ended = ended;
                return;
            }
            Some(known) if known.ended => {}
            // A limit that ended the command replaces one that was only reached.
            known => *known = Some(LimitHit { limit, value: self.value(limit), rule: self.rule(limit), ended }),
        }
        drop(hit);
        let (value, rule) = (self.value(limit), self.rule(limit));
        let hit = || LimitHit { limit, value: value.clone(), rule: rule.clone(), ended };
        self.receipts.tell(|| EventKind::Limit { limit: hit() });
        tracing::info!(%limit, value, "a limit was reached");
        self.receipts.limit(process, &format!("{limit} = {value}"), &rule);
    }

    /// Records that `limits.memory` refused a process memory, even if the program continues.
    pub(crate) fn starve(&self, process: u32) {
        let name = self.processes.get(process).map_or_else(|| "a process".into(), |process| process.name());
        if self.starved.set(name).is_ok() {
            self.note(process, Limit::Memory, false);
        }
    }

    /// Returns the message about refused memory for a process's standard error, if none has written it before.
    pub(crate) fn starved(&self) -> Option<String> {
        let name = self.starved.get().filter(|_| !self.starved_said.swap(true, Ordering::Relaxed))?;
        let (value, rule) = (self.value(Limit::Memory), self.rule(Limit::Memory));
        // A guest may read the standard error of another.
        let rule = rule_for_guests(&rule);
        Some(format!("limits.memory = {value} was reached: {name} was refused memory (set by {rule})"))
    }

    /// Records output that was taken.
    pub(crate) fn took(&self, channel: Channel, bytes: &[u8]) {
        self.receipts.tell(|| EventKind::Output { stream: channel.stream(), data: Bytes::copy_from_slice(bytes) });
    }

    /// Returns the refused attempts so far.
    pub(crate) fn denials(&self) -> u64 {
        self.denials.load(Ordering::Relaxed)
    }

    /// Counts a refused attempt, and ends a command with too many.
    pub(crate) fn denied(&self) {
        if self.denials.fetch_add(1, Ordering::Relaxed) + 1 == self.policy.limits().denials {
            self.hit(Limit::Denials);
        }
    }

    /// Returns the limit that was hit.
    pub(crate) fn limit_hit(&self) -> Option<LimitHit> {
        self.hit.lock().clone()
    }

    /// Returns whether a limit ended the whole command.
    pub(crate) fn ended_by_limit(&self) -> bool {
        self.limited.load(Ordering::Relaxed)
    }

    /// Returns how the whole command was ended, if it was: by a limit or from outside.
    pub(crate) fn ended(&self) -> Option<ExitStatus> {
        *self.ended.borrow()
    }

    /// Waits until the whole command is being ended.
    pub(crate) async fn wait_ended(&self) {
        // This value owns the sender, so waiting cannot fail.
        let _ = self.ended.subscribe().wait_for(Option::is_some).await;
    }

    /// Ends every process of the command because of a limit.
    fn end_limited(&self, status: ExitStatus) {
        if self.ended().is_none() {
            self.limited.store(true, Ordering::Relaxed);
        }
        self.end_all(status);
    }

    /// Ends every process of the command.
    pub(crate) fn end_all(&self, status: ExitStatus) {
        self.ended.send_if_modified(|ended| ended.is_none() && ended.replace(status).is_none());
        for process in self.processes.of_command(self.command) {
            process.doom(status);
        }
    }

    /// Returns the command's processes that still run.
    pub(crate) fn processes(&self) -> Vec<Arc<Process>> {
        self.processes.of_command(self.command)
    }

    /// Counts a process that was started, and ends it immediately if the command is being ended.
    pub(crate) fn enter(&self, process: &Process) {
        self.started.fetch_add(1, Ordering::Relaxed);
        if let Some(status) = self.ended() {
            process.doom(status);
        }
    }

    /// Returns the number of processes started so far.
    pub(crate) fn started(&self) -> u64 {
        self.started.load(Ordering::Relaxed)
    }

    /// Counts processor time that a process used, and ends the command when it is too much.
    pub(crate) fn charge(self: &Arc<Self>, nanoseconds: u64) {
        let before = self.cpu.fetch_add(nanoseconds, Ordering::Relaxed);
        if before <= self.cpu_limit && before.saturating_add(nanoseconds) > self.cpu_limit {
            self.hit_time(Limit::Cpu);
        }
    }

    /// Returns the processor time so far.
    pub(crate) fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu.load(Ordering::Relaxed))
    }

    /// Returns the fuel left for the command, in wasmtime's units.
    pub(crate) fn fuel(&self) -> u64 {
        self.fuel.load(Ordering::Relaxed)
    }

    /// Subtracts the fuel that a process burned. Returns whether that was the last.
    pub(crate) fn burn(&self, amount: u64) -> bool {
        // The closure always returns `Some`, so the update cannot fail.
        let before = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(amount)));
        (1..=amount).contains(&before.unwrap_or(0))
    }

    /// Returns a limit's value, as a policy writes it.
    pub(crate) fn value(&self, limit: Limit) -> String {
        let limits = self.policy.limits();
        match limit {
            Limit::Wall => time_text(self.wall),
            Limit::Cpu => time_text(limits.cpu),
            Limit::Memory => size_text(limits.memory),
            Limit::Instructions => limits.instructions.to_string(),
            Limit::Processes => limits.processes.to_string(),
            Limit::Stdout => size_text(limits.stdout),
            Limit::Stderr => size_text(limits.stderr),
            Limit::Denials => limits.denials.to_string(),
        }
    }
}

/// Returns a time limit in whole seconds, or otherwise in milliseconds, as a policy accepts it. A host program can set finer
/// limits than a policy.
fn time_text(time: Duration) -> String {
    let fine = !time.subsec_nanos().is_multiple_of(1_000_000);
    if fine || time.subsec_nanos() == 0 { format!("{time:?}") } else { format!("{}ms", time.as_millis()) }
}

/// Ends a command when it is dropped: its processes, and everything that the host does for it. One exists for each command
/// and each interpreter from the first process on.
pub(crate) struct EndOnDrop(pub Arc<CommandRun>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end_all(ExitStatus::Signaled(Signal::Kill));
        self.0.tasks.close();
    }
}

#[cfg(test)]
#[path = "command_run_tests.rs"]
pub(crate) mod tests;
