//! Where the helper of a session is found: a socket in the session's own folder, which only the user can enter.
//!
//! The folder is opened once, and checked by what was opened. The socket is reached below it by the kernel's name for the open
//! folder, so that no other folder can come in its place, and no path is too long for a socket. Who is at the other end is asked of the
//! kernel: both sides speak to processes of the same user only.

use std::fs::{self, DirBuilder};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::DirBuilderExt;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::anyhow;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat, flock, fstat, open, stat, statat, unlinkat};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{geteuid, umask};
use wisp_service::{Store, StoreError};

use super::documents::Hello;
use super::wire::{self, Kind};
use crate::{Failure, kept};

/// The socket of a session's helper.
const SOCKET: &str = "resident.sock";

/// How long a helper may take to greet. It does so whatever runs in its session, so a longer silence is that of a stopped process.
const PATIENCE: Duration = Duration::from_secs(10);

/// How often a folder that another process removes in the meantime is made once more.
const ATTEMPTS: usize = 100;

/// The folder of a session, which may not exist.
#[derive(Clone)]
pub(super) struct Place {
    name: String,
    folder: PathBuf,
}

/// A helper that was found.
pub(super) struct Found {
    pub(super) stream: UnixStream,
    pub(super) hello: Hello,
}

impl Place {
    /// Returns the place of the user's session with this name.
    pub(super) fn of(name: &str) -> Result<Self, Failure> {
        Store::of_user().and_then(|store| Self::within(&store, name)).map_err(kept::refused)
    }

    /// Returns the place of a session of this store.
    pub(super) fn within(store: &Store, name: &str) -> Result<Self, StoreError> {
        Ok(Self { name: name.to_owned(), folder: store.folder_of(name)? })
    }

    /// Returns the name of the session.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Opens the folder, if it exists.
    ///
    /// # Errors
    /// If it is not a directory of this user that others cannot enter.
    fn open(&self) -> Result<Option<OwnedFd>, Failure> {
        let wrong = || kept::refused(StoreError::NotPrivate { path: self.folder.clone() });
        let folder = match open(&self.folder, OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC, Mode::empty()) {
            Ok(folder) => folder,
            Err(Errno::NOENT) => return Ok(None),
            // What is above it is none: whoever makes the folder says so.
            Err(Errno::NOTDIR | Errno::ACCESS) if self.folder.symlink_metadata().is_err() => return Ok(None),
            Err(Errno::LOOP | Errno::NOTDIR | Errno::ACCESS) => return Err(wrong()),
            Err(error) => return Err(self.failed("open the folder", error)),
        };
        let found = fstat(&folder).map_err(|error| self.failed("read the folder", error))?;
        if found.st_uid != geteuid().as_raw() || found.st_mode & 0o077 != 0 { Err(wrong()) } else { Ok(Some(folder)) }
    }

    /// Connects to the helper of the session, if there is one.
    ///
    /// # Errors
    /// If the folder is open to others, or what listens there is no helper of this user.
    pub(super) fn find(&self) -> Result<Option<Found>, Failure> {
        let Some(folder) = self.open()? else { return Ok(None) };
        match statat(&folder, SOCKET, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(found) if FileType::from_raw_mode(found.st_mode) == FileType::Socket => {}
            Ok(_) => {
                let path = self.folder.join(SOCKET);
                return Err(Failure::usage(anyhow!("{} is not a socket: remove it", path.display())));
            }
            Err(Errno::NOENT) => return Ok(None),
            Err(error) => return Err(self.failed("find the helper", error)),
        }
        let stream = match UnixStream::connect(inside(&folder)) {
            Ok(stream) => stream,
            // Nobody listens any more: its helper was killed, or has just ended.
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::ConnectionRefused) => return Ok(None),
            Err(error) => return Err(self.failed("connect to the helper", error)),
        };
        let process = peer(&stream).map_err(|error| self.failed("connect to the helper", error))?;
        self.greeted(stream, process)
    }

    /// Reads what the helper says first. One that ends at this moment is none.
    fn greeted(&self, mut stream: UnixStream, process: i32) -> Result<Option<Found>, Failure> {
        let what = "hear the helper";
        stream.set_read_timeout(Some(PATIENCE)).map_err(|error| self.failed(what, error))?;
        let bytes = match wire::receive(&mut stream) {
            Ok((Kind::Hello, bytes)) => bytes,
            Err(error) if is_end(&error) => return Ok(None),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                let name = &self.name;
                let help = format!("it may be stopped; `kill -CONT {process}` has it go on");
                return Err(Failure::internal(anyhow!("the helper of the session `{name}` does not answer: {help}")));
            }
            Ok(_) | Err(_) => return Err(self.useless("is not of this wisp", process)),
        };
        stream.set_read_timeout(None).map_err(|error| self.failed(what, error))?;
        match wire::read_document(&bytes) {
            Ok(hello) => Ok(Some(Found { stream, hello })),
            Err(_) => Err(self.useless("is not of this wisp", process)),
        }
    }

    fn useless(&self, why: &str, process: i32) -> Failure {
        let name = &self.name;
        Failure::internal(anyhow!("the helper of the session `{name}` {why}; `kill {process}` has it save the session and end"))
    }

    /// Locks the folder, which is made if it does not exist, until what this returns is closed, in every process that has it. Waits for
    /// another process that has the lock: it starts a helper.
    pub(super) fn lock(&self) -> Result<OwnedFd, Failure> {
        for _ in 0..ATTEMPTS {
            let made = DirBuilder::new().recursive(true).mode(0o700).create(&self.folder);
            made.map_err(|error| self.failed("make the folder", error))?;
            let Some(folder) = self.open()? else { continue };
            retry_on_intr(|| flock(&folder, FlockOperation::LockExclusive)).map_err(|error| self.failed("lock the folder", error))?;
            // Another may have removed it in the meantime, with what kept nothing in it.
            if let (Ok(ours), Ok(named)) = (fstat(&folder), stat(&self.folder))
                && identity(&ours) == identity(&named)
            {
                return Ok(folder);
            }
        }
        Err(Failure::internal(anyhow!("{} is removed again and again", self.folder.display())))
    }

    /// Removes the folder if there is nothing in it: a helper that was to have it did not start.
    pub(super) fn abandon(&self) {
        let _ = fs::remove_dir(&self.folder);
    }

    /// Makes the socket, in place of one that a killed helper left. Only the process that has the session may do so, while it has one
    /// thread.
    pub(super) fn listen(&self) -> Result<UnixListener, Failure> {
        let folder = self.open()?.ok_or_else(|| self.failed("open the folder", Errno::NOENT))?;
        match unlinkat(&folder, SOCKET, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => {}
            Err(error) => return Err(self.failed("remove what was left of the helper", error)),
        }
        // The mode of the socket follows from this. Files that guests make in mounts do not: it is put back at once.
        let before = umask(Mode::RWXG | Mode::RWXO);
        let bound = UnixListener::bind(inside(&folder));
        umask(before);
        let listener = bound.map_err(|error| self.failed("make a socket for the helper", error))?;
        listener.set_nonblocking(true).map_err(|error| self.failed("make a socket for the helper", error))?;
        Ok(listener)
    }

    /// Removes the socket.
    pub(super) fn close(&self) {
        // What stays is refused by the kernel, and replaced by the next helper.
        let _ = fs::remove_file(self.folder.join(SOCKET));
    }

    fn failed(&self, what: &str, error: impl Into<io::Error>) -> Failure {
        let error: io::Error = error.into();
        Failure::internal(anyhow::Error::new(error).context(format!("cannot {what} of the session `{}`", self.name)))
    }
}

/// Returns whether a stream ended: its other end is closed, or its process is gone.
fn is_end(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset | ErrorKind::BrokenPipe)
}

/// Returns the number of the process at the other end, which must be one of this user.
pub(super) fn peer(stream: &impl AsFd) -> io::Result<i32> {
    let mut other = libc::ucred { pid: 0, uid: 0, gid: 0 };
    let mut length = size_of::<libc::ucred>() as libc::socklen_t;
    let socket = stream.as_fd().as_raw_fd();
    // SAFETY: the descriptor is open while it is borrowed; the call writes at most `length` bytes of a structure that is plain data.
    let done = unsafe { libc::getsockopt(socket, libc::SOL_SOCKET, libc::SO_PEERCRED, (&raw mut other).cast(), &raw mut length) };
    if done != 0 {
        return Err(io::Error::last_os_error());
    }
    if other.uid != geteuid().as_raw() {
        return Err(io::Error::new(ErrorKind::PermissionDenied, "it belongs to another user"));
    }
    Ok(other.pid)
}

/// Returns a path of the socket that is never too long, and leads nowhere else.
fn inside(folder: &OwnedFd) -> PathBuf {
    Path::new("/proc/self/fd").join(folder.as_raw_fd().to_string()).join(SOCKET)
}

fn identity(found: &Stat) -> (u64, u64) {
    (found.st_dev, found.st_ino)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    /// A place in a store of its own.
    fn place(folder: &Path) -> Place {
        Place::within(&Store::at(folder.join("sessions")), "s").unwrap()
    }

    #[test]
    fn a_socket_is_private_and_is_replaced_when_nobody_listens() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(&folder.path().join("a-long-name".repeat(20)));
        assert!(place.find().is_ok_and(|found| found.is_none()), "there is no folder");
        drop(place.lock().unwrap_or_else(|failure| panic!("{:#}", failure.error)));
        for _ in 0..2 {
            let listener = place.listen().unwrap_or_else(|failure| panic!("{:#}", failure.error));
            let mode = fs::metadata(place.folder.join(SOCKET)).unwrap().permissions().mode();
            assert_eq!(mode & 0o077, 0);
            let connected = UnixStream::connect(inside(&place.open().ok().flatten().unwrap())).unwrap();
            assert_eq!(peer(&connected).unwrap(), i32::try_from(std::process::id()).unwrap());
            drop(listener);
            assert!(place.find().is_ok_and(|found| found.is_none()), "nobody listens");
        }
    }

    #[test]
    fn a_folder_that_others_can_enter_and_a_link_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let place = place(folder.path());
        drop(place.lock().unwrap_or_else(|failure| panic!("{:#}", failure.error)));
        let said = || crate::one_line(&place.find().map(|_| ()).expect_err("it is refused").error);
        fs::set_permissions(&place.folder, fs::Permissions::from_mode(0o755)).unwrap();
        assert!(said().contains("chmod 700"), "{}", said());
        fs::set_permissions(&place.folder, fs::Permissions::from_mode(0o700)).unwrap();
        assert!(place.find().is_ok_and(|found| found.is_none()), "the twin");
        symlink("elsewhere", place.folder.join(SOCKET)).unwrap();
        assert!(said().contains("is not a socket"), "{}", said());
        fs::remove_file(place.folder.join(SOCKET)).unwrap();
        fs::rename(&place.folder, folder.path().join("moved")).unwrap();
        symlink(folder.path().join("moved"), &place.folder).unwrap();
        assert!(said().contains("must be a directory of yours"), "{}", said());
    }
}
