//! `--output DIR`: copies the files of the output directory.
//!
//! DIR is opened once. Every name below it is opened relative to its parent directory and never through a symbolic
//! link, so that neither the guest's names nor links in DIR lead elsewhere. A file is written under a temporary name
//! and then moved to its place.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, OpenOptions};
use wisp::Artifact;

/// The destination of the files.
pub(crate) struct OutputDirectory {
    path: PathBuf,
    directory: Dir,
    force: bool,
}

impl OutputDirectory {
    /// Opens (or creates) the directory, before the command runs, so that a mistake costs nothing.
    pub(crate) fn open(path: &Path, force: bool) -> anyhow::Result<Self> {
        let doing = || format!("--output {}", path.display());
        Dir::create_ambient_dir_all(path, ambient_authority()).with_context(doing)?;
        let directory = Dir::open_ambient_dir(path, ambient_authority()).with_context(doing)?;
        Ok(Self { path: path.to_owned(), directory, force })
    }

    /// Copies the files. `root` is the output directory's path in the sandbox. Files that cannot be copied are
    /// reported; the rest is copied.
    pub(crate) fn copy(&self, root: &str, files: &[Artifact]) -> Vec<String> {
        let mut problems = Vec::new();
        for file in files {
            let relative = file.path.strip_prefix(root).unwrap_or(&file.path).trim_start_matches('/');
            if let Err(error) = self.copy_one(relative, &file.data) {
                let reason = match error.kind() {
                    io::ErrorKind::AlreadyExists => "it exists; `--force` replaces it".to_owned(),
                    _ => error.to_string(),
                };
                problems.push(format!("{:?} was not copied to {}: {reason}", file.path, self.path.display()));
            }
        }
        problems
    }

    fn copy_one(&self, relative: &str, data: &[u8]) -> io::Result<()> {
        let mut names = relative.split('/').collect::<Vec<_>>();
        let Some(name) = names.pop().filter(|name| plain(name)) else { return Err(io::ErrorKind::InvalidInput.into()) };
        let mut directory = self.directory.try_clone()?;
        for name in names {
            if !plain(name) {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            match directory.create_dir(name) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
                _ => {}
            }
            directory = directory.open_dir_nofollow(name)?;
        }
        if !self.force && directory.symlink_metadata(name).is_ok() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let scratch = format!(".wisp-{:016x}", u64::from_le_bytes(random));
        let mut options = OpenOptions::new();
        options.write(true).create_new(true).follow(FollowSymlinks::No);
        let mut target = directory.open_with(&scratch, &options)?;
        let done = target.write_all(data).and_then(|()| self.place(&directory, &scratch, name));
        if done.is_err() {
            // The first error is the one to report.
            let _ = directory.remove_file(&scratch);
        }
        done
    }

    /// Moves the finished file to its place. Replaces an existing file only with `--force`.
    fn place(&self, directory: &Dir, scratch: &str, name: &str) -> io::Result<()> {
        if self.force {
            return directory.rename(scratch, directory, name);
        }
        // A link, unlike a rename, fails if the name was created meanwhile.
        directory.hard_link(scratch, directory, name)?;
        directory.remove_file(scratch)
    }
}

/// Whether this is a single name, not a path.
fn plain(name: &str) -> bool {
    !name.is_empty() && name != "." && name != ".." && !name.contains(['/', '\0'])
}
