//! Sessions that are kept, at a terminal: `wisp run --session`.

use wisp_tests::kept::State;

use super::{PROMPT, Person};

#[test]
fn the_shell_of_a_session_goes_on_at_a_terminal() {
    let state = State::new(&[]);
    let person = |command: &[&str]| Person::keeping(&state.path().join("state"), &[&["--session", "s", "--"], command].concat());
    let mut first = person(&["sh"]);
    first.edits(PROMPT);
    first.enters("x=5; f() { echo \"f$1\"; }; alias two='echo 2'; export Y=6; mkdir /tmp/here; cd /tmp/here");
    first.edits("user@wisp:/tmp/here$ ");
    first.enters("exit 3");
    first.ends(3);
    // A script has the same, and is not interactive.
    let script = "echo $x $Y $PWD; f 1; alias two; z=7; case $- in *i*|*H*) echo interactive;; esac; shopt -q expand_aliases; echo $? ${COLUMNS-none}";
    assert_eq!(state.run(&["sh", "-c", script]), "5 6 /tmp/here\nf1\nalias two='echo 2'\n1 none\n");
    let mut script = person(&["sh", "-c", "cd /; z=$((z + 1)); tty"]);
    assert_eq!(script.rest(), "/dev/tty\r\n");
    script.ends(0);
    let mut second = person(&["bash", "-i"]);
    second.edits("user@wisp:/$ ");
    second.enters("echo $x $Y $z $TERM $COLUMNS; f 2; two");
    second.sees("5 6 8 xterm 100\r\nf2\r\n2\r\n");
    second.edits("user@wisp:/$ ");
    second.types("\x04");
    second.ends(0);
    // Another session has nothing of it.
    let ran = state.wisp(&["run", "--session", "other", "--", "sh", "-c", "echo ${x-none} $PWD"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), "none /home/user\n"), "{}", ran.err);
}

#[test]
fn a_shell_that_is_ended_leaves_its_session_as_it_was() {
    let state = State::new(&[]);
    state.run(&["sh", "-c", "x=before"]);
    let mut person = Person::keeping(&state.path().join("state"), &["--session", "s", "--", "sh"]);
    person.edits(PROMPT);
    person.enters("x=after; kill -KILL $$");
    person.ends(137);
    assert_eq!(state.run(&["sh", "-c", "echo $x"]), "before\n");
}
