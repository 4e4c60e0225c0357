//! `wisp explain`: what every component of a session may import, and by which rule.

use std::io::{ErrorKind, Write};

use anyhow::anyhow;
use wisp::components::ComponentSource;
use wisp::policy::Policy;

use crate::Failure;

/// Prints the explanation of a policy, as a table or as JSON. The code is 2 when a session with it would not start.
pub(crate) fn explain(policy: &Policy, json: bool) -> Result<u8, Failure> {
    let components = ComponentSource::from_environment().map_err(Failure::internal)?;
    let explanation = wisp::session::explain(&components, policy).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure::usage(anyhow!(errors.join("\nwisp: ")))
    })?;
    let text = if json { serde_json::to_string_pretty(&explanation).map_err(Failure::internal)? + "\n" } else { explanation.to_string() };
    let mut out = std::io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        // Whoever read it has read enough.
        Err(error) if error.kind() == ErrorKind::BrokenPipe => {}
        done => done.map_err(Failure::internal)?,
    }
    Ok(if explanation.refuses() { 2 } else { 0 })
}
