//! The functions of an open file, as SQLite wants them: C calls them through a table.

use alloc::boxed::Box;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null_mut;
use core::slice;

use libsqlite3_sys::{
    SQLITE_BUSY, SQLITE_FCNTL_HAS_MOVED, SQLITE_FCNTL_LOCKSTATE, SQLITE_FCNTL_PERSIST_WAL, SQLITE_FCNTL_TEMPFILENAME, SQLITE_FCNTL_VFSNAME,
    SQLITE_FULL, SQLITE_IOCAP_IMMUTABLE, SQLITE_IOCAP_POWERSAFE_OVERWRITE, SQLITE_IOERR_FSTAT, SQLITE_IOERR_FSYNC, SQLITE_IOERR_READ,
    SQLITE_IOERR_SHMLOCK, SQLITE_IOERR_SHMMAP, SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHORT_READ, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE,
    SQLITE_NOTFOUND, SQLITE_OK, SQLITE_SHM_SHARED, SQLITE_SHM_UNLOCK, sqlite3_file, sqlite3_int64, sqlite3_io_methods, sqlite3_mprintf,
};

use crate::files::{self, Kind, Refusal};
use crate::locks::{Hash, Locks};
use crate::opened::Opened;
use crate::shared::{Index, PART};

/// The name of the file system.
pub(crate) const UNIX: &CStr = c"unix";

/// What SQLite gives each open file room for.
#[repr(C)]
pub(crate) struct Handle {
    /// The table of functions, for SQLite.
    pub(crate) base: sqlite3_file,
    /// What they are given.
    pub(crate) opened: *mut Opened,
}

/// Returns the open file of a handle.
///
/// # Safety
/// `open` has opened it, and nothing else uses it until the caller returns to SQLite.
unsafe fn opened<'a>(file: *mut sqlite3_file) -> &'a mut Opened {
    // SAFETY: the caller's promise.
    unsafe { &mut *(*file.cast::<Handle>()).opened }
}

unsafe extern "C" fn close(file: *mut sqlite3_file) -> c_int {
    // SAFETY: SQLite closes what it has opened, once.
    let mut opened = unsafe { Box::from_raw((*file.cast::<Handle>()).opened) };
    opened.index = None;
    if let Some(locks) = &mut opened.locks {
        locks.close();
    }
    SQLITE_OK
}

unsafe extern "C" fn read(file: *mut sqlite3_file, into: *mut c_void, size: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and there is room for that many bytes.
    let (opened, into) = unsafe { (opened(file), slice::from_raw_parts_mut(into.cast::<u8>(), size as usize)) };
    match opened.file.read(into, at) {
        None => SQLITE_IOERR_READ,
        Some(count) if count < into.len() => {
            into[count..].fill(0);
            SQLITE_IOERR_SHORT_READ
        }
        Some(_) => SQLITE_OK,
    }
}

unsafe extern "C" fn write(file: *mut sqlite3_file, bytes: *const c_void, size: c_int, at: sqlite3_int64) -> c_int {
    // SAFETY: the file is open, and there are that many bytes.
    let (opened, bytes) = unsafe { (opened(file), slice::from_raw_parts(bytes.cast::<u8>(), size as usize)) };
    match opened.file.write(bytes, at) {
        true => SQLITE_OK,
        false if files::is_full() => SQLITE_FULL,
        false => SQLITE_IOERR_WRITE,
    }
}

unsafe extern "C" fn truncate(file: *mut sqlite3_file, size: sqlite3_int64) -> c_int {
    // SAFETY: the file is open.
    if unsafe { opened(file) }.file.set_size(size) { SQLITE_OK } else { SQLITE_IOERR_TRUNCATE }
}

unsafe extern "C" fn sync(file: *mut sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open.
    if unsafe { opened(file) }.file.sync() { SQLITE_OK } else { SQLITE_IOERR_FSYNC }
}

unsafe extern "C" fn file_size(file: *mut sqlite3_file, size: *mut sqlite3_int64) -> c_int {
    // SAFETY: the file is open.
    let Some(found) = unsafe { opened(file) }.file.size() else { return SQLITE_IOERR_FSTAT };
    // SAFETY: there is room for the number.
    unsafe { size.write(found) };
    SQLITE_OK
}

unsafe extern "C" fn lock(file: *mut sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { opened(file) }.locks.as_mut().map_or(SQLITE_OK, |locks| locks.raise(level))
}

unsafe extern "C" fn unlock(file: *mut sqlite3_file, level: c_int) -> c_int {
    // SAFETY: the file is open.
    unsafe { opened(file) }.locks.as_mut().map_or(SQLITE_OK, |locks| locks.lower(level))
}

unsafe extern "C" fn check_reserved_lock(file: *mut sqlite3_file, result: *mut c_int) -> c_int {
    // SAFETY: the file is open.
    match unsafe { opened(file) }.locks.as_mut().map_or(Ok(false), Locks::is_reserved) {
        Err(code) => code,
        Ok(reserved) => {
            // SAFETY: there is room for the number.
            unsafe { result.write(c_int::from(reserved)) };
            SQLITE_OK
        }
    }
}

unsafe extern "C" fn control(file: *mut sqlite3_file, what: c_int, value: *mut c_void) -> c_int {
    // SAFETY: the file is open, and `value` points to what `what` needs.
    unsafe {
        let opened = opened(file);
        match what {
            SQLITE_FCNTL_LOCKSTATE => value.cast::<c_int>().write(opened.locks.as_ref().map_or(0, Locks::level)),
            SQLITE_FCNTL_PERSIST_WAL => match value.cast::<c_int>().read() {
                wanted if wanted < 0 => value.cast::<c_int>().write(c_int::from(opened.keeps_log)),
                wanted => opened.keeps_log = wanted != 0,
            },
            SQLITE_FCNTL_HAS_MOVED => value.cast::<c_int>().write(c_int::from(opened.has_moved())),
            SQLITE_FCNTL_VFSNAME => value.cast::<*mut c_char>().write(sqlite3_mprintf(c"%s".as_ptr(), UNIX.as_ptr())),
            SQLITE_FCNTL_TEMPFILENAME => value.cast::<*mut c_char>().write(null_mut()),
            _ => return SQLITE_NOTFOUND,
        }
    }
    SQLITE_OK
}

unsafe extern "C" fn sector_size(_: *mut sqlite3_file) -> c_int {
    4096
}

unsafe extern "C" fn characteristics(file: *mut sqlite3_file) -> c_int {
    // SAFETY: the file is open.
    let fixed = if unsafe { opened(file) }.fixed { SQLITE_IOCAP_IMMUTABLE } else { 0 };
    SQLITE_IOCAP_POWERSAFE_OVERWRITE | fixed
}

unsafe extern "C" fn map(file: *mut sqlite3_file, number: c_int, size: c_int, extend: c_int, address: *mut *mut c_void) -> c_int {
    // SAFETY: the file is open.
    let opened = unsafe { opened(file) };
    let (Some(path), PART) = (opened.path, size as usize) else { return SQLITE_IOERR_SHMMAP };
    if opened.index.is_none() {
        match Index::open(Hash::of(path)) {
            Ok(index) => opened.index = Some(index),
            Err(Refusal::Busy) => return SQLITE_BUSY,
            Err(Refusal::Failed) => return SQLITE_IOERR_SHMOPEN,
        }
    }
    let part = opened.index.as_mut().and_then(|index| index.part(number as usize, extend != 0));
    // SAFETY: there is room for the address.
    unsafe { address.write(part.unwrap_or_default().cast()) };
    if part.is_some() { SQLITE_OK } else { SQLITE_IOERR_SHMMAP }
}

unsafe extern "C" fn lock_index(file: *mut sqlite3_file, first: c_int, count: c_int, how: c_int) -> c_int {
    // SAFETY: the file is open.
    let Some(index) = &mut (unsafe { opened(file) }).index else { return SQLITE_IOERR_SHMLOCK };
    let (first, count) = (first as usize, count as usize);
    if how & SQLITE_SHM_UNLOCK != 0 {
        return if index.unlock(first, count) { SQLITE_OK } else { SQLITE_IOERR_SHMLOCK };
    }
    let kind = if how & SQLITE_SHM_SHARED != 0 { Kind::Shared } else { Kind::Exclusive };
    match index.lock(first, count, kind) {
        Ok(()) => SQLITE_OK,
        Err(Refusal::Busy) => SQLITE_BUSY,
        Err(Refusal::Failed) => SQLITE_IOERR_SHMLOCK,
    }
}

unsafe extern "C" fn barrier(file: *mut sqlite3_file) {
    // SAFETY: the file is open.
    if let Some(index) = &mut (unsafe { opened(file) }).index {
        index.barrier();
    }
}

unsafe extern "C" fn unmap(file: *mut sqlite3_file, _: c_int) -> c_int {
    // SAFETY: the file is open. The files behind the index go with the last connection, whatever SQLite asks.
    unsafe { opened(file) }.index = None;
    SQLITE_OK
}

/// Returns the functions of an open file; with version 1, SQLite has no shared index.
const fn methods(version: c_int) -> sqlite3_io_methods {
    sqlite3_io_methods {
        iVersion: version,
        xClose: Some(close),
        xRead: Some(read),
        xWrite: Some(write),
        xTruncate: Some(truncate),
        xSync: Some(sync),
        xFileSize: Some(file_size),
        xLock: Some(lock),
        xUnlock: Some(unlock),
        xCheckReservedLock: Some(check_reserved_lock),
        xFileControl: Some(control),
        xSectorSize: Some(sector_size),
        xDeviceCharacteristics: Some(characteristics),
        xShmMap: Some(map),
        xShmLock: Some(lock_index),
        xShmBarrier: Some(barrier),
        xShmUnmap: Some(unmap),
        xFetch: None,
        xUnfetch: None,
    }
}

/// The functions of a file that can be locked.
pub(crate) static LOCKED: sqlite3_io_methods = methods(2);
/// The functions of a file that cannot.
pub(crate) static UNLOCKED: sqlite3_io_methods = methods(1);
