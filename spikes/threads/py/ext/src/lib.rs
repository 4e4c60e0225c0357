//! Extension module `_spike`: switch(to), start(to).
#![no_std]
use core::ffi::{CStr, c_char, c_int, c_void};
use core::ptr::null;
type Object = *mut c_void;
type Function = extern "C" fn(Object, *const Object, isize) -> Object;
#[repr(C)]
struct Method { name: *const c_char, function: Option<Function>, flags: c_int, doc: *const c_char }
#[repr(C)]
struct Module { base: [isize; 5], name: *const c_char, doc: *const c_char, size: isize, methods: *const Method, slots: [*const c_void; 4] }
unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn abort() -> !;
    fn PyModule_Create2(module: *mut Module, version: c_int) -> Object;
    fn PyLong_FromSsize_t(number: isize) -> Object;
    fn PyLong_AsSsize_t(object: Object) -> isize;
    fn PyThreadState_Get() -> Object;
    fn PyThreadState_New(interpreter: Object) -> Object;
    fn PyInterpreterState_Get() -> Object;
    fn printf(format: *const c_char, ...) -> c_int;
    fn wisp_switch(to: u32, stack: *mut u8, state: Object);
}
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! { unsafe { abort() } }

const STACK: usize = 512 << 10;

extern "C" fn switch(_: Object, args: *const Object, _: isize) -> Object {
    unsafe {
        let to = PyLong_AsSsize_t(*args) as u32;
        wisp_switch(to, core::ptr::null_mut(), core::ptr::null_mut());
        PyLong_FromSsize_t(to as isize)
    }
}
/// Writes the limits of a C stack into a new thread state, before it is attached: CPython takes those of the process's
/// only pthread if they are zero. Their place is found in a state that has them: top, soft limit, hard limit.
unsafe fn protect(known: *const usize, new: *mut usize, stack: usize) {
    unsafe {
        for at in 0..2048 {
            let (top, soft, hard) = (*known.add(at), *known.add(at + 1), *known.add(at + 2));
            let margin = soft.wrapping_sub(hard);
            if margin.is_power_of_two() && (1024..=65536).contains(&margin) && top > soft && top - soft < (8 << 20) && at >= 64 && stack > 0 {
                *new.add(at) = stack + STACK;
                *new.add(at + 1) = stack + 2 * margin;
                *new.add(at + 2) = stack + margin;
                return;
            }
        }
        for at in 170..185 { printf(c"%d %x %x\n".as_ptr(), at as c_int, *known.add(at) as c_int, *new.add(at) as c_int); }
        abort();
    }
}
/// Begins thread `to` on a stack and a thread state of its own.
extern "C" fn start(_: Object, args: *const Object, _: isize) -> Object {
    unsafe {
        let to = PyLong_AsSsize_t(*args) as u32;
        let stack = malloc(STACK);
        let state = PyThreadState_New(PyInterpreterState_Get());
        protect(PyThreadState_Get().cast(), state.cast(), stack as usize);
        wisp_switch(to, stack.add(STACK - 64).map_addr(|a| a & !15), state);
        PyLong_FromSsize_t(to as isize)
    }
}
/// The thread state, and the address of a local variable.
extern "C" fn state(_: Object, _: *const Object, _: isize) -> Object {
    unsafe { PyLong_FromSsize_t(PyThreadState_Get() as isize) }
}
struct Methods([Method; 4]);
unsafe impl Sync for Methods {}
const fn method(name: &'static CStr, function: Function) -> Method { Method { name: name.as_ptr(), function: Some(function), flags: 0x80, doc: null() } }
static METHODS: Methods = Methods([method(c"switch", switch), method(c"start", start), method(c"state", state), Method { name: null(), function: None, flags: 0, doc: null() }]);
struct Holder(core::cell::UnsafeCell<Module>);
unsafe impl Sync for Holder {}
static MODULE: Holder = Holder(core::cell::UnsafeCell::new(Module { base: [1, 0, 0, 0, 0], name: c"_spike".as_ptr(), doc: null(), size: -1, methods: &raw const METHODS.0 as *const Method, slots: [null(); 4] }));
#[unsafe(no_mangle)]
pub extern "C" fn PyInit__spike() -> Object { unsafe { PyModule_Create2(MODULE.0.get(), 1013) } }
