//! URLs as curl reads them: lenient about omissions, strict about ambiguities.

pub(crate) mod encode;
pub(crate) mod glob;

use encode::{decode, encode_rest};

/// The parts of a URL for http or https. A part is as it was given, unless its comment says otherwise.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Url {
    /// In lower case.
    pub scheme: String,
    /// As it was given: `user:password`.
    pub login: Option<String>,
    /// Decoded.
    pub user: Option<String>,
    /// Decoded.
    pub password: Option<String>,
    /// ASCII, an IPv6 address with its brackets.
    pub host: String,
    pub port: Option<u16>,
    /// Begins with a slash.
    pub path: String,
    /// Without its question mark.
    pub query: Option<String>,
    /// Without its hash.
    pub fragment: Option<String>,
}

/// Why a URL is refused.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Bad {
    /// Another scheme than http and https.
    Scheme(String),
    /// Not a port.
    Port,
    /// Not a host name.
    Host,
    /// Blanks, control characters, or nothing at all.
    Malformed,
}

impl Url {
    /// Parses a URL that a user typed. `as_is` keeps `/../` and `/./`.
    pub(crate) fn parse(text: &str, as_is: bool) -> Result<Self, Bad> {
        if text.is_empty() || text.bytes().any(|b| b <= b' ' || b == 0x7f) {
            return Err(Bad::Malformed);
        }
        let (scheme, rest) = match split_scheme(text) {
            Some((scheme, rest)) => (scheme.to_ascii_lowercase(), rest),
            None => (guess(text).to_owned(), text),
        };
        if scheme != "http" && scheme != "https" {
            return Err(Bad::Scheme(scheme));
        }
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, tail) = rest.split_at(end);
        let (login, place) = match authority.rsplit_once('@') {
            Some((login, place)) => (Some(login), place),
            None => (None, authority),
        };
        let (user, password) = match login.map(|login| login.split_once(':').map_or((login, None), |(user, word)| (user, Some(word)))) {
            Some((user, word)) => (Some(text_of(user)?), word.map(text_of).transpose()?),
            None => (None, None),
        };
        let (host, port) = split_port(place)?;
        let (tail, fragment) = match tail.split_once('#') {
            Some((tail, fragment)) => (tail, Some(fragment.to_owned())),
            None => (tail, None),
        };
        let (path, query) = match tail.split_once('?') {
            Some((path, query)) => (path, Some(encode_rest(query))),
            None => (tail, None),
        };
        let path = if path.is_empty() { "/".to_owned() } else { encode_rest(path) };
        let path = if as_is { path } else { without_dots(&path) };
        Ok(Self { scheme, login: login.map(str::to_owned), user, password, host: host_name(host)?, port, path, query, fragment })
    }

    /// Returns the URL to which a `Location` leads from here.
    pub(crate) fn join(&self, location: &str, as_is: bool) -> Result<Self, Bad> {
        let location: String = location.trim().chars().map(|c| if c == ' ' { "%20".to_owned() } else { c.to_string() }).collect();
        if split_scheme(&location).is_some() {
            return Self::parse(&location, as_is);
        }
        let mut base = format!("{}://{}", self.scheme, self.authority());
        if let Some(rest) = location.strip_prefix("//") {
            base = format!("{}://{rest}", self.scheme);
        } else if location.starts_with('/') {
            base += &location;
        } else if location.starts_with('?') {
            base += &format!("{}{location}", self.path);
        } else if location.is_empty() || location.starts_with('#') {
            base += &format!("{}{location}", self.target());
        } else {
            base += &format!("{}/{location}", self.path.rsplit_once('/').map_or("", |(folder, _)| folder));
        }
        let mut joined = Self::parse(&base, as_is)?;
        if joined.fragment.is_none() {
            joined.fragment = self.fragment.clone();
        }
        Ok(joined)
    }

    /// Returns host and port, the port only if it is not the scheme's own.
    pub(crate) fn authority(&self) -> String {
        match self.port {
            Some(port) if port != self.standard_port() => format!("{}:{port}", self.host),
            _ => self.host.clone(),
        }
    }

    /// Returns the path and the query, as a request has them.
    pub(crate) fn target(&self) -> String {
        match &self.query {
            Some(query) => format!("{}?{query}", self.path),
            None => self.path.clone(),
        }
    }

    /// Returns the port to connect to.
    pub(crate) fn port(&self) -> u16 {
        self.port.unwrap_or(self.standard_port())
    }

    fn standard_port(&self) -> u16 {
        if self.scheme == "https" { 443 } else { 80 }
    }

    /// Returns whether credentials for `other` are meant for this one too.
    pub(crate) fn same_place(&self, other: &Self) -> bool {
        self.scheme == other.scheme && self.host.eq_ignore_ascii_case(&other.host) && self.port() == other.port()
    }

    /// Returns the last part of the path, for a file of that name.
    pub(crate) fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or_default()
    }

    /// Returns the whole.
    pub(crate) fn text(&self) -> String {
        let login = self.login.as_ref().map_or(String::new(), |login| format!("{login}@"));
        let port = self.port.map_or(String::new(), |port| format!(":{port}"));
        let fragment = self.fragment.as_ref().map_or(String::new(), |fragment| format!("#{fragment}"));
        format!("{}://{login}{}{port}{}{fragment}", self.scheme, self.host, self.target())
    }
}

/// Returns the text before `://`, if it can be a scheme.
fn split_scheme(text: &str) -> Option<(&str, &str)> {
    let (scheme, rest) = text.split_once("://")?;
    let mut letters = scheme.bytes();
    let starts = letters.next().is_some_and(|b| b.is_ascii_alphabetic());
    (starts && letters.all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))).then_some((scheme, rest))
}

/// Returns the scheme of a URL that has none, by the host's name.
fn guess(text: &str) -> &'static str {
    let lower = text.to_ascii_lowercase();
    ["ftp", "dict", "ldap", "imap", "smtp", "pop3"]
        .into_iter()
        .find(|name| lower.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
        .unwrap_or("http")
}

fn text_of(part: &str) -> Result<String, Bad> {
    let bytes = decode(part);
    if bytes.iter().any(|b| *b < b' ' || *b == 0x7f) {
        return Err(Bad::Malformed);
    }
    String::from_utf8(bytes).map_err(|_| Bad::Malformed)
}

fn split_port(place: &str) -> Result<(&str, Option<u16>), Bad> {
    let after = place.rfind(']').map_or(0, |at| at + 1);
    let Some(colon) = place[after..].find(':') else {
        return if after > 0 && after < place.len() { Err(Bad::Port) } else { Ok((place, None)) };
    };
    let (host, port) = (&place[..after + colon], &place[after + colon + 1..]);
    if port.is_empty() {
        return Ok((host, None));
    }
    if !port.bytes().all(|b| b.is_ascii_digit()) {
        return Err(Bad::Port);
    }
    port.parse().map(|port| (host, Some(port))).map_err(|_| Bad::Port)
}

/// Returns the host in ASCII. It is checked again after decoding: `%2f` in a host must not become a path.
fn host_name(host: &str) -> Result<String, Bad> {
    if let Some(address) = host.strip_prefix('[') {
        let address = address.strip_suffix(']').ok_or(Bad::Host)?;
        return address.parse::<std::net::Ipv6Addr>().map(|address| format!("[{address}]")).map_err(|_| Bad::Host);
    }
    let host = String::from_utf8(decode(host)).map_err(|_| Bad::Host)?;
    if host.is_empty() || host.chars().any(|c| c.is_control() || " \r\n\t/:#?!@{}[]\\$'\"^`*<>=;,&()+%|".contains(c)) {
        return Err(Bad::Host);
    }
    if host.is_ascii() {
        return Ok(address(&host).unwrap_or(host));
    }
    idna::domain_to_ascii(&host).map_err(|_| Bad::Host)
}

/// Returns an IPv4 address that is written in another way than four decimal numbers: `127.1`, `0x7f000001`, `017700000001`.
fn address(host: &str) -> Option<String> {
    let parts: Vec<&str> = host.split('.').collect();
    let number = |text: &str| match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u32::from_str_radix(text, 8).ok(),
        None => text.parse().ok().filter(|_| !text.starts_with('+')),
    };
    let numbers: Vec<u32> = parts.iter().map(|part| number(part)).collect::<Option<_>>()?;
    let (last, front) = numbers.split_last()?;
    if front.len() > 3 || front.iter().any(|number| *number > 255) || u64::from(*last) >= 1 << (8 * (4 - front.len())) {
        return None;
    }
    let whole = front.iter().enumerate().fold(*last, |whole, (place, number)| whole | number << (24 - 8 * place));
    Some(std::net::Ipv4Addr::from(whole).to_string())
}

/// Removes dot segments (RFC 3986, 5.2.4). Encoded dots are dots.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let parts: Vec<&str> = path[1..].split('/').collect();
    for (index, part) in parts.iter().enumerate() {
        let plain = part.to_ascii_lowercase().replace("%2e", ".");
        let last = index + 1 == parts.len();
        match plain.as_str() {
            "." if last => kept.push(""),
            "." => {}
            ".." => {
                kept.pop();
                if last {
                    kept.push("");
                }
            }
            _ => kept.push(part),
        }
    }
    format!("/{}", kept.join("/"))
}

#[cfg(test)]
mod tests;
