//! The extension module `_wisp_threads` of CPython 3.14: `entry`, `new`, `word`, `start`, `switch`, `free`.
//!
//! A thread is a number that leads to its [`Thread`]. The Python code passes each only while it exists.

use core::cell::UnsafeCell;
use core::ptr::null_mut;

use wisp_extension::{END, Method, Module, Object, method};

/// Bytes of a thread's stack in memory. `RecursionError` comes before its end.
const STACK: usize = 256 << 10;

/// Idle stacks that are kept.
const KEPT: usize = 16;

/// Where a thread's state has `eval_breaker`, `c_stack_top`, `c_stack_soft_limit` and `c_stack_hard_limit`, in bytes. CPython says
/// nothing of them; `components/python/thread_state.py` checks each in the finished image.
const BREAKER: usize = 12;
const TOP: usize = 708;
const SOFT: usize = 712;
const HARD: usize = 716;

/// What CPython leaves free below each of the two limits (`_PyOS_STACK_MARGIN_BYTES`).
const MARGIN: usize = 8192;

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn free(block: *mut u8);
    fn abort() -> !;
    fn PyLong_FromSsize_t(number: isize) -> Object;
    fn PyLong_AsSsize_t(object: Object) -> isize;
    fn PyBool_FromLong(number: core::ffi::c_long) -> Object;
    fn PyObject_CallOneArg(callable: Object, argument: Object) -> Object;
    fn Py_IncRef(object: Object);
    fn Py_DecRef(object: Object);
    fn PyInterpreterState_Get() -> Object;
    fn PyThreadState_New(interpreter: Object) -> *mut u8;
    fn PyThreadState_Clear(state: *mut u8);
    fn PyThreadState_Delete(state: *mut u8);
    /// Lets the host's thread `to` run, until one switches back. One that begins does so on `stack` and with `state`; for one that goes
    /// on, both are null (`components/python/switch.py`).
    fn wisp_switch(to: u32, stack: *mut u8, state: *mut u8);
}

/// A thread: CPython's state, and the stack in memory.
struct Thread {
    state: *mut u8,
    stack: *mut u8,
}

/// The function of Python that runs a thread.
struct Entry(UnsafeCell<Object>);

// SAFETY: it is written once, while there is one thread.
unsafe impl Sync for Entry {}

static ENTRY: Entry = Entry(UnsafeCell::new(null_mut()));

/// Stacks without a thread.
struct Idle(UnsafeCell<[*mut u8; KEPT]>);

// SAFETY: one thread runs at a time, and none switches in here.
unsafe impl Sync for Idle {}

static IDLE: Idle = Idle(UnsafeCell::new([null_mut(); KEPT]));

impl Idle {
    fn take(&self) -> *mut u8 {
        // SAFETY: nothing else has the list: see `Sync`.
        let all = unsafe { &mut *self.0.get() };
        match all.iter_mut().find(|stack| !stack.is_null()) {
            Some(stack) => core::mem::replace(stack, null_mut()),
            // SAFETY: any size may be asked for.
            None => unsafe { malloc(STACK) },
        }
    }

    /// Takes back a stack that nothing uses.
    fn put(&self, stack: *mut u8) {
        // SAFETY: as above.
        let all = unsafe { &mut *self.0.get() };
        match all.iter_mut().find(|stack| stack.is_null()) {
            Some(place) => *place = stack,
            // SAFETY: it comes from `malloc`, and the caller gives it away.
            None => unsafe { free(stack) },
        }
    }
}

/// Returns the argument at an index, a number.
///
/// # Safety
/// There is one, and it is live.
unsafe fn number(arguments: *const Object, index: usize) -> usize {
    // SAFETY: the caller's promise.
    unsafe { PyLong_AsSsize_t(*arguments.add(index)) }.cast_unsigned()
}

fn answer(number: usize) -> Object {
    // SAFETY: any number will do.
    unsafe { PyLong_FromSsize_t(number.cast_signed()) }
}

/// Implements `entry(function)`: what runs each thread, with its number. It raises nothing.
extern "C" fn entry(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: there is one argument, and nothing reads the entry in the meantime.
    unsafe {
        Py_IncRef(*arguments);
        *ENTRY.0.get() = *arguments;
        PyBool_FromLong(1)
    }
}

/// Enters a thread: the host's call in which it runs. Its state and stack are those that [`start`] gave. It must not go through
/// componentize-py's bindings: they count the calls that hold CPython, and take the first thread to hold it as long as this one exists.
#[unsafe(no_mangle)]
extern "C" fn wisp_enter(number: u32) {
    // SAFETY: a thread has begun, so there is an entry.
    unsafe {
        let number = answer(number as usize);
        let done = PyObject_CallOneArg(*ENTRY.0.get(), number);
        if done.is_null() {
            abort();
        }
        Py_DecRef(done);
        Py_DecRef(number);
    }
}

/// Implements `new()`: returns a thread that has not begun; 0 if there is no memory for it.
extern "C" fn new(_: Object, _: *const Object, _: isize) -> Object {
    let stack = IDLE.take();
    if stack.is_null() {
        return answer(0);
    }
    // SAFETY: a state of this interpreter, which nothing has entered, and a block of the size of a `Thread`. Without limits of its own,
    // the state would get those of the first thread's stack when it is entered.
    unsafe {
        let thread = malloc(size_of::<Thread>()).cast::<Thread>();
        let state = if thread.is_null() { null_mut() } else { PyThreadState_New(PyInterpreterState_Get()) };
        if state.is_null() {
            free(thread.cast());
            IDLE.put(stack);
            return answer(0);
        }
        let bottom = stack.addr();
        state.add(TOP).cast::<usize>().write(bottom + STACK);
        state.add(SOFT).cast::<usize>().write(bottom + 2 * MARGIN);
        state.add(HARD).cast::<usize>().write(bottom + MARGIN);
        thread.write(Thread { state, stack });
        answer(thread.addr())
    }
}

/// Implements `word(thread)`: returns the address of the word that CPython looks at between bytecodes of the thread.
extern "C" fn word(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: the number is that of a live thread.
    unsafe { answer((*(number(arguments, 0) as *const Thread)).state.addr() + BREAKER) }
}

/// Implements `start(number, thread)`: lets the host's thread `number`, which has not begun, begin as this one.
extern "C" fn start(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: the number is that of a live thread that has not begun. Its stack is aligned as the first one's.
    unsafe {
        let thread = number(arguments, 1) as *const Thread;
        let top = (*thread).stack.add(STACK).map_addr(|address| address & !15);
        wisp_switch(number(arguments, 0) as u32, top, (*thread).state);
        PyBool_FromLong(1)
    }
}

/// Implements `switch(number)`: lets the host's thread `number`, which has begun, go on.
extern "C" fn switch(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: there is one argument.
    unsafe {
        wisp_switch(number(arguments, 0) as u32, null_mut(), null_mut());
        PyBool_FromLong(1)
    }
}

/// Implements `free(thread)`: releases what belongs to a thread that has ended, or never began.
extern "C" fn release(_: Object, arguments: *const Object, _: isize) -> Object {
    // SAFETY: the number is that of a thread that is live until now; nobody runs with its state or on its stack.
    unsafe {
        let thread = number(arguments, 0) as *mut Thread;
        let Thread { state, stack } = thread.read();
        free(thread.cast());
        PyThreadState_Clear(state);
        PyThreadState_Delete(state);
        IDLE.put(stack);
        PyBool_FromLong(1)
    }
}

static METHODS: [Method; 7] = [
    method(c"entry", entry),
    method(c"new", new),
    method(c"word", word),
    method(c"start", start),
    method(c"switch", switch),
    method(c"free", release),
    END,
];

static MODULE: Module = Module::new(c"_wisp_threads", &METHODS);

/// Initialises the module; CPython looks for this entry.
#[unsafe(no_mangle)]
extern "C" fn PyInit__wisp_threads() -> Object {
    MODULE.create()
}
