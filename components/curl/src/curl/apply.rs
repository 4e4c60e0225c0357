//! What each option sets in an operation.

use super::data::{self, Data};
use super::fail::{Fail, fail};
use super::options::{Operation, Target, usage};
use std::time::Duration;

/// Sets the option `name`, which was spelled `spelled`.
pub(super) fn apply(operation: &mut Operation, name: &str, value: &str, on: bool, spelled: &str) -> Result<(), Fail> {
    let text = || Some(value.to_owned());
    let bad_file = |_| {
        fail(
            26,
            format!(
                "curl: Failed to open {}\ncurl: option {spelled}: error encountered when reading a file",
                value.trim_start_matches('@')
            ),
        )
    };
    match name {
        "compressed" => operation.compressed = on,
        "raw" => operation.raw = on,
        "connect-timeout" => operation.connect_timeout = seconds(value, spelled)?,
        "continue-at" => operation.resume = Some(if value == "-" { None } else { Some(number(value, spelled)?) }),
        "cookie" => operation.cookies.push(value.to_owned()),
        "cookie-jar" => operation.jar = text(),
        "create-dirs" => operation.create_dirs = on,
        "data" | "data-ascii" => Data::add(&mut operation.data, data::ascii(value).map_err(bad_file)?),
        "data-binary" => Data::add(&mut operation.data, data::binary(value).map_err(bad_file)?),
        "data-raw" => Data::add(&mut operation.data, data::raw(value)),
        "data-urlencode" => Data::add(&mut operation.data, data::raw(&data::urlencode(value).map_err(bad_file)?)),
        "json" => Data::add_json(&mut operation.data, data::binary(value).map_err(bad_file)?),
        "dump-header" => operation.dump = text(),
        "fail" => operation.fail = on,
        "fail-with-body" => operation.fail_with_body = on,
        "form" => operation.form.add(value, false).map_err(|what| usage(spelled, what))?,
        "form-string" => operation.form.add(value, true).map_err(|what| usage(spelled, what))?,
        "get" => operation.get = on,
        "globoff" => operation.globoff = on,
        "head" => operation.head = on,
        "header" => match value.strip_prefix('@') {
            Some(file) => {
                let lines = data::read(file).map_err(bad_file)?;
                let lines = String::from_utf8_lossy(&lines).into_owned();
                operation.headers.extend(lines.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).map(str::to_owned));
            }
            None => operation.headers.push(value.to_owned()),
        },
        "include" => operation.include = on,
        "junk-session-cookies" => operation.junk_session = on,
        "limit-rate" => operation.rate = Some(size(value, spelled)?),
        "location" => operation.location = on,
        "location-trusted" => (operation.location, operation.trusted) = (on, on),
        "max-filesize" => operation.max_size = Some(size(value, spelled)?),
        "max-redirs" => operation.max_redirs = Some(if value == "-1" { u64::MAX } else { number(value, spelled)? }),
        "max-time" => operation.max_time = seconds(value, spelled)?,
        "oauth2-bearer" => operation.bearer = text(),
        "output" => {
            let target = if value == "-" { Target::Stdout } else { Target::File(value.to_owned()) };
            operation.node(|node| node.target.is_none()).target = Some(target);
        }
        "output-dir" => operation.output_dir = text(),
        "path-as-is" => operation.as_is = on,
        "post301" => operation.keep_post[0] = on,
        "post302" => operation.keep_post[1] = on,
        "post303" => operation.keep_post[2] = on,
        "proto" => operation.protocols = text(),
        "proto-default" => operation.default_scheme = text(),
        "proto-redir" => operation.redirect_protocols = text(),
        "range" => operation.range = text(),
        "referer" => operation.referer = text(),
        "remote-header-name" => operation.remote_header = on,
        "remote-name" => operation.node(|node| node.target.is_none()).target = Some(if on { Target::Remote } else { Target::Stdout }),
        "remote-name-all" => operation.remote_all = on,
        "remote-time" => operation.remote_time = on,
        "remove-on-error" => operation.remove_on_error = on,
        "request" => operation.method = text(),
        "retry" => operation.retry = number(value, spelled)?,
        "retry-all-errors" => operation.retry_all = on,
        "retry-connrefused" => operation.retry_refused = on,
        "retry-delay" => operation.retry_delay = Some(Duration::from_secs(number(value, spelled)?)).filter(|delay| !delay.is_zero()),
        "retry-max-time" => operation.retry_max = Some(Duration::from_secs(number(value, spelled)?)),
        "time-cond" => operation.time_cond = text(),
        "upload-file" => operation.node(|node| node.upload.is_none()).upload = text(),
        "url" => operation.node(|node| node.url.is_none()).url = text(),
        "url-query" => operation.query.push(match value.strip_prefix('+') {
            Some(plain) => plain.to_owned(),
            None => data::urlencode(value).map_err(bad_file)?,
        }),
        "user" => operation.user = text(),
        "user-agent" => operation.agent = text(),
        "write-out" => {
            operation.write_out = Some(match value.strip_prefix('@') {
                Some(file) => String::from_utf8_lossy(&data::read(file).map_err(bad_file)?).replace(['\r', '\n'], ""),
                None => value.to_owned(),
            });
        }
        _ => return Err(usage(spelled, "is unknown")),
    }
    Ok(())
}

fn number(value: &str, spelled: &str) -> Result<u64, Fail> {
    value.parse().map_err(|_| usage(spelled, "expected a proper numerical parameter"))
}

/// Returns the seconds with a fraction; zero means no limit.
fn seconds(value: &str, spelled: &str) -> Result<Option<Duration>, Fail> {
    let bad = || usage(spelled, "expected a proper numerical parameter");
    let seconds: f64 = value.parse().map_err(|_| bad())?;
    let duration = Duration::try_from_secs_f64(seconds).map_err(|_| bad())?;
    Ok((!duration.is_zero()).then_some(duration))
}

/// Parses bytes, with `k`, `M` or `G`.
fn size(value: &str, spelled: &str) -> Result<u64, Fail> {
    const UNITS: &[(&str, u64)] = &[("b", 1), ("k", 1 << 10), ("m", 1 << 20), ("g", 1 << 30), ("t", 1 << 40)];
    let number = wisp_tool::text::with_unit(&value.to_ascii_lowercase(), UNITS);
    number.ok_or_else(|| usage(spelled, "expected a proper numerical parameter"))
}
