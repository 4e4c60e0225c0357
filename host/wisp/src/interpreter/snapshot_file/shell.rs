//! Sessions and shells in files: a session's files with their labels, and a shell's state, without an interpreter's
//! memory. There is one format: a session by itself is written as one whose shell has just begun.

use std::io::{Read, Write};
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::error::SnapshotFileError;
use super::facts::{self, Labelled, labelled, labels, layout, short};
use super::frames::{FrameReader, FrameWriter, Part};
use super::{files, open_file, write_file};
use crate::meter::run_blocking;
use crate::session::builder::SessionBuilder;
use crate::session::handle::Session;
use crate::session::shell::{MAX_STATE, ShellSnapshot};

/// What the file says about itself.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ShellFacts {
    /// The version of wisp that wrote it.
    wisp: String,
    /// The digest of the files that its session began with.
    layout: String,
    labels: Labelled,
}

impl Session {
    /// Writes the session's state so that another process can go on from it: its files, what it changed in overlays, and
    /// the labels of its artifacts. Interpreters, shells and commands are not part of it, nor are the policy, the tools
    /// and the contents of mounts. Blocks while it compresses the data.
    ///
    /// # Errors
    /// If `to` fails, or the filesystem holds something that cannot leave its process.
    pub async fn save<W: Write + Send + 'static>(&self, to: W) -> Result<W, SnapshotFileError> {
        self.shell_from(Vec::new()).snapshot().save(to).await
    }

    /// Writes the session's state, as [`Session::save`] does, to a file that only this user can read. A reader finds
    /// either all of it or the previous file.
    ///
    /// # Errors
    /// Those of [`Session::save`].
    pub async fn to_file(&self, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
        self.shell_from(Vec::new()).snapshot().to_file(path).await
    }
}

impl SessionBuilder {
    /// Makes the session and continues in it from a state that [`Session::save`] (or [`ShellSnapshot::save`]) wrote in a
    /// session with the same tools, mounts and output directory.
    ///
    /// # Errors
    /// Those of [`SessionBuilder::build`] and of [`ShellSnapshot::load`].
    pub async fn build_from(self, from: impl Read + Send + 'static) -> Result<Session, SnapshotFileError> {
        let session = self.build().await?;
        let snapshot = ShellSnapshot::load(&session, from).await?;
        session.shell_from(Vec::new()).restore(&snapshot);
        Ok(session)
    }

    /// Makes the session and continues in it from a file, as [`SessionBuilder::build_from`] does.
    ///
    /// # Errors
    /// Those of [`SessionBuilder::build_from`].
    pub async fn build_from_file(self, path: impl AsRef<Path>) -> Result<Session, SnapshotFileError> {
        let path = path.as_ref().to_owned();
        let file = open_file(&path).await?;
        self.build_from(file).await.map_err(|error| error.at(&path))
    }
}

impl ShellSnapshot {
    /// Writes it so that another process can load it. Blocks while it compresses the data.
    ///
    /// # Errors
    /// If `to` fails, or the session's filesystem holds something that cannot leave its process.
    pub async fn save<W: Write + Send + 'static>(&self, mut to: W) -> Result<W, SnapshotFileError> {
        let snapshot = self.clone();
        run_blocking(move || snapshot.write(&mut to).map(|()| to)).await
    }

    fn write(&self, to: impl Write) -> Result<(), SnapshotFileError> {
        let facts =
            ShellFacts { wisp: env!("CARGO_PKG_VERSION").to_owned(), layout: layout(&self.session.state), labels: labelled(&self.labels) };
        let mut frames = FrameWriter::new(to)?;
        frames.part(Part::ShellFacts, |to| Ok(serde_json::to_writer(to, &facts).map_err(std::io::Error::from)?))?;
        frames.part(Part::Shell, |to| Ok(to.write_all(&self.state)?))?;
        frames.part(Part::Files, |to| Ok(self.fs.export(&self.session.state.shared.base, to)?))?;
        frames.end()
    }

    /// Writes it to a file that only this user can read. It is first written to a temporary file beside `path` and then
    /// renamed, so that a reader finds either all of it or the previous file.
    ///
    /// # Errors
    /// Those of [`ShellSnapshot::save`].
    pub async fn to_file(&self, path: impl AsRef<Path>) -> Result<(), SnapshotFileError> {
        let (snapshot, path) = (self.clone(), path.as_ref().to_owned());
        run_blocking(move || write_file(&path, |to| snapshot.write(to)).map_err(|error| error.at(&path))).await
    }

    /// Loads a snapshot that another process of this build saved, for sessions like `session`, with that session's
    /// mounts, tools and output directory. The session itself does not change;
    /// [`Shell::restore`](crate::Shell::restore) switches to the snapshot.
    ///
    /// Nothing is built from it before all of it has been read and checked.
    ///
    /// # Errors
    /// If it is not such a file, is damaged or truncated, is of another build or of a session of another kind, or holds
    /// more than the session's policy allows.
    pub async fn load(session: &Session, from: impl Read + Send + 'static) -> Result<Self, SnapshotFileError> {
        let session = session.unattached();
        run_blocking(move || read(session, from)).await
    }

    /// Loads a snapshot from a file, as [`ShellSnapshot::load`] does.
    ///
    /// # Errors
    /// Those of [`ShellSnapshot::load`].
    pub async fn from_file(session: &Session, path: impl AsRef<Path>) -> Result<Self, SnapshotFileError> {
        let path = path.as_ref().to_owned();
        let file = open_file(&path).await?;
        Self::load(session, file).await.map_err(|error| error.at(&path))
    }
}

fn read(session: Session, from: impl Read) -> Result<ShellSnapshot, SnapshotFileError> {
    let mut frames = FrameReader::new(from)?;
    let facts = frames.part(Part::ShellFacts, |from| facts::read::<ShellFacts>(from))?;
    let expected = layout(&session.state);
    if facts.layout != expected {
        return Err(SnapshotFileError::OtherWorld { what: "files at the start", found: short(&facts.layout), expected: short(&expected) });
    }
    let state = frames.part(Part::Shell, |from| {
        let mut state = Vec::new();
        from.take(MAX_STATE as u64 + 1).read_to_end(&mut state).map_err(SnapshotFileError::of_part)?;
        if state.len() > MAX_STATE {
            return Err(SnapshotFileError::malformed("its shell's state is larger than a shell's state can be"));
        }
        Ok(state)
    })?;
    let fs = files(&mut frames, &session.state)?;
    frames.end()?;
    let labels = Arc::new(labels(&facts.labels, &session.state)?);
    Ok(ShellSnapshot { session, fs, labels, state: state.into() })
}
