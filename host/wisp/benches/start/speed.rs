//! Speed of running code, apart from starts: compared with native CPython, in the nearest version and the
//! distribution's.

use std::time::{Duration, Instant};

use wisp::Interpreter;

use super::peers::{Python, Worker};
use super::table::{Row, Times, ratio, show, show_ratio};
use super::{Bench, Result};

/// Each defines `work()`, so much work that a few repetitions keep a native Python busy for a third of a second.
const PROGRAMS: [(&str, &str); 10] = [
    ("pystone-like: records, arrays, branches", include_str!("programs/stone.py")),
    ("json dumps and loads", include_str!("programs/documents.py")),
    ("regular expressions", include_str!("programs/regex.py")),
    ("sorting, with and without a key", include_str!("programs/sorting.py")),
    ("string building", include_str!("programs/strings.py")),
    ("dictionaries and attributes", include_str!("programs/attributes.py")),
    ("sha256", include_str!("programs/digest.py")),
    ("calls: fib(27)", include_str!("programs/calls.py")),
    ("floating point: n-body", include_str!("programs/bodies.py")),
    ("exceptions, generators, comprehensions", include_str!("programs/flow.py")),
];

/// Minimum work of a native Python for one measurement.
const BUSY: Duration = Duration::from_millis(320);

struct Native {
    name: String,
    worker: Worker,
    times: Times,
}

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    if !PROGRAMS.iter().any(|(name, _)| bench.table.wants(&format!("speed {name}"))) {
        return Ok(());
    }
    let nearest = bench.peers.python("nearest").unwrap_or_else(|| Python { path: "python3".to_owned(), name: "python3".to_owned() });
    let mut pythons = vec![nearest];
    pythons.extend(bench.peers.python("system").filter(|system| system.path != pythons[0].path));
    let mut natives = Vec::new();
    for python in pythons {
        natives.push(Native { worker: Worker::start(&python.path, &["speed"])?, name: python.name, times: Times::default() });
    }
    let mut interpreter = bench.session.python().await?;
    for (name, program) in PROGRAMS {
        if bench.table.wants(&format!("speed {name}")) {
            one(bench, &mut interpreter, &mut natives, name, program).await?;
        }
    }
    Ok(())
}

async fn one(bench: &mut Bench, interpreter: &mut Interpreter, natives: &mut [Native], name: &str, program: &str) -> Result<()> {
    execute(interpreter, program).await?;
    // Two runs warm up: the code is specialised and the heap has grown.
    execute(interpreter, "work(); work()").await?;
    let mut repeat = 1_usize;
    for native in natives.iter_mut() {
        native.worker.execute(program)?;
        native.worker.execute("work(); work()")?;
        let once = native.worker.execute("work()")?;
        repeat = repeat.max((BUSY.as_secs_f64() / once.as_secs_f64()).ceil() as usize);
        native.times = Times::default();
    }
    if bench.quick {
        repeat = repeat.div_ceil(5);
    }
    let code = format!("for _ in range({repeat}): work()");
    let mut ours = Times::default();
    for _ in 0..bench.runs(7) {
        ours.push(execute(interpreter, &code).await?);
        for native in natives.iter_mut() {
            let took = native.worker.execute(&code)?;
            native.times.push(took);
        }
    }
    for (index, native) in natives.iter_mut().enumerate() {
        let quotient = ratio(ours.median(), native.times.median());
        bench.table.row(&Row {
            what: if index == 0 { format!("speed: {name}") } else { "the same".to_owned() },
            wisp: show(ours.median()),
            beside: native.name.clone(),
            theirs: show(native.times.median()),
            ratio: show_ratio(quotient),
            bar: if index == 0 { "<= 2 x" } else { "" },
            met: (index == 0).then_some(quotient <= 2.0),
        });
    }
    Ok(())
}

/// Evaluates code in the living interpreter; returns the time it took.
async fn execute(interpreter: &mut Interpreter, code: &str) -> Result<Duration> {
    let began = Instant::now();
    let cell = interpreter.eval(code).await?;
    let took = began.elapsed();
    if !cell.success() {
        return Err(format!("a program failed: {:?} {}", cell.error, cell.outcome.stderr_text()).into());
    }
    Ok(took)
}
