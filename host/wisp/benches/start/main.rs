//! `just bench start [ROW]` (fresh, rate, eryx, fork, memory, branches, trajectory, functions, spawn, cli, leak, speed,
//! deadlines): the cost of a fresh interpreter and of a fork of a living one, compared with peers in the same run.
//!
//! Calls alternate with their peer's, in blocks, so that both see the same machine; times are medians. "Fresh" means
//! a new interpreter for the call, "warm" one that has run before. The rows with rates, CPU time and leaks are
//! measured in separate processes (this program, started again), so that everything in the process counts and nothing
//! else does. `QUICK=1` makes fewer runs. Absolute times on a virtual machine are noise; ratios within one run are
//! less so.

#![allow(clippy::disallowed_methods, reason = "a benchmark runs programs and lays out folders")]

mod branch;
mod cli;
mod deadlines;
mod eryx;
mod fork;
mod fresh;
mod functions;
mod leak;
mod machine;
mod peers;
mod plain;
mod rate;
mod spawn;
mod speed;
mod table;
mod usage;

use std::error::Error;

use table::Table;
use wisp::{Engine, Policy, Session};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// The call that is measured, and its output.
const CODE: &str = "print(2+2)";
const ANSWER: &str = "4\n";

/// What all rows share.
struct Bench {
    engine: Engine,
    session: Session,
    table: Table,
    peers: peers::Peers,
    quick: bool,
}

impl Bench {
    /// Returns this many runs, or fewer in a quick run.
    fn runs(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(10) } else { full }
    }
}

fn main() -> Result<()> {
    if let Ok(task) = std::env::var(rate::TASK) {
        return rate::child(&task);
    }
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(bench(filter))
}

/// Returns an engine, and a session in it with everything ready.
async fn ready() -> Result<(Engine, Session)> {
    let engine = Engine::new(wisp_built::components())?;
    let policy = Policy::offline().with_value("limits.wall", "120s")?;
    engine.warm(&policy).await?;
    let session = engine.session(&policy).build().await?;
    session.prepare().await?;
    Ok((engine, session))
}

async fn bench(filter: String) -> Result<()> {
    println!("{}", machine::about());
    let (engine, session) = ready().await?;
    if let Some(reason) = engine.memory_fallback() {
        println!("memory is not copy on write on this machine: {reason}");
    }
    let mut bench =
        Bench { engine, session, table: Table::new(filter), peers: peers::Peers::read(), quick: std::env::var_os("QUICK").is_some() };
    bench.table.head();
    fresh::rows(&mut bench).await?;
    rate::fresh(&mut bench)?;
    eryx::rows(&mut bench).await?;
    if bench.engine.memory_fallback().is_none() {
        fork::rows(&mut bench).await?;
        branch::rows(&mut bench).await?;
        rate::forks(&mut bench)?;
    }
    functions::rows(&mut bench).await?;
    spawn::rows(&mut bench).await?;
    cli::rows(&mut bench)?;
    leak::rows(&mut bench)?;
    speed::rows(&mut bench).await?;
    deadlines::rows(&mut bench)?;
    bench.table.end();
    println!("{}", machine::load());
    Ok(())
}
