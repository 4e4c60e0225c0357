//! Tools of servers at a URL: what guests see of them, and what of the way there they do not. What hostile servers do is beside the client
//! (`host/mcp-client/src/http_tests.rs`).

use wisp::policy::HostFiles;
use wisp::{HostFunction, Policy, ReceiptKind, SessionBuilder};
use wisp_mcp_client::{ConnectError, Connector};
use wisp_tests::mcp_http::{SESSION, answer};
use wisp_tests::server::Server;

use crate::kit::{builder, printed, python};

/// A variable that cargo sets for tests, and its value: the token.
const VARIABLE: &str = "CARGO_PKG_NAME";
const TOKEN: &str = env!("CARGO_PKG_NAME");

async fn server() -> Server {
    let server = Server::start(&["localhost"]).await;
    server.also(answer);
    server
}

/// Lines of a policy with the server at this URL.
fn lines(url: &str) -> String {
    format!("[[host.mcp]]\nname = \"demo\"\nurl = \"{url}/mcp\"\nbearer_env = \"{VARIABLE}\"\nallow = [\"add\", \"token\"]\n")
}

async fn functions(lines: &str) -> Result<Vec<HostFunction>, ConnectError> {
    let text = format!("extends = \"offline\"\n{lines}");
    let policy = Policy::parse(&HostFiles, "test.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    Connector::new().functions(&policy).await
}

async fn with_server(lines: &str) -> SessionBuilder {
    let functions = functions(lines).await.unwrap_or_else(|error| panic!("{error}"));
    functions.into_iter().fold(builder(lines), SessionBuilder::function)
}

#[tokio::test(flavor = "multi_thread")]
async fn tools_of_a_server_at_a_url_are_functions_and_its_token_stays_outside() {
    let server = server().await;
    let session = with_server(&lines(&format!("http://localhost:{}", server.http))).await.build().await.expect("a session");
    let program = "from host import demo_add, demo_token; print(demo_add(1, 2), demo_add(a=40, b=2), demo_token())";
    let outcome = python(&session, program).await;
    let expected = format!("{{'sum': 3}} {{'sum': 42}} it is {}\n", "*".repeat(TOKEN.len()));
    assert_eq!(outcome.stdout_text(), expected, "{}", outcome.stderr_text());
    // A receipt has the call, and nothing of the way.
    let calls = outcome.receipts.iter().filter(|receipt| receipt.kind == ReceiptKind::Function);
    let mut called: Vec<&str> = calls.map(|receipt| receipt.subject.as_str()).collect();
    called.dedup();
    assert_eq!(called, ["demo_add", "demo_token"]);
    let said = format!("{:?}", outcome.receipts);
    assert!(!said.contains(TOKEN) && !said.contains("localhost"), "{said}");
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.header("authorization") == Some(format!("Bearer {TOKEN}").as_str())));
    assert_eq!(seen.iter().filter(|seen| seen.header("mcp-session-id") == Some(SESSION)).count(), seen.len() - 1, "all but the first");
}

#[tokio::test(flavor = "multi_thread")]
async fn over_https_the_certificate_must_be_trusted_and_network_ca_adds_one() {
    let server = server().await;
    let lines = lines(&format!("https://localhost:{}", server.https));
    let said = functions(&lines).await.map(drop).expect_err("its authority is the test's").to_string();
    assert!(said.starts_with(&format!("the server `demo` (`https://localhost:{}/mcp`) cannot be reached: ", server.https)), "{said}");
    assert!(said.contains("certificate") && server.seen().is_empty(), "{said}");
    let folder = tempfile::tempdir().expect("a folder");
    let ca = folder.path().join("ca.pem");
    std::fs::write(&ca, &server.ca).expect("a file");
    let trusting = format!("[network]\nca = {ca:?}\n{lines}");
    let session = with_server(&trusting).await.build().await.expect("a session");
    assert_eq!(printed(&session, "from host import demo_add; print(demo_add(1, 2))").await, "{'sum': 3}\n");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_has_the_tools_of_a_server_and_no_connection_to_it() {
    let server = server().await;
    let url = format!("http://localhost:{}", server.http);
    let session = with_server(&lines(&url)).await.build().await.expect("a session");
    let before = server.seen().len();
    let program = format!(
        "import urllib.request\nfrom host import demo_add\n\
         try: print(urllib.request.urlopen('{url}/mcp').status)\n\
         except OSError: print('no network')\n\
         print(demo_add(1, 2))\n"
    );
    assert_eq!(printed(&session, &program).await, "no network\n{'sum': 3}\n");
    assert_eq!(server.seen().len(), before + 1);
}
