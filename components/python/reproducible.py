"""Makes the snapshot of the interpreter the same in every build.

While componentize-py runs the interpreter, time, randomness and the facts about files come from the building machine, and
they stay in the memory that it writes: the seed of string hashes decides the order of every dict, and times remain in
memory that was freed. So the C library of componentize-py gets other functions in place of those few imports while the
interpreter is built, in a copy of componentize-py; the component gets the original back.

What stays changed are three names of its exports (`_GIVEN_UP`): the functions of local time are those of `components/localtime`.
"""

import pathlib
import shutil

import zstandard

#: The time that every clock reports.
_TIME = 1_767_225_600  # 2026-01-01

#: Functions of the C library that know no time zone, and the names that they get: CPython is linked with functions of
#: `components/localtime` by these names.
_GIVEN_UP = {"localtime_r": "utc_localtime_r", "mktime": "utc_mktime", "wcsftime": "utc_wcsftime"}


def unsigned(value, padded=False):
    """A number in LEB128; padded to five bytes as linkers leave it in calls."""
    out = bytearray()
    while True:
        low, value = value & 0x7F, value >> 7
        if not value and not (padded and len(out) < 4):
            return bytes([*out, low])
        out.append(low | 0x80)


def signed(value):
    """A signed number in LEB128."""
    out = bytearray()
    while True:
        low, value = value & 0x7F, value >> 7
        if (value == 0 and not low & 0x40) or (value == -1 and low & 0x40):
            return bytes([*out, low])
        out.append(low | 0x80)


def read_number(data, at, signed=False):
    """Read a number in LEB128; return it and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        value |= (byte & 0x7F) << shift
        at, shift = at + 1, shift + 7
        if not byte & 0x80:
            return value - (1 << shift if signed and byte & 0x40 else 0), at


def sections(module):
    """The sections of a module or component: (number, its start, the start of its contents, its end)."""
    at = 8
    while at < len(module):
        size, start = read_number(module, at + 1)
        yield module[at], at, start, start + size
        at = start + size


class Library:
    """A module whose calls of imports, or whose exports, are redirected to functions added at its end."""

    def __init__(self, module):
        self.module = module
        self.parts = {number: module[start:end] for number, _, start, end in sections(module) if number}
        self.imports = self._imports()
        self.exports = self._exports()
        self.count, self.types_at = read_number(self.parts[3], 0)
        _, self.code_at = read_number(self.parts[10], 0)
        self.code = self.parts[10][self.code_at :]
        self.types = self.parts[3][self.types_at :]
        self.added, self.exported, self.renamed = [], {}, {}

    def _name(self, data, at):
        size, at = read_number(data, at)
        return data[at : at + size].decode(), at + size

    def _imports(self):
        """(module, name) → (index, type) of every function that is imported."""
        functions = [(module, name, form) for module, name, kind, form in self._all_imports() if kind == 0]
        return {(module, name): (index, form) for index, (module, name, form) in enumerate(functions)}

    def globals(self):
        """(module, name) of every global that is imported, in order."""
        return [(module, name) for module, name, kind, _ in self._all_imports() if kind == 3]

    def _all_imports(self):
        """(module, name, kind, type of a function) of everything that is imported."""
        data = self.parts[2]
        count, at = read_number(data, 0)
        for _ in range(count):
            module, at = self._name(data, at)
            name, at = self._name(data, at)
            kind, at, form = data[at], at + 1, None
            if kind == 0:
                form, at = read_number(data, at)
            elif kind == 3:
                at += 2
            else:  # a table has a type before its limits
                limits, at = data[at + (kind == 1)], at + (kind == 1) + 1
                for _ in range(1 + (limits & 1)):
                    _, at = read_number(data, at)
            yield module, name, kind, form

    def _exports(self):
        """name → index of every function that is exported."""
        found, data = {}, self.parts[7]
        count, at = read_number(data, 0)
        for _ in range(count):
            name, at = self._name(data, at)
            kind = data[at]
            index, at = read_number(data, at + 1)
            if kind == 0:
                found[name] = index
        return found

    def redirect(self, module, name, body):
        """Make every call of an import run `body` instead, which receives the call of the import itself to use."""
        wanted = [key for key in self.imports if key[0].partition("@")[0] == module and key[1] == name]
        if len(wanted) != 1:
            raise SystemExit(f"the C library of componentize-py does not import {module}#{name}: is this 0.25.1?")
        index, form = self.imports[wanted[0]]
        call = b"\x10" + unsigned(index, padded=True)
        new = b"\x10" + unsigned(len(self.imports) + self.count + len(self.added), padded=True)
        if not self.code.count(call):
            raise SystemExit(f"the C library of componentize-py never calls {name}: is this 0.25.1?")
        self.code = self.code.replace(call, new)
        self.added.append((form, body(call)))

    def wrap(self, name, body):
        """Make an exported function run `body` instead, which receives the call of the function itself to use."""
        index = self.exports[name]
        at = self.types_at
        for _ in range(index - len(self.imports) + 1):
            form, at = read_number(self.parts[3], at)
        self.exports[name] = len(self.imports) + self.count + len(self.added)
        self.added.append((form, body(b"\x10" + unsigned(index))))

    def rename(self, name, other):
        """Export a function by another name, by which the module itself imports it too if it does."""
        if name not in self.exports:
            raise SystemExit(f"the C library of componentize-py has no {name}: is this 0.25.1?")
        self.renamed[name] = other
        self.parts[2] = self.parts[2].replace(text("env") + text(name) + b"\0", text("env") + text(other) + b"\0")

    def export(self, name, form, body):
        """Add a function, and export it."""
        self.exported[name] = len(self.imports) + self.count + len(self.added)
        self.added.append((form, body))

    def finish(self):
        """The module with the redirections."""
        for form, body in self.added:
            self.types += unsigned(form)
            self.code += unsigned(len(body) + 2) + b"\x00" + body + b"\x0b"
        total = unsigned(self.count + len(self.added))
        changed = {2: self.parts[2], 3: total + self.types, 7: self._new_exports(), 10: total + self.code}
        return replace_sections(self.module, changed)

    def _new_exports(self):
        """The section of exports with the functions that they have now, and those that were added."""
        data, out = self.parts[7], bytearray()
        count, at = read_number(data, 0)
        out += unsigned(count + len(self.exported))
        for _ in range(count):
            name, end = self._name(data, at)
            kind, (index, after) = data[end], read_number(data, end + 1)
            shown = self.renamed.get(name, name) if kind == 0 else name
            out += text(shown) + bytes([kind]) + unsigned(self.exports[name] if kind == 0 else index)
            at = after
        for name, index in self.exported.items():
            out += text(name) + b"\0" + unsigned(index)
        return bytes(out)


def text(name):
    """A name as modules have it."""
    return unsigned(len(name)) + name.encode()


def section(number, contents):
    """A section of a module or component."""
    return bytes([number]) + unsigned(len(contents)) + contents


def replace_sections(module, changed):
    """The module with the contents of some sections replaced."""
    out = bytearray(module[:8])
    for number, begin, _, end in sections(module):
        if number in changed:
            out += section(number, changed[number])
        else:
            out += module[begin:end]
    return bytes(out)


def _constant(value):
    return b"\x41" + signed(value)


def _store(local, offset, value, wide=True):
    """Store a 64-bit or 32-bit constant at an address in a parameter."""
    if wide:
        return b"\x20" + bytes([local]) + b"\x42" + signed(value) + b"\x37\x03" + unsigned(offset)
    return b"\x20" + bytes([local]) + _constant(value) + b"\x36\x02" + unsigned(offset)


def _without_chance(module):
    """The C library as it is while the interpreter is built."""
    library = Library(module)
    malloc = b"\x10" + unsigned(library.exports["malloc"])
    get = lambda local: b"\x20" + bytes([local])  # noqa: E731
    # A list of bytes: its address and length go into the second parameter; the bytes are always the same.
    chance = get(1) + get(0) + b"\xa7" + malloc + b"\x36\x02\x00" + get(1) + get(0) + b"\xa7\x36\x02\x04"
    chance += get(1) + b"\x28\x02\x00" + _constant(0x57) + get(0) + b"\xa7\xfc\x0b\x00"
    library.redirect("wasi:random/random", "get-random-bytes", lambda call: chance)
    library.redirect("wasi:clocks/wall-clock", "now", lambda call: _store(0, 0, _TIME) + _store(0, 8, 0, wide=False))
    library.redirect("wasi:clocks/monotonic-clock", "now", lambda call: b"\x42" + signed(_TIME))
    # A file has no times (bytes 32 to 104 of the result) and no number of its own.
    forget = _constant(32) + b"\x6a" + _constant(0) + _constant(72) + b"\xfc\x0b\x00"
    library.redirect("wasi:filesystem/types", "[method]descriptor.stat", lambda call: get(0) + get(1) + call + get(1) + forget)
    at = lambda call: b"".join(get(n) for n in range(5)) + call + get(4) + forget  # noqa: E731
    library.redirect("wasi:filesystem/types", "[method]descriptor.stat-at", at)
    number = lambda local: _store(local, 8, 1) + _store(local, 16, 1)  # noqa: E731
    library.redirect("wasi:filesystem/types", "[method]descriptor.metadata-hash", lambda call: get(0) + get(1) + call + number(1))
    hash_at = lambda call: b"".join(get(n) for n in range(5)) + call + number(4)  # noqa: E731
    library.redirect("wasi:filesystem/types", "[method]descriptor.metadata-hash-at", hash_at)
    for name, other in _GIVEN_UP.items():
        library.rename(name, other)
    return library.finish()


def frames(data):
    """The compressed parts of componentize-py's extension module: (where, size, contents)."""
    at = 0
    while (at := data.find(b"\x28\xb5\x2f\xfd", at)) >= 0:
        reader = zstandard.ZstdDecompressor().decompressobj()
        try:
            contents = reader.decompress(data[at:])
        except zstandard.ZstdError:
            at += 4
            continue
        size = len(data) - at - len(reader.unused_data)
        yield at, size, contents
        at += size


def _only(libraries, mark, export):
    """The one library that contains a mark and exports a function."""
    found = [frame for frame in libraries if mark in frame[2] and export in Library(frame[2]).exports]
    if len(found) != 1:
        raise SystemExit(f"{len(found)} libraries of componentize-py export {export}: is this 0.25.1?")
    return found[0]


def _put(data, frame, contents):
    """The data with other contents in the place of a compressed part."""
    at, size, _ = frame
    packed = zstandard.ZstdCompressor(level=22).compress(contents)
    room = size - len(packed)
    if room < 0 or 0 < room < 8:
        raise SystemExit("a changed library of componentize-py does not fit in the place of the original")
    filler = b"\x50\x2a\x4d\x18" + (room - 8).to_bytes(4, "little") + bytes(room - 8) if room else b""
    return data[:at] + packed + filler + data[at + size :]


class Tool:
    """A copy of componentize-py in `work` whose interpreter has no randomness, and the way back for its components. In the library of
    CPython, `exchange` is called to change it for good."""

    def __init__(self, work, exchange):
        import componentize_py

        source = pathlib.Path(componentize_py.__file__).parent
        self.path = work / "tool"
        shutil.copytree(source, self.path / "componentize_py")
        (module,) = (self.path / "componentize_py").glob("componentize_py*.so")
        data = module.read_bytes()
        libraries = [frame for frame in frames(data) if frame[2][:4] == b"\0asm"]
        c_library = _only(libraries, b"wasi:random/random", "getentropy")
        self.original = c_library[2]
        self.patched = _without_chance(self.original)
        data = _put(data, c_library, self.patched)
        python = _only(libraries, b"PyInit__sqlite3", "PyInit__sqlite3")
        data = _put(data, python, exchange(python[2]))
        module.unlink()  # it may be a link to the original
        module.write_bytes(data)

    def restore(self, component):
        """The component with the original C library, its data and globals as they are."""
        wanted = {number: self.original[start:end] for number, _, start, end in sections(self.original) if number in (3, 10)}
        changed = {number: self.patched[start:end] for number, _, start, end in sections(self.patched) if number in (3, 10)}
        out, count = bytearray(component[:8]), 0
        for number, begin, start, end in sections(component):
            module = component[start:end]
            if number == 1 and {n: module[s:e] for n, _, s, e in sections(module) if n in (3, 10)} == changed:
                module = replace_sections(module, wanted)
                out += section(1, module)
                count += 1
            else:
                out += component[begin:end]
        if count != 1:
            raise SystemExit(f"{count} changed C libraries in the component, where one was expected")
        return bytes(out)
