//! A command at a person's terminal: it requests lines, and each line has its own limits.

use std::sync::Arc;
use std::time::Duration;

use crate::exec::command::{Terminal, Typed};
use crate::exec::command_run::CommandRun;
use wisp_process::{PipeWatch, PipeWriter, Signal};

/// How long a program that was interrupted while it read may take to react, before it counts as one that ignores the
/// interrupt and continues to read.
const MINDS: Duration = Duration::from_millis(200);

/// Delivers lines to the programs that wait for them, until none can any more. `output` is the terminal's: a line is
/// requested only when all output has arrived there.
pub(crate) async fn feed(mut terminal: Box<dyn Terminal>, input: PipeWriter, output: Option<PipeWatch>, running: Arc<CommandRun>) {
    let watch = input.watch();
    let mut served = 0;
    let mut interrupted = false;
    loop {
        let wanted = if interrupted {
            match tokio::time::timeout(MINDS, watch.wanted_after(served)).await {
                Ok(wanted) => wanted,
                Err(_) => watch.wanted().await,
            }
        } else {
            watch.wanted().await
        };
        let Some(waits) = wanted else { return };
        if let Some(output) = &output {
            // A closed stream has no output left either.
            output.wanted().await;
        }
        served = waits;
        running.pause();
        let typed = terminal.line().await;
        running.renew();
        interrupted = typed == Typed::Interrupt;
        match typed {
            Typed::Line(line) => {
                if input.write_all(line).await.is_err() {
                    return;
                }
            }
            Typed::Interrupt => running.signal_foreground(Signal::Interrupt),
            Typed::End => input.end_once(),
            Typed::Gone => {
                running.processes().iter().for_each(|process| process.send(Signal::Hangup));
                return;
            }
        }
    }
}
