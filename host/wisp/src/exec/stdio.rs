//! The standard streams of a command: pipes, or a terminal of the sandbox.

use std::mem;
use std::sync::Arc;

use crate::exec::command::{Command, Input};
use crate::exec::command_run::CommandRun;
use crate::exec::input::{Feed, open_input};
use crate::exec::output::{Channel, Outlet};
use crate::exec::session_state::SessionState;
use crate::exec::tty::Screen;
use crate::wasi::OpenDescription;
use wisp_process::tty::Control;

/// What the host keeps of a command's standard streams.
pub(crate) struct Stdio {
    pub stdout: Outlet,
    pub stderr: Outlet,
    source: Source,
}

/// Where the input comes from.
enum Source {
    /// A pipe, and what writes to it.
    Pipe(Feed),
    /// A terminal, and what will be typed there.
    Terminal(Screen, Input),
}

impl Stdio {
    /// Opens the streams that `command` asks for, and takes them out of it. Returns the descriptors of its first process, too.
    pub(crate) fn open(session: &SessionState, run: &Arc<CommandRun>, command: &mut Command) -> ([OpenDescription; 3], Self) {
        let limits = session.shared.policy.limits();
        let input = mem::take(&mut command.stdin);
        let (out, stdout) = Outlet::open(run, Channel::Stdout, limits.stdout, mem::take(&mut command.stdout));
        if let Some(size) = command.terminal {
            let screen = Screen::open(session, run, size, out);
            let programs = [(); 3].map(|()| screen.programs.clone());
            return (programs, Self { stdout, stderr: Outlet::shared(), source: Source::Terminal(screen, input) });
        }
        let (err, stderr) = if command.merged {
            (out.clone(), Outlet::shared())
        } else {
            Outlet::open(run, Channel::Stderr, limits.stderr, mem::take(&mut command.stderr))
        };
        let (input, feed) = open_input(input, run, session.lockstep.as_ref());
        ([input, out, err], Self { stdout, stderr, source: Source::Pipe(feed) })
    }

    /// Returns the terminal, if it is one.
    pub(crate) fn terminal(&self) -> Option<Control> {
        match &self.source {
            Source::Pipe(_) => None,
            Source::Terminal(screen, _) => Some(screen.keyboard.control().clone()),
        }
    }

    /// Begins to type at a terminal: once the command's clock has started, which stops while a program waits for a person's keys.
    /// Returns the two outputs, and what brings the input.
    pub(crate) fn begin(self, session: &SessionState, run: &Arc<CommandRun>) -> ([Outlet; 2], Feed) {
        let feed = match self.source {
            Source::Pipe(feed) => feed,
            Source::Terminal(screen, input) => screen.feed(input, run, session.lockstep.as_ref()),
        };
        ([self.stdout, self.stderr], feed)
    }
}
