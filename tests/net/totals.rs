//! Totals of a session's network: requests in a minute, and bytes of all bodies together.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use wisp_net::{Code, Now};
use wisp_tests::server::Server;

use super::kit::{Kit, NAMES, body, finish, names, next, send, write};

fn rules(more: &str) -> String {
    format!("[network]\nallow = [{{ url = \"http://a.example:HTTP/\", methods = [\"GET\", \"POST\"], allow_private = true }}]\n{more}\n")
}

/// A clock that a test advances, in seconds.
fn clock() -> (Now, Arc<AtomicU64>) {
    let seconds = Arc::new(AtomicU64::new(0));
    let hand = seconds.clone();
    (Arc::new(move || Duration::from_secs(seconds.load(Ordering::SeqCst))), hand)
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_of_a_minute_are_counted_and_time_gives_them_back() {
    let server = Server::start(&NAMES).await;
    let (now, hand) = clock();
    let (net, attempts) = Kit::net_at(&server, &rules("max_requests_per_minute = 2\nmax_requests = 5"), names(), &[], now);
    let kit = Kit { server, net, attempts };
    // Denied requests do not count.
    assert_eq!(kit.fails("http://c.example/").await.code, Code::Denied);
    for _ in 0..2 {
        kit.get("http://a.example/").await.unwrap();
    }
    hand.store(20, Ordering::SeqCst);
    let failure = kit.fails("http://a.example/").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::Denied, "p.toml:3"));
    assert!(failure.reason.contains("`network.max_requests_per_minute`): ask again in 41 s"), "{}", failure.reason);
    assert!(failure.help.unwrap().contains("max_requests_per_minute"));
    let attempt = kit.attempts.last();
    assert_eq!((attempt.allowed, attempt.rule.as_str()), (false, "p.toml:3"));
    // After the reported time, requests are allowed again.
    hand.store(60, Ordering::SeqCst);
    assert_eq!(kit.fails("http://a.example/").await.code, Code::Denied);
    hand.store(61, Ordering::SeqCst);
    for _ in 0..2 {
        kit.get("http://a.example/").await.unwrap();
    }
    // A fork counts from zero. Refused requests did not count against `max_requests`, which applies to the whole
    // session.
    let fork = kit.net.fork(kit.attempts.clone());
    finish(send(&fork, kit.request("http://a.example/")).await.unwrap()).await.unwrap();
    hand.store(1000, Ordering::SeqCst);
    kit.get("http://a.example/").await.unwrap();
    assert!(kit.fails("http://a.example/").await.reason.contains("`network.max_requests`"));
    assert_eq!(kit.server.seen().len(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_of_all_responses_together_have_an_end() {
    let kit = Kit::new(&rules("max_bytes = \"1000B\"")).await;
    assert_eq!(kit.get("http://a.example/bytes/600").await.unwrap().1.len(), 600);
    // A response that announces more than is left is refused before a byte of it is read.
    let failure = kit.fails("http://a.example/bytes/401").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::ResponseBodySize(1000), "p.toml:3"));
    assert!(failure.reason.contains("`network.max_bytes`") && failure.help.unwrap().contains("max_bytes"));
    assert_eq!(kit.get("http://a.example/bytes/300").await.unwrap().1.len(), 300);
    // A response that does not announce it is cut off.
    let mut response = send(&kit.net, kit.request("http://a.example/endless")).await.unwrap();
    assert_eq!(next(&mut response).await.unwrap().unwrap().len(), 100);
    assert_eq!(next(&mut response).await.unwrap().unwrap_err().rule(), "p.toml:3");
    kit.server.idle().await;
    assert_eq!(kit.attempts.last().received, 100);
    // Afterwards all requests are refused.
    let failure = kit.fails("http://a.example/bytes/0").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::Denied, "p.toml:3"));
    assert_eq!(kit.server.seen().len(), 4);
    // A fork has its own total.
    let fork = kit.net.fork(kit.attempts.clone());
    assert_eq!(finish(send(&fork, kit.request("http://a.example/bytes/1000")).await.unwrap()).await.unwrap().1.len(), 1000);
}

#[tokio::test(flavor = "multi_thread")]
async fn bytes_that_are_sent_count_as_those_that_come() {
    for (length, pieces, fits) in [
        (None, &[&[b'x'; 60][..], &[b'x'; 37]][..], true),
        (None, &[&[b'x'; 60], &[b'x'; 41]], false),
        (Some("101"), &[&[b'x'; 101]], false),
        (Some("97"), &[&[b'x'; 97]], true),
    ] {
        let kit = Kit::new(&rules("max_bytes = \"100B\"")).await;
        let mut request = kit.request("http://a.example/");
        if let Some(length) = length {
            super::kit::header(&mut request, "content-length", length);
        }
        let sender = body(&mut request, "POST");
        let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, pieces));
        match answer {
            // The response has three bytes.
            Ok(response) => assert!(fits && finish(response).await.is_ok_and(|(_, body)| body == b"ok\n")),
            Err(failure) => {
                assert!(!fits && failure.code == Code::RequestBodySize(100) && failure.rule() == "p.toml:3", "{failure:?}");
                continue;
            }
        }
        assert_eq!(kit.fails("http://a.example/").await.code, Code::Denied);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_of_receipts_have_an_end_whatever_a_guest_asks_for() {
    let kit = Kit::new(&rules("")).await;
    let long = "x".repeat(15_000);
    for url in [
        format!("http://a.example:1/{long}"),
        format!("http://a.example/{long}/../%2f..{long}"),
        format!("http://c.example/{long}?{long}"),
        format!("http://{long}/"),
        format!("http://a.example@{long}:{long}/{long}"),
        format!("ftp://a.example/{long}"),
        format!("http://a.example/\u{1b}[31m{long}"),
    ] {
        let mut request = kit.request("http://a.example/");
        let (scheme, rest) = url.split_once("://").unwrap();
        let (authority, path) = rest.split_at(rest.find('/').unwrap());
        (request.scheme, request.authority, request.path_and_query) = (scheme.to_owned(), authority.to_owned(), path.to_owned());
        let answer = send(&kit.net, request).await;
        if let Err(failure) = answer {
            let texts = [&*failure.request, &failure.reason, failure.rule(), failure.help.as_deref().unwrap_or_default()];
            assert!(texts.iter().all(|text| text.len() <= 1024), "{url:.40}: {failure:?}");
        }
        let attempt = kit.attempts.last();
        let failure = attempt.failure.clone().unwrap_or_default();
        assert!([&attempt.request, &attempt.rule, &failure].iter().all(|text| text.len() <= 512), "{url:.40}: {attempt:?}");
        assert!(attempt.request.len() > 10 && !attempt.request.contains('\u{1b}'), "{attempt:?}");
    }
    // The rule that a denial proposes is valid, however long the path: the beginning of the path, up to a `/`.
    let failure = kit.fails(&format!("http://c.example/some/where/{long}")).await;
    assert!(failure.help.as_deref().unwrap().contains("/some/where/\" }`"), "{failure:?}");
    // A short path is shown unchanged.
    let failure = kit.fails("http://c.example/some/where").await;
    assert!(failure.help.unwrap().contains("/some/where\" }`") && failure.request.ends_with("/some/where"));
}
