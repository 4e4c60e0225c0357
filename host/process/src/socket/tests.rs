//! Addresses, queues, connections and their limits.

use super::*;
use bytes::Bytes;

fn tcp(text: &str) -> Place {
    Place::Tcp(text.parse().unwrap())
}

fn held() -> Option<()> {
    Some(())
}

fn bind(loopback: &Arc<Loopback>, text: &str) -> Result<Arc<Socket>, SocketError> {
    loopback.bind(tcp(text), false, held)
}

fn listen(loopback: &Arc<Loopback>, text: &str) -> Arc<Socket> {
    let socket = bind(loopback, text).unwrap();
    socket.listen(1);
    socket
}

fn connect(loopback: &Arc<Loopback>, text: &str) -> Result<Stream, SocketError> {
    loopback.connect(&tcp(text), None, held)
}

fn port_of(address: &Address) -> u16 {
    let Address::Tcp(at) = address else { panic!("{address:?}") };
    at.port()
}

#[tokio::test]
async fn what_one_end_writes_the_other_reads() {
    let loopback = Arc::new(Loopback::default());
    let socket = listen(&loopback, "127.0.0.1:8000");
    assert!(socket.accept().is_none());
    let near = connect(&loopback, "127.0.0.1:8000").unwrap();
    socket.acceptable().await;
    let far = socket.accept().unwrap();
    assert_eq!((near.peer(), far.local()), (socket.address(), socket.address()));
    assert_eq!(near.local(), far.peer());
    near.writer().write_all(Bytes::from_static(b"question")).await.unwrap();
    assert_eq!(far.reader().unwrap().peek(3), "que");
    assert_eq!(far.reader().unwrap().read(100).await, "question");
    // Half closed: the other direction goes on.
    near.shut_write();
    assert!(near.writer().room().is_err());
    assert_eq!(far.reader().unwrap().read(100).await, "");
    far.writer().write_all(Bytes::from_static(b"answer")).await.unwrap();
    drop(far);
    assert_eq!(near.reader().unwrap().read(100).await, "answer");
    assert_eq!(near.reader().unwrap().read(100).await, "");
    assert_eq!(near.check_reset(), Ok(()), "it had read everything");
    assert_eq!(loopback.count(), (1, 1));
    drop((near, socket));
    assert_eq!(loopback.count(), (0, 0));
}

#[test]
fn an_address_belongs_to_one_socket_at_a_time() {
    let loopback = Arc::new(Loopback::default());
    let both = |one, other| {
        let first = bind(&loopback, one).unwrap();
        let second = bind(&loopback, other).map(drop);
        drop(first);
        assert_eq!(loopback.count().0, 0);
        second
    };
    assert_eq!(both("127.0.0.1:80", "127.0.0.1:80"), Err(SocketError::InUse));
    assert_eq!(both("127.0.0.1:80", "0.0.0.0:80"), Err(SocketError::InUse));
    assert_eq!(both("[::]:80", "127.0.0.1:80"), Err(SocketError::InUse));
    assert_eq!(both("[::ffff:127.0.0.1]:80", "127.0.0.1:80"), Err(SocketError::InUse));
    assert_eq!(both("127.0.0.1:80", "127.0.0.2:80"), Ok(()));
    assert_eq!(both("127.0.0.1:80", "[::1]:80"), Ok(()));
    assert_eq!(both("127.0.0.1:80", "127.0.0.1:81"), Ok(()));
    let _six = loopback.bind(tcp("[::]:80"), true, held).unwrap();
    assert!(bind(&loopback, "0.0.0.0:80").is_ok());
}

#[test]
fn nothing_but_the_loopback_interface_has_an_address() {
    let loopback = Arc::new(Loopback::default());
    for text in ["10.0.0.1:80", "192.0.2.1:80", "[2001:db8::1]:80", "169.254.169.254:80", "[::ffff:10.0.0.1]:80"] {
        assert_eq!(bind(&loopback, text).err(), Some(SocketError::NotAvailable), "{text}");
        assert_eq!(connect(&loopback, text).err(), Some(SocketError::NotAvailable), "{text}");
    }
    assert_eq!(connect(&loopback, "127.0.0.1:80").err(), Some(SocketError::Refused));
    let _socket = listen(&loopback, "127.0.0.1:80");
    assert!(connect(&loopback, "127.0.0.1:80").is_ok());
}

#[test]
fn the_unspecified_address_is_all_of_its_family() {
    let loopback = Arc::new(Loopback::default());
    let reached = |at: &str, only_v6: bool, from: &str| {
        let socket = loopback.bind(tcp(at), only_v6, held).unwrap();
        socket.listen(1);
        let port = port_of(socket.address());
        let near = connect(&loopback, &format!("{from}:{port}")).ok()?;
        let far = socket.accept().unwrap();
        assert_eq!(port_of(near.local()), port_of(far.peer()));
        let Address::Tcp(at) = far.peer() else { panic!("{:?}", far.peer()) };
        Some(at.ip().to_string())
    };
    assert_eq!(reached("0.0.0.0:0", false, "127.0.0.1").as_deref(), Some("127.0.0.1"));
    assert_eq!(reached("0.0.0.0:0", false, "127.9.9.9").as_deref(), Some("127.9.9.9"));
    assert_eq!(reached("0.0.0.0:0", false, "0.0.0.0").as_deref(), Some("127.0.0.1"));
    assert_eq!(reached("0.0.0.0:0", false, "[::1]"), None);
    assert_eq!(reached("[::]:0", false, "[::1]").as_deref(), Some("::1"));
    assert_eq!(reached("[::]:0", false, "127.0.0.1").as_deref(), Some("::ffff:127.0.0.1"));
    assert_eq!(reached("[::]:0", true, "127.0.0.1"), None);
}

#[test]
fn a_port_that_is_not_named_is_a_free_one() {
    let loopback = Arc::new(Loopback::default());
    let all: Vec<_> = (0..MAX_BOUND).map(|_| bind(&loopback, "127.0.0.1:0").unwrap()).collect();
    let mut ports: Vec<u16> = all.iter().map(|socket| port_of(socket.address())).collect();
    ports.dedup();
    assert_eq!(ports.len(), MAX_BOUND);
    assert!(ports.iter().all(|port| EPHEMERAL.contains(port)));
    assert_eq!(bind(&loopback, "127.0.0.1:0").err(), Some(SocketError::TooMany));
    drop(all);
    assert!(bind(&loopback, "127.0.0.1:0").is_ok());
}

#[test]
fn a_socket_that_does_not_listen_or_has_no_room_refuses() {
    let loopback = Arc::new(Loopback::default());
    let socket = bind(&loopback, "127.0.0.1:80").unwrap();
    assert!(!socket.listens());
    assert_eq!(connect(&loopback, "127.0.0.1:80").err(), Some(SocketError::Refused));
    socket.listen(0);
    let waiting: Vec<_> = (0..*BACKLOG.start()).map(|_| connect(&loopback, "127.0.0.1:80").unwrap()).collect();
    assert_eq!(connect(&loopback, "127.0.0.1:80").err(), Some(SocketError::Refused));
    let accepted = socket.accept().unwrap();
    let late = connect(&loopback, "127.0.0.1:80").unwrap();
    drop(socket);
    assert_eq!(waiting[0].check_reset(), Ok(()), "this one was accepted");
    assert_eq!(late.check_reset(), Err(Reset));
    assert_eq!(late.check_reset(), Ok(()), "it is reported once");
    assert_eq!(late.reader().unwrap().try_read(1).unwrap(), "");
    drop(accepted);
}

#[tokio::test]
async fn shutting_a_listener_wakes_who_waits_for_connections() {
    let loopback = Arc::new(Loopback::default());
    let socket = listen(&loopback, "127.0.0.1:80");
    let waiting = tokio::spawn({
        let socket = socket.clone();
        async move { socket.acceptable().await }
    });
    tokio::task::yield_now().await;
    socket.shut();
    waiting.await.unwrap();
    assert_eq!(connect(&loopback, "127.0.0.1:80").err(), Some(SocketError::Refused));
}

#[test]
fn what_was_not_read_is_a_reset_for_the_peer() {
    let loopback = Arc::new(Loopback::default());
    let (one, other) = loopback.pair(held).unwrap();
    assert_eq!(one.writer().try_write(&mut Bytes::from_static(b"text")), Ok(4));
    drop(other);
    assert!(one.writer().room().is_err());
    assert_eq!(one.check_reset(), Err(Reset));
}

#[test]
fn connections_have_a_limit_and_are_paid_for() {
    let loopback = Arc::new(Loopback::default());
    let all: Vec<_> = (0..MAX_CONNECTIONS).map(|_| loopback.pair(held).unwrap()).collect();
    assert_eq!(loopback.pair(held).err(), Some(SocketError::TooMany));
    assert_eq!(loopback.count().1, MAX_CONNECTIONS);
    drop(all);
    assert_eq!(loopback.pair(|| None::<()>).err(), Some(SocketError::NoMemory));
    assert_eq!(loopback.bind(tcp("127.0.0.1:80"), false, || None::<()>).err(), Some(SocketError::NoMemory));
    assert_eq!(loopback.count(), (0, 0));
    let paid = Arc::new(());
    let (one, other) = loopback.pair(|| Some(paid.clone())).unwrap();
    let rest = one.write_only();
    drop((one, other));
    assert_eq!(Arc::strong_count(&paid), 2, "its buffer is still there");
    drop(rest);
    assert_eq!(Arc::strong_count(&paid), 1);
}

#[test]
fn a_name_in_the_filesystem_is_an_address_by_its_inode() {
    let loopback = Arc::new(Loopback::default());
    let file = |path: &str, ino| Place::File(path.into(), (1, ino));
    let socket = loopback.bind(file("/tmp/s", 7), false, held).unwrap();
    socket.listen(5);
    assert_eq!(loopback.bind(file("/tmp/other", 7), false, held).err(), Some(SocketError::InUse));
    assert_eq!(loopback.connect(&file("/tmp/s", 8), None, held).err(), Some(SocketError::Refused));
    let near = loopback.connect(&file("/tmp/link", 7), None, held).unwrap();
    assert_eq!((near.local(), near.peer()), (&Address::Unnamed, &Address::Unix("/tmp/link".into())));
    assert!(socket.accept().is_some());
}

#[test]
fn a_session_has_addresses_of_its_own() {
    let (one, other) = (Arc::new(Loopback::default()), Arc::new(Loopback::default()));
    let _socket = listen(&one, "127.0.0.1:80");
    assert_eq!(connect(&other, "127.0.0.1:80").err(), Some(SocketError::Refused));
    assert!(bind(&other, "127.0.0.1:80").is_ok() && connect(&one, "127.0.0.1:80").is_ok());
}
