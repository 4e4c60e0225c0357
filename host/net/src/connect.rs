//! From a permit to a connection: looks up the name, checks each address, connects by TCP to a checked one, and starts
//! TLS.

#![expect(clippy::disallowed_methods, reason = "the one place that connects, to an address that the gate has checked")]

use core::net::{IpAddr, SocketAddr};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::address;
use super::failure::{Code, Failure};
use super::gate::Permit;
use super::net::Inner;
use super::unmasked::Unmasked;
use wisp_policy::hosts::Host;
use wisp_policy::url::Scheme;

/// A stream of bytes in both directions.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// A connection, encrypted or not.
pub(super) enum Connection {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
    /// A stream that a test provides.
    Given(Box<dyn Stream>),
}

/// How a request gets its connection.
pub(super) enum Way {
    /// Through the gate.
    Connect,
    /// Through this stream.
    Given(Box<dyn Stream>),
}

impl Way {
    /// Makes the connection. Returns it with the address that it goes to.
    pub(super) async fn go(self, net: &Inner, permit: &Permit) -> Result<(Connection, Option<SocketAddr>), Unmasked<Failure>> {
        match self {
            Self::Connect => connect(net, permit).await.map(|(connection, address)| (connection, Some(address))),
            Self::Given(stream) => Ok((Connection::Given(stream), None)),
        }
    }
}

/// Returns the addresses of the permit's host, all of which are checked. If one address is not allowed, all are refused: that
/// is how an attacker makes a name lead into a private network.
async fn addresses(net: &Inner, permit: &Permit) -> Result<Vec<SocketAddr>, Unmasked<Failure>> {
    let found: Vec<IpAddr> = match &permit.target.host {
        Host::V4(address) => vec![(*address).into()],
        Host::V6(address) => vec![(*address).into()],
        Host::Name(name) => net.resolver.resolve(name).await.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => Failure::new(Code::NameUnknown, format!("there is no host `{name}`")),
            io::ErrorKind::TimedOut => Failure::new(Code::LookupTimeout, format!("looking up `{name}` took too long")),
            _ => Failure::new(Code::LookupFailed, format!("`{name}` could not be looked up: {error}")),
        })?,
    };
    if found.is_empty() {
        return Err(no_address(permit).into());
    }
    let server = permit.server(&net.policy);
    for found in &found {
        address::check(*found, &server, &net.policy.rule)?;
    }
    Ok(found.into_iter().map(|address| SocketAddr::new(address, permit.target.port)).collect())
}

fn no_address(permit: &Permit) -> Failure {
    Failure::new(Code::NameUnknown, format!("`{}` has no address", permit.target.host))
}

/// Connects. Returns the connection and its address, which a guest does not get: it could learn the addresses of a
/// private network.
async fn connect(net: &Inner, permit: &Permit) -> Result<(Connection, SocketAddr), Unmasked<Failure>> {
    let addresses = addresses(net, permit).await?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                // If this fails, small writes are only delayed.
                let _ = stream.set_nodelay(true);
                let connection = match permit.target.scheme {
                    Scheme::Http => Connection::Plain(stream),
                    Scheme::Https => Connection::Tls(Box::new(net.tls.connect(&permit.target.host, stream).await?)),
                };
                return Ok((connection, address));
            }
            Err(error) => last = Some((address, error)),
        }
    }
    let Some((address, error)) = last else { return Err(no_address(permit).into()) };
    let code = match error.kind() {
        io::ErrorKind::ConnectionRefused => Code::ConnectionRefused,
        io::ErrorKind::TimedOut => Code::ConnectionTimeout,
        io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable => Code::Unreachable,
        _ => Code::ConnectionTerminated,
    };
    let failure = Failure::new(code, format!("no connection to `{}`: {error}", permit.target.authority()));
    Err(failure.recorded(format!("no connection to {address}: {error}")).into())
}

impl AsyncRead for Connection {
    fn poll_read(self: Pin<&mut Self>, cx: &mut Context<'_>, buffer: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
            Self::Given(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
            Self::Given(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Self::Tls(stream) => Pin::new(stream).poll_flush(cx),
            Self::Given(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
            Self::Given(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
