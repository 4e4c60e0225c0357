//! Makes the first request from the options.

use super::fail::{Fail, fail};
use super::form;
use super::options::{Node, Operation};
use crate::http::date;
use crate::http::headers::Headers;
use crate::http::payload::{Part, Payload};
use crate::url::{Url, encode};

/// A request, before any redirect.
pub(super) struct Prepared {
    pub url: Url,
    pub method: String,
    /// Whether `-X` set it: redirects then keep it.
    pub custom_method: bool,
    /// The headers of `-H` and curl's own; without credentials and cookies.
    pub headers: Headers,
    pub payload: Option<Payload>,
    /// Whether the method is the POST of `-d` or `-F`.
    pub posts: bool,
    /// Headers about the payload, which are sent only with it.
    pub payload_headers: Headers,
    /// The value of `Authorization`, and whether it came from `-H`.
    pub authorization: Option<Vec<u8>>,
    /// The cookies of `-b NAME=VALUE` and of `-H`.
    pub cookies: Vec<String>,
    /// The range of `-r`.
    pub range: Option<String>,
}

/// Returns the settings that the options give for a URL.
pub(super) fn prepare(operation: &Operation, node: &Node, text: &str) -> Result<Prepared, Fail> {
    let mut url = match (&operation.default_scheme, text.contains("://")) {
        (Some(scheme), false) => Url::parse(&format!("{scheme}://{text}"), operation.as_is)?,
        _ => Url::parse(text, operation.as_is)?,
    };
    protocol(&url.scheme, operation.protocols.as_deref())?;
    let kinds = [operation.data.is_some() && !operation.get, !operation.form.is_empty(), node.upload.is_some(), operation.head];
    if kinds.iter().filter(|kind| **kind).count() > 1 {
        return Err(fail(2, "curl: You can only select one HTTP request method! (-d, -F, -T and -I exclude each other)"));
    }
    for text in &operation.query {
        add_query(&mut url, text);
    }
    let (mut payload, mut about) = (None, Headers::default());
    let mut method = "GET";
    if operation.head {
        method = "HEAD";
    }
    if let Some(data) = &operation.data {
        if operation.get {
            add_query(&mut url, &data.query().map_err(|_| unreadable())?);
        } else {
            method = "POST";
            about.push("Content-Type", if data.json { "application/json" } else { "application/x-www-form-urlencoded" });
            payload = Some(data.payload.clone());
        }
    } else if !operation.form.is_empty() {
        method = "POST";
        let boundary = form::boundary();
        about.push("Content-Type", format!("multipart/form-data; boundary={boundary}"));
        payload = Some(operation.form.payload(&boundary).map_err(|_| unreadable())?);
    } else if let Some(path) = &node.upload {
        method = "PUT";
        payload = Some(upload(path, &mut url)?);
    }
    let mut prepared = Prepared {
        method: operation.method.clone().unwrap_or_else(|| method.to_owned()),
        custom_method: operation.method.is_some(),
        headers: Headers::default(),
        payload,
        posts: method == "POST",
        payload_headers: about,
        authorization: credentials(operation, &url),
        cookies: operation.cookies.iter().filter(|text| text.contains('=')).cloned().collect(),
        range: operation.range.as_ref().map(|range| format!("bytes={range}")),
        url,
    };
    standard(operation, &mut prepared)?;
    own(operation, &mut prepared)?;
    if let (Some(payload), false) = (&prepared.payload, prepared.payload_headers.has("transfer-encoding"))
        && let Some(length) = payload.length()
    {
        prepared.payload_headers.remove("content-length");
        prepared.payload_headers.push("Content-Length", length.to_string());
    }
    prepared.payload_headers.remove("transfer-encoding");
    Ok(prepared)
}

fn unreadable() -> Fail {
    fail(26, "Failed to open/read local data from file/application")
}

/// Checks whether `--proto` allows a scheme: `=https`, `https`, `-http`, `+http`.
pub(super) fn protocol(scheme: &str, asked: Option<&str>) -> Result<(), Fail> {
    let Some(asked) = asked else { return Ok(()) };
    let mut allowed = true;
    for word in asked.split(',').map(str::trim) {
        let (sign, name) = match word.chars().next() {
            Some(sign @ ('+' | '-' | '=')) => (sign, &word[1..]),
            _ => ('+', word),
        };
        let meant = name == "all" || name.eq_ignore_ascii_case(scheme);
        allowed = match sign {
            '=' => meant,
            '-' => allowed && !meant,
            _ => allowed || meant,
        };
    }
    if allowed { Ok(()) } else { Err(fail(1, format!("Protocol \"{scheme}\" not supported or disabled in libcurl"))) }
}

fn add_query(url: &mut Url, text: &str) {
    let text = encode::encode_rest(text);
    url.query = Some(match url.query.take().filter(|query| !query.is_empty()) {
        Some(query) => format!("{query}&{text}"),
        None => text,
    });
}

/// Returns the file of `-T`; its name is appended to a URL that ends with a slash.
fn upload(path: &str, url: &mut Url) -> Result<Payload, Fail> {
    if path == "-" || path == "." {
        return Ok(Payload(vec![Part::Stdin]));
    }
    let mut payload = Payload::default();
    payload.push_file(path, 0).map_err(|_| {
        fail(26, format!("curl: Can't open '{path}'!\n{}\ncurl: (26) Failed to open/read local data from file/application", super::TRY))
    })?;
    if url.path.ends_with('/') && url.query.is_none() {
        url.path += &encode::encode(path.rsplit('/').next().unwrap_or(path).as_bytes());
    }
    Ok(payload)
}

fn credentials(operation: &Operation, url: &Url) -> Option<Vec<u8>> {
    if let Some(token) = &operation.bearer {
        return Some(format!("Bearer {token}").into_bytes());
    }
    let login = match (&operation.user, &url.user) {
        (Some(user), _) if user.contains(':') => user.clone(),
        (Some(user), _) => format!("{user}:"),
        (None, Some(user)) => format!("{user}:{}", url.password.as_deref().unwrap_or_default()),
        (None, None) => return None,
    };
    Some(format!("Basic {}", encode::base64(login.as_bytes())).into_bytes())
}

/// Adds curl's own headers.
fn standard(operation: &Operation, prepared: &mut Prepared) -> Result<(), Fail> {
    let headers = &mut prepared.headers;
    match operation.agent.as_deref() {
        Some("") => {}
        Some(agent) => headers.push("User-Agent", agent),
        None => headers.push("User-Agent", format!("curl/{}", super::VERSION)),
    }
    let json = operation.data.as_ref().is_some_and(|data| data.json);
    headers.push("Accept", if json { "application/json" } else { "*/*" });
    if operation.compressed {
        headers.push("Accept-Encoding", "deflate, gzip");
    }
    if let Some(referer) =
        operation.referer.as_deref().map(|referer| referer.strip_suffix(";auto").unwrap_or(referer)).filter(|r| !r.is_empty())
    {
        headers.push("Referer", referer);
    }
    if let Some(text) = &operation.time_cond {
        let (name, text) = match text.strip_prefix('-') {
            Some(text) => ("If-Unmodified-Since", text),
            None => ("If-Modified-Since", text.as_str()),
        };
        let of_file = || {
            let time = std::fs::metadata(text).and_then(|facts| facts.modified()).ok()?;
            Some(time.duration_since(std::time::UNIX_EPOCH).map_or(0, |since| since.as_secs() as i64))
        };
        if let Some(at) = date::parse(text).or_else(of_file) {
            headers.push(name, date::http(at));
        }
    }
    Ok(())
}

/// Adds the headers of `-H`.
fn own(operation: &Operation, prepared: &mut Prepared) -> Result<(), Fail> {
    for line in &operation.headers {
        let (name, value) = match (line.split_once(':'), line.strip_suffix(';')) {
            (Some((name, value)), _) => (name.trim_end(), Some(value.trim()).filter(|value| !value.is_empty())),
            (None, Some(name)) => (name, Some("")),
            (None, None) => continue,
        };
        let lower = name.to_ascii_lowercase();
        let about_payload = ["content-type", "content-length", "transfer-encoding"].contains(&lower.as_str());
        match lower.as_str() {
            "host" if value.is_none_or(|value| value.eq_ignore_ascii_case(&prepared.url.authority())) => {}
            "host" => {
                let text = format!(
                    "the header Host is the host's in wisp: it is the URL's, '{}'; ask a URL with the name that you mean",
                    prepared.url.authority()
                );
                return Err(fail(43, text));
            }
            // They concern the connection, which the host controls; the request is the same without them.
            "connection" | "expect" | "te" | "keep-alive" | "proxy-connection" => {}
            "authorization" => prepared.authorization = value.map(|value| value.as_bytes().to_vec()),
            "cookie" => prepared.cookies.extend(value.map(str::to_owned)),
            _ if about_payload && prepared.payload.is_some() => {
                prepared.payload_headers.remove(name);
                if let Some(value) = value {
                    prepared.payload_headers.push(name, value);
                }
            }
            "content-length" | "transfer-encoding" => {}
            _ => {
                if ["user-agent", "accept", "referer", "accept-encoding"].contains(&lower.as_str()) {
                    prepared.headers.remove(name);
                }
                if let Some(value) = value {
                    prepared.headers.push(name, value);
                }
            }
        }
    }
    Ok(())
}
