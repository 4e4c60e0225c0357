//! A file that SQLite has open, and how it is opened.

use core::ffi::CStr;

use libsqlite3_sys::{
    SQLITE_CANTOPEN, SQLITE_CANTOPEN_ISDIR, SQLITE_FULL, SQLITE_OPEN_CREATE, SQLITE_OPEN_DELETEONCLOSE, SQLITE_OPEN_EXCLUSIVE,
    SQLITE_OPEN_MAIN_DB, SQLITE_OPEN_READONLY, SQLITE_OPEN_READWRITE, SQLITE_OPEN_WAL, SQLITE_READONLY_DIRECTORY,
};

use crate::files::{self, Identity};
use crate::libc::{self, CREATE, EXCLUSIVE, File, READ, READ_WRITE};
use crate::locks::{Hash, Locks};
use crate::shared::Index;

/// Room for a path.
pub(crate) const PATH: usize = 1024;

/// Where the head of a database says how it is written, and read: 2 is a write-ahead log.
const VERSIONS: i64 = 18;
const LOGGED: u8 = 2;

/// An open file.
pub(crate) struct Opened {
    /// Its bytes.
    pub(crate) file: File,
    /// Its path, which SQLite keeps as long as it is open; none for a file without a name.
    pub(crate) path: Option<&'static CStr>,
    /// The locks of a database.
    pub(crate) locks: Option<Locks>,
    /// The index of its write-ahead log.
    pub(crate) index: Option<Index>,
    /// Nothing can change it, so nothing of it is locked.
    pub(crate) fixed: bool,
    /// The log stays when the last connection is closed.
    pub(crate) keeps_log: bool,
    identity: Option<Identity>,
}

impl Opened {
    /// Opens a file as `xOpen` asks for it. Returns it and the flags it was opened with; an error as SQLite has it.
    pub(crate) fn open(path: Option<&'static CStr>, mut flags: i32, locked: bool) -> Result<(Self, i32), i32> {
        let Some(path) = path else {
            let file = nameless().ok_or(SQLITE_CANTOPEN)?;
            return Ok((Self { file, path, locks: None, index: None, fixed: false, keeps_log: false, identity: None }, flags));
        };
        let before = files::stat(path);
        if before.as_ref().is_some_and(|stat| stat.is_directory) {
            return Err(SQLITE_CANTOPEN_ISDIR);
        }
        let mut how = if flags & SQLITE_OPEN_READWRITE == 0 { READ } else { READ_WRITE };
        if flags & SQLITE_OPEN_CREATE != 0 {
            how |= CREATE;
        }
        if flags & SQLITE_OPEN_EXCLUSIVE != 0 {
            how |= EXCLUSIVE;
        }
        let mut opened = File::open(path, how);
        let mut refused = false;
        if opened.is_none() && flags & SQLITE_OPEN_READWRITE != 0 {
            if before.is_none() && flags & SQLITE_OPEN_CREATE != 0 {
                return Err(not_made(flags));
            }
            flags = flags & !(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_READONLY;
            opened = File::open(path, READ);
            refused = true;
        }
        let file = opened.ok_or(SQLITE_CANTOPEN)?;
        if flags & SQLITE_OPEN_DELETEONCLOSE != 0 {
            libc::remove(path);
        }
        let is_database = flags & SQLITE_OPEN_MAIN_DB != 0;
        let opened = Self {
            fixed: is_database && (refused || cannot_write(path, flags)) && is_left(&file, path),
            locks: (is_database && locked).then(|| Locks::new(Hash::of(path))),
            index: None,
            keeps_log: false,
            identity: if is_database { files::stat(path).map(|stat| stat.identity) } else { None },
            path: Some(path),
            file,
        };
        Ok((opened, flags))
    }

    /// Returns whether the path leads to another file by now, or to none.
    pub(crate) fn has_moved(&self) -> bool {
        let (Some(path), Some(identity)) = (self.path, self.identity) else { return false };
        files::stat(path).is_none_or(|stat| stat.identity != identity)
    }
}

/// Returns why a file could not be made.
fn not_made(flags: i32) -> i32 {
    if files::is_full() {
        SQLITE_FULL
    } else if flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) == 0 {
        SQLITE_READONLY_DIRECTORY
    } else {
        SQLITE_CANTOPEN
    }
}

/// Returns whether a file that is only to be read could not be written either.
fn cannot_write(path: &CStr, flags: i32) -> bool {
    flags & SQLITE_OPEN_READONLY != 0 && File::open(path, READ_WRITE).is_none()
}

/// Returns whether a database that this connection cannot write has a write-ahead log by its head, but no file of it: then all is in
/// the database, and SQLite must not ask for the log, which it would have to make.
fn is_left(file: &File, path: &CStr) -> bool {
    let mut versions = [0; 2];
    if file.read(&mut versions, VERSIONS) != Some(2) || versions[1] != LOGGED {
        return false;
    }
    let mut name = [0; PATH + 5];
    let bytes = path.to_bytes();
    if bytes.len() > PATH {
        return false;
    }
    name[..bytes.len()].copy_from_slice(bytes);
    name[bytes.len()..bytes.len() + 4].copy_from_slice(b"-wal");
    CStr::from_bytes_until_nul(&name).is_ok_and(|name| files::stat(name).is_none())
}

/// Opens a file without a name, for what SQLite writes down only for itself.
fn nameless() -> Option<File> {
    let folder = [c"SQLITE_TMPDIR", c"TMPDIR"].into_iter().find_map(libc::variable).unwrap_or(c"/tmp");
    [folder, c"/tmp"].into_iter().find_map(|folder| nameless_in(folder.to_bytes()))
}

fn nameless_in(folder: &[u8]) -> Option<File> {
    let mut name = [0; PATH];
    let mut chance = [0; 8];
    let prefix = b"/etilqs_";
    let end = folder.len() + prefix.len();
    if end + 17 > PATH || libc::random(&mut chance) < chance.len() {
        return None;
    }
    name[..folder.len()].copy_from_slice(folder);
    name[folder.len()..end].copy_from_slice(prefix);
    for (place, byte) in chance.iter().enumerate() {
        name[end + 2 * place] = b'a' + (byte & 15);
        name[end + 2 * place + 1] = b'a' + (byte >> 4);
    }
    let path = CStr::from_bytes_until_nul(&name).ok()?;
    let file = File::open(path, READ_WRITE | CREATE | EXCLUSIVE)?;
    libc::remove(path);
    Some(file)
}
