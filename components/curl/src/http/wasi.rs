//! The host's client: `wasi:http/outgoing-handler`, where the policy's gate decides.

use super::{
    Body, Failure, Limits, NOBODY_LISTENS, Request, Response, headers::Headers, headers::title, loopback, own_addresses, payload::Payload,
};
use std::io::Read;
use std::time::{Duration, Instant};

#[allow(missing_docs)]
pub(super) mod bindings {
    wit_bindgen::generate!({
        inline: "
            package wisp:curl;
            world client {
                import wasi:clocks/monotonic-clock@0.2.12;
                import wasi:http/outgoing-handler@0.2.12;
                import wisp:sandbox/network@0.1.0;
                import wisp:sandbox/loopback@0.1.0;
                import wisp:sandbox/process@0.1.0;
            }
        ",
        path: "../../wit",
        world: "wisp:curl/client",
        generate_all,
    });
}

use bindings::wasi::clocks::monotonic_clock::subscribe_duration;
use bindings::wasi::http::outgoing_handler::handle;
use bindings::wasi::http::types as http;
use bindings::wasi::io::poll::{Pollable, poll};
use bindings::wasi::io::streams::{InputStream, OutputStream, StreamError};
use bindings::wisp::sandbox::network::last_failure;
use http::{ErrorCode, HeaderError, Method, Scheme};

/// Maximum bytes of one read.
const PIECE: u64 = 64 << 10;

/// Sends a request and waits for the head of its response: to a server of this session, if one listens at the address, and else through
/// the policy's gate.
pub(crate) fn send(request: &Request) -> Result<Response, Failure> {
    let own = if request.url.scheme == "http" { own_addresses(&request.url.host) } else { Vec::new() };
    if let Some(answer) = loopback::send(request, &own) {
        return answer;
    }
    outside(request).map_err(|failure| {
        let Failure::Denied(mut reason) = failure else { return failure };
        if reason.is_empty() {
            reason = no_network(request, !own.is_empty());
        }
        if !own.is_empty() {
            let (first, help) = reason.split_at(reason.find('\n').unwrap_or(reason.len()));
            reason = format!("{first}; {NOBODY_LISTENS}{help}");
        }
        Failure::Denied(reason)
    })
}

/// Returns why a policy without `[network]` denies a request, and what would allow it. An option cannot allow addresses of the machine.
fn no_network(request: &Request, own: bool) -> String {
    let (url, method) = (request.url, request.method);
    let whole = format!("{}://{}/", url.scheme, url.authority());
    let (option, methods) = match method {
        "GET" | "HEAD" => (whole.clone(), String::new()),
        _ => (format!("'{method} {whole}'"), format!(", methods = [\"{method}\"]")),
    };
    let help = if own {
        format!(
            "`[network]` with `allow = [{{ url = \"{whole}\"{methods}, allow_private = true }}]` in the policy allows what the machine serves"
        )
    } else {
        format!("`--allow {option}` allows it, or `[network]` with `allow = [{{ url = \"{whole}\"{methods} }}]` in the policy")
    };
    format!("the policy grants no network\n  help: {help}")
}

/// Sends a request through the policy's gate.
fn outside(request: &Request) -> Result<Response, Failure> {
    let outgoing = message(request)?;
    let options = http::RequestOptions::new();
    // A host that does not support one of them returns an error; its own limits apply then.
    let _ = options.set_connect_timeout(request.limits.connect.map(nanoseconds));
    let _ = options.set_between_bytes_timeout(request.limits.idle.map(nanoseconds));
    let _ = options.set_first_byte_timeout(request.limits.idle.map(nanoseconds));
    let body = match request.payload {
        Some(_) => Some(outgoing.body().map_err(|()| Failure::Request("the request has no body".into()))?),
        None => None,
    };
    let answer = handle(outgoing, Some(options)).map_err(failure)?;
    let sent = match (body, request.payload) {
        (Some(body), Some(payload)) => upload(body, payload, &answer, request.limits)?,
        _ => 0,
    };
    let response = loop {
        match answer.get() {
            Some(Ok(response)) => {
                break response.map_err(|code| match failure(code) {
                    Failure::Partial => Failure::Empty, // nothing has come yet
                    other => other,
                })?;
            }
            Some(Err(())) => return Err(Failure::Empty),
            None => wait(&[&answer.subscribe()], request.limits.deadline)?,
        }
    };
    let mut headers = Headers::default();
    for (name, value) in response.headers().entries() {
        headers.push(&title(&name), value);
    }
    let body = response.consume().map_err(|()| Failure::Empty)?;
    let stream = body.stream().map_err(|()| Failure::Empty)?;
    let status = response.status();
    Ok(Response { status, headers, body: Box::new(Incoming { stream, _body: body, _response: response, limits: request.limits }), sent })
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// Returns the request as the host takes it.
fn message(request: &Request) -> Result<http::OutgoingRequest, Failure> {
    let fields = http::Fields::new();
    for (name, value) in &request.headers.0 {
        fields.append(name, value).map_err(|error| {
            Failure::Header(match error {
                HeaderError::Forbidden => format!("wisp does not let a program set the header {name}: it is the host's; leave it out"),
                _ => format!("'{name}: {}' is no header of HTTP", String::from_utf8_lossy(value)),
            })
        })?;
    }
    let outgoing = http::OutgoingRequest::new(fields);
    let scheme = if request.url.scheme == "https" { Scheme::Https } else { Scheme::Http };
    let method = match request.method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        "POST" => Method::Post,
        "PUT" => Method::Put,
        "DELETE" => Method::Delete,
        "CONNECT" => Method::Connect,
        "OPTIONS" => Method::Options,
        "TRACE" => Method::Trace,
        "PATCH" => Method::Patch,
        other => Method::Other(other.to_owned()),
    };
    let refused = |what: &str, value: &str| Failure::Request(format!("'{value}' is not a {what} of HTTP"));
    outgoing.set_method(&method).map_err(|()| refused("method", request.method))?;
    outgoing.set_scheme(Some(&scheme)).map_err(|()| refused("scheme", &request.url.scheme))?;
    outgoing.set_authority(Some(&request.url.authority())).map_err(|()| refused("host", &request.url.authority()))?;
    outgoing.set_path_with_query(Some(&request.url.target())).map_err(|()| refused("path", &request.url.target()))?;
    Ok(outgoing)
}

/// Sends the body as fast as it is taken, and stops if the response arrives first. Returns how many bytes were taken.
fn upload(body: http::OutgoingBody, payload: &Payload, answer: &http::FutureIncomingResponse, limits: Limits) -> Result<u64, Failure> {
    let stream = body.write().map_err(|()| Failure::Send("the request's body cannot be written".into()))?;
    let early = answer.subscribe();
    let (mut reader, mut buffer, mut sent) = (payload.open(), vec![0; PIECE as usize], 0);
    let complete = loop {
        let count = reader.read(&mut buffer).map_err(Failure::Source)?;
        if count == 0 {
            break room(&stream, &early, limits)?.is_some() && stream.flush().is_ok();
        }
        let mut piece = &buffer[..count];
        while !piece.is_empty() {
            let Some(room) = room(&stream, &early, limits)? else { break };
            let (now, later) = piece.split_at(piece.len().min(room as usize));
            if stream.write(now).is_err() {
                break;
            }
            sent += now.len() as u64;
            piece = later;
        }
        if !piece.is_empty() {
            break false;
        }
    };
    drop(stream);
    if complete {
        // The error arrives with the response.
        let _ = http::OutgoingBody::finish(body, None);
    }
    Ok(sent)
}

/// Waits until the stream can take bytes; `None` if it never will, or if the response arrives first.
fn room(stream: &OutputStream, early: &Pollable, limits: Limits) -> Result<Option<u64>, Failure> {
    loop {
        match stream.check_write() {
            Ok(0) if early.ready() => return Ok(None),
            Ok(0) => wait(&[&stream.subscribe(), early], limits.deadline)?,
            Ok(room) => return Ok(Some(room)),
            Err(_) => return Ok(None),
        }
    }
}

/// Waits for one of these, at most until the deadline.
fn wait(pollables: &[&Pollable], deadline: Option<Instant>) -> Result<(), Failure> {
    let Some(deadline) = deadline else {
        poll(pollables);
        return Ok(());
    };
    let left = deadline.saturating_duration_since(Instant::now());
    let timer = subscribe_duration(nanoseconds(left));
    let all: Vec<&Pollable> = pollables.iter().copied().chain([&timer]).collect();
    match poll(&all)[..] {
        [only] if only as usize == pollables.len() => Err(Failure::Timeout),
        _ => Ok(()),
    }
}

/// A response's body. The order of the fields is the order of dropping: a stream before its owner.
struct Incoming {
    stream: InputStream,
    _body: http::IncomingBody,
    _response: http::IncomingResponse,
    limits: Limits,
}

impl Body for Incoming {
    fn read(&mut self) -> Result<Vec<u8>, Failure> {
        loop {
            match self.stream.read(PIECE) {
                Ok(data) if data.is_empty() => wait(&[&self.stream.subscribe()], self.limits.deadline)?,
                Ok(data) => return Ok(data),
                Err(StreamError::Closed) => return Ok(Vec::new()),
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(match http::http_error_code(&error) {
                        // Something has come already: chunks that are none, or a connection that broke.
                        Some(ErrorCode::ConnectionTerminated) => {
                            Failure::Receive(said().unwrap_or_else(|| "Recv failure: Connection reset by peer".into()))
                        }
                        Some(code) => failure(code),
                        None => Failure::Receive(error.to_debug_string()),
                    });
                }
            }
        }
    }
}

/// Returns the host's explanation of its last error: the reason, the rule, and the help.
fn said() -> Option<String> {
    let failure = last_failure()?;
    let mut text = failure.reason;
    if !failure.rule.is_empty() {
        text += &format!(" ({})", failure.rule);
    }
    if let Some(help) = failure.help {
        text += &format!("\n  help: {help}");
    }
    Some(text)
}

/// Converts the host's error codes to the errors that curl and wget distinguish.
fn failure(code: ErrorCode) -> Failure {
    let said = said();
    let text = |usual: &str| said.clone().unwrap_or_else(|| usual.to_owned());
    match code {
        // Without the host's words, there is no network: `send` says what would allow the request.
        ErrorCode::HttpRequestDenied => Failure::Denied(text("")),
        ErrorCode::DestinationIpProhibited => Failure::Denied(text("the policy does not allow this address")),
        ErrorCode::ConnectionLimitReached => Failure::Denied(text("too many requests at once")),
        ErrorCode::HttpRequestBodySize(_) => Failure::TooMuch(text("the request is larger than the policy allows")),
        ErrorCode::HttpResponseBodySize(_) => Failure::TooLarge(text("the response is larger than the policy allows")),
        ErrorCode::DnsTimeout | ErrorCode::DnsError(_) | ErrorCode::DestinationNotFound => Failure::Resolve,
        ErrorCode::ConnectionRefused | ErrorCode::DestinationUnavailable | ErrorCode::DestinationIpUnroutable => {
            Failure::Connect("Couldn't connect to server".into())
        }
        ErrorCode::ConnectionTimeout => Failure::ConnectTimeout,
        ErrorCode::ConnectionReadTimeout | ErrorCode::ConnectionWriteTimeout | ErrorCode::HttpResponseTimeout => Failure::Timeout,
        ErrorCode::TlsCertificateError => Failure::Certificate(text("the certificate is not trusted")),
        ErrorCode::TlsProtocolError | ErrorCode::TlsAlertReceived(_) => Failure::Tls(text("the TLS handshake failed")),
        ErrorCode::HttpResponseIncomplete => Failure::Partial,
        ErrorCode::ConnectionTerminated => Failure::Empty,
        ErrorCode::HttpRequestMethodInvalid | ErrorCode::HttpRequestUriInvalid | ErrorCode::HttpRequestUriTooLong => {
            Failure::Request(text("the request cannot be said in HTTP"))
        }
        ErrorCode::HttpRequestHeaderSectionSize(_) | ErrorCode::HttpRequestHeaderSize(_) => {
            Failure::Header(text("the headers are too large"))
        }
        other => Failure::Receive(text(&other.to_string())),
    }
}
