//! coreutils' by-util tests: in Rust, built from the crate `coreutils`, with wisp's tools in place of its own.
//!
//! The tests make files, run a tool, and check its output and its files. Their harness accepts a program in place of
//! `wasmtime` (`UUTESTS_WASM_RUNNER`): wisp's is `src/bin/byutil-runner.rs`. The tests themselves are native
//! third-party programs, so they run in the jail. Building them takes minutes, so the suite runs only on request:
//! `just conformance --all`.

mod lists;
pub mod mirror;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

use lists::Lists;
use parking_lot::Mutex;

/// The parts of the crate whose tools wisp has.
const FEATURES: &str = "feat_common_core,nproc,chgrp,chmod,chown,groups,id,install,logname,stat,stdbuf,users,df,du,env,kill,sync,tac,\
timeout,whoami,hostname,nohup";

/// The results of the tests.
#[derive(Debug, Default)]
pub struct Ran {
    /// By name, without `test_` of the module: whether it passed, and its message if not.
    pub tests: BTreeMap<String, Result<(), String>>,
    /// Left out, by reason.
    pub skipped: BTreeMap<String, usize>,
}

/// Builds the tests; returns their program and the folder in which they run.
///
/// # Errors
/// The error of cargo.
fn build() -> Result<(PathBuf, PathBuf), String> {
    let source = crate::place().join("suites/coreutils");
    let work = crate::place().join("work/coreutils");
    if !source.is_dir() {
        return Err("the suite `coreutils` is not there; `toolchain/suites` fetches it".to_owned());
    }
    if !work.is_dir() {
        copy(&source.canonicalize().map_err(|error| error.to_string())?, &work)?;
        let manifest = work.join("Cargo.toml");
        let text = fs::read_to_string(&manifest).map_err(|error| error.to_string())?;
        // It is inside our workspace, but not a member of it.
        fs::write(&manifest, text + "\n[workspace]\n").map_err(|error| error.to_string())?;
    }
    eprintln!("building coreutils' tests (minutes, the first time) …");
    let output = Command::new("cargo")
        .args([
            "test",
            "--locked",
            "--no-run",
            "--no-default-features",
            "--features",
            FEATURES,
            "--test",
            "tests",
            "--message-format",
            "json",
        ])
        .current_dir(&work)
        .env("CARGO_TARGET_DIR", crate::place().join("coreutils"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .env("CARGO_INCREMENTAL", "0")
        .env_remove("RUSTC")
        .stderr(Stdio::inherit())
        .output()
        .map_err(|error| format!("cannot run cargo: {error}"))?;
    let program = output.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok());
    let program = program
        .filter(|message| message["target"]["name"] == "tests")
        .find_map(|message| message["executable"].as_str().map(PathBuf::from));
    Ok((program.ok_or("cargo built no tests; see above")?, work))
}

fn copy(from: &Path, to: &Path) -> Result<(), String> {
    fs::create_dir_all(to).map_err(|error| error.to_string())?;
    for entry in fs::read_dir(from).map_err(|error| error.to_string())? {
        let entry = entry.map_err(|error| error.to_string())?;
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target)?;
        } else {
            fs::copy(entry.path(), &target).map_err(|error| error.to_string())?;
        }
    }
    Ok(())
}

/// The program that the tests run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Programs {
    /// wisp's tools.
    Wisp,
    /// The machine's own, GNU coreutils 9.1 where the list was recorded.
    Real,
}

/// The message of a test without a result.
const UNENDED: &str = "it did not end";

const ORACLE: &str = include_str!("oracle.sh");

/// Why a test does not count that requires uutils' own words or forms.
const UNMET: &str = "the real program does not meet it";

fn unmet_file() -> PathBuf {
    crate::root().join("tests/conformance/verdicts/coreutils.txt")
}

/// The recorded tests that the real programs do not meet.
fn unmet() -> BTreeSet<String> {
    let text = fs::read_to_string(unmet_file()).unwrap_or_default();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// Records which tests the real programs do not meet.
///
/// # Errors
/// As [`run`], and when the list cannot be written.
pub fn record() -> Result<(), String> {
    let ran = run(&[], Programs::Real)?;
    let unmet: Vec<&str> = ran
        .tests
        .iter()
        .filter(|(_, result)| result.as_ref().is_err_and(|error| error != UNENDED))
        .map(|(name, _)| name.as_str())
        .collect();
    println!("coreutils: the real programs meet {} of {}", ran.tests.len() - unmet.len(), ran.tests.len());
    let head = "# by-util tests that GNU coreutils itself does not meet: `just conformance coreutils --oracle` writes this\n";
    fs::write(unmet_file(), format!("{head}{}\n", unmet.join("\n"))).map_err(|error| error.to_string())
}

fn install(runner: &Path) -> Result<(), String> {
    // A script may already exist, and may be running.
    let _ = fs::remove_file(runner);
    let own = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("byutil-runner");
    fs::copy(&own, runner)
        .map_err(|error| format!("cannot copy `{}`: {error}; is it built? `cargo build --release -p wisp-conformance`", own.display()))?;
    Ok(())
}

/// Makes a folder of links to the components that the runner needs. It reads all of them in each of its thousands of starts, so
/// that Python, by far the largest, is not among them.
fn link(components: &Path) -> std::io::Result<()> {
    // It may exist from another run, and may have been a link then.
    let _ = fs::remove_file(components).or_else(|_| fs::remove_dir_all(components));
    fs::create_dir(components)?;
    for entry in wisp_built::components().folder().map(fs::read_dir).into_iter().flatten().flatten() {
        let entry = entry?;
        if !entry.file_name().to_string_lossy().starts_with("python3.") {
            std::os::unix::fs::symlink(entry.path(), components.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Runs the tests whose name contains one of these words (all, if there are none).
///
/// # Errors
/// When they cannot be built, or there is no jail.
pub fn run(words: &[String], with: Programs) -> Result<Ran, String> {
    let lists = Lists::read()?;
    let unmet = if with == Programs::Wisp { unmet() } else { BTreeSet::new() };
    let jail = Command::new("bwrap").args(["--ro-bind", "/", "/", "true"]).stdin(Stdio::null()).stdout(Stdio::null()).status();
    match jail {
        Ok(status) if status.success() => {}
        Ok(status) => {
            return Err(format!("bwrap, the jail of these third-party tests, does not work here: {status}; its message is above"));
        }
        Err(error) => {
            return Err(format!(
                "bwrap, the jail of these third-party tests, cannot be started ({error}): install Debian's package bubblewrap"
            ));
        }
    }
    let (program, work) = build()?;
    let place = crate::place().join("byutil");
    fs::create_dir_all(&place).map_err(|error| error.to_string())?;
    let runner = place.join("runner");
    if with == Programs::Real {
        // It may exist from another run, as a program.
        let _ = fs::remove_file(&runner);
        fs::write(&runner, ORACLE).map_err(|error| error.to_string())?;
        fs::set_permissions(&runner, fs::Permissions::from_mode(0o755)).map_err(|error| error.to_string())?;
    } else {
        install(&runner)?;
    }
    link(&place.join("components")).map_err(|error| error.to_string())?;
    let listed = Command::new(&program).arg("--list").stderr(Stdio::null()).output().map_err(|error| error.to_string())?;
    let listed = String::from_utf8_lossy(&listed.stdout).into_owned();
    let mut ran = Ran::default();
    let mut modules: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for name in listed.lines().filter_map(|line| line.strip_suffix(": test")) {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word.as_str())) {
            continue;
        }
        match lists.skip(name) {
            Some(reason) => *ran.skipped.entry(reason.to_owned()).or_default() += 1,
            None if unmet.contains(name) => *ran.skipped.entry(UNMET.to_owned()).or_default() += 1,
            None => modules.entry(name.split("::").next().unwrap_or(name)).or_default().push(name),
        }
    }
    let modules: Vec<_> = modules.into_values().collect();
    let (next, found) = (AtomicUsize::new(0), Mutex::new(&mut ran.tests));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(|| {
                while let Some(tests) = modules.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let results = module(&program, &work, &place, tests, with);
                    found.lock().extend(results);
                }
            });
        }
    });
    Ok(ran)
}

/// Runs one utility's tests in the jail.
fn module(program: &Path, work: &Path, place: &Path, tests: &[&str], with: Programs) -> BTreeMap<String, Result<(), String>> {
    // Some of the real programs never end where a test requires uutils' behaviour; tests that did not end have no
    // result.
    let seconds = if with == Programs::Real { "40" } else { "900" };
    let mut command = Command::new("bwrap");
    command.args(["--unshare-all", "--die-with-parent", "--cap-drop", "ALL", "--uid", "1000", "--gid", "1000"]);
    command.args(["--ro-bind", "/", "/", "--tmpfs", "/tmp", "--dev", "/dev", "--proc", "/proc", "--bind"]).args([place, place]);
    command
        .arg("--chdir")
        .arg(work)
        .args(["--setenv", "RUST_BACKTRACE", "0", "--setenv", "RUST_MIN_STACK", "67108864", "--setenv", "UUTESTS_WASM_RUNNER"])
        .arg(place.join("runner"));
    command.args(["--setenv", "UUTESTS_BINARY_PATH"]).arg(program.ancestors().nth(2).unwrap_or(place).join("coreutils"));
    command.args(["--", "timeout", "-k", "5", seconds]).arg(program).args(["--exact", "--test-threads", "2"]).args(tests);
    let mut results: BTreeMap<String, Result<(), String>> =
        tests.iter().map(|name| ((*name).to_owned(), Err(UNENDED.to_owned()))).collect();
    let child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
    let Ok(mut child) = child else { return results };
    let mut said: Option<(String, String)> = None;
    for line in child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).split(b'\n')).map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).into_owned();
        if let Some((name, result)) = line.strip_prefix("test ").and_then(|rest| rest.split_once(" ... ")) {
            let name = name.trim_end_matches(" - should panic");
            match result.trim() {
                "ok" => _ = results.insert(name.to_owned(), Ok(())),
                // Some print a reason.
                other if other.starts_with("ignored") => _ = results.remove(name),
                _ => _ = results.insert(name.to_owned(), Err(String::new())),
            }
        } else if let Some(name) = line.strip_prefix("---- ").and_then(|rest| rest.strip_suffix(" stdout ----")) {
            if let Some((name, text)) = said.replace((name.to_owned(), String::new())) {
                results.insert(name, Err(text));
            }
        } else if line == "failures:" {
            if let Some((name, text)) = said.take() {
                results.insert(name, Err(text));
            }
        } else if let Some((_, text)) = &mut said
            && text.len() < 1500
            && !line.is_empty()
        {
            text.push_str(&line);
            text.push('\n');
        }
    }
    let _ = child.wait(); // what it printed is what counts
    results
}

/// Runs the tests, prints the results, compares them with the known failures; returns whether all is as expected.
///
/// # Errors
/// As [`run`].
pub fn report(words: &[String], list: bool) -> Result<bool, String> {
    let lists = Lists::read()?;
    let ran = run(words, Programs::Wisp)?;
    let mut utilities: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut wrong = Vec::new();
    for (name, result) in &ran.tests {
        let row = utilities.entry(name.split("::").next().unwrap_or(name).trim_start_matches("test_")).or_default();
        match result {
            Ok(()) => row.0 += 1,
            Err(text) => {
                row.1 += 1;
                if list {
                    println!("=== {name}\n{text}");
                }
            }
        }
        match (result, lists.known(name)) {
            _ if lists.raced(name) => {}
            (Ok(()), true) => wrong.push(format!("{name}: passes; take it out of tests/conformance/byutil.toml")),
            (Err(_), false) => wrong.push(format!("{name}: fails")),
            _ => {}
        }
    }
    let (passed, failed) = utilities.values().fold((0, 0), |sum, row| (sum.0 + row.0, sum.1 + row.1));
    for (name, (passed, failed)) in utilities.iter().filter(|(_, row)| row.1 > 0) {
        println!("{name:<16} {passed:>6} passed {failed:>5} failed");
    }
    for (reason, count) in &ran.skipped {
        println!("skipped: {count}: {reason}");
    }
    let rate = 100.0 * passed as f64 / (passed + failed).max(1) as f64;
    println!("coreutils: {passed} of {} passed, {rate:.2} %; {} skipped", passed + failed, ran.skipped.values().sum::<usize>());
    for line in &wrong {
        println!("! {line}");
    }
    Ok(wrong.is_empty())
}
