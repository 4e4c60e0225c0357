//! HTTP/1.1 over a connection of our own: a socket of the session (`loopback.rs`), or of the building machine (`native.rs`).

use super::{Body, Failure, Limits, Request, Response, headers::Headers, headers::title};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::time::{Duration, Instant};

/// Maximum bytes of one line of a head, and of all its lines.
const LINE: u64 = 64 << 10;
const HEAD: usize = 256 << 10;

/// A connection whose reads and writes can be limited in time.
pub(super) trait Connection: Read + Write {
    /// Lets each read and write fail with `TimedOut` after this time.
    fn limit(&mut self, time: Option<Duration>) -> std::io::Result<()>;
}

/// Sends a request and reads the head of its response.
pub(super) fn exchange<C: Connection + 'static>(mut connection: C, request: &Request) -> Result<Response, Failure> {
    let mut head = format!("{} {} HTTP/1.1\r\n", request.method, request.url.target()).into_bytes();
    for (name, value) in [("Host", request.url.authority()), ("Connection", "close".to_owned())] {
        if !request.headers.has(name) {
            head.extend_from_slice(format!("{name}: {value}\r\n").as_bytes());
        }
    }
    for line in request.headers.lines() {
        head.extend_from_slice(&line);
        head.extend_from_slice(b"\r\n");
    }
    let chunked = request.payload.is_some_and(|payload| payload.length().is_none());
    head.extend_from_slice(if chunked { b"Transfer-Encoding: chunked\r\n\r\n" } else { b"\r\n" });
    limit(&mut connection, request.limits)?;
    connection.write_all(&head).map_err(send_failure)?;
    let sent = upload(&mut connection, request, chunked)?;
    let mut wire = Wire { reader: BufReader::new(connection), limits: request.limits, left: Left::ToTheEnd };
    let (status, headers) = loop {
        let (status, headers) = wire.head()?;
        if status >= 200 {
            break (status, headers);
        }
    };
    wire.left = left(request, status, &headers)?;
    Ok(Response { status, headers, body: Box::new(wire), sent })
}

/// Returns how the end of a response's body is known (RFC 9112, 6.3).
fn left(request: &Request, status: u16, headers: &Headers) -> Result<Left, Failure> {
    if headers.has_bad_length() {
        return Err(Failure::Reply("Invalid Content-Length: value".into()));
    }
    if request.method == "HEAD" || status == 204 || status == 304 {
        return Ok(Left::Bytes(0));
    }
    let codings = headers.codings();
    if codings.iter().any(|coding| !matches!(coding.as_str(), "chunked" | "identity")) {
        let reason = "the response has a transfer coding besides `chunked`, which no request asks for";
        return Err(Failure::Receive(reason.into()));
    }
    Ok(match headers.length() {
        _ if codings.iter().any(|coding| coding == "chunked") => Left::Chunk,
        Some(length) => Left::Bytes(length),
        None => Left::ToTheEnd,
    })
}

/// Sends the body, until the server takes no more of it: the reason is in its response. Returns how many bytes were taken.
fn upload<C: Connection>(connection: &mut C, request: &Request, chunked: bool) -> Result<u64, Failure> {
    let Some(payload) = request.payload else { return Ok(0) };
    let (mut reader, mut buffer, mut sent) = (payload.open(), vec![0; 64 << 10], 0);
    loop {
        let count = reader.read(&mut buffer).map_err(Failure::Source)?;
        let frame =
            if chunked { [format!("{count:x}\r\n").as_bytes(), &buffer[..count], b"\r\n"].concat() } else { buffer[..count].to_vec() };
        limit(connection, request.limits)?;
        match connection.write_all(&frame) {
            Ok(()) => sent += count as u64,
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(sent),
            Err(error) => return Err(send_failure(error)),
        }
        if count == 0 {
            return Ok(sent);
        }
    }
}

/// Sets the time that is left for the next step.
fn limit<C: Connection>(connection: &mut C, limits: Limits) -> Result<(), Failure> {
    let left = limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let left = [left, limits.idle].into_iter().flatten().min();
    if left.is_some_and(|left| left.is_zero()) {
        return Err(Failure::Timeout);
    }
    connection.limit(left).map_err(|error| Failure::Receive(error.to_string()))
}

fn is_timeout(error: &std::io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut)
}

fn send_failure(error: std::io::Error) -> Failure {
    if is_timeout(&error) { Failure::Timeout } else { Failure::Send(format!("Send failure: {}", wisp_tool::text::reason(&error))) }
}

fn failure(error: std::io::Error) -> Failure {
    match error.kind() {
        _ if is_timeout(&error) => Failure::Timeout,
        ErrorKind::UnexpectedEof => Failure::Partial,
        _ => Failure::Receive("Recv failure: Connection reset by peer".into()),
    }
}

/// How the end of a body is known.
enum Left {
    Bytes(u64),
    /// A chunk comes next.
    Chunk,
    /// Of the present chunk, then more chunks.
    InChunk(u64),
    /// The end of the line behind a chunk comes next.
    AfterChunk,
    ToTheEnd,
}

/// A response's body.
struct Wire<C> {
    reader: BufReader<C>,
    limits: Limits,
    left: Left,
}

impl<C: Connection> Wire<C> {
    /// Reads a line without its end; `None` at the end of the connection.
    fn line(&mut self) -> Result<Option<Vec<u8>>, Failure> {
        limit(self.reader.get_mut(), self.limits)?;
        let mut line = Vec::new();
        (&mut self.reader).take(LINE).read_until(b'\n', &mut line).map_err(failure)?;
        if line.len() as u64 == LINE {
            return Err(Failure::Receive("Too large response headers".into()));
        }
        if line.is_empty() {
            return Ok(None);
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        Ok(Some(text.strip_suffix(b"\r").unwrap_or(text).to_vec()))
    }

    fn head(&mut self) -> Result<(u16, Headers), Failure> {
        let first = self.line()?.ok_or(Failure::Empty)?;
        let first = String::from_utf8_lossy(&first).into_owned();
        let status = first.strip_prefix("HTTP/").and_then(|text| text.split(' ').nth(1)).and_then(|text| text.trim_end().parse().ok());
        let status = status.ok_or_else(|| Failure::Receive("Received HTTP/0.9 when not allowed".into()))?;
        let (mut headers, mut size) = (Headers::default(), 0);
        loop {
            let line = self.line()?.ok_or(Failure::Empty)?;
            size += line.len();
            if size > HEAD {
                return Err(Failure::Receive("Too large response headers".into()));
            }
            if line.is_empty() {
                return Ok((status, headers));
            }
            if line.starts_with(b" ") || line.starts_with(b"\t") {
                // It goes on with the line before (RFC 9112, 5.2).
                let Some((_, value)) = headers.0.last_mut() else {
                    return Err(Failure::Reply("A header begins with a blank".into()));
                };
                let more = line.trim_ascii();
                if !value.is_empty() && !more.is_empty() {
                    value.push(b' ');
                }
                value.extend_from_slice(more);
                continue;
            }
            let Some(colon) = line.iter().position(|byte| *byte == b':') else {
                return Err(Failure::Reply("Header without colon".into()));
            };
            headers.push(&title(&String::from_utf8_lossy(&line[..colon])), line[colon + 1..].trim_ascii());
        }
    }

    /// Reads the size of the next chunk; after the last, its trailers are skipped.
    fn chunk(&mut self) -> Result<u64, Failure> {
        let line = self.line()?.ok_or(Failure::Partial)?;
        let digits: String = line.iter().map(|byte| char::from(*byte)).take_while(char::is_ascii_hexdigit).collect();
        if digits.is_empty() {
            return Err(Failure::Receive("Illegal or missing hexadecimal sequence in chunked-encoding".into()));
        }
        let size =
            u64::from_str_radix(&digits, 16).map_err(|_| Failure::Receive("Too long hexadecimal number in chunked-encoding".into()))?;
        if size == 0 {
            while !self.line()?.ok_or(Failure::Partial)?.is_empty() {}
        }
        Ok(size)
    }
}

impl<C: Connection> Body for Wire<C> {
    fn read(&mut self) -> Result<Vec<u8>, Failure> {
        if let Left::AfterChunk = self.left {
            if !self.line()?.ok_or(Failure::Partial)?.is_empty() {
                return Err(Failure::Receive("Malformed encoding found in chunked-encoding".into()));
            }
            self.left = Left::Chunk;
        }
        if let Left::Chunk = self.left {
            self.left = match self.chunk()? {
                0 => Left::Bytes(0),
                size => Left::InChunk(size),
            };
        }
        let most = match self.left {
            Left::Bytes(left) | Left::InChunk(left) => left.min(64 << 10),
            Left::Chunk | Left::AfterChunk | Left::ToTheEnd => 64 << 10,
        };
        let mut buffer = vec![0; most as usize];
        if buffer.is_empty() {
            return Ok(buffer);
        }
        limit(self.reader.get_mut(), self.limits)?;
        let count = self.reader.read(&mut buffer).map_err(failure)?;
        buffer.truncate(count);
        match &mut self.left {
            Left::Bytes(_) | Left::InChunk(_) if count == 0 => return Err(Failure::Partial),
            Left::Bytes(left) => *left -= count as u64,
            Left::InChunk(left) => {
                *left -= count as u64;
                if *left == 0 {
                    self.left = Left::AfterChunk;
                }
            }
            Left::Chunk | Left::AfterChunk | Left::ToTheEnd => {}
        }
        Ok(buffer)
    }
}
