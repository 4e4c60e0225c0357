//! Outbound HTTP: one gate, one client.
//!
//! The way of a request: [`Net::send`] reads it (`gate` on scheme, host, port, method and path) → its turn (`limits`) → the
//! name is looked up ([`Resolve`]) → the gate on every address (`address`) → a connection to an address that was checked,
//! without a second look-up (`connect`) → TLS with the host's name (`tls`) → HTTP/1.1 (`client`), where secrets take the
//! place of their placeholders (`secret`) and echoes of them are masked (`mask`). Every attempt leaves one [`Attempt`].
//!
//! Nothing is followed, cached, decompressed or taken from the environment. A connection serves one request and ends with
//! it: none is ever shared, between sessions or within one.

mod address;
mod body;
mod client;
mod connect;
mod failure;
mod gate;
mod headers;
mod limits;
mod mask;
mod receipt;
mod resolve;
mod secret;
mod tls;

pub use address::{AddressClass, classify};
pub use body::{BodySender, RequestBody, ResponseBody};
pub use client::{Pending, Request, Response, Timeouts};
pub use failure::{Code, Failure};
pub use headers::{allowed as header_allowed, check_name, check_value};
pub use receipt::{Attempt, Observer};
pub use resolve::{Resolve, SystemResolver};
pub use secret::{SecretError, Secrets};
pub use tls::{CaError, Roots};

use crate::policy::Network;
use std::sync::Arc;

/// A session's network: its rules, its limits, its secrets. Cheap to clone.
#[derive(Clone)]
pub struct Net(Arc<Inner>);

struct Inner {
    policy: Network,
    /// The policy's name or file, for denials by the absence of a rule.
    absence: String,
    resolver: Arc<dyn Resolve>,
    tls: tls::Tls,
    limits: limits::Limits,
    secrets: Secrets,
    observer: Arc<dyn Observer>,
    rule_of: Arc<dyn Fn(&str) -> String + Send + Sync>,
}

/// What a session's network is made of.
pub struct NetParts {
    /// The rules and limits.
    pub policy: Network,
    /// What stands for the absence of a rule: the policy's file.
    pub absence: String,
    /// The rule behind a key of the policy.
    pub rule_of: Arc<dyn Fn(&str) -> String + Send + Sync>,
    /// Looks names up.
    pub resolver: Arc<dyn Resolve>,
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// The secrets and their placeholders.
    pub secrets: Secrets,
    /// Is told of every attempt.
    pub observer: Arc<dyn Observer>,
}

impl Net {
    /// A network of a session that begins: nothing was requested yet.
    pub fn new(parts: NetParts) -> Net {
        Net(Arc::new(Inner {
            limits: limits::Limits::new(&parts.policy),
            policy: parts.policy,
            absence: parts.absence,
            resolver: parts.resolver,
            tls: tls::Tls::new(parts.roots),
            secrets: parts.secrets,
            observer: parts.observer,
            rule_of: parts.rule_of,
        }))
    }

    /// The network of a session that goes on from a snapshot of this one: the same rules, limits counted anew, and of the
    /// secrets those that forks have.
    pub fn fork(&self, observer: Arc<dyn Observer>) -> Net {
        let inner = &self.0;
        Net::new(NetParts {
            policy: inner.policy.clone(),
            absence: inner.absence.clone(),
            rule_of: inner.rule_of.clone(),
            resolver: inner.resolver.clone(),
            roots: inner.tls.roots().clone(),
            secrets: inner.secrets.fork(),
            observer,
        })
    }

    /// The variables of the sandbox that have placeholders, with them.
    pub fn placeholders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.secrets.placeholders()
    }

    /// The policy's part of it.
    pub fn policy(&self) -> &Network {
        &self.0.policy
    }
}
