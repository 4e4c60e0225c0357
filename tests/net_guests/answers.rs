//! Responses of the server in addition to its standard ones.

use std::io::Write;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use wisp_tests::server::{Seen, pattern};

/// The whole response to a request, of which `before` came with the same line; None for unknown paths.
pub(crate) fn answer(seen: &Seen, before: usize) -> Option<Vec<u8>> {
    let path = seen.line.split(' ').nth(1)?.split('?').next()?;
    let mut parts = path.trim_start_matches('/').splitn(2, '/');
    let (what, rest) = (parts.next()?, parts.next().unwrap_or_default());
    let head = seen.line.starts_with("HEAD ");
    Some(match what {
        "simple" => reply(200, "Content-Type: text/html\r\n", &super::index::at(rest)?, head),
        "cookie" => reply(200, "Set-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Path=/echo; HttpOnly\r\n", b"baked\n", head),
        "range" => range(seen, rest.parse().ok()?, head),
        "named" => reply(200, "Content-Disposition: attachment; filename=\"../given name.txt\"\r\n", b"named\n", head),
        // An error for this many requests.
        "flaky" if before < rest.parse().ok()? => reply(503, "", b"not now\n", head),
        "flaky" => reply(200, "", b"recovered\n", head),
        "busy" if before == 0 => reply(429, "Retry-After: 0\r\n", b"busy\n", head),
        "busy" => reply(200, "", b"at last\n", head),
        "packed" => reply(200, "Content-Encoding: gzip\r\nContent-Type: text/plain\r\n", &gzip(&b"hello gzip\n".repeat(3)), head),
        "deflated" => {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
            encoder.write_all(b"hello deflate\n").ok()?;
            reply(200, "Content-Encoding: deflate\r\n", &encoder.finish().ok()?, head)
        }
        "damaged" => reply(200, "Content-Encoding: gzip\r\n", b"this is no gzip", head),
        "bomb" => reply(200, "Content-Encoding: gzip\r\n", &gzip(&vec![0; 64 << 20]), head),
        "secret" => match seen.header("authorization") {
            Some(value) => reply(200, "", format!("{value}\n").as_bytes(), head),
            None => reply(401, "WWW-Authenticate: Basic realm=\"tests\"\r\n", b"who are you?\n", head),
        },
        "modified" if seen.header("if-modified-since").is_some() => reply(304, "", b"", head),
        "modified" => reply(200, "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT\r\n", b"old\n", head),
        "moved" => reply(rest.parse().ok()?, "Location: /echo\r\n", b"moved\n", head),
        "loop" => reply(302, "Location: /loop\r\n", b"", head),
        // Heads that say two things about the end, or have a header on several lines.
        "framed" => {
            let (headers, body) = match rest {
                "both" => ("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", "5\r\nhello\r\n0\r\n\r\n"),
                "long" => ("Transfer-Encoding: Chunked\r\nContent-Length: 300\r\n", "5\r\nhello\r\n0\r\n\r\n"),
                "folded" => ("X-A: one\r\n two\r\n\tthree\r\nContent-Length:\r\n 5\r\nSet-Cookie: a=b;\r\n path=/\r\n", "hello"),
                "size" => ("Transfer-Encoding: chunked\r\n", "5\r\nhello\r\nzz\r\n\r\n"),
                "line" => ("Transfer-Encoding: chunked\r\n", "5\r\nhelloX\r\n0\r\n\r\n"),
                _ => return None,
            };
            format!("HTTP/1.1 200 OK\r\n{headers}\r\n{}", if head { "" } else { body }).into_bytes()
        }
        "json" => reply(200, "Content-Type: application/json\r\n", b"{\"a\": [1, 2]}\n", head),
        "latin" => reply(200, "Content-Type: text/html; charset=iso-8859-1\r\n", b"caf\xe9", head),
        // How many bytes arrived, and whether they are right.
        "count" => {
            let right = seen.body == pattern(seen.body.len());
            let how = seen.header("transfer-encoding").or(seen.header("content-length")).unwrap_or("nothing");
            reply(200, "", format!("{} bytes, {how}, right: {right}\n", seen.body.len()).as_bytes(), head)
        }
        _ => return None,
    })
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).and_then(|()| encoder.finish()).expect("a vector takes everything")
}

fn reply(status: u16, headers: &str, body: &[u8], head: bool) -> Vec<u8> {
    let text = format!("HTTP/1.1 {status} Whatever\r\nContent-Length: {}\r\n{headers}\r\n", body.len());
    [text.as_bytes(), if head { b"" } else { body }].concat()
}

/// This many digits, or the requested part.
fn range(seen: &Seen, length: usize, head: bool) -> Vec<u8> {
    let all: Vec<u8> = (0..length).map(|at| b'0' + (at % 10) as u8).collect();
    let Some((first, last)) = seen.header("range").and_then(|value| value.strip_prefix("bytes=")?.split_once('-')) else {
        return reply(200, "Accept-Ranges: bytes\r\n", &all, head);
    };
    let (first, last) = match (first.parse::<usize>(), last.parse::<usize>()) {
        (Ok(first), Ok(last)) => (first, last.min(length - 1)),
        (Ok(first), Err(_)) => (first, length - 1),
        (Err(_), Ok(count)) => (length.saturating_sub(count), length - 1),
        (Err(_), Err(_)) => return reply(400, "", b"", head),
    };
    if first >= length {
        return reply(416, &format!("Content-Range: bytes */{length}\r\n"), b"", head);
    }
    reply(206, &format!("Content-Range: bytes {first}-{last}/{length}\r\n"), &all[first..=last], head)
}
