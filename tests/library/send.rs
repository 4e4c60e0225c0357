//! Every public future can be spawned (`tokio::spawn` requires `Send`), and every public type can be shared by tasks
//! or moved to one. A violation does not compile; an entry that is missing here fails the test below.

use std::fs;
use std::path::Path;

use wisp::fs::{
    ApplyError, ApplyOptions, ApplyPlan, FileReader, FileWatch, Files, FilesError, GrepMatches, GrepOptions, Listing, Patched, TarBounds,
    WalkOptions, WriteOptions,
};
use wisp::{
    Artifact, Artifacts, Command, CompileEvent, Components, DisplayChunk, Engine, EngineBuilder, EngineError, Evaluation, FunctionError,
    FunctionResult, HostFailure, HostFunction, HostReplay, HostReplayError, HostValue, HttpError, HttpReceipt, HttpRequest, HttpResponse,
    Interpreter, InterpreterError, InterpreterSnapshot, Interrupter, LimitHit, Outcome, OutputChunk, Policy, Receipt, RunError, Running,
    RunningEvaluation, Session, SessionBuilder, SessionError, Shell, ShellSnapshot, SlotBounds, SlotMetrics, Snapshot, SnapshotFileError,
    StdinError, Stream, Usage, Verdict,
};
use wisp_tests::wisp::root;

fn send<T: Send>(_: T) {}
fn is_send<T: Send + 'static>() {}
fn is_shared<T: Send + Sync + 'static>() {}

/// Types: those that tasks share, and those that one task has at a time.
fn types() {
    is_shared::<(Engine, Policy, Session, Shell, Snapshot, ShellSnapshot, InterpreterSnapshot, Components)>();
    is_shared::<(Outcome, Evaluation, Artifact, Receipt, HttpReceipt, LimitHit, Usage, Verdict, CompileEvent, SlotBounds, SlotMetrics)>();
    is_shared::<(Running, RunningEvaluation, OutputChunk, DisplayChunk, Artifacts)>();
    is_shared::<(HostFunction, HostValue, HostFailure, HostReplay, HostReplayError, FunctionResult, FunctionError)>();
    is_shared::<(EngineError, SessionError, RunError, StdinError, InterpreterError, SnapshotFileError, FilesError)>();
    is_shared::<(Files, Listing, GrepMatches, Patched, ApplyOptions, ApplyPlan, ApplyError)>();
    is_shared::<(HttpRequest, HttpError)>();
    is_send::<(FileReader, FileWatch, HttpResponse)>();
    is_send::<(EngineBuilder, SessionBuilder, Command)>();
    // One task at a time evaluates; others may look.
    is_shared::<(Interpreter, Interrupter)>();
}

/// Futures: never called, so nothing runs; each line compiles only if the future is `Send`.
#[allow(dead_code, reason = "compiling it is the test")]
fn futures(
    engine: &Engine,
    policy: &Policy,
    session: &Session,
    running: &Running,
    interpreter: &mut Interpreter,
    shell: &mut Shell,
    frozen: &InterpreterSnapshot,
) {
    send(engine.warm(policy));
    send(engine.session(policy).build());
    send(session.run(Command::new("true")));
    send(session.start(Command::new("true")));
    send(session.close());
    send(session.call_function("f", HostValue::Bytes(Vec::new())));
    send(running.wait());
    send(running.wait_timeout(std::time::Duration::ZERO));
    send(running.exited());
    send(running.write_stdin("text"));
    send(running.next_output(Stream::Stdout, 0, 1));
    send(session.prepare());
    send(session.compile());
    send(session.prepare_program("true"));
    send(session.compile_ahead());
    send(session.shell());
    send(session.save(Vec::new()));
    send(session.to_file("file"));
    send(engine.session(policy).build_from(std::io::empty()));
    send(engine.session(policy).build_from_file("file"));
    send(session.changes("/", 10));
    send(session.artifacts());
    send(session.plan_apply(&ApplyOptions::new()));
    send(session.python());
    send(session.interpreter("python3"));
    send(interpreter.eval("1"));
    send(interpreter.snapshot());
    send(interpreter.fork(2));
    send(interpreter.restore(frozen));
    send(interpreter.reset());
    send(frozen.fork());
    send(frozen.save(Vec::new()));
    send(frozen.to_file("file"));
    send(InterpreterSnapshot::from_file(session, "file"));
    send(InterpreterSnapshot::load(session, std::io::empty()));
    send(shell.snapshot().save(Vec::new()));
    send(shell.snapshot().to_file("file"));
    send(ShellSnapshot::from_file(session, "file"));
    send(ShellSnapshot::load(session, std::io::empty()));
    send(shell.eval("true"));
    send(shell.eval_with("true", |command| command));
    send(shell.start("true"));
    send(shell.start_with("true", |command| command));
    send(shell.start_interactive(|command| command));
    send(async {
        let call = shell.start("true").await?;
        shell.finish(call).await
    });
}

#[allow(dead_code, reason = "compiling it is the test")]
fn futures_of_evaluations(evaluation: &RunningEvaluation, interpreter: Interpreter) {
    send(evaluation.wait());
    send(evaluation.wait_timeout(std::time::Duration::ZERO));
    send(evaluation.next_output(Stream::Stdout, 0, 1));
    send(evaluation.next_displays(0));
    send(interpreter.close());
}

#[allow(dead_code, reason = "compiling it is the test")]
fn futures_of_requests(session: &Session, request: HttpRequest, response: &mut HttpResponse) {
    send(session.http(request));
    send(response.chunk());
}

#[allow(dead_code, reason = "compiling it is the test")]
fn futures_of_plans(plan: ApplyPlan, other: ApplyPlan) {
    send(plan.carry_out());
    send(other.carry_out_until(std::future::pending()));
}

#[allow(dead_code, reason = "compiling it is the test")]
fn futures_of_files(files: &Files, reader: &mut FileReader, watch: &mut FileWatch) {
    send(files.read("f"));
    send(files.read_at_most("f", 1));
    send(files.read_range("f", 1, 1));
    send(files.read_stream("f"));
    send(reader.chunk());
    send(files.write("f", "x"));
    send(files.replace("f", "x"));
    send(files.create_new("f", "x"));
    send(files.append("f", "x"));
    send(files.write_with("f", "x", WriteOptions::new()));
    send(files.write_at("f", 1, "x"));
    send(files.write_stream("f", tokio::io::empty()));
    send(files.stat("f"));
    send(files.stat_link("f"));
    send(files.canonical("f"));
    send(files.mkdir("d"));
    send(files.mkdir_all("d"));
    send(files.rename("f", "g"));
    send(files.copy("f", "g"));
    send(files.remove("f"));
    send(files.remove_tree("d"));
    send(files.set_mode("f", 0o644));
    send(files.symlink("f", "l"));
    send(files.readlink("l"));
    send(files.list("d"));
    send(files.list_after("d", "a", 1));
    send(files.walk("d", WalkOptions::new()));
    send(files.glob("*", WalkOptions::new()));
    send(files.grep("x", "d", GrepOptions::new()));
    send(files.pack("d", &["f"], Vec::new(), TarBounds::new()));
    send(files.pack_also("d", &["f"], &["g"], Vec::new(), TarBounds::new()));
    send(files.unpack("d", std::io::empty(), TarBounds::new()));
    send(files.apply_patch("d", "x"));
    send(files.check_patch("d", "x"));
    send(files.digest("d"));
    send(files.watch("d", 1));
    send(watch.next());
}

#[test]
fn every_public_future_of_a_session_stands_above() {
    types();
    let here = fs::read_to_string(root().join("tests/library/send.rs")).expect("this file");
    let (_, above) = here.split_once("fn futures(").expect("the list");
    let mut found = Vec::new();
    for room in
        ["program", "exec", "files", "files/patch", "interpreter", "interpreter/snapshot_file", "outcome", "session", "session/apply"]
    {
        for entry in fs::read_dir(root().join("host/wisp/src").join(room)).expect("the folder") {
            names(&entry.expect("an entry").path(), &mut found);
        }
    }
    assert!(found.len() >= 15, "the search finds the functions: {found:?}");
    found.retain(|name| !above.contains(&format!(".{name}(")) && !above.contains(&format!("::{name}(")));
    assert!(found.is_empty(), "add these futures to `futures`: {found:?}");
}

/// The names of public async functions in a file.
fn names(path: &Path, found: &mut Vec<String>) {
    let text = fs::read_to_string(path).unwrap_or_default();
    for (_, rest) in text.match_indices("pub async fn ").map(|(at, word)| text.split_at(at + word.len())) {
        found.push(rest.chars().take_while(|char| char.is_alphanumeric() || *char == '_').collect());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_task_of_its_own_can_hold_an_interpreter() -> Result<(), Box<dyn std::error::Error>> {
    let session = Engine::new(wisp_built::components())?.session(&Policy::offline()).build().await?;
    let task = tokio::spawn(async move {
        let mut python = session.python().await?;
        python.eval("x = 20").await?;
        let snapshot = python.snapshot().await?;
        let forks = python.fork(2).await?;
        let mut values = Vec::new();
        for mut fork in forks.into_iter().chain([snapshot.fork().await?]) {
            values.extend(fork.eval("x + 22").await?.value);
        }
        Ok::<_, InterpreterError>(values)
    });
    assert_eq!(task.await??, ["42", "42", "42"]);
    Ok(())
}
