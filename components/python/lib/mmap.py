"""Memory-mapped files, as far as they work without an operating system that maps: the file is read when the map is made
and written back by `flush`, by `close`, and when the map is no longer in use. Other processes see changes only then, and their changes are not seen here.
"""

import os

from _wisp import os_descriptors as _os_descriptors

__all__ = ["ACCESS_COPY", "ACCESS_DEFAULT", "ACCESS_READ", "ACCESS_WRITE", "ALLOCATIONGRANULARITY", "PAGESIZE", "mmap"]

ACCESS_DEFAULT, ACCESS_READ, ACCESS_WRITE, ACCESS_COPY = 0, 1, 2, 3
MAP_SHARED, MAP_PRIVATE, MAP_ANON, MAP_ANONYMOUS = 1, 2, 32, 32
PROT_READ, PROT_WRITE, PROT_EXEC = 1, 2, 4
PAGESIZE = ALLOCATIONGRANULARITY = 65536

error = OSError


class mmap:
    """`mmap.mmap`."""

    def __init__(
        self, fileno, length, flags=MAP_SHARED, prot=PROT_READ | PROT_WRITE, access=ACCESS_DEFAULT, offset=0,
        *, trackfd=True,
    ):
        if length < 0:
            raise OverflowError("memory mapped length must be positive")
        if offset < 0:
            raise OverflowError("memory mapped offset must be positive")
        if access == ACCESS_DEFAULT:
            if not prot & PROT_WRITE:
                access = ACCESS_READ
            elif flags & MAP_PRIVATE:
                access = ACCESS_COPY
        self._access = access
        self._offset = offset
        self._position = 0
        self._fileno = -1
        if fileno == -1:
            if not length:
                raise ValueError("cannot mmap an empty file")
            self._data = bytearray(length)
            return
        size = os.fstat(fileno).st_size
        if not length:
            if size == 0:
                raise ValueError("cannot mmap an empty file")
            length = size - offset
            if length <= 0:
                raise ValueError("mmap offset is greater than file size")
        elif offset + length > size:
            raise ValueError("mmap length is greater than file size")
        self._data = bytearray(os.pread(fileno, length, offset))
        if access in (ACCESS_DEFAULT, ACCESS_WRITE):
            self._fileno = _os_descriptors.dup_apart(fileno)

    def _open(self):
        if self._data is None:
            raise ValueError("mmap closed or invalid")
        return self._data

    def _writable(self):
        if self._access == ACCESS_READ:
            raise TypeError("mmap can't modify a readonly memory map.")
        return self._open()

    def __buffer__(self, flags):
        view = memoryview(self._open())
        return view.toreadonly() if self._access == ACCESS_READ else view

    def __release_buffer__(self, view):
        """Release what `__buffer__` gave. Without this function numpy would not keep it: an array would outlive the map's memory."""
        view.release()

    def __len__(self):
        return len(self._open())

    def __getitem__(self, index):
        found = self._open()[index]
        return found if isinstance(found, int) else bytes(found)

    def __setitem__(self, index, value):
        data = self._writable()
        if isinstance(index, slice) and len(data[index]) != len(value):
            raise IndexError("mmap slice assignment is wrong size")
        data[index] = value

    def __iter__(self):
        return (bytes((value,)) for value in self._open())

    def __enter__(self):
        self._open()
        return self

    def __exit__(self, *_):
        self.close()

    @property
    def closed(self):
        """Whether `close` was called."""
        return self._data is None

    def close(self):
        """Write back the changes and release the file."""
        if self._data is not None:
            self.flush()
            try:
                self._data.clear()
            except BufferError:
                raise BufferError("cannot close exported pointers exist") from None
            self._data = None
            if self._fileno >= 0:
                os.close(self._fileno)
                self._fileno = -1

    def __del__(self):
        if getattr(self, "_fileno", -1) >= 0:
            try:
                self.close()
            except (BufferError, OSError, ValueError):
                pass

    def flush(self, offset=0, size=None):
        """Write the map back into its file."""
        data = self._open()
        if self._fileno >= 0:
            view, place = memoryview(data), self._offset
            while view:
                count = os.pwrite(self._fileno, view, place)
                view, place = view[count:], place + count

    def find(self, sub, start=None, end=None):
        """The index of `sub`, searched from the position unless `start` is given."""
        return self._open().find(sub, self._position if start is None else start, end)

    def rfind(self, sub, start=None, end=None):
        """The index of `sub`, searched from the end."""
        return self._open().rfind(sub, self._position if start is None else start, end)

    def read(self, size=None):
        """Bytes from the position on."""
        data = self._open()
        end = len(data) if size is None or size < 0 else min(len(data), self._position + size)
        found = bytes(data[self._position : end])
        self._position = max(self._position, end)
        return found

    def read_byte(self):
        """The byte at the position, as a number."""
        if self._position >= len(self._open()):
            raise ValueError("read byte out of range")
        self._position += 1
        return self._data[self._position - 1]

    def readline(self):
        """A line from the position on."""
        end = self._open().find(b"\n", self._position) + 1
        return self.read((end or len(self._data)) - self._position)

    def write(self, data):
        """Overwrite at the position."""
        held, end = self._writable(), self._position + len(data)
        if end > len(held):
            raise ValueError("data out of range")
        held[self._position : end] = data
        self._position = end
        return len(data)

    def write_byte(self, byte):
        """Overwrite one byte at the position."""
        self.write(bytes((byte,)))

    def seek(self, position, whence=os.SEEK_SET):
        """Move the position."""
        base = (0, self._position, len(self._open()))[whence]
        if not 0 <= base + position <= len(self._data):
            raise ValueError("seek out of range")
        self._position = base + position
        return self._position

    def tell(self):
        """The position."""
        self._open()
        return self._position

    def size(self):
        """The length of the file, or of the map without one."""
        return os.fstat(self._fileno).st_size if self._fileno >= 0 else len(self._open())

    def move(self, dest, src, count):
        """Copy `count` bytes within the map."""
        data = self._writable()
        if min(dest, src, count) < 0 or max(dest, src) + count > len(data):
            raise ValueError("source, destination, or count out of range")
        data[dest : dest + count] = data[src : src + count]

    def resize(self, newsize):
        """Always fails: maps keep their size here."""
        raise SystemError("mmap: resizing not available--no mremap()")

    def madvise(self, *_):
        """Accept the advice and ignore it."""

    def __repr__(self):
        if self._data is None:
            return "<mmap.mmap closed=True>"
        name = {0: "ACCESS_DEFAULT", 1: "ACCESS_READ", 2: "ACCESS_WRITE", 3: "ACCESS_COPY"}[self._access]
        return f"<mmap.mmap closed=False, access={name}, length={len(self)}, pos={self._position}, offset={self._offset}>"
