//! How late limits and timers are while other processes compute: a session's wall limit, and another session's short
//! sleeps.

use std::time::{Duration, Instant};

use tokio::runtime::Builder;
use wisp::{Command, Engine, Policy};

use super::table::{Row, Times, show};
use super::{Bench, Result};

/// The limit that is hit.
const WALL: Duration = Duration::from_millis(500);

/// The sleep of the other session.
const SLEEP: Duration = Duration::from_millis(5);

pub(crate) fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("deadlines") {
        return Ok(());
    }
    for (runtime, interval) in [("as tokio has it", None), ("event_interval(1)", Some(1))] {
        for loops in [8, 32, 60] {
            let (engine, rounds) = (bench.engine.clone(), bench.runs(10));
            // In its own runtime with two threads: the bench's own has one.
            let measuring = std::thread::spawn(move || -> std::result::Result<(Times, Times), String> {
                let mut builder = Builder::new_multi_thread();
                builder.worker_threads(2).enable_all();
                interval.map(|interval| builder.event_interval(interval));
                let runtime = builder.build().map_err(|error| error.to_string())?;
                runtime.block_on(measure(&engine, loops, rounds)).map_err(|error| error.to_string())
            });
            let measured = measuring.join().map_err(|_| "the measuring thread panicked")?;
            let (mut limits, mut sleeps) = measured?;
            let what = |about: &str| format!("deadlines: {about}, {loops} loops, {runtime}");
            let row = Row {
                what: what("limit of 500 ms late by"),
                wisp: format!("{} (most {})", show(limits.median()), show(limits.at(999))),
                ..Row::default()
            };
            bench.table.row(&row);
            bench.table.row(&Row { what: what("other's 5 ms sleep late by"), wisp: sleeps.show(), ..Row::default() });
        }
    }
    Ok(())
}

async fn measure(engine: &Engine, loops: usize, rounds: usize) -> Result<(Times, Times)> {
    // 60 shells have linear memories of 506 MiB together.
    let policy = Policy::offline().with_value("limits.memory", "1GiB")?;
    let busy = engine.session(&policy).timeout(WALL).build().await?;
    let other = engine.session(&Policy::offline()).build().await?;
    let script = format!("i=0; while [ $i -lt {} ]; do (while :; do :; done) & i=$((i+1)); done; while :; do :; done", loops - 1);
    let (mut limits, mut sleeps) = (Times::default(), Times::default());
    let mut interpreter = other.python().await?;
    interpreter.eval("import time").await?;
    for _ in 0..rounds {
        let began = Instant::now();
        let limited = tokio::spawn({
            let (busy, script) = (busy.clone(), script.clone());
            async move { busy.run(Command::new("sh").args(["-c", &script])).await.map(|outcome| (outcome, began.elapsed())) }
        });
        while !limited.is_finished() {
            // The guest itself measures how long it slept.
            let cell = interpreter.eval("a = time.monotonic(); time.sleep(0.005); time.monotonic() - a").await?;
            let slept = cell.value.as_deref().and_then(|text| text.parse::<f64>().ok()).ok_or("no time")?;
            sleeps.push(Duration::from_secs_f64(slept).saturating_sub(SLEEP));
        }
        let (outcome, took) = limited.await??;
        if outcome.limit.as_ref().is_none_or(|hit| hit.limit.as_str() != "limits.wall") {
            return Err(format!("the wall limit was not hit: {outcome:?}").into());
        }
        limits.push(took.saturating_sub(WALL));
    }
    Ok((limits, sleeps))
}
