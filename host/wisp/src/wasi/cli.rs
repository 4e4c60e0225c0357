//! `wasi:cli`: arguments, environment, exit, the standard streams and whether they are terminals.

use std::collections::BTreeMap;
use std::sync::Arc;

use wasmtime::component::{HasData, Resource};
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream, OutputStream};

use super::bindings::wasi::cli::{
    environment, exit, stderr, stdin, stdout, terminal_input, terminal_output, terminal_stderr, terminal_stdin, terminal_stdout,
};
use super::context::{Part, WasiView};
use super::streams::{SharedInput, SharedOutput};
use super::{Description, Handles, Held, HostMemory, OpenDescription, ProcessEnd};
use crate::tasks::Tasks;
use wisp_process::{Process, pipe};

/// A terminal handle. It says that the stream is a terminal, and nothing else.
pub struct Terminal;

impl Held for Terminal {
    const CHARGED: &'static str = "nothing";
}

/// Returns bytes as WASI's strings have them: spelled where they are not UTF-8, as names of files are.
fn text(bytes: &[u8]) -> String {
    wisp_spelling::spell(bytes).into_owned()
}

/// The part of a process that `wasi:cli/environment` sees.
pub(super) struct HasEnvironment;

impl HasData for HasEnvironment {
    type Data<'a> = EnvironmentView<'a>;
}

impl Part for HasEnvironment {
    fn of(view: WasiView<'_>) -> EnvironmentView<'_> {
        let ctx = view.ctx;
        let environment: &[Vec<u8>] = if ctx.hide_environment { &[] } else { ctx.environment.as_slice() };
        EnvironmentView { arguments: &ctx.arguments, environment, working_directory: &ctx.working_directory }
    }
}

/// What a process was started with.
pub(super) struct EnvironmentView<'a> {
    arguments: &'a [Vec<u8>],
    environment: &'a [Vec<u8>],
    working_directory: &'a str,
}

impl environment::Host for EnvironmentView<'_> {
    fn get_environment(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        let split = |entry: &Vec<u8>| {
            let at = entry.iter().position(|byte| *byte == b'=')?;
            Some((text(&entry[..at]), text(&entry[at + 1..])))
        };
        Ok(self.environment.iter().filter_map(split).collect())
    }

    fn get_arguments(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.arguments.iter().map(|argument| text(argument)).collect())
    }

    fn initial_cwd(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(Some(self.working_directory.to_owned()))
    }
}

/// `wasi:cli/exit` sees nothing of a process: exiting is the error that a call returns.
pub(super) struct HasExit;

impl HasData for HasExit {
    type Data<'a> = Ending;
}

impl Part for HasExit {
    fn of(_: WasiView<'_>) -> Ending {
        Ending
    }
}

/// The end of a process.
pub(super) struct Ending;

impl exit::Host for Ending {
    fn exit(&mut self, status: Result<(), ()>) -> wasmtime::Result<()> {
        Err(ProcessEnd::exit(u8::from(status.is_err())).into())
    }

    fn exit_with_code(&mut self, code: u8) -> wasmtime::Result<()> {
        Err(ProcessEnd::exit(code).into())
    }
}

/// The part of a process that the standard streams and the terminals of `wasi:cli` see.
pub(super) struct HasStandardStreams;

impl HasData for HasStandardStreams {
    type Data<'a> = StreamsView<'a>;
}

impl Part for HasStandardStreams {
    fn of(view: WasiView<'_>) -> StreamsView<'_> {
        let ctx = view.ctx;
        StreamsView { table: view.table, descriptors: &ctx.descriptors, process: &ctx.process, memory: &ctx.memory, tasks: &ctx.tasks }
    }
}

/// The descriptors that a process started with, and the table that holds the handles of their streams.
pub(super) struct StreamsView<'a> {
    table: &'a mut Handles,
    descriptors: &'a BTreeMap<u32, OpenDescription>,
    /// The process that a write ends if the stream's reader is gone.
    process: &'a Arc<Process>,
    memory: &'a Arc<dyn HostMemory>,
    tasks: &'a Arc<Tasks>,
}

impl StreamsView<'_> {
    fn output(&mut self, number: u32) -> wasmtime::Result<Resource<DynOutputStream>> {
        // A closed descriptor behaves as a stream without a reader, but raises no signal.
        let (description, process) = match self.descriptors.get(&number) {
            Some(description) => (description.clone(), Some(self.process.clone())),
            None => (Description::writer(pipe().1, u64::from(number), false), None),
        };
        let stream = SharedOutput::new(description, process, self.memory.clone(), self.tasks.clone());
        let stream: Box<dyn OutputStream> = Box::new(stream);
        self.table.push(stream)
    }

    fn terminal(&mut self, number: u32) -> wasmtime::Result<Option<Resource<Terminal>>> {
        if self.descriptors.get(&number).is_some_and(|description| description.is_terminal()) {
            return Ok(Some(self.table.push(Terminal)?));
        }
        Ok(None)
    }
}

impl stdin::Host for StreamsView<'_> {
    fn get_stdin(&mut self) -> wasmtime::Result<Resource<DynInputStream>> {
        let description = match self.descriptors.get(&0) {
            Some(description) => description.clone(),
            None => Description::reader(pipe().0, 0, false),
        };
        let stream: Box<dyn InputStream> = Box::new(SharedInput { description, process: self.process.clone() });
        self.table.push(stream)
    }
}

impl stdout::Host for StreamsView<'_> {
    fn get_stdout(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(1)
    }
}

impl stderr::Host for StreamsView<'_> {
    fn get_stderr(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(2)
    }
}

impl terminal_input::Host for StreamsView<'_> {}
impl terminal_input::HostTerminalInput for StreamsView<'_> {
    fn drop(&mut self, terminal: Resource<Terminal>) -> wasmtime::Result<()> {
        self.table.delete(terminal)?;
        Ok(())
    }
}

impl terminal_output::Host for StreamsView<'_> {}
impl terminal_output::HostTerminalOutput for StreamsView<'_> {
    fn drop(&mut self, terminal: Resource<Terminal>) -> wasmtime::Result<()> {
        self.table.delete(terminal)?;
        Ok(())
    }
}

impl terminal_stdin::Host for StreamsView<'_> {
    fn get_terminal_stdin(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(0)
    }
}

impl terminal_stdout::Host for StreamsView<'_> {
    fn get_terminal_stdout(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(1)
    }
}

impl terminal_stderr::Host for StreamsView<'_> {
    fn get_terminal_stderr(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(2)
    }
}
