//! Sessions on the command line: `wisp run --session`, `wisp session`.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};

use wisp_tests::kept::State;

#[test]
fn what_reads_and_removes_sessions_is_confined() {
    let state = State::new(&[]);
    state.run(&["sh", "-c", "echo kept > /tmp/note"]);
    let confined = |args: &[&str]| {
        let output = state.command(args).env("WISP_LOG", "debug").output().expect("wisp runs");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{args:?}: {said}");
        said.contains("the process is confined")
    };
    for (command, file) in [
        (&["session", "list"] as &[&str], None),
        (&["session", "diff", "s"], None),
        (&["session", "export", "s"], Some("tar")),
        (&["session", "rm", "s"], None),
    ] {
        // The twin first: a removed session is gone afterwards.
        for option in [&["--no-confine"] as &[&str], &[]] {
            let file = file.map(|ending| format!("{}.{ending}", option.len()));
            let words = [command, option, &file.iter().map(String::as_str).collect::<Vec<_>>()].concat();
            assert_eq!(confined(&words), option.is_empty(), "{words:?}");
            if command[1] == "rm" {
                state.run(&["sh", "-c", "echo kept > /tmp/note"]);
            }
        }
    }
    let sizes = ["0.tar", "1.tar"].map(|file| fs::metadata(state.path().join(file)).expect("it was exported").len());
    assert!(sizes[0] > 1024 && sizes[0] == sizes[1], "{sizes:?}");
}

#[test]
fn files_shell_and_interpreter_go_on() {
    let state = State::new(&[]);
    state.run(&["sh", "-c", "cd /tmp; n=41; f() { echo f$1; }; echo hi > note; echo out > /output/o.txt"]);
    assert_eq!(state.run(&["sh", "-c", "pwd; echo $((n + 1)); f 1; cat note"]), "/tmp\n42\nf1\nhi\n");
    state.run(&["python3", "-c", "x = 41\ndef g(): return x + 1\nopen('made', 'w').write('by python')"]);
    state.run(&["sh", "-c", "echo later > /home/user/made"]);
    // The interpreter continues, and sees the files as the last command left them.
    assert_eq!(state.run(&["python3", "-c", "print(g(), open('made').read().strip())"]), "42 later\n");
    assert_eq!(state.run(&["cat", "/tmp/note", "/output/o.txt"]), "hi\nout\n");
    // Outside the session nothing of it exists.
    let ran = state.wisp(&["run", "--", "sh", "-c", "cat /tmp/note; echo $n"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "\n"), "{}", ran.err);
    let ran = state.wisp(&["run", "--session", "other", "--", "sh", "-c", "ls /tmp; echo $n"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "\n"), "{}", ran.err);
}

#[test]
fn a_cell_that_fails_keeps_what_it_did_and_one_that_a_limit_ends_does_not_keep_the_interpreter() {
    let state = State::new(&[]);
    let session =
        |options: &[&str], code: &str| state.wisp(&[&["run", "--session", "s"], options, &["--", "python3", "-c", code]].concat());
    let ran = session(&[], "x = 1; raise SystemExit(3)");
    assert_eq!(ran.code, Some(3), "{}", ran.err);
    let ran = session(&[], "x += 1; 1 / 0");
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("ZeroDivisionError"), "{}", ran.err);
    assert_eq!(session(&[], "print(x)").out, "2\n");
    // The time limit applies only to this run: the session continues under its own policy.
    let ran = session(&["--timeout", "300ms"], "open('kept', 'w').write('yes')\nwhile True: pass");
    assert_eq!(ran.code, Some(124), "{}", ran.err);
    assert!(ran.err.contains("the interpreter of the session has ended"), "{}", ran.err);
    let ran = session(&[], "print('x' in globals(), open('kept').read())");
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "False yes\n"), "{}", ran.err);
}

#[test]
fn threads_end_with_their_run_which_names_them() {
    let state = State::new(&[]);
    let run = |code: &str| state.wisp(&["run", "--session", "s", "--", "python3", "-c", code]);
    let ran = run("import threading\nx = 1\nthreading.Thread(target=threading.Event().wait, name='worker').start()");
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert!(ran.err.contains("not kept: the thread worker, which ended with its evaluation"), "{}", ran.err);
    let ran = run("print(x, threading.active_count())");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (Some(0), "1 1\n", ""));
}

/// Names a file, a named pipe, a database, a program and a thread, each with this at the end.
const NAMES: &str = r#"
import os, sqlite3, subprocess, sys, threading
file = open("/tmp/f" + NAME, "w"); os.unlink("/tmp/f" + NAME)
os.mkfifo("/tmp/p" + NAME); pipe = open("/tmp/p" + NAME, "r+b", buffering=0)
database = sqlite3.connect("/tmp/d" + NAME)
database.execute("create table t(x)")
os.symlink("/usr/bin/python3", "/tmp/c" + NAME)
child = subprocess.Popen(["/tmp/c" + NAME, "-c", "import time; time.sleep(1000)"])
threading.Thread(target=threading.Event().wait, name="t" + NAME).start()
"#;

#[test]
fn what_a_guest_names_does_not_act_on_the_terminal_when_wisp_says_it() {
    // The clipboard, the title, an erased screen, the same with C1, and a mark that turns the text around.
    let evil = r#""\x1b]52;c;ZXZpbA==\x07\x1b]0;owned\x07\x1b[2J\u009b2J\u202e""#;
    for (name, shown) in
        [(evil, r"\u{1b}]52;c;ZXZpbA==\u{7}\u{1b}]0;owned\u{7}\u{1b}[2J\u{9b}2J\u{202e}"), (r#"" plain über""#, " plain über")]
    {
        let state = State::new(&[]);
        let ran = state.wisp(&["run", "--session", "s", "--", "python3", "-c", &format!("NAME = {name}{NAMES}")]);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let acts = |char: char| (char.is_control() && char != '\n') || char == '\u{202e}';
        assert!(!ran.err.contains(acts), "{:?}", ran.err);
        for (what, letter) in
            [("open file", "f"), ("open named pipe", "p"), ("open database", "d"), ("child process", "c"), ("thread", "t")]
        {
            let said =
                |line: &str| line.starts_with("wisp: not kept: the ") && line.contains(what) && line.contains(&format!("{letter}{shown}"));
            assert!(ran.err.lines().any(said), "{what}: {}", ran.err);
        }
    }
}

#[test]
fn a_session_keeps_its_policy() {
    let state = State::new(&[]);
    fs::create_dir(state.path().join("data")).expect("a folder");
    fs::write(state.path().join("data/a.txt"), "from the host\n").expect("a file");
    let grants = ["--mount", "data:/mnt/input", "--set", "limits.memory=64MiB"];
    let begin = [&["run", "--session", "s"], &grants[..], &["--", "sh", "-c", "cat /mnt/input/a.txt"]].concat();
    for _ in 0..2 {
        let ran = state.wisp(&begin);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "from the host\n"), "{}", ran.err);
    }
    assert_eq!(state.run(&["cat", "/mnt/input/a.txt"]), "from the host\n");
    let ran = state.wisp(&["run", "--session", "s", "--policy", "minimal", "--", "true"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("began under another policy (`offline`)") && ran.err.contains("wisp session rm s"), "{}", ran.err);
    // So no other mount is suggested, and one that it has is.
    fs::write(state.path().join("b.txt"), "").expect("a file");
    let ran = state.wisp(&["run", "--session", "s", "--", "cat", "b.txt"]);
    assert!(ran.code == Some(1) && !ran.err.contains("--mount"), "{}", ran.err);
    let ran = state.wisp(&["run", "--session", "s", "--", "cat", "data/a.txt"]);
    assert!(ran.err.contains("`wisp run --session s -- cat /mnt/input/a.txt`"), "{}", ran.err);
}

#[test]
fn sessions_are_listed_exported_and_removed() {
    let state = State::new(&[]);
    assert_eq!(state.wisp(&["session", "list"]).out, "");
    state.run(&["sh", "-c", "mkdir d; echo one > d/f; ln -s f d/link; chmod 750 d/f; echo two > /workspace/g"]);
    state.run(&["python3", "-c", "x = 1"]);
    let list = state.wisp(&["session", "list"]).out;
    assert!(list.lines().count() == 2 && list.contains("offline") && list.contains("files, shell, python3"), "{list}");
    let json = state.wisp(&["session", "list", "--json"]).out;
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!((&json[0]["name"], &json[0]["python"]), (&"s".into(), &true.into()));
    let ran = state.wisp(&["session", "export", "s", "s.tar"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let listed = Command::new("tar").args(["-tvf", "s.tar"]).current_dir(state.path()).output().expect("tar runs").stdout;
    let listed = String::from_utf8_lossy(&listed).into_owned();
    assert!(listed.contains("-rwxr-x--- ") && listed.contains(" home/user/d/f\n") && listed.contains("home/user/d/link -> f"), "{listed}");
    assert!(listed.contains(" workspace/g\n"), "{listed}");
    // A directory of the user's that is gone is left out.
    state.run(&["rm", "-r", "/workspace"]);
    assert_eq!(state.wisp(&["session", "export", "s", "without.tar"]).code, Some(0));
    // Nothing is overwritten, and the session is unchanged.
    assert_eq!(state.wisp(&["session", "export", "s", "s.tar"]).code, Some(2));
    assert_eq!(state.run(&["cat", "d/f"]), "one\n");
    let ran = state.wisp(&["session", "rm", "s", "t"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("there is no session `t`") && !ran.err.contains("`s`"), "{}", ran.err);
    assert_eq!(state.wisp(&["session", "list"]).out, "");
    assert_eq!(state.wisp(&["run", "--session", "s", "--", "cat", "d/f"]).code, Some(1));
}

#[test]
fn what_is_kept_is_private_and_nothing_is_left_of_a_run_that_did_not_start() {
    let state = State::new(&[]);
    for args in [&["--session", "../s", "--", "true"] as &[&str], &["--session", "s", "--policy", "nowhere", "--", "true"]] {
        assert_eq!(state.wisp(&[&["run"], args].concat()).code, Some(2), "{args:?}");
    }
    let ran = state.wisp(&["run", "--session", "s", "--", "no-such-program"]);
    assert_eq!(ran.code, Some(127), "{}", ran.err);
    let sessions = state.path().join("state/wisp/sessions");
    assert_eq!(fs::read_dir(&sessions).map_or(0, Iterator::count), 0, "nothing was begun");
    state.run(&["true"]);
    let mode = |path: &Path| fs::metadata(path).expect("it is there").permissions().mode() & 0o777;
    assert_eq!((mode(&sessions), mode(&sessions.join("s")), mode(&sessions.join("s/session"))), (0o700, 0o700, 0o600));
    fs::set_permissions(sessions.join("s"), fs::Permissions::from_mode(0o755)).expect("the mode changes");
    let ran = state.wisp(&["run", "--session", "s", "--", "true"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("chmod 700"), "{}", ran.err);
}

#[test]
fn one_command_at_a_time_and_a_damaged_session_is_refused() {
    use std::io::{BufRead, BufReader};
    let state = State::new(&[]);
    let mut first = state
        .command(&["run", "--session", "s", "--", "sh", "-c", "echo ready; cat; echo done > f"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("wisp starts");
    let mut line = String::new();
    BufReader::new(first.stdout.take().expect("it was piped")).read_line(&mut line).expect("the output streams");
    let ran = state.wisp(&["run", "--session", "s", "--", "true"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("another wisp uses the session `s`"), "{}", ran.err);
    drop(first.stdin.take());
    assert!(first.wait().expect("it ends").success());
    assert_eq!(state.run(&["cat", "f"]), "done\n");
    let file = state.path().join("state/wisp/sessions/s/session");
    let mut bytes = fs::read(&file).expect("the session");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&file, bytes).expect("the session is damaged");
    let ran = state.wisp(&["run", "--session", "s", "--", "cat", "f"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("damaged") && ran.err.contains("wisp session rm s"), "{}", ran.err);
}

#[test]
fn what_a_killed_run_left_is_listed_and_goes_with_the_next_use() {
    let state = State::new(&[]);
    let sessions = state.path().join("state/wisp/sessions");
    let listed = || -> serde_json::Value { serde_json::from_str(&state.wisp(&["session", "list", "--json"]).out).expect("JSON") };
    state.run(&["sh", "-c", "echo kept > f"]);
    let size = listed()[0]["size_bytes"].as_u64().expect("a size");
    // A run was killed while it saved; another in its first run.
    fs::write(sessions.join("s/session.0123456789abcdef.tmp"), vec![0; 100_000]).expect("a file");
    fs::create_dir(sessions.join("first")).expect("a folder");
    fs::set_permissions(sessions.join("first"), fs::Permissions::from_mode(0o700)).expect("the mode changes");
    fs::write(sessions.join("first/session.0123456789abcdef.tmp"), "a secret").expect("a file");
    let found = listed();
    assert_eq!((&found[0]["name"], &found[0]["complete"], &found[0]["size_bytes"]), (&"first".into(), &false.into(), &8.into()));
    assert_eq!((&found[1]["name"], &found[1]["complete"], &found[1]["size_bytes"]), (&"s".into(), &true.into(), &(size + 100_000).into()));
    assert!(state.wisp(&["session", "list"]).out.contains("nothing: its first run was killed"));
    assert_eq!(state.wisp(&["session", "export", "first", "first.tar"]).code, Some(2), "there is nothing to export");
    assert_eq!(state.run(&["cat", "f"]), "kept\n");
    assert_eq!(state.wisp(&["session", "rm", "first"]).code, Some(0));
    let found = listed();
    assert_eq!((found.as_array().map(Vec::len), &found[0]["name"]), (Some(1), &"s".into()));
    assert!(!sessions.join("first").exists() && !sessions.join("s/session.0123456789abcdef.tmp").exists());
}

#[test]
fn what_pip_installs_is_found_by_name_and_hides_no_tool() {
    let state = State::new(&[]);
    let program =
        |name: &str, says: &str| format!("printf '#!/bin/sh\\necho {says} \"$@\"\\n' > ~/.local/bin/{name}; chmod +x ~/.local/bin/{name}");
    state.run(&["sh", "-c", &format!("mkdir -p ~/.local/bin; {}; {}", program("greet", "hello"), program("seq", "hidden"))]);
    assert_eq!(state.run(&["greet", "x"]), "hello x\n");
    assert_eq!(state.run(&["seq", "2"]), "1\n2\n");
    assert_eq!(state.run(&["sh", "-c", "greet y; seq 2"]), "hello y\n1\n2\n");
}

#[test]
fn a_place_that_cannot_be_made_is_said_with_the_variable_that_names_another() {
    let state = State::new(&[]);
    fs::write(state.path().join("file"), "").expect("a file");
    let output = |args: &[&str], place: Option<&str>| {
        let mut command = state.command(args);
        command.env_remove("HOME").env_remove("XDG_STATE_HOME").stdin(Stdio::null());
        let output = command.envs(place.map(|place| ("XDG_STATE_HOME", state.path().join(place)))).output().expect("wisp runs");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let run = ["run", "--session", "s", "--", "true"];
    for args in [&run[..], &["mcp", "--keep"]] {
        let (code, err) = output(args, Some("file/state"));
        assert!(code == Some(2) && err.contains("cannot make ") && err.contains("XDG_STATE_HOME"), "{args:?}: {err}");
    }
    for args in [&run[..], &["session", "list"]] {
        let (code, err) = output(args, None);
        assert!(code == Some(2) && err.contains("neither XDG_STATE_HOME nor HOME is set"), "{args:?}: {err}");
    }
}
