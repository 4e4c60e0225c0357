//! The command line: arguments in, exit code out. Everything else is the library's.

mod args;
mod run;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = args::Arguments::parse();
    let done = match arguments.command {
        args::Commands::Run(run) => run::run(run),
    };
    match done {
        Ok(code) => ExitCode::from(code),
        Err(failure) => {
            eprintln!("wisp: {:#}", failure.error);
            ExitCode::from(failure.code)
        }
    }
}

/// Why a subcommand did not do what was asked, and the exit code that says so: 2 for what the person wrote, 125 when
/// wisp itself fails.
pub(crate) struct Failure {
    pub(crate) error: anyhow::Error,
    pub(crate) code: u8,
}

impl Failure {
    /// What the person wrote is wrong: an option, a policy, a tool's file.
    pub(crate) fn usage(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: 2 }
    }

    /// wisp itself failed.
    pub(crate) fn internal(error: impl Into<anyhow::Error>) -> Failure {
        Failure { error: error.into(), code: 125 }
    }
}
