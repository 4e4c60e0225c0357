//! The texts of a receipt, and the sinks that receive receipts and events.

use crate::outcome::artifact::acts;
use wisp_api::{Event, HttpReceipt, Receipt};
use wisp_net::{Attempt, MAX_TEXT};

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

/// Returns the result of `attempt`.
pub(crate) fn http_receipt(attempt: &Attempt) -> HttpReceipt {
    HttpReceipt {
        address: attempt.address.map(|address| address.to_string()),
        status: attempt.status,
        sent: attempt.sent,
        received: attempt.received,
        duration_us: u64::try_from(attempt.duration.as_micros()).unwrap_or(u64::MAX),
        failure: attempt.failure.as_deref().map(text),
    }
}

/// Returns the bytes of memory that a receipt takes.
pub(crate) fn cost(receipt: &Receipt) -> usize {
    let http = receipt.http.iter().flat_map(|http| [&http.address, &http.failure]).flatten().map(String::len).sum::<usize>();
    size_of::<Receipt>() + receipt.session.len() + receipt.subject.len() + receipt.rule.len() + http
}

/// Receives events as they happen. Called from many threads; must not block for long.
pub trait EventSink: Send + Sync {
    /// Receives one event.
    fn event(&self, event: &Event);
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
