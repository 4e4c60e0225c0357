//! The extension module `_wisp_codecs` of CPython 3.14: `open`, `step`, `mix`.
//!
//! A failure is a `str` in place of the result; the Python code raises the exception that belongs to it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::alloc::{GlobalAlloc, Layout};
use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use core::ptr::null_mut;

use crate::{Codec, Failure, Flush, mix, open};

type Object = *mut c_void;
type Function = extern "C" fn(Object, *const Object, isize) -> Object;

/// `METH_FASTCALL`.
const FAST_CALL: c_int = 0x80;

/// `PYTHON_API_VERSION`.
const API: c_int = 1013;

const CAPSULE: &CStr = c"_wisp_codecs.stream";

#[repr(C)]
struct Buffer {
    start: *mut c_void,
    object: Object,
    len: isize,
    item_size: isize,
    read_only: c_int,
    dimensions: c_int,
    format: *mut c_char,
    shape: *mut isize,
    strides: *mut isize,
    sub_offsets: *mut isize,
    internal: *mut c_void,
}

#[repr(C)]
struct Method {
    name: *const c_char,
    function: Option<Function>,
    flags: c_int,
    doc: *const c_char,
}

#[repr(C)]
struct Module {
    /// The head of an object, with the function, index and copy that CPython keeps there.
    base: [isize; 5],
    name: *const c_char,
    doc: *const c_char,
    size: isize,
    methods: *const Method,
    slots: [*const c_void; 4],
}

unsafe extern "C" {
    fn malloc(size: usize) -> *mut u8;
    fn calloc(count: usize, size: usize) -> *mut u8;
    fn realloc(block: *mut u8, size: usize) -> *mut u8;
    fn aligned_alloc(align: usize, size: usize) -> *mut u8;
    fn free(block: *mut u8);
    fn abort() -> !;
    fn PyModule_Create2(module: *mut Module, version: c_int) -> Object;
    fn PyCapsule_New(pointer: *mut c_void, name: *const c_char, end: Option<extern "C" fn(Object)>) -> Object;
    fn PyCapsule_GetPointer(capsule: Object, name: *const c_char) -> *mut c_void;
    fn PyBytes_FromStringAndSize(start: *const u8, len: isize) -> Object;
    fn PyUnicode_FromStringAndSize(start: *const u8, len: isize) -> Object;
    fn PyLong_FromSsize_t(number: isize) -> Object;
    fn PyLong_AsSsize_t(object: Object) -> isize;
    fn PyBool_FromLong(number: c_long) -> Object;
    fn PyTuple_New(len: isize) -> Object;
    fn PyTuple_SetItem(tuple: Object, index: isize, item: Object) -> c_int;
    fn PyObject_GetBuffer(object: Object, buffer: *mut Buffer, flags: c_int) -> c_int;
    fn PyBuffer_Release(buffer: *mut Buffer);
    fn PyErr_Occurred() -> Object;
}

/// The C library's allocator, which CPython uses too.
struct Allocator;

/// What `malloc` aligns to.
const ALIGNED: usize = 8;

// SAFETY: the functions of the C library keep what the trait asks for; `aligned_alloc` gets multiples of the alignment.
unsafe impl GlobalAlloc for Allocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: any size may be asked for.
            unsafe { malloc(layout.size()) }
        } else {
            // SAFETY: as above.
            unsafe { aligned_alloc(layout.align(), layout.pad_to_align().size()) }
        }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: any size may be asked for.
            return unsafe { calloc(1, layout.size()) };
        }
        // SAFETY: the caller's promise.
        let block = unsafe { self.alloc(layout) };
        if !block.is_null() {
            // SAFETY: the block has this size.
            unsafe { block.write_bytes(0, layout.size()) };
        }
        block
    }

    unsafe fn dealloc(&self, block: *mut u8, _: Layout) {
        // SAFETY: the block comes from one of the functions above.
        unsafe { free(block) };
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if layout.align() <= ALIGNED {
            // SAFETY: the block comes from `malloc`.
            return unsafe { realloc(block, size) };
        }
        let Ok(wanted) = Layout::from_size_align(size, layout.align()) else { return null_mut() };
        // SAFETY: the caller's promise; both blocks have the smaller size.
        unsafe {
            let moved = self.alloc(wanted);
            if !moved.is_null() {
                moved.copy_from_nonoverlapping(block, layout.size().min(size));
                free(block);
            }
            moved
        }
    }
}

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it ends the process.
    unsafe { abort() }
}

/// The bytes of an argument.
struct Bytes(Buffer);

impl Bytes {
    /// Returns the bytes of an object; `None`, with Python's exception set, if it has none.
    fn of(object: Object) -> Option<Self> {
        // SAFETY: every field may be zero; CPython fills them.
        let mut buffer: Buffer = unsafe { core::mem::zeroed() };
        // SAFETY: the object is a live argument.
        (unsafe { PyObject_GetBuffer(object, &raw mut buffer, 0) } == 0).then_some(Self(buffer))
    }

    fn get(&self) -> &[u8] {
        if self.0.len <= 0 {
            return &[];
        }
        // SAFETY: CPython keeps the bytes until the buffer is released. Nothing else runs in the meantime.
        unsafe { core::slice::from_raw_parts(self.0.start.cast::<u8>(), self.0.len.unsigned_abs()) }
    }
}

impl Drop for Bytes {
    fn drop(&mut self) {
        // SAFETY: `of` has filled it.
        unsafe { PyBuffer_Release(&raw mut self.0) };
    }
}

/// Parses a number that is not negative; None with Python's exception set, or for a negative one.
fn number(object: Object) -> Option<usize> {
    // SAFETY: the object is a live argument.
    usize::try_from(unsafe { PyLong_AsSsize_t(object) }).ok()
}

fn failed(text: Failure) -> Object {
    // SAFETY: an exception that is already set counts.
    unsafe { if PyErr_Occurred().is_null() { PyUnicode_FromStringAndSize(text.as_ptr(), text.len().cast_signed()) } else { null_mut() } }
}

fn bytes(data: &[u8]) -> Object {
    // SAFETY: it copies them.
    unsafe { PyBytes_FromStringAndSize(data.as_ptr(), data.len().cast_signed()) }
}

/// Returns the arguments of a call.
fn arguments<const N: usize>(first: *const Object, count: isize) -> Result<[Object; N], Failure> {
    if count.unsigned_abs() != N {
        return Err("wrong number of arguments");
    }
    // SAFETY: CPython passes that many.
    Ok(unsafe { *first.cast::<[Object; N]>() })
}

/// Implements `open(kind, parameters)`: returns the stream; the parameters are 32-bit numbers.
extern "C" fn open_stream(_: Object, first: *const Object, count: isize) -> Object {
    let opened = || -> Result<Box<dyn Codec>, Failure> {
        let [kind, parameters] = arguments(first, count)?;
        let kind = number(kind).ok_or("no such codec")?;
        let parameters = Bytes::of(parameters).ok_or("no parameters")?;
        let numbers: Vec<u32> =
            parameters.get().chunks_exact(4).map(|four| u32::from_le_bytes([four[0], four[1], four[2], four[3]])).collect();
        open(u32::try_from(kind).unwrap_or(u32::MAX), &numbers)
    };
    match opened() {
        Err(text) => failed(text),
        // SAFETY: the capsule owns the box until `close`.
        Ok(stream) => unsafe { PyCapsule_New(Box::into_raw(Box::new(stream)).cast(), CAPSULE.as_ptr(), Some(close)) },
    }
}

extern "C" fn close(capsule: Object) {
    // SAFETY: the capsule's pointer is the box that `open_stream` made. Python destroys a capsule once, when nothing refers to it.
    unsafe {
        let stream = PyCapsule_GetPointer(capsule, CAPSULE.as_ptr());
        if !stream.is_null() {
            drop(Box::from_raw(stream.cast::<Box<dyn Codec>>()));
        }
    }
}

/// Implements `step(stream, data, offset, flush, room)`: returns (bytes consumed behind the offset, output, whether it ended, bytes behind
/// the end).
extern "C" fn step(_: Object, first: *const Object, count: isize) -> Object {
    let mut out = Vec::new();
    let mut work = || {
        let [stream, data, offset, flush, room] = arguments(first, count)?;
        // SAFETY: the pointer is null or the box that `open_stream` made; no other call runs.
        let stream = unsafe { PyCapsule_GetPointer(stream, CAPSULE.as_ptr()).cast::<Box<dyn Codec>>().as_mut() }.ok_or("no stream")?;
        let data = Bytes::of(data).ok_or("no data")?;
        let input = data.get().get(number(offset).ok_or("the offset is negative")?..).ok_or("the offset is behind the data")?;
        let flush = match number(flush) {
            Some(0) => Flush::No,
            Some(1) => Flush::Block,
            _ => Flush::End,
        };
        stream.step(input, flush, number(room).unwrap_or(usize::MAX), &mut out)
    };
    match work() {
        Err(text) => failed(text),
        // SAFETY: the tuple takes the new objects, and a null instead of one is an error that CPython reports.
        Ok(done) => unsafe {
            let result = PyTuple_New(4);
            if !result.is_null() {
                PyTuple_SetItem(result, 0, PyLong_FromSsize_t(done.consumed.cast_signed()));
                PyTuple_SetItem(result, 1, bytes(&out));
                PyTuple_SetItem(result, 2, PyBool_FromLong(c_long::from(done.ended)));
                PyTuple_SetItem(result, 3, bytes(&done.behind));
            }
            result
        },
    }
}

/// Implements `mix(data, n, r)`: returns scryptROMix of the data.
extern "C" fn mix_data(_: Object, first: *const Object, count: isize) -> Object {
    let work = || {
        let [data, n, r] = arguments(first, count)?;
        let (n, r) = (number(n).ok_or("n is negative")?, number(r).ok_or("r is negative")?);
        let mut data = Bytes::of(data).ok_or("no data")?.get().to_vec();
        mix(&mut data, n, r).map(|()| data)
    };
    work().map_or_else(failed, |data| bytes(&data))
}

/// What CPython reads and does not write.
struct Table([Method; 4]);

// SAFETY: nothing changes it, and there is one thread.
unsafe impl Sync for Table {}

const fn method(name: &'static CStr, function: Function) -> Method {
    Method { name: name.as_ptr(), function: Some(function), flags: FAST_CALL, doc: core::ptr::null() }
}

static METHODS: Table = Table([
    method(c"open", open_stream),
    method(c"step", step),
    method(c"mix", mix_data),
    Method { name: core::ptr::null(), function: None, flags: 0, doc: core::ptr::null() },
]);

static mut MODULE: Module = Module {
    base: [1, 0, 0, 0, 0],
    name: c"_wisp_codecs".as_ptr(),
    doc: core::ptr::null(),
    size: -1,
    methods: METHODS.0.as_ptr(),
    slots: [core::ptr::null(); 4],
};

/// Initialises the module; CPython looks for this entry.
#[unsafe(no_mangle)]
extern "C" fn PyInit__wisp_codecs() -> Object {
    // SAFETY: CPython calls this once and keeps the definition.
    unsafe { PyModule_Create2(&raw mut MODULE, API) }
}
