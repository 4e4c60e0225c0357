//! Processes other than interpreters: `true`, and a shell with a pipeline, in a running engine.

use std::time::{Duration, Instant};

use wisp::{Command, Session};

use super::peers::run;
use super::table::{Row, Times, ratio, show_ratio};
use super::{Bench, Result};

/// Commands of one kind in a row.
const BLOCK: usize = 25;

const PIPELINE: &str = "echo hi | wc -c";

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("spawn true") {
        return Ok(());
    }
    let (session, scratch) = (bench.session.clone(), tempfile::tempdir()?);
    let kinds = [
        ("spawn and wait: `true`", vec!["true"], "true", "<= 0.15 ms", 150),
        ("`sh -c 'echo hi | wc -c'`", vec!["sh", "-c", PIPELINE], "bash", "<= 0.6 ms", 600),
    ];
    for (what, words, other, bar, most) in kinds {
        let peer: Vec<&str> = std::iter::once(other).chain(words[1..].iter().copied()).collect();
        let (mut ours, mut theirs) = (Times::default(), Times::default());
        for round in 0..=bench.runs(40) {
            let (mut block, mut others) = (Vec::new(), Vec::new());
            for _ in 0..BLOCK {
                block.push(timed(&session, &words).await?);
            }
            for _ in 0..BLOCK {
                others.extend(run(&peer, scratch.path()));
            }
            // The first round only warms up.
            if round > 0 {
                ours.extend(block);
                theirs.extend(others);
            }
        }
        let (median, other) = (ours.median(), theirs.median());
        bench.table.row(&Row {
            what: format!("{what}, p50"),
            wisp: ours.show(),
            beside: if other.is_zero() { format!("{} is not here", peer[0]) } else { peer.join(" ") },
            theirs: theirs.show(),
            ratio: if other.is_zero() { String::new() } else { show_ratio(ratio(median, other)) },
            bar,
            met: Some(median <= Duration::from_micros(most)),
        });
    }
    Ok(())
}

/// Returns a command of the session, from its start until everything in it has ended.
async fn timed(session: &Session, words: &[&str]) -> Result<Duration> {
    let began = Instant::now();
    let outcome = session.run(Command::new(words[0]).args(&words[1..])).await?;
    let took = began.elapsed();
    if !outcome.success() {
        return Err(format!("`{}` failed: {}", words.join(" "), outcome.stderr_text()).into());
    }
    Ok(took)
}
