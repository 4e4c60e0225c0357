//! `wisp run` under a policy with a server at a URL: its tools work although the process is confined, and its session ends with the run.

use std::ffi::OsString;
use std::fs;
use std::path::Path;

use tokio::runtime::Runtime;
use wisp_tests::mcp_http::{SESSION, answer};
use wisp_tests::server::Server;
use wisp_tests::wisp::{Ran, SECRET, SECRET_VARIABLE, run};

/// A server, and the threads that serve it.
fn server() -> (Runtime, Server) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let server = runtime.block_on(Server::start(&["localhost"]));
    server.also(answer);
    (runtime, server)
}

/// Runs wisp with these words under a policy with a server at this URL.
fn wisp(folder: &Path, url: &str, variable: &str, words: &[&str]) -> Ran {
    let policy = format!(
        "extends = \"offline\"\n[[host.mcp]]\nname = \"demo\"\nurl = \"{url}/mcp\"\nbearer_env = \"{variable}\"\nallow = [\"add\", \"token\"]\n"
    );
    fs::write(folder.join("p.toml"), policy).expect("a file");
    let args: Vec<OsString> = [&[words[0], "--policy", "./p.toml"][..], &words[1..]].concat().into_iter().map(OsString::from).collect();
    run(&args, b"", folder).expect("wisp runs")
}

#[test]
fn the_tools_of_a_server_at_a_url_work_in_a_confined_run_and_its_session_ends_with_that() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (_runtime, server) = server();
    let url = format!("http://localhost:{}", server.http);
    let program = "from host import demo_add, demo_token; print(demo_add(a=1, b=2), demo_token())";
    let ran = wisp(folder.path(), &url, SECRET_VARIABLE, &["run", "--", "python3", "-c", program]);
    let expected = format!("{{'sum': 3}} it is {}\n", "*".repeat(SECRET.len()));
    assert_eq!((ran.code, ran.out()), (Some(0), expected), "{}", ran.err());
    let seen = server.seen();
    assert!(seen.iter().all(|seen| seen.header("authorization") == Some(format!("Bearer {SECRET}").as_str())));
    let last = seen.last().expect("there were requests");
    assert_eq!((last.line.as_str(), last.header("mcp-session-id")), ("DELETE /mcp HTTP/1.1", Some(SESSION)));
    // A person sees where the tools come from.
    let shown = wisp(folder.path(), &url, SECRET_VARIABLE, &["explain"]);
    assert_eq!(shown.code, Some(0), "{}", shown.err());
    assert!(shown.out().contains(&format!("demo is asked outside the sandbox: {url}/mcp")), "{}", shown.out());
}

#[test]
fn a_token_that_is_missing_is_named_before_anything_runs() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let (_runtime, server) = server();
    let url = format!("http://127.0.0.1:{}", server.http);
    let ran = wisp(folder.path(), &url, "WISP_NO_SUCH_VARIABLE", &["run", "--", "echo", "ran"]);
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""), "{}", ran.err());
    let expected = "the server `demo` needs the variable `WISP_NO_SUCH_VARIABLE`, which is not set (./p.toml:2)";
    assert!(ran.err().contains(expected) && server.seen().is_empty(), "{}", ran.err());
}

#[test]
fn a_server_that_is_not_there_is_named_with_the_reason() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    // The port of a listener that is gone.
    let port = {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        listener.local_addr().expect("an address").port()
    };
    let url = format!("http://127.0.0.1:{port}");
    let ran = wisp(folder.path(), &url, SECRET_VARIABLE, &["run", "--", "echo", "ran"]);
    let expected = format!("the server `demo` (`{url}/mcp`) cannot be reached: no connection to 127.0.0.1:{port}: ");
    assert!(ran.code != Some(0) && ran.out().is_empty() && ran.err().contains(&expected), "{:?} {}", ran.code, ran.err());
    assert!(!ran.err().contains(SECRET), "{}", ran.err());
}
