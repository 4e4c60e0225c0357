//! A session's network: its rules, its limits, its secrets, and what passes them on to a fork.

use std::sync::Arc;

use parking_lot::Mutex;
use wisp_policy::Network;
use wisp_policy::schema::Key;

use super::limits::{Limits, Now};
use super::mask::Needles;
use super::receipt::Observer;
use super::resolve::Resolve;
use super::secret::{SecretError, Secrets};
use super::time::Wait;
use super::tls::{Roots, Tls};
use super::withheld::Withheld;

/// A session's network: its rules, its limits, its secrets. Cheap to clone.
#[derive(Clone)]
pub struct Net {
    pub(super) inner: Arc<Inner>,
    /// Set if the process that has this may not use it: the reason.
    pub(super) withheld: Option<Arc<Withheld>>,
}

pub(super) struct Inner {
    pub(super) policy: Network,
    pub(super) resolver: Arc<dyn Resolve>,
    pub(super) tls: Tls,
    pub(super) limits: Limits,
    pub(super) secrets: Secrets,
    /// What is masked: every secret of this session, and of the sessions that it continues.
    pub(super) needles: Mutex<Needles>,
    pub(super) observer: Arc<dyn Observer>,
    pub(super) rule_of: Arc<dyn Fn(Key) -> String + Send + Sync>,
    pub(super) wait: Wait,
}

/// The parts of a session's network.
pub struct NetParts {
    /// The rules and limits. Its own rule is reported if a rule is missing.
    pub policy: Network,
    /// The rule that set a limit.
    pub rule_of: Arc<dyn Fn(Key) -> String + Send + Sync>,
    /// Looks up names.
    pub resolver: Arc<dyn Resolve>,
    /// The trusted certificates.
    pub roots: Roots,
    /// The secrets and their placeholders.
    pub secrets: Secrets,
    /// Is called for every attempt.
    pub observer: Arc<dyn Observer>,
    /// The clock for requests per minute.
    pub now: Now,
    /// Waits until a time limit of a request is over.
    pub wait: Wait,
}

impl Net {
    /// Creates the network of a new session, which has made no requests.
    pub fn new(parts: NetParts) -> Self {
        let inner = Inner {
            limits: Limits::new(&parts.policy, parts.now),
            policy: parts.policy,
            resolver: parts.resolver,
            tls: Tls::new(parts.roots),
            needles: Mutex::new(parts.secrets.needles()),
            secrets: parts.secrets,
            observer: parts.observer,
            rule_of: parts.rule_of,
            wait: parts.wait,
        };
        Self { inner: Arc::new(inner), withheld: None }
    }

    /// Returns the network of a session that continues from a snapshot of this one: the same rules, limits counted from zero,
    /// and the secrets that forks keep. It masks everything that this one masks.
    pub fn fork(&self, observer: Arc<dyn Observer>) -> Self {
        let fork = self.with_secrets(self.inner.secrets.fork(), observer);
        fork.mask_also(self);
        fork
    }

    /// Returns the network of a new session under the same rules, with the same secrets under placeholders of its own. It
    /// continues nothing of this one.
    ///
    /// # Errors
    /// If the system provides no randomness for the placeholders.
    pub fn renew(&self, observer: Arc<dyn Observer>) -> Result<Self, SecretError> {
        Ok(self.with_secrets(self.inner.secrets.renew()?, observer))
    }

    fn with_secrets(&self, secrets: Secrets, observer: Arc<dyn Observer>) -> Self {
        let inner = &self.inner;
        Self::new(NetParts {
            policy: inner.policy.clone(),
            rule_of: inner.rule_of.clone(),
            resolver: inner.resolver.clone(),
            roots: inner.tls.roots().clone(),
            secrets,
            observer,
            now: inner.limits.clock(),
            wait: inner.wait.clone(),
        })
    }

    /// Masks from now on what `other` masks, too, because its session continues in this one, and may still hold what it
    /// received.
    pub fn mask_also(&self, other: &Self) {
        let others = other.needles();
        let mut needles = self.inner.needles.lock();
        *needles = needles.with(&others);
    }

    /// Returns this network for a process that may not use it: every request is denied by this rule and leaves a receipt.
    /// `tool` is the tool without the right.
    #[must_use]
    pub fn withheld(&self, tool: &str, rule: &str) -> Self {
        Self { inner: self.inner.clone(), withheld: Some(Arc::new(Withheld::new(tool, rule))) }
    }

    pub(super) fn needles(&self) -> Needles {
        self.inner.needles.lock().clone()
    }

    /// Returns the sandbox's variables that have placeholders, and the placeholders.
    pub fn placeholders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.inner.secrets.placeholders()
    }

    /// Returns whether a text contains one of the placeholders.
    pub fn mentions_placeholder(&self, text: &[u8]) -> bool {
        self.placeholders().any(|(_, placeholder)| memchr::memmem::find(text, placeholder.as_bytes()).is_some())
    }

    /// Returns the network section of the policy.
    pub fn policy(&self) -> &Network {
        &self.inner.policy
    }
}
