//! Failures of the host, one after the other. Each is the end `infra`, or an error whose code is the host's, whatever the guest makes of
//! it; and the session and the engine go on. Most are made by fail points, the others are real.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;
use wisp::internal::FailPoint;
use wisp::{
    CodeCache, Command, CompileEvent, End, Engine, EngineBuilder, ErrorCode, Fault, HostFunction, HostValue, Input, MemoryChoice, Outcome,
    Policy, Session, SlotBounds, Stream,
};

use crate::escape::kit::{file, guest, policy};
use crate::kit::sh;

/// An engine on a machine that breaks when a test wants it.
struct Machine {
    engine: Engine,
    broken: Arc<Mutex<Vec<FailPoint>>>,
}

impl Machine {
    fn new() -> Self {
        Self::with(|builder| builder)
    }

    /// It keeps no memory for the next process, so that each one is mapped.
    fn with(set: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Self {
        let broken: Arc<Mutex<Vec<FailPoint>>> = Arc::default();
        let asked = broken.clone();
        let inject = move |point| {
            let number = if point == FailPoint::CacheWrite { libc::ENOSPC } else { libc::ENOMEM };
            asked.lock().contains(&point).then(|| io::Error::from_raw_os_error(number))
        };
        let slots = SlotBounds { max_idle: 0, ready: 0, ..SlotBounds::default() };
        let builder = Engine::builder(wisp_built::components()).memory(MemoryChoice::Slots).slots(slots).fail_points(inject);
        Self { engine: set(builder).build().expect("an engine"), broken }
    }

    fn breaks(&self, points: &[FailPoint]) {
        *self.broken.lock() = points.to_vec();
    }

    fn mends(&self) {
        self.broken.lock().clear();
    }

    /// A session with these shipped tools and this one.
    async fn session(&self, tools: &[&str], guest: &[u8]) -> Session {
        let tool = file(guest);
        self.engine.session(&policy(tools, "")).tool("guest", tool.path()).build().await.expect("a session")
    }
}

/// A guest that exits with 7.
fn seven() -> Vec<u8> {
    guest("", r#"(func (export "run") (result i32) (call $exit (i32.const 7)) unreachable)"#)
}

/// The same, and no cache has its machine code.
fn new_seven() -> Vec<u8> {
    let unique = file(b"").path().display().to_string();
    let body = r#"(func (export "run") (result i32) (call $exit (i32.const 7)) unreachable)"#;
    guest("", &format!("(data (i32.const 2048) \"{unique}\") {body}"))
}

async fn works(session: &Session) {
    let outcome = session.run(Command::new("guest")).await.expect("the guest starts");
    assert_eq!(outcome.end, End::Exit { code: 7 }, "{outcome:?}");
}

/// Checks that the host failed the command with this code, and says how.
fn failed(outcome: &Outcome, expected: ErrorCode, said: &str) {
    let End::Infra { code, message } = &outcome.end else { panic!("{outcome:?}") };
    assert_eq!((*code, code.fault(), outcome.exit_code(), outcome.success()), (expected, Fault::Host, 125, false), "{outcome:?}");
    assert!(message.contains(said), "{message}");
    // Where and why is for the caller, not for the guest.
    assert!(!outcome.stderr_text().contains(NO_MEMORY), "{}", outcome.stderr_text());
}

const NO_MEMORY: &str = "(os error 12)";

/// How a point fails as an error of wisp.
fn code_of(point: FailPoint) -> ErrorCode {
    if point == FailPoint::Compile { ErrorCode::CompileFailed } else { ErrorCode::HostMemory }
}

#[tokio::test]
async fn a_program_that_cannot_be_compiled_or_mapped_does_not_start() {
    let machine = Machine::with(|builder| builder.cache(CodeCache::none()));
    for point in [FailPoint::Compile, FailPoint::Code] {
        let session = machine.session(&[], &new_seven()).await;
        machine.breaks(&[point]);
        let error = session.run(Command::new("guest")).await.map(|outcome| outcome.end).unwrap_err();
        assert_eq!((error.code(), error.code().fault(), error.exit_code()), (code_of(point), Fault::Host, 125), "{error}");
        assert!(error.to_string().contains(NO_MEMORY), "{error}");
        machine.mends();
        works(&session).await;
    }
}

#[tokio::test]
async fn a_process_without_memory_or_a_stack_is_no_result() {
    for point in [FailPoint::Memory, FailPoint::Stack] {
        let machine = Machine::with(|builder| builder.cache(CodeCache::none()));
        let session = machine.session(&[], &seven()).await;
        machine.breaks(&[point]);
        let outcome = session.run(Command::new("guest")).await.expect("its process is made");
        failed(&outcome, ErrorCode::HostMemory, NO_MEMORY);
        assert!(outcome.stderr_text().contains("a failure of the host, not of the program"), "{}", outcome.stderr_text());
        machine.mends();
        works(&session).await;
    }
}

/// Whatever a shell makes of a program that did not run.
#[tokio::test]
async fn a_child_that_the_host_fails_is_no_result_of_its_parents() {
    for point in [FailPoint::Compile, FailPoint::Code, FailPoint::Memory, FailPoint::Stack] {
        let machine = Machine::new();
        let session = machine.session(&["sh"], &new_seven()).await;
        let running = session.start(sh("echo ready; read -r line; guest; echo status $?").stdin(Input::Piped)).await.expect("a shell");
        assert_eq!(running.next_output(Stream::Stdout, 0, 100).await.bytes, "ready\n");
        machine.breaks(&[point, FailPoint::CacheWrite]);
        running.write_stdin("go\n").await.expect("the shell reads");
        let outcome = running.wait().await.expect("an outcome");
        failed(&outcome, code_of(point), NO_MEMORY);
        let said = outcome.stdout_text();
        assert!(said.starts_with("ready\nstatus ") && !said.contains("status 7"), "{point:?}: {said}");
        // A cache whose disk is full does not matter.
        machine.breaks(&[FailPoint::CacheWrite]);
        works(&session).await;
    }
}

#[tokio::test]
async fn memory_that_the_machine_does_not_give_is_no_limit_of_the_policys() {
    let grows = r#"(func (export "run") (result i32)
        (call $exit (i32.eq (memory.grow (i32.const 16)) (i32.const -1))) unreachable)"#;
    let machine = Machine::with(|builder| builder.cache(CodeCache::none()));
    let session = machine.session(&[], &guest("", grows)).await;
    machine.breaks(&[FailPoint::Growth]);
    let outcome = session.run(Command::new("guest")).await.expect("the guest starts");
    failed(&outcome, ErrorCode::HostMemory, NO_MEMORY);
    assert_eq!(outcome.limit, None);
    machine.mends();
    let outcome = session.run(Command::new("guest")).await.expect("the guest starts");
    assert_eq!(outcome.end, End::Exit { code: 0 }, "{outcome:?}");
}

#[tokio::test]
async fn interpreters_their_evaluations_and_forks_say_what_the_host_did_not_give() {
    let machine = Machine::new();
    let session = machine.engine.session(&Policy::offline()).build().await.expect("a session");
    machine.breaks(&[FailPoint::Memory]);
    let error = session.python().await.expect_err("it has no memory");
    assert_eq!((error.code(), error.code().fault()), (ErrorCode::HostMemory, Fault::Host), "{error}");
    machine.mends();
    let mut python = session.python().await.expect("an interpreter");
    assert!(python.eval("x = 41").await.expect("it evaluates").success());

    machine.breaks(&[FailPoint::Growth]);
    let cell = python.eval("held = bytearray(64_000_000)").await.expect("it evaluates");
    assert_eq!(cell.error.as_ref().map(|error| error.name.as_str()), Some("MemoryError"), "{cell:?}");
    failed(&cell.outcome, ErrorCode::HostMemory, NO_MEMORY);
    machine.mends();
    let cell = python.eval("held = bytearray(64_000_000); x").await.expect("it is alive");
    assert_eq!((cell.value.as_deref(), &cell.outcome.end), (Some("41"), &End::Exit { code: 0 }));

    machine.breaks(&[FailPoint::Snapshot]);
    let error = python.snapshot().await.expect_err("its memory cannot be copied");
    assert_eq!((error.code(), error.code().fault()), (ErrorCode::HostMemory, Fault::Host), "{error}");
    machine.mends();
    let mut python = session.python().await.expect("another interpreter");
    assert!(python.eval("x = 41").await.expect("it evaluates").success());
    let snapshot = python.snapshot().await.expect("a snapshot");
    machine.breaks(&[FailPoint::Memory]);
    let error = snapshot.fork().await.expect_err("the fork has no memory");
    assert_eq!((error.code(), error.code().fault()), (ErrorCode::HostMemory, Fault::Host), "{error}");
    machine.mends();
    let mut fork = snapshot.fork().await.expect("a fork");
    assert_eq!(fork.eval("x + 1").await.expect("it evaluates").value.as_deref(), Some("42"));
    assert_eq!(python.eval("x").await.expect("it is alive").value.as_deref(), Some("41"));
}

#[tokio::test]
async fn an_engine_that_is_full_is_worth_trying_again() {
    let machine = Machine::with(|builder| builder.max_processes(1));
    let session = machine.session(&["sh"], &seven()).await;
    let outcome = session.run(sh("guest; echo status $?")).await.expect("a shell");
    failed(&outcome, ErrorCode::NoRoom, "no room");
    let shell = session.start(sh("echo ready; read -r line; exit 3").stdin(Input::Piped)).await.expect("a shell");
    assert_eq!(shell.next_output(Stream::Stdout, 0, 100).await.bytes, "ready\n");
    let error = session.run(Command::new("guest")).await.map(|outcome| outcome.end).unwrap_err();
    assert_eq!((error.code(), error.code().retryable(), error.exit_code()), (ErrorCode::NoRoom, true, 125), "{error}");
    shell.close_stdin();
    assert_eq!(shell.wait().await.expect("an outcome").end, End::Exit { code: 3 });
    works(&session).await;
}

/// The files of machine code in a cache.
fn kept(cache: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(cache).expect("a folder").map(|entry| entry.expect("an entry").path());
    entries.filter(|path| path.extension().is_some_and(|ending| ending == "cwasm")).collect()
}

#[tokio::test]
async fn a_cache_that_cannot_be_written_or_read_costs_only_time() {
    let (folder, tool) = (tempfile::tempdir().expect("a folder"), seven());
    let cache = folder.path().join("code");
    let compiled = Arc::new(AtomicUsize::new(0));
    let machine = || {
        let (compiled, cache) = (compiled.clone(), cache.clone());
        let count = move |event| {
            if matches!(event, CompileEvent::Started { .. }) {
                compiled.fetch_add(1, Ordering::SeqCst);
            }
        };
        Machine::with(|builder| builder.cache_directory(cache).on_compile(count))
    };
    // How often the guest was compiled by a new engine, and the files that are there then.
    let run = async |machine: Machine| {
        compiled.store(0, Ordering::SeqCst);
        works(&machine.session(&[], &tool).await).await;
        (compiled.load(Ordering::SeqCst), if cache.exists() { kept(&cache).len() } else { 0 })
    };
    let full = machine();
    full.breaks(&[FailPoint::CacheWrite]);
    assert_eq!(run(full).await, (1, 0), "nothing can be kept");
    let (times, files) = run(machine()).await;
    assert!(times == 1 && files > 0, "{times} {files}");
    assert_eq!(run(machine()).await, (0, files), "it is in the cache");
    for file in kept(&cache) {
        fs::write(file, "damaged").expect("the file is the test's");
    }
    assert_eq!(run(machine()).await, (1, files), "it is made again");
    let removed = machine();
    fs::remove_dir_all(&cache).expect("the folder is the test's");
    assert_eq!(run(removed).await, (1, 0), "there is no folder any more");
}

#[tokio::test]
async fn a_snapshot_on_a_full_disk_is_an_error_of_the_hosts() {
    let full = || -> File { OpenOptions::new().write(true).open("/dev/full").expect("Linux has it") };
    let session = Machine::new().engine.session(&Policy::offline()).build().await.expect("a session");
    let mut python = session.python().await.expect("an interpreter");
    assert!(python.eval("x = 41").await.expect("it evaluates").success());
    let snapshot = python.snapshot().await.expect("a snapshot");
    let error = snapshot.save(full()).await.expect_err("there is no room");
    assert_eq!((error.code(), error.code().fault()), (ErrorCode::IoError, Fault::Host), "{error}");
    assert!(!snapshot.save(Vec::new()).await.expect("memory has room").is_empty());
    assert_eq!(python.eval("x").await.expect("it is alive").value.as_deref(), Some("41"));

    let mut shell = session.shell().await.expect("a shell");
    assert!(shell.eval("x=41").await.expect("it evaluates").success());
    let error = shell.snapshot().save(full()).await.expect_err("there is no room");
    assert_eq!((error.code(), error.code().fault()), (ErrorCode::IoError, Fault::Host), "{error}");
    assert!(!shell.snapshot().save(Vec::new()).await.expect("memory has room").is_empty());
    assert_eq!(shell.eval("echo $x").await.expect("it evaluates").stdout_text(), "41\n");
}

/// What was not recorded cannot be replayed: the run is worth nothing to a caller who wants that.
#[tokio::test]
async fn answers_that_cannot_be_recorded_are_a_failure_of_the_hosts() {
    let now = || HostFunction::new("now", |_: HostValue| async { Ok(serde_json::json!(1)) });
    let text = "extends = \"offline\"\n[host]\nallow = [\"now\"]";
    let policy = Policy::parse(&wisp::policy::HostFiles, "test.toml", text).expect("a policy");
    let machine = Machine::new();
    let builder = || machine.engine.session(&policy).function(now());
    let full = OpenOptions::new().write(true).open("/dev/full").expect("Linux has it");
    let session = builder().record_functions(full).build().await.expect("a session");
    let outcome = session.run(sh("host now; exit 0")).await.expect("a shell");
    failed(&outcome, ErrorCode::IoError, "`now` cannot be recorded");
    let session = builder().record_functions(Vec::new()).build().await.expect("a session");
    let outcome = session.run(sh("host now; exit 0")).await.expect("a shell");
    assert_eq!((&outcome.end, &*outcome.stdout_text()), (&End::Exit { code: 0 }, "1\n"), "{outcome:?}");
}
