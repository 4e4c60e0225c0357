//! What runs in a sandbox and is ended when nobody waits for it: a command, or an evaluation.

use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::Mutex;
use pyo3::IntoPyObjectExt;
use pyo3::types::PyBytes;
use tokio::sync::OwnedMutexGuard;
use wisp_api::Outputs;
use wisp_service::Work;

use crate::call::{Call, Ended, made_by};
use crate::host::is_forked;
use crate::sandbox::Sandbox;

/// How long what was interrupted may take to end, before it is ended by force. As long as code has whose time limit is over.
const GRACE: Duration = wisp::Code::GRACE;

/// How long a read waits for output. It ends when there is some, and with what writes it.
const LONG: Duration = Duration::from_secs(3600);

/// Maximum bytes of each output in one piece.
const PIECE: u64 = 1 << 20;

/// Returns whether what runs has ended, after at most this time.
async fn has_ended(work: &impl Work, time: Option<Duration>) -> bool {
    !matches!(work.wait(time).await, Ok(None))
}

/// Something that runs. While it is held, it ends with its last object.
pub(crate) struct Held<H: Work> {
    pub(crate) sandbox: Arc<Sandbox>,
    pub(crate) handle: H,
    hold: Mutex<Option<Hold>>,
}

/// The turn that it has, of those of its kind that need one.
struct Hold {
    _turn: Option<OwnedMutexGuard<()>>,
}

impl<H: Work> Held<H> {
    /// Returns what runs, held until it has ended or is released.
    pub(crate) fn new(sandbox: Arc<Sandbox>, handle: H, turn: Option<OwnedMutexGuard<()>>) -> Arc<Self> {
        Arc::new(Self { sandbox, handle, hold: Mutex::new(Some(Hold { _turn: turn })) })
    }

    /// Lets it go on by itself, or notes that it has ended: the next one may begin.
    pub(crate) fn release(&self) {
        drop(self.hold.lock().take());
    }

    /// Ends it, without waiting, if it is held: it is interrupted, and ended by force if that does not end it. The next one begins when
    /// it has ended. In a forked process it is the other one's.
    pub(crate) fn end(&self) {
        if is_forked() {
            return;
        }
        let Some(hold) = self.hold.lock().take() else { return };
        let handle = self.handle.clone();
        self.sandbox.host.spawn(async move {
            // Both calls fail if the sandbox is closed, which has ended it.
            let _ = handle.interrupt();
            if !has_ended(&handle, Some(GRACE)).await {
                let _ = handle.kill();
                has_ended(&handle, Some(GRACE)).await;
            }
            drop(hold);
        });
    }

    /// Returns a call that reads both outputs after these offsets, and waits for a byte or for the end: the bytes and the offset after
    /// them, of both, and whether it has ended. Then what is left is read without waiting. Waits for at most `time`, if there is one.
    pub(crate) fn read(held: &Arc<Self>, stdout: u64, stderr: u64, time: Option<Duration>) -> Call {
        Call::new(&held.sandbox.host, next(held.clone(), stdout, stderr, time))
    }
}

impl<H: Work> Drop for Held<H> {
    fn drop(&mut self) {
        if is_forked() {
            // A thread that is not there may have locked what the turn is part of.
            std::mem::forget(self.hold.get_mut().take());
        } else {
            self.end();
        }
    }
}

async fn next<H: Work>(held: Arc<Held<H>>, out: u64, err: u64, time: Option<Duration>) -> Ended {
    let handle = &held.handle;
    let (Outputs { stdout, stderr }, mut ended) = tokio::select! {
        // First: what has ended is said to have, even if there is no time to wait.
        biased;
        _ = has_ended(handle, None) => (handle.outputs(out, err, PIECE, Duration::ZERO).await?, true),
        pieces = handle.outputs(out, err, PIECE, time.unwrap_or(LONG)) => (pieces?, false),
    };
    if !ended && stdout.end && stderr.end && stdout.bytes.is_empty() && stderr.bytes.is_empty() {
        // Both outputs are closed, and it still runs.
        ended = has_ended(handle, time).await;
    }
    let (after_out, after_err): (u64, u64) = (stdout.next_offset(), stderr.next_offset());
    let (stdout, stderr): (Bytes, Bytes) = (stdout.bytes, stderr.bytes);
    Ok(made_by(move |py| (PyBytes::new(py, &stdout), after_out, PyBytes::new(py, &stderr), after_err, ended).into_py_any(py)))
}
