//! Files of JSON lines that are written while a command runs: `--receipts` and `--events`.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;

use crate::json;
use crate::outputs::Standard;
use anyhow::Context;
use serde::Serialize;
use wisp::{CompileEvent, Event, EventKind, EventSink, Receipt, ReceiptKind, ReceiptSink, Verdict};

/// Maximum bytes of such a file: some 200,000 receipts. A command that is refused something new at every step would
/// otherwise fill a disk in minutes.
const MAX_FILE: u64 = 64 << 20;

/// A file of JSON lines. If it is a pipe, the command waits until its lines are read.
pub(crate) struct Lines(Mutex<Place>);

struct Place {
    out: Box<dyn Write + Send>,
    room: u64,
    left_out: u64,
}

impl Lines {
    /// Creates the file at `path`, given by `option`; `-` is standard error.
    pub(crate) fn create(option: &str, path: &Path) -> anyhow::Result<Self> {
        Ok(Self::to(create(option, path)?, MAX_FILE))
    }

    fn to(out: Box<dyn Write + Send>, room: u64) -> Self {
        Self(Mutex::new(Place { out, room, left_out: 0 }))
    }

    /// Writes a line if there is room for it; `count` is the number of receipts or events that it represents.
    fn write(&self, line: &impl Serialize, count: u64) {
        let Ok(line) = json::line(line) else { return };
        let mut place = self.0.lock();
        // After the first line without room, none is written: a file with a gap in the middle would mislead.
        match place.room.checked_sub(line.len() as u64).filter(|_| place.left_out == 0) {
            Some(room) => place.room = room,
            None => {
                place.left_out = place.left_out.saturating_add(count);
                return;
            }
        }
        put(&mut *place.out, line.as_bytes());
    }

    /// Writes a line although the file is full: one of its last.
    fn close<T: Serialize>(&self, line: impl FnOnce(u64) -> Option<T>) {
        let mut place = self.0.lock();
        if let Some(line) = line(place.left_out).and_then(|line| json::line(&line).ok()) {
            put(&mut *place.out, line.as_bytes());
        }
    }
}

/// Creates the file at `path`, given by `option`; `-` is standard error.
pub(crate) fn create(option: &str, path: &Path) -> anyhow::Result<Box<dyn Write + Send>> {
    if path.as_os_str() == "-" {
        return Ok(Box::new(Standard::Error.writer()));
    }
    Ok(Box::new(File::create(path).with_context(|| format!("{option} {}", path.display()))?))
}

/// Writes lines. A failure is logged: it is none of the command's.
pub(crate) fn put(out: &mut dyn Write, bytes: &[u8]) {
    if let Err(error) = out.write_all(bytes).and_then(|()| out.flush()) {
        tracing::error!(%error, "a line of --receipts or --events could not be written");
    }
}

/// `--receipts FILE`.
pub(crate) struct ReceiptFile(Lines);

impl ReceiptFile {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(Lines::create("--receipts", path)?))
    }

    /// Returns the same lines, written there.
    pub(crate) fn to(out: Box<dyn Write + Send>) -> Self {
        Self(Lines::to(out, MAX_FILE))
    }

    /// Ends the file: reports how many receipts were left out, as a receipt.
    pub(crate) fn finish(&self, session: &str) {
        self.0.close(|left_out| {
            let subject = format!("receipts after the first {} MiB of this file", MAX_FILE >> 20);
            let mut receipt = Receipt::new(ReceiptKind::LeftOut, subject, Verdict::Denied, "built in");
            (receipt.time_ns, receipt.session, receipt.count) = (now(), session.to_owned(), left_out);
            (left_out > 0).then_some(receipt)
        });
    }
}

impl ReceiptSink for ReceiptFile {
    fn record(&self, receipt: &Receipt) {
        self.0.write(receipt, receipt.count);
    }
}

/// `--events FILE`.
pub(crate) struct EventFile(Lines);

impl EventFile {
    pub(crate) fn create(path: &Path) -> anyhow::Result<Self> {
        Ok(Self(Lines::create("--events", path)?))
    }

    /// Returns the same lines, written there.
    pub(crate) fn to(out: Box<dyn Write + Send>) -> Self {
        Self(Lines::to(out, MAX_FILE))
    }

    /// Receives what the engine reports, before and during a session.
    pub(crate) fn compile(&self, event: CompileEvent) {
        let (tool, done) = match event {
            CompileEvent::Started { tool } => (tool, false),
            CompileEvent::Finished { tool } => (tool, true),
            _ => return,
        };
        self.event(&Event::new(now(), EventKind::Compile { tool, done }));
    }
}

impl EventSink for EventFile {
    fn event(&self, event: &Event) {
        let EventKind::End { .. } = event.kind else {
            self.0.write(event, 1);
            return;
        };
        self.0.close(|_| Some(event));
        self.0.close(|count| {
            let mut left_out = event.clone();
            left_out.kind = EventKind::LeftOut { count };
            (count > 0).then_some(left_out)
        });
    }
}

fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(now.as_nanos()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    #[derive(Clone, Default)]
    struct Kept(Arc<Mutex<Vec<u8>>>);

    impl Write for Kept {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_full_file_ends_with_the_number_of_what_is_not_in_it() {
        let kept = Kept::default();
        let file = ReceiptFile(Lines::to(Box::new(kept.clone()), 1_000));
        let receipt = |count| {
            let mut receipt = Receipt::new(ReceiptKind::File, "x".repeat(200), Verdict::Denied, "policy:1");
            (receipt.time_ns, receipt.session, receipt.process, receipt.count) = (1, "s".to_owned(), 1, count);
            receipt
        };
        for count in 1..=10 {
            file.record(&receipt(count));
        }
        file.finish("s");
        let text = String::from_utf8(kept.0.lock().clone()).unwrap();
        let lines: Vec<serde_json::Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let counts: Vec<u64> = lines.iter().map(|line| line["count"].as_u64().unwrap()).collect();
        assert_eq!(counts, [1, 2, 3, 4 + 5 + 6 + 7 + 8 + 9 + 10]);
        assert_eq!(lines.last().unwrap()["kind"], "left-out");
        assert!(text.len() < 1_500);
    }
}
