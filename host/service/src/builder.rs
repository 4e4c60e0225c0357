//! Setting up a service: the policies that it offers, and how many sessions it holds for how long.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::OnceCell;
use wisp::{Engine, Policy, ReceiptSink, Session, SessionError, SessionTemplate};

use crate::clock::{self, Clock};
use crate::error::ServiceError;
use crate::receipts::Hub;
use crate::runtime::Runtime;
use crate::service::{Inner, Service};
use crate::timer;

/// How many sessions a service holds, and for how long.
///
/// Everything that one owner can make the service hold follows from them and from the policy. A session has at most: its running
/// processes (`limits.memory`); its files (`filesystem.quota`); the output of what runs; what it keeps of commands that have ended
/// (64 MiB, and the last one) and of evaluations (as much again), where one holds at most `limits.stdout` and `limits.stderr` twice, what
/// was shown and returned (`limits.stdout` each) and `output.max_bytes`; the state of its shells (128 MiB, and what one more script
/// adds); and for its checkpoints `checkpoint_bytes`, and the files in which they differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServiceLimits {
    /// Closes a session after this time without a call in which nothing ran in it; `None`: never (default: 30 minutes).
    pub idle: Option<Duration>,
    /// Closes a session after this time, whatever runs in it; `None`: never (the default).
    pub life: Option<Duration>,
    /// Maximum sessions (default: 1,000).
    pub sessions: usize,
    /// Maximum sessions of one owner (default: 1,000).
    pub sessions_per_owner: usize,
    /// Maximum checkpoints of one session (default: 64).
    pub checkpoints: usize,
    /// Maximum bytes of the interpreters and shells in the checkpoints of one session (default: 4 GiB).
    pub checkpoint_bytes: u64,
}

impl Default for ServiceLimits {
    fn default() -> Self {
        Self {
            idle: Some(Duration::from_secs(30 * 60)),
            life: None,
            sessions: 1_000,
            sessions_per_owner: 1_000,
            checkpoints: 64,
            checkpoint_bytes: 4 << 30,
        }
    }
}

/// Settings of a [`Service`].
#[must_use]
pub struct ServiceBuilder {
    runtime: Arc<Runtime>,
    limits: ServiceLimits,
    /// The machine's, if there is no other.
    clock: Option<Clock>,
    policies: BTreeMap<String, Arc<Offer>>,
    default: Option<String>,
    receipts: Option<Arc<dyn ReceiptSink>>,
}

impl ServiceBuilder {
    pub(crate) fn new(runtime: Arc<Runtime>) -> Self {
        Self { runtime, limits: ServiceLimits::default(), clock: None, policies: BTreeMap::new(), default: None, receipts: None }
    }

    /// Offers a policy by a name, in place of one with the same name. The first one is the default.
    pub fn policy(mut self, name: impl Into<String>, policy: Policy) -> Self {
        let name = name.into();
        self.default.get_or_insert_with(|| name.clone());
        self.policies.insert(name, Arc::new(Offer { digest: policy.digest(), policy, template: OnceCell::new() }));
        self
    }

    /// Sets how many sessions it holds, and for how long.
    pub fn limits(mut self, limits: ServiceLimits) -> Self {
        self.limits = limits;
        self
    }

    /// Sends the receipts of all sessions to `sink`, as they happen, except of those that the program gives a sink of their own.
    pub fn receipts(mut self, sink: Arc<dyn ReceiptSink>) -> Self {
        self.receipts = Some(sink);
        self
    }

    /// Takes the time from `clock`, which returns the time since 1970 and never goes back, in place of the machine's. Then the
    /// program calls [`Service::sweep`] when it wants sessions closed whose time is over. Waits are not measured by it.
    pub fn clock(mut self, clock: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        self.clock = Some(Arc::new(clock));
        self
    }

    /// Makes the service. A task of its runtime closes sessions whose time is over.
    pub fn build(self) -> Service {
        let Self { runtime, limits, clock, policies, default, receipts } = self;
        let (sweeps, clock) = (clock.is_none(), clock.unwrap_or_else(clock::machine));
        let inner = Arc::new(Inner { runtime, limits, clock, policies, default, registry: Mutex::default(), receipts: Hub::new(receipts) });
        if sweeps {
            timer::sweep(&inner.runtime, Arc::downgrade(&inner));
        }
        Service::of(inner)
    }
}

impl fmt::Debug for ServiceBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceBuilder").field("limits", &self.limits).field("policies", &self.policies.keys()).finish_non_exhaustive()
    }
}

/// A policy that the service offers, and what its sessions start from.
pub(crate) struct Offer {
    pub(crate) policy: Policy,
    /// Of the policy: every call that opens a session compares it.
    pub(crate) digest: String,
    template: OnceCell<SessionTemplate>,
}

impl Offer {
    /// Returns what its sessions start from, whose receipts go to `hub`. It is laid out once.
    pub(crate) async fn template(&self, engine: &Engine, hub: &Arc<Hub>) -> Result<&SessionTemplate, ServiceError> {
        let lay_out = || async { Ok::<_, SessionError>(engine.session(&self.policy).build().await?.template().receipts(hub.clone())) };
        Ok(self.template.get_or_try_init(lay_out).await?)
    }

    /// Starts a session, whose receipts go to `hub`. The first one is laid out; the others start from it in microseconds.
    pub(crate) async fn start(&self, engine: &Engine, hub: &Arc<Hub>) -> Result<Session, ServiceError> {
        Ok(self.template(engine, hub).await?.start()?)
    }
}
