"""A sandbox for agents of Strands: `Agent(sandbox=WispSandbox())`."""

from __future__ import annotations

import asyncio
import posixpath
from collections.abc import AsyncGenerator, Sequence
from typing import Any, Literal

from .. import AsyncSandbox, CommandResult, NotFoundError, Sandbox, SandboxFileNotFoundError, WispError
from ._common import both, check_host, missing, with_note

try:
    from strands.sandbox.base import Sandbox as StrandsSandbox
    from strands.sandbox.constants import LANGUAGE_PATTERN
    from strands.sandbox.errors import SandboxPathNotFoundError, SandboxTimeoutError
    from strands.sandbox.posix_shell import validate_env_keys
    from strands.sandbox.types import ExecutionResult, FileInfo, OutputFile, StreamChunk
    from strands.types.tools import AgentTool
    from strands.vended_tools.file_editor import make_file_editor
    from strands.vended_tools.shell import make_shell
except ImportError as error:
    raise missing("strands-agents", "strands") from error

__all__ = ["WispSandbox"]

_Stream = AsyncGenerator[StreamChunk | ExecutionResult, None]


class WispSandbox(StrandsSandbox):
    """A sandbox of Strands whose commands run, and whose files are, in one of wisp.

    Without a sandbox it opens one under the policy `offline`. `cwd` is where commands begin that name no directory, and relative paths: without it
    `/home/user`. `close`, or the end of a `with` block, closes it. It gives agents the tools `sandbox_shell` and `sandbox_file_editor`.
    """

    def __init__(self, sandbox: Sandbox | AsyncSandbox | None = None, *, cwd: str | None = None) -> None:
        self._sandbox, self._async = both(Sandbox.create() if sandbox is None else sandbox)
        self._cwd = cwd

    @property
    def sandbox(self) -> Sandbox:
        """Its sandbox, for what Strands does not know: forks, snapshots, receipts."""
        return self._sandbox

    def close(self) -> None:
        """Closes its sandbox. Once more is no error."""
        self._sandbox.close()

    def __enter__(self) -> WispSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def execute_streaming(
        self, command: str, *, timeout: float | None = None, cwd: str | None = None, env: dict[str, str] | None = None, **kwargs: Any
    ) -> _Stream:
        """Runs a script in bash, and yields its output as it comes, and what it came to.

        After `timeout` seconds it is ended, and `SandboxTimeoutError` is raised. A limit of the policy is a status, and a line in `stderr`.
        """
        async for piece in self._streamed(["bash", "-c", command], None, timeout, cwd, env):
            yield piece

    async def execute_code_streaming(
        self,
        code: str,
        language: str,
        *,
        timeout: float | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        **kwargs: Any,
    ) -> _Stream:
        """Runs code in a program of the sandbox that reads it, such as `python3` or `sh`: 127 if there is none. `output_files` are those of `/output`."""
        if not LANGUAGE_PATTERN.fullmatch(language):
            raise ValueError(f"the language `{language}` has invalid characters")
        async for piece in self._streamed([language, "-"] if language.startswith("python") else [language], code, timeout, cwd, env):
            yield piece

    async def _streamed(self, words: Sequence[str], stdin: str | None, timeout: float | None, cwd: str | None, env: dict[str, str] | None) -> _Stream:
        validate_env_keys(env or {})
        pieces: asyncio.Queue[StreamChunk | None] = asyncio.Queue()

        async def run() -> CommandResult:
            try:
                return await self._async.commands.run(
                    words, stdin=stdin, timeout=timeout, cwd=cwd or self._cwd, env=env, on_stdout=put("stdout"), on_stderr=put("stderr")
                )
            finally:
                pieces.put_nowait(None)

        def put(stream: Literal["stdout", "stderr"]) -> Any:
            return lambda text: pieces.put_nowait(StreamChunk(text, stream))

        task = asyncio.ensure_future(run())
        try:
            while (piece := await pieces.get()) is not None:
                yield piece
            try:
                result = await task
            except SandboxFileNotFoundError:
                raise
            except NotFoundError as error:
                yield ExecutionResult(127, "", f"{words[0]}: not found: {error}\n")
                return
            yield await self._result(result, timeout)
        finally:
            task.cancel()

    async def _result(self, result: CommandResult, timeout: float | None) -> ExecutionResult:
        end = result.outcome.end
        check_host(end)
        if timeout is not None and end.kind == "limit" and end.limit is not None and end.limit.limit == "limits.wall":
            raise SandboxTimeoutError(timeout, result.stdout, result.stderr)
        files = [OutputFile(file.path, await self._async.files.read(file.path, "bytes"), file.mime_type) for file in result.outcome.files]
        return ExecutionResult(result.exit_code, result.stdout, with_note(result.stderr, end), files)

    async def read_file(self, path: str, **kwargs: Any) -> bytes:
        """Reads a file."""
        try:
            return await self._async.files.read(self._path(path), "bytes")
        except WispError as error:
            raise _os_error(error) from error

    async def write_file(self, path: str, content: bytes, **kwargs: Any) -> None:
        """Writes a file, and makes the directories above it."""
        try:
            await self._async.files.write(self._path(path), content)
        except WispError as error:
            raise _os_error(error) from error

    async def remove_file(self, path: str, **kwargs: Any) -> None:
        """Removes a file that is no directory."""
        try:
            info = await self._async.files.get_info(self._path(path))
            if info.is_dir:
                raise IsADirectoryError(f"`{path}` is a directory")
            await self._async.files.remove(self._path(path))
        except WispError as error:
            raise _os_error(error) from error

    async def list_files(self, path: str, **kwargs: Any) -> list[FileInfo]:
        """Lists what is in a directory, sorted by name."""
        try:
            found = await self._async.files.list(self._path(path))
        except WispError as error:
            if isinstance(error, SandboxFileNotFoundError) or error.code == "wrong_file_type":
                raise SandboxPathNotFoundError(path) from error
            raise _os_error(error) from error
        return [FileInfo(file.name, file.is_dir, file.size_bytes) for file in found]

    def _path(self, path: str) -> str:
        return path if self._cwd is None else posixpath.join(self._cwd, path)

    def get_tools(self) -> list[AgentTool]:
        """The tools `sandbox_shell` and `sandbox_file_editor`, which say what the sandbox is."""
        about = "It runs in a sandbox without network, packages and root, unless its policy grants them. What is denied says by which rule."
        return [
            make_shell(sandbox=self, name="sandbox_shell", description=f"Executes a bash command in a fresh shell. {about}"),
            make_file_editor(sandbox=self, name="sandbox_file_editor"),
        ]


def _os_error(error: WispError) -> Exception:
    """Returns an error of wisp as one that Strands expects: those of files are that already."""
    return error if isinstance(error, OSError) or error.fault == "host" else OSError(str(error))
