//! The whole program: `wisp run -- python3 -c …`, with cached machine code, compared with Python itself.

use std::time::Duration;

use super::peers::{Python, run};
use super::table::{Row, Times, ratio, show, show_ratio};
use super::{Bench, CODE, Result};

/// Returns the program that `WISP_BENCH_PROGRAM` names, otherwise the one built beside this bench.
fn program() -> Result<String> {
    if let Ok(program) = std::env::var("WISP_BENCH_PROGRAM") {
        return Ok(program);
    }
    let bench = std::env::current_exe()?;
    let beside = bench.parent().and_then(|deps| deps.parent()).ok_or("the bench is in no target folder")?.join("wisp");
    if !beside.is_file() {
        return Err(
            format!("no `{}`; build it with `toolchain/just build`, or name a program in WISP_BENCH_PROGRAM", beside.display()).into()
        );
    }
    Ok(beside.to_str().ok_or("the path of the program is not UTF-8")?.to_owned())
}

pub(crate) fn rows(bench: &mut Bench) -> Result<()> {
    if !bench.table.wants("cli run process") {
        return Ok(());
    }
    let scratch = tempfile::tempdir()?;
    let here = scratch.path();
    let program = program()?;
    let python = bench.peers.python("default").unwrap_or_else(|| Python { path: "python3".to_owned(), name: "python3".to_owned() });
    let words = |words: &[&str]| words.iter().map(ToString::to_string).collect::<Vec<String>>();
    let boxed = ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all", "--", &python.path, "-c", CODE];
    let mut peers = vec![
        (format!("python3 -c ({})", python.name), words(&[&python.path, "-c", CODE])),
        ("python3 -S -E -c (without site)".to_owned(), words(&[&python.path, "-S", "-E", "-c", CODE])),
        ("bwrap + python3 -c".to_owned(), words(&boxed)),
    ];
    if let Some(system) = bench.peers.python("system").filter(|system| system.path != python.path) {
        peers.insert(1, (format!("python3 -c ({})", system.name), words(&[&system.path, "-c", CODE])));
    }
    let mut times: Vec<Times> = peers.iter().map(|_| Times::default()).collect();
    let (mut ours, mut commands) = (Times::default(), 0);
    let own = words(&[&program, "run", "--", "python3", "-c", CODE]);
    for round in 0..=bench.runs(30) {
        let Some(took) = timed(&own, here) else {
            let row = Row { what: format!("wisp run: {} failed", own.join(" ")), bar: "<= 40 ms", met: Some(false), ..Row::default() };
            bench.table.row(&row);
            return Ok(());
        };
        let others: Vec<Option<Duration>> = peers.iter().map(|(_, words)| timed(words, here)).collect();
        // The first round fills the caches.
        if round > 0 {
            ours.push(took);
            commands += 1;
            others.into_iter().zip(&mut times).for_each(|(took, times)| times.extend(took));
        }
    }
    let median = ours.median();
    bench.table.row(&Row {
        what: format!("wisp run, whole process, `{CODE}`, p50 of {commands}"),
        wisp: ours.show(),
        bar: "<= 40 ms",
        met: Some(median <= Duration::from_millis(40)),
        ..Row::default()
    });
    for (index, ((name, _), mut times)) in peers.into_iter().zip(times).enumerate() {
        let theirs = times.median();
        let mut row =
            Row { what: "the same".to_owned(), wisp: show(median), beside: name, theirs: "not here".to_owned(), ..Row::default() };
        if !theirs.is_zero() {
            (row.theirs, row.ratio) = (times.show(), show_ratio(ratio(median, theirs)));
            if index == 0 {
                (row.bar, row.met) = ("< 1", Some(median < theirs));
            }
        }
        bench.table.row(&row);
    }
    Ok(())
}

fn timed(words: &[String], here: &std::path::Path) -> Option<Duration> {
    run(&words.iter().map(String::as_str).collect::<Vec<_>>(), here)
}
