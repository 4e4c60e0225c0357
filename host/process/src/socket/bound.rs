//! A bound socket, and the queue of connections that wait until it accepts them.

use std::any::Any;
use std::collections::VecDeque;
use std::net::{IpAddr, SocketAddr};

use parking_lot::Mutex;
use tokio::sync::Notify;

use super::address::{Address, SocketError};
use super::stream::Stream;
use crate::wait::until;

/// The connections that may wait in the queue of one socket, whatever it asks for: at least, and at most (SOMAXCONN).
pub const BACKLOG: std::ops::RangeInclusive<usize> = 128..=1024;

/// A bound socket. Dropping it frees the address; who waits in its queue is refused.
pub struct Socket {
    #[expect(dead_code, reason = "its row in the table of addresses; removed on drop, before who waits is refused")]
    bound_at: Box<dyn Any + Send + Sync>,
    address: Address,
    queue: Mutex<Queue>,
    arrived: Notify,
    #[expect(dead_code, reason = "what pays for it; released on drop")]
    held: Box<dyn Any + Send + Sync>,
}

#[derive(Default)]
struct Queue {
    /// How many connections may wait; 0 before it listens.
    room: usize,
    waiting: VecDeque<Stream>,
    /// shutdown(2): nothing is accepted any more.
    shut: bool,
}

impl Drop for Queue {
    fn drop(&mut self) {
        self.waiting.iter().for_each(Stream::refuse);
    }
}

impl Socket {
    pub(super) fn new(bound_at: Box<dyn Any + Send + Sync>, address: Address, held: Box<dyn Any + Send + Sync>) -> Self {
        Self { bound_at, address, queue: Mutex::default(), arrived: Notify::new(), held }
    }

    /// Returns the address that it is bound to.
    pub fn address(&self) -> &Address {
        &self.address
    }

    /// Begins to listen. `backlog` connections may wait, within [`BACKLOG`].
    pub fn listen(&self, backlog: usize) {
        self.queue.lock().room = backlog.clamp(*BACKLOG.start(), *BACKLOG.end());
    }

    /// Returns whether it listens.
    pub fn listens(&self) -> bool {
        self.queue.lock().room > 0
    }

    /// Stops listening: connections are refused from now on, and those that wait too.
    pub fn shut(&self) {
        let waiting = {
            let mut queue = self.queue.lock();
            queue.room = 0;
            queue.shut = true;
            std::mem::take(&mut queue.waiting)
        };
        waiting.iter().for_each(Stream::refuse);
        self.arrived.notify_waiters();
    }

    /// Returns whether another connection may wait.
    pub(super) fn has_room(&self) -> bool {
        let queue = self.queue.lock();
        queue.waiting.len() < queue.room
    }

    /// Puts a connection into the queue.
    pub(super) fn queue(&self, stream: Stream) -> Result<(), SocketError> {
        {
            let mut queue = self.queue.lock();
            if queue.waiting.len() >= queue.room {
                return Err(SocketError::Refused);
            }
            queue.waiting.push_back(stream);
        }
        self.arrived.notify_waiters();
        Ok(())
    }

    /// Returns the connection that has waited longest, if there is one. One from an IPv4 address has mapped addresses on an IPv6 socket.
    pub fn accept(&self) -> Option<Stream> {
        let mut stream = self.queue.lock().waiting.pop_front()?;
        if matches!(self.address, Address::Tcp(SocketAddr::V6(_))) {
            stream.map_addresses(|ip| match ip {
                IpAddr::V4(ip) => ip.to_ipv6_mapped().into(),
                IpAddr::V6(_) => ip,
            });
        }
        Some(stream)
    }

    /// Waits until there is a connection to accept, or there will be none.
    pub async fn acceptable(&self) {
        let ready = || {
            let queue = self.queue.lock();
            (!queue.waiting.is_empty() || queue.shut).then_some(())
        };
        until(&self.arrived, ready).await;
    }
}
