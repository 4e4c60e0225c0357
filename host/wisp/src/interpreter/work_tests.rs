//! What a fresh call of `python3`, a fork and a short pipeline do, counted. Times vary with the machine and hide what grows by a
//! little; these do not. `work.txt` has the counts, and why each is what it is: more is a change to be explained.

#![allow(clippy::disallowed_methods, reason = "the table is a file of the repository")]

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::{Command, Engine, Interpreter, MemoryChoice, Policy, Session};

const TABLE: &str = include_str!("work.txt");
const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/interpreter/work.txt");

/// What each call evaluates.
const FRESH: &str = "print(2+2)";
const FORK: &str = "objs[77].m()";
const PARENT: &str = "
class C:
    def __init__(self, n): self.n = n
    def m(self): return self.n * 2
objs = [C(n) for n in range(1000)]
";

/// Calls before the counting begins, in which pages are found and instances made, and pages that only the first wrote are given back
/// (`LEAN` in `runtime/memory/pool.rs`, for each of two memories); and calls that are counted.
const BEFORE: u64 = 300;
const COUNTED: u64 = 100;

/// More instructions than any of them needs.
const ENOUGH: u64 = 1 << 40;

type Counts = BTreeMap<String, u64>;

fn engine() -> Engine {
    Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).build().expect("an engine")
}

/// Calls `call` again and again, and counts what the memories did in each of the last.
async fn memories(engine: &Engine, name: &str, counts: &mut Counts, mut call: impl AsyncFnMut()) {
    for _ in 0..BEFORE {
        call().await;
    }
    let before = engine.slot_metrics().unwrap();
    for _ in 0..COUNTED {
        call().await;
    }
    let after = engine.slot_metrics().unwrap();
    let each = |after: u64, before: u64| (after - before + COUNTED / 2) / COUNTED;
    counts.insert(format!("{name}: pages restored"), each(after.copied / 4096, before.copied / 4096));
    counts.insert(format!("{name}: pages given back"), each(after.discarded / 4096, before.discarded / 4096));
    counts.insert(format!("{name}: scans of a memory"), each(after.scans, before.scans));
    let begun = (after.instance_hits + after.instance_misses) - (before.instance_hits + before.instance_misses);
    counts.insert(format!("{name}: instances made"), each(begun, after.reused - before.reused));
}

/// Evaluates `code`, and counts host calls, and instructions if `counted`.
async fn code(mut interpreter: Interpreter, name: &str, code: &str, counts: &mut Counts, counted: bool) {
    let cell = interpreter.eval(code).await.unwrap();
    assert!(cell.success(), "{}", cell.outcome.stderr_text());
    let alive = interpreter.seat.at_rest().unwrap();
    let store = &alive.store;
    match counted {
        true => counts.insert(format!("{name}: instructions"), ENOUGH - store.get_fuel().unwrap()),
        false => counts.insert(format!("{name}: host calls"), store.data().host_calls()),
    };
}

async fn parent(session: &Session) -> Interpreter {
    let mut parent = session.python().await.unwrap();
    assert!(parent.eval(PARENT).await.unwrap().success());
    parent
}

async fn counted() -> Counts {
    let (mut counts, engine) = (Counts::new(), engine());
    let session = engine.session(&Policy::offline()).build().await.unwrap();
    let snapshot = parent(&session).await.snapshot().await.unwrap();
    memories(&engine, "fresh", &mut counts, async || {
        assert!(session.python().await.unwrap().eval(FRESH).await.unwrap().success());
    })
    .await;
    memories(&engine, "fork", &mut counts, async || {
        assert!(snapshot.fork().await.unwrap().eval(FORK).await.unwrap().success());
    })
    .await;
    memories(&engine, "pipeline", &mut counts, async || {
        assert!(session.run(Command::new("sh").args(["-c", "echo hi | wc -c"])).await.unwrap().success());
    })
    .await;
    // A process of its own counts for the memories of the pipeline, and no instance of a command is used again.
    counts.remove("pipeline: instances made");
    code(session.python().await.unwrap(), "fresh", FRESH, &mut counts, false).await;
    code(snapshot.fork().await.unwrap(), "fork", FORK, &mut counts, false).await;

    let lines = [("determinism.seed", "7"), ("limits.instructions", &ENOUGH.to_string())];
    let policy = lines.iter().fold(Policy::offline(), |policy, (key, value)| policy.with_value(key, value).unwrap());
    let session = engine.session(&policy).build().await.unwrap();
    let snapshot = parent(&session).await.snapshot().await.unwrap();
    code(session.python().await.unwrap(), "fresh", FRESH, &mut counts, true).await;
    code(snapshot.fork().await.unwrap(), "fork", FORK, &mut counts, true).await;
    counts
}

/// The rows of the table: what, count, and why.
fn rows(table: &str) -> BTreeMap<&str, (u64, &str)> {
    let lines = table.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let mut parts = line.splitn(3, " | ").map(str::trim);
            let (what, count, why) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
            (what, (count.parse().unwrap(), why))
        })
        .collect()
}

/// Whether the table says how often this happens. Its counts of the pipeline are those of `sh` and `wc` as they are shipped, not as they
/// are built for development; python3 is the same in both sets of components.
fn in_table(what: &str) -> bool {
    !what.starts_with("pipeline:") || wisp_built::optimised()
}

/// Whether a count is what the table says. Instructions and pages vary by a little with what else is in memory.
fn fits(what: &str, count: u64, expected: u64) -> bool {
    let tolerance = match what {
        _ if what.ends_with("instructions") => expected / 50,
        _ if what.ends_with("pages restored") => expected / 8,
        // The pages of one memory, once in the calls that are counted.
        _ if what.ends_with("pages given back") => 1,
        _ => 0,
    };
    count.abs_diff(expected) <= tolerance
}

#[tokio::test]
async fn starts_and_forks_do_what_the_table_says() {
    let (counts, table) = (counted().await, rows(TABLE));
    let mut wrong = String::new();
    let mut blessed = TABLE.lines().take_while(|line| line.starts_with('#')).fold(String::new(), |text, line| text + line + "\n");
    let reason = std::env::var("WISP_BECAUSE").unwrap_or_default();
    for (what, count) in &counts {
        let known = table.get(what.as_str()).copied();
        let same = known.is_some_and(|(expected, _)| !in_table(what) || fits(what, *count, expected));
        if !same {
            writeln!(wrong, "{what}: {count}, where the table says {}", known.map_or("nothing".to_owned(), |(count, _)| count.to_string()))
                .unwrap();
        }
        let (count, why) = if same { known.unwrap_or_default() } else { (*count, reason.as_str()) };
        writeln!(blessed, "{what:<28} | {count:>9} | {why}").unwrap();
    }
    for gone in table.keys().filter(|what| !counts.contains_key(**what)) {
        writeln!(wrong, "{gone}: is not counted any more").unwrap();
    }
    if std::env::var_os("WISP_BLESS").is_some() && !wrong.is_empty() {
        assert!(!reason.trim().is_empty(), "{wrong}say why: WISP_BECAUSE='…' toolchain/just bless work");
        std::fs::write(PATH, blessed).unwrap();
        return;
    }
    assert!(wrong.is_empty(), "{wrong}if that must be, say why: WISP_BECAUSE='…' toolchain/just bless work");
}
