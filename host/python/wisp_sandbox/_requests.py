"""What both kinds of sandbox ask of the module in Rust: the same arguments make the same calls."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from . import _native
from ._file_data import Diff
from ._native import Call, Policy

if TYPE_CHECKING:
    from ._engine import Engine

Language = Literal["python", "bash"]
Stream = Literal["stdout", "stderr"]
Access = Literal["read", "write", "overlay"]
Receive = Callable[[str], object]
ReceiveBytes = Callable[[bytes], object]

# A sandbox with a key is closed after it has been idle for this long: no object keeps it open.
_KEYED_IDLE_MS = 30 * 60 * 1000
# The interpreter and the shell of `run_code`.
_PYTHON = "python"
_SHELL = "main"


class Mount(NamedTuple):
    """A directory or a file of the host in the sandbox.

    With the access `write` the sandbox changes the host's files; with `overlay` what it writes stays in the sandbox.
    """

    host: str | os.PathLike[str]
    guest: str
    access: Access = "read"


def policy_of(policy: Policy | str | os.PathLike[str]) -> Policy:
    """Returns a policy: one that is an object, the name of one of wisp's, TOML text, or a path."""
    if isinstance(policy, Policy):
        return policy
    if isinstance(policy, str):
        is_text = "\n" in policy or "=" in policy
        return Policy.parse(policy) if is_text else Policy.load(policy)
    path = os.fspath(policy)
    # A path without a folder is no name.
    return Policy.load(path if os.sep in path else os.path.join(os.curdir, path))


@dataclass(frozen=True, repr=False)
class Opening:
    """What a sandbox is opened with, beside its policy and its request, as the module in Rust takes it. Secrets are not shown."""

    mounts: list[tuple[str | os.PathLike[str], str, str]]
    timeout: float | None
    files: list[tuple[str, bytes]]
    functions: list[_native.Function]
    secrets: list[tuple[str, str]]
    engine: _native.Engine | None


def open_session(
    policy: Policy | str | os.PathLike[str],
    mounts: Sequence[Mount],
    env: Mapping[str, str] | None,
    files: Mapping[str, str | bytes] | None,
    timeout: float | None,
    key: str | None,
    functions: list[_native.Function],
    secrets: Mapping[str, str] | None,
    engine: Engine | None,
) -> Call[_native.Session]:
    """Returns the call that opens a sandbox."""
    request: dict[str, Any] = {"env": dict(env or {})}
    if key is not None:
        request |= {"key": key, "idle_ms": _KEYED_IDLE_MS}
    opening = Opening(
        mounts=[(mount.host, mount.guest, mount.access) for mount in (Mount(*mount) for mount in mounts)],
        timeout=timeout,
        files=[(path, data_of(data)) for path, data in (files or {}).items()],
        functions=functions,
        secrets=list((secrets or {}).items()),
        engine=None if engine is None else engine._native,
    )
    return _native.open_session(policy_of(policy), json.dumps(request), opening)


def evaluate(session: _native.Session, code: str, timeout: float | None) -> Call[_native.Evaluation]:
    """Returns the call that starts evaluating code."""
    return session.evaluate(_json(code=code, interpreter=_PYTHON, timeout_ms=_milliseconds(timeout)))


def run_script(session: _native.Session, script: str, timeout: float | None) -> Call[_native.Command]:
    """Returns the call that starts a script in the shell whose state stays."""
    return session.start(_json(script=script, shell=_SHELL, timeout_ms=_milliseconds(timeout)), None, True)


def reset(session: _native.Session) -> Call[None]:
    """Returns the call that starts the interpreter over."""
    return session.reset(_PYTHON)


def start(
    session: _native.Session,
    command: str | Sequence[str],
    *,
    held: bool,
    env: Mapping[str, str] | None,
    cwd: str | None,
    stdin: str | bytes | None,
    pipe_stdin: bool,
    timeout: float | None,
    tag: str | None,
) -> Call[_native.Command]:
    """Returns the call that starts a command: a script for `sh`, or a program with its arguments."""
    what: dict[str, Any] = {"script": command} if isinstance(command, str) else {"argv": list(command)}
    request = _json(
        **what,
        env=dict(env or {}),
        working_directory=cwd,
        pipe_stdin=pipe_stdin,
        timeout_ms=_milliseconds(timeout),
        tag=tag,
        # What it leaves in the background goes on, as it does after a shell.
        end="first_process",
    )
    return session.start(request, None if stdin is None else data_of(stdin), held)


def start_pty(
    session: _native.Session,
    command: str | Sequence[str] | None,
    rows: int,
    columns: int,
    cwd: str | None,
    env: Mapping[str, str] | None,
    timeout: float | None,
    tag: str | None,
) -> Call[_native.Command]:
    """Returns the call that starts a command at a terminal: a script, a program with its arguments, or a login shell."""
    words = ["sh", "-l"] if command is None else command
    what: dict[str, Any] = {"script": words} if isinstance(words, str) else {"argv": list(words)}
    request = _json(
        **what,
        env=dict(env or {}),
        working_directory=cwd,
        pipe_stdin=True,
        terminal={"rows": rows, "columns": columns},
        timeout_ms=_milliseconds(timeout),
        tag=tag,
        end="first_process",
    )
    return session.start(request, None, False)


def map_cells(
    session: _native.Session, cells: Iterable[str], timeout: float | None, concurrency: int | None
) -> Call[list[tuple[bytes, bytes, str]]]:
    """Returns the call that evaluates cells."""
    if isinstance(cells, str):
        raise TypeError("`cells` is one text: pass a list of them")
    return session.map(list(cells), timeout, concurrency)


def diff(path: str, text: bool, limit: int) -> str:
    """Returns the request for what differs."""
    return _json(path=path, text=text, limit=limit)


def patch_of(patch: str | bytes | Diff) -> bytes:
    """Returns a unified diff as bytes."""
    return patch.encode() if isinstance(patch, str) else bytes(patch)


def output(stream: Stream, offset: int, limit: int, wait: float) -> str:
    """Returns the request for a piece of output."""
    return _json(stream=stream, offset=offset, limit=limit, wait_ms=wait * 1000)


def data_of(data: str | bytes) -> bytes:
    """Returns text as UTF-8, and bytes as they are."""
    return data.encode() if isinstance(data, str) else bytes(data)


def finding(session: _native.Session, command: int | str) -> _native.Command:
    """Returns the command with this number, or the newest one with this tag."""
    return session.command(command) if isinstance(command, int) else session.command_with_tag(command)


def decoded(data: bytes, format: str) -> str | bytes:
    """Returns the contents of a file in this format."""
    match format:
        case "text":
            return data.decode()
        case "bytes":
            return data
        case _:
            raise ValueError(f"`{format}` is no format of a file: write `text`, `bytes` or `stream`")


def unknown_language(language: str) -> ValueError:
    """Returns the error of a language that a sandbox has not."""
    return ValueError(f"`{language}` is no language of a sandbox: write `python` or `bash`")


def _json(**fields: Any) -> str:
    return json.dumps({name: value for name, value in fields.items() if value is not None})


def _milliseconds(time: float | None) -> float | None:
    return None if time is None else time * 1000
