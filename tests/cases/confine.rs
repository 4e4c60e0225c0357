//! What the kernel refuses wisp itself, and what wisp does if the kernel or its limits refuse something.
//!
//! Confinement is permanent and applies to a whole process, which must have one thread. So the tests start this
//! program again as a helper (`HELPER` names its task).

mod lacking;
mod serving;

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, fchown, lchown};
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, SystemTime};
use std::{env, fs, io};

use libtest_mimic::Trial;
use wisp::confine::{Confinement, Held, offered};

/// Names the helper.
const HELPER: &str = "WISP_CONFINE_HELPER";

/// The policy of runs with an empty cache, which compile two components.
const SMALL: &str = "[tools]\nallow = [\"sh\", \"coreutils\"]\n";

/// Whether this process is a helper, which has then done its task.
pub(crate) fn is_helper() -> bool {
    let Ok(helper) = env::var(HELPER) else { return false };
    let words: Vec<String> = env::args().skip(1).collect();
    match helper.as_str() {
        "files" => files(&words),
        "network" => network(&words),
        "serves" => serving::serves(&words),
        "attempts" => attempts(&words),
        "no-memfd" => lacking::refusing(libc::SYS_memfd_create, libc::EPERM, &words),
        "no-landlock" => lacking::refusing(libc::SYS_landlock_create_ruleset, libc::ENOSYS, &words),
        "no-threads" => no_threads(&words),
        other => panic!("no helper is called {other}"),
    }
    true
}

pub(crate) fn trials() -> Vec<Trial> {
    let test = |name: &str, test: fn()| {
        Trial::test(format!("confine/{name}"), move || {
            test();
            Ok(())
        })
    };
    vec![
        test("a_run_is_confined_in_every_thread", a_run_is_confined_in_every_thread),
        test("files_programs_and_sockets_are_refused_but_those_that_were_asked_for", files_and_sockets),
        test("a_network_has_its_ports_and_names_and_accepts_no_connection", ports_and_names),
        test("a_listener_accepts_connections_if_that_was_asked_for", serving::connections),
        test("a_server_over_http_is_confined_and_answers", serving::a_server_answers),
        test("what_the_kernel_has_no_rules_for_is_refused_by_its_calls", calls_are_refused),
        test("a_write_mount_has_modes_and_times", modes_and_times),
        test("a_run_works_where_memfd_create_is_refused", memfd_is_refused),
        test("a_kernel_that_does_not_confine_wisp_is_said_where_that_matters", lacking::unconfined),
        test("any_user_runs_wisp_without_a_home_that_can_be_written", lacking::any_user),
        test("too_small_a_limit_is_said_in_a_line", too_small_limits),
        test("no_threads_are_said_in_a_line", threads_are_refused),
    ]
}

fn wisp() -> PathBuf {
    wisp_tests::wisp::binary().expect("the binary is built")
}

fn helper(name: &str, words: &[&str]) -> Output {
    let me = env::current_exe().expect("this test");
    Command::new(me).env(HELPER, name).args(words).stdin(Stdio::null()).output().expect("the helper starts")
}

/// The helper's results: a line `NAME WORD` each.
fn found(output: &Output) -> BTreeMap<String, String> {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().filter_map(|line| line.rsplit_once(' ')).map(|(name, word)| (name.to_owned(), word.to_owned())).collect()
}

/// In a helper: reports whether something was done, refused, or failed otherwise.
fn tell<T>(name: &str, done: io::Result<T>) {
    let word = match done {
        Ok(_) => "done".to_owned(),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => "refused".to_owned(),
        Err(error) => format!("{:?}", error.kind()),
    };
    println!("{name} {word}");
}

/// The helper's arguments: a folder to read, one to write, one for neither, a port with a listener.
fn files(words: &[String]) {
    let [read, write, neither, port] = words else { panic!("four words") };
    let confined = Confinement::new().read(read).write(write).enforce().expect("this process has one thread");
    println!("files {}", holds(&confined.files));
    println!("calls {}", confined.calls == Held::Fully);
    let file = |folder: &str| Path::new(folder).join("file");
    tell("read what is to be read", fs::read(file(read)));
    tell("write what is to be read", fs::write(file(read), "x"));
    tell("read what is to be written", fs::read(file(write)));
    tell("write what is to be written", fs::write(file(write), "x"));
    tell(
        "make a folder and a link",
        fs::create_dir(Path::new(write).join("a")).and_then(|()| fs::hard_link(file(write), Path::new(write).join("a/b"))),
    );
    tell("remove what is to be written", fs::remove_file(file(write)));
    tell("read another file", fs::read(file(neither)));
    tell("write another file", fs::write(file(neither), "x"));
    tell("read a file of the system", fs::read("/etc/passwd"));
    tell("start a program", Command::new("/bin/true").status());
    tell("connect", TcpStream::connect(("127.0.0.1", port.parse().expect("a port"))));
    tell("make a pair of sockets", UnixStream::pair());
    // A thread can be created, and has no more rights.
    let (file, port) = (file(neither), port.clone());
    let thread = std::thread::Builder::new().spawn(move || {
        tell("read another file in a thread", fs::read(file));
        tell("connect in a thread", TcpStream::connect(("127.0.0.1", port.parse().expect("a port"))));
    });
    tell("make a thread", thread.map(|thread| thread.join().is_ok()));
}

fn holds(held: &Held) -> bool {
    matches!(held, Held::Fully | Held::Partly)
}

fn files_and_sockets() {
    let folders: Vec<_> = (0..3).map(|_| tempfile::tempdir().expect("a folder")).collect();
    for folder in &folders {
        fs::write(folder.path().join("file"), "text").expect("a file");
    }
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its address").port().to_string();
    let mut words: Vec<&str> = folders.iter().map(|folder| folder.path().to_str().expect("a name")).collect();
    words.push(&port);
    let found = found(&helper("files", &words));
    let offered = offered();
    assert_eq!((found["files"].as_str(), found["calls"].as_str()), (word(offered.files), word(offered.calls)));
    let by_files = |name: &str| {
        if offered.files {
            assert_eq!(found[name], "refused", "{name}");
        }
    };
    let by_calls = |name: &str| {
        if offered.calls {
            assert_eq!(found[name], "refused", "{name}");
        }
    };
    for name in [
        "read what is to be read",
        "read what is to be written",
        "write what is to be written",
        "make a folder and a link",
        "remove what is to be written",
        "make a pair of sockets",
        "make a thread",
    ] {
        assert_eq!(found[name], "done", "{name}");
    }
    ["write what is to be read", "read another file", "write another file", "read a file of the system", "read another file in a thread"]
        .into_iter()
        .for_each(by_files);
    ["start a program", "connect", "connect in a thread"].into_iter().for_each(by_calls);
}

fn word(so: bool) -> &'static str {
    if so { "true" } else { "false" }
}

/// Makes a system call. Its arguments are numbers, and addresses of what lives until it returns.
fn call(number: i64, arguments: [usize; 5]) -> io::Result<usize> {
    let [first, second, third, fourth, fifth] = arguments;
    // SAFETY: the callers below pass descriptors, numbers, and addresses of values that they own.
    let result = unsafe { libc::syscall(number, first, second, third, fourth, fifth) };
    usize::try_from(result).map_err(|_| io::Error::last_os_error())
}

fn socket(family: i32, kind: i32, protocol: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes numbers, and returns a new descriptor or -1.
    match unsafe { libc::socket(family, kind, protocol) } {
        -1 => Err(io::Error::last_os_error()),
        // SAFETY: the descriptor was just made and is nowhere else.
        made => Ok(unsafe { OwnedFd::from_raw_fd(made) }),
    }
}

/// The helper's arguments: a folder to write, a file of the user for neither, whether attributes are asked for.
fn attempts(words: &[String]) {
    let [folder, victim, attributes] = words else { panic!("three words") };
    let open = fs::File::open(victim).expect("it is there");
    let confinement = Confinement::new().write(folder);
    let confinement = if attributes == "true" { confinement.attributes() } else { confinement };
    confinement.enforce().expect("this process has one thread");
    let path = std::ffi::CString::new(victim.as_str()).expect("a name");
    let (name, file) = (path.as_ptr() as usize, open.as_raw_fd() as usize);
    let (parent, me) = (std::os::unix::process::parent_id() as usize, std::process::id() as usize);
    let (mut pair, processors) = ([0_i32; 2], [1_u64]);
    let attribute = c"user.x".as_ptr() as usize;
    let here = libc::AT_FDCWD as usize;

    // Attributes.
    tell("mode by name", fs::set_permissions(victim, fs::Permissions::from_mode(0o604)));
    tell("mode of an open file", open.set_permissions(fs::Permissions::from_mode(0o604)));
    tell("times by name", call(libc::SYS_utimensat, [here, name, 0, 0, 0]));

    // Refused always.
    tell("owner by name", chown(victim, Some(1), Some(1)));
    tell("owner of a link", lchown(victim, Some(1), Some(1)));
    tell("owner of an open file", fchown(&open, Some(1), Some(1)));
    tell("extended attribute", call(libc::SYS_setxattr, [name, attribute, attribute, 1, 0]));
    tell("extended attribute of an open file", call(libc::SYS_fsetxattr, [file, attribute, attribute, 1, 0]));
    tell("no extended attribute", call(libc::SYS_removexattr, [name, attribute, 0, 0, 0]));
    tell("signal", call(libc::SYS_tgkill, [parent, parent, 0, 0, 0]));
    tell("signal to a thread", call(libc::SYS_tkill, [parent, 0, 0, 0, 0]));
    tell("signals of a file", call(libc::SYS_fcntl, [file, libc::F_SETOWN as usize, parent, 0, 0]));
    tell("limit", call(libc::SYS_prlimit64, [parent, libc::RLIMIT_CPU as usize, 0, 0, 0]));
    tell("priority", call(libc::SYS_setpriority, [libc::PRIO_PROCESS as usize, parent, 1, 0, 0]));
    tell("priority of a user", call(libc::SYS_setpriority, [libc::PRIO_USER as usize, 0, 1, 0, 0]));
    tell("processors", call(libc::SYS_sched_setaffinity, [parent, 8, processors.as_ptr() as usize, 0, 0]));
    tell("scheduler", call(libc::SYS_sched_setscheduler, [parent, 0, processors.as_ptr() as usize, 0, 0]));
    tell("priority of disks", call(libc::SYS_ioprio_set, [1, parent, 0, 0, 0]));
    tell("shared memory", call(libc::SYS_shmget, [libc::IPC_PRIVATE as usize, 4096, 0o1600, 0, 0]));
    tell("semaphores", call(libc::SYS_semget, [libc::IPC_PRIVATE as usize, 1, 0o1600, 0, 0]));
    tell("messages", call(libc::SYS_msgget, [libc::IPC_PRIVATE as usize, 0o1600, 0, 0, 0]));
    tell("queue", call(libc::SYS_mq_open, [attribute, 0o102, 0o600, 0, 0]));
    tell("watch", call(libc::SYS_inotify_init1, [0; 5]));
    tell("pair of datagrams", UnixDatagram::pair());
    let packets = [libc::AF_UNIX as usize, libc::SOCK_SEQPACKET as usize, 0, pair.as_mut_ptr() as usize, 0];
    tell("pair of packets", call(libc::SYS_socketpair, packets));

    // Allowed always.
    tell("times of an open file", open.set_modified(SystemTime::now()));
    tell("own signal", call(libc::SYS_tgkill, [me, me, 0, 0, 0]));
    tell("own limit", call(libc::SYS_prlimit64, [0, libc::RLIMIT_CPU as usize, 0, 0, 0]));
    tell("own priority", call(libc::SYS_setpriority, [libc::PRIO_PROCESS as usize, 0, 1, 0, 0]));
    let mut mask = [0_u64; 128];
    tell("own processors, read", call(libc::SYS_sched_getaffinity, [0, 1024, mask.as_mut_ptr() as usize, 0, 0]));
    tell("own processors", call(libc::SYS_sched_setaffinity, [0, 1024, mask.as_ptr() as usize, 0, 0]));
    tell("pair of streams", UnixStream::pair());
}

fn calls_are_refused() {
    if !offered().calls {
        return;
    }
    let folders: Vec<_> = (0..2).map(|_| tempfile::tempdir().expect("a folder")).collect();
    let victim = folders[1].path().join("file");
    fs::write(&victim, "text").expect("a file");
    fs::set_permissions(&victim, fs::Permissions::from_mode(0o640)).expect("its mode");
    let before = fs::metadata(&victim).expect("it is there");
    let found = |attributes: bool| {
        let words = [folders[0].path().to_str().expect("a name"), victim.to_str().expect("a name"), word(attributes)];
        found(&helper("attempts", &words))
    };
    let (without, with) = (found(false), found(true));
    let attributes = ["mode by name", "mode of an open file", "times by name"];
    let allowed =
        ["times of an open file", "own signal", "own limit", "own priority", "own processors, read", "own processors", "pair of streams"];
    assert_eq!(without.len(), 32);
    for (name, said) in &without {
        let allowed = allowed.contains(&name.as_str());
        assert_eq!(said, if allowed { "done" } else { "refused" }, "{name}");
        assert_eq!(with[name], if allowed || attributes.contains(&name.as_str()) { "done" } else { "refused" }, "{name}");
    }
    let after = fs::metadata(&victim).expect("it is there");
    assert_eq!((after.mode() & 0o777, after.uid(), after.gid()), (0o604, before.uid(), before.gid()));
}

fn modes_and_times() {
    let folder = tempfile::tempdir().expect("a folder");
    let (policy, mount) = (folder.path().join("p.toml"), folder.path().join("mount"));
    fs::create_dir(&mount).expect("a folder");
    let run = |access: &str, script: &str| {
        let text = format!("{SMALL}[[filesystem.mount]]\nhost = {mount:?}\nguest = \"/mnt/m\"\naccess = \"{access}\"\n");
        fs::write(&policy, text).expect("a policy");
        let mut command = Command::new(wisp());
        command.args(["run", "--policy"]).arg(&policy).args(["--", "sh", "-ec", script]).stdin(Stdio::null());
        command.output().expect("wisp starts")
    };
    let script = "cd /mnt/m; echo x > f; mkdir d; chmod 000 f; chmod 640 f; chmod 750 d; touch -t 200001020304 f d; ln -s f l; touch -h -t 200001020304 l; cp -p f g";
    let output = run("write", script);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let year_2001 = SystemTime::UNIX_EPOCH + Duration::from_secs(978_307_200);
    for (name, mode) in [("f", 0o640), ("g", 0o640), ("d", 0o750)] {
        let facts = fs::metadata(mount.join(name)).expect("it is there");
        assert!(facts.mode() & 0o777 == mode && facts.modified().expect("a time") < year_2001, "{name}: {facts:?}");
    }
    assert!(fs::symlink_metadata(mount.join("l")).expect("it is there").modified().expect("a time") < year_2001);
    for script in ["chmod 600 /mnt/m/f", "touch -t 201001020304 /mnt/m/f"] {
        assert_ne!(run("read", script).status.code(), Some(0), "{script}");
    }
    let facts = fs::metadata(mount.join("f")).expect("it is there");
    assert!(facts.mode() & 0o777 == 0o640 && facts.modified().expect("a time") < year_2001);
}

/// The helper's arguments: a port that may be connected to, one that must not, a port for datagrams, the name of a socket
/// of the machine.
fn network(words: &[String]) {
    let ports: Vec<u16> = words[..3].iter().map(|word| word.parse().expect("a port")).collect();
    let confined = Confinement::new().connect(ports[0]).enforce().expect("this process has one thread");
    println!("files {}", confined.files == Held::Fully);
    let stream = TcpStream::connect(("127.0.0.1", ports[0]));
    let file = stream.as_ref().map_or(0, |stream| stream.as_raw_fd() as usize);
    tell("send", call(libc::SYS_sendto, [file, c"x".as_ptr() as usize, 1, libc::MSG_NOSIGNAL as usize, 0]));
    let layer = [file, libc::IPPROTO_TCP as usize, libc::TCP_ULP as usize, c"smc".as_ptr() as usize, 3];
    tell("another layer", call(libc::SYS_setsockopt, layer));
    tell("connect", stream);
    tell("connect elsewhere", TcpStream::connect(("127.0.0.1", ports[1])));
    tell("look up a name", ("localhost", 80).to_socket_addrs());
    tell("send a datagram", UdpSocket::bind("127.0.0.1:0").and_then(|from| from.send_to(b"x", ("127.0.0.1", ports[2]))));
    tell("serve", TcpListener::bind("127.0.0.1:0"));
    tell("start a program", Command::new("/bin/true").status());
    tell("connect to a service of the machine", UnixStream::connect(&words[3]));
    let (internet, stream, datagram) = (libc::AF_INET, libc::SOCK_STREAM, libc::SOCK_DGRAM);
    tell("a socket for TCP", socket(internet, stream | libc::SOCK_CLOEXEC, libc::IPPROTO_TCP));
    tell("a socket for UDP", socket(internet, datagram | libc::SOCK_NONBLOCK, libc::IPPROTO_UDP));
    tell("routes", socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_ROUTE));
    tell("records", socket(libc::AF_NETLINK, libc::SOCK_RAW, libc::NETLINK_AUDIT));
    tell("raw", socket(internet, libc::SOCK_RAW, libc::IPPROTO_ICMP));
    tell("ping", socket(internet, datagram, libc::IPPROTO_ICMP));
    tell("several paths", socket(internet, stream, libc::IPPROTO_MPTCP));
    tell("light datagrams", socket(internet, datagram, libc::IPPROTO_UDPLITE));
    tell("messages", socket(internet, libc::SOCK_SEQPACKET, libc::IPPROTO_SCTP));
    // The first data may connect. The kernel's form of 127.0.0.1 and a port: family, port, address.
    let mut address = [0_u8; 16];
    address[..2].copy_from_slice(&(libc::AF_INET as u16).to_ne_bytes());
    address[2..8].copy_from_slice(&[ports[1].to_be_bytes().as_slice(), &[127, 0, 0, 1]].concat());
    let fresh = socket(internet, stream, 0);
    let file = fresh.as_ref().map_or(0, |socket| socket.as_raw_fd() as usize);
    let data = c"x".as_ptr() as usize;
    // SAFETY: the address and the data live until the call returns, and their lengths are right.
    let sent = unsafe { libc::syscall(libc::SYS_sendto, file, data, 1_usize, libc::MSG_FASTOPEN, address.as_ptr(), 16_usize) };
    tell("data that connects", usize::try_from(sent).map_err(|_| io::Error::last_os_error()));
    tell("a message that connects", call(libc::SYS_sendmsg, [file, 0, libc::MSG_FASTOPEN as usize, 0, 0]));
    tell("messages that connect", call(libc::SYS_sendmmsg, [file, 0, 0, libc::MSG_FASTOPEN as usize, 0]));
    tell("no messages", call(libc::SYS_sendmmsg, [file, 0, 0, 0, 0]));
}

fn ports_and_names() {
    let folder = tempfile::tempdir().expect("a folder");
    let service = folder.path().join("socket");
    let listening = UnixListener::bind(&service).expect("a socket");
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let ports = listeners.each_ref().map(|listener| listener.local_addr().expect("its address").port().to_string());
    let datagrams = UdpSocket::bind("127.0.0.1:0").expect("a port");
    let datagram = datagrams.local_addr().expect("its address").port().to_string();
    let found = found(&helper("network", &[&ports[0], &ports[1], &datagram, service.to_str().expect("a name")]));
    for name in ["connect", "send", "look up a name", "send a datagram", "a socket for TCP", "a socket for UDP", "no messages"] {
        assert_eq!(found[name], "done", "{name}");
    }
    assert_eq!(datagrams.recv(&mut [0; 10]).expect("it came"), 1);
    if offered().calls {
        for name in [
            "serve",
            "start a program",
            "another layer",
            "connect to a service of the machine",
            "routes",
            "records",
            "raw",
            "ping",
            "several paths",
            "light datagrams",
            "messages",
            "data that connects",
            "a message that connects",
            "messages that connect",
        ] {
            assert_eq!(found[name], "refused", "{name}");
        }
        listening.set_nonblocking(true).expect("a listener");
        assert!(listening.accept().is_err(), "nobody has connected to it");
    }
    // Landlock's ports are newer than its files (Linux 6.7).
    if found["files"] == "true" {
        assert_eq!(found["connect elsewhere"], "refused");
        listeners[1].set_nonblocking(true).expect("a listener");
        assert!(listeners[1].accept().is_err(), "nobody has connected to it");
    }
}

/// `Seccomp:` and `NoNewPrivs:` of each thread.
fn held(process: u32) -> Vec<(String, String)> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("its threads");
    let fact = |status: &str, name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.trim().to_owned()
    };
    // A thread may end meanwhile.
    let statuses = tasks.filter_map(|task| fs::read_to_string(task.ok()?.path().join("status")).ok());
    statuses.map(|status| (fact(&status, "Seccomp:"), fact(&status, "NoNewPrivs:"))).collect()
}

fn a_run_is_confined_in_every_thread() {
    let own = held(std::process::id())[0].clone();
    let confined = if offered().calls { ("2".to_owned(), "1".to_owned()) } else { own.clone() };
    for (options, expected) in [(&[] as &[&str], confined), (&["--no-confine"], own)] {
        let mut child = Command::new(wisp())
            .arg("run")
            .args(options)
            .args(["--", "sh", "-c", "echo ready; cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("wisp starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it was piped")).lines();
        assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("ready"));
        let held = held(child.id());
        assert!(held.len() > 1 && held.iter().all(|thread| *thread == expected), "{options:?}: {held:?}, not {expected:?}");
        child.stdin.take().expect("it was piped").write_all(b"bye\n").expect("wisp reads");
        assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("bye"));
        assert!(child.wait().expect("wisp ends").success());
    }
}

fn memfd_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let policy = folder.path().join("p.toml");
    fs::write(&policy, SMALL).expect("a policy");
    let run = |cache: Option<&Path>| {
        let mut command = Command::new(env::current_exe().expect("this test"));
        command.env(HELPER, "no-memfd").env_remove("HOME").env_remove("XDG_CACHE_HOME");
        command.envs(cache.map(|cache| ("XDG_CACHE_HOME", cache)));
        command.args(["run", "--policy"]).arg(&policy).args(["--", "sh", "-c", "echo hi | wc -c"]).stdin(Stdio::null());
        command.output().expect("the helper starts")
    };
    // Without a cache, with an empty one, and with a filled one.
    for cache in [None, Some(folder.path()), Some(folder.path())] {
        let output = run(cache);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(0), &b"3\n"[..]), "{cache:?}: {said}");
    }
}

fn too_small_limits() {
    for (limit, part) in [("-n 12", "`ulimit -n`"), ("-v 4000000", "`ulimit -v`")] {
        let script = format!("ulimit {limit} && exec \"$0\" run -- sh -c 'echo hi | wc -c'");
        let output = Command::new("sh").args(["-c", &script]).arg(wisp()).stdin(Stdio::null()).output().expect("sh starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said.lines().count(), output.stdout.len()), (Some(125), 1, 0), "{limit}: {said}");
        assert!(said.starts_with("wisp: ") && said.contains(part), "{said}");
    }
    // The file limit of a small machine is enough.
    let script = "ulimit -n 64 && exec \"$0\" run -- sh -c 'echo hi | wc -c'";
    let output = Command::new("sh").args(["-c", script]).arg(wisp()).stdin(Stdio::null()).output().expect("sh starts");
    assert_eq!((output.status.code(), output.stdout), (Some(0), b"3\n".to_vec()), "{}", String::from_utf8_lossy(&output.stderr));
}

/// Runs `wisp run` (the second word; the first is its folder) as a user who may not create more threads.
fn no_threads(words: &[String]) {
    let mut command = Command::new(&words[0]);
    command.env_remove(HELPER).env_remove("HOME").env_remove("XDG_CACHE_HOME").args(&words[1..]);
    let none = libc::rlimit { rlim_cur: 1, rlim_max: 1 };
    // SAFETY: the calls take plain numbers and a structure that lives; nothing else runs in this process.
    unsafe {
        // The limit does not apply to root.
        if libc::geteuid() == 0 {
            assert_eq!(libc::setgid(65_534), 0);
            assert_eq!(libc::setuid(65_534), 0);
        }
        assert_eq!(libc::setrlimit(libc::RLIMIT_NPROC, &none), 0);
    }
    panic!("{}", command.exec());
}

fn threads_are_refused() {
    // A folder in which any user may start it.
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
    for (from, name) in [(wisp(), "wisp"), (env::current_exe().expect("this test"), "helper")] {
        fs::copy(from, folder.path().join(name)).expect("a copy");
    }
    let output = Command::new(folder.path().join("helper"))
        .env(HELPER, "no-threads")
        .arg(folder.path().join("wisp"))
        .args(["run", "--", "true"])
        .stdin(Stdio::null())
        .current_dir("/")
        .output()
        .expect("the helper starts");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), said.lines().count()), (Some(125), 1), "{said}");
    assert!(said.starts_with("wisp: ") && said.contains("`ulimit -u`"), "{said}");
}
