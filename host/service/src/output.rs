//! Reading output after an offset, with a wait: of a command and of an evaluation alike.

use std::time::Duration;

use wisp::{OutputChunk, Stream};
use wisp_api::{OutputRequest, Outputs};

use crate::runtime::Runtime;
use crate::timer::at_most;

/// What has two outputs.
pub(crate) trait Source {
    /// Returns what `stream` has from `offset` on.
    fn now(&self, stream: Stream, offset: u64, limit: usize) -> OutputChunk;

    /// Returns the same, as soon as there is a byte or the end.
    fn next(&self, stream: Stream, offset: u64, limit: usize) -> impl Future<Output = OutputChunk> + Send;
}

/// Reads one output.
pub(crate) async fn read(runtime: &Runtime, source: &impl Source, request: OutputRequest) -> OutputChunk {
    let OutputRequest { stream, offset, limit, wait } = request;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let there = source.now(stream, offset, limit);
    if wait.is_zero() || ready(&there) {
        return there;
    }
    let found = at_most(runtime, wait, source.next(stream, offset, limit)).await;
    found.unwrap_or_else(|| source.now(stream, offset, limit))
}

/// Reads both outputs. Waits until one of them has a byte, or both have ended.
pub(crate) async fn read_both(runtime: &Runtime, source: &impl Source, offsets: [u64; 2], limit: u64, wait: Duration) -> Outputs {
    let [out, err] = offsets;
    let limit = usize::try_from(limit).unwrap_or(usize::MAX);
    let now = || (source.now(Stream::Stdout, out, limit), source.now(Stream::Stderr, err, limit));
    let (stdout, stderr) = now();
    let (out_ended, err_ended) = (stdout.end, stderr.end);
    if wait.is_zero() || !stdout.bytes.is_empty() || !stderr.bytes.is_empty() || out_ended && err_ended {
        return Outputs { stdout, stderr };
    }
    let either = async {
        // One that has ended has nothing to wait for; when one ends, the other may go on.
        let mut ended = (out_ended, err_ended);
        loop {
            tokio::select! {
                chunk = source.next(Stream::Stdout, out, limit), if !ended.0 => ended.0 = chunk.bytes.is_empty(),
                chunk = source.next(Stream::Stderr, err, limit), if !ended.1 => ended.1 = chunk.bytes.is_empty(),
                else => return,
            }
            let (stdout, stderr) = now();
            if !stdout.bytes.is_empty() || !stderr.bytes.is_empty() {
                return;
            }
        }
    };
    at_most(runtime, wait, either).await;
    let (stdout, stderr) = now();
    Outputs { stdout, stderr }
}

fn ready(chunk: &OutputChunk) -> bool {
    chunk.end || !chunk.bytes.is_empty()
}
