//! A session that starts from a template.

use std::time::{Duration, Instant};

use super::table::{Row, Times};
use super::{Bench, Result};

/// Sessions in a row. Dropping one is part of its cost.
const BLOCK: u32 = 100;

pub(crate) fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("template start") {
        return Ok(());
    }
    let (template, mut times) = (bench.session.template(), Times::default());
    for round in 0..=bench.runs(200) {
        let began = Instant::now();
        for _ in 0..BLOCK {
            drop(template.start()?);
        }
        // The first round only warms up.
        if round > 0 {
            times.push(began.elapsed() / BLOCK);
        }
    }
    bench.table.row(&Row {
        what: "a session from a template, started and dropped".to_owned(),
        wisp: times.show(),
        bar: "<= 20 us",
        met: Some(times.median() <= Duration::from_micros(20)),
        ..Row::default()
    });
    Ok(())
}
