//! `wisp explain`: what a session may do, its limits, and what every component may import, and by which rule.

use anyhow::anyhow;
use wisp::Engine;

use crate::{Failure, args, engine, json, print, run};

/// Prints what a policy grants in ten lines, its limits, and what it lets its components import, as tables or as JSON. The code is 2 if
/// a component imports something that the policy cannot grant.
pub(crate) fn explain(asked: &args::Explain) -> Result<u8, Failure> {
    let policy = run::given(&asked.grants)?;
    let components = engine::components().map_err(Failure::internal)?;
    if asked.for_model {
        print(&wisp::explain::for_model(&components, &policy))?;
        return Ok(0);
    }
    // The cache has the imports of shipped components. One that cannot be used is no error: the components are read then,
    // which takes longer.
    let cache = Engine::default_cache();
    let explanation = wisp::explain::explain(&components, &cache, &policy).map_err(|errors| {
        let errors: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure::usage(anyhow!(errors.join("\n")))
    })?;
    let text = if asked.json { json::pretty(&explanation).map_err(Failure::internal)? } else { explanation.to_string() };
    print(&text)?;
    Ok(if explanation.refuses() { 2 } else { 0 })
}
