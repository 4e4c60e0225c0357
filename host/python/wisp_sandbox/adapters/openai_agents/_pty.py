"""Commands that go on: with a terminal or without one, polled and written to."""

import asyncio
import time
from collections import deque
from dataclasses import dataclass, field
from pathlib import Path

from agents.sandbox.errors import ExecTransportError
from agents.sandbox.session.pty_output import collect_pty_output
from agents.sandbox.session.pty_types import (
    PTY_PROCESSES_MAX,
    PtyExecUpdate,
    allocate_pty_process_id,
    clamp_pty_yield_time_ms,
    process_id_to_prune_from_meta,
    resolve_pty_write_yield_time_ms,
)
from agents.sandbox.types import User

from ..._async_commands import AsyncCommandHandle
from ..._async_pty import AsyncPtyHandle
from ..._errors import WispError
from ..._requests import Stream
from ._commands import by_path, context_of, fault_of, not_started, with_note
from ._files import FileSession

# How long one call waits for output; the next goes on.
_WAIT = 60.0


@dataclass
class Process:
    """A command that was started, and the output of it that nobody has read."""

    handle: AsyncCommandHandle
    last_used: float = field(default_factory=time.monotonic)
    chunks: deque[bytes] = field(default_factory=deque)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    exit_code: int | None = None
    error: ExecTransportError | None = None
    following: asyncio.Task[None] | None = None

    def received(self, data: bytes) -> None:
        """Notes output."""
        if data:
            self.chunks.append(data)
            self.news.set()

    async def follow(self) -> None:
        """Reads its output until it ends, and its exit code."""
        try:
            if isinstance(self.handle, AsyncPtyHandle):
                while data := await self.handle.read():
                    self.received(data)
            else:
                await asyncio.gather(self._read("stdout"), self._read("stderr"))
            result = await AsyncCommandHandle.wait(self.handle)
            self.received(with_note(b"", result))
            self.exit_code, self.error = result.exit_code, fault_of((), result)
        except WispError as error:
            # The sandbox was closed under it.
            self.error = ExecTransportError(command=(), context=context_of(error), cause=error, message=str(error), retryable=False)
        finally:
            self.ended.set()
            self.news.set()

    async def _read(self, stream: Stream) -> None:
        offset, end = 0, False
        while not end:
            chunk = await self.handle.output(stream, offset=offset, wait=_WAIT)
            self.received(chunk.data)
            offset, end = chunk.next_offset, chunk.end

    async def terminate(self) -> None:
        """Ends it with all its processes."""
        if not self.ended.is_set():
            self.handle.kill()
        if self.following is not None:
            await asyncio.wait([self.following])


class PtySession(FileSession):
    """The half of a session that is about commands that go on."""

    def __init__(self) -> None:
        self._processes: dict[int, Process] = {}

    def supports_pty(self) -> bool:
        """Returns true: a command that takes longer than a call waits goes on."""
        return True

    async def pty_exec_start(
        self,
        *command: str | Path,
        timeout: float | None = None,
        shell: bool | list[str] = True,
        user: str | User | None = None,
        tty: bool = False,
        yield_time_s: float | None = None,
        max_output_tokens: int | None = None,
    ) -> PtyExecUpdate:
        """Starts a command, waits for a while, and returns what it wrote, with a number for it if it goes on."""
        environment = await self._environment()
        words = by_path(self._prepare_exec_command(*command, shell=shell, user=user), environment)
        handle: AsyncCommandHandle
        try:
            if tty:
                handle = await self.sandbox.pty.create(words, env=environment, cwd=self._root(), timeout=timeout)
            else:
                handle = await self.sandbox.commands.start(words, env=environment, cwd=self._root(), timeout=timeout)
        except WispError as error:
            answer = not_started(words, error)
            return PtyExecUpdate(process_id=None, output=answer.stderr, exit_code=answer.exit_code, original_token_count=None)
        process = Process(handle)
        process.following = asyncio.create_task(process.follow())
        await self._make_room()
        number = allocate_pty_process_id(set(self._processes))
        self._processes[number] = process
        wait = 10_000 if yield_time_s is None else int(yield_time_s * 1000)
        return await self._update(number, process, clamp_pty_yield_time_ms(wait), max_output_tokens)

    async def pty_write_stdin(
        self, *, session_id: int, chars: str, yield_time_s: float | None = None, max_output_tokens: int | None = None
    ) -> PtyExecUpdate:
        """Types something at the terminal of a command, if there is something to type, and returns what the command wrote since."""
        process = self._resolve_pty_session_entry(pty_processes=self._processes, session_id=session_id)
        if chars:
            if not isinstance(process.handle, AsyncPtyHandle):
                raise RuntimeError("stdin is not available for this process")
            try:
                await process.handle.send(chars)
            except WispError as error:
                if not process.ended.is_set():
                    raise ExecTransportError(command=("write_stdin",), cause=error, message=str(error), retryable=error.retryable) from error
        wait = 250 if yield_time_s is None else int(yield_time_s * 1000)
        wait = resolve_pty_write_yield_time_ms(yield_time_ms=wait, input_empty=chars == "")
        process.last_used = time.monotonic()
        return await self._update(session_id, process, wait, max_output_tokens)

    async def pty_terminate_all(self) -> None:
        """Ends all commands that go on."""
        processes = list(self._processes.values())
        self._processes.clear()
        for process in processes:
            await process.terminate()

    async def _update(self, number: int, process: Process, wait_ms: int, max_output_tokens: int | None) -> PtyExecUpdate:
        output, tokens, ended = await collect_pty_output(
            output_chunks=process.chunks,
            output_lock=process.lock,
            output_notify=process.news,
            is_done=process.ended.is_set,
            yield_time_ms=wait_ms,
            max_output_tokens=max_output_tokens,
        )
        if ended:
            self._processes.pop(number, None)
            if process.error is not None:
                raise process.error
        return PtyExecUpdate(
            process_id=None if ended else number,
            output=output,
            exit_code=process.exit_code if ended else None,
            original_token_count=tokens,
        )

    async def _make_room(self) -> None:
        if len(self._processes) < PTY_PROCESSES_MAX:
            return
        meta = [(number, process.last_used, process.ended.is_set()) for number, process in self._processes.items()]
        oldest = process_id_to_prune_from_meta(meta)
        if oldest is not None:
            await self._processes.pop(oldest).terminate()
