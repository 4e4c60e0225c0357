//! No connection is made: the test listens itself, on the one address that a sandbox on this machine could reach.

use std::io::ErrorKind;
use std::net::{TcpListener, UdpSocket};

use wisp::{Command, Stream};

use crate::escape::kit::{policy, session};

const PROGRAM: &str = r#"
import asyncio, http.client, socket, sys, urllib.request
tcp, udp = map(int, sys.argv[1:])
def tried(call):
    try:
        call()
        print("WORKED")
    except Exception as error:
        print(type(error).__name__)
tried(lambda: socket.create_connection(("127.0.0.1", tcp), timeout=5))
tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).connect_ex(("127.0.0.1", tcp)) and 1 / 0)
tried(lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", ("127.0.0.1", udp)))
tried(lambda: urllib.request.urlopen(f"http://127.0.0.1:{tcp}/", timeout=5))
tried(lambda: http.client.HTTPConnection("localhost", tcp, timeout=5).request("GET", "/"))
tried(lambda: asyncio.run(asyncio.open_connection("127.0.0.1", tcp)))
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nothing_that_python_tries_reaches_a_listener_on_this_machine() {
    let tcp = TcpListener::bind("127.0.0.1:0").expect("a port");
    let udp = UdpSocket::bind("127.0.0.1:0").expect("a port");
    tcp.set_nonblocking(true).unwrap();
    udp.set_nonblocking(true).unwrap();
    let ports = [tcp.local_addr().unwrap().port().to_string(), udp.local_addr().unwrap().port().to_string()];

    let session = session(&policy(&["python3"], ""), &[]).await;
    let command = Command::new("python3").args(["-c", PROGRAM]).args(&ports);
    let outcome = session.run(command).await.expect("python3 starts");
    assert_eq!(outcome.exit_code(), 0, "{}", outcome.stderr_text());
    assert_eq!(outcome.stdout_text().lines().count(), 6, "{}", outcome.stdout_text());
    assert!(!outcome.stdout_text().contains("WORKED"), "{}", outcome.stdout_text());

    assert_eq!(tcp.accept().unwrap_err().kind(), ErrorKind::WouldBlock, "a guest connected");
    assert_eq!(udp.recv(&mut [0; 8]).unwrap_err().kind(), ErrorKind::WouldBlock, "a datagram came");
}

/// A server that tells when it listens, answers one connection and ends.
const SERVER: &str = r#"
import socket
server = socket.create_server(("127.0.0.1", 8000))
unix = socket.socket(socket.AF_UNIX)
unix.bind("/tmp/socket")
unix.listen()
print("listens", flush=True)
server.accept()[0].sendall(b"hello")
"#;

const CLIENT: &str = r#"
import socket
for family, address in ((socket.AF_UNIX, "/tmp/socket"), (socket.AF_INET, ("127.0.0.1", 8000))):
    client = socket.socket(family)
    try:
        client.connect(address)
        print("connected", client.recv(100) if family == socket.AF_INET else b"")
    except OSError as error:
        print(type(error).__name__)
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_session_does_not_reach_what_listens_in_another() {
    let policy = policy(&["python3", "coreutils"], "");
    let (one, other) = (session(&policy, &[]).await, session(&policy, &[]).await);
    let server = one.start(Command::new("python3").args(["-c", SERVER])).await.expect("python3 starts");
    let chunk = server.next_output(Stream::Stdout, 0, 100).await;
    assert_eq!(chunk.bytes, "listens\n");
    let asked = |session: wisp::Session| async move {
        session.run(Command::new("python3").args(["-c", CLIENT])).await.expect("python3 starts").stdout_text().into_owned()
    };
    assert_eq!(asked(other).await, "FileNotFoundError\nConnectionRefusedError\n");
    assert_eq!(asked(one).await, "connected b''\nconnected b'hello'\n");
    assert_eq!(server.wait().await.expect("it ends").exit_code(), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_component_that_runs_has_an_import_that_could() {
    let session = session(&policy(&["coreutils", "python3"], ""), &[]).await;
    for world in session.worlds() {
        for interface in world.host_interfaces() {
            let name = interface.name();
            // `types` are messages in memory; only the handler could send one.
            let types = name.starts_with("wasi:http/types");
            assert!(types || !(name.contains("socket") || name.contains("http")), "{} is linked to {name}", world.name());
        }
    }
}
