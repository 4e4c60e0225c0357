"""Lists the objects of the snapshot, which `wisp-fuse --immortal` makes immortal.

Counting references writes to memory, and every page that is written has to be copied in every process. CPython leaves
the counts of immortal objects alone, and nothing in the snapshot ever has to be freed.
"""

import gc
import sys
import types
from importlib import _bootstrap as imports

#: The addresses of objects are multiples of this.
_ALIGNMENT = 4

#: Objects that code refers to: the collector does not follow these references.
_OF_CODE = "co_consts co_names co_name co_qualname co_filename co_linetable co_exceptiontable".split()

_MRO, _BASES, _NAMES = (vars(type)[name].__get__ for name in ("__mro__", "__bases__", "__dict__"))


class _Marks:
    """A set of addresses: one bit for each."""

    def __init__(self):
        self._bits = bytearray()

    def add(self, address):
        """Add an address; whether it is new."""
        place, bit = divmod(address // _ALIGNMENT, 8)
        if place >= len(self._bits):
            self._bits.extend(bytes(place + 1 - len(self._bits) + (1 << 18)))
        if self._bits[place] >> bit & 1:
            return False
        self._bits[place] |= 1 << bit
        return True

    def __iter__(self):
        for place, byte in enumerate(self._bits):
            for bit in range(8):
                if byte >> bit & 1:
                    yield (place * 8 + bit) * _ALIGNMENT


def write(path):
    """Write the address of every object that can be reached from modules, one per line.

    Objects that can be reached only from frames are left out: they are freed when the import of the application ends, of
    which this is the last step. The same holds for what the import machinery records about imports in progress.
    """
    marks, pending = _Marks(), [sys.modules]
    for passing in (imports._module_locks, imports._blocking_on):
        marks.add(id(passing))
    while pending:
        thing = pending.pop()
        if type(thing) is types.FrameType or not marks.add(id(thing)):
            continue
        if type(thing) is types.CodeType:
            pending += [getattr(thing, name) for name in _OF_CODE]
        if isinstance(thing, type):
            # The collector does not look into static C types either.
            pending += [_MRO(thing), _BASES(thing), *gc.get_referents(_NAMES(thing))]
        pending.append(type(thing))
        pending += gc.get_referents(thing)
    with open(path, "w") as file:
        for address in marks:
            file.write(f"{address}\n")
