//! `just bench`: wisp compared with the machine's own programs, in one run.
//!
//! A row is the median (p50) of many runs, which alternate with the peer's so that both see the same machine, and the
//! ratio of the two. Absolute times on a virtual machine are noise; ratios within one run are less so. `bench FILTER`
//! runs the rows whose name contains FILTER.

#![allow(clippy::disallowed_methods, reason = "a benchmark runs programs and lays out folders")]

use std::error::Error;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use wisp::{Command, Engine, Output, Policy, Session};
use wisp_vfs::OpenHow;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// A file for `cat`: 100 MiB.
const BIG: usize = 100 << 20;

/// Files made, and held by a snapshot.
const FILES: usize = 10_000;

const MAKE_FILES: &str = "
import os
os.makedirs('made', exist_ok=True)
for i in range(10_000):
    with open(f'made/{i}', 'w') as f:
        f.write('x')
";

/// A loop that only counts.
const COUNT: &str = "i=0; while ((i < 1000000)); do ((i++)); done";

/// A loop that reads lines.
const READ: &str = "seq 100000 > lines; n=0; while read -r line; do n=$((n + 1)); done < lines; test $n = 100000";

/// Many short pipelines.
const PIPELINES: &str = "for ((i = 0; i < 1000; i++)); do echo \"a b c $i\" | tr a-z A-Z | cut -d ' ' -f 2 | wc -c; done > out";

fn main() -> Result<()> {
    let filter = std::env::args().skip(1).find(|argument| !argument.starts_with('-')).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(bench(&filter))
}

async fn bench(filter: &str) -> Result<()> {
    let engine = Engine::new(wisp_built::components())?;
    let policy = Policy::offline()
        .with_value("filesystem.quota", "1GiB")?
        .with_value("filesystem.max_files", "100000")?
        .with_value("limits.wall", "60s")?;
    let session = engine.session(&policy).build().await?;
    session.prepare().await?;
    let scratch = tempfile::tempdir()?;
    let here = scratch.path();

    let python = python(here);
    println!("{:<44} {:>11}   {:<26} {:>11} {:>8}", "", "wisp p50", "peer", "peer p50", "ratio");
    let show = |name: &str| name.contains(filter);
    let rows: [(&str, usize, &[&str]); 6] = [
        ("spawn and wait: true", 400, &["true"]),
        ("sh -c 'echo hi | wc -c'", 200, &["sh", "-c", "echo hi | wc -c"]),
        ("fresh python3 -c 'print(2+2)'", 60, &["python3", "-c", "print(2+2)"]),
        ("shell: a million ((i++))", 5, &["sh", "-c", COUNT]),
        ("shell: read 100,000 lines", 5, &["sh", "-c", READ]),
        ("shell: 1,000 pipelines of three tools", 5, &["sh", "-c", PIPELINES]),
    ];
    for (name, runs, words) in rows.into_iter().filter(|row| show(row.0)) {
        let native: Vec<&str> = words
            .iter()
            .map(|word| match *word {
                "sh" => "bash",
                "python3" => python.as_str(),
                word => word,
            })
            .collect();
        let boxed: Vec<&str> =
            ["bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--unshare-all", "--"].into_iter().chain(native.clone()).collect();
        // These write files, and take longer than a jail to start.
        let alone = name.starts_with("shell:");
        let peers =
            if alone { vec!["bash".to_owned()] } else { vec![words.join(" ").replace("sh -c", "bash -c"), "bwrap + the same".to_owned()] };
        let mut row = Row::new(name, &peers);
        for _ in 0..runs {
            row.ours(timed(guest(&session, words)).await?);
            row.peer(0, peer(&native, here));
            if !alone {
                row.peer(1, peer(&boxed, here));
            }
        }
        row.print();
    }
    if show("cat 100 MiB") {
        cat(&session, here).await?;
    }
    if show("make 10,000 files") {
        make_files(&engine, &policy, here, &python).await?;
    }
    if show("snapshot") {
        snapshot(&session)?;
    }
    Ok(())
}

async fn cat(session: &Session, here: &Path) -> Result<()> {
    let bytes = vec![b'x'; BIG];
    std::fs::write(here.join("big"), &bytes)?;
    let how = OpenHow { write: true, create: true, ..OpenHow::default() };
    let fs = wisp::internal::fs(session);
    let file = fs.open(&fs.root(), "/home/user/big", how)?;
    let mut at = 0;
    while at < BIG {
        at += file.write_at(at as u64, &bytes[at..])?;
    }
    let mut row = Row::new("cat 100 MiB of a file to /dev/null", &["cat, from the page cache".to_owned()]);
    for _ in 0..9 {
        row.ours(timed(guest(session, &["sh", "-c", "cat big > /dev/null"])).await?);
        row.peer(0, peer(&["bash", "-c", "cat big > /dev/null"], here));
    }
    row.print();
    row.rate(BIG);
    let mut row = Row::new("cat 100 MiB through a pipe", &["cat big | cat".to_owned()]);
    for _ in 0..9 {
        row.ours(timed(guest(session, &["sh", "-c", "cat big | cat > /dev/null"])).await?);
        row.peer(0, peer(&["bash", "-c", "cat big | cat > /dev/null"], here));
    }
    row.print();
    row.rate(BIG);
    fs.unlink(&fs.root(), "/home/user/big")?;
    Ok(())
}

async fn make_files(engine: &Engine, policy: &Policy, here: &Path, python: &str) -> Result<()> {
    let mut row = Row::new("make 10,000 files from Python", &["python3, the same program".to_owned()]);
    for _ in 0..7 {
        let session = engine.session(policy).build().await?;
        row.ours(timed(guest(&session, &["python3", "-c", MAKE_FILES])).await?);
        row.peer(0, peer(&[python, "-c", MAKE_FILES], here));
        std::fs::remove_dir_all(here.join("made"))?;
    }
    row.print();
    Ok(())
}

fn snapshot(session: &Session) -> Result<()> {
    let fs = wisp::internal::fs(session);
    let root = fs.root();
    let began = Instant::now();
    for number in 0..FILES {
        let how = OpenHow { write: true, create: true, ..OpenHow::default() };
        fs.open(&root, &format!("/tmp/{number}"), how)?.write_at(0, b"x")?;
    }
    println!("{:<44} {:>11}", "make 10,000 files through the library", show(began.elapsed()));
    let mut row = Row::new("snapshot of 10,000 files", &[]);
    for _ in 0..1_000 {
        let began = Instant::now();
        let snapshot = session.snapshot();
        row.ours(began.elapsed());
        drop(snapshot);
    }
    row.print();
    Ok(())
}

/// Runs a command in the sandbox; it must succeed.
async fn guest(session: &Session, words: &[&str]) -> Result<()> {
    let command = Command::new(words[0]).args(&words[1..]).stderr(Output::Capture);
    let outcome = session.run(command).await?;
    if !outcome.success() {
        return Err(format!("{words:?} ended with {}: {}", outcome.exit_code(), outcome.stderr_text()).into());
    }
    Ok(())
}

async fn timed(work: impl Future<Output = Result<()>>) -> Result<Duration> {
    let began = Instant::now();
    work.await?;
    Ok(began.elapsed())
}

/// Returns the machine's real Python: `python3` may be a script of a version manager, which would flatter wisp.
fn python(here: &Path) -> String {
    let ask = ["-c", "import sys; print(sys.executable)"];
    let answer = std::process::Command::new("python3").args(ask).current_dir(here).output();
    let answer = answer.ok().and_then(|answer| String::from_utf8(answer.stdout).ok()).unwrap_or_default();
    if answer.trim().is_empty() { "python3".to_owned() } else { answer.trim().to_owned() }
}

/// Runs a program of the machine; `None` if it is not installed or fails.
fn peer(words: &[&str], here: &Path) -> Option<Duration> {
    let began = Instant::now();
    let mut command = std::process::Command::new(words[0]);
    command.args(&words[1..]).current_dir(here).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let status = command.status().ok()?;
    status.success().then(|| began.elapsed())
}

/// The times of one row.
struct Row {
    name: String,
    ours: Vec<Duration>,
    peers: Vec<(String, Vec<Duration>)>,
}

impl Row {
    fn new(name: &str, peers: &[String]) -> Self {
        Self { name: name.to_owned(), ours: Vec::new(), peers: peers.iter().map(|peer| (peer.clone(), Vec::new())).collect() }
    }

    fn ours(&mut self, time: Duration) {
        self.ours.push(time);
    }

    fn peer(&mut self, index: usize, time: Option<Duration>) {
        self.peers[index].1.extend(time);
    }

    fn print(&mut self) {
        let ours = median(&mut self.ours);
        if self.peers.is_empty() {
            println!("{:<44} {:>11}", self.name, show(ours));
        }
        for (index, (peer, times)) in self.peers.iter_mut().enumerate() {
            let name = if index == 0 { self.name.as_str() } else { "" };
            let time = if index == 0 { show(ours) } else { String::new() };
            if times.is_empty() {
                println!("{name:<44} {time:>11}   {peer:<26} {:>11}", "not here");
                continue;
            }
            let theirs = median(times);
            let ratio = ours.as_secs_f64() / theirs.as_secs_f64();
            println!("{name:<44} {time:>11}   {peer:<26} {:>11} {ratio:>7.2}x", show(theirs));
        }
    }

    fn rate(&mut self, bytes: usize) {
        let rate = bytes as f64 / median(&mut self.ours).as_secs_f64() / 1e9;
        println!("{:<44} {rate:>6.2} GB/s", "");
    }
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

fn show(time: Duration) -> String {
    let ms = time.as_secs_f64() * 1e3;
    if ms < 0.001 {
        format!("{} ns", time.as_nanos())
    } else if ms < 0.1 {
        format!("{:.1} us", ms * 1e3)
    } else if ms < 10.0 {
        format!("{ms:.3} ms")
    } else {
        format!("{ms:.1} ms")
    }
}
