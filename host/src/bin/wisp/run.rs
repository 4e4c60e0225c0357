//! `wisp run`.

use std::io::IsTerminal;
use std::os::unix::ffi::OsStringExt;

use wisp::policy::{Overrides, Policy};
use wisp::policy_files::HostFiles;
use wisp::{Command, Engine, Input, Output};

use crate::Failure;
use crate::args;

pub(crate) fn run(asked: args::Run) -> Result<u8, Failure> {
    let mut overrides = Overrides::command_line();
    for mount in &asked.mount {
        overrides = overrides.mount(mount);
    }
    for env in &asked.env {
        overrides = overrides.env(env);
    }
    for tool in &asked.tool {
        overrides = overrides.tool(tool);
    }
    if let Some(timeout) = &asked.timeout {
        overrides = overrides.timeout(timeout);
    }
    let policy = Policy::load_with(&HostFiles, &asked.policy, &overrides).map_err(Failure::usage)?;
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().map_err(Failure::internal)?;
    let code = runtime.block_on(command(asked, policy));
    // A blocked read of the terminal must not keep the process alive.
    runtime.shutdown_background();
    code
}

async fn command(asked: args::Run, policy: Policy) -> Result<u8, Failure> {
    let engine = Engine::new().map_err(Failure::internal)?;
    let session = engine.session(&policy).build().await.map_err(Failure::usage)?;
    let mut words = asked.command.into_iter().map(OsStringExt::into_vec);
    let program = words.next().unwrap_or_default();
    let command = Command::new(String::from_utf8_lossy(&program))
        .args(words)
        .stdin(Input::Stream { stream: Box::new(tokio::io::stdin()), terminal: std::io::stdin().is_terminal() })
        .stdout(Output::Stream { stream: Box::new(tokio::io::stdout()), terminal: std::io::stdout().is_terminal() })
        .stderr(Output::Stream { stream: Box::new(tokio::io::stderr()), terminal: std::io::stderr().is_terminal() });
    match session.run(command).await {
        Ok(outcome) => {
            if let Some(hit) = &outcome.limit {
                eprintln!("wisp: ended by {} = {} ({})", hit.limit, hit.value, hit.rule);
            }
            Ok(outcome.exit_code())
        }
        Err(error) => {
            let code = error.exit_code();
            Err(Failure { error: error.into(), code })
        }
    }
}
