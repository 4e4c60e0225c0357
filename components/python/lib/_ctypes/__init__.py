"""The part of `ctypes` that CPython has in C, as far as it needs no machine: data in the layout of C.

There are no libraries to load, and nothing native to call.
"""

from _ctypes._data import (  # noqa: F401 - `ctypes` imports them from here
    _NO_ADDRESSES,
    _NO_LIBRARIES,
    _POINTER,
    Array,
    CField,
    Structure,
    Union,
    _Data,
    _Pointer,
    _PointerType,
    _SimpleCData,
    _Type,
)

__version__ = "1.1.0"
RTLD_LOCAL, RTLD_GLOBAL = 0, 0x100
FUNCFLAG_CDECL, FUNCFLAG_PYTHONAPI, FUNCFLAG_USE_ERRNO, FUNCFLAG_USE_LASTERROR = 1, 4, 8, 16
SIZEOF_TIME_T = 8
CTYPES_MAX_ARGCOUNT = 1024

_errno = 0


class ArgumentError(Exception):
    """An argument of a foreign function has the wrong type."""


def _bytes_of(source):
    if isinstance(source, int):
        raise NotImplementedError(_NO_ADDRESSES)
    return bytes(source._data if isinstance(source, _Data) else source)


def _memmove(to, source, count):
    memoryview(to).cast("B")[:count] = _bytes_of(source)[:count]
    return to


def _memset(to, byte, count):
    memoryview(to).cast("B")[:count] = bytes([byte & 255]) * count
    return to


def _string_at(source, size=-1):
    source = source.value if isinstance(source, _SimpleCData) else source.contents if isinstance(source, _Pointer) else source
    found = b"" if source is None else _bytes_of(source)
    return found.partition(b"\0")[0] if size < 0 else found[:size]


def _cast(thing, same, kind):
    if isinstance(kind, _PointerType):
        found = thing.contents if isinstance(thing, _Pointer) else thing
        if (isinstance(found, Array) and found._type_ is kind._type_) or isinstance(found, kind._type_):
            return kind(found)
    raise NotImplementedError(_NO_ADDRESSES)


def _memoryview_at(thing, size, readonly=False):
    found = memoryview(thing).cast("B")[:size]
    return found.toreadonly() if readonly else found


#: Functions that `ctypes` has by address.
_memmove_addr, _memset_addr, _string_at_addr, _cast_addr, _memoryview_at_addr = range(-5, 0)
_FUNCTIONS = {
    _memmove_addr: _memmove, _memset_addr: _memset, _string_at_addr: _string_at, _cast_addr: _cast, _memoryview_at_addr: _memoryview_at,
}


class CFuncPtr(_Data):
    """A function: one of Python (as a callback would be), or one of the few above."""

    _size_ = _align_ = _POINTER
    _argtypes_, _restype_, _flags_ = (), None, FUNCFLAG_CDECL

    def __init__(self, what=None, *more):
        if isinstance(what, tuple):
            raise AttributeError(f"function {what[0]!r} not found: {_NO_LIBRARIES}")
        self._function = _FUNCTIONS.get(what) if isinstance(what, int) else what
        self.argtypes, self.restype, self.errcheck = self._argtypes_, self._restype_, None

    def __call__(self, *arguments):
        if self._function is None:
            raise NotImplementedError(_NO_ADDRESSES)
        return self._function(*arguments)

    def __bool__(self):
        return self._function is not None


def dlopen(name, flags=RTLD_LOCAL):
    """Refused, except for the program itself, in which nothing is found."""
    if name is not None:
        raise OSError(f"{name}: {_NO_LIBRARIES}")
    return 0


def sizeof(thing):
    """The size in bytes of a type or an object."""
    if not isinstance(thing, (_Type, _Data)):
        raise TypeError("this type has no size")
    return len(thing._data) if isinstance(thing, _Data) else thing._size_


def alignment(thing):
    """What addresses of a type are multiples of."""
    return thing._align_


def byref(thing, offset=0):
    """A pointer to an object."""
    if not isinstance(thing, _Data):
        raise TypeError(f"byref() argument must be a ctypes instance, not '{type(thing).__name__}'")
    made = _Pointer()
    made._kept = {0: thing}
    return made


def addressof(thing):
    """There are no addresses here."""
    raise NotImplementedError(_NO_ADDRESSES)


def resize(thing, size):
    """Give an object more bytes than its type has."""
    if size < type(thing)._size_:
        raise ValueError(f"minimum size is {type(thing)._size_}")
    data = bytearray(size)
    data[: len(thing._data)] = thing._data
    thing._data = memoryview(data)


def buffer_info(thing):
    """The format, the dimensions and the shape of a type."""
    shape = []
    while hasattr(thing, "_length_"):
        shape.append(thing._length_)
        thing = thing._type_
    return getattr(thing, "_format_", "B"), len(shape), tuple(shape)


def get_errno():
    """The number that `set_errno` set."""
    return _errno


def set_errno(value):
    """Set the number; returns the one before."""
    global _errno
    before, _errno = _errno, value
    return before
