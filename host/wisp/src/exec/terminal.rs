//! A command at a person's terminal: lines on demand, and limits that are the lines'.

use std::sync::Arc;
use std::time::Duration;

use crate::exec::command::{Terminal, Typed};
use crate::exec::command_run::Running;
use wisp_process::{PipeWatch, PipeWriter, Signal};

/// How long a program that was interrupted while it read may take to do something else, before it counts as one that does
/// not mind and goes on reading.
const MINDS: Duration = Duration::from_millis(200);

/// Hand lines to whoever waits for them, until nobody can any more. `output` is the terminal's: a line is asked for when
/// nothing is on its way there.
pub(crate) async fn feed(mut terminal: Box<dyn Terminal>, input: PipeWriter, output: Option<PipeWatch>, running: Arc<Running>) {
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
            // One that is closed has nothing on its way either.
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
