//! What the host does and holds for a guest is charged to the guest: instances that would cost gigabytes, tables, an
//! endless start function, work on other threads, the value of a cell.

use std::time::Duration;

use wisp::{Command, InterpreterError, Session};
use wisp_tests::alone::alone;

use crate::escape::kit::{ENGINE, assert_works, component, file, guest, interpreter, policy, raw_guest, run, session};

/// A component whose start function never ends, and which claims to be an interpreter.
fn looping_interpreter() -> Vec<u8> {
    let text = r#"(module
        (memory (export "memory") 1)
        (func $start (loop $again (br $again))) (start $start)
        (func (export "cabi_realloc") (param i32 i32 i32 i32) (result i32) unreachable)
        (func (export "wasi:cli/run@0.2.12#run") (result i32) unreachable)
        (func (export "wisp:sandbox/evaluation@0.1.0#eval")
            (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) unreachable)
        (func (export "wisp:sandbox/evaluation@0.1.0#park") (result i32) unreachable))"#;
    component(wat::parse_str(text).unwrap(), "", "export wisp:sandbox/evaluation@0.1.0;")
}

async fn with_interpreter(lines: &str) -> Session {
    session(&policy(&["coreutils"], lines), &[("mine", &looping_interpreter())]).await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_interpreter_whose_start_never_ends_is_ended_by_the_limits() {
    for (limit, lines) in [("limits.wall", "wall = \"300ms\""), ("limits.cpu", "cpu = \"100ms\"")] {
        let session = with_interpreter(&format!("[limits]\n{lines}\n")).await;
        match session.interpreter("mine").await {
            Err(error @ InterpreterError::Limit { .. }) => assert!(error.to_string().contains(limit), "{error}"),
            other => panic!("{limit}: {other:?}"),
        }
        assert_works(&session).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_caller_that_gives_up_ends_an_interpreter_that_is_starting() {
    let session = with_interpreter("[limits]\nprocesses = 1\nwall = \"1h\"\n").await;
    assert!(tokio::time::timeout(Duration::from_millis(100), session.interpreter("mine")).await.is_err(), "it has ended");
    // The only place for a process is free again.
    assert_works(&session).await;
}

/// A program that does nothing, in a component with these definitions before it.
fn beside(definitions: &str) -> Vec<u8> {
    let program = r#"(core module $r (func (export "run") (result i32) (i32.const 0))) (core instance $i (instantiate $r))
        (func $run (result (result)) (canon lift (core func $i "run")))
        (instance $program (export "run" (func $run))) (export "wasi:cli/run@0.2.12" (instance $program))"#;
    wat::parse_str(format!("(component {definitions} {program})")).unwrap()
}

/// The same with many instances of a module.
fn instances(module: &str, count: usize) -> Vec<u8> {
    beside(&format!("(core module $m {module}) {}", "(core instance (instantiate $m))".repeat(count)))
}

/// Passive elements, in one segment.
fn elements(count: usize) -> String {
    format!("(func $f) (elem func {})", "$f ".repeat(count))
}

/// Components of which each is made of two instances of the one before.
fn doubled(levels: usize) -> Vec<u8> {
    let level = |level: usize| {
        let before = level - 1;
        format!("(component $c{level} (alias outer 1 $c{before} (component $x)) (instance (instantiate $x)) (instance (instantiate $x)))")
    };
    let components: String = (1..=levels).map(level).collect();
    beside(&format!("(component $c0) {components} (instance (instantiate $c{levels}))"))
}

/// An interpreter whose evaluations do nothing, and which does this to get ready for a snapshot.
fn parking(park: &str) -> Vec<u8> {
    interpreter(&format!(
        r#"(data (i32.const 1024) "\1b]52;c;ZXZpbA==\07\c2\9b2J\e2\80\ae")
        (func (export "run") (result i32) (i32.const 0))
        (func (export "eval") (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32) (result i32) (i32.const 8192))
        (func (export "park") (result i32) (local $at i32) {park})"#
    ))
}

/// Says that it lost `count` things; each line has `length` bytes, of which the first 23 would act on a terminal.
fn lines(count: u32, length: u32) -> Vec<u8> {
    parking(&format!(
        "(local.set $at (i32.const 16384))
        (loop $again
            (i32.store (local.get $at) (i32.const 1024)) (i32.store offset=4 (local.get $at) (i32.const {length}))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $again (i32.lt_u (local.get $at) (i32.const {}))))
        (i32.store (i32.const 512) (i32.const 16384)) (i32.store (i32.const 516) (i32.const {count})) (i32.const 512)",
        16384 + 8 * count
    ))
}

#[tokio::test]
async fn what_an_interpreter_says_that_it_lost_is_bounded_and_does_not_act() {
    let lost = async |guest: &[u8]| {
        let session = session(&policy(&["coreutils"], ""), &[("mine", guest)]).await;
        let mut interpreter = session.interpreter("mine").await.unwrap();
        match interpreter.snapshot().await {
            // It has not even a handle of the root directory. It goes on.
            Err(InterpreterError::Holds { not_carried, .. }) => {
                interpreter.eval("").await.expect("it is alive");
                not_carried
            }
            other => panic!("{other:?}"),
        }
    };
    let few = lost(&lines(2, 23)).await;
    assert_eq!(few, [r"\u{1b}]52;c;ZXZpbA==\u{7}\u{9b}2J\u{202e}"; 2]);
    // Zero bytes follow.
    let many = lost(&lines(5_000, 6_000)).await;
    let (left_out, kept) = many.split_last().expect("some are there");
    assert!(kept.len() > 100 && kept.len() < 1_000, "{}", kept.len());
    assert_eq!(*left_out, format!("{} more, whose names are left out", 5_000 - kept.len()));
    assert!(many.iter().all(|line| line.len() <= 512 && !line.contains(char::is_control)));
}

#[tokio::test]
async fn the_last_words_of_an_interpreter_are_bounded() {
    for (length, said) in [(23, 23), (100_000, 4 << 10)] {
        let words = parking(&format!("(call $write_to (i32.const 2) (i32.const 1024) (i32.const {length})) unreachable"));
        let session = session(&policy(&["coreutils"], ""), &[("mine", &words)]).await;
        let Err(error @ InterpreterError::Broken { .. }) = session.interpreter("mine").await.unwrap().snapshot().await else {
            panic!("it is not broken");
        };
        let length = error.to_string().len();
        assert!((said..said + 200).contains(&length), "{length}: {error}");
    }
}

#[tokio::test]
async fn a_component_whose_instances_cost_too_much_is_no_tool() {
    for (bytes, said) in [
        (
            instances(&"(global i32 (i32.const 1))".repeat(100_000), 150),
            "cost the host 230 MiB for each process; at most 16 MiB are accepted",
        ),
        (instances("(global i32 (i32.const 1))", 399), "400 core instances; at most 200 are accepted"),
        (instances(&elements(400_000), 196), "cost the host 1197 MiB for each process; at most 16 MiB are accepted"),
        (instances(&"(data \"\")".repeat(90_000), 196), "cost the host 270 MiB for each process; at most 16 MiB are accepted"),
        (doubled(20), "cost the host 513 MiB for each process; at most 16 MiB are accepted"),
    ] {
        let file = file(&bytes);
        let built = ENGINE.session(&policy(&[], "")).tool("bomb", file.path()).build().await;
        let error = built.expect_err("a bomb is no tool").to_string();
        assert!(error.contains("`bomb`") && error.contains(said), "{error}");
    }
    for bytes in [instances(&elements(1000), 10), instances(&"(data \"\")".repeat(1000), 10), doubled(6)] {
        let outcome = run(&bytes, "[limits]\nmemory = \"4MiB\"\n").await;
        assert!(outcome.success(), "{}", outcome.stderr_text());
    }
}

#[tokio::test]
async fn passive_elements_are_charged() {
    // 7.6 MiB, of which 2 are free.
    let bytes = instances(&elements(50_000), 10);
    let outcome = run(&bytes, "[limits]\nmemory = \"4MiB\"\n").await;
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.memory")));
    let enough = run(&bytes, "[limits]\nmemory = \"16MiB\"\n").await;
    assert!(enough.success(), "{}", enough.stderr_text());
    assert!(enough.usage.peak_memory > 5 << 20, "{}", enough.usage.peak_memory);
}

#[tokio::test]
async fn the_elements_of_tables_are_charged() {
    // Ten tables of 1.5 MB each, under 4 MiB: as many as fit, and the guest continues.
    let tables = "(table 0 funcref)".repeat(10);
    let grow: String = (0..10)
        .map(|table| {
            format!(
                "(local.set $grown (i32.add (local.get $grown)
                    (i32.ne (table.grow {table} (ref.null func) (i32.const 190000)) (i32.const -1))))"
            )
        })
        .collect();
    let bytes = guest(
        "",
        &format!("{tables} (func (export \"run\") (result i32) (local $grown i32) {grow} (call $exit (local.get $grown)) unreachable)"),
    );
    assert_eq!(run(&bytes, "[limits]\nmemory = \"4MiB\"\n").await.exit_code(), 2);
    let enough = run(&bytes, "[limits]\nmemory = \"32MiB\"\n").await;
    assert_eq!(enough.exit_code(), 10);
    assert!(enough.usage.peak_memory > 10 * 190_000 * 8, "{}", enough.usage.peak_memory);
}

#[tokio::test]
async fn tables_that_are_large_from_the_start_are_charged() {
    let bytes = raw_guest("", "(table 190000 funcref) (table 190000 funcref) (func (export \"run\") (result i32) (i32.const 0))");
    let outcome = run(&bytes, "[limits]\nmemory = \"2MiB\"\n").await;
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.memory")));
    assert_eq!(run(&bytes, "[limits]\nmemory = \"4MiB\"\n").await.exit_code(), 0);
}

/// Processor time of this process, in nanoseconds.
fn processor_time() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // After the name: fields 14 and 15, in hundredths of a second.
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap().split_whitespace().collect();
    (fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()) * 10_000_000
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn work_on_a_mount_counts_as_the_commands() {
    // The processor time is that of this one command.
    if !alone("escape::charges::work_on_a_mount_counts_as_the_commands") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for number in 0..10_000 {
        std::fs::write(folder.path().join(format!("file-{number}")), "").unwrap();
    }
    let mount = format!("[[filesystem.mount]]\nguest = \"/mnt/many\"\nhost = {:?}\naccess = \"read\"\n", folder.path());
    let lines = format!("{mount}[limits]\ncpu = \"60s\"\nwall = \"120s\"\n");
    let session = session(&policy(&["coreutils"], &lines), &[]).await;
    let find = |folder: &str| Command::new("find").arg(folder).arg("-size").arg("+1k");
    assert!(session.run(find("/tmp")).await.expect("find starts").success());
    let before = processor_time();
    let outcome = session.run(find("/mnt/many")).await.expect("find starts");
    let used = processor_time() - before;
    assert!(outcome.success(), "{}", outcome.stderr_text());
    // It was a fifth when only the guest's own work counted; the rest is the runtime's, which distributes the work.
    let counted = outcome.usage.cpu.as_nanos() as u64;
    assert!(counted * 3 >= used, "{counted} ns of {used} are the command's");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_listing_of_a_mount_is_ended_by_the_limit_on_processor_time() {
    let folder = tempfile::tempdir().unwrap();
    for number in 0..2_000 {
        std::fs::write(folder.path().join(number.to_string()), "").unwrap();
    }
    let mount = format!("[[filesystem.mount]]\nguest = \"/mnt/many\"\nhost = {:?}\naccess = \"read\"\n", folder.path());
    let lines = format!("{mount}[limits]\ncpu = \"300ms\"\nwall = \"1h\"\n");
    let session = session(&policy(&["sh", "coreutils"], &lines), &[]).await;
    let outcome =
        session.run(Command::new("sh").arg("-c").arg("while :; do find /mnt/many -size +1k; done")).await.expect("the shell starts");
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.cpu")));
}
