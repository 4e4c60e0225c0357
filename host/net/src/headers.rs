//! Header rules: which names are reserved for the host, and which characters names and values may have.

use http::{HeaderMap, HeaderName, HeaderValue};

use super::failure::{By, Code, Failure};

/// Headers that control the transfer of a message. They are reserved for the host: a guest's could make two programs on
/// the way disagree about where a request ends, or which host it is for.
const HOSTS_OWN: &[&str] = &[
    "connection",
    "expect",
    "host",
    "http2-settings",
    "keep-alive",
    "proxy-authenticate",
    "proxy-authorization",
    "proxy-connection",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Maximum headers of a message, and maximum bytes of all of them: eight times what common servers accept. Attack:
/// headers without end, which the host holds.
pub(super) const MAX_HEADERS: usize = 256;
pub(super) const MAX_HEADER_BYTES: usize = 64 << 10;

/// Returns whether a guest may set the header with this name, in upper or lower case.
pub fn allowed(name: &str) -> bool {
    !HOSTS_OWN.iter().any(|own| own.eq_ignore_ascii_case(name))
}

/// Returns the name in the form for comparison, if it is valid.
pub fn check_name(name: &str) -> Option<HeaderName> {
    HeaderName::from_bytes(name.as_bytes()).ok()
}

/// Returns the value, if it has no character that could end it: no CR, LF or NUL.
pub fn check_value(value: &[u8]) -> Option<HeaderValue> {
    HeaderValue::from_bytes(value).ok()
}

/// Returns the length that a request's body must have, if the headers give one. Removes the header, because the client writes
/// its own.
pub(super) fn take_length(headers: &mut HeaderMap) -> Result<Option<u64>, Failure> {
    let mut lengths = headers.get_all(http::header::CONTENT_LENGTH).iter();
    let (first, second) = (lengths.next().cloned(), lengths.next().is_some());
    headers.remove(http::header::CONTENT_LENGTH);
    let Some(first) = first else { return Ok(None) };
    let number = first.to_str().ok().filter(|text| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit()));
    match number.and_then(|text| text.parse().ok()) {
        Some(length) if !second => Ok(Some(length)),
        _ => Err(Failure::new(Code::Protocol, "`Content-Length` is not one number").by(By::BuiltIn)),
    }
}

/// Drops the headers about the connection: a program would try to decode chunks that are already decoded.
pub(super) fn drop_hosts_own(headers: &mut HeaderMap) {
    for own in HOSTS_OWN {
        headers.remove(*own);
    }
}

/// Checks the headers as a whole, and drops the host's own, if there are any.
pub(super) fn check(headers: &mut HeaderMap) -> Result<(), Failure> {
    drop_hosts_own(headers);
    let bytes: usize = headers.iter().map(|(name, value)| name.as_str().len() + value.len() + 4).sum();
    if headers.len() > MAX_HEADERS || bytes > MAX_HEADER_BYTES {
        let reason = format!("a request has at most {MAX_HEADERS} headers, and at most {} KiB of them", MAX_HEADER_BYTES >> 10);
        return Err(Failure::new(Code::RequestHeaderSize, reason).by(By::BuiltIn));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_decides_where_a_message_ends_is_the_hosts() {
        for own in ["Host", "TRANSFER-ENCODING", "Connection", "proxy-authorization", "te", "Upgrade", "Expect"] {
            assert!(!allowed(own), "{own}");
        }
        for free in ["Authorization", "X-Host", "Content-Length", "Content-Type", "Cookie", "Range", "Accept-Encoding"] {
            assert!(allowed(free), "{free}");
        }
        for bad in ["", "a b", "a:b", "a\r\nb", "ä", "a\0"] {
            assert!(check_name(bad).is_none(), "{bad:?}");
        }
        for bad in [&b"a\r\nb: c"[..], b"a\nb", b"a\0", b"\x7f"] {
            assert!(check_value(bad).is_none(), "{bad:?}");
        }
        assert!(check_value(b"a b\tc \xe4").is_some());
    }

    #[test]
    fn a_length_is_one_number() {
        let take = |values: &[&str]| {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append("content-length", HeaderValue::from_str(value).unwrap());
            }
            let taken = take_length(&mut headers);
            assert!(headers.is_empty());
            taken.ok()
        };
        assert_eq!(take(&[]), Some(None));
        assert_eq!(take(&["12"]), Some(Some(12)));
        for bad in [&["12", "13"][..], &["12", "12"], &["+1"], &["1, 1"], &[""], &["99999999999999999999"], &["0x10"], &["-1"]] {
            assert_eq!(take(bad), None, "{bad:?}");
        }
    }
}
