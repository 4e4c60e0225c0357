//! `just bench sessions [ROW]` (template, handle, stream, evaluation, question, interrupt, live, rest): what a service pays for
//! sessions, commands with handles, and interpreters that stay alive.
//!
//! Times are medians. Where a row has a peer, its runs alternate with the peer's. `QUICK=1` makes fewer runs.

#![allow(clippy::disallowed_methods, reason = "a benchmark runs programs and lays out folders")]

mod commands;
mod interpreters;
mod live;
#[path = "../start/machine.rs"]
mod machine;
#[path = "../start/table.rs"]
mod table;
mod template;

use std::error::Error;

use table::Table;
use wisp::{Engine, Policy, Session};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What all rows share.
struct Bench {
    session: Session,
    table: Table,
    quick: bool,
}

impl Bench {
    /// Returns this many runs, or fewer in a quick run.
    fn runs(&self, full: usize) -> usize {
        if self.quick { full.div_ceil(10) } else { full }
    }
}

fn main() -> Result<()> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(bench(filter))
}

async fn bench(filter: String) -> Result<()> {
    println!("{}", machine::about());
    let engine = Engine::new(wisp_built::components())?;
    let policy = Policy::offline().with_value("limits.wall", "120s")?.with_value("limits.stdout", "1GiB")?;
    engine.warm(&policy).await?;
    let session = engine.session(&policy).build().await?;
    session.prepare().await?;
    let mut bench = Bench { session, table: Table::new(filter), quick: std::env::var_os("QUICK").is_some() };
    bench.table.head();
    template::rows(&mut bench)?;
    commands::rows(&mut bench).await?;
    interpreters::rows(&mut bench).await?;
    live::rows(&mut bench).await?;
    bench.table.end();
    println!("{}", machine::load());
    Ok(())
}
