//! The contents of a receipt, and the sinks that receive it.

use std::fmt;

use serde::Serialize;

use crate::outcome::artifact::acts;
use wisp_net::Attempt;

/// Maximum bytes of any text of a receipt. A guest chooses the paths that it starts, opens and requests, and a server
/// chooses the text of its failure. Enough for a URL and a rule that people wrote.
const MAX_TEXT: usize = 512;

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was done.
    Allowed,
    /// It was refused.
    Denied,
}

/// The kind of a decision: what [`Receipt::subject`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ReceiptKind {
    /// A directory or file of the host was mounted.
    Mount,
    /// A program was started, or its start was refused.
    Spawn,
    /// A process continued as another program.
    Exec,
    /// A live interpreter was started.
    Interpreter,
    /// A live interpreter was forked from a snapshot.
    Fork,
    /// A request.
    Http,
    /// A secret was inserted into a request.
    Secret,
    /// A function of the host was called, or a call was refused, by the policy or by a limit of `[host]`.
    Function,
    /// A mount refused an access to a file.
    File,
    /// A function of an interface that was composed away was called.
    Import,
    /// A limit was reached.
    Limit,
    /// Receipts that are missing, because there were too many; [`Receipt::count`] is their number. wisp's command writes
    /// it at the end of its file of receipts.
    LeftOut,
}

impl ReceiptKind {
    /// Its name, as texts and JSON have it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mount => "mount",
            Self::Spawn => "spawn",
            Self::Exec => "exec",
            Self::Interpreter => "interpreter",
            Self::Fork => "fork",
            Self::Http => "http",
            Self::Secret => "secret",
            Self::Function => "function",
            Self::File => "file",
            Self::Import => "import",
            Self::Limit => "limit",
            Self::LeftOut => "left-out",
        }
    }
}

impl fmt::Display for ReceiptKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// One decision, or several refusals that differ only in their time.
///
/// No text in it is longer than 512 bytes or holds a control character: a longer text ends in `…`, and a newline is
/// written as `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Receipt {
    /// Nanoseconds since 1970; for several refusals, the time of the first.
    pub time_ns: u64,
    /// The session's id.
    pub session: String,
    /// The process that it concerns; 0 for the session itself.
    pub process: u32,
    /// The kind of decision.
    pub what: ReceiptKind,
    /// What was asked for: a path, a program, a function, a limit with its value.
    pub subject: String,
    /// The decision.
    pub verdict: Verdict,
    /// The rule that decided: `policies/offline.toml:3`, `command line`, `built in`.
    pub rule: String,
    /// How many refusals it stands for; 1 if it was allowed.
    pub count: u64,
    /// For `http`: the result of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpReceipt>,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct HttpReceipt {
    /// The address and port it was sent to.
    pub address: Option<String>,
    /// The status of the response.
    pub status: Option<u16>,
    /// Bytes of its body that were sent.
    pub sent: u64,
    /// Bytes of the response's body that arrived.
    pub received: u64,
    /// Microseconds from the request to the end of the response.
    pub duration_us: u64,
    /// How it failed, if it did.
    pub failure: Option<String>,
}

/// Receives receipts as they happen. Called from many threads; must not block for long.
///
/// It receives every decision. Allowed actions arrive one by one. The first refusal of its kind (the same process,
/// thing, subject and rule) arrives immediately with the count 1. Its repetitions during the command arrive together:
/// each time they are as many as all before, and the rest when the command has ended. So the counts add up to the
/// number of attempts, and a program that tries one thing a million times causes some twenty calls.
pub trait ReceiptSink: Send + Sync {
    /// Receives one receipt.
    fn record(&self, receipt: &Receipt);
}

impl HttpReceipt {
    /// The result of `attempt`.
    pub(crate) fn of(attempt: &Attempt) -> Self {
        Self {
            address: attempt.address.map(|address| address.to_string()),
            status: attempt.status,
            sent: attempt.sent,
            received: attempt.received,
            duration_us: u64::try_from(attempt.duration.as_micros()).unwrap_or(u64::MAX),
            failure: attempt.failure.as_deref().map(text),
        }
    }
}

impl Receipt {
    /// A receipt of one decision about the session itself, for what a program adds to those of wisp. Its time, session and
    /// process are 0 and empty until they are set.
    pub fn new(what: ReceiptKind, subject: impl Into<String>, verdict: Verdict, rule: &str) -> Self {
        Self {
            time_ns: 0,
            session: String::new(),
            process: 0,
            what,
            subject: subject.into(),
            verdict,
            rule: rule.to_owned(),
            count: 1,
            http: None,
        }
    }

    /// Bytes of memory it takes.
    pub(crate) fn cost(&self) -> usize {
        let http = self.http.iter().flat_map(|http| [&http.address, &http.failure]).flatten().map(String::len).sum::<usize>();
        size_of::<Self>() + self.session.len() + self.subject.len() + self.rule.len() + http
    }
}

/// Prepares a text for a receipt: no control characters, none that turn or hide the text around them, and not too long.
pub(crate) fn text(from: &str) -> String {
    let mut text = String::with_capacity(from.len().min(MAX_TEXT));
    for char in from.chars() {
        let before = text.len();
        match char {
            char if acts(char) => text.extend(char.escape_debug()),
            char => text.push(char),
        }
        if text.len() > MAX_TEXT {
            text.truncate(before);
            text.truncate(text.floor_char_boundary(MAX_TEXT - '…'.len_utf8()));
            text.push('…');
            return text;
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{ReceiptKind, text};

    #[test]
    fn a_kind_has_the_same_name_in_texts_and_in_json() {
        use ReceiptKind::*;
        for kind in [Mount, Spawn, Exec, Interpreter, Fork, Http, Secret, Function, File, Import, Limit, LeftOut] {
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.as_str());
        }
    }

    #[test]
    fn texts_are_cut_between_characters_and_have_no_control_characters() {
        assert_eq!(text("/mnt/a b"), "/mnt/a b");
        assert_eq!(text("a\nb\u{1b}[2J\u{9b}\u{7f}"), r"a\nb\u{1b}[2J\u{9b}\u{7f}");
        assert_eq!(text(&"x".repeat(512)), "x".repeat(512));
        assert_eq!(text(&"x".repeat(513)), "x".repeat(509) + "…");
        for long in ["ü".repeat(16_000), "\u{1b}".repeat(16_000), "x\u{10ffff}".repeat(16_000)] {
            let cut = text(&long);
            assert!(cut.len() <= 512 && cut.len() > 500 && cut.ends_with('…'), "{cut}");
        }
    }
}
