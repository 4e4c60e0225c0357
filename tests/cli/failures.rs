//! Failures of the machine under `wisp run`: 125 and the cause, never a result of the command; and what a command itself meets on a full
//! disk is its own. The disk is full for files above what `ulimit -f` allows.

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};

use wisp_tests::kept::{Ran, State};
use wisp_tests::wisp::prepared;

/// A file of 3 MB, which no compression makes smaller.
const LARGE: &str = "head -c 3000000 /dev/urandom";

/// `wisp` with these arguments, after these commands of a shell.
fn after(state: &State, commands: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{commands} && exec \"$0\" \"$@\"")]).arg(prepared().expect("the binary is built")).args(args);
    command.current_dir(state.path()).env("XDG_STATE_HOME", state.path().join("state")).stdin(Stdio::null());
    command
}

/// The same, where no file may have more than a megabyte.
fn on_a_full_disk(state: &State, args: &[&str]) -> Ran {
    let output = after(state, "trap '' XFSZ && ulimit -f 2000", args).output().expect("a shell");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Ran { code: output.status.code(), out: text(&output.stdout), err: text(&output.stderr) }
}

/// Address space for some processes, and not for eight.
#[test]
fn a_command_whose_processes_have_no_memory_ends_with_125_and_the_cause() {
    let state = State::new(&[]);
    let script = "cat | cat | cat | cat | cat | cat | cat | cat; echo over";
    let run = ["run", "--", "sh", "-c", script];
    let mut wisp = after(&state, "ulimit -v 20971520", &run)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a shell");
    let mut err = BufReader::new(wisp.stderr.take().expect("it was piped"));
    // The others wait for input until one has failed.
    let mut said = String::new();
    while !said.contains("a failure of the host, not of the program") {
        assert!(err.read_line(&mut said).expect("text") > 0, "nothing failed: {said}");
    }
    drop(wisp.stdin.take());
    err.read_to_string(&mut said).expect("text");
    assert_eq!(wisp.wait().expect("it ends").code(), Some(125), "{said}");
    let cause = said.lines().find(|line| line.starts_with("wisp: wisp itself failed")).unwrap_or_default();
    assert!(cause.contains("cannot be mapped") && cause.contains("(host_memory)") && cause.ends_with("try again later"), "{said}");

    let output = after(&state, "true", &run).output().expect("a shell");
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stdout).as_ref()), (Some(0), "over\n"));
}

#[test]
fn a_session_that_a_full_disk_does_not_keep_is_a_failure_and_stays_as_it_was() {
    let state = State::new(&[]);
    state.run(&["sh", "-c", "echo before > note"]);
    let script = format!("{LARGE} > large; echo after > note");
    let run = ["run", "--session", "s", "--", "sh", "-c", &script];
    let ran = on_a_full_disk(&state, &run);
    assert_eq!(ran.code, Some(125), "{}", ran.err);
    assert!(ran.err.contains("the session `s` could not be kept"), "{}", ran.err);
    assert_eq!(state.run(&["sh", "-c", "cat note; ls"]), "before\nnote\n");
    let ran = state.wisp(&run);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    assert_eq!(state.run(&["sh", "-c", "cat note; wc -c < large"]), "after\n3000000\n");
}

#[test]
fn a_full_disk_below_a_mount_is_the_commands_to_handle() {
    let state = State::new(&[]);
    fs::create_dir(state.path().join("out")).expect("a folder");
    let script = format!("if {LARGE} > /mnt/out/large; then echo written; else echo full; fi; exit 3");
    let run = ["run", "--json", "--mount", "out:/mnt/out:write", "--", "sh", "-c", &script];
    for (ran, expected) in [(on_a_full_disk(&state, &run), "full\n"), (state.wisp(&run), "written\n")] {
        let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap_or_else(|error| panic!("{error}: {}", ran.err));
        assert_eq!((&document["stdout"], &document["end"]), (&expected.into(), &serde_json::json!({ "kind": "exit", "code": 3 })));
        assert_eq!(ran.code, Some(3), "{}", ran.err);
    }
}
