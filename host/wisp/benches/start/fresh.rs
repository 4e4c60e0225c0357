//! A fresh interpreter for a call, up to its answer.

use std::time::{Duration, Instant};

use wisp::Session;

use super::plain::Plain;
use super::table::{Row, Times, ratio, show, show_ratio};
use super::{ANSWER, Bench, CODE, Result};

/// Calls of one kind in a row.
const BLOCK: usize = 25;

/// Returns a fresh call: the time to the answer. The rest of the process ends afterwards.
pub(crate) async fn call(session: &Session) -> Result<Duration> {
    let began = Instant::now();
    let mut interpreter = session.python().await?;
    let cell = interpreter.eval(CODE).await?;
    let took = began.elapsed();
    if cell.stdout_text() != ANSWER {
        return Err(format!("{CODE} printed {:?}: {:?} {}", cell.stdout_text(), cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(took)
}

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fresh library plain warm") {
        return Ok(());
    }
    let plain = bench.peers.plain().and_then(|path| Plain::load(&path).map_err(|error| error.to_string()));
    let (session, before) = (bench.session.clone(), bench.engine.slot_metrics().unwrap_or_default());
    let mut living = session.python().await?;
    let (mut fresh, mut theirs, mut warm) = (Times::default(), Times::default(), Times::default());
    for round in 0..=bench.runs(80) {
        let mut times = [Vec::new(), Vec::new(), Vec::new()];
        for _ in 0..BLOCK {
            times[0].push(call(&session).await?);
        }
        if let Ok(plain) = &plain {
            for _ in 0..BLOCK {
                times[1].push(plain.call().await?);
            }
        }
        for _ in 0..BLOCK {
            let began = Instant::now();
            let cell = living.eval(CODE).await?;
            times[2].push(began.elapsed());
            assert_eq!(cell.stdout_text(), ANSWER);
        }
        // The first round only warms up.
        if round > 0 {
            let [ours, others, again] = times;
            fresh.extend(ours);
            theirs.extend(others);
            warm.extend(again);
        }
    }
    let median = fresh.median();
    bench.table.row(&Row {
        what: format!("fresh call `{CODE}`, library, p50"),
        wisp: fresh.show(),
        bar: "<= 0.10 ms",
        met: Some(median <= Duration::from_micros(100)),
        ..Row::default()
    });
    let after = bench.engine.slot_metrics().unwrap_or_default();
    let (hits, misses) = (after.instance_hits - before.instance_hits, after.instance_misses - before.instance_misses);
    bench.table.row(&Row {
        what: "of these, begun in an instance that was ready".to_owned(),
        wisp: format!("{:.1} % of {}", hits as f64 * 100.0 / (hits + misses).max(1) as f64, hits + misses),
        ..Row::default()
    });
    bench.table.row(&match plain {
        Ok(_) => Row {
            what: "the same".to_owned(),
            wisp: show(median),
            beside: "plain componentize-py, pooling allocator, fresh".to_owned(),
            ratio: show_ratio(ratio(median, theirs.median())),
            theirs: theirs.show(),
            bar: "<= 1/8",
            met: Some(ratio(median, theirs.median()) <= 0.125),
        },
        Err(why) => Row { what: "the same".to_owned(), beside: format!("plain component: not here: {why}"), ..Row::default() },
    });
    bench.table.row(&Row {
        what: "the same".to_owned(),
        wisp: show(median),
        beside: "a warm call in wisp".to_owned(),
        ratio: show_ratio(ratio(median, warm.median())),
        theirs: warm.show(),
        bar: "<= 4 x",
        met: Some(ratio(median, warm.median()) <= 4.0),
    });
    Ok(())
}
