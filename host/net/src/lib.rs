//! The network of wisp's sessions, outbound HTTP: one gate, one client. It knows neither a session nor wasmtime: the library hands in
//! the rules, the resolver, the clocks and the observer ([`NetParts`]).
//!
//! The way of a request: [`Net::send`] reads it (`gate` on scheme, host, port, method and path) → its turn (`limits`) → the
//! name is looked up ([`Resolve`]) → the gate on every address (`address`) → a connection to an address that was checked,
//! without a second look-up (`connect`) → TLS with the host's name (`tls`) → HTTP/1.1 (`client`, `wire`), where secrets take
//! the place of their placeholders (`secret`). What the server answers, and every error on the way, is `unmasked` until its
//! echoes of secrets are masked (`mask`). Every attempt leaves one [`Attempt`].
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
#[cfg(test)]
mod tests;
mod time;
mod tls;
mod unmasked;
mod wire;
mod withheld;

pub use address::{AddressClass, classify};
pub use body::{BodySender, RequestBody, ResponseBody};
pub use client::{Pending, Request, Response, Timeouts};
#[doc(hidden)]
pub use connect::Stream;
pub use failure::{By, Code, Failure};
pub use headers::{allowed as header_allowed, check_name, check_value};
pub use limits::Now;
pub use receipt::{Attempt, Observer};
pub use resolve::{Resolve, SystemResolver};
pub use secret::{SecretError, Secrets};
pub use time::Wait;
pub use tls::{CaError, Roots};

use mask::Needles;
use std::sync::{Arc, Mutex, PoisonError};
use wisp_policy::Network;
use wisp_policy::schema::Key;
use withheld::Withheld;

/// A session's network: its rules, its limits, its secrets. Cheap to clone.
#[derive(Clone)]
pub struct Net {
    inner: Arc<Inner>,
    /// Why the process that has this may not use it, if so.
    withheld: Option<Arc<Withheld>>,
}

struct Inner {
    policy: Network,
    resolver: Arc<dyn Resolve>,
    tls: tls::Tls,
    limits: limits::Limits,
    secrets: Secrets,
    /// What is masked: every secret of this session, and of those that it goes on from.
    needles: Mutex<Needles>,
    observer: Arc<dyn Observer>,
    rule_of: Arc<dyn Fn(Key) -> String + Send + Sync>,
    wait: Wait,
}

/// What a session's network is made of.
pub struct NetParts {
    /// The rules and limits. Its own rule stands for the absence of one.
    pub policy: Network,
    /// The rule that set a limit.
    pub rule_of: Arc<dyn Fn(Key) -> String + Send + Sync>,
    /// Looks names up.
    pub resolver: Arc<dyn Resolve>,
    /// Whose certificates are trusted.
    pub roots: Roots,
    /// The secrets and their placeholders.
    pub secrets: Secrets,
    /// Is told of every attempt.
    pub observer: Arc<dyn Observer>,
    /// The time by which requests a minute are counted.
    pub now: Now,
    /// Waits for the times at which requests are over their limits.
    pub wait: Wait,
}

impl Net {
    /// A network of a session that begins: nothing was requested yet.
    pub fn new(parts: NetParts) -> Net {
        let inner = Inner {
            limits: limits::Limits::new(&parts.policy, parts.now),
            policy: parts.policy,
            resolver: parts.resolver,
            tls: tls::Tls::new(parts.roots),
            needles: Mutex::new(parts.secrets.needles()),
            secrets: parts.secrets,
            observer: parts.observer,
            rule_of: parts.rule_of,
            wait: parts.wait,
        };
        Net { inner: Arc::new(inner), withheld: None }
    }

    /// The network of a session that goes on from a snapshot of this one: the same rules, limits counted from zero, and of
    /// the secrets those that forks have. It masks all that this one masks.
    pub fn fork(&self, observer: Arc<dyn Observer>) -> Net {
        let inner = &self.inner;
        let fork = Net::new(NetParts {
            policy: inner.policy.clone(),
            rule_of: inner.rule_of.clone(),
            resolver: inner.resolver.clone(),
            roots: inner.tls.roots().clone(),
            secrets: inner.secrets.fork(),
            observer,
            now: inner.limits.clock(),
            wait: inner.wait.clone(),
        });
        fork.mask_also(self);
        fork
    }

    /// Mask from now on what `other` masks too: its session goes on in this one, and knows where it left what it was sent.
    pub fn mask_also(&self, other: &Net) {
        let others = other.needles();
        let mut needles = self.inner.needles.lock().unwrap_or_else(PoisonError::into_inner);
        *needles = needles.with(&others);
    }

    /// This network in the hands of a process that may not use it: every request is denied, by this rule, and leaves a
    /// receipt. `tool` is who may not.
    #[must_use]
    pub fn withheld(&self, tool: &str, rule: &str) -> Net {
        Net { inner: self.inner.clone(), withheld: Some(Arc::new(Withheld::new(tool, rule))) }
    }

    fn needles(&self) -> Needles {
        self.inner.needles.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The variables of the sandbox that have placeholders, with them.
    pub fn placeholders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.inner.secrets.placeholders()
    }

    /// Whether a text has one of the placeholders in it.
    pub fn mentions_placeholder(&self, text: &[u8]) -> bool {
        self.placeholders().any(|(_, placeholder)| memchr::memmem::find(text, placeholder.as_bytes()).is_some())
    }

    /// The policy's part of it.
    pub fn policy(&self) -> &Network {
        &self.inner.policy
    }
}
