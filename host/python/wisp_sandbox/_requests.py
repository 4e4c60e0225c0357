"""What both kinds of sandbox ask of the module in Rust: the same arguments make the same calls."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from . import _native
from ._arguments import contents, flag, is_a, items, number, optional_text, path, receiver, seconds, text, texts, variables, wrong
from ._file_data import Diff
from ._native import Call, Policy

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


def policy_of(policy: Any) -> Policy:
    """Returns a policy: one that is an object, the name of one of wisp's, TOML text, or a path."""
    if isinstance(policy, Policy):
        return policy
    takes = "the name of a policy, the path of a file, TOML text, or a `Policy`"
    if isinstance(policy, str):
        one_line = "\n" not in text("policy", policy)
        is_path = one_line and (policy.endswith(".toml") or "=" not in policy)
        if is_path and os.sep not in policy and not policy.endswith(".toml"):
            return _shipped(policy)
        return Policy.load(policy) if is_path else Policy.parse(policy)
    named = path("policy", policy, takes)
    # A path without a folder is no name.
    return Policy.load(named if os.sep in named else os.path.join(os.curdir, named))


@functools.cache
def _shipped(name: str) -> Policy:
    # One of wisp's own never changes.
    return Policy.load(name)


@dataclass(frozen=True, repr=False)
class Opening:
    """What a sandbox is opened with, beside its policy and its request, as the module in Rust takes it. Secrets are not shown."""

    mounts: list[tuple[str, str, str]]
    timeout: float | None
    files: list[tuple[str, bytes]]
    functions: list[_native.Function]
    secrets: list[tuple[str, str]]
    engine: _native.Engine | None


def open_session(
    policy: Any, mounts: Any, env: Any, files: Any, timeout: Any, key: Any, functions: list[_native.Function], secrets: Any, engine: Any
) -> Call[_native.Session]:
    """Returns the call that opens a sandbox."""
    request: dict[str, Any] = {"env": variables("env", env)}
    if key is not None:
        request |= {"key": text("key", key), "idle_ms": _KEYED_IDLE_MS}
    opening = Opening(
        mounts=_mounts(mounts),
        timeout=seconds("timeout", timeout),
        files=[] if files is None else entries(files),
        functions=functions,
        secrets=list(variables("secrets", secrets).items()),
        engine=None if engine is None else _engine(engine),
    )
    return _native.open_session(policy_of(policy), json.dumps(request), opening)


def _mounts(given: Any) -> list[tuple[str, str, str]]:
    takes = "a list of `Mount`"
    if isinstance(given, Mount):
        raise wrong("mounts", given, takes)
    return [_mount(f"mounts[{place}]", one) for place, one in enumerate(items("mounts", given, takes))]


def _mount(name: str, given: Any) -> tuple[str, str, str]:
    takes = "a `Mount`: a path on the host, a path in the sandbox, and the access"
    parts = items(name, given, takes)
    if not 2 <= len(parts) <= 3:
        raise ValueError(f"`{name}` has {len(parts)} parts: pass {takes}")
    mount = Mount(*parts)
    host = path(f"{name}.host", mount.host, "a path on the host (`str` or `os.PathLike`)")
    return host, text(f"{name}.guest", mount.guest), text(f"{name}.access", mount.access)


def _engine(given: Any) -> _native.Engine:
    found = getattr(given, "_native", None)
    if not isinstance(found, _native.Engine):
        raise wrong("engine", given, "an `Engine`")
    return found


def entries(files: Any) -> list[tuple[str, bytes]]:
    """Returns files with their contents: those of a dict by paths, or of a list of dicts that have `path` and `data`."""
    takes = "a dict of contents by paths, or a list of dicts with `path` and `data`"
    if is_a(files, Mapping):
        pairs: list[Any] = list(files.items())
    else:
        pairs = [_entry(f"files[{place}]", one) for place, one in enumerate(items("files", files, takes))]
    return [(text("a path in files", name), contents(f"files[{name!r}]", data)) for name, data in pairs]


def _entry(name: str, given: Any) -> tuple[Any, Any]:
    if not is_a(given, Mapping):
        raise wrong(name, given, "a dict with `path` and `data`")
    if set(given) != {"path", "data"}:
        raise ValueError(f"`{name}` has other keys than `path` and `data`")
    return given["path"], given["data"]


def code(given: Any, timeout: Any) -> str:
    """Returns the request that evaluates code."""
    return _json(code=text("code", given), interpreter=_PYTHON, timeout_ms=_milliseconds(timeout))


def script(given: Any, timeout: Any) -> str:
    """Returns the request that runs a script in the shell whose state stays."""
    return _json(script=text("code", given), shell=_SHELL, timeout_ms=_milliseconds(timeout))


def reset(session: _native.Session) -> Call[None]:
    """Returns the call that starts the interpreter over."""
    return session.reset(_PYTHON)


def restore(session: _native.Session, snapshot: Any) -> Call[None]:
    """Returns the call that goes back to a snapshot."""
    return session.restore(_snapshot(snapshot))


def fork(session: _native.Session, count: Any, snapshot: Any) -> Call[list[_native.Session]]:
    """Returns the call that opens forks."""
    return session.fork(number("count", count, 0), None if snapshot is None else _snapshot(snapshot))


def _snapshot(given: Any) -> _native.Snapshot:
    found = getattr(given, "_native", None)
    if not isinstance(found, _native.Snapshot):
        raise wrong("snapshot", given, "a `Snapshot`")
    return found


def command(words: Any, *, env: Any, cwd: Any, pipe_stdin: Any, timeout: Any, tag: Any) -> str:
    """Returns the request that runs a command: a script for `sh`, or a program with its arguments."""
    return _json(
        **_what(words),
        env=variables("env", env),
        working_directory=optional_text("cwd", cwd),
        pipe_stdin=flag("pipe_stdin", pipe_stdin),
        timeout_ms=_milliseconds(timeout),
        tag=optional_text("tag", tag),
        # What it leaves in the background goes on, as it does after a shell.
        end="first_process",
    )


def input_of(stdin: Any) -> bytes | None:
    """Returns the whole input of a command as bytes."""
    return None if stdin is None else contents("stdin", stdin)


def start_pty(
    session: _native.Session, command: Any, rows: Any, columns: Any, cwd: Any, env: Any, on_data: Any, timeout: Any, tag: Any
) -> Call[_native.Command]:
    """Returns the call that starts a command at a terminal: a script, a program with its arguments, or a login shell."""
    receiver("on_data", on_data)
    request = _json(
        **_what(["sh", "-l"] if command is None else command),
        env=variables("env", env),
        working_directory=optional_text("cwd", cwd),
        pipe_stdin=True,
        terminal={"rows": size("rows", rows), "columns": size("columns", columns)},
        timeout_ms=_milliseconds(timeout),
        tag=optional_text("tag", tag),
        end="first_process",
    )
    return session.start(request, None, False)


def _what(command: Any) -> dict[str, Any]:
    if isinstance(command, str):
        return {"script": text("command", command)}
    return {"argv": texts("command", command, "a text (`str`), or a list of texts")}


def size(name: str, given: Any) -> int:
    """Returns the lines or the columns of a terminal."""
    return number(name, given, 0, 0xFFFF)


def map_cells(session: _native.Session, cells: Any, timeout: Any, concurrency: Any) -> Call[list[tuple[bytes, bytes, str]]]:
    """Returns the call that evaluates cells."""
    most = None if concurrency is None else number("concurrency", concurrency, 1)
    return session.map(texts("cells", cells), seconds("timeout", timeout), most)


def diff(top: Any, with_text: Any, limit: Any) -> str:
    """Returns the request for what differs."""
    return _json(path=text("path", top), text=flag("text", with_text), limit=number("limit", limit, 1))


def patch_of(patch: Any) -> bytes:
    """Returns a unified diff as bytes."""
    return bytes(patch) if isinstance(patch, Diff) else contents("patch", patch)


def output(stream: Any, offset: Any, limit: Any, wait: Any) -> str:
    """Returns the request for a piece of output."""
    if stream not in ("stdout", "stderr"):
        raise ValueError(f"`{stream}` is no output of a command: write `stdout` or `stderr`")
    return _json(stream=stream, offset=number("offset", offset, 0), limit=number("limit", limit, 1), wait_ms=_milliseconds(wait, "wait"))


def finding(session: _native.Session, command: Any) -> _native.Command:
    """Returns the command with this number, or the newest one with this tag."""
    if isinstance(command, str):
        return session.command_with_tag(text("command", command))
    if isinstance(command, bool) or not isinstance(command, int):
        raise wrong("command", command, "the number of a command, or its tag")
    return session.command(number("command", command, 0))


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


def _milliseconds(time: Any, name: str = "timeout") -> float | None:
    found = seconds(name, time)
    return None if found is None else found * 1000
