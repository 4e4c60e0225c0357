"""The states that rollouts start from."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass, replace
from typing import Any

from .. import AsyncSandbox, EndedError, Execution, Policy, Snapshot
from .._arguments import number, seconds, wrong

Open = Callable[["Limits"], Awaitable[AsyncSandbox]]


class SetupError(Exception):
    """A cell of a checkpoint's setup failed: `execution` is what it came to."""

    def __init__(self, cell: str, execution: Execution) -> None:
        reason = execution.outcome.end if execution.error is None else execution.error.traceback
        super().__init__(f"a cell of the setup failed: {reason}")
        self.cell: str = cell
        self.execution: Execution = execution


@dataclass(frozen=True)
class Limits:
    """What one rollout may use, in place of what the policy says.

    `wall`: the seconds that its cell may take, after which it is interrupted. `cpu`: seconds of processor time. `memory`: bytes, or a text such as
    `256MiB`. `instructions`: of WebAssembly, about; unlike times it ends the same code at the same place on every machine. `processes`: at once.
    `quota`: of all its files, bytes or a text.
    """

    wall: float | None = None
    cpu: float | None = None
    memory: int | str | None = None
    instructions: int | None = None
    processes: int | None = None
    quota: int | str | None = None

    def __post_init__(self) -> None:
        for name in ("wall", "cpu"):
            seconds(name, getattr(self, name))
        for name in ("instructions", "processes"):
            if getattr(self, name) is not None:
                number(name, getattr(self, name), 1)
        for name in ("memory", "quota"):
            size = getattr(self, name)
            if size is not None and (isinstance(size, bool) or not isinstance(size, (int, str))):
                raise wrong(name, size, "a number of bytes, or a text such as `256MiB`")

    def lasting(self) -> Limits:
        """Returns those that a sandbox has from its beginning: all but `wall`."""
        return replace(self, wall=None)

    def applied(self, policy: Policy) -> Policy:
        """Returns a policy with those that a sandbox has from its beginning."""
        if self.cpu is not None:
            policy = policy.with_value("limits.cpu", f"{round(self.cpu * 1000)}ms")
        for key, size in (("limits.memory", self.memory), ("filesystem.quota", self.quota)):
            if size is not None:
                policy = policy.with_value(key, f"{size}B" if isinstance(size, int) else size)
        for name in ("instructions", "processes"):
            if getattr(self, name) is not None:
                policy = policy.with_value(f"limits.{name}", str(getattr(self, name)))
        return policy

    def named(self) -> dict[str, Any]:
        """Returns those that are set."""
        return {name: value for name, value in asdict(self).items() if value is not None}


class Checkpoint:
    """Files, an interpreter and a shell at one moment, from which any number of rollouts start: `Pool.checkpoint` and `Rollout.keep` make one.

    `digest` is that of all that led to it. It keeps its memory until it is closed, or no object of it is left.
    """

    def __init__(self, digest: str, open: Open, first: AsyncSandbox, limits: Limits, *, kept: bool) -> None:
        self.digest: str = digest
        self._open = open
        # A sandbox for each set of limits that was asked for, with the snapshot from which its forks start.
        self._states: dict[Limits, tuple[AsyncSandbox, Snapshot]] = {}
        self._first = first, limits
        self._kept = kept
        self._closed = False
        self._lock = asyncio.Lock()

    async def fork(self, limits: Limits) -> AsyncSandbox:
        """Opens a sandbox that starts from it, under these limits."""
        sandbox, snapshot = await self._state(limits.lasting())
        [fork] = await sandbox.fork(1, snapshot)
        return fork

    async def _state(self, limits: Limits) -> tuple[AsyncSandbox, Snapshot]:
        async with self._lock:
            if self._closed:
                raise EndedError({"code": "ended", "fault": "caller", "retryable": False, "message": "the checkpoint is closed"})
            found = self._states.get(limits)
            if found is None:
                found = self._states[limits] = await self._made(limits)
            return found

    async def _made(self, limits: Limits) -> tuple[AsyncSandbox, Snapshot]:
        first, had = self._first
        if limits == had or (self._kept and limits == Limits()):
            sandbox = first
        elif self._kept:
            raise ValueError(f"a kept rollout goes on under the limits that it ran with, which are {had.named()}, and not {limits.named()}")
        else:
            sandbox = await self._open(limits)
        return sandbox, await sandbox.snapshot()

    async def close(self) -> None:
        """Closes it: nothing starts from it any more. What has started goes on. Once more is no error."""
        async with self._lock:
            states, self._states, self._closed = self._states, {}, True
        for sandbox in {id(each): each for each in (self._first[0], *(sandbox for sandbox, _ in states.values()))}.values():
            await sandbox.close()

    async def __aenter__(self) -> Checkpoint:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"<Checkpoint {self.digest[:12]}>"
