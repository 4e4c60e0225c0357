//! A service: requests in a queue, a task for each, one engine for all. Each tenant has its own session, started from one
//! template; each request has a time limit, and at most four run at once.
//!
//! Run it with `cargo run --release -p wisp --example service`.

#![allow(clippy::disallowed_methods, reason = "a program has tasks of its own; the library's end with a command")]

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};
use wisp::{Command, Components, Engine, Policy, Session, SessionTemplate};

/// What a handler of HTTP, gRPC or a message queue would put into the queue.
struct Request {
    tenant: &'static str,
    script: &'static str,
    reply: oneshot::Sender<String>,
}

/// Runs one request and describes how it ended. Every future of wisp can be spawned.
async fn handle(session: Session, tenant: &str, script: &str) -> String {
    let command = Command::new("sh").args(["-c", script]).env("TENANT", tenant).timeout(Duration::from_secs(2));
    match session.run(command).await {
        Ok(outcome) => match &outcome.limit {
            Some(hit) => format!("ended by {} = {}", hit.limit, hit.value),
            None => format!("{}: {}", outcome.exit_code(), outcome.stdout_text().trim_end()),
        },
        Err(error) => format!("could not run: {error}"),
    }
}

/// Runs the loop of the service, which ends when the last sender of requests is dropped.
async fn serve(template: SessionTemplate, mut requests: mpsc::Receiver<Request>) -> Result<(), wisp::SessionError> {
    let places = Arc::new(Semaphore::new(4));
    let mut sessions = std::collections::HashMap::new();
    while let Some(Request { tenant, script, reply }) = requests.recv().await {
        if !sessions.contains_key(tenant) {
            sessions.insert(tenant, template.start()?);
        }
        let (session, places) = (sessions[tenant].clone(), places.clone());
        tokio::spawn(async move {
            let _place = places.acquire_owned().await;
            // Sending fails if the client has gone and needs no reply.
            let _ = reply.send(handle(session, tenant, script).await);
        });
    }
    Ok(())
}

async fn run() -> Result<(), Box<dyn std::error::Error>> {
    let policy = Policy::offline().with_value("limits.memory", "128MiB")?.with_value("limits.processes", "8")?;
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    // Map or compile the machine code before the first request waits for it.
    engine.warm(&policy).await?;
    let (sender, requests) = mpsc::channel(64);
    // The policy is checked, and tools and files are laid out, once: a session then starts in microseconds.
    let template = engine.session(&policy).build().await?.template();
    let server = tokio::spawn(serve(template, requests));

    for (tenant, script) in [
        ("ada", "echo draft > note; echo $TENANT wrote"),
        ("ada", "cat note"),
        ("bob", "cat note 2>/dev/null || echo $TENANT sees no note"),
        ("eve", "while :; do :; done"),
        ("bob", "exit 3"),
    ] {
        let (reply, answer) = oneshot::channel();
        sender.send(Request { tenant, script, reply }).await?;
        println!("{tenant}: {}", answer.await?);
    }
    drop(sender);
    Ok(server.await??)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Guests compute for up to 5 ms at a time: check sockets and timers after every poll, not after 61.
    tokio::runtime::Builder::new_multi_thread().enable_all().event_interval(1).build()?.block_on(run())
}
