//! Runs cases in wisp as a service would: one engine, a session for each case, one more at a time than there are cores.

use std::sync::Arc;

use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use wisp::policy::HostFiles;
use wisp::{Command, Engine, Policy};
use wisp_vfs::{Fs, OpenFile, OpenHow};

use crate::case::{Case, DIRECTORY, File, Ran, Run, environment, judge};
use crate::verdicts::Verdicts;

/// The limits of every case. A case that loops ends soon, and a slow machine has enough time.
const POLICY: &str = r#"
name = "conformance"
extends = "offline"
[limits]
wall = "20s"
cpu = "15s"
memory = "1GiB"
"#;

/// The result of a case.
#[derive(Debug)]
pub struct Result {
    /// The index of the case in the list.
    pub index: usize,
    /// The run that counts: the second if the first failed.
    pub ran: Ran,
    /// The difference from the expected result.
    pub verdict: std::result::Result<(), String>,
    /// It failed at first, then passed.
    pub second: bool,
}

/// Runs cases.
#[derive(Debug)]
pub struct Runner {
    engine: Engine,
    policy: Policy,
}

impl Runner {
    /// With an engine of its own.
    ///
    /// # Errors
    /// When there is no engine, because the components are not built.
    pub fn new() -> std::result::Result<Self, String> {
        let engine = Engine::new(wisp_built::components()).map_err(|error| error.to_string())?;
        let policy = Policy::parse(&HostFiles, "conformance.toml", POLICY).map_err(|error| error.to_string())?;
        Ok(Self { engine, policy })
    }

    /// Runs a case in its own session.
    ///
    /// # Errors
    /// When the session or the command cannot be started.
    pub async fn run(&self, run: &Run) -> std::result::Result<Ran, String> {
        let session = self.engine.session(&self.policy).build().await.map_err(|error| error.to_string())?;
        write_files(wisp::internal::fs(&session), &run.files)?;
        let program = String::from_utf8_lossy(&run.command[0]).into_owned();
        let mut command = Command::new(program).args(&run.command[1..]).working_directory(DIRECTORY).stdin_bytes(run.stdin.clone());
        let inherited = environment().map(|(name, value)| (name.to_owned(), value.to_owned()));
        for (name, value) in inherited.iter().chain(&run.env) {
            command = command.env(name, value);
        }
        let outcome = session.run(command).await.map_err(|error| error.to_string())?;
        Ok(Ran {
            status: i32::from(outcome.exit_code()),
            stdout: outcome.stdout,
            stderr: outcome.stderr,
            limit: outcome.limit.map(|limit| format!("{} = {}", limit.limit, limit.value)),
        })
    }

    /// Runs all these cases; the results come in any order.
    pub async fn run_all(self: Arc<Self>, cases: Arc<Vec<Case>>, chosen: &[usize], verdicts: Arc<Verdicts>) -> Vec<Result> {
        let cores = std::thread::available_parallelism().map_or(2, usize::from);
        let places = Arc::new(Semaphore::new(cores + 1));
        let mut tasks = JoinSet::new();
        for &index in chosen {
            let (runner, cases, verdicts, places) = (self.clone(), cases.clone(), verdicts.clone(), places.clone());
            tasks.spawn(async move {
                let _place = places.acquire_owned().await;
                runner.judged(index, &cases[index], &verdicts).await
            });
        }
        tasks.join_all().await
    }

    /// Runs a case, and runs it once more if it fails, because several cases contain races.
    async fn judged(&self, index: usize, case: &Case, verdicts: &Verdicts) -> Result {
        let mut second = false;
        loop {
            let (ran, verdict) = match self.run(&case.run).await {
                Ok(ran) => {
                    let verdict = judge(&case.want, &ran, verdicts.recorded(&case.id));
                    (ran, verdict)
                }
                Err(error) => (Ran { status: -1, stdout: Vec::new(), stderr: Vec::new(), limit: None }, Err(error)),
            };
            if verdict.is_ok() || second {
                return Result { index, ran, verdict, second };
            }
            second = true;
        }
    }
}

fn write_files(fs: &Fs, files: &[File]) -> std::result::Result<(), String> {
    let root = fs.root();
    let wrong = |path: &str, error: wisp_vfs::FsError| format!("cannot write `{path}`: {error}");
    fs.mkdir(&root, DIRECTORY, 0o755).map_err(|error| wrong(DIRECTORY, error))?;
    for file in files {
        let path = if file.path.starts_with('/') { file.path.clone() } else { format!("{DIRECTORY}/{}", file.path) };
        for (at, _) in path.match_indices('/').skip(1) {
            // It may exist from the previous file.
            let _ = fs.mkdir(&root, &path[..at], 0o755);
        }
        let mode = if file.executable { 0o755 } else { 0o644 };
        let how = OpenHow { write: true, create: true, truncate: true, mode, ..OpenHow::default() };
        let node = fs.open(&root, &path, how).map_err(|error| wrong(&path, error))?;
        OpenFile::new(node, false).write(&file.content).map_err(|error| wrong(&path, error))?;
        fs.set_mode(&root, &path, true, mode).map_err(|error| wrong(&path, error))?;
    }
    Ok(())
}
