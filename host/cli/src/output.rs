//! `--output DIR`: copies the files of the output directory.
//!
//! DIR is opened once. Every name below it is opened relative to its parent directory and never through a symbolic
//! link, so that neither the guest's names nor links in DIR lead elsewhere. A file is written under a temporary name
//! and then moved to its place, with the mode and the time that it has in the sandbox. A file that the next run would trust is not
//! written (see `trusted`).

use std::fmt;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, bail};
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions, OpenOptionsExt};
use wisp::Artifact;

use crate::say;
use crate::trusted::{Trusted, name_on_host};

/// The permission bits of a result. One that gives whoever runs it another user's rights is not for a guest to set.
const MODE: u32 = 0o777;

/// The destination of the files.
pub(crate) struct OutputDirectory {
    path: PathBuf,
    directory: Dir,
    force: bool,
    trusted: Trusted,
}

/// Why a file is not copied.
enum Refused {
    Io(io::Error),
    /// It would be this, be in it, or stand in the way to it.
    Trusted(String),
}

impl From<io::Error> for Refused {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) if error.kind() == io::ErrorKind::AlreadyExists => f.write_str("it exists; `--force` replaces it"),
            Self::Io(error) => error.fmt(f),
            Self::Trusted(what) => {
                write!(f, "by that name it would change {what}, which the next run trusts; name another directory with `--output`")
            }
        }
    }
}

impl OutputDirectory {
    /// Opens (or creates) the directory, before the command runs, so that a mistake costs nothing.
    /// No directory in a place that the next run trusts is taken.
    pub(crate) fn open(path: &Path, force: bool, trusted: Trusted) -> anyhow::Result<Self> {
        let doing = || format!("--output {}", path.display());
        let check = || match trusted.around(path) {
            Some(place) => {
                bail!("{}: it is in {}, where the next run would trust what a guest wrote; name another directory", doing(), place.what)
            }
            None => Ok(()),
        };
        check()?;
        Dir::create_ambient_dir_all(path, ambient_authority()).map_err(no_directory).with_context(doing)?;
        let directory = Dir::open_ambient_dir(path, ambient_authority()).with_context(doing)?;
        // Again: the place may have been made with it.
        check()?;
        Ok(Self { path: path.to_owned(), directory, force, trusted })
    }

    /// Copies a file. `root` is the output directory's path in the sandbox.
    ///
    /// # Errors
    /// Why it was not copied, for people.
    pub(crate) fn copy(&self, root: &str, file: &Artifact) -> Result<(), String> {
        let relative = file.path.strip_prefix(root).unwrap_or(&file.path).trim_start_matches('/');
        self.copy_one(relative, file).map_err(|reason| format!("{:?} was not copied to {}: {reason}", file.path, self.path.display()))
    }

    fn copy_one(&self, relative: &str, file: &Artifact) -> Result<(), Refused> {
        let names = relative.split('/').collect::<Vec<_>>();
        if !names.iter().all(|name| plain(name)) {
            return Err(Refused::Io(io::ErrorKind::InvalidInput.into()));
        }
        let places = self.trusted.now();
        let mut directory = self.directory.try_clone()?;
        let mut left = names.as_slice();
        while let [name, rest @ ..] = left {
            // By the directory's own identity: its name may lead elsewhere by now.
            if let Some(what) = places.met(&directory, left)? {
                return Err(Refused::Trusted(what.to_owned()));
            }
            let name = name_on_host(name)?;
            if rest.is_empty() {
                self.write(&directory, &name, file)?;
                break;
            }
            match directory.create_dir(&name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error.into()),
                _ => {}
            }
            directory = directory.open_dir_nofollow(&name)?;
            left = rest;
        }
        Ok(())
    }

    /// Writes a file in this directory.
    fn write(&self, directory: &Dir, name: &Path, file: &Artifact) -> io::Result<()> {
        if !self.force && directory.symlink_metadata(name).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let scratch = format!(".wisp-{:016x}", u64::from_le_bytes(random));
        let mut options = OpenOptions::new();
        // The user's umask applies, as it does to what cp(1) copies.
        options.write(true).create_new(true).follow(FollowSymlinks::No).mode(file.mode & MODE);
        let mut target = directory.open_with(&scratch, &options)?.into_std();
        let time = SystemTime::UNIX_EPOCH + Duration::from_nanos(file.mtime);
        // An outcome of this process has the contents.
        let written = target.write_all(file.data.as_deref().unwrap_or_default());
        // Before it has its name, and after the last change.
        let timed = target.set_modified(time);
        let done = written.and_then(|()| self.place(directory, &scratch, name));
        if let (Ok(()), Err(error)) = (&done, timed) {
            say(&format!("{:?} was copied to {} without its time: {error}", file.path, self.path.display()));
        }
        if done.is_err() {
            // The first error is the one to report.
            let _ = directory.remove_file(&scratch);
        }
        done
    }

    /// Moves the finished file to its place. Replaces an existing file only with `--force`.
    fn place(&self, directory: &Dir, scratch: &str, name: &Path) -> io::Result<()> {
        if self.force {
            return directory.rename(scratch, directory, name);
        }
        // A link, unlike a rename, fails if the name was created in the meantime.
        directory.hard_link(scratch, directory, name)?;
        directory.remove_file(scratch)
    }
}

/// Returns why a directory cannot be made, in words that name the cause if that is a file.
fn no_directory(error: io::Error) -> io::Error {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
            io::Error::new(error.kind(), "a file has this name, or a part of it: name a directory, which is made if it is not there")
        }
        _ => error,
    }
}

/// Returns whether this is a single name, not a path.
fn plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}
