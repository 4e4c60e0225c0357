//! `just bench python [ROW]` (fresh, loop, memory, pool): the data image beside the everyday python3, and a pool of processes. The
//! image is built by `toolchain/just python-data`.
//!
//! A call is a new interpreter up to its answer; calls alternate with those of the everyday python3, in blocks, so that both see
//! the same machine. Times are medians. `QUICK=1` makes fewer runs.

#![allow(clippy::disallowed_methods, reason = "a benchmark reads what the system says of this process")]

#[path = "../start/machine.rs"]
mod machine;
#[path = "../start/table.rs"]
mod table;
#[path = "../start/usage.rs"]
#[allow(dead_code, reason = "only a part of it is needed here")]
mod usage;

use std::error::Error;
use std::time::{Duration, Instant};

use table::{Row, Table, Times, ratio, show, show_ratio};
use wisp::{Command, Engine, Policy, Session};

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// Calls of one kind in a row.
const BLOCK: usize = 10;

/// Starts of a loop in the shell.
const STARTS: u32 = 200;

/// Interpreters that hold a table at once.
const PROCESSES: usize = 20;

const PRINT: (&str, &str) = ("print(2+2)", "4\n");
const SUM: (&str, &str) = ("import numpy\nprint(numpy.arange(10).sum())", "45\n");
const GROUP: (&str, &str) = (
    "import pandas as pd\nt = pd.DataFrame({'k': list('abca'), 'v': range(4)})\nprint(t.groupby('k').v.sum().to_dict())",
    "{'a': 3, 'b': 1, 'c': 2}\n",
);

/// Work in a pool of four processes, and the same work in the process itself: how many times quicker the pool is.
const POOL: &str = "
import time
from multiprocessing import Pool

def work(count):
    total = 0
    for i in range(count):
        total += i * i % 7
    return total

if __name__ == '__main__':
    parts = [1_000_000] * 16
    with Pool(4) as pool:
        pool.map(work, [1] * 16)
        began = time.perf_counter()
        alone = [work(part) for part in parts]
        middle = time.perf_counter()
        together = pool.map(work, parts, chunksize=1)
        assert together == alone
        print((middle - began) / (time.perf_counter() - middle))
";

/// What all rows share.
struct Bench {
    everyday: Session,
    data: Session,
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
    println!("{}", machine::about());
    let mut table = Table::new(filter);
    table.head();
    let one = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    table = one.block_on(bench(table))?;
    let all = tokio::runtime::Builder::new_multi_thread().event_interval(1).enable_all().build()?;
    all.block_on(async { tokio::spawn(pool(table)).await? })?.end();
    println!("{}", machine::load());
    Ok(())
}

/// Returns a session under a shipped policy, with everything ready.
async fn session(engine: &Engine, name: &str) -> Result<Session> {
    let policy = Policy::parse(
        &wisp::policy::HostFiles,
        "bench.toml",
        &format!("extends = \"{name}\"\n[limits]\nwall = \"120s\"\nmemory = \"16GiB\"\n"),
    )?;
    let session = engine.session(&policy).build().await?;
    session.prepare().await?;
    Ok(session)
}

async fn bench(mut table: Table) -> Result<Table> {
    let engine = Engine::builder(wisp_built::components()).compile_images(true).build()?;
    let everyday = session(&engine, "offline").await?;
    let data = match session(&engine, "data").await {
        Ok(data) => data,
        Err(why) => {
            table.row(&Row { what: "the data image".to_owned(), wisp: format!("not here: {why}"), ..Row::default() });
            return Ok(table);
        }
    };
    let mut bench = Bench { everyday, data, table, quick: std::env::var_os("QUICK").is_some() };
    fresh(&mut bench).await?;
    starts(&mut bench).await?;
    memory(&mut bench).await?;
    Ok(bench.table)
}

/// Returns a pool of processes on all processors.
async fn pool(mut table: Table) -> Result<Table> {
    if table.wants("pool") {
        let session = session(&Engine::new(wisp_built::components())?, "offline").await?;
        session.files().write("pool.py", POOL).await?;
        let mut found = Vec::new();
        for _ in 0..3 {
            let outcome = session.run(Command::new("python3").arg("pool.py")).await?;
            let times = outcome.stdout_text().trim().parse::<f64>();
            found.push(times.map_err(|_| format!("{:?}: {}", outcome.end, outcome.stderr_text()))?);
        }
        found.sort_by(f64::total_cmp);
        table.row(&Row {
            what: "multiprocessing.Pool(4), everyday python3".to_owned(),
            wisp: format!("{:.2} times as quick", found[1]),
            beside: "the same work in one process".to_owned(),
            bar: ">= 1.7 x",
            met: Some(found[1] >= 1.7),
            ..Row::default()
        });
    }
    Ok(table)
}

/// Returns a fresh call: the time to the answer.
async fn call(session: &Session, (code, answer): (&str, &str)) -> Result<Duration> {
    let began = Instant::now();
    let mut interpreter = session.python().await?;
    let cell = interpreter.eval(code).await?;
    let took = began.elapsed();
    if cell.stdout_text() != answer {
        return Err(format!("{code} printed {:?}: {:?} {}", cell.stdout_text(), cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(took)
}

async fn fresh(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fresh") {
        return Ok(());
    }
    let bars = [(PRINT, None), (SUM, Some(("<= 0.35 ms", 350))), (GROUP, Some(("<= 8 ms", 8_000)))];
    for (code, bar) in bars {
        let (mut ours, mut theirs) = (Times::default(), Times::default());
        for round in 0..=bench.runs(40) {
            for (session, code, times) in [(&bench.data, code, &mut ours), (&bench.everyday, PRINT, &mut theirs)] {
                let mut block = Vec::new();
                for _ in 0..BLOCK {
                    block.push(call(session, code).await?);
                }
                // The first round only warms up.
                if round > 0 {
                    times.extend(block);
                }
            }
        }
        bench.table.row(&Row {
            what: format!("fresh, data image: `{}`", code.0.lines().last().unwrap_or_default()),
            wisp: ours.show(),
            beside: format!("everyday python3: `{}`", PRINT.0),
            theirs: theirs.show(),
            ratio: show_ratio(ratio(ours.median(), theirs.median())),
            bar: bar.map_or("", |(text, _)| text),
            met: bar.map(|(_, limit)| ours.median() <= Duration::from_micros(limit)),
        });
    }
    Ok(())
}

/// Measures a program started again and again by a shell.
async fn starts(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("loop") {
        return Ok(());
    }
    let script = format!("i=0; while [ $i -lt {STARTS} ]; do python3 -c 'print(2+2)'; i=$((i+1)); done");
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..bench.runs(20).max(2) {
        for (session, times) in [(&bench.data, &mut ours), (&bench.everyday, &mut theirs)] {
            let began = Instant::now();
            let outcome = session.run(Command::new("sh").args(["-c", &script])).await?;
            if outcome.stdout_text().len() != 2 * STARTS as usize {
                return Err(format!("{:?}: {}", outcome.end, outcome.stderr_text()).into());
            }
            times.push(began.elapsed() / STARTS);
        }
    }
    let found = ratio(ours.median(), theirs.median());
    bench.table.row(&Row {
        what: "a start in a loop of sh, data image".to_owned(),
        wisp: show(ours.median()),
        beside: "everyday python3".to_owned(),
        theirs: show(theirs.median()),
        ratio: show_ratio(found),
        bar: "<= 1.5 x",
        met: Some(found <= 1.5),
    });
    Ok(())
}

/// Measures what each further interpreter with a table adds to this process.
async fn memory(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("memory") {
        return Ok(());
    }
    let mut live = Vec::new();
    let mut first = 0;
    for _ in 0..=PROCESSES {
        let mut interpreter = bench.data.python().await?;
        interpreter.eval(GROUP.0).await?;
        live.push(interpreter);
        if live.len() == 1 {
            first = usage::private().0;
        }
    }
    let each = usage::private().0.saturating_sub(first) as f64 / PROCESSES as f64 / f64::from(1 << 20);
    bench.table.row(&Row {
        what: format!("each of {PROCESSES} more data interpreters after a groupby"),
        wisp: format!("{each:.1} MiB of its own"),
        bar: "<= 6 MiB",
        met: Some(each <= 6.0),
        ..Row::default()
    });
    Ok(())
}
