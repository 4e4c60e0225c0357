//! `-w`.

use super::stats::Stats;
use std::io::Write;

/// A variable's value.
enum Value {
    Number(u64),
    Seconds(f64),
    Text(Option<String>),
}

/// The variables, in the order of `%{json}`.
const NAMES: &[&str] = &[
    "content_type",
    "errormsg",
    "exitcode",
    "filename_effective",
    "http_code",
    "http_connect",
    "http_version",
    "local_ip",
    "local_port",
    "method",
    "num_connects",
    "num_headers",
    "num_redirects",
    "num_retries",
    "proxy_ssl_verify_result",
    "redirect_url",
    "referer",
    "remote_ip",
    "remote_port",
    "response_code",
    "scheme",
    "size_download",
    "size_header",
    "size_request",
    "size_upload",
    "speed_download",
    "speed_upload",
    "ssl_verify_result",
    "time_appconnect",
    "time_connect",
    "time_namelookup",
    "time_pretransfer",
    "time_redirect",
    "time_starttransfer",
    "time_total",
    "url",
    "url_effective",
    "urlnum",
];

/// Prints a format's text about a transfer.
pub(super) fn print(format: &str, stats: &Stats) {
    let (mut out, mut to_stderr) = (Vec::new(), false);
    let mut rest = format;
    while let Some(at) = rest.find(['%', '\\']) {
        out.extend_from_slice(&rest.as_bytes()[..at]);
        let (mark, after) = (&rest[at..=at], &rest[at + 1..]);
        rest = after;
        if mark == "\\" {
            let letter = rest.chars().next();
            match letter {
                Some('n') => out.push(b'\n'),
                Some('r') => out.push(b'\r'),
                Some('t') => out.push(b'\t'),
                Some(other) => out.extend_from_slice(format!("\\{other}").as_bytes()),
                None => out.push(b'\\'),
            }
            rest = &rest[letter.map_or(0, char::len_utf8)..];
        } else if let Some(after) = rest.strip_prefix('%') {
            out.push(b'%');
            rest = after;
        } else if let Some((name, after)) = rest.strip_prefix('{').and_then(|rest| rest.split_once('}')) {
            rest = after;
            if name == "stderr" || name == "stdout" {
                emit(&mut out, to_stderr);
                to_stderr = name == "stderr";
            } else if name == "onerror" {
                if stats.failure.is_none() {
                    rest = "";
                    break;
                }
            } else if let Some(text) = variable(name, stats) {
                out.extend_from_slice(text.as_bytes());
            } else {
                emit(&mut out, to_stderr);
                eprintln!("curl: unknown --write-out variable: '{name}'");
            }
        } else if let Some((name, after)) = rest.strip_prefix("header{").and_then(|rest| rest.split_once('}')) {
            out.extend_from_slice(stats.headers.get(name).unwrap_or_default().as_bytes());
            rest = after;
        } else {
            out.push(b'%');
        }
    }
    out.extend_from_slice(rest.as_bytes());
    emit(&mut out, to_stderr);
}

/// Writes to the output; a failure cannot be reported any more.
fn emit(out: &mut Vec<u8>, to_stderr: bool) {
    if to_stderr {
        let _ = std::io::stderr().write_all(out);
    } else {
        let _ = std::io::stdout().write_all(out).and_then(|()| std::io::stdout().flush());
    }
    out.clear();
}

fn variable(name: &str, stats: &Stats) -> Option<String> {
    match name {
        "json" => return Some(json(stats)),
        "header_json" => return Some(header_json(stats)),
        _ => {}
    }
    Some(match value(name, stats)? {
        Value::Number(number) if name == "http_code" || name == "response_code" || name == "http_connect" => format!("{number:03}"),
        Value::Number(number) => number.to_string(),
        Value::Seconds(seconds) => format!("{seconds:.6}"),
        Value::Text(text) => text.unwrap_or_default(),
    })
}

fn value(name: &str, stats: &Stats) -> Option<Value> {
    let speed = |bytes: u64| Value::Number((bytes as f64 / stats.total.as_secs_f64().max(1e-6)) as u64);
    let text = |text: &str| Value::Text(Some(text.to_owned()));
    Some(match name {
        "content_type" => Value::Text(stats.headers.get("content-type")),
        "errormsg" => Value::Text(stats.failure.as_ref().map(|failure| failure.text.clone())),
        "exitcode" => Value::Number(stats.failure.as_ref().map_or(0, |failure| u64::from(failure.code))),
        "filename_effective" => Value::Text(stats.file_name.clone()),
        "http_code" | "response_code" => Value::Number(u64::from(stats.status)),
        "http_version" => text(if stats.status > 0 { "1.1" } else { "0" }),
        "method" => text(&stats.method),
        "num_connects" => Value::Number(stats.requests.min(u64::from(stats.status > 0) * stats.requests)),
        "num_headers" => Value::Number(stats.headers.0.len() as u64),
        "num_redirects" => Value::Number(stats.redirects),
        "num_retries" => Value::Number(stats.retries),
        "redirect_url" => Value::Text(stats.redirect_url.clone()),
        "referer" => Value::Text(stats.referer.clone()),
        // The guest knows neither address: the host connects.
        "remote_ip" | "local_ip" => text(""),
        "remote_port" | "local_port" | "http_connect" | "proxy_ssl_verify_result" | "ssl_verify_result" => Value::Number(0),
        "scheme" => text(&stats.scheme),
        "size_download" => Value::Number(stats.received),
        "size_header" => Value::Number(stats.size_header),
        "size_request" => Value::Number(stats.size_request),
        "size_upload" => Value::Number(stats.sent),
        "speed_download" => speed(stats.received),
        "speed_upload" => speed(stats.sent),
        "time_appconnect" | "time_connect" | "time_namelookup" | "time_pretransfer" => Value::Seconds(0.0),
        "time_redirect" => Value::Seconds(stats.redirect_time.as_secs_f64()),
        "time_starttransfer" => Value::Seconds(stats.first_byte.as_secs_f64()),
        "time_total" => Value::Seconds(stats.total.as_secs_f64()),
        "url" => text(&stats.url),
        "url_effective" => text(&stats.effective),
        "urlnum" => Value::Number(stats.number as u64),
        _ => return None,
    })
}

fn json(stats: &Stats) -> String {
    let pairs = NAMES.iter().filter_map(|name| {
        let value = match value(name, stats)? {
            Value::Number(number) => number.to_string(),
            Value::Seconds(seconds) => format!("{seconds:.6}"),
            Value::Text(Some(text)) => quoted(&text),
            Value::Text(None) => "null".into(),
        };
        Some(format!("\"{name}\":{value}"))
    });
    let version = format!("\"curl_version\":\"libcurl/{} wisp/{}\"", super::VERSION, env!("CARGO_PKG_VERSION"));
    format!("{{{}}}", pairs.chain([version]).collect::<Vec<_>>().join(","))
}

fn header_json(stats: &Stats) -> String {
    let mut names: Vec<String> = Vec::new();
    for (name, _) in &stats.headers.0 {
        let lower = name.to_ascii_lowercase();
        if !names.contains(&lower) {
            names.push(lower);
        }
    }
    let rows = names.iter().map(|name| {
        let values: Vec<String> = stats.headers.all(name).map(|value| quoted(&value)).collect();
        format!("{}:[{}]", quoted(name), values.join(","))
    });
    format!("{{{}\n}}", rows.collect::<Vec<_>>().join(",\n"))
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            '\n' => out += "\\n",
            '\r' => out += "\\r",
            '\t' => out += "\\t",
            c if c < ' ' => out += &format!("\\u{:04x}", u32::from(c)),
            c => out.push(c),
        }
    }
    out + "\""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_json() {
        let mut stats = Stats::new("http://h/\"x\"", 0);
        stats.headers.push("Set-Cookie", "a=1");
        stats.headers.push("set-cookie", "b\t2");
        assert_eq!(header_json(&stats), "{\"set-cookie\":[\"a=1\",\"b\\t2\"]\n}");
        assert!(json(&stats).contains("\"url\":\"http://h/\\\"x\\\"\""), "{}", json(&stats));
        assert_eq!(variable("http_code", &stats).as_deref(), Some("000"));
        assert_eq!(variable("nothing", &stats), None);
    }
}
