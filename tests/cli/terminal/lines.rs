//! Lines that wisp edits for all programs: `wisp run -T`.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use super::{PROMPT, Person, READY, pseudo_terminal};

/// A shell at its prompt.
fn shell() -> Person {
    let mut person = Person::new(&["-T", "--", "sh"]);
    person.prompted(PROMPT);
    person
}

#[test]
fn a_line_is_edited_and_comes_back_from_the_history() {
    let mut person = shell();
    // Left, a letter, and to the end.
    person.enters("eco done\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D\x1b[Dh\x1b[F!");
    assert!(person.prompted(PROMPT).starts_with("done!\r\n"));
    person.enters("echo first");
    assert!(person.prompted(PROMPT).starts_with("first\r\n"));
    person.enters("echo second");
    assert!(person.prompted(PROMPT).starts_with("second\r\n"));
    person.enters("\x1b[A\x1b[A");
    assert!(person.prompted(PROMPT).starts_with("first\r\n"), "the line before the last");
    person.enters("for i in 1 2; do");
    person.prompted("> ");
    person.enters("echo line $i; done; echo $COLUMNS $LINES $TERM");
    assert!(person.prompted(PROMPT).contains("line 1\r\nline 2\r\n100 30 xterm\r\n"));
    person.enters("");
    person.prompted(PROMPT);
    person.enters("/usr/bin/tai\t -1 /etc/passw\t");
    assert!(person.prompted(PROMPT).contains("user:x:1000:1000"), "Tab completes");
    person.types("\x04");
    person.sees("exit\r\n");
    person.ends(0);
}

/// Text, a colour, cursor movement; between them a title, the clipboard, a query and a C1 control.
pub(crate) const SEQUENCES: &str = r"printf 'a\033[31mred\033[0m\033[2Jb\033]0;title\007c\033]52;c;eA==\007d\033[6ne\302\2330mf\ndone\n'";

#[test]
fn a_guest_writes_text_to_the_terminal_and_commands_only_where_all_was_asked_for() {
    // Lines are edited: cursor movement passes too.
    let mut person = Person::new(&["-T", "--", "sh", "-c", SEQUENCES]);
    assert_eq!(person.sees("done\r\n"), "a\x1b[31mred\x1b[0m\x1b[2Jbcde0mf\r\ndone\r\n");
    person.ends(0);
    let mut person = Person::new(&["-T", "--raw", "--", "sh", "-c", SEQUENCES]);
    let all = "a\x1b[31mred\x1b[0m\x1b[2Jb\x1b]0;title\x07c\x1b]52;c;eA==\x07d\x1b[6ne\u{9b}0mf\r\ndone\r\n";
    assert_eq!(person.sees("done\r\n"), all);
    person.ends(0);
    // No input: only text and colours, on standard output and on standard error.
    let (ours, theirs) = pseudo_terminal();
    let end = || Stdio::from(theirs.try_clone().expect("a descriptor is free"));
    let mut wisp = Command::new(wisp_tests::wisp::binary().expect("the binary is built"))
        .args(["run", "--", "sh", "-c", &format!("{SEQUENCES}; {SEQUENCES} >&2")])
        .stdin(Stdio::null())
        .stdout(end())
        .stderr(end())
        .spawn()
        .expect("wisp starts");
    let (mut screen, mut shown, mut bytes) = (File::from(ours), String::new(), [0; 4096]);
    while shown.matches("done").count() < 2 {
        let count = screen.read(&mut bytes).expect("the terminal shows something");
        shown += &String::from_utf8_lossy(&bytes[..count]);
    }
    // Two streams: the order of their pieces is not defined.
    assert_eq!((shown.matches("\x1b[31mred\x1b[0m").count(), shown.matches('e').count()), (2, 6), "{shown:?}");
    let rest = shown.replace("\x1b[31m", "").replace("\x1b[0m", "").replace("\r\n", "");
    assert!(!rest.contains(char::is_control) && !rest.contains("title") && !rest.contains("eA=="), "{shown:?}");
    assert!(wisp.wait().expect("wisp ends").success());
}

#[test]
fn ctrl_c_interrupts_what_runs_and_the_prompt_comes_back() {
    let mut person = shell();
    let loops = ["echo running; sleep 1000", "echo running; while :; do :; done", "echo running; while :; do sleep 100; done"];
    // What is read shows that the reader runs, not only the substitution.
    // The other end of the named pipe stays closed.
    let pipes = ["mkfifo p; echo running; cat < p", "echo running; read x < p", "echo running; echo x > p", "echo running; cat p"];
    for busy in loops.into_iter().chain(["cat < <(echo running; sleep 1000)"]).chain(pipes) {
        person.enters(busy);
        person.sees("running\r\n");
        person.types("\x03");
        person.prompted(PROMPT);
        person.enters("echo status $?");
        let shown = person.prompted(PROMPT);
        assert!(shown.contains("status 130\r\n"), "{busy}: {shown:?}");
    }
    // While a program reads a line, while a line is typed, and in the middle of a command.
    for reading in ["echo running; cat", "read x; echo not reached", "abc", "for i in 1 2"] {
        match reading {
            "abc" => person.types(reading),
            _ => {
                person.enters(reading);
                person.sees(READY);
            }
        }
        person.types("\x03");
        assert!(!person.prompted(PROMPT).contains("not reached"));
    }
    person.enters("trap 'echo trapped' INT");
    person.prompted(PROMPT);
    person.types("\x03");
    person.sees("trapped");
    person.prompted(PROMPT);
    person.enters("exit 7");
    person.ends(7);
}

#[test]
fn an_interrupt_from_a_substitution_ends_the_command_that_reads_it_whatever_the_moment() {
    let mut person = shell();
    for round in 0..40 {
        let busy = if round % 2 == 0 { "cat < <(kill -INT 0)" } else { "cat < <(kill -INT 0) | cat" };
        person.enters(busy);
        person.prompted(PROMPT);
        person.enters("echo status $?");
        let shown = person.prompted(PROMPT);
        assert!(shown.contains("status 130\r\n"), "{round}: {busy}: {shown:?}");
    }
    person.enters("exit 0");
    person.ends(0);
}

#[test]
fn ctrl_z_stops_what_runs_and_fg_and_bg_let_it_go_on() {
    let mut person = shell();
    person.enters("sh -c 'echo running; while [ ! -e /home/user/go ]; do sleep 0.01; done; echo went on'");
    person.sees("running\r\n");
    person.types("\x1a");
    let shown = person.prompted(PROMPT);
    assert!(shown.contains("[1]+  Stopped                 sh -c 'echo running;"), "{shown:?}");
    person.enters("echo status $?; touch go; fg");
    person.sees("status 148\r\n");
    person.sees("went on\r\n");
    person.prompted(PROMPT);
    // The programs report that they run: what is typed before goes to the shell, which does not stop.
    person.enters("jobs; sh -c 'echo running; sleep 1000' | cat");
    person.sees("running\r\n");
    person.types("\x1a");
    assert!(person.prompted(PROMPT).contains("[1]+  Stopped                 sh -c 'echo running; sleep 1000' | cat"));
    person.enters("bg");
    assert!(person.prompted(PROMPT).contains("[1]+ sh -c 'echo running; sleep 1000' | cat &\r\n"));
    person.enters("kill %1; wait %1; echo status $?");
    person.sees("status 143\r\n");
    person.prompted(PROMPT);
    person.enters("sh -c 'echo running; sleep 1000'");
    person.sees("running\r\n");
    person.types("\x1a");
    person.prompted(PROMPT);
    person.enters("exit");
    assert!(person.prompted(PROMPT).contains("There are stopped jobs.\r\n"));
    person.enters("exit 5");
    person.ends(5);
}

#[test]
fn ctrl_d_ends_the_input_of_a_reader_and_ended_jobs_are_reported() {
    let mut person = shell();
    person.enters("cat; echo after");
    person.sees(READY);
    person.enters("a line");
    person.sees("a line\r\n");
    person.sees(READY);
    person.types("\x04");
    assert!(person.prompted(PROMPT).contains("after\r\n"));
    person.enters("sleep 1000 &");
    assert!(person.prompted(PROMPT).contains("[1] "));
    person.enters("kill %1; wait %1; jobs; echo reported");
    person.sees("reported\r\n");
    person.prompted(PROMPT);
    // A background job does not prevent leaving.
    person.enters("sleep 1000 &");
    person.prompted(PROMPT);
    person.types("\x04");
    person.ends(0);
}

#[test]
fn a_limit_ends_what_runs_and_not_the_prompt() {
    let mut person = Person::new(&["--no-tty", "--timeout", "1s", "--", "sh"]);
    person.prompted(PROMPT);
    // Each line has a second of its own; the prompt outlasts them all.
    for busy in ["sleep 1000", "while :; do :; done", "sleep 1000 | cat"] {
        person.enters(busy);
        person.sees("wisp: ended by limits.wall = 1s");
        person.prompted(PROMPT);
    }
    person.enters("exit 0");
    person.ends(0);
}

#[test]
fn a_signal_to_wisp_leaves_the_terminal_plain() {
    for (signal, busy) in [(libc::SIGTERM, false), (libc::SIGTERM, true), (libc::SIGHUP, false)] {
        let mut person = shell();
        if busy {
            person.enters("echo running; sleep 1000");
            person.sees("running\r\n");
        }
        // SAFETY: a child of this test that has not been waited for.
        assert_eq!(unsafe { libc::kill(person.wisp.id() as i32, signal) }, 0);
        person.ends(130);
    }
}

#[test]
fn a_stream_that_is_not_a_terminal_is_refused_if_one_is_requested() {
    let arguments = ["run", "-it", "--", "sh"].map(std::ffi::OsString::from);
    let ran = wisp_tests::wisp::run(&arguments, b"echo hi\n", wisp_tests::wisp::root()).expect("wisp runs");
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""));
    assert!(ran.err().contains("--interactive needs a terminal"), "{}", ran.err());
}
