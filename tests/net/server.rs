//! Servers that break the protocol, or do unusual things within it.

use wisp_net::Code;

use super::kit::{Kit, finish, send};

const RULES: &str = "[network]\nallow = [{ url = \"http://a.example:HTTP/\", allow_private = true }]";

#[tokio::test(flavor = "multi_thread")]
async fn an_invalid_response_is_an_error_of_its_kind() {
    let kit = Kit::new(RULES).await;
    for (path, code) in
        [("short", Code::ResponseIncomplete), ("garbage", Code::Protocol), ("upgrade", Code::Protocol), ("close", Code::ResponseIncomplete)]
    {
        let failure = kit.fails(&format!("http://a.example/{path}")).await;
        assert_eq!(failure.code, code, "{path}: {failure:?}");
        assert_eq!((failure.rule(), failure.request.starts_with("GET http://a.example")), ("", true), "{path}");
        assert_eq!(kit.attempts.last().failure, Some(failure.reason));
    }
    kit.server.idle().await;
    assert_eq!(kit.get("http://a.example/").await.unwrap().0, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_compressed_body_stays_compressed() {
    let kit = Kit::new(RULES).await;
    let response = send(&kit.net, kit.request("http://a.example/gzip")).await.unwrap();
    assert_eq!(response.headers["content-encoding"], "gzip");
    assert_eq!(finish(response).await.unwrap().1.len(), 20);
    assert_eq!(kit.server.seen()[0].header("accept-encoding"), None);
}
