//! The parts of a request: scheme, host, port, method, path.

use wisp_net::Code;
use wisp_tests::server::pattern;

use super::kit::{Kit, body, finish, header, send, write};

const RULES: &str = r#"
[network]
allow = [
  { url = "https://a.example:HTTPS/", methods = ["GET", "HEAD", "POST"], allow_private = true },
  { url = "https://*.a.example:HTTPS/below/", allow_private = true },
  { url = "http://b.example:HTTP/", allow_private = true },
]
"#;

#[tokio::test(flavor = "multi_thread")]
async fn a_request_that_a_rule_allows_is_answered() {
    let kit = Kit::new(RULES).await;
    assert_eq!(kit.get("https://a.example/").await.unwrap(), (200, b"ok\n".to_vec()));
    assert_eq!(kit.get("http://b.example/status/404").await.unwrap().0, 404);
    assert_eq!(kit.get("https://A.Example./bytes/1000000").await.unwrap().1, pattern(1_000_000));
    let seen = kit.server.seen();
    assert_eq!(seen[0].header("host"), Some(&*format!("a.example:{}", kit.server.https)));
    let attempt = kit.attempts.last();
    assert!(attempt.allowed && attempt.rule.starts_with("p.toml:4"), "{attempt:?}");
    assert_eq!((attempt.process, attempt.status, attempt.received), (7, Some(200), 1_000_000));
    assert_eq!(attempt.request, format!("GET https://a.example:{}/bytes/1000000", kit.server.https));
    assert_eq!(attempt.address.map(|address| address.to_string()), Some(format!("127.0.0.1:{}", kit.server.https)));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_rule_allows_is_denied_with_the_line_that_would() {
    let kit = Kit::new(RULES).await;
    let (http, https) = (kit.server.http, kit.server.https);
    for (url, rule, reason, help) in [
        (
            "https://c.example/x",
            "p.toml:2",
            "no rule of `[network]` allows the host `c.example`",
            format!("url = \"https://c.example:{https}/x\""),
        ),
        ("http://a.example/", "p.toml:4", "another scheme or port", format!("url = \"http://a.example:{http}/\"")),
        ("https://a.example:1/", "p.toml:4", "another scheme or port", "url = \"https://a.example:1/\"".to_owned()),
        ("https://sub.a.example/", "p.toml:5", "do not allow the path `/`", format!("url = \"https://sub.a.example:{https}/\"")),
        ("https://sub.a.example/below/../up", "p.toml:5", "do not allow the path `/up`", "/up".to_owned()),
        ("ftp://a.example/", "p.toml:2", "only `http` and `https`", String::new()),
    ] {
        let failure = kit.fails(url).await;
        assert_eq!(failure.code, Code::Denied, "{url}");
        assert!(failure.rule().starts_with(rule) && failure.reason.contains(reason), "{url}: {failure:?}");
        assert!(failure.help.unwrap_or_default().contains(&help), "{url}");
        assert!(!kit.attempts.last().allowed);
    }
    // The twin of each.
    assert_eq!(kit.get("https://a.example/").await.unwrap().0, 200);
    assert_eq!(kit.get("https://sub.a.example/below/x/../y").await.unwrap().0, 200);
    assert_eq!(kit.server.seen().last().unwrap().line, "GET /below/y HTTP/1.1");
    assert_eq!(kit.server.connections().0, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_method_is_allowed_by_name() {
    let kit = Kit::new(RULES).await;
    for (method, url, allowed) in [
        ("POST", "https://a.example/", true),
        ("HEAD", "https://a.example/", true),
        ("DELETE", "https://a.example/", false),
        ("post", "https://a.example/", false),
        ("HEAD", "http://b.example/", true),
        ("POST", "http://b.example/", false),
        ("CONNECT", "http://b.example/", false),
        ("GET /x HTTP/1.1\r\nHost: evil", "http://b.example/", false),
    ] {
        let mut request = kit.request(url);
        request.method = method.to_owned();
        match send(&kit.net, request).await {
            Ok(_) => assert!(allowed, "{method} {url}"),
            Err(failure) => {
                assert!(!allowed && failure.code == Code::Denied, "{method} {url}: {failure:?}");
                assert!(failure.help.is_some_and(|help| help.contains("methods")));
            }
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_two_programs_could_read_differently_is_not_a_url() {
    let kit = Kit::new(RULES).await;
    for authority in [
        "a.example@c.example",
        "user:password@a.example",
        "a.example:443@c.example",
        "a.example%2ec.example",
        "a.example#",
        "a.example\\@c.example",
        "a.example:",
        "a.example:https",
        "a.example:65536",
        "",
        "a.example\r\nX: y",
        "a.example /",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "[::1%25lo]",
    ] {
        let mut request = kit.request("https://a.example/");
        request.authority = authority.to_owned();
        let failure = send(&kit.net, request).await.expect_err(authority);
        assert_eq!(failure.code, Code::UriInvalid, "{authority}");
        assert!(!failure.request.contains('\r') && !failure.request.contains("password"), "{failure:?}");
    }
    for path in ["/a\r\nX-Injected: 1", "/a b", "/a\0", "no-slash", "/ä", "/a#b", "/a?b\r\nc", "/%2", "/\\..\\x"] {
        let mut request = kit.request("https://a.example/");
        request.path_and_query = path.to_owned();
        let failure = send(&kit.net, request).await.expect_err(path);
        assert_eq!(failure.code, Code::UriInvalid, "{path}");
    }
    assert!(kit.server.seen().is_empty());
    let mut request = kit.request("https://a.example/");
    request.path_and_query = "/%0d%0aX-Injected:%201?b=%0a".to_owned();
    send(&kit.net, request).await.unwrap();
    let seen = kit.server.seen();
    assert_eq!((seen.len(), seen[0].header("x-injected")), (1, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn how_a_message_travels_is_the_hosts_matter() {
    let kit = Kit::new(RULES).await;
    let mut request = kit.request("https://a.example/echo");
    for (name, value) in
        [("Host", "evil.example"), ("Transfer-Encoding", "chunked"), ("Connection", "keep-alive"), ("X-Own", "kept"), ("TE", "trailers")]
    {
        header(&mut request, name, value);
    }
    send(&kit.net, request).await.unwrap();
    let seen = kit.server.seen().pop().unwrap();
    assert_eq!(seen.headers.iter().filter(|(name, _)| name == "host").count(), 1);
    assert_eq!(seen.header("host"), Some(&*format!("a.example:{}", kit.server.https)));
    assert_eq!((seen.header("x-own"), seen.header("transfer-encoding"), seen.header("te")), (Some("kept"), None, None));

    // A length that differs from the body's, both ways; and one that is right.
    for (length, pieces, fits) in [("3", &[&b"abcd"[..]][..], false), ("5", &[b"ab", b"cd"], false), ("4", &[b"ab", b"cd"], true)] {
        let mut request = kit.request("https://a.example/echo");
        header(&mut request, "Content-Length", length);
        let sender = body(&mut request, "POST");
        let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, pieces));
        match answer {
            Ok(response) => assert!(fits && finish(response).await.unwrap().1.ends_with(b"\n\nabcd"), "{length}"),
            Err(failure) => assert!(!fits && matches!(failure.code, Code::RequestBodySize(_)), "{length}: {failure:?}"),
        }
    }
    for lengths in [&["1", "2"][..], &["x"], &["-1"]] {
        let mut request = kit.request("https://a.example/echo");
        lengths.iter().for_each(|length| header(&mut request, "Content-Length", length));
        assert_eq!(send(&kit.net, request).await.err().unwrap().code, Code::Protocol);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_are_sent_as_a_whole_or_in_chunks_and_not_at_all_when_given_up() {
    let kit = Kit::new(RULES).await;
    for (pieces, header) in [
        (&[][..], ("content-length", "0")),
        (&[&b"whole"[..]], ("content-length", "5")),
        (&[b"two", b"pieces"], ("transfer-encoding", "chunked")),
    ] {
        let mut request = kit.request("https://a.example/");
        let sender = body(&mut request, "POST");
        let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, pieces));
        finish(answer.unwrap()).await.unwrap();
        let seen = kit.server.seen().pop().unwrap();
        assert_eq!(seen.body, pieces.concat());
        assert_eq!(seen.header(header.0), Some(header.1), "{seen:?}");
        assert_eq!(kit.attempts.last().sent, pieces.concat().len() as u64);
    }
    let mut request = kit.request("https://a.example/");
    let sender = body(&mut request, "POST");
    let pending = kit.net.send(7, request).unwrap();
    sender.ready().await;
    assert!(sender.send(bytes::Bytes::from_static(b"half")));
    drop(sender);
    assert_eq!(pending.await.err().unwrap().code, Code::Protocol);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_redirect_is_an_answer_like_any_other() {
    let kit = Kit::new(RULES).await;
    let response = send(&kit.net, kit.request("https://a.example/redirect?http://c.example/")).await.unwrap();
    assert_eq!((response.status, response.headers["location"].to_str().unwrap()), (302, "http://c.example/"));
    drop(response);
    assert_eq!(kit.server.seen().len(), 1);
    // A client that follows a redirect sends another request, which the gate decides about.
    assert_eq!(kit.fails("http://c.example/").await.code, Code::Denied);
}
