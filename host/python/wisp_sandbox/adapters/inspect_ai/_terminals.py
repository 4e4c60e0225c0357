"""Shells that stay: what `bash_session` is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import BaseModel

if TYPE_CHECKING:
    from ... import AsyncPtyHandle, AsyncSandbox

# Without an editor of lines, and without an echo: a model knows what it has typed.
_SHELL = ["bash", "--noediting"]
_QUIET = "stty -echo\n"
# Seconds in which a shell says something when it begins.
_BEGIN = 5.0


class Session(BaseModel):
    """The name of a shell."""

    session_name: str


class Typed(BaseModel):
    """What to type, and how long to wait for what the shell says: for the first of it, and for more."""

    session_name: str
    input: str | None = None
    restart: bool = False
    wait_for_output: float = 30
    idle_timeout: float = 0.5
    max_output_bytes: int = 1 << 20


class Terminals:
    """The shells of one sandbox."""

    def __init__(self, sandbox: AsyncSandbox) -> None:
        self._sandbox = sandbox
        self._terminals: dict[str, AsyncPtyHandle] = {}
        self._unread: dict[str, bytes] = {}

    async def new(self, _asked: BaseModel) -> Session:
        """Starts one."""
        name = f"bash-{len(self._terminals)}"
        await self._open(name)
        return Session(session_name=name)

    async def interact(self, asked: Typed) -> str:
        """Types, and returns what the shell says, when it says no more for a while."""
        if asked.session_name not in self._terminals:
            raise LookupError(f"there is no shell `{asked.session_name}`")
        if asked.restart:
            self._terminals[asked.session_name].kill()
            await self._open(asked.session_name)
            return "shell restarted"
        terminal = self._terminals[asked.session_name]
        if asked.input is not None:
            await terminal.send(asked.input)
        found, wait = bytearray(self._unread.pop(asked.session_name, b"")), asked.wait_for_output
        # What was read is for the next call, if a time limit ends this one.
        kept = 0
        try:
            while len(found) < asked.max_output_bytes:
                piece = await terminal.read(asked.idle_timeout if found else wait)
                if not piece:
                    break
                found += piece
            kept = asked.max_output_bytes
        finally:
            self._unread[asked.session_name] = bytes(found[kept:])
        return bytes(found[: asked.max_output_bytes]).decode(errors="replace").replace("\r\n", "\n")

    async def _open(self, name: str) -> None:
        terminal = await self._sandbox.pty.create(_SHELL, env={"TERM": "dumb"})
        await terminal.send(_QUIET)
        seen = b""
        # The prompt, the echo of the line, and the prompt after it. What code has written into `.bashrc` may have another prompt.
        while not seen.rstrip().endswith(b"$") or b"\n" not in seen:
            piece = await terminal.read(_BEGIN)
            if not piece:
                break
            seen += piece
        self._terminals[name], self._unread[name] = terminal, b""
