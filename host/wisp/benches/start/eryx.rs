//! Fresh calls compared with eryx's, with pauses between them and back to back.

use std::time::{Duration, Instant};

use super::table::{Row, Times, ratio, show_ratio};
use super::{Bench, Result, fresh};

/// Calls of one kind in a row.
const BLOCK: usize = 20;

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fresh eryx") {
        return Ok(());
    }
    let (mut worker, version) = match bench.peers.eryx() {
        Ok(found) => found,
        Err(why) => {
            let row = Row { what: "fresh call, eryx".to_owned(), beside: format!("eryx: not here: {why}"), ..Row::default() };
            bench.table.row(&row);
            return Ok(());
        }
    };
    let session = bench.session.clone();
    for (what, every) in [("5 ms apart", Duration::from_millis(5)), ("back to back", Duration::ZERO)] {
        let (mut ours, mut theirs) = (Times::default(), Times::default());
        let (mut rate, mut cpu) = ([Duration::ZERO; 2], Duration::ZERO);
        let rounds = bench.runs(30);
        for round in 0..=rounds {
            let began = Instant::now();
            let mut times = Vec::new();
            for _ in 0..BLOCK {
                if !every.is_zero() {
                    tokio::time::sleep(every).await;
                }
                times.push(fresh::call(&session).await?);
            }
            let between = Instant::now();
            let (others, used) = worker.calls(BLOCK, every)?;
            // The first round only warms up.
            if round > 0 {
                ours.extend(times);
                theirs.extend(others);
                rate[0] += between - began;
                rate[1] += between.elapsed();
                cpu += used;
            }
        }
        let calls = (rounds * BLOCK) as f64;
        let quotient = ratio(ours.median(), theirs.median());
        bench.table.row(&Row {
            what: format!("fresh call, {what}, p50"),
            wisp: ours.show(),
            beside: format!("eryx {version}, fresh, CPU {:.2} ms a call", cpu.as_secs_f64() * 1e3 / calls),
            theirs: theirs.show(),
            ratio: show_ratio(quotient),
            bar: "<= 1/5",
            met: Some(quotient <= 0.2),
        });
        if every.is_zero() {
            let [ours, theirs] = rate.map(|time| calls / time.as_secs_f64());
            bench.table.row(&Row {
                what: "fresh calls a second, back to back, one thread".to_owned(),
                wisp: format!("{ours:.0}/s"),
                beside: format!("eryx {version}, fresh"),
                theirs: format!("{theirs:.0}/s"),
                ratio: format!("{:.1} x", ours / theirs),
                ..Row::default()
            });
        }
    }
    Ok(())
}
