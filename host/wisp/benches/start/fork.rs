//! Forks of a living interpreter with state.

use std::time::{Duration, Instant};

use wisp::{Interpreter, InterpreterSnapshot, Session};

use super::table::{Row, Times, ratio, show, show_ratio};
use super::{Bench, Result, usage};

/// The parent's state: 10,000 objects, functions, a suspended generator, 50 MB.
const HELD: &str = "
import itertools
class P:
    def __init__(self, x): self.x = x
    def m(self): return self.x * 2
objs = [P(i) for i in range(10000)]
def make(k):
    def inner(z): return z + k
    return inner
add5 = make(5)
g = (i * i for i in itertools.count())
_ = [next(g) for _ in range(4)]
buf = bytearray(50_000_000); buf[49_999_999] = 7
";

/// What a child evaluates: one expression that needs all of the state and advances the generator.
const USE: &str = "objs[77].m() + add5(1) + next(g) + buf[49_999_999] + len(objs)";
const USED: &str = "10183";

/// A small expression, for the rates: Python takes longer to compile the long one than the rest of a fork takes.
const SMALL: &str = "objs[77].m()";
const SMALL_USED: &str = "154";

/// Children alive at the same time for the row of memory.
const CHILDREN: usize = 50;

/// Returns an interpreter with that state.
pub(crate) async fn parent(session: &Session) -> Result<Interpreter> {
    let mut interpreter = session.python().await?;
    let cell = interpreter.eval(HELD).await?;
    if !cell.success() {
        return Err(format!("the parent failed: {:?} {}", cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(interpreter)
}

/// Returns the time of a fork to its first result.
pub(crate) async fn child(snapshot: &InterpreterSnapshot) -> Result<Duration> {
    evaluate(snapshot, USE, USED).await
}

/// Returns a fork that evaluates one small expression.
pub(crate) async fn small(snapshot: &InterpreterSnapshot) -> Result<Duration> {
    evaluate(snapshot, SMALL, SMALL_USED).await
}

async fn evaluate(snapshot: &InterpreterSnapshot, expression: &str, value: &str) -> Result<Duration> {
    let began = Instant::now();
    let mut child = snapshot.fork().await?;
    let cell = child.eval(expression).await?;
    let took = began.elapsed();
    if cell.value.as_deref() != Some(value) {
        return Err(format!("a child answered {:?}: {:?} {}", cell.value, cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(took)
}

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if bench.table.wants("fork snapshot") {
        forks(bench).await?;
    }
    if bench.table.wants("fork memory") {
        memory(bench).await?;
    }
    Ok(())
}

async fn forks(bench: &mut Bench) -> Result<()> {
    let mut interpreter = parent(&bench.session).await?;
    let (mut frozen, mut warm, mut last) = (Times::default(), Times::default(), None);
    for _ in 0..5 {
        let began = Instant::now();
        last = Some(interpreter.snapshot().await?);
        frozen.push(began.elapsed());
        // Changes something, for the next snapshot.
        interpreter.eval("buf[::4096] = bytes(len(buf[::4096])); buf[49_999_999] = 7").await?;
    }
    let snapshot = last.ok_or("no snapshot")?;
    let mut times = Times::default();
    let mut sibling = snapshot.fork().await?;
    for run in 0..bench.runs(2_000) + 50 {
        let took = child(&snapshot).await?;
        let began = Instant::now();
        sibling.eval(USE).await?;
        // The first ones only warm up.
        if run >= 50 {
            warm.push(began.elapsed());
            times.push(took);
        }
    }
    let cell = interpreter.eval(USE).await?;
    assert_eq!(cell.value.as_deref(), Some(USED), "the parent is not touched by its children");
    bench.table.row(&Row {
        what: format!("snapshot of a session, {} MiB", snapshot.memory() >> 20),
        wisp: frozen.show(),
        ..Row::default()
    });
    let median = times.median();
    bench.table.row(&Row {
        what: "fork to first result, p50".to_owned(),
        wisp: times.show(),
        beside: "the same expression in a child that has begun".to_owned(),
        theirs: warm.show(),
        ratio: show_ratio(ratio(median, warm.median())),
        bar: "<= 0.20 ms",
        met: Some(median <= Duration::from_micros(200)),
    });
    Ok(())
}

async fn memory(bench: &mut Bench) -> Result<()> {
    let mut interpreter = parent(&bench.session).await?;
    let snapshot = interpreter.snapshot().await?;
    // The pages that the first child makes ready for all.
    child(&snapshot).await?;
    let before = usage::private();
    let mut children = Vec::new();
    for _ in 0..CHILDREN {
        let mut child = snapshot.fork().await?;
        let cell = child.eval("1 + 1").await?;
        assert_eq!(cell.value.as_deref(), Some("2"));
        children.push(child);
    }
    let after = usage::private();
    let each = |before: u64, after: u64| after.saturating_sub(before) / CHILDREN as u64;
    let (private, tables) = (each(before.0, after.0), each(before.1, after.1));
    bench.table.row(&Row {
        what: "memory of a child after one expression, private".to_owned(),
        wisp: format!("{} KiB", private >> 10),
        beside: format!("{CHILDREN} alive; its page tables beside that"),
        theirs: format!("{} KiB", tables >> 10),
        bar: "< 1 MiB",
        met: Some(private < 1 << 20),
        ..Row::default()
    });
    let began = Instant::now();
    drop(children);
    bench.table.row(&Row {
        what: format!("end of {CHILDREN} children, each"),
        wisp: show(began.elapsed() / u32::try_from(CHILDREN)?),
        ..Row::default()
    });
    Ok(())
}
