//! The gate: the only place that decides whether a request may be made.

use super::failure::{By, Code, Failure, cut};
use wisp_policy::url::{Scheme, Target};
use wisp_policy::{AllowRule, Network, Origin};

/// Maximum bytes of a guest's text in a message.
const SHOWN: usize = 300;

/// Returns a request as people read it, whatever its parts are: without a query, and without a password before the host.
pub(super) fn shown(method: &str, scheme: &str, authority: &str, path_and_query: &str) -> String {
    let path = path_and_query.split('?').next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default();
    let part = |text: &str| text[..text.floor_char_boundary(SHOWN)].escape_debug().to_string();
    cut(format!("{} {}://{}{}", part(method), part(scheme), part(authority), part(path)), SHOWN)
}

/// Returns the part of a path that a suggested rule may have: all of it, or up to a `/` if it is long.
fn beginning(path: &str) -> &str {
    if path.len() <= SHOWN {
        return path;
    }
    let most = &path[..path.floor_char_boundary(SHOWN)];
    most.rfind('/').map_or("/", |at| &most[..=at])
}

/// A request that the rules allow. It outlives the borrow of the rules, so it refers to them by their positions.
#[derive(Debug)]
pub(super) struct Permit {
    /// The destination: the client connects to exactly what was compared with the rules.
    pub target: Target,
    /// The request as people read it, without a query.
    pub request: String,
    rule: usize,
    server: Vec<usize>,
}

impl Permit {
    /// Returns the rule that allows it.
    pub(super) fn rule<'a>(&self, network: &'a Network) -> &'a AllowRule {
        &network.allow[self.rule]
    }

    /// Returns every rule for its server: together they decide which addresses it may have.
    pub(super) fn server<'a>(&self, network: &'a Network) -> Vec<&'a AllowRule> {
        self.server.iter().map(|place| &network.allow[*place]).collect()
    }
}

/// Checks the parts of a request against the rules.
pub(super) fn check(network: &Network, method: &str, scheme: &str, authority: &str, path_and_query: &str) -> Result<Permit, Failure> {
    let shown = || shown(method, scheme, authority, path_and_query);
    let denied = |reason: String| Failure::new(Code::Denied, reason).by(&network.rule);
    let Some(known) = Scheme::parse(scheme) else {
        return Err(denied("only `http` and `https` are spoken".to_owned()).about(&shown()));
    };
    let invalid = |problem: &str| Failure::new(Code::UriInvalid, problem).by(By::BuiltIn).about(&shown());
    let target = Target::new(known, authority, path_and_query).map_err(invalid)?;
    let request = cut(format!("{method} {}", target.without_query()), SHOWN);
    let allow = &network.allow;
    let server: Vec<usize> = (0..allow.len()).filter(|place| allow[*place].url.reaches(&target)).collect();
    let below: Vec<usize> = server.iter().copied().filter(|place| allow[*place].url.matches(&target)).collect();
    if let Some(rule) = below.iter().copied().find(|place| allow[*place].methods.iter().any(|allowed| allowed == method)) {
        return Ok(Permit { target, request, rule, server });
    }
    let path = cut(target.path.as_str().to_owned(), SHOWN);
    let method = &*cut(method.escape_debug().to_string(), 32);
    let whole = format!("{}://{}{}", target.scheme.as_str(), target.authority(), beginning(target.path.as_str()));
    let plain = matches!(method, "GET" | "HEAD");
    // Whoever typed all rules types another one, and has no file to change.
    let typed = network.rule.origin() != Origin::HostProgram && allow.iter().all(|rule| rule.rule.origin() == Origin::CommandLine);
    let option = |url: &str| if plain { format!("`--allow {url}` allows it") } else { format!("`--allow '{method} {url}'` allows it") };
    let line = || {
        let methods = if plain { String::new() } else { format!(", methods = [\"{method}\"]") };
        if typed { option(&whole) } else { format!("add `{{ url = \"{whole}\"{methods} }}` to `allow` of `[network]`") }
    };
    let first = |places: &[usize]| places.first().map(|place| &allow[*place]);
    let failure = match (first(&below), first(&server)) {
        (Some(rule), _) => {
            let reason = format!("the rule for `{}` allows {}, not {method}", rule.url, rule.methods.join(", "));
            let help = if typed { option(&rule.url.to_string()) } else { format!("add \"{method}\" to its `methods`") };
            Failure::new(Code::Denied, reason).by(&rule.rule).help(help)
        }
        (None, Some(rule)) => {
            let reason = format!("the rules for `{}` do not allow the path `{path}`", target.authority());
            Failure::new(Code::Denied, reason).by(&rule.rule).help(line())
        }
        (None, None) => {
            let other = allow.iter().find(|rule| rule.url.host.matches(&target.host));
            match other {
                Some(rule) => {
                    let reason = format!("the rule for `{}` is about another scheme or port", rule.url);
                    Failure::new(Code::Denied, reason).by(&rule.rule).help(line())
                }
                None => denied(format!("no rule of `[network]` allows the host `{}`", target.host)).help(line()),
            }
        }
    };
    Err(failure.about(&request))
}
