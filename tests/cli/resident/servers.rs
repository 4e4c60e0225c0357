//! A helper whose servers at a URL take their time at its end.

use std::fs;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use wisp_tests::mcp_http::answer;
use wisp_tests::server::{Seen, Server};

use super::{Ended, Sessions};

/// Held while the server is not to answer that its session ends.
static HELD: Mutex<()> = Mutex::new(());

/// Is told that the server is asked to end its session.
static ENDING: Mutex<Option<mpsc::Sender<()>>> = Mutex::new(None);

fn late(seen: &Seen, before: usize) -> Option<Vec<u8>> {
    if seen.line.starts_with("DELETE") {
        if let Some(told) = ENDING.lock().expect("no test panicked here").as_ref() {
            // The test may have ended.
            let _ = told.send(());
        }
        // Other connections are served meanwhile.
        tokio::task::block_in_place(|| drop(HELD.lock()));
    }
    answer(seen, before)
}

#[test]
fn a_helper_that_ends_slowly_leaves_the_next_one_alone() {
    let sessions = Sessions::new();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let server = runtime.block_on(Server::start(&["localhost"]));
    server.also(late);
    let policy = format!(
        "extends = \"offline\"\n[[host.mcp]]\nname = \"demo\"\nurl = \"http://localhost:{}/mcp\"\nbearer_env = \"TOKEN\"\nallow = [\"add\"]\n",
        server.http
    );
    fs::write(sessions.0.path().join("p.toml"), policy).expect("a file");
    let call = || {
        let words = ["run", "--resident", "--session", "s", "--policy", "./p.toml", "--", "echo", "on"];
        let output = sessions.0.command(&words).env("TOKEN", "the-token").output().expect("wisp runs");
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), b"on\n".as_slice()), "{output:?}");
        sessions.helper("s").expect("a helper runs")
    };
    let (told, ending) = mpsc::channel();
    *ENDING.lock().expect("no test panicked here") = Some(told);
    let held = HELD.lock().expect("no test panicked here");
    let first = call();
    let ended = Ended::of(first);
    // SAFETY: plain numbers.
    assert_eq!(unsafe { libc::kill(first, libc::SIGTERM) }, 0);
    ending.recv_timeout(Duration::from_secs(60)).expect("the helper has its servers end");
    // It has let the session go by now.
    let second = call();
    assert_ne!(second, first);
    drop(held);
    ended.wait();
    assert_eq!(call(), second, "the next one is still found");
}
