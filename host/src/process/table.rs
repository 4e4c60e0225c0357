//! The process table of a session: who runs, who is whose child, how each ended.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::watch;

use super::signals::{SignalSet, Signals};
use super::spawn::{Attributes, SpawnError};
use super::status::{ExitStatus, Signal};

/// One process: its identity, how it is ended from outside, and how it ended.
pub struct Process {
    pid: u32,
    parent: u32,
    group: u64,
    name: Mutex<Arc<str>>,
    /// Its process group, as a shell's job control knows it.
    job: AtomicU32,
    /// The process group of its command that Ctrl-C interrupts; shared by the command's processes.
    foreground: Arc<AtomicU32>,
    umask: AtomicU32,
    signals: Signals,
    /// What somebody else decided about it: the process ends with this status as soon as it can be interrupted.
    doom: watch::Sender<Option<ExitStatus>>,
    /// How it ended.
    status: watch::Sender<Option<ExitStatus>>,
    cpu: AtomicU64,
    children_cpu: AtomicU64,
}

impl Process {
    /// Its id.
    pub fn pid(&self) -> u32 {
        self.pid
    }

    /// The id of the process that started it; 0 for a command's first.
    pub fn parent(&self) -> u32 {
        self.parent
    }

    /// The command it belongs to.
    pub fn group(&self) -> u64 {
        self.group
    }

    /// The name it was called by.
    pub fn name(&self) -> Arc<str> {
        self.name.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// It goes on as another program, called by this name.
    pub fn rename(&self, name: &str) {
        *self.name.lock().unwrap_or_else(PoisonError::into_inner) = cut(name);
    }

    /// Its process group.
    pub fn job(&self) -> u32 {
        self.job.load(Ordering::Relaxed)
    }

    /// The process group of its command that Ctrl-C interrupts.
    pub fn foreground(&self) -> u32 {
        self.foreground.load(Ordering::Relaxed)
    }

    /// Have Ctrl-C interrupt another process group.
    pub fn set_foreground(&self, job: u32) {
        self.foreground.store(job, Ordering::Relaxed);
    }

    /// The permission bits that files it creates do not get.
    pub fn umask(&self) -> u32 {
        self.umask.load(Ordering::Relaxed)
    }

    /// Set them; answers what they were.
    pub fn set_umask(&self, mask: u32) -> u32 {
        self.umask.swap(mask & 0o777, Ordering::Relaxed)
    }

    /// What signals do to it.
    pub fn signals(&self) -> &Signals {
        &self.signals
    }

    /// Send it a signal.
    pub fn send(&self, signal: Signal) {
        if let Some(signal) = self.signals.send(signal) {
            self.doom(ExitStatus::Signaled(signal));
        }
    }

    /// End it with `status` as soon as it can be interrupted. The first such decision holds.
    pub fn doom(&self, status: ExitStatus) {
        self.doom.send_if_modified(|doom| doom.is_none() && doom.replace(status).is_none());
    }

    /// The status decided from outside, if one was.
    pub fn doomed(&self) -> Option<ExitStatus> {
        *self.doom.borrow()
    }

    /// Wait until somebody ends it.
    pub async fn wait_doom(&self) -> ExitStatus {
        wait_some(&self.doom).await
    }

    /// How it ended, if it did.
    pub fn status(&self) -> Option<ExitStatus> {
        *self.status.borrow()
    }

    /// Wait until it has ended.
    pub async fn wait(&self) -> ExitStatus {
        wait_some(&self.status).await
    }

    /// Wait until it has ended or is stopped.
    pub async fn wait_change(&self) {
        tokio::select! {
            _ = self.wait() => {}
            () = self.signals.wait_stopped() => {}
        }
    }

    /// Count processor time, in nanoseconds.
    pub fn add_cpu(&self, nanoseconds: u64) {
        self.cpu.fetch_add(nanoseconds, Ordering::Relaxed);
    }

    /// Processor time so far, in nanoseconds: its own, and its ended children's.
    pub fn times(&self) -> (u64, u64) {
        (self.cpu.load(Ordering::Relaxed), self.children_cpu.load(Ordering::Relaxed))
    }
}

async fn wait_some(channel: &watch::Sender<Option<ExitStatus>>) -> ExitStatus {
    let mut receiver = channel.subscribe();
    loop {
        if let Some(status) = *receiver.borrow_and_update() {
            return status;
        }
        if receiver.changed().await.is_err() {
            // The sender lives as long as the borrowed process does, so this is not reached; killed is the safe answer.
            return ExitStatus::Signaled(Signal::Kill);
        }
    }
}

/// Bytes of a process's name that are kept at the most: it is for listings and messages, and the guest chooses it.
const MAX_NAME: usize = 255;

/// A process's place in the table, held by whoever runs it. The place is given up when this is dropped, whatever happens to
/// the holder, so that nobody waits for ever and no place is lost.
pub struct Row {
    table: Arc<ProcessTable>,
    process: Arc<Process>,
    status: ExitStatus,
}

impl Row {
    /// The process.
    pub fn process(&self) -> &Arc<Process> {
        &self.process
    }

    /// It has ended with this status.
    pub fn leave(mut self, status: ExitStatus) {
        self.status = status;
    }
}

impl Drop for Row {
    fn drop(&mut self) {
        self.table.leave(&self.process, self.status);
    }
}

/// The start of a name, at a character's boundary.
fn cut(name: &str) -> Arc<str> {
    name[..name.floor_char_boundary(MAX_NAME)].into()
}

/// What a command's first process does not give to the files it creates.
const UMASK: u32 = 0o022;

#[derive(Default)]
struct Rows {
    last: u32,
    running: BTreeMap<u32, Arc<Process>>,
}

impl Rows {
    /// Whether a process of this command is in the process group.
    fn has_job(&self, job: u32, group: u64) -> bool {
        self.running.values().any(|other| other.job() == job && other.group == group)
    }
}

/// The first pipe's number; those below are the command's own streams.
const FIRST_PIPE: u64 = 16;

/// The running processes of a session.
#[derive(Default)]
pub struct ProcessTable {
    rows: Mutex<Rows>,
    pipes: AtomicU64,
}

impl ProcessTable {
    /// An empty table.
    pub fn new() -> ProcessTable {
        ProcessTable::default()
    }

    fn lock(&self) -> MutexGuard<'_, Rows> {
        // Every change is one insert or remove: a panic elsewhere cannot have left the map half changed.
        self.rows.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for a new pipe, as `stat` shows it: it tells pipes of this session apart, and nothing about the host.
    pub fn pipe_number(&self) -> u64 {
        FIRST_PIPE + self.pipes.fetch_add(1, Ordering::Relaxed)
    }

    /// Enter a process, unless `limit` already run. It has its process group, its umask and the signals it ignores from its
    /// parent.
    pub fn enter(self: &Arc<Self>, parent: u32, group: u64, name: &str, limit: u32) -> Option<Row> {
        self.enter_with(parent, group, name, limit, Attributes::default()).ok()
    }

    /// As `enter`, with attributes of its own from the first moment on. A parent that a signal has ended starts nobody any
    /// more: what is sent to a process group reaches whoever is being started in it, or whoever starts it.
    ///
    /// # Errors
    /// `Limit`, `NoGroup` and `Ending`.
    pub fn enter_with(
        self: &Arc<Self>,
        parent: u32,
        group: u64,
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
        if attributes.job.is_some_and(|job| job != 0 && !rows.has_job(job, group)) {
            return Err(SpawnError::NoGroup);
        }
        rows.last = rows.last.checked_add(1).unwrap_or(1);
        while rows.running.contains_key(&rows.last) {
            rows.last = rows.last.checked_add(1).unwrap_or(1);
        }
        let pid = rows.last;
        let job = attributes.job.or_else(|| from.as_ref().map(|from| from.job()));
        // Whether a child ignores PIPE is said when it is started.
        let inherited = || from.as_ref().map_or(SignalSet::default(), |from| from.signals.ignored().without(Signal::Pipe));
        let process = Arc::new(Process {
            pid,
            parent,
            group,
            name: Mutex::new(cut(name)),
            job: job.filter(|job| *job != 0).unwrap_or(pid).into(),
            foreground: from.as_ref().map_or_else(|| Arc::new(pid.into()), |from| from.foreground.clone()),
            umask: attributes.umask.unwrap_or_else(|| from.as_ref().map_or(UMASK, |from| from.umask())).into(),
            signals: Signals::ignoring(attributes.ignored.unwrap_or_else(inherited)),
            doom: watch::Sender::new(None),
            status: watch::Sender::new(None),
            cpu: AtomicU64::new(0),
            children_cpu: AtomicU64::new(0),
        });
        rows.running.insert(process.pid, process.clone());
        // Dropped without a status, whoever ran it broke.
        Ok(Row { table: self.clone(), process, status: ExitStatus::Signaled(Signal::Abort) })
    }

    /// Take an ended process out, tell those who wait, and credit its time to its parent.
    fn leave(&self, process: &Process, status: ExitStatus) {
        let parent = {
            let mut rows = self.lock();
            rows.running.remove(&process.pid);
            rows.running.get(&process.parent).cloned()
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

    /// The running process with this id.
    pub fn get(&self, pid: u32) -> Option<Arc<Process>> {
        self.lock().running.get(&pid).cloned()
    }

    /// All running processes, by id.
    pub fn running(&self) -> Vec<Arc<Process>> {
        self.lock().running.values().cloned().collect()
    }

    /// The running processes of a process group.
    pub fn of_job(&self, job: u32) -> Vec<Arc<Process>> {
        self.lock().running.values().filter(|process| process.job() == job).cloned().collect()
    }

    /// Send a signal to every process of a process group; whether there is one. A process that enters the group meanwhile is
    /// either sent it too, or has a parent that was sent it before.
    pub fn send_to_job(&self, job: u32, signal: Signal) -> bool {
        let rows = self.lock();
        let members = rows.running.values().filter(|process| process.job() == job);
        members.map(|process| process.send(signal)).count() > 0
    }

    /// Put a process into a process group: one that exists, or one that has the process's own id for a name.
    pub fn set_job(&self, process: &Process, job: u32) -> bool {
        let job = if job == 0 { process.pid } else { job };
        let rows = self.lock();
        let exists = job == process.pid || rows.has_job(job, process.group);
        if exists {
            process.job.store(job, Ordering::Relaxed);
        }
        exists
    }

    /// The running processes of one command.
    pub fn of_group(&self, group: u64) -> Vec<Arc<Process>> {
        self.lock().running.values().filter(|process| process.group == group).cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Arc<ProcessTable> {
        Arc::new(ProcessTable::new())
    }

    #[tokio::test]
    async fn a_process_is_entered_waited_for_and_gone() {
        let table = table();
        let parent = table.enter(0, 1, "sh", 2).unwrap();
        let child = table.enter(parent.process().pid(), 1, "cat", 2).unwrap();
        assert!(table.enter(parent.process().pid(), 1, "third", 2).is_none(), "the limit is two");
        let process = child.process().clone();
        process.add_cpu(5);
        child.leave(ExitStatus::Exited(3));
        assert_eq!(process.wait().await, ExitStatus::Exited(3));
        assert_eq!(parent.process().times(), (0, 5));
        assert!(table.get(process.pid()).is_none());
        assert!(table.enter(parent.process().pid(), 1, "third", 2).is_some(), "a place is free again");
    }

    #[tokio::test]
    async fn a_place_is_given_up_when_its_holder_breaks() {
        let table = table();
        let row = table.enter(0, 1, "sh", 1).unwrap();
        let process = row.process().clone();
        let holder = tokio::spawn(async move {
            let _row = row;
            std::future::pending::<()>().await;
        });
        tokio::task::yield_now().await;
        holder.abort();
        assert_eq!(process.wait().await, ExitStatus::Signaled(Signal::Abort));
        assert!(table.running().is_empty());
    }

    #[tokio::test]
    async fn the_first_doom_holds() {
        let table = table();
        let row = table.enter(0, 1, "sh", 1).unwrap();
        row.process().doom(ExitStatus::TimedOut);
        row.process().doom(ExitStatus::Signaled(Signal::Kill));
        assert_eq!(row.process().wait_doom().await, ExitStatus::TimedOut);
    }

    #[test]
    fn a_long_name_is_cut_between_characters() {
        let table = table();
        let row = table.enter(0, 1, &"é".repeat(1_000_000), 1).unwrap();
        assert_eq!(&*row.process().name(), "é".repeat(127));
    }

    #[test]
    fn a_child_has_from_its_parent_what_posix_says() {
        let table = table();
        let parent = table.enter(0, 1, "sh", 4).unwrap();
        let process = parent.process();
        assert_eq!((process.job(), process.foreground(), process.umask()), (process.pid(), process.pid(), 0o022));
        process.set_umask(0o4077);
        process.signals().ignore(SignalSet::default().with(Signal::Interrupt).with(Signal::Pipe));
        process.signals().handle(SignalSet::default().with(Signal::User1));
        let child = table.enter(process.pid(), 1, "cat", 4).unwrap();
        assert_eq!((child.process().job(), child.process().umask()), (process.pid(), 0o077));
        assert_eq!(child.process().signals().ignored(), SignalSet::default().with(Signal::Interrupt));
        child.process().send(Signal::User1);
        assert_eq!(child.process().doomed(), Some(ExitStatus::Signaled(Signal::User1)), "handlers are not inherited");
    }

    #[test]
    fn a_signal_to_a_group_reaches_whoever_is_started_in_it_or_whoever_starts_it() {
        let table = table();
        let parent = table.enter(0, 1, "sh", 9).unwrap();
        let (pid, job) = (parent.process().pid(), parent.process().job());
        let ignoring = Attributes { ignored: Some(SignalSet::default().with(Signal::Interrupt)), ..Attributes::default() };
        let before = table.enter(pid, 1, "cat", 9).unwrap();
        let deaf = table.enter_with(pid, 1, "cat", 9, ignoring).unwrap();
        let apart = table.enter_with(pid, 1, "cat", 9, Attributes { job: Some(0), ..Attributes::default() }).unwrap();
        assert!(table.send_to_job(job, Signal::Interrupt));
        let interrupted = Some(ExitStatus::Signaled(Signal::Interrupt));
        assert_eq!((before.process().doomed(), parent.process().doomed()), (interrupted, interrupted));
        assert_eq!((deaf.process().doomed(), apart.process().doomed()), (None, None), "they were so from the first moment on");
        let refused = table.enter_with(pid, 1, "cat", 9, Attributes::default()).err();
        assert_eq!(refused, Some(SpawnError::Ending), "who was ended starts nobody");

        // A parent that handles it is told, and may go on.
        let parent = table.enter(0, 1, "sh", 9).unwrap();
        parent.process().signals().handle(SignalSet::default().with(Signal::Interrupt));
        assert!(table.send_to_job(parent.process().job(), Signal::Interrupt));
        assert!(table.enter(parent.process().pid(), 1, "cat", 9).is_some_and(|child| child.process().doomed().is_none()));
        assert!(parent.process().signals().take().has(Signal::Interrupt));
    }

    #[test]
    fn whatever_the_moment_a_signal_to_a_group_is_lost_to_nobody() {
        for _ in 0..200 {
            let table = table();
            let parent = table.enter(0, 1, "sh", 9).unwrap();
            let (pid, job) = (parent.process().pid(), parent.process().job());
            let sender = std::thread::spawn({
                let table = table.clone();
                move || table.send_to_job(job, Signal::Interrupt)
            });
            let child = table.enter_with(pid, 1, "cat", 9, Attributes::default());
            assert!(sender.join().unwrap() && parent.process().doomed().is_some());
            assert!(child.map_or_else(|error| error == SpawnError::Ending, |child| child.process().doomed().is_some()));
        }
    }

    #[test]
    fn a_process_group_is_joined_when_it_exists() {
        let table = table();
        let (first, second) = (table.enter(0, 1, "sh", 4).unwrap(), table.enter(0, 2, "sh", 4).unwrap());
        let child = table.enter(first.process().pid(), 1, "cat", 4).unwrap();
        let (child, first, second) = (child.process(), first.process(), second.process());
        assert!(!table.set_job(child, 77) && !table.set_job(child, second.pid()), "not another command's");
        assert!(table.set_job(child, 0) && child.job() == child.pid());
        assert_eq!(table.of_job(child.pid()).len(), 1);
        assert!(table.set_job(child, first.pid()) && table.of_job(first.pid()).len() == 2);
    }

    #[test]
    fn the_end_of_a_child_is_told_to_a_parent_that_asked() {
        let table = table();
        let parent = table.enter(0, 1, "sh", 4).unwrap();
        let process = parent.process();
        let child = table.enter(process.pid(), 1, "cat", 4).unwrap();
        process.signals().handle(SignalSet::default().with(Signal::Child));
        child.leave(ExitStatus::Exited(0));
        assert!(process.signals().take().has(Signal::Child) && process.doomed().is_none());
    }
}
