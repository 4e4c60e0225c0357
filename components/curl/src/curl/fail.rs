//! curl's exit codes and messages.

use crate::http::Failure;
use crate::url::{Bad, Url};

/// How a transfer, or the whole run, failed.
#[derive(Clone, Debug)]
pub(super) struct Fail {
    pub code: u8,
    pub text: String,
}

/// Returns a failure with this message.
pub(super) fn fail(code: u8, text: impl Into<String>) -> Fail {
    Fail { code, text: text.into() }
}

impl From<Bad> for Fail {
    fn from(bad: Bad) -> Self {
        match bad {
            Bad::Scheme(scheme) => fail(1, format!("Protocol \"{scheme}\" not supported or disabled in libcurl")),
            Bad::Port | Bad::Host | Bad::Malformed => fail(3, "URL using bad/illegal format or missing URL"),
        }
    }
}

/// Returns the failure of an exchange, in curl's words where it has some, after `seconds` seconds and `received` bytes.
pub(super) fn of_failure(failure: &Failure, url: &Url, seconds: f64, received: u64, expected: Option<u64>) -> Fail {
    let (host, port, milliseconds) = (&url.host, url.port(), (seconds * 1000.0) as u64);
    match failure {
        Failure::Denied(_) => fail(7, format!("Failed to connect to {host} port {port}: {}", failure.text())),
        Failure::TooMuch(_) => fail(55, failure.text()),
        Failure::TooLarge(_) => fail(63, failure.text()),
        Failure::Header(text) => fail(43, text.clone()),
        Failure::Request(text) => fail(3, text.clone()),
        Failure::Resolve => fail(6, format!("Could not resolve host: {host}")),
        Failure::Connect(text) => fail(7, format!("Failed to connect to {host} port {port} after {milliseconds} ms: {text}")),
        Failure::ConnectTimeout => {
            fail(28, format!("Failed to connect to {host} port {port} after {milliseconds} ms: Timeout was reached"))
        }
        Failure::Timeout => {
            let of = expected.map_or(String::new(), |expected| format!(" out of {expected}"));
            fail(28, format!("Operation timed out after {milliseconds} milliseconds with {received}{of} bytes received"))
        }
        Failure::Tls(text) => fail(35, text.clone()),
        Failure::Certificate(text) => fail(60, format!("SSL certificate problem: {text}")),
        Failure::Empty => fail(52, failure.text()),
        Failure::Partial => match expected {
            Some(expected) => fail(18, format!("transfer closed with {} bytes remaining to read", expected.saturating_sub(received))),
            None => fail(18, failure.text()),
        },
        Failure::Reply(text) => fail(8, text.clone()),
        Failure::Send(text) => fail(55, text.clone()),
        Failure::Receive(text) => fail(56, text.clone()),
        Failure::Source(_) => fail(26, "Failed to open/read local data from file/application"),
    }
}
