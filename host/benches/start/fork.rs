//! Forks of a living interpreter that holds something.

use std::time::{Duration, Instant};

use wisp::{Kernel, KernelSnapshot, Session};

use super::table::{Row, Times, show};
use super::{Bench, Result, machine};

/// What the parent holds: 10,000 objects, functions, a generator in the middle of its work, 50 MB.
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

/// What a child evaluates: all of it is there, and it is its own.
const USE: &str = "print(objs[77].m(), add5(1), next(g), buf[49_999_999], len(objs)); objs.append(1); x = 1";
const USED: &str = "154 6 16 7 10000\n";

/// Children alive at the same time for the row of memory.
const CHILDREN: usize = 50;

/// An interpreter that holds all that.
pub(crate) async fn parent(session: &Session) -> Result<Kernel> {
    let mut kernel = session.python().await?;
    let cell = kernel.eval(HELD).await?;
    if !cell.success() {
        return Err(format!("the parent failed: {:?} {}", cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(kernel)
}

/// A fork and its first result: the time to it.
pub(crate) async fn child(snapshot: &KernelSnapshot) -> Result<Duration> {
    let began = Instant::now();
    let mut child = snapshot.fork().await?;
    let cell = child.eval(USE).await?;
    let took = began.elapsed();
    if cell.stdout_text() != USED {
        return Err(format!("a child printed {:?}: {:?}", cell.stdout_text(), cell.error).into());
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
    let mut kernel = parent(&bench.session).await?;
    let (mut frozen, mut last) = (Times::default(), None);
    for _ in 0..5 {
        let began = Instant::now();
        last = Some(kernel.snapshot().await?);
        frozen.push(began.elapsed());
        // Something to freeze for the next.
        kernel.eval("buf[::4096] = bytes(len(buf[::4096])); buf[49_999_999] = 7").await?;
    }
    let snapshot = last.ok_or("no snapshot")?;
    let mut times = Times::default();
    for run in 0..bench.runs(2_000) + 50 {
        let took = child(&snapshot).await?;
        if run >= 50 {
            times.push(took);
        }
    }
    let cell = kernel.eval("print(next(g), len(objs), 'x' in globals())").await?;
    assert_eq!(cell.stdout_text(), "16 10000 False\n", "the parent is not touched by its children");
    bench.table.row(&Row {
        what: format!("snapshot of a session, {} MiB", snapshot.memory() >> 20),
        wisp: frozen.show(),
        ..Row::default()
    });
    let median = times.median();
    bench.table.row(&Row {
        what: "fork to first result, p50".to_owned(),
        wisp: times.show(),
        bar: "<= 0.20 ms",
        met: Some(median <= Duration::from_micros(200)),
        ..Row::default()
    });
    Ok(())
}

async fn memory(bench: &mut Bench) -> Result<()> {
    let mut kernel = parent(&bench.session).await?;
    let snapshot = kernel.snapshot().await?;
    // What the first child brings for all.
    child(&snapshot).await?;
    let before = machine::private();
    let mut children = Vec::new();
    for _ in 0..CHILDREN {
        let mut child = snapshot.fork().await?;
        let cell = child.eval("1 + 1").await?;
        assert_eq!(cell.value.as_deref(), Some("2"));
        children.push(child);
    }
    let after = machine::private();
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
