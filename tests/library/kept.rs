//! Sessions that outlive their program, as a service keeps them: what goes on, what is refused and why, who has a session.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use wisp::policy::NoFiles;
use wisp::{Engine, ErrorCode, Interpreter, Policy, Session, Shell};
use wisp_service::{KeptSession, Runtime, Saved, Store, StoreError};
use wisp_tests::engine::ENGINE;

/// Names the store in the process that has a session of it.
const CHILD: &str = "WISP_TEST_KEPT";

fn policy(name: &str) -> Policy {
    Policy::load(&NoFiles, name).expect("a shipped policy")
}

fn store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let store = Store::at(folder.path().join("sessions"));
    (folder, store)
}

/// The session `s`, its live session and its shell.
async fn opened(store: &Store) -> (KeptSession, Session, Shell) {
    opened_under(store, policy("offline")).await
}

/// The same under this policy.
async fn opened_under(store: &Store, policy: Policy) -> (KeptSession, Session, Shell) {
    let mut kept = store.open("s").expect("it is free");
    let session = ENGINE.session(&kept.policy(Some(policy)).expect("its policy")).build().await.expect("a session");
    let shell = kept.resume(&session).await.expect("it goes on");
    (kept, session, shell)
}

/// Why the session `s` does not go on.
async fn refused(store: &Store) -> StoreError {
    let mut kept = store.existing("s").expect("it is free");
    let session = ENGINE.session(&kept.policy(None).expect("its policy")).build().await.expect("a session");
    kept.resume(&session).await.expect_err("it cannot continue")
}

async fn output(shell: &mut Shell, script: &str) -> String {
    let outcome = shell.eval(script).await.expect("a shell");
    assert!(outcome.success(), "{script}\n{}", outcome.stderr_text());
    outcome.stdout_text().into_owned()
}

async fn eval(python: &mut Interpreter, code: &str) -> String {
    let cell = python.eval(code).await.expect("it is alive");
    assert!(cell.success(), "{code}: {}", cell.outcome.stderr_text());
    cell.stdout_text().into_owned()
}

fn send<T: Send>(_: T) {}
fn is_shared<T: Send + Sync + 'static>() {}

/// A service spawns these, and shares what they are made on. Never called: each line compiles only if that is so.
#[allow(dead_code, reason = "compiling it is the test")]
fn futures(kept: &KeptSession, session: &Session, shell: &mut Shell, python: &mut Interpreter) {
    is_shared::<(Runtime, Store, KeptSession, StoreError)>();
    send(kept.resume(session));
    send(kept.python(session, shell));
    send(kept.keep(shell, Some(python)));
}

#[tokio::test]
async fn files_shell_and_interpreter_go_on_and_may_be_kept_again() {
    let (_folder, store) = store();
    let (kept, session, mut shell) = opened(&store).await;
    output(&mut shell, "cd /tmp; n=41; echo hi > note").await;
    assert_eq!(kept.keep(&shell, None).await.expect("it is kept"), Saved::default());
    // What was kept goes on where it is.
    let mut python = kept.python(&session, &mut shell).await.expect("a new interpreter");
    eval(&mut python, "x = 41").await;
    assert_eq!(kept.keep(&shell, Some(&mut python)).await.expect("it is kept again"), Saved::default());
    assert_eq!(eval(&mut python, "x += 1; print(x)").await, "42\n");
    output(&mut shell, "n=0; rm note").await;
    drop((kept, session, shell, python));

    // As it was when it was kept.
    let (kept, session, mut shell) = opened(&store).await;
    assert_eq!(output(&mut shell, "pwd; echo $((n + 1)); cat note").await, "/tmp\n42\nhi\n");
    output(&mut shell, "echo later > note").await;
    let mut python = kept.python(&session, &mut shell).await.expect("the interpreter");
    // The files are those of the last command, not those that the interpreter was kept with.
    assert_eq!(eval(&mut python, "print(x, open('/tmp/note').read().strip())").await, "41 later\n");
}

#[tokio::test]
async fn what_an_interpreter_loses_is_told_and_one_that_has_ended_is_not_kept() {
    let (_folder, store) = store();
    let little = policy("offline").with_value("limits.stdout", "1KiB").expect("a policy");
    let (kept, session, mut shell) = opened_under(&store, little).await;
    let mut python = kept.python(&session, &mut shell).await.expect("an interpreter");
    eval(&mut python, "import os\nx = 1\nf = open('/tmp/gone', 'w'); os.unlink('/tmp/gone')").await;
    let saved = kept.keep(&shell, Some(&mut python)).await.expect("it is kept");
    assert!(saved.not_carried.iter().any(|lost| lost.contains("/tmp/gone")), "{saved:?}");
    assert!(!saved.interpreter_ended && store.list().expect("a list")[0].python);
    let beyond = python.eval("while True: print('x' * 100)").await.expect("it was alive");
    assert!(!beyond.success() && python.ended().is_some());
    let saved = kept.keep(&shell, Some(&mut python)).await.expect("the rest is kept");
    assert!(saved.interpreter_ended && saved.not_carried.is_empty() && !store.list().expect("a list")[0].python);
    let mut python = kept.python(&session, &mut shell).await.expect("another interpreter");
    assert_eq!(eval(&mut python, "print('x' in globals())").await, "False\n");
}

#[tokio::test]
async fn a_session_that_is_damaged_is_refused_and_says_why() {
    let (_folder, store) = store();
    let (kept, _, mut shell) = opened(&store).await;
    output(&mut shell, "echo kept > f").await;
    let _ = kept.keep(&shell, None).await.expect("it is kept");
    let file = kept.folder().join("session");
    drop(kept);
    let whole = fs::read(&file).expect("its files");
    let mut damaged = whole.clone();
    damaged[whole.len() / 2] ^= 1;
    for bytes in [&damaged[..], &whole[..whole.len() - 9], b"text"] {
        fs::write(&file, bytes).expect("it is damaged");
        let error = refused(&store).await;
        assert!(matches!(&error, StoreError::Unusable { name, .. } if name == "s"), "{error}");
        assert_eq!(error.code(), ErrorCode::InvalidData, "{error}");
        assert!(error.to_string().starts_with("the session `s` cannot continue: "), "{error}");
    }
    fs::remove_file(&file).expect("it goes");
    let error = refused(&store).await;
    assert_eq!((error.code(), error.to_string().as_str()), (ErrorCode::InvalidData, "the session `s` cannot continue: its files are gone"));
    fs::create_dir(&file).expect("a folder in its place");
    assert_eq!(refused(&store).await.code(), ErrorCode::IoError);
    fs::remove_dir(&file).expect("it goes");
    // The twin.
    fs::write(&file, whole).expect("it is whole");
    let (_, _, mut shell) = opened(&store).await;
    assert_eq!(output(&mut shell, "cat f").await, "kept\n");
}

#[tokio::test]
async fn what_cannot_be_written_is_an_error_and_no_session() {
    let (_folder, store) = store();
    let (kept, _, shell) = opened(&store).await;
    let place = kept.folder().join("session");
    fs::create_dir_all(place.join("full")).expect("a folder in the place of the files");
    let error = kept.keep(&shell, None).await.expect_err("they cannot be written");
    assert!(matches!(&error, StoreError::NotSaved { .. }) && error.code() == ErrorCode::IoError, "{error}");
    assert!(!kept.begun());
    // The twin.
    fs::remove_dir_all(&place).expect("it goes");
    let _ = kept.keep(&shell, None).await.expect("it is kept");
    assert!(kept.begun());
}

#[tokio::test]
async fn another_process_has_a_session_until_it_ends_however_it_ends() {
    let (_folder, store) = store();
    let (kept, _, shell) = opened(&store).await;
    let _ = kept.keep(&shell, None).await.expect("it is kept");
    drop(kept);
    let test = std::env::current_exe().expect("this program");
    let mut child = Command::new(test)
        .args(["--exact", "kept::has_a_session", "--nocapture"])
        .env(CHILD, store.folder())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("it was piped")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line.ends_with("has it")), "it has the session");
    assert!(matches!(store.open("s"), Err(StoreError::InUse { .. })));
    assert!(store.open("t").is_ok());
    child.kill().expect("it is killed");
    child.wait().expect("it has ended");
    assert!(store.existing("s").is_ok());
}

/// The other process: has the session until its input ends or it is killed.
#[test]
fn has_a_session() {
    let Some(folder) = std::env::var_os(CHILD) else { return };
    let _kept = Store::at(Path::new(&folder)).existing("s").expect("it is free");
    println!("\nhas it");
    std::io::stdout().flush().expect("it is read");
    let _ = std::io::stdin().lines().last();
}

#[test]
fn a_runtime_runs_sessions_and_may_be_dropped_anywhere() {
    let (_folder, store) = store();
    let runtime = || Runtime::new(Engine::builder(wisp_built::components())).expect("a runtime");
    let first = runtime();
    first.block_on(async {
        let mut kept = store.open("s").expect("it is new");
        let session = first.engine().session(&kept.policy(Some(policy("offline"))).expect("its policy")).build().await.expect("a session");
        let mut shell = kept.resume(&session).await.expect("it begins");
        output(&mut shell, "echo kept > f").await;
        let _ = kept.keep(&shell, None).await.expect("it is kept");
    });
    drop(first);
    // Another engine goes on with it.
    let second = runtime();
    let session = second.block_on(async {
        let mut kept = store.existing("s").expect("it is free");
        let session = second.engine().session(&kept.policy(None).expect("its policy")).build().await.expect("a session");
        let mut shell = kept.resume(&session).await.expect("it goes on");
        assert_eq!(output(&mut shell, "cat f").await, "kept\n");
        session
    });
    // A task of one runtime drops the other, and whoever waits for a command of that one has an error.
    let running =
        second.block_on(session.start(wisp::Command::new("sh").args(["-c", "cat"]).stdin(wisp::Input::Piped))).expect("it starts");
    let third = runtime();
    let ended = third.block_on(async move {
        drop(second);
        running.wait().await
    });
    assert_eq!(ended.expect_err("it has no outcome").code(), ErrorCode::Abandoned);
}
