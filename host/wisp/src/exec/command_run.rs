//! A command while it runs: which limits hold for it, which was hit, what it used.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;

use crate::exec::hold::Held;
use crate::exec::output::Channel;
use crate::outcome::document::LimitDocument;
use crate::outcome::event::Happening;
use crate::outcome::limit::Limit;
use crate::outcome::receipts::Receipts;
use crate::outcome::result::LimitHit;
use crate::runtime::{Alarm, CpuMeter, Ticker};
use wisp_policy::{Policy, size_text};
use wisp_process::{ExitStatus, Process, ProcessTable, Signal};

/// A command while it runs.
pub(crate) struct Running {
    pub command: u64,
    policy: Arc<Policy>,
    processes: Arc<ProcessTable>,
    receipts: Arc<Receipts>,
    cpu: AtomicU64,
    cpu_limit: u64,
    /// Fuel left for the command's processes; without end where `limits.instructions` sets none.
    fuel: AtomicU64,
    started: AtomicU64,
    hit: Mutex<Option<LimitHit>>,
    /// Attempts that were refused.
    denials: AtomicU64,
    /// The name of the first process that was refused memory.
    starved: OnceLock<Arc<str>>,
    /// Whether a process's standard error says so.
    starved_said: AtomicBool,
    /// Set once the whole command is being ended: a process entered after that ends at once.
    ended: watch::Sender<Option<ExitStatus>>,
    /// A time limit of the command's own, where it is shorter than the policy's.
    pub wall: Duration,
    wall_rule: Option<String>,
    /// Calls when its time is over.
    ticker: Ticker,
    deadline: Mutex<Deadline>,
    /// Processes that wait for machine code.
    pub held: Held,
    /// Lines that a person has typed, each of which has all of the limits; nothing where no person types.
    person: OnceLock<Person>,
}

/// When a command's time is over.
#[derive(Default)]
struct Deadline {
    /// How often it was set: a call for an earlier one means nothing.
    number: u64,
    /// When the time is over; nothing while the clock stands still.
    at: Option<Instant>,
    /// What calls then; nothing while the command waits for a person.
    alarm: Option<Alarm>,
    /// The command has come to its end, and no time counts any more.
    over: bool,
}

/// While it lives, the clock of `limits.wall` may run.
pub(crate) struct Clock(Arc<Running>);

impl Drop for Clock {
    fn drop(&mut self) {
        let mut deadline = self.0.deadline();
        deadline.over = true;
        self.0.set(&mut deadline, None);
    }
}

/// What is particular about a command that a person sits at.
pub(crate) struct Person {
    lines: AtomicU64,
    /// Whether the limit of the present line was hit, and what ran was ended.
    warned: AtomicBool,
    /// Takes a word to the person.
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Person {
    /// The person whom `tell` writes to.
    fn new(tell: impl Fn(&str) + Send + Sync + 'static) -> Person {
        Person { lines: AtomicU64::new(0), warned: AtomicBool::new(false), tell: Box::new(tell) }
    }
}

/// How long the first process of a person's command, a shell, has to ask for the next line once a limit ended what ran.
const PATIENCE: Duration = Duration::from_secs(2);

impl Running {
    pub(crate) fn new(
        command: u64,
        policy: Arc<Policy>,
        processes: Arc<ProcessTable>,
        receipts: Arc<Receipts>,
        ticker: Ticker,
        timeout: Option<Duration>,
    ) -> Arc<Running> {
        let limits = *policy.limits();
        let own = timeout.filter(|timeout| *timeout < limits.wall);
        Arc::new(Running {
            command,
            processes,
            receipts,
            cpu: AtomicU64::new(0),
            cpu_limit: u64::try_from(limits.cpu.as_nanos()).unwrap_or(u64::MAX),
            fuel: AtomicU64::new(if limits.instructions == 0 { u64::MAX } else { limits.instructions }),
            started: AtomicU64::new(0),
            hit: Mutex::default(),
            denials: AtomicU64::new(0),
            starved: OnceLock::new(),
            starved_said: AtomicBool::new(false),
            ended: watch::Sender::new(None),
            wall: own.unwrap_or(limits.wall),
            wall_rule: own.map(|_| "host program".to_owned()),
            ticker,
            deadline: Mutex::default(),
            held: Held::default(),
            person: OnceLock::new(),
            policy,
        })
    }

    /// A person sits at it, whom `tell` writes to.
    pub(crate) fn attend(&self, tell: impl Fn(&str) + Send + Sync + 'static) {
        // Said once, when it begins.
        let _ = self.person.set(Person::new(tell));
    }

    /// Whether a person sits at it.
    pub(crate) fn attended(&self) -> bool {
        self.person.get().is_some()
    }

    fn deadline(&self) -> MutexGuard<'_, Deadline> {
        self.deadline.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The clock of `limits.wall` runs from now on, until what this gives is dropped.
    #[must_use]
    pub(crate) fn clock(self: &Arc<Self>) -> Clock {
        self.held.forget();
        self.set(&mut self.deadline(), Some(self.wall));
        Clock(self.clone())
    }

    /// The clock stands still; what was left, if it ran.
    pub(crate) fn stop_clock(self: &Arc<Self>) -> Option<Duration> {
        let mut deadline = self.deadline();
        let left = deadline.at.map(|at| at.saturating_duration_since(Instant::now()));
        self.set(&mut deadline, None);
        left
    }

    /// The clock runs from now on, with this much left.
    pub(crate) fn restart_clock(self: &Arc<Self>, left: Duration) {
        self.set(&mut self.deadline(), Some(left));
    }

    /// The time is over after this much, or never. The ticker's thread ends the command then: whatever the runtime that
    /// polls its processes is busy with, the limit is not late.
    fn set(self: &Arc<Self>, deadline: &mut Deadline, after: Option<Duration>) {
        deadline.number += 1;
        let (number, running) = (deadline.number, Arc::downgrade(self));
        // A time that no clock reaches never comes.
        deadline.at = after.filter(|_| !deadline.over).and_then(|after| Instant::now().checked_add(after));
        deadline.alarm = deadline.at.map(|at| {
            self.ticker.at(at, move || {
                if let Some(running) = running.upgrade() {
                    running.time_over(number);
                }
            })
        });
    }

    /// The time that was set as this one is over.
    fn time_over(self: &Arc<Self>, number: u64) {
        let mut deadline = self.deadline();
        if deadline.number == number {
            self.hit_time_at(Limit::Wall, &mut deadline);
        }
    }

    /// It waits for a person: the clock stands still.
    pub(crate) fn pause(self: &Arc<Self>) {
        self.held.forget();
        self.set(&mut self.deadline(), None);
    }

    /// A person typed something: the limits on time and output count from here.
    pub(crate) fn renew(self: &Arc<Self>) {
        if let Some(person) = self.person.get() {
            person.lines.fetch_add(1, Ordering::Relaxed);
            person.warned.store(false, Ordering::Relaxed);
        }
        self.cpu.store(0, Ordering::Relaxed);
        self.denials.store(0, Ordering::Relaxed);
        self.held.forget();
        self.set(&mut self.deadline(), Some(self.wall));
    }

    /// How often the limits were renewed.
    pub(crate) fn lines(&self) -> u64 {
        self.person.get().map_or(0, |person| person.lines.load(Ordering::Relaxed))
    }

    /// A limit on time was hit. What a person's shell runs is ended and the shell interrupted; if that does not bring it back
    /// to its prompt, or nobody is there, everything ends.
    fn hit_time(self: &Arc<Self>, limit: Limit) {
        self.hit_time_at(limit, &mut self.deadline());
    }

    fn hit_time_at(self: &Arc<Self>, limit: Limit, deadline: &mut Deadline) {
        let Some(person) = self.person.get().filter(|person| !person.warned.swap(true, Ordering::Relaxed)) else {
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

    /// Send a signal to the processes that Ctrl-C is for.
    pub(crate) fn signal_foreground(&self, signal: Signal) {
        let Some(foreground) = self.processes().first().map(|first| first.foreground()) else { return };
        self.processes.send_to_group(foreground, signal);
    }

    fn rule(&self, limit: Limit) -> String {
        match (&self.wall_rule, limit) {
            (Some(rule), Limit::Wall) => rule.clone(),
            _ => self.policy.rule(limit.as_str()).to_string(),
        }
    }

    /// A limit was hit: name it, and end what it ends. Wall clock, processor time, instructions and output end the
    /// whole command; memory and the number of processes end the process that asked, which is the caller's to do.
    pub(crate) fn hit(&self, limit: Limit) {
        self.note(0, limit, true);
        match limit {
            Limit::Wall => self.end_all(ExitStatus::TimedOut),
            Limit::Cpu | Limit::Instructions | Limit::Stdout | Limit::Stderr | Limit::Denials => {
                self.end_all(ExitStatus::Signaled(Signal::Kill));
            }
            Limit::Memory | Limit::Processes => {}
        }
    }

    /// Name a limit, with a receipt, unless that was done when it was reached.
    fn note(&self, process: u32, limit: Limit, ended: bool) {
        let mut hit = self.hit.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *hit {
            Some(known) if known.limit == limit && !known.ended => {
                known.ended = ended;
                return;
            }
            Some(known) if known.ended => {}
            // What ended it says more than what was only reached.
            known => *known = Some(LimitHit { limit, value: self.value(limit), rule: self.rule(limit), ended }),
        }
        drop(hit);
        let (value, rule) = (self.value(limit), self.rule(limit));
        let document = || LimitDocument { limit: limit.to_string(), value: value.clone(), rule: rule.clone(), ended };
        self.receipts.tell(|| Happening::Limit { limit: document() });
        tracing::info!(%limit, value, "a limit was reached");
        self.receipts.limit(process, &format!("{limit} = {value}"), &rule);
    }

    /// `limits.memory` refused a process memory: it is named, whatever the program makes of that.
    pub(crate) fn starve(&self, process: u32) {
        let name = self.processes.get(process).map_or_else(|| "a process".into(), |process| process.name());
        if self.starved.set(name).is_ok() {
            self.note(process, Limit::Memory, false);
        }
    }

    /// What a process's standard error says of memory that was refused, if none said it before.
    pub(crate) fn starved(&self) -> Option<String> {
        let name = self.starved.get().filter(|_| !self.starved_said.swap(true, Ordering::Relaxed))?;
        let (value, rule) = (self.value(Limit::Memory), self.rule(Limit::Memory));
        Some(format!("limits.memory = {value} was reached: {name} was refused memory (set by {rule})"))
    }

    /// Output was taken.
    pub(crate) fn took(&self, channel: Channel, bytes: &[u8]) {
        self.receipts.tell(|| Happening::output(channel.stream(), bytes));
    }

    /// An attempt was refused: count it, and end the command that tries too often.
    pub(crate) fn denied(&self) {
        if self.denials.fetch_add(1, Ordering::Relaxed) + 1 == self.policy.limits().denials {
            self.hit(Limit::Denials);
        }
    }

    /// The limit that was hit.
    pub(crate) fn limit_hit(&self) -> Option<LimitHit> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How the whole command was ended, if it was: by a limit, or from outside.
    pub(crate) fn ended(&self) -> Option<ExitStatus> {
        *self.ended.borrow()
    }

    /// Wait until the whole command is being ended.
    pub(crate) async fn wait_ended(&self) {
        // The sender is this value's own, so that it cannot be gone.
        let _ = self.ended.subscribe().wait_for(Option::is_some).await;
    }

    /// End every process of the command.
    pub(crate) fn end_all(&self, status: ExitStatus) {
        self.ended.send_if_modified(|ended| ended.is_none() && ended.replace(status).is_none());
        for process in self.processes.of_command(self.command) {
            process.doom(status);
        }
    }

    /// Whether processes of the command still run.
    pub(crate) fn processes(&self) -> Vec<Arc<Process>> {
        self.processes.of_command(self.command)
    }

    /// A process was started: count it, and end it at once if the command is being ended.
    pub(crate) fn enter(&self, process: &Process) {
        self.started.fetch_add(1, Ordering::Relaxed);
        if let Some(status) = self.ended() {
            process.doom(status);
        }
    }

    /// Processes started so far.
    pub(crate) fn started(&self) -> u64 {
        self.started.load(Ordering::Relaxed)
    }

    /// Processor time so far.
    pub(crate) fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu.load(Ordering::Relaxed))
    }

    /// Fuel that is left for the command, in wasmtime's units.
    pub(crate) fn fuel(&self) -> u64 {
        self.fuel.load(Ordering::Relaxed)
    }

    /// A process burned this much; whether that was the last of it.
    pub(crate) fn burn(&self, amount: u64) -> bool {
        // The closure always answers, so the update cannot fail.
        let before = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(amount)));
        (1..=amount).contains(&before.unwrap_or(0))
    }

    /// A limit's value, as a policy writes it.
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

/// A time limit in whole seconds, or else in milliseconds, as a policy accepts it. What a host program sets may be finer than
/// a policy can say.
fn time_text(time: Duration) -> String {
    let fine = !time.subsec_nanos().is_multiple_of(1_000_000);
    if fine || time.subsec_nanos() == 0 { format!("{time:?}") } else { format!("{}ms", time.as_millis()) }
}

/// Ends a command's processes when whoever waits for it goes away.
pub(crate) struct EndOnDrop(pub Arc<Running>);

impl Drop for EndOnDrop {
    fn drop(&mut self) {
        self.0.end_all(ExitStatus::Signaled(Signal::Kill));
    }
}

/// Counts a process's time, and ends the command when it has used too much.
pub(crate) struct ProcessMeter {
    running: Arc<Running>,
    process: Arc<Process>,
}

impl ProcessMeter {
    /// For a process of a command.
    pub(crate) fn of(running: &Arc<Running>, process: &Arc<Process>) -> Arc<dyn CpuMeter> {
        Arc::new(ProcessMeter { running: running.clone(), process: process.clone() })
    }
}

impl CpuMeter for ProcessMeter {
    fn used(&self, nanoseconds: u64) {
        self.process.add_cpu(nanoseconds);
        let before = self.running.cpu.fetch_add(nanoseconds, Ordering::Relaxed);
        let limit = self.running.cpu_limit;
        if before <= limit && before.saturating_add(nanoseconds) > limit {
            self.running.hit_time(Limit::Cpu);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::commands::Commands;
    use crate::outcome::receipts::Sinks;

    fn running(policy: &Policy, timeout: Option<Duration>) -> Arc<Running> {
        let processes = Arc::new(ProcessTable::new());
        let commands = Commands::new(processes.clone());
        let receipts = Arc::new(Receipts::new("s".to_owned(), Sinks::default(), Arc::new(|| 0), commands));
        Running::new(1, Arc::new(policy.clone()), processes, receipts, Ticker::default(), timeout)
    }

    #[test]
    fn a_time_limit_is_reported_in_a_form_that_a_policy_accepts() {
        for (written, reported) in [("1500ms", "1500ms"), ("250ms", "250ms"), ("2s", "2s"), ("90s", "90s"), ("2m", "120s")] {
            let policy = Policy::offline().with_value("limits.wall", written).unwrap().with_value("limits.cpu", written).unwrap();
            let running = running(&policy, None);
            for limit in [Limit::Wall, Limit::Cpu] {
                let value = running.value(limit);
                assert_eq!(value, reported);
                let again = Policy::offline().with_value("limits.wall", &value).unwrap();
                assert_eq!(again.limits().wall, policy.limits().wall);
            }
        }
    }

    #[test]
    fn a_timeout_of_the_host_program_is_reported_as_exactly_as_it_was_set() {
        let running = running(&Policy::offline(), Some(Duration::from_micros(1_500)));
        assert_eq!(running.value(Limit::Wall), "1.5ms");
    }
}
