//! The program that is a server: how it starts, what it gets, how it ends.

#![expect(clippy::disallowed_methods, reason = "starts the program that the policy names, with the variables that it names")]

use std::ffi::OsString;
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, set_parent_process_death_signal};
use wisp::policy::{McpCommand, McpServer};

use crate::error::ConnectError;

/// What every server gets of the host's environment: enough to find programs and its own files, and nothing secret.
const VARIABLES: [&str; 6] = ["PATH", "HOME", "USER", "LOGNAME", "LANG", "TMPDIR"];

/// How long a server may take to end once its input is closed, and again once it was asked to.
const GRACE: Duration = Duration::from_secs(1);

/// A program that runs, before anything was said to it.
pub(crate) struct Started {
    pub(crate) program: String,
    pub(crate) stdin: ChildStdin,
    pub(crate) stdout: ChildStdout,
    pub(crate) stderr: ChildStderr,
    pub(crate) process: Process,
}

/// The program. Dropping it ends it, without waiting.
pub(crate) struct Process(Option<Child>);

/// Who else ends a program than the value that holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tied {
    /// The end of the thread that starts it, too: this process may not be able to end it later.
    ToThread,
    No,
}

/// Starts the server, which is the program that is `asked` for: in the folder `/`, since the folder in which wisp runs may be one that
/// guests write; in a process group of its own, so that Ctrl-C at the terminal is not for it.
pub(crate) fn start(server: &McpServer, asked: &McpCommand, tied: Tied) -> Result<Started, ConnectError> {
    let program = asked.words.first().cloned().unwrap_or_default();
    let mut command = Command::new(&program);
    command.args(asked.words.iter().skip(1)).env_clear().envs(environment(server, asked)?);
    command.current_dir("/").process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    if tied == Tied::ToThread {
        let end_with_parent = || set_parent_process_death_signal(Some(Signal::TERM)).map_err(io::Error::from);
        // SAFETY: between fork and exec it makes one system call, and allocates nothing.
        unsafe { command.pre_exec(end_with_parent) };
    }
    let mut child = command.spawn().map_err(|source| failed(server, &program, source))?;
    match (child.stdin.take(), child.stdout.take(), child.stderr.take()) {
        (Some(stdin), Some(stdout), Some(stderr)) => Ok(Started { program, stdin, stdout, stderr, process: Process(Some(child)) }),
        _ => Err(failed(server, &program, io::ErrorKind::BrokenPipe.into())),
    }
}

/// Returns the error of a program that cannot be started.
pub(crate) fn failed(server: &McpServer, program: &str, source: io::Error) -> ConnectError {
    ConnectError::Start { server: server.name.clone(), program: program.to_owned(), source, rule: server.rule.to_string() }
}

fn environment(server: &McpServer, asked: &McpCommand) -> Result<Vec<(String, OsString)>, ConnectError> {
    let mut found = Vec::new();
    for name in VARIABLES {
        found.extend(std::env::var_os(name).map(|value| (name.to_owned(), value)));
    }
    for name in &asked.from_env {
        let Some(value) = std::env::var_os(name) else {
            let (server, rule) = (server.name.clone(), server.rule.to_string());
            return Err(ConnectError::Variable { server, variable: name.clone(), key: "from_env", rule });
        };
        found.push((name.clone(), value));
    }
    Ok(found)
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(child) = self.0.take() {
            // Without a thread, the program ends as its input does.
            let _ = thread::Builder::new().name("wisp-mcp-end".to_owned()).spawn(move || end(child));
        }
    }
}

/// Waits until it ends by itself, since its input is closed; then asks it to, then ends it. A process that is confined can do neither
/// of the last two: then it ends with the thread that started it.
fn end(mut child: Child) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    for signal in [Signal::TERM, Signal::KILL] {
        if ends(&mut child, GRACE) {
            return;
        }
        if let Some(group) = group
            && let Err(error) = kill_process_group(group, signal)
        {
            tracing::debug!(%error, "a server cannot be ended");
            return;
        }
    }
    let _ = child.wait();
}

fn ends(child: &mut Child, within: Duration) -> bool {
    let until = Instant::now() + within;
    loop {
        match child.try_wait() {
            Ok(None) if Instant::now() < until => thread::sleep(Duration::from_millis(10)),
            Ok(None) => return false,
            Ok(Some(_)) | Err(_) => return true,
        }
    }
}
