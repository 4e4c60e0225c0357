//! The options that there are: short name, long name, what becomes of it.

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// On, or off as `--no-NAME`.
    Flag,
    /// With a value.
    Value,
    /// Taken and without effect: it asks for what happens anyway, or for what only the host could do.
    Nothing,
    /// Taken with its value, without effect.
    NothingValue,
    /// Known, and refused for this reason.
    Refused(&'static str),
}

use Kind::{Flag, Nothing, NothingValue, Refused, Value};

const PROXY: &str = "wisp connects to the host itself and knows no proxies";
const ADDRESS: &str = "which address is asked is the host's to decide; policies name addresses with `addresses`";
const ROOTS: &str = "certificates are verified by the host; a policy adds roots with `ca = \"file\"` in [network]";
const CLIENT: &str = "TLS is the host's; it has no client certificates";
const SCHEME: &str = "wisp's curl has Basic and Bearer only";

/// Short name (or a blank), long name, kind.
pub const TABLE: &[(char, &str, Kind)] = &[
    (' ', "anyauth", Nothing),
    ('a', "append", Refused("it is for FTP")),
    (' ', "basic", Nothing),
    (' ', "cacert", Refused(ROOTS)),
    (' ', "capath", Refused(ROOTS)),
    (' ', "ca-native", Nothing),
    ('E', "cert", Refused(CLIENT)),
    (' ', "ciphers", Refused("TLS is the host's")),
    (' ', "compressed", Flag),
    ('K', "config", Value),
    (' ', "connect-timeout", Value),
    (' ', "connect-to", Refused(ADDRESS)),
    ('C', "continue-at", Value),
    ('b', "cookie", Value),
    ('c', "cookie-jar", Value),
    (' ', "create-dirs", Flag),
    ('d', "data", Value),
    (' ', "data-ascii", Value),
    (' ', "data-binary", Value),
    (' ', "data-raw", Value),
    (' ', "data-urlencode", Value),
    (' ', "digest", Refused(SCHEME)),
    ('q', "disable", Flag),
    (' ', "dns-servers", Refused(ADDRESS)),
    (' ', "doh-url", Refused(ADDRESS)),
    ('D', "dump-header", Value),
    (' ', "expect100-timeout", NothingValue),
    ('f', "fail", Flag),
    (' ', "fail-early", Flag),
    (' ', "fail-with-body", Flag),
    ('F', "form", Value),
    (' ', "form-string", Value),
    ('G', "get", Flag),
    ('g', "globoff", Flag),
    ('I', "head", Flag),
    ('H', "header", Value),
    ('h', "help", Flag),
    ('0', "http1.0", Nothing),
    (' ', "http1.1", Nothing),
    (' ', "http2", Nothing),
    (' ', "http2-prior-knowledge", Nothing),
    (' ', "http3", Nothing),
    (' ', "ignore-content-length", Nothing),
    ('i', "include", Flag),
    ('k', "insecure", Flag),
    (' ', "interface", Refused(ADDRESS)),
    ('4', "ipv4", Nothing),
    ('6', "ipv6", Nothing),
    (' ', "json", Value),
    ('j', "junk-session-cookies", Flag),
    (' ', "keepalive", Nothing),
    (' ', "keepalive-time", NothingValue),
    (' ', "key", Refused(CLIENT)),
    (' ', "limit-rate", Value),
    ('L', "location", Flag),
    (' ', "location-trusted", Flag),
    ('M', "manual", Refused("there is none here; `curl --help` lists the options")),
    (' ', "max-filesize", Value),
    (' ', "max-redirs", Value),
    ('m', "max-time", Value),
    (' ', "negotiate", Refused(SCHEME)),
    ('n', "netrc", Refused("put the credentials into -u or a header; a policy can keep them as a secret")),
    ('N', "buffer", Nothing),
    (' ', "no-buffer", Nothing),
    (' ', "noproxy", NothingValue),
    (' ', "ntlm", Refused(SCHEME)),
    (' ', "oauth2-bearer", Value),
    (' ', "next", Flag),
    ('o', "output", Value),
    (' ', "output-dir", Value),
    ('Z', "parallel", Nothing),
    (' ', "parallel-immediate", Nothing),
    (' ', "parallel-max", NothingValue),
    (' ', "path-as-is", Flag),
    (' ', "pinnedpubkey", Refused("certificates are verified by the host")),
    (' ', "post301", Flag),
    (' ', "post302", Flag),
    (' ', "post303", Flag),
    (' ', "preproxy", Refused(PROXY)),
    ('#', "progress-bar", Flag),
    (' ', "progress-meter", Flag),
    (' ', "proto", Value),
    (' ', "proto-default", Value),
    (' ', "proto-redir", Value),
    ('x', "proxy", Refused(PROXY)),
    ('U', "proxy-user", Refused(PROXY)),
    ('p', "proxytunnel", Refused(PROXY)),
    (' ', "rate", Refused("the policy bounds how much is asked")),
    ('r', "range", Value),
    (' ', "raw", Flag),
    ('e', "referer", Value),
    ('J', "remote-header-name", Flag),
    ('O', "remote-name", Flag),
    (' ', "remote-name-all", Flag),
    ('R', "remote-time", Flag),
    (' ', "remove-on-error", Flag),
    ('X', "request", Value),
    (' ', "request-target", Refused("the path of the URL is what the policy decides about")),
    (' ', "resolve", Refused(ADDRESS)),
    (' ', "retry", Value),
    (' ', "retry-all-errors", Flag),
    (' ', "retry-connrefused", Flag),
    (' ', "retry-delay", Value),
    (' ', "retry-max-time", Value),
    ('S', "show-error", Flag),
    ('s', "silent", Flag),
    (' ', "socks5", Refused(PROXY)),
    (' ', "socks5-hostname", Refused(PROXY)),
    (' ', "ssl-no-revoke", Nothing),
    (' ', "ssl-reqd", Nothing),
    (' ', "stderr", Refused("redirect it with the shell: 2>FILE")),
    (' ', "styled-output", Nothing),
    (' ', "tcp-fastopen", Nothing),
    (' ', "tcp-nodelay", Nothing),
    ('z', "time-cond", Value),
    (' ', "tls-max", NothingValue),
    ('1', "tlsv1", Nothing),
    (' ', "tlsv1.0", Nothing),
    (' ', "tlsv1.1", Nothing),
    (' ', "tlsv1.2", Nothing),
    (' ', "tlsv1.3", Nothing),
    (' ', "tr-encoding", Nothing),
    (' ', "trace", Refused("-v shows what there is to see")),
    (' ', "trace-ascii", Refused("-v shows what there is to see")),
    (' ', "trace-time", Nothing),
    (' ', "unix-socket", Refused("there are no sockets in the sandbox")),
    ('T', "upload-file", Value),
    (' ', "url", Value),
    (' ', "url-query", Value),
    ('B', "use-ascii", Nothing),
    ('u', "user", Value),
    ('A', "user-agent", Value),
    ('v', "verbose", Flag),
    ('V', "version", Flag),
    ('w', "write-out", Value),
    ('y', "speed-time", Refused("use --max-time; the policy ends transfers that stand still")),
    ('Y', "speed-limit", Refused("use --max-time; the policy ends transfers that stand still")),
];

/// Whether a kind has a value.
pub fn takes_value(name: &str, kind: Kind) -> bool {
    const BARE: &[&str] = &["append", "digest", "negotiate", "netrc", "ntlm", "manual", "proxytunnel"];
    match kind {
        Value | NothingValue => true,
        Refused(_) => !BARE.contains(&name),
        Flag | Nothing => false,
    }
}

/// The option of a long name, or of the only one that begins with it.
pub fn by_long(name: &str) -> Result<&'static (char, &'static str, Kind), &'static str> {
    if let Some(exact) = TABLE.iter().find(|(_, long, _)| *long == name) {
        return Ok(exact);
    }
    let mut all = TABLE.iter().filter(|(_, long, _)| long.starts_with(name));
    match (all.next(), all.next()) {
        (Some(only), None) => Ok(only),
        (Some(_), Some(_)) => Err("is ambiguous"),
        _ => Err("is unknown"),
    }
}

/// The option of a short name.
pub fn by_short(name: char) -> Option<&'static (char, &'static str, Kind)> {
    if name == ':' {
        return TABLE.iter().find(|(_, long, _)| *long == "next");
    }
    TABLE.iter().find(|(short, _, _)| *short == name && name != ' ')
}
