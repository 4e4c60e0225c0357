//! The extension module `_wisp_sqlite` of CPython 3.14: `pause`, `reseed`. Its import puts SQLite below `_sqlite3`.

use core::cell::UnsafeCell;
use core::ffi::{c_int, c_long, c_longlong};
use core::ptr::null_mut;

use libsqlite3_sys::sqlite3_randomness;
use wisp_extension::{Allocator, END, Method, Module, Object, method};

use crate::{libc, table};

unsafe extern "C" {
    fn PyBool_FromLong(number: c_long) -> Object;
    fn PyLong_FromLongLong(number: c_longlong) -> Object;
    fn PyObject_CallOneArg(callable: Object, argument: Object) -> Object;
    fn PyObject_IsTrue(object: Object) -> c_int;
    fn PyErr_Clear();
    fn Py_IncRef(object: Object);
    fn Py_DecRef(object: Object);
    fn PyGILState_Ensure() -> c_int;
    fn PyGILState_Release(state: c_int);
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

/// A function of Python that SQLite asks.
struct Helper(UnsafeCell<Object>);

// SAFETY: one thread runs at a time, and none switches while this is read or written.
unsafe impl Sync for Helper {}

/// Lets other threads run for some microseconds; false if there are none.
static PAUSE: Helper = Helper(UnsafeCell::new(null_mut()));

impl Helper {
    /// Sets the function to the argument of a call.
    ///
    /// # Safety
    /// There are `count` arguments, and they are live.
    unsafe fn set(&self, arguments: *const Object, count: isize) -> Object {
        // SAFETY: the caller's promise. The one before, if any, is given back.
        unsafe {
            if count == 1 {
                Py_IncRef(*arguments);
                let before = core::mem::replace(&mut *self.0.get(), *arguments);
                if !before.is_null() {
                    Py_DecRef(before);
                }
            }
            PyBool_FromLong(c_long::from(count == 1))
        }
    }

    /// Calls the function with a number. Returns what `read` makes of its result, `None` without a function or after an exception, which is
    /// forgotten.
    fn ask<T>(&self, number: i64, read: impl FnOnce(Object) -> Option<T>) -> Option<T> {
        // SAFETY: SQLite may call this with or without CPython's lock; with it, the objects are live. No function is set a second time while
        // it runs.
        unsafe {
            let function = *self.0.get();
            if function.is_null() {
                return None;
            }
            let state = PyGILState_Ensure();
            let argument = PyLong_FromLongLong(number);
            let answer = if argument.is_null() { null_mut() } else { PyObject_CallOneArg(function, argument) };
            let result = if answer.is_null() { None } else { read(answer) };
            if result.is_none() {
                PyErr_Clear();
            }
            for object in [argument, answer] {
                if !object.is_null() {
                    Py_DecRef(object);
                }
            }
            PyGILState_Release(state);
            result
        }
    }
}

/// Implements `pause(function)`.
extern "C" fn pause(_: Object, arguments: *const Object, count: isize) -> Object {
    // SAFETY: CPython passes that many.
    unsafe { PAUSE.set(arguments, count) }
}

/// Waits. Other threads of the process run meanwhile: one of them may have the lock that this waits for.
pub(crate) fn wait(microseconds: u32) {
    // SAFETY: the answer is live.
    let others_ran = PAUSE.ask(i64::from(microseconds), |answer| Some(unsafe { PyObject_IsTrue(answer) } == 1));
    if others_ran != Some(true) {
        libc::sleep(microseconds);
    }
}

/// Implements `reseed()`: the next random number of SQLite comes from new randomness of the host.
extern "C" fn reseed(_: Object, _: *const Object, _: isize) -> Object {
    // SAFETY: no bytes are asked for.
    unsafe {
        sqlite3_randomness(0, null_mut());
        PyBool_FromLong(1)
    }
}

static METHODS: [Method; 3] = [method(c"pause", pause), method(c"reseed", reseed), END];

static MODULE: Module = Module::new(c"_wisp_sqlite", &METHODS);

/// Initialises the module; CPython looks for this entry.
#[unsafe(no_mangle)]
extern "C" fn PyInit__wisp_sqlite() -> Object {
    table::fill();
    MODULE.create()
}
