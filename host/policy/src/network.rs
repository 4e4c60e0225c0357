//! `[network]`: the requests that are allowed, their limits, and the secrets that are added to them.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use super::finding::{Findings, quote};
use super::hosts::{Addresses, Host};
use super::layer::{HostPath, Layer, host_path};
use super::limits;
use super::mounts::look_up;
use super::read::{Reader, Set, number_text};
use super::rule::{Origin, Rule};
use super::schema::Key;
use super::section::Section;
use super::source::Source;
use super::url::UrlPattern;

pub(super) const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

const METHODS_ARE: &str = "methods are `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`";

/// The methods of a rule that does not name any.
const READING: [&str; 2] = ["GET", "HEAD"];

/// `[network]`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct Network {
    /// The table, or the option that added it.
    pub rule: Rule,
    /// The allowed requests.
    pub allow: Vec<AllowRule>,
    /// The secrets that replace their placeholders in requests.
    pub secrets: Vec<SecretRule>,
    /// Maximum requests of a session.
    pub max_requests: u64,
    /// Maximum requests of a session within any sixty seconds.
    pub max_requests_per_minute: u64,
    /// Maximum concurrent requests of a session.
    pub max_concurrent: u32,
    /// Maximum bytes of a request's body.
    pub max_request: u64,
    /// Maximum bytes of a response's body.
    pub max_response: u64,
    /// Maximum bytes of all bodies of a session's requests and responses together.
    pub max_bytes: u64,
    /// Maximum time to connect: name lookup, connection, TLS.
    pub connect_timeout: Duration,
    /// Maximum time from the connection to the beginning of the response.
    pub first_byte_timeout: Duration,
    /// Maximum time of a request with its response.
    pub timeout: Duration,
    /// A file of certificates that are trusted in addition to the usual ones, and the rule that set it.
    pub ca: Option<(PathBuf, Rule)>,
    /// Whether receipts contain the query of a URL.
    pub receipt_query: bool,
}

impl Network {
    /// The totals of a session, in the policy's words.
    pub fn limits(&self) -> String {
        let limits = [
            (Key::MaxRequests, self.max_requests),
            (Key::MaxRequestsPerMinute, self.max_requests_per_minute),
            (Key::MaxBytes, self.max_bytes),
        ];
        limits.map(|(key, value)| format!("{} = {}", key.word(), number_text(&key.row().shape, value))).join(", ")
    }
}

/// `[[network.allow]]`: allowed requests.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AllowRule {
    /// The URLs.
    pub url: UrlPattern,
    /// The methods.
    pub methods: Vec<String>,
    /// Whether the host may have addresses of private networks and of this machine.
    pub allow_private: bool,
    /// Addresses that the host may have, including private ones.
    pub addresses: Vec<Addresses>,
    /// The rule that added it.
    pub rule: Rule,
}

/// Where in a request a secret is placed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum SecretPlace {
    /// This header.
    Header(String),
    /// This parameter of the query.
    Query(String),
    /// This field of a JSON or form body.
    BodyField(String),
}

impl std::fmt::Display for SecretPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SecretPlace::Header(name) => write!(f, "header {name}"),
            SecretPlace::Query(name) => write!(f, "query {name}"),
            SecretPlace::BodyField(name) => write!(f, "body_field {name}"),
        }
    }
}

/// `[[network.secret]]`: a secret of which the guest has only a placeholder.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SecretRule {
    /// The one host to which it is sent.
    pub host: Host,
    /// The one place in which it is sent.
    pub place: SecretPlace,
    /// The host's variable that holds it; the sandbox's variable of the same name holds the placeholder.
    pub variable: String,
    /// The text of the place when the guest writes only the placeholder.
    pub format: String,
    /// Whether forks have it too.
    pub forks: bool,
    /// The rule that added it.
    pub rule: Rule,
}

/// The network part of one text.
#[derive(Debug, Clone, Default)]
pub(super) struct NetworkLayer {
    /// The table, even if it is empty.
    pub(super) rule: Option<Rule>,
    pub(super) allow: Vec<AllowRule>,
    pub(super) secrets: Vec<SecretRule>,
    pub(super) ca: Option<Set<HostPath>>,
    pub(super) receipt_query: Option<Set<bool>>,
}

impl NetworkLayer {
    /// Merges this layer over a parent: a rule replaces the parent's rule for the same URL, a secret the parent's for
    /// the same variable. Requests that options allow are added.
    pub(super) fn over(mut self, parent: NetworkLayer) -> NetworkLayer {
        let written = |own: &&AllowRule| own.rule.origin() == Origin::File;
        let replaced = |rule: &AllowRule| self.allow.iter().filter(written).any(|own| own.url == rule.url);
        let kept = parent.allow.into_iter().filter(|rule| !replaced(rule)).collect::<Vec<_>>();
        self.allow.splice(0..0, kept);
        let kept = parent.secrets.into_iter().filter(|secret| !self.secrets.iter().any(|own| own.variable == secret.variable));
        let kept = kept.collect::<Vec<_>>();
        self.secrets.splice(0..0, kept);
        NetworkLayer {
            rule: match self.rule {
                Some(own) if own.origin() == Origin::File => Some(own),
                own => parent.rule.or(own),
            },
            ca: self.ca.or(parent.ca),
            receipt_query: self.receipt_query.or(parent.receipt_query),
            ..self
        }
    }
}

/// Reads the table, except its numbers.
pub(super) fn read(reader: &Reader, section: &mut Section<'_, '_>, base: &std::path::Path) -> NetworkLayer {
    let mut layer = NetworkLayer { rule: Some(section.rule()), ..NetworkLayer::default() };
    for mut allow in section.tables("allow") {
        allow.require(Key::AllowUrl);
        let url = allow.text(Key::AllowUrl);
        let url = url.and_then(|url| checked(reader, Key::AllowUrl, &url, UrlPattern::parse(&url.value)));
        let methods = allow.texts(Key::AllowMethods).map(|methods| methods.value.iter().filter_map(|word| method(reader, word)).collect());
        let allow_private = allow.flag(Key::AllowPrivate).is_some_and(|flag| flag.value);
        let addresses = allow.texts(Key::AllowAddresses).map(|texts| texts.value).unwrap_or_default();
        let addresses =
            addresses.iter().filter_map(|text| checked(reader, Key::AllowAddresses, text, Addresses::parse(&text.value))).collect();
        let rule = allow.rule();
        allow.finish();
        if let Some(url) = url {
            layer.allow.push(AllowRule { url, methods: methods.unwrap_or_else(reading), allow_private, addresses, rule });
        }
    }
    for secret in section.tables("secret") {
        layer.secrets.extend(read_secret(reader, secret));
    }
    layer.ca = section.text(Key::NetworkCa).and_then(|path| host_path(reader, Key::NetworkCa, path, base));
    layer.receipt_query = section.flag(Key::ReceiptQuery);
    layer
}

/// A rule of the command line: a URL, optionally after methods. Without methods it allows reading.
pub(super) fn read_option(reader: &Reader, methods: &[Set<String>], url: &Set<String>) -> Option<AllowRule> {
    let found: Vec<Option<String>> = methods.iter().map(|word| method_of_option(reader, word)).collect();
    let pattern = checked(reader, Key::AllowUrl, url, UrlPattern::parse(&url.value))?;
    let methods = if found.is_empty() { reading() } else { found.into_iter().collect::<Option<Vec<_>>>()? };
    Some(AllowRule { url: pattern, methods, allow_private: false, addresses: Vec::new(), rule: url.rule.clone() })
}

fn reading() -> Vec<String> {
    READING.map(str::to_owned).into()
}

fn method(reader: &Reader, word: &Set<String>) -> Option<String> {
    let known = METHODS.contains(&word.value.as_str()).then(|| word.value.clone());
    checked(reader, Key::AllowMethods, word, known.ok_or(METHODS_ARE))
}

/// A method of an option.
fn method_of_option(reader: &Reader, word: &Set<String>) -> Option<String> {
    let known = METHODS.contains(&word.value.as_str()).then(|| word.value.clone());
    if known.is_none() {
        let finding = word.rule.finding(format!("{} is not a method", quote(&word.value))).label(METHODS_ARE);
        reader.find(finding.help("write methods, a space and the URL, in quotes: `'GET,POST https://api.example.com/v1/'`"));
    }
    known
}

fn read_secret(reader: &Reader, mut secret: Section<'_, '_>) -> Option<SecretRule> {
    secret.require(Key::SecretHost);
    secret.require(Key::SecretValueFromEnv);
    let host = secret.text(Key::SecretHost);
    let host = host.and_then(|host| checked(reader, Key::SecretHost, &host, Host::parse(&host.value)));
    let header = secret.text(Key::SecretHeader);
    let header = header.map(|header| checked(reader, Key::SecretHeader, &header, token(&header.value)).map(SecretPlace::Header));
    let mut named = |key: Key, place: fn(String) -> SecretPlace| {
        let text = secret.text(key)?;
        let plain = !text.value.is_empty() && text.value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte));
        Some(
            checked(reader, key, &text, plain.then(|| text.value.clone()).ok_or("a name here has letters, digits, `_`, `-` and `.`"))
                .map(place),
        )
    };
    let places = [header, named(Key::SecretQuery, SecretPlace::Query), named(Key::SecretBodyField, SecretPlace::BodyField)];
    let variable = secret.text(Key::SecretValueFromEnv).and_then(|variable| {
        let name = !variable.value.is_empty() && !variable.value.contains(['=', '\0']) && !variable.value.contains(char::is_control);
        checked(
            reader,
            Key::SecretValueFromEnv,
            &variable,
            name.then(|| variable.value.clone()).ok_or("this is not the name of a variable"),
        )
    });
    let format = secret.text(Key::SecretFormat).map_or_else(
        || Some(Key::SecretFormat.default_text().to_owned()),
        |format| {
            let good = if format.value.matches("{}").count() != 1 {
                Err("`{}` stands for the secret, once")
            } else if !format.value.bytes().all(|byte| (b' '..0x7f).contains(&byte)) {
                Err("a header has no control characters, and none outside ASCII")
            } else {
                Ok(format.value.clone())
            };
            checked(reader, Key::SecretFormat, &format, good)
        },
    );
    let forks = secret.flag(Key::SecretForks).is_some_and(|flag| flag.value);
    let rule = secret.rule();
    secret.finish();
    let mut given = places.into_iter().flatten();
    let place = match (given.next(), given.next()) {
        (Some(place), None) => place,
        (None, _) => {
            reader.find(
                rule.finding("this `[[network.secret]]` does not say where the secret goes")
                    .help(format!("add `header = {}`, or `query` or `body_field`", Key::SecretHeader.row().example)),
            );
            None
        }
        (Some(_), Some(_)) => {
            reader.find(
                rule.finding("this `[[network.secret]]` names more than one place for the secret")
                    .help("keep one of `header`, `query` and `body_field`"),
            );
            None
        }
    };
    Some(SecretRule { host: host?, place: place?, variable: variable?, format: format?, forks, rule })
}

/// A header's name, in lower case. Headers that the host sets are refused.
fn token(name: &str) -> Result<String, &'static str> {
    if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte)) {
        return Err("this is not the name of a header");
    }
    let name = name.to_ascii_lowercase();
    if ["host", "content-length", "transfer-encoding", "connection", "upgrade"].contains(&name.as_str()) {
        return Err("the host sets this header");
    }
    Ok(name)
}

fn checked<T>(reader: &Reader, key: Key, text: &Set<String>, read: Result<T, &'static str>) -> Option<T> {
    match read {
        Ok(value) => Some(value),
        Err(problem) => {
            let finding = text.rule.finding(format!("{} is not valid for `{}`", quote(&text.value), key.path()));
            reader.find(finding.label(problem).help(reader.example(key)));
            None
        }
    }
}

/// The merged network part, if any layer has one. `numbers` has the values of its keys with numbers.
pub(super) fn settle(layer: &mut Layer, numbers: Network, source: &dyn Source, findings: &mut Findings) -> Option<Network> {
    let rule = layer.network.rule.clone()?;
    if let Some(determinism) = &layer.determinism {
        let mut finding = rule
            .finding("`[network]` and `[determinism]` exclude each other")
            .label("the answers of a server are not reproducible")
            .help("remove one of the two");
        if let Some(place) = determinism.place() {
            finding = finding.related(place, "here the policy asks for reproducible runs");
        }
        findings.push(finding);
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
        ("rules", layer.network.allow.len(), limits::NETWORK_RULES, layer.network.allow.last().map(|rule| &rule.rule)),
        ("secrets", layer.network.secrets.len(), limits::NETWORK_SECRETS, layer.network.secrets.last().map(|secret| &secret.rule)),
    ] {
        if let Some(rule) = last.filter(|_| count > most) {
            findings.push(rule.finding(format!("`[network]` has {count} {what}, more than {most}")).help("merge some of them"));
        }
    }
    let ca = layer.network.ca.as_mut().and_then(|ca| {
        let rule = ca.rule.clone();
        look_up(ca, "file of certificates", |path| source.file(path), findings).map(|path| (path, rule))
    });
    Some(Network {
        rule,
        allow: layer.network.allow.clone(),
        secrets: layer.network.secrets.clone(),
        ca,
        receipt_query: layer.network.receipt_query.as_ref().is_some_and(|flag| flag.value),
        ..numbers
    })
}
