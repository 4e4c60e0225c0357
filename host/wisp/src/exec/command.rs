//! What to run, and where its input and output go.

use std::fmt;
use std::time::Duration;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::wasi::OpenDescription;

/// Standard input of a command.
#[derive(Default)]
#[non_exhaustive]
pub enum Input {
    /// Nothing: end of file at once.
    #[default]
    Empty,
    /// These bytes.
    Bytes(Bytes),
    /// What a stream gives, as it gives it. `terminal` says that a person types it.
    Stream {
        /// The stream.
        stream: Box<dyn AsyncRead + Send + Unpin>,
        /// Whether it is a terminal.
        terminal: bool,
    },
    /// Lines that a person types at a terminal, asked for when a program waits for one. Standard error goes where standard
    /// output goes then.
    Terminal(Box<dyn Terminal>),
}

/// A person at a terminal, who gives lines.
#[async_trait::async_trait]
pub trait Terminal: Send {
    /// The next line. Asked for when a program waits for it and everything that was written before has been taken by the
    /// command's output streams: what stands in the terminal's last line is the prompt.
    async fn line(&mut self) -> Typed;
}

/// What a person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Typed {
    /// A line, its newline included.
    Line(Bytes),
    /// Ctrl-C: SIGINT for the foreground processes.
    Interrupt,
    /// Ctrl-D: an end of file, for whoever reads now.
    End,
    /// The terminal is gone: SIGHUP for all, and the end of the input.
    Gone,
}

/// Where standard output or error goes.
#[derive(Default)]
#[non_exhaustive]
pub enum Output {
    /// Into the outcome.
    #[default]
    Capture,
    /// To a stream, as it is produced. `terminal` says that a person reads it.
    Stream {
        /// The stream.
        stream: Box<dyn AsyncWrite + Send + Unpin>,
        /// Whether it is a terminal.
        terminal: bool,
    },
    /// Nowhere; it is still counted against the limit.
    Discard,
}

/// A command: a program of the session and its arguments.
#[must_use = "a command does nothing until `Session::run` has it"]
pub struct Command {
    pub(crate) program: String,
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) environment: Vec<(String, Vec<u8>)>,
    pub(crate) working_directory: Option<String>,
    pub(crate) stdin: Input,
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) timeout: Option<Duration>,
    pub(crate) descriptors: Vec<(u32, OpenDescription)>,
}

impl Command {
    /// A program: a name looked up in the session's PATH, or a path with a `/`.
    pub fn new(program: impl Into<String>) -> Command {
        let program = program.into();
        Command {
            arguments: vec![program.clone().into_bytes()],
            program,
            environment: Vec::new(),
            working_directory: None,
            stdin: Input::Empty,
            stdout: Output::Capture,
            stderr: Output::Capture,
            timeout: None,
            descriptors: Vec::new(),
        }
    }

    /// With another argument.
    pub fn arg(mut self, argument: impl AsRef<[u8]>) -> Command {
        self.arguments.push(argument.as_ref().to_vec());
        self
    }

    /// With more arguments.
    pub fn args<A: AsRef<[u8]>>(mut self, arguments: impl IntoIterator<Item = A>) -> Command {
        self.arguments.extend(arguments.into_iter().map(|argument| argument.as_ref().to_vec()));
        self
    }

    /// With a variable in its environment, besides the policy's.
    pub fn env(mut self, name: impl Into<String>, value: impl AsRef<[u8]>) -> Command {
        self.environment.push((name.into(), value.as_ref().to_vec()));
        self
    }

    /// In this directory; a relative path starts at `/home/user`, where a command starts by default.
    pub fn working_directory(mut self, path: impl Into<String>) -> Command {
        self.working_directory = Some(path.into());
        self
    }

    /// With this input.
    pub fn stdin(mut self, input: Input) -> Command {
        self.stdin = input;
        self
    }

    /// With these bytes as its input.
    pub fn stdin_bytes(self, bytes: impl Into<Bytes>) -> Command {
        self.stdin(Input::Bytes(bytes.into()))
    }

    /// With its output to there.
    pub fn stdout(mut self, output: Output) -> Command {
        self.stdout = output;
        self
    }

    /// With its error output to there.
    pub fn stderr(mut self, output: Output) -> Command {
        self.stderr = output;
        self
    }

    /// With another descriptor open.
    pub(crate) fn descriptor(mut self, number: u32, description: OpenDescription) -> Command {
        self.descriptors.push((number, description));
        self
    }

    /// With a time limit of its own; the policy's holds too.
    pub fn timeout(mut self, timeout: Duration) -> Command {
        self.timeout = Some(timeout);
        self
    }
}

impl fmt::Debug for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Input::Empty => f.write_str("Empty"),
            Input::Bytes(bytes) => write!(f, "Bytes({} bytes)", bytes.len()),
            Input::Stream { terminal, .. } => f.debug_struct("Stream").field("terminal", terminal).finish_non_exhaustive(),
            Input::Terminal(_) => f.write_str("Terminal"),
        }
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Output::Capture => f.write_str("Capture"),
            Output::Stream { terminal, .. } => f.debug_struct("Stream").field("terminal", terminal).finish_non_exhaustive(),
            Output::Discard => f.write_str("Discard"),
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
            .finish_non_exhaustive()
    }
}
