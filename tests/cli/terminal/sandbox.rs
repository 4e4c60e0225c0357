//! Programs at a terminal of the sandbox, which is the default: they read keys themselves.

use super::lines::SEQUENCES;
use super::{ENTERED, PROMPT, Person};

#[test]
fn at_a_terminal_of_the_sandbox_programs_read_keys_themselves() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    for (keys, shown) in [
        ("ehco one\x01\x1b[C\x04\x1b[Ch\r", "one\r\n"),
        ("\x1b[A two\r", "one two\r\n"),
        ("\x12ho o\r", "one two\r\n"),
        ("seq 40 > numbers; stty size; tty\r", "30 100\r\n/dev/tty\r\n"),
        ("less num\t\r", "\x1b[7mnumbers\x1b[0m"),
    ] {
        person.types(keys);
        person.sees(ENTERED);
        let mut seen = person.sees(shown);
        if keys.starts_with("less") {
            person.types(" ");
            seen += &person.sees("\x1b[7m(END)\x1b[0m");
            assert!(seen.contains("29\r\n") && seen.ends_with("40\r\n\x1b[7m(END)\x1b[0m"), "{seen:?}");
            person.types("q");
        }
        person.edits(PROMPT);
    }
    person.types("echo ready; until stty size | grep -q '40 120'; do :; done; echo resized\r");
    person.sees("ready\r\n");
    person.resizes(40, 120);
    person.sees("resized\r\n");
    person.edits(PROMPT);
    person.types("stty raw -echo; echo running; cat\r");
    person.sees("running");
    // A program that reads bytes is not interrupted by them; the rescue key ends everything.
    person.types("\x03\x04\x1d\x1d\x1d");
    person.ends(130);
}

#[test]
fn at_a_terminal_of_the_sandbox_keys_send_signals() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    for busy in ["echo running; sleep 1000", "echo running; while :; do :; done", "echo running; cat"] {
        person.types(busy);
        person.types("\r");
        person.sees(ENTERED);
        person.sees("running\r\n");
        person.types("\x03");
        person.edits(PROMPT);
        person.types("echo status $?\r");
        person.sees("status 130\r\n");
        person.edits(PROMPT);
    }
    person.types("cat\r");
    person.sees(ENTERED);
    person.types("a line\r");
    person.sees("a line\r\na line\r\n");
    person.types("\x1a");
    person.sees("Stopped");
    person.edits(PROMPT);
    person.types("kill %1; exit 3\r");
    person.ends(3);
}

#[test]
fn a_program_at_a_terminal_of_the_sandbox_has_the_screen_and_not_the_window() {
    let mut person = Person::new(&["--", "sh", "-c", SEQUENCES]);
    // The question about the cursor passes: only the program reads the answer.
    assert_eq!(person.sees("done\r\n"), "a\x1b[31mred\x1b[0m\x1b[2Jbcd\x1b[6ne0mf\r\ndone\r\n");
    assert_eq!(person.rest(), "\x1b[5n", "nothing is left on, and the answer is awaited");
    person.ends(0);
    let mut person = Person::new(&["--", "printf", r"\033[?1049h\033[?25l\033[1mon\n"]);
    person.sees("on\r\n");
    assert_eq!(person.rest(), "\x1b[?1049l\x1b[?25h\x1b[m", "what a program left on is switched off");
    person.ends(0);
    let mut person = Person::new(&["--raw", "--", "printf", r"\033]0;title\007\033[?1049h\n"]);
    assert_eq!(person.rest(), "\x1b]0;title\x07\x1b[?1049h\r\n\x1b[?1049l");
    person.ends(0);
    let mut person = Person::new(&["--", "sh", "-c", "echo ready; sleep 1000"]);
    person.sees("ready\r\n");
    // SAFETY: a child of this test that has not been waited for.
    assert_eq!(unsafe { libc::kill(person.wisp.id() as i32, libc::SIGTERM) }, 0);
    person.ends(143);
}

#[test]
fn where_a_program_asked_the_terminal_its_answers_are_awaited() {
    let mut person = Person::new(&["--", "printf", r"\033[6n\033[c\033[5nasked"]);
    person.sees("\x1b[6n\x1b[c\x1b[5nasked");
    // The program has ended, and wisp asks last.
    person.sees("\x1b[5n");
    person.types("\x1b[24;80R\x1b[?64;1;2c\x1b[0n\x1b[0n");
    person.ends(0);
    let mut person = Person::new(&["--", "printf", r"not \033[31masked\n"]);
    assert_eq!(person.rest(), "not \x1b[31masked\r\n\x1b[m");
    person.ends(0);
}

#[test]
fn stops_of_the_tab_are_put_back() {
    let mut person = Person::new(&["--", "printf", r"\033[3gx"]);
    // The screen has 100 columns.
    assert_eq!(person.rest(), format!("\x1b[3gx\x1b7\r\x1b[3g{}\x1b8", "\x1b[8C\x1bH".repeat(12)));
    person.ends(0);
}

#[test]
fn the_interactive_python_edits_its_lines_at_a_terminal_of_the_sandbox() {
    let mut person = Person::new(&["--", "python3", "-q"]);
    person.sees(">>> ");
    person.types("prit('edited')\x01\x06\x06\x06n\r");
    person.sees("edited\r\n");
    person.sees(">>> ");
    person.types("\x10\r");
    person.sees("edited\r\n");
    person.sees(">>> ");
    person.types("\x04");
    person.ends(0);
}

#[test]
fn the_interactive_python_shows_help_in_a_pager_and_completes_names() {
    let mut person = Person::new(&["--", "python3", "-q"]);
    person.sees(">>> ");
    person.types("help(len)\r");
    // In the first pager that it starts, and not after another one.
    let shown = person.sees("\x1b[7m(END)\x1b[0m");
    assert!(shown.contains("Return the number of items in a container.\r\n"), "{shown:?}");
    person.types("q");
    person.sees(">>> ");
    for (keys, shown) in [
        ("answer_of_mine = 40 + 2\r", ">>> "),
        ("answ\t + 1\r", "43\r\n"),
        ("pri\t'called')\r", "called\r\n"),
        ("import sys\r", ">>> "),
        ("sys.st\t\t", "sys.stdlib_module_names"),
    ] {
        person.types(keys);
        person.sees(shown);
    }
    person.types("\x03");
    person.sees("KeyboardInterrupt\r\n");
    person.sees(">>> ");
    person.types("\x04");
    person.ends(0);
}

#[test]
fn a_pager_without_a_file_is_no_failure_of_less() {
    let script = "less; echo less $?; (less) 2>/dev/null; echo quiet $?; more; echo more $?";
    let mut person = Person::new(&["--", "sh", "-c", script]);
    let missing = "Missing filename (\"less --help\" for help)\r\nless 0\r\nquiet 0\r\n";
    let usage = "more: bad usage\r\nTry 'more --help' for more information.\r\nmore 1\r\n";
    assert_eq!(person.rest(), format!("{missing}{usage}"));
    person.ends(0);
}

#[test]
fn sqlite3_edits_its_lines_at_a_terminal_of_the_sandbox() {
    let mut person = Person::new(&["--", "sqlite3"]);
    person.sees("sqlite> ");
    person.types("selet 40+2;\x01\x06\x06\x06\x06c\r");
    person.sees("42\r\n");
    person.sees("sqlite> ");
    person.types("\x04");
    person.ends(0);
}

#[test]
fn a_command_at_a_terminal_shows_its_output_and_nothing_else() {
    for options in [&["--"][..], &["-it", "--"], &["-t", "--"]] {
        let mut person = Person::new(&[options, &["sh", "-c", "echo out; echo err >&2; test -t 0 && tty; exit 3"]].concat());
        assert_eq!(person.rest(), "out\r\nerr\r\n/dev/tty\r\n");
        person.ends(3);
    }
    // Without a terminal of the sandbox, its streams are terminals, but have no settings.
    let mut person = Person::new(&["-T", "--", "sh", "-c", "test -t 1 && ! stty -g 2>/dev/null && echo plain"]);
    assert_eq!(person.rest(), "plain\r\n");
    person.ends(0);
}

#[test]
fn a_link_to_the_web_passes_and_no_other() {
    let script = r"printf '\033]8;;https://example.com/\033\\web\033]8;;\033\\ \033]8;;file:///etc/passwd\033\\file\033]8;;\033\\\n'";
    let mut person = Person::new(&["--", "sh", "-c", script]);
    let end = "\x1b]8;;\x1b\\";
    assert_eq!(person.rest(), format!("\x1b]8;;https://example.com/\x1b\\web{end} {end}file{end}\r\n"));
    person.ends(0);
    let mut person = Person::new(&["-T", "--", "sh", "-c", script]);
    assert_eq!(person.rest(), "web file\r\n");
    person.ends(0);
}

#[test]
fn the_wall_clock_bounds_each_command_and_not_the_person() {
    let mut person = Person::new(&["--timeout", "1s", "--", "sh"]);
    person.edits(PROMPT);
    // The prompt outlasts them all: each line has a second of its own.
    for busy in ["sleep 1000", "while :; do :; done", "sleep 1000 | cat"] {
        person.types(busy);
        person.types("\r");
        person.sees(ENTERED);
        person.sees("wisp: ended by limits.wall = 1s");
        person.edits(PROMPT);
    }
    person.types("exit 4\r");
    person.ends(4);
    // Without a key typed, a command ends as it does without a terminal.
    let mut person = Person::new(&["--timeout", "1s", "--", "sleep", "1000"]);
    person.sees("wisp: ended by limits.wall = 1s");
    person.ends(124);
}

#[test]
fn ctrl_z_does_not_stop_what_nothing_could_continue() {
    let mut person = Person::new(&["--", "sh", "-c", "echo ready; read -r x; echo got $x"]);
    person.sees("ready\r\n");
    person.types("\x1aline\r");
    person.sees("got line\r\n");
    person.ends(0);
}

#[test]
fn a_job_keeps_its_settings_of_the_terminal_and_the_shell_its_own() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    let job = "sh -c 'stty -icanon -echo; echo set; read -r x; stty -a | grep -o -- \"-icanon\"; read -r x'";
    person.types(job);
    person.types("\r");
    person.sees("set\r\n");
    person.types("\x1a");
    person.sees("Stopped");
    person.edits(PROMPT);
    person.types("stty -a | grep -o '[ -]icanon'; stty -a | grep -o '[ -]echo '\r");
    assert_eq!(person.sees(" echo \r\n").rsplit("\x1b[?2004l").next(), Some(" icanon\r\n echo \r\n"), "the shell's own");
    person.edits(PROMPT);
    person.types("fg\r");
    person.sees(ENTERED);
    person.types("x\n");
    person.sees("-icanon\r\n");
    // One that a signal ends cannot put them back.
    person.types("\x03");
    person.edits(PROMPT);
    person.types("stty -a | grep -o '[ -]icanon'\r");
    person.sees(ENTERED);
    assert_eq!(person.sees("icanon\r\n"), " icanon\r\n");
    // So it is in the middle of a line too.
    person.edits(PROMPT);
    person.types("sh -c 'stty -echo; kill -9 $$'; stty -a | grep -o '[ -]echo '\r");
    person.sees(ENTERED);
    assert!(person.sees("echo \r\n").ends_with("\r\n echo \r\n"));
    person.edits(PROMPT);
    person.types("exit 0\r");
    person.ends(0);
}
