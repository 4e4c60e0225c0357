//! tmux drives `wisp run`: a terminal that is not ours, which shows the screen as a person sees it.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};

use super::PATIENCE;

/// A server of tmux with one window, in which wisp runs. It takes commands and reports output, line by line (tmux(1),
/// "Control mode").
struct Window {
    tmux: Child,
    commands: ChildStdin,
    reports: Receiver<String>,
    /// Whether something was shown since the last look at the screen.
    news: bool,
}

impl Window {
    fn new(name: &str, program: &str) -> Self {
        let root = wisp_tests::wisp::root();
        let wisp = wisp_tests::wisp::prepared().expect("the binary is built");
        // Then a reader of the terminal, so that the window stays.
        let command = format!("'{}' run -- {program}; echo status $?; cat", wisp.display());
        let socket = format!("wisp-{name}-{}", std::process::id());
        let mut tmux = Command::new(root.join("toolchain/tmux"))
            .args(["-L", &socket, "-f", "/dev/null", "-C", "new-session", "-x", "80", "-y", "24", &command])
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("toolchain/tmux starts");
        let commands = tmux.stdin.take().expect("it is a pipe");
        let output = BufReader::new(tmux.stdout.take().expect("it is a pipe"));
        let (sender, reports) = channel();
        std::thread::spawn(move || {
            // A part of a character may be in a report; the screen has whole ones.
            for line in output.split(b'\n').map_while(Result::ok) {
                if sender.send(String::from_utf8_lossy(&line).into_owned()).is_err() {
                    return;
                }
            }
        });
        let mut window = Self { tmux, commands, reports, news: true };
        window.answer(); // to the command that made the window
        window
    }

    /// The next line of a report, unless none comes.
    fn report(&mut self) -> Option<String> {
        let line = self.reports.recv_timeout(PATIENCE).ok()?;
        self.news |= line.starts_with("%output ") || line.starts_with("%layout-change ");
        Some(line)
    }

    /// The lines that a command printed.
    fn answer(&mut self) -> Vec<String> {
        let mut next = || self.report().expect("tmux answers");
        while !next().starts_with("%begin ") {}
        let mut lines = Vec::new();
        loop {
            let line = next();
            assert!(!line.starts_with("%error "), "tmux: {lines:?}");
            if line.starts_with("%end ") {
                return lines;
            }
            lines.push(line);
        }
    }

    fn tell(&mut self, command: &str) -> Vec<String> {
        writeln!(self.commands, "{command}").expect("tmux takes commands");
        self.answer()
    }

    /// Presses keys, by their names in tmux.
    fn presses(&mut self, keys: &str) {
        self.tell(&format!("send-keys {keys}"));
    }

    /// Types a text and, once it is shown, Return.
    fn enters(&mut self, text: &str) {
        // Where a line is broken, a space at its end is not seen.
        let solid = |text: &str| text.replace(' ', "");
        self.tell(&format!("send-keys -l \"{text}\""));
        self.shows(|screen| solid(&screen.concat()).ends_with(&solid(text)));
        self.presses("Enter");
    }

    /// Waits until the screen is as wanted, and returns its lines, without the empty ones below.
    fn shows(&mut self, wanted: impl Fn(&[String]) -> bool) -> Vec<String> {
        let mut screen = Vec::new();
        loop {
            while !self.news {
                assert!(self.report().is_some(), "tmux shows nothing but {screen:#?}");
            }
            self.news = false;
            screen = self.tell("capture-pane -p");
            screen.truncate(screen.iter().rposition(|line| !line.is_empty()).map_or(0, |last| last + 1));
            if wanted(&screen) {
                return screen;
            }
        }
    }

    /// Waits until the last line of the screen is this, and returns the line before it.
    fn before(&mut self, last: &str) -> String {
        let screen = self.shows(|screen| screen.last().is_some_and(|line| line == last));
        screen.iter().rev().nth(1).cloned().unwrap_or_default()
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        let _ = writeln!(self.commands, "kill-server");
        let _ = self.tmux.wait();
    }
}

const PROMPT: &str = "user@wisp:~$";

#[test]
fn tmux_shows_lines_screens_and_sizes() {
    let mut window = Window::new("shell", "bash");
    window.before(PROMPT);
    window.enters("echo one | tr a-z A-Z");
    assert_eq!(window.before(PROMPT), "ONE");

    window.presses("Up");
    window.before("user@wisp:~$ echo one | tr a-z A-Z");
    window.presses("C-u");
    window.before(PROMPT);

    window.enters("seq 100 > numbers; less numbers");
    let screen = window.shows(|screen| screen.last().is_some_and(|line| line == "numbers"));
    assert_eq!((screen.len(), screen[0].as_str(), screen[22].as_str()), (24, "1", "23"));
    window.presses("G");
    let screen = window.shows(|screen| screen.last().is_some_and(|line| line == "(END)"));
    assert_eq!((screen[0].as_str(), screen[22].as_str()), ("78", "100"));
    window.presses("q");
    let screen = window.shows(|screen| screen.last().is_some_and(|line| line == PROMPT));
    assert!(screen.iter().any(|line| line == "ONE"), "what was there before less is back: {screen:?}");
    assert!(screen.iter().all(|line| line != "100"), "what less showed is gone: {screen:?}");
    window.enters("less -X numbers");
    window.shows(|screen| screen.last().is_some_and(|line| line == "numbers"));
    window.presses("q");
    let screen = window.shows(|screen| screen.last().is_some_and(|line| line == PROMPT));
    assert!(screen.iter().any(|line| line == "23"), "what less showed stays: {screen:?}");

    window.tell("resize-window -x 60 -y 10");
    window.enters("clear; until stty size | grep '^10 60$'; do :; done");
    assert_eq!(window.before(PROMPT), "10 60");
    window.enters("sleep 1000");
    window.before("user@wisp:~$ sleep 1000");
    window.presses("C-c");
    window.before(PROMPT);
    window.enters("echo $?");
    assert_eq!(window.before(PROMPT), "130");

    window.presses("C-d");
    window.shows(|screen| screen.last().is_some_and(|line| line == "status 0"));
}

#[test]
fn tmux_shows_the_interpreter_and_its_history() {
    let mut window = Window::new("python", "python3");
    window.before(">>>");
    window.enters("sum(range(10))");
    assert_eq!(window.before(">>>"), "45");
    window.presses("Up");
    window.before(">>> sum(range(10))");
    window.presses("BSpace");
    window.enters(", start=100)");
    assert_eq!(window.before(">>>"), "145");
    window.presses("C-d");
    window.shows(|screen| screen.last().is_some_and(|line| line == "status 0"));
}
