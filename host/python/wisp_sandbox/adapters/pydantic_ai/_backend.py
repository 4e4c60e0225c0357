"""The backend of a workspace: commands and files of one sandbox."""

from __future__ import annotations

import errno
import math
import posixpath
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from ... import AsyncSandbox, CommandResult, EndedError, FileInfo, LimitError, LimitHit, NotFoundError, RequestError
from .._common import check_host, is_wrong_type, missing, note, with_note
from ._environments import Opening, attached, opened

try:
    import anyio.to_thread
    from pydantic_ai import workspaces
    from pydantic_ai.workspaces import (
        FileEntry,
        SupportsCommands,
        SupportsFilesystem,
        SupportsRealpath,
        WorkspaceBackend,
        WorkspaceCommand,
        WorkspaceOutputLimitError,
        WorkspaceRef,
        WorkspaceTimeoutError,
        WorkspaceUnavailableError,
    )
except ImportError as error:
    raise missing("pydantic_ai", "pydantic-ai") from error

PROVIDER = "wisp"
"""The provider in a `WorkspaceRef` of wisp."""

_PREVIEW = 64 * 1024
_UNITS = {"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


class WispWorkspace(WorkspaceBackend, SupportsCommands, SupportsFilesystem, SupportsRealpath):
    """A workspace in a sandbox of wisp, which the first operation opens, or to which it attaches by `ref`.

    `opening`: what the sandbox is opened with; without it the policy is `offline`: no network, none of the machine's files. The sandbox
    outlives runs: `WispSandbox.destroy` closes it, or 30 minutes without use. `ref` names a sandbox of this process.
    """

    def __init__(self, opening: Opening | None = None, *, ref: WorkspaceRef | None = None) -> None:
        if ref is not None and ref.provider != PROVIDER:
            raise ValueError(f"the provider of the reference is {ref.provider!r}, and not {PROVIDER!r}")
        self._opening = Opening() if opening is None else opening
        self._ref = ref
        self._lock = threading.Lock()
        self._sandbox: AsyncSandbox | None = None
        self._working_dir: str | None = None

    @property
    def ref(self) -> WorkspaceRef | None:
        """Which sandbox it is, once there is one. It has no secret, and means something in this process only."""
        return self._ref

    async def sandbox(self) -> AsyncSandbox:
        """Returns its sandbox, for what Pydantic AI does not know: forks, snapshots, artifacts, receipts."""
        if self._sandbox is None:
            # In a thread: the first sandbox of a program may compile its programs. Whoever is cancelled meanwhile does not end it.
            await anyio.to_thread.run_sync(self._open)
        if self._sandbox is None or not self._sandbox._is_open():
            raise self._gone("it was closed")
        return self._sandbox

    def _open(self) -> None:
        with self._lock:
            if self._sandbox is not None:
                return
            if self._ref is None:
                identity, self._sandbox = opened(self._opening)
                self._ref = WorkspaceRef(provider=PROVIDER, id=identity)
                return
            try:
                self._sandbox = attached(self._ref.id, self._opening)
            except LookupError as error:
                raise self._gone(str(error)) from error

    def _gone(self, why: str) -> WorkspaceUnavailableError:
        return WorkspaceUnavailableError(f"wisp's sandbox {self._ref.id if self._ref else ''} cannot be reached: {why}")

    @contextmanager
    def _errors(self, path: str) -> Iterator[None]:
        """Makes errors of wisp those of Pydantic AI. Those about missing files and permissions are Python's already."""
        try:
            yield
        except EndedError as error:
            raise self._gone(str(error)) from error
        except LimitError as error:
            raise OSError(errno.ENOSPC, str(error), path) from error
        except RequestError as error:
            raise error if isinstance(error, OSError) else OSError(f"{path}: {error}") from error

    async def working_dir(self) -> str:
        """Returns the directory in which commands start."""
        sandbox = await self.sandbox()
        if self._working_dir is None:
            with self._errors("."):
                found = await sandbox.commands.run(["pwd", "-P"])
            check_host(found.outcome.end)
            self._working_dir = found.stdout.rstrip("\n")
        return self._working_dir

    async def run(
        self, command: WorkspaceCommand, *, shell: bool = False, env: Mapping[str, str] | None = None, timeout: float | None = None
    ) -> workspaces.CommandResult:
        """Runs a program with its arguments, or with `shell` a script for bash.

        A limit of the policy that ends it is named on its standard error, and raises `WorkspaceOutputLimitError` if that is the one on
        output. What it leaves in the background goes on.
        """
        if timeout is not None and (isinstance(timeout, bool) or not math.isfinite(timeout) or timeout <= 0):
            raise ValueError("timeout must be a positive finite number of seconds, or None")
        sandbox = await self.sandbox()
        try:
            result = await sandbox.commands.run(_words(command, shell), env=env, timeout=timeout)
        except NotFoundError as error:
            return workspaces.CommandResult(exit_code=127, stdout="", stderr=f"{error}\n")
        except EndedError as error:
            raise self._gone(str(error)) from error
        except RequestError as error:
            if error.code != "not_executable":
                raise
            return workspaces.CommandResult(exit_code=126, stdout="", stderr=f"{error}\n")
        if not sandbox._is_open():
            raise self._gone("it was closed while a command ran")
        return _result(result, timeout)

    async def read_bytes(self, path: str) -> bytes:
        """Returns the contents of a file."""
        sandbox = await self.sandbox()
        try:
            with self._errors(path):
                return await sandbox.files.read(_absolute(path), "bytes")
        except OSError as error:
            raise await self._with_kind(error, path, IsADirectoryError) from error

    async def write_bytes(self, path: str, data: bytes) -> None:
        """Writes a file, through a symbolic link too, and makes missing directories."""
        sandbox = await self.sandbox()
        try:
            with self._errors(path):
                await sandbox.files.write(_absolute(path), data)
        except OSError as error:
            raise await self._with_kind(error, path, IsADirectoryError) from error

    async def make_dir(self, path: str) -> None:
        """Makes a directory, and those above it. One that is there is no error."""
        sandbox = await self.sandbox()
        try:
            with self._errors(path):
                await sandbox.files.make_dir(_absolute(path))
        except OSError as error:
            raise await self._with_kind(error, path, FileExistsError) from error

    async def stat(self, path: str) -> FileEntry:
        """Returns the facts about a file, or about what a symbolic link leads to."""
        sandbox = await self.sandbox()
        with self._errors(path):
            info = await sandbox.files.get_info(_absolute(path))
            if info.type == "symlink":
                info = await sandbox.files.get_info(await self.realpath(path))
        return _entry(path, info)

    async def list_dir(self, path: str) -> Sequence[FileEntry]:
        """Returns what a directory has, by name. A symbolic link has the facts about what it leads to, if there is something."""
        sandbox = await self.sandbox()
        try:
            with self._errors(path):
                found = await sandbox.files.list(_absolute(path))
        except OSError as error:
            raise await self._with_kind(error, path, NotADirectoryError) from error
        return [await self._followed(info) for info in found]

    async def _followed(self, info: FileInfo) -> FileEntry:
        if info.type == "symlink":
            try:
                return await self.stat(info.path)
            except OSError:
                return FileEntry(name=info.name, path=info.path, is_dir=False, size=None)
        return _entry(info.path, info)

    async def remove(self, path: str) -> None:
        """Removes a file, or a directory with what is in it; not the working directory, and none above it."""
        sandbox = await self.sandbox()
        parent = await self.realpath(posixpath.dirname(posixpath.normpath(_absolute(path))))
        target = posixpath.normpath(posixpath.join(parent, posixpath.basename(posixpath.normpath(path))))
        if posixpath.commonpath([await self.working_dir(), target]) == target:
            raise ValueError(f"{path} is the working directory, or above it")
        with self._errors(path):
            await sandbox.files.remove(target, recursive=True)

    async def exists(self, path: str) -> bool:
        """Returns whether there is such a file; where symbolic links lead to each other there is none."""
        sandbox = await self.sandbox()
        try:
            return await sandbox.files.exists(_absolute(path))
        except EndedError as error:
            raise self._gone(str(error)) from error
        except RequestError:
            return False

    async def realpath(self, path: str) -> str:
        """Returns a path without symbolic links, as the sandbox resolves it. What does not exist stays as it is written."""
        sandbox = await self.sandbox()
        with self._errors(path):
            found = await sandbox.commands.run(["realpath", "-mz", "--", _absolute(path)])
        check_host(found.outcome.end)
        if not found.success:
            raise OSError(f"{path}: {found.stderr.strip()}")
        return found.stdout.removesuffix("\0")

    async def _with_kind(self, error: OSError, path: str, there: type[OSError]) -> OSError:
        """Returns the error of Python for a file of the wrong kind: `there` if it exists, and else a file stands where a directory should."""
        cause = error.__cause__
        if not isinstance(cause, RequestError) or not is_wrong_type(cause):
            return error
        return (there if await self.exists(path) else NotADirectoryError)(f"{path}: {cause}")


def _words(command: WorkspaceCommand, shell: bool) -> list[str]:
    """The program and its arguments."""
    if isinstance(command, str):
        if not shell:
            raise TypeError("a text is a command with `shell=True` only: pass a program with its arguments")
        return ["bash", "-c", command]
    if shell:
        raise TypeError("with `shell=True` the command is a text, and not a list")
    if not command:
        raise ValueError("the command is empty")
    return list(command)


def _result(result: CommandResult, timeout: float | None) -> workspaces.CommandResult:
    end = result.outcome.end
    check_host(end)
    hit = end.limit if end.kind == "limit" and end.limit is not None and end.limit.ended else None
    if hit is not None and hit.limit in ("limits.stdout", "limits.stderr"):
        message = f"{note(end)}: write to a file, and read a part of it"
        raise WorkspaceOutputLimitError(message, limit=_bytes(hit), stdout=result.stdout[:_PREVIEW], stderr=result.stderr[:_PREVIEW])
    if hit is not None and hit.limit == "limits.wall" and timeout is not None:
        raise WorkspaceTimeoutError(f"the command was to take {timeout:g} s: {note(end)}", stdout=result.stdout, stderr=result.stderr)
    return workspaces.CommandResult(exit_code=result.exit_code, stdout=result.stdout, stderr=with_note(result.stderr, end))


def _bytes(hit: LimitHit) -> int:
    """A size as a policy writes it, in bytes."""
    unit = hit.value[-3:]
    return int(float(hit.value[:-3]) * _UNITS[unit]) if unit in _UNITS else int(hit.value.rstrip("B"))


def _absolute(path: str) -> str:
    if not posixpath.isabs(path):
        raise ValueError(f"the path must be absolute: {path!r}")
    return path


def _entry(path: str, info: FileInfo) -> FileEntry:
    return FileEntry(
        name=posixpath.basename(posixpath.normpath(path)),
        path=path,
        is_dir=info.is_dir,
        size=info.size_bytes if info.type == "file" else None,
    )
