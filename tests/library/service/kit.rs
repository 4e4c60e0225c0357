//! What the tests of the service share.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use tokio::sync::watch;
use wisp::policy::HostFiles;
use wisp::{Engine, FunctionSource, HostFunction, Policy, SourceAnswer, Stream};
use wisp_api::{CodeRequest, ErrorCode, Evaluation, OutputRequest, SessionRequest};
use wisp_service::{CommandHandle, Owner, Runtime, Service, ServiceBuilder, ServiceError, ServiceLimits, SessionHandle};

/// Shared by all services of the tests: its engine compiles components once.
pub(crate) static RUNTIME: LazyLock<Arc<Runtime>> = LazyLock::new(|| {
    let runtime = Runtime::new(Engine::builder(wisp_built::components())).expect("a runtime");
    Arc::new(runtime)
});

/// More time than any test takes.
pub(crate) const LONG: Duration = Duration::from_secs(300);

/// The built-in policy `offline` with these lines added.
pub(crate) fn policy(lines: &str) -> Policy {
    let text = format!("extends = \"offline\"\n{lines}");
    Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

/// A service that offers `offline`, its default, and `small`.
pub(crate) fn builder(limits: ServiceLimits) -> ServiceBuilder {
    let builder = Service::builder(RUNTIME.clone()).limits(limits);
    builder.policy("offline", policy("")).policy("small", policy("[limits]\nstdout = \"1KiB\""))
}

/// What the servers of a policy do, which a test sets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Servers {
    /// They do not answer.
    Silent,
    /// They cannot be used.
    Broken,
    /// They have their tools.
    Ready,
}

/// Functions for the tools of servers, without a server.
pub(crate) struct Source {
    functions: Vec<HostFunction>,
    servers: watch::Sender<Servers>,
}

impl Source {
    pub(crate) fn new(servers: Servers, functions: impl IntoIterator<Item = HostFunction>) -> Arc<Self> {
        Arc::new(Self { functions: functions.into_iter().collect(), servers: watch::Sender::new(servers) })
    }

    pub(crate) fn set(&self, servers: Servers) {
        self.servers.send_replace(servers);
    }
}

impl FunctionSource for Source {
    fn functions<'a>(&'a self, _: &'a Policy) -> SourceAnswer<'a> {
        Box::pin(async move {
            let servers = *self.servers.subscribe().wait_for(|servers| *servers != Servers::Silent).await?;
            match servers {
                Servers::Ready => Ok(self.functions.clone()),
                Servers::Silent | Servers::Broken => Err("the server `demo` has ended (test.toml:4)".into()),
            }
        })
    }
}

/// A service that offers `offline` with these lines, whose servers are those of `source`.
pub(crate) fn with_source(source: &Arc<Source>, lines: &str) -> Service {
    let engine = Engine::builder(wisp_built::components()).function_source(source.clone());
    Service::builder(Runtime::new(engine).expect("a runtime")).policy("test", policy(lines)).build()
}

/// The time of a service, which a test sets.
#[derive(Clone)]
pub(crate) struct Clock(Arc<AtomicU64>);

impl Clock {
    /// Lets this time pass.
    pub(crate) fn pass(&self, time: Duration) {
        self.0.fetch_add(u64::try_from(time.as_millis()).expect("a time"), Ordering::Relaxed);
    }
}

/// A service whose time stands still until the test lets it pass. It closes nothing by itself.
pub(crate) fn timed(limits: ServiceLimits) -> (Service, Clock) {
    let clock = Clock(Arc::new(AtomicU64::new(1_000_000)));
    let now = clock.0.clone();
    let service = builder(limits).clock(move || Duration::from_millis(now.load(Ordering::Relaxed))).build();
    (service, clock)
}

/// A service with the default limits.
pub(crate) fn service() -> Service {
    timed(ServiceLimits::default()).0
}

pub(crate) fn owner(name: &str) -> Owner {
    Owner::new(name)
}

/// A session of a service of its own.
pub(crate) async fn session() -> SessionHandle {
    service().open(&owner("one"), SessionRequest::default()).await.expect("a session")
}

pub(crate) fn keyed(key: &str) -> SessionRequest {
    SessionRequest { key: Some(key.to_owned()), ..SessionRequest::default() }
}

/// The code of what was refused.
pub(crate) fn code<T: std::fmt::Debug>(refused: Result<T, ServiceError>) -> ErrorCode {
    refused.expect_err("it is refused").code()
}

/// What follows on standard output at `offset`, until it ends in `end`.
pub(crate) async fn until(command: &CommandHandle, mut offset: u64, end: &str) -> String {
    let mut all = String::new();
    while !all.ends_with(end) {
        let piece = command.output(OutputRequest::new(Stream::Stdout, offset).waiting(LONG)).await.expect("output");
        offset = piece.next_offset();
        all.push_str(std::str::from_utf8(&piece.bytes).expect("text"));
        assert!(!piece.end || all.ends_with(end), "the output ended: {all:?}");
    }
    all
}

/// Evaluates code to its end, which must come without an exception.
pub(crate) async fn eval(session: &SessionHandle, source: &str) -> Arc<Evaluation> {
    let evaluation = session.evaluate(CodeRequest::new(source)).await.unwrap_or_else(|error| panic!("{source}\n{error}"));
    let result = evaluation.wait(None).await.expect("a result").expect("it has ended");
    assert!(result.success(), "{source}\n{:?}\n{}", result.error, result.outcome.stderr_text());
    result
}
