"""Puts the SQLite of components/sqlite below CPython's module `_sqlite3`.

componentize-py's library of CPython has a small SQLite inside: without write-ahead logs, full-text search, local time, and with a
directory in place of locks. CPython's own part of the module stays. It calls each function of SQLite by its index, so a function here
keeps its index and gets another body: a call through a slot, a word behind the library's data, to the function of the same name in the
extension module `_wisp_sqlite`. That module fills the slots when it is imported, before anything imports `sqlite3`. The bodies of all other
functions of the old SQLite go.
"""

import pathlib
import re

import reproducible
from reproducible import read_number, unsigned

#: The table of the extension module. The slots have its order.
TABLE = pathlib.Path(__file__).resolve().parent.parent / "sqlite/src/table.rs"

#: By this export of the library, the extension module finds the slots.
_EXPORT = "wisp_sqlite_slots"

_CALL = re.compile(rb"\x10([\x80-\xff]{4}[\x00-\x7f])")
_NEVER = b"\x00\x00\x0b"  # no locals, `unreachable`, `end`
_I32 = b"\x7f"


def names(table=TABLE):
    """The functions of SQLite that have a slot, in order."""
    found = re.findall(r"^\s+(sqlite3_\w+),$", table.read_text(), re.MULTILINE)
    if not found or len(set(found)) != len(found):
        raise SystemExit(f"{table} has no list of functions that this can read")
    return found


class _Functions:
    """The functions of a module with their names, types and bodies."""

    def __init__(self, library):
        self.first = len(library.imports)
        self.names = _names(library.module)
        at, data = library.types_at, library.parts[3]
        self.types = []
        for _ in range(library.count):
            form, at = read_number(data, at)
            self.types.append(form)
        at, data = library.code_at, library.parts[10]
        self.bodies = []
        for _ in range(library.count):
            size, at = read_number(data, at)
            self.bodies.append(data[at : at + size])
            at += size

    def called(self, index):
        """The functions that a function calls, as far as the linker has written their indices down with five bytes."""
        for found in _CALL.finditer(self.bodies[index - self.first]):
            yield read_number(found[1], 0)[0]


def _names(module):
    """Index → name of each function, as the section `name` has them."""
    for number, _, at, end in reproducible.sections(module):
        size, start = read_number(module, at)
        if number or module[start : start + size] != b"name":
            continue
        at = start + size
        while at < end:
            kind, (size, start) = module[at], read_number(module, at + 1)
            at = start + size
            if kind == 1:
                return dict(_name_map(module, start))
    raise SystemExit("the library of CPython does not name its functions: is this componentize-py 0.25.1?")


def _name_map(module, at):
    count, at = read_number(module, at)
    for _ in range(count):
        index, at = read_number(module, at)
        size, at = read_number(module, at)
        yield index, module[at : at + size].decode()
        at += size


def _signatures(data):
    """How many parameters each type of function has, and the type's own bytes."""
    count, at = read_number(data, 0)
    for _ in range(count):
        begin, (parameters, at) = at, read_number(data, at + 1)
        results, at = read_number(data, at + parameters)
        at += results
        yield parameters, data[begin:at]


def _memory(data):
    """What `dylink.0` says of the library's memory: its size, and where that number begins and ends."""
    size, at = read_number(data, 0)
    if data[at : at + size] != b"dylink.0" or data[at + size] != 1:
        raise SystemExit("the library of CPython does not begin with the size of its memory: is this componentize-py 0.25.1?")
    length, begin = read_number(data, at + size + 1)
    memory, end = read_number(data, begin)
    return memory, at + size + 1, begin, end, length


def _with_memory(data, memory):
    """The section `dylink.0` for another size of the memory."""
    _, at, begin, end, length = _memory(data)
    number = unsigned(memory)
    return data[:at] + unsigned(length - (end - begin) + len(number)) + number + data[end:]


def _base(library):
    """The index of the global that says where the library's data begin."""
    found = library.globals()
    if ("env", "__memory_base") not in found:
        raise SystemExit("the library of CPython does not import __memory_base: is this componentize-py 0.25.1?")
    return found.index(("env", "__memory_base"))


def exchanged(module, wanted=None):
    """The library of CPython `module` in which the functions `wanted` of SQLite, those of the table, lead to the slots."""
    wanted = wanted or names()
    library = reproducible.Library(module)
    functions = _Functions(library)
    old = [index for index, name in functions.names.items() if name.startswith("sqlite3")]
    first, last = min(old), max(functions.names)  # what the linker took out of one object file, the last one
    inside = range(first, last + 1)
    index = {functions.names[number]: number for number in inside}
    called = {
        functions.names[target]
        for caller in range(functions.first, first)
        for target in functions.called(caller)
        if target in inside
    }
    if called != set(wanted):
        raise SystemExit(f"`_sqlite3` calls other functions of SQLite than {TABLE} lists: {sorted(called ^ set(wanted))}")
    forms = list(_signatures(library.parts[1]))
    dylink = next(module[start:end] for number, _, start, end in reproducible.sections(module) if number == 0)
    size = -(-_memory(dylink)[0] // 4) * 4
    get_base = b"\x23" + unsigned(_base(library))
    for number in inside:
        functions.bodies[number - functions.first] = _NEVER
    for slot, name in enumerate(wanted):
        number = index[name] - functions.first
        form = functions.types[number]
        arguments = b"".join(b"\x20" + unsigned(local) for local in range(forms[form][0]))
        slot_of = get_base + b"\x28\x02" + unsigned(size + 4 * slot)
        functions.bodies[number] = b"\x00" + arguments + slot_of + b"\x11" + unsigned(form) + b"\x00\x0b"
    library.code = b"".join(unsigned(len(body)) + body for body in functions.bodies)
    nothing = next(form for form, (_, text) in enumerate(forms) if text == b"\x60\x00\x01" + _I32)
    library.export(_EXPORT, nothing, get_base + b"\x41" + reproducible.signed(size) + b"\x6a")
    return _with_dylink(library.finish(), _with_memory(dylink, size + 4 * len(wanted)))


def _with_dylink(module, contents):
    """The module with another first section."""
    _, begin, _, end = next(reproducible.sections(module))
    return module[:begin] + reproducible.section(0, contents) + module[end:]
