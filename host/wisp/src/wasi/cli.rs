//! `wasi:cli`: arguments, environment, exit, the standard streams and whether they are terminals.

use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream, InputStream, OutputStream};

use super::bindings::wasi::cli::{
    environment, exit, stderr, stdin, stdout, terminal_input, terminal_output, terminal_stderr, terminal_stdin, terminal_stdout,
};
use super::streams::{SharedInput, SharedOutput};
use super::{Description, Held, ProcessEnd, WasiView};
use crate::process::pipe;

/// A terminal handle: it says that the stream is one, and nothing else.
pub struct Terminal;

impl Held for Terminal {
    const CHARGED: &'static str = "nothing";
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

impl environment::Host for WasiView<'_> {
    fn get_environment(&mut self) -> wasmtime::Result<Vec<(String, String)>> {
        if self.ctx.told {
            return Ok(Vec::new());
        }
        let split = |entry: &Vec<u8>| {
            let at = entry.iter().position(|byte| *byte == b'=')?;
            Some((text(&entry[..at]), text(&entry[at + 1..])))
        };
        Ok(self.ctx.environment.iter().filter_map(split).collect())
    }

    fn get_arguments(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.ctx.arguments.iter().map(|argument| text(argument)).collect())
    }

    fn initial_cwd(&mut self) -> wasmtime::Result<Option<String>> {
        Ok(Some(self.ctx.working_directory.clone()))
    }
}

impl exit::Host for WasiView<'_> {
    fn exit(&mut self, status: Result<(), ()>) -> wasmtime::Result<()> {
        Err(ProcessEnd::exit(u8::from(status.is_err())).into())
    }

    fn exit_with_code(&mut self, code: u8) -> wasmtime::Result<()> {
        Err(ProcessEnd::exit(code).into())
    }
}

impl WasiView<'_> {
    fn output(&mut self, number: u32) -> wasmtime::Result<Resource<DynOutputStream>> {
        // A closed descriptor is a stream nobody reads, without the signal.
        let (description, process) = match self.ctx.descriptors.get(&number) {
            Some(description) => (description.clone(), Some(self.ctx.process.clone())),
            None => (Description::writer(pipe().1, u64::from(number), false), None),
        };
        let stream = SharedOutput::new(description, process, self.ctx.memory.clone());
        let stream: Box<dyn OutputStream> = Box::new(stream);
        self.table.push(stream)
    }

    fn terminal(&mut self, number: u32) -> wasmtime::Result<Option<Resource<Terminal>>> {
        if self.ctx.descriptors.get(&number).is_some_and(|description| description.is_terminal()) {
            return Ok(Some(self.table.push(Terminal)?));
        }
        Ok(None)
    }
}

impl stdin::Host for WasiView<'_> {
    fn get_stdin(&mut self) -> wasmtime::Result<Resource<DynInputStream>> {
        let description = match self.ctx.descriptors.get(&0) {
            Some(description) => description.clone(),
            None => Description::reader(pipe().0, 0, false),
        };
        let stream: Box<dyn InputStream> = Box::new(SharedInput { description, process: self.ctx.process.clone() });
        self.table.push(stream)
    }
}

impl stdout::Host for WasiView<'_> {
    fn get_stdout(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(1)
    }
}

impl stderr::Host for WasiView<'_> {
    fn get_stderr(&mut self) -> wasmtime::Result<Resource<DynOutputStream>> {
        self.output(2)
    }
}

impl terminal_input::Host for WasiView<'_> {}
impl terminal_input::HostTerminalInput for WasiView<'_> {
    fn drop(&mut self, terminal: Resource<Terminal>) -> wasmtime::Result<()> {
        self.table.delete(terminal)?;
        Ok(())
    }
}

impl terminal_output::Host for WasiView<'_> {}
impl terminal_output::HostTerminalOutput for WasiView<'_> {
    fn drop(&mut self, terminal: Resource<Terminal>) -> wasmtime::Result<()> {
        self.table.delete(terminal)?;
        Ok(())
    }
}

impl terminal_stdin::Host for WasiView<'_> {
    fn get_terminal_stdin(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(0)
    }
}

impl terminal_stdout::Host for WasiView<'_> {
    fn get_terminal_stdout(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(1)
    }
}

impl terminal_stderr::Host for WasiView<'_> {
    fn get_terminal_stderr(&mut self) -> wasmtime::Result<Option<Resource<Terminal>>> {
        self.terminal(2)
    }
}
