"""Commands of a sandbox, for programs without an event loop."""

import contextlib
from collections.abc import Mapping, Sequence

from . import _data, _native, _requests
from ._arguments import contents, seconds
from ._base import BaseCommandHandle
from ._data import CommandInfos, OutputChunk
from ._errors import WispError
from ._following import ran
from ._requests import Receive, Stream
from ._results import CommandResult, command_result


class Commands:
    """The commands of a sandbox: `Sandbox.commands`."""

    def __init__(self, session: _native.Session) -> None:
        self._session = session

    def run(
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
        and `on_stderr` are called with each piece of text as it is written. After `timeout` seconds it is ended. Ctrl-C interrupts it,
        and after two seconds ends it.
        """
        request = _requests.command(command, env=env, cwd=cwd, pipe_stdin=False, timeout=timeout, tag=tag)
        return command_result(ran(self._session, request, _requests.input_of(stdin), on_stdout, on_stderr))

    def start(
        self,
        command: str | Sequence[str],
        *,
        env: Mapping[str, str] | None = None,
        cwd: str | None = None,
        stdin: str | bytes | None = None,
        pipe_stdin: bool = False,
        timeout: float | None = None,
        tag: str | None = None,
    ) -> "CommandHandle":
        """Starts a command, and returns when its first process runs. It goes on until it ends, is ended, or its sandbox is closed.

        With `pipe_stdin`, its input is what `CommandHandle.send_stdin` writes.
        """
        request = _requests.command(command, env=env, cwd=cwd, pipe_stdin=pipe_stdin, timeout=timeout, tag=tag)
        return CommandHandle(self._session.start(request, _requests.input_of(stdin), False).wait())

    def list(self) -> CommandInfos:
        """Returns the commands that run, and the 64 that ended last, oldest first."""
        return _data.commands(self._session.commands())

    def connect(self, command: int | str) -> "CommandHandle":
        """Returns the command with this number, or the newest one with this tag."""
        return CommandHandle(_requests.finding(self._session, command))


class CommandHandle(BaseCommandHandle):
    """A command that was started, while it runs and after it. Dropping it ends nothing."""

    def wait(self, timeout: float | None = None) -> CommandResult:
        """Waits for its end. After `timeout` seconds raises `TimeoutError`, and the command goes on. Ctrl-C interrupts the command."""
        time = seconds("timeout", timeout)
        try:
            parts = self._command.outcome().wait() if time is None else self._command.outcome(time).wait()
        except KeyboardInterrupt:
            # It may have ended.
            with contextlib.suppress(WispError):
                self._command.interrupt()
            raise
        if parts is None:
            raise TimeoutError(f"the command {self.id} still runs after {timeout} s")
        return command_result(parts)

    def poll(self) -> CommandResult | None:
        """Returns what it came to, or None while it runs."""
        parts = self._command.outcome(0).wait()
        return None if parts is None else command_result(parts)

    def output(self, stream: Stream = "stdout", *, offset: int = 0, limit: int = 1 << 20, wait: float = 0) -> OutputChunk:
        """Reads an output after an offset, at most `limit` bytes; any offset can be read again.

        Waits for at most `wait` seconds, until there is a byte or the end.
        """
        return OutputChunk(*self._command.output(_requests.output(stream, offset, limit, wait)).wait())

    def send_stdin(self, data: str | bytes) -> None:
        """Writes to its input. Waits while it does not read."""
        self._command.write_stdin(contents("data", data)).wait()
