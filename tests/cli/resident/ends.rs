//! How a session that is kept open is saved, and what ends a command or its helper.

use std::process::Stdio;

use super::{Ended, Sessions, result};
use crate::interrupts::Ready;

#[test]
fn what_is_not_saved_is_told_and_who_needs_the_session_has_it_saved() {
    let sessions = Sessions::new();
    sessions.resident(&["sh", "-c", "echo kept > /tmp/note; n=1"]);
    sessions.resident(&["python3", "-c", "import os; x = 41; file = open('/tmp/gone', 'w'); os.unlink('/tmp/gone')"]);
    let ended = Ended::of(sessions.helper("s").expect("a helper runs"));
    let ran = sessions.run(&[], &["python3", "-c", "print(x + 1)"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "42\n"), "{}", ran.err);
    let said = |line: &str| line.starts_with("wisp: not kept: the ") && line.contains("open file");
    assert!(ran.err.lines().any(said), "{}", ran.err);
    ended.wait();
    // Likewise for those who look.
    sessions.resident(&["sh", "-c", "echo later > /tmp/note"]);
    let ended = Ended::of(sessions.helper("s").expect("a helper runs"));
    let ran = sessions.0.wisp(&["session", "diff", "s", "/tmp/note"]);
    assert!(ran.code == Some(0) && ran.out.contains("+later"), "{}{}", ran.out, ran.err);
    ended.wait();
    // Removing needs nothing to be saved.
    sessions.resident(&["true"]);
    let ended = Ended::of(sessions.helper("s").expect("a helper runs"));
    assert_eq!(sessions.0.wisp(&["session", "rm", "s"]).code, Some(0));
    ended.wait();
    assert_eq!(sessions.0.wisp(&["session", "list"]).out, "");
    // Also of a session that was never saved.
    sessions.resident(&["true"]);
    assert!(sessions.0.wisp(&["session", "list"]).out.contains("nothing yet; open for "));
    assert_eq!(result(sessions.0.wisp(&["session", "rm", "s"])), (Some(0), String::new(), String::new()));
    assert_eq!(sessions.0.wisp(&["session", "list"]).out, "");
}

#[test]
fn a_helper_that_nobody_calls_saves_the_session_and_ends() {
    let sessions = Sessions::new();
    let ran = sessions.run(&["--resident=60s"], &["python3", "-c", "x = 41"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let ended = Ended::of(sessions.helper("s").expect("a helper runs"));
    // Each call says anew how long to wait for the next.
    let ran = sessions.run(&["--resident=1s"], &["sh", "-c", "n=5"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    ended.wait();
    assert_eq!(result(sessions.run(&[], &["python3", "-c", "print(x)"])), (Some(0), "41\n".to_owned(), String::new()));
    assert_eq!(result(sessions.run(&[], &["sh", "-c", "echo $n"])), (Some(0), "5\n".to_owned(), String::new()));
    // A signal ends it in the same way.
    sessions.resident(&["python3", "-c", "x += 1"]);
    sessions.end(libc::SIGTERM);
    assert_eq!(result(sessions.run(&[], &["python3", "-c", "print(x)"])), (Some(0), "42\n".to_owned(), String::new()));
}

#[test]
fn a_helper_that_is_killed_is_told_of_once() {
    let sessions = Sessions::new();
    assert_eq!(sessions.run(&[], &["python3", "-c", "x = 1"]).code, Some(0));
    for options in [&[] as &[&str], &["--resident"]] {
        sessions.resident(&["python3", "-c", "x += 1"]);
        sessions.end(libc::SIGKILL);
        let ran = sessions.run(options, &["python3", "-c", "print(x)"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(0), "1\n"), "{}", ran.err);
        assert!(ran.err.contains("ended without saving it: it is as it was kept") && ran.err.lines().count() == 1, "{}", ran.err);
        let ran = sessions.run(options, &["python3", "-c", "print(x)"]);
        assert_eq!(result(ran), (Some(0), "1\n".to_owned(), String::new()));
    }
    // One that had nothing to save leaves nothing to tell.
    sessions.end(libc::SIGTERM);
    sessions.resident(&["true"]);
    sessions.end(libc::SIGTERM);
    assert_eq!(sessions.resident(&["python3", "-c", "print(x)"]), "1\n");
}

#[test]
fn a_helper_that_is_killed_in_a_new_session_leaves_nothing_but_the_word() {
    let sessions = Sessions::new();
    sessions.resident(&["sh", "-c", "n=1"]);
    sessions.end(libc::SIGKILL);
    let ran = sessions.run(&[], &["sh", "-c", "echo \"<$n>\""]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "<>\n"));
    assert!(ran.err.contains("the session begins anew"), "{}", ran.err);
}

/// A command of a helper that has said `ready`.
fn ready(sessions: &Sessions, script: &str) -> Ready {
    Ready::of(&mut sessions.0.command(&["run", "--resident", "--session", "s", "--", "sh", "-c", script]))
}

#[test]
fn signals_reach_the_command_and_leave_the_interpreter() {
    let sessions = Sessions::new();
    sessions.resident(&["python3", "-c", "x = 5"]);
    let helper = sessions.helper("s");
    let mut wisp = ready(&sessions, "trap 'echo caught' INT; echo ready; while :; do :; done");
    wisp.send("-INT");
    assert_eq!(wisp.line(), "caught\n");
    wisp.send("-INT");
    assert_eq!(wisp.line(), "");
    assert_eq!(wisp.status(), Some(130));
    let mut wisp = ready(&sessions, "trap 'echo caught; exit 3' TERM; echo ready; while :; do :; done");
    wisp.send("-TERM");
    assert_eq!(wisp.line(), "caught\n");
    assert_eq!(wisp.status(), Some(143));
    let mut wisp = ready(&sessions, "echo ready; while :; do :; done");
    // Meanwhile it is in use for those without a helper; another call of the helper waits for its turn.
    let ran = sessions.run(&[], &["true"]);
    assert!(ran.code == Some(2) && ran.err.contains("another wisp uses the session `s`"), "{}", ran.err);
    let mut next = sessions.0.command(&["run", "--resident", "--session", "s", "--", "echo", "next"]);
    let next = next.stdout(Stdio::piped()).spawn().expect("wisp starts");
    wisp.send("-TERM");
    assert_eq!(wisp.status(), Some(143));
    let next = next.wait_with_output().expect("wisp ends");
    assert_eq!((next.status.code(), next.stdout.as_slice()), (Some(0), b"next\n".as_slice()));
    assert_eq!(sessions.resident(&["python3", "-c", "print(x)"]), "5\n");
    assert_eq!(sessions.helper("s"), helper);
}

#[test]
fn a_client_that_is_killed_takes_its_command_with_it() {
    let sessions = Sessions::new();
    sessions.resident(&["python3", "-c", "x = 5"]);
    let mut wisp = ready(&sessions, "echo made > /tmp/made; echo ready; while :; do :; done");
    wisp.send("-KILL");
    assert_eq!(wisp.status(), None);
    // It is interrupted first, which takes a moment.
    let free = || Some(sessions.run(&["--resident"], &["cat", "/tmp/made"])).filter(|ran| ran.code == Some(0));
    assert_eq!(std::iter::repeat_with(free).take(1_000).flatten().next().map(|ran| ran.out).as_deref(), Some("made\n"));
    assert_eq!(sessions.resident(&["python3", "-c", "print(x)"]), "5\n");
}
