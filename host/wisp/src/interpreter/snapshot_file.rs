//! Snapshots of interpreters and shells in files, for another process of the same build.
//!
//! A file holds no machine code, no address and no path of the host's: only what guests may write anyway, their memory and
//! their files. Everything else comes from the session that loads it: the component and its code, the
//! policy, the mounts, the limits. So a forged file, checksums included, can do what a guest of that session could do, and nothing to the host; it is read in pieces, each checked before it is looked at, and no length in it is
//! believed. It may hold secrets of its session: it is written for its owner's eyes only.
//!
//! Layout: `frames` says how pieces and checksums lie in the file, `facts` what it says about itself (JSON), `memory` and
//! [`wisp_vfs::Snapshot::export`] the rest. The three parts are compressed each by itself (zstd).

#![expect(clippy::disallowed_methods, reason = "snapshots in files that the host program names")]

mod error;
mod facts;
mod frames;
mod memory;
mod shell;

use std::fs::{File, OpenOptions};
use std::io::{BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

pub use error::SnapshotFileError;
use facts::Facts;
use frames::{FrameReader, FrameWriter, Part};

use crate::exec::session_state::SessionState;
use crate::interpreter::snapshot::{Frozen, InterpreterSnapshot};
use crate::program::linked::Program;
use crate::runtime::memory::SlotPool;
use crate::session::handle::Session;
use wisp_vfs::Quota;

/// How hard zstd tries: memory of Python shrinks to a fifth at once, and little more with patience.
const LEVEL: i32 = 1;

/// Bytes of what is read from or written to a file at a time.
const BUFFER: usize = 256 << 10;

impl InterpreterSnapshot {
    /// Writes it so that another process can load it, and returns `to`.
    ///
    /// # Errors
    /// When `to` fails, or the session's filesystem has something that only its own process can have.
    pub async fn save<W: Write + Send + 'static>(&self, mut to: W) -> Result<W, SnapshotFileError> {
        let snapshot = self.clone();
        blocking(move || snapshot.write(&mut to).map(|()| to)).await
    }

    fn write(&self, to: impl Write) -> Result<(), SnapshotFileError> {
        let frozen = &*self.0;
        let mut frames = FrameWriter::new(to)?;
        frames.part(Part::Facts, |to| Ok(serde_json::to_writer(to, &Facts::of(frozen)?).map_err(std::io::Error::from)?))?;
        frames.part(Part::Memory, |to| Ok(memory::write(frozen.memory.image(), to)?))?;
        frames.part(Part::Files, |to| Ok(frozen.fs.export(&frozen.session.state.shared.base, to)?))?;
        frames.end()
    }

    /// Write it to a file that only this user can read: beside it first, then in its place, so that a reader finds all
    /// of it or what was there before.
    ///
    /// # Errors
    /// As [`InterpreterSnapshot::save`].
    pub async fn to_file(&self, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
        let (snapshot, path) = (self.clone(), path.as_ref().to_owned());
        blocking(move || write_file(&path, |to| snapshot.write(to)).map_err(|error| error.at(&path))).await
    }

    /// Load a snapshot that another process of this build saved, for sessions like `session`: its policy, tools and mounts
    /// are those of the interpreters that go on from it. The session itself is not changed.
    ///
    /// Until all of it was read and found right, nothing is made of it.
    ///
    /// # Errors
    /// When it is not such a file, is damaged or cut off, is of another build or of a session of another kind, or holds
    /// more than the session's policy allows.
    pub async fn load(session: &Session, from: impl Read + Send + 'static) -> Result<InterpreterSnapshot, SnapshotFileError> {
        let session = session.clone();
        if let Some(reason) = session.engine.memory_fallback() {
            return Err(SnapshotFileError::NoSnapshots { reason: reason.to_owned() });
        }
        let (facts, frames) = blocking(move || open(from)).await?;
        let tool = facts.check_session(&session.state)?;
        let program = tool.program(&session.state.shared.workshop).await?;
        blocking(move || rest(frames, facts, session, program)).await
    }

    /// Load a snapshot from a file, as [`InterpreterSnapshot::load`] does.
    ///
    /// # Errors
    /// The same.
    pub async fn from_file(session: &Session, path: impl AsRef<Path>) -> Result<InterpreterSnapshot, SnapshotFileError> {
        let path = path.as_ref().to_owned();
        let file = open_file(&path).await?;
        InterpreterSnapshot::load(session, file).await.map_err(|error| error.at(&path))
    }
}

/// A snapshot's file, to be read.
async fn open_file(path: &Path) -> Result<BufReader<File>, SnapshotFileError> {
    let path = path.to_owned();
    let file = blocking(move || File::open(&path).map_err(|error| SnapshotFileError::from(error).at(&path))).await?;
    Ok(BufReader::with_capacity(BUFFER, file))
}

/// Write a snapshot beside its file, which it then replaces. Only this user can read it.
fn write_file(path: &Path, save: impl FnOnce(&mut BufWriter<File>) -> Result<(), SnapshotFileError>) -> Result<(), SnapshotFileError> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(std::io::Error::other)?;
    let mut name = path.file_name().ok_or(std::io::ErrorKind::IsADirectory).map_err(std::io::Error::from)?.to_owned();
    name.push(format!(".{:016x}.tmp", u64::from_le_bytes(random)));
    let scratch = Scratch(path.with_file_name(name));
    let file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&scratch.0)?;
    let mut to = BufWriter::with_capacity(BUFFER, file);
    save(&mut to)?;
    to.into_inner().map_err(std::io::IntoInnerError::into_error)?.sync_all()?;
    std::fs::rename(&scratch.0, path)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // The file is there and whole; that its name outlives a power cut is all that is left.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A file that goes when it did not become what it was for.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // It is gone when it got its name.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// What the file says about itself, and the rest of it.
fn open<R: Read>(from: R) -> Result<(Facts, FrameReader<R>), SnapshotFileError> {
    let mut frames = FrameReader::new(from)?;
    let facts = frames.part(Part::Facts, |from| facts::read::<Facts>(from))?;
    Ok((facts, frames))
}

/// Everything after the facts, which fit the session.
fn rest<R: Read>(
    mut frames: FrameReader<R>,
    facts: Facts,
    session: Session,
    program: Arc<Program>,
) -> Result<InterpreterSnapshot, SnapshotFileError> {
    let (shape, base) = facts.check_memory(&session.state, &program)?.clone();
    let image = frames.part(Part::Memory, |from| memory::read(base.image(), &facts.memory, from))?;
    let fs = files(&mut frames, &session.state)?;
    frames.end()?;
    let memory = SlotPool::new(base.space().clone(), Arc::new(image));
    let (labels, senses) = (facts.labels(&session.state)?, facts.senses(&session.state));
    let (name, lost) = (facts.tool, facts.lost);
    Ok(InterpreterSnapshot(Arc::new(Frozen { session, program, name, fs, labels, shape, memory, senses, lost })))
}

/// The files, over those that the session began with and within its quota.
fn files<R: Read>(frames: &mut FrameReader<R>, session: &SessionState) -> Result<wisp_vfs::Snapshot, SnapshotFileError> {
    let limits = session.shared.policy.filesystem();
    let quota = Quota { max_bytes: limits.quota, max_files: limits.max_files };
    frames.part(Part::Files, |from| Ok(wisp_vfs::Snapshot::import(&session.shared.base, quota, from)?))
}

async fn blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match crate::meter::blocking(work).await {
        Ok(done) => done,
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
    }
}
