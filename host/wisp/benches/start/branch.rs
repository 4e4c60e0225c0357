//! Trees of forks, like a search over an agent's next steps: many branches from one state, level after level.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use wisp::{InterpreterSnapshot, Session};

use super::table::{Row, Times, show};
use super::{Bench, Result, fork};

/// Branches from one state.
const BRANCHES: [usize; 5] = [1, 8, 64, 256, 1_024];

/// Branches that are alive at a time.
const AT_ONCE: usize = 64;

/// Levels of a trajectory, and branches of each.
const LEVELS: usize = 100;
const WIDTH: usize = 100;

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("fork branches trajectory") {
        return Ok(());
    }
    let snapshot = fork::parent(&bench.session).await?.snapshot().await?;
    // The first ones fill the slots.
    branches(&snapshot, AT_ONCE).await?;
    for count in BRANCHES {
        let mut times = Times::default();
        let began = Instant::now();
        let rounds = bench.runs(2_048_usize.div_ceil(count)).max(1);
        for _ in 0..rounds {
            times.extend(branches(&snapshot, count).await?);
        }
        let rate = (rounds * count) as f64 / began.elapsed().as_secs_f64();
        bench.table.row(&Row {
            what: format!("{count} branches of one state, {AT_ONCE} at once on a thread"),
            wisp: format!("{rate:.0}/s"),
            beside: "from the fork to its result".to_owned(),
            theirs: times.show(),
            ..Row::default()
        });
    }
    let levels = bench.runs(LEVELS);
    let took = trajectory(bench.session.clone(), levels).await?;
    bench.table.row(&Row {
        what: format!("a trajectory: {levels} levels of {WIDTH} branches"),
        wisp: show(took),
        beside: "forks a second, a snapshot at each level included".to_owned(),
        theirs: format!("{:.0}/s", (levels * WIDTH) as f64 / took.as_secs_f64()),
        ..Row::default()
    });
    Ok(())
}

/// Forks `count` branches, each in its own task, and evaluates an expression in each.
async fn branches(snapshot: &InterpreterSnapshot, count: usize) -> Result<Vec<Duration>> {
    let places = Arc::new(Semaphore::new(AT_ONCE));
    let mut tasks = Vec::with_capacity(count);
    for _ in 0..count {
        let place = places.clone().acquire_owned().await?;
        let snapshot = snapshot.clone();
        tasks.push(tokio::spawn(async move {
            let took = fork::small(&snapshot).await.map_err(|error| error.to_string());
            drop(place);
            took
        }));
    }
    let mut times = Vec::with_capacity(count);
    for task in tasks {
        times.push(task.await??);
    }
    Ok(times)
}

/// Measures level after level: many branches take a step each, and the search continues from the last of them.
async fn trajectory(session: Session, levels: usize) -> Result<Duration> {
    let mut root = session.python().await?;
    root.eval("path = []").await?;
    let mut state = root.snapshot().await?;
    let began = Instant::now();
    for level in 0..levels {
        let mut last = None;
        for branch in 0..WIDTH {
            let mut child = state.fork().await?;
            let cell = child.eval(&format!("path.append({branch}); len(path)")).await?;
            if cell.value != Some((level + 1).to_string()) {
                return Err(format!("level {level}, branch {branch} gave {:?} {:?}", cell.value, cell.error).into());
            }
            last = Some(child);
        }
        state = last.ok_or("no branch")?.snapshot().await?;
    }
    Ok(began.elapsed())
}
