//! What a session tells while a command runs in it, receipts, events, tools that are compiled: to the client of that command.

use std::io::{self, Write};

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;
use wisp::{CompileEvent, End, Event, EventKind, EventSink, LimitHit, Outcome, Receipt, ReceiptSink};

use super::documents::Compiling;
use super::wire::Kind;
use crate::lines::{EventFile, ReceiptFile};

/// Frames for a client.
pub(super) type Frames = UnboundedSender<(Kind, Vec<u8>)>;

/// The rule that the library gives the time limit of one command, and the rule that `wisp run --timeout` has.
const OF_COMMAND: &str = "host program";
const OF_OPTION: &str = "command line";

/// Receives what the session tells, and passes it on to the client of the command that runs.
pub(super) struct Told {
    state: Mutex<State>,
    /// Shows what is compiled before the first command.
    progress: Box<dyn Fn(CompileEvent) + Send + Sync>,
}

#[derive(Default)]
struct State {
    client: Option<Client>,
    /// Whether a command has run. What the session told before is for the first one, which it is made for.
    used: bool,
    receipts: Vec<Receipt>,
    compiled: Vec<CompileEvent>,
}

/// Where it goes. What is queued is bounded: these files end after 64 MiB.
struct Client {
    frames: Frames,
    receipts: Option<ReceiptFile>,
    events: Option<EventFile>,
}

impl Told {
    /// Makes one without a client.
    pub(super) fn new(progress: impl Fn(CompileEvent) + Send + Sync + 'static) -> Self {
        Self { state: Mutex::default(), progress: Box::new(progress) }
    }

    /// Passes everything on to the client of `frames` from now on: lines of receipts and of events, if it wants those.
    pub(super) fn attach(&self, frames: &Frames, receipts: bool, events: bool) {
        let lines = |kind| Box::new(Lines { kind, frames: frames.clone() });
        let receipts = receipts.then(|| ReceiptFile::to(lines(Kind::Receipts)));
        let events = events.then(|| EventFile::to(lines(Kind::Events)));
        let mut state = self.state.lock();
        let client = Client { frames: frames.clone(), receipts, events };
        std::mem::take(&mut state.receipts).iter().for_each(|receipt| client.receipt(receipt));
        std::mem::take(&mut state.compiled).into_iter().for_each(|event| client.compiled(event));
        (state.used, state.client) = (true, Some(client));
    }

    /// Ends the lines of this client. `session` is the id in them.
    pub(super) fn detach(&self, session: &str) {
        let client = self.state.lock().client.take();
        if let Some(receipts) = client.and_then(|client| client.receipts) {
            receipts.finish(session);
        }
    }

    /// Receives what the engine reports.
    pub(super) fn compile(&self, event: CompileEvent) {
        let mut state = self.state.lock();
        match &state.client {
            Some(client) => {
                client.compiled(event.clone());
                client.compiling(event);
            }
            None if !state.used => {
                state.compiled.push(event.clone());
                drop(state);
                (self.progress)(event);
            }
            None => {}
        }
    }
}

impl ReceiptSink for Told {
    fn record(&self, receipt: &Receipt) {
        let mut state = self.state.lock();
        match &state.client {
            Some(client) => client.receipt(receipt),
            None if !state.used => state.receipts.push(receipt.clone()),
            None => {}
        }
    }
}

impl EventSink for Told {
    fn event(&self, event: &Event) {
        if let Some(client) = &self.state.lock().client {
            client.event(event);
        }
    }
}

impl Client {
    fn receipt(&self, receipt: &Receipt) {
        if let Some(file) = &self.receipts {
            file.record(&by_option(receipt));
        }
    }

    fn compiled(&self, event: CompileEvent) {
        if let Some(file) = &self.events {
            file.compile(event);
        }
    }

    fn event(&self, event: &Event) {
        let Some(file) = &self.events else { return };
        let mut event = event.clone();
        match &mut event.kind {
            EventKind::Receipt { receipt } => *receipt = by_option(receipt),
            EventKind::Limit { limit } => rename(&mut limit.rule),
            EventKind::End { end, limit, .. } => rename_limits(end, limit.as_mut()),
            _ => {}
        }
        file.event(&event);
    }

    /// Has the client show what is compiled.
    fn compiling(&self, event: CompileEvent) {
        let compiling = match event {
            CompileEvent::Started { tool } => Compiling { tool, done: false },
            CompileEvent::Finished { tool } => Compiling { tool, done: true },
            _ => return,
        };
        if let Ok(document) = serde_json::to_vec(&compiling) {
            // A client that is gone is shown nothing.
            let _ = self.frames.send((Kind::Compiling, document));
        }
    }
}

/// Gives the limits of an outcome the rule that they have without a helper.
pub(super) fn rename_outcome(outcome: &mut Outcome) {
    rename_limits(&mut outcome.end, outcome.limit.as_mut());
    outcome.receipts.iter_mut().for_each(|receipt| rename(&mut receipt.rule));
}

fn rename_limits(end: &mut End, limit: Option<&mut LimitHit>) {
    if let End::Limit(hit) = end {
        rename(&mut hit.rule);
    }
    if let Some(hit) = limit {
        rename(&mut hit.rule);
    }
}

fn by_option(receipt: &Receipt) -> Receipt {
    let mut receipt = receipt.clone();
    rename(&mut receipt.rule);
    receipt
}

fn rename(rule: &mut String) {
    if rule.as_str() == OF_COMMAND {
        OF_OPTION.clone_into(rule);
    }
}

/// Lines of one kind, as frames.
struct Lines {
    kind: Kind,
    frames: Frames,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        // A client that is gone has no file.
        let _ = self.frames.send((self.kind, bytes.to_vec()));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::mpsc::unbounded_channel;
    use wisp::{ReceiptKind, Verdict};

    use super::*;

    #[test]
    fn a_client_is_told_what_happens_during_its_command_and_the_first_one_what_was_before() {
        let told = Told::new(|_| {});
        let receipt = |subject: &str| Receipt::new(ReceiptKind::File, subject, Verdict::Denied, OF_COMMAND);
        told.record(&receipt("mounted"));
        for expected in ["mounted", "during"] {
            let (frames, mut queue) = unbounded_channel();
            told.attach(&frames, true, false);
            if expected == "during" {
                told.record(&receipt("during"));
            }
            told.detach("s");
            told.record(&receipt("after"));
            drop(frames);
            let mut lines = String::new();
            while let Some((kind, bytes)) = queue.blocking_recv() {
                assert_eq!(kind, Kind::Receipts);
                lines.push_str(std::str::from_utf8(&bytes).unwrap());
            }
            assert!(lines.lines().count() == 1 && lines.contains(expected) && lines.contains(OF_OPTION), "{lines}");
        }
    }
}
