//! Starting a helper: the same program again, in a session of its own, with what it needs on its standard input.
//!
//! Until it listens, its standard error is that of the client, so that it reports a mistake as `wisp run` does; and it is given the locked
//! folder of the session, so that a second client waits for this helper instead of starting another. Then it has neither any more. Other
//! descriptors of the client are closed: a pipe that the helper held open would never end for its reader.

use std::io::{self, ErrorKind, IoSlice, IoSliceMut, Read, Write};
use std::mem::MaybeUninit;
use std::net::Shutdown;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, anyhow};
use rustix::fs::{Mode, OFlags, open};
use rustix::net::{
    RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, recvmsg, sendmsg,
};
use rustix::process::{chdir, setsid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use serde::{Deserialize, Serialize};

use super::place::Place;
use crate::{Failure, args, confine, invocation};

/// The subcommand.
const SUBCOMMAND: &str = "resident";

/// Maximum bytes of what a helper is given: the words of a command line.
const MOST: u64 = 16 << 20;

/// What comes with the descriptor that it is given.
const GIVEN: &[u8] = b"l";

/// What a helper says when it listens.
const READY: &[u8] = b"r";

/// What a helper keeps open.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Order {
    pub(super) session: String,
    pub(super) grants: args::Grants,
    pub(super) no_confine: bool,
    pub(super) idle: Duration,
}

/// How a start went.
pub(super) enum Started {
    /// A helper listens.
    Ready,
    /// It could not start, and has said why. This is its exit code.
    Failed(u8),
}

/// Starts a helper, unless another client has started one in the meantime.
pub(super) fn start(place: &Place, order: &Order) -> Result<Started, Failure> {
    let lock = place.lock()?;
    if place.find()?.is_some() {
        return Ok(Started::Ready);
    }
    let started = start_locked(lock, order).map_err(|error| Failure::internal(error.context("the helper cannot be started")));
    if !matches!(started, Ok(Started::Ready)) {
        place.abandon();
    }
    started
}

#[allow(clippy::zombie_processes, reason = "the helper outlives this process, which is its parent for one call only")]
fn start_locked(lock: OwnedFd, order: &Order) -> anyhow::Result<Started> {
    close_on_start()?;
    let (mut ours, theirs) = UnixStream::pair()?;
    let mut command = invocation::again();
    let confine = if confine::required() { "--confine=require" } else { "--confine=try" };
    command.args([SUBCOMMAND, confine]).stdin(OwnedFd::from(theirs)).stdout(Stdio::null()).stderr(Stdio::inherit());
    let started = command.spawn();
    let program = command.get_program().to_string_lossy().into_owned();
    // It holds the helper's end, whose other end would never see that the helper has ended.
    drop(command);
    let mut helper = started.context(program)?;
    let order = serde_json::to_vec(order)?;
    // If it has ended already, its exit code says why.
    let told = give(&ours, lock).and_then(|()| ours.write_all(&order)).and_then(|()| ours.shutdown(Shutdown::Write));
    let mut said = Vec::new();
    let heard = told.and_then(|()| ours.take(1).read_to_end(&mut said));
    if heard.is_ok() && said == READY {
        return Ok(Started::Ready);
    }
    let ended = helper.wait()?;
    match ended.code().map(u8::try_from) {
        Some(Ok(code @ 1..)) => Ok(Started::Failed(code)),
        _ => Err(anyhow!("it ended without a word ({ended})")),
    }
}

/// Sends a descriptor. It stays open until the receiver closes it.
fn give(stream: &UnixStream, descriptor: OwnedFd) -> io::Result<()> {
    let descriptors = [descriptor.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&descriptors));
    sendmsg(stream, &[IoSlice::new(GIVEN)], &mut ancillary, SendFlags::empty())?;
    Ok(())
}

/// Receives the descriptor that [`give`] sent.
fn take(stream: &UnixStream) -> io::Result<OwnedFd> {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = RecvAncillaryBuffer::new(&mut space);
    let mut byte = [0; GIVEN.len()];
    recvmsg(stream, &mut [IoSliceMut::new(&mut byte)], &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
    let given = ancillary.drain().find_map(|message| match message {
        RecvAncillaryMessage::ScmRights(mut descriptors) => descriptors.next(),
        _ => None,
    });
    given.ok_or_else(|| ErrorKind::InvalidData.into())
}

/// Has every descriptor but the standard streams closed in programs that this process starts. It starts no others.
fn close_on_start() -> io::Result<()> {
    // SAFETY: plain numbers. Nothing is closed in this process.
    let done = unsafe { libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
    if done == 0 {
        return Ok(());
    }
    let error = io::Error::last_os_error();
    let old = matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EINVAL));
    Err(if old { io::Error::new(ErrorKind::Unsupported, "it needs Linux 5.11 or newer (close_range)") } else { error })
}

/// The helper's side of a start.
pub(super) struct Beginning {
    client: UnixStream,
    /// The folder of the session, which other clients wait for.
    lock: OwnedFd,
    /// Nothing, opened while files can still be opened.
    nothing: OwnedFd,
}

impl Beginning {
    /// Leaves the session of the client's processes, and reads what to keep open.
    pub(super) fn receive() -> anyhow::Result<(Self, Order)> {
        let strange = "`wisp run --resident` starts this";
        let client = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
        let lock = take(&client).context(strange)?;
        let mut order = Vec::new();
        (&client).take(MOST).read_to_end(&mut order).context(strange)?;
        let order = serde_json::from_slice(&order).context(strange)?;
        // Signals of the client's terminal and of its group are not for this process.
        setsid().context(strange)?;
        let nothing = open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty()).context("/dev/null")?;
        Ok((Self { client, lock, nothing }, order))
    }

    /// Lets go of everything of the client, and tells it that this process listens. Returns whether the client is still there.
    pub(super) fn ready(self) -> io::Result<bool> {
        let Self { mut client, lock, nothing } = self;
        // A folder that a working directory is in cannot be unmounted.
        chdir("/")?;
        dup2_stdin(&nothing)?;
        dup2_stdout(&nothing)?;
        dup2_stderr(&nothing)?;
        drop(lock);
        Ok(client.write_all(READY).is_ok())
    }
}
