//! The file system below SQLite, as SQLite wants it.

use alloc::boxed::Box;
use core::ffi::{CStr, c_char, c_int};
use core::ptr::{null, null_mut};
use core::slice;

use libsqlite3_sys::{
    SQLITE_ACCESS_READWRITE, SQLITE_CANTOPEN, SQLITE_ERROR, SQLITE_IOERR_DELETE, SQLITE_IOERR_DELETE_NOENT, SQLITE_OK, SQLITE_OK_SYMLINK,
    sqlite3_file, sqlite3_int64, sqlite3_uri_boolean, sqlite3_vfs, sqlite3_vfs_register,
};

use crate::files;
use crate::io::{Handle, LOCKED, UNIX, UNLOCKED};
use crate::libc::{self, File};
use crate::opened::{Opened, PATH};
use crate::{module, paths};

/// The name of the file system without locks. Those of SQLite for Unix that lock in other ways lock as the first one here.
const WITHOUT_LOCKS: &CStr = c"unix-none";

unsafe extern "C" fn open(vfs: *mut sqlite3_vfs, path: *const c_char, file: *mut sqlite3_file, flags: c_int, out: *mut c_int) -> c_int {
    // SAFETY: a path ends in NUL and lives as long as the file is open; there is room for the handle and the flags; the name is ours.
    unsafe {
        let handle = file.cast::<Handle>();
        (*handle).base.pMethods = null();
        let locked =
            CStr::from_ptr((*vfs).zName) != WITHOUT_LOCKS && (path.is_null() || sqlite3_uri_boolean(path, c"nolock".as_ptr(), 0) == 0);
        let path = if path.is_null() { None } else { Some(CStr::from_ptr(path)) };
        match Opened::open(path, flags, locked) {
            Err(code) => code,
            Ok((opened, flags)) => {
                (*handle).opened = Box::into_raw(Box::new(opened));
                (*handle).base.pMethods = if locked { &raw const LOCKED } else { &raw const UNLOCKED };
                if !out.is_null() {
                    out.write(flags);
                }
                SQLITE_OK
            }
        }
    }
}

unsafe extern "C" fn delete(_: *mut sqlite3_vfs, path: *const c_char, _: c_int) -> c_int {
    // SAFETY: the path ends in NUL.
    let path = unsafe { CStr::from_ptr(path) };
    if libc::remove(path) {
        SQLITE_OK
    } else if files::stat(path).is_none() {
        SQLITE_IOERR_DELETE_NOENT
    } else {
        SQLITE_IOERR_DELETE
    }
}

unsafe extern "C" fn access(_: *mut sqlite3_vfs, path: *const c_char, what: c_int, result: *mut c_int) -> c_int {
    // SAFETY: the path ends in NUL, and there is room for the result.
    unsafe {
        let path = CStr::from_ptr(path);
        let may = match files::stat(path) {
            None => false,
            Some(stat) if stat.is_directory => true,
            Some(_) if what == SQLITE_ACCESS_READWRITE => File::open(path, libc::READ_WRITE).is_some(),
            // An empty journal counts as none.
            Some(stat) => stat.size > 0,
        };
        result.write(c_int::from(may));
    }
    SQLITE_OK
}

unsafe extern "C" fn full_path(_: *mut sqlite3_vfs, path: *const c_char, room: c_int, out: *mut c_char) -> c_int {
    // SAFETY: the path ends in NUL, and there is that much room.
    let (path, out) = unsafe { (CStr::from_ptr(path).to_bytes(), slice::from_raw_parts_mut(out.cast::<u8>(), room as usize)) };
    match paths::resolve(path, out) {
        None => SQLITE_CANTOPEN,
        Some(true) => SQLITE_OK_SYMLINK,
        Some(false) => SQLITE_OK,
    }
}

unsafe extern "C" fn randomness(_: *mut sqlite3_vfs, size: c_int, out: *mut c_char) -> c_int {
    // SAFETY: there is that much room.
    let out = unsafe { slice::from_raw_parts_mut(out.cast::<u8>(), size as usize) };
    libc::random(out) as c_int
}

unsafe extern "C" fn sleep(_: *mut sqlite3_vfs, microseconds: c_int) -> c_int {
    module::wait(microseconds.unsigned_abs());
    microseconds
}

/// Milliseconds between the beginning of the Julian day numbers and 1970.
const BEFORE_1970: i64 = 210_866_760_000_000;

unsafe extern "C" fn current_time(_: *mut sqlite3_vfs, out: *mut sqlite3_int64) -> c_int {
    let Some(now) = libc::now() else { return SQLITE_ERROR };
    // SAFETY: there is room for the number.
    unsafe { out.write(BEFORE_1970 + now) };
    SQLITE_OK
}

unsafe extern "C" fn current_day(_: *mut sqlite3_vfs, out: *mut f64) -> c_int {
    let Some(now) = libc::now() else { return SQLITE_ERROR };
    // SAFETY: there is room for the number.
    unsafe { out.write((BEFORE_1970 + now) as f64 / 86_400_000.0) };
    SQLITE_OK
}

unsafe extern "C" fn last_error(_: *mut sqlite3_vfs, _: c_int, _: *mut c_char) -> c_int {
    0
}

const fn system(name: &'static CStr) -> sqlite3_vfs {
    sqlite3_vfs {
        iVersion: 2,
        szOsFile: size_of::<Handle>() as c_int,
        mxPathname: PATH as c_int,
        pNext: null_mut(),
        zName: name.as_ptr(),
        pAppData: null_mut(),
        xOpen: Some(open),
        xDelete: Some(delete),
        xAccess: Some(access),
        xFullPathname: Some(full_path),
        xDlOpen: None,
        xDlError: None,
        xDlSym: None,
        xDlClose: None,
        xRandomness: Some(randomness),
        xSleep: Some(sleep),
        xCurrentTime: Some(current_day),
        xGetLastError: Some(last_error),
        xCurrentTimeInt64: Some(current_time),
        xSetSystemCall: None,
        xGetSystemCall: None,
        xNextSystemCall: None,
    }
}

static mut SYSTEMS: [sqlite3_vfs; 4] = [system(UNIX), system(WITHOUT_LOCKS), system(c"unix-dotfile"), system(c"unix-excl")];

/// Registers the file systems: SQLite calls this when it is initialised.
#[unsafe(no_mangle)]
extern "C" fn sqlite3_os_init() -> c_int {
    for number in 0..4 {
        // SAFETY: SQLite keeps them, and nothing else uses them.
        unsafe { sqlite3_vfs_register((&raw mut SYSTEMS).cast::<sqlite3_vfs>().add(number), c_int::from(number == 0)) };
    }
    SQLITE_OK
}

/// Does nothing: SQLite calls this when it is shut down.
#[unsafe(no_mangle)]
extern "C" fn sqlite3_os_end() -> c_int {
    SQLITE_OK
}
