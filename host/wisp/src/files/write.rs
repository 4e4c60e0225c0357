//! Contents, in.

use std::sync::Arc;

use bytes::Bytes;
use tokio::io::{AsyncRead, AsyncReadExt};

use super::error::{Done, Failed};
use super::handle::LARGE;
use super::path::{absolute, split};
use super::read::PIECE;
use super::view::View;
use super::{Files, FilesError, FilesOperation};
use wisp_vfs::{FileType, Fs, FsError, Node, OpenHow, Stat};

/// Permission bits of a new file, and of a new directory.
const NEW_FILE: u32 = 0o644;
pub(super) const NEW_DIRECTORY: u32 = 0o755;

/// What a write does to the file that is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[non_exhaustive]
pub enum WriteMode {
    /// Writes over it, in place: other names and open descriptors of the file see the new contents. A reader may see a
    /// part of them, and so do all if the quota ends the write.
    #[default]
    InPlace,
    /// Replaces it in one step: a reader sees all of the old contents or all of the new ones, and a failed write changes
    /// nothing. Permission bits stay. Other names of the file keep the old contents. Old and new count in the quota
    /// until the old ones are gone.
    Atomic,
    /// Fails if there is a file, even a symbolic link that leads nowhere. After a failed write there is none.
    New,
    /// Writes at its end; in memory all or nothing.
    Append,
}

/// How to write a file ([`Files::write_with`]). The default is that of [`Files::write`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct WriteOptions {
    how: WriteMode,
    parents: bool,
    mode: Option<u32>,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { how: WriteMode::InPlace, parents: true, mode: None }
    }
}

impl WriteOptions {
    /// Creates the options to write in place, with missing parents, and mode 0644 for a new file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets what happens to the file that is there.
    pub fn how(mut self, how: WriteMode) -> Self {
        self.how = how;
        self
    }

    /// Sets whether missing directories above the file are made, with mode 0755.
    pub fn parents(mut self, parents: bool) -> Self {
        self.parents = parents;
        self
    }

    /// Sets the permission bits that the file has afterwards. Without it a new file gets 0644, another one keeps its own.
    pub fn mode(mut self, mode: u32) -> Self {
        self.mode = Some(mode);
        self
    }

    fn operation(self) -> FilesOperation {
        match self.how {
            WriteMode::InPlace | WriteMode::Append => FilesOperation::Write,
            WriteMode::Atomic => FilesOperation::Replace,
            WriteMode::New => FilesOperation::Create,
        }
    }
}

impl Files {
    /// Writes the file at `path`, over the contents that it had. Makes missing directories above it.
    ///
    /// # Errors
    /// If it may not be written, or the quota has no room; see [`WriteMode::InPlace`] for what is there then.
    pub async fn write(&self, path: &str, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        self.write_with(path, bytes, WriteOptions::new()).await
    }

    /// Replaces the file at `path` in one step, or creates it: see [`WriteMode::Atomic`].
    ///
    /// # Errors
    /// If it may not be written, or the quota has no room for old and new. Nothing was changed then.
    pub async fn replace(&self, path: &str, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        self.write_with(path, bytes, WriteOptions::new().how(WriteMode::Atomic)).await
    }

    /// Creates the file at `path`, which must not exist: see [`WriteMode::New`].
    ///
    /// # Errors
    /// `FsError::Exists` if there is something of that name, and those of [`Files::write`].
    pub async fn create_new(&self, path: &str, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        self.write_with(path, bytes, WriteOptions::new().how(WriteMode::New)).await
    }

    /// Writes at the end of the file at `path`, which is created if it does not exist.
    ///
    /// # Errors
    /// Those of [`Files::write`].
    pub async fn append(&self, path: &str, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        self.write_with(path, bytes, WriteOptions::new().how(WriteMode::Append)).await
    }

    /// Writes the file at `path` as `options` say.
    ///
    /// # Errors
    /// Those of [`Files::write`], and what [`WriteMode`] says.
    pub async fn write_with(&self, path: &str, bytes: impl Into<Bytes>, options: WriteOptions) -> Result<(), FilesError> {
        let (path, bytes) = (absolute(path), bytes.into());
        let long = bytes.len() as u64 > LARGE || self.is_host(&path);
        self.run(options.operation(), path, long, move |view, path| view.write(path, &bytes, options)).await
    }

    /// Writes at `offset` of the file at `path`, which is created if it does not exist. The rest of the file stays; what
    /// is between its end and `offset` becomes zeros.
    ///
    /// # Errors
    /// Those of [`Files::write`].
    pub async fn write_at(&self, path: &str, offset: u64, bytes: impl Into<Bytes>) -> Result<(), FilesError> {
        let (path, bytes) = (absolute(path), bytes.into());
        let long = bytes.len() as u64 > LARGE || self.is_host(&path);
        let write = move |view: &View, path: &str| -> Done<()> {
            let how = OpenHow { write: true, create: true, mode: NEW_FILE, ..OpenHow::default() };
            let node = view.with_parents(path, true, || view.fs.open(&view.root, path, how))?;
            Ok(node.write_all_at(offset, &bytes)?)
        };
        self.run(FilesOperation::Write, path, long, write).await
    }

    /// Writes all that `from` has to the file at `path`, and returns how many bytes these are. The file is replaced in
    /// one step when `from` ends: see [`WriteMode::Atomic`]. Missing directories above it are made.
    ///
    /// # Errors
    /// If `from` fails, and those of [`Files::replace`]. Nothing was changed then.
    pub async fn write_stream(&self, path: &str, mut from: impl AsyncRead + Send + Unpin) -> Result<u64, FilesError> {
        let (path, options) = (absolute(path), WriteOptions::new().how(WriteMode::Atomic));
        let long = self.is_host(&path);
        let begin = move |view: &View, path: &str| view.scratch_for(path, options);
        let mut scratch = Arc::new(self.run(FilesOperation::Replace, path.clone(), long, begin).await?);
        let (mut at, mut buffer) = (0, vec![0; PIECE]);
        loop {
            let read = from.read(&mut buffer).await;
            let count = match read {
                Ok(0) => break,
                Ok(count) => count,
                Err(error) => return Err(FilesError { operation: FilesOperation::Replace, path, source: error.into() }),
            };
            let (writing, bytes) = (scratch.clone(), Bytes::copy_from_slice(&buffer[..count]));
            let write = move |_: &View, _: &str| Ok(writing.node.write_all_at(at, &bytes)?);
            self.run(FilesOperation::Replace, path.clone(), long, write).await?;
            at += count as u64;
        }
        let finish = move |_: &View, _: &str| -> Done<()> {
            // The clones ended with the writes above.
            let scratch = Arc::get_mut(&mut scratch).ok_or(FsError::Io)?;
            Ok(scratch.finish(None)?)
        };
        self.run(FilesOperation::Replace, path, long, finish).await?;
        Ok(at)
    }
}

impl View {
    pub(super) fn write(&self, path: &str, bytes: &[u8], options: WriteOptions) -> Done<()> {
        let how = OpenHow { write: true, create: true, mode: options.mode.unwrap_or(NEW_FILE), ..OpenHow::default() };
        let open = |how| self.with_parents(path, options.parents, || self.fs.open(&self.root, path, how));
        match options.how {
            WriteMode::InPlace => {
                let node = open(OpenHow { truncate: true, ..how })?;
                node.write_all_at(0, bytes)?;
                set_mode(&node, options.mode)
            }
            WriteMode::Append => {
                let node = open(how)?;
                node.append(bytes)?;
                set_mode(&node, options.mode)
            }
            WriteMode::New => {
                let node = open(OpenHow { exclusive: true, ..how })?;
                let done = node.write_all_at(0, bytes).map_err(Failed::from).and_then(|()| set_mode(&node, options.mode));
                if done.is_err() {
                    self.unlink_own(path, &node);
                }
                done
            }
            WriteMode::Atomic => {
                let mut scratch = self.scratch_for(path, options)?;
                scratch.node.write_all_at(0, bytes)?;
                Ok(scratch.finish(options.mode)?)
            }
        }
    }

    /// Removes a file that was just created, unless another one has its name now.
    fn unlink_own(&self, path: &str, node: &Node) {
        let there = self.fs.stat(&self.root, path, false).map(|stat| (stat.dev, stat.ino));
        if there.is_ok() && there == node.ident() {
            // The write's own error is the one to report.
            let _ = self.fs.unlink(&self.root, path);
        }
    }

    /// Does `step` again with the missing directories made, if it finds none.
    pub(super) fn with_parents<T>(&self, path: &str, parents: bool, step: impl Fn() -> Result<T, FsError>) -> Done<T> {
        match step() {
            Err(FsError::NotFound) if parents => {
                let Some((directory, _)) = split(path) else { return Err(FsError::NotFound.into()) };
                self.make_directories(directory)?;
                Ok(step()?)
            }
            done => Ok(done?),
        }
    }

    /// Creates a scratch file next to `path`. Fails unless `path` is absent or writable by this user.
    pub(super) fn scratch_for(&self, path: &str, options: WriteOptions) -> Done<Scratch> {
        let target = self.last_followed(path)?;
        let (folder, name) = split(&target).ok_or(FsError::IsDirectory)?;
        let mode = match self.fs.stat(&self.root, &target, false) {
            Ok(stat) => Some(replaceable(&stat)?),
            Err(FsError::NotFound) if target.ends_with('/') => return Err(FsError::IsDirectory.into()),
            Err(FsError::NotFound) => None,
            Err(error) => return Err(error.into()),
        };
        let folder = self.with_parents(&target, options.parents, || self.directory(folder))?;
        Ok(Scratch::new(&self.fs, folder, name, mode)?)
    }
}

/// Returns the mode of a file that this user may replace.
pub(super) fn replaceable(stat: &Stat) -> Result<u32, FsError> {
    match stat.kind {
        FileType::Regular => {}
        FileType::Directory => return Err(FsError::IsDirectory),
        // A device would become a file.
        _ => return Err(FsError::NotPermitted),
    }
    // A rename needs only the directory's permission; a write to the file needs its own.
    let class = if stat.uid == 0 { stat.mode } else { stat.mode >> 6 };
    if class & 2 == 0 { Err(FsError::Access) } else { Ok(stat.mode) }
}

fn set_mode(node: &Node, mode: Option<u32>) -> Done<()> {
    match mode {
        Some(mode) if node.stat()?.mode != mode => Ok(node.set_mode(mode)?),
        _ => Ok(()),
    }
}

/// How often a name for a scratch file is drawn. Each has 64 random bits.
const ATTEMPTS: usize = 8;

/// A file that becomes another one when it is complete, and is removed if it does not.
pub(super) struct Scratch {
    fs: Fs,
    folder: Node,
    own: String,
    name: String,
    mode: u32,
    pub(super) node: Node,
    finished: bool,
}

impl Scratch {
    /// Creates a scratch file in `folder`, for `name`, which has `mode` afterwards (that of a new file without one).
    pub(super) fn new(fs: &Fs, folder: Node, name: &str, mode: Option<u32>) -> Result<Self, FsError> {
        let how = OpenHow { read: true, write: true, create: true, exclusive: true, mode: 0o600, ..OpenHow::default() };
        for _ in 0..ATTEMPTS {
            let mut random = [0; 8];
            getrandom::fill(&mut random).map_err(|_| FsError::Io)?;
            let own = format!(".wisp-{:016x}", u64::from_le_bytes(random));
            match fs.open(&folder, &own, how) {
                Err(FsError::Exists) => {}
                opened => {
                    let (node, name, mode) = (opened?, name.to_owned(), mode.unwrap_or(NEW_FILE));
                    return Ok(Self { fs: fs.clone(), folder, own, name, mode, node, finished: false });
                }
            }
        }
        Err(FsError::Exists)
    }

    /// Gives it its mode and its name.
    pub(super) fn finish(&mut self, mode: Option<u32>) -> Result<(), FsError> {
        self.node.set_mode(mode.unwrap_or(self.mode))?;
        self.fs.rename(&self.folder, &self.own, &self.folder, &self.name)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.finished {
            // If it is gone already, nothing is left to do.
            let _ = self.fs.unlink(&self.folder, &self.own);
        }
    }
}
