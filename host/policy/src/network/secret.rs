//! `[[network.secret]]`: what it is, and how it is read.

use std::fmt;

use crate::hosts::Host;
use crate::read::{Reader, checked};
use crate::rule::Rule;
use crate::schema::Key;
use crate::section::Section;

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

impl fmt::Display for SecretPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header(name) => write!(f, "header {name}"),
            Self::Query(name) => write!(f, "query {name}"),
            Self::BodyField(name) => write!(f, "body_field {name}"),
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

/// Reads one `[[network.secret]]`.
pub(super) fn read_secret(reader: &Reader, mut secret: Section<'_, '_>) -> Option<SecretRule> {
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

/// Returns a header's name, in lower case. Headers that the host sets are refused.
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
