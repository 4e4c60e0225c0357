//! Calls per second, and their CPU time: in separate processes, limited to one processor or to two.

use std::sync::Barrier;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wisp::{Engine, InterpreterSnapshot, Policy, Session};

use super::peers::Peers;
use super::plain::Plain;
use super::table::{Row, show, show_ratio};
use super::{Bench, Result, fork, fresh, leak, usage};

/// The environment variable that turns this program into one of those processes: `fresh 2 1000` is two threads for
/// 1,000 milliseconds.
pub(crate) const TASK: &str = "WISP_BENCH_TASK";

/// What one thread repeats.
enum Work {
    Fresh(Session),
    Fork(Box<InterpreterSnapshot>),
    Plain(Box<Plain>),
}

impl Work {
    async fn prepare(engine: &Engine, kind: &str) -> Result<Self> {
        if kind == "plain" {
            return Ok(Self::Plain(Box::new(Plain::load(&Peers::read().plain()?)?)));
        }
        let session = engine.session(&Policy::offline()).build().await?;
        session.prepare().await?;
        Ok(match kind {
            "fork" => Self::Fork(Box::new(fork::parent(&session).await?.snapshot().await?)),
            _ => Self::Fresh(session),
        })
    }

    async fn one(&self) -> Result<Duration> {
        match self {
            Self::Fresh(session) => fresh::call(session).await,
            Self::Fork(snapshot) => fork::small(snapshot).await,
            Self::Plain(plain) => plain.call().await,
        }
    }

    /// Calls, the time they took, and the CPU time of the whole process in that time.
    async fn measure(&self, begin: &Barrier, length: Duration) -> Result<(usize, Duration, Duration)> {
        for _ in 0..200 {
            self.one().await?;
        }
        begin.wait();
        let (cpu, began, mut count) = (usage::cpu(), Instant::now(), 0);
        while began.elapsed() < length {
            self.one().await?;
            count += 1;
        }
        Ok((count, began.elapsed(), usage::cpu() - cpu))
    }
}

/// Runs a process that measures.
pub(crate) fn child(task: &str) -> Result<()> {
    let mut words = task.split(' ');
    let kind = words.next().unwrap_or_default();
    let mut number = || words.next().and_then(|word| word.parse::<usize>().ok()).ok_or("a task is KIND THREADS AMOUNT");
    let (threads, amount) = (number()?, number()?);
    if kind == "leak" {
        return runtime()?.block_on(leak::child(amount));
    }
    let engine = Engine::new(wisp_built::components())?;
    let begin = Barrier::new(threads);
    let measured: Vec<(usize, Duration, Duration)> = std::thread::scope(|scope| {
        let work = || {
            let runtime = runtime()?;
            runtime.block_on(async { Work::prepare(&engine, kind).await?.measure(&begin, Duration::from_millis(amount as u64)).await })
        };
        // The others wait for a thread that failed: the whole process ends.
        let thread = move || work().unwrap_or_else(|error| die(&error.to_string()));
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(thread)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|_| die("a thread panicked"))).collect()
    });
    let rate: f64 = measured.iter().map(|(count, took, _)| *count as f64 / took.as_secs_f64()).sum();
    let calls: usize = measured.iter().map(|(count, ..)| count).sum();
    let cpu = measured.first().map(|(.., cpu)| cpu.as_secs_f64()).unwrap_or_default();
    println!("{}", json!({ "rate": rate, "cpu": cpu / calls as f64, "processors": usage::processors().len() }));
    Ok(())
}

fn die(why: &str) -> ! {
    eprintln!("{why}");
    std::process::exit(1)
}

fn runtime() -> Result<Runtime> {
    Ok(tokio::runtime::Builder::new_current_thread().enable_all().build()?)
}

/// Starts this program for a task; returns its output lines. It is limited to as many processors as the task has
/// threads: its other work, such as restoring memory, belongs to these calls too.
pub(crate) fn start(kind: &str, threads: usize, amount: usize) -> Result<Vec<Value>> {
    let processors: Vec<String> = usage::processors().into_iter().take(threads).map(|processor| processor.to_string()).collect();
    let mut command = std::process::Command::new("taskset");
    command.args(["-c", &processors.join(",")]).arg(std::env::current_exe()?);
    let done = command.env(TASK, format!("{kind} {threads} {amount}")).stderr(std::process::Stdio::inherit()).output();
    let done = done.map_err(|error| format!("`taskset` (util-linux) cannot be started: {error}"))?;
    if !done.status.success() {
        return Err(format!("the process for `{kind}` ended with {}", done.status).into());
    }
    String::from_utf8(done.stdout)?.lines().map(|line| Ok(serde_json::from_str(line)?)).collect()
}

/// Medians of alternate runs on one processor and on two.
struct Rates {
    one: f64,
    two: f64,
    /// CPU time of a call, on one processor.
    cpu: Duration,
    /// Whether there were two processors.
    pair: bool,
}

fn rates(bench: &Bench, kind: &str) -> Result<Rates> {
    let (mut one, mut two, mut cpu, mut pair) = (Vec::new(), Vec::new(), Vec::new(), true);
    let number = |answers: &[Value], name: &str| answers.first().and_then(|answer| answer[name].as_f64()).unwrap_or_default();
    for _ in 0..bench.runs(7) {
        let answers = start(kind, 1, bench.runs(1_000))?;
        one.push(number(&answers, "rate"));
        cpu.push(number(&answers, "cpu"));
        let answers = start(kind, 2, bench.runs(1_000))?;
        two.push(number(&answers, "rate"));
        pair &= number(&answers, "processors") >= 2.0;
    }
    Ok(Rates { one: median(one), two: median(two), cpu: Duration::from_secs_f64(median(cpu)), pair })
}

pub(crate) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or_default()
}

pub(crate) fn fresh(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fresh rate throughput cpu") {
        return Ok(());
    }
    let found = rates(bench, "fresh")?;
    let plain = bench.peers.plain().ok().map(|_| start("plain", 1, bench.runs(1_000))).transpose()?;
    let theirs = plain.as_ref().and_then(|answers| answers.first()?["cpu"].as_f64()).map(Duration::from_secs_f64);
    bench.table.row(&Row {
        what: "CPU of a fresh call, everything counted".to_owned(),
        wisp: show(found.cpu),
        beside: "plain componentize-py, pooling allocator, fresh".to_owned(),
        theirs: theirs.map_or_else(|| "not here".to_owned(), show),
        ratio: theirs.map(|theirs| show_ratio(super::table::ratio(found.cpu, theirs))).unwrap_or_default(),
        bar: "<= 0.20 ms",
        met: Some(found.cpu <= Duration::from_micros(200)),
    });
    show_rates(bench, "throughput, fresh calls", &found, true);
    Ok(())
}

pub(crate) fn forks(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fork rate throughput cpu") {
        return Ok(());
    }
    let found = rates(bench, "fork")?;
    bench.table.row(&Row { what: "CPU of a fork and its first result, everything".to_owned(), wisp: show(found.cpu), ..Row::default() });
    show_rates(bench, "throughput, forks that evaluate `objs[77].m()`", &found, false);
    Ok(())
}

fn show_rates(bench: &mut Bench, what: &str, found: &Rates, scaling: bool) {
    let wisp = format!("{:.0}/s", found.one);
    bench.table.row(&Row {
        what: format!("{what}, one processor"),
        wisp: wisp.clone(),
        bar: ">= 5,000/s",
        met: Some(found.one >= 5_000.0),
        ..Row::default()
    });
    bench.table.row(&Row {
        what: format!("{what}, two processors"),
        wisp: if found.pair { format!("{:.0}/s", found.two) } else { "this machine has one".to_owned() },
        beside: "one processor".to_owned(),
        theirs: wisp,
        ratio: format!("{:.2} x", found.two / found.one),
        bar: if scaling { ">= 1.8 x" } else { "" },
        met: (scaling && found.pair).then_some(found.two / found.one >= 1.8),
    });
}
