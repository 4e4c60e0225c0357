//! The tables by which CPython knows a module and its functions, and what a panic does.

use core::cell::UnsafeCell;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null;

/// A pointer to an object of CPython's.
pub type Object = *mut c_void;

/// A function of a module: it gets the module, the arguments and their number. It returns a new reference, or null with an exception set.
pub type Function = extern "C" fn(Object, *const Object, isize) -> Object;

/// `METH_FASTCALL`.
const FAST_CALL: c_int = 0x80;

/// `PYTHON_API_VERSION`.
const API: c_int = 1013;

/// `PyMethodDef`.
#[repr(C)]
pub struct Method {
    name: *const c_char,
    function: Option<Function>,
    flags: c_int,
    doc: *const c_char,
}

// SAFETY: nothing changes it.
unsafe impl Sync for Method {}

/// What ends the table of a module's functions.
pub const END: Method = Method { name: null(), function: None, flags: 0, doc: null() };

/// Returns the entry of a function.
#[must_use]
pub const fn method(name: &'static CStr, function: Function) -> Method {
    Method { name: name.as_ptr(), function: Some(function), flags: FAST_CALL, doc: null() }
}

/// `PyModuleDef`.
#[repr(C)]
struct Definition {
    /// The head of an object, with the function, index and copy that CPython keeps there.
    base: [isize; 5],
    name: *const c_char,
    doc: *const c_char,
    size: isize,
    methods: *const Method,
    slots: [*const c_void; 4],
}

/// The definition of a module, which CPython keeps.
pub struct Module(UnsafeCell<Definition>);

// SAFETY: only CPython reads and writes it, and one thread runs at a time.
unsafe impl Sync for Module {}

unsafe extern "C" {
    fn PyModule_Create2(module: *mut Definition, version: c_int) -> Object;
    fn abort() -> !;
}

impl Module {
    /// Creates the definition of a module with these functions, of which the last is [`END`].
    #[must_use]
    pub const fn new(name: &'static CStr, methods: &'static [Method]) -> Self {
        assert!(matches!(methods, [.., last] if last.function.is_none()), "the table has an end");
        let (name, methods) = (name.as_ptr(), methods.as_ptr());
        Self(UnsafeCell::new(Definition { base: [1, 0, 0, 0, 0], name, doc: null(), size: -1, methods, slots: [null(); 4] }))
    }

    /// Makes the module, for the entry that CPython calls once.
    #[must_use]
    pub fn create(&'static self) -> Object {
        // SAFETY: CPython calls the entry once and keeps the definition.
        unsafe { PyModule_Create2(self.0.get(), API) }
    }
}

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it ends the process.
    unsafe { abort() }
}
