//! Tools at a terminal of the sandbox: `read -e`, `bc`, `watch`, `script`.

use super::{ENTERED, PROMPT, Person};

#[test]
fn read_lets_a_person_edit_a_line_or_takes_single_keys() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    for (line, keys, shown) in [
        // Up goes to the history, and an edited line keeps what -i put there.
        ("read -e -p 'name? ' -i dfault x; echo \"<$x>\"", "\x01\x06e\r", "<default>\r\n"),
        ("read -er x; echo \"<$x>\"", "a\\\\b c\r", "<a\\\\b c>\r\n"),
        ("read -e x y; echo \"<$x><$y>\"", "one\\ two three\r", "<one two><three>\r\n"),
        ("read -n 1 x; echo \"<$x>\"", "k", "<k>\r\n"),
        ("read -s x; echo \"<$x>\"", "secret\r", "<secret>\r\n"),
        ("read -d . x; echo \"<$x>\"", "up to.", "<up to>\r\n"),
        ("read -e -n 2 x; echo \"<$x>\"", "abc\x7f", "<ab>\r\n"),
        ("read -e x || echo ended", "\x04", "ended\r\n"),
    ] {
        person.types(line);
        person.types("\r");
        person.sees(ENTERED);
        if line.starts_with("read -e") {
            person.sees("\x1b[?2004h");
        }
        if let Some(prompt) = line.contains("name?").then_some("name? ") {
            person.sees(prompt);
        }
        person.types(keys);
        let seen = person.sees(shown);
        assert!(!line.contains("-s") || !seen.trim_end_matches(shown).contains("secret"), "{seen:?}");
        person.edits(PROMPT);
    }
    // Ctrl-C ends the command, and the terminal is as it was.
    person.types("read -e x; echo not reached\r");
    person.sees(ENTERED);
    person.sees("\x1b[?2004h");
    person.types("abc\x03");
    assert!(!person.edits(PROMPT).contains("not reached"));
    person.types("sh -c 'echo ready; read -s x'; stty -a | grep -o '[ -]echo '\r");
    person.sees("ready\r\n");
    person.types("\x03");
    person.edits(PROMPT);
    person.types("stty -a | grep -o '[ -]echo '\r");
    person.sees(ENTERED);
    assert_eq!(person.sees("echo \r\n"), " echo \r\n");
    person.edits(PROMPT);
    person.types("exit 0\r");
    person.ends(0);
}

#[test]
fn a_shell_has_the_size_of_its_terminal_in_variables() {
    let mut person = Person::new(&["--", "bash"]);
    person.edits(PROMPT);
    // A program that takes until the terminal has this size.
    let until = |size: &str| format!("until stty size | grep -q '{size}'; do :; done");
    for (resized, line, shown) in [
        (None, "echo \"<$COLUMNS $LINES>\"; env | grep -c -E '^(COLUMNS|LINES)='".to_owned(), "<100 30>\r\n0\r\n"),
        // After each program, unless a person sets them to something else.
        (Some((20, 90)), until("20 90") + "; echo \"<$COLUMNS $LINES>\"", "<90 20>\r\n"),
        (None, "COLUMNS=7; :".to_owned(), ""),
        (
            None,
            "echo \"<$COLUMNS>\"; true | cat; echo \"<$COLUMNS>\"; unset COLUMNS; (:); echo \"<$COLUMNS>\"".to_owned(),
            "<7>\r\n<90>\r\n<90>\r\n",
        ),
        (None, "COLUMNS=7; x=$(ls -d /); echo \"<$COLUMNS>\"".to_owned(), "<7>\r\n"),
        // At each prompt, if the size is another one.
        (Some((25, 80)), "shopt -u checkwinsize; ".to_owned() + &until("25 80"), ""),
        (None, "echo \"<$COLUMNS $LINES>\"; COLUMNS=8".to_owned(), "<80 25>\r\n"),
        (None, "ls -d /; echo \"<$COLUMNS $LINES>\"".to_owned(), "<8 25>\r\n"),
        // A script has them after its first program, and only if its standard error is the terminal.
        (None, "bash -c 'echo \"<$COLUMNS>\"; ls -d /; echo \"<$COLUMNS $LINES>\"'".to_owned(), "<>\r\n/\r\n<80 25>\r\n"),
        (None, "bash -c 'ls -d /; echo \"<$COLUMNS>\"' 2>/dev/null".to_owned(), "/\r\n<>\r\n"),
    ] {
        if let Some((rows, columns)) = resized {
            person.resizes(rows, columns);
        }
        person.enters(&line);
        let seen = person.edits(PROMPT);
        assert!(seen.contains(shown), "{line}: {seen:?}");
    }
    person.enters("exit 0");
    person.ends(0);
}

#[test]
fn bc_edits_its_lines_and_outlives_an_interrupt() {
    let mut person = Person::new(&["--", "bc", "-q"]);
    person.sees("\x1b[?2004h");
    person.types("6*8\x7f7\r");
    person.sees("\x1b[?2004l42\r\n");
    person.types("\x1b[A+1\r");
    person.sees("\x1b[?2004l43\r\n");
    person.types("1+\x03");
    person.sees("(interrupt) use quit to exit.\r\n");
    person.types("define f(x) {\rreturn x*2;\r}\rf(4)\r");
    person.sees("\x1b[?2004l8\r\n");
    person.types("\x04");
    person.ends(0);
}

#[test]
fn watch_takes_keys_and_follows_the_window() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    person.types("watch -n 1000 'echo x >> runs; wc -l < runs; seq 100'\r");
    let first = person.sees("\x1b[?1049h");
    assert!(!first.contains("Every"));
    let shown = person.sees("27\x1b[K\x1b[J");
    assert!(shown.contains("Every 1000.0s: echo x >> runs") && shown.contains("1\x1b[K\r\n1\x1b[K\r\n2\x1b[K"), "{shown:?}");
    // The interval is long: only a key can run it again.
    person.types(" ");
    person.sees("2\x1b[K\r\n1\x1b[K");
    person.sees("27\x1b[K\x1b[J");
    person.resizes(12, 40);
    assert!(person.sees("\x1b[J").ends_with("9\x1b[K\x1b[J"), "fewer rows");
    person.types("q");
    person.sees("\x1b[?25h\x1b[?1049l");
    person.edits(PROMPT);
    person.types("echo $?; wc -l < runs\r");
    person.sees(ENTERED);
    assert_eq!(person.sees("2\r\n"), "0\r\n2\r\n");
    person.edits(PROMPT);
    // Ctrl-C, also while the command runs; changes are marked.
    person.types("watch -n 1000 'echo busy; sleep 1000'\r");
    person.sees("\x1b[?1049h");
    person.types("\x03");
    person.sees("\x1b[?1049l");
    person.edits(PROMPT);
    person.types("rm runs; watch -t -d -n 1000 'echo x >> runs; echo run $(wc -l < runs)'\r");
    person.sees("run 1\x1b[K");
    person.sees("\x1b[J");
    person.types(" ");
    person.sees("run \x1b[0m\x1b[7m2\x1b[0m\x1b[K");
    person.sees("\x1b[J");
    // Ctrl-Z gives the screen back, and fg takes it again.
    person.types("\x1a");
    person.sees("\x1b[?1049l");
    person.sees("Stopped");
    person.edits(PROMPT);
    person.types("fg\r");
    person.sees("\x1b[?1049h");
    person.sees("\x1b[J");
    person.types("q");
    person.edits(PROMPT);
    person.types("rm runs; watch -g -t -n 0.1 'echo x >> runs; wc -l < runs'; echo ended $?\r");
    person.sees("ended 0\r\n");
    person.edits(PROMPT);
    person.types("watch -e -t 'exit 5'; echo ended $?\r");
    person.sees("\x1b[H");
    person.types("x");
    person.sees("ended 8\r\n");
    person.edits(PROMPT);
    person.types("exit 0\r");
    person.ends(0);
}

#[test]
fn script_keeps_what_a_terminal_shows() {
    let mut person = Person::new(&["--", "sh"]);
    person.edits(PROMPT);
    person.types("script\r");
    person.sees("Script started, output log file is 'typescript'.\r\n");
    person.edits(PROMPT);
    person.types("tty; stty size; echo in$((1 + 1))side\r");
    person.sees(ENTERED);
    assert_eq!(person.sees("side\r\n"), "/dev/tty\r\n30 100\r\nin2side\r\n");
    person.edits(PROMPT);
    // Keys are for the terminal inside.
    person.types("cat\r");
    person.sees(ENTERED);
    person.types("\x03");
    person.edits(PROMPT);
    person.resizes(20, 90);
    person.types("until stty size | grep -q '20 90'; do :; done; echo resized\r");
    person.sees("resized\r\n");
    person.edits(PROMPT);
    person.types("exit 3\r");
    person.sees("Script done.\r\n");
    person.edits(PROMPT);
    person
        .types("grep -c 'in2side' typescript; head -n 1 typescript | sed 's/on [^[]*/on DATE /'; tail -n 1 typescript | grep -o '\\[.*'\r");
    person.sees(ENTERED);
    let seen = person.sees("]\r\n");
    assert!(seen.starts_with("1\r\nScript started on DATE [TERM=\"xterm\" TTY=\"/dev/tty\" COLUMNS=\"100\" LINES=\"30\"]\r\n"), "{seen:?}");
    person.sees("[COMMAND_EXIT_CODE=\"3\"]\r\n");
    person.edits(PROMPT);
    person.types("script -qec 'test -t 1 && exit 7' /dev/null; echo status $?\r");
    person.sees("status 7\r\n");
    person.edits(PROMPT);
    person.types("exit 0\r");
    person.ends(0);
}
