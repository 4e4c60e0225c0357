//! Reports what happens while it happens: sends events into a channel, for a log, a progress bar or a web page.
//!
//! Run it with `cargo run --release -p wisp --example events`.

#![allow(clippy::disallowed_methods, reason = "a program has tasks of its own; the library's end with a command")]

use std::sync::Arc;

use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use wisp::{Command, Components, Engine, Event, EventKind, EventSink, Policy};

/// A sink is called from many threads and must not block: it passes the event on.
struct Channel(UnboundedSender<Event>);

impl EventSink for Channel {
    fn event(&self, event: &Event) {
        // Sending fails once the service has dropped the receiver, which means that it needs no more events.
        let _ = self.0.send(event.clone());
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Engine::new(Components::from_folder("target/components")?)?;
    let (sender, mut events) = unbounded_channel();
    let session = engine.session(&Policy::offline()).events(Arc::new(Channel(sender))).build().await?;

    let printer = tokio::spawn(async move {
        while let Some(event) = events.recv().await {
            match event.kind {
                EventKind::Start { command } => println!("start: {command}"),
                EventKind::ProcessStart { process, parent, program } => println!("process {process} of {parent}: {program}"),
                EventKind::Output { stream, data } => println!("{stream:?}: {}", String::from_utf8_lossy(&data).trim_end()),
                // Program starts and limits have events of their own.
                EventKind::Receipt { receipt } if ["spawn", "limit"].contains(&receipt.kind.as_str()) => {}
                EventKind::Receipt { receipt } => println!("{} {}: {:?}", receipt.kind, receipt.subject, receipt.verdict),
                EventKind::Limit { limit } => println!("limit: {} = {}", limit.limit, limit.value),
                EventKind::End { end, .. } => println!("end: {}", end.exit_code()),
                // Compilation happens only on the first run on a machine; new versions may add kinds of events.
                _ => {}
            }
        }
    });

    session.run(Command::new("sh").args(["-c", "echo one; sleep 0; echo two >&2"])).await?;
    session.run(Command::new("curl").args(["-s", "https://docs.example/"])).await?;
    let busy = Command::new("sh").args(["-c", "while :; do :; done"]).timeout(std::time::Duration::from_millis(200));
    session.run(busy).await?;

    // The channel closes with the session, which holds the sink.
    drop(session);
    printer.await?;
    Ok(())
}
