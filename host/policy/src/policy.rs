//! The validated policy: what a session may do. Every value is checked, and the rule that set it is known.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::finding::{PolicyErrors, SourceFile};
use super::host::HostGrant;
use super::imports::ImportComponent;
use super::layer::Layer;
use super::network::{Network, SecretRule};
use super::overrides::Overrides;
use super::parts::{Access, Determinism, Filesystem, Limits, Output, Tools};
use super::rule::{BUILT_IN, Origin, Rule};
use super::schema::{Absent, Key};
use super::source::{NoFiles, Source};
use super::subject::Subject;
use super::{canonical, extends, settle};

/// What a session may do. Only the functions below make one, so every `Policy` is valid.
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
    /// Loads the policy with that name (a shipped one) or at that path (which contains `/` or ends in `.toml`), with
    /// everything it extends. [`NoFiles`] is the source for shipped ones; that of the host's files is the library's `HostFiles`.
    ///
    /// ```
    /// # use wisp_policy::{NoFiles, Policy};
    /// let policy = Policy::load(&NoFiles, "minimal")?;
    /// assert_eq!((policy.name(), policy.limits().processes), ("minimal", 16));
    /// let error = Policy::load(&NoFiles, "minimall").unwrap_err();
    /// assert!(error.to_string().contains("minimal"));
    /// # Ok::<(), wisp_policy::PolicyErrors>(())
    /// ```
    pub fn load(source: &dyn Source, name_or_path: &str) -> Result<Self, PolicyErrors> {
        Self::load_with(source, name_or_path, &Overrides::default())
    }

    /// As [`Policy::load`], changed by options; the findings of both are reported together.
    pub fn load_with(source: &dyn Source, name_or_path: &str, overrides: &Overrides) -> Result<Self, PolicyErrors> {
        extends::load(source, name_or_path, overrides)
    }

    /// Reads a policy from a text. Findings call it `file_name`, and relative paths in it are relative to that name's
    /// directory.
    ///
    /// ```
    /// # use wisp_policy::{NoFiles, Policy};
    /// let policy = Policy::parse(&NoFiles, "mine.toml", "extends = \"offline\"\n[limits]\nwall = \"10s\"\n")?;
    /// assert_eq!((policy.name(), policy.limits().wall.as_secs()), ("mine", 10));
    /// assert_eq!(policy.rules()["limits.wall"].to_string(), "mine.toml:3");
    /// // All mistakes are found at once, each with its line.
    /// let errors = Policy::parse(&NoFiles, "mine.toml", "[limits]\nwal = \"10s\"\nmemory = 1\n").unwrap_err();
    /// assert!(errors.to_string().contains("mine.toml:2"));
    /// # Ok::<(), wisp_policy::PolicyErrors>(())
    /// ```
    pub fn parse(source: &dyn Source, file_name: &str, text: &str) -> Result<Self, PolicyErrors> {
        extends::parse(source, file_name, text)
    }

    /// The built-in default: the shipped policy `offline`.
    pub fn offline() -> Self {
        // `policies/offline.toml` is part of the program, and a test loads it.
        Self::load(&NoFiles, "offline").expect("the shipped policy `offline` is valid")
    }

    /// This policy, changed by options of the command line or the host program.
    pub fn with(self, source: &dyn Source, overrides: &Overrides) -> Result<Self, PolicyErrors> {
        settle::with(self, source, overrides)
    }

    /// Adds a variable to the guest's environment.
    pub fn with_env(self, name: &str, value: &str) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().env_pair(name, value))
    }

    /// Sets the time limit (`limits.wall`).
    pub fn with_timeout(self, wall: Duration) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().wall(wall))
    }

    /// Mounts a directory, or a single file, of the host.
    pub fn with_mount(self, source: &dyn Source, host: &Path, guest: &str, access: Access) -> Result<Self, PolicyErrors> {
        self.with(source, &Overrides::host_program().mount_at(host, guest, access))
    }

    /// Adds a component as a tool.
    pub fn with_tool(self, source: &dyn Source, name: &str, file: &Path) -> Result<Self, PolicyErrors> {
        self.with(source, &Overrides::host_program().tool_at(name, file))
    }

    /// Sets any key whose value is a number, a size or a time: `with_value("limits.memory", "64MiB")`.
    pub fn with_value(self, key: &str, value: &str) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().value(key, value))
    }

    /// Its name in receipts and `explain`.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The file from which it was loaded, as the user named it, or the shipped file: `policies/offline.toml`.
    pub fn file(&self) -> &str {
        self.file.name()
    }

    /// The available programs.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Quotas and mounts.
    pub fn filesystem(&self) -> &Filesystem {
        &self.filesystem
    }

    /// The variables of the guest's environment that the policy sets.
    pub fn env(&self) -> &BTreeMap<String, String> {
        &self.env
    }

    /// The files that are returned.
    pub fn output(&self) -> &Output {
        &self.output
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Seed and clock, if the policy fixes them.
    pub fn determinism(&self) -> Option<&Determinism> {
        self.determinism.as_ref()
    }

    /// The allowed requests, if the policy has `[network]` or an option adds to it.
    pub fn network(&self) -> Option<&Network> {
        self.network.as_ref()
    }

    /// The functions of the host program that may be called, if the policy has `[host]` or an option adds to it.
    pub fn host(&self) -> Option<&HostGrant> {
        self.host.as_ref()
    }

    /// Allows a function of the host program, by name.
    pub fn with_function(self, name: &str) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().function(name))
    }

    /// Allows forks of a session to call a function that it may call, by name.
    pub fn with_function_in_forks(self, name: &str) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().function_in_forks(name))
    }

    /// Allows requests: to a URL, for reading, or `METHOD,METHOD URL`.
    pub fn with_allow(self, spec: &str) -> Result<Self, PolicyErrors> {
        self.with(&NoFiles, &Overrides::host_program().allow(spec))
    }

    /// The rule that set a key. That of a key that is not set is `built in` if the key has a default; otherwise nothing is granted, and
    /// the rule is the policy as a whole. A list of tables is not a key, but has entries ([`Policy::rule_of`]). For the crates above: a
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

    /// The rule that set one entry of a key: an item of its list, what stands for `NAME` in its path, or a row of a list of tables by the
    /// key that tells it from the others ([`Key::MountGuest`], [`Key::AllowUrl`], [`Key::SecretValueFromEnv`], [`Key::McpName`]). The rule of
    /// what is not there is the policy as a whole.
    #[doc(hidden)]
    pub fn rule_of(&self, key: Key, entry: &str) -> Rule {
        self.rules.get(&Subject::entry(key, entry)).cloned().unwrap_or_else(|| self.absence())
    }

    /// The rule that allows a function of the host program, by name; the policy as a whole if nothing does.
    pub fn function_rule(&self, name: &str) -> Rule {
        self.rule_of(Key::HostAllow, name)
    }

    fn absence(&self) -> Rule {
        Rule::absence(self.origin, self.file.clone())
    }

    /// Everything that is set, with its rule, by its path as in `policies/README.md` with real names in it: `limits.wall`, `tools.allow`,
    /// `tools.allow.sh` (one item), `tools.custom.jwt`, `filesystem.mount./mnt/input`, `env.vars.LANG`, `determinism`.
    pub fn rules(&self) -> BTreeMap<String, Rule> {
        self.rules.iter().map(|(subject, rule)| (subject.to_string(), rule.clone())).collect()
    }

    /// Returns the components in front of imports (`[imports]`), by interface.
    pub fn imports(&self) -> &BTreeMap<String, ImportComponent> {
        &self.imports
    }

    /// What is granted, one line each, in the policy's words: `tools.allow sh`, `filesystem.mount /mnt/input read`.
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

    /// The resolved policy as TOML: every key written out in a fixed order, with absolute paths. It is itself a
    /// policy with the same digest.
    pub fn canonical(&self) -> String {
        canonical::render(self)
    }

    /// The SHA-256 of [`Policy::canonical`], in lower-case hexadecimal. Two policies with the same digest allow the
    /// same, whatever files they came from.
    pub fn digest(&self) -> String {
        canonical::digest(self)
    }
}
