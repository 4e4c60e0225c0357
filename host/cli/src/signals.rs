//! Signals to wisp: what each does to the command of a `wisp run`, and which end a server.
//!
//! Ctrl-C interrupts the foreground, so that programs can clean up; without a terminal of the sandbox, a second one ends everything.
//! SIGTERM and SIGHUP reach every process of the command, which is ended by force if it runs on for longer than [`GRACE`]. Once
//! it is being ended by force, one more Ctrl-C or SIGTERM ends wisp.

use std::time::Duration;

use tokio::signal::unix::{Signal as Listener, SignalKind, signal};
use tokio::time::{Instant, sleep_until};
use wisp::Signal;

use crate::stop::{Asked, code};

/// How long a command may take to clean up after SIGTERM or SIGHUP. Then its results are still copied within the time that
/// supervisors give: ten seconds, or more.
const GRACE: Duration = Duration::from_secs(5);

/// What is to be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// The foreground is interrupted.
    Interrupt,
    /// The foreground is stopped, or wisp itself.
    Suspend,
    /// Every process receives this signal.
    Pass(Signal),
    /// Everything is ended by force.
    Kill,
    /// wisp ends, with this exit code.
    Leave(u8),
}

/// What came.
#[derive(Debug, Clone, Copy)]
enum Heard {
    Interrupt,
    Suspend,
    End(Signal),
    /// The grace time is over.
    Over,
}

/// The signals of a `wisp run`, from their beginning on.
pub(crate) struct Signals {
    interrupts: Listener,
    terminate: Listener,
    hangup: Option<Listener>,
    suspend: Option<Listener>,
    course: Course,
    /// When the grace time is over, once it runs.
    until: Option<Instant>,
    asked: Asked,
}

impl Signals {
    /// Listens from now on, for a command whose terminal of the sandbox has a `person` or not. `None` if the system refuses it: then
    /// the signals' default action applies, and wisp ends. What comes of the signals is noted in `asked`.
    pub(crate) fn listen(person: bool, asked: &Asked) -> Option<Self> {
        let (interrupts, terminate) = (signal(SignalKind::interrupt()).ok()?, signal(SignalKind::terminate()).ok()?);
        // Not made where it is not used: the default action would be gone, and Ctrl-Z with it.
        let suspend = person.then(|| signal(SignalKind::from_raw(libc::SIGTSTP)).ok()).flatten();
        let course = Course { person, ..Course::default() };
        Some(Self { interrupts, terminate, hangup: hangup(), suspend, course, until: None, asked: asked.clone() })
    }

    /// Waits for the next signal, and returns what is to be done.
    pub(crate) async fn next(&mut self) -> Step {
        loop {
            let heard = tokio::select! {
                _ = self.interrupts.recv() => Heard::Interrupt,
                _ = self.terminate.recv() => Heard::End(Signal::Terminate),
                () = received(&mut self.hangup) => Heard::End(Signal::Hangup),
                () = received(&mut self.suspend) => Heard::Suspend,
                () = over(self.until) => Heard::Over,
            };
            let Some(step) = self.course.after(heard, self.asked.code()) else { continue };
            match step {
                Step::Pass(signal) => {
                    self.asked.by_signal(signal);
                    self.until = Some(Instant::now() + GRACE);
                }
                Step::Kill => {
                    self.asked.by_force();
                    self.until = None;
                }
                Step::Interrupt | Step::Suspend | Step::Leave(_) => {}
            }
            return step;
        }
    }
}

/// How far it has come.
#[derive(Debug, Default)]
struct Course {
    person: bool,
    interrupted: bool,
    /// Whether the command was asked to end.
    ending: bool,
    /// Whether it is ended by force.
    killed: bool,
}

impl Course {
    /// Returns what is to be done after this, if anything. `code` is the exit code of a wisp that waits no more.
    fn after(&mut self, heard: Heard, code: u8) -> Option<Step> {
        let step = match heard {
            Heard::Suspend => Step::Suspend,
            // A supervisor may send it twice: to wisp, and to its process group.
            Heard::End(Signal::Hangup) if self.ending || self.killed => return None,
            Heard::End(_) if self.ending && !self.killed => return None,
            Heard::Interrupt | Heard::End(_) if self.killed => Step::Leave(code),
            Heard::End(signal) => Step::Pass(signal),
            Heard::Interrupt if !self.ending && (self.person || !self.interrupted) => Step::Interrupt,
            Heard::Interrupt | Heard::Over => Step::Kill,
        };
        self.interrupted |= step == Step::Interrupt;
        self.ending |= matches!(step, Step::Pass(_));
        self.killed |= step == Step::Kill;
        Some(step)
    }
}

/// Listens, from now on, for signals that would end wisp, and waits for one.
pub(crate) fn signalled() -> impl Future<Output = ()> {
    let ending = ending();
    async {
        ending.await;
    }
}

/// Works like [`signalled`]. Returns the exit code of what that signal ends.
pub(crate) fn ending() -> impl Future<Output = u8> {
    let listeners = (signal(SignalKind::interrupt()), signal(SignalKind::terminate()));
    let mut hangup = hangup();
    async move {
        // Without listeners, the default action applies: wisp ends at once.
        let (Ok(mut interrupts), Ok(mut terminate)) = listeners else { return std::future::pending().await };
        code(tokio::select! {
            _ = interrupts.recv() => Signal::Interrupt,
            _ = terminate.recv() => Signal::Terminate,
            () = received(&mut hangup) => Signal::Hangup,
        })
    }
}

/// Listens for SIGHUP, unless this process was started with it ignored, as by `nohup`: then it stays so.
fn hangup() -> Option<Listener> {
    // SAFETY: the call only writes the structure, which is plain data.
    let ignored = unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut action) == 0 && action.sa_sigaction == libc::SIG_IGN
    };
    if ignored { None } else { signal(SignalKind::hangup()).ok() }
}

/// Waits for a signal, without a listener for ever.
async fn received(listener: &mut Option<Listener>) {
    match listener {
        Some(listener) => drop(listener.recv().await),
        None => std::future::pending().await,
    }
}

/// Waits until then, or for ever.
async fn over(until: Option<Instant>) {
    match until {
        Some(until) => sleep_until(until).await,
        None => std::future::pending().await,
    }
}

#[cfg(test)]
mod tests {
    use super::Heard::{End, Interrupt, Over, Suspend};
    use super::*;

    const TERM: Signal = Signal::Terminate;
    const HUP: Signal = Signal::Hangup;

    #[test]
    fn a_command_may_clean_up_and_is_ended_if_that_takes_too_long() {
        let steps = |person, all: &[Heard]| {
            let mut course = Course { person, ..Course::default() };
            all.iter().map(|heard| course.after(*heard, 7)).collect::<Vec<_>>()
        };
        let (pass, interrupt, kill, leave) =
            (|signal| Some(Step::Pass(signal)), Some(Step::Interrupt), Some(Step::Kill), Some(Step::Leave(7)));
        assert_eq!(steps(false, &[Interrupt, Interrupt, Interrupt]), [interrupt, kill, leave]);
        assert_eq!(steps(true, &[Interrupt, Interrupt, Suspend]), [interrupt, interrupt, Some(Step::Suspend)]);
        // A signal that comes twice is one.
        assert_eq!(steps(false, &[End(TERM), End(TERM), Over, End(HUP), End(TERM)]), [pass(TERM), None, kill, None, leave]);
        assert_eq!(steps(true, &[End(HUP), End(HUP), End(TERM), Over, Interrupt]), [pass(HUP), None, None, kill, leave]);
        // Who cannot wait presses Ctrl-C.
        assert_eq!(steps(true, &[End(TERM), Interrupt]), [pass(TERM), kill]);
        assert_eq!(steps(false, &[Interrupt, End(TERM), Interrupt, Interrupt]), [interrupt, pass(TERM), kill, leave]);
        // A hangup changes nothing about a command that is being ended.
        assert_eq!(steps(false, &[Interrupt, Interrupt, End(HUP)]), [interrupt, kill, None]);
    }
}
