//! The extension module `_wisp_codecs` of CPython 3.14: `open`, `step`, `mix`.
//!
//! A failure is a `str` in place of the result; the Python code raises the exception that belongs to it.

use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ffi::{CStr, c_char, c_int, c_long, c_void};
use core::ptr::null_mut;

use wisp_extension::{Allocator, END, Method, Module, Object, method};

use crate::{Codec, Failure, Flush, mix, open};

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

unsafe extern "C" {
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

#[global_allocator]
static ALLOCATOR: Allocator = Allocator;

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

static METHODS: [Method; 4] = [method(c"open", open_stream), method(c"step", step), method(c"mix", mix_data), END];

static MODULE: Module = Module::new(c"_wisp_codecs", &METHODS);

/// Initialises the module; CPython looks for this entry.
#[unsafe(no_mangle)]
extern "C" fn PyInit__wisp_codecs() -> Object {
    MODULE.create()
}
