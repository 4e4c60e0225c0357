//! Looks up host names.

#![expect(clippy::disallowed_methods, reason = "the system's resolver, unless the host program brings another")]

use core::net::IpAddr;
use std::io;

/// Finds the addresses of a name. Tests return fixed ones; a host program may use a resolver of its own.
#[async_trait::async_trait]
pub trait Resolve: Send + Sync {
    /// Returns the addresses of `name`, best first. If there are none, an error of kind `NotFound`.
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>>;
}

/// The system's resolver.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemResolver;

#[async_trait::async_trait]
impl Resolve for SystemResolver {
    async fn resolve(&self, name: &str) -> io::Result<Vec<IpAddr>> {
        let found: Vec<IpAddr> = tokio::net::lookup_host((name, 0)).await?.map(|address| address.ip()).collect();
        if found.is_empty() { Err(io::ErrorKind::NotFound.into()) } else { Ok(found) }
    }
}
