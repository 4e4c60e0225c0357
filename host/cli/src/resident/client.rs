//! A call of a helper, on the side of the command line: what `wisp run` does with a command that runs elsewhere.
//!
//! Once the command has begun, this process is confined too: the helper runs a guest's code, and what it says is read here.

use std::time::Duration;

use anyhow::anyhow;
use wisp::Engine;
use wisp::policy::{NoFiles, Overrides, Policy, ProtectedPath, executed};
use wisp_service::StoreError;

use super::documents::{Answer, Ask, Call, Finished, Hello, joined};
use super::park;
use super::place::{Found, Place};
use super::streams::{self, File};
use super::wire::{self, Kind};
use crate::output::OutputDirectory;
use crate::progress::{Progress, Reason};
use crate::stop::Asked;
use crate::trusted::Trusted;
use crate::{Failure, args, confine, engine, kept, lines, report, run, say};

/// What came of a call.
pub(super) enum Next {
    /// The command has ended, and this is the exit code.
    Done(u8),
    /// Nothing has run: the helper has ended.
    Again,
}

/// The destinations of results.
struct Results {
    output: Option<OutputDirectory>,
    receipts: Option<File>,
    events: Option<File>,
}

/// Returns the time limit of this run alone.
///
/// # Errors
/// If it is none.
pub(super) fn timeout(asked: &args::Run) -> Result<Option<Duration>, Failure> {
    let Some(text) = &asked.timeout else { return Ok(None) };
    let policy = Policy::offline().with(&NoFiles, &Overrides::command_line().timeout(text)).map_err(Failure::usage)?;
    Ok(Some(policy.limits().wall))
}

/// Has the helper run the command.
pub(super) fn call(asked: &args::Run, place: &Place, mut found: Found, idle: Duration, timeout: Option<Duration>) -> Result<Next, Failure> {
    check(asked, place, &found.hello, timeout)?;
    if found.hello.variables.differ_here() {
        // The session continues in a helper that has the new value.
        park(place, found)?;
        return Ok(Next::Again);
    }
    let call = Call {
        idle,
        workdir: asked.workdir.clone(),
        timeout,
        terminals: run::terminals(),
        capture: asked.json,
        contents: asked.output.is_some() || asked.inline,
        receipts: asked.receipts.is_some(),
        events: asked.events.is_some(),
    };
    match super::ask(&mut found, &Ask::Run(call)) {
        Some(Answer::Ready) => {}
        Some(_) => return Err(kept::refused(StoreError::InUse { name: place.name().to_owned() })),
        None => return Ok(Next::Again),
    }
    // The session is this command's, which begins with its words: a mistake until then costs nothing.
    let results = Results::open(asked, &found.hello)?;
    let progress = Progress::of_resident(Reason::new(&found.hello.policy, &Engine::default_cache()));
    if !asked.no_confine {
        confine::client(asked.output.as_deref())?;
    }
    let sent = wire::send(&mut found.stream, Kind::Words, &joined(&asked.command));
    sent.map_err(|error| Failure::usage(anyhow::Error::new(error).context("the command")))?;
    follow(asked, place, found, results, progress).map(Next::Done)
}

/// Checks what a session that runs cannot change for one call.
fn check(asked: &args::Run, place: &Place, hello: &Hello, timeout: Option<Duration>) -> Result<(), Failure> {
    if asked.grants.given() && run::given(&asked.grants)?.digest() != hello.digest {
        return Err(kept::refused(StoreError::OtherPolicy { name: place.name().to_owned(), policy: hello.policy.clone() }));
    }
    match (timeout, &asked.timeout) {
        (Some(time), Some(text)) if time > hello.wall => Err(Failure::usage(anyhow!(
            "--timeout {text} is longer than limits.wall = {:?} of the session `{}`, which --resident keeps open under it: begin a session \
             with `--set limits.wall={text}`, or leave out --resident",
            hello.wall,
            place.name()
        ))),
        _ => Ok(()),
    }
}

impl Results {
    fn open(asked: &args::Run, hello: &Hello) -> Result<Self, Failure> {
        let output = match &asked.output {
            Some(path) => Some(OutputDirectory::open(path, asked.force, trusted(hello)?).map_err(Failure::usage)?),
            None => None,
        };
        let receipts = asked.receipts.as_deref().map(|path| lines::create("--receipts", path));
        let events = asked.events.as_deref().map(|path| lines::create("--events", path));
        let (receipts, events) = (receipts.transpose().map_err(Failure::usage)?, events.transpose().map_err(Failure::usage)?);
        Ok(Self { output, receipts, events })
    }
}

/// Returns what the next run trusts.
fn trusted(hello: &Hello) -> Result<Trusted, Failure> {
    let components = engine::components().map_err(Failure::internal)?;
    let cache = Engine::default_cache();
    let protected = hello.protected.iter().map(|(what, path)| ProtectedPath { what: what.clone(), path: path.into() });
    let protected: Vec<ProtectedPath> = protected.collect();
    Ok(Trusted::new([protected, executed(cache.directory(), None, &components), run::own_places()].concat()))
}

/// Passes the command's streams on until it has ended, and reports what came of it.
fn follow(asked: &args::Run, place: &Place, found: Found, results: Results, progress: Progress) -> Result<u8, Failure> {
    let Results { output, receipts, events } = results;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().map_err(Failure::internal)?;
    let asked_to = Asked::default();
    let followed = runtime.block_on(streams::follow(found.stream, run::outputs(asked.raw), [receipts, events], &asked_to, progress));
    // A read of standard input may never end.
    runtime.shutdown_background();
    let finished = followed.map_err(|error| {
        let name = place.name();
        let lost = format!("the helper of the session `{name}` ended before the command did; what the session had not saved is lost");
        Failure::internal(anyhow::Error::new(error).context(lost))
    })?;
    match finished {
        Finished::Ended { outcome, lost, interpreter_ended } => {
            if !asked.json {
                run::print_bytes(&outcome, asked.raw);
            }
            run::say_not_kept(&lost);
            if interpreter_ended {
                say(run::INTERPRETER_ENDED);
            }
            let code = asked_to.exit_code(&outcome);
            report::deliver(asked, &outcome, output.as_ref(), &found.hello.output, code)
        }
        Finished::NotStarted { code, message, not_found } => {
            let elsewhere = if not_found { run::elsewhere(&message, asked) } else { None };
            Err(Failure { error: elsewhere.unwrap_or_else(|| anyhow!(message)), code })
        }
        Finished::Failed { code, message } => Err(Failure { error: anyhow!(message), code }),
    }
}
