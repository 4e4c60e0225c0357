"""Episodes: several steps in one fork."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from .. import AsyncSandbox, CommandResult, EndedError, Execution, InfraError, RequestError
from ._rollout import Keep, came, digest_of, fault_of

if TYPE_CHECKING:
    from ._checkpoint import Checkpoint

Step = Callable[[AsyncSandbox], Awaitable[Any]]
Again = Callable[[Callable[[], Awaitable[Any]]], Awaitable[Any]]


class Session:
    """An episode that starts from a checkpoint: `Pool.session` opens one.

    What `run_code`, `run` and `write` do is remembered. If wisp or the machine fails, the episode starts over from its checkpoint with the same
    seed, does again what it had done, and then what failed; if that comes to something else than before, or the fault stays, its `InfraError` is
    raised, also by all that is asked later: an episode whose state is not known has no result. Under a policy with `[determinism]` it comes to
    the same.
    """

    def __init__(self, id: str, seed: int, fork: Callable[[], Awaitable[AsyncSandbox]], wall: float | None, keep: Keep, again: Again, base: str) -> None:
        self.id: str = id
        self.seed: int = seed
        self.fault: InfraError | None = None
        self._fork, self._wall, self._keep, self._again, self._base = fork, wall, keep, again, base
        # What was done, and the digest of what it came to.
        self._done: list[tuple[Step, str]] = []
        self._sandbox: AsyncSandbox | None = None
        self._closed = False
        self._opening = asyncio.Lock()

    @property
    def sandbox(self) -> AsyncSandbox:
        """The sandbox that it runs in now, to look at: what is changed there is not done again after a fault."""
        self._check()
        if self._sandbox is None:
            raise _ended("the episode is closed")
        return self._sandbox

    @property
    def is_open(self) -> bool:
        """Whether it can do more: it is not closed, and no fault has ended it."""
        return not self._closed and self.fault is None

    @property
    def steps(self) -> int:
        """How many steps it has done."""
        return len(self._done)

    @property
    def digest(self) -> str:
        """The digest of its checkpoint, its seed and all that its steps came to."""
        self._check()
        return digest_of({"base": self._base, "seed": self.seed, "steps": [digest for _, digest in self._done]})

    async def start(self) -> None:
        """Opens its sandbox, if it has none."""
        await self._kept(self._ready)

    async def run_code(self, code: str, *, timeout: float | None = None) -> Execution:
        """Runs a cell of Python code, as `AsyncSandbox.run_code` does, within the session's `wall` limit if `timeout` is not given."""
        time = self._wall if timeout is None else timeout
        result: Execution = await self._step(lambda sandbox: sandbox.run_code(code, timeout=time))
        return result

    async def run(
        self,
        command: str | Sequence[str],
        *,
        cwd: str | None = None,
        env: Mapping[str, str] | None = None,
        stdin: str | bytes | None = None,
        timeout: float | None = None,
    ) -> CommandResult:
        """Runs a command to its end, as `AsyncSandbox.commands.run` does."""
        time = self._wall if timeout is None else timeout
        result: CommandResult = await self._step(lambda sandbox: sandbox.commands.run(command, cwd=cwd, env=env, stdin=stdin, timeout=time))
        return result

    async def write(self, path: str, data: str | bytes) -> None:
        """Writes a file."""
        await self._step(lambda sandbox: sandbox.files.write(path, data))

    async def read(self, path: str) -> bytes:
        """Reads a file."""
        data: bytes = await self._kept(lambda: self._tried(lambda sandbox: sandbox.files.read(path, "bytes")))
        return data

    async def keep(self) -> Checkpoint:
        """Ends the episode, and makes its state the next checkpoint."""
        self._check()
        digest, sandbox = self.digest, self.sandbox
        self._sandbox, self._closed = None, True
        return await self._keep(sandbox, digest)

    async def close(self) -> None:
        """Closes it. Once more is no error."""
        self._closed = True
        await self._dropped()

    async def _step(self, step: Step) -> Any:
        result = await self._kept(lambda: self._tried(step))
        self._done.append((step, _digest(result)))
        return result

    async def _kept(self, call: Callable[[], Awaitable[Any]]) -> Any:
        self._check()
        try:
            return await self._again(call)
        except InfraError as fault:
            self.fault = fault
            await self._dropped()
            raise

    def _check(self) -> None:
        if self.fault is not None:
            raise self.fault
        if self._closed:
            raise _ended("the episode is closed")

    async def _tried(self, step: Step) -> Any:
        sandbox = await self._ready()
        try:
            result = await step(sandbox)
            if isinstance(result, (Execution, CommandResult)) and (fault := fault_of(result.outcome)):
                raise fault
        except InfraError:
            # How far it came is not known.
            if self._sandbox is sandbox:
                await self._dropped()
            raise
        except RequestError as error:
            self._check_kept(sandbox, error)
            raise
        self._check_kept(sandbox)
        return result

    def _check_kept(self, sandbox: AsyncSandbox, error: RequestError | None = None) -> None:
        """Raises `InfraError` if a fault of another step has closed the sandbox meanwhile: what this one came to is that fault's doing."""
        if self._sandbox is not sandbox and not self._closed:
            message = "wisp or the machine failed in another step of the episode, and this one ended with its sandbox"
            raise InfraError({"code": "internal", "fault": "host", "retryable": True, "message": message}) from error

    async def _ready(self) -> AsyncSandbox:
        """Returns its sandbox; opens one, if there is none, and does again what was done."""
        async with self._opening:
            self._check()
            if self._sandbox is not None:
                return self._sandbox
            sandbox = await self._fork()
            try:
                await self._repeat(sandbox)
                self._check()
            except BaseException:
                # An error keeps its frames, and so the sandbox.
                await _closed(sandbox)
                raise
            self._sandbox = sandbox
            return sandbox

    async def _repeat(self, sandbox: AsyncSandbox) -> None:
        for step, digest in [(_seeded(self.seed), None), *self._done]:
            result = await step(sandbox)
            if isinstance(result, (Execution, CommandResult)) and (fault := fault_of(result.outcome)):
                raise fault
            if digest is not None and _digest(result) != digest:
                message = "wisp or the machine failed, and what the episode had done comes to something else when it is done again"
                raise InfraError({"code": "internal", "fault": "host", "retryable": False, "message": message})

    async def _dropped(self) -> None:
        sandbox, self._sandbox = self._sandbox, None
        if sandbox is not None:
            await _closed(sandbox)

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<Session {self.id!r}: {self.steps} steps>"


async def _closed(sandbox: AsyncSandbox) -> None:
    with contextlib.suppress(InfraError):
        await sandbox.close()


def seeding(seed: int) -> str:
    """Returns the code that seeds the randomness of Python, and that of numpy if it is imported."""
    modules = "__import__('sys').modules.get('numpy')"
    return f"(lambda numpy: (__import__('random').seed({seed}), numpy and numpy.random.seed({seed % (1 << 32)})) and None)({modules})"


def _seeded(seed: int) -> Step:
    return lambda sandbox: sandbox.run_code(seeding(seed))


def _digest(result: Any) -> str:
    return digest_of({"came": came(result) if isinstance(result, (Execution, CommandResult)) else None})


def _ended(message: str) -> EndedError:
    return EndedError({"code": "ended", "fault": "caller", "retryable": False, "message": message})
