//! The gate of a session: which calls may be made, and how many.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::Semaphore;

use super::function::{Functions, HostFunction};
use super::record::Answers;
use crate::outcome::receipts::Receipts;
use crate::runtime::Ticker;
use crate::wasi::{Asker, CallError};
use wisp_api::{FunctionInfo, ReceiptKind};
use wisp_policy::schema::Key;
use wisp_policy::{HostGrant, Policy, duration_text, quote, rule_for_guests, size_text};

/// Returns the first function that may be called although the policy is deterministic and answers are neither recorded nor
/// replayed, with the rule that allows it: functions may answer differently each time.
pub(crate) fn unrepeatable(policy: &Policy, functions: &Functions, answers: &Answers) -> Option<(String, String)> {
    let host = policy.host().filter(|_| policy.determinism().is_some() && matches!(answers, Answers::Live))?;
    let name = host.functions().find(|name| functions.contains_key(*name))?;
    Some((name.to_owned(), policy.function_rule(name).to_string()))
}

/// The functions of a session, and what was used of its limits.
pub(crate) struct Gate {
    pub(super) functions: Arc<Functions>,
    pub(super) policy: Arc<Policy>,
    pub(super) grant: HostGrant,
    /// The functions that may be called here, each with the rule that allows it.
    pub(super) allowed: BTreeMap<String, String>,
    /// Whether the session is a fork, which has what `host.forks` lists.
    pub(super) fork: bool,
    pub(super) answers: Answers,
    pub(super) receipts: Arc<Receipts>,
    pub(super) ticker: Ticker,
    pub(super) turns: Arc<Semaphore>,
    pub(super) calls: AtomicU64,
    pub(super) bytes: AtomicU64,
}

impl Gate {
    /// Creates the gate of a new session; `None` if its policy has no `[host]`.
    pub(crate) fn new(
        functions: Arc<Functions>,
        policy: &Arc<Policy>,
        answers: Answers,
        receipts: Arc<Receipts>,
        ticker: Ticker,
    ) -> Option<Arc<Self>> {
        let grant = policy.host()?.clone();
        Some(Arc::new(Self::make(functions, policy.clone(), grant, false, answers, receipts, ticker)))
    }

    fn make(
        functions: Arc<Functions>,
        policy: Arc<Policy>,
        grant: HostGrant,
        fork: bool,
        answers: Answers,
        receipts: Arc<Receipts>,
        ticker: Ticker,
    ) -> Self {
        let ruled = |key, name: &str| (name.to_owned(), policy.rule_of(key, name).to_string());
        let allowed = match fork {
            true => grant.forks.iter().map(|name| ruled(Key::HostForks, name)).collect(),
            false => grant.functions().map(|name| ruled(Key::HostAllow, name)).collect(),
        };
        let turns = Arc::new(Semaphore::new(grant.max_concurrent as usize));
        let (calls, bytes) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { functions, policy, grant, allowed, fork, answers, receipts, ticker, turns, calls, bytes }
    }

    /// Returns the gate of a session from the same template, with these functions. Its limits count from zero.
    pub(crate) fn renew(&self, functions: Arc<Functions>, receipts: Arc<Receipts>) -> Arc<Self> {
        let (policy, grant) = (self.policy.clone(), self.grant.clone());
        Arc::new(Self::make(functions, policy, grant, self.fork, self.answers.clone(), receipts, self.ticker.clone()))
    }

    /// Returns the gate of a fork, which has only what `host.forks` lists. Its limits count from zero.
    pub(crate) fn fork(&self, receipts: Arc<Receipts>) -> Arc<Self> {
        let (functions, policy, grant) = (self.functions.clone(), self.policy.clone(), self.grant.clone());
        Arc::new(Self::make(functions, policy, grant, true, self.answers.clone(), receipts, self.ticker.clone()))
    }

    /// Returns the registered functions.
    pub(crate) fn functions(&self) -> &Arc<Functions> {
        &self.functions
    }

    /// Returns those among `functions` that may be called here, by name.
    pub(crate) fn infos(&self, functions: &Functions) -> Vec<FunctionInfo> {
        self.allowed.iter().filter_map(|(name, rule)| Some(functions.get(name)?.info(rule))).collect()
    }

    /// Returns where answers come from.
    pub(crate) fn answers(&self) -> &Answers {
        &self.answers
    }

    pub(super) fn ticker(&self) -> &Ticker {
        &self.ticker
    }

    /// Returns a permit for each call that may run now.
    pub(super) fn turns(&self) -> &Arc<Semaphore> {
        &self.turns
    }

    /// Counts bytes that a call moves.
    pub(super) fn transfer(&self, process: u32, name: &str, size: u64) -> Result<(), CallError> {
        let before = self.bytes.fetch_add(size, Ordering::Relaxed);
        if before.saturating_add(size) <= self.grant.max_bytes {
            return Ok(());
        }
        // What was not moved does not count.
        self.bytes.fetch_sub(size, Ordering::Relaxed);
        Err(self.exceeded(process, name, Key::MaxCallBytes))
    }

    /// Returns the error for a limit of `[host]` that a call exceeded. It is an attempt like a refused one: a program that goes on calling
    /// ends.
    pub(super) fn exceeded(&self, process: u32, name: &str, key: Key) -> CallError {
        let grant = &self.grant;
        let value = match key {
            Key::MaxCalls => grant.max_calls.to_string(),
            Key::MaxArguments => size_text(grant.max_arguments),
            Key::MaxResult => size_text(grant.max_result),
            Key::MaxCallBytes => size_text(grant.max_bytes),
            _ => duration_text(u64::try_from(grant.timeout.as_nanos()).unwrap_or(u64::MAX)),
        };
        let rule = self.policy.rule(key).to_string();
        self.receipts.denied(process, ReceiptKind::Function, &format!("{name}: {} = {value}", key.path()), &rule);
        CallError::Limited { limit: key.path().to_owned(), value, rule: rule_for_guests(&rule).to_owned() }
    }

    /// Returns the error that `limits.memory` has no room for what a call needs.
    pub(super) fn no_memory(&self) -> CallError {
        let (value, rule) = (size_text(self.policy.limits().memory), self.policy.rule(Key::Memory).to_string());
        CallError::Limited { limit: Key::Memory.path().to_owned(), value, rule: rule_for_guests(&rule).to_owned() }
    }

    pub(super) fn denied(&self, process: u32, name: &str, reason: String, rule: String, help: String) -> CallError {
        self.receipts.denied(process, ReceiptKind::Function, name, &rule);
        CallError::Denied { name: name.to_owned(), reason, rule: rule_for_guests(&rule).to_owned(), help }
    }

    /// Finds the function, if it may be called here, and the rule that allows it.
    pub(super) fn find(&self, asker: &Asker, name: &str) -> Result<(&HostFunction, &str), CallError> {
        let Some(rule) = self.allowed.get(name) else {
            let listed = self.grant.functions().any(|other| other == name);
            if !listed && let Some(server) = self.grant.server_of(name) {
                let rule = self.policy.rule_of(Key::McpName, &server.name).to_string();
                let reason = format!("the server `{}` has no such tool in its `allow`", server.name);
                let help = format!("add the tool to `allow` in the `[[host.mcp]]` called `{}`", server.name);
                return Err(self.denied(asker.process, name, reason, rule, help));
            }
            let (key, reason) = match self.fork && listed {
                true => (Key::HostForks, "this session is a fork, and `host.forks` does not list it"),
                false => (Key::HostAllow, "`host.allow` does not list it"),
            };
            let rule = self.policy.rule(key).to_string();
            let help = format!("add {} to `{}` in `[host]`", quote(name), key.word());
            return Err(self.denied(asker.process, name, reason.to_owned(), rule, help));
        };
        let function = self.functions.get(name).ok_or_else(|| CallError::NotFound(name.to_owned()))?;
        Ok((function, rule.as_str()))
    }
}
