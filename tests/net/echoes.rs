//! Echoes of a secret outside bodies: in names of headers, codings, certificates, errors, parts, forks. The test
//! searches what the guest receives and what the receipt contains; each case has a twin that is passed on.

use std::sync::Arc;

use wisp_net::{Code, Failure, Net};
use wisp_tests::server::{Seen, Server};

use super::kit::{Attempts, Kit, finish, header, names, next, request, send};

pub(crate) const VALUE: &str = "S3cr3t-T0k3n-value";
pub(crate) const STARS: &str = "******************";

const RULES: &str = r#"
[[network.allow]]
url = "https://a.example:HTTPS/"
allow_private = true
[[network.secret]]
host = "a.example"
value_from_env = "TOKEN"
header = "Authorization"
"#;

/// Responses that contain the secret outside the body.
pub(crate) fn answer(seen: &Seen, _: usize) -> Option<Vec<u8>> {
    let token = seen.header("authorization").unwrap_or("none");
    let reply = |head: &str, body: &str| Some(format!("HTTP/1.1 200 {token}\r\n{head}\r\n{body}").into_bytes());
    let sized = |head: &str, body: &str| reply(&format!("Content-Length: {}\r\n{head}", body.len()), body);
    match seen.line.split(' ').nth(1)? {
        "/name" => sized(&format!("X-{token}: a\r\n{token}: {token}\r\nX-Own: b\r\n"), "ok"),
        "/coding" => sized(&format!("Content-Encoding: {token}\r\n"), "ok"),
        "/second" => sized("Content-Encoding: identity\r\nContent-Encoding: gzip\r\n", "ok"),
        "/twice" => sized("Content-Encoding: identity\r\nContent-Encoding: identity\r\n", "ok"),
        "/transfer" => reply("Transfer-Encoding: gzip, chunked\r\n", "2\r\nok\r\n0\r\n\r\n"),
        "/chunked" => reply("Transfer-Encoding: chunked\r\n", "2\r\nok\r\n0\r\n\r\n"),
        "/trailers" => reply("Transfer-Encoding: chunked\r\nTrailer: X-T\r\n", &format!("2\r\nok\r\n0\r\nX-T: {token}\r\n\r\n")),
        "/garbage" => Some(format!("{token} {token}\r\n\r\n").into_bytes()),
        // An honest server, which returns a part if a part is requested.
        "/part" => {
            let whole = format!("token={token}");
            let asked = ["range", "request-range"].into_iter().find_map(|name| seen.header(name));
            match asked.and_then(|range| range.strip_prefix("bytes=")?.split_once('-')?.0.parse::<usize>().ok()) {
                Some(from) => sized("Content-Range: bytes 8-9/10\r\n", whole.get(from..)?),
                None => sized("", &whole),
            }
        }
        // A text that was stored there before.
        "/stored" => sized("", &format!("token={VALUE}")),
        "/padded" => reply("Transfer-Encoding: chunked\r\n", &format!("5e\r\n{}{token}{token}\r\n0\r\n\r\n", "x".repeat(58))),
        _ => None,
    }
}

async fn kit(more: &str) -> (Kit, String) {
    let kit = Kit::with(&format!("{RULES}{more}"), names(), &[("TOKEN", VALUE)]).await;
    kit.server.also(answer);
    let placeholder = kit.net.placeholders().next().unwrap().1.to_owned();
    (kit, placeholder)
}

/// What a guest receives: the names and values of headers, the body, or the failure. None contains the secret.
async fn get(kit: &Kit, net: &Net, path: &str, fields: &[(&str, &str)]) -> Result<(String, String), Failure> {
    let mut request = request(&kit.server, &format!("https://a.example{path}"));
    for (name, value) in fields {
        header(&mut request, name, value);
    }
    let got = match send(net, request).await {
        Ok(response) => {
            let head = format!("{:?}", response.headers);
            finish(response).await.map(|(_, body)| (head, String::from_utf8(body).unwrap()))
        }
        Err(failure) => Err(failure),
    };
    kit.server.idle().await;
    for text in [format!("{got:?}"), format!("{:?}", kit.attempts.all())] {
        assert!(!text.to_ascii_lowercase().contains(&VALUE.to_ascii_lowercase()), "{path}: {text}");
    }
    got
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_is_masked_with_its_name() {
    let (kit, placeholder) = kit("").await;
    let token = [("authorization", &*placeholder)];
    let (head, body) = get(&kit, &kit.net, "/name", &token).await.unwrap();
    assert!(head.contains(&format!("\"x-{STARS}\": \"a\"")) && head.contains(&format!("\"{STARS}\": \"{STARS}\"")), "{head}");
    assert!(head.contains("\"x-own\": \"b\"") && body == "ok", "{head}");
    // Trailers and the reason phrase of the status line are never passed on.
    let (head, body) = get(&kit, &kit.net, "/trailers", &token).await.unwrap();
    assert!(!head.contains("x-t") && body == "ok", "{head}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_coding_is_refused_wherever_it_stands_and_never_said_as_it_came() {
    let (kit, placeholder) = kit("").await;
    let token = [("authorization", &*placeholder)];
    let failure = get(&kit, &kit.net, "/coding", &token).await.unwrap_err();
    let shown = STARS.to_owned();
    assert_eq!(failure.code, Code::ResponseContentCoding(shown));
    assert!(failure.reason.contains(&format!("compressed (`{STARS}`)")), "{failure:?}");
    assert!(kit.attempts.last().failure.unwrap().contains(STARS));
    let failure = get(&kit, &kit.net, "/second", &token).await.unwrap_err();
    assert_eq!(failure.code, Code::ResponseContentCoding("gzip".to_owned()));
    let failure = get(&kit, &kit.net, "/transfer", &token).await.unwrap_err();
    assert!(failure.code == Code::Protocol && failure.reason.contains("transfer coding"), "{failure:?}");
    assert!(get(&kit, &kit.net, "/garbage", &token).await.is_err());
    // The twins: an identity coding in two spellings; and compressed, when no secret was sent.
    for path in ["/twice", "/chunked"] {
        assert_eq!(get(&kit, &kit.net, path, &token).await.unwrap().1, "ok", "{path}");
    }
    assert_eq!(get(&kit, &kit.net, "/second", &[]).await.unwrap().1, "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_honest_server_takes_no_echo_apart() {
    let (kit, placeholder) = kit("").await;
    for (name, value) in [("range", "bytes=10-"), ("request-range", "bytes=10-"), ("a-im", "range"), ("accept-charset", "utf-16")] {
        let fields = [("authorization", &*placeholder), (name, value), ("if-range", "x"), ("want-digest", "sha-256")];
        assert_eq!(get(&kit, &kit.net, "/part", &fields).await.unwrap().1, format!("token={STARS}"), "{name}");
        let seen = kit.server.seen().pop().unwrap();
        let names = [name, "if-range", "want-digest"];
        assert!(names.iter().all(|name| seen.header(name).is_none()), "{seen:?}");
    }
    // Without a secret, parts are passed on.
    assert_eq!(get(&kit, &kit.net, "/part", &[("range", "bytes=6-")]).await.unwrap().1, "none");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_limit_does_not_split_an_echo_into_a_shown_and_a_hidden_part() {
    // The secret is preceded by 58 bytes, and a limit is in the middle of it. The twin is the whole echo.
    for limit in ["max_response = \"70B\"", "max_bytes = \"70B\"", "max_response = \"94B\""] {
        let (kit, placeholder) = kit(&format!("[network]\n{limit}\n")).await;
        let mut request = kit.request("https://a.example/padded");
        header(&mut request, "authorization", &placeholder);
        let mut response = send(&kit.net, request).await.unwrap();
        let (mut text, mut failure) = (Vec::new(), None);
        while let Some(piece) = next(&mut response).await {
            match piece {
                Ok(piece) => text.extend_from_slice(&piece),
                Err(error) => failure = Some(error),
            }
        }
        let whole = limit.contains("94");
        let stars = if whole { 36 } else { 12 };
        assert_eq!(String::from_utf8(text).unwrap(), "x".repeat(58) + &"*".repeat(stars), "{limit}");
        assert_eq!(failure.is_none(), whole, "{failure:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_in_a_certificate_is_masked() {
    let server = Server::start(&[VALUE]).await;
    let (net, attempts) = Kit::net(&server, RULES, names(), &[("TOKEN", VALUE)]);
    let kit = Kit { server, net, attempts };
    let failure = get(&kit, &kit.net, "/", &[]).await.unwrap_err();
    // The names in the certificate are part of the failure's text, and so would be the value.
    assert!(failure.code == Code::TlsCertificate && failure.reason.contains(STARS), "{failure:?}");
    // A session without that secret receives them.
    let (other, _) = Kit::net(&kit.server, RULES, names(), &[("TOKEN", "another value")]);
    let failure = send(&other, kit.request("https://a.example/")).await.err().unwrap();
    assert!(failure.reason.to_ascii_lowercase().contains(&VALUE.to_ascii_lowercase()), "{failure:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn forks_do_not_read_what_their_parent_may_not() {
    let (kit, placeholder) = kit("").await;
    let fork = kit.net.fork(kit.attempts.clone());
    let fork_of_fork = fork.fork(kit.attempts.clone()).fork(kit.attempts.clone());
    for net in [&kit.net, &fork, &fork_of_fork] {
        assert_eq!(get(&kit, net, "/stored", &[]).await.unwrap().1, format!("token={STARS}"));
    }
    // It cannot send it all the same.
    assert_eq!(fork.placeholders().count() + fork_of_fork.placeholders().count(), 0);
    assert_eq!(get(&kit, &fork, "/part", &[("authorization", &*placeholder)]).await.unwrap().1, format!("token={placeholder}"));
    // A session that continues from this one's snapshot masks it from then on; before, it is ordinary text.
    let attempts = Arc::new(Attempts::default());
    let (other, _) = Kit::net(&kit.server, RULES, names(), &[("TOKEN", "another value")]);
    let read = async || finish(send(&other, kit.request("https://a.example/stored")).await.unwrap()).await.unwrap().1;
    assert_eq!(read().await, format!("token={VALUE}").into_bytes());
    other.mask_also(&fork_of_fork);
    assert_eq!(read().await, format!("token={STARS}").into_bytes());
    assert_eq!(get(&kit, &other.fork(attempts), "/stored", &[]).await.unwrap().1, format!("token={STARS}"));
}
