//! Servers inside the session, at localhost: `wisp:sandbox/loopback`. No gate decides here, because nothing leaves the session; a secret
//! of the policy stays the placeholder that the program has.

use super::wasi::bindings::wasi::clocks::monotonic_clock::subscribe_duration;
use super::wasi::bindings::wasi::io::poll::{Pollable, poll};
use super::wasi::bindings::wisp::sandbox::files::{ErrorCode, OpenFile};
use super::wasi::bindings::wisp::sandbox::loopback::{Address, Endpoint, connect};
use super::wasi::bindings::wisp::sandbox::process::ignore_broken_pipe;
use super::wire::{Connection, exchange};
use super::{Failure, Request, Response};
use std::io::{Error, ErrorKind, Read, Result as IoResult, Write};
use std::net::IpAddr;
use std::time::Duration;

/// Asks a server of this session; `None` if nothing in it listens there.
pub(super) fn send(request: &Request, addresses: &[IpAddr]) -> Option<Result<Response, Failure>> {
    for ip in addresses {
        match connect(&Address::Tcp(Endpoint { ip: ip.to_string(), port: request.url.port() }), None) {
            Ok(file) => return Some(exchange(Local { file, time: None }, request)),
            Err(ErrorCode::ConnectionRefused) => {}
            Err(error) => return Some(Err(Failure::Connect(format!("the session can make no connection: {}", error.name())))),
        }
    }
    None
}

/// A connection inside the session.
struct Local {
    file: OpenFile,
    time: Option<Duration>,
}

impl Local {
    fn wait(&self, ready: &Pollable) -> IoResult<()> {
        let Some(time) = self.time else {
            ready.block();
            return Ok(());
        };
        let timer = subscribe_duration(u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
        if poll(&[ready, &timer]) == [1] { Err(ErrorKind::TimedOut.into()) } else { Ok(()) }
    }
}

fn error(code: ErrorCode) -> Error {
    Error::from(match code {
        ErrorCode::BrokenPipe => ErrorKind::BrokenPipe,
        _ => ErrorKind::ConnectionReset,
    })
}

impl Read for Local {
    fn read(&mut self, buffer: &mut [u8]) -> IoResult<usize> {
        self.wait(&self.file.subscribe_read())?;
        let bytes = self.file.read(u32::try_from(buffer.len()).unwrap_or(u32::MAX)).map_err(error)?;
        buffer[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

impl Write for Local {
    fn write(&mut self, bytes: &[u8]) -> IoResult<usize> {
        self.wait(&self.file.subscribe_write())?;
        // A server that hangs up is an error of this write, and of no other.
        ignore_broken_pipe(true);
        let written = self.file.write_some(bytes).map_err(error);
        ignore_broken_pipe(false);
        written.map(|written| written as usize)
    }

    fn flush(&mut self) -> IoResult<()> {
        Ok(())
    }
}

impl Connection for Local {
    fn limit(&mut self, time: Option<Duration>) -> IoResult<()> {
        self.time = time;
        Ok(())
    }
}
