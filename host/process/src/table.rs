//! The process table of a session: the running processes, their parents, and how each ended.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::{Mutex, MutexGuard};
use tokio::sync::watch;

use super::fifo::Fifos;
use super::handle::{Foreground, Process, cut};
use super::limits::{Limited, Limits, MemoryGauge};
use super::lock::FileLocks;
use super::rights::Rights;
use super::shown::Shown;
use super::signals::{SignalSet, Signals};
use super::socket::Loopback;
use super::spawn::{Attributes, SpawnError};
use super::status::{ExitStatus, Signal};

/// A process's entry in the table, held by the task that runs it. Dropping it frees the entry, even when the task
/// fails, so that no wait lasts forever and no entry is lost.
pub struct Row {
    table: Arc<ProcessTable>,
    process: Arc<Process>,
    status: ExitStatus,
}

impl Row {
    /// Returns the process.
    pub fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// Ends it with this status.
    pub fn leave(mut self, status: ExitStatus) {
        self.status = status;
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        self.table.leave(&self.process, self.status);
    }
}

/// The permission bits that files created by a command's first process do not get.
const UMASK: u32 = 0o022;

#[derive(Default)]
struct Rows {
    last: u32,
    running: BTreeMap<u32, Arc<Process>>,
    /// Those that have ended while their parent runs, until it knows how or gives up its handle ([`super::ChildHandle`]), which keeps,
    /// and is charged for, what this keeps.
    ended: BTreeMap<u32, Arc<Process>>,
}

impl Rows {
    /// Returns whether a process of this command is in the process group.
    fn has_group(&self, group: u32, command: u64) -> bool {
        self.running.values().any(|other| other.group() == group && other.command == command)
    }

    /// Returns an id that no process has.
    fn free(&mut self) -> u32 {
        loop {
            self.last = self.last.checked_add(1).unwrap_or(1);
            if !self.running.contains_key(&self.last) && !self.ended.contains_key(&self.last) {
                return self.last;
            }
        }
    }
}

/// The first pipe's number; those below belong to the command's streams.
const FIRST_PIPE: u64 = 16;

/// The running processes of a session.
#[derive(Default)]
pub struct ProcessTable {
    rows: Mutex<Rows>,
    pipes: AtomicU64,
    locks: Arc<FileLocks>,
    fifos: Arc<Fifos>,
    loopback: Arc<Loopback>,
}

impl ProcessTable {
    /// Creates an empty table.
    pub fn new() -> Self {
        Self::default()
    }

    fn lock(&self) -> MutexGuard<'_, Rows> {
        // Every change is one insert or remove: a panic elsewhere cannot leave the map half changed.
        self.rows.lock()
    }

    /// Returns a number for a new pipe, as `stat` shows it. It distinguishes the pipes of this session and reveals nothing
    /// about the host.
    pub fn pipe_number(&self) -> u64 {
        FIRST_PIPE + self.pipes.fetch_add(1, Ordering::Relaxed)
    }

    /// Returns the file locks that its processes hold.
    pub fn file_locks(&self) -> &Arc<FileLocks> {
        &self.locks
    }

    /// Returns the named pipes that its processes have open.
    pub fn fifos(&self) -> &Arc<Fifos> {
        &self.fifos
    }

    /// Returns the sockets between its processes.
    pub fn loopback(&self) -> &Arc<Loopback> {
        &self.loopback
    }

    /// Enters a process, unless `limit` are already running. It inherits its process group, umask, ignored signals,
    /// rights and limits from its parent.
    pub fn enter(self: &Arc<Self>, parent: u32, command: u64, name: &str, limit: u32) -> Option<Row> {
        self.enter_with(parent, command, name, limit, Attributes::default()).ok()
    }

    /// Works like `enter`, with attributes of its own from the beginning. A parent that a signal has ended cannot start
    /// another process: a signal to a process group reaches either the process that is being started in it, or the
    /// process that starts it.
    ///
    /// # Errors
    /// `Limit`, `NoRoom` (the parent's own limit), `NoGroup` and `Ending`.
    pub fn enter_with(
        self: &Arc<Self>,
        parent: u32,
        command: u64,
        name: &str,
        limit: u32,
        attributes: Attributes,
    ) -> Result<Row, SpawnError> {
        let mut rows = self.lock();
        if rows.running.len() >= limit as usize {
            return Err(SpawnError::Limit);
        }
        let from = rows.running.get(&parent).cloned();
        if from.as_ref().is_some_and(|from| from.doomed().is_some()) {
            return Err(SpawnError::Ending);
        }
        let limits = from.as_ref().map_or_else(Limits::default, |from| from.limits_of_children());
        if rows.running.len() as u64 >= limits.of(Limited::Processes).soft {
            return Err(SpawnError::NoRoom);
        }
        if attributes.group.is_some_and(|group| group != 0 && !rows.has_group(group, command)) {
            return Err(SpawnError::NoGroup);
        }
        let pid = rows.free();
        let leads = attributes.terminal.is_some();
        let group = attributes.group.or_else(|| from.as_ref().filter(|_| !leads).map(|from| from.group()));
        let group = group.filter(|group| *group != 0).unwrap_or(pid);
        let foreground = match (attributes.terminal, &from) {
            (None, Some(from)) => from.foreground.clone(),
            (terminal, _) => {
                let foreground = terminal.unwrap_or_default();
                foreground.set(group);
                foreground.lead(pid);
                foreground
            }
        };
        // The request to start a child says whether it ignores PIPE.
        let inherited = || from.as_ref().map_or(SignalSet::default(), |from| from.signals.ignored().without(Signal::Pipe));
        let process = Arc::new(Process {
            pid,
            parent,
            command,
            name: Mutex::new(cut(name)),
            shown: Shown::of(name),
            reaped: AtomicBool::new(false),
            group: group.into(),
            foreground,
            umask: attributes.umask.unwrap_or_else(|| from.as_ref().map_or(UMASK, |from| from.umask())).into(),
            signals: Signals::ignoring(attributes.ignored.unwrap_or_else(inherited)),
            rights: Mutex::new(from.as_ref().map_or_else(Rights::all, |from| from.rights())),
            doom: watch::Sender::new(None),
            status: watch::Sender::new(None),
            cpu: AtomicU64::new(0),
            children_cpu: AtomicU64::new(0),
            memory: Arc::new(MemoryGauge::default()),
            limits: Mutex::new(limits),
            child_limits: Mutex::default(),
        });
        process.set_limit(Limited::Memory, limits.of(Limited::Memory));
        rows.running.insert(process.pid, process.clone());
        // Dropped without a status: the task that ran it has failed.
        Ok(Row { table: self.clone(), process, status: ExitStatus::Signaled(Signal::Abort) })
    }

    /// Removes an ended process, wakes those that wait for it, and adds its time to its parent's.
    fn leave(&self, process: &Process, status: ExitStatus) {
        let parent = {
            let mut rows = self.lock();
            let own = rows.running.remove(&process.pid);
            // Nobody asks any more how its children ended.
            rows.ended.retain(|_, child| child.parent != process.pid);
            let parent = rows.running.get(&process.parent).cloned();
            if let Some(own) = own.filter(|own| parent.is_some() && !own.reaped.load(Ordering::Relaxed)) {
                rows.ended.insert(own.pid, own);
            }
            parent
        };
        if let Some(parent) = parent {
            let (own, children) = process.times();
            parent.children_cpu.fetch_add(own + children, Ordering::Relaxed);
            parent.signals.child_ended(|| {
                process.status.send_replace(Some(status));
            });
            return;
        }
        process.status.send_replace(Some(status));
    }

    /// Notes that the parent of this process knows how it ended, or will not ask: it is not listed once it has ended.
    pub(super) fn reap(&self, process: &Process) {
        let mut rows = self.lock();
        process.reaped.store(true, Ordering::Relaxed);
        rows.ended.remove(&process.pid);
    }

    /// Returns the process with this id, if it runs or its parent has not asked yet how it ended.
    pub fn find(&self, pid: u32) -> Option<Arc<Process>> {
        let rows = self.lock();
        rows.running.get(&pid).or_else(|| rows.ended.get(&pid)).cloned()
    }

    /// Returns the processes that [`ProcessTable::find`] finds, by id.
    pub fn listed(&self) -> Vec<Arc<Process>> {
        let rows = self.lock();
        let mut listed: Vec<_> = rows.running.values().chain(rows.ended.values()).cloned().collect();
        listed.sort_unstable_by_key(|process| process.pid);
        listed
    }

    /// Returns the running process with this id.
    pub fn get(&self, pid: u32) -> Option<Arc<Process>> {
        self.lock().running.get(&pid).cloned()
    }

    /// Returns all running processes, by id.
    pub fn running(&self) -> Vec<Arc<Process>> {
        self.lock().running.values().cloned().collect()
    }

    /// Returns the running processes of a process group.
    pub fn of_group(&self, group: u32) -> Vec<Arc<Process>> {
        self.lock().running.values().filter(|process| process.group() == group).cloned().collect()
    }

    /// Sends a signal to every process of a process group; returns whether the group exists. A process that enters
    /// the group in the meantime either receives the signal too, or has a parent that did.
    pub fn send_to_group(&self, group: u32, signal: Signal) -> bool {
        let rows = self.lock();
        let members = rows.running.values().filter(|process| process.group() == group);
        members.map(|process| process.send(signal)).count() > 0
    }

    /// Sends a signal to every process that the terminal with this foreground controls.
    pub fn send_to_terminal(&self, foreground: &Foreground, signal: Signal) {
        let rows = self.lock();
        rows.running.values().filter(|process| process.is_controlled_by(foreground)).for_each(|process| process.send(signal));
    }

    /// Moves a process into a process group: an existing one, or a new one named by the process's own id.
    pub fn set_group(&self, process: &Process, group: u32) -> bool {
        let group = if group == 0 { process.pid } else { group };
        let rows = self.lock();
        let exists = group == process.pid || rows.has_group(group, process.command);
        if exists {
            process.group.store(group, Ordering::Relaxed);
        }
        exists
    }

    /// Returns the running processes of one command.
    pub fn of_command(&self, command: u64) -> Vec<Arc<Process>> {
        self.lock().running.values().filter(|process| process.command == command).cloned().collect()
    }
}

#[cfg(test)]
#[path = "table_tests.rs"]
mod tests;
