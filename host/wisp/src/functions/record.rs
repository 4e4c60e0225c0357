//! Answers of functions that are kept in a file, and given again from there: a run with functions then repeats, byte for
//! byte. The file has a line of JSON for each call, in the order in which they ended.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::io::{BufRead, BufWriter, ErrorKind, Write};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize};

use crate::wasi::{CallError, Charge, HostFailure, HostMemory, HostValue};
use wisp_api::ErrorCode;
use wisp_policy::digest::sha256;

/// Where the answers of a session's functions come from.
#[derive(Clone, Default)]
pub(crate) enum Answers {
    /// From the functions.
    #[default]
    Live,
    /// From the functions, and they are kept.
    Record(Arc<Recorder>),
    /// From an earlier run.
    Replay(HostReplay),
}

/// A line of the file.
#[derive(Serialize, Deserialize)]
struct Line {
    /// The digest of the function's name and its arguments.
    call: String,
    /// The function, for people who read the file.
    name: String,
    items: Vec<Item>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    error: Option<Ending>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Item {
    /// JSON as text, so that every byte of it stays.
    Json(String),
    Base64(String),
}

/// An error that ended a call. Refusals are not recorded: the policy decides on them again.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ending {
    Failed { name: String, message: String },
    Limited { limit: String, value: String, rule: String },
}

/// Returns the digest of a call.
fn digest(name: &str, arguments: &HostValue) -> String {
    let (kind, bytes) = match arguments {
        HostValue::Json(text) => ("json", text.as_bytes()),
        HostValue::Bytes(bytes) => ("bytes", bytes.as_slice()),
    };
    sha256([name.as_bytes(), b"\0", kind.as_bytes(), b"\0", bytes].concat())
}

/// Writes the answers of a session and its forks.
pub(crate) struct Recorder(Mutex<Box<dyn Write + Send>>);

impl Recorder {
    pub(crate) fn new(to: impl Write + Send + 'static) -> Arc<Self> {
        Arc::new(Self(Mutex::new(Box::new(to))))
    }

    /// Begins the entry of a call, which `memory` is charged for; `None` if there is no room.
    pub(super) fn entry(self: &Arc<Self>, name: &str, arguments: &HostValue, memory: &Arc<dyn HostMemory>) -> Option<Entry> {
        let charge = Charge::new(memory, (ENTRY_COST + name.len()) as u64)?;
        let line = Line { call: digest(name, arguments), name: name.to_owned(), items: Vec::new(), error: None };
        Some(Entry { recorder: self.clone(), line: Some(line), charge })
    }

    fn write(&self, line: &Line) -> std::io::Result<()> {
        let mut to = self.0.lock();
        // In pieces: the whole text would be as large again as what is kept.
        let mut to = BufWriter::new(&mut **to);
        serde_json::to_writer(&mut to, line)?;
        to.write_all(b"\n")?;
        to.flush()
    }
}

/// What an entry costs beside its name and its items: the digest, and the line that describes the call.
const ENTRY_COST: usize = 256;

/// What is kept of one call until it ends, charged to the session that called. A call that the guest gives up is kept as far as it went.
pub(super) struct Entry {
    recorder: Arc<Recorder>,
    /// `None` once it is written.
    line: Option<Line>,
    charge: Charge,
}

impl Entry {
    /// Keeps an item. Returns false, and keeps nothing, if the session's memory has no room for it.
    pub(super) fn item(&mut self, value: &HostValue) -> bool {
        let Some(line) = &mut self.line else { return true };
        let text = match value {
            HostValue::Json(text) => text.len(),
            // Base64: four bytes for three.
            HostValue::Bytes(bytes) => bytes.len().div_ceil(3).saturating_mul(4),
        };
        // The list grows by doubling.
        if !self.charge.grow((text + 2 * size_of::<Item>()) as u64) {
            return false;
        }
        line.items.push(match value {
            HostValue::Json(text) => Item::Json(text.clone()),
            HostValue::Bytes(bytes) => Item::Base64(STANDARD.encode(bytes)),
        });
        true
    }

    pub(super) fn error(&mut self, error: &CallError) {
        let ending = match error.clone() {
            CallError::Failed(HostFailure { name, message }) => Ending::Failed { name, message },
            CallError::Limited { limit, value, rule } => Ending::Limited { limit, value, rule },
            // A call that was let through is neither.
            CallError::Denied { .. } | CallError::NotFound(_) => return,
        };
        if let Some(line) = &mut self.line {
            line.error = Some(ending);
        }
    }

    /// Writes it.
    ///
    /// # Errors
    /// What the guest gets in place of an answer that could not be kept.
    pub(super) fn finish(mut self) -> Result<(), HostFailure> {
        let Some(line) = self.line.take() else { return Ok(()) };
        self.recorder.write(&line).map_err(|error| {
            tracing::error!(%error, "the answer of a function cannot be recorded");
            HostFailure::new("NotRecorded", "the answer cannot be recorded; the host's log says why")
        })
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        if let Some(line) = self.line.take()
            && let Err(error) = self.recorder.write(&line)
        {
            tracing::error!(%error, "the answers of a function cannot be recorded");
        }
    }
}

/// Answers of functions that an earlier session recorded ([`SessionBuilder::record_functions`]). Clones share the answers
/// that are left.
///
/// [`SessionBuilder::record_functions`]: crate::SessionBuilder::record_functions
#[derive(Clone)]
pub struct HostReplay(Arc<Mutex<HashMap<String, VecDeque<Line>>>>);

/// Why a file of recorded answers cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("line {line} of the recorded answers: {source}")]
#[non_exhaustive]
pub struct HostReplayError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub source: std::io::Error,
}

impl HostReplayError {
    /// Returns the code of this error: of damaged data, or of a reader that failed.
    pub fn code(&self) -> ErrorCode {
        match self.source.kind() {
            ErrorKind::InvalidData | ErrorKind::UnexpectedEof => ErrorCode::InvalidData,
            _ => ErrorCode::IoError,
        }
    }
}

impl HostReplay {
    /// Reads recorded answers.
    ///
    /// # Errors
    /// The line that cannot be read, or is none that was recorded.
    pub fn read(from: impl BufRead) -> Result<Self, HostReplayError> {
        let mut answers: HashMap<String, VecDeque<Line>> = HashMap::new();
        for (number, text) in from.lines().enumerate() {
            let wrong = |source: std::io::Error| HostReplayError { line: number + 1, source };
            let line: Line = serde_json::from_str(&text.map_err(wrong)?).map_err(|error| wrong(error.into()))?;
            answers.entry(line.call.clone()).or_default().push_back(line);
        }
        Ok(Self(Arc::new(Mutex::new(answers))))
    }

    /// Takes the next answer to this call.
    pub(super) fn next(&self, name: &str, arguments: &HostValue) -> Vec<Result<HostValue, CallError>> {
        let failed = |message: &str| Err(CallError::Failed(HostFailure::new("NotRecorded", message)));
        let Some(line) = self.0.lock().get_mut(&digest(name, arguments)).and_then(VecDeque::pop_front) else {
            return vec![failed("the recorded run did not make this call, or not as often")];
        };
        let mut items: Vec<_> = line
            .items
            .into_iter()
            .map(|item| match item {
                Item::Json(text) => Ok(HostValue::Json(text)),
                Item::Base64(text) => match STANDARD.decode(text) {
                    Ok(bytes) => Ok(HostValue::Bytes(bytes)),
                    Err(_) => failed("the recorded answer is damaged: it is not base64"),
                },
            })
            .collect();
        items.extend(line.error.map(|error| {
            Err(match error {
                Ending::Failed { name, message } => CallError::Failed(HostFailure::new(name, message)),
                Ending::Limited { limit, value, rule } => CallError::Limited { limit, value, rule },
            })
        }));
        items
    }
}

impl fmt::Debug for HostReplay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let left: usize = self.0.lock().values().map(VecDeque::len).sum();
        f.debug_struct("HostReplay").field("left", &left).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wasi::Account;

    /// What was written, readable while the recorder has it.
    #[derive(Clone, Default)]
    struct Shared(Arc<Mutex<Vec<u8>>>);

    impl Write for Shared {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().extend_from_slice(bytes);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    fn json(text: &str) -> HostValue {
        HostValue::Json(text.to_owned())
    }

    #[test]
    fn answers_come_back_in_order_by_function_and_arguments() {
        let file = Shared::default();
        let (recorder, (_, memory)) = (Recorder::new(file.clone()), Account::of(1 << 20));
        for (name, arguments, answer) in [("f", "{}", "1"), ("f", "{}", "2.0"), ("g", "{}", "3"), ("f", "{\"a\":1}", "4")] {
            let mut entry = recorder.entry(name, &json(arguments), &memory).expect("there is room");
            assert!(entry.item(&json(answer)));
            entry.finish().expect("it is written");
        }
        let mut entry = recorder.entry("g", &HostValue::Bytes(b"{}".to_vec()), &memory).expect("there is room");
        assert!(entry.item(&HostValue::Bytes(vec![0, 255])));
        entry.error(&CallError::Failed(HostFailure::new("Gone", "no more")));
        entry.finish().expect("it is written");
        let replay = HostReplay::read(file.0.lock().as_slice()).expect("what was recorded");
        let next = |name: &str, arguments: &HostValue| replay.next(name, arguments);
        assert_eq!(next("f", &json("{\"a\":1}")), [Ok(json("4"))]);
        assert_eq!(next("f", &json("{}")), [Ok(json("1"))]);
        assert_eq!(next("f", &json("{}")), [Ok(json("2.0"))], "its text, not its value");
        let gone = CallError::Failed(HostFailure::new("Gone", "no more"));
        assert_eq!(next("g", &HostValue::Bytes(b"{}".to_vec())), [Ok(HostValue::Bytes(vec![0, 255])), Err(gone)]);
        assert_eq!(next("g", &json("{}")), [Ok(json("3"))]);
        let missing = next("g", &json("{}"));
        assert!(matches!(&missing[..], [Err(CallError::Failed(failure))] if failure.name == "NotRecorded"), "{missing:?}");
    }

    #[test]
    fn a_call_that_is_given_up_is_kept_as_far_as_it_went() {
        let file = Shared::default();
        let mut entry = Recorder::new(file.clone()).entry("f", &json("{}"), &Account::of(1 << 20).1).expect("there is room");
        assert!(entry.item(&json("1")));
        drop(entry);
        let replay = HostReplay::read(file.0.lock().as_slice()).expect("what was recorded");
        assert_eq!(replay.next("f", &json("{}")), [Ok(json("1"))]);
    }

    #[test]
    fn what_is_kept_until_the_call_ends_is_charged() {
        let (recorder, (left, memory)) = (Recorder::new(Shared::default()), Account::of(10_000));
        let mut entry = recorder.entry("f", &json("{}"), &memory).expect("there is room");
        assert!(entry.item(&json(&"1".repeat(4000))) && left.left() < 6000);
        assert!(entry.item(&HostValue::Bytes(vec![0; 3000])) && left.left() < 2000, "base64: {}", left.left());
        let before = left.left();
        assert!(!entry.item(&json(&"1".repeat(2000))), "there is no room for it");
        assert_eq!(left.left(), before);
        assert!(recorder.entry(&"f".repeat(2000), &json("{}"), &memory).is_none());
        entry.finish().expect("it is written");
        assert_eq!(left.left(), 10_000, "what is written is kept no longer");
        // Items without text cost as well.
        let mut entry = recorder.entry("f", &json("{}"), &memory).expect("there is room");
        assert!((0..1000).any(|_| !entry.item(&json(""))));
    }

    #[test]
    fn a_damaged_line_is_named() {
        let error = HostReplay::read(&b"{\"call\":\"x\",\"name\":\"f\",\"items\":[]}\nno\n"[..]).expect_err("a damaged line");
        assert_eq!(error.line, 2);
    }
}
