//! Every limit, reached for real: the right status, the limit's name, value and rule, the output until then; and
//! another session on the same engine that runs all the while and afterwards.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use wisp::{Command, Input, Output};

use crate::escape::kit::{assert_works, guest, policy, session};

/// Prints `before\n`, then repeats `body` forever.
fn offender(imports: &str, body: &str) -> Vec<u8> {
    guest(
        imports,
        &format!(
            r#"(data (i32.const 1024) "before\n")
            (data (i32.const 1100) "/usr/bin/guest/home/user")
            (func (export "run") (result i32)
                (call $say (i32.const 1024) (i32.const 7))
                {body}
                unreachable)"#
        ),
    )
}

/// Starts itself, with its own standard output, and ends as its child does.
fn bomb() -> Vec<u8> {
    offender(
        r#"(import "wisp:sandbox/process@0.1.0" "spawn" (func $spawn (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "[method]child.wait" (func $wait (param i32 i32)))"#,
        r#"(call $inherited (i32.const 1) (i32.const 0))
           ;; descriptor { number = 1, file }
           (i32.store (i32.const 2000) (i32.const 1))
           (i32.store (i32.const 2004) (i32.load (i32.const 4)))
           ;; one argument: the program's path
           (i32.store (i32.const 2100) (i32.const 1100))
           (i32.store (i32.const 2104) (i32.const 14))
           (call $spawn (i32.const 1100) (i32.const 14) (i32.const 2100) (i32.const 1) (i32.const 0) (i32.const 0)
               (i32.const 1114) (i32.const 10) (i32.const 2000) (i32.const 1) (i32.const 0) (i32.const 40))
           (call $wait (i32.load (i32.const 44)) (i32.const 48))
           (call $exit (i32.load8_u (i32.const 48)))"#,
    )
}

struct Attack {
    limit: &'static str,
    value: &'static str,
    code: u8,
    guest: Vec<u8>,
}

fn attacks() -> Vec<Attack> {
    let spin = || offender("", "(loop $again (br $again))");
    let sleep = offender(
        r#"(import "wasi:clocks/monotonic-clock@0.2.12" "subscribe-duration" (func $timer (param i64) (result i32)))
           (import "wasi:io/poll@0.2.12" "[method]pollable.block" (func $block (param i32)))"#,
        "(call $block (call $timer (i64.const 1000000000000)))",
    );
    let grow = offender("", "(loop $again (br_if $again (i32.ne (memory.grow (i32.const 16)) (i32.const -1))))");
    let flood =
        |fd| offender("", &format!("(loop $again (call $write_to (i32.const {fd}) (i32.const 1024) (i32.const 60000)) (br $again))"));
    let attack = |limit, value, code, guest| Attack { limit, value, code, guest };
    vec![
        attack("limits.wall", "300ms", 124, sleep),
        attack("limits.wall", "300ms", 124, spin()),
        attack("limits.cpu", "100ms", 137, spin()),
        attack("limits.memory", "8MiB", 137, grow),
        attack("limits.processes", "5", 137, bomb()),
        attack("limits.stdout", "100KiB", 137, flood(1)),
        attack("limits.stderr", "100KiB", 137, flood(2)),
        attack("limits.instructions", "1000000", 137, spin()),
    ]
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_limit_ends_the_guest_and_nothing_else() {
    for Attack { limit, value, code, guest } in attacks() {
        // The neighbour runs before the limit is reached, meanwhile, and afterwards.
        let neighbour = session(&policy(&["coreutils"], ""), &[]).await;
        let (mut typed, stdin) = tokio::io::duplex(64);
        let (stdout, mut seen) = tokio::io::duplex(64);
        let command = Command::new("cat")
            .stdin(Input::Stream { stream: Box::new(stdin), terminal: false })
            .stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
        let running = tokio::spawn({
            let neighbour = neighbour.clone();
            async move { neighbour.run(command).await.expect("cat starts") }
        });
        let mut byte = [0];
        typed.write_all(b"1").await.unwrap();
        seen.read_exact(&mut byte).await.unwrap();

        let quoted = if value.parse::<u64>().is_ok() { value.to_owned() } else { format!("{value:?}") };
        let lines = format!("[limits]\n{} = {quoted}\n", limit.trim_start_matches("limits."));
        let attacked = session(&policy(&["coreutils"], &lines), &[("guest", &guest)]).await;
        let outcome = attacked.run(Command::new("guest")).await.expect("the guest starts");

        assert_eq!(outcome.exit_code(), code, "{limit}: {outcome:?}");
        let hit = outcome.limit.as_ref().unwrap_or_else(|| panic!("{limit} is not named: {outcome:?}"));
        assert_eq!((hit.limit.as_str(), hit.value.as_str()), (limit, value));
        assert!(hit.rule.starts_with("test.toml:"), "{limit}: the rule is {}", hit.rule);
        assert!(outcome.stdout.starts_with(b"before\n"), "{limit}: {:?}", outcome.stdout_text());
        if limit == "limits.stdout" {
            assert_eq!(outcome.stdout.len(), 100 << 10, "as much as the limit allows is kept");
        }
        if limit == "limits.stderr" {
            assert_eq!(outcome.stderr.len(), 100 << 10);
        }

        typed.write_all(b"2").await.unwrap();
        drop(typed);
        let mut rest = String::new();
        seen.read_to_string(&mut rest).await.unwrap();
        let outcome = running.await.unwrap();
        assert_eq!((outcome.exit_code(), rest.as_str()), (0, "2"), "{limit}: the neighbour was disturbed");
        assert_works(&neighbour).await;
        if !["limits.wall", "limits.cpu", "limits.instructions"].contains(&limit) {
            assert_works(&attacked).await;
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_guest_that_succeeds_while_its_child_hits_the_limit_still_ends_by_the_limit() {
    // The first process ends at once; its child floods the output that it inherited.
    let parent = offender(
        r#"(import "wisp:sandbox/process@0.1.0" "spawn" (func $spawn (param i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32 i32)))"#,
        r#"(call $inherited (i32.const 1) (i32.const 0))
           (i32.store (i32.const 2000) (i32.const 1))
           (i32.store (i32.const 2004) (i32.load (i32.const 4)))
           (i32.store (i32.const 2100) (i32.const 3000))
           (i32.store (i32.const 2104) (i32.const 12))
           (call $spawn (i32.const 3000) (i32.const 12) (i32.const 2100) (i32.const 1) (i32.const 0) (i32.const 0)
               (i32.const 1114) (i32.const 10) (i32.const 2000) (i32.const 1) (i32.const 0) (i32.const 40))
           (call $exit (i32.const 0))
           unreachable)
           (data (i32.const 3000) "/usr/bin/yes")
           (func $rest"#,
    );
    let session = session(&policy(&["coreutils"], "[limits]\nstdout = \"100KiB\"\n"), &[("guest", &parent)]).await;
    let outcome = session.run(Command::new("guest")).await.expect("the guest starts");
    assert_eq!(outcome.exit_code(), 137, "{:?}", outcome.limit);
    assert_eq!(outcome.limit.map(|hit| hit.limit.as_str()), Some("limits.stdout"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_loop_before_the_program_begins_is_counted_too() {
    let early = crate::escape::kit::raw_guest(
        "",
        r#"(func $start (loop $again (br $again))) (start $start) (func (export "run") (result i32) unreachable)"#,
    );
    let outcome = crate::escape::kit::run(&early, "[limits]\ncpu = \"100ms\"\n").await;
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.cpu")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_memory_that_begins_larger_than_the_limit_does_not_begin() {
    let large = crate::escape::kit::raw_guest("", r#"(memory 1024) (func (export "run") (result i32) (i32.const 0))"#);
    let outcome = crate::escape::kit::run(&large, "[limits]\nmemory = \"32MiB\"\n").await;
    assert_eq!((outcome.exit_code(), outcome.limit.map(|hit| hit.limit.as_str())), (137, Some("limits.memory")));
}
