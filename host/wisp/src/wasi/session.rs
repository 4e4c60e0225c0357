//! `wisp:sandbox/session`: read-only facts.

use wasmtime::component::HasData;

use super::bindings::wisp::sandbox::session::{Host, Limits};
use super::context::{Part, WasiView};
use wisp_process::Process;

/// What a program may know about its session.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    /// The policy's name.
    pub policy: String,
    /// What was granted, one grant a line.
    pub grants: Vec<String>,
    /// The programs, by name.
    pub tools: Vec<String>,
    /// Wall-clock limit of a command, in milliseconds; here and below, 0 is no limit.
    pub wall_ms: u64,
    /// Processor-time limit of a command, in milliseconds.
    pub cpu_ms: u64,
    /// Memory of all processes together, in bytes.
    pub memory: u64,
    /// Units of fuel of a command.
    pub instructions: u64,
    /// Processes at the same time.
    pub processes: u32,
    /// Open files of a process.
    pub open_files: u32,
    /// Bytes of standard output.
    pub stdout: u64,
    /// Bytes of standard error.
    pub stderr: u64,
    /// Whether clock and randomness are fixed.
    pub deterministic: bool,
}

/// The part of a process that `wisp:sandbox/session` sees.
pub(super) struct HasFacts;

impl HasData for HasFacts {
    type Data<'a> = FactsView<'a>;
}

impl Part for HasFacts {
    fn of(view: WasiView<'_>) -> FactsView<'_> {
        FactsView { facts: &view.ctx.facts, process: &view.ctx.process }
    }
}

/// The facts of a session, and the process whose rights decide which of them it may see.
pub(super) struct FactsView<'a> {
    facts: &'a Facts,
    process: &'a Process,
}

impl Host for FactsView<'_> {
    fn get_limits(&mut self) -> wasmtime::Result<Limits> {
        let facts = self.facts;
        Ok(Limits {
            wall_ms: facts.wall_ms,
            cpu_ms: facts.cpu_ms,
            memory: facts.memory,
            instructions: facts.instructions,
            processes: facts.processes,
            open_files: facts.open_files,
            stdout: facts.stdout,
            stderr: facts.stderr,
        })
    }

    fn grants(&mut self) -> wasmtime::Result<Vec<String>> {
        let rights = self.process.rights();
        let withheld = [rights.network().is_err().then_some("network."), rights.functions().is_err().then_some("host.")];
        let hidden = |grant: &&String| withheld.iter().flatten().any(|table| grant.starts_with(table));
        Ok(self.facts.grants.iter().filter(|grant| !hidden(grant)).cloned().collect())
    }

    fn policy(&mut self) -> wasmtime::Result<String> {
        Ok(self.facts.policy.clone())
    }

    fn tools(&mut self) -> wasmtime::Result<Vec<String>> {
        Ok(self.facts.tools.clone())
    }

    fn deterministic(&mut self) -> wasmtime::Result<bool> {
        Ok(self.facts.deterministic)
    }
}
