//! `wisp resident`, which `wisp run --resident` starts: from an order to a session that is open, and a process that is confined.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

use anyhow::anyhow;
use wisp::Engine;
use wisp::policy::{McpTransport, Policy, ProtectedPath, check_tools};
use wisp_mcp_client::Connector;
use wisp_service::Runtime;

use super::documents::{Hello, Variables};
use super::live::Live;
use super::now;
use super::place::Place;
use super::server::Helper;
use super::start::Beginning;
use super::told::Told;
use crate::progress::{Progress, Reason};
use crate::{Failure, confine, engine, invocation, kept, needs, run};

/// Keeps a session open until there is no call for a while. The exit code matters only if the helper cannot start.
pub(crate) fn helper() -> Result<u8, Failure> {
    let (beginning, order) = Beginning::receive().map_err(Failure::usage)?;
    needs::check()?;
    let mut kept = kept::open(&order.session)?;
    let policy = run::policy(&order.grants, None, Some(&mut kept))?;
    if policy.determinism().is_some() {
        let help = "`[determinism]` begins each run at the same time with the same seed, and a session that --resident keeps open goes on: \
                    leave out --resident";
        return Err(Failure::usage(anyhow!(help)));
    }
    let components = engine::components().map_err(Failure::internal)?;
    let cache = Engine::default_cache();
    run::check_places(&policy, &cache, &components)?;
    let files = check_tools(&components, &policy).map_err(Failure::usage)?;
    // A program that is confined starts no other, and listens nowhere.
    let servers = Connector::new();
    servers.start(&policy).map_err(Failure::usage)?;
    let place = Place::of(&order.session)?;
    let listener = place.listen()?;
    let serve = || -> Result<u8, Failure> {
        // Must happen before a second thread exists.
        if !order.no_confine {
            confine::resident(&policy, cache.directory(), &kept)?;
        }
        let progress = Progress::of_resident(Reason::new(policy.name(), &cache));
        let told = Arc::new(Told::new(progress.listener()));
        let compiled = told.clone();
        let engine = engine::builder(components).cache(cache).on_compile(move |event| compiled.compile(event));
        let runtime = Runtime::new(engine.function_source(Arc::new(servers.clone()))).map_err(Failure::internal)?;
        // The process ends with it: the kernel reclaims at once what would be released piece by piece.
        std::mem::forget(runtime.engine().clone());
        let hello = hello(&policy, order.no_confine)?;
        let served = runtime.block_on(async {
            let session = runtime.engine().session(&policy).tool_files(files).receipts(told.clone()).events(told.clone());
            let live = Live::open(session.build().await.map_err(Failure::library)?, kept).await?;
            drop(progress);
            if beginning.ready().map_err(Failure::internal)? {
                Helper { place: place.clone(), live, told, hello, idle: order.idle }.serve(listener).await?;
            } else {
                // The client is gone.
                live.leave(|| place.close());
            }
            Ok::<u8, Failure>(0)
        });
        runtime.block_on(servers.close());
        served
    };
    let served = serve();
    // Where it did not get so far as to do so itself. After that, the socket could be another helper's.
    if served.is_err() {
        place.close();
    }
    served
}

/// Returns what this helper tells its clients.
fn hello(policy: &Policy, no_confine: bool) -> Result<Hello, Failure> {
    let secrets = policy.network().into_iter().flat_map(|network| &network.secrets).map(|secret| &secret.variable);
    let servers = policy.host().into_iter().flat_map(|host| &host.mcp).flat_map(|server| match &server.transport {
        McpTransport::Command(command) => command.from_env.as_slice(),
        McpTransport::Http(http) => http.bearer_env.as_slice(),
    });
    let protected = |ProtectedPath { what, path }: ProtectedPath| (what, path.into_os_string());
    let mut key = [0; 32];
    getrandom::fill(&mut key).map_err(|error| Failure::internal(anyhow!("no random bytes: {error}")))?;
    Ok(Hello {
        build: build(),
        surroundings: surroundings(no_confine),
        process: std::process::id(),
        since: now(),
        policy: policy.name().to_owned(),
        digest: policy.digest(),
        wall: policy.limits().wall,
        output: policy.output().path.clone(),
        variables: Variables::here(key, secrets.chain(servers).cloned()),
        protected: policy.protected_paths().into_iter().map(protected).collect(),
    })
}

/// Returns this program: its version, and the file with its code.
pub(super) fn build() -> String {
    let file = fs::metadata(invocation::running()).map(|file| (file.dev(), file.ino(), file.size(), file.mtime(), file.mtime_nsec()));
    format!("{} {:?}", env!("CARGO_PKG_VERSION"), file.ok())
}

/// Returns what else decides which machine code and which components are used, and what the process may do.
pub(super) fn surroundings(no_confine: bool) -> String {
    let values = ["HOME", "XDG_CACHE_HOME", "WISP_COMPONENTS"].map(std::env::var_os);
    format!("no_confine={no_confine} required={} {values:?}", confine::required())
}
