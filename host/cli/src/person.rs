//! Commands for a person: at a terminal of the sandbox, which is shown on the person's and takes the keys that are pressed there.

use std::sync::Arc;

use wisp::{Command, Input, Outcome, Output, RunError, Running, Session, Shell};

use crate::filter::{Filtered, Level};
use crate::outputs::Standard;
use crate::stop::Stop;
use crate::{keyboard, terminal};

/// A person at a terminal, and the session of the commands.
#[derive(Clone, Copy)]
pub(crate) struct Person<'a> {
    pub(crate) session: &'a Session,
    pub(crate) stop: &'a Stop,
    pub(crate) settings: &'a terminal::Settings,
    /// Whether everything that a command writes passes to the person's terminal.
    pub(crate) raw: bool,
}

impl Person<'_> {
    /// Runs a command.
    pub(crate) async fn run(self, command: Command) -> Result<Outcome, RunError> {
        let command = self.at_terminal(command);
        // Before the first prompt: what is typed after it must not be echoed twice.
        self.settings.make_raw();
        let ended = match self.session.start(command).await {
            Ok(running) => attend(&running).await.map(Arc::unwrap_or_clone),
            Err(error) => Err(error),
        };
        self.settings.restore();
        ended
    }

    /// Runs a script, or without one what the person types, in a shell whose state persists.
    pub(crate) async fn run_in(self, shell: &mut Shell, script: Option<&str>) -> Result<Outcome, RunError> {
        let set = |command| self.at_terminal(command);
        self.settings.make_raw();
        let started = match script {
            Some(script) => shell.start_with(script, set).await,
            None => shell.start_interactive(set).await,
        };
        let ended = match started {
            Ok(call) => match attend(call.running()).await {
                Ok(_) => shell.finish(call).await.map(Arc::unwrap_or_clone),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        self.settings.restore();
        ended
    }

    /// Returns the command with a terminal.
    fn at_terminal(self, command: Command) -> Command {
        let keys = keyboard::Keys::new(keyboard::Typing::default(), self.stop, self.settings.remains());
        let level = (!self.raw).then_some(Level::Program);
        let screen = Filtered::new(Standard::Output.stream(), level).telling(self.settings.remains());
        let command = command
            .terminal(keyboard::size())
            .stdin(Input::Stream { stream: Box::new(keys), terminal: true })
            .stdout(Output::Stream { stream: Box::new(screen), terminal: true });
        // The kind of the terminal is the person's, unless the policy sets it.
        match std::env::var("TERM") {
            Ok(term) if !self.session.policy().env().contains_key("TERM") => command.env("TERM", term),
            _ => command,
        }
    }
}

/// Waits for the end of a command, whose terminal has the size of the person's in the meantime.
async fn attend(running: &Running) -> Result<Arc<Outcome>, RunError> {
    let sizes = tokio::spawn(keyboard::follow_size(running.clone()));
    let ended = running.wait().await;
    sizes.abort();
    ended
}
