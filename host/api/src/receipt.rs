//! Receipts: the decisions made while a command ran.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It was done.
    Allowed,
    /// It was refused.
    Denied,
}

/// The kind of a decision: what [`Receipt::subject`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
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
    /// Returns its name, as texts and JSON have it.
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
/// No text in a receipt that wisp made is longer than 512 bytes or holds a control character: a longer text ends in `…`, and a
/// newline is written as `\n`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Receipt {
    /// Nanoseconds since 1970; for several refusals, the time of the first.
    pub time_ns: u64,
    /// The session's id.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub session: String,
    /// The process that it concerns; 0 for the session itself.
    pub process: u32,
    /// The kind of decision.
    pub kind: ReceiptKind,
    /// What was asked for: a path, a program, a function, a limit with its value.
    pub subject: String,
    /// The decision.
    pub verdict: Verdict,
    /// The rule that decided: `policies/offline.toml:3`, `command line`, `built in`.
    pub rule: String,
    /// How many refusals it stands for; 1 if it was allowed.
    pub count: u64,
    /// For `http`: the result of the request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpReceipt>,
}

/// The result of a request.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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

impl Receipt {
    /// Returns a receipt of one decision about the session itself, for what a program adds to those of wisp. Its time, session
    /// and process are 0 and empty until they are set.
    pub fn new(kind: ReceiptKind, subject: impl Into<String>, verdict: Verdict, rule: &str) -> Self {
        Self {
            time_ns: 0,
            session: String::new(),
            process: 0,
            kind,
            subject: subject.into(),
            verdict,
            rule: rule.to_owned(),
            count: 1,
            http: None,
        }
    }
}
