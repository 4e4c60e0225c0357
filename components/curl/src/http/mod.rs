//! One request and its response, streamed in both directions. They are carried by the host (`wasi.rs`), by a socket of the session to a
//! server in it (`loopback.rs`) or, for tests on the building machine, by one of that machine (`native.rs`).

pub(crate) mod cookies;
pub(crate) mod date;
pub(crate) mod decode;
pub(crate) mod headers;
pub(crate) mod payload;

#[cfg(target_family = "wasm")]
mod loopback;
#[cfg(not(target_family = "wasm"))]
mod native;
#[cfg(target_family = "wasm")]
mod wasi;
mod wire;

#[cfg(not(target_family = "wasm"))]
pub(crate) use native::send;
#[cfg(target_family = "wasm")]
pub(crate) use wasi::send;

use crate::url::Url;
use headers::Headers;
use payload::Payload;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::time::{Duration, Instant};

/// A request.
pub(crate) struct Request<'a> {
    pub method: &'a str,
    pub url: &'a Url,
    pub headers: &'a Headers,
    pub payload: Option<&'a Payload>,
    pub limits: Limits,
}

/// Time limits.
#[derive(Clone, Copy, Default)]
pub(crate) struct Limits {
    /// For the connection.
    pub connect: Option<Duration>,
    /// For silence during the transfer.
    pub idle: Option<Duration>,
    /// For the whole exchange.
    pub deadline: Option<Instant>,
}

/// A response, whose body is still to be read.
pub(crate) struct Response {
    pub status: u16,
    pub headers: Headers,
    pub body: Box<dyn Body>,
    /// Bytes of the request's body that were taken.
    pub sent: u64,
}

/// A body as it arrives.
pub(crate) trait Body {
    /// Reads some bytes, none at the end.
    fn read(&mut self) -> Result<Vec<u8>, Failure>;
}

/// Why there is no response, or only a part of one.
#[derive(Debug)]
#[cfg_attr(not(target_family = "wasm"), expect(dead_code, reason = "a socket has no policy"))]
pub(crate) enum Failure {
    /// The policy denies it; with the reason, if the host gives one.
    Denied(String),
    /// The body of the request is larger than the policy allows.
    TooMuch(String),
    /// The body of the response is.
    TooLarge(String),
    /// A header that a program may not set, or that is invalid.
    Header(String),
    /// The request cannot be expressed in HTTP.
    Request(String),
    Resolve,
    Connect(String),
    ConnectTimeout,
    /// The program's own time limit was reached, or the policy's.
    Timeout,
    Tls(String),
    Certificate(String),
    /// The connection ended before a response.
    Empty,
    /// The connection ended within the response.
    Partial,
    /// The head of the response is not HTTP.
    Reply(String),
    Send(String),
    Receive(String),
    /// The body of the request could not be read.
    Source(std::io::Error),
}

impl Failure {
    /// Returns the message for people. `curl` and `wget` have their own for some errors.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Denied(reason) if reason.is_empty() => {
                "denied by wisp: this session's policy does not allow it; a rule in [network] allow would".into()
            }
            Self::Denied(reason) => format!("denied by wisp: {reason}"),
            Self::TooMuch(reason) | Self::TooLarge(reason) => format!("stopped by wisp: {reason}"),
            Self::Header(reason) | Self::Request(reason) | Self::Connect(reason) => reason.clone(),
            Self::Tls(reason) | Self::Certificate(reason) | Self::Send(reason) => reason.clone(),
            Self::Reply(reason) | Self::Receive(reason) => reason.clone(),
            Self::Resolve => "Could not resolve host".into(),
            Self::ConnectTimeout => "Connection timed out".into(),
            Self::Timeout => "Operation timed out".into(),
            Self::Empty => "Empty reply from server".into(),
            Self::Partial => "transfer closed with outstanding read data remaining".into(),
            Self::Source(error) => format!("the data to send could not be read: {}", wisp_tool::text::reason(error)),
        }
    }
}

/// Returns the addresses of the session itself that a host of a URL means; none if it is another machine.
pub(crate) fn own_addresses(host: &str) -> Vec<IpAddr> {
    let name = host.trim_matches(['[', ']']).trim_end_matches('.').to_ascii_lowercase();
    if name == "localhost" || name.ends_with(".localhost") {
        return vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
    }
    match name.parse::<IpAddr>() {
        Ok(ip) if ip.to_canonical().is_loopback() || ip.is_unspecified() => vec![ip],
        _ => Vec::new(),
    }
}

/// What a denial says too where a server of the session itself was asked for: it may yet begin to listen.
pub(crate) const NOBODY_LISTENS: &str = "and nothing in this session listens there";

/// Returns the words for a status.
pub(crate) fn phrase(status: u16) -> &'static str {
    const PHRASES: &[(u16, &str)] = &[
        (200, "OK"),
        (201, "Created"),
        (202, "Accepted"),
        (203, "Non-Authoritative Information"),
        (204, "No Content"),
        (205, "Reset Content"),
        (206, "Partial Content"),
        (300, "Multiple Choices"),
        (301, "Moved Permanently"),
        (302, "Found"),
        (303, "See Other"),
        (304, "Not Modified"),
        (307, "Temporary Redirect"),
        (308, "Permanent Redirect"),
        (400, "Bad Request"),
        (401, "Unauthorized"),
        (402, "Payment Required"),
        (403, "Forbidden"),
        (404, "Not Found"),
        (405, "Method Not Allowed"),
        (406, "Not Acceptable"),
        (408, "Request Timeout"),
        (409, "Conflict"),
        (410, "Gone"),
        (411, "Length Required"),
        (412, "Precondition Failed"),
        (413, "Payload Too Large"),
        (414, "URI Too Long"),
        (415, "Unsupported Media Type"),
        (416, "Range Not Satisfiable"),
        (418, "I'm a teapot"),
        (421, "Misdirected Request"),
        (422, "Unprocessable Entity"),
        (425, "Too Early"),
        (426, "Upgrade Required"),
        (428, "Precondition Required"),
        (429, "Too Many Requests"),
        (431, "Request Header Fields Too Large"),
        (451, "Unavailable For Legal Reasons"),
        (500, "Internal Server Error"),
        (501, "Not Implemented"),
        (502, "Bad Gateway"),
        (503, "Service Unavailable"),
        (504, "Gateway Timeout"),
        (505, "HTTP Version Not Supported"),
    ];
    PHRASES.iter().find(|(number, _)| *number == status).map_or("", |(_, phrase)| phrase)
}
