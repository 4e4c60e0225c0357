"""Memory that processes share, for `multiprocessing`: a file of the session that each access reads or writes.

No two instances have memory in common, so nothing can map it. A `View` is what a `memoryview` of mapped memory is elsewhere, as far as
every access can be seen: it is refused to what would keep the memory and read it later. It runs when a program first uses it.
"""

import os
import posix
import struct

_NOT_MAPPED = (
    "memory that processes of wisp share is a file, which each access reads or writes, so nothing can keep a view of it (memoryview, "
    "numpy): copy with bytes(buf[a:b]), for numpy.frombuffer too, and write back with buf[a:b] = data"
)

#: How a caller asks for a buffer (`inspect.BufferFlags`). One that wants plain bytes, to read or to write as `struct.pack_into` does, uses
#: them at once. Any other may keep the buffer.
_SIMPLE, _WRITABLE = 0, 1


class Shared:
    """Takes the place of `mmap.mmap` on a file that processes share, whose descriptor is another's to close, or its own."""

    _owns = False

    def __init__(self, fileno, length):
        self._file, self._length = fileno, length

    @classmethod
    def inherited(cls, number, length):
        """The file of a descriptor that this process was started with. It is opened once more, for the C library to read and write in
        any place."""
        return cls.own(posix.open(f"/dev/fd/{number}", os.O_RDWR), length)

    @classmethod
    def own(cls, file, length):
        """A file that is closed with it."""
        made = cls(file, length)
        made._owns = True
        return made

    def read(self, start, count):
        """Bytes that are there now."""
        pieces = []
        while count:
            piece = posix.pread(self._open(), count, start)
            if not piece:
                raise BufferError("the shared memory has been cut short")
            pieces.append(piece)
            start, count = start + len(piece), count - len(piece)
        return pieces[0] if len(pieces) == 1 else b"".join(pieces)

    def write(self, start, data):
        """Change bytes."""
        data = memoryview(data)
        while data:
            count = posix.pwrite(self._open(), data, start)
            start, data = start + count, data[count:]

    def _open(self):
        if self._file is None:
            raise ValueError("operation forbidden on released memoryview object")
        return self._file

    def __len__(self):
        return self._length

    def close(self):
        """Release the file; views of it are of no use any more."""
        if self._file is not None:
            file, self._file = self._file, None
            if self._owns:
                os.close(file)

    __del__ = close


class View:
    """A part of shared memory: what `memoryview(mmap)` is elsewhere."""

    ndim, readonly, contiguous, c_contiguous, f_contiguous, suboffsets = 1, False, True, True, True, ()

    def __init__(self, shared, start=0, size=None, form="B"):
        self.obj, self._start, self.nbytes, self.format = shared, start, len(shared) if size is None else size, form
        self.itemsize = struct.calcsize(form)
        self._given = []

    shape = property(lambda self: (len(self),))
    strides = property(lambda self: (self.itemsize,))

    def _memory(self):
        if self.obj is None:
            raise ValueError("operation forbidden on released memoryview object")
        return self.obj

    def __len__(self):
        self._memory()
        return self.nbytes // self.itemsize

    def tobytes(self, order=None):
        """The bytes that are there now."""
        return self._memory().read(self._start, self.nbytes)

    def __bytes__(self):
        return self.tobytes()

    def _item(self, index):
        """The part of one element."""
        length = len(self)
        index = index.__index__()
        if not -length <= index < length:
            raise IndexError("index out of bounds on dimension 1")
        return self._start + index % length * self.itemsize

    def _part(self, index):
        """The part of a slice."""
        start, stop, step = index.indices(len(self))
        if step != 1:
            raise NotImplementedError("a part of shared memory has one element after the other: copy with bytes(buf[a:b])[::step]")
        return View(self._memory(), self._start + start * self.itemsize, max(stop - start, 0) * self.itemsize, self.format)

    def __getitem__(self, index):
        if isinstance(index, slice):
            return self._part(index)
        place = self._item(index)
        return struct.unpack(self.format, self._memory().read(place, self.itemsize))[0]

    def __setitem__(self, index, value):
        if not isinstance(index, slice):
            place = self._item(index)
            try:
                data = struct.pack(self.format, value)
            except struct.error:
                wrong = TypeError if not isinstance(value, (int, float, bytes)) else ValueError
                raise wrong(f"memoryview: invalid {'type' if wrong is TypeError else 'value'} for format {self.format!r}") from None
            return self._memory().write(place, data)
        part = self._part(index)
        data = value.tobytes() if isinstance(value, View) else memoryview(value)
        if not isinstance(data, bytes):
            if data.format.lstrip("@") != self.format and {data.format, self.format} - {"B", "b", "c"}:
                raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
            data = data.tobytes()
        if len(data) != part.nbytes:
            raise ValueError("memoryview assignment: lvalue and rvalue have different structures")
        self._memory().write(part._start, data)

    def __delitem__(self, index):
        raise TypeError("cannot delete memory")

    def __iter__(self):
        return iter(self.tolist())

    def tolist(self):
        """Its elements."""
        return [element for (element,) in struct.iter_unpack(self.format, self.tobytes())] if self.nbytes else []

    def __contains__(self, value):
        return value in self.tolist()

    def __eq__(self, other):
        if isinstance(other, View):
            other = other.tobytes() if other.format == self.format else other.tolist()
        mine = self.tobytes()
        return memoryview(mine).cast("B").cast(self.format) == other if isinstance(other, (bytes, bytearray, memoryview)) else self.tolist() == other

    __hash__ = None

    def count(self, value):
        """How often an element is there."""
        return self.tolist().count(value)

    def index(self, value, *bounds):
        """Where an element is first."""
        return self.tolist().index(value, *bounds)

    def hex(self, *arguments):
        """The bytes as text."""
        return self.tobytes().hex(*arguments)

    def cast(self, format, shape=None):
        """The same bytes with elements of another type."""
        form = format.lstrip("@")
        if shape is not None:
            raise NotImplementedError("shared memory of wisp has one dimension")
        if {self.format, form}.isdisjoint({"B", "b", "c"}):
            raise TypeError("memoryview: cannot cast between two non-byte formats")
        if self.nbytes % struct.calcsize(form):
            raise TypeError("memoryview: length is not a multiple of itemsize")
        return View(self._memory(), self._start, self.nbytes, form)

    def toreadonly(self):
        """A copy of what is there now, which cannot be changed."""
        return memoryview(self.tobytes())

    def release(self):
        """Refuse any further use."""
        self.obj = None

    def __enter__(self):
        self._memory()
        return self

    def __exit__(self, *_):
        self.release()

    def copied(self, flags):
        """A copy of what is there now, for a caller that wants plain bytes."""
        if flags != _SIMPLE:
            raise BufferError(_NOT_MAPPED)
        return memoryview(self.tobytes())

    def __buffer__(self, flags):
        if flags != _WRITABLE:
            return self.copied(flags)
        before = self.tobytes()
        given = memoryview(bytearray(before))
        self._given.append((given, before))
        return given

    def __array__(self, *arguments, **options):
        raise BufferError(_NOT_MAPPED)

    def __release_buffer__(self, given):
        for index, (known, before) in enumerate(self._given):
            if known is given:
                del self._given[index]
                self._write_changed(before, given.tobytes())
                break
        given.release()

    def _write_changed(self, before, after):
        """Write what differs, and nothing beside it: another process may have changed that meanwhile."""
        if before == after:
            return
        first = next(at for at in range(len(before)) if before[at] != after[at])
        last = next(at for at in range(len(before), 0, -1) if before[at - 1] != after[at - 1])
        self._memory().write(self._start + first, after[first:last])

    def __repr__(self):
        return f"<{'released ' if self.obj is None else ''}memory at {id(self):#x}>"


class Struct:
    """`struct` for `multiprocessing.shared_memory`, which reads and writes single elements of large memory."""

    @staticmethod
    def unpack_from(form, buffer, offset=0):
        """As `struct.unpack_from`."""
        return struct.unpack(form, bytes(buffer[offset : offset + struct.calcsize(form)]))

    @staticmethod
    def pack_into(form, buffer, offset, *values):
        """As `struct.pack_into`; padding is written too."""
        data = struct.pack(form, *values)
        buffer[offset : offset + len(data)] = data

    calcsize = staticmethod(struct.calcsize)
