//! Checkpoints: files, shells and interpreters of one moment, to go back to and to start from.

use wisp_api::{CheckpointId, CodeRequest, CommandRequest, ErrorCode, SessionRequest};
use wisp_service::{ServiceLimits, SessionHandle};

use super::kit::{code, eval, keyed, owner, session, timed, until};

/// What the three parts of a session have: a file, a variable of the shell, one of the interpreter.
async fn state(session: &SessionHandle) -> String {
    let shell = session.run(CommandRequest::in_shell("main", "cat file; echo $x")).await.unwrap();
    let value = eval(session, "x").await.value.clone().unwrap_or_default();
    format!("{}{value}", shell.stdout_text()).replace('\n', " ")
}

async fn set(session: &SessionHandle, value: u32) {
    let script = format!("echo {value} > file; x={value}");
    assert!(session.run(CommandRequest::in_shell("main", script)).await.unwrap().success());
    eval(session, &format!("x = {value}")).await;
}

#[tokio::test]
async fn a_checkpoint_has_files_shells_and_interpreters() {
    let session = session().await;
    set(&session, 1).await;
    let one = session.checkpoint(Some("one".to_owned())).await.unwrap();
    assert_eq!((one.interpreters.as_slice(), one.shells.as_slice()), (&["python".to_owned()][..], &["main".to_owned()][..]));
    assert!(one.memory_bytes > 0 && one.not_carried.is_empty());
    set(&session, 2).await;
    // What came later goes away.
    session.run(CommandRequest::in_shell("later", "echo > later")).await.unwrap();
    session.evaluate(CodeRequest { interpreter: "later".to_owned(), ..CodeRequest::new("1") }).await.unwrap().wait(None).await.unwrap();
    session.restore(&one.id).await.unwrap();
    assert_eq!(state(&session).await, "1 1 1");
    let info = session.info().unwrap();
    assert_eq!((info.shells.as_slice(), info.interpreters.len()), (&["main".to_owned()][..], 1));
    assert!(session.files().unwrap().stat("later").await.is_err());

    // It can be gone back to again, also when the interpreter has ended or was closed.
    set(&session, 3).await;
    session.close_interpreter("python").await.unwrap();
    session.close_shell("main").unwrap();
    session.restore(&one.id).await.unwrap();
    assert_eq!(state(&session).await, "1 1 1");
    let endless = session.evaluate(CodeRequest::new("while True: pass")).await.unwrap();
    endless.kill().unwrap();
    endless.wait(None).await.unwrap();
    session.restore(&one.id).await.unwrap();
    assert_eq!(state(&session).await, "1 1 1");
}

#[tokio::test]
async fn a_fork_is_a_session_of_its_own() {
    let session = session().await;
    set(&session, 1).await;
    let checkpoint = session.checkpoint(None).await.unwrap().id;
    set(&session, 2).await;
    let fork = session.fork(&checkpoint, keyed("fork")).await.unwrap();
    let again = session.fork(&checkpoint, SessionRequest::default()).await.unwrap();
    set(&again, 3).await;
    assert_eq!([state(&session).await, state(&fork).await, state(&again).await], ["2 2 2", "1 1 1", "3 3 3"]);
    assert_eq!((fork.owner(), fork.info().unwrap().key.as_deref()), (session.owner(), Some("fork")));
    assert_eq!(session.service().session_with_key(session.owner(), "fork").unwrap().id(), fork.id());
    assert!(fork.checkpoints().unwrap().is_empty());
    // It does not need the session that it came from.
    session.close().await.unwrap();
    assert_eq!(state(&fork).await, "1 1 1");
    let own = fork.checkpoint(None).await.unwrap().id;
    set(&fork, 4).await;
    fork.restore(&own).await.unwrap();
    assert_eq!(state(&fork).await, "1 1 1");
}

#[tokio::test]
async fn two_interpreters_and_files_alone_are_forked_too() {
    let session = session().await;
    session.files().unwrap().write("file", "only").await.unwrap();
    let files = session.checkpoint(None).await.unwrap();
    assert!(files.interpreters.is_empty() && files.shells.is_empty() && files.memory_bytes == 0);
    let in_other = |source: &str| CodeRequest { interpreter: "other".to_owned(), ..CodeRequest::new(source) };
    eval(&session, "x = 1; open('file', 'a').write('!')").await;
    session.evaluate(in_other("x = 2")).await.unwrap().wait(None).await.unwrap();
    let both = session.checkpoint(None).await.unwrap();
    let fork = session.fork(&both.id, SessionRequest::default()).await.unwrap();
    assert_eq!(eval(&fork, "x, open('file').read()").await.value.as_deref(), Some("(1, 'only!')"));
    let other = fork.evaluate(in_other("x, open('file').read()")).await.unwrap().wait(None).await.unwrap().unwrap();
    assert_eq!(other.value.as_deref(), Some("(2, 'only!')"));
    let fork = session.fork(&files.id, SessionRequest::default()).await.unwrap();
    assert_eq!(fork.files().unwrap().read("file").await.unwrap(), "only");
    session.restore(&files.id).await.unwrap();
    assert!(session.info().unwrap().interpreters.is_empty());
    assert_eq!(session.files().unwrap().read("file").await.unwrap(), "only");
}

#[tokio::test]
async fn what_runs_is_not_copied() {
    let session = session().await;
    set(&session, 1).await;
    let before = session.checkpoint(None).await.unwrap().id;
    let request = CommandRequest { pipe_stdin: true, ..CommandRequest::in_shell("main", "echo ready; read -r x; echo $x > file") };
    let script = session.start(request).await.unwrap();
    until(&script, 0, "ready\n").await;
    assert_eq!(code(session.checkpoint(None).await), ErrorCode::Conflict);
    assert_eq!(code(session.restore(&before).await), ErrorCode::Conflict);
    script.write_stdin("5\n").await.unwrap();
    script.wait(None).await.unwrap();
    let evaluation = session.evaluate(CodeRequest::new("import time\nwhile True: time.sleep(0.001)")).await.unwrap();
    assert_eq!(code(session.checkpoint(None).await), ErrorCode::Conflict);
    assert_eq!(code(session.restore(&before).await), ErrorCode::Conflict);
    evaluation.interrupt().unwrap();
    evaluation.wait(None).await.unwrap();
    // A command is no part of it.
    let command = session.start(CommandRequest { pipe_stdin: true, ..CommandRequest::script("read -r x; cat file") }).await.unwrap();
    session.checkpoint(None).await.unwrap();
    session.restore(&before).await.unwrap();
    command.write_stdin("x\n").await.unwrap();
    assert_eq!(command.wait(None).await.unwrap().unwrap().stdout_text(), "1\n");
}

#[tokio::test]
async fn a_checkpoint_belongs_to_its_session_and_there_are_only_so_many() {
    let (service, _) = timed(ServiceLimits { checkpoints: 2, sessions_per_owner: 3, ..ServiceLimits::default() });
    let open = async || service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    let (session, other) = (open().await, open().await);
    let first = session.checkpoint(Some("first".to_owned())).await.unwrap();
    session.checkpoint(None).await.unwrap();
    assert_eq!(code(session.checkpoint(None).await), ErrorCode::ServiceLimit);
    assert_eq!(session.checkpoints().unwrap().iter().filter(|one| one.label.as_deref() == Some("first")).count(), 1);
    // Not those of another session, even of the same owner.
    let none = CheckpointId::of(0);
    for (session, id) in [(&other, &first.id), (&session, &none)] {
        assert_eq!(code(session.restore(id).await), ErrorCode::NotFound);
        assert_eq!(code(session.fork(id, SessionRequest::default()).await), ErrorCode::NotFound);
        assert_eq!(code(session.delete_checkpoint(id)), ErrorCode::NotFound);
    }
    // A fork is a session: it needs a place, and a key that is free; its policy is that of its session.
    let fork = session.fork(&first.id, keyed("k")).await.unwrap();
    assert_eq!(code(session.fork(&first.id, SessionRequest::default()).await), ErrorCode::ServiceLimit);
    other.close().await.unwrap();
    assert_eq!(code(session.fork(&first.id, keyed("k")).await), ErrorCode::Conflict);
    let small = SessionRequest { policy: Some("small".to_owned()), ..SessionRequest::default() };
    assert_eq!(code(session.fork(&first.id, small).await), ErrorCode::InvalidArgument);
    session.delete_checkpoint(&first.id).unwrap();
    session.checkpoint(None).await.unwrap();
    assert!(fork.info().is_ok());
}

#[tokio::test]
async fn checkpoints_have_only_so_many_bytes() {
    let (service, _) = timed(ServiceLimits { checkpoint_bytes: 1, ..ServiceLimits::default() });
    let session = service.open(&owner("one"), SessionRequest::default()).await.unwrap();
    // Files count against the quota of the policy.
    session.files().unwrap().write("file", "text").await.unwrap();
    let files = session.checkpoint(None).await.unwrap();
    eval(&session, "x = 1").await;
    assert_eq!(code(session.checkpoint(None).await), ErrorCode::ServiceLimit);
    // The session goes on, and has the checkpoint that it had.
    eval(&session, "x").await;
    assert_eq!(session.checkpoints().unwrap(), [files]);
}
