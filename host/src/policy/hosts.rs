//! `[network]`: read and checked, then refused, because no session has a network yet. What is accepted but not
//! enforced would be worse than what is refused.

use super::finding::quote;
use super::limits;
use super::read::{Reader, Set};
use super::schema::Key;
use super::section::Section;

const METHODS: &[&str] = &["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"];

/// Note everything wrong with the table, and that it is not supported.
pub(super) fn read(reader: &Reader, mut section: Section<'_, '_>) {
    for mut allow in section.tables("allow") {
        allow.require(Key::AllowUrl);
        if let Some(url) = allow.text(Key::AllowUrl) {
            check(reader, Key::AllowUrl, &url, url_problem(&url.value));
        }
        for method in allow.texts(Key::AllowMethods).map(|methods| methods.value).unwrap_or_default() {
            let known = METHODS.contains(&method.value.as_str());
            check(
                reader,
                Key::AllowMethods,
                &method,
                (!known).then_some("methods are `GET`, `HEAD`, `POST`, `PUT`, `PATCH`, `DELETE` and `OPTIONS`"),
            );
        }
        allow.finish();
    }
    section.number(Key::MaxRequests);
    section.number(Key::MaxResponse);
    for mut secret in section.tables("secret") {
        for key in [Key::SecretHost, Key::SecretHeader, Key::SecretValueFromEnv] {
            secret.require(key);
        }
        if let Some(host) = secret.text(Key::SecretHost) {
            check(reader, Key::SecretHost, &host, host_problem(&host.value));
        }
        if let Some(header) = secret.text(Key::SecretHeader) {
            let token = !header.value.is_empty()
                && header.value.chars().all(|char| char.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(char));
            check(reader, Key::SecretHeader, &header, (!token).then_some("this is no name of a header"));
        }
        if let Some(variable) = secret.text(Key::SecretValueFromEnv) {
            let name = !variable.value.is_empty() && !variable.value.contains(['=', '\0']);
            check(reader, Key::SecretValueFromEnv, &variable, (!name).then_some("this is no name of a variable"));
        }
        if let Some(format) = secret.text(Key::SecretFormat) {
            let problem = if format.value.matches("{}").count() != 1 {
                Some("`{}` stands for the secret, once")
            } else {
                format.value.contains(char::is_control).then_some("a header has no control characters")
            };
            check(reader, Key::SecretFormat, &format, problem);
        }
        let rule = secret.rule();
        secret.finish();
        reader.find(rule.finding("`[[network.secret]]` is not supported yet").help("remove it: sessions have no network"));
    }
    let rule = section.rule();
    let only_secrets = section.has_only("secret");
    section.finish();
    if only_secrets {
        return;
    }
    reader.find(rule.finding("`[network]` is not supported yet").help("remove it: sessions have no network"));
}

fn check(reader: &Reader, key: Key, text: &Set<String>, problem: Option<&str>) {
    if let Some(problem) = problem {
        let finding = text.rule.finding(format!("{} is not valid for `{}`", quote(&text.value), key.path()));
        reader.find(finding.label(problem).help(reader.example(key)));
    }
}

/// Scheme, host, port and a beginning of the path; nothing else.
fn url_problem(url: &str) -> Option<&'static str> {
    let Some(rest) = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://")) else {
        return Some("a URL here begins with `https://` or `http://`");
    };
    if rest.contains(['?', '#']) {
        return Some("a rule has no query and no fragment");
    }
    if url.chars().any(|char| char.is_whitespace() || char.is_control()) || rest.contains(['\\', '@']) {
        return Some("a rule has no spaces, `@` or `\\`");
    }
    let (authority, path) = rest.split_once('/').unwrap_or((rest, ""));
    if path.split('/').any(|name| name == "." || name == "..") {
        return Some("a rule's path has no `.` or `..`");
    }
    let (host, port) = match authority.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, Some(port)),
        _ => (authority, None),
    };
    if port.is_some_and(|port| port.parse::<u16>().map_or(true, |port| port == 0)) {
        return Some("a port is a number from 1 to 65535");
    }
    host_problem(host.strip_prefix("*.").unwrap_or(host))
}

/// A host name or address.
fn host_problem(host: &str) -> Option<&'static str> {
    if let Some(address) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return address.parse::<core::net::Ipv6Addr>().err().map(|_| "this is no IPv6 address");
    }
    let label = |label: &str| {
        !label.is_empty() && label.len() <= 63 && label.chars().all(|char| char.is_ascii_alphanumeric() || char == '-' || char == '_')
    };
    if host.len() > limits::PATH_NAME_BYTES || !host.split('.').all(label) {
        return Some("this is no host name");
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls() {
        for good in
            ["https://api.github.com/repos/", "http://*.example.com", "https://localhost:8080", "https://[::1]:80/x", "https://127.0.0.1/"]
        {
            assert_eq!(url_problem(good), None, "{good}");
        }
        for bad in [
            "api.github.com",
            "ftp://x/",
            "https://",
            "https://x?y",
            "https://a@b/",
            "https://a:0/",
            "https://a:b/",
            "https://*/",
            "https://*.",
            "https://a/../b",
            "https://[::g]/",
            "https://a b/",
        ] {
            assert!(url_problem(bad).is_some(), "{bad}");
        }
    }
}
