//! Sessions that outlive a program: `visit` could as well be in another process, tomorrow.

use wisp::{Components, Engine, Policy};
use wisp_service::{Runtime, Store, StoreError};

type Failed = Box<dyn std::error::Error + Send + Sync>;

fn main() -> Result<(), Failed> {
    // A process that confines itself (`wisp::confine`) does so before this, because it makes threads.
    let runtime = Runtime::new(Engine::builder(Components::from_folder("target/components")?))?;
    let store = Store::at("sessions");
    for _ in 0..2 {
        runtime.block_on(visit(&runtime, &store))?;
    }
    for found in store.list()? {
        println!("{}: policy {}, python {}", found.name, found.policy, found.python);
        store.remove(&found.name)?;
    }
    Ok(())
}

async fn visit(runtime: &Runtime, store: &Store) -> Result<(), Failed> {
    // Nobody else has the session as long as `kept` lives.
    let mut kept = store.open("ada")?;
    if let Err(StoreError::InUse { name }) = store.open("ada") {
        println!("{name} is in use");
    }
    // It keeps the policy that it began with.
    let policy = kept.policy(Some(Policy::offline()))?;
    let session = runtime.engine().session(&policy).build().await?;

    // Files, the shell's variables and directory, and Python go on where they were.
    let mut shell = kept.resume(&session).await?;
    let outcome = shell.eval("cd /tmp; echo visit >> visits; grep -c visit visits").await?;
    print!("lines: {}", outcome.stdout_text());
    let mut python = kept.python(&session, &mut shell).await?;
    let cell = python.eval("count = globals().get('count', 0) + 1; count").await?;
    println!("count: {}", cell.value.unwrap_or_default());

    // Open files that were removed, running child processes.
    for lost in kept.keep(&shell, Some(&mut python)).await?.not_carried {
        println!("not kept: {lost}");
    }
    Ok(())
}
