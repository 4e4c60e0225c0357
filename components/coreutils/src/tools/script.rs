//! `script`: a transcript of what a terminal shows.

use crate::options::{Line, Opt, Syntax, flag, value};
use crate::spawn::{self, Command};
use crate::sys::{self, Child, Stream, Waits, terminal};
use crate::{text, time};
use std::ffi::{OsStr, OsString};
use std::fs::{File, OpenOptions};
use std::io::{Result, Write};
use std::path::Path;
use std::time::Duration;
use wisp_tool::calendar;

const OPTIONS: &[Opt] = &[
    flag("a", "append", "append to FILE"),
    value("c", "command", "run VALUE instead of an interactive shell"),
    value("E", "echo", "whether what is typed is echoed: auto, always or never"),
    flag("e", "return", "exit with the status of the command"),
    flag("f", "flush", "write each piece at once (always so here)"),
    flag("", "force", "write to FILE even if it is a link"),
    value("O", "log-out", "the same as FILE"),
    flag("q", "quiet", "print nothing about the start and the end"),
];

const SYNTAX: Syntax = Syntax {
    usage: "[OPTION]... [FILE]",
    about: "Run a shell or a command at a terminal of its own, and write all that the terminal shows to FILE (typescript).",
    options: OPTIONS,
    origin: "wisp, compatible with util-linux",
    letters: ("h", "V"),
    ..Syntax::COMMON
};

/// The file of a transcript without a name.
const FILE: &str = "typescript";

/// How a date is written.
const DATE: &str = "%Y-%m-%d %H:%M:%S%:z";

const HUP: u8 = 1;
const INT: u8 = 2;
const QUIT: u8 = 3;
const TERM: u8 = 15;
const WINCH: u8 = 28;

/// Typed bytes that wait for room.
const MAX_TYPED: usize = 16 << 10;

/// Pieces of output that are still taken when the command has ended: others that it left behind may write for ever.
const MAX_LEFT: usize = 16;

/// Runs `script`.
pub(crate) fn main(args: Vec<OsString>) -> u8 {
    SYNTAX.run(&args, run)
}

fn run(args: &[OsString], line: Line) -> u8 {
    let echo = match line.last_text("echo").as_deref() {
        None | Some("auto") => None,
        Some("always") => Some(true),
        Some("never") => Some(false),
        Some(other) => {
            text::complain("script", format!("unsupported echo mode: {}", text::quote(other)));
            return 1;
        }
    };
    if line.operands.len() > 1 {
        return SYNTAX.misuse(args, "unexpected number of arguments");
    }
    let given = line.operands.first().map(OsString::as_os_str).or(line.last("log-out"));
    let name = given.unwrap_or(OsStr::new(FILE));
    if given.is_none() && !line.has("force") && is_link(name.as_ref()) {
        text::complain(
            "script",
            format!("output file `{FILE}' is a link\nUse --force if you really want to use it.\nProgram not started."),
        );
        return 1;
    }
    let append = line.has("append");
    let opened = OpenOptions::new().create(true).write(true).append(append).truncate(!append).open(name);
    let log = match opened {
        Ok(log) => log,
        Err(error) => {
            text::complain("script", format!("cannot open {}: {}", name.to_string_lossy(), text::reason(&error)));
            return 1;
        }
    };
    let quiet = line.has("quiet");
    if !quiet {
        println!("Script started, output log file is '{}'.", name.to_string_lossy());
        let _ = std::io::stdout().flush();
    }
    let recorded = record(log, line.last("command"), echo);
    if !quiet {
        println!("Script done.");
    }
    match recorded {
        Ok(status) if line.has("return") => status,
        Ok(_) => 0,
        Err(error) => {
            text::complain("script", text::reason(&error));
            1
        }
    }
}

fn is_link(path: &Path) -> bool {
    sys::stat(path, false).is_ok_and(|stat| stat.is_link() || stat.nlink > 1)
}

/// Our own terminal in raw mode; its settings are put back when this is dropped.
struct Raw(Option<terminal::Settings>);

impl Raw {
    fn enter() -> Self {
        let before = terminal::settings(0).ok().filter(|before| terminal::set_settings(0, &before.raw(), true).is_ok());
        Self(before)
    }
}

impl Drop for Raw {
    fn drop(&mut self) {
        if let Some(before) = &self.0 {
            // A terminal that took settings takes them again, unless it is gone.
            let _ = terminal::set_settings(0, before, true);
        }
    }
}

/// Runs the command with a transcript in `log`. Returns its status.
fn record(mut log: File, command: Option<&OsStr>, echo: Option<bool>) -> Result<u8> {
    let (rows, columns) = terminal::window();
    let small = |size: usize| u16::try_from(size).unwrap_or(u16::MAX);
    let (keys, programs) = sys::new_terminal(small(rows), small(columns))?;
    log.write_all(header(command, rows, columns).as_bytes())?;
    sys::handle_signals([HUP, INT, QUIT, TERM, WINCH].into_iter().fold(0, |set, signal| set | bit(signal)));
    let raw = Raw::enter();
    // Where the host edits the lines, they were seen already.
    let echo = echo.unwrap_or(raw.0.is_some() || !sys::is_terminal(0));
    programs.set_settings(&programs.settings()?.with_echo(echo))?;
    let shell = shell(command);
    let child = match start(&shell, programs) {
        Ok(child) => child,
        Err(error) => {
            drop(raw);
            text::complain("script", format!("failed to execute {}: {}", shell.words[0].to_string_lossy(), text::reason(&error)));
            return Ok(spawn::status(&error));
        }
    };
    let mut session = Session { keys, child, log, typed: Vec::new(), line_begun: false };
    let status = session.run()?;
    drop(raw);
    let date = time::format(calendar::now(), DATE);
    session.log.write_all(format!("\nScript done on {date} [COMMAND_EXIT_CODE=\"{status}\"]\n").as_bytes())?;
    Ok(status)
}

/// Starts the command at its end of a terminal, which only programs keep open from then on.
fn start(shell: &Command, programs: Stream) -> Result<Child> {
    shell.with_program(|start| sys::spawn_at(start, &programs))
}

fn header(command: Option<&OsStr>, rows: usize, columns: usize) -> String {
    let mut facts = Vec::new();
    facts.extend(command.map(|command| format!("COMMAND=\"{}\"", command.to_string_lossy())));
    if sys::is_terminal(0) {
        facts.extend(std::env::var("TERM").ok().map(|term| format!("TERM=\"{term}\"")));
        facts.push(format!("TTY=\"/dev/tty\" COLUMNS=\"{columns}\" LINES=\"{rows}\""));
    } else {
        facts.push("<not executed on terminal>".to_owned());
    }
    format!("Script started on {} [{}]\n", time::format(calendar::now(), DATE), facts.join(" "))
}

/// Returns the shell, interactive or with a command.
fn shell(command: Option<&OsStr>) -> Command {
    let shell = std::env::var_os("SHELL").filter(|shell| !shell.is_empty()).unwrap_or_else(|| "sh".into());
    let words = match command {
        Some(command) => vec![shell.clone(), "-c".into(), command.to_owned()],
        None => vec![shell.clone(), "-i".into()],
    };
    let mut command = Command::new(words);
    command.argv0 = Path::new(&shell).file_name().map(OsStr::to_owned);
    command
}

fn bit(signal: u8) -> u64 {
    1 << (signal - 1)
}

/// A command at a terminal whose keys and screen are ours.
struct Session {
    keys: Stream,
    child: Child,
    log: File,
    /// What was typed and waits for room.
    typed: Vec<u8>,
    /// Whether the last byte typed was not the end of a line.
    line_begun: bool,
}

impl Session {
    /// Passes keys and output on until the command ends. Returns its status.
    fn run(&mut self) -> Result<u8> {
        let mut input = Stream::inherited(0).ok();
        if input.is_none() {
            self.end_input();
        }
        let mut shows = true;
        loop {
            let keys = Some(&self.keys);
            let ready = Waits {
                child: Some(&self.child),
                read: [keys.filter(|_| shows), input.as_ref().filter(|_| self.typed.len() < MAX_TYPED)],
                write: keys.filter(|_| !self.typed.is_empty()),
                time: None,
            }
            .wait();
            if ready.read[0] {
                shows = self.show()?;
            }
            if ready.read[1] {
                // An input that cannot be read has ended.
                match input.as_ref().map(|input| input.read().unwrap_or_default()).filter(|part| !part.is_empty()) {
                    Some(part) => {
                        self.line_begun = !part.ends_with(b"\n") && !part.ends_with(b"\r");
                        self.typed.extend(part);
                    }
                    None => {
                        input = None;
                        self.end_input();
                    }
                }
            }
            for (signal, key) in [(INT, 0x03), (QUIT, 0x1c)] {
                if ready.signals & bit(signal) != 0 {
                    self.typed.push(key);
                }
            }
            if ready.signals & bit(WINCH) != 0
                && let Ok((rows, columns)) = terminal::size(0)
            {
                // Only a terminal that is gone refuses.
                let _ = self.keys.set_size(rows, columns);
            }
            if let Some(signal) = [TERM, HUP].into_iter().find(|signal| ready.signals & bit(*signal) != 0) {
                // The terminal ends with us, which its programs notice.
                return Ok(128 + signal);
            }
            if !self.typed.is_empty() && self.keys.write_some(&mut self.typed).is_err() {
                // No program has the terminal open any more.
                self.typed.clear();
                input = None;
            }
            if let Some(status) = self.child.try_wait() {
                self.show_rest()?;
                return Ok(status);
            }
        }
    }

    /// Enters the key that ends the input; twice if a line has begun, because the first one only ends that line.
    fn end_input(&mut self) {
        let end = self.keys.settings().ok().and_then(|settings| settings.end_key()).unwrap_or(0x04);
        self.typed.extend(std::iter::repeat_n(end, if self.line_begun { 2 } else { 1 }));
    }

    /// Shows some output. Returns false at its end.
    fn show(&mut self) -> Result<bool> {
        let part = self.keys.read()?;
        let mut out = std::io::stdout().lock();
        out.write_all(&part).and_then(|()| out.flush())?;
        self.log.write_all(&part)?;
        Ok(!part.is_empty())
    }

    /// Shows what the command left.
    fn show_rest(&mut self) -> Result<()> {
        for _ in 0..MAX_LEFT {
            let ready = Waits { read: [Some(&self.keys), None], time: Some(Duration::ZERO), ..Waits::default() }.wait();
            if !ready.read[0] || !self.show()? {
                break;
            }
        }
        Ok(())
    }
}
