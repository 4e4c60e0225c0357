//! Commands at a terminal of the sandbox: what a person who types would see, without a person.

use wisp::Signal;
use wisp::{Command, End, Input, Limit, Running, Session, StdinError, Stream, TerminalSize};

use crate::kit::{session, sh};

/// A terminal with what it has shown.
struct Person {
    running: Running,
    seen: u64,
}

impl Person {
    async fn at(session: &Session, command: Command) -> Self {
        let command = command.terminal(TerminalSize::new(24, 80)).stdin(Input::Piped);
        Self { running: session.start(command).await.expect("the program starts"), seen: 0 }
    }

    async fn types(&self, keys: &'static str) {
        self.running.write_stdin(keys).await.expect("the terminal is open");
    }

    /// What is shown next, up to `end`.
    async fn sees(&mut self, end: &str) -> String {
        let mut shown = String::new();
        while !shown.ends_with(end) {
            let chunk = self.running.next_output(Stream::Stdout, self.seen, 1).await;
            assert!(!chunk.bytes.is_empty(), "the terminal was closed; shown: {shown:?}");
            self.seen = chunk.next_offset();
            shown.push_str(std::str::from_utf8(&chunk.bytes).expect("one byte of ASCII"));
        }
        shown
    }

    async fn status(self) -> End {
        self.running.wait().await.expect("the runtime lives").end.clone()
    }
}

#[tokio::test]
async fn a_program_at_a_terminal_reads_lines_and_its_output_is_shown_with_their_echo() {
    let session = session("").await;
    let mut person = Person::at(&session, sh("test -t 0 && test -t 1 && test -t 2 && tty; cat; echo err >&2; echo $TERM")).await;
    assert_eq!(person.sees("\n").await, "/dev/tty\r\n");
    person.types("helpo\x7f\x7flo\r").await;
    let erased = "\x08 \x08";
    assert_eq!(person.sees("\r\nhello\r\n").await, format!("helpo{erased}{erased}lo\r\nhello\r\n"));
    person.types("\x04").await;
    assert_eq!(person.sees("256color\r\n").await, "err\r\nxterm-256color\r\n");
    let outcome = person.running.wait().await.unwrap();
    assert!(outcome.success() && outcome.stderr.is_empty() && outcome.stdout.starts_with(b"/dev/tty\r\nhelpo"));
    assert_eq!(person.running.write_stdin("x").await, Err(StdinError::Broken));
}

#[tokio::test]
async fn a_program_finds_its_terminal_as_dev_tty_even_where_its_streams_are_redirected() {
    let session = session("").await;
    let script = "exec </dev/null 2>/dev/null; { echo shown >/dev/tty; read -r line </dev/tty; echo \"got $line\" >/dev/tty; } | cat";
    let mut person = Person::at(&session, sh(script)).await;
    assert_eq!(person.sees("\n").await, "shown\r\n");
    person.types("keys\r").await;
    assert_eq!(person.sees("got keys\r\n").await, "keys\r\ngot keys\r\n");
    assert!(person.status().await.success());
}

#[tokio::test]
async fn a_command_without_a_terminal_does_not_find_that_of_another() {
    let session = session("").await;
    let mut person = Person::at(&session, sh("echo ready; read -r line; echo \"$line\"")).await;
    person.sees("ready\r\n").await;
    let outcome = session.run(sh("test -c /dev/tty && ! echo typed >/dev/tty && ! read -r line </dev/tty && echo none")).await.unwrap();
    assert_eq!(outcome.stdout_text(), "none\n", "{}", outcome.stderr_text());
    assert_eq!(outcome.stderr_text().matches("/dev/tty: No such device or address\n").count(), 2, "{}", outcome.stderr_text());
    person.types("mine\r").await;
    assert_eq!(person.sees("mine\r\nmine\r\n").await, "mine\r\nmine\r\n");
}

#[tokio::test]
async fn control_c_interrupts_and_control_backslash_quits() {
    let session = session("").await;
    for (key, shown, signal) in [("\x03", "^C", Signal::Interrupt), ("\x1c", "^\\", Signal::Quit)] {
        let mut person = Person::at(&session, Command::new("sleep").arg("100000")).await;
        person.types(key).await;
        assert_eq!(person.sees(shown).await, shown);
        assert_eq!(person.status().await, End::Signal { signal: signal.number() });
    }
}

#[tokio::test]
async fn a_program_that_handles_the_interrupt_goes_on() {
    let session = session("").await;
    let mut person = Person::at(&session, sh("trap 'echo caught' INT; echo ready; read -r line; echo \"got $line\"")).await;
    person.sees("ready\r\n").await;
    person.types("half").await;
    assert_eq!(person.sees("half").await, "half");
    person.types("\x03").await;
    person.types("line\r").await;
    let shown = person.sees("got line\r\n").await;
    assert!(shown.contains("^C") && shown.contains("caught\r\n"), "{shown:?}");
    assert!(person.status().await.success());
}

#[tokio::test]
async fn closing_the_keyboard_hangs_up() {
    let session = session("").await;
    let person = Person::at(&session, Command::new("cat")).await;
    person.running.close_stdin();
    assert_eq!(person.running.write_stdin("x").await, Err(StdinError::Closed));
    assert_eq!(person.status().await, End::Signal { signal: Signal::Hangup.number() });
}

#[tokio::test]
async fn a_terminal_has_a_size_that_changes() {
    let session = session("").await;
    let mut person = Person::at(&session, sh("trap 'echo changed' WINCH; echo ready; read -r line; echo over")).await;
    person.sees("ready\r\n").await;
    assert_eq!(person.running.terminal_size(), Some(TerminalSize::new(24, 80)));
    assert!(person.running.resize(TerminalSize::new(30, 100)));
    assert_eq!(person.running.terminal_size(), Some(TerminalSize::new(30, 100)));
    person.types("\r").await;
    assert!(person.sees("over\r\n").await.contains("changed\r\n"));
    let plain = session.start(Command::new("true")).await.unwrap();
    assert_eq!((plain.terminal_size(), plain.resize(TerminalSize::new(1, 1))), (None, false));
}

#[tokio::test]
async fn bytes_are_typed_and_end_with_control_d() {
    let session = session("").await;
    let at = |command: Command| command.terminal(TerminalSize::new(24, 80));
    let outcome = session.run(at(Command::new("cat").stdin_bytes("one\ntwo\n"))).await.unwrap();
    let shown = outcome.stdout_text();
    assert_eq!((outcome.exit_code(), shown.matches("one\r\n").count(), shown.matches("two\r\n").count()), (0, 2, 2), "{shown:?}");
    assert!(session.run(at(Command::new("cat"))).await.unwrap().stdout.is_empty(), "an empty input ends at once");
}

#[tokio::test]
async fn what_a_terminal_shows_counts_as_output() {
    let session = session("[limits]\nstdout = \"64KiB\"\n").await;
    let at = |command: Command| command.terminal(TerminalSize::new(24, 80));
    let outcome = session.run(at(Command::new("yes"))).await.unwrap();
    assert_eq!((outcome.limit.map(|hit| hit.limit), outcome.stdout.len()), (Some(Limit::Stdout), 64 << 10));
    let echo = "x".repeat(1_000) + "\n";
    let outcome = session.run(at(Command::new("wc").stdin_bytes(echo.repeat(100)))).await.unwrap();
    assert_eq!(outcome.limit.map(|hit| hit.limit), Some(Limit::Stdout), "echo counts too");
    let outcome = session.run(at(Command::new("wc").stdin_bytes(echo.repeat(10)))).await.unwrap();
    assert!(outcome.success() && outcome.stdout_text().contains("10010"));
}

#[tokio::test]
async fn a_terminal_of_a_deterministic_session_shows_the_same_each_time() {
    let mut shown = Vec::new();
    for _ in 0..3 {
        let session = session("[determinism]\nseed = 1\n").await;
        let command = sh("cat; for i in 1 2 3; do echo $i; sleep 1; done & wait; date +%s").stdin_bytes("one\ntwo\n");
        let outcome = session.run(command.terminal(TerminalSize::new(24, 80))).await.unwrap();
        assert!(outcome.success());
        shown.push(outcome.stdout_text().into_owned());
    }
    assert!(shown[0].contains("two\r\n") && shown.iter().all(|one| *one == shown[0]), "{shown:?}");
}

#[tokio::test]
async fn stty_changes_the_terminal_and_tools_ask_for_its_size() {
    let session = session("").await;
    let script = "stty size; tput cols; stty raw -echo; echo ready; head -c 3 | od -An -c; stty sane; stty; cat";
    let mut person = Person::at(&session, sh(script)).await;
    // In raw mode a newline is only that.
    assert_eq!(person.sees("ready\n").await, "24 80\r\n80\r\nready\n");
    person.types("\x03\r\x04").await;
    let shown = person.sees("baud; line = 0;\r\n").await;
    assert!(shown.contains("003  \\r 004"), "{shown:?}");
    person.types("x\x7fy\r\x04").await;
    assert_eq!(person.sees("\r\ny\r\n").await, "x\x08 \x08y\r\ny\r\n");
    assert!(person.status().await.success());
}

#[tokio::test]
async fn a_shell_at_a_terminal_edits_lines_recalls_them_and_completes_names() {
    let session = session("").await;
    let command = Command::new("sh").arg("-i").env("PS1", "> ").env("ENV", "");
    let mut person = Person::at(&session, command).await;
    for (keys, shown) in [
        ("ehco one\x01\x1b[C\x04\x1b[Ch\r", "\x1b[?2004lone\r\n"),
        ("\x1b[A two\r", "\x1b[?2004lone two\r\n"),
        ("\x12ho o\r", "\x1b[?2004lone two\r\n"),
        ("touch 'a file' a-b; mkdir dir\r", "\x1b[?2004l"),
        ("ls a\t\\ \t\r", "\x1b[?2004l'a file'\r\n"),
        ("cd d\t; pw\t\x7f\r", "/dir\r\n"),
        ("echo half\x03", "^C\r\n\x1b[?2004l"),
        ("echo $?\r", "\x1b[?2004l130\r\n"),
        ("echo one \\\rtwo\r", "\x1b[?2004lone two\r\n"),
        ("for i in 1 2; do\recho x$i\rdone\r", "x1\r\nx2\r\n"),
        ("\x1b[200~echo a\recho b\x1b[201~\r", "\x1b[?2004la\r\nb\r\n"),
        ("stty -a | grep -o ' icanon'; stty -a | grep -o ' echo '\r", "icanon\r\n echo \r\n"),
    ] {
        person.sees("> ").await;
        person.types(keys).await;
        person.sees(shown).await;
    }
    person.sees("> ").await;
    person.types("\x04").await;
    person.sees("exit\r\n").await;
    assert_eq!(person.status().await, End::Exit { code: 0 });
}

#[tokio::test]
async fn a_shell_leaves_lines_to_the_terminal_if_it_is_asked_to() {
    let session = session("").await;
    let command = || Command::new("sh").env("PS1", "> ").env("ENV", "");
    for command in [command().args(["--noediting", "-i"]), command().arg("-i").env("TERM", "dumb")] {
        let mut person = Person::at(&session, command).await;
        assert_eq!(person.sees("> ").await, "> ");
        person.types("echo ax\x7fb\r").await;
        assert_eq!(person.sees("\r\nab\r\n").await, "echo ax\x08 \x08b\r\nab\r\n");
        person.types("exit\r").await;
        assert!(person.status().await.success());
    }
}

#[tokio::test]
async fn an_interactive_shell_stops_and_continues_a_job() {
    let session = session("").await;
    let command = Command::new("sh").arg("-i").env("PS1", "> ").env("ENV", "");
    let mut person = Person::at(&session, command).await;
    person.sees("> ").await;
    person.types("cat\r").await;
    person.sees("cat\r\n").await;
    person.types("one\r").await;
    person.sees("one\r\none\r\n").await;
    person.types("\x1a").await;
    let shown = person.sees("> ").await;
    assert!(shown.contains("Stopped"), "{shown:?}");
    person.types("fg\r").await;
    person.sees("cat\r\n").await;
    person.types("two\r").await;
    person.sees("two\r\ntwo\r\n").await;
    person.types("\x04").await;
    person.sees("> ").await;
    person.types("exit 3\r").await;
    assert_eq!(person.status().await, End::Exit { code: 3 });
}
