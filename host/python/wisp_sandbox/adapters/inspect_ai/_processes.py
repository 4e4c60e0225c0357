"""Commands that go on while Inspect asks about them: what `exec_remote` is made of."""

from __future__ import annotations

import asyncio
import codecs
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from pydantic import BaseModel

from .._common import check_host, note

if TYPE_CHECKING:
    from ... import AsyncCommandHandle, AsyncSandbox, CommandResult

_STREAMS: tuple[Literal["stdout", "stderr"], ...] = ("stdout", "stderr")
# Bytes of one output in one answer.
_MOST = 1 << 20
# Inspect asks every five seconds at most: a question waits so long for news.
_WAIT = 4.0


class Start(BaseModel):
    """A command for the shell."""

    command: str
    input: str | None = None
    stdin_open: bool = False
    env: dict[str, str] | None = None
    cwd: str | None = None


class Started(BaseModel):
    """The number of the command."""

    pid: int


class Acknowledged(BaseModel):
    """A question about a command, from one who has got the outputs up to a number."""

    pid: int
    ack_seq: int = 0


class Written(Acknowledged):
    """Input for a command."""

    data: str


class Output(BaseModel):
    """The outputs that nobody has got."""

    seq: int
    stdout: str
    stderr: str


class Polled(Output):
    """The same, and how it is with the command."""

    state: Literal["running", "completed", "killed"]
    exit_code: int | None = None


@dataclass
class _Process:
    handle: AsyncCommandHandle
    seq: int = 0
    got: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_STREAMS, 0))
    sent: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_STREAMS, 0))
    killed: bool = False


class Processes:
    """The commands of one sandbox that were started so."""

    def __init__(self, sandbox: AsyncSandbox) -> None:
        self._sandbox = sandbox
        self._processes: dict[int, _Process] = {}

    async def start(self, asked: Start) -> Started:
        """Starts one."""
        piped = asked.stdin_open
        stdin = None if piped else asked.input
        handle = await self._sandbox.commands.start(asked.command, env=asked.env, cwd=asked.cwd, stdin=stdin, pipe_stdin=piped)
        self._processes[handle.id] = _Process(handle)
        if piped and asked.input:
            await handle.send_stdin(asked.input)
        return Started(pid=handle.id)

    async def poll(self, asked: Acknowledged) -> Polled:
        """Returns its outputs and its state; waits a little for news."""
        process = self._found(asked)
        await _news(process)
        result = await process.handle.poll()
        output, whole = await _output(process)
        if result is None or not whole:
            return Polled(**output.model_dump(), state="running")
        return _ended(process, result, output)

    async def kill(self, asked: Acknowledged) -> Output:
        """Ends it, with all its processes, and returns the last outputs."""
        process = self._found(asked)
        process.killed = True
        process.handle.kill()
        await process.handle.wait()
        return (await _output(process))[0]

    async def write_stdin(self, asked: Written) -> Output:
        """Writes to its input."""
        process = self._found(asked)
        await process.handle.send_stdin(asked.data)
        return (await _output(process))[0]

    async def close_stdin(self, asked: Acknowledged) -> Output:
        """Closes its input."""
        process = self._found(asked)
        process.handle.close_stdin()
        return (await _output(process))[0]

    def _found(self, asked: Acknowledged) -> _Process:
        process = self._processes.get(asked.pid)
        if process is None:
            # Inspect knows this text.
            raise LookupError(f"No job found with pid {asked.pid}")
        if asked.ack_seq >= process.seq:
            process.got = dict(process.sent)
        return process


def _ended(process: _Process, result: CommandResult, output: Output) -> Polled:
    check_host(result.outcome.end)
    if process.killed:
        return Polled(**output.model_dump(), state="killed")
    if line := note(result.outcome.end):
        output.stderr += f"{line}\n"
    return Polled(**output.model_dump(), state="completed", exit_code=result.exit_code)


async def _news(process: _Process) -> None:
    """Waits for output, or for the end."""
    waiting = [
        *(asyncio.ensure_future(process.handle.output(stream, offset=process.got[stream], limit=1, wait=_WAIT)) for stream in _STREAMS),
        asyncio.ensure_future(process.handle.wait(_WAIT)),
    ]
    try:
        await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


async def _output(process: _Process) -> tuple[Output, bool]:
    """The outputs after what was got, in whole characters; and whether that is all that there is now."""
    texts, whole = {}, True
    for stream in _STREAMS:
        chunk = await process.handle.output(stream, offset=process.got[stream], limit=_MOST)
        whole = whole and len(chunk.data) < _MOST
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        texts[stream] = decoder.decode(chunk.data, chunk.end)
        process.sent[stream] = chunk.next_offset - len(decoder.getstate()[0])
    process.seq += 1
    return Output(seq=process.seq, **texts), whole
