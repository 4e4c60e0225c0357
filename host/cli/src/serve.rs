//! What the commands share that serve clients: where sessions are kept, the token of those who connect, and the service.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, anyhow};
use wisp::policy::check_tools;
use wisp::{CodeCache, Components, Policy};
use wisp_mcp_client::Connector;
use wisp_service::{Runtime, Service, ServiceLimits, Store, Token};

use crate::lines::ReceiptFile;
use crate::{Failure, cache, confine, engine, progress, run};

/// Maximum bytes of a file with a token.
const TOKEN_FILE: u64 = 4 << 10;

/// Returns where sessions are kept. The folder must be there before the process is confined to it.
pub(crate) fn store() -> Result<Store, Failure> {
    let store = Store::of_user().map_err(Failure::usage)?;
    let failed = || format!("cannot make {} (XDG_STATE_HOME names another place)", store.folder().display());
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(store.folder());
    made.with_context(failed).map_err(Failure::usage)?;
    Ok(store)
}

/// Returns the token in this file, or else in the environment under this name, or else a new one, and whether it is new.
pub(crate) fn token(file: Option<&Path>, variable: &str) -> Result<(Token, bool), Failure> {
    let given = match file {
        Some(file) => Some(token_of(file).map_err(Failure::usage)?),
        None => std::env::var(variable).ok().filter(|text| !text.is_empty()),
    };
    let wrong = || Failure::usage(anyhow!("the token must have at least 16 characters, of ASCII and without spaces"));
    match given {
        Some(text) => Ok((Token::new(text).ok_or_else(wrong)?, false)),
        None => Ok((Token::random().map_err(Failure::internal)?, true)),
    }
}

/// Reads the token of a file, without the newline after it.
fn token_of(file: &Path) -> anyhow::Result<String> {
    let failed = || format!("cannot read the token in {}", file.display());
    let size = fs::metadata(file).with_context(failed)?.len();
    if size > TOKEN_FILE {
        return Err(anyhow!("{}: a token has at most {TOKEN_FILE} bytes", file.display()));
    }
    Ok(fs::read_to_string(file).with_context(failed)?.trim_end().to_owned())
}

/// A policy under which clients can be served, and what that needs.
pub(crate) struct Checked {
    policy: Policy,
    components: Components,
    cache: CodeCache,
}

/// How the service is started.
pub(crate) struct Starting<'a> {
    /// The file of decisions.
    pub(crate) receipts: Option<&'a Path>,
    /// Where sessions are kept, if they are.
    pub(crate) store: Option<&'a Store>,
    /// Whether clients connect to a listener, which is open already. The standard streams stay open in any case.
    pub(crate) listens: bool,
    /// Whether the process is left as it is.
    pub(crate) no_confine: bool,
    pub(crate) limits: ServiceLimits,
}

/// Everything that serves clients but the server itself.
pub(crate) struct Serving {
    pub(crate) service: Service,
    /// The servers that the policy names.
    servers: Connector,
    receipts: Option<Arc<ReceiptFile>>,
}

impl Checked {
    /// Reports what a session would refuse before a client connects.
    pub(crate) fn new(policy: Policy) -> Result<Self, Failure> {
        let components = engine::components().map_err(Failure::internal)?;
        let cache = cache::open();
        run::check_places(&policy, &cache, &components)?;
        check_tools(&components, &policy).map_err(Failure::usage)?;
        Ok(Self { policy, components, cache })
    }

    /// Starts the servers of the policy, confines the process, and makes the service, which offers the policy.
    pub(crate) fn start(self, asked: Starting<'_>) -> Result<Serving, Failure> {
        let Self { policy, components, cache } = self;
        let receipts = asked.receipts.map(ReceiptFile::create).transpose().map_err(Failure::usage)?.map(Arc::new);
        // A program that is confined starts no other.
        let servers = Connector::new();
        servers.start(&policy).map_err(Failure::usage)?;
        // Must happen before a second thread exists.
        if !asked.no_confine {
            confine::serve(&policy, cache.directory(), asked.store.map(Store::folder), asked.listens)?;
        }
        // Standard output is the protocol's.
        let compiled = progress::log(progress::Reason::new(policy.name(), &cache));
        let builder = engine::builder(components).cache(cache).on_compile(compiled).function_source(Arc::new(servers.clone()));
        let runtime = Runtime::new(builder).map_err(Failure::internal)?;
        let mut service = Service::builder(runtime).limits(asked.limits).policy(policy.name().to_owned(), policy);
        if let Some(receipts) = &receipts {
            service = service.receipts(receipts.clone());
        }
        Ok(Serving { service: service.build(), servers, receipts })
    }
}

impl Serving {
    /// Waits for what serves clients. Then the servers of the policy are told of the end, and the file of receipts ends.
    pub(crate) fn until_end<E>(self, serve: impl Future<Output = Result<(), E>>) -> Result<u8, Failure>
    where
        E: std::error::Error + Send + Sync + 'static,
    {
        let served = self.service.runtime().block_on(serve);
        self.service.runtime().block_on(self.servers.close());
        if let Some(receipts) = self.receipts {
            receipts.finish("");
        }
        served.map_err(Failure::internal)?;
        Ok(0)
    }
}
