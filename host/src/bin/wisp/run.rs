//! `wisp run`.

use std::io::{IsTerminal, Write};
use std::os::unix::ffi::OsStringExt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use wisp::policy::{Guarded, Overrides, Policy};
use wisp::policy_files::HostFiles;
use wisp::session::{check_tools, is_plain};
use wisp::{Command, CompileEvent, Input, Outcome, Output, RunError, Session, SlotBounds};

use crate::kept::{Kept, folder_of_all};
use crate::lines::{EventFile, ReceiptFile};
use crate::output::OutputDirectory;
use crate::progress::Progress;
use crate::{Failure, advice, args, engine, print, say, terminal};

/// A command that has run for this long may need other tools.
const SETTLED: Duration = Duration::from_secs(1);

/// Run the command; the exit code is the guest's.
pub(crate) fn run(asked: args::Run) -> Result<u8, Failure> {
    if asked.events.as_deref().is_some_and(|path| path.as_os_str() == "-") && !asked.json {
        let help = "--events - writes to standard error, where the command's own is without --json: add --json, or name a file (/dev/fd/3)";
        return Err(Failure::usage(anyhow::anyhow!(help)));
    }
    let mut kept = asked.session.as_deref().map(Kept::open).transpose().map_err(Failure::usage)?;
    let policy = policy(&asked, kept.as_mut())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::internal)?;
    let code = runtime.block_on(in_session(asked, policy, kept));
    // A read of the terminal that still waits must not keep the process alive.
    runtime.shutdown_background();
    code
}

/// The policy: of the session that goes on, or what the command line says.
fn policy(asked: &args::Run, kept: Option<&mut Kept>) -> Result<Policy, Failure> {
    let given = || Policy::load_with(&HostFiles, &asked.grants.policy, &asked.grants.overrides()).map_err(Failure::usage);
    let policy = match kept {
        Some(kept) => {
            let asked = if kept.begun() && !asked.grants.given() { None } else { Some(given()?) };
            kept.policy(asked).map_err(Failure::usage)?
        }
        None => given()?,
    };
    match &asked.timeout {
        // Of this run alone: a session does not keep it.
        Some(timeout) => policy.with(&HostFiles, &Overrides::command_line().timeout(timeout)).map_err(Failure::usage),
        None => Ok(policy),
    }
}

async fn in_session(asked: args::Run, policy: Policy, kept: Option<Kept>) -> Result<u8, Failure> {
    let progress = Progress::new();
    // Nothing is made ready for processes after the last one.
    let slots = SlotBounds { ready: 0, ..SlotBounds::default() };
    let events: Arc<OnceLock<Arc<EventFile>>> = Arc::default();
    let (shown, told) = (progress.listener(), events.clone());
    let compiled = move |event: CompileEvent| {
        if let Some(events) = told.get() {
            events.compile(event.clone());
        }
        shown(event);
    };
    let engine = engine::builder().on_compile(compiled).slots(slots).build().map_err(Failure::internal)?;
    // The process ends with it: the kernel takes back at once what would be given back piece by piece.
    std::mem::forget(engine.clone());
    // Before anything is created: a mount or a tool that a session would refuse is a mistake in the policy like any other.
    engine.check_mounts(&policy).map_err(Failure::usage)?;
    if let Ok(path) = folder_of_all() {
        let guarded = Guarded { what: "the sessions that wisp keeps, with their policies".to_owned(), path };
        policy.check_guarded(&HostFiles, &[guarded]).map_err(Failure::usage)?;
    }
    check_tools(engine.components(), &policy).map_err(Failure::usage)?;
    let output = asked.output.as_deref().map(|path| OutputDirectory::open(path, asked.force));
    let output = output.transpose().map_err(Failure::usage)?;
    let mut builder = engine.session(&policy);
    let program = asked.command.first().and_then(|word| word.to_str()).unwrap_or_default();
    builder = builder.expecting(program);
    let receipts = asked.receipts.as_deref().map(ReceiptFile::create).transpose().map_err(Failure::usage)?.map(Arc::new);
    if let Some(receipts) = &receipts {
        builder = builder.receipts(receipts.clone());
    }
    if let Some(path) = &asked.events {
        let file = Arc::new(EventFile::create(path).map_err(Failure::usage)?);
        builder = builder.events(events.get_or_init(|| file).clone());
    }
    let session = builder.build().await.map_err(Failure::session)?;
    session.prepare_program(program).await.map_err(Failure::session)?;
    let person = asked.interactive || asked.tty || (!asked.json && terminal::attended());
    if person && !terminal::attended() {
        let help = "--interactive needs a terminal on standard input, output and error; without it input is passed on as it comes";
        return Err(Failure::usage(anyhow::anyhow!(help)));
    }
    // Put back whatever happens to the editor.
    let settings = person.then(terminal::Settings::save).flatten().map(Arc::new);
    let interrupts = tokio::spawn(interrupt(session.clone(), person, settings.clone()));
    let ahead = tokio::spawn(compile_ahead(session.clone()));
    let ended = match &kept {
        Some(kept) => in_kept(&asked, &session, kept, person).await,
        None => Ok(session.run(command(&asked, person.then_some(&session))?).await),
    };
    interrupts.abort();
    // What is being compiled for nobody yet goes with the process.
    ahead.abort();
    drop(progress);
    if let Some(receipts) = receipts {
        receipts.finish(session.id());
    }
    if let Some(settings) = settings {
        settings.restore();
    }
    let outcome = match ended? {
        Ok(outcome) => outcome,
        Err(error) => {
            let code = error.exit_code();
            return Err(Failure { error: not_here(error, &asked), code });
        }
    };
    report(&asked, &outcome)?;
    let problems = output.map(|output| output.copy(&session.policy().output().path, &outcome.files)).unwrap_or_default();
    for problem in &problems {
        say(problem);
    }
    Ok(if problems.is_empty() { outcome.exit_code() } else { 125 })
}

/// Why the command did not start; with what to type where its program is a file of the host's.
fn not_here(error: RunError, asked: &args::Run) -> anyhow::Error {
    let words: Vec<String> = asked.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let found = matches!(error, RunError::NotFound { .. }).then(|| advice::host_file(&words[0], &words[1..])).flatten();
    match found {
        Some((mount, inside)) => {
            let inside: Vec<String> = inside.iter().map(|word| advice::quoted(word)).collect();
            let typed = format!("wisp run --mount {} -- {}", advice::quoted(&mount), inside.join(" "));
            anyhow::anyhow!("{error}\n  a file of the host is in the sandbox once it is mounted: `{typed}`")
        }
        None => error.into(),
    }
}

/// Run the command in a session that goes on: `sh -c` in its shell, `python3 -c` in its interpreter, others as ever.
async fn in_kept(asked: &args::Run, session: &Session, kept: &Kept, person: bool) -> Result<Result<Outcome, RunError>, Failure> {
    let mut shell = kept.resume(session).await.map_err(Failure::usage)?;
    let words: Vec<&str> = asked.command.iter().filter_map(|word| word.to_str()).collect();
    let keeps_interpreters = session.engine().memory_fallback().is_none();
    let (mut python, mut ended) = (None, None);
    match words.as_slice() {
        ["sh" | "bash", "-c", source] if !person && words.len() == asked.command.len() => {
            ended = Some(shell.eval_with(source, |command| streams(asked, command)).await);
        }
        ["python3" | "python", "-c", source] if keeps_interpreters && words.len() == asked.command.len() => {
            let mut interpreter = kept.python(session, &mut shell).await.map_err(Failure::usage)?;
            let cell = interpreter.eval(source).await.map_err(Failure::internal)?;
            if !asked.json {
                print_bytes(&cell.outcome)?;
            }
            (python, ended) = (Some(interpreter), Some(Ok(cell.outcome)));
        }
        _ => {}
    }
    let ended = match ended {
        Some(ended) => ended,
        None => session.run(command(asked, person.then_some(session))?).await,
    };
    if ended.is_ok() {
        kept.keep(&shell, python).await.map_err(Failure::internal)?;
    }
    Ok(ended)
}

/// What a cell wrote, which is known when it has ended.
fn print_bytes(outcome: &Outcome) -> Result<(), Failure> {
    for (bytes, mut to) in
        [(&outcome.stdout, Box::new(std::io::stdout()) as Box<dyn Write>), (&outcome.stderr, Box::new(std::io::stderr()))]
    {
        match to.write_all(bytes).and_then(|()| to.flush()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => return Err(Failure::internal(error)),
            _ => {}
        }
    }
    Ok(())
}

/// What no process has needed yet is compiled while a command runs that does not end at once.
async fn compile_ahead(session: Session) {
    tokio::time::sleep(SETTLED).await;
    session.compile_ahead().await;
}

/// The command; for the person who sits at a session, if one does.
fn command(asked: &args::Run, person: Option<&Session>) -> Result<Command, Failure> {
    let mut words = asked.command.iter().cloned().map(OsStringExt::into_vec);
    let program = words.next().unwrap_or_default();
    let program =
        String::from_utf8(program).map_err(|error| Failure::usage(anyhow::anyhow!("the command's name is not UTF-8: {error}")))?;
    let mut command = Command::new(program).args(words);
    if let Some(directory) = &asked.workdir {
        command = command.working_directory(directory);
    }
    if let Some(session) = person {
        return at_terminal(session, command);
    }
    Ok(streams(asked, command))
}

/// A command with this process's own streams.
fn streams(asked: &args::Run, command: Command) -> Command {
    let stdin = Input::Stream { stream: Box::new(tokio::io::stdin()), terminal: std::io::stdin().is_terminal() };
    let command = command.stdin(stdin);
    if asked.json {
        return command;
    }
    let stdout = Output::Stream { stream: Box::new(tokio::io::stdout()), terminal: std::io::stdout().is_terminal() };
    let stderr = Output::Stream { stream: Box::new(tokio::io::stderr()), terminal: std::io::stderr().is_terminal() };
    command.stdout(stdout).stderr(stderr)
}

/// A command whose lines are edited and whose output is seen.
fn at_terminal(session: &Session, command: Command) -> Result<Command, Failure> {
    let screen = Arc::new(terminal::Screen::default());
    let lines = terminal::Lines::new(session, &screen).map_err(Failure::internal)?;
    let stdout = Output::Stream { stream: Box::new(terminal::Shown::new(tokio::io::stdout(), &screen)), terminal: true };
    let mut command = command.stdin(Input::Terminal(Box::new(lines))).stdout(stdout);
    let set = |name: &str| session.policy().env().contains_key(name);
    if let Some((columns, lines)) = terminal::size() {
        command = command.env("COLUMNS", columns.to_string()).env("LINES", lines.to_string());
    }
    match std::env::var("TERM") {
        Ok(term) if !set("TERM") => Ok(command.env("TERM", term)),
        _ => Ok(command),
    }
}

/// Ctrl-C interrupts what runs in the foreground; where no person's shell is there to go on, a second one ends everything.
/// Ctrl-Z stops what runs in the foreground of a person's shell, and wisp itself where there is none.
/// SIGTERM and SIGHUP end the guest at once. What it wrote is kept. One more ends wisp.
async fn interrupt(session: Session, person: bool, settings: Option<Arc<terminal::Settings>>) {
    use tokio::signal::unix::{SignalKind, signal};
    // Without a handler the signal's own effect stays: wisp ends.
    let Ok(mut terminate) = signal(SignalKind::terminate()) else { return };
    let mut hangup = signal(SignalKind::hangup()).ok().filter(|_| person);
    let mut stop = signal(SignalKind::from_raw(libc::SIGTSTP)).ok().filter(|_| person);
    let (mut asked, mut ended) = (false, false);
    loop {
        let gone = async {
            match &mut hangup {
                Some(hangup) => drop(hangup.recv().await),
                None => std::future::pending().await,
            }
        };
        let stopped = async {
            match &mut stop {
                Some(stop) => drop(stop.recv().await),
                None => std::future::pending().await,
            }
        };
        let politely = tokio::select! {
            () = stopped => {
                if !session.stop_foreground() {
                    // SAFETY: plain numbers.
                    unsafe { libc::raise(libc::SIGSTOP) };
                }
                continue;
            }
            caught = tokio::signal::ctrl_c() => {
                if caught.is_err() {
                    return;
                }
                person || !asked
            }
            _ = terminate.recv() => false,
            () = gone => false,
        };
        if ended {
            settings.inspect(|settings| settings.restore());
            std::process::exit(130);
        }
        if politely {
            asked = true;
            session.interrupt_foreground();
        } else {
            ended = true;
            session.interrupt();
        }
    }
}

/// The document, or the limit that ended the command.
fn report(asked: &args::Run, outcome: &Outcome) -> Result<(), Failure> {
    if asked.json {
        let text = serde_json::to_string_pretty(&outcome.document(asked.inline)).map_err(Failure::internal)?;
        return print(&(text + "\n"));
    }
    // What was only reached is said on the standard error of the process that was refused.
    if let Some(hit) = outcome.limit.as_ref().filter(|hit| hit.ended) {
        say(&format!("ended by {} = {} (set by {})", hit.limit, hit.value, hit.rule));
    }
    if asked.output.is_some() && !outcome.files_left_out.is_empty() {
        let (beyond, strange): (Vec<&String>, Vec<&String>) = outcome.files_left_out.iter().partition(|path| is_plain(path));
        for (left_out, why) in [
            (beyond, "output.max_files, output.max_bytes"),
            (strange, "names with control characters or marks of writing direction are not copied; rename them in the sandbox"),
        ] {
            if !left_out.is_empty() {
                let first = left_out.iter().take(3).map(|path| format!("{path:?}")).collect::<Vec<_>>().join(", ");
                say(&format!("{} files were left out of the output ({why}): {first}", left_out.len()));
            }
        }
    }
    Ok(())
}
