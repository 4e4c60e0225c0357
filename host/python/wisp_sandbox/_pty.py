"""Terminals of a sandbox, for programs without an event loop."""

import contextlib
import time
from collections.abc import Mapping, Sequence

from . import _native, _requests
from ._arguments import receiver, seconds
from ._base import BasePtyHandle
from ._commands import CommandHandle
from ._errors import WispError
from ._requests import ReceiveBytes
from ._results import CommandResult


class Pty:
    """The terminals of a sandbox: `Sandbox.pty`."""

    def __init__(self, session: _native.Session) -> None:
        self._session = session

    def create(
        self,
        command: str | Sequence[str] | None = None,
        *,
        rows: int = 24,
        columns: int = 80,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        on_data: ReceiveBytes | None = None,
        timeout: float | None = None,
        tag: str | None = None,
    ) -> "PtyHandle":
        """Starts a command at a terminal of its own, and returns when its first process runs: a login shell, if none is named.

        As at any terminal, there is one output, with the echo of what is typed, and its lines end in CR LF. `on_data` is called with
        each piece of it, while `PtyHandle.wait` waits: no other thread calls it. The time limit of the policy (`limits.wall`)
        goes on counting while the terminal is idle.
        """
        started = _requests.start_pty(self._session, command, rows, columns, cwd, env, on_data, timeout, tag)
        return PtyHandle(started.wait(), on_data)


class PtyHandle(BasePtyHandle, CommandHandle):
    """A command at a terminal, while it runs and after it. Dropping it ends nothing."""

    def send(self, data: str | bytes) -> None:
        r"""Types something: `\r` is Enter, `\x03` is Ctrl-C, `\x04` is Ctrl-D. Waits while the command does not read."""
        self.send_stdin(data)

    def read(self, timeout: float | None = None) -> bytes:
        """Returns what was written since the last piece that `read` returned or a function received, at most 1 MiB; waits for something.

        It is empty if nothing came in `timeout` seconds, and at the end.
        """
        data, self._offset, *_ = self._command.read(self._offset, 0, seconds("timeout", timeout)).wait()
        return data

    def wait(self, timeout: float | None = None, *, on_data: ReceiveBytes | None = None) -> CommandResult:
        """Waits for its end; meanwhile `on_data`, or the function that `Pty.create` was given, is called with each piece of its output.

        After `timeout` seconds raises `TimeoutError`, and the command goes on. Ctrl-C interrupts the command. What the function raises
        is raised here, and the command goes on.
        """
        receiver("on_data", on_data)
        timeout = seconds("timeout", timeout)
        receive = on_data or self._on_data
        if receive is None:
            return super().wait(timeout)
        ends = None if timeout is None else time.monotonic() + timeout
        try:
            while True:
                left = None if ends is None else max(0.0, ends - time.monotonic())
                data, self._offset, _, _, ended = self._command.read(self._offset, 0, left).wait()
                if data:
                    receive(data)
                elif ended:
                    break
                if not ended and ends is not None and time.monotonic() >= ends:
                    raise TimeoutError(f"the command {self.id} still runs after {timeout} s")
        except KeyboardInterrupt:
            # It may have ended.
            with contextlib.suppress(WispError):
                self._command.interrupt()
            raise
        return super().wait()
