//! Sockets between the processes of one session: a table of the addresses that programs bound, and connections, each of which is a pair
//! of pipes. Nothing here reaches the machine: an address is a key of the table and nothing else.
//!
//! Ownership is the protocol, as for pipes: dropping a [`Socket`] frees its address and refuses who waits in its queue; dropping a
//! [`Stream`] is the end of the file for its peer.

mod address;
mod bound;
mod stream;
#[cfg(test)]
mod tests;

pub use address::{Address, Place, SocketError};
pub use bound::{BACKLOG, Socket};
pub use stream::{Reset, Stream};

use std::any::Any;
use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;

use super::fifo::FifoFile;
use super::pipe::PIPE_COST;
use stream::Counted;

/// Maximum addresses that the programs of a session have bound at once.
pub const MAX_BOUND: usize = 1024;

/// Maximum connections of a session at once, those that wait in a queue included.
pub const MAX_CONNECTIONS: usize = 4096;

/// Maximum host memory of a connection: its two pipes, and what names it.
pub const CONNECTION_COST: u64 = 2 * PIPE_COST + 1024;

/// Maximum host memory of a bound address, without its queue.
pub const BOUND_COST: u64 = 1024;

/// The ports from which one that is not named is taken (Linux's `ip_local_port_range`).
const EPHEMERAL: std::ops::RangeInclusive<u16> = 32_768..=60_999;

/// Where a socket is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Key {
    Port(u16),
    File(FifoFile),
}

/// The sockets of a session's processes.
#[derive(Default)]
pub struct Loopback {
    bound: Mutex<Bound>,
    connections: Arc<AtomicUsize>,
}

#[derive(Default)]
struct Bound {
    /// By port or file. Entries are removed when their socket is dropped, and are never upgraded under the lock: the last reference
    /// must not be dropped there.
    entries: BTreeMap<Key, Vec<Entry>>,
    count: usize,
    /// How many sockets were ever bound: the number of the last.
    last: u64,
    /// The ephemeral port that was taken last.
    port: u16,
}

struct Entry {
    number: u64,
    /// The IP address, and whether a `::` takes connections to IPv4 addresses too.
    ip: Option<(IpAddr, bool)>,
    socket: Weak<Socket>,
}

/// A socket's row in the table, which it has until this is dropped.
struct BoundAt {
    loopback: Arc<Loopback>,
    key: Key,
    number: u64,
}

impl Drop for BoundAt {
    fn drop(&mut self) {
        self.loopback.forget(self.key, self.number);
    }
}

/// Returns whether an address belongs to the loopback interface, or stands for all addresses.
fn is_local(ip: IpAddr) -> bool {
    let ip = ip.to_canonical();
    ip.is_loopback() || ip.is_unspecified()
}

/// Returns whether the addresses conflict: only one of them can be bound to a given port.
fn overlap((one, one_dual): (IpAddr, bool), (other, other_dual): (IpAddr, bool)) -> bool {
    let all = |ip: IpAddr, dual: bool, of: IpAddr| ip.is_unspecified() && (ip.is_ipv4() == of.is_ipv4() || dual);
    one == other || all(one, one_dual, other) || all(other, other_dual, one)
}

impl Bound {
    /// Returns an ephemeral port at which nothing is bound.
    fn free_port(&mut self) -> Option<u16> {
        for _ in EPHEMERAL {
            self.port = if EPHEMERAL.contains(&self.port) && self.port < *EPHEMERAL.end() { self.port + 1 } else { *EPHEMERAL.start() };
            if !self.entries.contains_key(&Key::Port(self.port)) {
                return Some(self.port);
            }
        }
        None
    }
}

impl Loopback {
    /// Binds a socket, which does not listen yet. `only_v6`: one at `::` takes no connections to IPv4 addresses. `hold` returns what
    /// pays for it ([`BOUND_COST`]).
    ///
    /// # Errors
    /// `InUse`, `NotAvailable`, `TooMany`, and `NoMemory` if `hold` returns nothing.
    pub fn bind<H: Any + Send + Sync>(
        self: &Arc<Self>,
        place: Place,
        only_v6: bool,
        hold: impl FnOnce() -> Option<H>,
    ) -> Result<Arc<Socket>, SocketError> {
        let mut bound = self.bound.lock();
        if bound.count >= MAX_BOUND {
            return Err(SocketError::TooMany);
        }
        let (key, address, ip) = match place {
            Place::Tcp(at) if !is_local(at.ip()) => return Err(SocketError::NotAvailable),
            Place::Tcp(mut at) => {
                if at.port() == 0 {
                    at.set_port(bound.free_port().ok_or(SocketError::NotAvailable)?);
                }
                // `::ffff:127.0.0.1` is 127.0.0.1.
                let ip = (at.ip().to_canonical(), at.ip().is_ipv6() && !only_v6);
                (Key::Port(at.port()), Address::Tcp(at), Some(ip))
            }
            Place::File(path, file) => (Key::File(file), Address::Unix(path), None),
        };
        let others = bound.entries.get(&key).map_or(&[][..], Vec::as_slice);
        if others.iter().any(|other| ip.zip(other.ip).is_none_or(|(one, other)| overlap(one, other))) {
            return Err(SocketError::InUse);
        }
        let held = Box::new(hold().ok_or(SocketError::NoMemory)?);
        bound.last += 1;
        bound.count += 1;
        let number = bound.last;
        let bound_at = Box::new(BoundAt { loopback: self.clone(), key, number });
        let socket = Arc::new(Socket::new(bound_at, address, held));
        bound.entries.entry(key).or_default().push(Entry { number, ip, socket: Arc::downgrade(&socket) });
        Ok(socket)
    }

    /// Connects to what listens at a place. The connection waits in the other's queue. `from` is the address of this end, if it was
    /// bound; `hold` returns what pays for the buffers ([`CONNECTION_COST`]).
    ///
    /// # Errors
    /// `Refused`, `NotAvailable`, `TooMany`, and `NoMemory` if `hold` returns nothing.
    pub fn connect<H: Any + Send + Sync>(
        self: &Arc<Self>,
        place: &Place,
        from: Option<Address>,
        hold: impl FnOnce() -> Option<H>,
    ) -> Result<Stream, SocketError> {
        let (socket, local, peer) = match place {
            Place::Tcp(at) if !is_local(at.ip()) => return Err(SocketError::NotAvailable),
            Place::Tcp(at) => {
                let ip = match at.ip().to_canonical() {
                    IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
                    IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
                    ip => ip,
                };
                let mut bound = self.bound.lock();
                let entries = bound.entries.get(&Key::Port(at.port())).map_or(&[][..], Vec::as_slice);
                let fits = |entry: &&Entry| entry.ip.is_some_and(|of| overlap(of, (ip, false)));
                let socket = entries.iter().find(fits).map(|entry| entry.socket.clone());
                let port = bound.free_port().ok_or(SocketError::NotAvailable)?;
                (socket, Address::Tcp((ip, port).into()), Address::Tcp((ip, at.port()).into()))
            }
            Place::File(path, file) => {
                let bound = self.bound.lock();
                let socket = bound.entries.get(&Key::File(*file)).and_then(|entries| entries.first()).map(|entry| entry.socket.clone());
                (socket, Address::Unnamed, Address::Unix(path.clone()))
            }
        };
        let socket = socket.as_ref().and_then(Weak::upgrade).filter(|socket| socket.has_room()).ok_or(SocketError::Refused)?;
        let (near, far) = self.join(from.unwrap_or(local), peer, hold)?;
        socket.queue(far)?;
        Ok(near)
    }

    /// Returns two connected ends without addresses (socketpair).
    ///
    /// # Errors
    /// `TooMany`, and `NoMemory` if `hold` returns nothing.
    pub fn pair<H: Any + Send + Sync>(self: &Arc<Self>, hold: impl FnOnce() -> Option<H>) -> Result<(Stream, Stream), SocketError> {
        self.join(Address::Unnamed, Address::Unnamed, hold)
    }

    /// Returns the two ends of a new connection: the end at `one`, and the end at `other`.
    fn join<H: Any + Send + Sync>(
        &self,
        one: Address,
        other: Address,
        hold: impl FnOnce() -> Option<H>,
    ) -> Result<(Stream, Stream), SocketError> {
        let before = self.connections.fetch_add(1, Ordering::Relaxed);
        // Counted from here on, whatever happens.
        let mut counted = Counted { connections: self.connections.clone(), held: Box::new(()) };
        if before >= MAX_CONNECTIONS {
            return Err(SocketError::TooMany);
        }
        counted.held = Box::new(hold().ok_or(SocketError::NoMemory)?);
        Ok(Stream::pair(one, other, &Arc::new(counted)))
    }

    /// Returns the number of bound addresses, and of connections.
    pub fn count(&self) -> (usize, usize) {
        (self.bound.lock().count, self.connections.load(Ordering::Relaxed))
    }

    fn forget(&self, key: Key, number: u64) {
        let mut bound = self.bound.lock();
        if let Some(entries) = bound.entries.get_mut(&key) {
            entries.retain(|entry| entry.number != number);
            if entries.is_empty() {
                bound.entries.remove(&key);
            }
        }
        bound.count -= 1;
    }
}
