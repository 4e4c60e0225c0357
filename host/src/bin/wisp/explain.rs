//! `wisp explain`: what every component of a session may import, and by which rule.

use std::io::{ErrorKind, Write};

use anyhow::anyhow;
use wisp::components::ComponentSource;
use wisp::policy::{Overrides, Policy};
use wisp::policy_files::HostFiles;

use crate::Failure;
use crate::args;

/// Prints what a policy lets its components import, as a table or as JSON. The code is 2 when a session with it would not start.
pub(crate) fn explain(asked: &args::Explain) -> Result<u8, Failure> {
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
    let policy = Policy::load_with(&HostFiles, &asked.policy, &overrides).map_err(Failure::usage)?;
    let components = ComponentSource::from_environment().map_err(Failure::internal)?;
    let explanation = wisp::session::explain(&components, &policy).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure::usage(anyhow!(errors.join("\nwisp: ")))
    })?;
    let text =
        if asked.json { serde_json::to_string_pretty(&explanation).map_err(Failure::internal)? + "\n" } else { explanation.to_string() };
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever read it has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        done => done.map_err(Failure::internal)?,
    }
    Ok(if explanation.refuses() { 2 } else { 0 })
}
