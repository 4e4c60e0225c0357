"""Reads the memory that componentize-py wrote into a component, and changes a string in it."""

import bisect

import reproducible
from reproducible import read_number


class Image:
    """The memory of a component: the data of its first core module."""

    def __init__(self, component):
        self.component = bytearray(component)
        self.globals, self.exports, self.segments = [], {}, []
        start, end = next((start, end) for number, _, start, end in reproducible.sections(component) if number == 1)
        module = component[start:end]
        for number, _, at, _ in reproducible.sections(module):
            if number == 6:
                self._read_globals(module, at)
            elif number == 7:
                self._read_exports(module, at)
            elif number == 11:
                self._read_segments(module, at, start)

    def _read_globals(self, module, at):
        count, at = read_number(module, at)
        for _ in range(count):
            opcode = module[at + 2]
            value, at = read_number(module, at + 3, signed=True)
            self.globals.append(value if opcode == 0x41 else None)
            at += 1  # end

    def _read_exports(self, module, at):
        count, at = read_number(module, at)
        for _ in range(count):
            size, at = read_number(module, at)
            name, kind = module[at : at + size].decode(), module[at + size]
            index, at = read_number(module, at + size + 1)
            if kind == 3:
                self.exports[name] = index

    def _read_segments(self, module, at, base):
        count, at = read_number(module, at)
        for _ in range(count):
            address, at = read_number(module, at + 2, signed=True)
            size, at = read_number(module, at + 1)
            self.segments.append((address, size, base + at))
            at += size
        self.segments.sort()

    def address_of(self, symbol):
        """The address of a library's variable, as the component exports it: `libc.so:errno`."""
        return self.globals[self.exports[symbol]]

    def _place(self, address, size):
        """Where in the component the bytes at an address are; None if they are not all there, because zeros are left out."""
        begin, length, place = self.segments[bisect.bisect_right(self.segments, (address, 1 << 32, 0)) - 1]
        if begin <= address and address + size <= begin + length:
            return place + address - begin
        return None

    def find(self, text):
        """The address of these bytes, which are there once."""
        found = [(address, at) for address, size, place in self.segments if (at := self.component.find(text, place, place + size)) >= 0]
        if len(found) != 1:
            raise SystemExit(f"the component's image has {text!r} {len(found)} times, not once")
        address, at = found[0]
        place = next(place for begin, _, place in self.segments if begin == address)
        return address + at - place

    def word(self, address):
        """The 32 bits at an address."""
        places = [self._place(address + offset, 1) for offset in range(4)]
        return int.from_bytes((0 if place is None else self.component[place] for place in places), "little")

    def replace_string(self, address, before, after):
        """Put `after`, which must not be longer, in place of the string at an address, which must be `before`."""
        place = self._place(address, len(before)) or 0
        found = bytes(self.component[place : place + len(before)])
        if found != before or len(after) > len(before):
            raise SystemExit(f"the component's image has {found!r} where {before!r} was expected")
        self.component[place : place + len(before)] = after.ljust(len(before), b"\0")
