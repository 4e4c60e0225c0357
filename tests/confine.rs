//! What the kernel refuses wisp itself, and what wisp does if the kernel or its limits refuse something.
//!
//! Confinement is permanent and applies to a whole process, which must have one thread. So the tests start this
//! program again as a helper (`HELPER` names its task).

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream, ToSocketAddrs};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{env, fs, io};

use libtest_mimic::{Arguments, Trial};
use wisp::confine::{Confinement, Held, offered};

/// Names the helper.
const HELPER: &str = "WISP_CONFINE_HELPER";

/// The policy of runs with an empty cache, which compile two components.
const SMALL: &str = "[tools]\nallow = [\"sh\", \"coreutils\"]\n";

fn main() {
    if let Ok(helper) = env::var(HELPER) {
        let words: Vec<String> = env::args().skip(1).collect();
        match helper.as_str() {
            "files" => files(&words),
            "network" => network(&words),
            "no-memfd" => no_memfd(&words),
            "no-threads" => no_threads(&words),
            other => panic!("no helper is called {other}"),
        }
        return;
    }
    let test = |name: &str, test: fn()| {
        Trial::test(name, move || {
            test();
            Ok(())
        })
    };
    let tests = vec![
        test("a_run_is_confined_in_every_thread", a_run_is_confined_in_every_thread),
        test("files_programs_and_sockets_are_refused_but_those_that_were_asked_for", files_and_sockets),
        test("a_network_has_its_ports_and_names_and_accepts_no_connection", ports_and_names),
        test("a_run_works_where_memfd_create_is_refused", memfd_is_refused),
        test("too_small_a_limit_is_said_in_a_line", too_small_limits),
        test("no_threads_are_said_in_a_line", threads_are_refused),
    ];
    libtest_mimic::run(&Arguments::from_args(), tests).exit();
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

/// The helper's arguments: a port that may be connected to, and one that must not.
fn network(words: &[String]) {
    let ports: Vec<u16> = words.iter().map(|word| word.parse().expect("a port")).collect();
    let confined = Confinement::new().connect(ports[0]).enforce().expect("this process has one thread");
    println!("files {}", confined.files == Held::Fully);
    tell("connect", TcpStream::connect(("127.0.0.1", ports[0])));
    tell("connect elsewhere", TcpStream::connect(("127.0.0.1", ports[1])));
    tell("look up a name", ("localhost", 80).to_socket_addrs());
    tell("serve", TcpListener::bind("127.0.0.1:0"));
    tell("start a program", Command::new("/bin/true").status());
}

fn ports_and_names() {
    let listeners = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").expect("a port"));
    let ports = listeners.each_ref().map(|listener| listener.local_addr().expect("its address").port().to_string());
    let found = found(&helper("network", &[&ports[0], &ports[1]]));
    assert_eq!((found["connect"].as_str(), found["look up a name"].as_str()), ("done", "done"));
    if offered().calls {
        assert_eq!((found["serve"].as_str(), found["start a program"].as_str()), ("refused", "refused"));
    }
    // Landlock's ports are newer than its files (Linux 6.7).
    if found["files"] == "true" {
        assert_eq!(found["connect elsewhere"], "refused");
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

/// Runs `wisp run` under a filter that refuses `memfd_create`, as in some containers.
fn no_memfd(words: &[String]) {
    use seccompiler::{BpfProgram, SeccompAction, SeccompFilter, TargetArch, apply_filter};
    let rules = BTreeMap::from([(libc::SYS_memfd_create, Vec::new())]);
    let processor = TargetArch::try_from(env::consts::ARCH).expect("a known processor");
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, SeccompAction::Errno(libc::EPERM as u32), processor).expect("a filter");
    apply_filter(&BpfProgram::try_from(filter).expect("a program")).expect("the kernel takes it");
    panic!("{}", Command::new(wisp()).env_remove(HELPER).args(words).exec());
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
    use std::os::unix::fs::PermissionsExt;
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
