//! Hundreds of sessions at once on one engine: none sees files, environment, processes or results of another.

use std::sync::Arc;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::Barrier;
use tokio::task::JoinSet;
use wisp::{Command, Input, Output, Policy, Session};

use crate::escape::kit::{guest, policy, session};

/// Sessions at once; each runs one process at a time, of which an engine allows 1,000.
const SESSIONS: usize = 300;

/// Signals every process id up to 2,000 except its own, and exits with the number of those it reached.
fn killer() -> Vec<u8> {
    guest(
        r#"(import "wisp:sandbox/process@0.1.0" "kill" (func $kill (param i32 i32 i32)))
           (import "wisp:sandbox/process@0.1.0" "pid" (func $pid (result i32)))"#,
        r#"(func (export "run") (result i32)
            (local $at i32) (local $reached i32)
            (loop $again
                (local.set $at (i32.add (local.get $at) (i32.const 1)))
                (if (i32.ne (local.get $at) (call $pid))
                    (then
                        (call $kill (local.get $at) (i32.const 9) (i32.const 0))
                        (if (i32.eqz (i32.load8_u (i32.const 0)))
                            (then (local.set $reached (i32.add (local.get $reached) (i32.const 1)))))))
                (br_if $again (i32.lt_u (local.get $at) (i32.const 2000))))
            (call $exit (local.get $reached))
            unreachable)"#,
    )
}

async fn printed(session: &Session, command: Command) -> String {
    let outcome = session.run(command).await.expect("it starts");
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}

/// What one session does while all others do the same with their own token.
async fn files_and_environment(session: &Session, token: &str) {
    let tee = Command::new("tee").args(["/home/user/secret", "/tmp/common", "/output/result"]).stdin_bytes(token.as_bytes().to_vec());
    let outcome = session.run(tee).await.expect("tee starts");
    let results: Vec<_> = outcome.files.iter().map(|file| (file.path.as_str(), file.data.as_deref().unwrap())).collect();
    assert_eq!(results, [("/output/result", token.as_bytes())]);

    let both = printed(session, Command::new("cat").args(["/home/user/secret", "/tmp/common"])).await;
    assert_eq!(both, format!("{token}{token}"));
    let environment = printed(session, Command::new("env").env("TOKEN", token)).await;
    assert_eq!(environment.matches("token-").count(), 1, "{environment}");
    assert!(environment.contains(token));
    let names = printed(session, Command::new("ls").args(["-R", "/home", "/tmp", "/output"])).await;
    assert_eq!(names.matches("secret").count() + names.matches("common").count() + names.matches("result").count(), 3, "{names}");
}

/// A process that exists while all others are attacked.
async fn victim(session: &Session, token: &str, attack: &Barrier) {
    let (mut typed, stdin) = tokio::io::duplex(64);
    let (stdout, mut seen) = tokio::io::duplex(64);
    let command = Command::new("cat")
        .stdin(Input::Stream { stream: Box::new(stdin), terminal: false })
        .stdout(Output::Stream { stream: Box::new(stdout), terminal: false });
    let talk = async {
        let mut byte = [0];
        typed.write_all(b"!").await.unwrap();
        seen.read_exact(&mut byte).await.unwrap();
        attack.wait().await; // all are running
        attack.wait().await; // all attacks are done
        typed.write_all(token.as_bytes()).await.unwrap();
        drop(typed);
        let mut rest = String::new();
        seen.read_to_string(&mut rest).await.unwrap();
        rest
    };
    let (outcome, rest) = tokio::join!(session.run(command), talk);
    assert_eq!((outcome.expect("cat starts").exit_code(), rest.as_str()), (0, token));
}

async fn attacker(session: &Session, attack: &Barrier) {
    attack.wait().await;
    let outcome = session.run(Command::new("killer")).await.expect("the guest starts");
    attack.wait().await;
    assert_eq!(outcome.exit_code(), 0, "a process of another session was reached");
}

async fn one(policy: Policy, killer: Arc<Vec<u8>>, number: usize, attack: Arc<Barrier>) {
    let token = format!("token-{number:05}-");
    let session = session(&policy, &[("killer", &killer)]).await;
    files_and_environment(&session, &token).await;
    if number.is_multiple_of(2) {
        victim(&session, &token, &attack).await;
    } else {
        attacker(&session, &attack).await;
    }
    files_and_environment(&session, &token).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn hundreds_of_sessions_do_not_see_each_other() {
    let (policy, killer) = (policy(&["coreutils"], ""), Arc::new(killer()));
    let attack = Arc::new(Barrier::new(SESSIONS));
    let mut sessions = JoinSet::new();
    for number in 0..SESSIONS {
        sessions.spawn(one(policy.clone(), killer.clone(), number, attack.clone()));
    }
    let mut ended = 0;
    while let Some(done) = sessions.join_next().await {
        done.unwrap_or_else(|error| panic!("a session failed: {error}"));
        ended += 1;
    }
    assert_eq!(ended, SESSIONS);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_stat_says_of_pipes_tells_nothing_of_the_host() {
    // Two sessions see the same numbers, whatever else runs: they are counted within a session, and none is an
    // address of it.
    let program = "import os; print([os.fstat(fd).st_ino for fd in (0, 1, 2)], [os.fstat(end).st_ino for end in os.pipe()])";
    let mut seen = Vec::new();
    for _ in 0..2 {
        let session = session(&policy(&["python3"], ""), &[]).await;
        seen.push(printed(&session, Command::new("python3").args(["-c", program])).await);
    }
    assert_eq!(seen[0], seen[1]);
}
