//! Snapshots of interpreters and shells in files, for another process of the same build.
//!
//! A file holds no machine code and no address or path of the host: only what guests may write anyway, their memory and
//! their files. Everything else comes from the session that loads it: the component and its code, the policy, the
//! mounts, the limits. So a forged file, even with correct checksums, can do what a guest of that session could do, and
//! nothing to the host. It is read in pieces, each checked before it is used, and no length in it is trusted. It may
//! hold secrets of its session, so only its owner may read it.
//!
//! Layout: `frames` describes how pieces and checksums are arranged in the file, `facts` what it says about itself
//! (JSON), `memory` and [`crate::vfs::Snapshot::export`] the rest. Each of the three parts is compressed separately
//! (zstd).

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
use crate::meter::run_blocking;
use crate::program::linked::Program;
use crate::runtime::memory::SlotPool;
use crate::session::handle::Session;
use wisp_vfs::Quota;

/// Bytes that one read or write of a file transfers.
const BUFFER: usize = 256 << 10;

impl InterpreterSnapshot {
    /// Writes it so that another process can load it. Blocks while it compresses the data.
    ///
    /// # Errors
    /// If `to` fails, or the session's filesystem holds something that cannot leave its process.
    pub async fn save<W: Write + Send + 'static>(&self, mut to: W) -> Result<W, SnapshotFileError> {
        let snapshot = self.clone();
        run_blocking(move || snapshot.write(&mut to).map(|()| to)).await
    }

    fn write(&self, to: impl Write) -> Result<(), SnapshotFileError> {
        let frozen = &*self.0;
        let mut frames = FrameWriter::new(to)?;
        frames.part(Part::Facts, |to| Ok(serde_json::to_writer(to, &Facts::of(frozen)?).map_err(std::io::Error::from)?))?;
        frames.part(Part::Memory, |to| Ok(memory::write(frozen.memory.image(), to)?))?;
        frames.part(Part::Files, |to| Ok(frozen.fs.export(&frozen.session.state.shared.base, to)?))?;
        frames.end()
    }

    /// Writes it to a file that only this user can read. It is first written to a temporary file beside `path` and then
    /// renamed, so that a reader finds either all of it or the previous file.
    ///
    /// # Errors
    /// Those of [`InterpreterSnapshot::save`].
    pub async fn to_file(&self, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
        let (snapshot, path) = (self.clone(), path.as_ref().to_owned());
        run_blocking(move || write_file(&path, |to| snapshot.write(to)).map_err(|error| error.at(&path))).await
    }

    /// Loads a snapshot that another process of this build saved, for sessions like `session`: interpreters forked from
    /// it get that session's policy, tools and mounts. The session itself does not change.
    ///
    /// Nothing is built from it before all of it has been read and checked.
    ///
    /// # Errors
    /// If it is not such a file, is damaged or truncated, is of another build or of a session of another kind, or holds
    /// more than the session's policy allows.
    pub async fn load(session: &Session, from: impl Read + Send + 'static) -> Result<Self, SnapshotFileError> {
        let session = session.clone();
        if let Some(reason) = session.engine.memory_fallback() {
            return Err(SnapshotFileError::NoSnapshots { reason: reason.to_owned() });
        }
        let (facts, frames) = run_blocking(move || open(from)).await?;
        let tool = facts.check_session(&session.state)?;
        let program = tool.program(&session.state.shared.workshop).await?;
        run_blocking(move || rest(frames, facts, session, program)).await
    }

    /// Loads a snapshot from a file, as [`InterpreterSnapshot::load`] does.
    ///
    /// # Errors
    /// Those of [`InterpreterSnapshot::load`].
    pub async fn from_file(session: &Session, path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        let path = path.as_ref().to_owned();
        let file = open_file(&path).await?;
        Self::load(session, file).await.map_err(|error| error.at(&path))
    }
}

/// Opens a snapshot's file for reading. It must be a regular file: opening a named pipe would wait for its writer, and nothing
/// would end that.
async fn open_file(path: &Path) -> Result<BufReader<File>, SnapshotFileError> {
    let path = path.to_owned();
    let open = |path: &Path| {
        let file = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
        let regular = file.metadata()?.is_file();
        if regular { Ok(file) } else { Err(std::io::Error::other("it is not a regular file")) }
    };
    let file = run_blocking(move || open(&path).map_err(|error| SnapshotFileError::from(error).at(&path))).await?;
    Ok(BufReader::with_capacity(BUFFER, file))
}

/// Writes a snapshot to a temporary file that only this user can read, then renames it to `path`.
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
    // The file is complete. Only the durability of its name after a power failure is left, and that is best effort.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// A temporary file that is removed unless it got its final name.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        // The removal fails if the file was renamed.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// Reads what the file says about itself; returns that and a reader for the rest.
fn open<R: Read>(from: R) -> Result<(Facts, FrameReader<R>), SnapshotFileError> {
    let mut frames = FrameReader::new(from)?;
    let facts = frames.part(Part::Facts, |from| facts::read::<Facts>(from))?;
    Ok((facts, frames))
}

/// Reads everything after the facts, which fit the session.
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
    let (labels, clock_and_random) = (facts.labels(&session.state)?, facts.clock_and_random(&session.state));
    let (name, not_carried) = (facts.tool, facts.lost);
    let source = program.source().of_snapshot(shape, memory.clone());
    let session = session.unattached();
    Ok(InterpreterSnapshot(Arc::new(Frozen { session, program, name, fs, labels, shape, memory, source, clock_and_random, not_carried })))
}

/// Reads the files, over those that the session began with and within its quota.
fn files<R: Read>(frames: &mut FrameReader<R>, session: &SessionState) -> Result<wisp_vfs::Snapshot, SnapshotFileError> {
    let limits = session.shared.policy.filesystem();
    let quota = Quota { max_bytes: limits.quota, max_files: limits.max_files };
    frames.part(Part::Files, |from| Ok(wisp_vfs::Snapshot::import(&session.shared.base, quota, from)?))
}
