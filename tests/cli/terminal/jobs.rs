//! Signals and jobs of an interactive shell at a terminal of the sandbox.

use super::{PROMPT, Person};

/// A shell at its prompt.
fn shell() -> Person {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    person
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
        person.edits(PROMPT);
        person.enters("echo status $?");
        let shown = person.edits(PROMPT);
        assert!(shown.contains("status 130\r\n"), "{busy}: {shown:?}");
    }
    // While a program reads a line, while a line is typed, and in the middle of a command.
    for reading in ["echo running; cat", "read x; echo not reached", "abc", "for i in 1 2"] {
        match reading {
            "abc" => person.types(reading),
            _ => person.enters(reading),
        }
        person.types("\x03");
        assert!(!person.edits(PROMPT).contains("not reached"), "{reading}");
    }
    person.enters("trap 'echo trapped' INT");
    person.edits(PROMPT);
    person.types("\x03");
    person.sees("trapped");
    person.edits(PROMPT);
    person.enters("exit 7");
    person.ends(7);
}

#[test]
fn an_interrupt_from_a_substitution_ends_the_command_that_reads_it_whatever_the_moment() {
    let mut person = shell();
    for round in 0..40 {
        let busy = if round % 2 == 0 { "cat < <(kill -INT 0)" } else { "cat < <(kill -INT 0) | cat" };
        person.enters(busy);
        person.edits(PROMPT);
        person.enters("echo status $?");
        let shown = person.edits(PROMPT);
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
    let shown = person.edits(PROMPT);
    assert!(shown.contains("[1]+  Stopped                 sh -c 'echo running;"), "{shown:?}");
    person.enters("echo status $?; touch go; fg");
    person.sees("status 148\r\n");
    person.sees("went on\r\n");
    person.edits(PROMPT);
    // The programs report that they run: what is typed before goes to the shell, which does not stop.
    person.enters("jobs; sh -c 'echo running; sleep 1000' | cat");
    person.sees("running\r\n");
    person.types("\x1a");
    assert!(person.edits(PROMPT).contains("[1]+  Stopped                 sh -c 'echo running; sleep 1000' | cat"));
    person.enters("bg");
    assert!(person.edits(PROMPT).contains("[1]+ sh -c 'echo running; sleep 1000' | cat &\r\n"));
    person.enters("kill %1; wait %1; echo status $?");
    person.sees("status 143\r\n");
    person.edits(PROMPT);
    person.enters("sh -c 'echo running; sleep 1000'");
    person.sees("running\r\n");
    person.types("\x1a");
    person.edits(PROMPT);
    person.enters("exit");
    assert!(person.edits(PROMPT).contains("There are stopped jobs.\r\n"));
    person.enters("exit 5");
    person.ends(5);
}

#[test]
fn ctrl_d_ends_the_input_of_a_reader_and_ended_jobs_are_reported() {
    let mut person = shell();
    person.enters("cat; echo after");
    person.types("a line\r");
    person.sees("a line\r\na line\r\n");
    person.types("\x04");
    assert!(person.edits(PROMPT).contains("after\r\n"));
    person.enters("sleep 1000 &");
    assert!(person.edits(PROMPT).contains("[1] "));
    person.enters("kill %1; wait %1; jobs; echo reported");
    person.sees("reported\r\n");
    person.edits(PROMPT);
    // A background job does not prevent leaving.
    person.enters("sleep 1000 &");
    person.edits(PROMPT);
    person.types("\x04");
    person.ends(0);
}

#[test]
fn a_signal_to_wisp_leaves_the_terminal_plain() {
    for (signal, busy, code) in [(libc::SIGTERM, false, 143), (libc::SIGTERM, true, 143), (libc::SIGHUP, false, 129)] {
        let mut person = shell();
        if busy {
            person.enters("echo running; sleep 1000");
            person.sees("running\r\n");
        }
        // SAFETY: a child of this test that has not been waited for.
        assert_eq!(unsafe { libc::kill(person.wisp.id() as i32, signal) }, 0);
        person.ends(code);
    }
}
