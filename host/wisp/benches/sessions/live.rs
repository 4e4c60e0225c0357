//! Many live sessions at once: what one call costs among them, and the memory and the maps of each.

use std::time::Instant;

use wisp::{Engine, Interpreter, SlotBounds};

use super::table::{Row, Times, ratio, show_ratio};
use super::{Bench, Result};

/// How many at once; in a quick run up to 1,000.
const COUNTS: [usize; 5] = [1, 10, 100, 1_000, 10_000];

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if bench.table.wants("live sessions") {
        many(bench).await?;
    }
    if bench.table.wants("live rest") {
        rested(bench).await?;
    }
    Ok(())
}

async fn many(bench: &mut Bench) -> Result<()> {
    let template = bench.session.template();
    let (mut interpreters, mut alone): (Vec<Interpreter>, _) = (Vec::new(), None);
    let before = (private()?, maps()?);
    for count in COUNTS.into_iter().filter(|count| !bench.quick || *count <= 1_000) {
        let mut ended = None;
        while interpreters.len() < count && ended.is_none() {
            match template.start()?.python().await {
                Ok(mut python) => {
                    python.eval("x = 20").await?;
                    interpreters.push(python);
                }
                Err(error) => ended = Some(error.to_string()),
            }
        }
        let live = interpreters.len();
        let mut times = Times::default();
        for round in 0..bench.runs(2_000) {
            // In an order in which no interpreter follows itself, unless there is one only.
            let python = &mut interpreters[(round * 7_919) % live];
            let began = Instant::now();
            python.eval("x + 22").await?;
            times.push(began.elapsed());
        }
        let median = times.median();
        let first = *alone.get_or_insert(median);
        // Idle slots that were filled before are used first, so only large numbers say what one costs.
        let each = |before: u64, now: u64| now.saturating_sub(before) as f64 / live as f64;
        let (memory, maps) = (each(before.0, private()?) / 1024.0, each(before.1, maps()?));
        bench.table.row(&Row {
            what: format!("`x + 22` in one of {live} live Python sessions"),
            wisp: times.show(),
            beside: format!("{memory:.0} KiB of its own and {maps:.1} maps each"),
            theirs: ended.unwrap_or_default(),
            ratio: show_ratio(ratio(median, first)),
            ..Row::default()
        });
    }
    Ok(())
}

/// Measures a call whose interpreter gave its stack back after the one before, as with thousands alive.
async fn rested(bench: &mut Bench) -> Result<()> {
    let engine = Engine::builder(wisp_built::components()).slots(SlotBounds { max_warm: 0, ..SlotBounds::default() }).build()?;
    let session = engine.session(bench.session.policy()).build().await?;
    let (mut rested, mut warm) = (session.python().await?, bench.session.python().await?);
    let (mut ours, mut theirs) = (Times::default(), Times::default());
    for _ in 0..bench.runs(2_000) {
        for (python, times) in [(&mut rested, &mut ours), (&mut warm, &mut theirs)] {
            let began = Instant::now();
            python.eval("1 + 1").await?;
            times.push(began.elapsed());
        }
    }
    bench.table.row(&Row {
        what: "`1 + 1` in a Python that gave its stack back at rest".to_owned(),
        wisp: ours.show(),
        beside: "in one that kept it".to_owned(),
        theirs: theirs.show(),
        ratio: show_ratio(ratio(ours.median(), theirs.median())),
        ..Row::default()
    });
    Ok(())
}

/// Returns the memory that only this process has, in bytes.
fn private() -> Result<u64> {
    let rollup = std::fs::read_to_string("/proc/self/smaps_rollup")?;
    let own = |line: &str| {
        line.strip_prefix("Private_Clean:").or(line.strip_prefix("Private_Dirty:"))?.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    };
    Ok(rollup.lines().filter_map(own).sum::<u64>() * 1024)
}

fn maps() -> Result<u64> {
    Ok(std::fs::read_to_string("/proc/self/maps")?.lines().count() as u64)
}
