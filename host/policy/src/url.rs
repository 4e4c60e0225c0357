//! URLs of requests and rules: parsed in one way, and compared part by part.

use std::fmt;

use super::hosts::{Host, HostPattern};

/// How a request is transported.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Scheme {
    /// Unencrypted.
    Http,
    /// Over TLS.
    Https,
}

impl Scheme {
    /// Parses the scheme with that name, in any letter case.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::Http, Self::Https].into_iter().find(|scheme| scheme.as_str().eq_ignore_ascii_case(text))
    }

    /// Returns its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }

    /// Returns the default port.
    pub(super) fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// The target of a request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Target {
    /// The scheme.
    pub scheme: Scheme,
    /// The host.
    pub host: Host,
    /// The port.
    pub port: u16,
    /// The path.
    pub path: UrlPath,
    /// The query, without `?`.
    pub query: Option<String>,
}

impl Target {
    /// Creates the target from the parts of a request: scheme, `host` or `host:port`, and path with query.
    pub fn new(scheme: Scheme, authority: &str, path_and_query: &str) -> Result<Self, &'static str> {
        let (host, port) = split_authority(authority)?;
        let host = Host::parse(host)?;
        let (path, query) = path_and_query.split_once('?').map_or((path_and_query, None), |(path, query)| (path, Some(query)));
        let path = UrlPath::parse(path)?;
        if query.is_some_and(|query| !query.bytes().all(printable)) {
            return Err("a query has no spaces, control characters, or characters outside ASCII: write them as `%20`");
        }
        Ok(Self { scheme, host, port: port.unwrap_or(scheme.default_port()), path, query: query.map(str::to_owned) })
    }

    /// Parses a URL that a policy names as a whole.
    pub(super) fn parse(url: &str) -> Result<Self, &'static str> {
        let (scheme, rest) = split_scheme(url)?;
        if rest.contains('#') {
            return Err("a URL here has no fragment (`#`)");
        }
        let (authority, path_and_query) = rest.find(['/', '?']).map_or((rest, ""), |at| rest.split_at(at));
        if authority.contains('@') {
            return Err("a URL here has no user name and no password");
        }
        let target = Self::new(scheme, authority, path_and_query)?;
        if target.path.climbs || has_dots(path_and_query.split('?').next().unwrap_or_default()) {
            return Err("a path here has no `.` or `..`");
        }
        Ok(target)
    }

    /// Returns `host`, or `host:port` if the port is not the scheme's default: the value of the `Host` header.
    pub fn authority(&self) -> String {
        if self.port == self.scheme.default_port() { self.host.to_string() } else { format!("{}:{}", self.host, self.port) }
    }

    /// Returns the URL without its query.
    pub fn without_query(&self) -> String {
        format!("{}://{}{}", self.scheme.as_str(), self.authority(), self.path.as_str())
    }

    /// Returns the URL with its query, which may hold private data.
    pub(super) fn whole(&self) -> String {
        format!("{}://{}{}", self.scheme.as_str(), self.authority(), self.path_and_query())
    }

    /// Returns the target in the request line: path and query.
    pub fn path_and_query(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path.as_str()),
            None => self.path.as_str().to_owned(),
        }
    }
}

fn printable(byte: u8) -> bool {
    (0x21..0x7f).contains(&byte) && byte != b'#'
}

/// Returns the scheme of a URL, and what follows `://`.
fn split_scheme(url: &str) -> Result<(Scheme, &str), &'static str> {
    let found = url.split_once("://").and_then(|(scheme, rest)| Some((Scheme::parse(scheme)?, rest)));
    found.ok_or("a URL here begins with `https://` or `http://`")
}

/// Parses host and port. A user name is an error: programs disagree about what precedes an `@`.
fn split_authority(authority: &str) -> Result<(&str, Option<u16>), &'static str> {
    if authority.contains('@') {
        return Err("a user name or password in a URL is not passed on: send an `Authorization` header");
    }
    let after_bracket = authority.rfind(']').map_or(0, |at| at + 1);
    let Some(colon) = authority[after_bracket..].find(':').map(|at| after_bracket + at) else {
        return Ok((authority, None));
    };
    let (host, port) = (&authority[..colon], &authority[colon + 1..]);
    if port.is_empty() || port.len() > 5 || !port.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err("a port is a number from 1 to 65535");
    }
    match port.parse::<u16>() {
        Ok(port) if port > 0 => Ok((host, Some(port))),
        _ => Err("a port is a number from 1 to 65535"),
    }
}

/// A path in the form in which it is sent, and the form in which it is compared.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct UrlPath {
    sent: String,
    compared: String,
    /// Whether a server that decodes more escapes than it should could see `..` in it.
    climbs: bool,
}

impl UrlPath {
    /// Parses a path: `.` and `..`, plain or as `%2e`, are resolved as in RFC 3986.
    pub(super) fn parse(path: &str) -> Result<Self, &'static str> {
        let path = if path.is_empty() { "/" } else { path };
        if !path.starts_with('/') {
            return Err("a path begins with `/`");
        }
        if !path.bytes().all(|byte| printable(byte) && byte != b'\\') {
            return Err("a path has no spaces, control characters, `\\`, or characters outside ASCII: write them as `%20`");
        }
        let (mut sent, mut compared): (Vec<&str>, Vec<String>) = (Vec::new(), Vec::new());
        let mut segments = path[1..].split('/').peekable();
        while let Some(segment) = segments.next() {
            let plain = plain(segment)?;
            let last = segments.peek().is_none();
            match plain.as_str() {
                "." => {}
                ".." => {
                    sent.pop();
                    compared.pop();
                }
                _ => {
                    sent.push(segment);
                    compared.push(plain);
                    continue;
                }
            }
            // A directory stays a directory: `/a/b/..` is `/a/`.
            if last {
                sent.push("");
                compared.push(String::new());
            }
        }
        let climbs = compared.iter().any(|segment| climbs(segment));
        Ok(Self { sent: format!("/{}", sent.join("/")), compared: format!("/{}", compared.join("/")), climbs })
    }

    /// Returns the path as it is sent.
    pub fn as_str(&self) -> &str {
        &self.sent
    }

    /// Returns whether it is at or below `beginning`: `/a` is the beginning of `/a` and `/a/b`, but not of `/ab`; `/a/` is
    /// that of `/a/b`.
    pub(super) fn is_below(&self, beginning: &Self) -> bool {
        if beginning.compared == "/" {
            return true;
        }
        if self.climbs {
            return false;
        }
        match self.compared.strip_prefix(beginning.compared.as_str()) {
            Some(rest) => rest.is_empty() || beginning.compared.ends_with('/') || rest.starts_with('/'),
            None => false,
        }
    }
}

/// Returns whether a segment of a path is `.` or `..`.
fn has_dots(path: &str) -> bool {
    path.split('/').any(|name| matches!(plain(name).as_deref(), Ok("." | "..")))
}

/// Returns a segment in which unnecessary escapes are decoded (`%61` is `a`), and the others are in upper case.
fn plain(segment: &str) -> Result<String, &'static str> {
    let mut text = String::with_capacity(segment.len());
    let mut rest = segment;
    while let Some((before, after)) = rest.split_once('%') {
        text.push_str(before);
        let byte = escaped(after).ok_or("`%` is followed by two hexadecimal digits")?;
        match char::from(byte) {
            unreserved if unreserved.is_ascii_alphanumeric() || "-._~".contains(unreserved) => text.push(unreserved),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
        rest = &after[2..];
    }
    text.push_str(rest);
    Ok(text)
}

/// Returns the byte encoded by two hexadecimal digits at the beginning.
fn escaped(text: &str) -> Option<u8> {
    let digits = text.get(..2).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u8::from_str_radix(digits, 16).ok()
}

/// Returns whether a segment would contain parts that are `..` (or `..;x`, as some servers read it) if its escapes were
/// decoded, once or several times.
fn climbs(segment: &str) -> bool {
    let mut bytes = segment.as_bytes().to_vec();
    loop {
        let climbs = bytes.split(|byte| matches!(byte, b'/' | b'\\')).any(|part| {
            let name = part.split(|byte| matches!(byte, b';' | 0)).next().unwrap_or_default();
            matches!(name, b"." | b"..")
        });
        if climbs {
            return true;
        }
        let mut undone = Vec::with_capacity(bytes.len());
        let mut at = 0;
        while at < bytes.len() {
            let byte = (bytes[at] == b'%').then(|| core::str::from_utf8(bytes.get(at + 1..at + 3)?).ok().and_then(escaped)).flatten();
            undone.push(byte.unwrap_or(bytes[at]));
            at += if byte.is_some() { 3 } else { 1 };
        }
        if undone.len() == bytes.len() {
            return false;
        }
        bytes = undone;
    }
}

/// The URLs that a rule matches: `https://*.example.com:8443/a/`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlPattern {
    /// The scheme.
    pub scheme: Scheme,
    /// The hosts.
    pub host: HostPattern,
    /// The port.
    pub port: u16,
    /// The beginning of the path.
    pub path: UrlPath,
}

impl UrlPattern {
    /// Parses the URL of a rule.
    pub fn parse(url: &str) -> Result<Self, &'static str> {
        let (scheme, rest) = split_scheme(url)?;
        if rest.contains(['?', '#']) {
            return Err("a rule has no query and no fragment");
        }
        if rest.chars().any(|char| char.is_whitespace() || char.is_control()) || rest.contains(['\\', '@']) {
            return Err("a rule has no spaces, `@` or `\\`");
        }
        let (authority, path) = rest.find('/').map_or((rest, ""), |at| rest.split_at(at));
        if has_dots(path) {
            return Err("a rule's path has no `.` or `..`");
        }
        let (host, port) = split_authority(authority)?;
        let path = UrlPath::parse(path)?;
        if path.climbs {
            return Err("a rule's path has no `.` or `..`");
        }
        Ok(Self { scheme, host: HostPattern::parse(host)?, port: port.unwrap_or(scheme.default_port()), path })
    }

    /// Returns whether it matches `target`.
    pub fn matches(&self, target: &Target) -> bool {
        self.reaches(target) && target.path.is_below(&self.path)
    }

    /// Returns whether it is for the same server as `target`, whatever the path.
    pub fn reaches(&self, target: &Target) -> bool {
        self.scheme == target.scheme && self.port == target.port && self.host.matches(&target.host)
    }
}

impl fmt::Display for UrlPattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme.as_str(), self.host)?;
        if self.port != self.scheme.default_port() {
            write!(f, ":{}", self.port)?;
        }
        f.write_str(self.path.as_str())
    }
}

#[cfg(test)]
#[path = "url_tests.rs"]
mod tests;
