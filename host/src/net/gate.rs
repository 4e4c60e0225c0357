//! The gate: the one place that decides whether a request may be made.

use super::failure::{Code, Failure};
use crate::policy::url::{Scheme, Target};
use crate::policy::{AllowRule, Network};

/// A request that the rules allow.
#[derive(Debug)]
pub(super) struct Permit<'a> {
    /// Where it goes: what is connected to is what was compared.
    pub target: Target,
    /// The rule that allows it.
    pub rule: &'a AllowRule,
    /// Every rule about its server: they say together which addresses it may have.
    pub server: Vec<&'a AllowRule>,
}

/// Decide about a request by its parts.
pub(super) fn check<'a>(
    network: &'a Network,
    absence: &str,
    method: &str,
    scheme: &str,
    authority: &str,
    path_and_query: &str,
) -> Result<Permit<'a>, Failure> {
    let shown = || {
        let path = path_and_query.split('?').next().unwrap_or_default();
        // Without a password that somebody wrote before the host.
        let authority = authority.rsplit('@').next().unwrap_or_default();
        let mut text = format!("{method} {scheme}://{authority}{path}").escape_debug().to_string();
        text.truncate(text.floor_char_boundary(300));
        text
    };
    let denied = |reason: String| Failure::new(Code::Denied, reason).by(absence);
    let Some(known) = Scheme::parse(scheme) else {
        return Err(denied("only `http` and `https` are spoken".to_owned()).about(&shown()));
    };
    let invalid = |problem: &str| Failure::new(Code::UriInvalid, problem).by("built in").about(&shown());
    let target = Target::new(known, authority, path_and_query).map_err(invalid)?;
    let request = format!("{method} {}", target.without_query());
    let server: Vec<&AllowRule> = network.allow.iter().filter(|rule| rule.url.reaches(&target)).collect();
    let below: Vec<&AllowRule> = server.iter().copied().filter(|rule| rule.url.matches(&target)).collect();
    if let Some(rule) = below.iter().copied().find(|rule| rule.methods.iter().any(|allowed| allowed == method)) {
        return Ok(Permit { target, rule, server });
    }
    let whole = format!("{}://{}{}", target.scheme.as_str(), target.authority(), target.path.as_str());
    let line = |methods: &str| format!("add `{{ url = \"{whole}\"{methods} }}` to `allow` of `[network]`");
    let methods = if matches!(method, "GET" | "HEAD") { String::new() } else { format!(", methods = [\"{method}\"]") };
    let failure = match (below.first(), server.first()) {
        (Some(rule), _) => {
            let reason = format!("the rule for `{}` allows {}, not {method}", rule.url, rule.methods.join(", "));
            Failure::new(Code::Denied, reason).by(rule.rule.to_string()).help(format!("add \"{method}\" to its `methods`"))
        }
        (None, Some(rule)) => {
            let reason = format!("the rules for `{}` do not allow the path `{}`", target.authority(), target.path.as_str());
            Failure::new(Code::Denied, reason).by(rule.rule.to_string()).help(line(&methods))
        }
        (None, None) => {
            let other = network.allow.iter().find(|rule| rule.url.host.matches(&target.host));
            match other {
                Some(rule) => {
                    let reason = format!("the rule for `{}` is about another scheme or port", rule.url);
                    Failure::new(Code::Denied, reason).by(rule.rule.to_string()).help(line(&methods))
                }
                None => denied(format!("no rule of `[network]` allows the host `{}`", target.host)).help(line(&methods)),
            }
        }
    };
    Err(failure.about(&request))
}
