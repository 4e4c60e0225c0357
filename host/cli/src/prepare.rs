//! `wisp prepare`: compiles before anything runs, for images, CI and the first start.

use std::time::{Duration, Instant};

use wisp::policy::HostFiles;
use wisp::policy::Policy;
use wisp::policy::{ToolFiles, check_tools};
use wisp::{CodeOrigin, Engine, Session, SlotBounds};
use wisp_service::Runtime;

use crate::progress::{Progress, Reason};
use crate::{Failure, args, engine, print};

/// A limit of instructions that is never reached: it only turns counting on.
const COUNTED: &str = "1000000000000";

/// Compiles what a policy needs, and reports it.
pub(crate) fn prepare(asked: &args::Prepare) -> Result<u8, Failure> {
    let image = asked.image.iter().map(|image| format!("tools.python={image}")).collect::<Vec<_>>();
    let policy = Policy::load_with(&HostFiles, &asked.grants.policy, &asked.grants.overrides().set(&image)).map_err(Failure::usage)?;
    let names = if image.is_empty() { asked.names.clone() } else { vec!["python3".to_owned()] };
    let reason = Reason::of_prepare(policy.name()).with_options(asked.grants.adds());
    let progress = Progress::new(reason, false);
    let slots = SlotBounds { ready: 0, ..SlotBounds::default() };
    let components = engine::components().map_err(Failure::internal)?;
    let engine = engine::builder(components).compile_images(true).on_compile(progress.listener()).slots(slots);
    let runtime = Runtime::new(engine).map_err(Failure::internal)?;
    let engine = runtime.engine();
    if let Some(error) = engine.cache().refused() {
        return Err(Failure::internal(anyhow::anyhow!("machine code cannot be kept: {error}")));
    }
    let Some(directory) = engine.cache().directory() else {
        return Err(Failure::internal(anyhow::anyhow!("there is no cache to keep machine code in; set XDG_CACHE_HOME or HOME")));
    };
    let files = check_tools(engine.components(), &policy).map_err(Failure::usage)?;
    let mut policies = vec![("", policy)];
    if asked.instructions {
        let counted = policies[0].1.clone().with_value("limits.instructions", COUNTED).map_err(Failure::usage)?;
        policies.push((", instructions counted", counted));
    }
    let mut tools = 0;
    for (what, policy) in &policies {
        tools += runtime.block_on(all(engine, (policy, &files), &names, what))?;
    }
    print(&format!("{}: {tools} ready\n", directory.display()))?;
    if let Some(directory) = &asked.into {
        let fail = |error| Failure::internal(anyhow::anyhow!("--into {}: {error}", directory.display()));
        let files = engine.cache().ship(directory).map_err(fail)?;
        print(&format!("{}: {files} files\n", directory.display()))?;
    }
    Ok(0)
}

/// Prepares the requested tools, or all; returns how many.
async fn all(engine: &Engine, (policy, files): (&Policy, &ToolFiles), names: &[String], what: &str) -> Result<usize, Failure> {
    let session = engine.session(policy).tool_files(files.clone()).build().await.map_err(Failure::library)?;
    let all: Vec<String> = session.compiled().into_iter().map(|(tool, _)| tool).collect();
    let mut tools = Vec::new();
    for name in names {
        let Some(tool) = session.tool_of(name) else {
            let message = format!("`{name}` is not a program of the policy `{}`; its tools are {}", policy.name(), all.join(", "));
            return Err(Failure::usage(anyhow::anyhow!(message)));
        };
        tools.push(tool.to_owned());
    }
    if names.is_empty() {
        tools = all;
    }
    tools.sort();
    tools.dedup();
    for tool in &tools {
        let done = one(&session, tool).await?;
        print(&format!("{tool:<12} {done}{what}\n"))?;
    }
    Ok(tools.len())
}

/// Prepares a tool; returns what was done.
async fn one(session: &Session, tool: &str) -> Result<String, Failure> {
    let place = || session.compiled().into_iter().find(|(name, _)| name == tool).and_then(|(_, place)| place);
    let (before, start) = (place(), Instant::now());
    // The code is mapped too, so that damage is noticed now.
    session.prepare_program(tool).await.map_err(Failure::library)?;
    match (before, place()) {
        (_, Some(CodeOrigin::Compiled) | None) => {
            Err(Failure::internal(anyhow::anyhow!("the machine code of `{tool}` could not be kept in the cache; WISP_LOG=warn says why")))
        }
        (Some(CodeOrigin::Shipped), Some(CodeOrigin::Shipped)) => Ok("shipped with wisp".to_owned()),
        (Some(_), Some(_)) => Ok("was in the cache".to_owned()),
        (None, Some(_)) => Ok(format!("compiled in {}", shown(start.elapsed()))),
    }
}

fn shown(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
