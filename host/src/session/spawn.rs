//! Starting processes: from a path to a component, and the task that runs it.

use std::sync::{Arc, Mutex, PoisonError};

use tracing::Instrument;

use super::base::PROGRAM_MAGIC;
use super::handle::SessionState;
use super::program::Program;
use super::receipt::Verdict;
use super::running::Running;
use super::task::{Execution, Task};
use super::tool::Tool;
use crate::process::{Process, Spawn, SpawnError, SpawnRequest};
use crate::vfs::{FileType, FsError, OpenHow};
use crate::wasi::{Charge, HostMemory, HttpCtx, OpenDescription, OpenFiles, ProcessCtx, outside};

/// What the host holds for an argument or a variable of the environment besides its bytes.
const STRING_COST: usize = 32;

/// `#!` lines that lead to another `#!` at the most, as in Linux.
const MAX_INTERPRETERS: usize = 4;

/// Bytes of a `#!` line at the most, as in Linux.
const MAX_SHEBANG: usize = 256;

/// Starts the processes of one command.
pub(super) struct Spawner {
    session: Arc<SessionState>,
    running: Arc<Running>,
    /// What the process that has this goes on as; nothing where it cannot.
    next: Option<Mutex<Option<Next>>>,
}

/// A program that a process is about to become.
pub(super) struct Next {
    pub ctx: ProcessCtx,
    pub program: Arc<Program>,
    pub spawner: Arc<Spawner>,
    name: String,
    ignore_broken_pipe: bool,
}

impl Next {
    /// The process is this program now.
    pub(super) fn begin(&self, process: &Process) {
        process.rename(&self.name);
        process.signals().renew();
        process.signals().set_quiet_pipes(self.ignore_broken_pipe);
    }
}

/// What a path turned out to be.
enum Found {
    Component(String),
    Interpreter { path: String, argument: Option<String> },
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
        self.start(parent.pid(), request).await
    }

    async fn replace(&self, process: &Arc<Process>, mut request: SpawnRequest<OpenDescription>) -> Result<(), SpawnError> {
        let slot = self.next.as_ref().ok_or(SpawnError::NotReplaceable)?;
        let session = &self.session;
        let asked = request.program.clone();
        let tool = self.tool(process.pid(), &asked, &mut request).await?;
        let program = self.program(&tool).await?;
        let (name, ignore_broken_pipe) = (called(&request), request.ignore_broken_pipe);
        let spawner = Spawner::of_process(session, &self.running);
        let ctx = spawner.context(process, request)?;
        session.receipts.record(process.pid(), "exec", &asked, Verdict::Allowed, &tool.rule);
        let next = Next { ctx, program, spawner, name, ignore_broken_pipe };
        *slot.lock().unwrap_or_else(PoisonError::into_inner) = Some(next);
        Ok(())
    }
}

/// The name that what is started is called by.
fn called(request: &SpawnRequest<OpenDescription>) -> String {
    request.arguments.first().map(|name| String::from_utf8_lossy(name).into_owned()).unwrap_or_default()
}

impl Spawner {
    /// Starts the children of the host, or of an interpreter that stays what it is.
    pub(super) fn new(session: &Arc<SessionState>, running: &Arc<Running>) -> Arc<Spawner> {
        Arc::new(Spawner { session: session.clone(), running: running.clone(), next: None })
    }

    /// Starts the children of a process, and can make it another program.
    fn of_process(session: &Arc<SessionState>, running: &Arc<Running>) -> Arc<Spawner> {
        Arc::new(Spawner { session: session.clone(), running: running.clone(), next: Some(Mutex::default()) })
    }

    /// What the process that has this is to go on as.
    pub(super) fn take_next(&self) -> Option<Next> {
        self.next.as_ref()?.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The tool behind the program that is asked for.
    async fn tool(&self, asker: u32, asked: &str, request: &mut SpawnRequest<OpenDescription>) -> Result<Arc<Tool>, SpawnError> {
        let component = self.resolve(request).await?;
        let session = &self.session;
        session.tools.get(&component).cloned().ok_or_else(|| {
            session.receipts.record(asker, "spawn", asked, Verdict::Denied, &session.policy.rule("tools.allow").to_string());
            SpawnError::NotExecutable
        })
    }

    async fn program(&self, tool: &Arc<Tool>) -> Result<Arc<Program>, SpawnError> {
        let program = outside(tool.program(&self.session.engine)).await;
        program.map_err(|error| {
            tracing::error!(tool = tool.name, %error, "a tool could not be prepared");
            SpawnError::Broken
        })
    }

    /// Start a process; `parent` 0 is the host.
    pub(super) async fn start(&self, parent: u32, mut request: SpawnRequest<OpenDescription>) -> Result<Arc<Process>, SpawnError> {
        let asked = request.program.clone();
        let tool = self.tool(parent, &asked, &mut request).await?;
        let session = &self.session;
        let limit = session.policy.limits().processes;
        // Whoever waits for this may go away at any await below: then the row goes too.
        let entered = session.processes.enter_with(parent, self.running.group, &called(&request), limit, request.attributes);
        let row = entered.inspect_err(|error| {
            if *error == SpawnError::Limit {
                self.running.hit("limits.processes");
            }
        })?;
        let permit = session.engine.room().clone().try_acquire_owned().map_err(|_| SpawnError::NoRoom)?;
        let program = self.program(&tool).await?;
        let process = row.process().clone();
        process.signals().set_quiet_pipes(request.ignore_broken_pipe);
        let spawner = Spawner::of_process(session, &self.running);
        let ctx = spawner.context(&process, request)?;
        session.receipts.record(process.pid(), "spawn", &asked, Verdict::Allowed, &tool.rule);
        self.running.enter(&process);
        let span = tracing::info_span!("process", pid = process.pid(), parent, tool = tool.name);
        let execution = Execution { running: self.running.clone(), process: process.clone(), program, lockstep: session.lockstep.clone() };
        let task = Task { session: session.clone(), execution };
        let work = task.run(row, ctx, spawner, permit).instrument(span);
        match &session.lockstep {
            Some(lockstep) => lockstep.spawn(work),
            None => drop(tokio::spawn(work)),
        }
        Ok(process)
    }

    /// What a process that is started by `request` can reach.
    pub(super) fn context(
        self: &Arc<Self>,
        process: &Arc<Process>,
        request: SpawnRequest<OpenDescription>,
    ) -> Result<ProcessCtx, SpawnError> {
        let session = &self.session;
        let memory: Arc<dyn HostMemory> = session.memory.clone();
        let strings = request.arguments.iter().chain(&request.environment);
        let cost = strings.map(|string| string.len() + STRING_COST).sum::<usize>();
        let start_charge = Some(Charge::new(&memory, cost as u64).ok_or(SpawnError::NoMemory)?);
        Ok(ProcessCtx {
            fs: session.fs.clone(),
            process: process.clone(),
            processes: session.processes.clone(),
            spawner: self.clone(),
            arguments: request.arguments,
            environment: request.environment,
            told: false,
            working_directory: request.working_directory,
            descriptors: request.descriptors.into_iter().collect(),
            clock: session.clock(),
            random: session.random(process.pid()),
            labels: session.labels.clone(),
            facts: session.facts.clone(),
            http: HttpCtx::new(session.net.clone()),
            open_files: OpenFiles::new(session.policy.limits().open_files),
            memory,
            start_charge,
        })
    }

    /// Follow `#!` lines to a component, changing the arguments as the kernel does.
    async fn resolve(&self, request: &mut SpawnRequest<OpenDescription>) -> Result<String, SpawnError> {
        // A script is told the name it was started by, as `$0`: `./script`, not where that is.
        let mut named = Some(request.program.clone());
        if !request.program.starts_with('/') {
            request.program = format!("{}/{}", request.working_directory, request.program);
        }
        for _ in 0..MAX_INTERPRETERS {
            match self.look(&request.program).await? {
                Found::Component(name) => return Ok(name),
                Found::Interpreter { path, argument } => {
                    let mut arguments = vec![path.clone().into_bytes()];
                    arguments.extend(argument.map(String::into_bytes));
                    let script = std::mem::replace(&mut request.program, path);
                    arguments.push(named.take().unwrap_or(script).into_bytes());
                    arguments.extend(request.arguments.drain(..).skip(1));
                    request.arguments = arguments;
                }
            }
        }
        Err(SpawnError::Loop)
    }

    /// What the first line of the file says it is.
    async fn look(&self, path: &str) -> Result<Found, SpawnError> {
        let (fs, path) = (self.session.fs.clone(), path.to_owned());
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
        let start = if host { outside(tokio::task::spawn_blocking(read)).await.unwrap_or(Err(SpawnError::Broken))? } else { read()? };
        first_line(&start).ok_or(SpawnError::NotExecutable)
    }
}

fn first_line(start: &[u8]) -> Option<Found> {
    let line = start.split(|byte| *byte == b'\n').next()?;
    let line = std::str::from_utf8(line).ok()?;
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
        for other in [&b"echo hi"[..], b"", b"#!", b"#!\n/bin/sh", b"\x00asm", b"#!/b\xff\n"] {
            assert!(first_line(other).is_none(), "{other:?}");
        }
    }
}
