//! From a permit to a connection: the name's addresses, the gate on each, TCP to one that was checked, TLS.

#![expect(clippy::disallowed_methods, reason = "the one place that connects, to an address that the gate has checked")]

use core::net::{IpAddr, SocketAddr};
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio_rustls::client::TlsStream;

use super::failure::{Code, Failure};
use super::gate::Permit;
use super::unmasked::Unmasked;
use super::{Inner, address};
use wisp_policy::hosts::Host;
use wisp_policy::url::Scheme;

/// What bytes go through, both ways.
pub trait Stream: AsyncRead + AsyncWrite + Unpin + Send {}

impl<T: AsyncRead + AsyncWrite + Unpin + Send> Stream for T {}

/// A connection, encrypted or not.
pub(super) enum Connection {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
    /// What a test made up.
    Given(Box<dyn Stream>),
}

/// How a request gets its connection.
pub(super) enum Way {
    /// As the gate says.
    Connect,
    /// Through this.
    Given(Box<dyn Stream>),
}

impl Way {
    /// The connection, and the address it goes to.
    pub(super) async fn go(self, net: &Inner, permit: &Permit) -> Result<(Connection, Option<SocketAddr>), Unmasked<Failure>> {
        match self {
            Way::Connect => connect(net, permit).await.map(|(connection, address)| (connection, Some(address))),
            Way::Given(stream) => Ok((Connection::Given(stream), None)),
        }
    }
}

/// The addresses of the permit's host, every one of them checked: an answer with an address that is not allowed is refused
/// as a whole, for it is how a name is made to lead inside.
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

/// Connect, and return the address too. A guest does not get it: it could learn the addresses of a private network.
async fn connect(net: &Inner, permit: &Permit) -> Result<(Connection, SocketAddr), Unmasked<Failure>> {
    let addresses = addresses(net, permit).await?;
    let mut last = None;
    for address in addresses {
        match TcpStream::connect(address).await {
            Ok(stream) => {
                // Without it small writes would only wait longer.
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
            Connection::Plain(stream) => Pin::new(stream).poll_read(cx, buffer),
            Connection::Tls(stream) => Pin::new(stream).poll_read(cx, buffer),
            Connection::Given(stream) => Pin::new(stream).poll_read(cx, buffer),
        }
    }
}

impl AsyncWrite for Connection {
    fn poll_write(self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Connection::Plain(stream) => Pin::new(stream).poll_write(cx, bytes),
            Connection::Tls(stream) => Pin::new(stream).poll_write(cx, bytes),
            Connection::Given(stream) => Pin::new(stream).poll_write(cx, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Connection::Plain(stream) => Pin::new(stream).poll_flush(cx),
            Connection::Tls(stream) => Pin::new(stream).poll_flush(cx),
            Connection::Given(stream) => Pin::new(stream).poll_flush(cx),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Connection::Plain(stream) => Pin::new(stream).poll_shutdown(cx),
            Connection::Tls(stream) => Pin::new(stream).poll_shutdown(cx),
            Connection::Given(stream) => Pin::new(stream).poll_shutdown(cx),
        }
    }
}
