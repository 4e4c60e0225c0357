//! Interpreters that stay alive: an evaluation, a question to the host, an interrupt.

use std::time::{Duration, Instant};

use wisp::Code;

use super::table::{Row, Times, show};
use super::{Bench, Result};

/// Questions in one evaluation.
const QUESTIONS: u32 = 1_000;

pub(crate) async fn rows(bench: &mut Bench) -> Result<()> {
    let mut python = bench.session.python().await?;
    python.eval("None").await?;
    if bench.table.wants("evaluation") {
        let mut times = Times::default();
        for _ in 0..bench.runs(2_000) {
            let began = Instant::now();
            python.eval("1 + 1").await?;
            times.push(began.elapsed());
        }
        bench.table.row(&Row { what: "`1 + 1` in a Python that lives".to_owned(), wisp: times.show(), ..Row::default() });
    }
    if bench.table.wants("question round trip") {
        let mut times = Times::default();
        for _ in 0..bench.runs(20) {
            let code = Code::new(format!("for _ in range({QUESTIONS}): input('')")).on_input_request(|_| async { Some(String::new()) });
            let began = Instant::now();
            let answer = python.eval(code).await?;
            if !answer.success() {
                return Err(format!("{:?}", answer.error).into());
            }
            times.push(began.elapsed() / QUESTIONS);
        }
        bench.table.row(&Row {
            what: "a question of `input()` and its answer, of 1,000".to_owned(),
            wisp: format!("{:.1} us", times.median().as_secs_f64() * 1e6),
            ..Row::default()
        });
    }
    if bench.table.wants("interrupt") {
        let (mut late, limit) = (Times::default(), Duration::from_millis(20));
        for _ in 0..bench.runs(50) {
            let began = Instant::now();
            let answer = python.eval(Code::new("while True: pass").timeout(limit)).await?;
            if !answer.timed_out || python.ended().is_some() {
                return Err("the interrupt did not leave the interpreter alive".into());
            }
            late.push(began.elapsed().saturating_sub(limit));
        }
        let wisp = format!("{} late (p99 {})", show(late.median()), show(late.at(990)));
        bench.table.row(&Row { what: "a loop interrupted after 20 ms, and still alive".to_owned(), wisp, ..Row::default() });
    }
    Ok(())
}
