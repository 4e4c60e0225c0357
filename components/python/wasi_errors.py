"""Gives the errors that C code of CPython raises the numbers and texts that they have on Linux.

The C library and CPython are compiled with WASI's numbers, and compare with them. A program sees one only where it becomes a number of
Python, which are few places, found by the names of the functions in the module. `_wisp/linux_errors.py` has Linux's errors, and does the
same for what is Python's: the module `errno`, the classes of `OSError`, `os.strerror`.

    wasi_errors.py MODULE

changes a file: a module that has CPython and the C library in it (`toolchain/python-data`).
"""

import importlib.util
import pathlib
import sys

sys.dont_write_bytecode = True

from reproducible import Library, read_number, section, sections, unsigned  # noqa: E402

#: The names of WASI's errors, the first of which has the number 1.
WASI = """
E2BIG EACCES EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT EAGAIN EALREADY EBADF EBADMSG EBUSY ECANCELED ECHILD ECONNABORTED ECONNREFUSED
ECONNRESET EDEADLOCK EDESTADDRREQ EDOM EDQUOT EEXIST EFAULT EFBIG EHOSTUNREACH EIDRM EILSEQ EINPROGRESS EINTR EINVAL EIO EISCONN EISDIR
ELOOP EMFILE EMLINK EMSGSIZE EMULTIHOP ENAMETOOLONG ENETDOWN ENETRESET ENETUNREACH ENFILE ENOBUFS ENODEV ENOENT ENOEXEC ENOLCK ENOLINK
ENOMEM ENOMSG ENOPROTOOPT ENOSPC ENOSYS ENOTCONN ENOTDIR ENOTEMPTY ENOTRECOVERABLE ENOTSOCK ENOTSUP ENOTTY ENXIO EOVERFLOW EOWNERDEAD
EPERM EPIPE EPROTO EPROTONOSUPPORT EPROTOTYPE ERANGE EROFS ESPIPE ESRCH ESTALE ETIMEDOUT ETXTBSY EXDEV ENOTCAPABLE
""".split()

#: Linux has no error of capabilities.
_INSTEAD = {"ENOTCAPABLE": "EPERM"}

#: Errors of sockets that C code does not raise: those of a session are Python's (`_wisp/sockets.py`). The texts of Linux are longer than
#: the C library's, and need their room.
_WITHOUT_TEXT = """
EADDRINUSE EADDRNOTAVAIL EAFNOSUPPORT ECONNABORTED EDESTADDRREQ EHOSTUNREACH EISCONN ENETDOWN ENETRESET ENETUNREACH ENOPROTOOPT ENOTCONN
ENOTSOCK EPROTONOSUPPORT EPROTOTYPE
""".split()

_FIRST_TEXTS = b"Success\0Illegal byte sequence\0"

#: Where a number becomes Python's: (the function, what it calls with the number, how many arguments that takes). The last argument leads to
#: the values, of which the number is the first.
_RAISED = (("PyErr_SetFromErrnoWithFilenameObjects", "Py_BuildValue", 2), ("_set_BlockingIOError", "PyObject_CallFunction", 3))

#: Where a number of Python's is compared with EINTR: the function, and `i32.const 27, i32.ne`.
_COMPARED, _IS_NOT_EINTR = "_PyIO_trap_eintr", b"\x41\x1b\x47"


def _linux():
    """Return the number and text that each of WASI's errors has on Linux, in the order of WASI's numbers."""
    path = pathlib.Path(__file__).parent / "_wisp" / "linux_errors.py"
    specification = importlib.util.spec_from_file_location("linux_errors", path)
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    found = {name: (number, text) for number, name, text in module.rows()}
    return [found[_INSTEAD.get(name, name)] for name in WASI]


def in_component(component):
    """Return the component with CPython's library and the texts changed."""
    out, count = bytearray(component[:8]), 0
    for number, begin, start, end in sections(component):
        module = bytes(component[start:end])
        if number == 1 and b"PyErr_SetFromErrno" in module and "PyErr_SetFromErrno" in Library(module).exports:
            out += section(1, _with_numbers(module))
            count += 1
        else:
            out += component[begin:end]
    if count != 1:
        raise SystemExit(f"{count} modules of the component are CPython's library, where one was expected: is this componentize-py 0.25.1?")
    return _with_texts(bytes(out))


class Named(Library):
    """A module whose functions have names."""

    def __init__(self, module):
        super().__init__(module)
        self.code = bytearray(self.code)
        self._indices = self._read_names()

    def _read_names(self):
        """name → indices of the functions that have it."""
        found = {}
        for number, _, at, end in sections(self.module):
            if number or self._name(self.module, at)[0] != "name":
                continue
            _, at = self._name(self.module, at)
            while at < end:
                kind = self.module[at]
                size, at = read_number(self.module, at + 1)
                if kind == 1:
                    count, place = read_number(self.module, at)
                    for _ in range(count):
                        index, place = read_number(self.module, place)
                        length, place = read_number(self.module, place)
                        found.setdefault(self.module[place : place + length], []).append(index)
                        place += length
                at += size
        return found

    def index(self, name):
        """The index of the one function of this name."""
        found = self._indices.get(name.encode(), ())
        if len(found) != 1:
            raise SystemExit(f"{len(found)} functions of the module are named {name}, where one was expected")
        return found[0]

    def place(self, name):
        """Where the body of a function is in `code`."""
        at = 0
        for _ in range(self.index(name) - len(self.imports)):
            size, at = read_number(self.code, at)
            at += size
        size, at = read_number(self.code, at)
        return at, at + size

    def form(self, name):
        """The index of a function's type."""
        at = self.types_at
        for _ in range(self.index(name) - len(self.imports) + 1):
            form, at = read_number(self.parts[3], at)
        return form

    def add(self, form, body):
        """Add a function; return a call of it."""
        self.added.append((form, body))
        return b"\x10" + unsigned(len(self.imports) + self.count + len(self.added) - 1, padded=True)

    def replace(self, name, before, after):
        """Replace bytes in a function by as many others."""
        start, end = self.place(name)
        body = bytes(self.code[start:end])
        if before not in body or len(before) != len(after):
            raise SystemExit(f"the function {name} of the module is not what was expected")
        self.code[start:end] = body.replace(before, after)


def _number(value):
    """Return `i32.const` of a number below 8,192."""
    return b"\x41" + (bytes([value]) if value < 64 else bytes([value & 0x7F | 0x80, value >> 7]))


def _translation(numbers):
    """Return the body of a function from WASI's numbers to Linux's: `br_table` into as many blocks. Others stay."""
    blocks = b"\x02\x40" * (len(numbers) + 1)
    table = b"\x20\x00\x0e" + unsigned(len(numbers)) + b"".join(unsigned(n) for n in range(len(numbers))) + unsigned(len(numbers))
    return blocks + table + b"".join(b"\x0b" + _number(number) + b"\x0f" for number in numbers) + b"\x0b\x20\x00"


def _with_numbers(module):
    """Return the module with CPython changed."""
    library = Named(module)
    translate = library.add(library.form("PyLong_FromLong"), _translation([0, *(number for number, _ in _linux())]))
    for function, called, count in _RAISED:
        call = b"\x10" + unsigned(library.index(called), padded=True)
        arguments = b"".join(b"\x20" + bytes([local]) for local in range(count))
        values = b"\x20" + bytes([count - 1])
        body = values + values + b"\x28\x02\x00" + translate + b"\x36\x02\x00" + arguments + call
        library.replace(function, call, library.add(library.form(called), body))
    library.replace(_COMPARED, _IS_NOT_EINTR, b"\x41\x04\x47")
    return library.finish()


def _with_texts(image):
    """Return the image with the texts of the C library's `strerror` changed: strings one after the other, and a table of where each begins."""
    start = image.find(_FIRST_TEXTS)
    if start < 0 or image.find(_FIRST_TEXTS, start + 1) >= 0:
        raise SystemExit("the texts of the C library's errors are not in the image once")
    begins, at = {}, start
    while image[at]:
        end = image.index(0, at)
        begins[at - start] = image[at:end].decode()
        at = end + 1
    size = 2 * (len(WASI) + 1)
    for table in range(at, at + 32):
        offsets = [int.from_bytes(image[place : place + 2], "little") for place in range(table, table + size, 2)]
        if sorted(offsets) == sorted(begins) and begins[offsets[WASI.index("ENOENT") + 1]] == "No such file or directory":
            break
    else:
        raise SystemExit("there is no table after the texts of the C library's errors")
    texts = ["Success", *("Unknown error" if name in _WITHOUT_TEXT else text for name, (_, text) in zip(WASI, _linux()))]
    new, places = bytearray(), {}
    for text in texts:
        if text not in places:
            places[text] = len(new)
            new += text.encode() + b"\0"
    if len(new) > table - start:
        raise SystemExit(f"the texts of Linux's errors need {len(new)} bytes, and {table - start} are there")
    offsets = b"".join(places[text].to_bytes(2, "little") for text in texts)
    return image[:start] + bytes(new.ljust(table - start, b"\0")) + offsets + image[table + size :]


def main():
    """Change the file that the command line names."""
    path = pathlib.Path(sys.argv[1])
    path.write_bytes(_with_texts(_with_numbers(path.read_bytes())))


if __name__ == "__main__":
    main()
