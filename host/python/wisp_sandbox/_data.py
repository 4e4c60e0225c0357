"""What is known about what ran: outcomes, receipts, lists. The same data as wisp's JSON, with times in seconds."""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, TypeVar

_Kind = TypeVar("_Kind")


@dataclass(frozen=True)
class LimitHit:
    """A limit that was reached: `limits.wall`, its value as a policy writes it, and the rule that set it."""

    limit: str
    value: str
    rule: str
    ended: bool


@dataclass(frozen=True)
class End:
    """How a command or an evaluation ended, and whose doing that was.

    `exit` (with `code`) and `signal` are the program's own. `limit` and `denied` (`subject`, `rule`) are the policy's. `infra` is a
    fault of wisp or the machine (`error_code`, `message`), and says nothing about the program: count no failure, try again.
    """

    kind: Literal["exit", "signal", "limit", "denied", "infra"]
    code: int | None = None
    signal: int | None = None
    limit: LimitHit | None = None
    subject: str | None = None
    rule: str | None = None
    error_code: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class Usage:
    """The resources that a command used: processor time in seconds, and its processes."""

    cpu: float
    peak_memory_bytes: int
    processes: int


@dataclass(frozen=True)
class Artifact:
    """A file of the output directory, `/output`. `Sandbox.files.read` has its contents."""

    path: str
    mime_type: str
    size_bytes: int
    sha256: str
    title: str | None = None


@dataclass(frozen=True)
class Receipt:
    """A decision: what was asked for, what was decided, and by which rule."""

    kind: str
    subject: str
    verdict: Literal["allowed", "denied"]
    rule: str
    count: int
    process: int
    time_ns: int
    http: dict[str, Any] | None = None


@dataclass(frozen=True)
class Outcome:
    """What a command or an evaluation came to, beside its output. `execution_time` is in seconds."""

    end: End
    exit_code: int
    limit: LimitHit | None
    files: tuple[Artifact, ...]
    files_left_out: tuple[str, ...]
    files_left_out_reasons: tuple[str, ...]
    execution_time: float
    usage: Usage
    receipts: tuple[Receipt, ...]
    receipts_left_out: int
    world: str

    @property
    def success(self) -> bool:
        """Whether it reported success: it exited with 0."""
        return self.end.kind == "exit" and self.end.code == 0


class Artifacts(list[Artifact]):
    """The files of the output directory, by path.

    `left_out` is what else is there, at most 1,000 paths, and `reasons` says why each is left out: `max_files` and `max_bytes` are the
    policy's bounds, `name` is a name with control characters, `link` is a symbolic link to what is among the files, `link_out` one to what
    is not, `special` no regular file; also `too_deep` and `unreadable`.
    """

    def __init__(self, files: Iterable[Artifact] = (), left_out: Iterable[str] = (), reasons: Iterable[str] = ()) -> None:
        super().__init__(files)
        self.left_out: tuple[str, ...] = tuple(left_out)
        self.reasons: tuple[str, ...] = tuple(reasons)


@dataclass(frozen=True)
class CommandInfo:
    """A command of a sandbox: its number, the name that it was given, the exit code of its first process, and what runs of it."""

    id: int
    command: str
    processes: tuple[int, ...]
    tag: str | None = None
    exit_code: int | None = None


@dataclass(frozen=True)
class FunctionInfo:
    """A function outside a sandbox that its code may call: what the code sees of it, and the rule that allows it.

    `parameters` is the JSON Schema of its arguments, `returns` that of its result, or of each item if it gives `items`.
    """

    name: str
    documentation: str
    parameters: dict[str, Any] | None
    returns: dict[str, Any] | None
    items: bool
    rule: str


# For a class that has a method `list`.
CommandInfos = list[CommandInfo]


@dataclass(frozen=True)
class OutputChunk:
    """A piece of output. `end`: nothing will follow."""

    offset: int
    data: bytes
    end: bool

    @property
    def next_offset(self) -> int:
        """The offset after these bytes: where to go on."""
        return self.offset + len(self.data)

    @property
    def text(self) -> str:
        """The bytes as text; U+FFFD stands for what is not UTF-8."""
        return self.data.decode("utf-8", "replace")


def outcome(found: dict[str, Any]) -> Outcome:
    """Returns an outcome, of wisp's JSON."""
    usage = found["usage"]
    return Outcome(
        end=_end(found["end"]),
        exit_code=found["exit_code"],
        limit=_limit(found["limit"]) if found.get("limit") else None,
        files=tuple(part(Artifact, file) for file in found["files"]),
        files_left_out=tuple(found.get("files_left_out", ())),
        files_left_out_reasons=tuple(found.get("files_left_out_reasons", ())),
        execution_time=found["execution_time_ms"] / 1000,
        usage=Usage(usage["cpu_ms"] / 1000, usage["peak_memory_bytes"], usage["processes"]),
        receipts=tuple(part(Receipt, receipt) for receipt in found["receipts"]),
        receipts_left_out=found["receipts_left_out"],
        world=found["world"],
    )


def receipts(text: str) -> list[Receipt]:
    """Returns receipts, of wisp's JSON."""
    return [part(Receipt, receipt) for receipt in json.loads(text)]


def artifacts(text: str) -> Artifacts:
    """Returns the files of the output directory, of wisp's JSON."""
    found = json.loads(text)
    return Artifacts((part(Artifact, file) for file in found["files"]), found["left_out"], found["reasons"])


def functions(text: str) -> list[FunctionInfo]:
    """Returns what is known about functions, of wisp's JSON."""
    return [_function(found) for found in json.loads(text)]


def commands(text: str) -> list[CommandInfo]:
    """Returns what is known about commands, of wisp's JSON."""
    return [_command(found) for found in json.loads(text)]


def command(text: str) -> CommandInfo:
    """Returns what is known about a command, of wisp's JSON."""
    return _command(json.loads(text))


def _function(found: dict[str, Any]) -> FunctionInfo:
    schemas = found.get("parameters"), found.get("returns")
    return FunctionInfo(found["name"], found.get("documentation", ""), *schemas, found["items"], found["rule"])


def _command(found: dict[str, Any]) -> CommandInfo:
    return CommandInfo(found["id"], found["command"], tuple(found["processes"]), found.get("tag"), found.get("exit_code"))


def _end(found: dict[str, Any]) -> End:
    match found["kind"]:
        case "exit":
            return End("exit", code=found["code"])
        case "limit":
            return End("limit", limit=_limit(found))
        case "infra":
            return End("infra", error_code=found["code"], message=found["message"])
        case _:
            return part(End, found)


def _limit(found: dict[str, Any]) -> LimitHit:
    return LimitHit(found["limit"], found["value"], found["rule"], found["ended"])


def part(kind: type[_Kind], found: dict[str, Any]) -> _Kind:
    """Returns a `kind` of the fields that it has; a later version of wisp may have more."""
    names: tuple[str, ...] = vars(kind)["__match_args__"]
    return kind(**{name: found[name] for name in names if name in found})
