//! Sessions that a helper keeps open: `wisp run --resident`.

mod ends;
mod servers;

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::process::{Child, Stdio};

use wisp_tests::kept::{Ran, State};

/// A folder of sessions, whose helpers end with it.
struct Sessions(State);

impl Sessions {
    fn new() -> Self {
        wisp_tests::wisp::prepared().expect("the binary is built");
        Self(State::new(&[]))
    }

    /// `wisp run` with these options, in the session `s`.
    fn run(&self, options: &[&str], command: &[&str]) -> Ran {
        self.0.wisp(&[&["run", "--session", "s"], options, &["--"], command].concat())
    }

    /// The output of a command that a helper runs, and that must succeed without a message.
    fn resident(&self, command: &[&str]) -> String {
        let ran = self.run(&["--resident"], command);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{command:?}");
        ran.out
    }

    /// The process of the helper of a session.
    fn helper(&self, session: &str) -> Option<i32> {
        let listed = self.0.wisp(&["session", "list", "--json"]).out;
        let listed: serde_json::Value = serde_json::from_str(&listed).ok()?;
        let found = listed.as_array()?.iter().find(|found| found["name"] == session)?;
        i32::try_from(found["helper"]["process"].as_i64()?).ok()
    }

    /// Sends a signal to the helper of `s`, and waits for its end.
    fn end(&self, signal: i32) {
        let process = self.helper("s").expect("a helper runs");
        let ended = Ended::of(process);
        // SAFETY: plain numbers.
        assert_eq!(unsafe { libc::kill(process, signal) }, 0);
        ended.wait();
    }
}

impl Drop for Sessions {
    fn drop(&mut self) {
        let listed = self.0.wisp(&["session", "list", "--json"]).out;
        let listed: Vec<serde_json::Value> = serde_json::from_str(&listed).unwrap_or_default();
        for process in listed.iter().filter_map(|found| i32::try_from(found["helper"]["process"].as_i64()?).ok()) {
            let ended = Ended::of(process);
            // SAFETY: plain numbers.
            unsafe { libc::kill(process, libc::SIGKILL) };
            // A second panic would hide the first.
            let _ = ended.comes();
        }
    }
}

/// A process, whose end can be waited for by others than its parent.
struct Ended(libc::c_int);

impl Ended {
    fn of(process: i32) -> Self {
        // SAFETY: plain numbers. Of a process that is gone there is no descriptor.
        Self(unsafe { libc::syscall(libc::SYS_pidfd_open, process, 0) } as libc::c_int)
    }

    fn wait(self) {
        assert!(self.comes(), "the helper did not end");
    }

    /// Whether it comes, within a minute.
    fn comes(&self) -> bool {
        let mut asked = libc::pollfd { fd: self.0, events: libc::POLLIN, revents: 0 };
        // SAFETY: one structure, which lives until the call returns. A descriptor below 0 is passed over.
        let found = unsafe { libc::poll(&raw mut asked, 1, if self.0 < 0 { 0 } else { 60_000 }) };
        self.0 < 0 || found == 1
    }
}

/// What a run came to, for comparison.
fn result(ran: Ran) -> (Option<i32>, String, String) {
    (ran.code, ran.out, ran.err)
}

#[test]
fn a_command_has_the_same_results_with_a_helper_and_without() {
    let (without, with) = (Sessions::new(), Sessions::new());
    for sessions in [&without, &with] {
        fs::write(sessions.0.path().join("input"), "one\ntwo\n").expect("a file");
    }
    let python = |code: &'static str| vec!["python3", "-c", code];
    let sh = |code: &'static str| vec!["sh", "-c", code];
    for (options, command) in [
        (vec![], sh("cd /tmp; n=41; echo out; echo err >&2; exit 3")),
        (vec![], sh("pwd; echo $((n + 1))")),
        (vec![], python("import sys; y = 1; print('a'); print('b', file=sys.stderr)")),
        (vec![], python("y += 1; print(y); raise SystemExit(7)")),
        (vec![], python("1 / 0")),
        (vec![], python("input()")),
        (vec![], vec!["python3", "-c", "import sys; print(sys.argv)", "x"]),
        (vec![], vec!["no-such-program"]),
        (vec![], vec!["ls", "/nowhere"]),
        (vec!["--workdir", "/nowhere"], vec!["ls"]),
        (vec!["--workdir", "/tmp"], vec!["pwd"]),
        (vec![], vec!["curl", "-sS", "https://example.com/"]),
        (vec![], sh("echo x > /usr/bin/x")),
        (vec!["--timeout", "300ms"], sh("echo begun; while :; do :; done")),
        (vec!["--timeout", "nonsense"], sh("true")),
        (vec!["--policy", "minimal"], sh("true")),
        (vec![], python("import threading; threading.Thread(target=threading.Event().wait, name='worker').start()")),
        (vec!["--timeout", "300ms"], python("open('/tmp/kept', 'w').write('yes')\nwhile True: pass")),
        (vec![], python("print('y' in globals(), open('/tmp/kept').read())")),
        (vec!["--output", "results", "--force"], sh("echo result > /output/r; echo more; exit 4")),
        (vec!["--output", "results"], sh("echo again > /output/r")),
    ] {
        let expected = result(without.run(&options, &command));
        let found = result(with.run(&[&["--resident"][..], &options[..]].concat(), &command));
        assert_eq!(found, expected, "{options:?} {command:?}");
        let results = |sessions: &Sessions| fs::read_to_string(sessions.0.path().join("results/r")).ok();
        assert_eq!(results(&with), results(&without));
    }
    assert_eq!(fs::read_to_string(with.0.path().join("results/r")).ok().as_deref(), Some("result\n"));
    assert!(with.helper("s").is_some() && without.helper("s").is_none());
}

#[test]
fn a_limit_of_the_policy_ends_a_command_of_a_helper() {
    let (without, with) = (Sessions::new(), Sessions::new());
    for (limit, command) in [("limits.stdout=1KiB", "yes"), ("limits.cpu=300ms", "while :; do :; done")] {
        let run = |sessions: &Sessions, options: &[&str]| {
            let command = [&["run", "--session", &limit[7..10], "--set", limit], options, &["--", "sh", "-c", command]].concat();
            result(sessions.0.wisp(&command))
        };
        let expected = run(&without, &[]);
        assert!(expected.0 == Some(137) && expected.2.contains("(set by command line)"), "{expected:?}");
        assert_eq!(run(&with, &["--resident"]), expected);
    }
}

#[test]
fn input_output_and_files_of_lines_pass_through_a_helper() {
    let sessions = Sessions::new();
    let mut child = sessions
        .0
        .command(&["run", "--resident", "--session", "s", "--", "sh", "-c", "echo ready; wc -c; echo done >&2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("wisp starts");
    let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("the output streams");
    assert_eq!(line, "ready\n");
    let mut stdin = child.stdin.take().expect("it was piped");
    stdin.write_all(&vec![b'x'; 1_000_000]).expect("the input is read");
    drop(stdin);
    let ended = child.wait_with_output().expect("wisp ends");
    let mut rest = String::new();
    out.read_to_string(&mut rest).expect("text");
    assert_eq!((ended.status.code(), rest.trim(), ended.stderr.as_slice()), (Some(0), "1000000", b"done\n".as_slice()));
    // More than a piece, to both streams, in one document.
    let ran = sessions.run(&["--resident", "--json"], &["sh", "-c", "seq 100000; seq 50000 >&2; echo r > /output/r"]);
    let document: serde_json::Value = serde_json::from_str(&ran.out).expect("JSON");
    let lengths = [&document["stdout"], &document["stderr"]].map(|text| text.as_str().map(str::len));
    assert_eq!(lengths, [Some(588_895), Some(288_894)]);
    assert!(document["files"][0]["data"].is_null() && document["exit_code"] == 0, "{}", document["files"]);
    let ran = sessions.run(&["--resident", "--receipts", "receipts", "--events", "events"], &["cat", "/output/r"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "r\n"), "{}", ran.err);
    let lines = |file: &str| -> Vec<serde_json::Value> {
        let text = fs::read_to_string(sessions.0.path().join(file)).expect("the file was written");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    };
    assert!(lines("receipts").iter().any(|receipt| receipt["kind"] == "spawn"), "{:?}", lines("receipts"));
    let events = lines("events");
    let (first, last) = (events.first().expect("an event"), events.last().expect("an event"));
    assert_eq!((&first["event"], &last["event"], &last["exit_code"]), (&"start".into(), &"end".into(), &0.into()));
}

#[test]
fn nobody_reads_the_output_and_the_command_notices_it() {
    let sessions = Sessions::new();
    let mut child = sessions
        .0
        .command(&["run", "--resident", "--session", "s", "--", "yes"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("wisp starts");
    let mut out = BufReader::new(child.stdout.take().expect("it was piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("the output streams");
    drop(out);
    assert_eq!((line.as_str(), child.wait().expect("wisp ends").code()), ("y\n", Some(141)));
    assert_eq!(sessions.resident(&["echo", "on"]), "on\n");
}

#[test]
fn an_output_that_cannot_be_written_is_no_success() {
    let sessions = Sessions::new();
    let run = |output: &str, command: &str| {
        let output = fs::File::options().write(true).open(output).expect("a device");
        let words = ["run", "--resident", "--session", "s", "--", "sh", "-c", command];
        let ran = sessions.0.command(&words).stdout(output).output().expect("wisp runs");
        (ran.status.code(), String::from_utf8_lossy(&ran.stderr).into_owned())
    };
    for command in ["echo x", "echo x; exit 3"] {
        let (code, said) = run("/dev/full", command);
        assert!(code == Some(125) && said.contains("could not be written: No space left"), "{command}: {said}");
    }
    assert_eq!(run("/dev/null", "echo x"), (Some(0), String::new()));
}

#[test]
fn calls_share_a_helper_and_other_sessions_have_their_own() {
    let sessions = Sessions::new();
    sessions.resident(&["python3", "-c", "x = [1]; file = open('/tmp/f', 'w')"]);
    let helper = sessions.helper("s");
    assert!(helper.is_some());
    assert_eq!(sessions.resident(&["python3", "-c", "x.append(2); print(x, file.closed)"]), "[1, 2] False\n");
    assert_eq!(sessions.helper("s"), helper);
    let ran = sessions.0.wisp(&["run", "--resident", "--session", "other", "--policy", "minimal", "--", "sh", "-c", "ls /tmp"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{}", ran.err);
    let other = sessions.helper("other");
    assert!(other.is_some() && other != helper);
    let listed = sessions.0.wisp(&["session", "list"]).out;
    assert_eq!(listed.matches("; open for ").count(), 2, "{listed}");
    let report = sessions.0.wisp(&["doctor"]).out;
    let line = report.lines().find(|line| line.contains(" helpers ")).expect("a line about helpers");
    assert!(
        line.contains("2, one for each session: `other` for ") && line.contains(&format!("(process {})", helper.unwrap_or(0))),
        "{line}"
    );
}

#[test]
fn the_socket_is_private_and_a_folder_that_is_not_is_refused() {
    let sessions = Sessions::new();
    sessions.resident(&["true"]);
    let folder = sessions.0.path().join("state/wisp/sessions/s");
    let socket = fs::symlink_metadata(folder.join("resident.sock")).expect("the socket");
    assert!(socket.file_type().is_socket() && socket.permissions().mode() & 0o077 == 0);
    let mode = |mode| fs::set_permissions(&folder, fs::Permissions::from_mode(mode)).expect("the mode changes");
    mode(0o755);
    let ran = sessions.run(&["--resident"], &["true"]);
    assert!(ran.code == Some(2) && ran.err.contains("chmod 700"), "{}", ran.err);
    mode(0o700);
    sessions.resident(&["true"]);
    // Another file in its place is not taken for a helper.
    fs::rename(folder.join("resident.sock"), folder.join("moved")).expect("it is renamed");
    std::os::unix::fs::symlink("moved", folder.join("resident.sock")).expect("a link");
    let ran = sessions.run(&["--resident"], &["true"]);
    assert!(ran.code == Some(2) && ran.err.contains("is not a socket"), "{}", ran.err);
    fs::rename(folder.join("moved"), folder.join("resident.sock")).expect("it is renamed");
    sessions.resident(&["true"]);
}

#[test]
fn both_processes_are_confined() {
    let sessions = Sessions::new();
    let confined = |options: &[&str]| {
        let words = [&["run", "--resident", "--session", "s"], options, &["--", "true"]].concat();
        let output = sessions.0.command(&words).env("WISP_LOG", "debug").output().expect("wisp runs");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8_lossy(&output.stderr).matches("the process is confined").count()
    };
    // The first starts the helper.
    assert_eq!([confined(&[]), confined(&[])], [2, 1]);
    // Another one, which is not.
    assert_eq!(confined(&["--no-confine"]), 0);
}

#[test]
fn first_calls_at_the_same_time_start_one_helper() {
    let sessions = Sessions::new();
    let calls = || {
        sessions
            .0
            .command(&["run", "--resident", "--session", "s", "--", "echo", "on"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
    };
    let all: Vec<Child> = (0..4).map(|_| calls().expect("wisp starts")).collect();
    let ended: Vec<_> = all.into_iter().map(|child| child.wait_with_output().expect("wisp ends")).collect();
    let ran = ended.iter().filter(|output| output.status.code() == Some(0) && output.stdout == b"on\n").count();
    // One command at a time; the others wait for their turn.
    assert_eq!(ran, ended.len(), "{ended:?}");
    assert!(sessions.helper("s").is_some());
    assert_eq!(sessions.resident(&["echo", "on"]), "on\n");
}

#[test]
fn what_a_helper_cannot_do_is_refused_with_what_to_do() {
    let sessions = Sessions::new();
    let run = |words: &[&str], variable: Option<&str>| {
        let mut command = sessions.0.command(&[&["run"], words, &["--", "echo", "on"]].concat());
        let output = variable.into_iter().fold(&mut command, |command, value| command.env("WISP_RESIDENT", value)).output();
        let output = output.expect("wisp runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for (words, variable, said) in [
        (&["--resident"] as &[&str], None, "--session NAME"),
        (&["--resident", "--session", "s", "--record-functions", "f"], None, "leave out --resident"),
        (&["--resident", "--session", "s", "-it"], None, "has no terminal"),
        (&["--resident", "--session", "s", "--set", "determinism.seed=7"], None, "leave out --resident"),
        (&["--resident=soon", "--session", "s"], None, "such as 10m"),
        (&["--resident=0s", "--session", "s"], None, "such as 10m"),
        (&["--session", "s"], Some("soon"), "WISP_RESIDENT=soon"),
        (&["--resident", "--session", "../s"], None, "a session cannot be called"),
        (&["--resident", "--session", "s", "--policy", "nowhere"], None, "there is no shipped policy `nowhere`"),
    ] {
        let (code, err) = run(words, variable);
        assert!(code == Some(2) && err.contains(said), "{words:?}: {err}");
    }
    assert_eq!(sessions.0.wisp(&["session", "list"]).out, "", "nothing is left of what did not start");
    // The variable stands for the option where there is a session.
    for (words, variable, helper) in [
        (&[] as &[&str], "1", false),
        (&["--session", "s"], "0", false),
        (&["--session", "s"], "", false),
        (&["--session", "s"], "1", true),
        (&["--session", "s"], "2m", true),
    ] {
        let (code, err) = run(words, Some(variable));
        assert_eq!((code, err.as_str(), sessions.helper("s").is_some()), (Some(0), "", helper), "{words:?} {variable}");
    }
    let (code, err) = run(&["--resident", "--session", "s", "--timeout", "5m"], None);
    assert!(code == Some(2) && err.contains("longer than limits.wall = 60s") && err.contains("leave out --resident"), "{err}");
    assert_eq!(run(&["--resident", "--session", "s", "--timeout", "59s"], None), (Some(0), String::new()));
}

#[test]
fn a_secret_with_another_value_is_not_that_of_the_session() {
    let sessions = Sessions::new();
    let policy = "extends = \"offline\"\n[network]\nallow = [{ url = \"https://api.example/\" }]\n[[network.secret]]\n\
                  host = \"api.example\"\nheader = \"Authorization\"\nvalue_from_env = \"TOKEN\"\n";
    fs::write(sessions.0.path().join("p.toml"), policy).expect("a file");
    let run = |token: &str, code: &str| {
        let words = ["run", "--resident", "--session", "s", "--policy", "./p.toml", "--", "python3", "-c", code];
        let output = sessions.0.command(&words).env("TOKEN", token).output().expect("wisp runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        result(Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) })
    };
    assert_eq!(run("the-first-secret", "x = 1"), (Some(0), String::new(), String::new()));
    let helper = sessions.helper("s");
    assert_eq!(run("the-first-secret", "x += 1"), (Some(0), String::new(), String::new()));
    assert_eq!(sessions.helper("s"), helper);
    // The session goes on, with the other value.
    assert_eq!(run("the-other-secret", "print(x)"), (Some(0), "2\n".to_owned(), String::new()));
    assert!(sessions.helper("s").is_some() && sessions.helper("s") != helper);
}
