//! Signals to a wisp without a terminal: Ctrl-C once and twice, SIGTERM, and SIGHUP.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

#[test]
fn an_interrupt_ends_the_guest_and_keeps_what_it_wrote() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = "import time; open('/output/kept', 'w').write('before'); print('ready', flush=True); time.sleep(600)";
    for (signal, code) in [("-INT", 130), ("-TERM", 143), ("-HUP", 129)] {
        let arguments = ["--output", "out", "--force", "--", "python3", "-c", program];
        let mut wisp = Ready::new(folder.path(), &arguments);
        wisp.send(signal);
        wisp.ends(code);
        let kept = fs::read_to_string(folder.path().join("out/kept")).expect("what the guest wrote came out");
        assert_eq!(kept, "before");
    }
}

#[test]
fn programs_clean_up_after_the_first_interrupt() {
    let folder = tempfile::tempdir().expect("a folder");
    let finally = "import time\ntry:\n    print('ready', flush=True)\n    time.sleep(600)\nfinally:\n    print('cleaned')";
    let trap = "trap 'echo caught; exit 3' INT; sleep 600 >/dev/null 2>&1 & echo ready; wait";
    // What holds the output in the background ignores the interrupt, and is not waited for.
    let left = "sleep 600 & echo ready; wait";
    for (words, code, said) in
        [(["python3", "-c", finally], 130, "cleaned\n"), (["sh", "-c", trap], 3, "caught\n"), (["sh", "-c", left], 130, "")]
    {
        let mut wisp = Ready::new(folder.path(), &[&["--"][..], &words].concat());
        wisp.send("-INT");
        assert_eq!(wisp.rest(), said, "{words:?}");
        wisp.ends(code);
    }
}

#[test]
fn a_second_interrupt_ends_what_survives_the_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "trap 'echo caught' INT; echo ready; while :; do :; done";
    let mut wisp = Ready::new(folder.path(), &["--", "sh", "-c", script]);
    wisp.send("-INT");
    assert_eq!(wisp.line(), "caught\n");
    wisp.send("-INT");
    assert_eq!(wisp.rest(), "");
    wisp.ends(130);
}

#[test]
fn programs_clean_up_after_a_signal_that_ends_wisp() {
    let folder = tempfile::tempdir().expect("a folder");
    let handler = "import signal, sys, time\ndef end(number, frame):\n    print('caught', number, flush=True)\n    sys.exit(0)\n\
                   signal.signal(signal.SIGTERM, end)\nsignal.signal(signal.SIGHUP, end)\nprint('ready', flush=True)\ntime.sleep(600)";
    let trap = "trap 'echo caught 15; exit 3' TERM; trap 'echo caught 1; exit 3' HUP; sleep 600 & echo ready; wait";
    // What the shell waits for receives the signal too, so that the trap runs at once.
    let foreground = "trap 'echo caught 15; exit 3' TERM; trap 'echo caught 1; exit 3' HUP; echo ready; sleep 600";
    for (signal, code, said) in [("-TERM", 143, "caught 15\n"), ("-HUP", 129, "caught 1\n")] {
        for words in [["python3", "-c", handler], ["sh", "-c", trap], ["bash", "-c", foreground]] {
            let mut wisp = Ready::new(folder.path(), &[&["--"][..], &words].concat());
            wisp.send(signal);
            assert_eq!(wisp.rest(), said, "{words:?}");
            wisp.ends(code);
        }
    }
}

#[test]
fn what_ignores_sigterm_is_ended_and_a_supervisor_may_send_it_twice() {
    let folder = tempfile::tempdir().expect("a folder");
    let script = "trap 'echo caught' TERM; touch /output/kept; echo ready; while :; do :; done";
    let mut wisp = Ready::new(folder.path(), &["--output", "out", "--", "sh", "-c", script]);
    wisp.send("-TERM");
    assert_eq!(wisp.line(), "caught\n");
    wisp.send("-TERM");
    assert_eq!(wisp.rest(), "");
    wisp.ends(143);
    assert!(folder.path().join("out/kept").exists());
    // Who cannot wait presses Ctrl-C.
    let mut wisp = Ready::new(folder.path(), &["--", "sh", "-c", "trap 'echo caught' TERM; echo ready; while :; do :; done"]);
    wisp.send("-TERM");
    assert_eq!(wisp.line(), "caught\n");
    wisp.send("-INT");
    wisp.ends(143);
}

/// Not only when its next command ends: a person who is gone types none.
#[test]
fn a_hangup_ends_a_shell_at_its_prompt() {
    let (input, mut typed) = io::pipe().expect("a pipe");
    typed.write_all(b"trap 'echo left' EXIT; echo ready\n").expect("a line is typed");
    let mut wisp = Command::new(wisp_tests::wisp::binary().expect("the binary is built"));
    let mut wisp = Ready::of(wisp.args(["run", "--timeout", "60s", "--", "sh", "-i"]).stdin(input));
    wisp.send("-HUP");
    // What is ended by force says nothing.
    assert_eq!(wisp.rest(), "left\n");
    wisp.ends(129);
    drop(typed);
}

#[test]
fn a_hangup_that_was_ignored_from_the_start_stays_so() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut nohup = Command::new("nohup");
    nohup.arg(wisp_tests::wisp::binary().expect("the binary is built")).current_dir(folder.path()).stdin(Stdio::null());
    let script = "trap 'echo ended' HUP; echo ready; until [ -e /mnt/go/on ]; do :; done; echo done";
    let mount = format!("{}:/mnt/go", folder.path().display());
    let mut wisp = Ready::of(nohup.args(["run", "--timeout", "60s", "--mount", &mount, "--", "sh", "-c", script]));
    wisp.send("-HUP");
    fs::write(folder.path().join("on"), "").expect("a file");
    assert_eq!(wisp.rest(), "done\n");
    wisp.ends(0);
}

/// A wisp whose program has said `ready`.
pub(crate) struct Ready {
    child: Child,
    output: BufReader<ChildStdout>,
}

impl Ready {
    fn new(folder: &Path, arguments: &[&str]) -> Self {
        let mut wisp = Command::new(wisp_tests::wisp::binary().expect("the binary is built"));
        Self::of(wisp.args(["run", "--timeout", "60s"]).args(arguments).current_dir(folder).stdin(Stdio::null()))
    }

    /// Starts this command, and waits for the word.
    pub(crate) fn of(wisp: &mut Command) -> Self {
        let mut child = wisp.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("wisp starts");
        let output = BufReader::new(child.stdout.take().expect("it was piped"));
        let mut ready = Self { child, output };
        assert_eq!(ready.line(), "ready\n", "the guest's output streams");
        ready
    }

    pub(crate) fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        line
    }

    fn rest(&mut self) -> String {
        let mut rest = String::new();
        self.output.read_to_string(&mut rest).expect("text");
        rest
    }

    pub(crate) fn send(&self, signal: &str) {
        let sent = Command::new("kill").args([signal, &self.child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
    }

    fn ends(&mut self, code: i32) {
        assert_eq!(self.status(), Some(code));
    }

    /// Waits for its end. Returns its exit status, if it has one.
    pub(crate) fn status(&mut self) -> Option<i32> {
        self.child.wait().expect("wisp ends").code()
    }
}
