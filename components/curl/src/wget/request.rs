//! The requests of wget.

use super::options::Options;
use crate::http::cookies::Jar;
use crate::http::date;
use crate::http::headers::Headers;
use crate::url::{Url, encode};

/// One request of a chain of redirects.
pub(super) struct Hop {
    pub url: Url,
    pub method: String,
    /// Whether the body is sent with it.
    pub sends: bool,
    /// Whether the credentials are sent: after the server asked for them, and only to the first host.
    pub login: bool,
    /// Whether it is still the first host.
    pub own: bool,
    /// Bytes that the file already has.
    pub from: u64,
    /// Requests the file only if it is newer.
    pub since: Option<i64>,
}

/// Returns the method for the first request.
pub(super) fn method(options: &Options) -> String {
    match &options.method {
        Some(method) => method.clone(),
        None if options.posts => "POST".into(),
        None if options.spider => "HEAD".into(),
        None => "GET".into(),
    }
}

/// Returns `Basic …`, if there are credentials.
pub(super) fn credentials(options: &Options, url: &Url) -> Option<String> {
    let user = options.user.as_ref().or(url.user.as_ref())?;
    let password = options.password.as_ref().or(url.password.as_ref()).map_or("", String::as_str);
    Some(format!("Basic {}", encode::base64(format!("{user}:{password}").as_bytes())))
}

/// Returns the headers of a request, or the one that cannot be sent.
pub(super) fn headers(options: &Options, jar: &Jar, hop: &Hop) -> Result<Headers, String> {
    let mut headers = Headers::default();
    if let Some(referer) = &options.referer {
        headers.push("Referer", referer);
    }
    if hop.from > 0 {
        headers.push("Range", format!("bytes={}-", hop.from));
    }
    if let Some(since) = hop.since {
        headers.push("If-Modified-Since", date::http(since));
    }
    match options.agent.as_deref() {
        Some("") => {}
        Some(agent) => headers.push("User-Agent", agent),
        None => headers.push("User-Agent", format!("Wget/{}", super::VERSION)),
    }
    headers.push("Accept", "*/*");
    headers.push("Accept-Encoding", if options.compression { "gzip" } else { "identity" });
    if options.no_cache {
        headers.push("Cache-Control", "no-cache");
        headers.push("Pragma", "no-cache");
    }
    if let Some(value) = credentials(options, &hop.url).filter(|_| hop.login) {
        headers.push("Authorization", value);
    }
    if let Some(cookies) = jar.header(&hop.url).filter(|_| options.cookies) {
        headers.push("Cookie", cookies);
    }
    if let Some(payload) = options.payload.as_ref().filter(|_| hop.sends) {
        headers.push("Content-Type", "application/x-www-form-urlencoded");
        headers.push("Content-Length", payload.length().unwrap_or_default().to_string());
    }
    for line in &options.headers {
        let (name, value) = line.split_once(':').ok_or_else(|| format!("--header: invalid header '{line}'"))?;
        let (name, value) = (name.trim(), value.trim());
        match name.to_ascii_lowercase().as_str() {
            "host" if value.eq_ignore_ascii_case(&hop.url.authority()) => {}
            "connection" | "keep-alive" | "expect" | "te" | "proxy-connection" | "content-length" | "transfer-encoding" => {}
            "authorization" | "cookie" if !hop.own => {}
            _ => {
                if name.eq_ignore_ascii_case("cookie") || !value.is_empty() {
                    headers.remove(name);
                }
                headers.push(name, value);
            }
        }
    }
    Ok(headers)
}
