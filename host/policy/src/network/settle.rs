//! From the merged layers to the `[network]` of a policy.

use std::collections::BTreeMap;
use std::path::Path;

use super::grant::{AllowRule, Network};
use super::secret::SecretRule;
use crate::finding::{Findings, quote};
use crate::layer::Layer;
use crate::limits;
use crate::mounts::look_up;
use crate::source::Source;

/// Returns the merged network part, if any layer has one, and what other tables `grant`. `numbers` has the values of its keys with numbers.
pub(crate) fn settle(
    layer: &mut Layer,
    granted: &[AllowRule],
    numbers: Network,
    source: &dyn Source,
    findings: &mut Findings,
) -> Option<Network> {
    let rule = layer.network.rule.clone().or_else(|| granted.first().map(|allow| allow.rule.clone()))?;
    let mut allow = layer.network.allow.clone();
    for rule in granted {
        if !allow.iter().any(|own| own.url == rule.url) {
            allow.push(rule.clone());
        }
    }
    if let Some(determinism) = &layer.determinism {
        let finding = rule
            .finding("`[network]` and `[determinism]` exclude each other")
            .label("the answers of a server are not reproducible")
            .help("remove one of the two");
        findings.push(finding.note_rule(determinism, "here the policy asks for reproducible runs"));
    }
    let mut seen: BTreeMap<&str, &SecretRule> = BTreeMap::new();
    for secret in &layer.network.secrets {
        if let Some(variable) = layer.env.get(&secret.variable) {
            let message = format!("the variable {} is a secret and set in `[env]` too", quote(&secret.variable));
            findings.push(variable.rule.finding(message).help("remove it here: the secret's placeholder is its value"));
        }
        if seen.insert(&secret.variable, secret).is_some() {
            let message = format!("the secret {} is there twice", quote(&secret.variable));
            findings.push(secret.rule.finding(message).help("use a separate variable for each host"));
        }
    }
    for (what, count, most, last) in [
        ("rules", allow.len(), limits::NETWORK_RULES, allow.last().map(|rule| &rule.rule)),
        ("secrets", layer.network.secrets.len(), limits::NETWORK_SECRETS, layer.network.secrets.last().map(|secret| &secret.rule)),
    ] {
        if let Some(rule) = last.filter(|_| count > most) {
            findings.push(rule.finding(format!("`[network]` has {count} {what}, more than {most}")).help("merge some of them"));
        }
    }
    let ca = layer.network.ca.as_mut().and_then(|ca| {
        let rule = ca.rule.clone();
        let found = |path: &Path| {
            layer.links.extend(source.links(path));
            source.file(path)
        };
        look_up(ca, "file of certificates", found, findings).map(|path| (path, rule))
    });
    Some(Network {
        rule,
        allow,
        secrets: layer.network.secrets.clone(),
        ca,
        receipt_query: layer.network.receipt_query.as_ref().is_some_and(|flag| flag.value),
        ..numbers
    })
}
