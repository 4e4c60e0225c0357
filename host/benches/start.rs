//! `just bench start`: what a fresh interpreter, and a fork of a living one, cost; in one run, with ratios.

use std::error::Error;
use std::time::{Duration, Instant};

use wisp::{Command, Engine, Kernel, MemoryChoice, Policy, Session};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

const CODE: &str = "print(2+2)";

fn main() -> Result<()> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(bench(&filter))
}

/// Median and 99th percentile.
struct Times(Vec<Duration>);

impl Times {
    fn show(&mut self, name: &str) {
        self.0.sort();
        let at = |per: usize| self.0[self.0.len() * per / 1000].as_secs_f64() * 1e6;
        println!("{name:<44} p50 {:>9.1} us   p90 {:>9.1} us   p99 {:>9.1} us", at(500), at(900), at(990));
    }
}

fn cpu() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

async fn bench(filter: &str) -> Result<()> {
    let engine = Engine::builder().memory(if filter == "pool" { MemoryChoice::Pooling } else { MemoryChoice::Auto }).build()?;
    let session = engine.session(&Policy::offline()).build().await?;
    session.prepare().await?;
    let runs: usize = std::env::var("RUNS").ok().and_then(|runs| runs.parse().ok()).unwrap_or(2_000);
    let code = std::env::var("CODE").unwrap_or_else(|_| CODE.to_owned());
    let (mut start, mut eval, mut end, mut whole) = (Times(vec![]), Times(vec![]), Times(vec![]), Times(vec![]));
    let before = cpu();
    for _ in 0..runs {
        let began = Instant::now();
        let mut kernel = session.python().await?;
        let started = Instant::now();
        let cell = kernel.eval(&code).await?;
        let answered = Instant::now();
        assert!(cell.success(), "{:?} {}", cell.error, cell.outcome.stderr_text());
        drop((kernel, cell));
        let ended = Instant::now();
        start.0.push(started - began);
        eval.0.push(answered - started);
        end.0.push(ended - answered);
        whole.0.push(answered - began);
    }
    let used = (cpu() - before) / runs as u32;
    start.show("session.python()");
    eval.show("kernel.eval");
    end.show("drop");
    whole.show("fresh call, to the answer");
    println!("cpu a call, everything: {:.1} us; {:?}", used.as_secs_f64() * 1e6, engine.slot_metrics());
    let mut kernel = session.python().await?;
    let mut warm = Times(vec![]);
    for _ in 0..runs {
        let began = Instant::now();
        let _ = kernel.eval(&code).await?;
        warm.0.push(began.elapsed());
    }
    warm.show("warm call");
    for words in [&["true"][..], &["sh", "-c", "echo hi | wc -c"], &["python3", "-c", "print(2+2)"]] {
        let mut times = Times(vec![]);
        for _ in 0..runs / 4 {
            let began = Instant::now();
            command(&session, words).await?;
            times.0.push(began.elapsed());
        }
        times.show(&words.join(" "));
    }
    if engine.memory_fallback().is_none() {
        forks(session.python().await?, runs).await?;
    }
    Ok(())
}

async fn command(session: &Session, words: &[&str]) -> Result<()> {
    let outcome = session.run(Command::new(words[0]).args(&words[1..])).await?;
    assert!(outcome.success(), "{}", outcome.stderr_text());
    Ok(())
}

async fn forks(mut kernel: Kernel, runs: usize) -> Result<()> {
    let setup = "
import itertools
class P:
    def __init__(self, x): self.x = x
    def m(self): return self.x * 2
objs = [P(i) for i in range(10000)]
def make(k):
    def inner(z): return z + k
    return inner
add5 = make(5)
g = (i * i for i in itertools.count())
_ = [next(g) for _ in range(4)]
buf = bytearray(50_000_000); buf[49_999_999] = 7
";
    let cell = kernel.eval(setup).await?;
    assert!(cell.success(), "{:?}", cell.error);
    let began = Instant::now();
    let snapshot = kernel.snapshot().await?;
    println!("snapshot: {:?} {snapshot:?}", began.elapsed());
    let (mut times, mut ends) = (Times(vec![]), Times(vec![]));
    let before = cpu();
    for _ in 0..runs {
        let began = Instant::now();
        let mut child = snapshot.fork().await?;
        let cell = child.eval("print(objs[77].m(), add5(1), next(g), buf[49_999_999], len(objs)); objs.append(1); x = 1").await?;
        times.0.push(began.elapsed());
        assert_eq!(cell.stdout_text(), "154 6 16 7 10000\n", "{:?}", cell.error);
        drop(child);
        ends.0.push(began.elapsed());
    }
    times.show("fork to first result");
    ends.show("fork, result, drop");
    println!("cpu a fork, everything: {:.1} us", (cpu() - before).as_secs_f64() * 1e6 / runs as f64);
    let cell = kernel.eval("print(next(g), len(objs), 'x' in globals())").await?;
    assert_eq!(cell.stdout_text(), "16 10000 False\n");
    Ok(())
}
