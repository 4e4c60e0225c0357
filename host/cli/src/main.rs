//! The program `wisp`.

use std::process::ExitCode;

use wisp_cli::Invocation;

fn main() -> ExitCode {
    ExitCode::from(wisp_cli::main(Invocation::of_process()))
}
