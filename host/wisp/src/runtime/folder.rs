//! A folder of trusted files: opened once, after every folder above it was checked, and used through its handle from
//! then on.
//!
//! Whatever happens to the names that led to it, the files are those of the folder that was checked. None of its
//! files is opened through a symbolic link, and none that could make an open wait (a FIFO).

use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io::{self, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

use rustix::fs::{Access, AtFlags, CWD, Dir, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::cache_error::CacheError;

/// Maximum symbolic links on the way to a folder, as on Linux.
const MAX_LINKS: usize = 40;

/// The user id for users that a user namespace does not map: mostly root of the outside.
const UNKNOWN_USER: u32 = 65_534;

/// Extension of a file that is being written.
pub(super) const SCRATCH: &str = "tmp";

/// A folder whose files only trusted users can change.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    handle: OwnedFd,
    /// The owners whose files are accepted.
    owners: Vec<u32>,
    /// The rights of others with which a file is not accepted. What wisp writes in a folder of this user's nobody else can
    /// read; a file that others can read there came from somewhere else.
    strange: u32,
    /// Whether files can be made in it, as far as its rights and its filesystem say.
    writable: bool,
}

impl Folder {
    /// Returns a folder of this user on which others have no rights. It and the folders above it are created (mode 0700) if
    /// absent.
    ///
    /// # Errors
    /// If it cannot be created, does not belong to this user alone, or if others can change a folder above it.
    pub(super) fn private(path: &Path) -> Result<Self, CacheError> {
        let me = rustix::process::geteuid().as_raw();
        let (handle, facts) = Walk::to(path, true, &[0, me])?;
        let refuse = |reason: String| CacheError::NotPrivate { path: path.to_owned(), reason };
        if facts.st_uid != me {
            return Err(refuse(format!("it belongs to user {}", facts.st_uid)));
        }
        if facts.st_mode & 0o077 != 0 {
            return Err(refuse(format!("its mode is {:04o}", facts.st_mode & 0o7777)));
        }
        let writable = rustix::fs::accessat(&handle, ".", Access::WRITE_OK, AtFlags::empty()).is_ok();
        Ok(Self { path: path.to_owned(), handle, owners: vec![me], strange: 0o077, writable })
    }

    /// Returns a folder that is only read: it belongs to this user, root, or `owner`, and others cannot change it.
    ///
    /// # Errors
    /// If it does not exist, or if others can change it or a folder above it.
    pub(super) fn shipped(path: &Path, owner: u32) -> Result<Self, CacheError> {
        let owners = vec![0, rustix::process::geteuid().as_raw(), owner];
        let (handle, facts) = Walk::to(path, false, &owners)?;
        match changed_by(&facts, &owners) {
            Some(reason) => Err(CacheError::Changeable { path: path.to_owned(), folder: path.to_owned(), reason }),
            None => Ok(Self { path: path.to_owned(), handle, owners, strange: 0o022, writable: false }),
        }
    }

    /// Returns its path when it was opened.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Returns whether files could be made in it when it was opened.
    pub(super) fn is_writable(&self) -> bool {
        self.writable
    }

    /// Opens the file with this name for reading, and returns facts about it as well, if only trusted users could have written it.
    ///
    /// # Errors
    /// The reason.
    pub(super) fn open(&self, name: &str) -> Result<(File, Metadata), String> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let file = rustix::fs::openat(&self.handle, name, flags, Mode::empty()).map_err(|error| error.to_string())?;
        let file = File::from(file);
        let facts = file.metadata().map_err(|error| error.to_string())?;
        if !facts.is_file() || !self.owners.contains(&facts.uid()) || facts.mode() & self.strange != 0 {
            return Err("it is not a file that only its owner can use".to_owned());
        }
        Ok((file, facts))
    }

    /// Writes a file beside its place, and renames it when it is complete. It replaces any other of this name.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn put(&self, name: &str, contents: &[u8]) -> io::Result<()> {
        let mut random = [0; 8];
        getrandom::fill(&mut random).map_err(io::Error::other)?;
        let scratch = format!("{name}.{:016x}.{SCRATCH}", u64::from_le_bytes(random));
        let mut file = self.create(&scratch)?;
        let written = file.write_all(contents).and_then(|()| self.rename(&scratch, name));
        if written.is_err() {
            self.remove(&scratch);
        }
        written
    }

    /// Creates a new file of this name.
    ///
    /// # Errors
    /// The system's, for example if the file exists.
    fn create(&self, name: &str) -> io::Result<File> {
        self.make(name, OFlags::EXCL)
    }

    /// Opens the file with this name for writing; creates it if absent, and keeps its contents.
    ///
    /// # Errors
    /// The system's.
    pub(super) fn open_or_create(&self, name: &str) -> io::Result<File> {
        self.make(name, OFlags::NONBLOCK)
    }

    fn make(&self, name: &str, how: OFlags) -> io::Result<File> {
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC | how;
        Ok(rustix::fs::openat(&self.handle, name, flags, Mode::RUSR | Mode::WUSR)?.into())
    }

    /// Renames the file `from` to `to`, replacing any other.
    ///
    /// # Errors
    /// The system's.
    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.handle, from, &self.handle, to)?)
    }

    /// Removes the file with this name; returns whether this removed it.
    pub(super) fn remove(&self, name: &str) -> bool {
        rustix::fs::unlinkat(&self.handle, name, AtFlags::empty()).is_ok()
    }

    /// Returns whether this name exists.
    pub(super) fn contains(&self, name: &str) -> bool {
        rustix::fs::statat(&self.handle, name, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    /// Returns the names in it; empty if it cannot be read.
    pub(super) fn names(&self) -> Vec<String> {
        let entries = Dir::read_from(&self.handle).into_iter().flatten().flatten();
        entries.filter_map(|entry| entry.file_name().to_str().ok().map(str::to_owned)).collect()
    }
}

/// Returns how users other than `owners` can change what is in a folder, if they can.
fn changed_by(facts: &Stat, owners: &[u32]) -> Option<String> {
    let (mode, me) = (facts.st_mode & 0o7777, rustix::process::geteuid().as_raw());
    if !owners.contains(&facts.st_uid) && facts.st_uid != UNKNOWN_USER {
        return Some(format!("it belongs to user {}", facts.st_uid));
    }
    // In a sticky folder (/tmp) only owners remove or rename their files.
    let (sticky, group, others) = (mode & 0o1000 != 0, mode & 0o020 != 0, mode & 0o002 != 0);
    // Many distributions give each user a group, which can write the user's folders.
    let own_group = facts.st_gid == 0 || (facts.st_gid == me && rustix::process::getegid().as_raw() == me);
    (!sticky && (others || (group && !own_group))).then(|| format!("its mode is {mode:04o}, its group {}", facts.st_gid))
}

/// A walk along a path: each folder is opened relative to the previous one, and symbolic links are followed by their
/// text.
struct Walk<'p> {
    path: &'p Path,
    owners: &'p [u32],
    /// The folders on the way; the first is the root.
    on: Vec<(OwnedFd, PathBuf)>,
    /// The names still to come.
    ahead: VecDeque<OsString>,
    links: usize,
}

impl<'p> Walk<'p> {
    /// Returns the folder at `path`, and facts about it. Only `owners` can change any folder on the way. Missing folders are
    /// created if `make` is set.
    fn to(path: &'p Path, make: bool, owners: &'p [u32]) -> Result<(OwnedFd, Stat), CacheError> {
        let io = |source: io::Error| CacheError::Io { path: path.to_owned(), source };
        let absolute = std::path::absolute(path).map_err(io)?;
        let mut walk = Walk { path, owners, on: Vec::new(), ahead: VecDeque::new(), links: 0 };
        walk.enter(&absolute);
        let root = rustix::fs::openat(CWD, "/", OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC, Mode::empty());
        walk.on.push((root.map_err(|error| io(error.into()))?, PathBuf::from("/")));
        while let Some(name) = walk.ahead.pop_front() {
            walk.step(&name, make)?;
        }
        let (last, _) = walk.top();
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let handle = rustix::fs::openat(last, ".", flags, Mode::empty()).map_err(|error| io(error.into()))?;
        let facts = rustix::fs::fstat(&handle).map_err(|error| io(error.into()))?;
        Ok((handle, facts))
    }

    fn fail(&self, error: impl Into<io::Error>) -> CacheError {
        CacheError::Io { path: self.path.to_owned(), source: error.into() }
    }

    fn top(&self) -> &(OwnedFd, PathBuf) {
        // The root is never removed.
        self.on.last().expect("a walk starts at the root")
    }

    /// Queues the components of `path` to be resolved next.
    fn enter(&mut self, path: &Path) {
        if path.is_absolute() {
            self.on.truncate(1);
        }
        for part in path.components().rev() {
            match part {
                Component::Normal(name) => self.ahead.push_front(name.to_owned()),
                Component::ParentDir => self.ahead.push_front("..".into()),
                Component::RootDir | Component::CurDir | Component::Prefix(_) => {}
            }
        }
    }

    fn step(&mut self, name: &OsStr, make: bool) -> Result<(), CacheError> {
        if name == ".." {
            self.on.truncate((self.on.len() - 1).max(1));
            return Ok(());
        }
        let (above, place) = self.top();
        let above_facts = rustix::fs::fstat(above).map_err(|error| self.fail(error))?;
        if let Some(reason) = changed_by(&above_facts, self.owners) {
            return Err(CacheError::Changeable { path: self.path.to_owned(), folder: place.clone(), reason });
        }
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let open = || rustix::fs::openat(above, name, flags, Mode::empty());
        let found = match open() {
            Err(Errno::NOENT) if make => match rustix::fs::mkdirat(above, name, Mode::RWXU) {
                Ok(()) | Err(Errno::EXIST) => open(),
                Err(error) => Err(error),
            },
            found => found,
        };
        let found = found.map_err(|error| self.fail(error))?;
        let facts = rustix::fs::fstat(&found).map_err(|error| self.fail(error))?;
        let here = place.join(name);
        match FileType::from_raw_mode(facts.st_mode) {
            FileType::Directory => self.on.push((found, here)),
            // The last name: it could be redirected.
            FileType::Symlink if !self.ahead.is_empty() => {
                self.links += 1;
                if self.links > MAX_LINKS {
                    return Err(self.fail(Errno::LOOP));
                }
                let target = rustix::fs::readlinkat(found.as_fd(), "", Vec::new()).map_err(|error| self.fail(error))?;
                self.enter(Path::new(&OsString::from_vec(target.into_bytes())));
            }
            _ => {
                return Err(CacheError::NotPrivate {
                    path: self.path.to_owned(),
                    reason: format!("`{}` is not a directory", here.display()),
                });
            }
        }
        Ok(())
    }
}
