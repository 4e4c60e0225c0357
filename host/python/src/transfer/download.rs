//! From a sandbox to the host. Nothing is written outside the place that the caller names: each name of the sandbox is one name, below a
//! directory that is open, and no symbolic link of the host is followed there. What a later run executes or trusts is not written either.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::iter;
use std::path::{Path, PathBuf};

use cap_fs_ext::{DirExt as _, FollowSymlinks, OpenOptionsFollowExt as _};
use cap_std::ambient_authority;
use cap_std::fs::{Dir, File, Metadata, MetadataExt as _, OpenOptions, OpenOptionsExt as _, Permissions, PermissionsExt as _};
use wisp::fs::{FileEntry, FileReader, FileType, FilesError, FsError, is_plain};
use wisp_api::{ErrorCode, shown};
use wisp_cli::{Places, Trusted, name_on_host};

use super::{DEPTH, Transfer, on_host};
use crate::failure::Failure;

/// Names of a directory that are read at a time.
const PAGE: usize = 1_000;

/// The bits of a mode that a file keeps when it is replaced.
const PERMISSIONS: u32 = 0o777;

/// How files are written on the host.
pub(crate) struct Rules {
    /// Whether files of the host are replaced.
    pub(crate) overwrite: bool,
    /// Maximum bytes of all files. Attack: a sparse file of 8 EiB, which costs a guest nothing.
    pub(crate) most: u64,
    /// What a later run executes or trusts. Attack: machine code for the next start, or a module of the package.
    pub(crate) trusted: Trusted,
}

/// A directory whose names are being visited.
struct Level {
    from: String,
    to: PathBuf,
    directory: Dir,
    page: VecDeque<FileEntry>,
    /// The last name that was read.
    after: String,
    ended: bool,
}

impl Level {
    fn new(from: String, to: PathBuf, directory: Dir) -> Self {
        Self { from, to, directory, page: VecDeque::new(), after: String::new(), ended: false }
    }

    fn name(&self) -> &str {
        self.from.rsplit('/').next().unwrap_or_default()
    }
}

impl Transfer {
    /// Downloads a file, or a directory with what is in it, to `to`. Missing directories above it are made.
    pub(crate) fn download(&mut self, from: &str, to: &Path, rules: &Rules) -> Result<(), Failure> {
        let top = self.wait(self.files.canonical(from))?;
        match self.wait(self.files.stat(&top))?.kind {
            FileType::Directory => {
                let directory = open(to, &rules.trusted)?;
                self.download_tree(Level::new(top, to.to_owned(), directory), rules)
            }
            FileType::Regular => {
                let named = !to.as_os_str().as_encoded_bytes().ends_with(b"/");
                let Some(name) = to.file_name().filter(|_| named) else {
                    let message = format!("`{}` names no file on the host: write the name of the file", to.display());
                    return Err(Failure::new(ErrorCode::InvalidArgument, message));
                };
                let folder = to.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
                let directory = open(folder, &rules.trusted)?;
                let spelled = wisp_spelling::spell(name.as_encoded_bytes());
                if let Some(what) = rules.trusted.now().met(&directory, &[&*spelled]).map_err(|error| on_host("look at", to, &error))? {
                    return Err(is_trusted(to, what));
                }
                let reader = self.wait(self.files.read_stream(&top))?;
                self.download_file(reader, &directory, Path::new(name), to, rules)
            }
            kind => {
                let message = format!("cannot download `{}`: it is neither a file nor a directory, but a {}", shown(from), kind.as_str());
                Err(Failure::new(ErrorCode::WrongFileType, message))
            }
        }
    }

    fn download_tree(&mut self, top: Level, rules: &Rules) -> Result<(), Failure> {
        // Directories that this makes are known by their names below those that there are now.
        let places = rules.trusted.now();
        let mut levels = vec![top];
        loop {
            let Some((level, above)) = levels.split_last_mut() else { return Ok(()) };
            let depth = above.len() + 1;
            let Some(FileEntry { path, stat }) = self.next(level, depth)? else {
                levels.pop();
                continue;
            };
            self.enter()?;
            let name = path.rsplit('/').next().unwrap_or_default();
            let Some(own) = name_on_host(name).ok().filter(|_| is_plain(name) && is_name(name)) else {
                self.leave_out(path);
                continue;
            };
            let to = level.to.join(&own);
            match stat.kind {
                FileType::Directory if depth < DEPTH => {
                    check(above, level, name, &places, true)?;
                    let directory = inner(&level.directory, &own, &to)?;
                    levels.push(Level::new(path, to, directory));
                }
                FileType::Regular => match self.wait(self.files.read_stream(&path)) {
                    // The guest may have put something else there.
                    Ok(reader) if reader.stat().kind == FileType::Regular => {
                        check(above, level, name, &places, false)?;
                        self.download_file(reader, &level.directory, &own, &to, rules)?;
                    }
                    Err(error) if !is_closed_to_user(&error) => return Err(error.into()),
                    _ => self.leave_out(path),
                },
                _ => self.leave_out(path),
            }
        }
    }

    /// Returns the next file in a directory. A directory that cannot be read is left out, but for the first one.
    fn next(&mut self, level: &mut Level, depth: usize) -> Result<Option<FileEntry>, Failure> {
        if level.page.is_empty() && !level.ended {
            match self.wait(self.files.list_after(&level.from, &level.after, PAGE)) {
                Ok(listing) => {
                    level.ended = !listing.truncated;
                    if let Some(last) = listing.entries.last() {
                        last.name().clone_into(&mut level.after);
                    }
                    level.page = listing.entries.into();
                }
                Err(error) if depth > 1 && is_closed_to_user(&error) => {
                    level.ended = true;
                    self.leave_out(level.from.clone());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(level.page.pop_front())
    }

    /// Writes a file on the host. What is added to it in the sandbox in the meantime is not read.
    fn download_file(&mut self, mut reader: FileReader, directory: &Dir, name: &Path, to: &Path, rules: &Rules) -> Result<(), Failure> {
        let (size, mode) = (reader.stat().size, reader.stat().mode);
        if size > rules.most.saturating_sub(self.done.bytes) {
            let message = format!("`{}` does not fit: all files have more than {} bytes, set by `max_bytes`", to.display(), rules.most);
            return Err(Failure::new(ErrorCode::TooLarge, message));
        }
        let failed = |error: io::Error| on_host("write", to, &error);
        let mut new = New::create(directory, name, to, mode & 0o100 != 0, rules.overwrite)?;
        let mut left = size;
        while left > 0 {
            self.check()?;
            let Some(mut bytes) = self.wait(reader.chunk())? else { break };
            bytes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
            new.file.write_all(&bytes).map_err(failed)?;
            left -= u64::try_from(bytes.len()).unwrap_or(left);
        }
        new.finish().map_err(failed)?;
        self.done.files += 1;
        self.done.bytes += size - left;
        Ok(())
    }
}

/// Returns whether a name is one name, not a path. No name of a sandbox is anything else.
fn is_name(name: &str) -> bool {
    !matches!(name, "" | "." | "..") && !name.contains(['/', '\0'])
}

/// Returns whether a file cannot be read by the sandbox's user, or is not there any more: that is no fault of the host's.
fn is_closed_to_user(error: &FilesError) -> bool {
    !matches!(error.fs(), None | Some(FsError::Io | FsError::OutOfMemory))
}

/// Refuses a file in `level` that would be what a later run executes or trusts, be in that, or stand in the way to it; a directory may
/// stand on the way to it.
fn check(above: &[Level], level: &Level, name: &str, places: &Places<'_>, is_directory: bool) -> Result<(), Failure> {
    let levels = || above.iter().chain(iter::once(level));
    let names: Vec<&str> = levels().skip(1).map(Level::name).chain([name]).collect();
    let to = level.to.join(name);
    let mut left = names.as_slice();
    for level in levels() {
        let met = if is_directory { places.around(&level.directory, left) } else { places.met(&level.directory, left) };
        if let Some(what) = met.map_err(|error| on_host("look at", &to, &error))? {
            return Err(is_trusted(&to, what));
        }
        left = left.get(1..).unwrap_or_default();
    }
    Ok(())
}

/// Opens the directory that the caller names, and makes it if it is missing. None in what a later run executes or trusts is taken.
fn open(path: &Path, trusted: &Trusted) -> Result<Dir, Failure> {
    let check = || trusted.around(path).map_or(Ok(()), |place| Err(is_trusted(path, &place.what)));
    check()?;
    let made = Dir::create_ambient_dir_all(path, ambient_authority());
    let opened = made.and_then(|()| Dir::open_ambient_dir(path, ambient_authority()));
    let directory = opened.map_err(|error| on_host("make", path, &error))?;
    // Again: the place may have been made with it.
    check()?;
    Ok(directory)
}

/// Opens a directory below it, and makes it if it is missing.
fn inner(directory: &Dir, name: &Path, path: &Path) -> Result<Dir, Failure> {
    match directory.create_dir(name) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(on_host("make", path, &error)),
        _ => {}
    }
    directory.open_dir_nofollow(name).map_err(|error| match directory.symlink_metadata(name) {
        Ok(there) if !there.is_dir() => {
            let message = format!("`{}` on the host is no directory; a symbolic link is not followed there", path.display());
            Failure::new(ErrorCode::WrongFileType, message)
        }
        _ => on_host("open", path, &error),
    })
}

/// A file on the host that is removed if it is not finished.
struct New<'d> {
    directory: &'d Dir,
    name: &'d Path,
    /// Its name until it is finished, if it takes the place of another one.
    scratch: Option<String>,
    file: File,
    finished: bool,
}

impl<'d> New<'d> {
    fn create(directory: &'d Dir, name: &'d Path, path: &Path, executable: bool, overwrite: bool) -> Result<Self, Failure> {
        let failed = |error: io::Error| on_host("write", path, &error);
        let there = directory.symlink_metadata(name).ok();
        let (scratch, kept) = match &there {
            Some(_) if !overwrite => return Err(exists(path)),
            Some(there) if !there.is_file() && !there.is_symlink() => return Err(is_no_file(path)),
            _ if !overwrite => (None, None),
            there => (Some(scratch().map_err(failed)?), there.as_ref().filter(|there| there.is_file()).map(permissions)),
        };
        let mut options = OpenOptions::new();
        // The process's umask applies.
        let mode = kept.unwrap_or(if executable { 0o777 } else { 0o666 });
        options.write(true).create_new(true).follow(FollowSymlinks::No).mode(mode);
        let file = directory.open_with(scratch.as_deref().map_or(name, Path::new), &options).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => exists(path),
            _ => failed(error),
        })?;
        let new = Self { directory, name, scratch, file, finished: false };
        if let Some(mode) = kept {
            new.file.set_permissions(Permissions::from_mode(mode)).map_err(failed)?;
        }
        Ok(new)
    }

    /// Gives it its name.
    fn finish(&mut self) -> io::Result<()> {
        if let Some(scratch) = &self.scratch {
            self.directory.rename(scratch, self.directory, self.name)?;
        }
        self.finished = true;
        Ok(())
    }
}

impl Drop for New<'_> {
    fn drop(&mut self) {
        if !self.finished {
            // The first error is the one to report.
            let _ = self.directory.remove_file(self.scratch.as_deref().map_or(self.name, Path::new));
        }
    }
}

/// Returns a name that nothing has.
fn scratch() -> io::Result<String> {
    let mut random = [0; 8];
    getrandom::fill(&mut random).map_err(io::Error::other)?;
    Ok(format!(".wisp-{:016x}", u64::from_le_bytes(random)))
}

/// Returns what a file that is replaced leaves to the new one.
fn permissions(replaced: &Metadata) -> u32 {
    replaced.mode() & PERMISSIONS
}

fn exists(path: &Path) -> Failure {
    let message = format!("`{}` exists on the host: `overwrite=True` replaces it", path.display());
    Failure::new(ErrorCode::FileExists, message)
}

fn is_no_file(path: &Path) -> Failure {
    let message = format!("`{}` on the host is neither a file nor a symbolic link: only these are replaced", path.display());
    Failure::new(ErrorCode::WrongFileType, message)
}

fn is_trusted(path: &Path, what: &str) -> Failure {
    let message = format!(
        "a copy at `{}` on the host would change {what}, which a later run executes or trusts: name another place for it",
        path.display()
    );
    Failure::new(ErrorCode::InvalidArgument, message)
}
