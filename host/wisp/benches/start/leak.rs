//! 100,000 fresh calls in a row: the memory of the process does not grow.

use serde_json::{Value, json};

use super::table::Row;
use super::{Bench, Result, fresh, rate, ready, usage};

/// Measured after this many calls, in hundredths. Before the first measurement, every slot has been used.
const MARKS: [usize; 5] = [10, 25, 50, 75, 100];

/// How many more there may be at the end than at the first measurement. A leak adds something with every so many calls.
/// The idle slots are no leak: there is one more, with its maps, after a call that came before a slot was restored.
const VARIES: [(&str, f64); 3] = [("slots", 4.0), ("maps", 4.0 * MAPS), ("descriptors", 0.0)];

/// Maps of one slot, at most: space before it, its image, what follows the image, and space.
const MAPS: f64 = 4.0;

/// Runs the process that makes them. It reports its memory at each measurement.
pub(crate) async fn child(calls: usize) -> Result<()> {
    let (engine, session) = ready().await?;
    let mut made = 0;
    for mark in MARKS {
        while made < calls * mark / 100 {
            fresh::call(&session).await?;
            made += 1;
        }
        let (maps, descriptors) = usage::maps_and_descriptors();
        let slots = engine.slot_metrics().map(|slots| slots.mapped);
        println!("{}", json!({ "calls": made, "resident": usage::resident(), "maps": maps, "descriptors": descriptors, "slots": slots }));
    }
    Ok(())
}

pub(crate) fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("leak") {
        return Ok(());
    }
    let marks = rate::start("leak", 2, bench.runs(100_000))?;
    let first = marks.first().cloned().unwrap_or_default();
    let last = marks.last().cloned().unwrap_or_default();
    for mark in &marks {
        let change = number(mark, "resident") / number(&first, "resident");
        let is_last = mark == &last;
        let still = |(name, varies): (&str, f64)| number(mark, name) <= number(&first, name) + varies;
        bench.table.row(&Row {
            what: format!("leaks: {} fresh calls in a row", mark["calls"]),
            wisp: format!("{:.1} MiB resident", number(mark, "resident") / f64::from(1 << 20)),
            beside: format!("{} maps, {} descriptors, {} slots", mark["maps"], mark["descriptors"], mark["slots"]),
            ratio: format!("{change:.3} x"),
            bar: if is_last { "flat +- 5 %" } else { "" },
            met: is_last.then(|| (0.95..=1.05).contains(&change) && VARIES.into_iter().all(still)),
            ..Row::default()
        });
    }
    Ok(())
}

fn number(mark: &Value, name: &str) -> f64 {
    mark[name].as_f64().unwrap_or_default()
}
