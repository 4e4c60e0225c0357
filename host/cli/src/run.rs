//! `wisp run`.

use std::io::{IsTerminal, Write};
use std::os::unix::ffi::OsStringExt;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWrite;
use wisp::policy::{HostFiles, Overrides, Policy, ProtectedPath, ToolFiles, check_mounts, check_tools, executed};
use wisp::{CodeCache, Command, CompileEvent, Components, Engine, Input, Outcome, Output, RunError, Session, Signal, SlotBounds};
use wisp_mcp_client::Connector;
use wisp_service::{KeptSession, Runtime, Store};

use crate::filter::{Filter, Filtered, Level};
use crate::lines::{EventFile, ReceiptFile};
use crate::output::OutputDirectory;
use crate::outputs::Standard;
use crate::person::Person;
use crate::progress::{Progress, Reason};
use crate::recorded::Recorded;
use crate::signals::{Signals, Step};
use crate::stop::Stop;
use crate::trusted::Trusted;
use crate::{
    Failure, advice, args, cache, confine, engine, invocation, kept, messages, needs, outputs, report, resident, say, terminal, unmounted,
};

/// A command that has run for this long may need other tools.
const SETTLED: Duration = Duration::from_secs(1);

/// What is said when a command has ended the interpreter that its session keeps.
pub(crate) const INTERPRETER_ENDED: &str = "the interpreter of the session has ended; the next `python3 -c` starts a new one";

/// An output of this process.
pub(crate) type Stream = Box<dyn AsyncWrite + Send + Unpin>;

/// Runs the command; the exit code is the guest's. With `--json` there is a document in any case.
pub(crate) fn run(asked: args::Run) -> Result<u8, Failure> {
    let json = asked.json;
    run_one(asked).inspect_err(|failure| {
        if json {
            report::failed(failure);
        }
    })
}

fn run_one(asked: args::Run) -> Result<u8, Failure> {
    if asked.events.as_deref().is_some_and(|path| path.as_os_str() == "-") && !asked.json {
        let help = "--events - writes to standard error, which the command uses too without --json: add --json, or name a file (/dev/fd/3)";
        return Err(Failure::usage(anyhow::anyhow!(help)));
    }
    if let Some(idle) = resident::asked(&asked)? {
        return resident::run(&asked, idle);
    }
    needs::check()?;
    asked.session.as_deref().map_or(Ok(()), resident::release)?;
    let mut kept = asked.session.as_deref().map(kept::open).transpose()?;
    let policy = policy(&asked.grants, asked.timeout.as_deref(), kept.as_mut())?;
    let components = engine::components().map_err(Failure::internal)?;
    // Before anything is created: a mount or a tool that a session would refuse is a mistake in the policy like any
    // other.
    let cache = cache::open();
    let trusted = check_places(&policy, &cache, &components)?;
    let files = check_tools(&components, &policy).map_err(Failure::usage)?;
    let places = Places::open(&asked, trusted)?;
    // A program that is confined starts no other.
    let servers = Connector::new();
    servers.start(&policy).map_err(Failure::usage)?;
    // Must happen before a second thread exists.
    if !asked.no_confine {
        confine::run(&policy, cache.directory(), asked.output.as_deref(), kept.as_ref())?;
    }
    let progress = Progress::new(Reason::new(policy.name(), &cache).with_options(asked.grants.adds()), is_quiet(&asked));
    let runtime = start(components, cache, servers.clone(), &places, &progress)?;
    let code = runtime.block_on(in_session(asked, policy, kept, (runtime.engine(), files), (places, progress)));
    runtime.block_on(servers.close());
    code
}

/// Returns whether nothing is said but what went wrong: a program reads the document, and standard error too.
pub(crate) fn is_quiet(asked: &args::Run) -> bool {
    asked.json && messages::piped()
}

/// Makes the engine and what drives it: the first other threads of the process.
fn start(components: Components, cache: CodeCache, servers: Connector, places: &Places, progress: &Progress) -> Result<Runtime, Failure> {
    // No instances are prepared for processes after the last one.
    let slots = SlotBounds { ready: 0, ..SlotBounds::default() };
    let (shown, told) = (progress.listener(), places.events.clone());
    let compiled = move |event: CompileEvent| {
        if let Some(events) = &told {
            events.compile(event.clone());
        }
        shown(event);
    };
    let engine = engine::builder(components).cache(cache).on_compile(compiled).slots(slots).function_source(Arc::new(servers));
    let runtime = Runtime::new(engine).map_err(Failure::internal)?;
    // The process ends with it: the kernel reclaims at once what would be released piece by piece.
    std::mem::forget(runtime.engine().clone());
    Ok(runtime)
}

/// Returns the policy of the command line.
pub(crate) fn given(grants: &args::Grants) -> Result<Policy, Failure> {
    Policy::load_with(&HostFiles, &grants.policy, &grants.overrides()).map_err(Failure::usage)
}

/// Returns the policy: that of the continued session, or that of the command line.
pub(crate) fn policy(grants: &args::Grants, timeout: Option<&str>, kept: Option<&mut KeptSession>) -> Result<Policy, Failure> {
    let policy = match kept {
        Some(kept) => {
            let asked = if kept.begun() && !grants.given() { None } else { Some(given(grants)?) };
            kept.policy(asked).map_err(kept::refused)?
        }
        None => given(grants)?,
    };
    match timeout {
        // Only for this run: a session does not keep it.
        Some(timeout) => policy.with(&HostFiles, &Overrides::command_line().timeout(timeout)).map_err(Failure::usage),
        None => Ok(policy),
    }
}

/// Checks that no write mount contains what controls or executes the next run. Returns all of that.
pub(crate) fn check_places(policy: &Policy, cache: &CodeCache, components: &Components) -> Result<Trusted, Failure> {
    check_mounts(policy, cache.directory(), None, components).map_err(Failure::usage)?;
    let own = own_places();
    policy.check_protected(&HostFiles, &own).map_err(Failure::usage)?;
    Ok(Trusted::new([policy.protected_paths(), executed(cache.directory(), None, components), own].concat()))
}

/// Returns what this command trusts on its next run, beside what the library executes.
pub(crate) fn own_places() -> Vec<ProtectedPath> {
    let guarded = |what: &str, path| ProtectedPath { what: what.to_owned(), path };
    let sessions =
        Store::of_user().ok().map(|store| guarded("the sessions that wisp keeps, with their policies", store.folder().to_owned()));
    let beside = engine::beside().map(|path| guarded("the machine code beside wisp", path));
    sessions.into_iter().chain(beside).chain(invocation::places()).collect()
}

/// The destinations of results.
struct Places {
    output: Option<OutputDirectory>,
    receipts: Option<Arc<ReceiptFile>>,
    events: Option<Arc<EventFile>>,
    functions: Recorded,
}

impl Places {
    fn open(asked: &args::Run, trusted: Trusted) -> Result<Self, Failure> {
        let output = asked.output.as_deref().map(|path| OutputDirectory::open(path, asked.force, trusted));
        let output = output.transpose().map_err(Failure::usage)?;
        let receipts = asked.receipts.as_deref().map(ReceiptFile::create).transpose().map_err(Failure::usage)?;
        let events = asked.events.as_deref().map(EventFile::create).transpose().map_err(Failure::usage)?;
        let functions = Recorded::open(asked).map_err(Failure::usage)?;
        Ok(Self { output, receipts: receipts.map(Arc::new), events: events.map(Arc::new), functions })
    }
}

async fn in_session(
    asked: args::Run,
    policy: Policy,
    kept: Option<KeptSession>,
    (engine, files): (&Engine, ToolFiles),
    (places, progress): (Places, Progress),
) -> Result<u8, Failure> {
    let program = asked.command.first().and_then(|word| word.to_str()).unwrap_or_default();
    let mut builder = places.functions.of(engine.session(&policy).tool_files(files).warm_up(program));
    if let Some(receipts) = &places.receipts {
        builder = builder.receipts(receipts.clone());
    }
    if let Some(events) = &places.events {
        builder = builder.events(events.clone());
    }
    let session = builder.build().await.map_err(Failure::library)?;
    session.prepare_program(program).await.map_err(Failure::library)?;
    let attended = terminal::attended();
    if (asked.interactive || asked.tty) && !attended {
        let help = "--interactive needs a terminal on standard input, output and error, and so does --tty: leave them out (-it); at a \
                    terminal it is so anyway, elsewhere input is passed on as it comes";
        return Err(Failure::usage(anyhow::anyhow!(help)));
    }
    let person = attended && !asked.json && !asked.no_tty;
    // Restores the terminal however this ends.
    let settings = person.then(terminal::Settings::save).flatten().map(Arc::new);
    let stop = Stop::new(&session);
    // Not aborted: one more signal ends wisp also while it copies results.
    tokio::spawn(pass_signals(session.clone(), stop.clone(), person, settings.clone()));
    let ahead = tokio::spawn(compile_ahead(session.clone()));
    let typing = settings.as_deref().map(|settings| Person { session: &session, stop: &stop, settings, raw: asked.raw });
    let ended = match &kept {
        Some(kept) => in_kept(&asked, &session, kept, typing).await,
        None => run_program(&asked, &session, typing).await,
    };
    // Compilations that are not awaited end with the process.
    ahead.abort();
    drop(progress);
    if let Some(receipts) = &places.receipts {
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
    if !asked.json
        && let Some(suggestion) = unmounted::suggestion(&asked, &session, &outcome).await
    {
        say(&suggestion);
    }
    // A child that an evaluation has left is not kept. It is ended before the runtime, which would take that for a failure.
    session.close().await;
    report::deliver(&asked, &outcome, places.output.as_ref(), &session.policy().output().path, stop.asked().exit_code(&outcome))
}

/// Returns why the command did not start, with a suggestion if its program is a file of the host.
fn not_here(error: RunError, asked: &args::Run) -> anyhow::Error {
    let found = matches!(error, RunError::NotFound { .. }).then(|| elsewhere(&error.to_string(), asked)).flatten();
    found.unwrap_or_else(|| error.into())
}

/// Returns `error`, that there is no such program in the sandbox, with a suggestion if it is a file of the host.
pub(crate) fn elsewhere(error: &str, asked: &args::Run) -> Option<anyhow::Error> {
    let words: Vec<String> = asked.command.iter().map(|word| word.to_string_lossy().into_owned()).collect();
    let typed = advice::script(&invocation::options(), words.first()?, words.get(1..)?)?;
    Some(anyhow::anyhow!("{error}\n  {}: `{typed}`", advice::MOUNT))
}

/// Runs the command in a continued session: `sh -c`, and for a person `sh`, in its shell, `python3 -c` in its interpreter, others as usual.
async fn in_kept(
    asked: &args::Run,
    session: &Session,
    kept: &KeptSession,
    person: Option<Person<'_>>,
) -> Result<Result<Outcome, RunError>, Failure> {
    let mut shell = kept.resume(session).await.map_err(kept::unusable)?;
    let words: Vec<&str> = asked.command.iter().filter_map(|word| word.to_str()).collect();
    let keeps_interpreters = session.engine().memory_fallback().is_none();
    let (mut python, mut ended) = (None, None);
    match words.as_slice() {
        ["sh" | "bash", "-c", source] if words.len() == asked.command.len() => {
            ended = Some(match person {
                Some(person) => person.run_in(&mut shell, Some(*source)).await,
                None => shell.eval_with(source, |command| streams(asked, command)).await,
            });
        }
        ["sh" | "bash"] | ["sh" | "bash", "-i"] if words.len() == asked.command.len() => {
            if let Some(person) = person {
                ended = Some(person.run_in(&mut shell, None).await);
            }
        }
        ["python3" | "python", "-c", source] if keeps_interpreters && words.len() == asked.command.len() => {
            let mut interpreter = kept.python(session, &mut shell).await.map_err(kept::unusable)?;
            let cell = interpreter.eval(*source).await.map_err(Failure::internal)?;
            if !asked.json {
                print_bytes(&cell.outcome, asked.raw);
            }
            say_not_kept(&cell.not_carried);
            (python, ended) = (Some(interpreter), Some(Ok(cell.outcome)));
        }
        _ => {}
    }
    let ended = match ended {
        Some(ended) => ended,
        None => run_program(asked, session, person).await?,
    };
    if ended.is_ok() {
        let saved = kept.keep(&shell, python.as_mut()).await.map_err(Failure::internal)?;
        if saved.interpreter_ended {
            say(INTERPRETER_ENDED);
        }
        say_not_kept(&saved.not_carried);
    }
    Ok(ended)
}

/// Says what of an interpreter does not stay.
pub(crate) fn say_not_kept(lost: &[String]) {
    for lost in lost {
        say(&format!("not kept: {lost}"));
    }
}

/// Runs the command with this process's streams, or for a person at a terminal of the sandbox.
async fn run_program(asked: &args::Run, session: &Session, person: Option<Person<'_>>) -> Result<Result<Outcome, RunError>, Failure> {
    let command = named(asked);
    Ok(match person {
        Some(person) => person.run(command).await,
        None => session.run(streams(asked, command)).await,
    })
}

/// Prints the output of a cell, which is known when it has ended.
pub(crate) fn print_bytes(outcome: &Outcome, raw: bool) {
    print_one(&outcome.stdout, Standard::Output, raw);
    print_one(&outcome.stderr, Standard::Error, raw);
}

fn print_one(bytes: &[u8], to: Standard, raw: bool) {
    let mut passed = Vec::new();
    let bytes = if to.is_terminal() && !raw {
        Filter::new(Level::Text).push(bytes, &mut passed);
        &passed
    } else {
        bytes
    };
    let mut out = to.writer();
    // What cannot be written is said in the end; the session is kept all the same.
    let _ = out.write_all(bytes).and_then(|()| out.flush());
}

/// Compiles what no process has needed yet, while a longer command runs.
async fn compile_ahead(session: Session) {
    tokio::time::sleep(SETTLED).await;
    session.compile_ahead().await;
}

/// Returns the command as it was named, without streams.
fn named(asked: &args::Run) -> Command {
    let mut words = asked.command.iter().cloned().map(OsStringExt::into_vec);
    let program = words.next().unwrap_or_default();
    let mut command = Command::new(wisp_spelling::spell(&program).into_owned()).args(words);
    if let Some(directory) = &asked.workdir {
        command = command.working_directory(directory);
    }
    command
}

/// Returns a command with this process's own streams.
fn streams(asked: &args::Run, command: Command) -> Command {
    let stdin = Input::Stream { stream: Box::new(tokio::io::stdin()), terminal: std::io::stdin().is_terminal() };
    let command = command.stdin(stdin);
    if asked.json {
        return command;
    }
    command.stdout(shown(Standard::Output, asked.raw)).stderr(shown(Standard::Error, asked.raw))
}

/// Returns whether standard input, output and error are terminals.
pub(crate) fn terminals() -> [bool; 3] {
    [std::io::stdin().is_terminal(), Standard::Output.is_terminal(), Standard::Error.is_terminal()]
}

/// Returns standard output and error for what a command writes: of a terminal, they take its text and colours, unless everything is
/// requested.
pub(crate) fn outputs(raw: bool) -> [Stream; 2] {
    [Standard::Output, Standard::Error].map(|to| Box::new(filtered(to, raw)) as Stream)
}

/// Returns an output of the command: at a terminal, its text and colours, unless everything is requested.
fn shown(to: Standard, raw: bool) -> Output {
    Output::Stream { stream: Box::new(filtered(to, raw)), terminal: to.is_terminal() }
}

fn filtered(to: Standard, raw: bool) -> Filtered<outputs::Stream> {
    Filtered::new(to.stream(), (to.is_terminal() && !raw).then_some(Level::Text))
}

/// Passes signals on to the command, from its beginning on: a listener that is made after a signal does not hear it.
async fn pass_signals(session: Session, stop: Stop, person: bool, settings: Option<Arc<terminal::Settings>>) {
    let Some(mut signals) = Signals::listen(person, stop.asked()) else { return };
    loop {
        match signals.next().await {
            Step::Interrupt => session.interrupt(),
            Step::Suspend => {
                if !session.stop_foreground() {
                    // SAFETY: plain numbers.
                    unsafe { libc::raise(libc::SIGSTOP) };
                }
            }
            Step::Pass(signal) => {
                session.signal(signal);
                if person {
                    // An interactive shell ignores SIGTERM.
                    session.signal(Signal::Hangup);
                }
            }
            Step::Kill => stop.now(),
            Step::Leave(code) => {
                settings.inspect(|settings| settings.restore());
                std::process::exit(i32::from(code));
            }
        }
    }
}
