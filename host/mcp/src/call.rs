//! One call of a tool: whether the client still wants it, and what it is told meanwhile.

use std::convert::Infallible;
use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rmcp::RoleServer;
use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::RequestContext;
use wisp_service::{ServiceError, Work};

use crate::connection::Connection;
use crate::error::CallError;
use crate::log::Log;
use crate::sessions::Place;
use crate::text::last_line;
use crate::timer::{at_most, sleep};

/// How often the client is told how it goes, at most.
const OFTEN: Duration = Duration::from_millis(250);

/// After which time without output it is told that the work goes on. Clients give up after 30 to 60 seconds of silence.
const QUIET: Duration = Duration::from_secs(5);

/// Bytes of output that are looked at in one step, and how many steps follow each other.
const STEP: u64 = 64 << 10;
const STEPS: usize = 64;

/// A call.
pub(crate) struct Call {
    context: RequestContext<RoleServer>,
    token: Option<ProgressToken>,
}

impl Call {
    pub(crate) fn new(context: RequestContext<RoleServer>) -> Self {
        let token = context.meta.get_progress_token();
        Self { context, token }
    }

    /// Waits for `ready`, unless the call is cancelled first.
    pub(crate) async fn or_cancelled<T>(&self, ready: impl Future<Output = T>) -> Result<T, CallError> {
        tokio::select! {
            biased;
            ready = ready => Ok(ready),
            () = self.context.ct.cancelled() => Err(CallError::Cancelled),
        }
    }

    /// Returns the log messages of what this call starts in a session from now on; `None` if the client wants none.
    pub(crate) fn log<'p>(&self, connection: &Connection, place: &'p Place) -> Option<Log<'p>> {
        Log::of(&self.context.meta, &self.context.peer, connection, place)
    }

    /// Waits for the end of work, and tells the client how it goes. If the client cancels the call, the work is interrupted; if it
    /// goes on after `grace`, it is ended by force.
    ///
    /// # Errors
    /// If the call was cancelled, or the work has no result.
    pub(crate) async fn follow<W: Work>(&self, work: &W, log: Option<&Log<'_>>, grace: Duration) -> Result<Arc<W::Result>, CallError> {
        // Without a time it returns when there is a result.
        let mut end = pin!(async { work.wait(None).await?.ok_or(ServiceError::Abandoned) });
        let forward = async {
            match log {
                Some(log) => log.forward().await,
                None => pending().await,
            }
        };
        tokio::select! {
            biased;
            end = &mut end => {
                if let Some(log) = log {
                    log.flush().await;
                }
                return Ok(end?);
            }
            () = self.context.ct.cancelled() => {}
            never = self.tell(work) => match never {},
            never = forward => match never {},
        }
        // They fail only if the session is closed, which ends the work.
        let _ = work.interrupt();
        if at_most(grace, &mut end).await.is_none() {
            let _ = work.kill();
            let _ = end.await;
        }
        Err(CallError::Cancelled)
    }

    /// Tells the client how work goes, if it asked for that: the last line of output, or for how long nothing came.
    async fn tell<W: Work>(&self, work: &W) -> Infallible {
        let Some(token) = &self.token else { return pending().await };
        let (began, mut offsets, mut count) = (Instant::now(), [0, 0], 0.0);
        loop {
            let message = match said(work, &mut offsets).await {
                Ok(Some(line)) => line,
                Ok(None) => format!("running for {} s", began.elapsed().as_secs()),
                // It is over, which the other side of the select says.
                Err(_) => return pending().await,
            };
            count += 1.0;
            let progress = ProgressNotificationParam::new(token.clone(), count).with_message(message);
            let _ = self.context.peer.notify_progress(progress).await;
            sleep(OFTEN).await;
        }
    }
}

/// Returns the last line of the output after these offsets, which are moved to its end. `None` if nothing comes for a while.
async fn said<W: Work>(work: &W, offsets: &mut [u64; 2]) -> Result<Option<String>, ServiceError> {
    let (mut line, mut wait) = (None, QUIET);
    // At most so much at a time: what writes without end must not keep the call from being cancelled.
    for _ in 0..STEPS {
        let outputs = work.outputs(offsets[0], offsets[1], STEP, wait).await?;
        *offsets = [outputs.stdout.next_offset(), outputs.stderr.next_offset()];
        let new = last_line(&outputs.stdout.bytes).or_else(|| last_line(&outputs.stderr.bytes));
        let nothing = outputs.stdout.bytes.is_empty() && outputs.stderr.bytes.is_empty();
        line = new.or(line);
        if nothing {
            // Both have ended, so it did not wait, although the work goes on.
            if line.is_none() && outputs.stdout.end && outputs.stderr.end {
                sleep(QUIET).await;
            }
            return Ok(line);
        }
        wait = Duration::ZERO;
    }
    Ok(line)
}
