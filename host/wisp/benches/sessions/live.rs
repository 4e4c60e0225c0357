//! Many live sessions at once: what one call costs among them, and the memory of each.

use std::time::Instant;

use wisp::Interpreter;

use super::table::{Row, Times, ratio, show_ratio};
use super::{Bench, Result};

/// How many at once.
const COUNTS: [usize; 4] = [1, 10, 100, 1_000];

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("live sessions") {
        return Ok(());
    }
    let template = bench.session.template();
    let mut alone = None;
    for count in COUNTS {
        let before = resident()?;
        let mut interpreters: Vec<Interpreter> = Vec::with_capacity(count);
        let mut ended = None;
        for _ in 0..count {
            match template.start()?.python().await {
                Ok(mut python) => {
                    python.eval("x = 20").await?;
                    interpreters.push(python);
                }
                Err(error) => {
                    ended = Some(error.to_string());
                    break;
                }
            }
        }
        let (live, grown) = (interpreters.len(), resident()?.saturating_sub(before));
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
        bench.table.row(&Row {
            what: format!("`x + 22` in one of {live} live Python sessions"),
            wisp: times.show(),
            beside: format!("{} KiB of memory each", grown / 1024 / live as u64),
            theirs: ended.unwrap_or_default(),
            ratio: show_ratio(ratio(median, first)),
            ..Row::default()
        });
    }
    Ok(())
}

/// Resident memory of this process, in bytes.
fn resident() -> Result<u64> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).ok_or("there is a line VmRSS")?;
    Ok(line.trim().trim_end_matches(" kB").parse::<u64>()? * 1024)
}
