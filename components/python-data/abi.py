"""The functions of `wit_world.imports` over the one host call of this CPython, in the form of the canonical ABI.

`toolchain/data-image` writes what functions and types there are (`types.rs`), and the bridge that the requests go to
(`bridge.rs`, which says what a request and a response consist of). Everything here is made before the snapshot.
"""

import importlib
import json
import struct
import weakref

import _host
from componentize_py_types import Err, Ok

_HEAD, _SLOT = 24, 8

#: Flat values that a function takes as they are; more are passed in memory.
_MOST_FLAT = 16

_head = struct.Struct("<6I")
_word, _long = struct.Struct("<I"), struct.Struct("<Q")


class _Request:
    """A request while it is written. Addresses in it count from its start."""

    __slots__ = ("bytes", "places")

    def __init__(self, slots):
        self.bytes = bytearray(_HEAD + _SLOT * slots)
        self.places = []

    def room(self, size, align):
        """The offset of new zeros."""
        at = (len(self.bytes) + align - 1) & -align
        self.bytes.extend(bytes(at + size - len(self.bytes)))
        return at

    def data(self, data):
        """The offset of new bytes."""
        at = len(self.bytes)
        self.bytes += data
        return at

    def pointer(self, at, target):
        """Write an address."""
        _word.pack_into(self.bytes, at, target)
        self.places.append(at)

    def send(self, number, result=0, size=0):
        """Make the call; return its result, the bytes it wrote, and the memory they refer to."""
        places = self.room(4 * len(self.places), 4)
        struct.pack_into(f"<{len(self.places)}I", self.bytes, places, *self.places)
        _head.pack_into(self.bytes, 0, number, len(self.places), places, result, size, 0)
        answer = _host.call(bytes(self.bytes))
        value, size, count = struct.unpack_from("<QII", answer)
        written, at, memory = answer[16 : 16 + size], 16 + size, []
        for _ in range(count):
            address, length = struct.unpack_from("<II", answer, at)
            memory.append((address, answer[at + 8 : at + 8 + length]))
            at += 8 + length
        return value, written, memory


def _find(memory, address):
    """The bytes that have an address, and where in them it is."""
    for base, data in memory:
        if base <= address <= base + len(data):
            return data, address - base
    raise MemoryError(f"the host wrote to {address:#x}, which it did not ask for")


class _Number:
    """An integer, a float, a boolean or a character."""

    flat = 1

    def __init__(self, form, into=None, out=None):
        self.form = struct.Struct("<" + form)
        self.size = self.align = self.form.size
        self.into, self.out = into, out

    def store(self, request, at, value):
        """Write it to memory."""
        self.form.pack_into(request.bytes, at, value if self.into is None else self.into(value))

    #: A slot is memory, too: a smaller value has zeros above.
    lower = store

    def load(self, memory, data, at):
        """Read it from memory or from a slot."""
        (value,) = self.form.unpack_from(data, at)
        return value if self.out is None else self.out(value)

    lift = load


class _Signed(_Number):
    """A signed integer: in a slot, its sign fills 32 bits."""

    def lower(self, request, at, value):
        """Write it to a slot."""
        struct.pack_into("<i" if self.size < 8 else "<q", request.bytes, at, value)


class _List:
    """A list; one of bytes is `bytes`."""

    size, align, flat = 8, 4, 2

    def __init__(self, of, is_bytes):
        self.of, self.is_bytes = of, is_bytes

    def store(self, request, at, value, step=4):
        """Write it to memory."""
        count = len(value)
        if self.is_bytes:
            target = request.data(value)
        else:
            of = self.of
            target = request.room(of.size * count, of.align)
            for place, item in enumerate(value):
                of.store(request, target + of.size * place, item)
        request.pointer(at, target)
        _word.pack_into(request.bytes, at + step, count)

    def lower(self, request, at, value):
        """Write it to two slots."""
        self.store(request, at, value, _SLOT)

    def load(self, memory, data, at, step=4):
        """Read it from memory."""
        (address,), (count,) = _word.unpack_from(data, at), _word.unpack_from(data, at + step)
        if not count:
            return b"" if self.is_bytes else []
        data, at = _find(memory, address)
        if self.is_bytes:
            return data[at : at + count]
        of = self.of
        return [of.load(memory, data, at + of.size * place) for place in range(count)]

    def lift(self, memory, data, at):
        """Read it from two slots."""
        return self.load(memory, data, at, _SLOT)


class _Text(_List):
    """A string."""

    def __init__(self):
        super().__init__(None, True)

    def store(self, request, at, value, step=4):
        """Write it to memory."""
        super().store(request, at, value.encode(), step)

    def load(self, memory, data, at, step=4):
        """Read it from memory."""
        return super().load(memory, data, at, step).decode()


class _Tuple:
    """A tuple, or a record: the fields of a data class in their order."""

    def __init__(self, kinds, cls=None):
        self.kinds, self.cls = kinds, cls
        self.names = None if cls is None else tuple(cls.__dataclass_fields__)
        self.align = max((kind.align for kind in kinds), default=1)
        self.places, at = [], 0
        for kind in kinds:
            at = (at + kind.align - 1) & -kind.align
            self.places.append(at)
            at += kind.size
        self.size = (at + self.align - 1) & -self.align
        self.flat = sum(kind.flat for kind in kinds)

    def _values(self, value):
        return value if self.names is None else [getattr(value, name) for name in self.names]

    def _made(self, values):
        return tuple(values) if self.cls is None else self.cls(*values)

    def store(self, request, at, value):
        """Write it to memory."""
        for kind, place, item in zip(self.kinds, self.places, self._values(value), strict=True):
            kind.store(request, at + place, item)

    def lower(self, request, at, value):
        """Write it to slots."""
        for kind, item in zip(self.kinds, self._values(value), strict=True):
            kind.lower(request, at, item)
            at += _SLOT * kind.flat

    def load(self, memory, data, at):
        """Read it from memory."""
        return self._made([kind.load(memory, data, at + place) for kind, place in zip(self.kinds, self.places)])

    def lift(self, memory, data, at):
        """Read it from slots."""
        values = []
        for kind in self.kinds:
            values.append(kind.lift(memory, data, at))
            at += _SLOT * kind.flat
        return self._made(values)


class _Variant:
    """A choice among cases. `split` gives a value's case and what it holds, `join` makes the value of these."""

    def __init__(self, kinds, split, join):
        self.kinds, self.split, self.join = kinds, split, join
        self.head = _Number("B" if len(kinds) <= 256 else "H")
        held = [kind for kind in kinds if kind is not None]
        self.align = max([self.head.size, *(kind.align for kind in held)])
        self.place = (self.head.size + self.align - 1) & -self.align if held else self.head.size
        if held:
            inner = max(kind.align for kind in held)
            self.place = (self.head.size + inner - 1) & -inner
        end = self.place + max((kind.size for kind in held), default=0)
        self.size = (end + self.align - 1) & -self.align
        self.flat = 1 + max((kind.flat for kind in held), default=0)

    def store(self, request, at, value):
        """Write it to memory."""
        case, inner = self.split(value)
        self.head.store(request, at, case)
        if self.kinds[case] is not None:
            self.kinds[case].store(request, at + self.place, inner)

    def lower(self, request, at, value):
        """Write it to slots: those of the longest case are there in all."""
        case, inner = self.split(value)
        self.head.lower(request, at, case)
        if self.kinds[case] is not None:
            self.kinds[case].lower(request, at + _SLOT, inner)

    def load(self, memory, data, at):
        """Read it from memory."""
        case = self.head.load(memory, data, at)
        kind = self.kinds[case]
        return self.join(case, None if kind is None else kind.load(memory, data, at + self.place))

    def lift(self, memory, data, at):
        """Read it from slots."""
        case = self.head.load(memory, data, at)
        kind = self.kinds[case]
        return self.join(case, None if kind is None else kind.lift(memory, data, at + _SLOT))


def _option(kind):
    return _Variant([None, kind], lambda value: (0, None) if value is None else (1, value), lambda case, value: value)


def _result(kinds):
    def split(value):
        return (0, value.value) if isinstance(value, Ok) else (1, value.value)

    return _Variant(kinds, split, lambda case, value: Err(value) if case else Ok(value))


def _cases(classes, kinds):
    numbers = {cls: number for number, cls in enumerate(classes)}

    def split(value):
        return numbers[type(value)], getattr(value, "value", None)

    return _Variant(kinds, split, lambda case, value: classes[case]() if kinds[case] is None else classes[case](value))


def _flags(cls, count):
    form = "B" if count <= 8 else "H" if count <= 16 else "I"
    return _Number(form, lambda value: value.value, cls)


def _owned(cls):
    def into(thing):
        thing.finalizer.detach()
        return thing.handle

    def out(handle):
        thing = object.__new__(cls)
        _own(thing, handle)
        return thing

    return _Number("I", into, out)


def _own(thing, handle):
    thing.handle = handle
    thing.finalizer = weakref.finalize(thing, type(thing)._drop, handle)


_PRIMITIVE = {
    "bool": _Number("B", int, bool),
    "u8": _Number("B"),
    "u16": _Number("H"),
    "u32": _Number("I"),
    "u64": _Number("Q"),
    "s8": _Signed("b"),
    "s16": _Signed("h"),
    "s32": _Signed("i"),
    "s64": _Signed("q"),
    "f32": _Number("f"),
    "f64": _Number("d"),
    "char": _Number("I", ord, chr),
    "string": _Text(),
}

_made = {}


def _class(path):
    module, _, name = path.rpartition(".")
    return getattr(importlib.import_module("wit_world." + module), name)


def _type(text):
    """The type of its description."""
    if text is None:
        return None
    if isinstance(text, str):
        return _PRIMITIVE[text]
    key = json.dumps(text)
    if key not in _made:
        _made[key] = _new_type(*text)
    return _made[key]


def _new_type(kind, *rest):
    match kind:
        case "list":
            return _List(_type(rest[0]), rest[0] == "u8")
        case "option":
            return _option(_type(rest[0]))
        case "result":
            return _result([_type(text) for text in rest])
        case "tuple":
            return _Tuple([_type(text) for text in rest])
        case "record":
            return _Tuple([_type(text) for text in rest[1:]], _class(rest[0]))
        case "variant":
            return _cases([_class(name) for name, _ in rest], [_type(text) for _, text in rest])
        case "enum":
            return _Number("B" if rest[1] <= 256 else "H", lambda value: value.value, list(_class(rest[0])).__getitem__)
        case "flags":
            return _flags(_class(rest[0]), rest[1])
        case "own":
            return _owned(_class(rest[0]))
        case "borrow":
            return _Number("I", lambda thing: thing.handle)
    raise TypeError(kind)


def _function(number, parameters, result):
    """The import of this number as a function of Python."""
    arguments = _Tuple([_type(text) for text in parameters])
    kind = _type(result)
    flat = 0 if kind is None else kind.flat
    fallible = isinstance(result, list) and result[0] == "result"
    in_memory = arguments.flat > _MOST_FLAT
    slots = (1 if in_memory else arguments.flat) + (flat > 1)

    def function(*values):
        request = _Request(slots)
        if in_memory:
            place = request.room(arguments.size, arguments.align)
            arguments.store(request, place, values)
            request.pointer(_HEAD, place)
        else:
            arguments.lower(request, _HEAD, values)
        if flat > 1:
            place = request.room(kind.size, 8)
            request.pointer(_HEAD + _SLOT * (slots - 1), place)
            _, written, memory = request.send(number, place, kind.size)
            value = kind.load(memory, written, 0)
        elif flat:
            value, _, memory = request.send(number)
            value = kind.lift(memory, _long.pack(value), 0)
        else:
            request.send(number)
            return None
        if fallible:
            if isinstance(value, Err):
                raise value
            return value.value
        return value

    return function


def _snake(name):
    return name.replace("-", "_").lower()


def _put(number, described):
    """Put the import of this number where Python expects it."""
    module = importlib.import_module("wit_world." + described["module"])
    if "drop" in described:
        cls = _class(described["drop"])
        cls._drop = staticmethod(_function(number, ["u32"], None))
        cls.__exit__ = lambda self, *reason: self.finalizer()
        cls.__enter__ = lambda self: self
        return
    function = _function(number, described["params"], described["result"])
    name = described["name"]
    function.__name__ = function.__qualname__ = _snake(name.rpartition("]")[2].rpartition(".")[2])
    if not name.startswith("["):
        setattr(module, function.__name__, function)
        return
    kind, _, rest = name[1:].partition("]")
    owner, _, method = rest.partition(".")
    cls = getattr(module, "".join(word.capitalize() for word in owner.split("-")))
    if kind == "method":
        setattr(cls, _snake(method), function)
    elif kind == "static":
        setattr(cls, _snake(method), classmethod(lambda cls, *values: function(*values)))
    else:  # a constructor makes the resource, of which `self` becomes the only holder

        def __init__(self, *values):
            made = function(*values)
            made.finalizer.detach()
            _own(self, made.handle)

        cls.__init__ = __init__


class Exports:
    """The exports: their functions of Python in the order of their numbers."""

    def __init__(self, described, functions, first):
        self._functions = [
            (_Tuple([_type(text) for text in export["params"]]), _type(export["result"]), function)
            for export, function in zip(described, functions, strict=True)
        ]
        self._ask, self._give = first, first + 1

    def go(self):
        """Do what the host called."""
        value, _, memory = _Request(0).send(self._ask)
        parameters, kind, function = self._functions[value >> 32]
        values = ()
        if parameters.flat:
            data, at = _find(memory, value & 0xFFFFFFFF)
            values = parameters.lift(memory, data, at)
        found = function(*values)
        request = _Request(1)
        if kind is not None and kind.flat > 1:
            place = request.room(kind.size, 8)
            kind.store(request, place, found)
            request.pointer(_HEAD, place)
        elif kind is not None:
            kind.lower(request, _HEAD, found)
        request.send(self._give)


def install(text, functions):
    """Make the functions of `wit_world.imports` work, and return the exports."""
    world = json.loads(text)
    for number, described in enumerate(world["imports"]):
        _put(number, described)
    return Exports(world["exports"], functions, len(world["imports"]))
