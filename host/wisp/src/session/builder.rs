//! Building a session: the policy's checks, the components' worlds, the filesystem.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::exec::commands::Commands;
use crate::exec::network::{NetworkSettings, network};
use crate::exec::session_state::{Own, SessionState, Shared};
use crate::functions::{Answers, Functions, Gate, HostFunction, HostReplay, Recorder, unrepeatable};
use crate::meter::run_blocking;
use crate::mount::open as open_mount;
use crate::outcome::receipt::EventSink;
use crate::outcome::receipt::ReceiptSink;
use crate::outcome::receipts::{Receipts, Sinks};
use crate::policy_files::HostFiles;
use crate::program::ToolFiles;
use crate::program::check::check_files;
use crate::program::error::SessionError;
use crate::program::rootfs::template;
use crate::program::tool::Tool;
use crate::program::tools::{tool_bytes, tools};
use crate::session::engine::Engine;
use crate::session::handle::Session;
use crate::wasi::{Facts, unix_time};
use wisp_api::ReceiptKind;
use wisp_net::Resolve;
use wisp_policy::digest::sha256;
use wisp_policy::{Access, Overrides, Policy};
use wisp_process::ProcessTable;
use wisp_vfs::{Clock, Fs, MountAccess, Quota, Snapshot};

/// A session that is being set up.
#[must_use]
pub struct SessionBuilder {
    engine: Engine,
    policy: Policy,
    overrides: Overrides,
    sinks: Sinks,
    network: NetworkSettings,
    functions: Functions,
    answers: Answers,
    first: Option<String>,
    files: ToolFiles,
}

impl Engine {
    /// Starts setting up a session under `policy`; [`SessionBuilder::build`] makes it.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = wisp::Engine::new(wisp_built::components())?;
    /// use wisp::Policy;
    ///
    /// let policy = Policy::offline().with_value("limits.memory", "128MiB")?.with_value("limits.wall", "10s")?;
    /// let session = engine.session(&policy).env("CUSTOMER", "42").build().await?;
    /// assert_eq!(session.policy().limits().memory, 128 << 20);
    /// # Ok(()) }
    /// ```
    pub fn session(&self, policy: &Policy) -> SessionBuilder {
        SessionBuilder::new(self.clone(), policy.clone())
    }
}

impl SessionBuilder {
    pub(crate) fn new(engine: Engine, policy: Policy) -> Self {
        let network = NetworkSettings { resolver: engine.resolver().clone(), secrets: BTreeMap::new() };
        Self {
            engine,
            policy,
            overrides: Overrides::host_program(),
            sinks: Sinks::default(),
            network,
            functions: Functions::default(),
            answers: Answers::default(),
            first: None,
            files: ToolFiles::default(),
        }
    }

    /// Mounts a host directory or a single host file at `guest`.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = wisp::Engine::new(wisp_built::components())?;
    /// # let folder = tempfile::tempdir()?;
    /// # std::fs::write(folder.path().join("name"), "ada")?;
    /// use wisp::policy::Access;
    /// use wisp::{Command, Policy};
    ///
    /// let session = engine.session(&Policy::offline()).mount(folder.path(), "/mnt/in", Access::Read).build().await?;
    /// let outcome = session.run(Command::new("cat").arg("/mnt/in/name")).await?;
    /// assert_eq!(outcome.stdout_text(), "ada");
    /// // The host's files stay as they are: `Access::Write` or `Access::Overlay` would allow it.
    /// assert!(!session.run(Command::new("rm").arg("/mnt/in/name")).await?.success());
    /// # Ok(()) }
    /// ```
    pub fn mount(mut self, host: impl AsRef<Path>, guest: &str, access: Access) -> Self {
        self.overrides = self.overrides.mount_at(host.as_ref(), guest, access);
        self
    }

    /// Sets a variable in every command's environment.
    pub fn env(mut self, name: &str, value: &str) -> Self {
        self.overrides = self.overrides.env_pair(name, value);
        self
    }

    /// Adds the component in `file` as a tool.
    pub fn tool(mut self, name: &str, file: impl AsRef<Path>) -> Self {
        self.overrides = self.overrides.tool_at(name, file.as_ref());
        self
    }

    /// Sets the wall-clock limit.
    pub fn timeout(mut self, wall: Duration) -> Self {
        self.overrides = self.overrides.wall(wall);
        self
    }

    /// Allows requests, in the syntax of `--allow`: a URL for reading, or `METHOD,METHOD URL`.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = wisp::Engine::new(wisp_built::components())?;
    /// use wisp::Policy;
    ///
    /// let session = engine.session(&Policy::offline()).allow("https://api.example.com/v1/").allow("POST https://api.example.com/v1/jobs");
    /// let session = session.build().await?;
    /// let network = session.policy().network().expect("it has one now");
    /// assert_eq!(network.allow.len(), 2);
    /// # Ok(()) }
    /// ```
    pub fn allow(mut self, spec: &str) -> Self {
        self.overrides = self.overrides.allow(spec);
        self
    }

    /// Sets the value of a secret (the `value_from_env` of a `network.secret`), which replaces that of the environment.
    pub fn secret(mut self, variable: &str, value: &str) -> Self {
        self.network.secrets.insert(variable.to_owned(), value.to_owned());
        self
    }

    /// Sets where names are looked up, instead of the engine's resolver.
    pub fn resolver(mut self, resolver: Arc<dyn Resolve>) -> Self {
        self.network.resolver = resolver;
        self
    }

    /// Registers a function of the host, in place of one with the same name. Code in the sandbox may call it if the policy
    /// allows it: with `host.allow`, or [`SessionBuilder::allow_function`].
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = wisp::Engine::new(wisp_built::components())?;
    /// use std::collections::BTreeMap;
    /// use wisp::{Command, HostFunction, HostValue, Policy};
    ///
    /// let double = HostFunction::new("double", |arguments: HostValue| async move {
    ///     let given: BTreeMap<String, i64> = arguments.read()?;
    ///     Ok(serde_json::json!(given.values().sum::<i64>() * 2))
    /// });
    /// let session = engine.session(&Policy::offline()).function(double).allow_function("double").build().await?;
    /// let outcome = session.run(Command::new("python3").args(["-c", "from host import double; print(double(n=21))"])).await?;
    /// assert_eq!(outcome.stdout_text(), "42\n", "{}", outcome.stderr_text());
    /// # Ok(()) }
    /// ```
    pub fn function(mut self, function: HostFunction) -> Self {
        self.functions.insert(function.name().to_owned(), function);
        self
    }

    /// Allows a function of the host, in addition to those of `host.allow`.
    pub fn allow_function(mut self, name: &str) -> Self {
        self.overrides = self.overrides.function(name);
        self
    }

    /// Allows forks of the session to call a function of the host that the session may call, in addition to those of `host.forks`.
    pub fn allow_function_in_forks(mut self, name: &str) -> Self {
        self.overrides = self.overrides.function_in_forks(name);
        self
    }

    /// Writes the answers of functions of the host to `to`, for [`SessionBuilder::replay_functions`]: a line of JSON for
    /// each call that ended. What is written has the functions' results in it, and no arguments.
    pub fn record_functions(mut self, to: impl Write + Send + 'static) -> Self {
        self.answers = Answers::Record(Recorder::new(to));
        self
    }

    /// Gives recorded answers in place of calling functions of the host. They must be registered, as descriptions. The
    /// policy and its limits decide on calls as they do otherwise. A call that was not recorded fails with `NotRecorded`.
    ///
    /// A session whose policy has `[determinism]` needs this, or [`SessionBuilder::record_functions`], to have functions.
    /// Then a call ends before anything else in the session goes on, and no time passes.
    pub fn replay_functions(mut self, answers: HostReplay) -> Self {
        self.answers = Answers::Replay(answers);
        self
    }

    /// Sends receipts to `sink` as they happen.
    pub fn receipts(mut self, sink: Arc<dyn ReceiptSink>) -> Self {
        self.sinks.receipts = Some(sink);
        self
    }

    /// Sends events to `sink` as they happen.
    pub fn events(mut self, sink: Arc<dyn EventSink>) -> Self {
        self.sinks.events = Some(sink);
        self
    }

    /// Declares that `program` will probably run first: its machine code is mapped, or compiled, while the files are
    /// laid out.
    pub fn warm_up(mut self, program: &str) -> Self {
        self.first = Some(program.to_owned());
        self
    }

    /// Uses files of custom tools that [`check_tools`](crate::program::check_tools) has read already.
    pub fn tool_files(mut self, files: ToolFiles) -> Self {
        self.files = files;
        self
    }

    /// Checks everything and makes the session. If it fails, nothing has run and nothing was made on disk.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let engine = wisp::Engine::new(wisp_built::components())?;
    /// use wisp::{Command, Policy};
    ///
    /// let session = engine.session(&Policy::offline()).env("GREETING", "hello").build().await?;
    /// let outcome = session.run(Command::new("sh").args(["-c", "echo $GREETING"])).await?;
    /// assert_eq!(outcome.stdout_text(), "hello\n");
    /// // A clone is a handle of the same session. One like it, with files of its own, is cheap.
    /// let other = session.template().start()?;
    /// assert_ne!(session.id(), other.id());
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// The first of: findings in the policy (all at once), a component that cannot be loaded or may not run in its
    /// world (all its imports at once), a mount that cannot be opened; before all of them, a server of the policy that cannot be
    /// started.
    pub async fn build(mut self) -> Result<Session, SessionError> {
        self.connect().await?;
        run_blocking(move || self.build_blocking()).await
    }

    /// Registers the tools of the policy's servers, except those of a name that the program has registered.
    async fn connect(&mut self) -> Result<(), SessionError> {
        let tools = self.policy.host().into_iter().flat_map(|host| &host.mcp).flat_map(|server| &server.tools);
        let missing: BTreeSet<String> = tools.map(|tool| tool.function.clone()).filter(|name| !self.functions.contains_key(name)).collect();
        let Some(source) = self.engine.functions().cloned().filter(|_| !missing.is_empty()) else { return Ok(()) };
        let found = source.functions(&self.policy).await.map_err(|source| SessionError::FunctionSource { source })?;
        let found = found.into_iter().filter(|function| missing.contains(function.name()));
        self.functions.extend(found.map(|function| (function.name().to_owned(), function)));
        Ok(())
    }

    fn build_blocking(self) -> Result<Session, SessionError> {
        let Self { engine, policy, overrides, sinks, network: settings, functions, answers, first, mut files } = self;
        let policy = Arc::new(policy.with(&HostFiles, &overrides)?);
        if let Some((name, rule)) = unrepeatable(&policy, &functions, &answers) {
            return Err(SessionError::Functions { name, rule });
        }
        let start = Instant::now();
        engine.check_mounts(&policy)?;
        if !policy.tools().custom.is_empty() || !policy.imports().is_empty() {
            // Reports all mistakes in components of the user at once, with the lines that name them.
            files = check_files(engine.components(), &policy, files)?;
        }
        let workshop = engine.workshop();
        let bytes = tool_bytes(workshop, &policy, &mut files)?;
        let make = || tools(workshop, &policy, &bytes, &mut files, first.as_deref());
        let (files, tools) = template(workshop, &policy.output().path, &bytes, make);
        let (tools, fs) = (tools?, filesystem(&policy, &files?));
        let commands = Commands::new(Arc::new(ProcessTable::new()));
        let receipts = receipts(&engine, &policy, sinks, commands.clone());
        mount(&fs, &policy, &receipts)?;
        let net = network(&policy, &settings, receipts.clone(), engine.ticker())?;
        let functions = Gate::new(Arc::new(functions), &policy, answers, receipts.clone(), engine.ticker().clone());
        let shared = Shared {
            workshop: engine.workshop().clone(),
            ticker: engine.ticker().clone(),
            room: engine.room().clone(),
            threads: engine.threads().clone(),
            facts: Arc::new(facts(&policy, &tools)),
            world: world_digest(&tools),
            base: fs.snapshot(),
            tools: Arc::new(tools),
            policy,
            start,
        };
        let own = Own { fs, commands, receipts, net, functions, labels: None, environment: None };
        Ok(Session::new(SessionState::begin(shared, own), engine))
    }
}

impl fmt::Debug for SessionBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionBuilder").field("engine", &self.engine).field("policy", &self.policy.name()).finish_non_exhaustive()
    }
}

/// The time that files get.
struct FsClock(Option<u64>);

impl Clock for FsClock {
    fn now(&self) -> u64 {
        self.0.unwrap_or_else(unix_time)
    }
}

fn filesystem(policy: &Policy, files: &Snapshot) -> Fs {
    let limits = policy.filesystem();
    let clock = FsClock(policy.determinism().map(|fixed| fixed.clock));
    let fs = Fs::new(Quota { max_bytes: limits.quota, max_files: limits.max_files }, Arc::new(clock));
    fs.restore(files);
    fs
}

fn mount(fs: &Fs, policy: &Policy, receipts: &Receipts) -> Result<(), SessionError> {
    for mount in &policy.filesystem().mounts {
        let fail = |source: Box<dyn std::error::Error + Send + Sync>| SessionError::Mount {
            guest: mount.guest.clone(),
            host: mount.host.clone(),
            source,
            rule: mount.rule.to_string(),
        };
        let source = open_mount(&mount.host, mount.access == Access::Write).map_err(|error| fail(error.into()))?;
        let access = match mount.access {
            Access::Read => MountAccess::Read,
            Access::Write => MountAccess::Write,
            Access::Overlay => MountAccess::Overlay,
        };
        fs.mount(&mount.guest, source, access).map_err(|error| fail(error.into()))?;
        let subject = format!("{} {}", mount.guest, mount.access);
        receipts.allowed(0, ReceiptKind::Mount, &subject, &mount.rule.to_string());
    }
    Ok(())
}

fn receipts(engine: &Engine, policy: &Policy, sinks: Sinks, commands: Arc<Commands>) -> Arc<Receipts> {
    let id = engine.session_id(policy);
    let fixed = policy.determinism().map(|fixed| fixed.clock);
    Arc::new(Receipts::new(id, sinks, Arc::new(move || fixed.unwrap_or_else(unix_time)), commands))
}

fn facts(policy: &Policy, tools: &BTreeMap<String, Arc<Tool>>) -> Facts {
    let limits = policy.limits();
    let ms = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    Facts {
        policy: policy.name().to_owned(),
        grants: policy.grants(),
        tools: tools.keys().cloned().collect(),
        wall_ms: ms(limits.wall),
        cpu_ms: ms(limits.cpu),
        memory: limits.memory,
        instructions: limits.instructions,
        processes: limits.processes,
        open_files: limits.open_files,
        stdout: limits.stdout,
        stderr: limits.stderr,
        deterministic: policy.determinism().is_some(),
    }
}

/// Returns one digest for all worlds of the session.
fn world_digest(tools: &BTreeMap<String, Arc<Tool>>) -> String {
    let lines: String = tools.iter().map(|(name, tool)| format!("{name} {}\n", tool.world.world_digest())).collect();
    sha256(lines)
}
