//! What a receipt says, and who gets it.

use serde::Serialize;

use wisp_net::Attempt;

/// Maximum bytes of any text of a receipt: a guest chooses the path of what it starts, opens and asks for, and the server
/// chooses what is said of its answer. Enough for a URL and a rule that people wrote.
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

/// One decision; or, for refusals, several that were alike in everything but their time.
///
/// No text in it is longer than 512 bytes, and none holds a control character: what is longer ends in `…`, and `\n` stands for
/// a newline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Receipt {
    /// Nanoseconds since 1970; of several refusals, of the first.
    pub time_ns: u64,
    /// The session's id.
    pub session: String,
    /// The process it was about; 0 for the session itself.
    pub process: u32,
    /// What kind of thing was decided: `mount`, `spawn`, `exec`, `kernel`, `fork`, `http`, `secret`; for a refusal also `file`
    /// (by a mount), `import` (a function of an interface that was composed away), `limit`.
    pub what: String,
    /// What it was about: a path, a program, a function, a limit with its value.
    pub subject: String,
    /// The decision.
    pub verdict: Verdict,
    /// The rule behind it: `policies/offline.toml:3`, `command line`, `built in`.
    pub rule: String,
    /// How many refusals it stands for; 1 for what was allowed.
    pub count: u64,
    /// Of `http`: what became of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub http: Option<HttpReceipt>,
}

/// What became of a request.
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

/// Takes receipts as they happen. Called from many threads; must not block for long.
///
/// Every decision is in what it takes. What was allowed comes one by one. The first refusal of its kind (the same process,
/// thing, subject and rule) comes at once with the count 1, and those that repeat it until its command ends come together: when
/// they are as many as came before, and what is left when the command has ended. So the counts of all it takes add up to the
/// number of attempts, and a program that tries one thing a million times makes some twenty calls.
pub trait ReceiptSink: Send + Sync {
    /// Take one.
    fn record(&self, receipt: &Receipt);
}

impl HttpReceipt {
    /// What became of `attempt`.
    pub(crate) fn of(attempt: &Attempt) -> HttpReceipt {
        HttpReceipt {
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
    pub fn new(what: &str, subject: impl Into<String>, verdict: Verdict, rule: &str) -> Receipt {
        Receipt {
            time_ns: 0,
            session: String::new(),
            process: 0,
            what: what.to_owned(),
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
        size_of::<Receipt>() + self.session.len() + self.what.len() + self.subject.len() + self.rule.len() + http
    }
}

/// A text as receipts have it: no control characters, and not too long.
pub(crate) fn text(from: &str) -> String {
    let mut text = String::with_capacity(from.len().min(MAX_TEXT));
    for char in from.chars() {
        let before = text.len();
        match char {
            char if char.is_control() => text.extend(char.escape_debug()),
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
    use super::text;

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
