//! What a policy says about the keys of the capability table: all that a decision needs.

use std::collections::BTreeMap;
use wisp_policy::schema::Key;
use wisp_policy::{CustomTool, McpTransport, Policy};

/// For each key of the capability table: whether the policy sets it, and where.
///
/// Derived from a [`Policy`] once and used for all components of a session.
#[derive(Debug, Clone, Default)]
pub struct Grants {
    keys: BTreeMap<Key, Grant>,
    /// Whether the component may have threads, which no policy decides.
    pub(super) threads: bool,
}

/// One key.
#[derive(Debug, Clone, Default)]
struct Grant {
    granted: bool,
    rules: Vec<String>,
    detail: Vec<String>,
}

impl Grants {
    /// Returns the grants of a policy.
    pub fn of(policy: &Policy) -> Self {
        let mut grants = Self::default();
        grants.add(Key::EnvVar, policy.env().keys().map(|name| (policy.rule_of(Key::EnvVar, name).to_string(), name.clone())));
        grants.add(
            Key::MountGuest,
            policy.filesystem().mounts.iter().map(|mount| (mount.rule.to_string(), format!("{} ({})", mount.guest, mount.access))),
        );
        let shipped = policy.tools().allow.iter().map(|tool| (policy.rule_of(Key::Allow, tool).to_string(), tool.clone()));
        let custom = policy.tools().custom.iter().map(|(name, tool)| (tool.rule.to_string(), name.clone()));
        grants.add(Key::Allow, shipped.chain(custom));
        if policy.determinism().is_some() {
            for key in [Key::Clock, Key::Seed] {
                grants.add(key, std::iter::once((policy.rule(key).to_string(), String::new())));
            }
        }
        if let Some(network) = policy.network() {
            // An empty table is a grant too: without rules, the gate denies every request and gives the reason.
            let allow = network.allow.iter().map(|rule| (rule.rule.to_string(), format!("{} {}", rule.methods.join(","), rule.url)));
            let secrets = network
                .secrets
                .iter()
                .map(|secret| (secret.rule.to_string(), format!("secret {} for {} ({})", secret.variable, secret.host, secret.place)));
            let none = network.allow.is_empty().then(|| (network.rule.to_string(), "no rule allows a request".to_owned()));
            grants.add(Key::AllowUrl, allow.chain(none).chain(secrets));
            grants.keys.entry(Key::AllowUrl).or_default().detail.push(network.limits());
        }
        if let Some(host) = policy.host() {
            // An empty table is a grant too: the gate denies every call by name and gives the reason.
            let allow = host.functions().map(|name| (policy.function_rule(name).to_string(), name.to_owned()));
            let none = host.functions().next().is_none().then(|| (host.rule.to_string(), "no function may be called".to_owned()));
            grants.add(Key::HostAllow, allow.chain(none));
            let detail = &mut grants.keys.entry(Key::HostAllow).or_default().detail;
            detail.extend(host.mcp.iter().map(|server| match &server.transport {
                McpTransport::Command(_) => format!("{} is started outside the sandbox: {}", server.name, server.transport),
                McpTransport::Http(_) => format!("{} is asked outside the sandbox: {}", server.name, server.transport),
            }));
            detail.push(host.limits());
        }
        for key in [Key::Stdout, Key::Stderr, Key::OutputPath] {
            grants.add(key, std::iter::once((policy.rule(key).to_string(), String::new())));
        }
        // The rule for a key that is not set is the policy as a whole.
        for capability in wisp_policy::capability::TABLE {
            if let Some(key) = capability.key {
                grants.keys.entry(key).or_insert_with(|| Grant { rules: vec![policy.rule(key).to_string()], ..Grant::default() });
            }
        }
        grants
    }

    /// Returns the same for wisp's own `python3`, which alone may have threads.
    pub fn with_threads(self) -> Self {
        Self { threads: true, ..self }
    }

    /// Returns the same for a component that may not have threads.
    pub(super) fn without_threads(self) -> Self {
        Self { threads: false, ..self }
    }

    /// Returns the grants of a custom tool: those of its session, but without the network and the functions of the host unless
    /// its own table grants them. The same holds for the processes that it starts.
    pub fn of_custom(&self, tool: &CustomTool) -> Self {
        let mut grants = Self { threads: false, ..self.clone() };
        let own = [
            (Key::AllowUrl, "the network", tool.network, tool.network_rule()),
            (Key::HostAllow, "functions of the host", tool.host, tool.host_rule()),
        ];
        for (key, what, granted, rule) in own {
            if granted || !self.granted(key) {
                continue;
            }
            let rule = rule.to_string();
            if let Some(started) = grants.keys.get_mut(&Key::Allow) {
                started.detail.push(format!("without {what} when this tool starts them ({rule})"));
            }
            grants.keys.insert(key, Grant { rules: vec![rule], ..Grant::default() });
        }
        grants
    }

    /// Grants `key` by these rules, with what each allows (may be empty). Without rules there is no grant.
    pub(super) fn add(&mut self, key: Key, allowed: impl Iterator<Item = (String, String)>) {
        for (rule, detail) in allowed {
            let grant = self.keys.entry(key).or_default();
            grant.granted = true;
            if !grant.rules.contains(&rule) {
                grant.rules.push(rule);
            }
            if !detail.is_empty() {
                grant.detail.push(detail);
            }
        }
    }

    /// Returns whether the policy sets `key`.
    pub(super) fn granted(&self, key: Key) -> bool {
        self.keys.get(&key).is_some_and(|grant| grant.granted)
    }

    /// Returns the rules that decide about `key`: file and line, or the policy as a whole if it does not set the key.
    pub(super) fn rule(&self, key: Key) -> String {
        match self.keys.get(&key) {
            Some(grant) if !grant.rules.is_empty() => grant.rules.join(", "),
            _ => BUILT_IN.to_owned(),
        }
    }

    /// Returns what the policy allows under `key`, for people.
    pub(super) fn detail(&self, key: Key) -> Option<String> {
        self.keys.get(&key).filter(|grant| !grant.detail.is_empty()).map(|grant| grant.detail.join(", "))
    }
}

/// The rule for what the policy does not set.
pub(super) const BUILT_IN: &str = "built in";

#[cfg(test)]
mod tests {
    use super::*;
    use wisp_policy::capability::TABLE;

    #[test]
    fn every_key_of_the_table_is_derived_from_a_policy() {
        let grants = Grants::of(&Policy::offline());
        for key in TABLE.iter().filter_map(|capability| capability.key) {
            assert!(!grants.keys[&key].rules.is_empty(), "`{}`", key.path());
        }
        assert!(grants.granted(Key::Allow));
        assert!(!grants.granted(Key::MountGuest));
        assert!(!grants.granted(Key::AllowUrl));
        assert_eq!(grants.rule(Key::Clock), "policies/offline.toml");
        assert_eq!(grants.detail(Key::Allow).as_deref(), Some("sh, coreutils, text, data, archive, images, rg, curl, python3"));
        assert!(grants.rule(Key::Allow).starts_with("policies/offline.toml:"), "{}", grants.rule(Key::Allow));
    }
}
