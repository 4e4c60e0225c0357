//! A person's lines that pass to programs as through a pipe: `wisp run -T`.

use std::fs::File;
use std::io::Read;
use std::process::{Command, Stdio};

use super::{PROMPT, Person, pseudo_terminal};

#[test]
fn a_finished_line_passes_and_ctrl_d_ends_the_input() {
    let script = "! stty -g 2>/dev/null && echo ready; read -r line; echo \"<$line>\"; cat; echo after";
    let mut person = Person::new(&["-T", "--", "sh", "-c", script]);
    person.sees("ready\r\n");
    // The person's own terminal edits and echoes it.
    person.types("a linx\x7fe\r");
    person.sees("<a line>\r\n");
    person.types("more\r\x04");
    person.sees("more\r\nmore\r\n");
    person.sees("after\r\n");
    person.ends(0);
}

#[test]
fn a_shell_prompts_for_lines() {
    let mut person = Person::new(&["--no-tty", "--", "sh"]);
    person.sees(PROMPT);
    person.types("echo o''ne\r");
    person.sees("one\r\n");
    person.types("exit 7\r");
    person.ends(7);
}

#[test]
fn ctrl_c_interrupts_what_runs_and_a_second_one_ends_the_command() {
    let mut person = Person::new(&["-T", "--", "sh", "-c", "echo ready; sleep 1000"]);
    person.sees("ready\r\n");
    person.types("\x03");
    person.ends(130);
    let mut person = Person::new(&["-T", "--", "sh", "-c", "trap 'echo caught' INT; echo ready; while :; do :; done"]);
    person.sees("ready\r\n");
    person.types("\x03");
    person.sees("caught\r\n");
    person.types("\x03");
    person.ends(130);
}

#[test]
fn the_wall_clock_counts_the_time_in_which_a_person_types() {
    let mut person = Person::new(&["-T", "--timeout", "1s", "--", "sh", "-c", "read -r line; echo not reached"]);
    assert!(!person.sees("wisp: ended by limits.wall = 1s").contains("not reached"));
    person.ends(124);
}

/// Text, a colour, cursor movement; between them a title, the clipboard, a query and a C1 control.
pub(crate) const SEQUENCES: &str = r"printf 'a\033[31mred\033[0m\033[2Jb\033]0;title\007c\033]52;c;eA==\007d\033[6ne\302\2330mf\ndone\n'";

#[test]
fn a_guest_writes_text_to_the_terminal_and_commands_only_where_all_was_asked_for() {
    let mut person = Person::new(&["-T", "--", "sh", "-c", SEQUENCES]);
    assert_eq!(person.sees("done\r\n"), "a\x1b[31mred\x1b[0mbcde0mf\r\ndone\r\n");
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
fn a_stream_that_is_not_a_terminal_is_refused_if_one_is_requested() {
    let arguments = ["run", "-it", "--", "sh"].map(std::ffi::OsString::from);
    let ran = wisp_tests::wisp::run(&arguments, b"echo hi\n", wisp_tests::wisp::root()).expect("wisp runs");
    assert_eq!((ran.code, ran.out().as_str()), (Some(2), ""));
    assert!(ran.err().contains("--interactive needs a terminal"), "{}", ran.err());
}
