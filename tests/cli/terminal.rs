//! `wisp run` at a terminal, as a user has it: a pseudo-terminal whose other end types and reads.

mod expect;
mod jobs;
mod kept;
mod lines;
mod sandbox;
mod tmux;
mod tools;

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// How long something may take to appear before the test fails: the first run compiles.
const PATIENCE: Duration = Duration::from_secs(300);

/// A wisp at a terminal.
struct Person {
    wisp: Child,
    keys: File,
    shown: Receiver<Vec<u8>>,
    /// Output that was not examined yet.
    seen: String,
    terminal: OwnedFd,
}

/// A pseudo-terminal: the user's end, and the program's.
fn pseudo_terminal() -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (0, 0);
    let size = libc::winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: two numbers are written, and are descriptors of ours if the call succeeds.
    unsafe {
        assert_eq!(libc::openpty(&mut ours, &mut theirs, std::ptr::null_mut(), std::ptr::null(), &size), 0);
        libc::fcntl(ours, libc::F_SETFD, libc::FD_CLOEXEC);
        libc::fcntl(theirs, libc::F_SETFD, libc::FD_CLOEXEC);
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}

impl Person {
    fn new(arguments: &[&str]) -> Self {
        Self::start(Command::new(wisp_tests::wisp::prepared().expect("the binary is built")).arg("run").args(arguments))
    }

    /// A wisp that keeps its sessions in this folder.
    fn keeping(folder: &Path, arguments: &[&str]) -> Self {
        let mut command = Command::new(wisp_tests::wisp::prepared().expect("the binary is built"));
        Self::start(command.arg("run").args(arguments).env("XDG_STATE_HOME", folder))
    }

    fn start(command: &mut Command) -> Self {
        let (ours, theirs) = pseudo_terminal();
        let end = || Stdio::from(theirs.try_clone().expect("a descriptor is free"));
        command.env("TERM", "xterm").stdin(end()).stdout(end()).stderr(end());
        // SAFETY: both calls may be made between fork and exec; descriptor 0 is the terminal there.
        unsafe {
            command.pre_exec(|| {
                libc::setsid();
                libc::ioctl(0, libc::TIOCSCTTY, 0);
                Ok(())
            });
        }
        let wisp = command.spawn().expect("wisp starts");
        let (sender, shown) = channel();
        let mut screen = File::from(ours.try_clone().expect("a descriptor is free"));
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = screen.read(&mut bytes) {
                if sender.send(bytes[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        Self { wisp, keys: File::from(ours), shown, seen: String::new(), terminal: theirs }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Types a line for the shell's own editor, and waits until it is taken.
    fn enters(&mut self, keys: &str) {
        self.types(keys);
        self.types("\r");
        self.sees(ENTERED);
    }

    /// Waits until this is shown, and returns the output up to it.
    fn sees(&mut self, text: &str) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(at) = self.seen.find(text) {
                return self.seen.drain(..at + text.len()).collect();
            }
            match self.shown.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(bytes) => self.seen.push_str(&String::from_utf8_lossy(&bytes)),
                Err(_) => panic!("{text:?} is not shown, but {:?}", self.seen),
            }
        }
    }

    /// Waits for the prompt of the shell's own editor, and returns the output up to it.
    fn edits(&mut self, prompt: &str) -> String {
        let mut shown = self.sees(MARKED);
        shown += &self.sees(prompt);
        shown
    }

    /// Waits for the end of wisp, and returns what was shown and not examined.
    fn rest(&mut self) -> String {
        self.wisp.wait().expect("wisp ends");
        File::from(self.terminal.try_clone().expect("a descriptor is free")).write_all(b"<end>").expect("the terminal shows text");
        let mut shown = self.sees("<end>");
        shown.truncate(shown.len() - "<end>".len());
        shown
    }

    /// The terminal has another size.
    fn resizes(&self, rows: u16, columns: u16) {
        let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        // SAFETY: the structure is only read.
        assert_eq!(unsafe { libc::ioctl(std::os::fd::AsRawFd::as_raw_fd(&self.keys), libc::TIOCSWINSZ, &size) }, 0);
    }

    /// Whether the terminal is in the state that an outer shell expects: lines, echo, and Ctrl-C as a signal.
    fn is_plain(&self) -> bool {
        use std::os::fd::AsRawFd;
        // SAFETY: the structure is written by the call.
        let flags = unsafe {
            let mut settings: libc::termios = std::mem::zeroed();
            assert_eq!(libc::tcgetattr(self.terminal.as_raw_fd(), &mut settings), 0);
            settings.c_lflag
        };
        let wanted = libc::ICANON | libc::ECHO | libc::ISIG;
        flags & wanted == wanted
    }

    fn ends(mut self, code: i32) {
        assert_eq!(self.wisp.wait().expect("wisp ends").code(), Some(code), "{}", self.seen);
        assert!(self.is_plain(), "the terminal is left raw");
    }
}

const PROMPT: &str = "user@wisp:~$ ";

/// What the shell's own editor shows before a prompt, and after a line.
const MARKED: &str = "\x1b[?2004h";
const ENTERED: &str = "\r\n\x1b[?2004l";
