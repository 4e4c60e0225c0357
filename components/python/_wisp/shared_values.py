"""`Value` and `Array` of `multiprocessing` in an image without `ctypes`: numbers and characters in shared memory, each read or written by
its own access. It runs when a program first imports `multiprocessing.sharedctypes` there.
"""

import operator
import struct
import types as python_types

_NO_TYPE = "the shared values of wisp with the policy `data` are numbers and characters, and arrays of them: not {}"

#: How the memory of a type is read, where that is not its own code: a character of text is its number.
_FORMS = {"u": "I"}

_NAMES = {
    "c": "c_char", "u": "c_wchar", "?": "c_bool", "b": "c_byte", "B": "c_ubyte", "h": "c_short", "H": "c_ushort", "i": "c_int", "I": "c_uint",
    "l": "c_long", "L": "c_ulong", "q": "c_longlong", "Q": "c_ulonglong", "f": "c_float", "d": "c_double",
}


def _number(code, value):
    """What is stored of a value: integers lose the bits for which there is no room, as in C."""
    if code == "c":
        if isinstance(value, int) and 0 <= value < 256:
            return bytes([value])
        if not isinstance(value, (bytes, bytearray)) or len(value) != 1:
            raise TypeError("one character bytes, bytearray, or an integer in range(256) expected")
        return bytes(value)
    if code == "u":
        if not isinstance(value, str):
            raise TypeError(f"a unicode character expected, not instance of {type(value).__name__}")
        if len(value) != 1:
            raise TypeError(f"a unicode character expected, not a string of length {len(value)}")
        return ord(value)
    if code == "?":
        return bool(value)
    if code in "fd":
        if isinstance(value, (str, bytes)) or not (hasattr(value, "__float__") or hasattr(value, "__index__")):
            raise TypeError(f"must be real number, not {type(value).__name__}")
        return float(value)
    bits = 8 * struct.calcsize(code)
    value = operator.index(value) % (1 << bits)
    return value - (1 << bits) if code.islower() and value >> (bits - 1) else value


class _Type(type):
    """The type of these types: `type * count` is that of an array."""

    def __mul__(cls, count):
        if count < 0:
            raise ValueError("Array length must be >= 0, not " + str(count))
        names = {"_type_": cls, "_length_": count, "_size_": cls._size_ * count, "__module__": cls.__module__}
        return _Type(f"{cls.__name__}_Array_{count}", (Array,), names)


class _Shared(metaclass=_Type):
    """A value in shared memory: `_data` are its bytes, `_cells` its elements."""

    @classmethod
    def from_buffer(cls, view):
        """The value whose bytes are there."""
        made = cls.__new__(cls)
        made._data, made._cells = view, view.cast(_FORMS.get(made._code(), made._code()))
        return made

    def __bytes__(self):
        return self._data.tobytes()

    def __buffer__(self, flags):
        return self._data.copied(flags)

    def __array__(self, *arguments, **options):
        return self._data.__array__()


class Simple(_Shared):
    """One number, or one character."""

    def __init__(self, *value):
        if value:
            (self.value,) = value

    def _code(self):
        return self._type_

    @property
    def value(self):
        """What is there now."""
        value = self._cells[0]
        return chr(value) if self._type_ == "u" else value

    @value.setter
    def value(self, value):
        self._cells[0] = _number(self._type_, value)

    def __bool__(self):
        return bool(self.value) and self.value != b"\0"

    def __repr__(self):
        return f"{type(self).__name__}({self.value!r})"


class Array(_Shared):
    """Elements of one type."""

    def __init__(self, *values):
        if len(values) > self._length_:
            raise IndexError("invalid index")
        self[: len(values)] = values

    def _code(self):
        return self._type_._type_

    def __len__(self):
        return self._length_

    def _all(self):
        """The elements, as what a slice of them is."""
        if self._code() == "c":
            return self._data.tobytes()
        found = self._cells.tolist()
        return "".join(map(chr, found)) if self._code() == "u" else found

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._all()[index]
        value = self._cells[self._place(index)]
        return chr(value) if self._code() == "u" else value

    def _place(self, index):
        index = operator.index(index)
        if not -self._length_ <= index < self._length_:
            raise IndexError("invalid index")
        return index % self._length_

    def __setitem__(self, index, value):
        code = self._code()
        if not isinstance(index, slice):
            self._cells[self._place(index)] = _number(code, value)
            return
        places, values = range(*index.indices(self._length_)), [_number(code, each) for each in value]
        if len(values) != len(places):
            raise ValueError("Can only assign sequence of same size")
        if places.step == 1:
            start = places.start * self._type_._size_
            data = b"".join(values) if code == "c" else struct.pack(f"{len(values)}{_FORMS.get(code, code)}", *values)
            self._data[start : start + len(data)] = data
        else:
            for place, each in zip(places, values):
                self._cells[place] = each

    def __iter__(self):
        return (self[place] for place in range(self._length_))

    @property
    def value(self):
        """The characters before the first that is zero."""
        if self._code() not in "cu":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'value'")
        found = self._all()
        return found.partition(b"\0" if self._code() == "c" else "\0")[0]

    @value.setter
    def value(self, text):
        if self._code() not in "cu":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'value'")
        if not isinstance(text, (bytes, str)[self._code() == "u"]):
            raise TypeError(f"{'bytes' if self._code() == 'c' else 'unicode string'} expected instead of {type(text).__name__} instance")
        if len(text) > self._length_:
            raise ValueError("byte string too long" if self._code() == "c" else "string too long")
        if len(text) < self._length_:
            text += b"\0" if self._code() == "c" else "\0"
        self[: len(text)] = text

    @property
    def raw(self):
        """All bytes of an array of them."""
        if self._code() != "c":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'raw'")
        return self._data.tobytes()

    @raw.setter
    def raw(self, data):
        if self._code() != "c":
            raise AttributeError(f"{type(self).__name__!r} object has no attribute 'raw'")
        if len(data) > self._length_:
            raise ValueError("byte string too long")
        self[: len(data)] = bytes(data)


def _sizeof(thing):
    size = getattr(thing, "_size_", None)
    if size is None or not isinstance(thing, (_Type, _Shared)):
        raise NotImplementedError(_NO_TYPE.format(getattr(thing, "__name__", repr(thing))))
    return size


class _Pointer:
    """What a pointer to a value is for `copy`."""

    def __init__(self, thing):
        self._thing = thing

    def __setitem__(self, _, other):
        self._thing._data[:] = other._data.tobytes()


def install(module, clear):
    """Change `multiprocessing.sharedctypes`: its types, also for those of `ctypes`, which hold no memory there."""
    types = module.typecode_to_type
    absent = module.ctypes
    for code, name in _NAMES.items():
        made = _Type(name, (Simple,), {"_type_": code, "_size_": struct.calcsize(_FORMS.get(code, code)), "__module__": module.__name__})
        setattr(module, name, made)  # where another process finds it
        types[code] = made
    for name, thing in list(vars(absent).items()):
        code = getattr(thing, "_type_", None)
        if name[:2] == "c_" and isinstance(code, str) and code in _NAMES:
            types[thing] = types[code]
    module.ctypes = python_types.SimpleNamespace(
        Array=Array, _SimpleCData=Simple, sizeof=_sizeof, addressof=lambda thing: thing, memset=clear, pointer=_Pointer, c_char=types["c"]
    )
