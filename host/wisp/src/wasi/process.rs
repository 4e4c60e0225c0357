//! `wisp:sandbox/process`: children, signals, pipes, exit, and what a process holds from its start.

use std::collections::BTreeMap;
use std::sync::Arc;

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi_io::async_trait;
use wasmtime_wasi_io::poll::{DynPollable, Pollable};

use super::bindings::wisp::sandbox::files::ErrorCode;
use super::bindings::wisp::sandbox::process::{Alarm, Attributes, Bound, Command, Entry, ExitStatus, Host, HostChild, Limited};
use super::context::{Part, WasiView};
use super::files::{answer, description_of, hand_out};
use super::limits;
use super::signals::{Waiting, end_if_doomed, signal};
use super::{
    Charge, Description, Facts, Handles, Held, HostMemory, OpenDescription, OpenFileHandle, OpenFiles, ProcessAlarm, ProcessClock,
    ProcessEnd, ProcessReplaced, SignalFlags,
};
use wisp_process::{self as table, ChildHandle, Process, ProcessTable, Signal, SignalSet, Spawn, SpawnError, SpawnRequest};
use wisp_vfs::MAX_PATH;

/// Maximum bytes of arguments and environment together: Linux's ARG_MAX. Keeps a guest from making the host hold more
/// for a child than the child's own memory.
const MAX_ARGUMENTS: usize = 2 << 20;

/// The cost of a process's row while it is held, whether the process runs or has ended.
const ROW_COST: u64 = 4096;

/// A process's row, which a handle keeps after the process has ended, and its charge.
struct Kept {
    handle: ChildHandle,
    _charge: Charge,
}

/// The guest's handle to a process that it started.
#[derive(Clone)]
pub struct Child(Arc<Kept>);

impl Held for Child {
    const CHARGED: &'static str = "a `Charge` beside the process's row";
}

impl Child {
    fn process(&self) -> &Arc<Process> {
        self.0.handle.process()
    }
}

#[async_trait]
impl Pollable for Child {
    async fn ready(&mut self) {
        self.process().wait().await;
    }
}

/// Ready when the child has ended or stopped.
struct Change(Child);

impl Held for Change {
    const CHARGED: &'static str = "as `Child`, whose row it shares";
}

#[async_trait]
impl Pollable for Change {
    async fn ready(&mut self) {
        self.0.process().wait_change().await;
    }
}

fn exit_status(status: table::ExitStatus) -> ExitStatus {
    ExitStatus { code: status.code(), signal: status.signal() }
}

fn error_code(error: SpawnError) -> ErrorCode {
    match error {
        SpawnError::NotFound => ErrorCode::NoEntry,
        SpawnError::Access => ErrorCode::Access,
        SpawnError::NotExecutable => ErrorCode::NotExecutable,
        SpawnError::NotDirectory => ErrorCode::NotDirectory,
        SpawnError::Loop => ErrorCode::Loop,
        SpawnError::TooLong => ErrorCode::ArgumentsTooLong,
        SpawnError::NoRoom | SpawnError::Limit | SpawnError::Ending => ErrorCode::WouldBlock,
        SpawnError::NoMemory => ErrorCode::InsufficientMemory,
        SpawnError::NoGroup => ErrorCode::NotPermitted,
        SpawnError::NotReplaceable => ErrorCode::Unsupported,
        SpawnError::Broken => ErrorCode::Io,
    }
}

/// Returns whether arguments and environment together are within the limit.
fn fits(command: &Command) -> bool {
    let strings = || command.arguments.iter().chain(&command.environment);
    // 8 bytes for each entry, as the kernel counts its pointer.
    strings().map(|entry| entry.len() + 8).sum::<usize>() <= MAX_ARGUMENTS
}

/// Checks a command before anything is looked up.
fn check(command: &Command, open_files: u32) -> Result<(), ErrorCode> {
    if !fits(command) {
        return Err(ErrorCode::ArgumentsTooLong);
    }
    let paths = || [&command.program, &command.working_directory].into_iter();
    if paths().any(|path| path.len() > MAX_PATH) {
        return Err(ErrorCode::NameTooLong);
    }
    let mut strings = command.arguments.iter().chain(&command.environment).map(Vec::as_slice);
    let nul = strings.any(|text| text.contains(&0)) || paths().any(|path| path.contains('\0'));
    if nul || command.arguments.is_empty() || !command.working_directory.starts_with('/') {
        return Err(ErrorCode::Invalid);
    }
    // A descriptor costs its holder no handle until it asks for one, so descriptors are counted here.
    if command.descriptors.len() > open_files as usize {
        return Err(ErrorCode::TooManyOpenFiles);
    }
    Ok(())
}

/// Converts the attributes that a guest gave.
pub(super) fn attributes(given: &Attributes) -> table::Attributes {
    let Attributes { ignored_signals, umask, group } = *given;
    let ignored = ignored_signals.map(|bits| SignalSet::of(bits).without(Signal::Pipe));
    table::Attributes { ignored, umask, group, terminal: None }
}

/// The part of a process that `wisp:sandbox/process` sees.
pub(super) struct HasProcess;

impl HasData for HasProcess {
    type Data<'a> = ProcessView<'a>;
}

impl Part for HasProcess {
    fn of(view: WasiView<'_>) -> ProcessView<'_> {
        let ctx = view.ctx;
        ProcessView {
            table: view.table,
            process: &ctx.process,
            processes: &ctx.processes,
            spawner: &ctx.spawner,
            arguments: &ctx.arguments,
            environment: &ctx.environment,
            descriptors: &mut ctx.descriptors,
            open_files: &ctx.open_files,
            signal_flags: &ctx.signal_flags,
            alarm: &ctx.alarm,
            facts: &ctx.facts,
            memory: &ctx.memory,
            clock: &ctx.clock,
        }
    }
}

/// A process, the table of its session's processes, and what it was started with.
pub(super) struct ProcessView<'a> {
    pub(super) table: &'a mut Handles,
    pub(super) process: &'a Arc<Process>,
    pub(super) processes: &'a Arc<ProcessTable>,
    spawner: &'a Arc<dyn Spawn<OpenDescription>>,
    arguments: &'a [Vec<u8>],
    environment: &'a [Vec<u8>],
    descriptors: &'a mut BTreeMap<u32, OpenDescription>,
    pub(super) open_files: &'a Arc<OpenFiles>,
    signal_flags: &'a SignalFlags,
    alarm: &'a ProcessAlarm,
    /// For the policy's limits, and whether time is virtual.
    facts: &'a Facts,
    pub(super) memory: &'a Arc<dyn HostMemory>,
    /// For its timer, and for reads of a terminal that end after a time.
    pub(super) clock: &'a ProcessClock,
}

impl ProcessView<'_> {
    /// Converts a command to a request, if its own checks pass.
    fn request(&self, command: Command) -> wasmtime::Result<Result<SpawnRequest<OpenDescription>, ErrorCode>> {
        if let Err(error) = check(&command, self.open_files.limit()) {
            return Ok(Err(error));
        }
        let mut descriptors = BTreeMap::new();
        for descriptor in &command.descriptors {
            if descriptors.insert(descriptor.number, description_of(self.table, &descriptor.file)?).is_some() {
                return Ok(Err(ErrorCode::Invalid));
            }
        }
        Ok(Ok(SpawnRequest {
            program: command.program,
            arguments: command.arguments,
            environment: command.environment,
            working_directory: command.working_directory,
            descriptors: descriptors.into_iter().collect(),
            ignore_broken_pipe: command.ignore_broken_pipe,
            attributes: table::Attributes::default(),
        }))
    }

    /// Starts a process with these attributes.
    pub(super) async fn start(
        &mut self,
        command: Command,
        attributes: table::Attributes,
    ) -> wasmtime::Result<Result<Resource<Child>, ErrorCode>> {
        let request = match self.request(command)? {
            Ok(request) => SpawnRequest { attributes, ..request },
            Err(error) => return Ok(Err(error)),
        };
        let Some(charge) = Charge::new(self.memory, ROW_COST) else { return Ok(Err(ErrorCode::InsufficientMemory)) };
        let (spawner, parent) = (self.spawner.clone(), self.process.clone());
        match spawner.spawn(&parent, request).await {
            Ok(process) => {
                let handle = ChildHandle::new(process, self.processes.clone());
                Ok(Ok(self.table.push(Child(Arc::new(Kept { handle, _charge: charge })))?))
            }
            // End it by the limit: a fork bomb then stops instead of retrying, and the result names the limit.
            Err(SpawnError::Limit) => Err(ProcessEnd::signal(Signal::Kill).into()),
            Err(SpawnError::Ending) => end_if_doomed(self.process).and(Ok(Err(ErrorCode::WouldBlock))),
            Err(error) => Ok(Err(error_code(error))),
        }
    }

    /// Applies what the caller did to itself with a signal, before it continues.
    async fn settle(&mut self) -> wasmtime::Result<Result<(), ErrorCode>> {
        let process = self.process.clone();
        end_if_doomed(self.process)?;
        if process.signals().stopped().is_some() {
            // A stopped process is not polled before it continues.
            tokio::task::yield_now().await;
        }
        Ok(Ok(()))
    }
}

impl Host for ProcessView<'_> {
    async fn spawn(&mut self, command: Command) -> wasmtime::Result<Result<Resource<Child>, ErrorCode>> {
        self.start(command, table::Attributes::default()).await
    }

    async fn spawn_with(&mut self, command: Command, given: Attributes) -> wasmtime::Result<Result<Resource<Child>, ErrorCode>> {
        self.start(command, attributes(&given)).await
    }

    async fn exec(&mut self, command: Command) -> wasmtime::Result<ErrorCode> {
        let request = match self.request(command)? {
            Ok(request) => request,
            Err(error) => return Ok(error),
        };
        let (spawner, process) = (self.spawner.clone(), self.process.clone());
        match spawner.replace(&process, request).await {
            Ok(()) => Err(ProcessReplaced.into()),
            Err(error) => Ok(error_code(error)),
        }
    }

    async fn kill(&mut self, pid: u32, number: u8) -> wasmtime::Result<Result<(), ErrorCode>> {
        let Some(process) = self.processes.get(pid) else { return Ok(Err(ErrorCode::NoProcess)) };
        match signal(number) {
            Ok(Some(signal)) => process.send(signal),
            Ok(None) => return Ok(Ok(())),
            Err(error) => return Ok(Err(error)),
        }
        self.settle().await
    }

    async fn kill_group(&mut self, group: u32, number: u8) -> wasmtime::Result<Result<(), ErrorCode>> {
        let group = if group == 0 { self.process.group() } else { group };
        let found = match signal(number) {
            Ok(Some(signal)) => self.processes.send_to_group(group, signal),
            Ok(None) => !self.processes.of_group(group).is_empty(),
            Err(error) => return Ok(Err(error)),
        };
        if !found {
            return Ok(Err(ErrorCode::NoProcess));
        }
        self.settle().await
    }

    fn group(&mut self, pid: u32) -> wasmtime::Result<Result<u32, ErrorCode>> {
        Ok(self.process_or_self(pid).map(|process| process.group()).ok_or(ErrorCode::NoProcess))
    }

    fn set_group(&mut self, pid: u32, group: u32) -> wasmtime::Result<Result<(), ErrorCode>> {
        let own = self.process.pid();
        let ours = |process: &Arc<Process>| process.pid() == own || process.parent() == own;
        let Some(process) = self.process_or_self(pid).filter(ours) else { return Ok(Err(ErrorCode::NoProcess)) };
        Ok(if self.processes.set_group(&process, group) { Ok(()) } else { Err(ErrorCode::NotPermitted) })
    }

    fn foreground(&mut self) -> wasmtime::Result<u32> {
        Ok(self.process.foreground())
    }

    fn set_foreground(&mut self, group: u32) -> wasmtime::Result<Result<(), ErrorCode>> {
        if !self.processes.of_group(group).iter().any(|process| process.command() == self.process.command()) {
            return Ok(Err(ErrorCode::NotPermitted));
        }
        self.process.set_foreground(group);
        Ok(Ok(()))
    }

    fn handle_signals(&mut self, signals: u64) -> wasmtime::Result<()> {
        self.process.signals().handle(SignalSet::of(signals));
        Ok(())
    }

    fn ignore_signals(&mut self, signals: u64) -> wasmtime::Result<()> {
        self.process.signals().ignore(SignalSet::of(signals));
        Ok(())
    }

    fn ignored_signals(&mut self) -> wasmtime::Result<u64> {
        Ok(self.process.signals().ignored().0)
    }

    fn take_signals(&mut self) -> wasmtime::Result<u64> {
        self.alarm.look(self.process);
        end_if_doomed(self.process)?;
        Ok(self.process.signals().take().0)
    }

    fn signals_pollable(&mut self) -> wasmtime::Result<Resource<DynPollable>> {
        self.table.push_pollable(Waiting(self.process.clone()))
    }

    fn has_signal_flags(&mut self) -> wasmtime::Result<bool> {
        Ok(self.signal_flags.any())
    }

    fn set_alarm(&mut self, alarm: Alarm) -> wasmtime::Result<Alarm> {
        // What is due belongs to the old timer.
        self.alarm.look(self.process);
        Ok(self.alarm.replace(self.clock, alarm.into()).into())
    }

    fn get_alarm(&mut self) -> wasmtime::Result<Alarm> {
        self.alarm.look(self.process);
        Ok(self.alarm.left().into())
    }

    fn umask(&mut self, mask: Option<u32>) -> wasmtime::Result<u32> {
        let process = self.process;
        Ok(mask.map_or_else(|| process.umask(), |mask| process.set_umask(mask)))
    }

    fn pipe(&mut self) -> wasmtime::Result<Result<(Resource<OpenFileHandle>, Resource<OpenFileHandle>), ErrorCode>> {
        let Some(charge) = Charge::new(self.memory, table::PIPE_COST) else {
            return Ok(Err(ErrorCode::InsufficientMemory));
        };
        let number = self.processes.pipe_number();
        let (reader, writer) = table::pipe();
        let reader = match hand_out(self.table, self.open_files, Description::pipe_reader(reader, number, charge))? {
            Ok(reader) => reader,
            Err(error) => return Ok(Err(error)),
        };
        match hand_out(self.table, self.open_files, Description::writer(writer, number, false))? {
            Ok(writer) => Ok(Ok((reader, writer))),
            Err(error) => {
                self.table.delete(reader)?;
                Ok(Err(error))
            }
        }
    }

    fn exit(&mut self, status: u8) -> wasmtime::Result<()> {
        Err(ProcessEnd::exit(status).into())
    }

    fn pid(&mut self) -> wasmtime::Result<u32> {
        Ok(self.process.pid())
    }

    fn parent(&mut self) -> wasmtime::Result<u32> {
        Ok(self.process.parent())
    }

    fn arguments(&mut self) -> wasmtime::Result<Vec<Vec<u8>>> {
        Ok(self.arguments.to_vec())
    }

    fn environment(&mut self) -> wasmtime::Result<Vec<Vec<u8>>> {
        Ok(self.environment.to_vec())
    }

    fn descriptors(&mut self) -> wasmtime::Result<Vec<u32>> {
        Ok(self.descriptors.keys().copied().collect())
    }

    fn inherited(&mut self, number: u32) -> wasmtime::Result<Result<Resource<OpenFileHandle>, ErrorCode>> {
        match self.descriptors.get(&number).cloned() {
            Some(description) => hand_out(self.table, self.open_files, description),
            None => Ok(Err(ErrorCode::BadDescriptor)),
        }
    }

    fn release(&mut self, number: u32) -> wasmtime::Result<Result<(), ErrorCode>> {
        Ok(self.descriptors.remove(&number).map(drop).ok_or(ErrorCode::BadDescriptor))
    }

    async fn write_to(&mut self, number: u32, bytes: Vec<u8>) -> wasmtime::Result<Result<(), ErrorCode>> {
        match self.descriptors.get(&number).cloned() {
            Some(description) => {
                let written = description.write_by(self.process, bytes.into()).await;
                answer(self.process, written)
            }
            None => Ok(Err(ErrorCode::BadDescriptor)),
        }
    }

    async fn read_from(&mut self, number: u32, len: u32) -> wasmtime::Result<Result<Vec<u8>, ErrorCode>> {
        match self.descriptors.get(&number).cloned() {
            Some(description) => {
                let read = description.read_by(self.process, len as usize).await;
                answer(self.process, read.map(Vec::from))
            }
            None => Ok(Err(ErrorCode::BadDescriptor)),
        }
    }

    fn ignore_broken_pipe(&mut self, ignore: bool) -> wasmtime::Result<()> {
        self.process.signals().set_quiet_pipes(ignore);
        Ok(())
    }

    fn times(&mut self) -> wasmtime::Result<(u64, u64)> {
        if self.facts.deterministic {
            return Ok((0, 0));
        }
        Ok(self.process.times())
    }

    fn get_limit(&mut self, what: Limited) -> wasmtime::Result<Bound> {
        Ok(limits::bound(self.process, self.facts, what.into()).into())
    }

    fn set_limit(&mut self, what: Limited, bound: Bound) -> wasmtime::Result<Result<(), ErrorCode>> {
        let (what, bound) = (what.into(), bound.into());
        let checked = limits::check(self.process, self.facts, what, bound);
        if checked.is_ok() {
            self.process.set_limit(what, bound);
            self.open_files.set_limit(limits::open_files(self.process, self.facts));
        }
        Ok(checked)
    }

    fn set_child_limit(&mut self, what: Limited, bound: Option<Bound>) -> wasmtime::Result<Result<(), ErrorCode>> {
        let (what, bound) = (what.into(), bound.map(table::Bound::from));
        let checked = bound.map_or(Ok(()), |bound| limits::check(self.process, self.facts, what, bound));
        if checked.is_ok() {
            self.process.set_child_limit(what, bound);
        }
        Ok(checked)
    }

    fn processes(&mut self) -> wasmtime::Result<Vec<Entry>> {
        let entry = |process: &Arc<Process>| Entry { pid: process.pid(), parent: process.parent(), name: (*process.name()).to_owned() };
        Ok(self.processes.running().iter().map(entry).collect())
    }
}

impl HostChild for ProcessView<'_> {
    fn pid(&mut self, child: Resource<Child>) -> wasmtime::Result<u32> {
        Ok(self.table.get(&child)?.process().pid())
    }

    async fn wait(&mut self, child: Resource<Child>) -> wasmtime::Result<ExitStatus> {
        let child = self.table.get(&child)?.clone();
        let status = child.0.handle.wait().await;
        end_if_doomed(self.process)?;
        Ok(exit_status(status))
    }

    fn try_wait(&mut self, child: Resource<Child>) -> wasmtime::Result<Option<ExitStatus>> {
        let status = self.table.get(&child)?.0.handle.status();
        end_if_doomed(self.process)?;
        Ok(status.map(exit_status))
    }

    fn subscribe(&mut self, child: Resource<Child>) -> wasmtime::Result<Resource<DynPollable>> {
        let child = self.table.get(&child)?.clone();
        self.table.push_pollable(child)
    }

    fn stopped(&mut self, child: Resource<Child>) -> wasmtime::Result<Option<u8>> {
        Ok(self.table.get(&child)?.process().signals().stopped().map(|signal| signal as u8))
    }

    fn subscribe_change(&mut self, child: Resource<Child>) -> wasmtime::Result<Resource<DynPollable>> {
        let change = Change(self.table.get(&child)?.clone());
        self.table.push_pollable(change)
    }

    fn drop(&mut self, child: Resource<Child>) -> wasmtime::Result<()> {
        self.table.delete(child)?;
        Ok(())
    }
}
