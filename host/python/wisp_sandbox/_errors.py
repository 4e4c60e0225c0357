"""Exceptions, made of the documents that wisp's errors are."""

import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One problem of a policy: where it is, what is wrong, and what to write instead."""

    file: str
    message: str
    line: int | None = None
    column: int | None = None
    label: str | None = None
    help: str | None = None


class WispError(Exception):
    """A call of wisp failed. What the code in a sandbox did wrong is in its result instead.

    `code` is a stable name for programs, such as `file_not_found`; the text is for people, and may change. `fault` says who can do
    something about it: `caller`, `policy`, `guest`, `limit` or `host`. `retryable`: the same call can succeed later by itself.
    """

    code: str
    fault: str
    retryable: bool
    findings: tuple[Finding, ...]

    def __init__(self, document: dict[str, Any], drawn: str | None = None) -> None:
        super().__init__(drawn.rstrip() if drawn else document["message"])
        self.code = document["code"]
        self.fault = document["fault"]
        self.retryable = document["retryable"]
        self.findings = tuple(_finding(found) for found in document.get("findings", ()))
        self._parts = (document, drawn)

    def __str__(self) -> str:
        # Not as OSError has it, which some of the subclasses are too.
        return str(self.args[0])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._parts


class RequestError(WispError):
    """The program asked for something that makes no sense, does not exist, or is not possible now."""


class NotFoundError(RequestError):
    """Nothing has this name or number: a program, a command, a snapshot."""


class SandboxFileNotFoundError(NotFoundError, FileNotFoundError):
    """There is no such file in the sandbox."""


class SandboxFileExistsError(RequestError, FileExistsError):
    """The file exists already."""


class SandboxPermissionError(RequestError, PermissionError):
    """The file's mode or owner forbids it."""


class EndedError(RequestError):
    """The sandbox is closed, or its interpreter has ended (`Sandbox.reset` starts a fresh one)."""


class PolicyError(WispError):
    """The policy is wrong, or refuses what was asked. `findings` say where; the text draws them with their lines."""


class DeniedError(PolicyError, PermissionError):
    """The policy refuses it: a tool, a mount, a function. The text names the rule."""


class SnapshotError(WispError):
    """No snapshot can be taken of what runs, or it does not fit."""


class LimitError(WispError):
    """A limit of the policy ended it."""


class TimeLimitError(LimitError, TimeoutError):
    """`limits.wall`: it took too long."""


class InfraError(WispError):
    """wisp or the machine failed. Nothing that the caller or the guest does differently helps; if it is `retryable`, waiting may."""


_BY_FAULT: dict[str, type[WispError]] = {
    "caller": RequestError,
    "policy": PolicyError,
    "guest": SnapshotError,
    "limit": LimitError,
    "host": InfraError,
}

_BY_CODE: dict[str, type[WispError]] = {
    "file_not_found": SandboxFileNotFoundError,
    "file_exists": SandboxFileExistsError,
    "permission_denied": SandboxPermissionError,
    "program_not_found": NotFoundError,
    "not_found": NotFoundError,
    "ended": EndedError,
    "snapshot_mismatch": SnapshotError,
    "snapshot_refused": SnapshotError,
    "tool_refused": DeniedError,
    "mount_refused": DeniedError,
    "function_refused": DeniedError,
    "wall_limit": TimeLimitError,
}


def from_document(text: str, drawn: str | None) -> WispError:
    """Returns the exception of a document. `drawn` has the findings of a policy with their lines and carets."""
    document = json.loads(text)
    kind = _BY_CODE.get(document["code"]) or _BY_FAULT.get(document["fault"], WispError)
    return kind(document, drawn)


def _finding(found: dict[str, Any]) -> Finding:
    names = ("file", "message", "line", "column", "label", "help")
    return Finding(**{name: found[name] for name in names if name in found})
