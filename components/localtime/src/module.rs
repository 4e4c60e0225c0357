//! The extension module `_wisp_localtime` of CPython 3.14: `expect`, `use`; and the functions of the C library.

use core::cell::UnsafeCell;
use core::ffi::{c_char, c_int, c_long};
use core::ptr::null_mut;

use wisp_extension::{END, Method, Module, Object, method};

use crate::zone::Zone;

/// What `timegm` leaves as the day of the week if it fails.
const NO_DAY: c_int = -1;

/// `struct tm` of the C library.
#[repr(C)]
#[derive(Clone, Copy)]
struct Parts {
    /// From the second to the month, and the year.
    date: [c_int; 6],
    weekday: c_int,
    yearday: c_int,
    /// 1 in summer time, 0 in winter time, -1 if it is not known.
    summer: c_int,
    ahead: c_int,
    zone: *const c_char,
    nanoseconds: c_int,
}

unsafe extern "C" {
    fn gmtime_r(moment: *const i64, parts: *mut Parts) -> *mut Parts;
    fn timegm(parts: *mut Parts) -> i64;
    /// Writes a time by a format, and takes the zone from the parts: the C library's `wcsftime`.
    fn utc_wcsftime(out: *mut i32, room: usize, format: *const i32, parts: *const Parts) -> usize;
    fn PyBool_FromLong(number: c_long) -> Object;
    fn PyBytes_AsString(bytes: Object) -> *const u8;
    fn PyBytes_Size(bytes: Object) -> isize;
    fn PyErr_GetRaisedException() -> Object;
    fn PyErr_SetRaisedException(exception: Object);
    fn PyErr_WriteUnraisable(place: Object);
    fn PyGILState_Ensure() -> c_int;
    fn PyGILState_Release(state: c_int);
    fn PyObject_CallNoArgs(callable: Object) -> Object;
    fn PyThreadState_GetUnchecked() -> Object;
    fn Py_IncRef(object: Object);
    fn Py_DecRef(object: Object);
}

/// An object of Python's that is kept, or null.
struct Kept(UnsafeCell<Object>);

// SAFETY: one thread runs at a time, and none lets another run while it reads or writes one.
unsafe impl Sync for Kept {}

/// The table of the zone, a bytes object; null for UTC.
static TABLE: Kept = Kept(UnsafeCell::new(null_mut()));

/// The function of Python that calls `use`, until the zone is needed.
static LOADER: Kept = Kept(UnsafeCell::new(null_mut()));

impl Kept {
    fn get(&self) -> Object {
        // SAFETY: see `Sync`.
        unsafe { *self.0.get() }
    }

    /// Keeps another object, or with null none.
    ///
    /// # Safety
    /// CPython is held, and the object is live.
    unsafe fn put(&self, object: Object) {
        // SAFETY: the caller's promise. What is let go may run code of Python's, so that is last.
        unsafe {
            Py_IncRef(object);
            let before = core::mem::replace(&mut *self.0.get(), object);
            Py_DecRef(before);
        }
    }
}

/// Returns the zone of the process. The first time, Python is asked for it. The result must not be kept.
fn zone() -> Zone<'static> {
    if !LOADER.get().is_null() {
        load();
    }
    let table = TABLE.get();
    if table.is_null() {
        return Zone::new(&[]);
    }
    // SAFETY: the object is there until `use` replaces it, and nobody keeps what is returned here until then.
    Zone::new(unsafe { core::slice::from_raw_parts(PyBytes_AsString(table), PyBytes_Size(table).unsigned_abs()) })
}

/// Lets Python give the zone. Code that has let go of CPython, as SQLite's, or that has an exception set, keeps both.
fn load() {
    // SAFETY: CPython is held from here to the end; the loader is kept while it runs, as `use` lets go of it.
    unsafe {
        let taken = PyThreadState_GetUnchecked().is_null().then(|| PyGILState_Ensure());
        let raised = PyErr_GetRaisedException();
        let loader = LOADER.get();
        Py_IncRef(loader);
        let done = PyObject_CallNoArgs(loader);
        if done.is_null() {
            PyErr_WriteUnraisable(loader);
        }
        Py_DecRef(done);
        LOADER.put(null_mut());
        Py_DecRef(loader);
        PyErr_SetRaisedException(raised);
        if let Some(state) = taken {
            PyGILState_Release(state);
        }
    }
}

/// Implements `expect(function)`: the function is called when the zone is needed, and calls `use`.
extern "C" fn expect(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: Python passes one argument.
    unsafe {
        LOADER.put(*arguments);
        PyBool_FromLong(1)
    }
}

/// Implements `use(table)`: the zone from now on. Empty bytes are UTC.
extern "C" fn use_table(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: Python passes one argument; a size of less than 0 is an exception that CPython has set.
    unsafe {
        if PyBytes_Size(*arguments) < 0 {
            return null_mut();
        }
        TABLE.put(*arguments);
        LOADER.put(null_mut());
        PyBool_FromLong(1)
    }
}

/// Takes a moment apart in the zone of the process. Returns null, with `errno` set, for a year that is no `int`.
#[unsafe(no_mangle)]
extern "C" fn localtime_r(moment: *const i64, parts: *mut Parts) -> *mut Parts {
    // SAFETY: C's contract for both; a kind's name lasts as long as the table, longer than CPython uses it.
    unsafe {
        let kind = zone().at(*moment);
        let shown = (*moment).saturating_add(i64::from(kind.ahead));
        if !gmtime_r(&raw const shown, parts).is_null() {
            (*parts).summer = c_int::from(kind.summer);
            (*parts).ahead = kind.ahead;
            (*parts).zone = kind.name.as_ptr();
            return parts;
        }
    }
    null_mut()
}

/// Returns the seconds from 1970 to a time, as the clocks show both; None, with `errno` set, if its year is no `int`.
fn shown(parts: &Parts) -> Option<i64> {
    let mut copy = Parts { weekday: NO_DAY, ..*parts };
    // SAFETY: it is a whole copy.
    let seconds = unsafe { timegm(&raw mut copy) };
    (copy.weekday != NO_DAY).then_some(seconds)
}

/// Returns the moment of a time on the clocks, and puts its parts in order. Returns -1, and leaves the parts, for a year that is no `int`.
#[unsafe(no_mangle)]
extern "C" fn mktime(parts: *mut Parts) -> i64 {
    // SAFETY: C's contract.
    unsafe {
        if let Some(shown) = shown(&*parts) {
            let moment = zone().moment(shown, (*parts).summer);
            if !localtime_r(&raw const moment, parts).is_null() {
                return moment;
            }
        }
    }
    -1
}

/// Returns whether a format has a conversion to this letter. A conversion is a `%`, flags, a width, and its letter.
///
/// # Safety
/// The format ends in a 0.
unsafe fn converts(mut format: *const i32, letter: u8) -> bool {
    let mut within = false;
    loop {
        // SAFETY: nothing goes beyond the 0.
        let unit = unsafe { *format };
        let Ok(unit) = u8::try_from(unit) else {
            within = false;
            // SAFETY: as above.
            format = unsafe { format.add(1) };
            continue;
        };
        match unit {
            0 => return false,
            b'%' => within = !within,
            _ if !within => {}
            b'-' | b'_' | b'^' | b'#' | b'+' | b'E' | b'O' | b'0'..=b'9' => {}
            _ if unit == letter => return true,
            _ => within = false,
        }
        // SAFETY: as above.
        format = unsafe { format.add(1) };
    }
}

/// Writes a time by a format. The C library takes parts without a zone for those of none, and seconds since 1970 for UTC's.
#[unsafe(no_mangle)]
extern "C" fn wcsftime(out: *mut i32, room: usize, format: *const i32, parts: *const Parts) -> usize {
    // SAFETY: C's contract.
    unsafe {
        let mut copy = *parts;
        if copy.zone.is_null() && converts(format, b'Z') {
            copy.zone = zone().today(copy.summer > 0).name.as_ptr();
        }
        if converts(format, b's')
            && let Some(shown) = shown(&copy)
        {
            let ahead = shown.saturating_sub(zone().moment(shown, copy.summer));
            copy.ahead = c_int::try_from(ahead).unwrap_or(copy.ahead);
        }
        utc_wcsftime(out, room, format, &raw const copy)
    }
}

static METHODS: [Method; 3] = [method(c"expect", expect), method(c"use", use_table), END];

static MODULE: Module = Module::new(c"_wisp_localtime", &METHODS);

/// Initialises the module; CPython looks for this entry.
#[unsafe(no_mangle)]
extern "C" fn PyInit__wisp_localtime() -> Object {
    MODULE.create()
}
