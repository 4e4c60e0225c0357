//! One decided import.

use super::grants::{BUILT_IN, Grants};
use super::import::{Import, Kind, REPORT};
use super::known;
use wisp_policy::capability::{Decision, Interface};
use wisp_policy::lookup::lookup;

/// Why a component has no threads by `wisp:sandbox/threads`.
pub const NO_THREADS: &str = "threads are for wisp's own everyday python3: the host relies on what switches between their stacks, and \
                              there must be no exceptions of wasm on them";

/// An import of a component, and the decision about it. Serialised, it is a row of `wisp explain --json`.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct ImportRow {
    /// The import, as the component names it: `wasi:io/poll@0.2.9`.
    pub interface: String,
    /// The decision.
    pub decision: Decision,
    /// The rule that decided: `policies/offline.toml:12`, `command line`, a policy's name for what it does not grant,
    /// or `built in` for what no policy changes.
    pub rule: String,
    /// The reason, for people.
    pub reason: String,
    /// The row of the capability table it matched.
    #[serde(skip)]
    pub known: Option<Interface>,
}

impl ImportRow {
    /// Decides about an import.
    pub(super) fn decide(import: &Import, grants: &Grants) -> Self {
        let refused = |reason: String| Self {
            interface: import.name.clone(),
            decision: Decision::Refused,
            rule: BUILT_IN.to_owned(),
            reason,
            known: None,
        };
        match import.kind {
            Kind::Instance => {}
            Kind::TypeName => {
                return Self {
                    decision: Decision::Virtual,
                    ..refused("only names a type that another import has; nothing is provided".to_owned())
                };
            }
            Kind::Function => return refused("a function outside an interface; wisp provides only interfaces".to_owned()),
            Kind::Resource => return refused("a resource outside an interface; wisp provides only interfaces".to_owned()),
            Kind::Module => return refused("a core module that the host is to provide; wisp provides none".to_owned()),
            Kind::Component => return refused("a component that the host is to provide; wisp provides none".to_owned()),
            Kind::Value => return refused("a value that the host is to provide; wisp provides none".to_owned()),
        }
        let interface = match lookup(&import.name) {
            Ok(interface) => interface,
            Err(unknown) => return refused(unknown.to_string()),
        };
        if interface == Interface::SandboxThreads && !grants.threads {
            return refused(NO_THREADS.to_owned());
        }
        let capability = interface.capability();
        let met = capability.met(capability.key.is_some_and(|key| grants.granted(key)));
        if let Some(foreign) = import.foreign.first() {
            return refused(format!("its `{foreign}` is neither a function nor a type"));
        }
        if met.decision != Decision::Refused {
            let missing: Vec<&str> = import.items.iter().map(String::as_str).filter(|item| !known::has(interface, item)).collect();
            if !missing.is_empty() && met.decision != Decision::Denied {
                return refused(format!("wisp's version of it has no `{}`", missing.join("`, `")));
            }
        }
        let reason = match capability.key.and_then(|key| grants.detail(key)) {
            Some(detail) => format!("{}: {detail}", met.reason),
            None => met.reason.to_owned(),
        };
        Self {
            interface: import.name.clone(),
            decision: met.decision,
            rule: capability.key.map_or_else(|| BUILT_IN.to_owned(), |key| grants.rule(key)),
            reason,
            known: Some(interface),
        }
    }

    /// Returns the row of an import that a policy has a component for.
    pub(super) fn made(import: &Import, decision: Decision, rule: &str, reason: String) -> Self {
        let (interface, known) = (import.name.clone(), lookup(&import.name).ok());
        Self { interface, decision, rule: rule.to_owned(), reason, known }
    }

    /// Returns the import that is added where others are denied.
    pub(super) fn report() -> Self {
        Self {
            interface: REPORT.to_owned(),
            decision: Decision::Virtual,
            rule: BUILT_IN.to_owned(),
            reason: "added where imports are denied: each denied call leaves a receipt; it grants nothing".to_owned(),
            known: None,
        }
    }

    /// Turns the row into a refusal.
    pub(super) fn refuse(&mut self, reason: String) {
        self.decision = Decision::Refused;
        self.reason = reason;
    }
}
