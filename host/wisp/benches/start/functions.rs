//! The round trip of a function of the host, from Python, beside a plain call of the host.

use std::time::Duration;

use serde_json::json;
use wisp::{HostFunction, HostValue, Interpreter, Policy};

use super::table::{Row, Times};
use super::{Bench, Result};

/// Calls in a row, in one cell.
const BLOCK: u32 = 1_000;

/// What is measured; each cell returns nanoseconds for the block.
const CELLS: [(&str, &str); 3] = [
    ("a plain host call from Python (`time.monotonic_ns()`)", "plain"),
    ("a function of the host from Python: `echo(a=1)`", "echo"),
    ("the same, ten at once with `asyncio.gather`", "gather"),
];

const SETUP: &str = "
import asyncio, time
from host import echo
def plain(count):
    for _ in range(count): time.monotonic_ns()
def calls(count):
    for _ in range(count): echo(a=1)
async def tens(count):
    for _ in range(count // 10): await asyncio.gather(*(echo.aio(a=1) for _ in range(10)))
def timed(what):
    began = time.perf_counter_ns()
    {'plain': plain, 'echo': calls, 'gather': lambda count: asyncio.run(tens(count))}[what](1000)
    return time.perf_counter_ns() - began
";

/// The bar: what a call may cost over a plain one.
const BAR: Duration = Duration::from_micros(15);

async fn block(python: &mut Interpreter, what: &str) -> Result<Duration> {
    let evaluation = python.eval(&format!("timed('{what}')")).await?;
    let nanoseconds: u64 = evaluation.value.ok_or_else(|| evaluation.error.map_or_else(String::new, |error| error.report))?.parse()?;
    Ok(Duration::from_nanos(nanoseconds) / BLOCK)
}

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("functions") {
        return Ok(());
    }
    let echo = HostFunction::new("echo", |arguments: HostValue| async move { Ok(arguments) });
    let echo = echo.parameters(&json!({ "type": "object", "properties": { "a": { "type": "integer" } }, "required": ["a"] }));
    let policy = Policy::offline().with_value("limits.wall", "120s")?.with_value("host.max_calls", "10000000")?;
    let session = bench.engine.session(&policy).function(echo).allow_function("echo").build().await?;
    let mut python = session.python().await?;
    python.eval(SETUP).await?;
    let mut times = [Times::default(), Times::default(), Times::default()];
    for round in 0..=bench.runs(50) {
        for ((_, what), times) in CELLS.iter().zip(&mut times) {
            let one = block(&mut python, what).await?;
            // The first round only warms up.
            if round > 0 {
                times.push(one);
            }
        }
    }
    let (plain, theirs) = (times[0].median(), times[0].show());
    for (number, ((title, _), times)) in CELLS.iter().zip(&mut times).enumerate().skip(1) {
        let over = times.median().saturating_sub(plain);
        let (bar, met) = if number == 1 { ("<= 15 us more", Some(over <= BAR)) } else { ("", None) };
        let (what, beside) = ((*title).to_owned(), CELLS[0].0.to_owned());
        bench.table.row(&Row { what, wisp: times.show(), beside, theirs: theirs.clone(), bar, met, ..Row::default() });
    }
    Ok(())
}
