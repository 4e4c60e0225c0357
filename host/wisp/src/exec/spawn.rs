//! Starting processes: from a path to a component, and the task that runs it.

use std::sync::Arc;

use tokio::task::JoinError;
use tracing::Instrument;

use crate::exec::account::ProcessAccount;
use crate::exec::execution::Execution;
use crate::exec::process_task::Task;
use crate::exec::refusals::ProcessRefusals;
use crate::exec::spawner::Next;
use crate::functions::ProcessFunctions;
use crate::outcome::receipt::text;
use crate::program::linked::Program;
use crate::program::rootfs::PROGRAM_MAGIC;
use crate::program::tool::Tool;
use crate::wasi::{Charge, HostMemory, HttpCtx, OpenDescription, OpenFiles, ProcView, ProcessCtx, ThreadTable, open_files, outside};
use wisp_api::{ErrorCode, EventKind, Fault, Limit, ReceiptKind};
use wisp_process::{Process, Rights, Spawn, SpawnError, SpawnRequest};
use wisp_vfs::{FileType, FsError, OpenHow};

pub(crate) use crate::exec::spawner::Spawner;

/// What the host holds for a process beside its memory and its stack: its row, its task, its store, the small parts of
/// its instance, and the last failure of a request.
const PROCESS_COST: usize = 64 << 10;

/// What the host holds for a descriptor that a process starts with.
const DESCRIPTOR_COST: usize = 128;

/// What the host holds for an argument or an environment variable beside its bytes.
const STRING_COST: usize = 32;

/// Maximum `#!` lines that lead to another `#!`, as in Linux.
const MAX_INTERPRETERS: usize = 4;

/// Maximum bytes of a `#!` line, as in Linux.
const MAX_SHEBANG: usize = 256;

/// The first bytes of programs for other machines: ELF, and WebAssembly that the policy does not name.
const MACHINE_CODE: [&[u8]; 2] = [b"\x7fELF", b"\0asm"];

/// What a path refers to.
enum Found {
    Component(String),
    Interpreter { path: String, argument: Option<String> },
    MachineCode,
}

fn spawn_error(error: FsError) -> SpawnError {
    match error {
        FsError::NotFound => SpawnError::NotFound,
        FsError::NotDirectory => SpawnError::NotDirectory,
        FsError::Loop => SpawnError::Loop,
        FsError::IllegalBytes | FsError::NameTooLong | FsError::Invalid => SpawnError::NotFound,
        FsError::Io => SpawnError::Broken,
        _ => SpawnError::Access,
    }
}

#[async_trait::async_trait]
impl Spawn<OpenDescription> for Spawner {
    async fn spawn(&self, parent: &Process, request: SpawnRequest<OpenDescription>) -> Result<Arc<Process>, SpawnError> {
        self.start(Some(parent), request).await
    }

    async fn replace(&self, process: &Arc<Process>, mut request: SpawnRequest<OpenDescription>) -> Result<(), SpawnError> {
        let slot = self.next.as_ref().ok_or(SpawnError::NotReplaceable)?;
        let session = &self.session;
        let asked = request.program.clone();
        let tool = self.tool(process.pid(), &asked, &mut request).await?;
        let program = self.program(&tool).await?;
        let (name, ignore_broken_pipe) = (called(&request), request.ignore_broken_pipe);
        let spawner = Self::of_process(session, &self.running);
        // The process keeps its rights until it leaves its program; these are the next program's.
        let rights = process.rights().and(&tool.rights);
        let ctx = spawner.context(process, &tool, &rights, request)?;
        session.receipts.allowed(process.pid(), ReceiptKind::Exec, &asked, &tool.rule);
        let next = Next { ctx, program, spawner, name, asked, rights, ignore_broken_pipe };
        *slot.lock() = Some(next);
        Ok(())
    }
}

/// Returns the name of a process that is started.
fn called(request: &SpawnRequest<OpenDescription>) -> String {
    request.arguments.first().map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default()
}

impl Spawner {
    /// Returns the tool of the requested program.
    async fn tool(&self, asker: u32, asked: &str, request: &mut SpawnRequest<OpenDescription>) -> Result<Arc<Tool>, SpawnError> {
        let refusals = ProcessRefusals::new(&self.session, asker, None);
        let resolved = self.resolve(&refusals, request).await;
        let component = resolved.inspect_err(|error| refusals.not_started(&request.program, *error))?;
        self.session.shared.tools.get(&component).cloned().ok_or_else(|| {
            refusals.program(asked);
            SpawnError::NotExecutable
        })
    }

    /// Returns the tool's program. Whatever is wrong with it is the host's: the policy and the component were checked before.
    async fn program(&self, tool: &Arc<Tool>) -> Result<Arc<Program>, SpawnError> {
        // The first process is prepared before the clock runs.
        let _hold = (!tool.is_ready()).then(|| self.running.hold());
        let program = outside(tool.program(&self.session.shared.workshop)).await;
        program.map_err(|error| {
            let code = Some(error.code()).filter(|code| code.fault() == Fault::Host).unwrap_or(ErrorCode::StartFailed);
            self.running.failed(code, error.to_string());
            SpawnError::Broken
        })
    }

    /// Starts a process; without a parent it belongs to the host. It has no right that its parent or its tool lacks.
    pub(crate) async fn start(
        &self,
        parent: Option<&Process>,
        mut request: SpawnRequest<OpenDescription>,
    ) -> Result<Arc<Process>, SpawnError> {
        let asked = request.program.clone();
        let above = parent.map_or_else(Rights::all, Process::rights);
        let parent = parent.map_or(0, Process::pid);
        let tool = self.tool(parent, &asked, &mut request).await?;
        let session = &self.session;
        let limit = session.shared.policy.limits().processes;
        let attributes = std::mem::take(&mut request.attributes);
        // The caller may be dropped at any await below; the row is then removed too.
        let entered = session.processes.enter_with(parent, self.running.command, &called(&request), limit, attributes);
        let row = entered.inspect_err(|error| {
            if *error == SpawnError::Limit {
                self.running.hit(Limit::Processes);
            }
        })?;
        row.process().shown().began_at(session.now());
        // After the row: who closes the session either sees the row, or is seen here.
        if session.commands.is_closed() {
            return Err(SpawnError::Ending);
        }
        let permit = session.shared.room.clone().try_acquire_owned().map_err(|_| {
            self.running.failed(ErrorCode::NoRoom, SpawnError::NoRoom.to_string());
            SpawnError::NoRoom
        })?;
        let program = self.program(&tool).await?;
        let process = row.process().clone();
        process.narrow(&above.and(&tool.rights));
        process.signals().set_quiet_pipes(request.ignore_broken_pipe);
        let spawner = Self::of_process(session, &self.running);
        let ctx = spawner.context(&process, &tool, &process.rights(), request)?;
        process.shown().runs(&asked, &ctx.arguments);
        session.receipts.allowed(process.pid(), ReceiptKind::Spawn, &asked, &tool.rule);
        session.receipts.tell(|| EventKind::ProcessStart { process: process.pid(), parent, program: text(&asked) });
        self.running.enter(&process);
        let span = tracing::info_span!("process", pid = process.pid(), parent, tool = tool.name);
        let execution = Execution { running: self.running.clone(), process: process.clone(), program, lockstep: session.lockstep.clone() };
        let task = Task { session: session.clone(), execution };
        let work = task.run(row, ctx, spawner, permit).instrument(span);
        match &session.lockstep {
            Some(lockstep) => lockstep.spawn(work),
            #[expect(clippy::disallowed_methods, reason = "a process, which its command ends")]
            None => drop(tokio::spawn(work)),
        }
        Ok(process)
    }

    /// Makes the context of a process with these rights that `request` starts.
    pub(crate) fn context(
        self: &Arc<Self>,
        process: &Arc<Process>,
        tool: &Arc<Tool>,
        rights: &Rights,
        mut request: SpawnRequest<OpenDescription>,
    ) -> Result<ProcessCtx, SpawnError> {
        let session = &self.session;
        let (mut net, mut unseen) = (session.net.clone(), None);
        if let (Some(whole), Err(withheld)) = (&session.net, rights.network()) {
            // It does not see placeholders that it cannot send, even if its parent put them into variables.
            request.environment.retain(|entry| !whole.mentions_placeholder(entry));
            net = Some(whole.withheld(&withheld.tool, &withheld.rule));
            unseen = Some(whole.clone());
        }
        let commands = session.commands.clone();
        let memory: Arc<dyn HostMemory> = ProcessAccount::new(session.memory.clone(), process.pid(), commands);
        let refusals = ProcessRefusals::new(session, process.pid(), Some(tool));
        let strings = request.arguments.iter().chain(&request.environment);
        let strings = strings.map(|string| string.len() + STRING_COST).sum::<usize>();
        let cost = PROCESS_COST + strings + request.descriptors.len() * DESCRIPTOR_COST;
        let start_charge = Some(Charge::new(&memory, cost as u64).ok_or(SpawnError::NoMemory)?);
        let (arguments, environment) = (Arc::new(request.arguments), Arc::new(request.environment));
        let (clock, random) = (session.clock(), session.random(process.pid()));
        let view = ProcView {
            fs: session.fs.clone(),
            process: process.clone(),
            processes: session.processes.clone(),
            facts: session.shared.facts.clone(),
            clock: clock.clone(),
            random: random.clone(),
            memory: memory.clone(),
            program: request.program,
            working_directory: request.working_directory.clone(),
            arguments: arguments.clone(),
            environment: environment.clone(),
            unseen,
        };
        Ok(ProcessCtx {
            fs: session.fs.seen_by(Arc::new(view)).witnessed(refusals.clone()),
            process: process.clone(),
            asked: None,
            processes: session.processes.clone(),
            spawner: self.clone(),
            arguments,
            environment,
            hide_environment: false,
            working_directory: request.working_directory,
            descriptors: request.descriptors.into_iter().collect(),
            clock,
            random,
            labels: session.labels.clone(),
            facts: session.shared.facts.clone(),
            http: HttpCtx::new(net),
            frontend: None,
            signal_flags: Arc::default(),
            threads: Arc::new(ThreadTable::new(session.shared.threads.clone())),
            alarm: Arc::default(),
            tasks: self.running.tasks().clone(),
            functions: session.functions.as_ref().map(|gate| ProcessFunctions::of(gate, rights.functions())),
            open_files: OpenFiles::new(open_files(process, &session.shared.facts)),
            memory,
            refusals: Some(refusals),
            start_charge,
        })
    }

    /// Follows `#!` lines to a component, changing the arguments as the kernel does.
    async fn resolve(&self, refusals: &Arc<ProcessRefusals>, request: &mut SpawnRequest<OpenDescription>) -> Result<String, SpawnError> {
        // A script's `$0` is the name that it was started by: `./script`, not its absolute path.
        let mut named = Some(request.program.clone());
        if !request.program.starts_with('/') {
            request.program = format!("{}/{}", request.working_directory, request.program);
        }
        for _ in 0..MAX_INTERPRETERS {
            match self.look(refusals, &request.program).await? {
                Found::Component(name) => return Ok(name),
                Found::MachineCode => {
                    refusals.program(&request.program);
                    return Err(SpawnError::NotExecutable);
                }
                Found::Interpreter { path, argument } => {
                    let bytes = |name: &str| wisp_spelling::read(name).into_owned();
                    let mut arguments = vec![bytes(&path)];
                    arguments.extend(argument.as_deref().map(bytes));
                    let script = std::mem::replace(&mut request.program, path);
                    arguments.push(bytes(&named.take().unwrap_or(script)));
                    arguments.extend(request.arguments.drain(..).skip(1));
                    request.arguments = arguments;
                }
            }
        }
        Err(SpawnError::Loop)
    }

    /// Returns the error for work of the host on another thread that was lost: it panicked, or the runtime is being shut down.
    fn lost<T>(&self, error: &JoinError) -> Result<T, SpawnError> {
        let code = if error.is_panic() { ErrorCode::Internal } else { ErrorCode::Abandoned };
        self.running.failed(code, format!("a program could not be read: {error}"));
        Err(SpawnError::Broken)
    }

    /// Reads from its first line what the file is.
    async fn look(&self, refusals: &Arc<ProcessRefusals>, path: &str) -> Result<Found, SpawnError> {
        let (fs, path) = (self.session.fs.witnessed(refusals.clone()), path.to_owned());
        let root = fs.root();
        let host = fs.is_host(&root, &path);
        let read = move || {
            let stat = fs.stat(&root, &path, true).map_err(spawn_error)?;
            if stat.kind != FileType::Regular || stat.mode & 0o111 == 0 {
                return Err(SpawnError::Access);
            }
            let node = fs.open(&root, &path, OpenHow { read: true, ..OpenHow::default() }).map_err(spawn_error)?;
            node.read_at(0, MAX_SHEBANG).map_err(spawn_error)
        };
        let start = if host { outside(crate::meter::blocking(read)).await.unwrap_or_else(|error| self.lost(&error))? } else { read()? };
        first_line(&start).ok_or(SpawnError::NotExecutable)
    }
}

fn first_line(start: &[u8]) -> Option<Found> {
    if MACHINE_CODE.iter().any(|magic| start.starts_with(magic)) {
        return Some(Found::MachineCode);
    }
    let line = start.split(|byte| *byte == b'\n').next()?;
    let line = wisp_spelling::spell(line);
    if let Some(name) = line.strip_prefix(PROGRAM_MAGIC) {
        return Some(Found::Component(name.trim().to_owned()));
    }
    let rest = line.strip_prefix("#!")?.trim();
    let (path, argument) = rest.split_once([' ', '\t']).map_or((rest, None), |(path, rest)| (path, Some(rest.trim())));
    (!path.is_empty()).then(|| Found::Interpreter { path: path.to_owned(), argument: argument.map(str::to_owned) })
}

#[cfg(test)]
mod tests {
    use super::{Found, first_line};

    #[test]
    fn the_first_line_says_what_a_file_is() {
        let component = |start: &[u8]| match first_line(start) {
            Some(Found::Component(name)) => Some(name),
            _ => None,
        };
        let interpreter = |start: &[u8]| match first_line(start) {
            Some(Found::Interpreter { path, argument }) => Some((path, argument)),
            _ => None,
        };
        assert_eq!(component(b"#!wisp component coreutils\n"), Some("coreutils".to_owned()));
        assert_eq!(interpreter(b"#!/bin/sh\necho"), Some(("/bin/sh".to_owned(), None)));
        assert_eq!(interpreter(b"#! /usr/bin/env python3 -u\n"), Some(("/usr/bin/env".to_owned(), Some("python3 -u".to_owned()))));
        assert_eq!(interpreter(b"#!/b\xff\n"), Some(("/b\u{f7ff}".to_owned(), None)));
        for other in [&b"echo hi"[..], b"", b"#!", b"#!\n/bin/sh", b"\x00as"] {
            assert!(first_line(other).is_none(), "{other:?}");
        }
        for code in [&b"\x00asm\x0d"[..], b"\x7fELF\x02\n"] {
            assert!(matches!(first_line(code), Some(Found::MachineCode)), "{code:?}");
        }
    }
}
