//! Servers: those that connect to the one listener that was open before.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Command, Stdio};
use std::time::Duration;

use wisp::confine::{Confinement, offered};

use super::{found, held, helper, tell, wisp};

/// The helper's argument: `accepts`, or another word.
pub(super) fn serves(words: &[String]) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    // It waits in the listener's queue.
    let client = TcpStream::connect(listener.local_addr().expect("its address")).expect("a connection");
    let confinement = Confinement::new();
    let confinement = if words[0] == "accepts" { confinement.accept() } else { confinement };
    confinement.enforce().expect("this process has one thread");
    tell("accept", listener.accept());
    tell("listen", TcpListener::bind("127.0.0.1:0"));
    drop(client);
}

pub(super) fn connections() {
    let [with, without] = ["accepts", "does not"].map(|word| found(&helper("serves", &[word])));
    assert_eq!(with["accept"], "done");
    if offered().calls {
        assert_eq!((without["accept"].as_str(), with["listen"].as_str(), without["listen"].as_str()), ("refused", "refused", "refused"));
    }
}

pub(super) fn a_server_answers() {
    let mut server = Command::new(wisp())
        .args(["mcp", "--http", "127.0.0.1:0"])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wisp starts");
    let mut lines = BufReader::new(server.stderr.take().expect("its errors")).lines().map_while(Result::ok);
    let address = lines.find_map(|line| Some(line.split_once("http://")?.1.strip_suffix("/mcp")?.to_owned()));
    let mut client = TcpStream::connect(address.expect("its address")).expect("a connection");
    // Only a server that does not answer takes so long.
    client.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
    client.write_all(b"GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("a request");
    let mut answer = String::new();
    let answered = BufReader::new(client).read_line(&mut answer);
    let held = held(server.id());
    server.kill().and_then(|()| server.wait()).expect("it ends");
    drop(lines);
    assert!(answered.is_ok() && answer.starts_with("HTTP/1.1 401"), "{answered:?}: {answer}");
    if offered().calls {
        assert!(held.iter().all(|(calls, _)| calls == "2"), "{held:?}");
    }
}
