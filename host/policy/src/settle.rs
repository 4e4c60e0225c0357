//! From the merged layers to the policy: defaults, checks across keys, and the rule of each key.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::finding::{Findings, PolicyErrors, SourceFile};
use super::layer::Layer;
use super::network::AllowRule;
use super::numbers::Numbers;
use super::overrides::Overrides;
use super::parts::{Access, Filesystem, Output};
use super::policy::Policy;
use super::read::Set;
use super::rule::{BUILT_IN, Origin, Rule};
use super::schema::Key;
use super::source::{NoFiles, Source};
use super::subject::Subject;
use super::{env, guard, host, imports, limits, mounts, network, tools};

/// Returns the policy, or all findings: those given and those of this step. If the layers are not `complete` (a text could
/// not be read, which has its own finding), only findings that do not depend on the missing part are added.
pub(super) fn settle(
    mut layer: Layer,
    complete: bool,
    file: Arc<SourceFile>,
    origin: Origin,
    source: &dyn Source,
    mut findings: Findings,
) -> Result<Policy, PolicyErrors> {
    let numbers = Numbers::of(|key| layer.number(key));
    let determinism = layer.determinism.as_ref().map(|_| numbers.determinism);
    let output_path = layer.output_path.as_ref().map_or(Key::OutputPath.default_text(), |path| &path.value).to_owned();
    let output = Output { path: output_path, ..numbers.output };
    let output_known = complete || layer.output_path.is_some();
    let output_rule = layer.output_path.as_ref().map_or(BUILT_IN.clone(), |path| path.rule.clone());

    let granted = layer.python.granted();
    let mut variables = granted.env;
    variables.extend(layer.env.clone());
    let env = env::settle(&variables, &mut findings);
    let network = network::settle(&mut layer, &granted.allow, numbers.network, source, &mut findings);
    let host = host::settle(&layer.host, numbers.host, complete, network.as_ref(), source, &mut findings);
    let tools = tools::settle::settle(&mut layer, network.is_some(), complete, source, &mut findings);
    let imports = imports::settle::settle(&mut layer, &tools, complete, source, &mut findings);
    layer.mounts.extend(granted.mount);
    let mounts = mounts::settle(&mut layer.mounts, output_known.then_some((output.path.as_str(), &output_rule)), source, &mut findings);
    guard::check(&layer.mounts, &guard::of_policy(&layer, &tools, &imports, network.as_ref(), host.as_ref()), source, &mut findings);
    guard::check(&layer.mounts, &guard::of_servers(host.as_ref()), source, &mut findings);
    let name = layer.name.as_ref().map_or_else(|| stem(file.name()), |name| name.value.clone());
    let rules = rules(&layer, &granted.allow, &variables);
    if let Some(wheels) = &mut layer.python.wheels
        && let Some(mount) = layer.mounts.pop()
    {
        // The folder is looked up once; the mount is made again whenever options change the policy.
        *wheels = mount.host;
    }
    findings.decide(Policy {
        file,
        origin,
        layer,
        name,
        tools,
        imports,
        filesystem: Filesystem { mounts, ..numbers.filesystem },
        env,
        output,
        limits: numbers.limits,
        determinism,
        network,
        host,
        rules,
    })
}

impl Policy {
    /// Returns this policy, changed by options of the command line or the host program.
    pub fn with(self, source: &dyn Source, overrides: &Overrides) -> Result<Self, PolicyErrors> {
        let mut findings = Findings::default();
        overrides.report(&mut findings);
        let options = overrides.layer();
        let name = options.name.clone().or_else(|| self.layer.name.clone());
        let layer = Layer { name, ..options.over(self.layer) };
        settle(layer, true, self.file, self.origin, source, findings)
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
}

/// Returns the name of a policy that does not set one.
fn stem(file_name: &str) -> String {
    let stem = Path::new(file_name).file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let mut name = String::new();
    for char in stem.chars().map(|char| if char.is_control() || super::finding::is_invisible(char) { '?' } else { char }) {
        if name.len() + char.len_utf8() > limits::NAME_BYTES {
            break;
        }
        name.push(char);
    }
    if name.trim().is_empty() { "policy".to_owned() } else { name }
}

/// Returns everything that was set. What `[python]` grants has the rules of its keys.
fn rules(layer: &Layer, granted: &[AllowRule], variables: &BTreeMap<String, Set<String>>) -> BTreeMap<Subject, Rule> {
    let mut rules = BTreeMap::new();
    let mut add = |subject: Subject, rule: &Rule| drop(rules.insert(subject, rule.clone()));
    if let Some(name) = &layer.name {
        add(Key::Name.into(), &name.rule);
    }
    if let Some(allow) = &layer.allow {
        add(Key::Allow.into(), &allow.rule);
        for tool in &allow.value {
            add(Subject::entry(Key::Allow, &tool.value), &tool.rule);
        }
    }
    if let Some(image) = &layer.image {
        add(Key::Python.into(), &image.rule);
    }
    for (name, tool) in &layer.custom {
        add(Subject::CustomTool(name.clone()), &tool.rule);
        if let Some(path) = &tool.path {
            add(Subject::entry(Key::ToolPath, name), &path.rule);
        }
        if let Some(sha256) = &tool.sha256 {
            add(Subject::entry(Key::ToolSha256, name), &sha256.rule);
        }
        if let Some(network) = &tool.network {
            add(Subject::entry(Key::ToolNetwork, name), &network.rule);
        }
        if let Some(host) = &tool.host {
            add(Subject::entry(Key::ToolHost, name), &host.rule);
        }
    }
    for (interface, import) in &layer.imports {
        add(Subject::Import(interface.clone()), &import.rule);
        if let Some(component) = &import.component {
            add(Subject::entry(Key::ImportComponent, interface), &component.rule);
        }
        if let Some(sha256) = &import.sha256 {
            add(Subject::entry(Key::ImportSha256, interface), &sha256.rule);
        }
        if let Some(tools) = &import.tools {
            add(Subject::entry(Key::ImportTools, interface), &tools.rule);
        }
    }
    for (key, number) in &layer.numbers {
        add((*key).into(), &number.rule);
    }
    for mount in &layer.mounts {
        add(Subject::entry(Key::MountGuest, &mount.guest.value), &mount.rule);
    }
    if let Some(rule) = &layer.network.rule {
        add(Subject::Network, rule);
    }
    if let Some(rule) = &layer.host.rule {
        add(Subject::Host, rule);
    }
    for (key, added) in [(Key::HostAllow, &layer.host.added), (Key::HostForks, &layer.host.added_forks)] {
        for name in added {
            add(Subject::entry(key, &name.value), &name.rule);
        }
    }
    // What the policy lists itself has its own line, even if an option allows it too.
    for (key, list) in [(Key::HostAllow, &layer.host.allow), (Key::HostForks, &layer.host.forks)] {
        if let Some(list) = list {
            add(key.into(), &list.rule);
            for name in &list.value {
                add(Subject::entry(key, &name.value), &name.rule);
            }
        }
    }
    for server in &layer.host.mcp {
        add(Subject::entry(Key::McpName, &server.name), &server.rule);
        for tool in &server.tools {
            add(Subject::entry(Key::HostAllow, &tool.function), &tool.rule);
        }
    }
    if let Some((index, _)) = &layer.python.index {
        add(Key::PythonIndex.into(), &index.rule);
    }
    if let Some(files) = &layer.python.files {
        add(Key::PythonFiles.into(), &files.rule);
    }
    if let Some(wheels) = &layer.python.wheels {
        add(Key::PythonWheels.into(), &wheels.rule);
    }
    // What `[network]` says of the same URL comes later, and wins.
    for allow in granted.iter().chain(&layer.network.allow) {
        add(Subject::entry(Key::AllowUrl, &allow.url), &allow.rule);
    }
    for secret in &layer.network.secrets {
        add(Subject::entry(Key::SecretValueFromEnv, &secret.variable), &secret.rule);
    }
    if let Some(ca) = &layer.network.ca {
        add(Key::NetworkCa.into(), &ca.rule);
    }
    if let Some(flag) = &layer.network.receipt_query {
        add(Key::ReceiptQuery.into(), &flag.rule);
    }
    for (name, value) in variables {
        add(Subject::entry(Key::EnvVar, name), &value.rule);
    }
    if let Some(path) = &layer.output_path {
        add(Key::OutputPath.into(), &path.rule);
    }
    if let Some(rule) = &layer.determinism {
        add(Subject::Determinism, rule);
    }
    rules
}
