//! HTTP/1.1 over a socket, without TLS, so that tests on the building machine can compare with the real curl.

use super::wire::{Connection, exchange};
use super::{Failure, Request, Response};
use std::io::{ErrorKind, Result as IoResult};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// Sends a request and reads the head of its response.
pub(crate) fn send(request: &Request) -> Result<Response, Failure> {
    if request.url.scheme != "http" {
        return Err(Failure::Tls("this build has no TLS".into()));
    }
    let host = request.url.host.trim_matches(['[', ']']);
    let address = (host, request.url.port()).to_socket_addrs().ok().and_then(|mut all| all.next()).ok_or(Failure::Resolve)?;
    let connect = request.limits.connect.unwrap_or(Duration::from_secs(300));
    let socket = TcpStream::connect_timeout(&address, connect).map_err(|error| match error.kind() {
        ErrorKind::TimedOut => Failure::ConnectTimeout,
        _ => Failure::Connect("Couldn't connect to server".into()),
    })?;
    exchange(socket, request)
}

impl Connection for TcpStream {
    fn limit(&mut self, time: Option<Duration>) -> IoResult<()> {
        self.set_write_timeout(time)?;
        self.set_read_timeout(time)
    }
}
