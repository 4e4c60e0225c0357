//! Commands of a session, found again by their numbers; output after an offset, with a wait; shells that keep their state.

use std::time::Duration;

use wisp::Stream;
use wisp_api::{Blob, CommandEnd, CommandRequest, DiffRequest, DifferenceKind, ErrorCode, OutputRequest, TerminalRequest};

use super::kit::{LONG, code, session, until};

/// A script whose standard input is written later.
fn piped(script: &str) -> CommandRequest {
    CommandRequest { pipe_stdin: true, ..CommandRequest::script(script) }
}

const ECHO: &str = r#"while read -r line; do echo "got $line"; done; echo over >&2"#;

#[tokio::test]
async fn a_command_is_found_by_its_number_and_goes_on_without_a_caller() {
    let session = session().await;
    let id = session.start(CommandRequest { tag: Some("echo".to_owned()), ..piped(ECHO) }).await.unwrap().id();
    // The caller that started it is gone, and so is one that waited.
    assert!(session.command(id).unwrap().wait(Some(Duration::ZERO)).await.unwrap().is_none());
    session.command(id).unwrap().write_stdin("one\n").await.unwrap();
    let command = session.command_with_tag("echo").unwrap();
    assert_eq!((command.id(), until(&command, 0, "\n").await), (id, "got one\n".to_owned()));
    let info = session.commands().unwrap().remove(0);
    assert_eq!((info.id, info.tag.as_deref(), info.exit_code, info.processes.len()), (id, Some("echo"), None, 1));
    command.write_stdin("two\n").await.unwrap();
    command.close_stdin().unwrap();
    let outcome = command.wait(Some(LONG)).await.unwrap().unwrap();
    assert_eq!((outcome.exit_code(), &*outcome.stdout_text()), (0, "got one\ngot two\n"));
    assert_eq!(session.command(id).unwrap().wait(None).await.unwrap().unwrap(), outcome);
    assert_eq!(session.commands().unwrap()[0].exit_code, Some(0));
    assert_eq!(code(session.command(id + 1)), ErrorCode::NotFound);
    assert_eq!(code(session.command_with_tag("other")), ErrorCode::NotFound);
    assert_eq!(code(command.write_stdin("late\n").await), ErrorCode::StdinClosed);
}

#[tokio::test]
async fn a_caller_that_goes_away_ends_nothing() {
    let session = session().await;
    let request = CommandRequest { tag: Some("left".to_owned()), ..piped("read -r x; echo got $x") };
    tokio::select! {
        biased;
        _ = session.run(request) => panic!("it waits for its input"),
        () = std::future::ready(()) => {}
    }
    // It starts although the call that asked for it was dropped.
    let command = loop {
        match session.command_with_tag("left") {
            Ok(command) => break command,
            Err(error) => assert_eq!(error.code(), ErrorCode::NotFound),
        }
        tokio::task::yield_now().await;
    };
    command.write_stdin("it\n").await.unwrap();
    assert_eq!(command.wait(None).await.unwrap().unwrap().stdout_text(), "got it\n");
}

#[tokio::test]
async fn output_is_read_after_any_offset() {
    let session = session().await;
    let command = session.start(piped(ECHO)).await.unwrap();
    let read = async |offset, limit, wait| {
        let request = OutputRequest { limit, ..OutputRequest::new(Stream::Stdout, offset).waiting(wait) };
        let piece = command.output(request).await.unwrap();
        (piece.offset, String::from_utf8(piece.bytes.to_vec()).unwrap(), piece.next_offset(), piece.end)
    };
    // Nothing is there: without a wait, that is the answer; with one, its time is over.
    assert_eq!(read(0, 100, Duration::ZERO).await, (0, String::new(), 0, false));
    assert_eq!(read(0, 100, Duration::from_millis(1)).await, (0, String::new(), 0, false));
    // A waiting reader gets the bytes when they come.
    let (piece, written) = tokio::join!(read(0, 100, LONG), command.write_stdin("one\n"));
    written.unwrap();
    assert!(piece.0 == 0 && "got one\n".starts_with(&piece.1) && !piece.1.is_empty(), "{piece:?}");
    until(&command, 0, "one\n").await;
    assert_eq!(read(4, 3, LONG).await, (4, "one".to_owned(), 7, false));
    assert_eq!(read(4, 3, Duration::ZERO).await, (4, "one".to_owned(), 7, false));
    command.close_stdin().unwrap();
    assert_eq!(read(8, 100, LONG).await, (8, String::new(), 8, true));
}

#[tokio::test]
async fn both_outputs_are_waited_for_together() {
    let session = session().await;
    let command = session.start(piped(ECHO)).await.unwrap();
    let none = command.outputs(0, 0, 100, Duration::from_millis(1)).await.unwrap();
    assert!(none.stdout.bytes.is_empty() && none.stderr.bytes.is_empty() && !none.stdout.end);
    command.write_stdin("x\n").await.unwrap();
    until(&command, 0, "x\n").await;
    command.close_stdin().unwrap();
    // Standard output has nothing more: what comes is on standard error.
    let (mut offsets, mut said) = ([6, 0], String::new());
    loop {
        let both = command.outputs(offsets[0], offsets[1], 2, LONG).await.unwrap();
        offsets = [both.stdout.next_offset(), both.stderr.next_offset()];
        said.push_str(std::str::from_utf8(&both.stderr.bytes).unwrap());
        if both.stdout.end && both.stderr.end {
            break;
        }
    }
    assert_eq!((said.as_str(), offsets), ("over\n", [6, 5]));
}

#[tokio::test]
async fn a_tail_says_what_it_has_not_kept() {
    let session = session().await;
    let request = CommandRequest { tail: Some(100), ..CommandRequest::script("seq 1000") };
    let command = session.start(request).await.unwrap();
    command.wait(None).await.unwrap();
    let piece = command.output(OutputRequest::new(Stream::Stdout, 10)).await.unwrap();
    assert!(piece.end && piece.offset > 3_000 && piece.bytes.ends_with(b"999\n1000\n"), "{piece:?}");
    let again = command.output(OutputRequest::new(Stream::Stdout, piece.offset)).await.unwrap();
    assert_eq!(again, piece);
}

#[tokio::test]
async fn a_command_is_ended_by_a_signal_an_interrupt_or_by_force() {
    let session = session().await;
    let start = async || {
        let command = session.start(piped("echo ready; read -r x; exit 3")).await.unwrap();
        until(&command, 0, "ready\n").await;
        command
    };
    let end = async |command: wisp_service::CommandHandle| command.wait(None).await.unwrap().unwrap().exit_code();
    let command = start().await;
    command.signal(15).unwrap();
    assert_eq!(end(command).await, 143);
    let command = start().await;
    command.interrupt().unwrap();
    assert_eq!(end(command).await, 130);
    let command = start().await;
    command.kill().unwrap();
    assert_eq!(end(command).await, 137);
    let command = start().await;
    assert_eq!(code(command.signal(0)), ErrorCode::InvalidArgument);
    assert_eq!(code(command.signal(32)), ErrorCode::InvalidArgument);
    command.write_stdin("x\n").await.unwrap();
    assert_eq!(end(command).await, 3);
}

#[tokio::test]
async fn a_command_has_the_terminal_that_it_asks_for() {
    let session = session().await;
    let terminal = Some(TerminalRequest { rows: 24, columns: 80 });
    let script = "stty size; read -r x; stty size";
    let command = session.start(CommandRequest { terminal, ..piped(script) }).await.unwrap();
    until(&command, 0, "24 80\r\n").await;
    command.resize(10, 20).unwrap();
    command.write_stdin("x\r").await.unwrap();
    let outcome = command.wait(None).await.unwrap().unwrap();
    assert!(outcome.stdout_text().ends_with("10 20\r\n"), "{:?}", outcome.stdout_text());
    let plain = session.start(CommandRequest::argv(["true"])).await.unwrap();
    assert_eq!(code(plain.resize(10, 20)), ErrorCode::Conflict);
}

#[tokio::test]
async fn a_request_that_makes_no_sense_is_refused() {
    let session = session().await;
    let script = CommandRequest::script;
    let refused = [
        CommandRequest::default(),
        CommandRequest { argv: vec!["ls".to_owned()], ..script("ls") },
        CommandRequest { shell: Some("s".to_owned()), ..CommandRequest::argv(["ls"]) },
        CommandRequest { working_directory: Some("/".to_owned()), ..CommandRequest::in_shell("s", "ls") },
        CommandRequest { stdin: Some(Blob::from("x")), ..piped("cat") },
    ];
    for request in refused {
        assert_eq!(code(session.start(request).await), ErrorCode::InvalidArgument);
    }
    assert_eq!(code(session.start(CommandRequest::argv(["no-such"])).await), ErrorCode::ProgramNotFound);
    assert!(session.commands().unwrap().is_empty());

    // Everything that a request can say, at once where it can be.
    let request = CommandRequest {
        env: [("A".to_owned(), "a".to_owned())].into(),
        working_directory: Some("/tmp".to_owned()),
        stdin: Some(Blob::from("in")),
        merge_stderr: true,
        timeout: Some(LONG),
        ..script("echo $A $PWD; cat >&2")
    };
    assert_eq!(session.run(request).await.unwrap().stdout_text(), "a /tmp\nin");
    let request = CommandRequest { end: CommandEnd::FirstProcess, ..script("sleep 1000 & echo started") };
    assert_eq!(session.run(request).await.unwrap().stdout_text(), "started\n");
    let request = CommandRequest { timeout: Some(Duration::from_millis(10)), ..CommandRequest::argv(["sleep", "1000"]) };
    assert_eq!(session.run(request).await.unwrap().exit_code(), 124);
}

#[tokio::test]
async fn a_shell_keeps_its_state_from_script_to_script() {
    let session = session().await;
    let run = async |shell: &str, script: &str| {
        let outcome = session.run(CommandRequest::in_shell(shell, script)).await.unwrap();
        outcome.stdout_text().into_owned()
    };
    assert_eq!(run("main", "mkdir d; cd d; x=1; f() { echo f $x; }").await, "");
    assert_eq!(run("main", "f; pwd").await, "f 1\n/home/user/d\n");
    assert_eq!(run("other", "echo ${x-none}; pwd").await, "none\n/home/user\n");
    assert_eq!(session.info().unwrap().shells, ["main", "other"]);

    // One script at a time; the shell is free when that has ended.
    let request = CommandRequest { pipe_stdin: true, ..CommandRequest::in_shell("main", "echo ready; read -r x") };
    let command = session.start(request).await.unwrap();
    until(&command, 0, "ready\n").await;
    assert_eq!(code(session.start(CommandRequest::in_shell("main", "f")).await), ErrorCode::Conflict);
    assert_eq!(code(session.close_shell("main")), ErrorCode::Conflict);
    assert_eq!(run("other", "echo free").await, "free\n");
    command.write_stdin("2\n").await.unwrap();
    command.wait(None).await.unwrap();
    assert_eq!(run("main", "f").await, "f 2\n");
    // Also after the script was ended by force: with the state that it had before.
    let request = CommandRequest { pipe_stdin: true, ..CommandRequest::in_shell("main", "x=3; echo ready; read -r x") };
    let command = session.start(request).await.unwrap();
    until(&command, 0, "ready\n").await;
    command.kill().unwrap();
    command.wait(None).await.unwrap();
    assert_eq!(run("main", "f").await, "f 2\n");
    session.close_shell("main").unwrap();
    assert_eq!(code(session.close_shell("main")), ErrorCode::NotFound);
    assert_eq!(run("main", "echo ${x-none}").await, "none\n");
}

#[tokio::test]
async fn files_are_reached_and_their_changes_listed() {
    let session = session().await;
    session.files().unwrap().write("note.txt", "one\n").await.unwrap();
    assert_eq!(session.run(CommandRequest::script("cat note.txt; mkdir d; ln -s x d/l")).await.unwrap().stdout_text(), "one\n");
    let request = DiffRequest { path: ".".to_owned(), text: true, ..DiffRequest::default() };
    let diff = session.diff(request.clone()).await.unwrap();
    let found: Vec<_> = diff.files.iter().map(|file| (file.difference.path.as_str(), file.difference.kind)).collect();
    let added = DifferenceKind::Added;
    assert_eq!(found, [("/home/user/d", added), ("/home/user/d/l", added), ("/home/user/note.txt", added)]);
    let text = diff.files[2].diff.as_ref().unwrap();
    assert_eq!(
        (text.added, text.removed, diff.files[2].difference.after.as_ref().and_then(|after| after.size), diff.truncated),
        (1, 0, Some(4), false)
    );
    assert!(text.text.ends_with(b"+one\n"), "{:?}", text.text);
    let first = session.diff(DiffRequest { limit: 1, text: false, ..request }).await.unwrap();
    assert_eq!((first.files.len(), first.files[0].diff.is_none(), first.truncated), (1, true, true));
    assert_eq!(code(session.diff(DiffRequest { path: "/no".to_owned(), ..DiffRequest::default() }).await), ErrorCode::FileNotFound);
}

/// A function of the program that panics while a script starts takes the call with it, and not the shell.
#[tokio::test]
async fn a_shell_is_free_after_a_panic_of_the_program() {
    let session = session().await;
    session.run(CommandRequest::in_shell("main", "x=1")).await.unwrap();
    for shell in ["main", "new"] {
        let handle = session.clone();
        let start = async move { handle.start_with(CommandRequest::in_shell(shell, "x=2"), |_| panic!("on purpose")).await.map(drop) };
        assert!(tokio::spawn(start).await.is_err_and(|error| error.is_panic()));
    }
    assert_eq!(session.info().unwrap().shells, ["main"]);
    assert_eq!(session.run(CommandRequest::in_shell("main", "echo $x")).await.unwrap().stdout_text(), "1\n");
}

/// Numbers and times at the ends of their ranges are answered at once, or by the end.
#[tokio::test]
async fn absurd_requests_are_answered() {
    let session = session().await;
    let command = session.start(CommandRequest { timeout: Some(Duration::MAX), tail: Some(u64::MAX), ..piped(ECHO) }).await.unwrap();
    let none = command.outputs(0, 0, 0, Duration::MAX).await.unwrap();
    assert!(none.stdout.bytes.is_empty() && none.stderr.bytes.is_empty() && !none.stdout.end);
    let request = OutputRequest { limit: 0, ..OutputRequest::new(Stream::Stdout, 0).waiting(Duration::MAX) };
    assert!(command.output(request).await.unwrap().bytes.is_empty());
    let far = OutputRequest { limit: u64::MAX, ..OutputRequest::new(Stream::Stdout, u64::MAX) };
    assert_eq!(command.output(far).await.unwrap().offset, 0);
    for number in [0, 32, u8::MAX] {
        assert_eq!(code(command.signal(number)), ErrorCode::InvalidArgument);
    }
    let (ended, written) = tokio::join!(command.output(far.waiting(Duration::MAX)), async {
        command.write_stdin("x\n").await?;
        command.close_stdin()
    });
    written.unwrap();
    assert_eq!((ended.unwrap().offset, command.wait(Some(Duration::MAX)).await.unwrap().is_some()), (6, true));
}

#[tokio::test]
async fn the_states_of_shells_are_bounded_together() {
    let session = session().await;
    // 45 MB each.
    let fill = async |shell: &str| session.run(CommandRequest::in_shell(shell, "x=$(head -c 45000000 /dev/zero | tr '\\0' x)")).await;
    for shell in ["a", "b", "c"] {
        assert!(fill(shell).await.unwrap().success(), "{shell}");
    }
    let small = async |shell: &str| session.run(CommandRequest::in_shell(shell, "echo ${#x}")).await;
    assert_eq!(code(small("d").await), ErrorCode::ServiceLimit);
    assert_eq!(code(small("a").await), ErrorCode::ServiceLimit);
    session.close_shell("b").unwrap();
    assert_eq!(small("a").await.unwrap().stdout_text(), "45000000\n");
}
