//! What `toolchain/just bench sdk` measures the Python package beside: the same calls of the service that it stands on, in Rust.
//!
//! It reads lines of JSON, such as `{"row": "fresh", "calls": 100}`, and answers each with `{"seconds": [0.0001, …]}`: a time for each
//! call, or one for all of them where they run at the same time. host/python/benches/sdk.py asks, of other libraries too.

#![allow(clippy::disallowed_methods, reason = "a benchmark spawns what it measures")]

use std::error::Error;
use std::io::{BufRead, Write, stdin, stdout};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use wisp::{Engine, Policy};
use wisp_api::{CodeRequest, CommandEnd, CommandRequest, SessionRequest};
use wisp_service::{Owner, Runtime, Service, ServiceLimits, SessionHandle};

type Failed = Box<dyn Error + Send + Sync>;

/// The code that is measured, and its output.
const CODE: &str = "print(2+2)";
const ANSWER: &[u8] = b"4\n";

/// Threads that call at the same time.
const THREADS: usize = 16;

/// Forks that are made one after the other.
const FORKS: usize = 64;

/// More sessions than any row has open, as the package allows them.
const SESSIONS: usize = 10_000;

fn main() -> Result<(), Failed> {
    let bench = Bench::new()?;
    for line in stdin().lock().lines() {
        let question: Value = serde_json::from_str(&line?)?;
        let calls = question["calls"].as_u64().and_then(|calls| usize::try_from(calls).ok()).ok_or("`calls` is missing")?;
        let times = bench.answer(question["row"].as_str().unwrap_or_default(), calls)?;
        let seconds: Vec<f64> = times.iter().map(Duration::as_secs_f64).collect();
        writeln!(stdout(), "{}", json!({ "seconds": seconds }))?;
        stdout().flush()?;
    }
    Ok(())
}

struct Bench {
    sessions: Sessions,
    /// The session of warm calls, which forks start from.
    living: SessionHandle,
}

/// Where sessions are opened. Cheap to clone.
#[derive(Clone)]
struct Sessions {
    service: Service,
    owner: Owner,
}

impl Sessions {
    /// Measures a session that is opened for one call.
    async fn fresh(&self) -> Result<(), Failed> {
        let session = self.service.open(&self.owner, SessionRequest::default()).await?;
        evaluate(&session).await?;
        Ok(session.close().await?)
    }
}

async fn evaluate(session: &SessionHandle) -> Result<(), Failed> {
    let running = session.evaluate(CodeRequest::new(CODE)).await?;
    let evaluation = running.wait(None).await?.ok_or("the evaluation has no result")?;
    if evaluation.outcome.stdout != ANSWER {
        return Err(format!("{CODE} printed {:?}", evaluation.outcome.stdout_text()).into());
    }
    Ok(())
}

async fn command(session: &SessionHandle) -> Result<(), Failed> {
    let request = CommandRequest { end: CommandEnd::FirstProcess, ..CommandRequest::script("true") };
    match session.run(request).await?.success() {
        true => Ok(()),
        false => Err("`true` failed".into()),
    }
}

impl Bench {
    fn new() -> Result<Self, Failed> {
        let limits = ServiceLimits { sessions: SESSIONS, sessions_per_owner: SESSIONS, ..ServiceLimits::default() };
        let runtime = Runtime::new(Engine::builder(wisp_built::components()))?;
        let service = Service::builder(runtime).policy("offline", Policy::offline()).limits(limits).build();
        let sessions = Sessions { service, owner: Owner::new("bench") };
        let living = sessions.service.runtime().block_on(async {
            let session = sessions.service.open(&sessions.owner, SessionRequest::default()).await?;
            evaluate(&session).await?;
            Ok::<_, Failed>(session)
        })?;
        Ok(Self { sessions, living })
    }

    fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.sessions.service.runtime().block_on(work)
    }

    fn answer(&self, row: &str, calls: usize) -> Result<Vec<Duration>, Failed> {
        match row {
            "fresh" => times(calls, || self.wait(self.sessions.fresh())),
            "warm" => times(calls, || self.wait(evaluate(&self.living))),
            "command" => times(calls, || self.wait(command(&self.living))),
            "threads" => times(1, || self.threads(calls)),
            "coroutines" => times(1, || self.wait(self.tasks(calls))),
            "fork" => (0..calls).map(|_| self.wait(self.forks())).collect(),
            "map" => times(1, || self.wait(self.cells(calls))),
            _ => Err(format!("there is no row `{row}`").into()),
        }
    }

    /// Measures fresh calls on threads, each of which waits for its own.
    fn threads(&self, calls: usize) -> Result<(), Failed> {
        let next = AtomicUsize::new(0);
        thread::scope(|scope| {
            let work = || -> Result<(), Failed> {
                while next.fetch_add(1, Ordering::Relaxed) < calls {
                    self.wait(self.sessions.fresh())?;
                }
                Ok(())
            };
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| Err("a thread panicked".into())))
        })
    }

    /// Measures fresh calls in tasks, all at once.
    async fn tasks(&self, calls: usize) -> Result<(), Failed> {
        let handle = self.sessions.service.runtime().handle();
        let task = |_| {
            let sessions = self.sessions.clone();
            handle.spawn(async move { sessions.fresh().await })
        };
        let tasks: Vec<_> = (0..calls).map(task).collect();
        for task in tasks {
            task.await??;
        }
        Ok(())
    }

    /// Forks of the living session, and a first value of each. Closing them is not measured.
    async fn forks(&self) -> Result<Duration, Failed> {
        let (began, mut forks) = (Instant::now(), Vec::new());
        let checkpoint = self.living.checkpoint(None).await?;
        for _ in 0..FORKS {
            forks.push(self.living.fork(&checkpoint.id, SessionRequest::default()).await?);
        }
        for fork in &forks {
            evaluate(fork).await?;
        }
        let took = began.elapsed();
        self.living.delete_checkpoint(&checkpoint.id)?;
        for fork in forks {
            fork.close().await?;
        }
        Ok(took)
    }

    /// Measures code in a fork of its own each, on as many tasks as there are processors.
    async fn cells(&self, calls: usize) -> Result<(), Failed> {
        let handle = self.sessions.service.runtime().handle();
        let checkpoint = self.living.checkpoint(None).await?;
        let next = Arc::new(AtomicUsize::new(0));
        let task = |_| {
            let (living, from, next) = (self.living.clone(), checkpoint.id.clone(), next.clone());
            handle.spawn(async move {
                while next.fetch_add(1, Ordering::Relaxed) < calls {
                    let fork = living.fork(&from, SessionRequest::default()).await?;
                    evaluate(&fork).await?;
                    fork.close().await?;
                }
                Ok::<_, Failed>(())
            })
        };
        let tasks: Vec<_> = (0..thread::available_parallelism()?.get()).map(task).collect();
        for task in tasks {
            task.await??;
        }
        Ok(self.living.delete_checkpoint(&checkpoint.id)?)
    }
}

/// Returns the time that each of these calls takes, one after the other.
fn times(calls: usize, call: impl Fn() -> Result<(), Failed>) -> Result<Vec<Duration>, Failed> {
    let timed = |_: usize| -> Result<Duration, Failed> {
        let began = Instant::now();
        call()?;
        Ok(began.elapsed())
    };
    (0..calls).map(timed).collect()
}
