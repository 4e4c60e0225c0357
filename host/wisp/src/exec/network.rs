//! A session's network: the certificates and secrets that its policy names, and receipts of its requests.

#![expect(clippy::disallowed_methods, reason = "the certificates and secrets that the policy names")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Instant;

use crate::outcome::receipts::Receipts;
use crate::program::error::SessionError;
use crate::runtime::Ticker;
use wisp_api::ReceiptKind;
use wisp_net::{Attempt, Net, NetParts, Observer, Resolve, Roots, Secrets};
use wisp_policy::schema::Key;
use wisp_policy::{Findings, Policy, quote};

/// Maximum bytes of a file of certificates: all of Mozilla's are a quarter of a megabyte.
const MAX_CA_FILE: u64 = 4 << 20;

/// What the host program sets for a session's network.
#[derive(Clone)]
pub(crate) struct NetworkSettings {
    pub resolver: Arc<dyn Resolve>,
    /// Values of secrets by their variables; they take precedence over the environment.
    pub secrets: BTreeMap<String, String>,
}

/// Returns the network of a session under `policy`, if the policy has one.
///
/// # Errors
/// Everything that is wrong with its secrets and certificates, with the lines that name them.
pub(crate) fn network(
    policy: &Arc<Policy>,
    settings: &NetworkSettings,
    receipts: Arc<Receipts>,
    ticker: &Ticker,
) -> Result<Option<Net>, SessionError> {
    let Some(network) = policy.network() else { return Ok(None) };
    let mut findings = Findings::default();
    let mut secrets = Secrets::default();
    for rule in &network.secrets {
        let name = &rule.variable;
        let value = settings.secrets.get(name).cloned().or_else(|| std::env::var(name).ok());
        match value.map(|value| secrets.add(rule.clone(), value)) {
            Some(Ok(())) => {}
            Some(Err(error)) => findings.push(rule.rule.finding(format!("the secret {} cannot be used: {error}", quote(name)))),
            None => {
                let message = format!("the secret {} has no value: that variable is not set", quote(name));
                findings.push(rule.rule.finding(message).help(format!("set it where wisp is started: `export {name}=…`")));
            }
        }
    }
    let mut roots = Roots::public();
    if let Some((path, rule)) = &network.ca {
        let read = read(path).map_err(|error| format!("cannot be read: {error}"));
        match read.and_then(|pem| roots.with_pem(&pem).map_err(|error| error.to_string())) {
            Ok(more) => roots = more,
            Err(error) => findings.push(rule.finding(format!("the file of certificates {} {error}", quote(&path.to_string_lossy())))),
        }
    }
    findings.decide(())?;
    let rules = policy.clone();
    Ok(Some(Net::new(NetParts {
        policy: network.clone(),
        rule_of: Arc::new(move |key| rules.rule(key).to_string()),
        resolver: settings.resolver.clone(),
        roots,
        secrets,
        observer: observer(policy, receipts),
        now: {
            let start = Instant::now();
            Arc::new(move || start.elapsed())
        },
        wait: {
            let ticker = ticker.clone();
            Arc::new(move |until| Box::pin(ticker.sleep(until)))
        },
    })))
}

fn read(path: &std::path::Path) -> std::io::Result<Vec<u8>> {
    use std::io::Read;
    let mut pem = Vec::new();
    std::fs::File::open(path)?.take(MAX_CA_FILE + 1).read_to_end(&mut pem)?;
    if pem.len() as u64 > MAX_CA_FILE {
        return Err(std::io::Error::other(format!("it is larger than {MAX_CA_FILE} bytes")));
    }
    Ok(pem)
}

/// Makes an observer that writes attempts to these receipts.
pub(crate) fn observer(policy: &Arc<Policy>, receipts: Arc<Receipts>) -> Arc<dyn Observer> {
    Arc::new(Witness { policy: policy.clone(), receipts })
}

struct Witness {
    policy: Arc<Policy>,
    receipts: Arc<Receipts>,
}

impl Observer for Witness {
    fn attempt(&self, attempt: &Attempt) {
        for variable in &attempt.secrets {
            let rule = self.policy.rule_of(Key::SecretValueFromEnv, variable).to_string();
            self.receipts.allowed(attempt.process, ReceiptKind::Secret, variable, &rule);
        }
        self.receipts.http(attempt);
    }
}
