//! Every limit is reached.

use wisp_net::{Code, Timeouts};
use wisp_tests::server::pattern;

use super::kit::{Kit, body, finish, header, names, next, send, write};

fn rules(more: &str) -> String {
    format!(
        "[network]\nallow = [{{ url = \"http://a.example:HTTP/\", methods = [\"GET\", \"POST\", \"HEAD\"], allow_private = true }}]\n{more}\n"
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_counted() {
    let kit = Kit::new(&rules("max_requests = 3")).await;
    // Denied requests do not count.
    assert_eq!(kit.fails("http://c.example/").await.code, Code::Denied);
    for _ in 0..3 {
        kit.get("http://a.example/").await.unwrap();
    }
    let failure = kit.fails("http://a.example/").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::Denied, "p.toml:3"));
    assert!(failure.reason.contains("max_requests") && failure.help.is_some());
    assert_eq!(kit.server.seen().len(), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_thousand_at_once_take_turns() {
    let kit = Kit::new(&rules("max_requests = 1000\nmax_concurrent = 20")).await;
    let all: Vec<_> = (0..1000).map(|_| kit.net.send(7, kit.request("http://a.example/bytes/1000")).unwrap()).collect();
    for pending in all {
        assert_eq!(finish(pending.await.unwrap()).await.unwrap().1, pattern(1000));
    }
    let (made, most) = kit.server.connections();
    assert_eq!(made, 1000);
    // The server notices a closed connection a moment after the next turn began.
    assert!(most <= 40, "{most}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_does_not_come_is_an_error() {
    let kit = Kit::new(&rules("max_concurrent = 2\nconnect_timeout = \"50ms\"")).await;
    let first = send(&kit.net, kit.request("http://a.example/stuck")).await.unwrap();
    let second = send(&kit.net, kit.request("http://a.example/stuck")).await.unwrap();
    let failure = kit.fails("http://a.example/").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::TooManyAtOnce, "p.toml:3"));
    drop(first);
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
    drop(second);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_response_is_cut_off_where_the_policy_says() {
    let kit = Kit::new(&rules("max_response = \"100KiB\"")).await;
    assert_eq!(kit.get("http://a.example/bytes/102400").await.unwrap().1.len(), 102_400);
    let failure = kit.fails("http://a.example/bytes/102401").await;
    assert_eq!((failure.code.clone(), failure.rule()), (Code::ResponseBodySize(102_400), "p.toml:3"));
    // Without an announced length, what arrives before the limit is passed on.
    let mut response = send(&kit.net, kit.request("http://a.example/endless")).await.unwrap();
    assert!(!response.headers.contains_key("transfer-encoding"), "its chunks are undone");
    let mut got = 0;
    let failure = loop {
        match next(&mut response).await {
            Some(Ok(piece)) => got += piece.len(),
            Some(Err(failure)) => break failure,
            None => panic!("it ended"),
        }
    };
    assert_eq!((got, failure.code), (102_400, Code::ResponseBodySize(102_400)));
    assert!(next(&mut response).await.is_none());
    kit.server.idle().await;
    assert_eq!(kit.attempts.last().received, 102_400);
    // A length without a body has no effect.
    let mut request = kit.request("http://a.example/bytes/102401");
    request.method = "HEAD".to_owned();
    assert_eq!(send(&kit.net, request).await.unwrap().headers["content-length"], "102401");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_cut_off_where_the_policy_says() {
    let kit = Kit::new(&rules("max_request = \"8B\"")).await;
    for (pieces, fits) in [(&[&b"1234"[..], b"5678"][..], true), (&[b"1234", b"56789"], false)] {
        let mut request = kit.request("http://a.example/");
        let sender = body(&mut request, "POST");
        let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, pieces));
        match answer {
            Ok(_) => assert!(fits),
            Err(failure) => assert!(!fits && failure.code == Code::RequestBodySize(8) && failure.rule() == "p.toml:3", "{failure:?}"),
        }
    }
    let mut request = kit.request("http://a.example/");
    header(&mut request, "content-length", "9");
    let _sender = body(&mut request, "POST");
    assert_eq!(send(&kit.net, request).await.err().unwrap().code, Code::RequestBodySize(8));
}

#[tokio::test(flavor = "multi_thread")]
async fn heads_have_an_end() {
    let kit = Kit::new(&rules("")).await;
    assert_eq!(kit.get("http://a.example/header/60000").await.unwrap().0, 200);
    assert_eq!(kit.fails("http://a.example/header/1000000").await.code, Code::ResponseHeaderSize);
    let mut request = kit.request("http://a.example/");
    header(&mut request, "x-large", &"x".repeat(70_000));
    assert_eq!(send(&kit.net, request).await.err().unwrap().code, Code::RequestHeaderSize);
    let mut request = kit.request("http://a.example/");
    header(&mut request, "x-large", &"x".repeat(10_000));
    assert_eq!(send(&kit.net, request).await.unwrap().status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn time_ends_what_does_not_end_itself() {
    let kit = Kit::new(&rules("first_byte_timeout = \"100ms\"\ntimeout = \"300ms\"")).await;
    let failure = kit.fails("http://a.example/silent").await;
    assert_eq!(failure.code, Code::ResponseTimeout);
    assert!(failure.reason.contains("first_byte_timeout"), "{failure:?}");
    // A body that stops arriving: the total time ends it, or the program's own limit between two bytes.
    let mut response = send(&kit.net, kit.request("http://a.example/stuck")).await.unwrap();
    assert_eq!(next(&mut response).await.unwrap().unwrap(), "x");
    let failure = next(&mut response).await.unwrap().err().unwrap();
    assert_eq!((failure.code.clone(), failure.rule()), (Code::ResponseTimeout, "p.toml:4"));
    let mut request = kit.request("http://a.example/stuck");
    request.timeouts = Timeouts { between_bytes: Some(std::time::Duration::from_millis(20)), ..Timeouts::default() };
    let mut response = send(&kit.net, request).await.unwrap();
    assert_eq!(next(&mut response).await.unwrap().unwrap(), "x");
    assert_eq!(next(&mut response).await.unwrap().err().unwrap().code, Code::ReadTimeout);
    // All of them returned their connections.
    kit.server.idle().await;
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
}

/// A runtime without timers panics when one is requested: so no timeout of a request depends on them, and none is
/// late while guests compute.
#[test]
fn time_ends_what_does_not_end_itself_without_timers_of_the_runtime() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
    runtime.block_on(async {
        let late = async { drop(tokio::time::sleep(std::time::Duration::ZERO)) };
        assert!(tokio::spawn(late).await.is_err(), "the runtime has timers");
        let kit = Kit::new(&rules("first_byte_timeout = \"100ms\"\ntimeout = \"300ms\"")).await;
        assert_eq!(kit.fails("http://a.example/silent").await.code, Code::ResponseTimeout);
        let mut request = kit.request("http://a.example/stuck");
        request.timeouts = Timeouts { between_bytes: Some(std::time::Duration::from_millis(20)), ..Timeouts::default() };
        for (request, code) in [(request, Code::ReadTimeout), (kit.request("http://a.example/stuck"), Code::ResponseTimeout)] {
            let mut response = send(&kit.net, request).await.unwrap();
            assert_eq!(next(&mut response).await.unwrap().unwrap(), "x");
            assert_eq!(next(&mut response).await.unwrap().err().unwrap().code, code);
        }
        assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_that_stops_reading_ends_the_connection() {
    let kit = Kit::new(&rules("")).await;
    let mut response = send(&kit.net, kit.request("http://a.example/endless")).await.unwrap();
    next(&mut response).await.unwrap().unwrap();
    drop(response);
    kit.server.idle().await;
    // So does a caller that stops waiting for the head.
    let pending = kit.net.send(7, kit.request("http://a.example/silent")).unwrap();
    while kit.server.seen().len() < 2 {
        tokio::task::yield_now().await;
    }
    drop(pending);
    kit.server.idle().await;
    assert_eq!(kit.attempts.all().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn no_connection_serves_two_requests() {
    let kit = Kit::new(&rules("")).await;
    let (other, _) = Kit::net(&kit.server, &rules(""), names(), &[]);
    for net in [&kit.net, &kit.net, &other] {
        finish(send(net, kit.request("http://a.example/")).await.unwrap()).await.unwrap();
    }
    let mut connections: Vec<usize> = kit.server.seen().iter().map(|seen| seen.connection).collect();
    connections.dedup();
    assert_eq!(connections.len(), 3);
}
