//! The command line: arguments in, exit code out. The library does everything else.
//!
//! The program `wisp` is [`main`] and nothing else, and so is the command of the Python package, which runs it in the interpreter's
//! process.

#![allow(clippy::disallowed_methods, reason = "a command line is ambient")]

mod advice;
mod answers;
mod args;
mod cache;
mod check;
mod codex;
mod codex_install;
mod confine;
mod docker;
mod doctor;
mod engine;
mod explain;
mod filter;
mod help;
mod hooks;
mod invocation;
mod json;
mod kept;
mod keyboard;
mod left;
mod lines;
mod log;
mod mcp;
mod messages;
mod needs;
mod output;
mod outputs;
mod own;
mod person;
mod policies;
mod prepare;
mod progress;
mod recorded;
mod render;
mod report;
mod resident;
mod run;
mod serve;
mod sessions;
mod signals;
mod stop;
mod terminal;
mod trusted;
mod unmounted;
mod version;

use clap::Parser;
use clap::error::{ContextKind, ErrorKind};
use wisp::fs::{ApplyError, FilesError};
use wisp::policy::PolicyErrors;
use wisp::{ErrorCode, Fault, InterpreterError, RunError, SessionError, SnapshotFileError};
use wisp_install::InstallError;
use wisp_service::{ServiceError, StartError};

use outputs::{Standard, Unwritten};

pub use invocation::Invocation;
pub(crate) use messages::say;
pub(crate) use outputs::print;
pub use trusted::{Places, Trusted, name_on_host};

/// Runs the command, and returns the exit code of the process, which is to end with it: what was restricted stays so. No other thread
/// may run, or `wisp run` cannot restrict itself.
///
/// Messages of panics in this process are wisp's from then on.
pub fn main(invocation: Invocation) -> u8 {
    outputs::begin(invocation.missing());
    std::panic::set_hook(Box::new(broken));
    invocation.set();
    // The panic hook prints the panic; like any failure of wisp itself it is status 125.
    std::panic::catch_unwind(|| settled(command())).unwrap_or(125)
}

/// Returns the exit code of this process, which is `code` if everything was written. If not, says so.
fn settled(code: u8) -> u8 {
    outputs::unwritten(code).fold(code, |_, (to, error)| {
        say(&format!("{to} could not be written: {error}"));
        125
    })
}

/// Reports a panic in one line: most often the system has no more threads for the runtime.
fn broken(panic: &std::panic::PanicHookInfo<'_>) {
    let payload = panic.payload();
    let reason = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
    let place = panic.location().map(|place| format!(" ({}:{})", place.file(), place.line())).unwrap_or_default();
    let reason = reason.unwrap_or("a panic");
    let help = if reason.contains("spawn") { "; `ulimit -u` may allow more threads" } else { "" };
    say(&format!("wisp itself failed: {reason}{place}{help}"));
}

fn command() -> u8 {
    let arguments = match args::Arguments::try_parse_from(invocation::words()) {
        Ok(arguments) => arguments,
        Err(error) => return refused(error),
    };
    // A program that reads the document reads no news.
    let quiet = matches!(&arguments.command, args::Commands::Run(run) if run::is_quiet(run));
    log::start(quiet);
    if let Err(failure) = confine::insist(arguments.confine, arguments.no_confine()) {
        if matches!(&arguments.command, args::Commands::Run(run) if run.json) {
            report::failed(&failure);
        }
        failure.show();
        return failure.code;
    }
    let done = match arguments.command {
        args::Commands::Run(run) => run::run(run),
        args::Commands::Explain(asked) => explain::explain(&asked),
        args::Commands::Check(asked) => check::check(&asked),
        args::Commands::Policies(asked) => policies::policies(&asked),
        args::Commands::Session(asked) => sessions::sessions(&asked),
        args::Commands::Mcp(asked) => mcp::mcp(&asked),
        args::Commands::Codex(asked) => codex::codex(&asked),
        args::Commands::Hooks(asked) => hooks::hooks(&asked),
        args::Commands::Prepare(asked) => prepare::prepare(&asked),
        args::Commands::Doctor(_) => doctor::doctor(),
        args::Commands::Resident => resident::helper(),
    };
    match done {
        Ok(code) => code,
        Err(failure) => {
            failure.show();
            failure.code
        }
    }
}

/// Prints the version, help, or a mistake on the command line: clap's text, followed by a suggestion if there is one.
fn refused(mut error: clap::Error) -> u8 {
    if error.kind() == ErrorKind::DisplayVersion {
        return print(&format!("wisp {}\n", version::line())).map_or_else(|unwritten| unwritten.code, |()| 0);
    }
    let advice = advice::advice(invocation::words(), &error);
    if advice.is_some() {
        // It is the better one.
        error.remove(ContextKind::Suggested);
        error.remove(ContextKind::SuggestedArg);
    }
    let to = if error.use_stderr() { Standard::Error } else { Standard::Output };
    let text = error.render();
    let text = if render::colours(to) { text.ansi().to_string() } else { text.to_string() };
    match to {
        Standard::Error => messages::show(&text),
        Standard::Output => {
            if let Err(unwritten) = print(&text) {
                return unwritten.code;
            }
        }
    }
    if let Some(advice) = advice {
        messages::show(&format!("\n  try: {advice}\n"));
    }
    u8::try_from(error.exit_code()).unwrap_or(2)
}

/// Returns an error and its causes in one line, without those that the text before has already.
pub(crate) fn one_line(error: &anyhow::Error) -> String {
    let mut text = error.to_string();
    for cause in error.chain().skip(1).map(ToString::to_string).collect::<Vec<_>>() {
        if !text.contains(&cause) {
            text = format!("{text}: {cause}");
        }
    }
    text
}

/// Returns the code of the first error of the library among an error and its causes.
fn code(error: &anyhow::Error) -> Option<ErrorCode> {
    fn of<E: std::error::Error + 'static>(cause: &(dyn std::error::Error + 'static), code: fn(&E) -> ErrorCode) -> Option<ErrorCode> {
        cause.downcast_ref().map(code)
    }
    let session = |cause| of(cause, SessionError::code).or_else(|| of(cause, RunError::code));
    let python = |cause| of(cause, InterpreterError::code).or_else(|| of(cause, SnapshotFileError::code));
    let files = |cause| of(cause, FilesError::code).or_else(|| of(cause, ApplyError::code));
    let service = |cause| of(cause, ServiceError::code).or_else(|| of(cause, StartError::code));
    let install = |cause| of(cause, InstallError::code);
    let policy = |cause| of(cause, PolicyErrors::code).or_else(|| install(cause));
    error.chain().find_map(|cause| {
        session(cause).or_else(|| python(cause)).or_else(|| files(cause)).or_else(|| service(cause)).or_else(|| policy(cause))
    })
}

/// Why a subcommand failed, with its exit code: 2 for a mistake of the user, 125 for a failure of wisp itself.
pub(crate) struct Failure {
    pub(crate) error: anyhow::Error,
    pub(crate) code: u8,
}

impl Failure {
    /// Prints findings with their carets, anything else in one line. If standard error is closed, the exit code still
    /// reports the failure.
    fn show(&self) {
        if self.is_unwritten() {
            return;
        }
        let findings = self.error.downcast_ref::<PolicyErrors>().or_else(|| match self.error.downcast_ref::<SessionError>() {
            Some(SessionError::Policy(findings)) => Some(findings),
            _ => None,
        });
        match findings {
            Some(findings) => messages::show(&render::findings(findings)),
            None => messages::say_lines(&one_line(&self.error)),
        }
    }

    /// Returns whether it is that standard output could not be written, which is said in the end.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.error.is::<Unwritten>()
    }

    /// Returns the failure for a mistake of the user: an option, a policy, a tool's file.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Self {
        Self { error: error.into(), code: 2 }
    }

    /// Returns an error of the library: a failure of wisp itself if its code says that the host is at fault, and otherwise a mistake of the
    /// user. So is a file or folder that cannot be opened: an option or a policy of theirs names it.
    pub(crate) fn library(error: impl Into<anyhow::Error>) -> Self {
        let error = error.into();
        match code(&error) {
            Some(ErrorCode::HostPathUnavailable) | None => Self::usage(error),
            Some(code) if code.fault() == Fault::Host => Self::internal(error),
            Some(_) => Self::usage(error),
        }
    }

    /// Returns the failure of wisp itself.
    pub(crate) fn internal(error: impl Into<anyhow::Error>) -> Self {
        Self { error: error.into(), code: 125 }
    }
}
