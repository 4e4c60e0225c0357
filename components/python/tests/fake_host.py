"""Replaces what componentize-py generates, so that `_wisp` can be imported under any CPython ≥ 3.14."""

import dataclasses
import enum
import pathlib
import sys
import types

#: The bytes written to the descriptors of the start.
written = []


@dataclasses.dataclass
class Value:
    """As in wit/evaluation.wit."""

    text: str
    forms: list


@dataclasses.dataclass
class Frame:
    """As in wit/evaluation.wit."""

    file: str
    line: int
    function: str
    text: str | None


@dataclasses.dataclass
class Failure:
    """As in wit/evaluation.wit."""

    name: str
    message: str
    frames: list
    report: str


@dataclasses.dataclass
class Outcome:
    """As in wit/evaluation.wit."""

    number: int
    value: Value | None
    error: Failure | None
    status: int | None
    lost: list


@dataclasses.dataclass
class Setting:
    """As in wit/evaluation.wit."""

    environment: bytes
    working_directory: str | None
    entropy: bytes | None
    handles: list
    resumed: bool
    signal_flags: bool


class _Any(types.ModuleType):
    """A module in which every name exists."""

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "Err":
            return type("Err", (Exception,), {})
        if name[0].isupper():
            found = (enum.Flag if name.endswith("Flags") else enum.Enum)(name, _NAMES)
        else:
            found = lambda *arguments: None  # noqa: E731
        setattr(self, name, found)
        return found


_NAMES = """ACCESS NOT_PERMITTED NO_ENTRY NO_SUCH_DEVICE EXIST IS_DIRECTORY NOT_DIRECTORY NOT_EMPTY LOOP NAME_TOO_LONG
ILLEGAL_BYTE_SEQUENCE BAD_DESCRIPTOR INVALID FILE_TOO_LARGE INSUFFICIENT_SPACE TOO_MANY_OPEN_FILES READ_ONLY CROSS_DEVICE
BROKEN_PIPE ILLEGAL_SEEK BUSY WOULD_BLOCK NO_PROCESS NOT_EXECUTABLE ARGUMENTS_TOO_LONG INSUFFICIENT_MEMORY UNSUPPORTED IO
CONNECTION_REFUSED CONNECTION_RESET NOT_CONNECTED NOT_SOCKET ADDRESS_IN_USE ADDRESS_NOT_AVAILABLE NO_BUFFER_SPACE
REGULAR DIRECTORY SYMBOLIC_LINK CHARACTER_DEVICE FIFO SOCKET START CURRENT END READ WRITE RECEIVE SEND BOTH"""


class _Handle:
    """An open file: what is to be read is there, and nothing is locked."""

    finalizer = None

    def subscribe_read(self):
        """Ready at once."""
        return self

    def ready(self):
        """Always."""
        return True

    def held_lock(self):
        """None."""
        return None


_IMPORTS = "files process frontend host loopback monotonic_clock poll environment network outgoing_handler wasi_http_types streams threads"


def install():
    """Make `import _wisp` work."""
    names = "wit_world wit_world.imports wit_world.exports wit_world.exports.evaluation componentize_py_types".split()
    names += [f"wit_world.imports.{name}" for name in _IMPORTS.split()]
    for name in names:
        module = sys.modules[name] = _Any(name)
        parent, _, child = name.rpartition(".")
        if parent:
            setattr(sys.modules[parent], child, module)
    sys.modules["_wisp_threads"] = _Any("_wisp_threads")
    for record in (Value, Frame, Failure, Outcome, Setting):
        setattr(sys.modules["wit_world.exports.evaluation"], record.__name__, record)
    process = sys.modules["wit_world.imports.process"]
    process.write_to = lambda number, data: written.append((number, data))
    process.read_from = lambda number, length: b""
    process.inherited = lambda number: _Handle()
    sys.modules["wit_world.imports.files"].adopt = lambda *file: _Handle()
    sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))


def output(number):
    """The bytes written to a descriptor since the last call."""
    found = b"".join(data for where, data in written if where == number)
    written[:] = [(where, data) for where, data in written if where != number]
    return found.decode()
