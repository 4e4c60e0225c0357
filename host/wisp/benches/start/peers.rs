//! The peers: what `toolchain/bench` found and made, and programs of the machine.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::Result;

/// The program that a peer's Python runs.
const PEER: &str = include_str!("peer.py");

/// A Python of this machine.
#[derive(Clone)]
pub(crate) struct Python {
    pub path: String,
    pub name: String,
}

/// The peers on this machine.
pub(crate) struct Peers(Value);

impl Peers {
    pub(crate) fn read() -> Self {
        let found = std::env::var("WISP_BENCH_PEERS").ok().and_then(|path| std::fs::read_to_string(path).ok());
        Self(found.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }

    /// Finds a peer's fields, or why it is missing.
    fn find(&self, name: &str) -> std::result::Result<&Value, String> {
        let peer = &self.0[name];
        match peer["missing"].as_str() {
            Some(missing) => Err(missing.to_owned()),
            None if peer.is_null() => Err("start this by `toolchain/just bench start`".to_owned()),
            None => Ok(peer),
        }
    }

    /// Returns the plain component.
    pub(crate) fn plain(&self) -> std::result::Result<PathBuf, String> {
        Ok(PathBuf::from(self.find("plain")?["path"].as_str().unwrap_or_default()))
    }

    /// Returns a Python: `default`, `nearest` to ours, or the `system`'s.
    pub(crate) fn python(&self, which: &str) -> Option<Python> {
        let python = &self.0["pythons"][which];
        let text = |field: &str| python[field].as_str();
        let name = format!("CPython {}, {}", text("version")?, text("build").unwrap_or_default());
        Some(Python { path: text("path")?.to_owned(), name })
    }

    /// Starts eryx; returns it, ready to answer, and its version.
    pub(crate) fn eryx(&self) -> std::result::Result<(Worker, String), String> {
        let eryx = self.find("eryx")?;
        let text = |field: &str| eryx[field].as_str().unwrap_or_default();
        let worker = Worker::start(text("python"), &["eryx", text("path")]).map_err(|error| error.to_string())?;
        Ok((worker, text("version").to_owned()))
    }
}

/// A Python of the machine that waits for requests.
pub(crate) struct Worker {
    child: Child,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Worker {
    pub(crate) fn start(python: &str, arguments: &[&str]) -> Result<Self> {
        let mut command = Command::new(python);
        command.args(["-I", "-c", PEER]).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.spawn()?;
        let (ask, answers) = (child.stdin.take().ok_or("no pipe")?, child.stdout.take().ok_or("no pipe")?);
        Ok(Self { child, ask, answers: BufReader::new(answers) })
    }

    fn ask(&mut self, question: &Value) -> Result<Value> {
        writeln!(self.ask, "{question}")?;
        let mut line = String::new();
        self.answers.read_line(&mut line)?;
        if line.is_empty() {
            return Err("the peer ended without an answer; its message is above".into());
        }
        Ok(serde_json::from_str(&line)?)
    }

    /// Measures fresh calls, each this long after the previous one: returns their times, and the CPU time of all.
    pub(crate) fn calls(&mut self, calls: usize, every: Duration) -> Result<(Vec<Duration>, Duration)> {
        let answer = self.ask(&json!({ "calls": calls, "every": every.as_secs_f64() }))?;
        Ok((seconds(&answer), Duration::from_secs_f64(answer["cpu"].as_f64().unwrap_or_default())))
    }

    /// Executes code; returns the time it took.
    pub(crate) fn execute(&mut self, code: &str) -> Result<Duration> {
        let answer = self.ask(&json!({ "code": code }))?;
        Ok(seconds(&answer).first().copied().unwrap_or_default())
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // It is a child of this process and needs no cleanup.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn seconds(answer: &Value) -> Vec<Duration> {
    let all = answer["seconds"].as_array().map(Vec::as_slice).unwrap_or_default();
    all.iter().filter_map(Value::as_f64).map(Duration::from_secs_f64).collect()
}

/// Runs a program to its end; `None` if it is missing or fails.
pub(crate) fn run(words: &[&str], here: &Path) -> Option<Duration> {
    let began = Instant::now();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).current_dir(here).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().ok()?.success().then(|| began.elapsed())
}
