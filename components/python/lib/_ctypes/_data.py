"""Data in the layout of C, for `_ctypes`: numbers, characters, arrays, structures, unions and pointers.

They are views of bytes, so they read and write what a program got from a file. A pointer knows its object, not an address.
"""

import math
import struct

_NO_LIBRARIES = "a WebAssembly program cannot load native libraries"
_NO_ADDRESSES = "objects have no addresses that a program could use here: a WebAssembly program cannot call native code"

#: The codes of simple types whose values are numbers, with those of `struct` that have the same layout.
_POINTER, _LONG = struct.calcsize("P"), struct.calcsize("l")
_FORMATS = {code: code for code in "bBhHiIqQfd?c"} | dict.fromkeys("PzZO", "IQ"[_POINTER == 8])
_FORMATS |= {"l": "iq"[_LONG == 8], "L": "IQ"[_LONG == 8], "g": "d", "v": "h", "u": "I"}
_INTEGERS = frozenset("bBhHiIlLqQP")


class CField:
    """A field of a structure or union."""

    __slots__ = ("_bits", "_shift", "name", "offset", "type")

    def __init__(self, name, kind, offset, shift=0, bits=0):
        self.name, self.type, self.offset, self._shift, self._bits = name, kind, offset, shift, bits

    @property
    def size(self):
        """The size in bytes; of a field of bits, as CPython packs it."""
        return self._bits << 16 | self._shift if self._bits else self.type._size_

    def __get__(self, thing, owner=None):
        if thing is None:
            return self
        found = self.type._view(thing._data[self.offset : self.offset + self.type._size_], thing)
        if self._bits:
            number = found.value >> self._shift & (1 << self._bits) - 1
            signed = self.type._type_ in "bhilq" and number >> self._bits - 1
            return number - (1 << self._bits) if signed else number
        if isinstance(found, Array) and getattr(found._type_, "_type_", None) in ("c", "u"):
            return found.value
        if thing._kept and self.offset in thing._kept:
            found._kept = {0: thing._kept[self.offset]} if not isinstance(thing._kept[self.offset], _Pointer) else thing._kept[self.offset]._kept
        return found._plain()

    def __set__(self, thing, value):
        found = self.type._view(thing._data[self.offset : self.offset + self.type._size_], thing)
        if self._bits:
            mask = (1 << self._bits) - 1
            found.value = found.value & ~(mask << self._shift) | (value & mask) << self._shift
        else:
            found._assign(value)
            thing._keep(self.offset, value)

    def __repr__(self):
        return f"<Field type={self.type.__name__}, ofs={self.offset}, size={self.size}>"


class _Type(type):
    """The class of the classes of data: `c_int * 3` is one too."""

    def __mul__(cls, count):
        if count < 0:
            raise ValueError(f"Array length must be >= 0, not {count}")
        made = cls.__dict__.get("_arrays_") or {}
        if count not in made:
            made[count] = type(Array)(f"{cls.__name__}_Array_{count}", (Array,), {"_type_": cls, "_length_": count})
            type.__setattr__(cls, "_arrays_", made)
        return made[count]

    __rmul__ = __mul__

    def from_buffer(cls, source, offset=0):
        """An object in the memory of another, which must be writable."""
        shared = type(source).__module__ == "_wisp.shared_memory"  # it has no memory that could be kept
        view = source._data if isinstance(source, _Data) else source if shared else memoryview(source).cast("B")
        if view.readonly:
            raise TypeError("underlying buffer is not writable")
        return cls._view(cls._part(view, offset), source)

    def from_buffer_copy(cls, source, offset=0):
        """An object with a copy of the bytes of another."""
        return cls._view(memoryview(bytearray(cls._part(memoryview(source).cast("B"), offset))), None)

    def _part(cls, view, offset):
        if offset < 0 or offset + cls._size_ > len(view):
            raise ValueError(f"Buffer size too small ({len(view)} instead of at least {offset + cls._size_} bytes)")
        return view[offset : offset + cls._size_]

    def from_param(cls, value):
        """The value as an argument."""
        return value if isinstance(value, cls) else cls(value)

    def from_address(cls, address):
        """There are no addresses here."""
        raise NotImplementedError(_NO_ADDRESSES)

    def in_dll(cls, library, name):
        """There are no libraries here."""
        raise ValueError(_NO_LIBRARIES)

    def _view(cls, view, owner):
        made = cls.__new__(cls)
        made._data, made._b_base_ = view, owner
        return made


class _Data(metaclass=_Type):
    """Bytes with a type."""

    _size_, _align_ = 0, 1
    _b_base_ = None
    _kept = None

    def __new__(cls, *arguments, **options):
        made = object.__new__(cls)
        made._data = memoryview(bytearray(cls._size_))
        return made

    def __buffer__(self, flags):
        return self._data if isinstance(self._data, memoryview) else self._data.copied(flags)

    def __bytes__(self):
        return bytes(self._data)

    def _plain(self):
        return self

    def _keep(self, place, value):
        """Remember what a pointer within these bytes leads to."""
        if isinstance(value, (_Data, bytes, str)) and not isinstance(value, int):
            self._kept = {**(self._kept or {}), place: value}

    def _assign(self, value):
        if isinstance(value, tuple):
            value = type(self)(*value)
        if not isinstance(value, type(self)):
            raise TypeError(f"incompatible types, {type(value).__name__} instance instead of {type(self).__name__} instance")
        self._data[:] = value._data


class _SimpleType(_Type):
    def __init__(cls, name, bases, names):
        code = names.get("_type_")
        if code is not None and name != "_SimpleCData":
            if code not in _FORMATS:
                raise AttributeError(f"class must define a '_type_' attribute which must be a single character string, and one of {''.join(_FORMATS)}")
            cls._format_ = "<" + _FORMATS[code]
            cls._size_ = cls._align_ = struct.calcsize(cls._format_)
            if "_swapped_" not in names and code in "hHiIlLqQfdbB?":
                cls.__ctype_le__ = cls
                other = {"_type_": code, "_swapped_": True, "_format_": ">" + _FORMATS[code], "__ctype_le__": cls}
                cls.__ctype_be__ = _SimpleType(name, bases, other)
                cls.__ctype_be__.__ctype_be__ = cls.__ctype_be__
            if "_swapped_" in names:
                cls._format_ = names["_format_"]
        super().__init__(name, bases, names)


class _SimpleCData(_Data, metaclass=_SimpleType):
    """A number, a character, or a pointer to characters."""

    def __init__(self, value=None):
        if value is not None:
            self.value = value

    @property
    def value(self):
        """The value in Python."""
        code = self._type_
        if code in "zZOP":
            found = (self._kept or {}).get(0)
            return found if found is not None or code != "P" else struct.unpack(self._format_, self._data)[0] or None
        (number,) = struct.unpack(self._format_, self._data)
        return chr(number) if code == "u" else bool(number) if code == "v" else number

    @value.setter
    def value(self, value):
        code = self._type_
        if code in _INTEGERS and not (code == "P" and value is None):
            if not hasattr(value, "__index__"):
                raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
            number = value.__index__() & (1 << 8 * self._size_) - 1
            signed = code in "bhilq" and number >> 8 * self._size_ - 1
            value = number - (1 << 8 * self._size_) if signed else number
        elif code in "zZOP":
            if (code == "z" and not isinstance(value, (bytes, int, type(None)))) or (code == "Z" and not isinstance(value, (str, int, type(None)))):
                raise TypeError(f"{'bytes' if code == 'z' else 'unicode string'} or integer address expected instead of {type(value).__name__} instance")
            self._kept, value = {0: value}, 0 if value is None else 1
        elif code == "c":
            value = bytes([value]) if isinstance(value, int) else bytes(value)
            if len(value) != 1:
                raise TypeError("one character bytes, bytearray, or an integer in range(256) expected")
        elif code == "u":
            value = ord(value)
        elif code == "v":
            value = -1 if value else 0
        elif code == "f" and not math.isinf(value) and math.isfinite(value) and abs(value) > 3.4028235677973366e38:
            value = math.copysign(math.inf, value)
        struct.pack_into(self._format_, self._data, 0, value)

    def _plain(self):
        return self.value if type(self).__base__ is _SimpleCData or hasattr(type(self), "_swapped_") else self

    def _assign(self, value):
        self.value = value.value if isinstance(value, _SimpleCData) else value

    def _keep(self, place, value):
        pass

    def __bool__(self):
        return any(self._data)

    def __repr__(self):
        return f"{type(self).__name__}({self.value!r})" if type(self).__base__ is _SimpleCData else object.__repr__(self)


class Array(_Data):
    """A number of objects of one type, one after the other."""

    def __init_subclass__(cls):
        cls._size_, cls._align_ = cls._type_._size_ * cls._length_, cls._type_._align_

    def __init__(self, *values):
        if len(values) > self._length_:
            raise IndexError("invalid index")
        for index, value in enumerate(values):
            self[index] = value

    def _assign(self, value):
        if isinstance(value, (bytes, str)):
            self.value = value
        else:
            super()._assign(value)

    def _item(self, index):
        index = index + self._length_ if index < 0 else index
        if not 0 <= index < self._length_:
            raise IndexError("invalid index")
        size = self._type_._size_
        found = self._type_._view(self._data[index * size : (index + 1) * size], self)
        if self._kept and index * size in self._kept:
            found._kept = {0: self._kept[index * size]}
        return found

    def __len__(self):
        return self._length_

    def __getitem__(self, index):
        if isinstance(index, slice):
            found = [self[at] for at in range(*index.indices(self._length_))]
            code = getattr(self._type_, "_type_", None)
            return b"".join(found) if code == "c" else "".join(found) if code == "u" else found
        return self._item(index)._plain()

    def __setitem__(self, index, value):
        if isinstance(index, slice):
            places = range(*index.indices(self._length_))
            if len(places) != len(value):
                raise ValueError("Can only assign sequence of same size")
            for at, one in zip(places, value):
                self[at] = one
            return
        self._item(index)._assign(value)
        self._keep((index % self._length_) * self._type_._size_, value)

    @property
    def raw(self):
        """The bytes, of an array of characters."""
        return bytes(self._data)

    @raw.setter
    def raw(self, value):
        if len(value) > self._size_:
            raise ValueError("byte string too long")
        self._data[: len(value)] = bytes(value)

    @property
    def value(self):
        """The characters up to the first NUL."""
        found = self[:]
        return found.partition(b"\0" if isinstance(found, bytes) else "\0")[0]

    @value.setter
    def value(self, value):
        if len(value) > self._length_:
            raise ValueError("byte string too long" if isinstance(value, bytes) else "string too long")
        for index in range(min(len(value) + 1, self._length_)):
            self[index] = value[index : index + 1] or (b"\0" if isinstance(value, bytes) else "\0")


class _FieldsType(_Type):
    def __new__(mcs, name, bases, names, **options):
        return super().__new__(mcs, name, bases, {key: value for key, value in names.items() if key != "_fields_"}, **options)

    def __init__(cls, name, bases, names, **options):
        super().__init__(name, bases, names)
        if "_fields_" in names:
            cls._fields_ = names["_fields_"]

    def __setattr__(cls, name, value):
        super().__setattr__(name, value)
        if name == "_fields_":
            cls._lay_out(value)

    def _lay_out(cls, fields):
        base = cls.__base__
        union = issubclass(cls, Union)
        pack = getattr(cls, "_pack_", 0)
        at, size, align = base._size_, base._size_, max(base._align_, getattr(cls, "_align_", 1))
        unit = used = 0  # bits: the size of the unit that is being filled, and how many of its bits are
        for name, kind, *bits in fields:
            step = min(pack, kind._align_) if pack else kind._align_
            align = max(align, step)
            if bits and not union and unit == kind._size_ and used + bits[0] <= 8 * unit:
                place, shift, used = at - unit, used, used + bits[0]
            else:
                place = 0 if union else -(-at // step) * step
                at = place + kind._size_
                shift, unit, used = 0, kind._size_ if bits else 0, bits[0] if bits else 0
            size = max(size, place + kind._size_)
            if hasattr(cls, "_swappedbytes_") and bits:
                shift = 8 * kind._size_ - shift - bits[0]
            type.__setattr__(cls, name, CField(name, kind, place, shift, bits[0] if bits else 0))
            for inner in getattr(cls, "_anonymous_", ()):
                if inner == name:
                    for other, _, *_ in kind._fields_:
                        field = getattr(kind, other)
                        type.__setattr__(cls, other, CField(other, field.type, place + field.offset, field._shift, field._bits))
        type.__setattr__(cls, "_size_", -(-size // align) * align)
        type.__setattr__(cls, "_align_", align)
        type.__setattr__(cls, "_names_", [*getattr(base, "_names_", ()), *(field[0] for field in fields)])


class _Fields(_Data, metaclass=_FieldsType):
    _names_ = ()

    def __init__(self, *values, **named):
        if len(values) > len(self._names_):
            raise TypeError("too many initializers")
        for name, value in [*zip(self._names_, values), *named.items()]:
            setattr(self, name, value)


class Structure(_Fields):
    """Fields one after the other."""


class Union(_Fields):
    """Fields in the same place."""


class _PointerType(_Type):
    def __init__(cls, name, bases, names):
        super().__init__(name, bases, names)
        if "_type_" in names:
            cls.set_type(names["_type_"])

    def set_type(cls, kind):
        """Say what it points to."""
        cls._type_ = kind
        if "__pointer_type__" not in vars(kind):
            type.__setattr__(kind, "__pointer_type__", cls)


class _Pointer(_Data, metaclass=_PointerType):
    """A pointer to an object of Python; null without one."""

    _size_ = _align_ = _POINTER

    def __init__(self, target=None):
        if target is not None:
            self.contents = target

    @property
    def contents(self):
        """What it points to."""
        found = (self._kept or {}).get(0)
        if found is None:
            raise ValueError("NULL pointer access")
        return found

    @contents.setter
    def contents(self, target):
        if not isinstance(target, (self._type_, Array)):
            raise TypeError(f"expected {self._type_.__name__} instead of {type(target).__name__}")
        self._kept, self._data[0] = {0: target}, 1

    def __bool__(self):
        return self._kept is not None

    def __getitem__(self, index):
        found = self.contents
        if isinstance(found, Array):
            return found[index]
        if index != 0:
            raise NotImplementedError(_NO_ADDRESSES)
        return found._plain()

    def __setitem__(self, index, value):
        found = self.contents
        if isinstance(found, Array):
            found[index] = value
        elif index == 0:
            found._assign(value)
        else:
            raise NotImplementedError(_NO_ADDRESSES)

    def _assign(self, value):
        self._kept = value._kept if isinstance(value, _Pointer) else {0: value} if value is not None else None
