//! The validated policy: what a session may do. Every value is checked, and the rule that set it is known.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::finding::SourceFile;
use super::host::HostGrant;
use super::imports::ImportComponent;
use super::layer::Layer;
use super::network::{Network, SecretRule};
use super::parts::{Determinism, Filesystem, Limits, Output, Tools};
use super::read::number_text;
use super::rule::{BUILT_IN, Origin, Rule};
use super::schema::{Absent, Key};
use super::subject::Subject;
use super::tables::numbers_in;

/// What a session may do. Only `extends` and `settle` make one, so every `Policy` is valid.
#[derive(Debug, Clone)]
pub struct Policy {
    pub(super) file: Arc<SourceFile>,
    pub(super) origin: Origin,
    pub(super) layer: Layer,
    pub(super) name: String,
    pub(super) tools: Tools,
    pub(super) imports: BTreeMap<String, ImportComponent>,
    pub(super) filesystem: Filesystem,
    pub(super) env: BTreeMap<String, String>,
    pub(super) output: Output,
    pub(super) limits: Limits,
    pub(super) determinism: Option<Determinism>,
    pub(super) network: Option<Network>,
    pub(super) host: Option<HostGrant>,
    pub(super) rules: BTreeMap<Subject, Rule>,
}

impl Policy {
    /// Returns its name in receipts and `explain`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the file from which it was loaded, as the user named it, or the shipped file: `policies/offline.toml`.
    pub fn file(&self) -> &str {
        self.file.name()
    }

    /// Returns the available programs.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Returns the quotas and the mounts.
    pub fn filesystem(&self) -> &Filesystem {
        &self.filesystem
    }

    /// Returns the variables of the guest's environment that the policy sets.
    pub fn env(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    /// Returns the files that are returned.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// Returns the limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Returns the seed and the clock, if the policy fixes them.
    pub fn determinism(&self) -> Option<&Determinism> {
        self.determinism.as_ref()
    }

    /// Returns the allowed requests, if the policy has `[network]` or an option adds to it.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// Returns the functions of the host program that may be called, if the policy has `[host]` or an option adds to it.
    pub fn host(&self) -> Option<&HostGrant> {
        self.host.as_ref()
    }

    /// Returns the rule that set a key. That of a key that is not set is `built in` if the key has a default; otherwise nothing is granted,
    /// and the rule is the policy as a whole. A list of tables is not a key, but has entries ([`Policy::rule_of`]). For the crates above: a
    /// host program reads [`Policy::rules`], which needs no list of keys.
    #[doc(hidden)]
    pub fn rule(&self, key: Key) -> Rule {
        let has_default = match key {
            // They have defaults, but only in a policy that has the table.
            Key::Seed | Key::Clock => self.determinism.is_some(),
            _ => matches!(key.row().absent, Absent::Number(_) | Absent::Text(_)),
        };
        let absent = || if has_default { BUILT_IN.clone() } else { self.absence() };
        self.rules.get(&key.into()).cloned().unwrap_or_else(absent)
    }

    /// Returns the rule that set one entry of a key: an item of its list, what stands for `NAME` in its path, or a row of a list of tables
    /// by the key that tells it from the others ([`Key::MountGuest`], [`Key::AllowUrl`], [`Key::SecretValueFromEnv`], [`Key::McpName`]).
    /// The rule of what is not there is the policy as a whole.
    #[doc(hidden)]
    pub fn rule_of(&self, key: Key, entry: &str) -> Rule {
        self.rules.get(&Subject::entry(key, entry)).cloned().unwrap_or_else(|| self.absence())
    }

    /// Returns the rule that allows a function of the host program, by name; the policy as a whole if nothing does.
    pub fn function_rule(&self, name: &str) -> Rule {
        self.rule_of(Key::HostAllow, name)
    }

    fn absence(&self) -> Rule {
        Rule::absence(self.origin, self.file.clone())
    }

    /// Returns everything that is set, with its rule, by its path as in `policies/README.md` with real names in it: `limits.wall`,
    /// `tools.allow`, `tools.allow.sh` (one item), `tools.custom.jwt`, `filesystem.mount./mnt/input`, `env.vars.LANG`, `determinism`.
    pub fn rules(&self) -> BTreeMap<String, Rule> {
        self.rules.iter().map(|(subject, rule)| (subject.to_string(), rule.clone())).collect()
    }

    /// Returns every key with a number in the tables that a session goes by, and its value as a policy has it, in the order of the
    /// reference. Those of `[network]` and `[host]` are there if the policy has the table.
    #[doc(hidden)]
    pub fn numbers(&self) -> Vec<(Key, String)> {
        let network = self.network.is_some().then_some("network");
        let tables = ["limits", "filesystem", "output"].into_iter().chain(network).chain(self.host.is_some().then_some("host"));
        tables.flat_map(numbers_in).map(|key| (key, number_text(&key.row().shape, self.layer.number(key)))).collect()
    }

    /// Returns the components in front of imports (`[imports]`), by interface.
    pub fn imports(&self) -> &BTreeMap<String, ImportComponent> {
        &self.imports
    }

    /// Returns what is granted, one line each, in the policy's words: `tools.allow sh`, `filesystem.mount /mnt/input read`.
    pub fn grants(&self) -> Vec<String> {
        let tools = self.tools.allow.iter().map(|tool| format!("tools.allow {tool}"));
        let custom = self.tools.custom.keys().map(|tool| format!("tools.custom {tool}"));
        let imports = self.imports.keys().map(|interface| format!("imports {interface}"));
        let mounts = self.filesystem.mounts.iter().map(|mount| format!("filesystem.mount {} {}", mount.guest, mount.access));
        let env = self.env.keys().map(|name| format!("env.vars {name}"));
        let network = self.network.iter().flat_map(|network| {
            let allow = network.allow.iter().map(|rule| format!("network.allow {} {}", rule.url, rule.methods.join(",")));
            let secret = |secret: &SecretRule| format!("network.secret {} {} {}", secret.variable, secret.host, secret.place);
            allow.chain(network.secrets.iter().map(secret)).collect::<Vec<_>>()
        });
        let host = self.host.iter().flat_map(|host| host.functions().map(|name| format!("host.allow {name}")));
        tools.chain(custom).chain(imports).chain(mounts).chain(env).chain(network).chain(host).collect()
    }
}
