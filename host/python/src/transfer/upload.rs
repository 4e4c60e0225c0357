//! From the host into a sandbox. The host's files are the caller's own; symbolic links among them are left out, because they may lead
//! anywhere.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::vec::IntoIter;

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _, OpenOptionsSyncExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, MetadataExt as _, OpenOptions};
use tokio::io::{AsyncRead, ReadBuf};
use wisp_api::ErrorCode;

use super::{DEPTH, Transfer, on_host};
use crate::failure::Failure;

/// The bits of a mode that make a file executable.
const EXECUTABLE: u32 = 0o111;

/// A directory whose names are being visited.
struct Level {
    directory: Dir,
    from: PathBuf,
    to: String,
    names: IntoIter<OsString>,
}

impl Transfer {
    /// Uploads a file, or a directory with what is in it, to `to`. If `from` is a symbolic link, it is followed.
    pub(crate) fn upload(&mut self, from: &Path, to: &str) -> Result<(), Failure> {
        // A pipe must not block it.
        let mut options = OpenOptions::new();
        options.read(true).nonblock(true);
        let file = File::open_ambient_with(from, &options, ambient_authority()).map_err(|error| on_host("read", from, &error))?;
        let metadata = file.metadata().map_err(|error| on_host("read", from, &error))?;
        if metadata.is_dir() {
            return self.upload_tree(Dir::from_std_file(file.into_std()), from.to_owned(), to.to_owned());
        }
        if !metadata.is_file() {
            let message = format!("cannot upload `{}`: it is neither a file nor a directory", from.display());
            return Err(Failure::new(ErrorCode::WrongFileType, message));
        }
        self.upload_file(file, &metadata, to)
    }

    fn upload_tree(&mut self, directory: Dir, from: PathBuf, to: String) -> Result<(), Failure> {
        let mut levels = vec![self.begin(directory, from, to)?];
        while let Some(level) = levels.last_mut() {
            let Some(name) = level.names.next() else {
                levels.pop();
                continue;
            };
            self.enter()?;
            let from = level.from.join(&name);
            let to = format!("{}/{}", level.to.trim_end_matches('/'), wisp_spelling::spell(name.as_encoded_bytes()));
            let failed = |error: io::Error| on_host("read", &from, &error);
            let kind = match level.directory.symlink_metadata(&name) {
                // It was removed in the meantime.
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                found => found.map_err(failed)?.file_type(),
            };
            if kind.is_dir() {
                let directory = level.directory.open_dir_nofollow(&name).map_err(failed)?;
                if levels.len() < DEPTH {
                    let level = self.begin(directory, from, to)?;
                    levels.push(level);
                } else {
                    self.leave_out(from.to_string_lossy().into_owned());
                }
                continue;
            }
            if !kind.is_file() {
                self.leave_out(from.to_string_lossy().into_owned());
                continue;
            }
            let mut options = OpenOptions::new();
            options.read(true).nonblock(true).follow(FollowSymlinks::No);
            let file = level.directory.open_with(&name, &options).map_err(failed)?;
            let metadata = file.metadata().map_err(failed)?;
            if metadata.is_file() {
                self.upload_file(file, &metadata, &to)?;
            } else {
                self.leave_out(from.to_string_lossy().into_owned());
            }
        }
        Ok(())
    }

    /// Makes a directory in the sandbox, and reads the names of the host's.
    fn begin(&mut self, directory: Dir, from: PathBuf, to: String) -> Result<Level, Failure> {
        self.wait(self.files.mkdir_all(&to))?;
        let names = directory.entries().and_then(|entries| entries.map(|entry| Ok(entry?.file_name())).collect::<io::Result<Vec<_>>>());
        let mut names = names.map_err(|error| on_host("read", &from, &error))?;
        names.sort_unstable();
        Ok(Level { directory, from, to, names: names.into_iter() })
    }

    /// Writes a file in one step: a reader in the sandbox sees all of it, or what was there before.
    fn upload_file(&mut self, file: File, metadata: &Metadata, to: &str) -> Result<(), Failure> {
        let from = OnHost { file, stop: self.stop.clone() };
        let bytes = self.wait(self.files.write_stream(to, from))?;
        let mode = self.wait(self.files.stat(to))?.mode;
        let wanted = if metadata.mode() & EXECUTABLE == 0 { mode & !EXECUTABLE } else { mode | EXECUTABLE };
        if wanted != mode {
            self.wait(self.files.set_mode(to, wanted))?;
        }
        self.done.files += 1;
        self.done.bytes += bytes;
        Ok(())
    }
}

/// A file of the host. It is read where it is polled, on a thread that may block.
struct OnHost {
    file: File,
    stop: Arc<AtomicBool>,
}

impl AsyncRead for OnHost {
    fn poll_read(mut self: Pin<&mut Self>, _: &mut Context<'_>, to: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        if self.stop.load(Ordering::Relaxed) {
            return Poll::Ready(Err(io::Error::other("nobody waits for it any more")));
        }
        let count = loop {
            match self.file.read(to.initialize_unfilled()) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        to.advance(count);
        Poll::Ready(Ok(()))
    }
}
