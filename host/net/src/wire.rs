//! What a server sends, as hyper reads it: the only file that sees a response before it is masked. Everything that
//! leaves it is [`Unmasked`], except numbers.

use core::pin::Pin;
use core::task::{Context, Poll};
use std::error::Error;

use bytes::Bytes;
use http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_TYPE, HOST, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
use http_body::Body;
use hyper::body::Incoming;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::task::AbortHandle;

use super::connect::Connection;
use super::failure::{By, Code, Failure};
use super::gate::Permit;
use super::headers;
use super::mask::Needles;
use super::request_body::RequestBody;
use super::unmasked::Unmasked;

/// Maximum bytes of a response that the client holds, including its head. Attack: a head without end. Large enough not
/// to slow a download down.
const BUFFER: usize = 256 << 10;

/// Maximum headers of a response.
const MAX_RESPONSE_HEADERS: usize = 256;

/// The head of a response.
pub(super) struct Head {
    pub(super) status: StatusCode,
    fields: Unmasked<HeaderMap>,
}

/// What decides whether a response is passed on.
pub(super) struct Asked<'a> {
    /// The method of the request.
    pub(super) method: &'a Method,
    /// Whether a secret was put into it.
    pub(super) secret: bool,
    /// Checks how many bytes a body may have.
    pub(super) room: &'a dyn Fn(u64) -> Result<(), Failure>,
}

/// Returns the words of a header that is a list, as they were written. A value that is not text counts as a word too.
fn words(fields: &HeaderMap, name: &HeaderName) -> Vec<String> {
    let values = fields.get_all(name).iter().map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
    let words = values.flat_map(|value| value.split(',').map(|word| word.trim().to_owned()).collect::<Vec<_>>());
    words.filter(|word| !word.is_empty()).collect()
}

/// Returns whether a word is one of these, ignoring case.
fn is_any(word: &str, of: &[&str]) -> bool {
    of.iter().any(|known| known.eq_ignore_ascii_case(word))
}

/// Returns whether a response is only a part of a whole.
fn is_part(status: StatusCode, fields: &HeaderMap) -> bool {
    // 226 is a response to `A-IM`, which may be a part too.
    let part = status == StatusCode::PARTIAL_CONTENT || status == StatusCode::IM_USED || fields.contains_key(CONTENT_RANGE);
    part || words(fields, &CONTENT_TYPE)
        .iter()
        .any(|media| is_any(media.split(';').next().unwrap_or_default().trim(), &["multipart/byteranges"]))
}

impl Head {
    /// Returns the head of a response in a test.
    #[cfg(test)]
    pub(super) fn of(status: StatusCode, fields: HeaderMap) -> Self {
        Self { status, fields: Unmasked::new(fields) }
    }

    /// Returns the headers that the guest gets, masked, if it may have the response at all.
    pub(super) fn admit(self, asked: &Asked<'_>, needles: &Needles) -> Result<HeaderMap, Unmasked<Failure>> {
        let Self { status, fields } = self;
        if status == StatusCode::SWITCHING_PROTOCOLS {
            return Err(Failure::new(Code::Protocol, "the server wants to speak another protocol").into());
        }
        // No request asks for a transfer coding (`TE`), and its contents could not be masked.
        if fields.is(|fields| words(fields, &TRANSFER_ENCODING).iter().any(|word| !is_any(word, &["chunked", "identity"]))) {
            let reason = "the response has a transfer coding besides `chunked`, which no request asks for";
            return Err(Failure::new(Code::Protocol, reason).into());
        }
        let body = *asked.method != Method::HEAD && status != StatusCode::NOT_MODIFIED;
        let chunked = fields.is(|fields| words(fields, &TRANSFER_ENCODING).last().is_some_and(|word| is_any(word, &["chunked"])));
        let length = fields.number(|fields| fields.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok());
        if let Some(length) = length.filter(|_| body && !chunked) {
            (asked.room)(length)?;
        }
        if asked.secret && *asked.method != Method::HEAD {
            readable(status, &fields)?;
        }
        let mut fields = fields.masked(needles);
        if chunked && body {
            // A body in chunks ends with the last of them, whatever length is stated (RFC 9112, 6.3). The guest gets the body without its
            // chunks and would count by that length.
            fields.remove(CONTENT_LENGTH);
        }
        headers::drop_hosts_own(&mut fields);
        Ok(fields)
    }
}

/// Checks whether an echo of a secret in the body could be found.
fn readable(status: StatusCode, fields: &Unmasked<HeaderMap>) -> Result<(), Unmasked<Failure>> {
    let coded =
        |fields: &HeaderMap| words(fields, &CONTENT_ENCODING).into_iter().filter(|word| !is_any(word, &["identity"])).collect::<Vec<_>>();
    if fields.is(|fields| !coded(fields).is_empty()) {
        return Err(fields.map(|fields| {
            let codings = coded(fields).join(", ");
            let reason =
                format!("the response to a request with a secret is compressed (`{codings}`), so that an echo of it could not be masked");
            Failure::new(Code::ResponseContentCoding(codings), reason).by(By::BuiltIn)
        }));
    }
    if fields.is(|fields| is_part(status, fields)) {
        let reason = "the response to a request with a secret is a part of a whole, so that an echo of it could not be masked";
        return Err(Failure::new(Code::Protocol, reason).by(By::BuiltIn).into());
    }
    Ok(())
}

/// The body of a response, as it arrives.
pub(super) struct Coming(Incoming);

impl Coming {
    /// Polls for the next piece; `None` at the end. Trailers are dropped.
    pub(super) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<Option<Result<Unmasked<Bytes>, Unmasked<Failure>>>> {
        loop {
            return Poll::Ready(match std::task::ready!(Pin::new(&mut self.0).poll_frame(cx)) {
                Some(Ok(frame)) => match frame.into_data() {
                    Ok(data) => Some(Ok(Unmasked::new(data))),
                    Err(_) => continue,
                },
                Some(Err(error)) => Some(Err(failure(&error))),
                None => None,
            });
        }
    }
}

/// Ends a task when dropped.
pub(super) struct Driver(pub(super) AbortHandle);

impl Drop for Driver {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Sends the request. Returns the response's head, its body, and the future that drives the connection.
pub(super) async fn exchange(
    connection: Connection,
    permit: &Permit,
    method: Method,
    fields: HeaderMap,
    body: RequestBody,
) -> Result<(Head, Coming, Driver), Unmasked<Failure>> {
    let mut builder = http1::Builder::new();
    // A header on several lines is one line for the guest (RFC 9112, 5.2).
    builder.max_buf_size(BUFFER).max_headers(MAX_RESPONSE_HEADERS).allow_obsolete_multiline_headers_in_responses(true);
    let (mut sender, driver) = builder.handshake(TokioIo::new(connection)).await.map_err(|error| failure(&error))?;
    #[expect(clippy::disallowed_methods, reason = "it is aborted when the driver is dropped")]
    let driver = Driver(tokio::spawn(driver).abort_handle());
    let mut request = http::Request::new(body);
    *request.method_mut() = method;
    let invalid = |_| Failure::new(Code::UriInvalid, "this is no path").by(By::BuiltIn);
    *request.uri_mut() = permit.target.path_and_query().parse().map_err(invalid)?;
    let headers = request.headers_mut();
    // A parsed host has no character that a header may not have.
    let host = HeaderValue::from_str(&permit.target.authority()).map_err(|_| Failure::new(Code::UriInvalid, "this is no host"))?;
    headers.insert(HOST, host);
    headers.extend(fields);
    let response = sender.send_request(request).await.map_err(|error| failure(&error))?;
    let (head, incoming) = response.into_parts();
    Ok((Head { status: head.status, fields: Unmasked::new(head.headers) }, Coming(incoming), driver))
}

/// Returns the meaning of an error of the client.
fn failure(error: &hyper::Error) -> Unmasked<Failure> {
    let mut source = error.source();
    let mut incomplete = error.is_incomplete_message();
    while let Some(inner) = source {
        if let Some(failure) = inner.downcast_ref::<Failure>() {
            return failure.clone().into();
        }
        if let Some(io) = inner.downcast_ref::<std::io::Error>() {
            if io.get_ref().and_then(|inner| inner.downcast_ref::<rustls::Error>()).is_some() {
                return super::tls::failure(io);
            }
            incomplete |= io.kind() == std::io::ErrorKind::UnexpectedEof;
        }
        source = inner.source();
    }
    // hyper reports this to a client only in its error text.
    if error.is_parse() && error.to_string().contains("too large") {
        Failure::new(Code::ResponseHeaderSize, format!("the head of the response is larger than {} KiB", BUFFER >> 10)).into()
    } else if error.is_parse() {
        Failure::new(Code::Protocol, format!("the server does not speak HTTP: {error}")).into()
    } else if incomplete {
        Failure::new(Code::ResponseIncomplete, "the connection ended before the response was complete").into()
    } else {
        let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
        Failure::new(Code::ConnectionTerminated, format!("the connection broke: {error}{cause}")).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn admitted(status: u16, method: &Method, secret: bool, fields: &[(&'static str, &'static [u8])]) -> Result<HeaderMap, Failure> {
        let mut map = HeaderMap::new();
        for (name, value) in fields {
            map.append(HeaderName::from_static(name), HeaderValue::from_bytes(value).unwrap());
        }
        let needles = Needles::of(["s3cr3t-t0k3n"].into_iter());
        let room = |length| if length > 100 { Err(Failure::new(Code::ResponseBodySize(100), "too large")) } else { Ok(()) };
        let head = Head::of(StatusCode::from_u16(status).unwrap(), map);
        head.admit(&Asked { method, secret, room: &room }, &needles).map_err(|failure| failure.masked(&needles))
    }

    #[test]
    fn every_value_of_a_coding_counts() {
        let coded: &[&[(&str, &[u8])]] = &[
            &[("content-encoding", b"gzip")],
            &[("content-encoding", b"identity"), ("content-encoding", b"gzip")],
            &[("content-encoding", b"identity, br")],
            &[("content-encoding", b"x\xff")],
            &[("content-encoding", b"GZIP;q=1")],
        ];
        for fields in coded {
            let failure = admitted(200, &Method::GET, true, fields).unwrap_err();
            assert!(matches!(failure.code, Code::ResponseContentCoding(_)), "{fields:?}: {failure:?}");
            // Without a secret it is passed on, and a response without a body has nothing to search.
            assert!(admitted(200, &Method::GET, false, fields).is_ok() && admitted(200, &Method::HEAD, true, fields).is_ok());
        }
        for plain in [&b"identity"[..], b"Identity , identity", b"", b","] {
            assert!(admitted(200, &Method::GET, true, &[("content-encoding", plain)]).is_ok(), "{plain:?}");
        }
        for (coding, fine) in [(&b"gzip, chunked"[..], false), (b"x", false), (b"chunked", true), (b"identity, Chunked", true)] {
            for secret in [false, true] {
                assert_eq!(admitted(200, &Method::GET, secret, &[("transfer-encoding", coding)]).is_ok(), fine, "{coding:?}");
            }
        }
        // The length counts where there are no chunks, and for a request without a body.
        let both = [("transfer-encoding", &b"chunked"[..]), ("content-length", b"101")];
        assert!(admitted(200, &Method::GET, false, &both).unwrap().is_empty());
        assert_eq!(admitted(200, &Method::HEAD, false, &both).unwrap().len(), 1);
        let plain = [("transfer-encoding", &b"identity"[..]), ("content-length", b"99")];
        assert_eq!(admitted(200, &Method::GET, false, &plain).unwrap().len(), 1);
        let echo = admitted(200, &Method::GET, true, &[("content-encoding", b"s3cr3t-t0k3n")]).unwrap_err();
        assert!(!format!("{echo:?} {echo}").contains("s3cr3t"), "{echo:?}");
    }

    #[test]
    fn a_part_of_an_answer_to_a_secret_is_refused() {
        for (status, name, value) in [
            (206, "x-none", ""),
            (226, "x-none", ""),
            (200, "content-range", "bytes 0-9/100"),
            (200, "content-type", "Multipart/ByteRanges; boundary=x"),
        ] {
            let fields = [(name, value.as_bytes())];
            assert_eq!(admitted(status, &Method::GET, true, &fields).unwrap_err().code, Code::Protocol, "{status} {name}");
            assert!(admitted(status, &Method::GET, false, &fields).is_ok());
        }
        assert!(admitted(200, &Method::GET, true, &[("content-type", b"multipart/form-data; boundary=x")]).is_ok());
        assert!(admitted(200, &Method::GET, true, &[("content-length", b"100")]).is_ok());
        assert_eq!(admitted(200, &Method::GET, true, &[("content-length", b"101")]).unwrap_err().code, Code::ResponseBodySize(100));
    }
}
