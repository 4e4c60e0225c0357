//! The way to a server at a URL: the one HTTP client that sessions have too (`wisp_net`), which here makes requests to that URL and to
//! no other, with the token that the policy names.

#![expect(clippy::disallowed_methods, reason = "reads the token and the certificates that the policy names")]

use std::fs::File;
use std::future::pending;
use std::io::{self, Read};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use http::HeaderValue;
use wisp::policy::{McpHttp, McpServer, Scheme};
use wisp_net::{Attempt, Net, NetParts, Observer, Resolve, Roots, Secrets, SystemResolver};

use crate::error::ConnectError;

/// Maximum bytes of a file of certificates: all of Mozilla's are a quarter of a megabyte.
const CA_FILE: u64 = 4 << 20;

/// Maximum bytes of an answer with everything before it, such as progress. It passes by: only one message is held at a time.
const RESPONSE: u64 = 128 << 20;

/// Maximum requests at once, of all sessions that the server serves. Each is a call, which a session has its own limit on.
const AT_ONCE: u32 = 1024;

/// Time limits of requests that do not apply: whoever makes a request gives it up in time.
const NEVER: Duration = Duration::from_secs(24 * 3600);

/// A client for one server.
pub(crate) struct Reach {
    pub(crate) net: Net,
    /// The value of `Authorization`, if there is a token.
    pub(crate) token: Option<HeaderValue>,
}

impl Reach {
    /// Returns a client for the server at `http`.
    ///
    /// # Errors
    /// If the variable with its token is not set or holds none, or the certificates cannot be read.
    pub(crate) fn new(server: &McpServer, http: &McpHttp) -> Result<Self, ConnectError> {
        let unusable = |problem: String| ConnectError::Unusable { server: server.name.clone(), problem, rule: server.rule.to_string() };
        let mut requests = http.requests(&server.rule);
        (requests.max_requests, requests.max_requests_per_minute, requests.max_bytes) = (u64::MAX, u64::MAX, u64::MAX);
        (requests.max_request, requests.max_response, requests.max_concurrent) = (u64::MAX, RESPONSE, AT_ONCE);
        (requests.connect_timeout, requests.first_byte_timeout, requests.timeout) = (NEVER, NEVER, NEVER);
        let (mut secrets, mut token) = (Secrets::default(), None);
        for secret in &requests.secrets {
            let variable = &secret.variable;
            let Some(value) = std::env::var_os(variable) else {
                let (server, rule) = (server.name.clone(), server.rule.to_string());
                return Err(ConnectError::Variable { server, variable: variable.clone(), key: "bearer_env", rule });
            };
            let wrong = |why: String| unusable(format!("the variable `{variable}` holds no token: {why}"));
            let value = value.into_string().map_err(|_| wrong("the value is not text".to_owned()))?;
            let header = format!("Bearer {value}");
            // For its echoes, which are masked. No placeholder is used: over `http` none would be replaced.
            secrets.add(secret.clone(), value).map_err(|error| wrong(error.to_string()))?;
            let mut header = HeaderValue::from_str(&header).map_err(|error| wrong(error.to_string()))?;
            header.set_sensitive(true);
            token = Some(header);
        }
        let mut roots = Roots::public();
        if let Some(path) = &http.ca {
            let wrong = |why: String| unusable(format!("the file of certificates `{}` (`network.ca`) {why}", path.display()));
            let pem = read(path).map_err(|error| wrong(format!("cannot be read: {error}")))?;
            roots = roots.with_pem(&pem).map_err(|error| wrong(error.to_string()))?;
        }
        let resolver: Arc<dyn Resolve> = match http.url.scheme {
            Scheme::Http => Arc::new(ThisMachine),
            Scheme::Https => Arc::new(SystemResolver),
        };
        let net = Net::new(NetParts {
            policy: requests,
            rule_of: Arc::new(|_| String::new()),
            resolver,
            roots,
            secrets,
            observer: Arc::new(Nobody),
            now: Arc::new(|| Duration::ZERO),
            wait: Arc::new(|_| Box::pin(pending())),
        });
        Ok(Self { net, token })
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut pem = Vec::new();
    File::open(path)?.take(CA_FILE + 1).read_to_end(&mut pem)?;
    if pem.len() as u64 > CA_FILE { Err(io::Error::other(format!("it is larger than {CA_FILE} bytes"))) } else { Ok(pem) }
}

/// Over `http`, `localhost` is this machine, whatever a resolver says.
struct ThisMachine;

#[async_trait::async_trait]
impl Resolve for ThisMachine {
    async fn resolve(&self, _: &str) -> io::Result<Vec<IpAddr>> {
        // The last failure is the one that is said, and not every machine has IPv6.
        Ok(vec![Ipv6Addr::LOCALHOST.into(), Ipv4Addr::LOCALHOST.into()])
    }
}

/// The receipts of calls are the library's.
struct Nobody;

impl Observer for Nobody {
    fn attempt(&self, _: &Attempt) {}
}
