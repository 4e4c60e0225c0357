//! HTTP/1.1 over a socket, without TLS, so that tests on the building machine can compare with the real curl.

use super::{Body, Failure, Request, Response, headers::Headers, headers::title};
use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

/// Sends a request and reads the head of its response.
pub(crate) fn send(request: &Request) -> Result<Response, Failure> {
    if request.url.scheme != "http" {
        return Err(Failure::Tls("this build has no TLS".into()));
    }
    let host = request.url.host.trim_matches(['[', ']']);
    let address = (host, request.url.port()).to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or(Failure::Resolve)?;
    let connect = request.limits.connect.unwrap_or(Duration::from_secs(300));
    let mut socket = TcpStream::connect_timeout(&address, connect).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::Connect("Couldn't connect to server".into()),
    })?;
    let mut head = format!("{} {} HTTP/1.1\r\nHost: {}\r\n", request.method, request.url.target(), request.url.authority()).into_bytes();
    for line in request.headers.lines() {
        head.extend_from_slice(&line);
        head.extend_from_slice(b"\r\n");
    }
    let chunked = request.payload.is_some_and(|payload| payload.length().is_none());
    head.extend_from_slice(if chunked { b"Transfer-Encoding: chunked\r\n\r\n" } else { b"\r\n" });
    socket.write_all(&head).map_err(|error| Failure::Send(error.to_string()))?;
    let mut sent = 0;
    if let Some(payload) = request.payload {
        let (mut reader, mut buffer) = (payload.open(), vec![0; 64 << 10]);
        loop {
            let count = reader.read(&mut buffer).map_err(Failure::Source)?;
            let frame =
                if chunked { [format!("{count:x}\r\n").as_bytes(), &buffer[..count], b"\r\n"].concat() } else { buffer[..count].to_vec() };
            socket.write_all(&frame).map_err(|error| Failure::Send(error.to_string()))?;
            sent += count as u64;
            if count == 0 {
                break;
            }
        }
    }
    let mut wire =
        Wire { reader: BufReader::new(socket), deadline: request.limits.deadline, idle: request.limits.idle, left: Left::ToTheEnd };
    let (status, headers) = loop {
        let (status, headers) = wire.head()?;
        if status >= 200 {
            break (status, headers);
        }
    };
    wire.left = match headers.get("content-length").and_then(|text| text.parse().ok()) {
        _ if request.method == "HEAD" || status == 204 || status == 304 => Left::Bytes(0),
        _ if headers.get("transfer-encoding").is_some() => Left::Chunk,
        Some(length) => Left::Bytes(length),
        None => Left::ToTheEnd,
    };
    Ok(Response { status, headers, body: Box::new(wire), sent })
}

enum Left {
    Bytes(u64),
    Chunk,
    ToTheEnd,
}

struct Wire {
    reader: BufReader<TcpStream>,
    deadline: Option<Instant>,
    idle: Option<Duration>,
    left: Left,
}

impl Wire {
    fn wait(&mut self) -> Result<(), Failure> {
        let left = self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let left = [left, self.idle].into_iter().flatten().min();
        if left.is_some_and(|left| left.is_zero()) {
            return Err(Failure::Timeout);
        }
        self.reader.get_ref().set_read_timeout(left).map_err(|error| Failure::Receive(error.to_string()))
    }

    fn line(&mut self) -> Result<String, Failure> {
        self.wait()?;
        let mut line = Vec::new();
        self.reader.read_until(b'\n', &mut line).map_err(failure)?;
        if line.is_empty() {
            return Err(Failure::Empty);
        }
        Ok(String::from_utf8_lossy(&line).trim_end().to_owned())
    }

    fn head(&mut self) -> Result<(u16, Headers), Failure> {
        let first = self.line()?;
        let status = first.split(' ').nth(1).and_then(|text| text.parse().ok());
        let status = status.ok_or_else(|| Failure::Receive("Received HTTP/0.9 when not allowed".into()))?;
        let mut headers = Headers::default();
        loop {
            let line = self.line()?;
            match line.split_once(':') {
                Some((name, value)) => headers.push(&title(name), value.trim()),
                None => return Ok((status, headers)),
            }
        }
    }
}

fn failure(error: std::io::Error) -> Failure {
    match error.kind() {
        ErrorKind::WouldBlock | ErrorKind::TimedOut => Failure::Timeout,
        _ => Failure::Receive("Recv failure: Connection reset by peer".into()),
    }
}

impl Body for Wire {
    fn read(&mut self) -> Result<Vec<u8>, Failure> {
        self.wait()?;
        let mut buffer = vec![0; 64 << 10];
        if let Left::Chunk = self.left {
            let size = u64::from_str_radix(self.line()?.trim(), 16).map_err(|_| Failure::Partial)?;
            buffer.resize(size as usize, 0);
            self.reader.read_exact(&mut buffer).map_err(failure)?;
            self.line()?;
            return Ok(buffer);
        }
        if let Left::Bytes(left) = self.left {
            buffer.truncate(left.min(buffer.len() as u64) as usize);
        }
        let count = if buffer.is_empty() { 0 } else { self.reader.read(&mut buffer).map_err(failure)? };
        if let Left::Bytes(left) = &mut self.left {
            if count == 0 && *left > 0 {
                return Err(Failure::Partial);
            }
            *left -= count as u64;
        }
        buffer.truncate(count);
        Ok(buffer)
    }
}
