//! A command: the program to run, and where its input and output go.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::wasi::OpenDescription;
use wisp_process::tty::Size;

/// Standard input of a command.
#[derive(Default)]
#[non_exhaustive]
pub enum Input {
    /// Nothing: an immediate end of file.
    #[default]
    Empty,
    /// These bytes.
    Bytes(Bytes),
    /// What the handle writes ([`Running::write_stdin`](crate::Running::write_stdin)), until it closes it. A command
    /// without a handle ([`Session::run`](crate::Session::run)) reads an immediate end of file.
    Piped,
    /// The bytes of a stream, as they arrive. `terminal` says that a person types them.
    Stream {
        /// The stream.
        stream: Box<dyn AsyncRead + Send + Unpin>,
        /// Whether it is a terminal.
        terminal: bool,
    },
}

/// Where standard output or error goes.
#[derive(Default)]
#[non_exhaustive]
pub enum Output {
    /// Into the outcome.
    #[default]
    Capture,
    /// To a stream, as it is written. `terminal` says that a person reads it.
    Stream {
        /// The stream.
        stream: Box<dyn AsyncWrite + Send + Unpin>,
        /// Whether it is a terminal.
        terminal: bool,
    },
    /// The last `bytes` bytes into the outcome, and at most twice as many: for a command that runs for long and writes much.
    Tail {
        /// The number of bytes that are always kept.
        bytes: usize,
    },
    /// To a function, piece by piece as it is written. It runs on the thread that runs the process, so it must return at
    /// once.
    Callback(Callback),
    /// Nowhere. It still counts against the limit.
    Discard,
}

/// A function that receives output.
pub type Callback = Box<dyn FnMut(&[u8]) + Send>;

/// What the end of a command is ([`Command::wait_for`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum WaitFor {
    /// Its first process has ended, and every process that holds its output has closed it, as a pipeline of a shell
    /// sees it. Processes that remain are ended.
    #[default]
    Output,
    /// Its first process has ended. The processes that it left running (`server &`) go on within the command's limits
    /// until they end, the session ends, or [`Running::kill`](crate::Running::kill) ends them.
    Direct,
}

/// A command: a program of the session and its arguments.
#[must_use = "a command does nothing until `Session::run` or `Session::start` has it"]
pub struct Command {
    pub(crate) program: String,
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) environment: Vec<(String, Vec<u8>)>,
    pub(crate) working_directory: Option<String>,
    pub(crate) stdin: Input,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) timeout: Option<Duration>,
    pub(crate) merged: bool,
    pub(crate) wait_for: WaitFor,
    pub(crate) tag: Option<String>,
    pub(crate) terminal: Option<Size>,
    pub(crate) descriptors: Vec<(u32, OpenDescription)>,
}

impl Command {
    /// Creates a program: a name looked up in the session's PATH, or a path with a `/`.
    pub fn new(program: impl Into<String>) -> Self {
        let program = program.into();
        Self {
            arguments: vec![wisp_spelling::read(&program).into_owned()],
            program,
            environment: Vec::new(),
            working_directory: None,
            stdin: Input::Empty,
            stdout: Output::Capture,
            stderr: Output::Capture,
            timeout: None,
            merged: false,
            wait_for: WaitFor::Output,
            tag: None,
            terminal: None,
            descriptors: Vec::new(),
        }
    }

    /// Adds an argument.
    pub fn arg(mut self, argument: impl AsRef<[u8]>) -> Self {
        self.arguments.push(argument.as_ref().to_vec());
        self
    }

    /// Adds several arguments.
    pub fn args<A: AsRef<[u8]>>(mut self, arguments: impl IntoIterator<Item = A>) -> Self {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_vec()));
        self
    }

    /// Sets a variable in its environment, in addition to the policy's.
    pub fn env(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.environment.push((name.into(), value.as_ref().to_vec()));
        self
    }

    /// Sets its working directory; a relative path starts at `/home/user`, which is the default.
    pub fn working_directory(mut self, path: impl Into<String>) -> Self {
        self.working_directory = Some(path.into());
        self
    }

    /// Sets its standard input.
    pub fn stdin(mut self, input: Input) -> Self {
        self.stdin = input;
        self
    }

    /// Sets its standard input to these bytes.
    pub fn stdin_bytes(self, bytes: impl Into<Bytes>) -> Self {
        self.stdin(Input::Bytes(bytes.into()))
    }

    /// Sets where its standard output goes.
    pub fn stdout(mut self, output: Output) -> Self {
        self.stdout = output;
        self
    }

    /// Sets where its standard error goes.
    pub fn stderr(mut self, output: Output) -> Self {
        self.stderr = output;
        self
    }

    /// Sends its standard error where its standard output goes, in the order in which both are written (`2>&1`).
    pub fn merge_stderr(mut self) -> Self {
        self.merged = true;
        self
    }

    /// Sets what counts as its end.
    pub fn wait_for(mut self, end: WaitFor) -> Self {
        self.wait_for = end;
        self
    }

    /// Sets a name by which [`Session::commands`](crate::Session::commands) shows it.
    pub fn tag(mut self, tag: impl Into<String>) -> Self {
        self.tag = Some(tag.into());
        self
    }

    /// Gives it a terminal of this size as its standard input, output and error, and as its controlling terminal: with
    /// lines that can be edited, echo, Ctrl-C and Ctrl-Z, and with raw input where a program asks for it.
    ///
    /// Its standard input is then what is typed: [`Input::Piped`] through
    /// [`Running::write_stdin`](crate::Running::write_stdin), where closing it hangs up; [`Input::Stream`], whose end hangs
    /// up, and which is a person's if it says that it is a terminal: then `limits.wall` does not count the time in which a
    /// program waits for a key, and begins again with each key that it waited for. [`Input::Empty`] and [`Input::Bytes`] are
    /// typed and followed by Ctrl-D. Its standard output is the screen; standard error goes there too.
    ///
    /// The variable `TERM` is `xterm-256color`, unless the policy or the command sets it.
    pub fn terminal(mut self, size: Size) -> Self {
        self.terminal = Some(size);
        self
    }

    /// Adds an open descriptor.
    pub(crate) fn descriptor(mut self, number: u32, description: OpenDescription) -> Self {
        self.descriptors.push((number, description));
        self
    }

    /// Sets a time limit of its own; the policy's applies too.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("Empty"),
            Self::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Self::Piped => f.write_str("Piped"),
            Self::Stream { terminal, .. } => f.debug_struct("Stream").field("terminal", terminal).finish_non_exhaustive(),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Capture => f.write_str("Capture"),
            Self::Stream { terminal, .. } => f.debug_struct("Stream").field("terminal", terminal).finish_non_exhaustive(),
            Self::Tail { bytes } => f.debug_struct("Tail").field("bytes", bytes).finish(),
            Self::Callback(_) => f.write_str("Callback"),
            Self::Discard => f.write_str("Discard"),
        }
    }
}

/// Without the values of its environment, which may be secrets.
impl fmt::Debug for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = |bytes: &Vec<u8>| String::from_utf8_lossy(bytes).into_owned();
        f.debug_struct("Command")
            .field("program", &self.program)
            .field("arguments", &self.arguments.iter().map(text).collect::<Vec<_>>())
            .field("environment", &self.environment.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("working_directory", &self.working_directory)
            .field("stdin", &self.stdin)
            .field("stdout", &self.stdout)
            .field("stderr", &self.stderr)
            .field("timeout", &self.timeout)
            .field("merged", &self.merged)
            .field("wait_for", &self.wait_for)
            .field("tag", &self.tag)
            .field("terminal", &self.terminal)
            .finish_non_exhaustive()
    }
}
