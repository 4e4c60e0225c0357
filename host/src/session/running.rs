//! A command while it runs: which limits hold for it, which was hit, what it used.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::outcome::LimitHit;
use super::receipt::{Receipts, Verdict};
use crate::engine::CpuMeter;
use crate::policy::Policy;
use crate::process::{ExitStatus, Process, ProcessTable, Signal};

/// A command while it runs.
pub(super) struct Running {
    pub group: u64,
    policy: Arc<Policy>,
    processes: Arc<ProcessTable>,
    receipts: Arc<Receipts>,
    cpu: AtomicU64,
    cpu_limit: u64,
    /// Fuel left for the command's processes; without end where `limits.instructions` sets none.
    fuel: AtomicU64,
    started: AtomicU64,
    hit: Mutex<Option<LimitHit>>,
    /// Set once the whole command is being ended: a process entered after that ends at once.
    ended: Mutex<Option<ExitStatus>>,
    /// A time limit of the command's own, where it is shorter than the policy's.
    pub wall: Duration,
    wall_rule: Option<String>,
}

impl Running {
    pub(super) fn new(
        group: u64,
        policy: Arc<Policy>,
        processes: Arc<ProcessTable>,
        receipts: Arc<Receipts>,
        timeout: Option<Duration>,
    ) -> Arc<Running> {
        let limits = *policy.limits();
        let own = timeout.filter(|timeout| *timeout < limits.wall);
        Arc::new(Running {
            group,
            processes,
            receipts,
            cpu: AtomicU64::new(0),
            cpu_limit: u64::try_from(limits.cpu.as_nanos()).unwrap_or(u64::MAX),
            fuel: AtomicU64::new(if limits.instructions == 0 { u64::MAX } else { limits.instructions }),
            started: AtomicU64::new(0),
            hit: Mutex::default(),
            ended: Mutex::default(),
            wall: own.unwrap_or(limits.wall),
            wall_rule: own.map(|_| "host program".to_owned()),
            policy,
        })
    }

    /// A limit was hit: name it, and end what it ends. Wall clock, processor time, instructions and output end the
    /// whole command; memory and the number of processes end the process that asked, which is the caller's to do.
    pub(super) fn hit(&self, limit: &'static str) {
        let rule = match (&self.wall_rule, limit) {
            (Some(rule), "limits.wall") => rule.clone(),
            _ => self.policy.rule(limit).to_string(),
        };
        let value = self.value(limit);
        self.receipts.record(0, "limit", &format!("{limit} = {value}"), Verdict::Denied, &rule);
        tracing::info!(limit, value, "a limit was hit");
        self.hit.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(LimitHit { limit, value, rule });
        match limit {
            "limits.wall" => self.end_all(ExitStatus::TimedOut),
            "limits.cpu" | "limits.instructions" | "limits.stdout" | "limits.stderr" => {
                self.end_all(ExitStatus::Signaled(Signal::Kill));
            }
            _ => {}
        }
    }

    /// The first limit that was hit.
    pub(super) fn limit_hit(&self) -> Option<LimitHit> {
        self.hit.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How the whole command was ended, if it was: by a limit, or from outside.
    pub(super) fn ended(&self) -> Option<ExitStatus> {
        *self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// End every process of the command.
    pub(super) fn end_all(&self, status: ExitStatus) {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(status);
        for process in self.processes.of_group(self.group) {
            process.doom(status);
        }
    }

    /// Whether processes of the command still run.
    pub(super) fn processes(&self) -> Vec<Arc<Process>> {
        self.processes.of_group(self.group)
    }

    /// A process was started: count it, and end it at once if the command is being ended.
    pub(super) fn enter(&self, process: &Process) {
        self.started.fetch_add(1, Ordering::Relaxed);
        if let Some(status) = self.ended() {
            process.doom(status);
        }
    }

    /// Processes started so far.
    pub(super) fn started(&self) -> u64 {
        self.started.load(Ordering::Relaxed)
    }

    /// Processor time so far.
    pub(super) fn cpu(&self) -> Duration {
        Duration::from_nanos(self.cpu.load(Ordering::Relaxed))
    }

    /// Fuel that is left for the command, in wasmtime's units.
    pub(super) fn fuel(&self) -> u64 {
        self.fuel.load(Ordering::Relaxed)
    }

    /// A process burned this much.
    pub(super) fn burn(&self, amount: u64) {
        // The closure always answers, so the update cannot fail.
        let _ = self.fuel.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(amount)));
    }

    fn value(&self, limit: &str) -> String {
        let limits = self.policy.limits();
        match limit {
            "limits.wall" => format!("{:?}", self.wall),
            "limits.cpu" => format!("{:?}", limits.cpu),
            "limits.memory" => bytes(limits.memory),
            "limits.instructions" => limits.instructions.to_string(),
            "limits.processes" => limits.processes.to_string(),
            "limits.stdout" => bytes(limits.stdout),
            "limits.stderr" => bytes(limits.stderr),
            _ => String::new(),
        }
    }
}

/// A size as a policy writes it.
fn bytes(count: u64) -> String {
    [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)]
        .into_iter()
        .find(|(_, unit)| count >= *unit && count.is_multiple_of(*unit))
        .map_or_else(|| format!("{count}B"), |(name, unit)| format!("{}{name}", count / unit))
}

/// Counts a process's time, and ends the command when it has used too much.
pub(super) struct ProcessMeter {
    pub running: Arc<Running>,
    pub process: Arc<Process>,
}

impl CpuMeter for ProcessMeter {
    fn used(&self, nanoseconds: u64) {
        self.process.add_cpu(nanoseconds);
        let before = self.running.cpu.fetch_add(nanoseconds, Ordering::Relaxed);
        let limit = self.running.cpu_limit;
        if before <= limit && before.saturating_add(nanoseconds) > limit {
            self.running.hit("limits.cpu");
        }
    }
}
