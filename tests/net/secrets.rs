//! Secrets: inserted for their host and nowhere else, and masked wherever a server echoes them.

use wisp_net::Code;

use super::kit::{Kit, body, finish, header, names, send, write};

const VALUE: &str = "s3cr3t-value";

fn rules(secret: &str) -> String {
    let allow = ["https://a.example:HTTPS/", "https://b.example:HTTPS/", "http://a.example:HTTP/"]
        .map(|url| format!("[[network.allow]]\nurl = \"{url}\"\nmethods = [\"GET\", \"POST\"]\nallow_private = true\n"));
    format!("{}[[network.secret]]\nhost = \"a.example\"\nvalue_from_env = \"TOKEN\"\n{secret}\n", allow.concat())
}

async fn kit(secret: &str) -> (Kit, String) {
    let kit = Kit::with(&rules(secret), names(), &[("TOKEN", VALUE)]).await;
    let placeholder = kit.net.placeholders().next().unwrap().1.to_owned();
    (kit, placeholder)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_header_carries_it_to_its_host() {
    let (kit, placeholder) = kit("header = \"Authorization\"\nformat = \"Bearer {}\"").await;
    let mut request = kit.request("https://a.example/echo");
    header(&mut request, "Authorization", &format!("Bearer {placeholder}"));
    header(&mut request, "Accept-Encoding", "gzip");
    let response = send(&kit.net, request).await.unwrap();
    // The server receives the value; the guest sees it neither in the head nor in the body of the response.
    assert_eq!(response.headers["x-authorization"], "Bearer ************");
    let (_, text) = finish(response).await.unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("authorization: Bearer ************") && !text.contains(VALUE), "{text}");
    let seen = kit.server.seen().pop().unwrap();
    assert_eq!(seen.header("authorization"), Some("Bearer s3cr3t-value"));
    assert_eq!(seen.header("accept-encoding"), Some("identity"));
    let attempt = kit.attempts.last();
    assert_eq!(attempt.secrets, ["TOKEN"]);
    assert!(!format!("{attempt:?}").contains(VALUE));
}

#[tokio::test(flavor = "multi_thread")]
async fn elsewhere_the_placeholder_is_worth_nothing() {
    let (kit, placeholder) = kit("header = \"Authorization\"").await;
    // For another host or header, in the query or the body, the placeholder is sent unchanged.
    for (url, name) in [("https://b.example/echo", "authorization"), ("https://a.example/echo", "x-other")] {
        let mut request = kit.request(url);
        header(&mut request, name, &placeholder);
        send(&kit.net, request).await.unwrap();
        assert_eq!(kit.server.seen().pop().unwrap().header(name), Some(placeholder.as_str()));
    }
    kit.get(&format!("https://a.example/echo?{placeholder}")).await.unwrap();
    assert!(kit.server.seen().pop().unwrap().line.contains(&placeholder));
    assert!(kit.attempts.all().iter().all(|attempt| attempt.secrets.is_empty()));
    // Unencrypted, it is not even sent to its host.
    let mut request = kit.request("http://a.example/");
    header(&mut request, "Authorization", &placeholder);
    let failure = send(&kit.net, request).await.err().unwrap();
    assert_eq!(failure.code, Code::Denied);
    assert!(failure.reason.contains("`TOKEN` goes over `https` only") && failure.rule().starts_with("p.toml:"), "{failure:?}");
    assert_eq!(kit.server.seen().len(), 3);
    assert!(kit.server.seen().iter().all(|seen| !format!("{seen:?}").contains(VALUE)));
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_and_fields_of_bodies_carry_it_too() {
    let (kit_of_query, placeholder) = kit("query = \"key\"").await;
    kit_of_query.get(&format!("https://a.example/?x=1&key={placeholder}")).await.unwrap();
    assert_eq!(kit_of_query.server.seen()[0].line, "GET /?x=1&key=s3cr3t-value HTTP/1.1");
    let shown = kit_of_query.attempts.last().request;
    assert!(shown.ends_with("a.example:") || !shown.contains('?'), "{shown}");

    let (kit, placeholder) = kit("body_field = \"token\"").await;
    let json = format!("{{\"token\": \"{placeholder}\", \"n\": 1}}");
    let (first, second) = json.split_at(30);
    let pieces = [first.as_bytes(), second.as_bytes()];
    let mut request = kit.request("https://a.example/echo");
    header(&mut request, "Content-Type", "application/json");
    header(&mut request, "Content-Length", &json.len().to_string());
    let sender = body(&mut request, "POST");
    let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, &pieces));
    let (_, text) = finish(answer.unwrap()).await.unwrap();
    let seen = kit.server.seen().pop().unwrap();
    assert_eq!(seen.body, br#"{"token": "s3cr3t-value", "n": 1}"#);
    assert_eq!(seen.header("content-length"), Some("33"));
    assert!(String::from_utf8(text).unwrap().ends_with(r#"{"token": "************", "n": 1}"#));
    // A body too large to be searched.
    let mut request = kit.request("https://a.example/");
    let sender = body(&mut request, "POST");
    let pieces = vec![&[b' '; 65536][..]; 17];
    let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, &pieces));
    assert_eq!(answer.err().unwrap().code, Code::RequestBodySize(1 << 20));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_echo_in_pieces_is_masked_and_a_compressed_one_refused() {
    let (kit, placeholder) = kit("header = \"Authorization\"").await;
    let mut request = kit.request("https://a.example/chunks");
    let sender = body(&mut request, "POST");
    let text = format!("<{VALUE}> {VALUE}{VALUE} {}", &VALUE[..6]);
    let pieces = [text.as_bytes()];
    let (answer, ()) = tokio::join!(send(&kit.net, request), write(sender, &pieces));
    let (_, masked) = finish(answer.unwrap()).await.unwrap();
    let stars = "*".repeat(VALUE.len());
    assert_eq!(String::from_utf8(masked).unwrap(), format!("<{stars}> {stars}{stars} s3cr3t"));

    let mut request = kit.request("https://a.example/gzip");
    header(&mut request, "Authorization", &placeholder);
    let failure = send(&kit.net, request).await.err().unwrap();
    assert_eq!(failure.code, Code::ResponseContentCoding("gzip".to_owned()));
    // A compressed response to a request without a secret is passed on.
    assert_eq!(kit.get("https://a.example/gzip").await.unwrap().0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_session_has_a_placeholder_of_its_own() {
    let (kit, placeholder) = kit("header = \"Authorization\"").await;
    let (other, _) = Kit::net(&kit.server, &rules("header = \"Authorization\""), names(), &[("TOKEN", "another-value")]);
    assert_ne!(other.placeholders().next().unwrap().1, placeholder);
    // A placeholder of one session means nothing in another.
    let mut request = kit.request("https://a.example/");
    header(&mut request, "Authorization", &placeholder);
    send(&other, request).await.unwrap();
    assert_eq!(kit.server.seen().pop().unwrap().header("authorization"), Some(placeholder.as_str()));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_fork_has_limits_of_its_own_and_the_secrets_that_forks_have() {
    for (forks, sent) in [("", None), ("forks = true", Some(VALUE))] {
        let (kit, placeholder) = kit(&format!("header = \"Authorization\"\n{forks}\n[network]\nmax_requests = 1")).await;
        kit.get("https://a.example/").await.unwrap();
        assert_eq!(kit.fails("https://a.example/").await.code, Code::Denied);
        let fork = kit.net.fork(kit.attempts.clone());
        let known = fork.placeholders().next().map(|(_, placeholder)| placeholder.to_owned());
        assert_eq!(known, sent.map(|_| placeholder.clone()));
        let mut request = kit.request("https://a.example/");
        header(&mut request, "Authorization", &placeholder);
        send(&fork, request).await.unwrap();
        assert_eq!(kit.server.seen().pop().unwrap().header("authorization"), Some(sent.unwrap_or(&placeholder)));
    }
}
