"""Commands of a sandbox, for programs with an event loop: the same names as in `_commands`."""

from collections.abc import Mapping, Sequence

from . import _data, _native, _requests
from ._arguments import contents, seconds
from ._asyncio import settled
from ._base import BaseCommandHandle
from ._data import CommandInfos, OutputChunk
from ._following import ran_async
from ._requests import Receive, Stream
from ._results import CommandResult, command_result


class AsyncCommands:
    """The commands of a sandbox: `AsyncSandbox.commands`."""

    def __init__(self, session: _native.Session) -> None:
        self._session = session

    async def run(
        self,
        command: str | Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        stdin: str | bytes | None = None,
        on_stdout: Receive | None = None,
        on_stderr: Receive | None = None,
        timeout: float | None = None,
        tag: str | None = None,
    ) -> CommandResult:
        """Runs a command, and waits for its end: a text is a script for `sh`, a list is a program with its arguments.

        It ends with its first process; what that leaves in the background goes on. A status other than 0 raises nothing. `on_stdout`
        and `on_stderr` are called with each piece of text as it is written, and may be asynchronous. After `timeout` seconds it is
        ended. If its task is cancelled, it is interrupted, and after two seconds ended.
        """
        request = _requests.command(command, env=env, cwd=cwd, pipe_stdin=False, timeout=timeout, tag=tag)
        return command_result(await ran_async(self._session, request, _requests.input_of(stdin), on_stdout, on_stderr))

    async def start(
        self,
        command: str | Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        stdin: str | bytes | None = None,
        pipe_stdin: bool = False,
        timeout: float | None = None,
        tag: str | None = None,
    ) -> "AsyncCommandHandle":
        """Starts a command, and returns when its first process runs. It goes on until it ends, is ended, or its sandbox is closed.

        With `pipe_stdin`, its input is what `AsyncCommandHandle.send_stdin` writes.
        """
        request = _requests.command(command, env=env, cwd=cwd, pipe_stdin=pipe_stdin, timeout=timeout, tag=tag)
        return AsyncCommandHandle(await settled(self._session.start(request, _requests.input_of(stdin), False)))

    def list(self) -> CommandInfos:
        """Returns the commands that run, and the 64 that ended last, oldest first."""
        return _data.commands(self._session.commands())

    def connect(self, command: int | str) -> "AsyncCommandHandle":
        """Returns the command with this number, or the newest one with this tag."""
        return AsyncCommandHandle(_requests.finding(self._session, command))


class AsyncCommandHandle(BaseCommandHandle):
    """A command that was started, while it runs and after it. Dropping it ends nothing."""

    async def wait(self, timeout: float | None = None) -> CommandResult:
        """Waits for its end. After `timeout` seconds raises `TimeoutError`, and the command goes on; so it does if the task is cancelled."""
        time = seconds("timeout", timeout)
        parts = await settled(self._command.outcome()) if time is None else await settled(self._command.outcome(time))
        if parts is None:
            raise TimeoutError(f"the command {self.id} still runs after {timeout} s")
        return command_result(parts)

    async def poll(self) -> CommandResult | None:
        """Returns what it came to, or None while it runs."""
        parts = await settled(self._command.outcome(0))
        return None if parts is None else command_result(parts)

    async def output(self, stream: Stream = "stdout", *, offset: int = 0, limit: int = 1 << 20, wait: float = 0) -> OutputChunk:
        """Reads an output after an offset, at most `limit` bytes; any offset can be read again.

        Waits for at most `wait` seconds, until there is a byte or the end.
        """
        return OutputChunk(*await settled(self._command.output(_requests.output(stream, offset, limit, wait))))

    async def send_stdin(self, data: str | bytes) -> None:
        """Writes to its input. Waits while it does not read."""
        await settled(self._command.write_stdin(contents("data", data)))
